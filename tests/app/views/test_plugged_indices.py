"""An index from outside: one row of the table is enough for all places that show indices."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.look.theme import LIGHT
from latviz.app.views.indices.spec import SPEC
from latviz.app.views.indices.view import IndicesView
from latviz.app.views.tradeoff.scene import TradeOffScene, numbers_text
from latviz.app.views.tradeoff.view import numbers_now
from latviz.core import digits
from latviz.core.data.encoding import Encoding
from latviz.core.digits import ErrorScale
from latviz.engine.choosing.curves import curves_of
from latviz.engine.frames.frame import EXPORTED, NEEDED, Frame
from latviz.engine.indices import INDICES, Index, needs
from latviz.engine.keeping.results import summary
from latviz.engine.keeping.session import Session
from latviz.engine.lessons.facts import LessonScreen, results_for, value
from latviz.engine.lessons.lesson import LessonError, Number, parse
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.appearance import Appearance
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.sharing.page import html_of
from latviz.sharing.report import indices_of
from tests import naive
from tests.app.frames import is_color, pixels, shown
from tests.app.views.test_tradeoff import case
from tests.new_frames import exported_frame

SIZES = [(240, 200), (270, 260), (300, 250), (500, 190), (900, 700)]
BARE = Index("calm", "Calm", "How calm it is", 0.7, lambda _: 0.8125)
FULL = Index(
    "likely",
    "Likelihood",
    "How likely it is",
    0.75,
    lambda frame: None if frame.evaluation is None else -0.125,
    needs=frozenset({"evaluation"}),
    scaled=lambda measured: 1 + measured,
    key="unlikely",
    own="own_likelihood",
    short=("Lik.",),
    chance=lambda n_states: 1 / (n_states + 1),
    least=lambda n_states: 1 / (n_states + 2),
    noise=lambda noise: noise.inertia / 2,
    truth=lambda truth: -truth.inertia / 4,
    swept=lambda setting: setting.inertia / 2,
    script=lambda _: ["print('likely')"],
)


@pytest.fixture(params=[BARE, FULL], ids=lambda row: row.name)
def row(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Index:
    """Return a row that is in the table."""
    one: Index = request.param
    monkeypatch.setitem(INDICES, one.name, one)
    return one


def picture() -> Picture:
    rng = np.random.default_rng(3)
    truth = (np.indices((24, 30))[1] // 10).astype(np.uint8)
    seen = np.where(rng.random(truth.shape) < 0.2, rng.integers(0, 3, truth.shape), truth)
    return Picture((seen * 100).astype(np.uint8), "thirds", truth=truth)


def frame_of(more: frozenset[str] = frozenset()) -> Frame:
    parameters = Parameters(Encoding("quantiles", 3), n_states=3, window=2)
    return exported_frame(picture(), parameters, needs=more | {"truth"})


def expected(row: Index) -> tuple[str, float]:
    """Return the key in files and the value of a row, by its definition above."""
    return ("calm", 0.8125) if row is BARE else ("unlikely", 0.875)


# On screen


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_it_has_a_gauge_inside_the_frame(qtbot: QtBot, row: Index, size: tuple[int, int]) -> None:
    view = shown(qtbot, IndicesView, frame_of(), size)
    tracks = [view.track_of(name) for name in INDICES if not view.bars[name].isHidden()]
    for above, below in pairwise(tracks):
        assert above.bottom() < below.top()
    place = view.track_of(row.name)
    assert view.rect().toRectF().contains(place)
    assert place.width() > size[0] / 2
    strip = pixels(view)[round(place.top()) + 4 : round(place.bottom()) - 4]
    filled = is_color(strip, LIGHT.good).any(axis=0).nonzero()[0]
    assert filled[-1] == pytest.approx(place.left() + expected(row)[1] * place.width(), abs=4)


def test_it_is_drawn_once_it_is_computed(row: Index, qtbot: QtBot) -> None:
    state = State(PictureSet((picture(),)))
    assert row.needs <= SPEC.asks(state)
    assert row.needs <= shown(qtbot, IndicesView, None, (300, 250)).needed()


def test_it_is_in_the_trade_off_if_that_has_it(row: Index) -> None:
    frame, trade_off = case()
    scene = TradeOffScene(trade_off, 3, 4, Appearance(), False)
    plots = {plot.name: plot for plot in curves_of(scene.trade_off)}
    said = numbers_text(scene, (3, 4))
    assert (row.name in plots) == (row is FULL) == (f"{row.name} " in said)
    assert (row.name in numbers_now(frame, ErrorScale())) == (
        row is FULL and frame.evaluation is not None
    )
    if row is FULL:
        setting = trade_off.settings[3, 4]
        assert plots[row.name].value(setting) == setting.inertia / 2
        assert plots[row.name].needed == row.needed


# In files


def test_it_is_exported_and_reported(row: Index) -> None:
    (key, index), frame = expected(row), frame_of()
    found = summary(frame)["indices"]
    assert found[key] == (index if row is BARE else -0.125)
    assert found[f"{row.name}_threshold"] == row.needed
    assert (f"{row.name}_noise" in found) == (f"{row.name}_chance" in found) == (row is FULL)
    lines = {line[0]: line[1:] for line in indices_of(frame)}
    chance = "" if row is BARE else "0.250"
    assert lines[row.title] == (digits.probability(index), f"≥ {row.needed}", chance)
    state = State(PictureSet((picture(),)), parameters=frame.request.parameters)
    html = html_of(PictureSet((picture(),)), Session(state))
    assert (f"<figcaption>{row.title}" in html) == (row is FULL)


# In lessons

LESSON = """\
# Title
Summary.

- state: demo=blobs

## Step
- views: indices
- guess: gauge {name}
- answer: {{{shown}|{name}()}}

Where is it?

### Then
There.
"""


def test_lessons_ask_for_it(row: Index) -> None:
    text = LESSON.format(name=row.name, shown=f"{expected(row)[1]:.2f}")
    (step,) = parse("toy", text).steps
    assert (step.guess.kind, step.guess.index) == ("gauge", row.name)
    with pytest.raises(LessonError, match="a guess must be"):
        parse("toy", text.replace(f"gauge {row.name}", "gauge nothing"))
    frame = frame_of()
    source, parameters = LessonScreen(frame, None), frame.request.parameters
    assert value(source, f"{row.name}()", parameters) == expected(row)[1]
    assert results_for([Number("0", f"{row.name}()")]) == row.needs
    if row is FULL:
        known = 1 - frame.truth.indices.inertia / 4
        assert value(source, "true_likely()", parameters) == pytest.approx(known)
        assert value(source, "noise_likely()", parameters) == pytest.approx(
            naive.prediction_bound(frame.noise.inertia / 2, naive.BOUND_OF_FOUR)
        )
        assert results_for([Number("0", "noise_likely()")]) == {"noise"}


# Of the table itself


def test_every_result_of_the_table_is_asked_for_by_exports_and_at_first() -> None:
    assert needs() <= EXPORTED
    assert needs() <= NEEDED


def test_what_was_not_computed_is_not_known() -> None:
    frame = frame_of()
    screen = LessonScreen(replace(frame, results={}), None)
    for name in ("independence", "law", "inertia", "noise_inertia"):
        with pytest.raises(LessonError, match=r"is not known$"):
            value(screen, f"{name}()", frame.request.parameters)
