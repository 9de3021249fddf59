"""Frames: what one request shows, whole or coarse, and the tables and maps in it."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
