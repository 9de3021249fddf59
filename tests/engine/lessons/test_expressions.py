"""Expressions in foreign lessons: bounded numbers, bounded work, and one line for errors.

Allowed expressions have the value of Python's own arithmetic, computed with fractions.
"""

import warnings
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from latviz.engine.lessons.expressions import LARGEST, evaluated
from latviz.engine.lessons.facts import FACTS, Facts, value
from latviz.engine.lessons.lesson import MOST_LINE, LessonError, parse, read
from latviz.workspace import check_lesson, read_work

TEXT = """# A title
A sentence.

- state: demo=blobs&window=0

## A step
- views: image, states
- holds: {}

A text.
"""
BAD = [
    *("1/0", "1 / (1 - 1)", "0**-1", "9**9**9", "2**2**40", "10.0**400", "(-1)**0.5", "9**99999"),
    *("((9**9)**9)**9", "1e15*1e15", "1e15 + 1e15", "1e400", "9" * 300, "-" * 390 + "1"),
    *("-" * 5000 + "1", "(" * 5000, "1+" * 190 + "1"),
    *("1+" * 200_000 + "1", "1<" * 190 + "1", "A(" * 190, "A" * 400, "1" + "\0", "\0", "1\\\n+1"),
    *("'a'*10**9", "[0]*10**9", "(0,)*10**9", "1<<10**9", "1 if 1 else 1", "f'{1}'", "b'a'"),
    *("'a' + 'b'", "'a' < 1", "-'a'", "1j", "1j*1j", "~1", "not 1", "+1", "5 // 2", "5 % 2"),
    *("1 @ 1", "1 & 1", "1 and 1", "1 in A", "1 is 1", "1if 1else 1", "0x1for x in y", "1_0"),
    *("...", "None", "x := 1", "lambda: 1", "{}", "[]", "()", "A", "guess", "await x", "*A", "1,"),
    *("A.__class__", "A()()", "(A)(1, 1)(1)", "A[0]", "é", "1;1"),
    *(
        "",
        "1 +",
        "(lambda: 1)()",
        "[1][0]",
        "'text'",
        "1 # one",
        "1\n2",
        "A(*A)",
        "A(**A)",
        "A(1, 1, **{})",
        "accuracy(window=1, window=2)" * 9,
    ),
]
"""Texts that are not expressions of a bounded number."""
BAD_CALLS = [
    *("accuracy(window={[]: 1})", "accuracy(window=[])", "accuracy(window=-1)", "accuracy(1)"),
    *("accuracy(window=1000000)", "accuracy(window=1.5)", "accuracy(window='1')"),
    *("accuracy(window=True)", "accuracy(window=1e15)", "accuracy(window=9**9)"),
    *("accuracy(n_states=0)", "accuracy(n_states=33)", "accuracy(width=3)", "accuracy(name='x')"),
    *("accuracy(window=n_states())", "accuracy().real", "accuracy(window=300)"),
    *("accuracy(decoder='x')", "accuracy(decoder=1)", "accuracy(encoding='rgb')", "nothing()"),
    *("A(99, 1)", "A(1, 99)", "A(0, 1)", "A(-1, 1)", "A(1)", "A()", "A(1, 1, 1)", "A(1.0, 1)"),
    *("A(True, 1)", "A('1', 1)", "A(None, 1)", "A(1e15, 1)", "A(999999999999999, 1)"),
    *("B(0, 0)", "B(1, -1)", "B(1, 99)", "B(99, 0)", "B(1)", "share(0)", "share(-1)", "share(99)"),
    *("__import__('os')", "exec('1')", "accuracy(__class__=1)", "A.B(1, 1)"),
    *("share()", "state_at(1)", "state_at()", "state_at(-1, -1)", "state_at(1, 1, 1)"),
    *("state_at(9999, 0)", "state_at(1.5, 1)", "count(1)", "count(99, 1, 1)", "count(-1, 1, 1)"),
    *("count(0, -1, 1)", "count(0, 1)", "count(0, 1, 1, 1)", "kinds(1)", "kinds(-1, 0)"),
    *("changed()", "changed(-1)", "changed(65)", "changed(1000000)", "changed('1')", "window(1)"),
]
"""Facts of arguments that they do not take."""


@pytest.fixture(scope="module")
def facts() -> Facts:
    pictures, session = read_work(None, "figure1")
    return Facts(replace(session.state, pictures=pictures))


def returned(number: object, *_: object) -> object:
    return number


def no_fact(*_: object) -> None:
    raise AssertionError("nothing is called")


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:30].encode("unicode_escape").decode())
def test_what_is_refused(text: str) -> None:
    with warnings.catch_warnings(record=True) as heard, pytest.raises(LessonError) as found:
        evaluated(text, {}, no_fact)
    assert not heard
    assert len(str(found.value)) < 500
    assert str(found.value).isprintable()


@pytest.mark.parametrize("text", BAD_CALLS)
def test_arguments_that_are_refused(text: str, facts: Facts) -> None:
    with pytest.raises(LessonError) as found:
        value(facts, text, facts.opened.parameters)
    assert len(str(found.value)) < 800
    assert str(found.value).isprintable()
    assert "lambda" not in str(found.value)


def test_numbers_of_facts_are_finite(facts: Facts, monkeypatch: pytest.MonkeyPatch) -> None:
    for bad in (float("nan"), float("inf"), 1j, "text", 10**400, [1]):
        monkeypatch.setitem(FACTS, "inertia", partial(returned, bad))
        with pytest.raises(LessonError, match="not a finite number"):
            value(facts, "inertia() < 1", facts.opened.parameters)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2 * 3 - 1 / 4 + 2 ** 3", 13.75),
        ("-2 ** 2", -4),
        ("(1 + 2) * 3", 9),
        ("9 ** 9", 387420489),
        ("4 ** 0.5", 2),
        ("1e3 + .5", 1000.5),
        ("(1 < 2) + (2 <= 2) + (2 > 3)", 2),
        ("1 < 2 <= 2 < 3", True),
        ("1 < 2 > 3", False),
        (f"{int(LARGEST)}", LARGEST),
        (" 1 ", 1),
        ("(" * 150 + "1" + ")" * 150, 1),
    ],
)
def test_numbers_are_those_of_arithmetic(text: str, number: float) -> None:
    assert evaluated(text, {}, no_fact) == number


_LEAVES = st.integers(0, 9).map(lambda n: (str(n), Fraction(n)))


Pair = tuple[str, Fraction]


def _joined(pair: st.SearchStrategy[Pair]) -> st.SearchStrategy[Pair]:
    def join(a: Pair, sign: str, b: Pair) -> Pair:
        result = {"+": a[1] + b[1], "-": a[1] - b[1], "*": a[1] * b[1]}[sign]
        return f"({a[0]} {sign} {b[0]})", result

    return st.builds(join, pair, st.sampled_from("+-*"), pair)


@given(st.recursive(_LEAVES, _joined, max_leaves=12))
@settings(max_examples=30, deadline=None)
def test_any_expression_is_that_of_fractions(made: Pair) -> None:
    text, number = made
    assert evaluated(text, {}, no_fact) == number


@given(st.text(st.sampled_from("0123456789.eE+-*/()<>=, AB'\"_x\0\n[]{}:"), max_size=60))
@settings(max_examples=60, deadline=None)
def test_any_text_is_a_number_or_refused(text: str) -> None:
    try:
        found = evaluated(text, {}, lambda *_: 1)
    except LessonError:
        return
    assert -LARGEST <= found <= LARGEST


def test_what_is_wrong_takes_a_line(tmp_path: Path) -> None:
    place, start = tmp_path / "a.md", TEXT.index("## A step")
    bad = ("1/0", "9**9**9", "(-1)**.5", "state_at(1)", "A(99, 1)")
    place.write_text(TEXT[:start] + "\n".join(TEXT[start:].format(text) for text in bad))
    found = check_lesson(place)
    assert len(found) == len(bad)
    for k, said in enumerate(found):
        assert "\n" not in said
        assert f"line {6 + 6 * k}:" in said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            ("A text.", "A ![picture](/dev/zero)."),
            "line 10: a lesson can contain only text, not pictures",
        ),
        (("A text.", "A <img src='/dev/zero'>."), "line 10: a lesson can contain only text"),
        (("A sentence.", "<b>A</b> sentence."), "line 2: a lesson can contain only text"),
        (("A step", "A <br> step"), "line 6: a lesson can contain only text"),
        (("A text.", "1" * (MOST_LINE + 1)), "line 10: it has 2,001 characters"),
        (
            ("- views", f"- guess: number 0 {'9' * 5000}\n- views"),
            "line 7: it has 5,018 characters",
        ),
        (("- views", "- guess: number 0 9999999\n- answer: 1\n- views"), "a guess must be"),
        (
            ("- views", "- guess: <img> | b\n- answer: 1\n- views"),
            "line 7: a lesson can contain only text",
        ),
    ],
)
def test_texts_that_are_refused(change: tuple[str, str], said: str) -> None:
    with pytest.raises(LessonError, match=said):
        parse("a", TEXT.replace(*change))


def test_less_than_is_no_markup() -> None:
    text = TEXT.replace("A text.", "A text of w < 3 and {1|1<window()}.")
    assert parse("a", text).steps[0].text == "A text of w < 3 and {1|1<window()}."


def test_lessons_that_are_huge_or_no_text(tmp_path: Path) -> None:
    place = tmp_path / "a.md"
    for content, said in ((bytes(1 << 19), "larger than"), (b"\xff\xfe\xfd", "not plain text")):
        place.write_bytes(content)
        with pytest.raises(LessonError, match=said):
            read(place)
