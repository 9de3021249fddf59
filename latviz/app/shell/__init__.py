"""The frame of the window: actions, menus, dialogs, banner, status line, focus."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
