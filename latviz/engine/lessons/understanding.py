"""The test of understanding: its questions, and totals of the answers.

Questions are read from Markdown like the steps of lessons; each has its own demo.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from latviz.core.disk.reading import read_text
from latviz.core.errors import ParameterError
from latviz.engine.keeping.session import demo_of, from_text
from latviz.engine.lessons.checking import untrue
from latviz.engine.lessons.facts import Facts, LessonScreen, is_right_answer
from latviz.engine.lessons.lesson import (
    SHOWN_IN,
    STEP_SETTINGS,
    LessonStep,
    error_at,
    settings_of,
    step_of,
)

SETTINGS = (*STEP_SETTINGS, "lesson")
HEADER = ("time", "round", "question", "answer", "right", "student")
"""The columns of the file of answers."""
_Z = 1.959964
"""The quantile of intervals of 95 %."""


@dataclass(frozen=True)
class Question:
    """A question of the test."""

    step: LessonStep  # below "### Then" stands the reason for the right answer
    lesson: str  # the name of the lesson that teaches it

    @property
    def key(self) -> str:
        """The name of the question in the file of answers."""
        return re.sub(r"\W+", "-", self.step.title.lower()).strip("-")


@dataclass(frozen=True)
class Test:
    """The questions, with a title and a sentence."""

    __test__ = False  # pytest must not collect it

    title: str
    summary: str
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class Answer:
    """The answer to a question in a round; rounds are counted from 1."""

    round: int
    question: str
    answer: str  # empty: the user did not know
    is_right: bool

    @property
    def is_known(self) -> bool:
        """True if the user answered; a skipped question is not wrong."""
        return bool(self.answer)


def read(path: Path) -> Test:
    """Read a test."""
    lines = read_text(path).splitlines()
    starts = [k for k, line in enumerate(lines) if line.startswith("## ")]
    if not starts or not lines[0].startswith("# "):
        raise error_at(path.stem, 0, "a test must have a title “# …” and questions “## …”")
    ends = zip(starts, [*starts[1:], len(lines)], strict=True)
    questions = tuple(_question(path.stem, lines, start, stop) for start, stop in ends)
    summary = "\n".join(lines[1 : starts[0]]).strip()
    return Test(lines[0].removeprefix("# ").strip(), summary, questions)


def _question(name: str, lines: list[str], start: int, stop: int) -> Question:
    settings, body = settings_of(name, lines, start + 1, stop, SETTINGS)
    lesson = settings.pop("lesson", [""])[0]
    step = step_of(name, lines[start], start, settings, body)
    if step.guess.kind in (*SHOWN_IN, "beat"):
        reason = f"a question of the test cannot ask for a {step.guess.kind}"
        raise error_at(name, start, reason)
    if step.guess.kind == "pixel" and step.guess.node is None:
        wanted = "“right: …” and the row and column of a pixel: “answer: 20 30”"
        raise error_at(name, start, f"a question for a pixel must have {wanted}")
    if step.guess.kind == "none" or not demo_of(step.state):
        raise error_at(name, start, "a question must have a guess, and a state that names a demo")
    return Question(step, lesson)


def problems(test: Test, facts: dict[str, Facts]) -> list[str]:
    """Return all that is wrong in a test: states, numbers, answers; ``facts`` are by demo."""
    found: list[str] = []
    for question in test.questions:
        known = facts[demo_of(question.step.state)]
        try:
            found += _problems(question, known)
        except ParameterError as error:
            found.append(f"line {question.step.line}: {error}")
    return found


def _problems(question: Question, facts: Facts) -> Iterator[str]:
    step, answer = question.step, question.step.guess.answer
    parameters = from_text(step.state, facts.opened).parameters
    for answered in (False, True):
        yield from untrue(step, facts, parameters, answered=answered)
    screen = LessonScreen(facts.frame(parameters), None)
    if answer is not None and not is_right_answer(step, int(answer.shown), screen):
        yield f"line {step.line}: the answer {answer.shown} is not right"


# Totals of answers


def latest(answers: Iterable[Answer], number: int) -> dict[str, Answer]:
    """Return the last answer to each question in a round."""
    return {a.question: a for a in answers if a.round == number}


@dataclass(frozen=True)
class TestProgress:
    """The rounds that are complete, and the question that is next."""

    first: dict[str, Answer] | None  # of the first complete round, by question
    last: dict[str, Answer] | None  # of the last complete round, if it is another
    round: int  # that goes on, or is next
    next: int  # the next question, from 0

    @property
    def has_begun(self) -> bool:
        """True if a round is incomplete."""
        return self.next > 0


def progress_of(test: Test, answers: Sequence[Answer]) -> TestProgress:
    """Return the user's progress in a test."""
    keys = [question.key for question in test.questions]
    complete: list[dict[str, Answer]] = []
    number = 1
    while (known := latest(answers, number)).keys() >= set(keys):
        complete.append(known)
        number += 1
    after = next(k for k, key in enumerate(keys) if key not in known)
    first = complete[0] if complete else None
    last = complete[-1] if len(complete) > 1 else None
    return TestProgress(first, last, number, after)


def n_right(answers: dict[str, Answer]) -> int:
    """Return the number of right answers."""
    return sum(answer.is_right for answer in answers.values())


def n_wrong(answers: dict[str, Answer]) -> int:
    """Return the number of wrong answers; skipped questions are not wrong."""
    return sum(answer.is_known and not answer.is_right for answer in answers.values())


def gain(first: int, last: int, n_questions: int) -> float | None:
    """Return the share of unknown answers that was learned; None if all were known.

    Negative if fewer are right than before. It is the normalised gain of Hake (1998).
    """
    return None if first == n_questions else (last - first) / (n_questions - first)


def to_row(answer: Answer, time: str, student: str) -> tuple[str, ...]:
    """Return a line of the file of answers."""
    right = str(int(answer.is_right))
    return time, str(answer.round), answer.question, answer.answer, right, student


def from_rows(rows: Iterable[dict[str, str]]) -> list[Answer]:
    """Return the answers of a file, without lines that hold none."""
    found = []
    for row in rows:
        number, right = row.get("round", ""), row.get("right", "")
        if number.isdecimal() and right in ("0", "1") and row.get("question"):
            found.append(Answer(int(number), row["question"], row.get("answer", ""), right == "1"))
    return found


# A class


def copies(files: Sequence[Sequence[Mapping[str, str]]]) -> dict[int, int]:
    """Return for each file whose lines another file holds, too, that file's place in the list.

    Both were handed in by one student, or one is copied. Of equal files the first counts.
    """
    lines = [{tuple(row.get(name, "") for name in HEADER[:-1]) for row in rows} for rows in files]
    found: dict[int, int] = {}
    for k, own in enumerate(lines):
        for other, theirs in enumerate(lines):
            if own and (own < theirs or (own == theirs and other < k)):
                found.setdefault(k, other)
    return found


def interval(share: float, n: int) -> tuple[float, float]:
    """Return the interval of 95 % for a share of n (Wilson, 1927)."""
    weight = _Z * _Z / n
    centre = (share + weight / 2) / (1 + weight)
    reach = sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight)
    return max(0.0, centre - reach), min(1.0, centre + reach)


@dataclass(frozen=True)
class QuestionResult:
    """The shares of students with right and wrong answers, before and after the lessons."""

    title: str
    right: tuple[float, float]
    wrong: tuple[float, float]


@dataclass(frozen=True)
class ClassResults:
    """The results of students who took the test twice, question by question."""

    n_students: int
    n_left_out: int  # without a second complete round
    questions: tuple[QuestionResult, ...]

    @property
    def n_right(self) -> tuple[float, float]:
        """The mean number of right answers before and after."""
        before, after = zip(*(question.right for question in self.questions), strict=True)
        return sum(before), sum(after)

    @property
    def sentence(self) -> str:
        """The mean of the class, in words."""
        (before, after), n = self.n_right, len(self.questions)
        who = f"{self.n_students} student{'s' * (self.n_students != 1)}"
        return f"{who}: {before:.1f} of {n} answers right before the lessons, {after:.1f} after."


def results_of(test: Test, students: Iterable[Sequence[Answer]]) -> ClassResults:
    """Return the results of a class; ParameterError if no student took the test twice."""
    all_progress = [progress_of(test, answers) for answers in students]
    rounds = [(p.first, p.last) for p in all_progress if p.first is not None and p.last is not None]
    if not rounds:
        raise ParameterError(
            "no file holds two complete rounds of the test; take it before and after the lessons"
        )
    found = tuple(_result(question, rounds) for question in test.questions)
    return ClassResults(len(rounds), len(all_progress) - len(rounds), found)


def _result(
    question: Question, rounds: Sequence[tuple[dict[str, Answer], dict[str, Answer]]]
) -> QuestionResult:
    n, key = len(rounds), question.key
    before, after = zip(*((first[key], last[key]) for first, last in rounds), strict=True)
    right = tuple(sum(a.is_right for a in answers) / n for answers in (before, after))
    known = tuple(sum(a.is_known for a in answers) / n for answers in (before, after))
    wrong = known[0] - right[0], known[1] - right[1]
    return QuestionResult(question.step.title, (right[0], right[1]), wrong)
