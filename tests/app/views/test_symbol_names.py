"""A symbol has one name in all views, and its name is never read as markup."""

import re

import numpy as np
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.app.views.emissions.rows import symbol_tip
from latviz.app.views.painted import PointedPart
from latviz.app.widgets import accessible_text
from latviz.core.data.encoding import Encoding
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import settle

SYMBOLS = np.random.default_rng(3).integers(0, 6, (40, 50)).astype(np.uint8)
NODE = (17, 23)


def shares_at(symbols: np.ndarray, window: int) -> list[float]:
    """Return the share of each of six symbols in the window of `NODE`, counted one by one."""
    row, column = NODE
    seen = symbols[row - window : row + window + 1, column - window : column + window + 1]
    return [sum(int(v) == k for v in seen.flat) / seen.size for k in range(6)]


def listed(text: str) -> list[tuple[str, float]]:
    return [(name, float(share)) for name, share in re.findall(r"([^ ,]+): (0\.\d+)", text)]


def test_a_symbol_is_called_alike_in_all_panels(window: MainWindow, qtbot: QtBot) -> None:
    for encoding, names in (
        (Encoding("labels"), ["0", "1", "2", "3", "4", "5"]),
        (Encoding("quantiles", 6), ["0", "40", "80", "120", "160", "200–255"]),
    ):
        check_names(window, qtbot, encoding, names)
    # Symbols that do not occur are not listed.
    halves = np.repeat(np.array([[3, 5]], np.uint8), 25, axis=1).repeat(40, axis=0)
    halves[0, :6] = np.arange(6)
    window.document.open(
        Picture(halves, "halves"), Parameters(Encoding("labels"), n_states=3, window=2)
    )
    settle(qtbot, window)
    label = window.views["pixel"].fields["Signature"]  # type: ignore[attr-defined]
    for node, text in (((20, 10), "3: 1"), ((20, 24), "3: 0.600, 5: 0.400")):
        window.document.inspector.hover(node)
        assert label.text() == text
    check_letters_that_look_like_markup_are_shown(window, qtbot)


def check_names(window: MainWindow, qtbot: QtBot, encoding: Encoding, names: list[str]) -> None:
    scale = 1 if encoding.name == "labels" else 40
    picture = Picture(SYMBOLS * np.uint8(scale), "symbols")
    window.document.open(picture, Parameters(encoding, n_states=3, window=4))
    frame = settle(qtbot, window)
    window.document.inspector.hover(NODE)
    symbol, shares = int(SYMBOLS[NODE]), shares_at(SYMBOLS, 4)
    order = sorted(range(6), key=lambda k: (-shares[k], k))[:3]

    view = window.views["pixel"]
    texts = {name: label.text() for name, label in view.fields.items()}  # type: ignore[attr-defined]
    found = [frame.observations.names[k] for k in range(6)]
    assert [name.split("–")[0] for name in found] == [name.split("–")[0] for name in names]
    assert texts["Observed"] == found[symbol]
    said = listed(texts["Signature"])
    assert len(said) > 1
    assert said == [(found[k], round(shares[k], 3)) for k in order][: len(said)]
    label = view.fields["Signature"]  # type: ignore[attr-defined]
    assert label.fontMetrics().horizontalAdvance(label.text()) <= label.width()
    bars = view.bars  # type: ignore[attr-defined]
    told = f"Symbol {found[2]}: {round(81 * shares[2])} of 81 pixels\n"
    assert bars.tool_tip(frame, PointedPart(-1, 2)).startswith(told)
    assert bars.in_words(frame).startswith(f"{found[0]}: ")
    assert symbol_tip(frame, 1, 2, None).startswith(f"State 2, symbol {found[2]}: ")
    assert f"most often symbol {found[int(frame.codebook[0].argmax())]}," in (
        accessible_text.emissions(frame)
    )


def check_letters_that_look_like_markup_are_shown(window: MainWindow, qtbot: QtBot) -> None:
    alphabet = ("<", "&", "b", ">", "/", "i")
    picture = Picture(SYMBOLS.reshape(-1), "markup", dimensions=1, alphabet=alphabet)
    window.document.open(picture, Parameters(Encoding("labels"), n_states=3, window=4))
    settle(qtbot, window)
    position = int(np.flatnonzero(SYMBOLS.reshape(-1) == 0)[20])
    window.document.inspector.hover((position,))
    fields = window.views["pixel"].fields  # type: ignore[attr-defined]
    for name in ("Value", "Observed"):
        assert fields[name].text() == "<"
        assert fields[name].textFormat().name == "PlainText"
