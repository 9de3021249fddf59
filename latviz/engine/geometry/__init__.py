"""Signature spaces, projections, cuts and selections: shapes, without pictures."""
