"""Are several windows better than one: ``python -m tests.bench.scales [--seed 1]``.

Six kinds of fields with regions of two widths, one five times the other. The states of two or three
windows make a tuple; Fast PNN of the tuples' codewords, weighed by their numbers of nodes, makes N
states of the tuples, which have an A of their own. Or the signatures of the windows are
concatenated and quantized. Both are compared with one window and with belief in its model, plain
and refined; belief is decoded with the tuples' model, too, and refined from the concatenated
signatures. The truth chooses the windows: those of each field, or the same for all. `refine` is
given only N.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.core import fast_pnn, sample_blobs, sample_potts, sample_voronoi, stripes
from latviz.core.model.learning import codebook_of
from latviz.core.types import Floats, Matrix, Shape, States
from tests.bench.cases import NOISES, TEXTURES, Case, Model, seen, texture_mosaics
from tests.bench.fields import critical

WINDOWS = range(1, 13)
GROUPS = [group for size in (2, 3) for group in combinations((1, 2, 3, 5, 8, 12), size)]
REFINED = 3
"""The window of the model that is refined: no truth picks it."""
SMALL, LARGE = 6.0, 30.0
"""Widths of regions, in nodes."""
CLEARLY = 0.01
"""The least difference of accuracies that counts."""
SIDES = {2: 128, 4: 160, 6: 192}
"""The side of a field of each number of states."""
EMISSIONS = ("channel", "circle")
METHODS = (
    "one window",
    "tuples",
    "end to end",
    "belief",
    "belief, tuples",
    "refined",
    "refined, ends",
)
Sample = Callable[[Shape, int, int], States]
"""Of a shape, N and a seed."""


def cells(width: float) -> Sample:
    """Return a sampler of mosaics of cells of some width."""
    return lambda shape, n, seed: sample_voronoi(shape, round(prod(shape) / width**2), n, seed=seed)


def blobs(width: float) -> Sample:
    """Return a sampler of blobs of about some width."""
    return lambda shape, n, seed: sample_blobs(shape, n, scale=width / 3, seed=seed)


def potts(strength: float) -> Sample:
    """Return a sampler of Potts fields at some share of the critical strength."""
    return lambda shape, n, seed: sample_potts(
        np.exp(strength * critical(n) * np.eye(n)), shape, method="gibbs", seed=seed
    )


def beside(left: Sample, right: Sample) -> Sample:
    """Return a sampler of fields whose halves are of two kinds."""

    def sample(shape: Shape, n: int, seed: int) -> States:
        half = shape[0], shape[1] // 2
        return np.concatenate([left(half, n, seed), right(half, n, seed + 1)], axis=1)

    return sample


def islands(shape: Shape, n: int, seed: int) -> States:
    """Return large cells in which one small cell of five is of the next state."""
    others = cells(SMALL)(shape, 5, seed + 1) == 0
    return np.asarray((cells(LARGE)(shape, n, seed) + others) % n, dtype=np.uint8)


KINDS: dict[str, Sample] = {
    "Potts of two strengths": beside(potts(0.9), potts(1.5)),
    "stripes beside blobs": beside(
        lambda shape, n, _: stripes(shape, SMALL, n_states=n), blobs(LARGE)
    ),
    "blobs of two widths": beside(blobs(SMALL), blobs(LARGE)),
    "cells of two widths": beside(cells(SMALL), cells(LARGE)),
    "islands in large cells": islands,
}


def cases(seed: int) -> Iterator[tuple[str, int, Case]]:
    """Yield the kind, N and the case of each field; no two have the same seed."""
    for kind, sample in KINDS.items():
        for n, side in SIDES.items():
            for family in EMISSIONS:
                for noise in NOISES[family][1:]:
                    seed += 10
                    yield kind, n, seen(sample((side, side), n, seed), family, n, noise, seed + 2)
    n = len(TEXTURES)
    for side in (*SIDES.values(), max(SIDES.values())):
        seed += 10
        for _, case in texture_mosaics(KINDS["cells of two widths"]((side, side), n, seed)):
            yield "textures in cells of two widths", n, case


@dataclass(frozen=True, eq=False)
class Scale:
    """The results of one window at each node."""

    model: Model  # learned with the window
    signatures: NDArray[Any]  # (U, M)
    states: States

    @classmethod
    def of(cls, case: Case, n_states: int, window: int) -> "Scale":
        """Learn and decode with a window."""
        model = case.fit(n_states, window)
        signatures = model.signature(case.observations).reshape(-1, model.n_symbols)
        return cls(model, signatures, model.decode(case.observations))

    def with_states(self, case: Case, codebook: Matrix, states: States) -> Model:
        """Return the model of other states, whose codewords begin with those of this window."""
        own, window = codebook[:, : self.model.n_symbols], self.model.window
        return type(self.model).from_states(case.data, own, [states], window=window)


Quantized = tuple[Matrix, States]
"""A codebook, and the states that it gives."""


def quantized(points: NDArray[Any], n_states: int, weights: Floats | None = None) -> Quantized:
    """Return a codebook of points by Fast PNN, and which codeword is nearest to each."""
    codebook = codebook_of(fast_pnn(points, weights), n_states)
    _, nearest = scipy.spatial.cKDTree(codebook).query(points)
    return codebook, nearest.astype(np.uint8)


def tuples(scales: Sequence[Scale], n_states: int) -> Quantized:
    """Return N states of the tuples of states that windows give."""
    shape = scales[0].states.shape
    present, place, counts = np.unique(
        np.stack([scale.states.reshape(-1) for scale in scales], axis=1),
        axis=0,
        return_inverse=True,
        return_counts=True,
    )
    ends = [scale.model.codebook[present[:, k]] for k, scale in enumerate(scales)]
    codebook, states = quantized(np.concatenate(ends, axis=1), n_states, counts.astype(np.float64))
    return codebook, states[place.reshape(shape)]


def end_to_end(scales: Sequence[Scale], n_states: int) -> Quantized:
    """Return N states of the signatures of windows, put end to end."""
    points = np.concatenate([scale.signatures for scale in scales], axis=1)
    codebook, states = quantized(points, n_states)
    return codebook, states.reshape(scales[0].states.shape)


ByWindows = list[list[float]]
"""The accuracy of each of `METHODS` by its windows: one, `GROUPS`, or those of the best one."""


def accuracies(case: Case, n_states: int) -> ByWindows:
    """Return the accuracies of all methods."""
    scales = {window: Scale.of(case, n_states, window) for window in WINDOWS}
    tupled, believed, ends = [], [], []
    for group in ([scales[window] for window in group] for group in GROUPS):
        codebook, states = tuples(group, n_states)
        tupled.append(case.accuracy(states))
        believed.append(case.believed(group[0].with_states(case, codebook, states)))
        codebook, states = end_to_end(group, n_states)
        ends.append((case.accuracy(states), group[0].with_states(case, codebook, states)))
    return [
        [case.accuracy(scale.states) for scale in scales.values()],
        tupled,
        [accuracy for accuracy, _ in ends],
        [case.believed(scale.model) for scale in scales.values()],
        believed,
        [case.refined(scales[REFINED].model)],
        [case.refined(max(ends, key=itemgetter(0))[1])],
    ]


def line(kind: str, what: object, figures: Iterable[float]) -> str:
    """Return a line of the table."""
    return f"{kind:38}{what:>6}" + "".join(f"{figure:16.3f}" for figure in figures)


def summary(found: dict[str, list[ByWindows]]) -> Iterator[str]:
    """Yield the means of the best windows of each field, and of windows that are the same in all.

    ``found`` has the `accuracies` of each field, by its kind.
    """
    every = [field for fields in found.values() for field in fields]
    for kind, fields in {**found, "all": every}.items():
        best = [[max(method) for method in field] for field in fields]
        yield line(kind, len(fields), np.mean(best, axis=0))
    methods = [np.array(method) for method in zip(*every, strict=True)]
    yield line("all, the same windows", len(every), [m.mean(axis=0).max() for m in methods])
    ahead = [method.max(axis=1) - methods[0].max(axis=1) for method in methods]
    for sign, word in ((1, "ahead of"), (-1, "behind")):
        share = [(sign * method > CLEARLY).mean() for method in ahead]
        yield line(f"share of fields {word} one window", len(every), share)


def main() -> None:
    """Print a line for each field, then the means."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scales", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    found: dict[str, list[ByWindows]] = {}
    print(f"{'':38}{'N':>6}" + "".join(f"{method:>16}" for method in METHODS))
    for kind, n_states, case in cases(parser.parse_args().seed):
        by_windows = accuracies(case, n_states)
        found.setdefault(kind, []).append(by_windows)
        print(line(kind, n_states, map(max, by_windows)), flush=True)
    print("\nMeans, and of how many fields", *summary(found), sep="\n")


if __name__ == "__main__":
    main()
