"""The log-likelihood and its terms, from real frames to pixels."""

import math
from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import LIGHT
from latviz.app.views.likelihood.parts import (
    Summary,
    Term,
    code_texts,
    note_texts,
    segments,
    summary,
)
from latviz.app.views.likelihood.view import LikelihoodView
from tests.app.frames import assert_fits, docked, frame_of, is_color, pixels, shown

SIZES = [(180, 120), (240, 140), (180, 600), (270, 170), (900, 130), (900, 700)]
NAMES = ["camera", "smoothed", "texture", "density", "impossible", "pixel", "flat"]
PAD = 8


def summed(name: str) -> Summary:
    return summary(frame_of(name))


def test_headline_and_numbers_are_the_evaluations() -> None:
    shown, e = summed("camera"), frame_of("camera").evaluation
    assert (shown.data.nats, shown.pair.nats) == (e.data_term, e.pair_term)
    for term in shown.terms:
        assert term.bits == pytest.approx(term.nats / (e.n_nodes * math.log(2)), rel=1e-12, abs=0)
    total = shown.data.nats + shown.pair.nats
    assert shown.total.nats == pytest.approx(total, rel=1e-12, abs=0)
    assert shown.headline == f"{shown.total.bits:.3f} bits per pixel".replace("-", "−")
    assert shown.bits_texts == [f"{t.bits:.3f}".replace("-", "−") for t in shown.terms]
    assert shown.nats_texts == [f"{t.nats:,.0f}".replace("-", "−") for t in shown.terms]
    assert shown.headline.startswith("−4.")
    assert shown.nats_texts[3].count(",") == 1


def made(data: float, pair: float, correction: float) -> Summary:
    terms = [Term(("",), nats, nats) for nats in (data, pair, correction, data + pair)]
    return Summary(*terms, trouble="", notes=("",))


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ((-1.0, -4.0, 0.0), [(-1, 0, 0), (-5, -1, 1)]),
        ((-1.0, -4.0, -1.5), [(-1, 0, 0), (-3.5, -1, 1), (-5, -3.5, 2)]),
        ((2.0, -4.0, -1.0), [(0, 2, 0), (-3, 0, 1), (-4, -3, 2)]),
        ((0.0, 0.0, 0.0), []),
        ((-math.inf, -4.0, 0.0), []),
        ((-1.0, -math.inf, math.nan), []),
    ],
)
def test_terms_pile_up(terms, expected) -> None:
    assert [(s.start, s.stop, s.term) for s in segments(made(*terms))] == expected


@pytest.mark.parametrize("name", ["camera", "texture", "density"])
def test_the_bar_is_to_scale(qtbot: QtBot, name: str) -> None:
    theme = LIGHT
    image = pixels(shown(qtbot, LikelihoodView, frame_of(name), (500, 300)))
    terms, extent = summed(name), 500 - 2 * PAD - 2
    low = min(0.0, terms.data.bits) + terms.pair.bits
    high = max(0.0, terms.data.bits)
    counts = is_color(image, theme.accent).sum(axis=1)
    drawn = int(counts[:100].max())
    assert drawn == pytest.approx(abs(terms.data.bits) / (high - low) * extent, rel=0, abs=5)
    row = int(counts[:100].argmax())
    columns = np.flatnonzero(is_color(image, theme.accent)[row])
    zero = PAD + 1 - low / (high - low) * extent
    side = columns[0] if terms.data.bits > 0 else columns[-1]
    assert side == pytest.approx(zero, rel=0, abs=3.5)
    total = round(PAD + 1 + (terms.total.bits - low) / (high - low) * extent)
    assert is_color(image, theme.text)[row, total]


def test_an_impossible_image(qtbot: QtBot) -> None:
    frame = frame_of("impossible")
    count = frame.evaluation.n_impossible
    assert count > 1
    terms = summed("impossible")
    assert terms.headline == "−∞ bits per pixel"
    assert terms.bits_texts[0] == "−∞"
    assert terms.bits_texts[1] == f"{terms.pair.bits:.3f}".replace("-", "−")
    view = shown(qtbot, LikelihoodView, frame, (270, 170))
    assert f"{count:,} pixels" in view.accessibleDescription()
    image = pixels(view)
    assert is_color(image, LIGHT.warning).any()
    assert not is_color(image, LIGHT.accent).any()
    possible = pixels(shown(qtbot, LikelihoodView, frame_of("camera"), (270, 170)))
    assert not is_color(possible, LIGHT.warning).any()


def test_notes_tell_the_normaliser_and_alpha() -> None:
    assert note_texts(frame_of("camera"))[0] == "normaliser: neighbours · alpha 1"
    assert note_texts(frame_of("smoothed"))[0] == "normaliser: neighbours · alpha 0.3"
    assert note_texts(frame_of("texture"))[0].startswith("normaliser: states · local alpha 0.5")
    assert summed("texture").correction.names == ("from local alpha 0.5", "local alpha 0.5")


@pytest.mark.parametrize("states", [-0.25, 1200.0])
def test_an_error_below_0_or_in_thousands_is_what_states_save(states: float) -> None:
    frame = frame_of("camera")
    found = frame.code_lengths
    whole = replace(found.states, bits=states)
    odd = frame.with_results(
        code_lengths=replace(found, states=whole, one=replace(found.one, bits=states + 1.5))
    )
    assert code_texts(odd)[0] == "Prediction saves 1.500 bits per pixel over one state"
    worse = replace(found, states=whole, one=replace(found.one, bits=states - 1.5))
    assert code_texts(frame.with_results(code_lengths=worse))[-1] == "Loses 1.500 bits"
    assert code_texts(frame)[0].startswith("Prediction error ")


def test_what_there_is_no_room_for_is_left_out(qtbot: QtBot) -> None:
    view = shown(qtbot, LikelihoodView, frame_of("camera"), (300, 300))
    area = docked(qtbot, view, (300, 300))
    names, bits, nats = zip(*view.table.rows(), strict=True)
    assert names == ("", "Data term", "Pair term", "from alpha 1", "Total")
    assert bits == ("bits / pixel", *summed("camera").bits_texts)
    assert nats == ("nats", *summed("camera").nats_texts)
    assert view.note.isVisible()
    assert view.bar.has_ticks
    area.resize(300, 100)
    qtbot.waitUntil(lambda: not view.note.isVisible() and not view.bar.has_ticks)
    area.resize(180, 400)
    rows = view.table.rows
    qtbot.waitUntil(lambda: [len(row) for row in rows()] == [2] * 5)
    assert rows()[3] == ("from alpha 1", bits[3])
    area.resize(300, 300)
    qtbot.waitUntil(lambda: len(rows()[0]) == 3 and view.note.isVisible())


@pytest.mark.parametrize("name", NAMES)
def test_everything_fits(qtbot: QtBot, name: str) -> None:
    view = shown(qtbot, LikelihoodView, frame_of(name), SIZES[0])
    for size in SIZES:
        view.resize(*size)
        assert_fits(pixels(view))
