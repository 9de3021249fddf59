"""Files: one way to read bytes, one way to write them, and clear errors."""
