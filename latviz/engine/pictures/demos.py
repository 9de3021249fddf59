"""Synthetic data sets with known hidden states: the pictures at the first start.

Every demo is generated from a fixed seed, so it looks the same at every start.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import scipy

from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.core.truth.emission import NormalEmission, emit
from latviz.core.truth.geometry import checkerboard, sample_blobs, sample_voronoi, stripes
from latviz.core.truth.markov import sample_chain, sample_potts
from latviz.engine.pictures.demo_titles import DEMO_TITLES, LESSON_TITLES

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Potentials = tuple[tuple[float, ...], ...]

_SHAPE: Final = (256, 256)
_N_SWEEPS: Final = 60
_STRIPE_WIDTHS: Final = (2, 2, 3, 3, 4, 5, 6, 8, 10, 13, 17, 22, 28, 36, 46, 60)
_ALIKE: Final = ((1.0, 0.1), (0.1, 1.0))
_UNLIKE: Final = ((1.0, 10.0), (10.0, 1.0))
_CHANNEL: Final = ((0.8, 0.2), (0.2, 0.8))
_TWO_COLOURS: Final = ((38, 70, 83), (233, 196, 106))
_FIVE_COLOURS: Final = (
    (38, 70, 83),
    (42, 157, 143),
    (233, 196, 106),
    (231, 111, 81),
    (244, 236, 222),
)
_LEAF_COLOURS: Final = ((38, 74, 50), (122, 150, 60), (176, 62, 34), (236, 190, 92))
_N_LEAVES: Final = 1200
_LENGTH: Final = 1500
_MEAN_REGION: Final = 75.0
_AMINO_ACIDS: Final = "ACDEFGHIKLMNPQRSTVWY"
_RESIDUES: Final = ("AFILMVWY", "DEHKNQR", "CGPST")
_WEATHERS: Final = ((19.0, 1024.0, 38.0), (14.0, 1012.0, 48.0), (11.0, 1004.0, 60.0))
_SPREADS: Final = (5.0, 10.0, 11.0)
"""Of temperature (°C), pressure (hPa) and relative humidity (%)."""
_TWO_DAYS: Final = 2 * 24 * 60
_MINUTES_OF_WEATHER: Final = 120.0
_SLICES: Final = (48, 96, 96)
_BLOB_SYMBOLS: Final = (
    (0.52, 0.16, 0.08, 0.12, 0.12),
    (0.14, 0.52, 0.14, 0.08, 0.12),
    (0.08, 0.12, 0.52, 0.16, 0.12),
    (0.12, 0.08, 0.16, 0.52, 0.12),
)


_SCALE_SYMBOLS: Final = ((0.8, 0.1, 0.1), (0.1, 0.8, 0.1), (0.1, 0.8, 0.1), (0.1, 0.1, 0.8))


@dataclass(frozen=True, eq=False)
class Demo:
    """A data set with settings that suit it."""

    name: str  # for the command line; ``title`` is for people
    summary: str  # one sentence, fits into the status bar of a window 1280 pixels wide
    # (*shape), (*shape, 3) or (*shape, C), as in a file; of a sequence its symbols
    image: npt.NDArray[np.uint8 | np.float32]
    truth: Bytes | None  # (*shape): the hidden states that the image was made from
    encoding: Encoding
    n_states: int  # N and w to start with
    window: int
    dimensions: int = 2  # the number of lattice axes of the image
    alphabet: tuple[str, ...] = ()  # of a sequence: the names of its symbols
    labels: Bytes | None = None  # (*shape): the symbols, if the image shows them in colours
    x: npt.NDArray[np.datetime64] | None = None  # (n,): the times of a sequence
    channels: tuple[str, ...] = ()  # names of C numbers per pixel

    @property
    def title(self) -> str:
        """The name on screen."""
        return {**DEMO_TITLES, **LESSON_TITLES}[self.name]


def make_demo(name: str) -> Demo:
    """Generate the demo of a key of `DEMO_TITLES` or `LESSON_TITLES`, always the same."""
    # Images have 256 x 256 nodes, the sequence and the volume as many as suit them
    if name not in _MAKERS:
        raise ParameterError(f"name must be one of {', '.join(DEMO_TITLES)}, got {name!r}")
    return _MAKERS[name](name)


def _blobs(name: str) -> Demo:
    truth = sample_blobs(_SHAPE, n_states=4, scale=14.0, random_state=7)
    symbols = emit(truth, emission=_BLOB_SYMBOLS, random_state=8)
    return Demo(
        name,
        "Four regions under heavy noise. About half of the pixels show the colour of their region.",
        image=_painted(symbols, _FIVE_COLOURS),
        labels=symbols,
        truth=truth,
        encoding=Encoding("labels"),
        n_states=4,
        window=4,
    )


def _halves(name: str) -> Demo:
    """Return the left half of Figure 1 next to the right half of Figure 2."""
    middle = _SHAPE[1] // 2
    left, right = _field(_ALIKE)[:, :middle], _field(_UNLIKE)[:, middle:]
    summary = (
        "Left half: neighbours tend to be alike. Right half: they tend to differ, and apparent "
        "regions are noise."
    )
    return _seen_through_the_channel(name, np.hstack([left, right]), summary)


def _field(potentials: Potentials) -> Bytes:
    return sample_potts(potentials, shape=_SHAPE, sweeps=_N_SWEEPS, method="gibbs", random_state=3)


def _seen_through_the_channel(name: str, truth: Bytes, summary: str) -> Demo:
    symbols = emit(truth, emission=_CHANNEL, random_state=4)
    return Demo(
        name,
        summary,
        image=_painted(symbols, _TWO_COLOURS),
        labels=symbols,
        truth=truth,
        encoding=Encoding("labels"),
        n_states=2,
        window=3,
    )


def _mosaic(name: str) -> Demo:
    textures = np.stack(_textures(_SHAPE, seed=11))
    truth = sample_voronoi(_SHAPE, n_regions=15, n_states=len(textures), random_state=12)
    grey = np.take_along_axis(textures, truth[None].astype(np.intp), axis=0)[0]
    return Demo(
        name,
        "Five textures of the same mean grey. They differ only in slope and contrast.",
        image=_in_bytes(grey),
        truth=truth,
        encoding=Encoding("texture", scale=2.0),
        n_states=len(textures),
        window=5,
    )


def _textures(shape: tuple[int, int], seed: int) -> list[Floats]:
    rng = np.random.default_rng(seed)
    y, x = np.indices(shape).astype(np.float64)
    grainy = scipy.ndimage.gaussian_filter(rng.standard_normal(shape), 1.0)
    checks = 2.0 * checkerboard(shape, side=6) - 1.0
    return [
        128.0 + 10.0 * rng.standard_normal(shape),
        128.0 + 30.0 * grainy / grainy.std(),
        128.0 + 60.0 * _grating(0.93 * x + 0.37 * y, period=4.5),
        128.0 + 75.0 * _grating(0.29 * x - 0.96 * y, period=12.0),
        128.0 + 110.0 * checks,
    ]


def _grating(along: Floats, period: float) -> Floats:
    return np.asarray(np.sin(2.0 * np.pi * along / period))


def _stripes(name: str) -> Demo:
    truth = stripes(_SHAPE, widths=_STRIPE_WIDTHS, sway=5.0)
    noisy = NormalEmission(np.array([[96.0], [160.0]]), np.full((2, 1, 1), 45.0**2))
    grey = emit(truth, emission=noisy, random_state=21)[..., 0]
    return Demo(
        name,
        "Noisy stripes, narrow to wide: small windows keep the noise, large ones lose narrow "
        "stripes.",
        image=_in_bytes(grey),
        truth=truth,
        encoding=Encoding("quantiles", n_symbols=4),
        n_states=2,
        window=3,
    )


def _leaves(name: str) -> Demo:
    """Return discs that hide each other, with radii as those of things in photographs are."""
    # Neighbours then go together as in photographs (Lee, Mumford and Huang, 2001, "Occlusion models
    # for natural images"): by the leaf that they are on, its light, the lens and the grain.
    rng = np.random.default_rng(51)
    truth, light = np.zeros(_SHAPE, np.uint8), np.ones(_SHAPE)
    radii = 1 / np.sqrt(rng.uniform(1 / 45**2, 1 / 7**2, _N_LEAVES))
    for radius in radii:
        middle, angle = rng.uniform(0, _SHAPE), rng.uniform(0, 2 * np.pi)
        first = np.maximum(0, np.floor(middle - radius)).astype(int)
        last = np.minimum(_SHAPE, np.ceil(middle + radius)).astype(int)
        box = tuple(slice(*ends) for ends in zip(first, last, strict=True))
        down, right = (places - at for places, at in zip(np.ogrid[box], middle, strict=True))
        leaf = down**2 + right**2 < radius**2
        across = np.cos(angle) * down + np.sin(angle) * right
        truth[box][leaf] = rng.integers(len(_LEAF_COLOURS))
        light[box][leaf] = rng.uniform(0.75, 1.25) * (1 + 0.25 * across[leaf] / radius)
    sun = scipy.ndimage.gaussian_filter(rng.standard_normal(_SHAPE), 40)
    seen = _painted(truth, _LEAF_COLOURS) * (light * (1 + 0.15 * sun / sun.std()))[..., None]
    seen = scipy.ndimage.gaussian_filter(seen, (0.8, 0.8, 0)) + rng.normal(0, 5, seen.shape)
    return Demo(
        name,
        "Leaves of four kinds in sun and shade: neighbours are correlated even within one kind.",
        image=_in_bytes(seen),
        truth=truth,
        encoding=Encoding("lab"),
        n_states=4,
        window=2,
    )


def _scales(name: str) -> Demo:
    """Return two large regions, with small ones of two colours in each; they share one colour."""
    coarse = sample_blobs(_SHAPE, n_states=2, scale=30.0, random_state=71)
    truth = 2 * coarse + sample_blobs(_SHAPE, n_states=2, scale=3.0, random_state=72)
    symbols = emit(truth, emission=_SCALE_SYMBOLS, random_state=73)
    return Demo(
        name,
        "Two large regions, and small ones in both.",
        image=_painted(symbols, _FIVE_COLOURS[1:4]),
        labels=symbols,
        truth=truth,
        encoding=Encoding("labels"),
        n_states=4,
        window=3,
    )


def _protein(name: str) -> Demo:
    n_states, leave = len(_RESIDUES), 1.0 / _MEAN_REGION
    transitions = np.full((n_states, n_states), leave / (n_states - 1))
    np.fill_diagonal(transitions, 1.0 - leave)
    truth = sample_chain(transitions, length=_LENGTH, random_state=31)
    rows = [[(1 + 7 * (letter in typical)) for letter in _AMINO_ACIDS] for typical in _RESIDUES]
    B = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    return Demo(
        name,
        "An invented protein with three kinds of region, each with its own common amino acids.",
        image=emit(truth, emission=B, random_state=32),
        truth=truth,
        encoding=Encoding("labels"),
        n_states=n_states,
        window=8,
        dimensions=1,
        alphabet=tuple(_AMINO_ACIDS),
    )


def _weather(name: str) -> Demo:
    """Return readings of each minute, with one decimal, as an image of one row."""
    n_states, leave = len(_WEATHERS), 1.0 / _MINUTES_OF_WEATHER
    transitions = np.full((n_states, n_states), leave / (n_states - 1))
    np.fill_diagonal(transitions, 1.0 - leave)
    truth = sample_chain(transitions, length=_TWO_DAYS, random_state=61)
    noisy = NormalEmission(np.array(_WEATHERS), np.tile(np.diag(_SPREADS) ** 2, (n_states, 1, 1)))
    start = np.datetime64("2024-03-01", "ms")
    return Demo(
        name,
        "Made-up readings of each minute. Three kinds of weather take turns under the noise.",
        image=emit(truth, emission=noisy, random_state=62)[None].round(1).astype(np.float32),
        truth=truth[None],
        encoding=Encoding("channels"),
        n_states=n_states,
        window=5,
        channels=("temperature", "pressure", "humidity"),
        x=start + np.arange(_TWO_DAYS) * np.timedelta64(1, "m"),
    )


def _volume(name: str) -> Demo:
    truth = sample_blobs(_SLICES, n_states=3, scale=7.0, random_state=41)
    noisy = NormalEmission(np.array([[68.0], [128.0], [188.0]]), np.full((3, 1, 1), 45.0**2))
    grey = emit(truth, emission=noisy, random_state=42)[..., 0]
    return Demo(
        name,
        "Three grey levels under heavy noise, in regions that extend through 48 slices.",
        image=_in_bytes(grey),
        truth=truth,
        encoding=Encoding("quantiles", n_symbols=4),
        n_states=3,
        window=2,
        dimensions=3,
    )


def _in_bytes(values: Floats) -> Bytes:
    return np.rint(np.clip(values, 0.0, 255.0)).astype(np.uint8)


def _painted(symbols: Bytes, colours: tuple[tuple[int, int, int], ...]) -> Bytes:
    return np.array(colours, dtype=np.uint8)[symbols]


_MAKERS: dict[str, Callable[[str], Demo]] = {
    "blobs": _blobs,
    "figure1": lambda name: _seen_through_the_channel(
        name,
        _field(_ALIKE),
        "The paper's Figure 1: neighbours tend to be alike; a fifth of the symbols are wrong.",
    ),
    "figure2": lambda name: _seen_through_the_channel(
        name,
        _field(_UNLIKE),
        "The paper's Figure 2: neighbours tend to differ, and apparent regions are noise.",
    ),
    "mosaic": _mosaic,
    "stripes": _stripes,
    "protein": _protein,
    "volume": _volume,
    "figures": _halves,
    "leaves": _leaves,
    "weather": _weather,
    "scales": _scales,
}
