"""Arguments by their old places and names: taken with a warning until the next release."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from latviz import core
from latviz.core import ParameterError
from latviz.core.model.predicting import ELSEWHERE
from latviz.core.renamed import METHODS, PUBLIC, renamed
from tests.core import fuzz

WARNING = "by name now|is now called"


def old_calls(target: fuzz.Target) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """Yield the arguments by each old name alone, and by all old places."""
    places, names = target.function.renamed
    for old, new in names.items():
        yield [], {old if k == new else k: v for k, v in target.good.items()}
    placed = [names.get(one, one) for one in places]
    if len(placed) > 1:
        others = {k: v for k, v in target.good.items() if k not in placed}
        yield [target.good[one] for one in placed], others


@pytest.mark.parametrize("name", [t.name for t in fuzz.targets() if hasattr(t.function, "renamed")])
def test_old_scripts_run_with_a_warning(name: str) -> None:
    target = next(one for one in fuzz.targets() if one.name == name)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        wanted = target.call()
    for placed, given in old_calls(target):
        with pytest.warns(DeprecationWarning, match=WARNING):
            found = target.function(*placed, **given)
        assert fuzz.same(list(found) if isinstance(found, Iterator) else found, wanted)


def test_names_that_moved_are_found_with_a_warning() -> None:
    for old, new in PUBLIC.items():
        with pytest.warns(DeprecationWarning, match=WARNING):
            assert getattr(core, old) is getattr(core, new)
        assert new in core.__all__
    model = fuzz.discrete()
    for old, new in METHODS.items():
        with pytest.warns(DeprecationWarning, match=WARNING):
            assert getattr(model, old) == getattr(model, new)


@pytest.mark.parametrize("measure", [core.matched_accuracy, core.adjusted_rand])
def test_measures_took_a_table(measure: Any) -> None:
    one, other = fuzz.STATES, fuzz.SYMBOLS
    table = core.contingency(one, other)
    for call in (lambda: measure(table), lambda: measure(table=table)):
        with pytest.warns(DeprecationWarning, match=r"takes the two maps now: \w+\(one, other\)"):
            assert call() == measure(one, other) == measure(other, one)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_names_of_other_libraries_say_where_it_is(name: str) -> None:
    model = fuzz.discrete() if name == "means" else fuzz.gaussian()
    with pytest.raises(AttributeError, match=r"has no attribute.*: "):
        getattr(model, name)


@pytest.mark.parametrize("name", ["random_state", "channel_axis", "n_components", "nonsense"])
def test_settings_of_other_libraries_say_why_there_is_none(name: str) -> None:
    with pytest.raises(TypeError, match=f"a fit has no setting '{name}': .*(is|depend|are)"):
        core.DiscreteModel.fit(fuzz.SYMBOLS, n_states=2, window=1, **{name: 0})


def test_places_and_names_that_contradict_each_other_are_refused() -> None:
    @renamed("model observations window", width="window")
    def found(observations: int, *, model: int, window: int = 1) -> tuple[int, int, int]:
        return observations, model, window

    assert found(3, model=4) == (3, 4, 1)
    for call in (lambda: found(4, 3, 2), lambda: found(3, model=4, width=2)):
        with pytest.warns(DeprecationWarning, match=WARNING):
            assert call() == (3, 4, 2)
    for wrong in (lambda: found(4, 3, model=4), lambda: found(3, model=4, width=2, window=2)):
        with (
            pytest.warns(DeprecationWarning, match=WARNING),
            pytest.raises(ParameterError, match="given twice"),
        ):
            wrong()
    with pytest.raises(TypeError, match="by place, and by name model and window"):
        found(4, 3, 2, 1)


REFUSED: dict[str, tuple[str, dict[str, Any]]] = {
    "regions needs states: regions(observations, states=...)": ("regions", {}),
    "regions has no argument 'labels': states is its name here": ("regions", {"labels": 1}),
    "inertia needs n_states: inertia(states, n_states=..., window=...)": ("inertia", {"window": 1}),
    "sweep has no argument 'window': windows is its name here": ("sweep", {"window": [1]}),
    "stripes has no argument 'n_kinds': arguments are shape, widths": ("stripes", {"n_kinds": 2}),
}
"""Refusals of calls with one array, by the names of functions and other arguments."""


@pytest.mark.parametrize("text", REFUSED)
def test_a_call_that_does_not_fit_says_what_does(text: str) -> None:
    name, given = REFUSED[text]
    with pytest.raises(TypeError) as found:
        getattr(core, name)(fuzz.STATES, **given)
    assert str(found.value).startswith(text)
    assert "\n" not in str(found.value)


def test_errors_inside_a_call_stay_as_they_are() -> None:
    @renamed()
    def found(number: int) -> int:
        return number + "1"  # type: ignore[operator]

    with pytest.raises(TypeError, match="unsupported operand"):
        found(1)


def test_a_model_is_learned_by_fit_not_by_its_constructor() -> None:
    with pytest.raises(TypeError, match=r"DiscreteModel\.fit\(observations, .* learns one"):
        core.DiscreteModel(n_components=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="a fit needs n_states and window: "):
        core.DiscreteModel.fit(fuzz.SYMBOLS)
