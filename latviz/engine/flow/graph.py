"""A small engine for stages that are keyed by their inputs.

A stage is a function. Its arguments are named after inputs, which a request provides, or after
other stages, which are computed first. So the key of a stage follows from its signature: the values
of all inputs that it reads, directly or through others. Keys are never written by hand. A stage is
computed again if and only if one of these inputs has a new value.
"""

import inspect
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from operator import getitem
from typing import Any, TypeVar

from latviz.core import threads
from latviz.core.progress import Cancelled, Progress

F = TypeVar("F", bound=Callable[..., Any])

SERVICES = ("watch", "progress", "yielding")
"""Services as arguments of a stage; they do not change values, so they are not in keys."""


@dataclass(frozen=True)
class Stage:
    """A function whose last values are remembered under their keys."""

    compute: Callable[..., Any]
    reads: tuple[str, ...]  # its arguments: names of inputs, other stages and services
    timed: bool = True  # its time is reported
    bulky: bool = False  # its values are so large that only the last is remembered


@dataclass(frozen=True)
class Derived(Stage):
    """A cheap function with a hashable value, which counts as an input of the stages that read it.

    They are computed again only if this value changes, not whenever its inputs do.
    """


@dataclass(frozen=True)
class Either(Stage):
    """A name for one of several stages: a function of inputs returns which one it stands for."""


class Flow:
    """The stages by their names, each defined in one place by a decorator."""

    def __init__(self, passing: tuple[str, ...] = ()) -> None:
        # Large inputs that follow each other: results of the last one are dropped before computing
        # those of the next
        self.passing = passing
        self._read = {*passing}
        self._stages: dict[str, Stage] = {}

    def __getitem__(self, name: str) -> Stage:
        return self._stages[name]

    def names(self) -> list[str]:
        """Return the names of all stages, in the order of their definitions."""
        return list(self._stages)

    @property
    def inputs(self) -> set[str]:
        """The names that stages read, but for those of stages and services; passing ones, too."""
        return self._read - self._stages.keys() - {*SERVICES}

    def stage(self, function: F) -> F:
        """Define a stage, under the function's name."""
        return self._define(function, Stage)

    def quick(self, function: F) -> F:
        """Define a stage too quick to be timed."""
        return self._define(function, Stage, timed=False)

    def bulky(self, function: F) -> F:
        """Define a stage with numbers of every node, which caches only the last value."""
        return self._define(function, Stage, bulky=True)

    def derived(self, function: F) -> F:
        """Define an input that follows from others."""
        return self._define(function, Derived)

    def either(self, function: F) -> F:
        """Define a name that stands for one of several stages."""
        return self._define(function, Either)

    def choice(self, name: str, otherwise: str, **conditions: str) -> None:
        """Define a name that stands for the stage of the first condition that holds.

        Conditions are inputs. One holds if its value is true, or is something and not None.
        """

        def chosen(*values: Any) -> str:
            each = zip(values, conditions.values(), strict=True)
            return next((stage for value, stage in each if value), otherwise)

        self._add(name, Either(chosen, tuple(conditions)))

    def part(self, name: str, of: str, at: str) -> None:
        """Define a stage that takes a part of another one's value: the items at a third's."""
        self._add(name, Stage(getitem, (of, at), timed=False))

    def _define(self, function: F, kind: type[Stage], **options: Any) -> F:
        reads = tuple(inspect.signature(function).parameters)
        self._add(function.__name__, kind(function, reads, **options))
        return function

    def _add(self, name: str, stage: Stage) -> None:
        if name in self._stages or name in SERVICES:
            raise ValueError(f"there is a stage or a service called {name!r} already")
        self._stages[name] = stage
        self._read |= {*stage.reads}


class Graph:
    """Computes the stages of a flow, and remembers the last values of each."""

    # One thread at a time uses it

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self.room = 1  # the number of values of each stage in the cache, most recent ones
        self._remembered: dict[str, list[tuple[Hashable, Any]]] = {}
        self._inputs: dict[str, Any] = {}
        self._answers: dict[str, Any] = {}
        self._keys: dict[str, Hashable] = {}
        self._timings: dict[str, float] = {}
        self._started: dict[str, Callable[[], tuple[Any, float]]] = {}

    def begin(self, inputs: Mapping[str, Any], **services: Progress) -> None:
        """Take the inputs of another request, and the services that watch it."""
        # Values are forgotten if they follow from an input that is None now, or a passing one that
        # changed: a key would keep it in memory
        before = self._inputs
        gone = [before[n] for n, v in inputs.items() if v is None and before.get(n) is not None]
        passed = ((before.get(name), inputs.get(name)) for name in self._flow.passing)
        gone += [last for last, new in passed if last is not None and last != new]
        if gone:
            self._forget(gone)
        self._inputs = dict(inputs)
        self._answers = {**inputs, **services}
        self._keys = {}
        self._timings = {}
        self._started = {}

    def _forget(self, gone: list[Any]) -> None:
        """Drop all results of some values of inputs."""
        found: dict[int, bool] = {}  # by the identity of keys: many of them are parts of several

        def follows(part: Hashable) -> bool:
            if id(part) not in found:
                inner = isinstance(part, tuple) and any(map(follows, part))
                found[id(part)] = inner or part in gone
            return found[id(part)]

        for values in self._remembered.values():
            values[:] = [(key, value) for key, value in values if not follows(key)]

    def give(self, **inputs: Any) -> None:
        """Add inputs that were not known from the beginning; keys may follow from them."""
        self._inputs |= inputs
        self._answers |= inputs
        self._keys = {}

    def forget(self) -> None:
        """Clear the cache."""
        self._remembered.clear()

    @property
    def timings(self) -> dict[str, float]:
        """Seconds of each stage since `begin`, without the stages that it called."""
        return dict(self._timings)

    def ask(self, name: str) -> Any:
        """Return the value of an input or a stage, remembered or computed."""
        # After `Cancelled` stages that were done are remembered
        if name not in self._answers:
            self._answers[name] = self._answer(name, self._flow[name])
        return self._answers[name]

    def start(self, *names: str) -> None:
        """Start stages on another thread, in order, if they are not cached.

        A stage may read earlier ones; other inputs are computed at once.
        """
        left = [name for name in names if not self.knows(name)]
        reads = {read for name in left for read in self._flow[name].reads}
        values = {read: self.ask(read) for read in reads.difference(left)}

        @cache  # even on one thread: the first call computes
        def compute() -> dict[str, tuple[Any, float]]:
            found = {}
            for name in left:
                stage = self._flow[name]
                found[name] = _timed(stage, [values[read] for read in stage.reads])
                values[name] = found[name][0]
            return found

        if left:
            wait = threads.in_background(compute)
            self._started |= {name: partial(_one_of, wait, name) for name in left}

    def _answer(self, name: str, stage: Stage) -> Any:
        if isinstance(stage, Either):
            return self.ask(self._chosen(stage))
        if isinstance(stage, Derived):
            return stage.compute(*map(self.ask, stage.reads))
        key, values = self.key(name), self._remembered.setdefault(name, [])
        at = next((at for at, (known, _) in enumerate(values) if known is key), None)
        if at is None:
            value = self._computed(name, stage, [self.ask(read) for read in stage.reads])
        else:
            _, value = values.pop(at)
        values.insert(0, (key, value))
        del values[1 if stage.bulky else self.room :]
        return value

    def _computed(self, name: str, stage: Stage, values: list[Any]) -> Any:
        if self.ask("watch").cancelled():
            raise Cancelled
        started = self._started.pop(name, None)
        value, seconds = _timed(stage, values) if started is None else started()
        if stage.timed:
            title = name.replace("_", " ")
            self._timings[title] = self._timings.get(title, 0.0) + seconds
        return value

    def knows(self, name: str) -> bool:
        """Return True if the value of a stage is remembered for these inputs."""
        stage = self._flow[name]
        if isinstance(stage, Either):
            return self.knows(self._chosen(stage))
        key = self.key(name)
        return any(known is key for known, _ in self._remembered.get(name, ()))

    def key(self, name: str) -> Hashable:
        """Return a stage's name with the keys of its inputs; for an input its value."""
        # Equal keys of one stage are one object, so comparing two of them does not go deep
        if name in self._inputs:
            value: Hashable = self._inputs[name]
            return value
        if name not in self._keys:
            self._keys[name] = self._key_of(name, self._flow[name])
        return self._keys[name]

    def _key_of(self, name: str, stage: Stage) -> Hashable:
        """Return the key of a stage, a remembered one if it is the same."""
        if isinstance(stage, Either):
            return self.key(self._chosen(stage))
        if isinstance(stage, Derived):
            derived: Hashable = self.ask(name)
            return derived
        key = (name, *[self.key(read) for read in stage.reads if read not in SERVICES])
        return next((known for known, _ in self._remembered.get(name, ()) if known == key), key)

    def _chosen(self, stage: Either) -> str:
        chosen: str = stage.compute(*map(self.ask, stage.reads))
        return chosen


def _one_of(wait: Callable[[], dict[str, tuple[Any, float]]], name: str) -> tuple[Any, float]:
    return wait()[name]


def _timed(stage: Stage, values: list[Any]) -> tuple[Any, float]:
    """Return the value of a stage, and the seconds that it took."""
    start = time.perf_counter()
    value = stage.compute(*values)
    return value, time.perf_counter() - start
