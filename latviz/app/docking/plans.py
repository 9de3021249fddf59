"""Layouts of the docks in a tab: rows and columns, by shares of the room."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Union

from PyQt6.QtCore import Qt


@dataclass(frozen=True)
class Split:
    """Parts that share a room, side by side or one below the other."""

    orientation: Qt.Orientation
    parts: tuple["Part", ...]  # names of docks, splits, and the drawer
    shares: tuple[float, ...]  # the part of the room that each has, of 1
    turns: bool = False  # one below the other if a picture is much larger that way


@dataclass(frozen=True)
class Drawer:
    """The place of all docks without one of their own: tabs over the layout's own content."""

    base: Split | None = None
    title: str = ""


Part = Union[str, Split, Drawer]  # noqa: UP007


def row(*parts: tuple[Part, float], turns: bool = False) -> Split:
    """Return parts side by side, each with its share in percent."""
    return _split(Qt.Orientation.Horizontal, parts, turns=turns)


def column(*parts: tuple[Part, float]) -> Split:
    """Return parts one below the other, each with its share in percent."""
    return _split(Qt.Orientation.Vertical, parts)


def _split(
    orientation: Qt.Orientation, parts: tuple[tuple[Part, float], ...], *, turns: bool = False
) -> Split:
    inner = tuple(part for part, _ in parts)
    return Split(orientation, inner, tuple(share / 100 for _, share in parts), turns)


def with_only(plan: Split, names: Collection[str]) -> Split:
    """Return a layout without docks that are not there; the others get their room."""
    there = [
        (_with_only(part, names), share)
        for part, share in zip(plan.parts, plan.shares, strict=True)
        if not isinstance(part, str) or part in names
    ]
    whole = sum(share for _, share in there)
    shares = tuple(share / whole for _, share in there)
    return replace(plan, parts=tuple(part for part, _ in there), shares=shares)


def _with_only(part: Part, names: Collection[str]) -> Part:
    if isinstance(part, Drawer):
        return part if part.base is None else replace(part, base=with_only(part.base, names))
    return with_only(part, names) if isinstance(part, Split) else part


def names_in(part: Part) -> Iterator[str]:
    """Yield the docks that have a place in a part, from the left and the top."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Drawer):
        if part.base is not None:
            yield from names_in(part.base)
    else:
        for inner in part.parts:
            yield from names_in(inner)
