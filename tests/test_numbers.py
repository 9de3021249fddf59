"""One number has one value: wherever it is shown, exported or scripted, it is the oracle's.

For every demo, the slices of a volume together and apart, docks shown and hidden: the state map,
the arrays and the summary that File > Export and the command line write, and the results of the
script, equal the views' tables. And these are the definitions' values: at some nodes in the plain
loops of `tests.naive`, of whole lattices in the sums of `tests.vectorised`.
"""

import io
import json
import math
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.ndimage
from numpy.typing import NDArray
from PIL import Image
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from skimage.color import rgb2lab

from latviz import cli
from latviz.app.document.opening import Opener
from latviz.app.exporting import exporting
from latviz.app.exporting.copying import Copier
from latviz.app.program import snapshot
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.engine.keeping.session import opened
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture, write_session
from tests import naive, vectorised
from tests.app.conftest import settle
from tests.conftest import patient
from tests.products import FULL

Array = NDArray[Any]
Numbers = dict[str, Any]
"""Numbers by name; states are in the order of their codewords."""

Told = dict[str, Numbers]
"""The numbers of one source, by kind of export."""

HIDDEN = {"indices", "likelihood", "map"}
TIE = 1e-6
"""Squared distances as near as this are a tie."""


@dataclass(frozen=True)
class Case:
    """A demo and all its settings.

    ``more`` has no option of the command line, which gets it from a session file.
    """

    demo: str
    n_states: int
    window: int
    n_symbols: int
    apart: bool = False
    alpha: float = 0.5
    more: dict[str, Any] = field(default_factory=dict)
    snapshot: bool = FULL
    """True if the command line draws a window, too."""

    @property
    def of_vectors(self) -> bool:
        return self.demo in ("mosaic", "leaves")

    @property
    def name(self) -> str:
        return self.demo + " apart" * self.apart + " and more set" * bool(self.more)

    def adjusted(self, parameters: Parameters) -> Parameters:
        return replace(parameters, alpha=self.alpha, slices_apart=self.apart, **self.more)

    def width(self, name: str) -> int:
        """Return the half-width of the window of learning or evaluation."""
        return int(self.more.get(f"{name}_window", self.window))

    def lattices(self, array: Array) -> list[Array]:
        return list(array) if self.apart else [array]

    def joined(self, parts: list[Array]) -> Array:
        return np.stack(parts) if self.apart else parts[0]


MORE = {
    "learning_window": 3,
    "evaluation_window": 6,
    "alpha_mode": "local",
    "normalizer": "states",
}
CASES = (
    Case("blobs", 4, 4, 5),
    Case("figure1", 2, 3, 2),
    Case("mosaic", 5, 5, 3, snapshot=True),
    Case("protein", 3, 8, 20),
    Case("leaves", 4, 2, 3),
    Case("volume", 3, 2, 4),
    Case("volume", 3, 2, 4, apart=True, snapshot=True),
    Case("blobs", 4, 4, 5, more=MORE),
)
ALIKE = Case("figure2", 2, 3, 2), Case("stripes", 2, 3, 4), Case("figures", 2, 3, 2)
"""Of the kinds of `figure1` and `blobs`: pictures with labels, and of quantiles."""

EXPORTED = {
    "png": {"states"},
    "npz": {"states", "A", "pair counts", "codebook", "occupancy", "observations", "nodes"},
    "json": {
        *("associativity", "inertia", "nats", "bits", "data", "pairs", "occupancy"),
        *("noise", "code length", "code length of one"),
    },
}
SCRIPT = {"states", "A", "codebook", "associativity", "inertia", "nats", "bits", "nodes"}
TRUTH = {"truth", "accuracy"}
SNAPSHOT = "command line and a snapshot"
WRITERS = ("window", "window, docks hidden", "command line", SNAPSHOT)
ROUTES: dict[str, set[str]] = {
    "tables": {"states", "A", "codebook"} | EXPORTED["json"] | TRUTH,
    **{f"{writer}: {kind}": names for writer in WRITERS for kind, names in EXPORTED.items()},
    "script": SCRIPT | {"noise"},
    "script, docks hidden": SCRIPT,
}
"""The ways to a number, and the numbers of each."""


@dataclass(frozen=True, eq=False)
class Found:
    """The numbers of all routes, for one case."""

    case: Case
    picture: Picture
    routes: Told

    def __post_init__(self) -> None:
        snapshots = set() if self.case.snapshot else {f"{SNAPSHOT}: {kind}" for kind in EXPORTED}
        assert self.routes.keys() == ROUTES.keys() - snapshots

    @property
    def arrays(self) -> Numbers:
        """The arrays of the picture with all docks shown."""
        return self.routes["window: npz"]

    @cached_property
    def oracle(self) -> Numbers:
        return oracle(self.case, self.arrays)


@pytest.fixture(scope="module")
def window(qapp: QApplication) -> Iterator[MainWindow]:
    """Return the window in which one case is opened after another."""
    window = MainWindow()
    window.show()
    yield window
    discard(window)


@pytest.fixture(scope="module", params=CASES + ALIKE * FULL, ids=lambda case: case.name)
def found(
    request: pytest.FixtureRequest, window: MainWindow, tmp_path_factory: pytest.TempPathFactory
) -> Found:
    case: Case = request.param
    folder, bot = tmp_path_factory.mktemp("numbers"), QtBot(request)
    bot.waitUntil = patient(bot.waitUntil)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshot, "qInstallMessageHandler", lambda _: None)  # pytest-qt has its own
        routes = by_window(window, case, bot, folder, patch) | by_command_line(case, folder)
    return Found(case, make_picture(case.demo)[0], routes)


# The routes


def by_window(
    window: MainWindow, case: Case, bot: QtBot, folder: Path, patch: pytest.MonkeyPatch
) -> Told:
    """Open a demo while the docks of derived values are hidden, then show them."""
    before = window.document.picture
    for name in HIDDEN:
        window.tabs.stage.close_dock(name)
    bot.waitUntil(lambda: not HIDDEN & set(window.document.state.views))
    window.parts[Opener].open_demo(case.demo, case.adjusted)
    bot.waitUntil(lambda: window.document.picture is not before)
    hidden = in_order(told_by(window, bot, folder / "hidden", patch))
    for name in HIDDEN:
        window.tabs.stage.open_dock(name)
    bot.waitUntil(lambda: set(window.document.state.views) >= HIDDEN)
    shown = in_order(told_by(window, bot, folder / "shown", patch) | tables(window, bot))
    return {
        "tables": shown.pop("tables"),
        "script": shown.pop("script"),
        "script, docks hidden": hidden.pop("script"),
        **named("window", shown),
        **named("window, docks hidden", hidden),
    }


def told_by(window: MainWindow, bot: QtBot, path: Path, patch: pytest.MonkeyPatch) -> Told:
    """Export all kinds from the menu, and run the script."""
    settle(bot, window)
    told = {}
    for kind, what in (("npz", "arrays"), ("json", "summary"), ("png", "state map")):
        to = path.with_suffix(f".{kind}")
        patch.setattr(exporting, "ask_where", lambda *_, to=to: str(to))
        texts = {action.text().replace("&", ""): action for action in window.menus.actions}
        texts[f"Export {what}…"].trigger()
        bot.waitUntil(to.exists)
        told[kind] = read(to)
    told["script"] = scripted(copied(window.parts[Copier].copy_python, bot))
    return told


def copied(copy: Callable[[], None], bot: QtBot) -> str:
    """Return the text that an action puts on the clipboard."""
    clipboard = QGuiApplication.clipboard()
    assert clipboard is not None
    clipboard.clear()
    copy()
    bot.waitUntil(lambda: bool(clipboard.text()))
    return clipboard.text()


def tables(window: MainWindow, bot: QtBot) -> Told:
    """Return the values that views copy, and the map of states that is drawn."""
    frame = settle(bot, window)
    found: dict[str, list[list[str]]] = {}
    for view in ("states", "adjacency", "emissions", "indices", "likelihood", "map"):
        text = copied(partial(window.parts[Copier].copy_values, view), bot)
        found[view] = [line.split("\t") for line in text.splitlines()]
    named = {view: {row[0]: row[1:] for row in found[view][1:]} for view in found}
    indices, terms = named["indices"], named["likelihood"]
    assert found["indices"][0] == ["Index", "Value", "Noise", "Truth"]
    numbers = {
        view: np.array([row[1:] for row in found[view][1:]], float)
        for view in ("states", "adjacency", "emissions")
    }
    bins = np.array(found["map"][1:], float)
    told = {
        "states": frame.states,
        "occupancy": numbers["states"][:, 0],
        "A": numbers["adjacency"],
        # tables are in the picture's units, arrays in those of the model
        "codebook": numbers["emissions"][:, : frame.codebook.shape[1]] / spreads_of(frame),
        "associativity": float(indices["Associativity"][0]),
        "inertia": float(indices["Inertia"][0]),
        "noise": [float(indices[name][1]) for name in ("Associativity", "Inertia")],
        "truth": [float(indices[name][2]) for name in ("Associativity", "Inertia")],
        "accuracy": float(indices["Accuracy"][0]),
        "code length": float(terms["Code length"][0]),
        "code length of one": float(terms["Code length, one state"][0]),
        "histogram": (np.append(bins[:, 0], bins[-1, 1]), bins[:, 2]),
        "bits": float(terms["Total"][0]),
        "data": float(terms["Data"][1]),
        "pairs": float(terms["Pairs"][1]),
        "nats": float(terms["Total"][1]),
    }
    return {"tables": told}


def scripted(code: str) -> Numbers:
    """Return the results of a script, and its output."""
    printed, made = io.StringIO(), {"__name__": "script"}
    with redirect_stdout(printed):
        exec(compile(code, "script", "exec"), made)
    words = printed.getvalue().split()
    after = {word: float(words[words.index(word) + 1]) for word in ("associativity", "inertia")}
    noise = made.get("noise")
    shown = {} if noise is None else {"noise": [noise.associativity.max(), noise.inertia.max()]}
    return {
        **after,
        **shown,
        "nats": float(words[words.index("log-likelihood") + 1]),
        "bits": float(words[words.index("bits") + 3]),
        "states": made["states"],
        "A": made["A"],
        "codebook": made["B"] if "B" in made else made["means"],
        "nodes": made["score"].node_log_likelihood,
    }


def by_command_line(case: Case, folder: Path) -> Told:
    """Export all kinds without a window, and with a picture of one."""
    told: Told = {}
    options = ["--demo", case.demo, "--alpha", str(case.alpha)]
    options += ["--slices", "apart"] if case.apart else []
    if case.more:
        picture, parameters = make_picture(case.demo)
        path = folder / "session.latviz"
        write_session(path, opened(picture, case.adjusted(parameters)), picture)
        options = [str(path)]
    writers = {"command line": list[str]()}
    if case.snapshot:
        writers[SNAPSHOT] = ["--snapshot", str(folder / "window.png")]
    for name, more in writers.items():
        paths = {kind: folder / f"{name}.{kind}" for kind in EXPORTED}
        exports = [word for path in paths.values() for word in ("--export", str(path))]
        assert cli.run([*options, *more, *exports]) == 0
        told |= named(name, in_order({kind: read(path) for kind, path in paths.items()}))
    return told


def named(source: str, told: Told) -> Told:
    return {f"{source}: {kind}": numbers for kind, numbers in told.items()}


def read(path: Path) -> Numbers:
    """Return the numbers of an exported file."""
    if path.suffix == ".png":
        with Image.open(path) as image:
            return {"states": np.asarray(image)}
    if path.suffix == ".npz":
        with np.load(path) as stored:
            arrays = dict(stored)
        del arrays["state_colors"]
        ours = {"B": "codebook", "means": "codebook", "A_counts": "pair counts"}
        ours["node_log_likelihood"] = "nodes"
        return {ours.get(name, name): array for name, array in arrays.items()}
    summary = json.loads(path.read_text(encoding="utf-8"))
    likelihood, indices = summary["log_likelihood"], summary["indices"]
    assert likelihood["impossible_pixels"] == 0
    assert likelihood["normalised"] is False
    return {
        **{name: indices[name] for name in ("associativity", "inertia")},
        "nats": likelihood["nats"],
        "bits": likelihood["bits_per_pixel"],
        "data": likelihood["data_term_nats"],
        "pairs": likelihood["pair_term_nats"],
        "occupancy": summary["occupancy"],
        "noise": [max(indices[f"{name}_noise"]) for name in ("associativity", "inertia")],
        "code length": summary["code_length"]["bits_per_pixel"],
        "code length of one": summary["code_length"]["bits_per_pixel_of_one_state"],
    }


def in_order(told: Told) -> Told:
    """Return a source's numbers with its states in the order of their codewords.

    A window orders them by their colours, which depend on earlier maps.
    """
    order = np.lexsort(told["npz"]["codebook"].T[::-1])
    places = np.argsort(order)

    def moved(name: str, value: Any) -> Any:
        if name == "states":
            return places[value]
        if name in ("A", "pair counts"):
            return value[np.ix_(order, order)]
        by_state = name in ("codebook", "covariances", "occupancy")
        return np.asarray(value)[order] if by_state else value

    return {
        kind: {name: moved(name, value) for name, value in numbers.items()}
        for kind, numbers in told.items()
    }


# The oracle


def oracle(case: Case, arrays: Numbers) -> Numbers:
    """Compute by the definitions the results for observations, codebook and decoded states."""
    n, codebook = case.n_states, arrays["codebook"]
    observed, shown = case.lattices(arrays["observations"]), case.lattices(arrays["states"])

    def decoded(window: int) -> list[Array]:
        if window == case.window:
            return shown  # ties are decided as before
        return [vectorised.distances(o, codebook, window).argmin(axis=-1) for o in observed]

    evaluated = decoded(case.width("evaluation"))
    counted = indices_of(shown, n, case.window)
    A, covariances = counted["A"], None
    if case.of_vectors:
        covariances = vectorised.covariances(observed[0], shown[0], codebook)
    data = case.joined(
        [
            emissions(o, states, codebook, covariances)
            for o, states in zip(observed, evaluated, strict=True)
        ]
    )
    pairs = case.joined(
        [
            vectorised.pair_terms(
                states, A, alpha_of(case, states), case.more.get("normalizer", "neighbours")
            )
            for states in evaluated
        ]
    )
    nats = float(data.sum() + pairs.sum())
    return {
        "states": arrays["states"],  # `test_states_are_the_nearest` proves them
        "codebook": codebook,
        "observations": arrays["observations"],
        **counted,
        "covariances": covariances,
        "nodes": data + pairs,
        "data": data.sum(),
        "pairs": pairs.sum(),
        "nats": nats,
        "bits": nats / (data.size * math.log(2)),
        "evaluated": case.joined(evaluated),
    }


def indices_of(maps: list[Array], n: int, window: int) -> Numbers:
    """Return counts over maps of n states, and both indices of fit."""
    counts = sum(vectorised.pair_counts(states, n) for states in maps)
    occupancy = np.sum([np.bincount(states.ravel(), minlength=n) for states in maps], axis=0)
    A = counts / (2 * maps[0].ndim * occupancy[:, None])
    return {
        "occupancy": occupancy,
        "pair counts": counts,
        "A": A,
        "associativity": np.trace(A) / A.sum(),
        "inertia": np.mean([vectorised.local_inertia(states, window, n) for states in maps]),
    }


def emissions(o: Array, states: Array, codebook: Array, covariances: Array | None) -> Array:
    if covariances is None:
        return np.asarray(np.log(codebook[states, o]))
    return vectorised.log_densities(o, states, codebook, covariances)


def alpha_of(case: Case, states: Array) -> float | Array:
    if case.more.get("alpha_mode") == "local":
        return vectorised.local_alpha(states, case.width("evaluation"), case.n_states, case.alpha)
    return case.alpha


def test_code_lengths_are_those_of_left_out_symbols(found: Found) -> None:
    case, arrays, told = found.case, found.arrays, found.routes["tables"]
    if case.of_vectors:
        pytest.skip("of vectors: tests/core/choice/test_code_length.py")
    observed = case.lattices(arrays["observations"])
    states = [vectorised.states_without(o, arrays["codebook"], case.window) for o in observed]
    for name, maps, n in (
        ("code length", states, case.n_states),
        ("code length of one", [np.zeros_like(o) for o in observed], 1),
    ):
        counts = np.zeros((n, case.n_symbols))
        for q, o in zip(maps, observed, strict=True):
            np.add.at(counts, (q, o), 1)
        share = (counts + 0.5) / (counts.sum(axis=1, keepdims=True) + case.n_symbols / 2)
        size = counts.sum()
        bits = -(counts * np.log2(share)).sum() + n * (case.n_symbols - 1) / 2 * math.log2(size)
        np.testing.assert_allclose(told[name], bits / size, rtol=1e-4, err_msg=name)


def test_the_truth_has_numbers_of_its_own(found: Found) -> None:
    case, told, picture = found.case, found.routes["tables"], found.picture
    assert picture.truth is not None
    n = 1 + int(picture.truth.max())
    known = indices_of(case.lattices(picture.truth), n, case.window)
    wanted = known["associativity"], known["inertia"]
    np.testing.assert_allclose(told["truth"], wanted, rtol=1e-6)
    joint = np.zeros((case.n_states, n))
    np.add.at(joint, (found.arrays["states"], picture.truth), 1)
    matched = joint[scipy.optimize.linear_sum_assignment(joint, maximize=True)].sum()
    assert told["accuracy"] == pytest.approx(matched / picture.truth.size, rel=1e-12, abs=0)


# The proof


def assert_same(route: str, told: Numbers, wanted: Numbers) -> None:
    for name in sorted(told.keys() & wanted.keys() - {"histogram"}):
        numbers, where = wanted[name], f"{name} of {route}"
        if name == "states":
            numbers = numbers.reshape(np.shape(told[name]))
            np.testing.assert_array_equal(told[name], numbers, err_msg=where)
        else:
            # Nodes' terms are in single precision, and so are the windows that alpha follows.
            rtol = 1e-5 if name == "nodes" else 1e-8
            np.testing.assert_allclose(told[name], numbers, rtol=rtol, atol=1e-12, err_msg=where)


def test_no_demo_is_left_out() -> None:
    assert {case.demo for case in CASES + ALIKE} == set(DEMO_TITLES)


def test_numbers_are_the_windows_and_the_oracles(found: Found) -> None:
    for route, told in found.routes.items():
        assert told.keys() >= ROUTES[route], route
        assert_same(route, told, found.routes["tables"])
        assert_same(route, told, found.oracle)


def test_the_map_shown_counts_the_nodes(found: Found) -> None:
    edges, counts = found.routes["tables"]["histogram"]
    bits = found.oracle["nodes"] / math.log(2)
    assert counts.sum() == bits.size
    level = (edges[-1] - edges[0]) / 255  # the map is in bytes
    for edge, below in zip(edges[1:-1], counts.cumsum(), strict=False):
        assert (bits < edge - level).sum() <= below <= (bits < edge + level).sum()


def test_states_are_the_nearest(found: Found) -> None:
    case, arrays = found.case, found.arrays
    lattices = (case.lattices(arrays[name]) for name in ("observations", "states"))
    for o, states in zip(*lattices, strict=True):
        away = vectorised.distances(o, arrays["codebook"], case.window)
        own = np.take_along_axis(away, states[..., None].astype(np.intp), axis=-1)[..., 0]
        assert (own <= away.min(axis=-1) + TIE * scale_of(arrays["codebook"])).all()


def spreads_of(frame: Any) -> Any:
    """Return what the encoder divided each channel by."""
    return frame.observations.encoder.fitted.arrays.get("spreads", 1.0)


def scale_of(codebook: Array) -> float:
    """Return the size of squared distances: 1 of shares, more of vectors."""
    return max(1.0, float((codebook**2).sum(axis=1).max()))


def test_nodes_are_those_of_the_loops(found: Found) -> None:
    case, arrays, evaluated = found.case, found.arrays, found.oracle["evaluated"]
    rng, scale = np.random.default_rng(0), scale_of(arrays["codebook"])
    for _ in range(60):
        place = tuple(int(rng.integers(0, size)) for size in arrays["states"].shape)
        lattice, t = (place[:1], place[1:]) if case.apart else ((), place)
        o, states = arrays["observations"][lattice], arrays["states"][lattice]
        away = [naive.squared_distance(signature(case, o, t), c) for c in arrays["codebook"]]
        assert away[states[t]] <= min(away) + TIE * scale
        wanted = node_term(case, o, evaluated[lattice], arrays, t)
        np.testing.assert_allclose(arrays["nodes"][place], wanted, rtol=1e-5, atol=1e-12)


def signature(case: Case, o: Array, t: tuple[int, ...]) -> Array:
    if case.of_vectors:
        return np.array(naive.mean_at(o, t, case.window))
    return np.array(naive.signature_at(o, t, case.window, case.n_symbols))


def node_term(case: Case, o: Array, states: Array, arrays: Numbers, t: tuple[int, ...]) -> float:
    """Return both terms of a node, computed in loops over it and its neighbours."""
    near = tuple(slice(max(0, place - 1), place + 2) for place in t)
    middle, codebook = tuple(min(place, 1) for place in t), arrays["codebook"]
    alpha = case.alpha
    if case.more.get("alpha_mode") == "local":
        shares = naive.signature_at(states, t, case.width("evaluation"), case.n_states)
        least = 1 / math.sqrt(case.n_states)
        alpha **= (math.sqrt(sum(p * p for p in shares)) - least) / (1 - least)
    normalizer = case.more.get("normalizer", "neighbours")
    pairs = naive.pair_terms(states[near], arrays["A"], alpha, normalizer)
    if case.of_vectors:
        data = naive.emissions_gaussian(o[near], states[near], codebook, arrays["covariances"])
    else:
        data = naive.emissions_discrete(o[near], states[near], codebook)
    return float(data[middle] + pairs[middle])


def test_codewords_are_as_good_as_those_of_exact_merging(found: Found) -> None:
    case, arrays = found.case, found.arrays
    codebook, rng = arrays["codebook"], np.random.default_rng(1)
    assert codebook.shape == (case.n_states, case.n_symbols)
    width, observed = case.width("learning"), case.lattices(arrays["observations"])
    if not case.of_vectors:
        np.testing.assert_allclose(codebook.sum(axis=1), 1.0, rtol=1e-6)
    signatures = [vectorised.signatures(o, width, case.n_symbols) for o in observed]
    points = np.concatenate([x.reshape(-1, case.n_symbols) for x in signatures])
    points = points[rng.choice(len(points), 1000, replace=False)]
    weights, exact = np.ones(len(points)), naive.ExactPNN(points).codebook(case.n_states)
    found_error = naive.squared_error(points, weights, codebook)
    assert found_error < 1.2 * naive.squared_error(points, weights, exact)


def test_observations_are_those_of_the_picture(found: Found) -> None:
    picture, observed = found.picture, found.arrays["observations"]
    if found.case.demo == "protein":
        np.testing.assert_array_equal(observed, picture.pixels)
    elif picture.labels is not None:
        np.testing.assert_array_equal(observed, picture.labels)
    elif found.case.demo == "mosaic":
        np.testing.assert_allclose(observed, texture(picture.pixels), rtol=1e-5, atol=1e-2)
    elif found.case.demo == "leaves":
        scaled = rgb2lab(picture.pixels).reshape(-1, 3)
        scaled = (scaled / scaled.std(axis=0)).reshape(observed.shape)
        np.testing.assert_allclose(observed, scaled, rtol=1e-3, atol=1e-2)
    else:
        assert_quantiles(picture.pixels, observed, found.case.n_symbols)


def texture(pixels: Array) -> Array:
    """Return the grey, the slope and the contrast around each pixel, at a scale of 2 pixels."""
    blur = partial(scipy.ndimage.gaussian_filter, pixels.astype(np.float64), 2.0)
    mean = blur()
    squares = scipy.ndimage.gaussian_filter(pixels.astype(np.float64) ** 2, 2.0)
    slope = 2.0 * np.hypot(blur(order=(0, 1)), blur(order=(1, 0)))
    return np.stack([pixels, slope, np.sqrt(squares - mean**2)], axis=-1)


def assert_quantiles(grey: Array, symbols: Array, n_symbols: int) -> None:
    """Assert that symbols rise with the grey, and that all are as frequent as greys allow."""
    values = [np.unique(grey[symbols == symbol]) for symbol in range(n_symbols)]
    for darker, lighter in pairwise(values):
        assert darker[-1] < lighter[0]
    largest = np.unique(grey, return_counts=True)[1].max()
    sizes = np.bincount(symbols.ravel())
    assert np.abs(sizes - grey.size / n_symbols).max() <= largest
