"""Lessons as data: read from Markdown, checked line by line.

A lesson is a heading, a sentence, its initial state, its learning goals, and steps. A step is a
heading, settings, a text, and below "### Then" the text after the user's guess::

    # A title
    A sentence for the list of lessons.

    - state: demo=blobs&window=0
    - learned: A pixel alone says little.

    ## A step
    - views: image, states
    - free: window
    - guess: window
    - answer: {4|best_window()}
    - then: window=4

    A text. With this window {97.0 %|accuracy(window=4)} of the pixels are right.

    ### Then
    Another text.

A number is written as on screen, followed by "|" and an expression of `facts`, which must round to
it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from latviz.core.disk.errors import plain
from latviz.core.disk.reading import read_text
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.engine.indices import INDICES
from latviz.engine.keeping.session import demo_of, from_text
from latviz.engine.pictures.demo_titles import DEMO_TITLES, LESSON_TITLES
from latviz.engine.settings.parameters import WINDOW_RANGE, Parameters
from latviz.engine.settings.state import State

GuessKind = Literal[
    "none", "window", "number", "choice", "pixel", "gauge", "signature", "cell", "beat"
]
SHOWN_IN: Mapping[GuessKind, str] = {"gauge": "indices", "signature": "space", "cell": "adjacency"}
"""By kind of guess: the view that a step must show."""
HUNDREDTHS = 100
"""Gauges and places of signatures are guessed in hundredths."""
MOST_BYTES = 1 << 18
MOST_LINE = 2000
"""Characters of a lesson's line."""
MOST_STEPS = 7
MOST_LEARNED = 3
"""Most lines of learning goals in a lesson: they are read at one glance."""
MOST_SENTENCES = 3
_WORDS_A_MINUTE = 180
_MINUTES: Mapping[GuessKind, float] = {"none": 0, "choice": 0.6, "beat": 4}
"""To answer a question; each kind that is not named takes as long as a choice."""
MOST_WORDS = 60
"""Most words of a text: 20 seconds to read."""
_SETTING = re.compile(r"- (?P<name>\w+): *(?P<value>.*)")
_NUMBER = re.compile(r"\{(?P<shown>[^|{}]+)\|(?P<expression>[^{}]+)\}")
_UNBROKEN = re.compile(r"\b[wN] = \S+|\d %|\d × \d+|\w · \w / \(\w \+ \w\)")
_MARKUP = re.compile(r"!\[|<[A-Za-z/!?]")
"""A picture or HTML: Qt would read any file that it names."""
_SHARE = re.compile(r"0\.\d\d|1\.00")
_CELL = re.compile(r"A\(([1-9]\d{0,2}), *([1-9]\d{0,2})\)")
_COUNT = re.compile(r"\d{1,6}")
_NODE = re.compile(r"(\d{1,6}) +(\d{1,6})")
_NEAR = re.compile(r"(\d{1,6}) +(\d{1,6}) +([1-9]\d{0,5})")
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)")
TRANSFER = "transfer"
"""The folder beside lessons with a question about a new picture for each."""
OWN = "own"
"""The picture of a step about the current picture; others are demos."""
STEP_SETTINGS = (
    *("picture", "state", "views", "told", "chart", "near", "free", "guess"),
    *("answer", "right", "then", "holds", "because"),
)


_REPEATED = ("holds", "because")
_IGNORED = ("colors",)
"""Settings of older lessons: states now have the colours of their regions without it."""


class LessonError(ParameterError):
    """An error in a lesson; the message names the line."""


@dataclass(frozen=True)
class Number:
    """A number in a text: its digits, and the expression of its value."""

    shown: str
    expression: str


@dataclass(frozen=True)
class Guess:
    """The question of a step, before its answer."""

    # A half-width, a number within bounds, one of ``options``, a pixel to click on, a place on the
    # gauge of an index, one on the line of signatures of two symbols, a cell of A, or settings that
    # beat a number
    kind: GuessKind = "none"
    options: tuple[str, ...] = ()  # of a choice
    bounds: tuple[int, int] = (0, 0)  # of a number; of a place in hundredths
    # of a choice the number from 1; of a pixel None; of a cell its A; the number to beat
    answer: Number | None = None
    index: str = ""  # of the gauge
    node: tuple[int, int] | None = None  # of a pixel to click: a right one, if there is a rule

    @property
    def is_share(self) -> bool:
        """True for a place from 0 to 1, which is counted in hundredths."""
        return self.kind in ("gauge", "signature")

    @property
    def is_number(self) -> bool:
        """True if it is a number, and so can be set on a slider."""
        return self.is_share or self.kind in ("window", "number")

    @property
    def cell(self) -> tuple[int, int] | None:
        """The row and column of the cell that is right, from 0."""
        found = None if self.answer is None else _CELL.fullmatch(self.answer.expression)
        return None if found is None else (int(found[1]) - 1, int(found[2]) - 1)

    def written(self, count: int) -> str:
        """Return a guess as text: "16", or "0.83" for 83 hundredths."""
        return f"{count / HUNDREDTHS:.2f}" if self.is_share else str(count)

    def counted(self, text: str) -> int | None:
        """Return the count of an answer as written; None if unknown."""
        if self.is_share:
            return round(HUNDREDTHS * float(text)) if _SHARE.fullmatch(text) else None
        return int(text) if _COUNT.fullmatch(text) else None


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson."""

    title: str  # with ``text`` the heading and Markdown
    text: str
    then: str = ""  # Markdown after a guess; may be empty
    state: str = ""  # set when the step begins, see `to_text`
    after: str = ""  # set when ``then`` is shown
    views: tuple[str, ...] = ()  # docks that are shown
    answer_views: tuple[str, ...] = ()  # docks that are shown with ``then``: they give the answer
    # Parts of the trade-off that are shown alone: the first before the answer, all after it
    chart: tuple[str, ...] = ()
    near: tuple[int, int, int] | None = None  # the visible part: row, column, pixels to each side
    free: tuple[str, ...] = ()  # parameters that can be moved; after ``then`` all can
    guess: Guess = field(default_factory=Guess)
    # True for right answers, of ``guess``, or ``row`` and ``column``; empty: only that of ``guess``
    right: str = ""
    # expressions of `facts` that must be true, because the text relies on them
    holds: tuple[str, ...] = ()
    # expressions that say what causes it: they compare with the picture ``without`` that cause
    because: tuple[str, ...] = ()
    # The step continues with the user's own picture: its numbers, written as those of the demo,
    # follow the current frame
    is_own: bool = False
    demo: str = ""  # of this step and the next ones; empty: that of the step before
    line: int = 0  # its first line
    is_transfer: bool = False  # it asks the same of a new picture, after the lesson's own steps


@dataclass(frozen=True)
class Lesson:
    """A lesson; ``name`` is its file's, without the suffix."""

    name: str
    title: str
    summary: str
    state: str
    steps: tuple[LessonStep, ...]
    learned: tuple[str, ...] = ()  # the learning goals, a sentence each

    @property
    def minutes(self) -> int:
        """The minutes that it takes: to read, and to find an answer to each question."""
        n_words = sum(words(step.text) + words(step.then) for step in self.steps)
        kinds = [step.guess.kind for step in self.steps]
        on_answers = sum(_MINUTES.get(kind, _MINUTES["choice"]) for kind in kinds)
        return round(n_words / _WORDS_A_MINUTE + on_answers)

    def demo_at(self, index: int) -> str:
        """Return the demo that a step is about."""
        return self.steps[self._first(index)].demo or demo_of(self.state)

    def texts_at(self, index: int) -> list[str]:
        """Return the texts of settings on a step's demo up to the step's answer, in order."""
        first = self._first(index)
        start = [] if self.steps[first].demo else [self.state]
        steps = self.steps[first : index + 1]
        return [*start, *(text for step in steps for text in (step.state, step.after))]

    def _first(self, index: int) -> int:
        """Return the first of the steps with the demo of a step."""
        return next((k for k in range(index, 0, -1) if self.steps[k].demo), 0)


def numbers(text: str) -> Iterator[Number]:
    """Yield the numbers of a text."""
    yield from map(_number, _NUMBER.finditer(text))


def shown(text: str, as_shown: Callable[[Number], str] = lambda number: number.shown) -> str:
    """Return a text as shown: without expressions of numbers, formulas on one line."""
    numbered = _NUMBER.sub(lambda found: f"**{as_shown(_number(found))}**", text)
    return _UNBROKEN.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), numbered)


def _number(found: re.Match[str]) -> Number:
    return Number(found["shown"].strip(), found["expression"].strip())


def sentences(text: str) -> int:
    """Return the number of sentences in a text."""
    return len(_SENTENCE_END.findall(re.sub(r"\d\.\d", "00", shown(text))))


def words(text: str) -> int:
    """Return the number of words in a text, including numbers."""
    return len(shown(text).split())


def title_of(path: Path) -> str:
    """Return the title of a lesson, its first line."""
    return read_text(path, MOST_BYTES, "a lesson").partition("\n")[0].removeprefix("# ").strip()


def read(path: Path) -> Lesson:
    """Read a lesson."""
    try:
        text = read_text(path, MOST_BYTES, "a lesson")
    except OSError as error:
        raise LessonError(f"{path.name} cannot be read: {plain(error)}") from error
    return _with_transfer(parse(path.stem, text), path.parent / TRANSFER / path.name)


def _with_transfer(lesson: Lesson, path: Path) -> Lesson:
    """Return a lesson with the question about a new picture in a file, if there is one."""
    if not path.is_file():
        return lesson
    name, lines = f"{TRANSFER}/{lesson.name}", read_text(path, MOST_BYTES, "a lesson").splitlines()
    _check_lines(name, lines)
    asked = step_of(name, lines[0], 0, *settings_of(name, lines, 1, len(lines)))
    return replace(lesson, steps=(*lesson.steps, replace(asked, is_transfer=True)))


def check_states(lesson: Lesson) -> None:
    """Raise `LessonError` if a lesson names an unknown demo, or sets impossible values."""
    state = State()
    for line, demo in ((0, demo_of(lesson.state)), *((s.line - 1, s.demo) for s in lesson.steps)):
        demos = (*DEMO_TITLES, *LESSON_TITLES)
        if demo not in demos and (demo or line == 0):
            known = ", ".join(demos)
            raise error_at(lesson.name, line, f"there is no demo {demo!r}; choose one of {known}")
    texts = [(0, lesson.state)]
    texts += [(step.line - 1, text) for step in lesson.steps for text in (step.state, step.after)]
    for line, text in texts:
        try:
            state = from_text(text, state)
        except ParameterError as error:
            raise error_at(lesson.name, line, str(error)) from error


def parse(name: str, text: str) -> Lesson:
    """Return the lesson that a text describes."""
    # The message of a LessonError names the lesson, the line and the reason
    lines = text.splitlines()
    _check_lines(name, lines)
    starts = [k for k, line in enumerate(lines) if line.startswith("## ")]
    if not lines or not lines[0].startswith("# "):
        raise error_at(name, 0, "a lesson must begin with its title: “# A title”")
    if not 1 <= len(starts) <= MOST_STEPS:
        raise error_at(name, 0, f"a lesson must have 1 to {MOST_STEPS} steps, got {len(starts)}")
    settings, body = settings_of(name, lines, 1, starts[0], ("learned", *STEP_SETTINGS))
    learned = tuple(settings.pop("learned", ()))
    if set(settings) - {"state"}:
        wanted = "only “- state:” and “- learned:” can be set before the first step"
        raise error_at(name, 1, wanted)
    if len(learned) > MOST_LEARNED:
        raise error_at(
            name,
            1,
            f"a lesson can have at most {MOST_LEARNED} “- learned:” lines, got {len(learned)}",
        )
    state = next(iter(settings.get("state", ())), "")
    if not demo_of(state):
        raise error_at(name, 1, "the state must name a demo: “- state: demo=blobs”")
    ends = [*starts[1:], len(lines)]
    steps = tuple(
        step_of(name, lines[start], start, *settings_of(name, lines, start + 1, stop))
        for start, stop in zip(starts, ends, strict=True)
    )
    return Lesson(name, lines[0].removeprefix("# ").strip(), body, state, steps, learned)


def _check_lines(name: str, lines: list[str]) -> None:
    """Raise `LessonError` if a line is too long, or would show more than text."""
    for k, line in enumerate(lines):
        if len(line) > MOST_LINE:
            found = f"it has {len(line):,} characters, and at most {MOST_LINE:,} are allowed"
            raise error_at(name, k, found)
        setting = _SETTING.fullmatch(line.rstrip())
        if _MARKUP.search(shown(line)) and (setting is None or setting["name"] == "guess"):
            raise error_at(name, k, "a lesson can contain only text, not pictures or HTML")


def error_at(name: str, line: int, reason: str) -> LessonError:
    """Return the error of a line, counted from 0."""
    return LessonError(f"lesson {name}, line {line + 1}: {reason}")


def settings_of(
    name: str, lines: list[str], start: int, stop: int, known: Sequence[str] = STEP_SETTINGS
) -> tuple[dict[str, list[str]], str]:
    """Return the settings of a part, each with its values, and the rest of the text."""
    settings: dict[str, list[str]] = {}
    body = []
    for k in range(start, stop):
        if found := _SETTING.fullmatch(lines[k].rstrip()):
            if found["name"] in _IGNORED:
                continue
            if found["name"] not in known:
                listed = ", ".join(known)
                raise error_at(name, k, f"{found['name']!r} is not one of the settings {listed}")
            settings.setdefault(found["name"], []).append(found["value"].strip())
        else:
            body.append(lines[k])
    return settings, "\n".join(body).strip()


def step_of(
    name: str, heading: str, start: int, settings: Mapping[str, list[str]], body: str
) -> LessonStep:
    """Return the step of a heading in line ``start``, settings and the text below."""
    text, then = _texts(name, start, body)
    once = {key: values[0] for key, values in settings.items() if key not in _REPEATED}
    if any(len(settings[key]) > 1 for key in once):
        wanted = "only “holds” and “because” can be given more than once in a step"
        raise error_at(name, start, wanted)
    if any("without=" not in claim for claim in settings.get("because", ())):
        wanted = "“because” must compare with the picture without a cause: B(1, 1, without='noise')"
        raise error_at(name, start, wanted)
    known = {row.field for row in rows(Parameters)}
    free = _listed(once.get("free", ""))
    if unknown := set(free) - known:
        raise error_at(name, start, f"there is no parameter {min(unknown)!r}")
    guess, right = (
        _guess(name, start, once.get("guess", ""), once.get("answer", "")),
        once.get("right", ""),
    )
    if guess.kind == "pixel" and bool(right) != (guess.node is not None):
        wanted = "“right: …” and the correct pixel, “answer: 20 30”, or neither"
        raise error_at(name, start, f"a guess of a pixel must have {wanted}")
    if guess.kind != "none" and not then:
        raise error_at(name, start, "a step that asks needs an answer: “### Then”")
    if "told" in once and not then:
        raise error_at(name, start, "“told” needs an answer in the step: “### Then”")
    views, shown_in = _listed(once.get("views", "")), SHOWN_IN.get(guess.kind)
    if shown_in is not None and shown_in not in views:
        wanted = f"a guess of a {guess.kind} needs its view: “- views: {shown_in}”"
        raise error_at(name, start, wanted)
    picture = once.get("picture", "")
    return LessonStep(
        title=heading.removeprefix("## ").strip(),
        text=text,
        then=then,
        state=once.get("state", ""),
        after=once.get("then", ""),
        views=views,
        answer_views=_listed(once.get("told", "")),
        chart=_listed(once.get("chart", "")),
        near=_near(name, start, once.get("near", "")),
        free=free,
        guess=guess,
        right=right,
        holds=tuple(settings.get("holds", ())),
        because=tuple(settings.get("because", ())),
        is_own=picture == OWN,
        demo="" if picture == OWN else picture,
        line=start + 1,
    )


def _texts(name: str, line: int, body: str) -> tuple[str, str]:
    """Return the text of a step and of its answer; each takes at most 20 seconds to read."""
    text, _, then = (part.strip() for part in body.partition("### Then"))
    if not text:
        raise error_at(name, line, "a step must have a text")
    for part in (text, then):
        for found, most, what in (
            (sentences(part), MOST_SENTENCES, "sentences"),
            (words(part), MOST_WORDS, "words"),
        ):
            if found > most:
                raise error_at(
                    name, line, f"a text has {found} {what}, and at most {most} are allowed"
                )
    return text, then


def _near(name: str, line: int, value: str) -> tuple[int, int, int] | None:
    """Parse “195 108 8”: a row, a column, and the visible pixels to each side."""
    if not value:
        return None
    found = _NEAR.fullmatch(value)
    if found is None:
        raise error_at(name, line, f"near must be a row, a column and a reach, got {value!r}")
    row, column, reach = map(int, found.groups())
    return row, column, reach


def _listed(value: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in value.split(",") if part.strip())


def _guess(name: str, line: int, value: str, answer: str) -> Guess:
    """Parse the guess of a step: “window”, “pixel”, “gauge inertia”, “this | that” and others."""
    kind = value.partition(" ")[0]
    if not value:
        return Guess()
    if kind in _WHOLE_ANSWERS and value == kind:
        return _WHOLE_ANSWERS[kind](name, line, answer)
    guess = _counted_guess(value)
    if guess is None:
        wanted = (
            "window, pixel, cell, signature, beat, “gauge inertia”, “number 0 25” or “this | that”"
        )
        raise error_at(name, line, f"a guess must be {wanted}, got {value!r}")
    return replace(guess, answer=_answer(name, line, answer, guess))


def _counted_guess(value: str) -> Guess | None:
    """Return a guess whose answer is counted, as on a slider or among options."""
    words = value.split()
    if "|" in value:
        options = tuple(part.strip() for part in value.split("|"))
        return Guess("choice", options, (1, len(options)))
    if value == "window":
        return Guess("window", bounds=WINDOW_RANGE)
    if value == "signature":
        return Guess("signature", bounds=(0, HUNDREDTHS))
    if words[0] == "gauge" and words[1:] in [[index] for index in INDICES]:
        return Guess("gauge", bounds=(0, HUNDREDTHS), index=words[1])
    if words[0] == "number" and len(words) == 3 and all(map(_COUNT.fullmatch, words[1:])):
        return Guess("number", bounds=(int(words[1]), int(words[2])))
    return None


def _pixel_guess(name: str, line: int, answer: str) -> Guess:
    """Return a guess of a pixel; its answer, if there is one, is a pixel that is right."""
    node = _NODE.fullmatch(answer)
    if answer and node is None:
        wanted = "the row and column of a pixel: “answer: 20 30”"
        raise error_at(name, line, f"the answer of a pixel must be {wanted}, got {answer!r}")
    return Guess("pixel", node=node and (int(node[1]), int(node[2])))


def _answer(name: str, line: int, answer: str, guess: Guess) -> Number:
    """Parse an answer: “4”, “{4|best_window()}”, or “{0.83|associativity()}” for a place."""
    found = _NUMBER.fullmatch(answer)
    number = _number(found) if found else Number(answer.strip(), answer.strip())
    count, (least, most) = guess.counted(number.shown), guess.bounds
    if count is None and guess.is_share:
        wanted = "0 to 1 with two decimals, and its expression: “- answer: {0.93|inertia()}”"
        raise error_at(name, line, f"an answer must be from {wanted}, got {answer!r}")
    if count is None:
        wanted = "a whole number, or one with its expression: “- answer: {4|best_window()}”"
        raise error_at(name, line, f"an answer must be {wanted}, got {answer!r}")
    if not least <= count <= most:
        raise error_at(name, line, f"the answer {number.shown} is not from {least} to {most}")
    return number


def _cell_guess(name: str, line: int, answer: str) -> Guess:
    """Return a guess of a cell; “{0.03|A(1, 2)}” is the entry that is right, and so its cell."""
    found = _NUMBER.fullmatch(answer)
    if found is None or not _CELL.fullmatch(found["expression"].strip()):
        wanted = "the correct entry: “- answer: {0.03|A(1, 2)}”"
        raise error_at(name, line, f"the answer of a cell must be {wanted}, got {answer!r}")
    return Guess("cell", answer=_number(found))


def _beat_guess(name: str, line: int, answer: str) -> Guess:
    """Return a guess by settings; “{62.3 %|accuracy()}” is reached as the step begins."""
    found = _NUMBER.fullmatch(answer)
    if found is None:
        wanted = "the value to beat: “- answer: {62.3 %|accuracy()}”"
        raise error_at(name, line, f"the answer of “beat” must be {wanted}, got {answer!r}")
    return Guess("beat", answer=_number(found))


_WHOLE_ANSWERS: Mapping[str, Callable[[str, int, str], Guess]] = {
    "pixel": _pixel_guess,
    "cell": _cell_guess,
    "beat": _beat_guess,
}
"""By kind of guess: the function that reads an answer other than a bounded number."""
