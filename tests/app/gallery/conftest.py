"""The fixtures of shelves."""

from tests.app.gallery.shelves import folder  # noqa: F401
