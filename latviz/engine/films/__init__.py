"""Films: frames in which one parameter moves."""
