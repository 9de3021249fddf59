"""The settings of a fit, as one value for all learning code."""

from dataclasses import dataclass, fields

from latviz.core.checks import (
    LARGEST,
    check_number,
    check_states,
    check_window,
    check_windows,
)
from latviz.core.data.lattice import each_of
from latviz.core.types import Window

_OF_THE_CODEBOOK = ("n_states", "codebook_window")


@dataclass(frozen=True)
class FitSettings:
    """Settings that a model is learned with; the keyword arguments of `DiscreteModel.fit`."""

    n_states: int  # N, from 1 to 255
    window: Window  # half-width w >= 0, or those of several windows
    # w_l of the (first) window that the codebook is learned with; None for w
    codebook_window: int | None = None
    smoothing: float = 0.0  # pseudo-counts, >= 0

    def __post_init__(self) -> None:
        checked = {
            "n_states": check_states(self.n_states),
            "window": check_windows(self.window),
            "smoothing": check_number("smoothing", self.smoothing, 0.0, LARGEST),
        }
        if self.codebook_window is not None:
            checked["codebook_window"] = check_window(self.codebook_window, "codebook_window")
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    @property
    def learning_window(self) -> Window:
        """The half-widths of the windows that the codebook is learned with."""
        if self.codebook_window is None:
            return self.window
        first, further = self.codebook_window, each_of(self.window)[1:]
        return (first, *further) if further else first

    def arguments(self, *, codebook: bool = True) -> str:
        """Return the settings as keyword arguments of `fit`, as Python writes them."""
        # Without those of the ``codebook`` they are arguments of `from_states`
        names = [f.name for f in fields(self) if codebook or f.name not in _OF_THE_CODEBOOK]
        return ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
