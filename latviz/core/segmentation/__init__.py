"""Regions: connected components of a state map, and what they are merged into.

The modules that ``__init__.pyi`` names are imported at first use by those who only name their
types, as the window does before its first frame.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
