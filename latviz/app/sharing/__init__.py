"""Reports and whole zarr images, from the window."""
