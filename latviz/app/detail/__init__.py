"""What is on screen of a zarr image, read and decoded at a finer level than was opened."""
