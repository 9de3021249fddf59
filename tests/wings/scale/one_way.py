"""The calls of this wing that read or write files past the one way, with the reason."""

ALLOWED = {
    ("wings/scale/writing", "zarr.create_group"): "a folder, which gets its name once it is whole",
    ("wings/scale/writing", "shutil.rmtree"): "as above: it is removed if that fails",
}
