"""An experiment as a table of numbers, a program on the public core, and a picture to open."""

import csv
import io
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz import __version__
from latviz.core.data.encoding import Encoding
from latviz.core.types import States
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.palette import state_colors
from latviz.engine.settings.parameters import Parameters
from latviz.wings.bench.copies import Outcome
from latviz.wings.bench.experiment import WINDOWS, Experiment

COLUMNS = (
    "window",
    *(f"{name}{end}" for name in ("error", "bias", "variance") for end in ("", "_low", "_high")),
    "variance_inside",
    "bound",
)
"""Of the table, as `csv_of` writes it."""


def csv_of(outcome: Outcome) -> str:
    """Return the curves as CSV: a head and a row for each window; numbers in full.

    Unknown values are empty.
    """
    r, text = outcome.result, io.StringIO()
    curves = ((r.error, r.error_band), (r.bias, r.bias_band), (r.variance, r.variance_band))
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for k, window in enumerate(r.windows.tolist()):
        numbers = [float(x) for values, band in curves for x in (values[k], *band[k])]
        numbers += [float(outcome.inside[k]), float(outcome.bound[k])]
        writer.writerow([window, *("" if math.isnan(x) else x for x in numbers)])
    return text.getvalue()


def python_of(experiment: Experiment) -> str:
    """Return a script whose ``truth``, ``r``, ``inside`` and ``bound`` are an experiment's."""
    e, recipe = experiment, experiment.recipe
    given = [repr(value) for value in recipe.arguments]
    given += [f"{name}={value!r}" for name, value in recipe.options]
    normal, known = e.noise_kind == "normal", e.codebook == "true"
    drawn = e.field == "drawn"
    names = {"bias_variance"} if drawn else {"bias_variance", recipe.make.__name__}
    names |= {"NormalEmission"} if normal else set()
    names |= {"accuracy_bound"} if known else set()
    lines = [
        f'"""Bias and variance of {e.field} of {e.n_states} states, by latviz {__version__}."""',
        "",
        "import numpy as np",
        "",
        f"from latviz.core import {', '.join(sorted(names))}",
        *(["from latviz.wings.bench.drawn import unpacked"] if drawn else []),
        "from latviz.wings.bench.copies import inside_regions",
        "",
        f"truth = {recipe.make.__name__}({', '.join(given)})",
        *_emission(e),
        f"r = bias_variance(truth, emission=emission, windows=range({len(WINDOWS)}), "
        f"replicates={e.replicates}, model={e.codebook!r}, random_state={e.seed})",
        "regions = [inside_regions(truth, w) for w in r.windows]",
        "inside = [v[m].mean() if m.any() else np.nan for v, m in zip(r.variance_maps, regions)]",
        *_bound(e),
        "for w, error, bias, variance in zip(r.windows, r.error, r.bias, r.variance):",
        "    print(w, error, bias, variance)",
        "print('best w', r.windows[r.error.argmin()])",
    ]
    return "\n".join([*lines, ""])


def _emission(e: Experiment) -> list[str]:
    n = e.n_states
    if e.noise_kind == "channel":
        return [f"emission = (1.0 - {e.noise}) * np.eye({n}) + {e.noise} / {n}"]
    return [
        f"levels = np.arange({n}.0)[:, None]",
        f"emission = NormalEmission(levels, np.full(({n}, 1, 1), {e.deviation}**2))",
    ]


def _bound(e: Experiment) -> list[str]:
    if e.codebook == "learned":
        return ["bound = np.full(len(r.windows), np.nan)  # none is known for learned codebooks"]
    return [
        "sizes = (2 * r.windows + 1) ** 2",
        f"bounds = [accuracy_bound(emission, state=j, n_nodes=sizes) for j in range({e.n_states})]",
        "bound = np.max(bounds, axis=0)",
    ]


Made = tuple[Picture, Parameters]
"""A picture, and the parameters to begin with."""
LEVELS = 8
"""Bins of grey levels for each state, at most 64 in all."""
_MOST_LEVELS = 64
_DARK, _BRIGHT = 40.0, 215.0
"""The least and the greatest mean: noise has room below and above."""


def picture_of(
    observation: NDArray[Any], truth: States, n_states: int, window: int, name: str
) -> Made:
    """Return an observation as a picture, with parameters that suit it."""
    # Symbols (*shape) uint8, or values (*shape, 1) float64 whose states have the means 0..N-1;
    # ``truth`` (*shape) are its states
    symbols = observation.dtype == np.uint8
    note = f"Made in the program; its {n_states} states are known."
    picture = Picture(
        state_colors(tuple(range(256)))[observation] if symbols else _grey(observation, n_states),
        name,
        labels=observation.copy() if symbols else None,
        notes=(note,),
        truth=truth.copy(),
        origin={"made": True},
    )
    n_levels = min(LEVELS * n_states, _MOST_LEVELS)
    encoding = Encoding("labels") if symbols else Encoding("levels", n_levels)
    _ = picture.few_labels  # counted now, not when a window needs it
    return picture, Parameters(encoding, n_states=n_states, window=window)


def _grey(values: NDArray[Any], n_states: int) -> NDArray[np.uint8]:
    """Return values as grey levels; values far beyond the means are black or white."""
    step = (_BRIGHT - _DARK) / max(1, n_states - 1)
    return np.rint(_DARK + step * values[..., 0]).clip(0, 255).astype(np.uint8)
