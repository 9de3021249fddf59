"""The part of a zarr image on screen, read and decoded at a finer level than the open one."""
