"""Many images: shelves read, small pictures, and models in files; no Qt.

Its modules are imported when they are first used, so that the window appears first: call
``collection.reading.read_learned(...)``, and never import them by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
