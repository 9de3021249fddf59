"""A small engine for stages that are keyed by what they read.

A stage is a function. Its arguments are named after inputs, which a request gives, or after other
stages, which are asked first. So the key of a stage follows from its signature: the values of all
inputs that it reads, directly or through others. Nobody writes a key by hand, and a stage is
computed again if and only if one of these inputs has another value.
"""

import inspect
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from latviz.core.progress import Cancelled, Progress

F = TypeVar("F", bound=Callable[..., Any])

SERVICES = ("watch", "progress", "yielding")
"""Arguments by which a stage talks to whom it works for; they change no value, so no key."""


class Key(NamedTuple):
    """A stage, the values of all inputs that it follows from, and the choices on the way."""

    stage: str
    roots: tuple[tuple[str, Hashable], ...]


@dataclass(frozen=True)
class Stage:
    """A function whose last value is remembered under its key.

    Attributes
    ----------
    compute : callable
    reads : tuple of str
        Its arguments: names of inputs, other stages and services.
    timed : bool
        Whether its time is told; of what takes next to none it is not.
    """

    compute: Callable[..., Any]
    reads: tuple[str, ...]
    timed: bool = True


@dataclass(frozen=True)
class Derived(Stage):
    """A cheap function with a hashable value, which is an input of its own to those who read it.

    What reads it is computed again only if this value changes, not whenever its inputs do.
    """


@dataclass(frozen=True)
class Either(Stage):
    """A name for one of several stages: a function of inputs returns which one it stands for."""


class Flow:
    """The stages by their names, each defined in one place by a decorator."""

    def __init__(self, inputs: tuple[str, ...]) -> None:
        self.inputs = frozenset(inputs)
        self._stages: dict[str, Stage] = {}

    def __getitem__(self, name: str) -> Stage:
        return self._stages[name]

    def names(self) -> list[str]:
        """Return the names of all stages, in the order of their definitions."""
        return list(self._stages)

    def stage(self, function: F) -> F:
        """Define a stage, under the function's name."""
        return self._define(function, Stage)

    def quick(self, function: F) -> F:
        """Define a stage that takes next to no time, so that none is told."""
        self._define(function, Stage)
        self._stages[function.__name__] = Stage(function, _arguments(function), timed=False)
        return function

    def derived(self, function: F) -> F:
        """Define an input that follows from others."""
        return self._define(function, Derived)

    def either(self, function: F) -> F:
        """Define a name that stands for one of several stages."""
        return self._define(function, Either)

    def _define(self, function: F, kind: type[Stage]) -> F:
        name = function.__name__
        if name in self._stages or name in self.inputs or name in SERVICES:
            raise ValueError(f"there is a stage or an input called {name!r} already")
        self._stages[name] = kind(function, _arguments(function))
        return function


def _arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(inspect.signature(function).parameters)


class Graph:
    """Answers what is asked of a flow, and remembers the last value of every stage.

    It is used by one thread at a time.
    """

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        self._remembered: dict[str, tuple[Key, Any]] = {}
        self._inputs: dict[str, Any] = {}
        self._services: dict[str, Progress] = {}
        self._roots: dict[str, frozenset[str]] = {}
        self._keys: dict[str, Key] = {}
        self._timings: dict[str, float] = {}

    def begin(self, inputs: Mapping[str, Any], **services: Progress) -> None:
        """Take the inputs of another request, and who watches it.

        Values that follow from something that was let go, an input that is None now, are forgotten:
        a key would keep it in memory.
        """
        before = self._inputs
        self._inputs, self._services = dict(inputs), services
        self._roots, self._keys, self._timings = {}, {}, {}
        gone = {n for n, v in inputs.items() if v is None and before.get(n) is not None}
        if gone:
            self._let_go(gone)

    def _let_go(self, inputs: set[str]) -> None:
        for name, (key, _) in list(self._remembered.items()):
            if any(root in inputs and value is not None for root, value in key.roots):
                del self._remembered[name]

    def give(self, **inputs: Any) -> None:
        """Add inputs that were not known from the beginning."""
        self._inputs |= inputs

    def forget(self) -> None:
        """Remember nothing of what was computed so far."""
        self._remembered.clear()

    @property
    def timings(self) -> dict[str, float]:
        """Seconds that each stage took since `begin`, without those that it asked."""
        return dict(self._timings)

    def ask(self, name: str) -> Any:
        """Return the value of an input or a stage, remembered or computed.

        Raises
        ------
        Cancelled
            If the watch says so. Stages that were done are remembered.
        """
        if name in self._services:
            return self._services[name]
        if name in self._inputs:
            return self._inputs[name]
        stage = self._flow[name]
        if isinstance(stage, Either):
            return self.ask(self._chosen(stage))
        if isinstance(stage, Derived):
            self._inputs[name] = value = stage.compute(*map(self.ask, stage.reads))
            return value
        key = self.key(name)
        known = self._remembered.get(name)
        if known is not None and known[0] == key:
            return known[1]
        values = [self.ask(read) for read in stage.reads]
        self._remembered[name] = key, self._computed(name, stage, values)
        return self._remembered[name][1]

    def _computed(self, name: str, stage: Stage, values: list[Any]) -> Any:
        if self._services["watch"].cancelled():
            raise Cancelled
        start = time.perf_counter()
        value = stage.compute(*values)
        if stage.timed:
            self._timings[name.replace("_", " ")] = time.perf_counter() - start
        return value

    def knows(self, name: str) -> bool:
        """Return True if the value of a stage is remembered for these inputs."""
        name = self._stage_of(name)
        known = self._remembered.get(name)
        return known is not None and known[0] == self.key(name)

    def key(self, name: str) -> Key:
        """Return what a stage depends on: the inputs that it follows from, with their values."""
        name = self._stage_of(name)
        if name not in self._keys:
            roots = sorted(self._roots_of(name))
            self._keys[name] = Key(name, tuple((root, self._value(root)) for root in roots))
        return self._keys[name]

    def _roots_of(self, name: str) -> frozenset[str]:
        """Return the names of all inputs that a stage follows from, and of the choices made."""
        if name in self._roots:
            return self._roots[name]
        if name in self._services:
            return frozenset()
        stage = None if name in self._flow.inputs else self._flow[name]
        if stage is None or isinstance(stage, Derived):
            return frozenset({name})
        if isinstance(stage, Either):
            return self._roots_of(self._chosen(stage)) | {name}
        roots = frozenset[str]().union(*map(self._roots_of, stage.reads))
        self._roots[name] = roots
        return roots

    def _value(self, root: str) -> Hashable:
        """Return the value of an input; of a choice, the stage that was chosen.

        Without it, two stages that follow from the same inputs could be taken for each other.
        """
        stage = None if root in self._inputs else self._flow[root]
        return self._chosen(stage) if isinstance(stage, Either) else self.ask(root)

    def _stage_of(self, name: str) -> str:
        while isinstance(stage := self._flow[name], Either):
            name = self._chosen(stage)
        return name

    def _chosen(self, stage: Either) -> str:
        chosen: str = stage.compute(*map(self.ask, stage.reads))
        return chosen
