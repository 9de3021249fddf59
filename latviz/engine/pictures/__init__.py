"""Pictures on their way: what is read, demos, shelves, and the data sets that they become."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
