"""The view “emissions”."""
