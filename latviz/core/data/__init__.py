"""Lattices of observations: from pictures to symbols or real vectors.

The modules that ``__init__.pyi`` names can be used as ``data.bins.Quantiles(...)`` and are then
imported at first use, so that encodings can be listed before NumPy is there.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
