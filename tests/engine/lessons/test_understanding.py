"""The test of understanding: its questions are true, and answers add up."""

from dataclasses import replace
from pathlib import Path

import pytest

from latviz.app.views.registry import BUILT_IN
from latviz.engine.keeping.session import demo_of, from_text
from latviz.engine.lessons.facts import LessonScreen, is_right_answer, value
from latviz.engine.lessons.lesson import LessonError, words
from latviz.engine.lessons.understanding import (
    HEADER,
    Answer,
    Question,
    from_rows,
    gain,
    interval,
    n_right,
    n_wrong,
    problems,
    progress_of,
    read,
    to_row,
)
from latviz.resources import resource
from tests.engine.lessons.test_facts import LESSONS, facts

PATH = resource("understanding/questions.md")
TEST = read(PATH)
KEYS = [question.key for question in TEST.questions]


def question(key: str) -> Question:
    return TEST.questions[KEYS.index(key)]


def screen_of(asked: Question) -> LessonScreen:
    known = facts(demo_of(asked.step.state))
    return LessonScreen(known.frame(from_text(asked.step.state, known.opened).parameters), None)


def test_no_question_lies() -> None:
    known = {demo: facts(demo) for demo in {demo_of(q.step.state) for q in TEST.questions}}
    assert problems(TEST, known) == []


def test_there_are_twelve_questions_with_likely_wrong_answers() -> None:
    assert len(TEST.questions) == len(set(KEYS)) == 12
    lessons, views = {path.stem for path in LESSONS}, {spec.name for spec in BUILT_IN}
    places = []
    for asked in TEST.questions:
        step = asked.step
        assert asked.lesson in lessons
        assert set(step.views) <= views
        assert step.then
        if step.guess.kind == "choice":
            assert len(step.guess.options) == 4
            places.append(int(step.guess.answer.shown))
            sizes = [words(option) for option in step.guess.options]
            assert max(sizes) <= 10
    assert {places.count(place) for place in (1, 2, 3, 4)} == {2, 3}  # no place is a hint
    assert {q.step.guess.kind for q in TEST.questions} == {"choice", "window", "pixel"}


def test_answers_are_judged_by_what_is_on_screen() -> None:
    asked, known = question("inertia"), screen_of(question("inertia"))
    states = known.shown.states
    border, inside = (186, 119), (20, 60)
    near = [states[r - 4 : r + 5, c - 4 : c + 5] for r, c in (border, inside)]
    assert len({int(state) for state in near[0].flat}) > 1
    assert len({int(state) for state in near[1].flat}) == 1
    assert is_right_answer(asked.step, border, known)
    assert not is_right_answer(asked.step, inside, known)
    assert value(known, "state_at(186, 119)", known.shown.request.parameters) == states[border] + 1
    window = question("half-width")
    assert [is_right_answer(window.step, w, known) for w in (0, 1, 2, 3, 4)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert [is_right_answer(question("alpha").step, k, known) for k in (1, 2)] == [True, False]


def answered(number: int, n: int, right: int) -> list[Answer]:
    return [Answer(number, key, "x", k < right) for k, key in enumerate(KEYS[:n])]


def test_a_round_goes_on_where_it_was_left_and_is_compared_with_the_first() -> None:
    none = progress_of(TEST, [])
    assert (none.round, none.next, none.first, none.has_begun) == (1, 0, None, False)
    left = progress_of(TEST, answered(1, 5, 2))
    assert (left.round, left.next, left.has_begun) == (1, 5, True)
    before = [*answered(1, 12, 4), replace(answered(1, 12, 4)[0], is_right=False)]
    once = progress_of(TEST, before)
    assert once.first is not None
    assert (once.round, once.next, once.last, n_right(once.first)) == (2, 0, None, 3)
    twice = progress_of(TEST, [*before, *answered(2, 12, 9)])
    assert twice.first is not None
    assert twice.last is not None
    assert (n_right(twice.first), n_right(twice.last)) == (3, 9)
    assert gain(3, 9, 12) == pytest.approx(2 / 3)
    assert gain(12, 12, 12) is None
    assert gain(6, 3, 12) == -0.5


def test_answers_are_read_as_they_are_written_and_damage_is_left_out() -> None:
    answer = Answer(2, "alpha", "None, at all", True)
    row = to_row(answer, "2026-01-01", "heron-482")
    bad = [{}, {"round": "two"}, dict(zip(HEADER, (*row[:4], "", ""), strict=True))]
    assert from_rows([dict(zip(HEADER, row, strict=True)), *bad]) == [answer]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("# What do", "What do", "a test must have a title"),
        ("demo=stripes&window=8", "window=8", "a state that names a demo"),
        ("- answer: 186 119", "- answer: 186", "the row and column of a pixel"),
        (
            "- views: image, states\n- guess: window\n- answer: 2\n",
            "- views: adjacency\n- guess: cell\n- answer: {0.1|A(1, 2)}\n",
            "a question of the test cannot ask for a cell",
        ),
        ("- lesson: 05-window", "- lessons: 05-window", "'lessons' is not one of the settings"),
    ],
)
def test_what_is_wrong_is_said(old: str, new: str, reason: str, tmp_path: Path) -> None:
    text = PATH.read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "a.md").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(LessonError, match=reason):
        read(tmp_path / "a.md")


def test_lies_in_questions_are_found() -> None:
    asked = question("inertia")
    guess = replace(asked.step.guess, node=(20, 60))
    wrong = replace(asked, step=replace(asked.step, guess=guess, holds=("window() == 5",)))
    found = problems(replace(TEST, questions=(wrong,)), {"blobs": facts("blobs")})
    assert found[0].endswith("the answer (20, 60) is not right")
    assert found[1].endswith("it is not true that window() == 5")


def test_what_was_not_known_is_not_wrong() -> None:
    left, right, wrong = (
        Answer(1, KEYS[k], text, text == "yes") for k, text in enumerate(("", "yes", "no"))
    )
    answers = {answer.question: answer for answer in (left, right, wrong)}
    assert (n_right(answers), n_wrong(answers)) == (1, 1)
    assert not left.is_known


@pytest.mark.parametrize(("n_right", "n"), [(0, 1), (3, 10), (17, 30), (30, 30)])
def test_the_interval_ends_where_a_share_is_just_not_refused(n_right: int, n: int) -> None:
    share = n_right / n
    for end in interval(share, n):
        off = share - end
        if 0 < end < 1:
            assert off * off / (end * (1 - end) / n) == pytest.approx(1.959964**2)
        else:
            assert off == 0
