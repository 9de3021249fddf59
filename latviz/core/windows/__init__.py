"""Window sums: signatures, decoding, progressive decoding.

The modules that ``__init__.pyi`` names can be used as ``windows.decoding.Level`` and are then
imported at first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
