"""Judges of what a window says at rest: each yields a line for each contradiction."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import inf
from typing import NamedTuple

MOST_BELOW = 0.02
"""Accuracy by which the best w may exceed that of a w that is called right."""
_KEPT = r"as good as this model gets|\b{p}(?: = \d+)? is right|\bkeeps? {p}\b"
_EXACT = (
    r"\b(?:Go to|Try|Choose|Use)\b[^.:]*?\b{p} = (\d+)",
    r"\b{p} = (\d+) (?:predicts|explains|has the lowest)",
    r"\b{p} (?:=|stays) (\d+): [a-z]",
)
_AMONG = r"\blowest at {p} = (\d+)(?: to (\d+))?"
_MORE = r"\b(?:Try|Use|Choose) (?:an? )?(?:larger|wider|greater|more) (?:{noun})"
_LESS = r"\b(?:Try|Use|Choose) (?:an? )?(?:smaller|narrower|fewer) (?:{noun})"
_NOUNS = {"w": "windows?|w", "N": "states?|N"}
_NOISE = "like noise|same as noise|nothing but noise|One state is enough"
_STATES = r"\b(\d+) states explain"
_INFINITE = r"∞|(?<![\w.])[-−+]?(?:inf|infinity|nan)(?![\w.])"
_IMPOSSIBLE = "probability 0 under the model"
_TERMS = "Data −∞"
_UNFINISHED = "Computing…|Nothing yet"
_NUMBERS = "Pixel error", "Prediction error", "Accuracy", "adjusted Rand"
_COUNT = r"\b([\d,]+) large regions?, ([\d,]+) in all"
_HELD = r"\b([\d,]+|None) of ([\d,]+) large regions by contrast"
_ERROR = "(?:prediction|saves|loses)"
_OTHERS = rf"nearest codeword, {_ERROR}|^N = \d+, w = \d+(?:, accuracy|, {_ERROR}|\n)"
_METHODS = "Compare"
"""The view that has the numbers of other methods."""
_NUMBER = r"\b{name}:?(?: of| [\d.,]+ →)? (–|[\d,]+(?:\.\d+)?)"
_GAUGES = (  # a sentence, and the gauge that must, or must not, reach its threshold then
    # of other numbers of states than on screen it says nothing
    (r"alike (?:inside|(?:even )?within)(?: {N})? states", "Independence", False),
    ("correlated even within a state", "Independence", False),
    ("[Nn]eighbours are independent", "Independence", True),
    (_NOISE, "Associativity", False),
)


class Text(NamedTuple):
    """A text, and the accessible name of the widget that shows it."""

    name: str
    text: str


class Pane(NamedTuple):
    """A visible view: its title, whether it is of one colour, and its texts."""

    title: str
    is_blank: bool
    texts: Sequence[str]


@dataclass(frozen=True)
class Moment:
    """The window at rest: its texts and panes, and what is known without them."""

    texts: Sequence[Text]
    now: Mapping[str, int]  # w and N
    panes: Sequence[Pane] = ()
    gauges: Mapping[str, tuple[str, bool]] = field(default_factory=dict)  # value, and if it reaches
    accuracies: Mapping[int, float] = field(default_factory=dict)  # of windows, by w, if known
    accuracy: float | None = None  # of the map on screen, if known
    regions: tuple[int, int] | None = None  # of the map on screen: large ones, and all
    # of the large regions by contrast: those that hold while the cut is tripled, and all
    surviving: tuple[int, int] | None = None


def one_direction(moment: Moment) -> Iterator[str]:
    """Find a w or an N that one text wants and another one rules out."""
    for parameter, now in moment.now.items():
        wanted = [(one, ends) for one in moment.texts for ends in _wanted(one.text, parameter, now)]
        for (one, a), (other, b) in combinations(wanted, 2):
            if max(a[0], b[0]) > min(a[1], b[1]):
                yield f"{parameter} = {now}: {one.text!r} and {other.text!r}"


def _wanted(text: str, parameter: str, now: int) -> Iterator[tuple[float, float]]:
    """Yield the ends of the values that a text leaves to a parameter."""
    for pattern in _EXACT:
        for found in re.finditer(pattern.format(p=parameter), text):
            yield float(found[1]), float(found[1])
    for found in re.finditer(_AMONG.format(p=parameter), text):
        yield float(found[1]), float(found[2] or found[1])
    noun = _NOUNS[parameter]
    if re.search(_KEPT.format(p=parameter), text):
        yield now, now
    if re.search(_MORE.format(noun=noun), text):
        yield now + 1, inf
    if re.search(_LESS.format(noun=noun), text):
        yield -inf, now - 1
    if parameter == "N":
        yield from ((float(found[1]), float(found[1])) for found in re.finditer(_STATES, text))
        if re.search(_NOISE, text):
            yield 1, 1


def finite(moment: Moment) -> Iterator[str]:
    """Find numbers that are infinite or undefined.

    The logarithm of 0 is minus infinity in the paper, too, so a view that counts the pixels of
    probability 0 may write it; no other view may.
    """
    explained = {one.name for one in moment.texts if _IMPOSSIBLE in one.text}
    for one in moment.texts:
        is_explained = one.name in explained or (explained and one.text.startswith(_TERMS))
        text = re.sub("−∞|Minus infinity", "", one.text) if is_explained else one.text
        if re.search(_INFINITE, text, re.IGNORECASE):
            yield f"{one.name}: {one.text!r}"


def finished(moment: Moment) -> Iterator[str]:
    """Find texts that promise results, and panes that are empty and say nothing."""
    for one in moment.texts:
        if re.search(_UNFINISHED, one.text):
            yield f"{one.name}: {one.text!r}"
    for pane in moment.panes:
        if pane.is_blank and not "".join(pane.texts).strip():
            yield f"{pane.title} is empty"


def rightly_kept(moment: Moment) -> Iterator[str]:
    """Find a map that is called right, while that of another w is better by the true states."""
    known = moment.accuracies
    best = max(known, key=lambda w: known[w], default=None)
    gap = 0.0 if best is None else known[best] - (moment.accuracy or 0.0)
    for one in moment.texts:
        if gap > MOST_BELOW and re.search(_KEPT.format(p="w"), one.text):
            yield f"w = {best} is better by {gap:.3f}: {one.text!r}"


def one_value(moment: Moment) -> Iterator[str]:
    """Find two values of one number."""
    texts = [Text("gauge", f"{name} {value}") for name, (value, _) in moment.gauges.items()]
    texts += moment.texts
    for name in (*_NUMBERS, *moment.gauges):
        read = re.compile(_NUMBER.format(name=name), re.IGNORECASE)
        # Texts that say that their numbers are those of another decoder, or of other N and w
        own = (t for t in texts if t.name != _METHODS and not re.search(_OTHERS, t.text))
        found = {n[1]: t.text for t in own for n in read.finditer(t.text)}
        for (one, text), (other, another) in combinations(found.items(), 2):
            if not _are_same(one, other):
                yield f"{name} {one} and {other}: {text!r} and {another!r}"


def counted(moment: Moment) -> Iterator[str]:
    """Find other numbers of regions than there are."""
    for pattern, known in ((_COUNT, moment.regions), (_HELD, moment.surviving)):
        for one in moment.texts:
            for found in re.finditer(pattern, one.text):
                read = tuple(int(n.replace(",", "").replace("None", "0")) for n in found.groups())
                if known is not None and read != known:
                    yield f"{known[0]} of {known[1]} regions: {one.text!r}"


def _are_same(one: str, other: str) -> bool:
    """Return True if two numbers agree in the decimals that both have."""
    if "–" in (one, other):
        return one == other
    decimals = min(len(each.partition(".")[2]) for each in (one, other))
    a, b = (float(each.replace(",", "")) for each in (one, other))
    return abs(a - b) < 0.5000001 * 10**-decimals


def as_gauged(moment: Moment) -> Iterator[str]:
    """Find sentences that a gauge contradicts."""
    for pattern, name, reaches in _GAUGES:
        value, reached = moment.gauges.get(name, ("", reaches))
        claim = re.compile(pattern.format(N=moment.now.get("N", "")))
        for one in moment.texts:
            if reached is not reaches and claim.search(one.text):
                yield f"{name} {value}: {one.text!r}"


def as_promised(offer: str, texts: Sequence[Text]) -> Iterator[str]:
    """Find another share of pixels in the outcome than on the button of the offer."""
    wanted = re.search(r"changes (\S+ %) of the", offer)
    for one in texts:
        found = re.search(r"(\S+ %) of the \w+ changed", one.text)
        if wanted is not None and found is not None and found[1] != wanted[1]:
            yield f"{offer!r}, and {one.text!r}"


JUDGES: tuple[Callable[[Moment], Iterator[str]], ...] = (
    one_direction,
    finite,
    finished,
    rightly_kept,
    one_value,
    counted,
    as_gauged,
)


def contradictions(moment: Moment) -> list[str]:
    """Return what all judges find, each line once."""
    return list(dict.fromkeys(f"{judge.__name__}: {x}" for judge in JUDGES for x in judge(moment)))
