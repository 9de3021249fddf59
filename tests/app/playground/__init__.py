"""The playground, offscreen."""
