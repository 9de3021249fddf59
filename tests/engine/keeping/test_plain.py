"""Frozen values made plain, and back: nothing wrong becomes a value."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from latviz.core.errors import ParameterError
from latviz.engine.geometry.selection import (
    StateSelection,
)
from latviz.engine.keeping.plain import Arrays, from_plain, to_plain
from latviz.engine.keeping.session import SELECTIONS_LOST, Session, from_content, to_content
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.decoding import Coloring
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Layers, State


@dataclass(frozen=True)
class Inner:
    kind: Literal["a", "b"] = "a"
    bounds: tuple[float, float] = (0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Outer:
    volume: NDArray[np.float32]
    number: int
    inner: Inner | None = None
    parts: tuple[Inner, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)


def there_and_back(value: Any, kind: Any) -> Any:
    arrays: Arrays = {}
    plain = json.loads(json.dumps(to_plain(value, arrays, "x"), allow_nan=False))
    return from_plain(kind, plain, arrays, "x")


def test_arrays_of_any_shape_are_kept_apart() -> None:
    volume = np.random.default_rng(0).normal(size=(2, 3, 4, 5)).astype(np.float32)
    value = Outer(volume, 3, Inner("b"), (Inner(), Inner("b", (2.0, 3.0))), {"a": [1, {"b": 2}]})
    back = there_and_back(value, Outer)
    assert back.volume is volume
    assert (back.number, back.inner, back.parts) == (value.number, value.inner, value.parts)
    assert back.extra == value.extra
    picture = Picture(np.zeros((2, 3), np.uint8), "p", truth=np.ones((2, 3), np.uint8))
    again = there_and_back(picture, Picture)
    assert (again.pixels, again.labels, again.truth) == (picture.pixels, None, picture.truth)


PLAIN = {
    "$type": "Outer",
    "volume": {"$array": "v"},
    "number": 1,
    "inner": {"$type": "Inner", "kind": "a", "bounds": [0, 1]},
}


def test_fields_that_came_later_take_their_defaults() -> None:
    value = from_plain(Outer, PLAIN, {"v": np.zeros(3, np.float32)}, "x")
    assert value.parts == ()
    assert value.inner == Inner()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"number": "1"}, "x.number must be a whole number, got '1'"),
        ({"number": True}, "x.number must be a whole number"),
        ({"number": 1.5}, "x.number"),
        ({"number": None}, "x.number"),
        ({"volume": {"$array": "w"}}, "x.volume must be an array of the file"),
        ({"volume": [1, 2]}, "x.volume must be an array"),
        ({"volume": {"$array": ["v"]}}, "x.volume must be an array"),
        ({"inner": {"$type": "Other"}}, "x.inner"),
        ({"inner": 3}, "x.inner"),
        ({"inner": {"$type": "Inner", "kind": "c"}}, "x.inner.kind must be one of a, b, got 'c'"),
        ({"inner": {"$type": "Inner", "kind": ["a"]}}, "x.inner.kind"),
        ({"inner": {"$type": "Inner", "bounds": [1]}}, "x.inner.bounds must be a list of 2"),
        ({"inner": {"$type": "Inner", "bounds": [1, "x"]}}, "x.inner.bounds.1 must be a number"),
        ({"inner": {"$type": "Inner", "bounds": [1, []]}}, "x.inner.bounds.1 must be a number"),
        ({"parts": {}}, "x.parts must be a list"),
        ({"extra": []}, "x.extra must be a mapping"),
        ({"later": 1}, "a field 'later', which this latviz does not know"),
        ({"$type": "Inner"}, "x must be of type Outer"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        from_plain(Outer, PLAIN | changes, {"v": np.zeros(3, np.float32)}, "x")
    assert said in str(caught.value)


def test_a_session_that_names_what_is_retired_opens() -> None:
    parameters = Parameters()
    state = State(
        parameters=parameters,
        suited=parameters,
        views=("states", "map", "code", "why", "multiples", "tried"),
    )
    arrays: Arrays = {}
    content = to_content(Session(state), arrays)
    content["session"]["state"]["projection"]["camera"] = True
    content["session"]["state"]["cells"] = [[4, 1]]
    display = content["session"]["state"]["display"]
    display["by_score"], display["map_view"] = True, to_plain(Layers(map=True), {}, "it")
    content["session"]["trials"] = [{"$type": "Trial"}]
    assert from_content(content, arrays) == Session(state)
    assert from_content(content, arrays).note == ""
    lit = to_plain(StateSelection(1), {}, "it")
    content["session"]["state"]["kept"] = [{"$type": "Kept", "name": "sky", "selection": lit}]
    found = from_content(content, arrays)
    assert (found, found.note) == (Session(state), SELECTIONS_LOST)
    assert to_content(found, arrays) == to_content(Session(state), arrays)


def test_what_lacks_and_what_is_no_mapping() -> None:
    arrays = {"v": np.zeros(3, np.float64)}
    lacking = {name: value for name, value in PLAIN.items() if name != "number"}
    for plain, said in ((lacking, "has no field 'number'"), (PLAIN, "float32"), ([], "Outer")):
        with pytest.raises(ParameterError, match=said):
            from_plain(Outer, plain, arrays, "x")
    with pytest.raises(ParameterError, match="cannot be saved"):
        to_plain({"a": {1, 2}}, {}, "x")


@pytest.mark.parametrize("slots", [(1, 1), (-1, 0), (256,)])
def test_slots_that_cannot_be(slots: tuple[int, ...]) -> None:
    with pytest.raises(ParameterError, match="slots"):
        Coloring(slots, 5)


def test_a_coloring_of_nothing() -> None:
    with pytest.raises(ParameterError, match="n_learned"):
        Coloring((0,), 0)
