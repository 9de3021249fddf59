"""What room each dock gets when the window, or what is visible in it, becomes another.

Docks are cut out of a rectangle by lines from side to side. How they are is read off their
places, so it does not matter whether a person or the program put them there.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from PyQt6.QtCore import QRect

Extents = tuple[int, int]
"""A width and a height, in pixels."""


@dataclass(frozen=True)
class Needs:
    """The sizes that a dock needs."""

    least: Extents  # smallest width and height
    wanted: Extents = (0, 0)  # fixed width and height; 0: a share of what others leave


@dataclass(frozen=True)
class Tree:
    """Docks side by side (axis 0), or below each other (axis 1); or one alone, without parts."""

    extents: Extents  # the width and height of all together
    name: str = ""  # of a single dock
    axis: int = 0
    gap: int = 0  # pixels between parts
    parts: tuple["Tree", ...] = ()


def tree_of(rects: Mapping[str, QRect]) -> Tree:
    """Return how docks were cut out of the rectangle that they fill together."""
    whole = QRect()
    for rect in rects.values():
        whole = whole.united(rect)
    extents = whole.width(), whole.height()
    if len(rects) == 1:
        return Tree(extents, next(iter(rects)))
    for axis in (0, 1):
        groups, gap = _cut(rects, axis)
        groups = _joined(groups, rects) if axis == 0 else groups
        if len(groups) > 1:
            parts = tuple(tree_of({name: rects[name] for name in group}) for group in groups)
            return Tree(extents, axis=axis, gap=gap, parts=parts)
    parts = tuple(Tree((r.width(), r.height()), name) for name, r in rects.items())
    return Tree(extents, axis=0, parts=parts)  # such places no lines lead to


def _cut(rects: Mapping[str, QRect], axis: int) -> tuple[list[list[str]], int]:
    """Return the docks between lines across an axis, and the least gap between them."""
    ends = {n: ((r.left(), r.right()), (r.top(), r.bottom()))[axis] for n, r in rects.items()}
    groups: list[list[str]] = []
    gaps: list[int] = []
    reach = 0
    for name in sorted(ends, key=ends.__getitem__):
        start, stop = ends[name]
        if not groups or start > reach:
            if groups:
                gaps.append(start - reach - 1)
            groups.append([])
            reach = stop
        groups[-1].append(name)
        reach = max(reach, stop)
    return groups, min(gaps, default=0)


def _joined(groups: list[list[str]], rects: Mapping[str, QRect]) -> list[list[str]]:
    """Join neighbouring columns of which all lines across are the same: those are rows."""
    joined = groups[:1]
    for group in groups[1:]:
        here, there = (_rows({n: rects[n] for n in names}) for names in (joined[-1], group))
        if here == there and len(here) > 1:
            joined[-1] = [*joined[-1], *group]
        else:
            joined.append(group)
    return joined


def _rows(rects: Mapping[str, QRect]) -> list[tuple[int, int]]:
    """Return the first and the last pixel of each row of docks."""
    rows, _ = _cut(rects, 1)
    return [(min(rects[n].top() for n in row), max(rects[n].bottom() for n in row)) for row in rows]


def shared(
    tree: Tree, extents: Extents, needs: Mapping[str, Needs], alike: Collection[str] = ()
) -> dict[str, Extents]:
    """Return the width and height of each dock when all have other extents together."""
    # Docks that want a size get it; the others share the rest as before, those in ``alike`` evenly.
    # If all want one, they share in proportion to that. In too little room, what wants a size
    # shrinks last
    if not tree.parts:
        return {tree.name: extents}
    axis, rest = tree.axis, extents[tree.axis] - tree.gap * (len(tree.parts) - 1)
    least = [_least(part, axis, needs) for part in tree.parts]
    wanted = [_wanted(part, axis, needs) for part in tree.parts]
    weights = [part.extents[axis] for part in tree.parts]
    if all(wanted):  # nothing takes what is left: they share all of it as they want it
        weights, wanted = wanted, [0] * len(wanted)
    even = [k for k, part in enumerate(tree.parts) if part.name in alike]
    mean = sum(weights[k] for k in even) // max(1, len(even))
    weights = [mean if k in even else weight for k, weight in enumerate(weights)]
    sizes = _sizes(rest, least, wanted, weights)
    found: dict[str, Extents] = {}
    for part, size in zip(tree.parts, sizes, strict=True):
        room = (size, extents[1]) if axis == 0 else (extents[0], size)
        found |= shared(part, room, needs, alike)
    return found


def _least(tree: Tree, axis: int, needs: Mapping[str, Needs]) -> int:
    if not tree.parts:
        return needs[tree.name].least[axis]
    each = [_least(part, axis, needs) for part in tree.parts]
    return sum(each) + tree.gap * (len(each) - 1) if tree.axis == axis else max(each)


def _wanted(tree: Tree, axis: int, needs: Mapping[str, Needs]) -> int:
    """Return the size that a part wants; 0 if something in it takes what is left."""
    if not tree.parts:
        return needs[tree.name].wanted[axis]
    each = [_wanted(part, axis, needs) for part in tree.parts]
    if tree.axis != axis:
        return max(each)
    return sum(each) + tree.gap * (len(each) - 1) if all(each) else 0


def _sizes(
    rest: int, least: Sequence[int], wanted: Sequence[int], weights: Sequence[int]
) -> list[int]:
    """Share some room: ``wanted`` is kept, the others have shares by weight, none too little."""
    free = [k for k, size in enumerate(wanted) if not size]
    sizes = [max(size, small) for size, small in zip(wanted, least, strict=True)]
    spare = rest - sum(sizes[k] for k in range(len(sizes)) if k not in free)
    short = sum(least[k] for k in free) - spare
    for k, size in enumerate(sizes):
        if k not in free and short > 0:
            given = min(short, size - least[k])
            sizes[k], short, spare = size - given, short - given, spare + given
    while free:
        total = sum(weights[k] for k in free) or 1
        shares = {k: spare * weights[k] // total for k in free}
        tight = [k for k in free if shares[k] < least[k]]
        if not tight:
            for k in free:
                sizes[k] = shares[k]
            sizes[free[-1]] += spare - sum(shares.values())
            break
        for k in tight:
            sizes[k] = least[k]
            spare -= least[k]
        free = [k for k in free if k not in tight]
    return sizes
