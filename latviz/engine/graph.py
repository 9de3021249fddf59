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
from typing import Any, TypeVar

from latviz.core.progress import Cancelled, Progress

F = TypeVar("F", bound=Callable[..., Any])

SERVICES = ("watch", "progress", "yielding")
"""Arguments by which a stage talks to whom it works for; they change no value, so no key."""


Key = tuple[Hashable, ...]
"""What a stage depends on: its name, and of what it reads the inputs and the keys of stages.

Equal keys of one stage are one object, so that comparing two of them does not go deep.
"""


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
        self._answers: dict[str, Any] = {}
        self._keys: dict[str, Key] = {}
        self._timings: dict[str, float] = {}

    def begin(self, inputs: Mapping[str, Any], **services: Progress) -> None:
        """Take the inputs of another request, and who watches it.

        Values that follow from something that was let go, an input that is None now, are forgotten:
        a key would keep it in memory.
        """
        before = self._inputs
        gone = [before[n] for n, v in inputs.items() if v is None and before.get(n) is not None]
        if gone:
            self._let_go(gone)
        self._inputs = dict(inputs)
        self._answers = {**inputs, **services}
        self._keys = {}
        self._timings = {}

    def _let_go(self, values: list[Any]) -> None:
        """Forget what follows from some values of inputs."""
        found: dict[int, bool] = {}  # by the identity of keys: many of them are parts of several

        def follows(part: Hashable) -> bool:
            if id(part) not in found:
                inner = isinstance(part, tuple) and any(map(follows, part))
                found[id(part)] = inner or part in values
            return found[id(part)]

        for name in [name for name, (key, _) in self._remembered.items() if follows(key)]:
            del self._remembered[name]

    def give(self, **inputs: Any) -> None:
        """Add inputs that were not known from the beginning."""
        self._inputs |= inputs
        self._answers |= inputs

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
        if name not in self._answers:
            self._answers[name] = self._answer(name, self._flow[name])
        return self._answers[name]

    def _answer(self, name: str, stage: Stage) -> Any:
        if isinstance(stage, Either):
            return self.ask(self._chosen(stage))
        if isinstance(stage, Derived):
            return stage.compute(*map(self.ask, stage.reads))
        key, known = self._key_of(name, stage), self._remembered.get(name)
        if known is not None and known[0] is key:
            return known[1]
        value = self._computed(name, stage, [self.ask(read) for read in stage.reads])
        self._remembered[name] = key, value
        return value

    def _computed(self, name: str, stage: Stage, values: list[Any]) -> Any:
        if self._answers["watch"].cancelled():
            raise Cancelled
        start = time.perf_counter()
        value = stage.compute(*values)
        if stage.timed:
            self._timings[name.replace("_", " ")] = time.perf_counter() - start
        return value

    def knows(self, name: str) -> bool:
        """Return True if the value of a stage is remembered for these inputs."""
        stage = self._flow[name]
        if isinstance(stage, Either):
            return self.knows(self._chosen(stage))
        known = self._remembered.get(name)
        return known is not None and known[0] is self.key(name)

    def key(self, name: str) -> Hashable:
        """Return what a stage depends on; of an input, its value."""
        if name in self._inputs:
            value: Hashable = self._inputs[name]
            return value
        stage = self._flow[name]
        if isinstance(stage, Either):
            return self.key(self._chosen(stage))
        if isinstance(stage, Derived):
            derived: Hashable = self.ask(name)
            return derived
        return self._key_of(name, stage)

    def _key_of(self, name: str, stage: Stage) -> Key:
        """Return the key of a stage, the remembered one if it is the same."""
        if name not in self._keys:
            key = (name, *(self.key(read) for read in stage.reads if read not in SERVICES))
            known = self._remembered.get(name)
            self._keys[name] = known[0] if known is not None and known[0] == key else key
        return self._keys[name]

    def _chosen(self, stage: Either) -> str:
        chosen: str = stage.compute(*map(self.ask, stage.reads))
        return chosen
