"""``python -m tests.bench.choose``: does `choose` find the true N and a good window?

Fields whose truth is known, discrete and Gaussian, of four numbers of states, three sizes of
regions and three levels of noise; mosaics of textures; photographs, which have no truth.
"""

import argparse
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from latviz.core import associativity, choose, emit, inertia, sample_blobs, sample_voronoi
from latviz.core.choice.choosing import Choice
from latviz.core.choice.settings import Decoded
from latviz.core.types import States
from tests.bench.cases import TEXTURES, Case, picture, texture_mosaics

WINDOWS = range(1, 21)
STATES = range(1, 9)
KNEE = 0.08
PHOTOGRAPHS = ("camera", "coins", "astronaut", *TEXTURES)
NOISES = {
    "channel": (0.2, 0.35, 0.5),
    "skewed": (0.0, 0.2, 0.4),
    "circle": (0.5, 1.0, 1.5),
    "scattered": (0.5, 1.0, 1.5),
}


def field(family: str, n: int, scale: float, noise: float, seed: int, side: int) -> Case:
    """Return blobs of n states seen through noise."""
    truth = sample_blobs((side, side), n, scale=scale, seed=seed)
    return seen(truth, family, n, noise, seed)


def seen(truth: States, family: str, n: int, noise: float, seed: int) -> Case:
    """Return a field of n states seen through noise.

    "channel": n symbols, the state's own but for the noise. "skewed": 8 symbols, distributions at
    random. "circle": means in the plane, neighbours 1 apart. "scattered": means at random in space.
    """
    rng = np.random.default_rng(seed + 1)
    if family == "channel":
        noise = 0.42 if n == 2 and noise == 0.5 else noise  # half of two symbols is no signal
        B = np.full((n, n), noise / (n - 1)) + (1 - noise - noise / (n - 1)) * np.eye(n)
        return Case(emit(truth, B, seed=seed + 2), "discrete", truth, n)
    if family == "skewed":
        B = (1 - noise) * rng.dirichlet(np.full(8, 0.35), n) + noise / 8
        return Case(emit(truth, B, seed=seed + 2), "discrete", truth, 8)
    if family == "circle":
        angles = 2 * np.pi * np.arange(n) / n
        means = np.stack([np.cos(angles), np.sin(angles)], axis=1) / (2 * np.sin(np.pi / n))
    else:
        means = rng.normal(size=(n, 3))
    scattered = noise * rng.normal(size=(*truth.shape, means.shape[1]))
    return Case(means[truth] + scattered, "gaussian", truth)


def accuracies(case: Case, sizes: list[int]) -> NDArray[np.float64]:
    """Return the accuracy of each N and window, with codebooks learned from a sample."""
    found = np.empty((len(sizes), len(WINDOWS)))
    for k, w in enumerate(WINDOWS):
        decoded = Decoded.of(case.data, w, sizes, 0)
        for s in range(len(sizes)):
            found[s, k] = case.accuracy(decoded.plain[s][0])
    return found


def chosen(case: Case) -> Choice:
    """Choose from all numbers of states and windows."""
    return choose(
        case.observations,
        n_symbols=case.n_symbols,
        n_states=STATES,
        windows=WINDOWS,
        kind=case.kind,
    )


def knee(choice: Choice) -> int:
    """Return the least N whose excess over the minimum is at most 8 % of the whole gain."""
    bits = choice.bits.min(axis=1)
    return choice.states[int(np.argmax(bits - bits.min() <= KNEE * (bits[0] - bits.min())))]


def fields(family: str, side: int, seed: int) -> None:
    """Print a line for each field, and how many were found."""
    print("  N scale noise  best acc  at w | chosen N  at w  loss by w  knee N  hole")
    scores = []
    for case, n, scale, noise in _fields(family, side, seed):
        reached, choice = accuracies(case, [n])[0], chosen(case)
        best, loss = reached.max(), reached.max() - reached[WINDOWS.index(choice.window)]
        counted, guess = best >= 0.85, knee(choice)
        if counted:
            scores.append((choice.n_states == n, loss <= 0.01, guess == n))
        marks = "" if counted else "(not counted)"
        marks += "" if choice.n_states == n else " N MISSED"
        marks += "" if loss <= 0.01 else " w MISSED"
        print(
            f"{n:3} {scale:5} {noise:5}  {best:8.3f} {WINDOWS[int(reached.argmax())]:5} | "
            f"{choice.n_states:8} {choice.window:5} {loss:10.3f} {guess:7} {choice.hole:5} {marks}",
            flush=True,
        )
    right = np.mean(scores, axis=0)
    print(
        f"{family}: of {len(scores)} with accuracy >= 0.85: N {right[0]:.0%}, w within 0.01 "
        f"{right[1]:.0%}; the knee rule's N {right[2]:.0%}"
    )


def _fields(family: str, side: int, seed: int) -> Iterator[tuple[Case, int, float, float]]:
    for n in (2, 3, 4, 6):
        for scale in (6, 12, 24):
            for noise in NOISES[family]:
                seed += 10
                yield field(family, n, scale, noise, seed, side), n, scale, noise


def mosaics(side: int, seed: int) -> None:
    """Print what is chosen for mosaics of three textures, against the best of the sweep."""
    losses: dict[str, list[float]] = {}
    print("regions encoding        best acc   N  w | chosen acc   N  w  hole  behind")
    for n_regions in (4, 5, 6, 7, 8):
        for copy in range(2):
            truth = sample_voronoi((side, side), n_regions, 3, seed=seed + 10 * n_regions + copy)
            for label, case in texture_mosaics(truth):
                line, loss = _mosaic(case)
                losses.setdefault(label, []).append(loss)
                print(
                    f"{n_regions:7} {label:14} {line}{'  MISSED' if loss > 0.05 else ''}",
                    flush=True,
                )
    for label, lost in losses.items():
        within = np.mean(np.array(lost) <= 0.05)
        behind = f"{np.mean(lost):.3f} behind on average"
        print(f"{label}: {within:.0%} of {len(lost)} within 0.05, {behind}")


def _mosaic(case: Case) -> tuple[str, float]:
    sizes = list(STATES)
    reached, choice = accuracies(case, sizes), chosen(case)
    s, k = np.unravel_index(int(reached.argmax()), reached.shape)
    got = reached[sizes.index(choice.n_states), WINDOWS.index(choice.window)]
    loss = float(reached.max() - got)
    return (
        f"{reached.max():10.3f} {sizes[s]:3} {WINDOWS[k]:2} | {got:10.3f} {choice.n_states:3} "
        f"{choice.window:2} {choice.hole:5} {loss:7.3f}"
    ), loss


def photographs() -> None:
    """Print what is chosen for photographs, and the two indices of it."""
    print("picture    encoding          N   w  hole  inertia  associativity")
    for shown in PHOTOGRAPHS:
        image = picture(shown)
        unknown = np.zeros(image.shape[:2], np.uint8)
        for name, levels in (("quantiles", 8), ("grey", None), ("texture", None)):
            case = Case.encoded(image, unknown, name, levels)
            choice = chosen(case)
            states = choice.model.decode(case.observations)
            still, close = (
                inertia(states, choice.n_states, choice.window),
                associativity(choice.model.A),
            )
            print(
                f"{shown:10} {name:14} {choice.n_states:4} {choice.window:3} {choice.hole:5} "
                f"{still:8.3f} {close:14.3f}",
                flush=True,
            )


def main() -> None:
    """Read the command line and print one table, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.choose", description=__doc__)
    tables = [*NOISES, "mosaics", "photographs"]
    parser.add_argument("what", choices=[*tables, "all"], nargs="?", default="all")
    parser.add_argument("--side", type=int, default=512)
    parser.add_argument("--seed", type=int, default=7000)
    options = parser.parse_args()
    for what in tables if options.what == "all" else [options.what]:
        print(f"\n{what}")
        if what == "mosaics":
            mosaics(options.side, options.seed)
        elif what == "photographs":
            photographs()
        else:
            fields(what, options.side, options.seed)


if __name__ == "__main__":
    main()
