"""The window: PyQt6 and pyqtgraph.

The help is not read at every start, so its dialog is imported when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
