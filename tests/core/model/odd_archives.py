"""Files of models and classifiers in which one part has a wrong type.

``python -m tests.core.model.test_odd_archives`` tries all of them; tests try some.
"""

import copy
import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from latviz.core.errors import ParameterError

DEEP: Any = []
for _ in range(300):
    DEEP = [DEEP]
ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 3, 1.5, float("nan"), float("inf"), 10**30, "", "x", "\x1b[31m\n"),
    *([], [1], ["a", "a"], [[1], [2, 3]], [None], {}, {"a": 1}, {"x" * 1000: []}, DEEP, "9" * 5000),
)
"""Values of JSON in place of others."""
Where = tuple[str | int, ...]
_GONE = object()


def places(value: Any, here: Where = ()) -> Iterator[Where]:
    """Yield where the parts of a JSON value are; of long lists the first and the last ones."""
    if here:
        yield here
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*here, name))
    elif isinstance(value, list) and value:
        for k in {0, len(value) - 1}:
            yield from places(value[k], (*here, k))


def with_part(value: Any, where: Where, part: Any) -> Any:
    """Return a JSON value with another part somewhere, or without it."""
    changed = copy.deepcopy(value)
    inner = changed
    for step in where[:-1]:
        inner = inner[step]
    if part is _GONE:
        del inner[where[-1]]
    else:
        inner[where[-1]] = part
    return changed


def headers(header: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield headers in which one part is of another kind, or is not there."""
    for where in places(header):
        for part in (*ODD, _GONE):
            text = "gone" if part is _GONE else f"{json.dumps(part)[:30]}"
            yield f"{where} {text}", with_part(header, where, part)


def arrays(whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield arrays of which one has another shape, another type, or numbers that are none."""
    for name, array in whole.items():
        kinds: dict[str, Any] = {
            "cut": array[:-1],
            "longer": np.concatenate([array, array[:1]]),
            "empty": array[:0],
            "scalar": np.float64(1.0),
            "flat": array.reshape(-1),
            "deeper": array[None],
            "turned": array.T.copy(),
            "nan": np.full_like(array, np.nan),
            "inf": np.full_like(array, np.inf),
            "huge": np.full_like(array, 1e300),
            "negative": -array - 1,
            "zero": np.zeros_like(array),
            "text": np.full(array.shape, "a"),
            "complex": array + 1j,
            "bool": array > 0,
            "long double": array.astype(np.longdouble),
            "half": array.astype(np.float16),
            "dates": np.zeros(array.shape, "datetime64[s]"),
            "records": np.zeros(array.shape, [("a", float)]),
            "bytes": np.zeros(array.shape, "V8"),
        }
        yield f"{name} gone", {n: a for n, a in whole.items() if n != name}
        for kind, other in kinds.items():
            yield f"{name} {kind}", {**whole, name: other}
        yield f"{name} doubled", {**whole, f"{name}x": array}


def read_of(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and the arrays of a file."""
    with np.load(path) as archive:
        found = {name: archive[name] for name in archive.files}
    return json.loads(str(found.pop("header"))), found


def variants(path: Path) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield the text of the header and the arrays of a file, each with one part changed."""
    header, whole = read_of(path)
    for name, other in headers(header):
        yield name, json.dumps(other), whole
    for name, others in arrays(whole):
        yield name, json.dumps(header), others
    for odd in (3, True, None, [], "x", "[" * 100_000, "", "\0", "nan", '{"a":' * 5000, DEEP):
        yield f"header {str(odd)[:20]}", odd if isinstance(odd, str) else json.dumps(odd), whole


def faults(path: Path, use: Callable[[Path], object], step: int = 1) -> list[str]:
    """Return the variants of a file that are neither used nor refused in one line.

    One of every ``step`` variants is tried.
    """
    found, target = [], path.with_name(f"odd{path.suffix}")
    for name, header, others in islice(variants(path), 0, None, step):
        with target.open("wb") as stream:
            np.savez(stream, header=np.array(header), **others)
        try:
            use(target)
        except ParameterError as error:
            text = str(error)
            if not text.isprintable() or len(text) > 1000:
                found.append(f"{name}: said {text[:200]!r}")
        except Exception as error:  # any other error is a fault
            found.append(f"{name}: {type(error).__name__}: {str(error)[:150]}")
    return found
