"""``python -m tests.bench.advice``: is what the adviser offers good, on fields of known states?

No threshold of the adviser was set on these families. Each field begins at several settings, and
every offer is taken until there is none. An offer is harmful if accuracy falls by more than 0.01,
and useful if it rises by as much.
"""

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import scipy

from latviz.core import (
    matched_accuracy,
    sample_blobs,
    sample_chain,
    sample_potts,
    stripes,
)
from latviz.core.data.encoding import Encoding
from latviz.engine.advice.acts import ACTS
from latviz.engine.advice.advice import Advice
from latviz.engine.advice.case import Case
from latviz.engine.advice.tries import TriedPart, Untried
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Watch
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters, opening

SIDE, MOST, NEAR = 96, 8, 0.02
NEVER = Watch(lambda: False)
INSIDE = (  # what the model claims holds: geometry, noise, light
    *("stripes2 uniform even", "tiles3 normal even", "islands3 laplace even"),
    *("coast3 normal even", "coast4 gamma even", "islands2 impulse even", "stripes3 normal even"),
    *("tiles4 uniform even", "coast2 laplace even", "islands4 normal even"),
    *("tiles3 normal slope", "coast2 uniform slope", "islands3 normal bowl"),
    *("stripes2 laplace bowl", "coast3 labels even", "tiles4 labels even", "sequence3 labels even"),
    *("volume2 normal even", "volume3 uniform even", "set3 normal even", "set2 labels even"),
    *("tiles3 colour even", "coast3 colour even"),
    *("none uniform even", "none laplace even", "none gamma even", "none labels even"),
)
OUTSIDE = (  # what it claims does not
    *("coast3 normal ripple", "tiles2 normal ripple", "islands3 normal lamp"),
    *("coast2 normal lamp", "stripes3 blurred even", "coast3 streaks even", "tiles3 drift even"),
    *("islands2 weak even", "coast3 wide even", "tiles2 blurred even"),
)
HARDER = (  # light that no quadratic holds, borders, contrast, noise
    *("tiles3 normal spots", "islands2 normal waves", "coast3 normal within"),
    *("islands3 soft even", "tiles4 faint even", "coast5 normal even"),
    *("islands3 spread even", "coast2 knit even"),
    *("islands3 uniform beam", "coast2 laplace corner"),  # light that no code was tried on
    *("coast3 patches even", "tiles2 patches even", "potts3 exact even"),  # labels that depend
)
UNHELD = "ripple", "lamp", "spots", "waves", "within", "beam", "corner"
SIZES = {"labels": 1, "patches": 2}
BLUR = {"blurred": 1.5, "soft": 2.5}
STARTS = "opened", "too small", "too large", "two more states", "belief"
COLOUR = (  # light in colour, the last two never looked at
    *("tiles3 colour slope", "islands2 colour bowl"),
    *("stripes3 colour lamp", "coast2 colour corner"),
)
FIELDS = {"inside the law": INSIDE, "outside": OUTSIDE, "harder": HARDER, "colour light": COLOUR}


@dataclass(frozen=True)
class Walk:
    """A path of offers: settings, advice and accuracy at each."""

    family: str
    seed: int
    start: str
    n_true: int
    steps: tuple[tuple[Parameters, Advice, float], ...]
    best: float  # accuracy that any act leads to from the start, offered or not

    @property
    def is_near(self) -> bool:
        """True if the end is near the best."""
        return self.steps[-1][2] > self.best - NEAR

    @property
    def gains(self) -> list[tuple[str, float]]:
        """The finding and the gain in accuracy of each offer."""
        return [(a[1].finding, b[2] - a[2]) for a, b in pairwise(self.steps)]


def true_states(name: str, rng: np.random.Generator) -> np.ndarray:
    """Return the states of a geometry, whose last digit is their number."""
    kind, n = name.rstrip("0123456789"), int(name[-1]) if name[-1].isdigit() else 1
    seed = int(rng.integers(1 << 30))
    if kind == "none":
        return np.zeros((SIDE, SIDE), int)
    if kind == "potts":
        return np.asarray(
            sample_potts(np.eye(n) * 1.6 + 1, shape=(SIDE, SIDE), random_state=seed)
        ).astype(int)
    if kind == "sequence":
        stay = np.full((n, n), 0.02 / (n - 1)) + (0.98 - 0.02 / (n - 1)) * np.eye(n)
        return np.asarray(sample_chain(stay, length=3000, random_state=seed)).astype(int)
    if kind == "set":  # of three pictures
        return np.asarray(
            [sample_blobs((64, 64), n_states=n, scale=6.0, random_state=seed + k) for k in range(3)]
        )
    if kind == "volume":
        return np.asarray(
            sample_blobs((20, 30, 30), n_states=n, scale=4.0, random_state=seed)
        ).astype(int)
    if kind == "stripes":
        widths = np.resize([5, 8, 11, 14][:n], SIDE)
        return np.asarray(stripes((SIDE, SIDE), widths=widths, n_states=n)).astype(int)
    if kind == "tiles":
        cells = rng.integers(0, n, (SIDE // 12, SIDE // 12))
        return np.kron(cells, np.ones((12, 12), int))
    smooth = scipy.ndimage.gaussian_filter(rng.normal(size=(SIDE, SIDE)), 6.0)
    if kind == "coast":  # of all scales: 1 / f
        f = np.hypot(np.fft.fftfreq(SIDE)[:, None], np.fft.fftfreq(SIDE)) + 1 / SIDE
        smooth = np.fft.ifft2(np.fft.fft2(rng.normal(size=(SIDE, SIDE))) / f**1.6).real
        return np.searchsorted(np.quantile(smooth, np.arange(1, n) / n), smooth)
    shares = np.cumsum([0.7, *np.full(n - 1, 0.3 / (n - 1))])[:-1]  # islands in a sea
    return np.searchsorted(np.quantile(smooth, shares), smooth)


def observed(states: np.ndarray, law: str, light: str, rng: np.random.Generator) -> np.ndarray:
    """Return numbers or labels of states."""
    shape, n = states.shape, int(states.max()) + 1
    if law in SIZES:  # of the patches in which labels are of noise
        size = SIZES[law]
        few = [-(-side // size) for side in shape]
        symbols, seen = (
            np.kron(each, np.ones((size,) * len(shape), int))[tuple(map(slice, shape))]
            for each in (rng.integers(0, max(n, 3), few), rng.random(few) < 0.5)
        )
        return np.where(seen, states, symbols).astype(np.uint8)
    if law == "exact":
        return states.astype(np.uint8)
    z = {
        "uniform": lambda: rng.uniform(-0.7, 0.7, shape),
        "laplace": lambda: rng.laplace(scale=0.3, size=shape),
        "gamma": lambda: 0.2 * rng.gamma(2.0, size=shape),
        "impulse": lambda: np.where(rng.random(shape) < 0.2, rng.uniform(-2, 3, shape), 0.1),
        "weak": lambda: rng.normal(scale=0.8, size=shape),
        "wide": lambda: rng.normal(scale=0.25 + 0.35 * states),
        "streaks": lambda: 0.4 * _unit(scipy.ndimage.gaussian_filter1d(rng.normal(size=shape), 1)),
        "drift": lambda: 0.3 * _unit(scipy.ndimage.gaussian_filter(rng.normal(size=shape), 2)),
        "faint": lambda: rng.normal(scale=1.1, size=shape),
        "spread": lambda: rng.normal(scale=0.2 * 2.0**states),
        "knit": lambda: 0.5 * _unit(scipy.ndimage.uniform_filter(rng.normal(size=shape), 2)),
    }.get(law, lambda: rng.normal(scale=0.4, size=shape))()
    if law == "impulse":
        z = z + rng.normal(scale=0.15, size=shape)
    means = states.astype(float)
    if law in BLUR:
        means, z = scipy.ndimage.gaussian_filter(means, BLUR[law]), 0.6 * z
    y, x = np.meshgrid(*(np.linspace(-1, 1, s) for s in shape[-2:]), indexing="ij")
    places = rng.uniform(-0.8, 0.8, (4, 2))
    lights = {
        "slope": 0.8 * (x - 0.7 * y),
        "bowl": 0.9 * (x**2 + 0.5 * y**2),
        "ripple": 0.5 * np.sin(4 * x + 3 * y),
        "lamp": 1.2 * np.exp(-4 * ((x - 0.4) ** 2 + (y + 0.3) ** 2)),
        "spots": sum(np.exp(-8 * ((x - a) ** 2 + (y - b) ** 2)) for a, b in places),
        "waves": 0.4 * np.cos(5 * x + 1) * np.sin(4 * y),
        "within": 0.7 * np.where(states % 2, x, y),
        "beam": 0.9 * np.exp(-12 * (0.8 * x + 0.6 * y) ** 2),
        "corner": 1.5 / (1 + 2 * ((x + 1) ** 2 + (y + 1) ** 2)),
    }
    field = lights.get(light, np.zeros(shape))
    if law == "colour":
        hues = np.array([[0, 0, 0], [2, 0, 1], [0, 2, 1], [2, 2, 0]]) / 2
        rgb = hues[states] + rng.normal(scale=0.45, size=(*shape, 3)) + field[..., None]
        return np.clip(70 + 70 * rgb, 0, 255).astype(np.uint8)
    return (means + z + field).astype(np.float32)


def _unit(values: np.ndarray) -> np.ndarray:
    return values / values.std()


def starts(pictures: PictureSet, n: int) -> Iterator[tuple[str, Parameters]]:
    """Yield the settings at which a user may be."""
    opened = replace(opening(pictures.facts), decoder="nearest")
    base = Encoding(TriedPart(pictures, pictures).encoding)
    told = Parameters(base, n_states=max(2, n), window=3, learning_window=3)
    yield "opened", opened
    yield "too small", replace(told, window=1)
    yield "too large", replace(told, window=14)
    yield "two more states", replace(told, n_states=told.n_states + 2, window=5)
    yield "belief", replace(told, decoder="belief")


def pictures_of(family: str, seed: int) -> tuple[PictureSet, np.ndarray]:
    """Return the pictures of a family, and the states of the first."""
    geometry, law, light = family.split()
    rng = np.random.default_rng([seed, *family.encode()])
    truth = true_states(geometry, rng)
    pixels = observed(truth, law, light, rng)
    many = geometry.startswith("set")
    d = truth.ndim - many
    names = tuple("ABCDEFGH")[: max(3, truth.max() + 1)] if d == 1 else ()
    each = pixels if many else [pixels]
    members = tuple(Picture(one, family, dimensions=d, alphabet=names) for one in each)
    return PictureSet(members), truth[0] if many else truth


def walks(family: str, seed: int, some: Sequence[str] = STARTS) -> Iterator[Walk]:
    """Take every offer from each of some starts."""
    pictures, truth = pictures_of(family, seed)
    n = int(truth.max()) + 1
    pipeline, trying = Pipeline(), Trying(Sweeping())
    for name, parameters in starts(pictures, n):
        if name not in some:
            continue
        steps, ask = [], partial(_step, pipeline, trying, pictures)
        while len(steps) <= MOST:
            frame, advice = ask(parameters)
            steps.append((parameters, advice, _accuracy(frame, truth)))
            if advice.offer is None or advice.offer.outlines:
                break
            parameters = advice.offer.after
        first = _frame(pipeline, pictures, steps[0][0])
        others = (_accuracy(_frame(pipeline, pictures, p), truth) for p in _acted(trying, first))
        best = max([step[2] for step in steps] + list(others))
        yield Walk(family, seed, name, n, tuple(steps), best)


def _step(pipeline, trying, pictures, parameters) -> tuple[Frame, Advice]:
    frame = _frame(pipeline, pictures, parameters)
    return frame, trying.final(frame, NEVER)


def _frame(pipeline: Pipeline, pictures: PictureSet, parameters: Parameters) -> Frame:
    return pipeline.run(Request(pictures, parameters, complete=True))


def _acted(trying: Trying, frame: Frame) -> Iterator[Parameters]:
    """Yield the settings that each act leads to, whatever its number is."""
    for act in ACTS.values():
        while True:
            try:
                after = act.after(Case(frame, trying.known(frame)))
            except Untried as missing:
                trying.make(missing.wanted, frame)
            else:
                break
        if after is not None and not act.outlines:
            yield after


def _accuracy(frame: Frame, truth: np.ndarray) -> float:
    return matched_accuracy(frame.states, truth.astype(np.uint8))


def is_false(walk: Walk, advice: Advice) -> bool:
    """Return True if the cause that a finding claims is not there."""
    _, law, light = walk.family.split()
    causes = {
        "noise": walk.n_true == 1,
        "light": light != "even",
        "states": advice.offer is not None and advice.offer.after.n_states == walk.n_true,
        "dependent": law in ("streaks", "drift", "knit", "patches", *BLUR) or light in UNHELD,
    }
    return not causes.get(advice.finding, True)


def report(title: str, found: list[Walk]) -> None:
    """Print the shares of harmful and useful offers, the ends, and false reasons."""
    gains = np.array([gain for walk in found for _, gain in walk.gains])
    by = defaultdict[str, list[float]](list)
    for walk in found:
        for name, gain in walk.gains:
            by[name].append(gain)
    ends = np.array([walk.steps[-1][2] for walk in found])
    near = [walk.is_near for walk in found]
    said = [is_false(walk, step[1]) for walk in found for step in walk.steps]
    endless = sum(walk.steps[-1][1].offer is not None for walk in found)
    print(
        f"{title}: {gains.size} offers, harmful {np.mean(gains < -0.01):.3f}, useful "
        f"{np.mean(gains > 0.01):.3f}; accuracy {np.mean([w.steps[0][2] for w in found]):.3f} -> "
        f"{ends.mean():.3f}, near the best {np.mean(near):.2f}; presses "
        f"{gains.size / len(found):.2f}, endless {endless}; false reasons {np.mean(said):.3f}"
    )
    for name, own in by.items():
        each = np.array(own)
        bad, good = np.mean(each < -0.01), np.mean(each > 0.01)
        print(f"    {name}: {each.size}, harmful {bad:.3f}, useful {good:.3f}")


def main(arguments: Any = None) -> None:
    """Walk all families, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[2, 3])
    parser.add_argument("--family", nargs="+", default=[""])
    parser.add_argument("--starts", nargs="+", choices=STARTS, default=STARTS)
    given = parser.parse_args(arguments)
    for title, families in FIELDS.items():
        found = list[Walk]()
        for family in (f for f in families if any(one in f for one in given.family)):
            for seed in given.seeds:
                began, own = time.process_time(), list(walks(family, seed, given.starts))
                found += own
                ends = {w.start: round(w.steps[-1][2], 3) for w in own}
                names = Counter(step[1].finding for walk in own for step in walk.steps)
                spent = time.process_time() - began
                print(f"{family} {seed}: {ends} {dict(names)} {spent:.1f} s", flush=True)
        if found:
            report(title, found)


if __name__ == "__main__":
    main()
