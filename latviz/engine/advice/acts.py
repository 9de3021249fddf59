"""Acts: changes of settings that the adviser can offer, each with the number that it promises."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from latviz.core import digits
from latviz.core.data.encoding import LEVELLED
from latviz.core.parameter import rows
from latviz.engine.advice.case import Case
from latviz.engine.advice.tries import LEAST_GAIN
from latviz.engine.settings.parameters import Parameters

OUTLINES = "region_cut.measure=contrast&display.image_view.regions=borders"
"""The settings, as text, that outline the regions by contrast on the picture."""
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
    after: Callable[[Case], Parameters | None]  # the settings after it; None where it does not fit
    promise: Callable[[Case, Parameters], Promise | None]  # None if its number does not improve
    text: str = ""  # the words on the button, if not those of what differs
    outlines: bool = False  # it outlines the regions by contrast on the picture

    def words(self, now: Parameters, after: Parameters) -> str:
        """Return the words on the button, without the number."""
        refined = after.decoder == "refined" != now.decoder
        other = after.encoding.kind is not now.encoding.kind
        title = after.encoding.kind.title
        title = title if title[:2].isupper() else title.lower()  # of CIELAB
        encoding = title if other else ""
        n = f"N = {after.n_states}" if after.n_states != now.n_states else ""
        belief = "belief" if after.decoder != now.decoder and not (encoding or n) else ""
        found = ", ".join(filter(None, (encoding, n, belief, "refined" if refined else "")))
        return self.text or (f"Try {found}" if found else f"Go to w = {after.window}")


def _less_error(case: Case, after: Parameters, least: float = LEAST_GAIN) -> Promise | None:
    found = case.gain(after)
    text = f"pixel error {digits.signed(found.after - found.before, 2)} bits"
    promise = Promise(PIXEL_ERROR, found.before, found.after, text)
    return promise if found.is_more_than(least) else None


def _much_less_error(case: Case, after: Parameters) -> Promise | None:
    # States that are learned again can fit what neighbours share
    return _less_error(case, after, max(LEAST_GAIN, case.tries.shared))


def _fewer_states(case: Case, after: Parameters) -> Promise | None:
    # The pixel error cannot judge it: states for blurred borders or for dependence lower that
    before, n = case.now.n_states, after.n_states
    what = "what neighbours share" if case.is_sparse else "borders"
    text = f"{before} explain no more than one" if n == 1 else f"more only fit {what}"
    return Promise("states", before, n, text) if n < before else None


def _changed(case: Case, after: Parameters) -> Promise | None:
    share = case.tries.changed(case.now, after)
    where = f"of the {case.node}s" if case.tries.basis.whole else "in the middle"
    text = f"changes {digits.share(share)} {where}"
    return Promise("pixels changed", 0.0, share, text) if share > 0 else None


def _holding(case: Case, _after: Parameters) -> Promise | None:
    n = case.lives.n_regions
    return Promise("large regions", 0, n, f"{n} large ones") if n > 1 else None


def _as_chosen(case: Case) -> Parameters | None:
    return case.chosen if case.found.n_states > 1 and case.is_certain else None


def _with_own_states(case: Case) -> Parameters | None:
    found = case.chosen if case.is_sparse and case.is_certain else case.without_rims
    return None if found is None else replace(case.now, n_states=found.n_states)


def _levelled(case: Case) -> Parameters | None:
    basis, now = case.tries.basis, case.now
    if basis.encoding not in LEVELLED or now.n_states == 1:
        return None
    encoding = replace(basis.plain(now).encoding, level=True)
    return replace(now, encoding=encoding, decoder="refined")


def _uses_window(case: Case) -> bool:
    # At w = 0 a window without its middle is empty, so its error is that of one state
    return case.now.decoding.is_nearest and case.now.n_states > 1 and case.now.window > 0


def _with_best_window(case: Case) -> Parameters | None:
    return replace(case.now, window=case.best_window) if _uses_window(case) else None


def _by_belief(case: Case) -> Parameters | None:
    return replace(case.now, decoder="belief") if _uses_window(case) else None


def _refined(case: Case) -> Parameters | None:
    return replace(case.now, decoder="refined") if case.now.n_states > 1 else None


def _relearned(case: Case) -> Parameters | None:
    return _refined(case) if case.now.window > 0 else None


def _outlined(case: Case) -> Parameters | None:
    return case.now if case.is_grey and not case.has_outlines else None


ACTS = {
    row.name: row
    for row in (
        AdvisedAct("one state", lambda case: replace(case.now, n_states=1), _fewer_states),
        AdvisedAct("hidden", lambda case: case.two_refined, _less_error),
        AdvisedAct("levelled", _levelled, _less_error),
        AdvisedAct("chosen", _as_chosen, _less_error),
        AdvisedAct("without rims", lambda case: case.without_rims, _less_error),
        AdvisedAct("fewer", _with_own_states, _fewer_states),
        AdvisedAct("window", _with_best_window, _less_error),
        AdvisedAct("belief", _by_belief, _less_error),
        AdvisedAct("belief once", lambda c: None if c.is_grey else _by_belief(c), _changed),
        AdvisedAct("contrast", _outlined, _holding, "Show regions by contrast", outlines=True),
        AdvisedAct("undo", lambda case: case.before, _less_error, "Undo"),
        AdvisedAct("refined", _refined, _less_error),
        AdvisedAct("relearned", _relearned, _much_less_error),
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
