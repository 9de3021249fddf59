"""Many images: the results and the class of each, in batches, tables and the tab Images."""
