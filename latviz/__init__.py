"""latviz: an interactive desktop visualizer for the latent-variable lattice model.

A wing is reachable by its name alone, as notebooks do: ``from latviz import scale``.
"""

from importlib import import_module
from pathlib import Path
from types import ModuleType

__version__ = "0.2.0"


def __getattr__(name: str) -> ModuleType:
    """Return a wing whose folder is there."""
    if (Path(__file__).parent / "wings" / name / "__init__.py").is_file():
        return import_module(f"{__name__}.wings.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
