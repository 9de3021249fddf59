"""Classification of images: one model for each class (paper 1.7).

Modules that ``__init__.pyi`` names are loaded at first use: scikit-learn is optional.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
