"""The advice on a frame: the first finding that holds, and the first of its acts that pays."""

from dataclasses import dataclass
from typing import Any

from latviz.engine.advice.acts import ACTS, OUTLINES, Promise, options
from latviz.engine.advice.case import Case
from latviz.engine.advice.findings import FINDINGS, Finding
from latviz.engine.advice.tries import Tries, Untried, Wanted
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State

Declined = frozenset[tuple[str, Parameters]]
"""Acts that the user undid, by their names and the settings that they led to."""
NOTHING: Declined = frozenset()


@dataclass(frozen=True)
class Offer:
    """A change of settings that was tried, and what it improves."""

    act: str  # its name
    text: str  # the words on its button, with the number
    before: Parameters
    after: Parameters
    promise: Promise
    options: tuple[str, ...]  # of the command line
    outlines: bool  # the regions by contrast are outlined on the picture
    middle: str = ""  # the size of the middle of a large picture, if only that was tried

    def is_in(self, state: State) -> bool:
        """Return True if a state has what is offered."""
        outlined = state.region_cut.measure == "contrast"
        return state.parameters == self.after and (outlined or not self.outlines)


@dataclass(frozen=True)
class Advice:
    """What the adviser says of a frame, why, and what it offers."""

    finding: str  # its name
    says: str
    because: str
    offer: Offer | None = None
    wanted: Wanted | None = None  # what is tried next; None if the advice is final

    def to_plain(self) -> dict[str, Any]:
        """Return the advice as a summary has it."""
        offer = self.offer
        found = offer and {
            "text": offer.text,
            "options": list(offer.options),
            "measure": offer.promise.measure,
            "before": offer.promise.before,
            "after": offer.promise.after,
        }
        return {"says": self.says, "because": self.because, "offer": found}


def advise(
    frame: Frame,
    tries: Tries,
    declined: Declined = NOTHING,
    before: Parameters | None = None,
) -> Advice:
    """Return the advice on a frame, from what was tried so far."""
    # before: the last settings that were looked at
    case = Case(frame, tries, before)
    try:
        return next(found for each in FINDINGS if (found := _found(each, case, declined)))
    except Untried as missing:
        return Advice("trying", "", "", wanted=missing.wanted)


def _found(finding: Finding, case: Case, declined: Declined) -> Advice | None:
    """Return the advice of a finding; None if it does not hold, or has nothing to offer."""
    if not finding.holds(case):
        return None
    for name in finding.acts:
        offer = _offer(name, case)
        if offer is not None and (name, offer.after) not in declined:
            where = f" Measured in the middle: {offer.middle}." if offer.middle else ""
            because = f"{finding.because(case)}{where}"
            return Advice(finding.name, finding.says(case), because, offer)
    if finding.acts and not finding.always:
        return None
    return Advice(finding.name, finding.says(case), finding.because(case))


def _offer(name: str, case: Case) -> Offer | None:
    """Return an act as an offer, if it applies and keeps its promise."""
    act = ACTS[name]
    after = act.after(case)
    if after is None or (after == case.now and not act.outlines):
        return None
    promise = act.promise(case, after)
    if promise is None:
        return None
    text = f"{act.words(case.now, after)}: {promise.text}"
    given = ("--settings", OUTLINES) if act.outlines else options(case.now, after)
    tried = case.tries.basis
    middle = "" if tried.whole or act.outlines else tried.picture.size_text
    return Offer(name, text, case.now, after, promise, given, act.outlines, middle)
