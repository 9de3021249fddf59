"""The latent-variable lattice model, without any window: ``from latviz.core import ...``.

``__init__.pyi`` lists the names. They are loaded at first use, so that importing a part of the core
does not wait for all of it. Examples in docstrings assume ``import numpy as np`` and ``from
latviz.core import *``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
