"""Window sums: signatures, decoding, progressive decoding.

The modules that ``__init__.pyi`` names can be used as ``windows.decoding.CoarseStates``, and are
imported at first use then.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
