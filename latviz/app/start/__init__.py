"""The start page: what there is to open, while nothing is."""
