"""Its row of the table of commands that write: none may replace an input."""

from latviz.wings.scale import options

ROWS = (("scale a.zarr -o s.zarr", "a.zarr/zarr.json", options.parser_of, ("save_model",)),)
