"""The effects of windows: the best ones by the rule of one standard error, and their words."""

from latviz.core.choice.settings import Setting
from latviz.engine.choosing.tradeoff import WINDOWS
from latviz.engine.choosing.window_effects import WindowEffects, best_range


def plain(text: str) -> str:
    """Return a text with spaces that may break."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


def row_of(lengths, accuracy=None) -> tuple[Setting, ...]:
    """Return the scores of windows with N = 3, by their code lengths."""
    found = {} if accuracy is None else accuracy
    return tuple(
        Setting(3, w, 0.9, 0.9, bits, 0.01, None, found.get(w)) for w, bits in lengths.items()
    )


CURVE = {w: 2.0 + 0.02 * abs(w - 5) for w in WINDOWS}
"""The least is at 5; a step to either side costs two standard errors."""


def predicted(lengths, window, accuracy=None) -> WindowEffects:
    return WindowEffects(3, window, row_of(lengths, accuracy), predicts=True)


def test_windows_within_a_standard_error_of_the_best_are_best() -> None:
    flat = {w: 2.0 + 0.004 * abs(w - 5) for w in WINDOWS}  # w = 3 and 7 are .008 bits above it
    said = predicted(flat, 4)
    assert said.range == (3, 7)
    assert said.lowest == "The prediction error is lowest at w = 3 to 7."
    assert predicted(CURVE, 4).lowest == "The prediction error is lowest at w = 5."


def test_a_good_window_beyond_a_bad_one_is_not_best() -> None:
    assert best_range(row_of({**CURVE, 9: 2.005})) == (5, 5)


def test_windows_are_best_once_all_are_known_and_can_be_compared() -> None:
    some = {w: CURVE[w] for w in range(20)}
    assert predicted(some, 5).range is None
    assert predicted({**some, 30: 1.0}, 5).range is None  # 21 windows, of which one is not compared
    assert WindowEffects(3, 5, row_of(CURVE)).range is None
    assert WindowEffects(3, 5).lowest == WindowEffects(3, 5).accuracy == ""


def test_accuracy_is_compared_in_points() -> None:
    accuracy = {w: 0.9 - 0.01 * abs(w - 4) for w in WINDOWS}
    said = predicted(CURVE, 8, accuracy)
    assert plain(said.accuracy).endswith("Accuracy 86.0 %; the best is 90.0 %, at w = 4.")
    assert plain(predicted(CURVE, 4, accuracy).accuracy).endswith("90.0 %, the best of all w.")
    close = {w: 0.9 - 0.0001 * abs(w - 4) for w in WINDOWS}  # both read 90.0 %
    assert plain(predicted(CURVE, 5, close).accuracy).endswith("90.0 %, the best of all w.")
