"""Frames: the results of one request, whole or coarse, with their tables and maps."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
