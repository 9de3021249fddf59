"""The laboratory of bias and variance: a separate window for generated data.

Few users open it, so its window is imported at first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
