"""Readers of formats whose files hold one array: each takes an open file, returns a `ReadArray`.

They are imported when the first file of their format is read.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
