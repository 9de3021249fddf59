"""Integers of NumPy: every public function computes with the Python int of the same value."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import latviz
from latviz import core
from latviz.core import ParameterError
from tests.core import fuzz
from tests.core.test_fuzz import result_of, targets

LARGE = 120
"""A uint8 whose double and square are others."""
OF_ONE_TYPE = {"image", "labels", "values", "colors"}
"""Parameters for arrays whose unit or meaning is that of their dtype."""
CHECKS = {"check_integer", "check_integers", "check_number", "check_seed", "check_shape"}
CHECKS |= {"check_states", "check_window", "check_windows"}


def integers(target: fuzz.Target) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Yield parameters that are integers, a value of each, and the same of NumPy's types."""
    for name, good in target.good.items():
        if type(good) is int:
            yield name, good, (np.int16(good), np.int64(good), np.array(good, np.int8))
            yield name, LARGE, (np.uint8(LARGE),)
        elif isinstance(good, list | tuple) and all(type(one) is int for one in good):
            small = type(good)(map(np.uint8, good))
            yield name, good, (small, np.array(small)) if isinstance(good, list) else (small,)
        elif isinstance(good, np.ndarray) and name not in OF_ONE_TYPE and _is_small(good):
            yield name, good.astype(np.int64), (good.astype(np.uint8), good.astype(np.int16))


def _is_small(array: Any) -> bool:
    return bool((array == np.clip(np.rint(array), 0, 127)).all())


def test_integers_of_numpy_are_as_good_as_ints() -> None:
    """Where an int is refused, so are they; else their result is the same, without a warning."""
    faults, n_calls = [], 0
    for target in targets():
        for name, value, others in integers(target):
            try:
                expected = result_of(target, **{name: value})
            except ParameterError:
                continue
            for other in others:
                n_calls += 1
                try:
                    same = fuzz.same(result_of(target, **{name: other}), expected)
                except Exception as error:
                    faults.append(f"{target.name}({name}={other!r}): {type(error)}: {error}")
                else:
                    faults += [] if same else [f"{target.name}({name}={other!r}) differs"]
    assert not faults, "\n".join(faults)
    assert n_calls > 500


def test_several_windows_may_be_of_numpy() -> None:
    small = core.DiscreteModel.fit(
        fuzz.SYMBOLS, n_states=2, window=(np.uint8(1), np.uint8(200)), codebook_window=np.int8(2)
    )
    large = core.DiscreteModel.fit(fuzz.SYMBOLS, n_states=2, window=(1, 200), codebook_window=2)
    assert fuzz.same(small, large)
    assert type(small.further_windows[0]) is int


def test_the_largest_symbol_plus_one_overflows_where_it_is_written() -> None:
    """B has 4 columns for symbols up to 3; 255 + 1 of bytes is 0, which no code can undo."""
    symbols = np.arange(64, dtype=np.uint8).reshape(8, 8) % 4
    model = core.DiscreteModel.fit(symbols, n_states=3, window=2, n_symbols=symbols.max() + 1)
    assert model.B.shape == (3, 4)
    with np.errstate(over="ignore"):
        none = np.uint8(255) + np.uint8(1)
    with pytest.raises(ParameterError, match=r"from 1 to 65536, got 0 of uint8, .*int\("):
        core.DiscreteModel.fit(symbols, n_states=3, window=2, n_symbols=none)


def test_code_computes_with_what_a_check_of_a_number_returns() -> None:
    """A check that stands alone would let NumPy's number through, and later sums overflow."""
    root = Path(latviz.__file__).parent
    texts = {
        path.relative_to(root): path.read_text(encoding="utf-8")
        for part in ("core", "wings")
        for path in sorted((root / part).rglob("*.py"))
    }
    alone = [
        f"{path}:{call.lineno}"
        for path, text in texts.items()
        if any(f"\n{' ' * indent}check_" in text for indent in (4, 8, 12))
        for line in ast.walk(ast.parse(text))
        if isinstance(line, ast.Expr)
        for call in ast.walk(line)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in CHECKS
        and any(isinstance(given, ast.Name) for given in call.args)
    ]
    assert not alone, f"write: n = check_integer(..., n, ...): {alone}"
