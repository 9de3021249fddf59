"""What the expressions of lessons mean: numbers of the program's own frames."""

import ast
import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from latviz import engine
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.core.truth.agreement import contingency, matched_accuracy
from latviz.engine.frame import Frame
from latviz.engine.guidance import guidance
from latviz.engine.lessons.lesson import Lesson, LessonError, Number, Step, numbers
from latviz.engine.listener import Listener, Watch
from latviz.engine.parameters import Parameters
from latviz.engine.picture import Picture
from latviz.engine.state import State, request_of
from latviz.engine.state_string import from_text
from latviz.engine.tradeoff import TradeOff

T = TypeVar("T")
Value = float | bool
_NEEDS = frozenset(
    {"inertia", "evaluation", "truth", "noise", "code_lengths", "residual_correlation"}
)
_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
}


class Facts:
    """Numbers of a demo under any parameters; each frame is computed once.

    ``opened`` is the state that the demo opens with, its picture in it.
    """

    def __init__(self, opened: State) -> None:
        assert opened.pictures is not None
        self.opened = opened
        self._pipeline = engine.pipeline.Pipeline()
        self._frames: dict[Parameters, Frame] = {}
        self._trade_offs: dict[object, TradeOff] = {}

    @property
    def picture(self) -> Picture:
        """The demo."""
        picture = self.opened.picture
        assert picture is not None
        return picture

    def frame(self, parameters: Parameters) -> Frame:
        """Return the frame of some parameters, learned from all signatures."""
        if parameters not in self._frames:
            state = replace(self.opened, parameters=parameters)
            known = _NEEDS if state.knows_truth else _NEEDS - {"truth"}
            request = request_of(state, known, complete=True)
            self._frames[parameters] = self._pipeline.aside().run(request, Listener())
        return self._frames[parameters]

    def show(self, parameters: Parameters) -> None:
        """Take it that these parameters are on screen: the next states are numbered like theirs."""
        state = replace(self.opened, parameters=parameters)
        self._pipeline.run(request_of(state, frozenset(), complete=True), Listener())
        self._frames.clear()

    def begin(self) -> None:
        """Take it that nothing was on screen yet."""
        self._pipeline = engine.pipeline.Pipeline()
        self._frames.clear()

    def trade_off(self, parameters: Parameters) -> TradeOff:
        """Return what every N and w is worth under the encoding of some parameters."""
        if parameters.encoding not in self._trade_offs:
            sweeping, frame = engine.sweeping.Sweeping(), self.frame(parameters)
            while (found := sweeping.next(frame, Watch(lambda: False))) is not None:
                self._trade_offs[parameters.encoding] = found
        return self._trade_offs[parameters.encoding]

    def value(self, expression: str, parameters: Parameters) -> Value:
        """Return what an expression is, under parameters that its calls may change.

        Raises
        ------
        LessonError
            If it is no such expression.
        """
        try:
            tree = ast.parse(expression, mode="eval")
        except SyntaxError as error:
            raise LessonError(f"{expression!r} is no expression") from error
        return self._value(tree.body, expression, parameters)

    def _value(self, node: ast.expr, whole: str, parameters: Parameters) -> Value:
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self._value(node.operand, whole, parameters)
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left, right = (self._value(n, whole, parameters) for n in (node.left, node.right))
            return _OPERATORS[type(node.op)](left, right)  # type: ignore[no-any-return]
        if isinstance(node, ast.Compare) and all(type(op) in _OPERATORS for op in node.ops):
            sides = [self._value(n, whole, parameters) for n in (node.left, *node.comparators)]
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            return all(_OPERATORS[type(op)](a, b) for op, a, b in pairs)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._called(node.func.id, node, whole, parameters)
        raise LessonError(f"{ast.unparse(node)!r} in {whole!r} means nothing in lessons")

    def _called(self, name: str, call: ast.Call, whole: str, parameters: Parameters) -> Value:
        if name not in FACTS:
            raise LessonError(f"{name!r} in {whole!r} is none of {', '.join(FACTS)}")
        given = [_constant(argument, whole) for argument in call.args]
        fields = {row.field.rpartition(".")[2]: row for row in rows(Parameters)}
        for keyword in call.keywords:
            if keyword.arg not in fields:
                raise LessonError(f"{keyword.arg!r} in {whole!r} is no parameter")
            value = _constant(keyword.value, whole)
            try:
                parameters = fields[keyword.arg].put(parameters, value)
            except ParameterError as error:
                raise LessonError(f"{whole!r}: {error}") from error
        try:
            return FACTS[name](self, parameters, *given)
        except (TypeError, IndexError, AttributeError, ValueError) as error:
            raise LessonError(f"{whole!r} cannot be: {error}") from error


def _constant(node: ast.expr, whole: str) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError as error:
        raise LessonError(f"{ast.unparse(node)!r} in {whole!r} must be a value") from error


def _truth(facts: Facts, parameters: Parameters) -> Any:
    truth = facts.frame(parameters).truth
    if truth is None:
        raise TypeError("the states of this demo are not known")
    return truth


def _range(facts: Facts, parameters: Parameters) -> tuple[int, int]:
    found = guidance(
        facts.trade_off(parameters), parameters.n_states, parameters.window, "none"
    ).range
    assert found is not None
    return found


def _best(facts: Facts, parameters: Parameters) -> int:
    best = facts.trade_off(parameters).best_window(parameters.n_states)
    assert best is not None
    return best


def _count(facts: Facts, parameters: Parameters, symbol: int, *node: int) -> int:
    """Return how often a symbol occurs in the window of a node, counted one by one."""
    values, w = facts.frame(parameters).observations.values, parameters.window
    sides = [
        range(max(0, at - w), min(length, at + w + 1))
        for at, length in zip(node, values.shape, strict=True)
    ]
    nodes = [()]
    for side in sides:
        nodes = [(*start, k) for start in nodes for k in side]  # type: ignore[misc]
    return sum(int(values[k]) == symbol for k in nodes)


def _bits(facts: Facts, nats: float) -> float:
    """Return bits a node for a sum over all nodes in nats."""
    return nats / math.log(2) / facts.picture.n_nodes


def _nodes(facts: Facts, parameters: Parameters) -> int:
    return int((2 * parameters.window + 1) ** facts.picture.dimensions)


def _changed(facts: Facts, parameters: Parameters, window: int) -> float:
    """Return the share of nodes in another state than with another window, matched at best."""
    first, second = facts.frame(parameters), facts.frame(replace(parameters, window=window))
    return 1 - matched_accuracy(contingency(first.states, second.states))


Fact = Callable[..., Value]
FACTS: Mapping[str, Fact] = {
    "n_states": lambda _, p: p.n_states,
    "window": lambda _, p: p.window,
    "n_pixels": lambda f, _: f.picture.n_nodes,
    "n_symbols": lambda f, p: f.frame(p).observations.n_symbols,
    "window_pixels": _nodes,
    "count": _count,
    "accuracy": lambda f, p: _truth(f, p).accuracy,
    "rand": lambda f, p: _truth(f, p).rand,
    "associativity": lambda f, p: f.frame(p).associativity,
    "inertia": lambda f, p: f.frame(p).inertia,
    "independence": lambda f, p: 1 - abs(f.frame(p).residual_correlation or 0.0),
    "true_associativity": lambda f, p: _truth(f, p).indices.associativity,
    "true_independence": lambda f, p: 1 - abs(_truth(f, p).indices.residual_correlation),
    "true_inertia": lambda f, p: _truth(f, p).indices.inertia,
    "noise_associativity": lambda f, p: f.frame(p).noise.associativity.max(),
    "noise_inertia": lambda f, p: f.frame(p).noise.inertia.max(),
    "code_length": lambda f, p: f.frame(p).code_lengths.states.bits,
    "code_length_of_one": lambda f, p: f.frame(p).code_lengths.one.bits,
    "bits": lambda f, p: f.frame(p).evaluation.bits_per_node,
    "data_bits": lambda f, p: _bits(f, f.frame(p).evaluation.data_term),
    "pair_bits": lambda f, p: _bits(f, f.frame(p).evaluation.pair_term),
    "share": lambda f, p, state: f.frame(p).occupancy[state - 1] / f.picture.n_nodes,
    "A": lambda f, p, i, j: f.frame(p).model.A[i - 1, j - 1],
    "B": lambda f, p, i, j: f.frame(p).model.B[i - 1, j],
    "changed": _changed,
    "best_window": _best,
    "right_from": lambda f, p: _range(f, p)[0],
    "right_to": lambda f, p: _range(f, p)[1],
}
"""By name: of the facts, the parameters, and what else is given. States count from 1."""


def is_right(number: Number, value: Value) -> bool:
    """Tell whether a number, as it is shown, is a value rounded to as many decimals."""
    text = number.shown.replace(",", "").replace("−", "-").replace("\N{NO-BREAK SPACE}", " ")
    found = re.fullmatch(r"(-?\d*\.?\d+)( ?%)?", text.strip())
    if found is None or not math.isfinite(value):
        return False
    decimals = len(found[1].partition(".")[2])
    scaled = 100 * value if found[2] else value
    return abs(scaled - float(found[1])) <= 0.5 * 10.0**-decimals * (1 + 1e-9)


def problems(lesson: Lesson, facts: Facts) -> list[str]:
    """Return all that is wrong in a lesson: states, answers, numbers; or nothing.

    ``facts`` are those of its demo.
    """
    found: list[str] = []
    facts.begin()
    try:
        state = from_text(lesson.state, facts.opened)
    except ParameterError as error:
        return [f"lesson {lesson.name}: {error}"]
    for step in lesson.steps:
        try:
            before = from_text(step.state, state)
            facts.show(before.parameters)
            found += _untrue(step, facts, before.parameters, told=False)
            state = from_text(step.after, before)
            facts.show(state.parameters)
            found += _untrue(step, facts, state.parameters, told=True)
        except ParameterError as error:
            found.append(f"lesson {lesson.name}, line {step.line}: {error}")
    return found


def _untrue(step: Step, facts: Facts, parameters: Parameters, *, told: bool) -> list[str]:
    """Return what a step says that is not so, before it has told or when it tells."""
    said = list(numbers(step.then if told else step.text))
    if step.guess.answer is not None and not told:
        said.append(step.guess.answer)
    found = []
    for number in said:
        value = facts.value(number.expression, parameters)
        if not is_right(number, value):
            found.append(f"{number.expression} is {value}, not {number.shown}")
    claims = step.holds if told else ()
    false = [claim for claim in claims if facts.value(claim, parameters) is not True]
    found += [f"it is not true that {claim}" for claim in false]
    return [f"line {step.line}: {reason}" for reason in found]
