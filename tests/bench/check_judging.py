"""The robot's judges: texts that contradict each other are found, others are not."""

from typing import Any

import pytest

from tests.bench.soak.judging import Moment, Pane, Text, as_promised, contradictions

NOW = {"w": 5, "N": 3}
INDEPENDENT = {"Independence": ("0.912", True), "Associativity": ("0.940", True)}
DEPENDENT = {"Independence": ("0.412", False), "Associativity": ("0.940", False)}


def found(*texts: str, **known: Any) -> list[str]:
    """Return the judges that find something in texts; before a bar is the name of a widget."""
    named = [text.rpartition("|") for text in texts]
    moment = Moment([Text(name or "headline", text) for name, _, text in named], NOW, **known)
    return [line.partition(":")[0] for line in contradictions(moment)]


@pytest.mark.parametrize(
    "texts",
    [
        ("Go to w = 9: pixel error −0.02 bits", "Go to w = 3"),
        ("Try a larger window or fewer states.", "Go to w = 3"),
        ("Go to w = 9", "The prediction error is lowest at w = 3 to 6."),
        ("Try N = 4, refined: pixel error −0.10 bits", "2 states explain it."),
        ("Go to w = 9 and not: Go to w = 3",),
        ("N = 2: one more saves almost nothing", "Try N = 4, refined"),
    ],
)
def test_two_directions_are_found(texts: tuple[str, ...]) -> None:
    assert found(*texts) == ["one_direction"]


@pytest.mark.parametrize(
    "texts",
    [
        ("Go to w = 9: pixel error −0.02 bits", "A window of w = 9 predicts the picture better."),
        ("Try a larger window.", "Go to w = 9", "The prediction error is lowest at w = 7 to 9."),
        ("28 large regions from w = 1 to 9: go to w = 4, in the middle", "Go to w = 9"),
        ("Prediction error 2.202 · N = 1: 3.008", "Try N = 4, refined"),
        ("This is as good as this model gets here.", "The error is lowest at w = 3 to 6."),
    ],
)
def test_one_direction_is_left_alone(texts: tuple[str, ...]) -> None:
    assert not found(*texts)


@pytest.mark.parametrize(
    ("text", "judge"),
    [
        ("Prediction error −∞ bits", "finite"),
        ("Associativity nan", "finite"),
        ("Minus infinity: 1 pixel has probability 0 under the model. −∞ bits", ""),
        ("Minus infinity: 1 pixel has probability 0 under the model. nan bits", "finite"),
        ("Computing…", "finished"),
        ("Information on a nanometre, and definite", ""),
    ],
)
def test_numbers_are_finite_and_results_are_there(text: str, judge: str) -> None:
    assert found(text) == [judge] * bool(judge)


@pytest.mark.parametrize(
    ("is_blank", "texts", "judges"),
    [
        (True, ("", " "), ["finished"]),
        (True, ("Nothing was compared.",), []),
        (False, (), []),
    ],
)
def test_an_empty_pane_says_why(is_blank: bool, texts: tuple[str, ...], judges: list[str]) -> None:
    assert found(panes=[Pane("State map", is_blank, texts)]) == judges


def test_only_the_view_that_counts_impossible_pixels_writes_infinity() -> None:
    texts = "Likelihood|Minus infinity: 1 pixel has probability 0 under the model.", "Likelihood|−∞"
    assert not found(*texts, "Data −∞ −∞. Pairs|Data −∞ −∞. Pairs −1 −2")
    assert found(*texts, "Pixel|−∞ bits") == ["finite"]


@pytest.mark.parametrize(("best", "judges"), [(0.97, ["rightly_kept"]), (0.92, []), (0.91, [])])
def test_the_map_that_is_called_right_is(best: float, judges: list[str]) -> None:
    """That of belief is judged by the windows with the same N, too."""
    known = {"accuracies": {5: 0.2, 8: best}, "accuracy": 0.91}
    for text in ("w is right for N = 3", "This is as good as this model gets here."):
        assert found(text, **known) == judges
    assert not found("Neighbours know more than windows here.", **known)
    assert not found("w is right for N = 3")  # nothing is known


@pytest.mark.parametrize(
    ("texts", "judges"),
    [
        (("Pixel error 1.97 → 1.95 bits", "the pixel error of 1.93 bits"), ["one_value"]),
        (("Accuracy 96.9 %", "Accuracy 95.1 %, the best of all w."), ["one_value"]),
        (("Associativity 0.931",), ["one_value"]),
        (("Prediction error 1.956 ± 0.004 bits", "Prediction error 1.96"), []),
        (("Try belief: pixel error −0.03 bits", "the pixel error of 1.95 bits"), []),
        (("Accuracy 96.9 %", "N = 14, w = 3\nAccuracy 19.8 %"), []),
        (("Accuracy 96.9 %", "Other methods|★ Accuracy 99.8 %"), []),  # painted in a row
        (("Accuracy 96.9 %", "N = 4, w = 6, nearest codeword, saves 3 bits, accuracy 95 %"), []),
    ],
)
def test_a_number_has_one_value(texts: tuple[str, ...], judges: list[str]) -> None:
    assert found(*texts, gauges=INDEPENDENT) == judges


@pytest.mark.parametrize(
    ("text", "judges"),
    [
        ("6 large regions, 1,008 in all", []),
        ("7 large regions, 1,008 in all", ["counted"]),
        ("2 of 12 large regions by contrast stand out clearly.", []),
        ("3 of 12 large regions by contrast stand out clearly.", ["counted"]),
        ("9 to 10 large regions, 5 large regions from w = 7", []),
    ],
)
def test_regions_are_those_of_the_map(text: str, judges: list[str]) -> None:
    assert found(text, regions=(6, 1008), surviving=(2, 12)) == judges
    assert not found(text)  # they are not known


@pytest.mark.parametrize(
    ("text", "gauges", "judges"),
    [
        ("Neighbours stay alike inside states.", INDEPENDENT, ["as_gauged"]),
        ("Neighbours are alike within states (correlation 0.08)", INDEPENDENT, ["as_gauged"]),
        ("Neighbours stay alike inside 9 states.", INDEPENDENT, []),  # not on screen
        ("Neighbours are independent.", DEPENDENT, ["as_gauged"]),
        ("Neighbours stay alike inside states.", DEPENDENT, []),
        ("Neighbours are independent.", INDEPENDENT, []),
        ("This looks the same as noise.", INDEPENDENT, ["as_gauged"]),
    ],
)
def test_gauges_agree_with_sentences(text: str, gauges: Any, judges: list[str]) -> None:
    assert found(text, gauges=gauges) == judges


def test_an_offer_changes_what_it_promises() -> None:
    offer, done = "Try belief: changes 15.6 % of the pixels", "15.6 % of the pixels changed"
    assert not list(as_promised(offer, [Text("outcome", done)]))
    assert list(as_promised(offer, [Text("outcome", done.replace("5.6", "6.6"))]))
    assert not list(as_promised("Go to w = 3: pixel error −0.02 bits", [Text("outcome", done)]))
