"""From parameters to frames, stage by stage; knows nothing of windows on a screen."""
