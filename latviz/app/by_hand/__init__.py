"""States edited by the user: names, colours, and cuts of the merge tree."""
