"""latviz: an interactive desktop visualizer for the latent-variable lattice model.

``latviz.workspace`` is imported when it is first used, so that the command line can tell of itself
before NumPy is there.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

__version__ = "0.1.0"
