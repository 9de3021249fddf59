"""Pages for teachers that follow from the lessons: a plan of 90 minutes, and exercises."""

from latviz.engine.lessons.lesson import Lesson, LessonStep, read, shown
from latviz.engine.lessons.understanding import read as read_test
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.resources import QUESTIONS, lessons, resource

WHOLE = 90
IN_CLASS = "01-signatures", "05-window", "07-fooled", "12-choosing"
CONTEST = 15
TALK = 8
"""Minutes for the contest, and for answers after two lessons."""


def plan_page() -> str:
    """Return the plan: the minutes of lessons are their own, and the last talk has the rest."""
    known = {name: read(path) for name, path in lessons().items()}
    test = Lesson("", "", "", "", tuple(q.step for q in read_test(resource(QUESTIONS)).questions))
    taught = [
        (
            known[name].minutes,
            f"Lesson {int(name[:2])}, *{known[name].title}*",
            "each student alone",
        )
        for name in IN_CLASS
    ]
    parts = [
        (
            test.minutes,
            "[The test](../../resources/help/lessons.md#what-do-you-understand), first round",
            "alone, without help",
        ),
        *taught[:2],
        (TALK, "Answers of both lessons", "in *Present*: vote on each step, then *Next*"),
        *taught[2:],
        (
            CONTEST,
            "[Predict the change](../../resources/help/lessons.md#predict-the-change)",
            "each on an own picture",
        ),
        (test.minutes, "The test, second round", "alone"),
    ]
    rest = WHOLE - sum(minutes for minutes, *_ in parts)
    assert rest >= 5
    lines, start = [], 0
    for minutes, what, how in [
        *parts,
        (rest, "What was learned", "skills of the contest, handouts"),
    ]:
        lines.append(f"| {start} | {minutes} | {what} | {how} |")
        start += minutes
    return "\n".join([*PLAN, *lines, *AFTER, ""])


PLAN = (
    "# A class of 90 minutes",
    "",
    "To teach a class in 90 minutes, follow this plan: a test before and after, four lessons, and "
    "a contest on the students' own pictures.",
    "",
    "- Before: open each lesson once in *Present*, and print its handout: "
    "`latviz --lesson window --handout window.pdf`. Its first page asks, its second page answers.",
    "- Each student, or each pair, has the program, and brings a picture. No network is needed.",
    "- Ask for files of answers by their code words, not by names.",
    "",
    "| from minute | minutes | what | how |",
    "| --- | --- | --- | --- |",
)
AFTER = (
    "",
    "[Teaching with latviz](../../resources/help/teaching.md) draws the results of the test. "
    "[Errors and questions](lesson-notes.md) of each lesson are for the talk, "
    "[exercises](exercises.md) for home.",
)


def exercises_page() -> str:
    """Return the questions about new pictures that end the lessons, and their solutions."""
    every = {name: read(path) for name, path in lessons().items()}
    ends = {name: one for name, one in every.items() if one.steps[-1].is_transfer}
    lines = [
        "# Exercises",
        "",
        "Each exercise asks about a picture that is new to its lesson. Guess first, then open the "
        "picture with the command, and try it. The program computed all numbers, and the lesson "
        "ends with the same question.",
    ]
    for name, lesson in ends.items():
        step = lesson.steps[-1]
        lines += [
            "",
            f"## {int(name[:2])} {lesson.title}",
            "",
            shown(step.text),
            *_options(step),
            "",
        ]
        lines += [f"{DEMO_TITLES[step.demo]}: `latviz --settings '{_settings(step)}'`"]
    lines += ["", "## Solutions", ""]
    for name, lesson in ends.items():
        step = lesson.steps[-1]
        lines.append(f"{int(name[:2])}. {_right(step)}{shown(step.then)}")
    return "\n".join([*lines, ""])


def _settings(step: LessonStep) -> str:
    settings = [one for one in step.state.split("&") if one and not one.startswith("looks.")]
    return "&".join([f"demo={step.demo}", *settings])  # colours would take six lines


def _options(step: LessonStep) -> list[str]:
    options = [f"- {option}" for option in step.guess.options]
    return ["", *options] if options else []


def _right(step: LessonStep) -> str:
    if not step.guess.options or step.guess.answer is None:
        return ""
    return f"*{step.guess.options[int(step.guess.answer.shown) - 1]}.* "
