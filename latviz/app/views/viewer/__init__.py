"""The viewer: one picture, and layers over it."""
