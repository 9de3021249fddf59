"""The settings of a fit, as one value for all learning code."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import partial
from inspect import Parameter, signature
from typing import Any, TypeVar

from latviz.core.checks import (
    LARGEST,
    check_number,
    check_spacing,
    check_states,
    check_window,
    check_windows,
    shown,
)
from latviz.core.data.data_set import DataSet
from latviz.core.data.lattice import along_axes, each_of
from latviz.core.errors import ParameterError
from latviz.core.foreign import NAMES
from latviz.core.types import Spacing, Window

F = TypeVar("F", bound=Callable[..., Any])
_CHECK = "check"
_OWN = "n_states", "window"
"""The fields that differ between models with one codebook tree: N and w."""
_ABSENT = {
    "random_state": "results do not depend on a seed",
    "seed": "results do not depend on a seed",
    "radius": "window is the half-width",
    "w": "window is the half-width",
    "n_iter": "learning has no iterations; refine(observations, model=...) has",
    "channel_axis": "symbols are without channels",
    "lengths": "observations may be a list of sequences",
    "covariance_type": "covariances are full",
} | {name: "n_states is the number of states" for name, own in NAMES.items() if own == "n_states"}
"""Settings of other libraries, and why there is none here."""


def _check_smoothing(smoothing: Any) -> float:
    """Return pseudo-counts as a float, or raise `ParameterError` if they are below 0."""
    return check_number("smoothing", smoothing, 0.0, LARGEST)


def _check_codebook_window(window: Any) -> int | None:
    return None if window is None else check_window(window, "codebook_window")


@dataclass(frozen=True)
class FitSettings:
    """The settings that a model is learned with: `fit` takes them whole, or as keywords.

    Parameters
    ----------
    n_states : int
        N, from 1 to 255.
    window : int, or a tuple of int
        Half-width w >= 0 of the model: nodes are decoded with it, and A, the sizes of states
        and covariances are counted over their states. For volumes also one for each axis, such as
        (1, 8, 8): it is w = 8, with the ``spacing`` that gives these. With several windows
        otherwise, such as (3, 8), signatures are concatenated; B or the means are those of the
        first.
    codebook_window : int, optional
        Half-width w_l >= 0 of the windows for learning the codebook; by default w, as in the
        paper. With several windows it replaces the first.
    smoothing : float, optional
        Pseudo-count >= 0 added to every entry of A' and to the symbol counts of each state. A is
        counted over the states that the smoothed B gives.
    spacing : tuple of float, optional
        The distance of neighbouring nodes along each axis, in any unit, as of voxels whose slices
        are further apart. Windows have w nodes on either side along the axis of the least
        distance, and extend as nearly as far along the others: with (2.0, 0.25, 0.25) and w = 8
        they have 1, 8 and 8. By default all distances are equal.

    Raises
    ------
    ParameterError
        If a setting is outside its range.

    Examples
    --------
    >>> settings = FitSettings(n_states=2, window=1)
    >>> fit, halves = DiscreteModel.fit, stripes((8, 8), widths=4)
    >>> fit(halves, settings=settings) == fit(halves, n_states=2, window=1)
    True
    """

    # A field added here is a keyword of all that learns, and is read from the parameter of its name
    n_states: int = field(metadata={_CHECK: check_states})
    window: Window = field(metadata={_CHECK: check_windows})
    codebook_window: int | None = field(default=None, metadata={_CHECK: _check_codebook_window})
    smoothing: float = field(default=0.0, metadata={_CHECK: _check_smoothing})
    spacing: Spacing = field(default=None, metadata={_CHECK: check_spacing})

    def __post_init__(self) -> None:
        for one in fields(self):
            object.__setattr__(self, one.name, one.metadata[_CHECK](getattr(self, one.name)))

    @property
    def learning_window(self) -> Window:
        """The half-widths of the windows that the codebook is learned with."""
        if self.codebook_window is None:
            return self.window
        first, further = self.codebook_window, each_of(self.window)[1:]
        return (first, *further) if further else first

    @property
    def common(self) -> "FitSettings":
        """The settings of all N and w whose codebooks come from one merge tree: the least N."""
        return replace(self, n_states=1, window=self.learning_window)

    @property
    def arguments(self) -> str:
        """The settings as keyword arguments of `fit`, as Python writes them."""
        return self._arguments()

    @property
    def common_arguments(self) -> str:
        """The same without N and w."""
        return self._arguments(_OWN)

    def _arguments(self, without: Collection[str] = ()) -> str:
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        given = {name: value for name, value in values.items() if value is not None}
        return ", ".join(f"{k}={value!r}" for k, value in given.items() if k not in without)


def showing_settings(function: F, without: Collection[str] = ()) -> F:
    """Show the fields of `FitSettings` in the signature of a function that takes ``**fields``."""
    # Notebooks and `help` read it; a list in each function would be one more place for a field
    own, kind = signature(function), Parameter.KEYWORD_ONLY
    taken = [one for one in own.parameters.values() if one.kind is not Parameter.VAR_KEYWORD]
    known = signature(FitSettings).parameters.values()
    shared = [one.replace(kind=kind) for one in known if one.name not in without]
    function.__signature__ = own.replace(parameters=[*taken, *shared])  # type: ignore[attr-defined]
    return function


showing_common_settings = partial(showing_settings, without=_OWN)
"""The same for functions whose N and w are not among their ``**fields``."""


def spaced_by(data: DataSet, settings: FitSettings) -> tuple[DataSet, FitSettings]:
    """Return a data set and settings with one spacing: that of the settings, if they have one."""
    window, steps = along_axes(settings.window, data.dimensions)
    if steps and settings.spacing is not None:
        raise ParameterError("a window with a half-width for each axis needs no spacing: leave it")
    if steps:
        data, settings = data.spaced(steps), replace(settings, window=window)
    elif settings.spacing is not None:
        data = data.spaced(settings.spacing)
    return data, replace(settings, spacing=data.spacing)


def settings_of(settings: Any, changes: Mapping[str, Any]) -> FitSettings:
    """Return settings with some fields changed; without settings, those of the fields."""
    known = [one.name for one in fields(FitSettings)]
    if unknown := [name for name in changes if name not in known]:
        reason = _ABSENT.get(unknown[0], f"settings are {', '.join(known)}")
        raise TypeError(f"a fit has no setting {unknown[0]!r}: {reason}")
    if settings is None:
        if missing := [name for name in _OWN if name not in changes]:
            raise TypeError(
                f"a fit needs {' and '.join(missing)}: fit(observations, n_states=4, window=3)"
            )
        return FitSettings(**changes)
    if not isinstance(settings, FitSettings):
        raise ParameterError(f"settings must be FitSettings, got {shown(settings)}")
    return replace(settings, **changes)
