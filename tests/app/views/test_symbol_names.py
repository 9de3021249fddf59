"""A symbol has one name in all views, and its name is never read as markup."""

import re

import numpy as np
from pytestqt.qtbot import QtBot

from latviz.app.views.emissions.rows import symbol_tip
from latviz.app.views.painted import PointedPart
from latviz.app.views.pixel.view import PixelView
from latviz.app.widgets import accessible_text
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import inspect
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.app.frames import shown
from tests.new_frames import new_frame

SYMBOLS = np.random.default_rng(3).integers(0, 6, (40, 50)).astype(np.uint8)
NODE = (17, 23)


def shares_at(symbols: np.ndarray, window: int) -> list[float]:
    """Return the share of each of six symbols in the window of `NODE`, counted one by one."""
    row, column = NODE
    seen = symbols[row - window : row + window + 1, column - window : column + window + 1]
    return [sum(int(v) == k for v in seen.flat) / seen.size for k in range(6)]


def listed(text: str) -> list[tuple[str, float]]:
    return [(name, float(share)) for name, share in re.findall(r"([^ ,]+): (0\.\d+)", text)]


def view_of(qtbot, picture, encoding, *node) -> tuple[PixelView, Frame]:
    frame = new_frame(picture, Parameters(encoding, n_states=3, window=4))
    view = shown(qtbot, PixelView, frame, (300, 600))
    view.show_inspection(inspect(frame, node))
    return view, frame


def test_a_symbol_is_called_alike_in_all_panels(qtbot: QtBot) -> None:
    for scale, encoding, names in (
        (1, Encoding("labels"), ["0", "1", "2", "3", "4", "5"]),
        (40, Encoding("quantiles", 6), ["0", "40", "80", "120", "160", "200–255"]),
    ):
        picture = Picture(SYMBOLS * np.uint8(scale), "symbols")
        check_names(*view_of(qtbot, picture, encoding, *NODE), names)
    # Symbols that do not occur are not listed.
    halves = np.repeat(np.array([[3, 5]], np.uint8), 25, axis=1).repeat(40, axis=0)
    halves[0, :6] = np.arange(6)
    view, frame = view_of(qtbot, Picture(halves, "halves"), Encoding("labels"), 20, 10)
    for node, text in (((20, 10), "3: 1"), ((20, 24), "3: 0.556, 5: 0.444")):
        view.show_inspection(inspect(frame, node))
        assert view.fields["Signature"].text() == text


def check_names(view: PixelView, frame: Frame, names: list[str]) -> None:
    symbol, shares = int(SYMBOLS[NODE]), shares_at(SYMBOLS, 4)
    order = sorted(range(6), key=lambda k: (-shares[k], k))[:3]
    found = [frame.observations.names[k] for k in range(6)]
    assert [name.split("–")[0] for name in found] == [name.split("–")[0] for name in names]
    assert view.fields["Observed"].text() == found[symbol]
    said = listed(view.fields["Signature"].text())
    assert len(said) > 1
    assert said == [(found[k], round(shares[k], 3)) for k in order][: len(said)]
    told = f"Symbol {found[2]}: {round(81 * shares[2])} of 81 pixels\n"
    assert view.bars.tool_tip(frame, PointedPart(-1, 2)).startswith(told)
    assert view.bars.in_words(frame).startswith(f"{found[0]}: ")
    assert symbol_tip(frame, 1, 2, None).startswith(f"State 2, symbol {found[2]}: ")
    assert f"most often symbol {found[int(frame.codebook[0].argmax())]}," in (
        accessible_text.emissions(frame)
    )


def test_letters_that_look_like_markup_are_shown(qtbot: QtBot) -> None:
    alphabet = ("<", "&", "b", ">", "/", "i")
    picture = Picture(SYMBOLS.reshape(-1), "markup", dimensions=1, alphabet=alphabet)
    position = int(np.flatnonzero(SYMBOLS.reshape(-1) == 0)[20])
    view, _ = view_of(qtbot, picture, Encoding("labels"), position)
    for name in ("Value", "Observed"):
        assert view.fields[name].text() == "<"
        assert view.fields[name].textFormat().name == "PlainText"
