"""Codes, read by the rules of ISO/IEC 18004, one square at a time."""

import re

import numpy as np
import pytest

from latviz.core.errors import ParameterError
from latviz.sharing.code import MOST, QUIET, code_of
from latviz.sharing.page import svg_of

FINDER = np.array([[max(abs(y - 3), abs(x - 3)) in (0, 1, 3) for x in range(7)] for y in range(7)])
FORMAT_MASK, FORMAT_GENERATOR = 0b101010000010010, 0b10100110111
MASKS = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)


def is_fixed(y: int, x: int, side: int) -> bool:
    """Return whether a square of version 1 or 2 holds no data."""
    near_finder = (y < 9 and (x < 9 or x >= side - 8)) or (y >= side - 8 and x < 9)
    aligned = side == 25 and 16 <= y <= 20 and 16 <= x <= 20
    return near_finder or aligned or y == 6 or x == 6


def read(dark: np.ndarray) -> str:
    """Return the text of a code of version 1 or 2, in bytes, whose data are in one block."""
    side = len(dark)
    places = [(8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [(y, 8) for y in (7, 5, 4, 3, 2, 1, 0)]
    told = int("".join(str(int(dark[place])) for place in places), 2) ^ FORMAT_MASK
    rest = told
    for shift in range(4, -1, -1):
        if rest >> (shift + 10) & 1:
            rest ^= FORMAT_GENERATOR << shift
    assert rest == 0, "its format is no code word"
    mask, bits, upwards = MASKS[told >> 10 & 7], [], True
    for right in [x for x in range(side - 1, 0, -2) if x > 6] + [5, 3, 1]:
        for y in range(side - 1, -1, -1) if upwards else range(side):
            bits += [
                bool(dark[y, x]) ^ mask(y, x)
                for x in (right, right - 1)
                if not is_fixed(y, x, side)
            ]
        upwards = not upwards
    digits = "".join("01"[bit] for bit in bits)
    assert digits[:4] == "0100", "bytes"
    length = int(digits[4:12], 2)
    return bytes(int(digits[12 + 8 * k : 20 + 8 * k], 2) for k in range(length)).decode()


@pytest.mark.parametrize("text", ["demo=stripes", "demo=blobs&window=2", "window=5&n_states=7&a"])
def test_a_code_says_its_text_within_a_quiet_zone(text: str) -> None:
    code = code_of(text)
    dark = code.dark[QUIET:-QUIET, QUIET:-QUIET]
    assert code.dark.sum() == dark.sum(), "the zone is light"
    for corner in (dark[:7, :7], dark[:7, -7:], dark[-7:, :7]):
        np.testing.assert_array_equal(corner, FINDER)
    np.testing.assert_array_equal(dark[6, 8:-8], np.arange(len(dark) - 16) % 2 == 0)
    assert read(dark) == text
    bars = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", svg_of(code))
    drawn = np.zeros_like(code.dark)
    for x, y, length in ([int(number) for number in bar] for bar in bars):
        drawn[y, x : x + length] = True
    np.testing.assert_array_equal(drawn, code.dark)


def test_texts_without_a_code_say_why() -> None:
    assert code_of("x" * MOST).side > 60
    with pytest.raises(ParameterError, match=r"takes 1,000 characters .* holds 400"):
        code_of("x" * 1000)
    with pytest.raises(ParameterError, match="nothing differs"):
        code_of("")
