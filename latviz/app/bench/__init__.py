"""The bench: a window whose truth is known, fixed or sampled in sweeps.

Few users open it, so its window is imported at first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
