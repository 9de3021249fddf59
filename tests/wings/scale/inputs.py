"""Its row of the table of commands that write: none may replace an input."""

from latviz.wings.scale import command

ROWS = (("scale a.zarr -o s.zarr", "a.zarr/zarr.json", command._parser, ("save_model",)),)
