"""The playground: a window that draws fields from parameters.

Few users open it, so its window is imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
