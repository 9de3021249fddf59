"""Formulas with a pixel's numbers filled in: computing them gives their results."""

import math
import re
from typing import Any

import numpy as np
import pytest

from latviz.engine.explain.explanation import explain
from latviz.engine.explain.formulas import TOPICS, in_words, number
from latviz.engine.frames.frame import Frame
from tests import naive
from tests.engine.explain.test_explanation import frame_of, nodes

PLAIN = (("−", "-"), (" squared", "**2"), (" times ", "*"), ("infinity", "inf"))


def computed(text: str) -> float:
    """Compute one side of a formula in words, which holds numbers and signs alone."""
    for word, sign in PLAIN:
        text = text.replace(word, sign)
    assert re.fullmatch(r"[-+*/(). 0-9einf]+", text), text
    return float(eval(text, {"inf": math.inf}))


def check(words: str) -> None:
    """Check that both sides of a formula are equal to the precision of their digits."""
    _, *sides = words.split(";")[0].split(" = ")
    values = [computed(re.sub(r".*: ", "", side)) for side in sides]
    for value in values[1:]:
        assert value == pytest.approx(values[-1], rel=0.03, abs=0.006), words


def filled(frame: Frame, node: tuple[int, ...]) -> dict[str, list[str]]:
    found = explain(frame, node)
    return {
        name: [line.words for line in topic.fill(frame, found)]
        for name, topic in TOPICS.items()
        if topic.applies(frame)
    }


@pytest.mark.parametrize(
    ("kind", "changes"),
    [("line", {"smoothing": 1.0}), ("colour", {}), ("grey", {"decoder": "belief"}), ("apart", {})],
    ids=str,
)
def test_numbers_come_to_what_stands_behind_them(kind: str, changes: dict[str, Any]) -> None:
    frame = frame_of(kind, **changes)
    for node in nodes(frame)[:6]:
        found, said = explain(frame, node), filled(frame, node)
        for name in ("signature", "distance", "adjacency"):
            for line in said[name]:
                if "log2" not in line:
                    check(line)
        squares = re.findall(
            r"squared distance to state (\d+) = .*?([^ =]+)$", "\n".join(said["distance"]), re.M
        )
        for state, value in squares:
            expected = float(((frame.codebook[int(state) - 1] - found.signature) ** 2).sum())
            assert computed(value) == pytest.approx(expected, rel=1e-3, abs=1e-9)
        assert said["likelihood"][-1] == f"together = {in_words(number(found.bits, 4))}"
        together = [computed(line.rpartition(" = ")[2]) for line in said["likelihood"][1:-1]]
        assert sum(together) == pytest.approx(found.bits, rel=0.01, abs=0.01)
        assert f"= {found.inertia:.3f}" in said["inertia"][0]
        if not frame.observations.discrete and "decoder" not in changes:
            (line,) = said["code_length"]
            check(line)
            assert computed(line.split(" = ")[1].split(";")[0]) == pytest.approx(
                found.left_out.bits, rel=1e-3
            )


def test_a_belief_is_the_product_over_the_sum() -> None:
    frame = frame_of("grey", decoder="belief")
    for node in nodes(frame):
        for line in filled(frame, node)["belief"]:
            check(line)


def test_sentences_say_what_makes_another_state_the_nearest() -> None:
    frame, sentences = frame_of("grey"), TOPICS["another"].sentences
    assert sentences is not None
    names, values = frame.observations.names, frame.observations.values

    def nearest(counts: np.ndarray) -> int:
        distances = np.asarray(naive.squared_distances(counts / counts.sum(), frame.codebook))
        return int(np.argmax(distances <= distances.min() + 1e-9)) + 1  # of ties the smallest

    for node in nodes(frame)[:6]:
        found = explain(frame, node)
        first, *others = sentences(frame, found)
        counts = found.counts.copy()
        for n, new, old in re.findall(r"(\d+) of .*?showed (.+?) instead of (.+?)[,:]", first):
            counts[names.index(new)] += int(n)
            counts[names.index(old)] -= int(n)
        assert f": state {nearest(counts)}. Fewer changes are not enough." in first
        assert nearest(counts) != nearest(found.counts)
        for w, state in re.findall(r"With w = (\d+) .*?: state (\d+)", "\n".join(others)):
            signature = np.asarray(naive.signature_at(values, node, int(w), len(names)))
            assert nearest(signature) == int(state) != nearest(found.counts)
    alone = frame_of("grey", n_states=1)
    assert not list(sentences(alone, explain(alone, (3, 4))))


def test_numbers_are_plain_in_words() -> None:
    assert number(0.24512) == "0.245"
    assert number(-3.0128) == "{-3.01}"
    assert number(1.25e-5) == "1.25 \\cdot 10^{-5}"
    assert in_words(number(1.25e-5)) == "1.25e−5"
    assert in_words(number(-math.inf)) == "−infinity"
    assert in_words("(0.1 - 0.2)^2+1") == "(0.1 − 0.2) squared + 1"


def test_every_formula_can_be_typeset() -> None:
    ziamath = pytest.importorskip("ziamath")
    frames = frame_of("grey"), frame_of("colour"), frame_of("grey", decoder="belief")
    for topic in TOPICS.values():
        for frame in frames:
            formula = topic.formula_of(frame)
            assert "<path" in ziamath.Latex(formula.latex, size=24).svg()
            assert formula.words
            assert topic.title
            assert topic.meaning.endswith(".")
    frame = frames[0]
    for topic in TOPICS.values():
        for line in list(topic.fill(frame, explain(frame, (3, 4))))[:1]:
            assert "<path" in ziamath.Latex(line.latex, size=24).svg()
