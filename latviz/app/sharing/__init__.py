"""Films, reports and whole zarr images, from the window."""
