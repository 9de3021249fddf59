"""Values of the same name have the same digits in every panel.

Every panel of the window is read, its table and its words, in many random states of the program;
so is the summary that is exported. The environment variable ``LATVIZ_STATES`` says in how many.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import numpy as np
from PyQt6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from skimage import data

from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.exporting.copying import Copier
from latviz.app.program.window import MainWindow
from latviz.app.views.registry import BUILT_IN
from latviz.app.views.tradeoff.panel import numbers_text
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import EXPORTED, Frame
from latviz.engine.keeping.results import summary
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture
from tests.app.conftest import settle
from tests.app.frames import show_all
from tests.products import FULL

STATES = int(os.environ.get("LATVIZ_STATES", "12" if FULL else "3"))
NUMBER = r"(-?\d[\d,]*\.?\d*(?:e[+-]?\d+)?)"
NAMES = (
    *("associativity", "inertia", "accuracy", "adjusted Rand", "prediction error"),
    *("data", "pairs", "total", "log-likelihood"),
)
QUALIFIED = re.compile(rf"\b({'|'.join(NAMES)}) {NUMBER}(\u00a0%)?", flags=re.IGNORECASE)
"""A quantity and its number, which may be in per cent."""

Told = dict[str, dict[str, str]]
"""By quantity: the text of each source."""


@cache
def pictures() -> list[PictureSet]:
    """Return small pictures of all kinds."""
    camera, astronaut = data.camera(), data.astronaut()
    volume = np.random.default_rng(0).integers(0, 9, (4, 12, 15)) * 9
    volume[:, 3:9] += 90
    grey = Picture(np.ascontiguousarray(camera[200:228, 180:214]), "grey")
    other = Picture(np.ascontiguousarray(camera[100:124, 100:136]), "other")
    demo, _ = make_picture("figure1")
    part = slice(40, 76), slice(60, 102)
    known = Picture(
        np.ascontiguousarray(demo.pixels[part]),
        "known",
        labels=np.ascontiguousarray(demo.labels[part]),
        truth=np.ascontiguousarray(demo.truth[part]),
    )
    return [
        PictureSet((grey,)),
        PictureSet((Picture(np.ascontiguousarray(astronaut[60:88, 180:214]), "colours"),)),
        PictureSet((known,)),
        PictureSet((Picture(volume.astype(np.uint8), "volume", dimensions=3),)),
        PictureSet((grey, other), 1),
    ]


def random_parameters(picture: Picture, rng: np.random.Generator) -> Parameters:
    """Return parameters of which any may differ from those by default."""
    names = ["quantiles", "grey"]
    if picture.pixels.ndim > picture.dimensions:
        names += ["rgb", "lab", "palette"]
    if picture.labels is not None:
        names = ["labels", "quantiles"]
    apart = bool(rng.integers(2)) and picture.dimensions == 3

    def maybe(value: Any, default: Any) -> Any:
        return value if rng.random() < 0.4 else default

    return Parameters(
        Encoding(str(rng.choice(names)), int(rng.integers(2, 9))),  # type: ignore[arg-type]
        n_states=int(rng.integers(1, 9)),
        window=int(rng.integers(0, 7)),
        learning_window=maybe(int(rng.integers(0, 6)), None),
        decoder=maybe(str(rng.choice(["belief", "refined"])), "nearest"),  # type: ignore[arg-type]
        passes=maybe(int(rng.integers(0, 10)), 10),
        smoothing=maybe(float(rng.integers(1, 5)) / 2, 0.0),
        alpha=maybe(float(rng.uniform(0.1, 1.0)), 1.0),
        alpha_mode=maybe("local", "constant"),
        normalizer=maybe("states", "neighbours"),
        slices_apart=apart,
    )


def digits(text: str) -> tuple[float, float]:
    """Return a number, and half of its last decimal place."""
    plain = text.replace(",", "")
    decimals = len(plain.split("e")[0].partition(".")[2])
    exponent = int(plain.partition("e")[2] or 0)
    return float(plain), 0.5 * 10.0 ** (exponent - decimals)


def read_words(told: Told, source: str, text: str) -> None:
    """Take every quantity that is named in front of its number."""
    for name, number, percent in QUALIFIED.findall(text.replace("−", "-")):
        decimals = len(number.partition(".")[2]) + 2
        share = f"{float(number) / 100:.{decimals}f}" if percent else number
        told[name.lower().replace("prediction error", "code length")][source] = share


def read_table(told: Told, view: str, rows: list[list[str]]) -> None:
    """Read a table's cells by the names of their rows and columns, and their subject."""
    head, *body = rows
    for row in body:
        for title, cell in zip(head[1:], row[1:], strict=True):
            if re.fullmatch(NUMBER, cell):
                told[named(view, head[0], row[0], title)][f"table of {view}"] = cell


def named(view: str, kind: str, row: str, column: str) -> str:
    """Return the name of a cell's quantity, as words and other panels have it."""
    if kind == "Index":
        return row.lower() if column == "Value" else f"{row} of {column}".lower()
    if kind == "Term":
        unit = "" if column.startswith("Bits") else ", nats"
        return f"{row}{unit}".lower()
    if view in ("states", "emissions") and column in ("Share", "Pixels"):
        return f"{column} of state {row}".lower()
    return f"{view}: {row}, {column}"


def copied(window: MainWindow, qtbot: QtBot, view: str) -> list[list[str]]:
    """Copy a view's table, as the menu does."""
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    window.parts[Copier].copy_values(view)
    qtbot.waitUntil(lambda: bool(clipboard.text()))
    return [line.split("\t") for line in clipboard.text().splitlines()]


def read_summary(told: Told, frame: Frame) -> None:
    found = summary(frame)
    likelihood, n = found["log_likelihood"], frame.n_nodes * np.log(2)
    values = {
        **{name: found["indices"][name] for name in ("associativity", "inertia")},
        "associativity of noise": max(found["indices"]["associativity_noise"]),
        "inertia of noise": max(found["indices"]["inertia_noise"]),
        "total": likelihood["bits_per_pixel"],
        "total, nats": likelihood["nats"],
        "data": likelihood["data_term_nats"] / n,
        "pairs": likelihood["pair_term_nats"] / n,
        "code length": found["code_length"]["bits_per_pixel"],
        "code length, one state": found["code_length"]["bits_per_pixel_of_one_state"],
    }
    for name, value in values.items():
        if np.isfinite(value):
            told[name]["summary"] = f"{value:.12e}"
    for k, count in enumerate(found["occupancy"], start=1):
        told[f"pixels of state {k}"]["summary"] = str(count)


def read_all(window: MainWindow, qtbot: QtBot) -> Told:
    """Read every panel, and the exports."""
    told: Told = defaultdict(dict)
    frame = window.document.frame
    for spec in BUILT_IN:
        view = window.views[spec.name]
        words = view.in_words(frame)
        if spec.name == "multiples":
            words = of_what_is_set(words, frame)
        if spec.name == "tried":
            words, _, _ = words.partition("Best: ")  # which is another setting's
        if spec.name == "tradeoff" and frame.request.believes:
            assert "nearest codeword" in words or "No trade-off" in words
            words = ""
        read_words(told, f"words of {spec.name}", words)
        if spec.table is not None and spec.table(view, frame):
            read_table(told, spec.name, copied(window, qtbot, spec.name))
    read_shares(told, frame, window)
    trade_off = window.views["tradeoff"]
    scene, parameters = trade_off.scene(), frame.request.parameters
    if scene is not None and scene.by_nearest:
        place = parameters.n_states, parameters.window
        read_words(told, "tip of the trade-off", numbers_text(scene, place))
    read_summary(told, frame)
    return told


def of_what_is_set(words: str, frame: Frame) -> str:
    """Return the words on the N and w of a frame, from words on several."""
    parameters = frame.request.parameters
    place = f"N = {parameters.n_states}, w = {parameters.window}"
    return "; ".join(
        part for part in words.removesuffix(".").split("; ") if f"{part},".startswith(f"{place},")
    )


def read_shares(told: Told, frame: Frame, window: MainWindow) -> None:
    """Read the states' shares in percent from the state map, its legend and the symbols."""
    share = r"(\d+(?:\.\d+)?)\s%"
    map_words = window.views["states"].in_words(frame)
    for k, percent in re.findall(rf"(\d+): {share}", map_words):
        told[f"percent of state {k}"]["words of the state map"] = percent
    symbols = window.views["emissions"].in_words(frame)
    for k, percent in re.findall(rf"State (\d+), {share}", symbols):
        told[f"percent of state {k}"]["words of the symbols"] = percent
    for k, count in enumerate(frame.occupancy.tolist(), start=1):
        told[f"percent of state {k}"]["counts"] = f"{100 * count / frame.n_nodes:.12e}"


def disagreements(told: Told) -> Iterator[str]:
    """Yield the quantities of which two sources show values that no single number rounds to."""
    for name, sources in told.items():
        ranges = {source: digits(text) for source, text in sources.items()}
        low = max(value - half for value, half in ranges.values())
        high = min(value + half for value, half in ranges.values())
        if low > high + 1e-9 * max(1.0, abs(high)):
            yield f"{name}: {sources}"


def test_what_bears_one_name_has_the_same_digits(window: MainWindow, qtbot: QtBot) -> None:
    rng, document = np.random.default_rng(12), window.document
    show_all(window)
    told_by_several, told_names = set[str](), set[str]()
    for k in range(STATES):
        shown = pictures()[k % len(pictures())]
        parameters = random_parameters(shown.picture, rng)
        document.open(shown, parameters)
        settle(qtbot, window)
        qtbot.waitUntil(lambda: document.frame.finished)
        document.when_whole(lambda _: None, needs=EXPORTED)
        qtbot.waitUntil(lambda: document.frame.results.keys() >= EXPORTED)
        place = parameters.n_states, parameters.window
        qtbot.waitUntil(partial(_has_setting, window, place), timeout=60_000)
        qtbot.waitUntil(lambda: not window.parts[IdleJobs].is_decoding, timeout=60_000)
        told = read_all(window, qtbot)
        assert not list(disagreements(told)), (k, parameters)
        told_by_several |= {name for name, sources in told.items() if len(sources) > 1}
        told_names |= told.keys()
    # Quantities that were compared: at least two panels showed each.
    wanted = {"associativity", "inertia", "code length", "total", "percent of state 1"}
    assert wanted <= told_by_several
    assert {"accuracy", "adjusted rand", "data", "pairs"} <= told_names


def _has_setting(window: MainWindow, place: tuple[int, int]) -> bool:
    trade_off = window.parts[IdleJobs].trade_off
    return trade_off is not None and place in trade_off.settings


def test_disagreements_are_found() -> None:
    told: Told = {
        "a": {"one": "0.887", "other": "0.872"},
        "b": {"one": "0.887", "other": "0.8873", "third": "8.87312e-01"},
        "c": {"one": "1,204", "other": "1204"},
        "d": {"one": "-0.58", "other": "-0.16"},
    }
    assert [text[0] for text in disagreements(told)] == ["a", "d"]
    words: Told = defaultdict(dict)
    read_words(words, "here", "Associativity 0.820, at least 0.5 is needed. pairs −0.58 bits")
    assert words == {"associativity": {"here": "0.820"}, "pairs": {"here": "-0.58"}}
