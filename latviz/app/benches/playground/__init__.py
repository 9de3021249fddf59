"""The playground: a window of its own, in which parameters become pictures.

Few open it, so its window is imported when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
