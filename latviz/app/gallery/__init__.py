"""Many images: a shelf of them, what is computed of each, and models that are applied to them."""
