"""The meaning of expressions in lessons: numbers of the program's own frames.

An expression is evaluated on a `FactSource`: `Facts` computes any frame of a demo, to check
lessons; `LessonScreen` has only the frame on screen, for steps about the user's own picture.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from inspect import signature
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from latviz import core, engine
from latviz.core import segmentation
from latviz.core.data.observations import Observations
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.engine.choosing.tradeoff import WINDOWS, TradeOff
from latviz.engine.choosing.window_effects import best_range
from latviz.engine.frames.border import in_order
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.frames.requests import request_of
from latviz.engine.indices import INDICES, Index
from latviz.engine.lessons.causes import CAUSES, without
from latviz.engine.lessons.expressions import Constant, Value, evaluated
from latviz.engine.lessons.lesson import LessonError, LessonStep, Number
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters, check_range
from latviz.engine.settings.state import Node, State

_RESULTS: Mapping[str, str] = {
    "code_length": "code_lengths",
    "code_length_of_one": "code_lengths",
    "bits": "evaluation",
    "data_bits": "evaluation",
    "contrast": "relief",
    "side": "relief",
    "refined_bits": "refined",
}
"""The results that a frame needs for each fact, apart from indices and the truth."""
"""Facts that need true states, which the user's own picture lacks."""
_AXES = ("row", "column")


class FactSource(Protocol):
    """The source of values for expressions."""

    @property
    def picture(self) -> Picture:
        """The picture."""

    def frame(self, parameters: Parameters, needs: frozenset[str] = frozenset(), /) -> Frame:
        """Return its frame under some parameters with some results; TypeError if it has none."""

    def trade_off(self, parameters: Parameters) -> TradeOff:
        """Return the scores of its N and w with an encoding; raises in the same way."""

    def without(self, cause: str) -> "FactSource":
        """Return the source of the same picture without one of `CAUSES`; raises in the same way."""

    def under(self, demo: str, parameters: Parameters, /) -> "FactSource":
        """Return the source of the same picture under a demo's model; raises in the same way."""


@dataclass(frozen=True)
class LessonScreen:
    """The frame on screen, and the scores of other N and w so far."""

    shown: Frame
    known: TradeOff | None

    @property
    def picture(self) -> Picture:
        """The picture on screen."""
        return self.shown.request.picture

    def frame(self, parameters: Parameters, _needs: frozenset[str] = frozenset(), /) -> Frame:
        """Return the frame, if it has these parameters, with the results that it has."""
        if parameters != self.shown.request.parameters:
            raise TypeError("it is not on screen")
        return self.shown

    def trade_off(self, parameters: Parameters) -> TradeOff:
        """Return the known trade-off, if it has this codebook."""
        shown = self.shown.request.parameters
        if self.known is None or _learned_by(parameters) != _learned_by(shown):
            raise TypeError("it is not known yet")
        return self.known

    def without(self, cause: str) -> FactSource:
        """Raise TypeError: only a demo's causes can be taken away."""
        raise TypeError(f"only a demo can be without {cause}")

    def under(self, demo: str, _parameters: Parameters, /) -> FactSource:
        """Raise TypeError: only demos are compared."""
        raise TypeError(f"only a demo can be under the model of {demo}")


class Facts:
    """Numbers of a demo under any parameters; each frame is computed once.

    ``opened`` is the initial state of the demo, with its picture.
    """

    def __init__(self, opened: State) -> None:
        assert opened.pictures is not None
        self.opened = opened
        self._pipeline = engine.flow.pipeline.Pipeline()
        self._frames: dict[Parameters, Frame] = {}
        self._trade_offs: dict[object, TradeOff] = {}
        self._without: dict[str, Facts] = {}
        self.others: Callable[[str], Facts] | None = None  # the facts of other demos

    @property
    def picture(self) -> Picture:
        """The demo."""
        picture = self.opened.picture
        assert picture is not None
        return picture

    def frame(self, parameters: Parameters, needs: frozenset[str] = frozenset(), /) -> Frame:
        """Return the frame of some parameters, learned from all signatures, with some results."""
        known = self._frames.get(parameters)
        if known is None or not needs <= known.request.needs:
            check_range(parameters, PictureSet((self.picture,)).facts)
            state = replace(self.opened, parameters=parameters)
            before = frozenset[str]() if known is None else known.request.needs
            needed = before.union(needs, ["truth"] if state.knows_truth else [])
            request = request_of(state, needed, complete=True)
            self._frames[parameters] = self._pipeline.aside().run(request, Listener())
        return self._frames[parameters]

    def show(self, parameters: Parameters) -> None:
        """Show these parameters, so that the next states are numbered like theirs."""
        check_range(parameters, PictureSet((self.picture,)).facts)
        state = replace(self.opened, parameters=parameters)
        self._pipeline.run(request_of(state, frozenset(), complete=True), Listener())
        self._frames.clear()

    def begin(self) -> None:
        """Start with an empty screen."""
        self._pipeline = engine.flow.pipeline.Pipeline()
        self._frames.clear()

    def trade_off(self, parameters: Parameters) -> TradeOff:
        """Return the scores of every N and w with the codebook of some parameters."""
        learned_by = _learned_by(parameters)
        if learned_by not in self._trade_offs:
            sweeping, frame = engine.choosing.sweeping.Sweeping(), self.frame(parameters)
            while (found := sweeping.next(frame, Watch(lambda: False))) is not None:
                self._trade_offs[learned_by] = found
        return self._trade_offs[learned_by]

    def without(self, cause: str) -> "Facts":
        """Return the facts of the demo without one of `CAUSES`."""
        if cause not in self._without:
            pictures = PictureSet((without(cause, self.picture),))
            self._without[cause] = Facts(replace(self.opened, pictures=pictures))
        return self._without[cause]

    def under(self, demo: str, parameters: Parameters, /) -> "Facts":
        """Return the facts of the demo under the model that is learned from another one."""
        if self.others is None:
            raise TypeError("there are no other demos here")
        frame = self.others(demo).frame(parameters)
        given = Given(frame.decoding_model, frame.observations.encoder, demo)
        return Facts(replace(self.opened, given=given))


def _learned_by(parameters: Parameters) -> tuple[Any, ...]:
    """Return the parameters that all settings of a trade-off have in common."""
    return parameters.encoding, parameters.fit.common


def value(
    source: FactSource | None,
    expression: str,
    parameters: Parameters,
    names: Mapping[str, int] | None = None,
) -> Value:
    """Return the value of an expression, under parameters that its calls may change."""
    # Without a ``source`` it can call no facts. ``names``, the answers of the user, may be called
    # by name

    def call(name: str, given: list[Constant], changes: dict[str, Constant]) -> Value | None:
        if name not in every_fact():
            raise LessonError(f"{name[:60]!r} is not one of {', '.join(every_fact())}")
        if source is None:
            raise LessonError("nothing is on screen yet")
        learned = changes.pop("learned", None)
        cause = changes.pop("without", None)
        if cause is not None and cause not in CAUSES:
            raise LessonError(f"“without” must be one of {', '.join(CAUSES)}, got {cause!r}")
        wanted = _changed(parameters, changes)
        of = source if learned is None else source.under(str(learned), wanted)
        return _fact(of, name, given, wanted, cause)

    return evaluated(expression, names or {}, call)


def _fact(
    source: FactSource,
    name: str,
    given: list[Constant],
    parameters: Parameters,
    cause: Constant = None,
) -> Value | None:
    """Return a fact, of whole numbers, as many as it takes; without a cause if one is named."""
    fact = every_fact()[name]
    numbers_of = list(signature(fact).parameters.values())[2:]
    takes_any = any(one.kind is one.VAR_POSITIONAL for one in numbers_of)
    n_given, n_wanted = len(given), len(numbers_of) - takes_any
    if n_given < n_wanted or (n_given > n_wanted and not takes_any):
        raise LessonError(f"{name} takes {n_wanted} numbers, got {n_given}")
    if not all(type(one) is int for one in given):
        raise LessonError(f"{name} takes whole numbers, got {', '.join(map(repr, given))}")
    try:
        if cause is not None:
            source = source.without(str(cause))
        if needs := _needs({name}):
            source.frame(parameters, needs)
        return fact(source, parameters, *given)
    except LessonError:
        raise
    except (TypeError, LookupError, AttributeError, ValueError, ArithmeticError) as error:
        raise LessonError(f"it cannot be computed: {error}") from error


def _changed(parameters: Parameters, changes: Mapping[str, Constant]) -> Parameters:
    """Return the parameters with the changes of a call."""
    known = {row.field.rpartition(".")[2]: row for row in rows(Parameters)}
    for name, changed in changes.items():
        if name not in known:
            raise LessonError(f"{name[:60]!r} is not a parameter")
        try:
            parameters = known[name].put(parameters, changed)
        except ParameterError as error:
            raise LessonError(str(error)) from error
    return parameters


def _truth(source: FactSource, parameters: Parameters) -> Any:
    truth = source.frame(parameters).truth
    if truth is None:
        raise TypeError("the states of this demo are not known")
    return truth


def _range(source: FactSource, parameters: Parameters) -> tuple[int, int]:
    known = source.trade_off(parameters)
    found = best_range(tuple(known.row(parameters.n_states)))
    if found is None:
        raise TypeError("not all windows are computed yet")
    return found


def _best(source: FactSource, parameters: Parameters) -> int:
    known = source.trade_off(parameters)
    best = known.best_window(parameters.n_states)
    if best is None or len(known.row(parameters.n_states)) < len(WINDOWS):
        raise TypeError("not all windows are computed yet")
    return best


def _within(what: str, number: int, first: int, last: int) -> int:
    """Return a number that is from the first to the last there is, or raise `LessonError`."""
    if not first <= number <= last:
        raise LessonError(f"a {what} must be from {first} to {last}, got {number}")
    return number


def _symbols(source: FactSource, parameters: Parameters) -> int:
    """Return the number of symbols."""
    observations = source.frame(parameters).observations
    if not observations.discrete:
        raise LessonError("this encoding has no symbols")
    return observations.n_symbols


def _count(source: FactSource, parameters: Parameters, symbol: int, *node: int) -> int:
    """Return the count of a symbol in the window of a node."""
    _within("symbol", symbol, 0, _symbols(source, parameters) - 1)
    window = _window(source.frame(parameters).observations.values, parameters.window, node)
    return int((window == symbol).sum())


def _state_at(source: FactSource, parameters: Parameters, *node: int) -> int:
    """Return the state of a node, from 1."""
    return int(_window(source.frame(parameters).states, 0, node).item()) + 1


def _errors(source: FactSource, parameters: Parameters, *node: int) -> int:
    """Return the number of nodes in the window of a node that are not in their true state."""
    return int(_window(_truth(source, parameters).wrong, parameters.window, node).sum())


def _share(source: FactSource, parameters: Parameters, state: int) -> float:
    """Return the share of nodes in a state."""
    frame = source.frame(parameters)
    counts = frame.occupancy
    return float(counts[_within("state", state, 1, len(counts)) - 1] / source.picture.n_known)


def _potential(source: FactSource, parameters: Parameters, i: int, j: int) -> float:
    """Return an entry of A."""
    A = source.frame(parameters).model.A
    row, column = (_within("state", state, 1, len(A)) - 1 for state in (i, j))
    return float(A[row, column])


def _emitted(source: FactSource, parameters: Parameters, i: int, j: int) -> float:
    """Return an entry of B: of a state, and of a symbol, which counts from 0."""
    model, n_symbols = source.frame(parameters).model, _symbols(source, parameters)
    row = _within("state", i, 1, model.n_states) - 1
    return float(model.codebook[row, _within("symbol", j, 0, n_symbols - 1)])


def _numbers(source: FactSource, parameters: Parameters) -> Any:
    """Return the model, if a pixel is one number."""
    model = source.frame(parameters).model
    if model.kind != "gaussian" or model.codebook.shape[1] != 1:
        raise LessonError("in this encoding a pixel is not one number")
    return model


def _mean(source: FactSource, parameters: Parameters, state: int) -> float:
    """Return the mean of a state, an entry of mu."""
    codebook = _numbers(source, parameters).codebook
    return float(codebook[_within("state", state, 1, len(codebook)) - 1, 0])


def _deviation(source: FactSource, parameters: Parameters, state: int) -> float:
    """Return the standard deviation of the numbers in a state, the root of an entry of Sigma."""
    covariances = _numbers(source, parameters).covariances
    return math.sqrt(covariances[_within("state", state, 1, len(covariances)) - 1, 0, 0])


def _kinds(source: FactSource, parameters: Parameters, *node: int) -> int:
    """Return the number of states in the window of a node."""
    window = _window(source.frame(parameters).states, parameters.window, node)
    return len(np.unique(window))


def _sides(
    source: FactSource, parameters: Parameters, node: tuple[int, ...]
) -> "segmentation.relief.Sides":
    """Return what makes the contrast at a node."""
    frame = source.frame(parameters)
    _window(frame.states, 0, node)  # it must be inside
    found: segmentation.relief.Relief = frame.results["relief"]
    return found.sides(node)


def _contrast(source: FactSource, parameters: Parameters, *node: int) -> float:
    """Return the contrast of the signatures on both sides of a node."""
    return _sides(source, parameters, node).contrast


def _side(source: FactSource, parameters: Parameters, side: int, *node: int) -> float:
    """Return the share that differs most, on the first (1) or second (2) side of a node."""
    shares, _ = in_order(_sides(source, parameters, node))
    return shares[_within("side", side, 1, 2) - 1]


def _window(values: NDArray[Any], w: int, node: tuple[int, ...]) -> NDArray[Any]:
    """Return the values in the clipped window of a node."""
    if len(node) != values.ndim:
        raise LessonError(f"a pixel has {values.ndim} numbers, got {len(node)}")
    for at, length in zip(node, values.shape, strict=True):
        _within("place of a pixel", at, 0, length - 1)
    return values[tuple(slice(max(0, at - w), at + w + 1) for at in node)]


def _bits(source: FactSource, nats: float) -> float:
    """Return bits per node for a sum over all nodes in nats."""
    return nats / math.log(2) / source.picture.n_known


def _nodes(source: FactSource, parameters: Parameters) -> int:
    return int((2 * parameters.window + 1) ** source.picture.dimensions)


@lru_cache(maxsize=2)
def _factorial(observations: Observations, sizes: tuple[int, ...]) -> "core.FactorialModel":
    return core.FactorialModel.fit(
        observations.values,
        n_states=sizes,
        kind="discrete" if observations.discrete else "gaussian",
        n_symbols=observations.n_symbols,
    )


def _strength(source: FactSource, parameters: Parameters, chain: int, *sizes: int) -> float:
    """Return the strength of a chain, counted from 1."""
    place = _within("chain", chain, 1, len(sizes)) - 1
    return _factorial(source.frame(parameters).observations, sizes).strengths[place]


Fact = Callable[..., Value | None]
FACTS: Mapping[str, Fact] = {
    "n_states": lambda _, p: p.n_states,
    "n_symbols": _symbols,
    "window": lambda _, p: p.window,
    "n_pixels": lambda f, _: f.picture.n_known,
    "window_pixels": _nodes,
    "count": _count,
    "kinds": _kinds,
    "state_at": _state_at,
    "errors": _errors,
    "accuracy": lambda f, p: _truth(f, p).accuracy,
    "code_length": lambda f, p: f.frame(p).code_lengths.states.bits,
    "code_length_of_one": lambda f, p: f.frame(p).code_lengths.one.bits,
    "bits": lambda f, p: f.frame(p).evaluation.bits_per_node,
    "data_bits": lambda f, p: _bits(f, f.frame(p).evaluation.data_term),
    "share": _share,
    "contrast": _contrast,
    "side": _side,
    "refined_bits": lambda f, p: f.frame(p).results["refined"].bits,
    "strength": _strength,
    "mean": _mean,
    "deviation": _deviation,
    "A": _potential,
    "B": _emitted,
    "best_window": _best,
    "right_from": lambda f, p: _range(f, p)[0],
    "right_to": lambda f, p: _range(f, p)[1],
}
"""Facts by name, except indices: functions of the source, the parameters, and further arguments.
States count from 1."""


def every_fact() -> Mapping[str, Fact]:
    """Return all facts by their names, those of each index among them."""
    found = dict[str, Fact]()
    for name, row in INDICES.items():
        found[name] = partial(_of_frame, row.of)
        if row.truth is not None:
            found[f"true_{name}"] = partial(_of_truth, row)
        if row.noise is not None:
            found[f"noise_{name}"] = partial(_of_frame, row.of_noise)
    return {**found, **FACTS}


def _of_frame(
    of: Callable[[Frame], float | None], source: FactSource, parameters: Parameters
) -> float | None:
    return of(source.frame(parameters))


def _of_truth(row: Index, source: FactSource, parameters: Parameters) -> float | None:
    _truth(source, parameters)
    return row.of_truth(source.frame(parameters))


def is_right(number: Number, so: Value) -> bool:
    """Return True if a number, as shown, is a value rounded to its decimals."""
    text = number.shown.replace(",", "").replace("−", "-").replace("\N{NO-BREAK SPACE}", " ")
    found = re.fullmatch(r"(-?\d*\.?\d+)( ?%)?", text.strip())
    if found is None or not math.isfinite(so):
        return False
    decimals = len(found[1].partition(".")[2])
    scaled = 100 * so if found[2] else so
    return abs(scaled - float(found[1])) <= 0.5 * 10.0**-decimals * (1 + 1e-9)


def written(like: Number, so: Value) -> str:
    """Return a value with as many decimals as a number is shown with, in percent if it is."""
    percent = like.shown.endswith("%")
    decimals = len(like.shown.rstrip(" %").partition(".")[2])
    text = f"{100 * so if percent else so:,.{decimals}f}{' %' if percent else ''}"
    return text.replace("-", "\N{MINUS SIGN}")


def results_for(written: Iterable[Number]) -> frozenset[str]:
    """Return the results that the expressions of some numbers must find in a frame."""
    return _needs({name for number in written for name in called(number)})


def _needs(called: Set[str]) -> frozenset[str]:
    """Return the results of a frame that some facts read."""
    of_indices = [row.needs for name, row in INDICES.items() if name in called]
    of_noise = ["noise"] if called & {f"noise_{name}" for name in INDICES} else []
    found = (_RESULTS[name] for name in called if name in _RESULTS)
    return frozenset[str](found).union(of_noise, *of_indices)


def called(number: Number) -> set[str]:
    """Return the facts that an expression calls."""
    return set(re.findall(r"(\w+)\(", number.expression))


def is_right_answer(step: LessonStep, given: int | Node, screen: LessonScreen | None) -> bool:
    """Return True if an answer is right for the frame on screen; raise LessonError without one."""
    if not step.right:
        answer = step.guess.answer
        return answer is not None and given == int(answer.shown)
    names = {"guess": given} if isinstance(given, int) else dict(zip(_AXES, given, strict=True))
    parameters = Parameters() if screen is None else screen.shown.request.parameters
    return value(screen, step.right, parameters, names) is True
