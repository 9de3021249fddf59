"""Comparing two decodings, A and B, or another method's labels with what is on screen.

Not every start runs other methods, so what they compute is imported when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
