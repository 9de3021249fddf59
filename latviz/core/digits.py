"""Numbers on screen: one format for each kind of number, everywhere.

Screens, tool tips, tables, legends, reports and figures use this module. Files of data (.csv, .json
and .npz) hold numbers in full instead.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass

UNKNOWN = "–"
"""The sign for a missing number."""
_LARGE, _LARGEST = 1000, 1e9
"""Between these, measures are rounded to whole numbers."""


def count(n: float) -> str:
    """Return a count with thousands separators."""
    return f"{n:,.0f}"


def duration(seconds: float) -> str:
    """Return a time in milliseconds, or in seconds from one second on."""
    milliseconds = round(1000 * seconds)
    return f"{milliseconds} ms" if milliseconds < 1000 else f"{seconds:.1f} s"


def share(part: float, whole: float = 1.0) -> str:
    """Return a share of a whole in per cent; only exact 0 and 100 read 0 and 100."""
    found = float(part) / float(whole) if whole else math.nan
    return UNKNOWN if math.isnan(found) else f"{_bounded(100 * found, 100, 1)}\N{NO-BREAK SPACE}%"


def probability(value: float | None) -> str:
    """Return a probability or an index; only exact 0 and 1 read 0 and 1."""
    return UNKNOWN if value is None or math.isnan(value) else _bounded(value, 1, 3)


def brief(text: str) -> str:
    """Return a number for a narrow cell: one next to a bound without its first zero."""
    return text.replace("<0.", "<.").replace(">0.", ">.")


def narrow(value: float, decimals: int) -> str:
    """Return a probability for a narrow cell: ".98", or "~0" and "~1" next to a bound."""
    text = _bounded(value, 1, decimals)
    return {"<": "~0", ">": "~1"}.get(text[0], text.removeprefix("0") if len(text) > 1 else text)


def _bounded(value: float, most: int, decimals: int) -> str:
    """Return a number to some decimals, with "<" or ">" if it only rounds to a bound."""
    value = float(value)
    unit = 10.0**-decimals
    for bound in (0, most):
        if abs(value - bound) < 1e-6 * unit:
            return str(bound)
    if 0 < value < unit / 2:
        return f"<{unit:.{decimals}f}"
    if most - unit / 2 < value < most:
        return f">{most - unit:.{decimals}f}"
    return signed(value, decimals)


def bits(value: float | None) -> str:
    """Return bits or nats per pixel as text; only 0 itself reads 0."""
    if value is None:
        return UNKNOWN
    if 1e-9 < abs(value) < 0.0005:
        return "<0.001" if value > 0 else ">−0.001"
    return signed(value, 3)


@dataclass(frozen=True)
class ErrorScale:
    """How prediction errors are shown: as they are, or as the bits saved over one state."""

    one: float | None = None  # the error of one state, if bits saved over it are shown

    @classmethod
    def of(cls, errors: Iterable[float], *ones: float) -> "ErrorScale":
        """Return the scale for some errors; ``ones`` are those of one state, for each part."""
        # Errors of numbers are those of densities, so they depend on the unit: below 0 or in
        # thousands they are not read as errors
        plain = all(0 <= error < _LARGE for error in (*ones, *errors) if math.isfinite(error))
        return cls() if plain else cls(*ones[:1])

    @property
    def title(self) -> str:
        """The name of what is shown."""
        return "Prediction error" if self.one is None else "Bits saved over one state"

    def named(self, unit: str) -> str:
        """Return the name of what is shown, with the unit of errors."""
        return f"{self.title}, {unit}" if self.one is None else self.title

    def value(self, error: float, one: float | None = None) -> float:
        """Return the number that is shown; ``one`` is the error of one state in another part."""
        return error if self.one is None else (self.one if one is None else one) - error

    def rows(self, error: float, one: float, unit: str) -> list[tuple[str, float]]:
        """Return what a table has of an error: it and that of one state, or what is saved."""
        shown = self.named(unit), self.value(error, one)
        if self.one is not None:
            return [shown]
        return [shown, (f"{self.title} with one state, {unit}", one)]

    def short(self, error: float) -> str:
        """Return an error with its unit, or what is saved."""
        value = self.value(error)
        if self.one is None:
            return f"{bits(value)} bits"
        return f"{'saves' if value >= 0 else 'loses'} {bits(abs(value))} bits"

    def text(self, error: float, spread: float | None = None, of: str = "") -> str:
        """Return an error in words; ``spread`` is its standard error, ``of`` a node's name."""
        per = f" per {of}" if of else ""
        if self.one is not None:
            return f"{self.short(error)}{per} over one state"
        around = "" if spread is None else f" ± {bits(spread)}"
        return f"prediction error {bits(error)}{around} bits{per}"


def nats(value: float | None, largest: float | None = None) -> str:
    """Return nats of a whole picture, without decimals if the largest is 1,000 or more."""
    if value is None:
        return UNKNOWN
    return signed(value, 3 if abs(value if largest is None else largest) < _LARGE else 0)


def measure(value: float | None) -> str:
    """Return a value without bounds and unit, such as a distance, to three digits."""
    if value is None or not math.isfinite(value):
        return UNKNOWN if value is None else signed(value, 0)
    return signed(value, 0) if _LARGE <= abs(round(value)) < _LARGEST else _digits(value, 3)


def plain(value: float) -> str:
    """Return a number that is short already: a tick of an axis, a setting, a picture's value."""
    return count(value).replace("-", "−") if value == round(value) else _digits(value, 6)


def round_share(part: float) -> str:
    """Return a share that is a round number of per cent: a tick of an axis, or a limit."""
    return f"{plain(100 * part)}\N{NO-BREAK SPACE}%"


def _digits(value: float, most: int) -> str:
    """Return at most some digits, and a power of ten if there must be one."""
    mantissa, _, exponent = f"{value + 0.0:,.{most}g}".partition("e")
    text = f"{mantissa}e{int(exponent)}" if exponent else mantissa
    return text.replace("-", "−")


def signed(value: float, decimals: int) -> str:
    """Return a number with a true minus, thousands separators, infinity, or "–" for NaN."""
    value = float(value)  # NumPy's own numbers take ten times as long to round
    if math.isnan(value):
        return UNKNOWN
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{round(value, decimals) + 0.0:,.{decimals}f}".replace("-", "−")


def gain(value: float) -> str:
    """Return a difference in nats with its sign."""
    return f"{'+' if value > 0 else ''}{nats(value)}"
