import os
import time
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

from latviz.core import ParameterError
from latviz.core.data import encoding
from tests.core import fuzz

LIMIT = 1.0
"""Seconds that no call may take, once its kernels are compiled."""
CALLS = int(os.environ.get("LATVIZ_FUZZ", "3000"))
"""Calls with one or two bad arguments, drawn at random. ``LATVIZ_FUZZ=0`` means one call with each
bad value of each argument, some 17,000, and as many with two; that takes a minute."""
SEED = 20240


@cache
def targets() -> list[fuzz.Target]:
    return fuzz.targets()


@pytest.fixture(autouse=True)
def _own_registry() -> Iterator[None]:
    before = dict(encoding.ENCODINGS)
    yield
    encoding.ENCODINGS.clear()
    encoding.ENCODINGS.update(before)


def result_of(target: fuzz.Target, **values: Any) -> Any:
    """Return the result of a call; warnings are errors."""
    encoding.ENCODINGS.pop("new", None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return target.call(**values)


def fault(target: fuzz.Target, good: Any, bad: dict[str, fuzz.Bad]) -> str:
    """Return the fault in how a target treats bad arguments, or an empty text."""
    values = {name: one.value for name, one in bad.items()}
    start = time.perf_counter()
    try:
        result = result_of(target, **values)
    except ParameterError as error:
        return "" if len(str(error)) > 10 else f"says no more than {error}"
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    if time.perf_counter() - start > LIMIT:  # kernels may have been compiled
        start = time.perf_counter()
        result_of(target, **values)
        seconds = time.perf_counter() - start
        if seconds > LIMIT:
            return f"takes {seconds:.1f} s"
    if any(one.refused for one in bad.values()):
        return "takes it without a word"
    if all(one.alike for one in bad.values()) and not fuzz.same(result, good):
        return "gives another result"
    return ""


def some_calls() -> Iterator[tuple[fuzz.Target, dict[str, fuzz.Bad]]]:
    """Yield calls with one bad argument, and as many with two; see `CALLS`."""
    rng = np.random.default_rng(SEED)
    each = [
        (target, parameter, bad)
        for target in targets()
        for parameter in target.good
        for bad in fuzz.bad_values(target, parameter)
    ]
    order = rng.permutation(len(each))[: (CALLS + 1) // 2 or None]
    for k in order:
        target, parameter, bad = each[k]
        yield target, {parameter: bad}
        others = [name for name in target.good if name != parameter]
        if others:
            other = others[rng.integers(len(others))]
            more = list(fuzz.bad_values(target, other))
            yield target, {parameter: bad, other: more[rng.integers(len(more))]}


def test_bad_calls_end_in_a_result_or_a_parameter_error() -> None:
    good = {target.name: result_of(target) for target in targets()}  # which are good calls
    faults, n_calls = [], 0
    for target, bad in some_calls():
        n_calls += 1
        if wrong := fault(target, good[target.name], bad):
            told = ", ".join(f"{name}={one.name}" for name, one in bad.items())
            faults.append(f"{target.name}({told}) {wrong}")
    assert not faults, "\n".join([f"{len(faults)} of {n_calls} calls", *faults[:40]])
    assert n_calls >= CALLS * 0.9


def test_a_fault_is_told() -> None:
    """A function without checks is found by every kind of bad value."""

    def unchecked(window: int, seed: int = 0) -> float:
        if seed is None:
            return 1.0
        if isinstance(window, list) and not window:
            time.sleep(1.2 * LIMIT)
        return float(np.float64(window) / seed)

    target = fuzz.Target("unchecked", unchecked, {"window": 1, "seed": 1}, frozenset({"seed"}))
    told = {
        name: fault(target, 1.0, {parameter: bad})
        for parameter in target.good
        for bad in fuzz.bad_values(target, parameter)
        for name in (f"{parameter} {bad.name}",)
    }
    assert told["window text"].startswith("raises ValueError")
    assert told["seed zero"].startswith("raises RuntimeWarning")
    assert told["window nan"] == "takes it without a word"
    assert told["window empty list"].startswith(("takes", "raises"))
    assert told["window its own of numpy"] == ""
