"""The latent-variable lattice model, without any window: ``from latviz.core import ...``.

``__init__.pyi`` lists the names; wings add theirs. They are loaded at first use, so that importing
a part of the core does not wait for all of it. Examples in docstrings assume ``import numpy as np``
and ``from latviz.core import *``.
"""

from importlib import import_module
from typing import Any

import lazy_loader

from latviz import wings
from latviz.core.plugins import PublicName
from latviz.core.readable import readable
from latviz.core.renamed import PUBLIC, new_name

_own, _, _names = lazy_loader.attach_stub(__name__, __file__)
_OF_WINGS = {row.name: row.module for row in wings.rows("public", PublicName)}
__all__ = sorted((*_names, *_OF_WINGS))


def __getattr__(name: str) -> Any:
    name = new_name(name, PUBLIC)
    found = getattr(import_module(_OF_WINGS[name]), name) if name in _OF_WINGS else _own(name)
    return readable(found)


def __dir__() -> list[str]:
    return __all__
