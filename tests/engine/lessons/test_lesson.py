"""Lessons are read as written, and an error is reported with its line."""

import re
from pathlib import Path

import pytest

from latviz.app.lessons.library import PATH
from latviz.engine.lessons.lesson import (
    Guess,
    LessonError,
    Number,
    check_states,
    numbers,
    parse,
    read,
    shown,
)
from latviz.resources import lessons, resource

WHOLE = """\
# Windows
What a window does.

- state: demo=blobs&window=0

## Alone
- views: image, states
- free: window, n_states
- guess: Most | About half | Few
- answer: 2
- holds: accuracy() < 0.6
- holds: 0.4 < accuracy()
- then: window=4

Each pixel alone. Here {54.3 %|accuracy()} are right.

### Then
Now {96.7 %|accuracy(window=4)} are.

## A number
- guess: number 0 25
- answer: {7|count(1, 2, 3, window=2)}

How many?

### Then
Seven.

## Read
Only a text.
"""


def test_colours_of_older_lessons_are_ignored() -> None:
    begun = "window=0\n"
    older = WHOLE.replace(begun, f"{begun}- colors: 009e73 d55e00\n", 1)
    newer = WHOLE.replace(begun, f"{begun}\n", 1)
    assert older != newer
    assert parse("a", older) == parse("a", newer)


def test_a_lesson_is_read() -> None:
    lesson = parse("windows", WHOLE)
    assert (lesson.name, lesson.title, lesson.summary) == (
        "windows",
        "Windows",
        "What a window does.",
    )
    assert lesson.state == "demo=blobs&window=0"
    first, second, third = lesson.steps
    assert first.views == ("image", "states")
    assert first.free == ("window", "n_states")
    assert first.guess == Guess("choice", ("Most", "About half", "Few"), (1, 3), Number("2", "2"))
    assert first.holds == ("accuracy() < 0.6", "0.4 < accuracy()")
    assert (first.state, first.after) == ("", "window=4")
    assert first.text == "Each pixel alone. Here {54.3 %|accuracy()} are right."
    assert shown(first.text) == "Each pixel alone. Here **54.3\N{NO-BREAK SPACE}%** are right."
    assert list(numbers(first.then)) == [Number("96.7 %", "accuracy(window=4)")]
    assert second.guess == Guess("number", (), (0, 25), Number("7", "count(1, 2, 3, window=2)"))
    assert (third.title, third.text, third.then) == ("Read", "Only a text.", "")
    assert third.guess.kind == "none"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("# Windows\n", "Windows\n", "line 1: a lesson must begin with its title"),
        ("demo=blobs&window=0", "window=0", "line 2: the state must name a demo"),
        ("- views", "- sights", "line 7: 'sights' is not one of the settings"),
        ("free: window", "free: windows", "line 6: there is no parameter 'windows'"),
        ("- answer: 2", "- answer: 4", "line 6: the answer 4 is not from 1 to 3"),
        ("- answer: 2", "- answer: two", "line 6: an answer must be a whole number"),
        ("number 0 25", "number many", "line 20: a guess must be window, pixel"),
        ("### Then\nSeven.\n", "", "line 20: a step that asks needs an answer"),
        (
            "Only a text.",
            "One. Two! Three? Four.",
            "a text has 4 sentences, and at most 3 are allowed",
        ),
        ("Only a text.", "", "line 29: a step must have a text"),
        (
            "## A number",
            "## A number\n- answer: 3",
            "only “holds” and “because” can be given more than once",
        ),
        ("## Read\nOnly a text.\n", "## Read\nA text.\n" * 6, "1 to 7 steps, got 8"),
        (
            "- state: demo",
            "- views: image\n- state: demo",
            "only “- state:” and “- learned:” can be set",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old: str, new: str, reason: str) -> None:
    assert old in WHOLE
    with pytest.raises(LessonError) as caught:
        parse("windows", WHOLE.replace(old, new))
    assert reason in str(caught.value)
    assert str(caught.value).startswith("lesson windows, line ")


PLACE = """\
# Places
Where?

- state: demo=figure1

## A place
- views: image, indices, space, adjacency
- guess: GUESS
- answer: ANSWER

Click there.

### Then
There.
"""


def place(guess: str, answer: str) -> Guess:
    text = PLACE.replace("GUESS", guess).replace("ANSWER", answer)
    return parse("places", text).steps[0].guess


def test_places_in_views_can_be_asked_for() -> None:
    gauge = place("gauge inertia", "{0.93|inertia()}")
    assert gauge == Guess("gauge", (), (0, 100), Number("0.93", "inertia()"), "inertia")
    assert (gauge.counted("0.93"), gauge.counted("1.00"), gauge.counted("…")) == (93, 100, None)
    assert (gauge.written(7), gauge.written(100)) == ("0.07", "1.00")
    assert place("signature", "0.38").counted("0.38") == 38
    cell = place("cell", "{0.03|A(1, 2)}")
    assert (cell.cell, cell.is_number) == ((0, 1), False)
    window = place("window", "4")
    assert (window.written(16), window.counted("16"), window.cell) == ("16", 16, None)


@pytest.mark.parametrize(
    ("guess", "answer", "reason"),
    [
        ("gauge", "0.93", "a guess must be window, pixel, cell, signature"),
        ("gauge rand", "0.93", "a guess must be window"),
        ("gauge inertia", "1", "an answer must be from 0 to 1 with two decimals"),
        ("gauge inertia", "0.931", "an answer must be from 0 to 1 with two decimals"),
        ("signature", "1.01", "an answer must be from 0 to 1 with two decimals"),
        ("cell", "0.03", "the answer of a cell must be the correct entry"),
        ("cell", "{0.03|B(1, 2)}", "the answer of a cell must be the correct entry"),
    ],
)
def test_answers_that_are_no_places_are_found(guess: str, answer: str, reason: str) -> None:
    with pytest.raises(LessonError, match=f"line 6: {reason}"):
        place(guess, answer)


@pytest.mark.parametrize(
    ("guess", "view"), [("gauge inertia", "indices"), ("signature", "space"), ("cell", "adjacency")]
)
def test_a_place_needs_its_view(guess: str, view: str) -> None:
    answer = "{0.03|A(1, 2)}" if guess == "cell" else "0.93"
    text = PLACE.replace("GUESS", guess).replace("ANSWER", answer).replace(f", {view}", "")
    with pytest.raises(LessonError, match=f"needs its view: “- views: {view}”"):
        parse("places", text)


def test_formulas_stay_on_one_line() -> None:
    assert shown("n · m / (n + m) times w = 4, or 7 × 7").split(" ") == [
        "n\N{NO-BREAK SPACE}·\N{NO-BREAK SPACE}m\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}"
        "(n\N{NO-BREAK SPACE}+\N{NO-BREAK SPACE}m)",
        "times",
        "w\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}4,",
        "or",
        "7\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}7",
    ]


def test_a_step_may_go_on_with_another_demo() -> None:
    lesson = parse("windows", WHOLE.replace("## A number\n", "## A number\n- picture: stripes\n"))
    assert [lesson.demo_at(k) for k in range(3)] == ["blobs", "stripes", "stripes"]
    assert lesson.texts_at(0) == ["demo=blobs&window=0", "", "window=4"]
    assert lesson.texts_at(2) == ["", "", "", ""]  # settings of the first demo do not count
    check_states(lesson)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("## Read", "## Read\n- picture: cat", "line 29: there is no demo 'cat'; choose one of"),
        ("demo=blobs", "demo=nowhere", "line 1: there is no demo 'nowhere'; choose one of blobs"),
        ("&window=0", "&window=70000", "line 1: the window half-width w must be from 0 to 65536"),
        ("then: window=4", "then: windows=4", "line 6: there is no setting 'windows'"),
    ],
)
def test_states_that_cannot_be_are_found(old: str, new: str, reason: str) -> None:
    check_states(parse("windows", WHOLE))
    assert old in WHOLE
    with pytest.raises(LessonError, match=reason):
        check_states(parse("windows", WHOLE.replace(old, new)))


def test_files_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xff\xfe\x00")
    for name in ("a.md", "none.md"):
        with pytest.raises(LessonError, match=f"{name} cannot be read"):
            read(tmp_path / name)


def test_pages_give_the_minutes_that_lessons_take() -> None:
    """The table for teachers has the minutes that the program shows."""
    known = {path.stem[3:]: read(path).minutes for path in lessons().values()}
    page = resource("help/teaching.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d+ \| `(\w+)` \| (\d+) \|", page, re.MULTILINE)
    assert {name: int(minutes) for name, minutes in rows} == known
    path = sum(known[name[3:]] for name in PATH)
    page = resource("help/lessons.md").read_text(encoding="utf-8")
    assert f"a path of {path} minutes" in page
    assert f"Each takes about {sorted(known.values())[len(known) // 2]} minutes" in page
