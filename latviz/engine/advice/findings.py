"""Findings: what the evidence says of a frame, in the order in which they are looked for."""

from collections.abc import Callable
from dataclasses import dataclass

from latviz.core import choice as choices
from latviz.core import digits
from latviz.core.segmentation.defaults import LEAST_CONTRAST
from latviz.engine.advice.case import LEAST_NODES, Case
from latviz.engine.choosing.scales import held_over_cuts
from latviz.engine.choosing.tradeoff import compared_windows
from latviz.engine.indices import INDICES

_AS_GOOD = "This is as good as this model gets here"
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth", "13th", "14th", "15th", "16th", "17th"),
)


@dataclass(frozen=True)
class Finding:
    """A row of `FINDINGS`: when it holds, what it says and why, and what it offers."""

    name: str
    holds: Callable[[Case], bool]
    says: Callable[[Case], str]  # at most 14 words
    because: Callable[[Case], str]
    acts: tuple[str, ...] = ()  # the first that keeps its promise is offered
    always: bool = False  # it is said if no act pays, too


def _has_other_n(case: Case) -> bool:
    # The choice knows no pairs of states
    is_single = not case.now.decoding.has_scales
    return is_single and case.now.n_states != case.found.n_states and case.is_certain


def _has_its_n(case: Case) -> bool:
    return not case.found.dependent and case.now.n_states == case.n_states


def _is_uncertain(case: Case) -> bool:
    known = case.is_certain or _has_its_n(case) or case.now.decoding.has_scales
    return not (_is_dependent(case) or known)


def _is_dependent(case: Case) -> bool:
    return case.found.dependent and case.are_alike


def of_little(case: Case) -> str:
    """Return why there is too little to judge, or to choose."""
    if case.n_nodes < LEAST_NODES:
        return f"There are {digits.count(case.n_nodes)} {case.node}s; {LEAST_NODES} are needed."
    return f"All {case.node}s are equal."


def _fixed(case: Case) -> str:
    given = case.frame.request.given is not None
    return "These are the states of another model." if given else "You set these states by hand."


def says_noise(case: Case) -> str:
    """Return that states explain nothing."""
    if case.now.n_states == 1:
        return "One state is enough: more would find nothing but noise."
    return "States explain nothing here: this looks the same as noise."


def of_noise(case: Case) -> str:
    """Return how little a second state saves."""
    saved = float(case.choice.saved[0])
    if saved <= 0:
        return "A second state saves nothing."
    return f"A second state saves {digits.bits(saved)} bits per {case.node}, as it does in noise."


def of_mixed(case: Case) -> str:
    """Return the pixel error of states that the choice does not find, and of one state."""
    found = case.over_one
    before, after = (digits.signed(value, 2) for value in (found.before, found.after))
    return f"The pixel error is {after} bits, with one state {before}."


def _light(case: Case) -> str:
    if case.is_certain or case.without_rims is not None:
        return f"The light is uneven: levelled, N = {case.n_states} explains more."
    return "The light is uneven, and N is uncertain: levelled, these states explain more."


def _of_window(case: Case) -> str:
    return (
        f"With N = {case.now.n_states}, w = {case.best_window} has the lowest prediction error of "
        f"all windows up to {compared_windows(case.frame.request.picture)[-1]}."
    )


def of_states(case: Case) -> str:
    """Return the bits that the last state saves, and a further one."""
    n = case.found.n_states
    last = digits.bits(case.last_saved)
    text = f"{_sparse(case)}The {_ORDINALS[n - 1]} state saves {last} bits per {case.node}"
    if n > len(case.found.saved):
        return f"{text}."
    after = float(case.found.saved[n - 1])
    return f"{text}, the {_ORDINALS[n]} {digits.bits(after) if after > 0 else 'nothing'}."


def _sparse(case: Case) -> str:
    """Return that N is that of every second node, if it is."""
    if not case.is_sparse:
        return ""
    within = f"Neighbours are alike within {_grown(case)} states"
    return f"{within}, so N is that of every second {case.node}. "


def _refined(case: Case) -> str:
    if case.now.decoding.has_beliefs:
        return "Refined states predict the picture better."
    known = "windows here" if case.now.window else f"a single {case.node}"
    return f"Neighbours know more than {known}."


def _of_refined(case: Case) -> str:
    if case.now.decoding.has_beliefs:
        return f"Refining learns the states from the beliefs of all {case.node}s.{_law(case)}"
    beyond = ", not only those in a window" if case.now.window else ""
    return f"Belief uses the states of all other {case.node}s{beyond}.{_law(case)}"


def _law(case: Case) -> str:
    """Return that noise is not normal, if it is not: refined belief counts any law."""
    if not case.law < INDICES["law"].needed:  # NaN: there is nothing to compare
        return ""
    # Without the number: the gauge has that of the states on screen
    return " The noise in refined states is not normal, but refined belief assumes no law."


def _uncertain(case: Case) -> str:
    if case.without_rims is not None:
        return f"{case.n_states} states explain it; one more only fits blurred borders."
    if case.n_rims:
        return "Blurred borders or more states? N is uncertain; choose it by eye."
    other = "Drift" if case.tries.basis.encoding == "labels" else "Shading"
    return f"{other} or more states? N is uncertain; choose it by eye."


def of_uncertain(case: Case) -> str:
    """Return why N is uncertain."""
    if case.found.dependent:
        return of_dependent(case)
    n, last = case.found.n_states, digits.bits(case.last_saved)
    if case.n_rims:
        many = f"{case.n_rims} of {n} states lie" if case.n_rims > 1 else f"One of {n} states lies"
        return f"{many} only between two others, as a blurred border does."
    what = "frequencies" if case.tries.basis.encoding == "labels" else "brightness"
    if far := case.found.far_correlation:
        apart = f"{case.node.capitalize()}s {choices.growing.FAR} steps apart"
        shared = f"have a correlation of {digits.signed(far, 2)} within states"
        return f"{_sparse(case)}{apart} {shared}, as a slow change of {what} leaves."
    return (
        f"{_sparse(case)}The {_ORDINALS[n - 1]} state would save {last} bits per {case.node}, as a "
        f"slow change of {what} within a state can."
    )


def of_dependent(case: Case) -> str:
    """Return why no N can be found."""
    left = digits.signed(case.choice.residual_correlation, 2)
    within = f"Neighbours within {_grown(case)} states have a correlation of {left}"
    return f"{within}; further states would fit that."


def _lives(case: Case) -> str:
    found = case.lives
    if not found.n_regions:
        return "No region stands out from its surroundings here."
    return f"{held_over_cuts(found, LEAST_CONTRAST)}."


def _of_photograph(case: Case) -> str:
    return f"Neighbours are {_alike(case)}, so no number proves an N or a w."


def _alike(case: Case) -> str:
    left = digits.signed(case.choice.residual_correlation, 2)
    return f"alike even within {_grown(case)} states (correlation {left})"


def _grown(case: Case) -> int:
    """Return the most states whose residual correlation was measured."""
    return len(case.choice.saved) + 1


def _end(case: Case) -> str:
    return _lives(case) if case.is_photograph else f"{_AS_GOOD}."


def _of_cost(case: Case) -> str:
    return f"Your last change raised the pixel error by {digits.signed(case.cost, 2)} bits."


def _of_end(case: Case) -> str:
    if case.is_photograph:
        return f"{_AS_GOOD}: neighbours are {_alike(case)}."
    error = digits.signed(case.tries.of(case.now).error.mean, 2)
    lowest = f"Nothing that was tried lowers the pixel error of {error} bits"
    return f"{lowest}. The table Regions lists the areas of this map."


FINDINGS = (
    Finding(
        "little", lambda case: case.is_little, lambda _: "There is too little to judge.", of_little
    ),
    Finding("fixed", lambda case: case.is_fixed, _fixed, lambda _: "So nothing else is tried."),
    # On mosaics of textures states of greys have a lower pixel error and a fourth of the accuracy
    Finding(
        "patterns",
        lambda case: case.sees_patterns,
        lambda _: "These are states of patterns, which no number here judges.",
        lambda _: "The pixel error is that of single pixels; choose N and w by eye.",
    ),
    Finding(
        "hidden",
        lambda case: case.is_hidden,
        lambda _: "Windows find only noise here; refined belief finds two states.",
        lambda _: "It learns which states are neighbours; windows ignore that.",
        ("hidden",),
    ),
    Finding("noise", lambda case: case.is_noise, says_noise, of_noise, ("one state",), always=True),
    Finding(
        "mixed",
        lambda case: case.is_one,
        lambda _: "These states predict better than one, but N is uncertain; choose it by eye.",
        of_mixed,
    ),
    Finding(
        "light",
        lambda case: case.is_uneven and not case.now.encoding.is_levelled,
        _light,
        lambda _: "A slow change of brightness across the picture looks like further states.",
        ("chosen", "without rims", "levelled"),
    ),
    Finding(
        "states",
        _has_other_n,
        lambda case: f"{case.found.n_states} states explain it; one more saves almost nothing.",
        of_states,
        ("chosen", "fewer"),
    ),
    Finding(
        "window",
        lambda case: not case.are_alike,  # else the least error chooses too small a window
        lambda case: f"A window of w = {case.best_window} predicts the picture better.",
        _of_window,
        ("window",),
    ),
    Finding("refined", _has_its_n, _refined, _of_refined, ("refined", "belief")),
    Finding(
        "uncertain",
        _is_uncertain,
        _uncertain,
        of_uncertain,
        ("without rims", "fewer", "relearned", "belief"),
        always=True,
    ),
    Finding(
        "dependent",
        lambda case: _is_dependent(case) and not case.is_photograph,
        lambda case: f"Neighbours stay alike inside {_grown(case)} states, so N cannot be found.",
        of_dependent,
        ("belief", "relearned"),
        always=True,
    ),
    Finding(
        "photograph",
        lambda case: case.is_photograph,
        _lives,
        _of_photograph,
        ("belief once", "contrast"),
    ),
    # Quietly: on photographs it is right in 78 %
    Finding("cost", lambda case: case.cost > 0, _end, _of_cost, ("undo",)),
    Finding("end", lambda _: True, _end, _of_end),
)
"""All findings; the first that holds, and that has an offer if it needs one, is the advice."""
