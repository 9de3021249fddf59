"""Boxes for typed numbers, which read alike on every system.

Numbers are written with a decimal point and without groups of digits. Digits of any script and the
decimal separators of all of them are understood. A text with too many separators, as "1,234.5" or
"1,234" for a whole number, is not taken: the last number returns.
"""

import unicodedata

from PyQt6.QtCore import QLocale
from PyQt6.QtGui import QValidator
from PyQt6.QtWidgets import QDoubleSpinBox, QSpinBox

_Validated = tuple[QValidator.State, str, int]
_POINTS = str.maketrans({",": ".", "،": ".", "٫": "."})
"""Separators that are typed for a decimal point."""


def number_locale() -> QLocale:
    """Return the locale of all numbers: a decimal point, and digits in no groups."""
    locale = QLocale.c()
    option = QLocale.NumberOption
    locale.setNumberOptions(option.OmitGroupSeparator | option.RejectGroupSeparator)
    return locale


def plain_number(text: str) -> str:
    """Return a typed number with ASCII digits and a decimal point, of the same length."""
    digits = (str(unicodedata.decimal(one)) if one.isdecimal() else one for one in text)
    return "".join(digits).translate(_POINTS)


class WholeBox(QSpinBox):
    """A box for a whole number."""

    def __init__(self) -> None:
        super().__init__()
        self.setLocale(number_locale())

    def validate(self, text: str | None, at: int) -> _Validated:
        """Accept whole numbers; keep a text with separators until it is entered, then drop it."""
        plain = plain_number(text or "")
        if "." not in plain:
            return super().validate(plain, at)
        invalid = QValidator.State.Invalid
        without_points = super().validate(plain.replace(".", ""), at)
        state = invalid if without_points[0] == invalid else QValidator.State.Intermediate
        return state, plain, at


class DecimalBox(QDoubleSpinBox):
    """A box for a number with decimals."""

    def __init__(self) -> None:
        super().__init__()
        self.setLocale(number_locale())

    def validate(self, text: str | None, at: int) -> _Validated:
        """Accept numbers; keep a text with two separators until it is entered, then drop it."""
        plain = plain_number(text or "")
        if plain.count(".") > 1 and plain.replace(".", "").isdecimal():
            return QValidator.State.Intermediate, plain, at
        return super().validate(plain, at)
