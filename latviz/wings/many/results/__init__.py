"""Results of each image, in processes, a store, tables and files; no Qt.

Its modules are imported when they are first used, so that the window appears first: call
``results.record.columns(...)``, and never import them by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
