"""The curves of a trade-off over w: the scores of each window."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from latviz.core import choice, digits
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.indices import swept

Row = Sequence["choice.settings.Setting"]
Value = Callable[["choice.settings.Setting"], float | None]


@dataclass(frozen=True)
class Curve:
    """A number of every setting, as a curve over w for each N."""

    name: str  # in `Setting`
    titles: tuple[str, ...]  # the longest first
    title: str  # on a page, with its ``unit``
    value: Value  # returns it for a setting; None if unknown
    unit: str = ""
    error: Value | None = None  # returns half the width of a band around it
    needed: float | None = None  # least value for which the model is applicable
    number: Callable[[float], str] = digits.probability  # writes a value
    tick: Callable[[float], str] = digits.plain  # writes a round one, at an axis

    def points(self, row: "Row", along: str = "window") -> list[tuple[int, float]]:
        """Return (w, value) of settings, or (N, value); infinite values are left out."""
        found = ((getattr(setting, along), self.value(setting)) for setting in row)
        return [(at, value) for at, value in found if value is not None and math.isfinite(value)]

    def band(self, row: "Row", along: str = "window") -> list[tuple[int, float, float]]:
        """Return (w, lower end, upper end) of settings, where both are finite."""
        if self.error is None:
            return []
        errors = {getattr(setting, along): self.error(setting) for setting in row}
        known = ((at, v, errors[at] or 0.0) for at, v in self.points(row, along))
        return [(at, v - error, v + error) for at, v, error in known if math.isfinite(error)]


def curves_of(trade_off: TradeOff) -> tuple[Curve, ...]:
    """Return the curves that there are numbers for."""
    scale = trade_off.scale
    short = "Error" if scale.one is None else "Bits saved"
    known = (
        Curve(
            "code_length",
            (scale.named("bits per pixel"), scale.title, short),
            scale.title,
            lambda setting: scale.value(setting.code_length),
            "bits per pixel" if scale.one is None else "per pixel",
            lambda setting: setting.standard_error,
            number=digits.bits,
        ),
        *(
            Curve(row.name, (row.title, *row.short), row.title, value, needed=row.needed)
            for row, value in swept()
        ),
        Curve(
            "accuracy",
            ("Accuracy",),
            "Accuracy",
            lambda setting: setting.accuracy,
            unit="against the truth",
            number=digits.share,
            tick=digits.round_share,
        ),
    )
    return known if trade_off.has_truth else known[:-1]
