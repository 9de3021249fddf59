r"""The model's formulas, typeset in general and with the numbers of one pixel.

A `Topic` is one of them: its meaning, its formula, and the function for its numbers; to add a
formula, add one to `TOPICS`. The numbers are those of an `Explanation`, which are computed from the
definitions.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latviz.engine.explain.explanation import Explanation, Flip, LeftOutVector, cuts_in_force
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.parameters import STATES_RANGE

MOST_TERMS = 4
"""Terms of a sum to write out; of more, only the result."""
MOST_LINES = 6
"""Lines for symbols or states."""
_WORDS = (
    (" \\cdot 10^{", "e"),
    ("{", ""),
    ("}", ""),
    ("\\infty", "infinity"),
    ("^2", " squared"),
    ("+", " + "),
    ("-", "\N{MINUS SIGN}"),
)
"""Signs of LaTeX in numbers, with their plain text."""


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX, and in plain text for screen readers."""

    latex: str
    words: str


Fill = Callable[[Frame, Explanation], Iterable[Formula]]


@dataclass(frozen=True)
class Topic:
    """A formula of the model."""

    title: str
    meaning: str  # one sentence on its meaning
    formula: Formula
    fill: Fill  # yields the formula with a pixel's numbers; nothing where they are missing
    vectors: Formula | None = None  # for observations that are real vectors, if different
    believing: Formula | None = None  # for states by belief, if different
    of_beliefs: bool = False  # holds only where states are by belief
    # yields sentences with a pixel's numbers that no formula contains
    sentences: Callable[[Frame, Explanation], Iterable[str]] | None = None

    def applies(self, frame: Frame) -> bool:
        """Return True if the formula was used to compute a frame."""
        return not self.of_beliefs or frame.believed is not None

    def formula_of(self, frame: Frame) -> Formula:
        """Return the formula that holds for a frame."""
        if frame.believed is not None and self.believing is not None:
            return self.believing
        vectors = None if frame.observations.discrete else self.vectors
        return vectors or self.formula


def number(value: float, digits: int = 3) -> str:
    """Return a number for a formula, in LaTeX: "0.245", or times a power of 10."""
    if value < 0:
        return f"{{-{number(-value, digits)}}}"  # in braces, or the sign stands like a minus
    if math.isinf(value):
        return "\\infty"
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return f"{mantissa} \\cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def in_words(latex: str) -> str:
    """Return numbers, with the signs between them that fill formulas in, in plain text."""
    for sign, word in _WORDS:
        latex = latex.replace(sign, word)
    return latex


def _both(before: tuple[str, str], latex: str) -> Formula:
    """Return a formula that begins with LaTeX and words, and goes on with numbers alone."""
    return Formula(f"{before[0]} = {latex}", f"{before[1]} = {in_words(latex)}")


def _largest(counts: Iterable[float]) -> list[int]:
    """Return the places of the largest numbers, in order."""
    values = list(counts)
    return sorted(sorted(range(len(values)), key=lambda k: -values[k])[:MOST_LINES])


def _signature(frame: Frame, found: Explanation) -> Iterator[Formula]:
    names, n_channels = frame.observations.names, len(found.signature)
    units = frame.observations.in_own_units(np.ones(n_channels)).tolist()
    for k in _largest(found.signature.tolist()):
        value = float(found.signature[k])
        if found.counts is None:
            divided = "" if units[k] == 1.0 else f" / {units[k]:.3g}"
            yield _both((f"x_{{{k + 1}}}", f"x of {names[k]}{divided}"), number(value, 4))
            continue
        n = int(found.counts[k])
        yield Formula(
            f"x_{{{k}}} = \\frac{{{n}}}{{{found.n_pixels}}} = {value:.3f}",
            f"x of {names[k]} = {n} / {found.n_pixels} = {value:.3f}",
        )


def _squares(signature: NDArray[np.float64], codeword: NDArray[np.float64]) -> str:
    if len(signature) > MOST_TERMS:
        return ""
    pairs = zip(signature.tolist(), codeword.tolist(), strict=True)
    return "+".join(f"({x:.3g} - {_signed(c)})^2" for x, c in pairs) + " = "


def _signed(value: float) -> str:
    return f"({value:.3g})" if value < 0 else f"{value:.3g}"


def _distances(frame: Frame, found: Explanation) -> Iterator[Formula]:
    letter = "B" if frame.observations.discrete else "\\mu"
    for q in found.ranked[:MOST_LINES]:
        terms = _squares(found.signature, frame.codebook[q])
        if frame.further:
            terms = "+".join(number(one, 4) for one in found.by_window[:, q].tolist()) + " = "
        before = f"\\| x - {letter}_{{{q + 1}}} \\|^2", f"squared distance to state {q + 1}"
        yield _both(before, terms + number(float(found.distances[q]), 4))


def _another(frame: Frame, found: Explanation) -> Iterator[str]:
    """Yield the changes that would make another state the nearest: symbols, w or N."""
    if len(found.ranked) < 2:
        return
    if found.flip is not None:
        yield _flipped(frame, found.flip)
    for window, state in filter(None, (found.smaller, found.larger)):
        yield f"With w = {window} and the same states: {frame.called(state)}."
    for n, state in filter(None, (found.fewer, found.more)):
        name = frame.called(state)
        what = (
            f"the state that {name} is merged into"
            if n < len(found.ranked)
            else f"{name} or part of it"
        )
        yield f"With N = {n} in the same tree: {what}."
    if found.smaller is None and found.larger is None:
        yield "With the same states, no other w that was tried changes it."
    if found.fewer is None and found.more is None and cuts_in_force(frame) is not None:
        yield f"In the same tree, no other N up to {STATES_RANGE[1]} changes it."


def _flipped(frame: Frame, flip: Flip) -> str:
    names, node = frame.observations.names, frame.request.picture.node_name
    moved = ", and ".join(
        f"{n} of the window’s {node}s showed {names[new]} instead of {names[old]}"
        for n, old, new in flip.moved
    )
    return f"If {moved}: {frame.called(flip.state)}. Fewer changes are not enough."


def _belief(_frame: Frame, found: Explanation) -> Iterator[Formula]:
    if found.product is None:
        return
    product, belief = found.product, found.product.belief.tolist()
    for q in sorted(range(len(belief)), key=lambda q: -belief[q])[:MOST_LINES]:
        evidence = (product.own, *(message for _, message in product.messages))
        factors = [number(float(factor[q])) for factor in evidence]
        total, share = number(float(product.product.sum())), number(belief[q])
        above, spoken = " \\cdot ".join(factors), " times ".join(map(in_words, factors))
        yield Formula(
            f"p_t({q + 1}) = \\frac{{{above}}}{{{total}}} = {share}",
            f"belief in {q + 1} = {spoken} / {in_words(total)} = {in_words(share)}",
        )


def _potentials(frame: Frame, found: Explanation) -> Iterator[Formula]:
    pairs = frame.pairs
    for other in sorted({one.state for one in found.neighbours}):
        a = float(frame.model.A[found.state, other])
        name = f"{found.state + 1}, {other + 1}"
        counted = int(pairs[found.state, other])
        total = counted / a if a > 0 else 0.0
        is_plain = frame.request.given is None and frame.request.parameters.smoothing == 0
        if not is_plain or abs(total - round(total)) > 1e-6 * total:
            yield _both((f"A({name})", f"A of {name}"), number(a))
        elif total:
            yield Formula(
                f"A({name}) = \\frac{{{counted}}}{{{round(total)}}} = {number(a)}",
                f"A of {name} = {counted} / {round(total)} = {in_words(number(a))}",
            )


def _likelihood(_frame: Frame, found: Explanation) -> Iterator[Formula]:
    yield _both(("k_t", "k"), number(found.normalizer, 4))
    yield _both(("\\log_2 \\, b(q_t, o_t)", "log2 b"), number(found.emission_bits, 4))
    k = number(found.normalizer, 4)
    for state in sorted({one.state for one in found.neighbours}):
        alike = [one for one in found.neighbours if one.state == state]
        a, bits = number(alike[0].potential), number(sum(one.bits for one in alike))
        yield Formula(
            f"\\frac{{{len(alike)}}}{{2}} \\log_2 \\frac{{{a}}}{{{k}}} = {bits}",
            f"{', '.join(one.side for one in alike)}: {len(alike)} / 2 times log2 of "
            f"{in_words(a)} / {in_words(k)} = {in_words(bits)}",
        )
    yield _both(("\\log_2 P_t", "together"), number(found.bits, 4))


def _inertia(_frame: Frame, found: Explanation) -> Iterator[Formula]:
    n, counts = found.n_pixels, [c for c in found.occupied.tolist() if c]
    if len(counts) > MOST_LINES:
        yield _both(("i_t", "inertia of this window"), f"{found.inertia:.3f}")
        return
    latex = "+".join(f"\\left(\\frac{{{c}}}{{{n}}}\\right)^2" for c in counts)
    words = " + ".join(f"({c}/{n}) squared" for c in counts)
    yield Formula(
        f"i_t = \\sqrt{{{latex}}} = {found.inertia:.3f}",
        f"inertia of this window = root of {words} = {found.inertia:.3f}",
    )


def _code_length(_frame: Frame, found: Explanation) -> Iterator[Formula]:
    if found.product is not None:
        yield _both(("L_t", "prediction error of this pixel"), number(found.product.bits, 4))
    left = found.left_out
    if isinstance(left, LeftOutVector):
        parts = number(left.determinant_bits, 4), number(left.squared, 4), number(left.bits, 4)
        yield Formula(
            f"\\frac{{{parts[0]}}}{{2}} + \\frac{{{parts[1]}}}{{2 \\ln 2}} = {parts[2]}",
            f"{in_words(parts[0])} / 2 + {in_words(parts[1])} / (2 times 0.6931) = "
            f"{in_words(parts[2])}; without this pixel, its window is nearest to state "
            f"{left.state + 1}",
        )
    elif left is not None:
        n, whole, m = int(left.counts[left.symbol]), int(left.counts.sum()), left.counts.size
        yield Formula(
            f"-\\log_2 \\frac{{{n} + 1/2}}{{{whole} + {m}/2}} = {left.bits:.3f}",
            f"minus log2 of ({n} + 1/2) / ({whole} + {m}/2) = {left.bits:.3f} bits; without this "
            f"pixel, its window is nearest to state {left.state + 1}",
        )


TOPICS: dict[str, Topic] = {
    "signature": Topic(
        "Signature",
        "The share of each symbol in the pixel's window, or the mean of each channel over it.",
        Formula("x_t(m) = \\frac{n_m}{n_t}", "x of m = n of m / n"),
        _signature,
        vectors=Formula(
            "x_t = \\frac{1}{n_t} \\sum_{s \\in W_t} o_s", "x = the sum of o over the window / n"
        ),
    ),
    "distance": Topic(
        "Nearest codeword",
        "The pixel takes the state whose codeword is nearest to its signature.",
        Formula(
            "q_t = \\arg\\min_j \\, \\| x_t - B_j \\|^2",
            "q = the j with the least squared distance from x to B of j",
        ),
        _distances,
        vectors=Formula(
            "q_t = \\arg\\min_j \\, \\| x_t - \\mu_j \\|^2",
            "q = the j with the least squared distance from x to mu of j",
        ),
    ),
    "belief": Topic(
        "Belief",
        "The evidence of the pixel's own observation, times the messages of its neighbours.",
        Formula(
            "p_t(j) \\propto b(j, o_t) \\prod_{r \\in R(t)} m_{r \\to t}(j)",
            "belief in j is proportional to b(j, o) times the messages of all neighbours about j",
        ),
        _belief,
        of_beliefs=True,
    ),
    "another": Topic(
        "What would change the state",
        "The fewest pixels of the window that would have to show other symbols, and the next w "
        "and N that change the state. A belief decoder may still choose another state.",
        Formula(
            "\\| x' - B_j \\|^2 < \\| x' - B_q \\|^2",
            "squared distance of the changed x to state j < squared distance to its own state",
        ),
        lambda _frame, _found: (),
        vectors=Formula(
            "\\| x' - \\mu_j \\|^2 < \\| x' - \\mu_q \\|^2",
            "squared distance of the changed x to state j < squared distance to its own state",
        ),
        sentences=_another,
    ),
    "adjacency": Topic(
        "State adjacency",
        "How often neighbours of a pixel in state i are in state j, counted over all pixels.",
        Formula(
            "A(i, j) = \\frac{A'(i, j)}{2 d \\, n_i}",
            "A of i, j = how many pairs of neighbours are in i and j / (2 d times the pixels in i)",
        ),
        _potentials,
    ),
    "likelihood": Topic(
        "Log-likelihood",
        "What a pixel adds to log2 P if alpha is 1: its own symbol, and half of each pair.",
        Formula(
            "\\log_2 \\, b(q_t, o_t) + \\frac{1}{2} \\sum_{r \\in R(t)} "
            "\\log_2 \\frac{a(q_t, q_r)}{k_t}",
            "log2 b(q, o) + one half of the sum over neighbours of log2 of a(q, q') / k",
        ),
        _likelihood,
    ),
    "code_length": Topic(
        "Prediction error",
        "How many bits a pixel costs if it is predicted from its window without the pixel itself.",
        Formula(
            "-\\log_2 \\, b(q_t^{-t}, o_t)",
            "minus log2 of b(j, o); j is the state nearest to the window without the pixel",
        ),
        _code_length,
        vectors=Formula(
            "\\frac{1}{2} \\log_2 \\, |2 \\pi \\Sigma| + \\frac{1}{2 \\ln 2} \\, "
            "(o_t - \\mu)^T \\Sigma^{-1} (o_t - \\mu)",
            "one half of log2 of the determinant of 2 pi Sigma + the squared distance of o to mu "
            "by Sigma / (2 ln 2); mu and Sigma are of the state nearest to the window without the "
            "pixel",
        ),
        believing=Formula(
            "L_t = -\\log_2 \\, \\sum_j c_t(j) \\, b(j, o_t), \\quad "
            "c_t(j) \\propto \\prod_{r \\in R(t)} m_{r \\to t}(j)",
            "minus log2 of the sum over j of b(j, o) times all messages about j",
        ),
    ),
    "inertia": Topic(
        "Inertia",
        "How far one state fills a window. The index is the mean over all windows.",
        Formula(
            "i_t = \\sqrt{\\sum_j p_j^2}", "the root of the sum of the squared shares of states"
        ),
        _inertia,
    ),
}
"""By their names, in the order in which they explain a state."""
