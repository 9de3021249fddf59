"""The table of an experiment, read back; its script, run with names of its own."""

import csv
import io
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latviz.wings.bench.copies import Outcome, run
from latviz.wings.bench.experiment import WINDOWS, Experiment
from latviz.wings.bench.exports import COLUMNS, csv_of, python_of
from tests.core.cases import Recorder

SMALL = Experiment(side=64, replicates=5, n_states=2)


def outcomes(experiment: Experiment) -> list[Outcome]:
    return list(run(experiment, Recorder()))


def columns_of(outcome: Outcome) -> dict[str, np.ndarray]:
    """Read an outcome's table back."""
    head, *rows = csv.reader(io.StringIO(csv_of(outcome)))
    assert tuple(head) == COLUMNS
    numbers = [[float(cell or "nan") for cell in row] for row in rows]
    return dict(zip(head, np.array(numbers).T, strict=True))


@pytest.mark.parametrize("codebook", ["true", "learned"])
def test_the_table_holds_the_curves(codebook: str) -> None:
    last = outcomes(replace(SMALL, codebook=codebook, replicates=2))[-1]
    found, r = columns_of(last), last.result
    np.testing.assert_array_equal(found["window"], WINDOWS)
    for name in ("error", "bias", "variance"):
        np.testing.assert_array_equal(found[name], getattr(r, name))
        band = np.stack([found[f"{name}_low"], found[f"{name}_high"]], axis=1)
        np.testing.assert_array_equal(band, getattr(r, f"{name}_band"))
    np.testing.assert_array_equal(found["variance_inside"], last.inside)
    np.testing.assert_array_equal(found["bound"], last.bound)


def test_what_is_not_known_yet_is_empty() -> None:
    first = outcomes(SMALL)[1]  # of all windows; that of one window alone came before
    found = columns_of(first)
    assert np.isnan(found["error_low"]).all()
    assert np.isnan(found["bound"]).all()
    assert np.isfinite(found["error"]).all()
    assert "nan" not in csv_of(first)


@pytest.mark.parametrize(
    "experiment",
    [
        SMALL,
        replace(SMALL, field="mosaic", noise_kind="normal", n_states=3, deviation=0.7),
        replace(SMALL, field="potts", region=9, noise=0.35),
        replace(SMALL, field="stripes", codebook="learned", replicates=2, seed=4),
        replace(SMALL, field="checkerboard", region=17),
    ],
    ids=lambda e: e.field,
)
def test_the_script_gives_the_same_arrays(experiment: Experiment) -> None:
    last = outcomes(experiment)[-1]
    printed, found = io.StringIO(), dict[str, Any]()
    with redirect_stdout(printed):
        exec(compile(python_of(experiment), "script", "exec"), found)
    assert printed.getvalue().endswith(f"best w {last.best}\n")
    np.testing.assert_array_equal(found["truth"], last.truth)
    for name, values in vars(last.result).items():
        np.testing.assert_array_equal(getattr(found["r"], name), values)
    np.testing.assert_allclose(found["inside"], last.inside, rtol=1e-5, atol=1e-12)
    np.testing.assert_allclose(found["bound"], last.bound, rtol=1e-12, atol=0)
