"""Checks of a frame: what contradicts the model, each with a next step."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from latviz.core import digits, inference, model
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.core.decoders import DECODERS
from latviz.engine.choosing.guidance import BELIEF, Offer
from latviz.engine.choosing.tradeoff import WINDOWS
from latviz.engine.frames.frame import Frame
from latviz.engine.indices import gauge_of, needs, verdict
from latviz.engine.pictures.picture import as_set
from latviz.engine.settings.parameters import STATES_RANGE

NEEDED = needs() | {"far_correlation"}
"""The results that all checks read."""
CHANCE = "chance"
"""The name of the check of noise."""
UNEVEN = 0.05
"""The correlation of far pixels from which light counts as uneven: a twentieth of their variance is
shared. In 20 fields under even light it is at most 0.02."""
LEVELLED = "grey", "quantiles", "levels"
"""The encodings that see the same as levelled greys, but for the light."""


@dataclass(frozen=True)
class Check:
    """Something that contradicts the model."""

    name: str
    text: str  # with the next step in words
    offer: Offer | None = None  # the next step as a button, if there is one


def checks_of(frame: Frame) -> tuple[Check, ...]:
    """Return what contradicts the model in a frame; what is not known yet is left out."""
    found = tuple(one for one in (check(frame) for check in CHECKS) if one is not None)
    return found or _chance(frame)


def _law(frame: Frame) -> Check | None:
    gauge = gauge_of(frame, "law")
    if not gauge.known or gauge.reached:
        return None
    step = _of_refined(frame)
    if step is None:
        return None
    text = f"The noise is not normal (law {digits.probability(gauge.value)})."
    return Check("law", f"{text} Refined belief assumes no law.", step)


def _near(frame: Frame) -> Check | None:
    correlation, gauge = frame.residual_correlation, gauge_of(frame, "independence")
    if correlation is None or not gauge.known or gauge.reached:
        return None
    value = digits.signed(correlation, 2)
    if correlation < 0:
        text = f"Neighbours differ more than their states explain (correlation {value})."
        return _pattern(frame, "near", text)
    text = f"Neighbours are alike even within a state (correlation {value})."
    if frame.believed is None:
        return Check("near", f"{text} Belief couples them strongly.", _of_belief(frame))
    return _unexplained(frame, "near", text)


def _far(frame: Frame) -> Check | None:
    near, correlation = gauge_of(frame, "independence"), frame.far_correlation
    if not near.known or correlation is None or not correlation > UNEVEN:
        return None
    node, far = frame.request.picture.node_name.capitalize(), model.residuals.FAR
    value = digits.signed(correlation, 2)
    assert frame.residual_correlation is not None
    if correlation > frame.residual_correlation:
        text = f"{node}s {far} apart are more alike than neighbours (correlation {value})."
        return _pattern(frame, "far", text)
    text = f"{node}s {far} apart are alike even within a state (correlation {value})."
    if frame.request.parameters.encoding.name in LEVELLED:
        light = "The light may be uneven: level it."
        return Check("far", f"{text} {light}", _of_encoding(frame, "levelled"))
    light = "The light may be uneven. Textons do not depend on light."
    return Check("far", f"{text} {light}", _of_encoding(frame, "textons"))


def _chance(frame: Frame) -> tuple[Check, ...]:
    """Return the check of noise; what else is wrong explains it better."""
    if frame.inertia is None or verdict(frame).name != "noise":
        return ()
    window, text = frame.request.parameters.window, "Shuffled pixels score as high."
    if frame.believed is None and window < WINDOWS[-1]:
        wider = min(2 * window + 1, WINDOWS[-1])
        offer = Offer(f"Try w = {wider}", {"window": wider})
        return (Check(CHANCE, f"{text} A larger window may find regions.", offer),)
    return (Check(CHANCE, f"{text} There may be fewer states.", _of_states(frame, -1)),)


CHECKS: tuple[Callable[[Frame], Check | None], ...] = (_near, _far, _law)
"""Each returns what contradicts the model; None for nothing. The first matters most."""


def _pattern(frame: Frame, name: str, text: str) -> Check:
    """Return the check of neighbours that differ, as in a pattern."""
    belief = _of_belief(frame)
    if belief is None:
        return _unexplained(frame, name, text)
    return Check(name, f"{text} Belief can follow such a pattern.", belief)


def _unexplained(frame: Frame, name: str, text: str) -> Check:
    return Check(name, f"{text} One more state may explain it.", _of_states(frame, 1))


def _of_belief(frame: Frame) -> Offer | None:
    """Return the offer of belief, or of refined belief; None if nothing is left to refine."""
    if frame.request.parameters.decoder in ("belief", "refined"):
        return _of_refined(frame)
    return BELIEF


def _of_refined(frame: Frame) -> Offer | None:
    """Return the offer of refined belief; None if it is there, or the model is given."""
    is_there = frame.request.parameters.decoder == "refined"
    if is_there or frame.request.given is not None:
        return None
    return Offer(f"Try {DECODERS['refined'].title.lower()}", {"decoder": "refined"})


def _of_states(frame: Frame, more: int) -> Offer | None:
    n_states = frame.request.parameters.n_states + more
    low, high = STATES_RANGE
    fits = low <= n_states <= high and frame.request.given is None
    return Offer(f"Try N = {n_states}", {"n_states": n_states}) if fits else None


def _of_encoding(frame: Frame, name: str) -> Offer | None:
    """Return the offer of an encoding; None if the picture cannot have it, or has it."""
    kind, old = ENCODINGS[name], frame.request.parameters.encoding
    refused = frame.request.given is not None or kind.refusal(as_set(frame.request.pictures).facts)
    if old.name == name or refused:
        return None
    changes: dict[str, Any] = {"encoding": Encoding(name, inference.binning.QUANTILES)}
    return Offer(f"Try {kind.title.lower()}", changes)
