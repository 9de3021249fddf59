"""The tab of images: their results as a table and a plot, and the class of each."""
