"""One adviser: evidence, what is found in it, acts that were tried, and the advice that follows.

Import the modules that ``__init__.pyi`` names at first use if only their types are needed, as the
window does before its first frame.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
