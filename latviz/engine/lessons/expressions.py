"""Expressions of lessons: arithmetic, comparisons and calls, with bounded numbers and work.

Lessons may come from others, and the window evaluates them on its own thread. So only the
operations listed here can run.
"""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from latviz.core.disk.errors import shortened
from latviz.engine.lessons.lesson import LessonError

Value = float | bool
Constant = float | bool | str | None
"""The type of a call's arguments."""
Call = Callable[[str, list[Constant], dict[str, Constant]], Any]
"""Returns the value of a fact, by its name, its numbers, and the parameters that it names."""
MOST_CHARACTERS = 400
MOST_PARTS = 150
"""Of an expression: names, numbers, operators and calls."""
LARGEST = 1e15
"""The limit up to which whole numbers are exact."""
_CHARACTERS = re.compile(r"[A-Za-z0-9_ .,()+*/<>=!\"'-]*")
_GLUED = re.compile(r"[\d.](?![eE][+-]?\d)[A-Za-z_]")
"""A number and a word without a space, of which Python would warn."""


def _power(base: float, exponent: float) -> float:
    try:
        return math.pow(base, exponent)
    except (OverflowError, ValueError):
        raise ZeroDivisionError from None


_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: _power,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}


def evaluated(text: str, names: Mapping[str, int], call: Call) -> Value:
    """Return the value of an expression; a LessonError refuses it."""
    # ``names`` are the values available by name; ``call`` returns the value of a fact, or None if
    # unknown. Too long expressions, and values that are not finite or beyond `LARGEST`, are refused
    return _Evaluation(shortened(text), names, call).of(_parsed(text))


def _parsed(text: str) -> ast.expr:
    """Return the tree of an expression that is not too long."""
    refused = f"{shortened(text)!r} is not an expression"
    if len(text) > MOST_CHARACTERS:
        raise LessonError(
            f"{refused}: it may have at most {MOST_CHARACTERS} characters, got {len(text)}"
        )
    if not _CHARACTERS.fullmatch(text) or _GLUED.search(text):
        raise LessonError(refused)
    try:
        body = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise LessonError(refused) from None
    if sum(1 for _ in ast.walk(body)) > 2 * MOST_PARTS:  # a part has a node, and one for its kind
        raise LessonError(f"{refused}: it may have at most {MOST_PARTS} parts")
    return body


@dataclass(frozen=True)
class _Evaluation:
    """An expression in the midst of being evaluated; ``whole`` is its text."""

    whole: str
    names: Mapping[str, int]
    call: Call

    def of(self, node: ast.expr) -> Value:
        """Return the value of a part."""
        if isinstance(node, ast.Constant):
            return self._bounded(node.value, node)
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.names[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.of(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            return self._computed(node)
        if isinstance(node, ast.Compare) and all(type(op) in _OPERATORS for op in node.ops):
            sides = [self.of(part) for part in (node.left, *node.comparators)]
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            return all(_OPERATORS[type(op)](a, b) for op, a, b in pairs)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._called(node.func.id, node)
        raise self._error(node, "cannot be used in lessons")

    def _computed(self, node: ast.BinOp) -> Value:
        left, right = (self.of(part) for part in (node.left, node.right))
        try:
            found = _OPERATORS[type(node.op)](left, right)
        except ZeroDivisionError:
            raise self._error(node, "is not a number") from None
        return self._bounded(found, node)

    def _called(self, name: str, node: ast.Call) -> Value:
        if any(keyword.arg is None for keyword in node.keywords):
            raise self._error(node, "cannot be used in lessons")
        given = [self._constant(argument) for argument in node.args]
        named = {str(one.arg): self._constant(one.value) for one in node.keywords}
        try:
            found = self.call(name, given, named)
        except LessonError as error:
            raise LessonError(f"{self.whole!r}: {error}") from error
        if found is None:
            raise LessonError(f"{self.whole!r} is not known")
        return self._bounded(found, node)

    def _constant(self, node: ast.expr) -> Constant:
        if isinstance(node, ast.Constant) and isinstance(node.value, str | None):
            return node.value
        if isinstance(node, ast.Constant | ast.Name):
            return self.of(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            return self.of(node)
        raise self._error(node, "must be a value")

    def _bounded(self, value: Any, node: ast.expr) -> Value:
        """Return a number that is finite and not too large, as one of Python's own."""
        found = value.item() if isinstance(value, np.generic) else value
        if not isinstance(found, bool | int | float) or not -LARGEST <= found <= LARGEST:
            raise self._error(node, f"is not a finite number up to {LARGEST:g}")
        return found

    def _error(self, node: ast.expr, reason: str) -> LessonError:
        return LessonError(f"{shortened(ast.unparse(node), 60)!r} in {self.whole!r} {reason}")
