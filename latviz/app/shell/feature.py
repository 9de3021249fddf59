"""A feature of the window: a class with menu items, bars, connections and an end."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, TypeVar

from PyQt6.QtWidgets import QWidget

from latviz.app.look.theme import Theme
from latviz.app.shell.actions import Action, At, Item

F = TypeVar("F")
M = TypeVar("M", bound=Callable[..., object])
Asks = Callable[[Any], bool]
"""Returns something about a feature."""


class Parts:
    """The parts of a window, each under its class."""

    # A feature is made from the parts that it takes from here, on the first access to its class. So
    # features may need each other in any order, but not in a circle

    def __init__(self, features: Iterable[type[Any]]) -> None:
        self._features = tuple(features)
        self._waiting = set(self._features)
        self._made: dict[type, Any] = {}

    def add(self, *parts: object) -> None:
        """Add parts that are there already."""
        self._made |= {type(part): part for part in parts}

    def __getitem__(self, kind: type[F]) -> F:
        """Return the part of a class; ``KeyError`` if it does not exist, or is being made."""
        if kind not in self._made:
            self._waiting.remove(kind)
            make: Any = kind
            self._made[kind] = make(self)
        part: F = self._made[kind]
        return part

    def join(self, kind: type["Feature"]) -> None:
        """Add a feature of another package after all others, unless it cannot be made."""
        self._waiting.add(kind)
        tuple(self[kind].menu_items())
        self._features = (*self._features, kind)

    def features(self) -> Iterator["Feature"]:
        """Yield the features in the order of their table, making missing ones."""
        for kind in self._features:
            yield self[kind]


def in_menu(
    text: str,
    tip: str,
    at: At,
    *,
    ticked: Asks | None = None,
    enabled: Asks | None = None,
    **more: Any,
) -> Callable[[M], M]:
    """Make a method of a feature an item of a menu; see `Action` for the arguments."""

    def marked(method: M) -> M:
        def item_of(feature: "Feature") -> Action:
            own: Any = method
            run, asks = own.__get__(feature), {"ticked": ticked, "enabled": enabled}
            known: Any = {name: ask and partial(ask, feature) for name, ask in asks.items()}
            return Action(text, tip, run, at=at, **known, **more)

        vars(method)["item_of"] = item_of
        return method

    return marked


class Feature:
    """Base of all features, which are made from `Parts`."""

    def bar_below_menus(self) -> QWidget | None:
        """Return a bar below the menus, which may be hidden."""
        return None

    def menu_items(self) -> Iterable[Item]:
        """Return the menu items: at least those of methods that `in_menu` marks."""
        for method in vars(type(self)).values():
            if (item_of := getattr(method, "item_of", None)) is not None:
                yield item_of(self)

    def connect(self, parts: Parts) -> None:
        """Connect it with other parts, once all are made and have their docks."""

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""

    def dismiss(self) -> bool:
        """Stop the work that Esc cancels; return True if there was any."""
        return False

    def may_close(self, _close: Callable[[], None]) -> bool:
        """Return True if the window may close; otherwise ask the user, and call it later."""
        return True

    def close(self) -> None:
        """End running work before the window closes."""
