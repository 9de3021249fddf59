"""The curves of a trade-off over w: the scores of each window."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from latviz.core import choice, digits
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.indices import swept

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

    def points(self, trade_off: TradeOff, n_states: int) -> list[tuple[int, float]]:
        """Return (w, value) of an N; infinite values are left out."""
        found = ((setting.window, self.value(setting)) for setting in trade_off.row(n_states))
        return [(w, value) for w, value in found if value is not None and math.isfinite(value)]

    def band(self, trade_off: TradeOff, n_states: int) -> list[tuple[int, float, float]]:
        """Return (w, lower end, upper end) of an N, where both are finite."""
        if self.error is None:
            return []
        errors = {setting.window: self.error(setting) for setting in trade_off.row(n_states)}
        known = ((w, v, errors[w] or 0.0) for w, v in self.points(trade_off, n_states))
        return [(w, v - error, v + error) for w, v, error in known if math.isfinite(error)]


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
