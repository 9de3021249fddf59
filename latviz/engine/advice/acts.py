"""Acts: changes of settings that the adviser can offer, each with the number that it promises."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from latviz.core import digits
from latviz.core.parameter import rows
from latviz.engine.advice.case import Case
from latviz.engine.advice.tries import LEAST_GAIN
from latviz.engine.settings.parameters import Parameters

OUTLINES = "region_cut.measure=contrast&display.image_view.regions=borders"
"""The settings, as text, that outline the regions by contrast on the picture."""
MUCH = 0.05
"""Bits per pixel that refined belief must save where neighbours depend: it fits some dependence."""
MOST_REFINED = 4
"""The most states that are refined where neighbours depend: more states model the dependence."""
PIXEL_ERROR = "pixel error"
"""The measure that is counted in bits per pixel."""


@dataclass(frozen=True)
class Promise:
    """The number that an act improves, and its words on the button."""

    measure: str
    before: float
    after: float
    text: str


@dataclass(frozen=True)
class AdvisedAct:
    """A change of settings: a row of `ACTS`."""

    name: str
    text: Callable[[Case, Parameters], str]  # the words on the button
    after: Callable[[Case], Parameters | None]  # the settings after it; None where it does not fit
    promise: Callable[[Case, Parameters], Promise | None]  # None if its number does not improve
    outlines: bool = False  # it outlines the regions by contrast on the picture


def _less_error(case: Case, after: Parameters, least: float = LEAST_GAIN) -> Promise | None:
    found = case.gain(after)
    text = f"pixel error {digits.signed(found.after - found.before, 2)} bits"
    promise = Promise(PIXEL_ERROR, found.before, found.after, text)
    return promise if found.is_more_than(least) else None


def _fewer_states(case: Case, after: Parameters) -> Promise:
    before = case.now.n_states
    return Promise("states", before, after.n_states, f"{before} explain no more than one")


def _no_further(case: Case, after: Parameters) -> Promise | None:
    # The pixel error cannot judge it: states for blurred borders or for dependence lower that
    before, what = case.now.n_states, "what neighbours share" if case.is_sparse else "borders"
    found = Promise("states", before, after.n_states, f"more only fit {what}")
    return found if after.n_states < before else None


def _changed(case: Case, after: Parameters) -> Promise | None:
    share = case.tries.changed(case.now, after)
    where = f"of the {case.node}s" if case.tries.basis.whole else "in the middle"
    text = f"changes {digits.share(share)} {where}"
    return Promise("pixels changed", 0.0, share, text) if share > 0 else None


def _with_one_state(case: Case) -> Parameters | None:
    return replace(case.now, n_states=1) if case.now.n_states > 1 else None


def _as_chosen(case: Case) -> Parameters | None:
    return case.chosen if case.found.n_states > 1 and case.is_certain else None


def _with_own_states(case: Case) -> Parameters | None:
    found = case.chosen if case.is_sparse and case.is_certain else case.without_rims
    return None if found is None else replace(case.now, n_states=found.n_states)


def _levelled(case: Case) -> Parameters | None:
    now = case.now
    if not case.is_grey or now.n_states < 2:
        return None
    return replace(now, encoding=now.encoding.named("levelled"), decoder="refined")


def _with_best_window(case: Case) -> Parameters | None:
    now = case.now
    # At w = 0 a window without its middle is empty, so its error is that of one state
    moves = now.decoding.is_nearest and now.n_states > 1 and now.window > 0
    if not moves or case.best_window == now.window:
        return None
    return replace(now, window=case.best_window)


def _by_belief(case: Case) -> Parameters | None:
    now = case.now
    fits = now.decoding.is_nearest and now.n_states > 1 and now.window > 0
    return replace(now, decoder="belief") if fits else None


def _refined(case: Case) -> Parameters | None:
    fits = not case.now.decoding.refines and case.now.n_states > 1
    return replace(case.now, decoder="refined") if fits else None


def _few_refined(case: Case) -> Parameters | None:
    fits = case.now.window > 0 and case.now.n_states <= MOST_REFINED
    return _refined(case) if fits else None


def _outlined(case: Case) -> Parameters | None:
    return None if case.has_outlines else case.now


def _holding(case: Case, _after: Parameters) -> Promise | None:
    found = case.lives
    text = f"{found.n_regions} large ones"
    return Promise("large regions", 0, found.n_regions, text) if found.n_regions > 1 else None


def _named(case: Case, after: Parameters) -> str:
    """Return refined settings on a button: N or the encoding if they are others."""
    same = after.encoding.kind is case.now.encoding.kind
    encoding = "" if same else f"{after.encoding.kind.title.lower()}, "
    n = after.n_states
    return f"Try {encoding}{'belief' if same and n == case.now.n_states else f'N = {n}'}, refined"


ACTS = {
    row.name: row
    for row in (
        AdvisedAct("one state", lambda *_: "Try N = 1", _with_one_state, _fewer_states),
        AdvisedAct("hidden", _named, lambda case: case.two_refined, _less_error),
        AdvisedAct("levelled", _named, _levelled, _less_error),
        AdvisedAct("chosen", _named, _as_chosen, _less_error),
        AdvisedAct("without rims", _named, lambda case: case.without_rims, _less_error),
        AdvisedAct(
            "fewer", lambda _, after: f"Try N = {after.n_states}", _with_own_states, _no_further
        ),
        AdvisedAct(
            "window", lambda _, after: f"Go to w = {after.window}", _with_best_window, _less_error
        ),
        AdvisedAct("belief", lambda *_: "Try belief", _by_belief, _less_error),
        AdvisedAct("belief once", lambda *_: "Try belief", _by_belief, _changed),
        AdvisedAct(
            "contrast", lambda *_: "Show regions by contrast", _outlined, _holding, outlines=True
        ),
        AdvisedAct("undo", lambda *_: "Undo", lambda case: case.before, _less_error),
        AdvisedAct("refined", lambda *_: "Try belief, refined", _refined, _less_error),
        AdvisedAct(
            "refined few",
            lambda *_: "Try belief, refined",
            _few_refined,
            partial(_less_error, least=MUCH),
        ),
    )
}
"""All acts by their names."""


def options(before: Parameters, after: Parameters) -> tuple[str, ...]:
    """Return the options of the command line that turn settings into others."""
    found = list[str]()
    for row in rows(after):
        value = row.of(after)
        if value == row.of(before):
            continue
        if row.bounds is None:
            facts = row.choices_for()
            word = next(choice.word for choice in facts if choice.value == value)
        else:
            word = "w" if value is None else f"{value:g}"
        found += [row.flag, word]
    return tuple(found)
