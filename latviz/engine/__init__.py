"""From parameters to frames, stage by stage; knows nothing of windows on a screen.

What only computing needs is imported when it is first used, so that the window is on screen before:
call ``engine.pipeline.Pipeline()`` and never import these modules by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
