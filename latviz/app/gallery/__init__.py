"""Many images: a shelf, the results of each image, and models applied to them."""
