"""The window of classes: learn them, test them, and show the evidence in an image.

Few users open it, so its window is imported on first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
