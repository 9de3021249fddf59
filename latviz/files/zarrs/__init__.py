"""Zarr folders from any source: descriptions are checked before the zarr package reads them."""
