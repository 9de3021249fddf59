"""States as one line of text."""

import json
from dataclasses import replace
from urllib.parse import quote

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.engine.frames.requests import keep
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import RangeSelection, StateSelection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.keeping.session import demo_of, from_text, to_text
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, State
from tests.core.model.odd_archives import ODD
from tests.new_frames import new_frame

OPENED = State(
    parameters=Parameters(Encoding("labels"), n_states=4, window=4),
    suited=Parameters(Encoding("labels"), n_states=4, window=4),
)


def test_only_what_differs_is_named() -> None:
    state = replace(
        OPENED,
        parameters=replace(OPENED.parameters, window=2, decoder="belief"),
        display=replace(OPENED.display, truth="errors"),
    )
    text = to_text(state, OPENED, "blobs")
    assert text == "demo=blobs&window=2&decoder=belief&display.truth=errors"
    assert from_text(text, OPENED) == state
    assert demo_of(text) == "blobs"
    assert to_text(OPENED, OPENED, "") == ""
    assert from_text("", OPENED) == OPENED


def test_former_names_of_grey_mean_what_they_meant() -> None:
    for opened in (Encoding("quantiles", 8), Encoding("lab"), Encoding("levels", level=True)):
        state = State(parameters=Parameters(opened))
        for name in ("quantiles", "levels", "grey", "levelled", "palette"):
            found = from_text(f"encoding.name={name}", state).parameters.encoding
            assert found.kind is Encoding(name).kind
            after = replace(state, parameters=Parameters(found))
            assert from_text(to_text(after, state, ""), state) == after


WITH_RETIRED = (
    "projection.camera=true&window=2&kept=[]&projection.kind=symbols&display.map_view.opacity=0.5"
)


def test_what_is_retired_is_ignored() -> None:
    state = from_text(WITH_RETIRED, OPENED)
    assert state.parameters.window == 2
    assert state.projection == Projection("symbols")


def test_a_kept_decoding_is_no_part_of_it() -> None:
    """Frames of zoomed pictures hold data that text cannot."""
    pixels = np.random.default_rng(0).integers(0, 4, (8, 9)).astype(np.uint8)
    visible = (slice(0, 4), slice(0, 5))
    frame = new_frame(Picture(pixels, "noise"), OPENED.parameters, visible=visible)
    assert to_text(replace(OPENED, compared=keep(frame), slice=0), OPENED, "blobs") == "demo=blobs"


@given(
    n_states=st.integers(1, 32),
    window=st.integers(0, 64),
    learning=st.none() | st.integers(0, 64),
    encoding=st.sampled_from([Encoding("labels"), Encoding("lab"), Encoding("quantiles", 7)]),
    alpha=st.floats(0.01, 1.0),
    kind=st.sampled_from(["likelihood", "doubt"]),
    display=st.builds(Display, opacity=st.floats(0, 1), borders=st.booleans()),
    pins=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99)), max_size=3).map(tuple),
    cut=st.builds(RegionCut, least_size=st.integers(1, 99)),
    selection=st.sampled_from([None, StateSelection(2), RangeSelection("doubt", 0.25, 1e-9)]),
)
def test_all_comes_back(
    n_states, window, learning, encoding, alpha, kind, display, pins, cut, selection
) -> None:
    parameters = Parameters(encoding, n_states, window, learning, alpha=alpha)
    state = replace(
        OPENED,
        parameters=parameters,
        map=kind,
        display=display,
        pins=pins,
        region_cut=cut,
        selection=selection,
        projection=Projection(symbols=(2, 1, 0)),
    )
    text = to_text(state, OPENED, "a name with & and = and %")
    assert "\n" not in text
    assert from_text(text, OPENED) == state
    assert demo_of(text) == "a name with & and = and %"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("window", "must look like"),
        ("window=70000", "from 0 to 65536, got 70000"),
        ("window=wide", "parameters.window must be a whole number"),
        ("windows=2", "no setting 'windows'"),
        ("parameters.$type=x", "no setting"),
        ("$type=x", "no setting"),
        ("pictures=1", "no setting 'pictures'"),
        ("views=[]", "no setting 'views'"),
        ("display=3", "of type Display"),
        ("display.truth=never", "one of hidden, states, errors"),
        ("decoder=guess", "one of nearest, belief, refined"),
        ("pins=[[1,true]]", "whole number"),
        ("window=1e999", "whole number"),
        ("encoding.name=sound", "sound"),
        ("window=" + "[" * 100_000, "parameters.window must be a whole number"),
        ("window=" + "[" * 900 + "]" * 900, "parameters.window must be a whole number"),
        ("window=" + "[" * 5000 + "]" * 5000, "parameters.window must be a whole number"),
        ("pins=" + "[" * 900 + "]" * 900, "the settings.pins.0"),
        ("selection=" + '{"a":' * 100_000, "selection must be"),
        ("window=" + "9" * 5000, "parameters.window must be a whole number"),
        ("window=NaN", "parameters.window must be a whole number"),
        ("display.opacity=NaN", "opacity must be from 0 to 1, got nan"),
        ("a" * 100_000, "must look like"),
        ("a." * 50_000 + "=1", "no setting"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(text: str, words: str) -> None:
    with pytest.raises(ParameterError, match=words.replace("[", r"\[").replace("$", r"\$")):
        from_text(text, OPENED)


@pytest.mark.parametrize("odd", [*map(json.dumps, ODD), "[" * 100_000, "9" * 5000, "NaN"])
def test_any_field_of_any_value_is_set_or_refused_in_one_line(odd: str) -> None:
    for field in ("map", "window", "pins", "alpha", "display.opacity", "selection", "slice"):
        try:
            found = from_text(f"{field}={quote(odd)}", OPENED)
        except ParameterError as error:
            text = str(error)
            assert text.isprintable(), field
            assert len(text) < 500, field
        else:
            assert from_text(to_text(found, OPENED, ""), OPENED) == found, field
