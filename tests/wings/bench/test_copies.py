"""Noisy copies: their truths, their partial results, and the numbers at the end."""

import json
import time
from dataclasses import asdict, replace
from typing import get_args

import numpy as np
import pytest

from latviz.core import Cancelled, ParameterError, bias_variance, emit
from latviz.wings.bench import experiment as lab
from latviz.wings.bench.copies import Outcome, inside_regions, run
from latviz.wings.bench.document import from_line, to_line
from latviz.wings.bench.experiment import WINDOWS, Experiment
from tests.core.cases import Recorder

SMALL = Experiment(side=64, replicates=9)
EVEN = ((0.5, 0.5), (0.5, 0.5))
CASES = [
    SMALL,
    replace(SMALL, noise_kind="normal", n_states=4, field="mosaic", replicates=3),
    replace(SMALL, codebook="learned", field="stripes", replicates=2),
    replace(SMALL, field="potts", region=8, n_states=2, replicates=2),
]


def outcomes(experiment: Experiment) -> list[Outcome]:
    return list(run(experiment, Recorder()))


@pytest.mark.parametrize("experiment", CASES, ids=lambda e: f"{e.field}-{e.codebook}")
def test_the_last_outcome_is_what_the_core_says(experiment: Experiment) -> None:
    *early, last = outcomes(experiment)
    assert last.complete
    assert not any(outcome.complete for outcome in early)
    wanted = bias_variance(
        experiment.make_truth(),
        emission=experiment.emission,
        windows=WINDOWS,
        replicates=experiment.replicates,
        model=experiment.codebook,
        random_state=experiment.seed,
    )
    for name, values in vars(wanted).items():
        np.testing.assert_array_equal(getattr(last.result, name), values)
    assert last.best == WINDOWS[int(np.argmin(wanted.error))]
    assert np.isnan(last.bound).all() == (experiment.codebook == "learned")  # no bound is known
    assert np.isfinite(last.inside[:2]).all()


def test_few_copies_come_first() -> None:
    early = outcomes(SMALL)
    assert [o.result.replicates for o in early] == [2, 2, 4, 8, 9, 9]
    first, *_ = outcomes(replace(SMALL, replicates=3, window=5))
    assert first.result.windows.tolist() == [5]
    assert first.index_of(5) == 0
    assert first.index_of(4) is None
    assert np.isnan(first.bound).all()


@pytest.mark.parametrize("codebook", get_args(lab.Codebook))
def test_the_first_picture_comes_at_once(codebook: lab.Codebook) -> None:
    experiment = Experiment(side=128, codebook=codebook)
    next(run(experiment, Recorder()))  # loads the kernels
    start = time.process_time()  # independent of other processes
    next(run(replace(experiment, seed=1), Recorder()))
    assert time.process_time() - start < 0.3


def test_the_observation_is_the_first_copy() -> None:
    last = outcomes(SMALL)[-1]
    (child,) = np.random.SeedSequence(SMALL.seed).spawn(1)
    np.testing.assert_array_equal(
        last.observation, emit(last.truth, emission=SMALL.emission, random_state=child)
    )


@pytest.mark.parametrize("kind", get_args(lab.NoiseKind))
def test_the_bound_is_kept_inside_regions(kind: lab.NoiseKind) -> None:
    experiment = Experiment(
        side=64, region=40, n_states=3, noise_kind=kind, noise=0.7, deviation=1.0, replicates=20
    )
    last = outcomes(experiment)[-1]
    some = np.isfinite(last.inside)
    assert some[:6].all()
    assert not some[-1]
    assert (last.inside[some] <= last.bound[some] + 1e-12).all()
    assert last.bound[0] > last.bound[5] > last.bound[20] >= 0
    for k in (0, 2, 5):
        values = [
            last.result.variance_maps[k][row, column]
            for row in range(k, 64 - k)
            for column in range(k, 64 - k)
            if np.ptp(last.truth[row - k : row + k + 1, column - k : column + k + 1]) == 0
        ]
        assert inside_regions(last.truth, k).sum() == len(values)
        np.testing.assert_allclose(last.inside[k], np.mean(values), rtol=1e-5, atol=0)


@pytest.mark.parametrize("n_states", [2, 6])
def test_the_channel_is_symmetric(n_states: int) -> None:
    B = Experiment(n_states=n_states, noise=0.3).emission
    assert isinstance(B, np.ndarray)
    np.testing.assert_allclose(B.sum(axis=1), 1.0, rtol=1e-12, atol=0)
    np.testing.assert_allclose(np.diag(B), 0.7 + 0.3 / n_states, rtol=1e-12, atol=0)
    assert np.ptp(B[~np.eye(n_states, dtype=bool)]) == 0


def test_it_stops_when_told() -> None:
    with pytest.raises(Cancelled):
        list(run(SMALL, Recorder(cancel_after=30)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"field": "spots"}, "field must be one of .*, got 'spots'"),
        ({"side": 100}, "side must be one of .*, got 100"),
        ({"n_states": 9}, "n_states must be an integer from 2 to 8, got 9"),
        ({"n_states": 3.0}, "n_states must be an integer from 2 to 8, got 3.0"),
        ({"noise": float("nan")}, "noise must be a number from 0 to 0.95, got nan"),
        ({"replicates": 1}, "replicates must be an integer from 2 to 200, got 1"),
        ({"seed": -1}, "seed must be an integer from 0 to 2147483647, got -1"),
        ({"A": ((1.0, 0.0), (0.0, 1.0)), "B": EVEN}, "the potential must be from 0.01 to 100"),
        ({"A": ((1.0,),)}, "the potential and B must be square and as large"),
        ({"B": EVEN}, "the potential and B must be square and as large"),
        ({"B": ((1.0, 0.5, 0.0),) * 3}, "each row of B must sum to 1"),
        ({"strength": 4.0}, "strength must be a number from 0 to 3, got 4.0"),
        ({"window": 1.5}, "window must be an integer from 0 to 20, got 1.5"),
        ({"method": "wolff"}, "method must be one of"),
    ],
)
def test_refuses(change: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Experiment(**change)


def test_experiments_are_kept_as_text() -> None:
    usual = Experiment()
    sampled = (preset.experiment(seed=7) for preset in lab.PRESETS.values())
    for experiment in (*CASES, *sampled):
        assert from_line(to_line(experiment), usual) == experiment
    assert from_line(json.dumps(asdict(SMALL)), usual) == SMALL  # as stored earlier
    older = '{"$type": "Experiment", "field": "mosaic", "n_states": 5, "side": 64, "seed": 3}'
    wanted = Experiment(field="mosaic", n_states=5, side=64, seed=3)
    assert from_line(older, usual) == wanted  # of the laboratory
    assert len(wanted.A) == len(wanted.B) == 5
    for text in ("", "[]", "null", "{", '{"side": 3}', to_line(SMALL).replace("64", "63")):
        assert from_line(text, usual) is usual
