"""Files: one way to read bytes, one way to write them, and what is wrong with those that refuse."""
