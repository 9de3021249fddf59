"""Zarr folders of strangers: what describes them is checked before the zarr package sees it."""
