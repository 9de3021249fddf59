"""The laboratory, the playground and the classes: windows beside the main one."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
