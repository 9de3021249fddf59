"""States that a person shapes: their names and colours, and where the merge tree is cut."""
