"""One state: the fields it resets, its requests, and its session files, old ones too."""

from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

from latviz.core import ParameterError
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.engine.flow.pipeline import inputs_of
from latviz.engine.frames.requests import asked_by, request_of
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import (
    ChangeSelection,
    PairSelection,
    RangeSelection,
    RegionSelection,
    StateSelection,
)
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.keeping.session import Session, from_content, opened, to_content
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.decoding import Coloring, Decoding, DecodingA
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.scribbles import Scribbles, Stroke
from latviz.engine.settings.state import Display, Layers, State, changed_names
from latviz.workspace import read_session, write_session
from tests.new_frames import new_frame

PICTURE = Picture(np.zeros((8, 9), np.uint8), "zeros")
VOLUME = Picture(np.zeros((5, 8, 9), np.uint8), "volume", dimensions=3)
STATE = State(as_set(PICTURE), parameters=Parameters(n_states=5))
LAB = Encoding("lab")
OLD = Path(__file__).parents[2] / "data" / "format-1.latviz"


@pytest.mark.parametrize(
    ("selection", "changes", "kept"),
    [
        (StateSelection(1), {"parameters": Parameters(n_states=6)}, True),
        (StateSelection(1), {"parameters": Parameters(Encoding("grey"), n_states=5)}, False),
        (StateSelection(1), {"map": "doubt"}, True),
        (RangeSelection("likelihood", 0, 1), {"map": "doubt"}, False),
        (RangeSelection("likelihood", 0, 1), {"pins": ((1, 2),)}, True),
        (ChangeSelection(1, 2), {"display": Display(comparison="difference")}, False),
        (ChangeSelection(1, 2), {"display": Display(opacity=0.5)}, True),
    ],
)
def test_what_means_nothing_any_more_is_let_go(selection, changes, kept) -> None:
    state = replace(STATE, selection=selection)
    assert state.changed(**changes).selection == (selection if kept else None)


def test_a_selection_that_comes_with_its_map_stays() -> None:
    chosen = RangeSelection("doubt", 0, 1)
    state = replace(STATE, selection=RangeSelection("likelihood", 0, 1))
    assert state.changed(map="doubt", selection=chosen).selection == chosen


def test_another_picture_keeps_what_is_a_persons_and_lets_go_of_its_own() -> None:
    display = Display(opacity=0.5, marks="numbers")
    state = replace(
        STATE, pins=((1, 2),), selection=StateSelection(0), display=display, map="doubt"
    )
    parameters, suited = Parameters(window=9), Parameters(n_states=2)
    new = state.opened(as_set(VOLUME), parameters, suited, 3)
    assert (new.picture, new.slice, new.parameters, new.suited) == (VOLUME, 3, parameters, suited)
    assert (new.pins, new.selection, new.compared) == ((), None, None)
    assert (new.display, new.map) == (display, "doubt")


def types_in(kind: Any) -> set[type]:
    """Return all types that the fields of a type are declared with, and theirs."""
    found, more = set[type](), [kind]
    while more:
        kind = more.pop()
        more += get_args(kind)
        if is_dataclass(kind) and kind not in found:
            more += get_type_hints(kind).values()
        if isinstance(kind, type):
            found.add(kind)
    return found


def test_what_is_set_holds_nothing_that_is_computed() -> None:
    found = types_in(State)
    assert {Parameters, DecodingA, Decoding, Coloring, Picture, Given} <= found
    modules = [one.__module__.split(".") for one in found]
    own = {module[2] for module in modules if module[:2] == ["latviz", "engine"]}
    assert own == {"geometry", "pictures", "settings"}


def test_encodings_suit_the_picture() -> None:
    letters = Picture(np.zeros(9, np.uint8), "s", dimensions=1, alphabet=("A", "C"))
    new = STATE.opened(as_set(letters), Parameters(Encoding("rgb")), Parameters(), 0)
    assert new.parameters.encoding.name == new.suited.encoding.name == "labels"


def test_names_of_what_changed() -> None:
    parameters = replace(STATE.parameters, window=7, alpha=0.5)
    new = replace(STATE, parameters=parameters, pins=((0, 0),), views=("tree",))
    assert changed_names(STATE, new) == ("pins", "window", "alpha")
    assert changed_names(STATE, STATE) == ()


def test_views_are_no_part_of_what_is_set() -> None:
    assert replace(STATE, views=("tree",)) == STATE


def test_requests_ask_for_all_that_changes_numbers_and_nothing_else() -> None:
    """Each field of the state either reaches the stages, or changes how they are drawn."""
    drawn = {"slice", "suited", "pins", "views", "shelf"}  # a shelf's pictures are read first
    drawn |= {"keeps_settings"}  # which concerns the next picture
    asked = asked_by(STATE)
    told = {f.name for f in fields(State)} - drawn - {"display"}
    assert asked.keys() == told | {"difference"}
    request = request_of(STATE, frozenset({"inertia"}), number=3)
    assert (request.number, request.needs) == (3, {"inertia"})
    assert inputs_of(request)["n_states"] == 5


@pytest.mark.parametrize("bad", [{"opacity": 1.5}, {"split": -0.1}, {"opacity": float("nan")}])
def test_display_options_are_checked(bad: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match=next(iter(bad))):
        Display(**bad)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pins": ((8, 0, 0),)}, "pin"),
        ({"pins": ((1, 2),)}, "pin"),
        ({"slice": 5}, "slice"),
        ({"slice": -1}, "slice"),
    ],
)
def test_places_are_checked_against_the_picture(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        replace(STATE, pictures=as_set(VOLUME), **changes).check(as_set(VOLUME))


def test_a_session_keeps_every_field_of_the_state() -> None:
    values: dict[str, Any] = {
        "slice": 4,
        "parameters": Parameters(Encoding("quantiles", 6), n_states=7, learning_window=2),
        "suited": Parameters(n_states=2),
        "keeps_settings": True,
        "sample": 1024,
        "projection": Projection("symbols", (1, 3, 5)),
        "map": "inertia",
        "region_cut": RegionCut(40, 12.5, "contrast", 0.25),
        "hand_cut": HandCut((Pair((0.1, 0.9), (0.25, 1 / 3)),), (Pair((0.0,), (2.0,)),)),
        "looks": Looks(True, (Look(1, "sky"), Look(3, "", "#a0b0c0"))),
        "scribbles": Scribbles((Stroke("sky", "#a0b0c0", 3, ((1, 2), (7, 8)), slice=4),), True),
        "selection": RegionSelection(((0.0, 0.5), (1.0, 0.5), (0.25, 1 / 3))),
        "pins": ((3, 4, 5), (1, 2, 3)),
        "display": Display(
            opacity=0.35,
            borders=True,
            image_view=Layers(regions="colours", lit=False),
            paths=True,
            comparison="flicker",
            split=0.25,
        ),
        "shelf": Shelf((Entry("/a/b.png", 3, 4), Entry("/a/c.png", 5, 6)), (1,), 1, "labels"),
        "views": ("image", "states"),
    }
    apart = {"pictures", "compared", "given"}  # with a given model, cuts by hand are removed
    assert values.keys() == {f.name for f in fields(State)} - apart
    session = Session(State(**values), Coloring((1, 0), 9), Decoding(Parameters(), 512), True)
    arrays: dict[str, Any] = {}
    back = from_content(to_content(session, arrays), arrays)
    assert arrays == {}
    for name, value in values.items():
        assert getattr(back.state, name) == value, name
    assert (back.coloring, back.compared, back.declined) == (
        Coloring((1, 0), 9),
        Decoding(Parameters(), 512),
        True,
    )


def test_a_session_of_format_1_opens_whole(tmp_path: Path) -> None:
    """The file was written by the program that wrote that format."""
    pictures, session = read_session(OLD)
    picture = pictures.picture
    parameters = Parameters(
        Encoding("quantiles", 6),
        n_states=7,
        window=5,
        learning_window=2,
        alpha=0.4,
        alpha_mode="local",
        smoothing=0.5,
    )
    assert (picture.name, picture.shape, picture.dimensions) == ("old", (4, 10, 15), 3)
    assert session.shown == Decoding(parameters, 1024)
    assert session.coloring == Coloring((4, 0, 2, 1, 3, 6, 5), 600)
    assert session.compared == Decoding(replace(parameters, window=1), 4096)
    assert session.compared.coloring == Coloring((0, 1, 2, 3, 4, 5, 6), 300)
    assert (session.declined, session.embedded) == (True, False)
    state = session.state
    assert state.suited == Parameters(Encoding("grey"), n_states=3)
    assert state.projection == Projection("symbols", (1, 3, 5))
    assert (state.map, state.views) == ("inertia", ("image", "map", "states"))
    assert (state.pins, state.slice) == (((3, 4, 5), (1, 2, 3)), 2)
    assert state.selection == PairSelection(1, 3)
    assert state.display == Display(
        opacity=0.35,
        borders=True,
        leaves=True,
        log_scale=True,
        comparison="difference",
        split=0.25,
        marks="numbers",
    )
    write_session(tmp_path / "new.latviz", session, pictures)
    assert read_session(tmp_path / "new.latviz")[1] == session


def test_a_session_of_format_2_opens_whole() -> None:
    """There the state had an empty field for one picture."""
    session = Session(replace(STATE, pictures=None, pins=((1, 2),)), Coloring((1, 0), 9))
    content = to_content(session, {})
    state = content["session"]["state"]
    del state["pictures"]
    state["picture"] = None
    assert from_content({**content, "format": 2}, {}) == session


def test_a_session_of_format_3_has_unscaled_channels_of_cielab() -> None:
    session = Session(State(parameters=Parameters(Encoding("lab", scaled=True))))
    content = to_content(session, {})
    del content["session"]["state"]["parameters"]["encoding"]["scaled"]
    old, new = (from_content({**content, "format": version}, {}).state for version in (3, 4))
    assert old.parameters.encoding == Encoding("lab", scaled=False)
    assert new.parameters.encoding == Encoding("lab")


def test_a_session_of_format_5_has_the_least_contrast_of_today() -> None:
    cut = RegionCut(least_size=9, measure="contrast", least_contrast=0.07)
    content = to_content(Session(State(region_cut=cut)), {})
    old, new = (from_content({**content, "format": version}, {}).state for version in (5, 6))
    assert old.region_cut == replace(cut, least_contrast=RegionCut().least_contrast)
    assert new.region_cut == cut


def test_another_picture_of_the_data_set() -> None:
    """Fields of the picture that was shown are reset; those of the model stay."""
    both = PictureSet((PICTURE, Picture(np.ones((4, 4), np.uint8), "ones")))
    state = replace(STATE, pictures=both, pins=((1, 2),), selection=StateSelection(0), map="doubt")
    new = state.changed(pictures=both.showing(1))
    assert (new.picture, new.members) == (both.members[1], both.members)
    assert (new.pins, new.selection, new.compared) == ((), None, None)
    assert (new.parameters, new.map) == (state.parameters, "doubt")


def test_a_data_set_is_of_one_kind_and_shows_one_of_its_pictures() -> None:
    for bad in (-1, 1):
        with pytest.raises(ParameterError, match="one of 1"):
            PictureSet((PICTURE,), bad)
    with pytest.raises(ParameterError, match="of one kind"):
        PictureSet((PICTURE, VOLUME))


def test_a_picture_that_was_just_opened() -> None:
    session = opened(VOLUME, Parameters(window=2))
    assert session.state.parameters == session.state.suited == Parameters(window=2)
    assert session.state.slice == 2
    assert session.shown == Decoding(Parameters(window=2), session.state.sample)


def test_a_sample_beyond_its_range_is_refused() -> None:
    with pytest.raises(ParameterError, match="sample"):
        State(sample=3)


def test_a_session_keeps_no_colours_of_another_cut_by_hand() -> None:
    picture = Picture(np.eye(12, dtype=np.uint8), "eye")
    state = State(pictures=PictureSet((picture,)), parameters=Parameters(n_states=2, window=1))
    frame = new_frame(picture, state.parameters)
    assert Session.of(state, frame).coloring == frame.coloring
    assert frame.coloring is not None
    cut = HandCut((Pair((0.5,), (1.0,)),))
    assert Session.of(replace(state, hand_cut=cut), frame).coloring is None
