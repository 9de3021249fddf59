"""From parameters to frames, stage by stage; independent of windows on a screen.

Modules for computing are imported when they are first used, so that the window appears first: call
``engine.pipeline.Pipeline()`` and never import these modules by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
