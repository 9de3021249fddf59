"""One number has one value, wherever it is shown, exported or scripted.

Of symbols, vectors and the slices of a volume, with docks shown and hidden: the state map, the
arrays and the summary that File > Export and the command line write, and the results of the script,
equal the views' tables. That they are those of the definitions is shown in `tests/core`.
"""

import io
import json
import math
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz import cli
from latviz.app.document.opening import Opener
from latviz.app.exporting.copying import Copier
from latviz.app.program import snapshot
from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.engine.advice.trying import Trying
from latviz.engine.keeping.session import opened
from latviz.engine.pictures import demos
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture, write_session
from tests import naive
from tests.app.conftest import settle
from tests.conftest import patient

Numbers = dict[str, Any]
"""Numbers by name; states are in the order of their codewords."""

Told = dict[str, Numbers]
"""The numbers of one source, by kind of export."""

PARTS = {2: 80, 3: 18}
"""Pixels along each axis of a part, by the number of axes."""
HIDDEN = {"indices", "likelihood"}


@dataclass(frozen=True)
class Case:
    """A demo and all its settings.

    ``more`` has no option of the command line, which gets it from a session file.
    """

    demo: str
    apart: bool = False
    alpha: float = 0.5
    more: dict[str, Any] = field(default_factory=dict)
    every: bool = False
    """True if docks are hidden and the command line draws a window, too: each takes as long."""

    @property
    def name(self) -> str:
        return self.demo + " apart" * self.apart + " and more set" * bool(self.more)

    def adjusted(self, parameters: Parameters) -> Parameters:
        return replace(parameters, alpha=self.alpha, **self.more)


MORE = {"learning_window": 3, "alpha_mode": "local", "normalizer": "states"}
CASES = (Case("mosaic"), Case("volume", apart=True), Case("blobs", more=MORE, every=True))

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
    routes: Told

    def __post_init__(self) -> None:
        more = {route for route in ROUTES if "docks hidden" in route or SNAPSHOT in route}
        assert self.routes.keys() == ROUTES.keys() - (set() if self.case.every else more)

    @property
    def arrays(self) -> Numbers:
        """The arrays of the picture with all docks shown."""
        return self.routes["window: npz"]


@pytest.fixture(scope="module")
def window(qapp: QApplication) -> Iterator[MainWindow]:
    """Return the window in which one case is opened after another."""
    window = MainWindow()
    window.show()
    yield window
    discard(window)


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.name)
def found(request, window, tmp_path_factory) -> Found:
    case: Case = request.param
    folder, bot = tmp_path_factory.mktemp("numbers"), QtBot(request)
    bot.waitUntil = patient(bot.waitUntil)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshot, "qInstallMessageHandler", lambda _: None)  # pytest-qt has its own
        patch.setattr(Trying, "final", lambda *_: None)  # advice is tested elsewhere
        patch.setattr(demos, "make_demo", partial(part_of, demos.make_demo))
        routes = by_window(window, case, bot, folder, patch) | by_command_line(case, folder)
    return Found(case, routes)


# The routes


def part_of(make_demo: Callable[[str], demos.Demo], name: str) -> demos.Demo:
    """Return the first pixels of a demo, of which a sample is learned from, too."""
    demo = make_demo(name)
    part = tuple(slice(min(side, PARTS[demo.dimensions])) for side in demo.truth.shape)
    cut = {
        what: np.ascontiguousarray(array[part])
        for what in ("image", "truth", "labels")
        if (array := getattr(demo, what)) is not None
    }
    return replace(demo, **cut)


def by_window(window, case, bot, folder, patch) -> Told:
    """Open a demo while the docks of derived values are hidden, then show them."""
    before = window.document.picture
    for name in HIDDEN:
        window.tabs.stage.close_dock(name)
    window.document.set_layers("image", map=False)
    bot.waitUntil(lambda: not HIDDEN & set(window.document.state.views))
    window.parts[Opener].open_demo(case.demo, case.adjusted)
    bot.waitUntil(lambda: window.document.picture is not before)
    window.document.take_apart(case.apart)
    hidden = in_order(told_by(window, bot, folder / "hidden", patch)) if case.every else {}
    for name in HIDDEN:
        window.tabs.stage.open_dock(name)
    window.document.set_layers("image", map=True)
    bot.waitUntil(lambda: set(window.document.state.views) >= HIDDEN)
    shown = in_order(told_by(window, bot, folder / "shown", patch) | tables(window, bot))
    return {
        "tables": shown.pop("tables"),
        "script": shown.pop("script"),
        **({"script, docks hidden": hidden.pop("script")} if case.every else {}),
        **named("window", shown),
        **named("window, docks hidden", hidden),
    }


def told_by(window: MainWindow, bot: QtBot, path: Path, patch: pytest.MonkeyPatch) -> Told:
    """Export all kinds from the menu, and run the script."""
    settle(bot, window)
    told = {}
    for kind, what in (("npz", "arrays"), ("json", "summary"), ("png", "state map")):
        to = path.with_suffix(f".{kind}")
        patch.setattr("latviz.app.shell.shell.ask_where", lambda *_, to=to: str(to))
        texts = {action.text().replace("&", ""): action for action in window.menus.actions}
        texts[f"Export {what}…"].trigger()
        bot.waitUntil(to.exists)
        told[kind] = read(to)
    told["script"] = scripted(copied(window.parts[Copier].copy_python, bot))
    return told


def copied(copy: Callable[[], None], bot: QtBot) -> str:
    """Return the text that an action puts on the clipboard."""
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    copy()
    bot.waitUntil(lambda: bool(clipboard.text()))
    return clipboard.text()


def tables(window: MainWindow, bot: QtBot) -> Told:
    """Return the values that views copy, and the map of states that is drawn."""
    frame = settle(bot, window)
    found: dict[str, list[list[str]]] = {}
    for view in ("states", "adjacency", "emissions", "indices", "likelihood", "image"):
        text = copied(partial(window.parts[Copier].copy_values, view), bot)
        found[view] = [line.split("\t") for line in text.splitlines()]
    named = {view: {row[0]: row[1:] for row in found[view][1:]} for view in found}
    indices, terms = named["indices"], named["likelihood"]
    unit = f"bits per {frame.request.picture.node_name}"
    assert found["indices"][0] == ["Index", "Value", "Noise", "Truth"]
    numbers = {
        view: np.array([row[1:] for row in found[view][1:]], float)
        for view in ("states", "adjacency", "emissions")
    }
    bins = np.array(found["image"][1:], float)
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
        "code length": float(terms[f"Prediction error, {unit}"][0]),
        "code length of one": float(terms[f"Prediction error with one state, {unit}"][0]),
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
    shown = (
        {} if noise is None else {"noise": [of_noise(noise.associativity), of_noise(noise.inertia)]}
    )
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
    if case.every:
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
        "noise": [of_noise(indices[f"{name}_noise"]) for name in ("associativity", "inertia")],
        "code length": summary["code_length"]["bits_per_pixel"],
        "code length of one": summary["code_length"]["bits_per_pixel_of_one_state"],
    }


def of_noise(values: Any) -> float:
    """Return what noise exceeds once in a hundred times."""
    return naive.prediction_bound(list(values), naive.BOUND_OF_FOUR)


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


def test_numbers_are_the_same_on_every_route(found: Found) -> None:
    for route, told in found.routes.items():
        assert told.keys() >= ROUTES[route], route
        assert_same(route, told, found.routes["tables"])


def test_the_map_shown_counts_the_nodes(found: Found) -> None:
    edges, counts = found.routes["tables"]["histogram"]
    bits = found.arrays["nodes"] / math.log(2)
    assert counts.sum() == bits.size
    level = (edges[-1] - edges[0]) / 255  # the map is in bytes
    for edge, below in zip(edges[1:-1], counts.cumsum(), strict=False):
        assert (bits < edge - level).sum() <= below <= (bits < edge + level).sum()


def spreads_of(frame: Any) -> Any:
    """Return what the encoder divided each channel by."""
    return frame.observations.encoder.fitted.arrays.get("spreads", 1.0)
