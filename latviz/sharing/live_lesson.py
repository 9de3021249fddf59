"""A lesson in a live page: the steps that the page can show, with settings, question and answer."""

from dataclasses import replace
from typing import Any

from latviz.engine.keeping.session import Session, from_text
from latviz.engine.lessons.lesson import Lesson, LessonStep, shown
from latviz.engine.settings.state import State

VIEWS = frozenset({"image", "states", "space", "adjacency", "indices", "likelihood", "pixel"})
"""The views that a live page has."""


def steps_of(lesson: Lesson, session: Session) -> list[dict[str, Any]]:
    """Return the steps that differ from a lesson's session in N, w, alpha and pinned pixels alone.

    Its numbers are those of the text, which `latviz --check-lesson` computes.
    """
    found, state = [], session.state
    for step in lesson.steps:
        before = from_text(step.state, state)
        after = state = from_text(step.after, before)
        plain = not step.demo and not step.is_own and VIEWS.issuperset(step.views)
        if plain and _held(before) == _held(after) == _held(session.state):
            found.append(_step(step, before, after))
    return found


def _held(state: State) -> tuple[State, int]:
    """Return what a page does not change: the rest of a state, and the learning window."""
    parameters = replace(state.parameters, n_states=1, window=0, alpha=1.0)
    rest = replace(state, parameters=parameters, pins=(), views=())
    return rest, state.parameters.effective_learning_window


def _step(step: LessonStep, before: State, after: State) -> dict[str, Any]:
    answer, options = step.guess.answer, step.guess.options
    return {
        "title": step.title,
        "text": shown(step.text),
        "then": shown(step.then),
        "views": step.views,
        "options": options,
        "right": int(answer.shown) - 1 if options and answer is not None else -1,
        "before": _setting(before),
        "after": _setting(after),
    }


def _setting(state: State) -> dict[str, Any]:
    parameters = state.parameters
    found: dict[str, Any] = {"n": parameters.n_states, "w": parameters.window}
    pin = dict(zip("xy", state.pins[-1][::-1], strict=False)) if state.pins else {}
    return found | {"alpha": parameters.alpha} | pin
