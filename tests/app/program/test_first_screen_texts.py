"""The texts of the first screen and of all views: none is too small, numbers have one format."""

import re
from collections.abc import Iterator

import pytest

from latviz.app.docking.uses import USES
from latviz.app.program.main import application
from tests.app.frames import show_all
from tests.app.looking import come_to_rest
from tests.app.painted_texts import described, in_tables, labelled, painted
from tests.screenshots import settle, shown

LEAST = 9.0
"""Points: the program's own font, which no text is smaller than."""
NUMBER = re.compile(
    r"[-−]?(?<![\w.])[<>]?(?:\d[\d,]*)?\.?\d+(?:e[-−]?\d+)?(?![\w.]\d)[\s\u00a0]?%?"
)
PER_CENT = re.compile(r"(?:0|100|<0\.1|>99\.9|\d{1,2}\.\d)\u00a0%")
WHOLE = re.compile(r"−?\d{1,3}(?:,\d{3})*")
THOUSANDTHS = re.compile(r"−?[<>]?−?(?:\d{1,3}(?:,\d{3})*)\.\d{3}")
NARROW = re.compile(r"\.\d{2,3}")
"""In narrow cells of A."""
ROUND = re.compile(r"0\.[1-9]|1\.0")
"""A limit, a tick of an axis, points of per cent, or a setting: short by itself."""
MEASURE = re.compile(r"−?(?:\d\.\d{1,2}|\d\d\.\d|0\.0*[1-9]\d{0,2})(?:e−?\d+)?|−?\de−?\d+")
"""A distance, a cost or a mean: three digits."""


def wrong(texts: Iterator[str], *allowed: re.Pattern[str]) -> set[tuple[str, str]]:
    """Return the numbers that have no format of those allowed, each with its text."""
    return {
        (found, text)
        for text in texts
        for found in (one.strip(" ,\n") for one in NUMBER.findall(_bare(text)))
        if not any(form.fullmatch(found) for form in allowed)
    }


def _bare(text: str) -> str:
    """Return a text without tags, times and names, such as those of symbols by ranges of values."""
    text = re.sub(r"<[^<>]*[a-z\"/][^<>]*>|\d\d:\d\d:\d\d|[A-Z]\d+|#[0-9a-f]{6}", "", text)
    return re.sub(r"\d+[–-]\d+", "", text)


def test_no_text_is_small_and_numbers_have_one_format(
    qtbot, no_leaked_threads, monkeypatch
) -> None:
    assert application().font().pointSizeF() == LEAST
    with shown("blobs", use=USES[0].name) as window:
        come_to_rest(window)
        drawn, said, read = painted(window, monkeypatch), labelled(window), described(window)
    assert {text for text, _ in drawn} >= {"1", "4", "64", "Associativity", "Total"}
    assert {"Log-likelihood", "Window &w"} <= {text for text, _ in said}
    assert any("Inertia 0." in text for text in read)
    assert {one for one in (*drawn, *said) if one.points < LEAST - 0.05} == set()
    texts = (*(text for text, _ in (*drawn, *said)), *read)
    assert wrong(iter(texts), PER_CENT, WHOLE, THOUSANDTHS, NARROW, ROUND) == set()


def test_numbers_of_all_views_have_the_format_of_their_kind(
    qtbot, no_leaked_threads, monkeypatch
) -> None:
    with shown("blobs") as window:
        show_all(window)
        for node in ((20, 30), (100, 120)):
            window.document.pin(node)
        settle(window)
        cells, drawn = in_tables(window), painted(window, monkeypatch)
        texts = (*cells, *(text for text, _ in (*drawn, *labelled(window))), *described(window))
    assert len(cells) > 20
    assert wrong(iter(texts), PER_CENT, WHOLE, THOUSANDTHS, NARROW, ROUND, MEASURE) == set()


@pytest.mark.parametrize("text", [".968", "76.4%", "27.8 %", "78\u00a0%", "-0.25", "0.97", "65536"])
def test_other_formats_are_found(text: str) -> None:
    assert wrong(iter([f"so: {text}."]), PER_CENT, WHOLE, THOUSANDTHS, ROUND)
