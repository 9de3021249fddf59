"""An experiment as a table of numbers and as a program on the public core."""

import csv
import io
import math

from latviz import __version__
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
        f"r = bias_variance(truth, emission, range({len(WINDOWS)}), {e.replicates}, "
        f"model={e.codebook!r}, seed={e.seed})",
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
        f"bounds = [accuracy_bound(emission, j, sizes) for j in range({e.n_states})]",
        "bound = np.max(bounds, axis=0)",
    ]
