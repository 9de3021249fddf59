"""Lattices and data sets, and how pictures become observations."""
