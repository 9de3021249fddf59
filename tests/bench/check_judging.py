"""The robot's judges: texts that contradict each other are found, others are not."""

from typing import Any

import pytest

from tests.bench.soak.judging import Moment, Pane, Text, as_promised, contradictions

NOW = {"w": 5, "N": 3}
INDEPENDENT = {"Independence": ("0.912", True), "Associativity": ("0.940", True)}
DEPENDENT = {"Independence": ("0.412", False), "Associativity": ("0.940", False)}
IMPOSSIBLE = "Minus infinity: 1 pixel has probability 0 under the model."
OURS, THEIRS = {"gauges": INDEPENDENT}, {"gauges": DEPENDENT}
COUNTED = {"regions": (6, 1008), "surviving": (2, 12)}
SOME_SAY = ("w is right for N = 3", "This is as good as this model gets here.")


def found(*texts: str, **known: Any) -> list[str]:
    """Return the judges that find something in texts; before a bar is the name of a widget."""
    named = [text.rpartition("|") for text in texts]
    moment = Moment([Text(name or "headline", text) for name, _, text in named], NOW, **known)
    return [line.partition(":")[0] for line in contradictions(moment)]


def believed(best: float) -> dict[str, Any]:
    """Return an accuracy of belief of 0.91, beside a best one of windows with the same N."""
    return {"accuracies": {5: 0.2, 8: best}, "accuracy": 0.91}


CASES: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    ("one_direction", ("Go to w = 9: pixel error −0.02 bits", "Go to w = 3"), {}),
    ("one_direction", ("Try a larger window or fewer states.", "Go to w = 3"), {}),
    ("one_direction", ("Go to w = 9", "The prediction error is lowest at w = 3 to 6."), {}),
    ("one_direction", ("Try N = 4, refined: pixel error −0.10 bits", "2 states explain it."), {}),
    ("one_direction", ("Go to w = 9 and not: Go to w = 3",), {}),
    ("one_direction", ("N = 2: one more saves almost nothing", "Try N = 4, refined"), {}),
    ("", ("Go to w = 9: pixel error −0.02 bits", "A window of w = 9 predicts it better."), {}),
    ("", ("Try a larger window.", "Go to w = 9", "The error is lowest at w = 7 to 9."), {}),
    ("", ("28 large regions from w = 1 to 9: go to w = 4, in the middle", "Go to w = 9"), {}),
    ("", ("Prediction error 2.202 · N = 1: 3.008", "Try N = 4, refined"), {}),
    ("", (SOME_SAY[1], "The error is lowest at w = 3 to 6."), {}),
    ("finite", ("Prediction error −∞ bits",), {}),
    ("finite", ("Associativity nan",), {}),
    ("", (f"{IMPOSSIBLE} −∞ bits",), {}),
    ("finite", (f"{IMPOSSIBLE} nan bits",), {}),
    ("", (f"Likelihood|{IMPOSSIBLE}", "Likelihood|−∞", "Data −∞ −∞.|Data −∞ −∞. Pairs −1"), {}),
    ("finite", (f"Likelihood|{IMPOSSIBLE}", "Likelihood|−∞", "Pixel|−∞ bits"), {}),
    ("finished", ("Computing…",), {}),
    ("", ("Information on a nanometre, and definite",), {}),
    ("finished", (), {"panes": [Pane("State map", True, ("", " "))]}),
    ("", (), {"panes": [Pane("State map", True, ("Nothing was compared.",))]}),
    ("", (), {"panes": [Pane("State map", False, ())]}),
    *(("rightly_kept", (text,), believed(0.97)) for text in SOME_SAY),
    *(("", (text,), believed(best)) for text in SOME_SAY for best in (0.92, 0.91)),
    ("", ("Neighbours know more than windows here.",), believed(0.97)),
    ("", SOME_SAY[:1], {}),  # nothing is known
    ("one_value", ("Pixel error 1.97 → 1.95 bits", "the pixel error of 1.93 bits"), OURS),
    ("one_value", ("Accuracy 96.9 %", "Accuracy 95.1 %, the best of all w."), OURS),
    ("one_value", ("Associativity 0.931",), OURS),
    ("", ("Prediction error 1.956 ± 0.004 bits", "Prediction error 1.96"), OURS),
    ("", ("Try belief: pixel error −0.03 bits", "the pixel error of 1.95 bits"), OURS),
    ("", ("Accuracy 96.9 %", "N = 14, w = 3\nAccuracy 19.8 %"), OURS),
    ("", ("Accuracy 96.9 %", "Compare|★ Accuracy 99.8 %"), OURS),  # painted in a row
    ("", ("Accuracy 96.9 %", "N = 4, w = 6, nearest codeword, saves 3 bits, accuracy 95 %"), OURS),
    ("", ("6 large regions, 1,008 in all",), COUNTED),
    ("counted", ("7 large regions, 1,008 in all",), COUNTED),
    ("", ("7 large regions, 1,008 in all",), {}),  # they are not known
    ("", ("2 of 12 large regions by contrast stand out clearly.",), COUNTED),
    ("counted", ("3 of 12 large regions by contrast stand out clearly.",), COUNTED),
    ("", ("9 to 10 large regions, 5 large regions from w = 7",), COUNTED),
    ("as_gauged", ("Neighbours stay alike inside states.",), OURS),
    ("as_gauged", ("Neighbours are alike within states (correlation 0.08)",), OURS),
    ("", ("Neighbours stay alike inside 9 states.",), OURS),  # not on screen
    ("as_gauged", ("Neighbours are independent.",), THEIRS),
    ("", ("Neighbours stay alike inside states.",), THEIRS),
    ("", ("Neighbours are independent.",), OURS),
    ("as_gauged", ("This looks the same as noise.",), OURS),
]
"""The judge that finds something, or none; the texts; what else is known."""


@pytest.mark.parametrize(("judge", "texts", "known"), CASES)
def test_judges_find_contradictions_and_nothing_else(judge, texts, known) -> None:
    assert found(*texts, **known) == [judge] * bool(judge)


def test_an_offer_changes_what_it_promises() -> None:
    offer, done = "Try belief: changes 15.6 % of the pixels", "15.6 % of the pixels changed"
    assert not list(as_promised(offer, [Text("outcome", done)]))
    assert list(as_promised(offer, [Text("outcome", done.replace("5.6", "6.6"))]))
    assert not list(as_promised("Go to w = 3: pixel error −0.02 bits", [Text("outcome", done)]))
