"""Compiled loops. They get typed contiguous arrays and check nothing: their callers do.

Modules are imported when they are first used, because Numba takes half a second to import: call a
kernel as ``kernels.norms.norms(...)`` and never import it by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
