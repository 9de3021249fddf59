"""Reading images and writing exports; no Qt."""
