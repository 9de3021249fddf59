"""What is untrue in a lesson: numbers, answers and claims, checked on the program's own frames."""

from collections.abc import Callable

from latviz.core.errors import ParameterError
from latviz.engine.indices import INDICES
from latviz.engine.keeping.session import from_text
from latviz.engine.lessons.expressions import Value
from latviz.engine.lessons.facts import (
    Facts,
    FactSource,
    LessonScreen,
    called,
    is_right,
    is_right_answer,
    results_for,
    value,
    written,
)
from latviz.engine.lessons.lesson import Lesson, LessonStep, Number, numbers
from latviz.engine.settings.parameters import Parameters

_TRUE = {"accuracy", "errors"}


def problems(lesson: Lesson, facts_of: Callable[[str], Facts]) -> list[str]:
    """Return all errors of a lesson: in states, answers and numbers.

    ``facts_of`` returns the facts of a demo.
    """
    found: list[str] = []

    def begun(demo: str) -> Facts:
        facts = facts_of(demo)
        facts.others = facts_of
        facts.begin()
        return facts

    facts = begun(lesson.demo_at(0))
    try:
        state = from_text(lesson.state, facts.opened)
    except ParameterError as error:
        return [f"lesson {lesson.name}: {error}"]
    for step in lesson.steps:
        if step.demo:
            facts = begun(step.demo)
            state = facts.opened
        try:
            before = from_text(step.state, state)
            facts.show(before.parameters)
            found += untrue(step, facts, before.parameters, answered=False)
            state = from_text(step.after, before)
            facts.show(state.parameters)
            found += untrue(step, facts, state.parameters, answered=True)
        except ParameterError as error:
            found.append(f"lesson {lesson.name}, line {step.line}: {error}")
    return found


def untrue(
    step: LessonStep, source: FactSource, parameters: Parameters, *, answered: bool
) -> list[str]:
    """Return the false claims of a step, before or after its answer is shown."""
    given = list(numbers(step.then if answered else step.text))
    if step.guess.answer is not None and not answered:
        given.append(step.guess.answer)
    if step.is_own:
        needs = results_for([*given, *(Number("", claim) for claim in step.holds)])
        source = LessonScreen(source.frame(parameters, needs), source.trade_off(parameters))
    true = _TRUE | {f"true_{name}" for name in INDICES}
    found = [
        f"{n.expression} needs a picture whose truth is known"
        for n in given
        if step.is_own and true & called(n)
    ]
    if step.guess.node is not None and answered:
        needs = results_for([Number("", step.right)])
        if not is_right_answer(
            step, step.guess.node, LessonScreen(source.frame(parameters, needs), None)
        ):
            found.append(f"the answer {step.guess.node} is not right")
    found += _unbeaten(step, source, parameters) if answered else []
    if step.right and step.guess.is_number and not answered and not step.is_own:
        assert step.guess.answer is not None
        if not is_right_answer(step, int(step.guess.answer.shown), None):
            found.append(f"the answer {step.guess.answer.shown} is not right")
    for number in given:
        so = value(source, number.expression, parameters)
        if not is_right(number, so):
            found.append(f"{number.expression} is {so}, not {number.shown}")
    in_simplex = step.guess.kind == "signature" and not answered
    if in_simplex and source.frame(parameters).observations.n_symbols != 2:
        found.append("a signature can be guessed only with two symbols")
    claims = (*step.holds, *step.because) if answered else ()
    false = [claim for claim in claims if value(source, claim, parameters) is not True]
    found += [f"it is not true that {claim}" for claim in false]
    return [f"line {step.line}: {reason}" for reason in found]


def _unbeaten(step: LessonStep, source: FactSource, parameters: Parameters) -> list[str]:
    """Return an error if the final settings of a step do not beat its number, else []."""
    beaten = step.guess.answer
    if step.guess.kind != "beat" or beaten is None:
        return []
    best = value(source, beaten.expression, parameters)
    if is_better(beaten, best):
        return []
    return [f"{beaten.expression} is {best} at the end, which does not beat {beaten.shown}"]


def is_better(beaten: Number, so: Value) -> bool:
    """Return True if a value is larger than a number, in the digits shown."""
    return _shown_value(written(beaten, so)) > _shown_value(beaten.shown)


def _shown_value(text: str) -> float:
    """Return the value of a number from its text, in percent if it has the sign."""
    return float(
        text.rstrip("% \N{NO-BREAK SPACE}").replace(",", "").replace("\N{MINUS SIGN}", "-")
    )
