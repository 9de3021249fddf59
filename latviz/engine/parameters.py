"""What a person sets, as frozen values."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.color import distinct_colours
from latviz.core.data.encoding import ENCODINGS, Encoding, EncodingName
from latviz.core.errors import ParameterError

STATES_RANGE = (1, 32)
WINDOW_RANGE = (0, 64)
ALPHA_RANGE = (0.01, 1.0)
SMOOTHING_RANGE = (0.0, 10.0)

AlphaMode = Literal["constant", "local"]
NormalizerName = Literal["neighbours", "states"]
ProjectionKind = Literal["polygon", "tetrahedron", "principal", "components", "symbols"]
Turn = tuple[float, float, float, float]
Corners = tuple[tuple[float, float], ...]

FRONT: Turn = (0.96611, 0.15302, -0.20535, -0.03252)
"""A space of three dimensions from its front, a little from above and from the right."""


@dataclass(frozen=True)
class Parameters:
    """The parameters of the model and how the image becomes observations.

    Attributes
    ----------
    encoding : Encoding
        How the image becomes observations.
    n_states : int
        N, from 1 to 32.
    window : int
        Half-width w of the decoding window, from 0 to 64.
    learning_window, evaluation_window : int or None
        Half-widths w_l and w_e; None links them to ``window``.
    alpha : float
        Markov correction, from 0.01 to 1.
    alpha_mode : {"constant", "local"}
        The same alpha at each node, or alpha ** h_t by the inertia of the node's window.
    normalizer : {"neighbours", "states"}
        What a pair's potential is divided by.
    smoothing : float
        Pseudo-count, from 0 to 10.
    slices_apart : bool
        Of a volume: each slice is a lattice of its own, d = 2, and all of them are one data set:
        no window or neighbourhood reaches into another slice. Otherwise d = 3.

    Raises
    ------
    ParameterError
        If a value is outside its range.
    """

    encoding: Encoding = field(default_factory=Encoding)
    n_states: int = 4
    window: int = 3
    learning_window: int | None = None
    evaluation_window: int | None = None
    alpha: float = 1.0
    alpha_mode: AlphaMode = "constant"
    normalizer: NormalizerName = "neighbours"
    smoothing: float = 0.0
    slices_apart: bool = False

    def __post_init__(self) -> None:
        _check("the number of states N", self.n_states, STATES_RANGE)
        _check("the window half-width w", self.window, WINDOW_RANGE)
        _check("alpha", self.alpha, ALPHA_RANGE)
        _check("the smoothing", self.smoothing, SMOOTHING_RANGE)
        for name in ("learning_window", "evaluation_window"):
            if getattr(self, name) is not None:
                _check(f"the {name.replace('_', ' ')}", getattr(self, name), WINDOW_RANGE)

    @property
    def effective_learning_window(self) -> int:
        """The half-width w_l in force."""
        return self.window if self.learning_window is None else self.learning_window

    @property
    def effective_evaluation_window(self) -> int:
        """The half-width w_e in force."""
        return self.window if self.evaluation_window is None else self.evaluation_window


@dataclass(frozen=True)
class Projection:
    """Which linear map draws a signature space of more than two dimensions on the plane.

    Attributes
    ----------
    kind : str
        "polygon": symbols are the corners of a polygon; "tetrahedron": of a tetrahedron (M = 4);
        "symbols": three symbols are the corners of a triangle; "principal", "components": the
        first two, or three, principal components. Where a kind is not `offered`, the natural one
        is drawn.
    symbols : tuple of int
        The three that span the triangle.
    turn : tuple of float
        How a space of three dimensions is turned: a quaternion (w, x, y, z) of any length but 0.
        x points to the right, y upwards, z at the viewer.
    corners : tuple of (x, y), or None
        Where a person put the polygon's corners, from -1 to 1; None if it is regular.
    camera : bool
        Whether a sample of a space of three dimensions is shown through a camera, with
        perspective, where there is OpenGL.

    Raises
    ------
    ParameterError
        If the turn or the corners are not such numbers.
    """

    kind: ProjectionKind = "polygon"
    symbols: tuple[int, int, int] = (0, 1, 2)
    turn: Turn = FRONT
    corners: Corners | None = None
    camera: bool = False

    def __post_init__(self) -> None:
        if min(self.symbols) < 0:
            raise ParameterError(f"symbols must not be negative, got {self.symbols}")
        length = math.hypot(*self.turn)
        if len(self.turn) != 4 or not (math.isfinite(length) and length > 0):
            raise ParameterError(f"the turn must be a quaternion other than 0, got {self.turn}")
        for corner in self.corners or ():
            if len(corner) != 2 or not all(-1 <= value <= 1 for value in corner):
                raise ParameterError(f"a corner must be (x, y), both from -1 to 1, got {corner}")

    def drawn(self, n_symbols: int, discrete: bool) -> ProjectionKind | None:
        """Return the kind that is drawn of such observations; None if all of the space is."""
        kinds = offered(n_symbols, discrete)
        if not kinds:
            return None
        return self.kind if self.kind in kinds else kinds[0]

    def moved_corners(self, n_symbols: int) -> Corners | None:
        """Return where a person put the corners of a polygon of so many; None if it is regular."""
        return self.corners if self.corners and len(self.corners) == n_symbols else None


def offered(n_symbols: int, discrete: bool) -> tuple[ProjectionKind, ...]:
    """Return the kinds of projections of M symbols, or channels; the natural one first.

    There are none where the plane shows all of the space. The tetrahedron shows all of M = 4 when
    it is turned, and from one side it is the square, so there is no polygon of four corners.
    """
    if n_symbols <= (3 if discrete else 2):
        return ()
    if not discrete:
        return "principal", "components"
    if n_symbols == 4:
        return "tetrahedron", "principal", "symbols"
    return "polygon", "principal", "components", "symbols"


@dataclass(frozen=True, eq=False)
class Picture:
    """An image, volume or sequence on its way, read-only; compared by identity.

    Its lattice has the ``shape`` (n,), (H, W) or (D, H, W).

    Attributes
    ----------
    pixels : ndarray, shape (*shape) or (*shape, 3)
        uint8, uint16 or float32; of a sequence its symbols.
    name : str
        What the window calls it.
    labels : ndarray, shape (*shape), uint8, optional
        Symbols that the image carries itself (palette indices).
    notes : tuple of str
        What was done to it while it was read.
    truth : ndarray, shape (*shape), uint8, optional
        The states that generated it, where they are known.
    origin : Mapping
        Where it came from: ``{"path": ..., "page": ...}`` or ``{"demo": ...}``; with
        ``"embedded"`` if it was inside a session file, and what it came from may be gone.
    dimensions : int
        d, from 1 to 3: how many axes of the pixels are the lattice's. One more holds colours.
    alphabet : tuple of str
        Of a sequence: the names of its symbols. Others have none.

    Raises
    ------
    ParameterError
        If the pixels have other axes than these.
    """

    pixels: NDArray[Any]
    name: str
    labels: NDArray[np.uint8] | None = None
    notes: tuple[str, ...] = ()
    truth: NDArray[np.uint8] | None = None
    origin: Mapping[str, Any] = field(default_factory=dict)
    dimensions: int = 2
    alphabet: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        lattice, colours = self.shape, self.pixels.shape[self.dimensions :]
        if len(lattice) != self.dimensions or colours not in ((), (3,)):
            raise ParameterError(
                f"a picture of {self.dimensions} dimensions must hold numbers, one or three a "
                f"pixel, got shape {self.pixels.shape}"
            )
        self.pixels.flags.writeable = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The lattice's: the length, height and width, or slices, height and width."""
        return self.pixels.shape[: self.dimensions]

    @property
    def n_nodes(self) -> int:
        """How many nodes the lattice has."""
        return math.prod(self.shape)

    @property
    def node_name(self) -> str:
        """What people call a node: "position", "pixel" or "voxel"."""
        return ("position", "pixel", "voxel")[self.dimensions - 1]

    @property
    def size_text(self) -> str:
        """The size in words: "1,200 positions", "640 × 480 pixels", "20 slices of 64 × 48"."""
        if self.dimensions == 1:
            return f"{self.n_nodes:,} positions"
        *slices, height, width = self.shape
        area = f"{width} × {height}"
        return f"{slices[0]} slices of {area}" if slices else f"{area} pixels"

    @property
    def encodings(self) -> tuple[EncodingName, ...]:
        """The encodings that it can have: of symbols that have names, labels alone."""
        return ("labels",) if self.alphabet else tuple(ENCODINGS)

    @property
    def colors(self) -> NDArray[np.uint8] | None:
        """The colours of a sequence's symbols, shape (M, 3); None for others."""
        return distinct_colours(len(self.alphabet)) if self.alphabet else None

    @cached_property
    def shown(self) -> NDArray[np.uint8]:
        """The pixels as 8 bits: as they are, or from the least value (0) to the largest (255).

        Of a sequence its symbols, which have `colors`.
        """
        if self.pixels.dtype == np.uint8:
            return self.pixels
        low, high = float(self.pixels.min()), float(self.pixels.max())
        scale = 255.0 / (high - low) if high > low else 0.0
        levels = np.rint((self.pixels - np.float32(low)) * np.float32(scale))
        return np.asarray(levels, dtype=np.uint8)


def suiting(picture: Picture, parameters: Parameters) -> Parameters:
    """Return the parameters, with an encoding that the picture can have."""
    if parameters.encoding.name in picture.encodings:
        return parameters
    return replace(parameters, encoding=Encoding(picture.encodings[0]))


def changed_fields(old: Parameters, new: Parameters) -> tuple[str, ...]:
    """Return the names of the fields in which two sets of parameters differ."""
    return tuple(f.name for f in fields(old) if getattr(old, f.name) != getattr(new, f.name))


def _check(what: str, value: float, bounds: tuple[float, float]) -> None:
    low, high = bounds
    if not low <= value <= high:
        raise ParameterError(f"{what} must be from {low:g} to {high:g}, got {value:g}")
