"""Arguments by their old places and names: taken with a warning until the next release."""

import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from latviz.core import ParameterError
from latviz.core.renamed import renamed
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
    with pytest.raises(TypeError, match="positional"):
        found(4, 3, 2, 1)
