"""Its row of the table of synonyms."""

ROWS = ("dask, out of core: images larger than memory",)
