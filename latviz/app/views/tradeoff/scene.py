"""What the sheet of the trade-off draws, and its numbers in words."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from latviz.app.widgets.rivers import River
from latviz.core import digits
from latviz.engine.choosing.curves import Curve, Row, curves_of
from latviz.engine.choosing.tradeoff import Place, TradeOff, compared_windows
from latviz.engine.frames.section import MOST
from latviz.engine.geometry.axes import with_room
from latviz.engine.indices import swept
from latviz.engine.settings.appearance import Appearance


@dataclass(frozen=True, eq=False)
class TradeOffScene:
    """A trade-off along w, or along N if it is turned; the current setting and the reference."""

    trade_off: TradeOff
    n: int  # as set, like ``w``
    w: int
    appearance: Appearance  # the colours of the slots of its maps
    by_nearest: bool = True  # the states on screen are by the nearest codewords, as are all maps
    # numbers of the states on screen, by `Setting`'s names
    now: Mapping[str, float] = field(default_factory=dict)
    turned: bool = False
    reference: Place | None = None  # the N and w that the states on screen are compared with
    inspected: Place | None = None  # the row and column of the inspected pixel
    has_lives: bool = False  # regions are followed over w, now or soon
    river: River | None = None  # of these regions
    holding: str = ""  # how many of them hold around the current w

    @property
    def letter(self) -> str:
        """The name of the axis."""
        return "N" if self.turned else "w"

    @property
    def value(self) -> int:
        """The place of the current setting on the axis."""
        return self.n if self.turned else self.w

    @property
    def values(self) -> tuple[int, ...]:
        """The places on the axis; large windows that were set before are left out."""
        if self.turned:
            return tuple(sorted({*self.trade_off.states, self.n}))
        most = compared_windows(self.trade_off.scope.picture)[-1]
        usual = (w for w in self.trade_off.windows if w <= most)
        return tuple(sorted({*usual, self.w}))

    @property
    def kept(self) -> int | None:
        """The place of the reference on the axis; None if it is on another line."""
        if self.reference is None or self.place(self.on_axis(self.reference)) != self.reference:
            return None
        return self.on_axis(self.reference)

    @cached_property
    def others(self) -> list[Row]:
        """The lines of every other N, or of some other w."""
        known = self.trade_off
        if self.turned:
            return [known.column(w) for w in (1, 2, 4, 8, 16) if w != self.w]
        return [known.row(n) for n in known.states if n not in (1, self.n)]

    @cached_property
    def row(self) -> Row:
        """The line of the current setting."""
        return self.trade_off.column(self.w) if self.turned else self.trade_off.row(self.n)

    def place(self, value: int) -> Place:
        """Return N and w at a place on the axis."""
        return (value, self.w) if self.turned else (self.n, value)

    def on_axis(self, place: Place) -> int:
        """Return the place on the axis of N and w."""
        return place[0] if self.turned else place[1]

    def plots(self, names: tuple[str, ...]) -> list[Curve]:
        """Return the curves of some names, or all."""
        return [one for one in curves_of(self.trade_off) if not names or one.name in names]

    def points(self, curve: Curve, row: Row) -> list[tuple[int, float]]:
        """Return the numbers of a line by their places on the axis."""
        return curve.points(row, "n_states" if self.turned else "window")

    def band(self, curve: Curve) -> list[tuple[int, float, float]]:
        """Return the ends of the numbers' errors by their places on the axis."""
        return curve.band(self.row, "n_states" if self.turned else "window")

    def number(self, curve: Curve, place: Place) -> float | None:
        """Return the number of a curve at N and w; None if it is not known."""
        if not self.trade_off.exact:
            return self.now.get(curve.name) if place == (self.n, self.w) else None
        found = self.trade_off.settings.get(place)
        return None if found is None else curve.value(found)

    def range(self, curve: Curve, *, alone: bool = False) -> tuple[float, float]:
        """Return the least and largest number that a plot shows."""
        # Over all drawn N except 1 and all w except 0, which are far from the others, unless they
        # are set; with the band, the threshold and the current values
        drawn = [*self.row, *(s for row in (() if alone else self.others) for s in row)]
        near = [s for s in drawn if s.n_states in (self.n, *range(2, 256))]
        near = [s for s in near if s.window > 0 or s.window == self.w] or drawn
        found = _finite(map(curve.value, near))
        line = self.place(-1)  # with the N or w that the axis holds
        own = ((s.n_states, s.window) for s in near if line in ((s.n_states, -1), (-1, s.window)))
        shown = set(map(self.on_axis, own))
        for value, *ends in self.band(curve):
            found += ends if value in shown else ()
        if not self.trade_off.exact:
            found += _finite([self.now.get(curve.name)])
        return with_room(found if curve.needed is None else [*found, curve.needed])

    @property
    def note(self) -> str:
        """The difference of what is drawn from the picture and its states on screen, if any."""
        scope = self.trade_off.scope
        if not self.trade_off.exact:
            return (
                f"The picture has more than {MOST:,} pixels. Bands are computed from its middle, "
                "dots from all of it"
            )
        parts = [] if self.by_nearest else ["Decoded by the nearest codeword"]
        if scope.picture.dimensions == 3:
            parts.append(f"Slice {scope.section.index + 1}")
        return ". ".join(parts)


def numbers_text(scene: TradeOffScene, place: Place) -> str:
    """Return the numbers of an N and w, as lines."""
    (n, w), found = place, scene.trade_off.settings.get(place)
    if not scene.trade_off.exact:
        return f"N = {n}, w = {w}: click to set it. The band is computed from the picture's middle"
    if found is None:
        return f"N = {n}, w = {w}: not yet computed"
    lines = [
        f"N = {n}, w = {w}" + ("" if scene.by_nearest else ", nearest codeword"),
        scene.trade_off.scale.text(found.code_length, found.standard_error),
        ", ".join(f"{row.name} {digits.probability(value(found))}" for row, value in swept()),
    ]
    if found.changed is not None:
        lines.append(
            f"{digits.share(found.changed)} of pixels have another state than with w = {w - 1}"
        )
    if found.accuracy is not None:
        lines.append(
            f"accuracy {digits.share(found.accuracy)}, "
            f"adjusted Rand {digits.probability(found.rand)}"
        )
    return "\n".join(lines)


def _finite(numbers: Iterable[float | None]) -> list[float]:
    return [v for v in numbers if v is not None and math.isfinite(v)]
