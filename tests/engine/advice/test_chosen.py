"""N and w on request: the choice that all advice depends on, with its reasons."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from latviz.core import choose
from latviz.core.data.encoding import Encoding
from latviz.core.progress import Cancelled
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.scales import scale_choice
from latviz.engine.choosing.scaling import scales_of
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import Chosen, What
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters
from tests.engine.advice.cases import MAKERS, NEVER, Case, case_of, with_grey
from tests.engine.choosing.test_sweeping import (
    LABELS,
    Counting,
    demo_of,
    frame_of,
    middle,
    picture,
)
from tests.products import FULL


def chosen(frame: Frame, what: What) -> Chosen:
    return Trying(Sweeping()).choose(frame, what, Counting())


def test_the_choice_is_the_core_s_and_one_of_both_is_chosen_alone() -> None:
    work, shown = Trying(Sweeping()), picture((56, 68))
    frame = frame_of(Parameters(LABELS, n_states=5, window=1), shown)
    core = choose(frame.observations.values, n_symbols=3)
    found = work.choose(frame, "both", Counting())
    assert (found.n_states, found.window) == (core.n_states, core.window) == (3, core.window)
    saves = f"The third state saves {core.saved[1]:.3f} bits per pixel, the fourth nothing."
    assert core.saved[2] < 0
    assert found.sentence.startswith(f"N = 3: one more saves almost nothing. {saves} w = ")
    k = core.windows.index(core.window)
    lengths = core.code_lengths[k], core.code_lengths[:k].min(), core.code_lengths[k + 1 :].min()
    own, smaller, larger = (f"{length:.4g}" for length in lengths)
    assert lengths[0] < min(lengths[1:])
    assert found.sentence.endswith(
        f" w = {core.window}: the prediction error is lowest. It is {own} bits per pixel "
        f"(smaller windows: at least {smaller}; larger windows: at least {larger}), with the "
        f"states learned with w_l = {core.codebook_window}."
    )
    assert found.codebook_window == core.codebook_window is not None
    assert core.rule in found.rule
    assert core.assumption in found.rule
    with pytest.raises(Cancelled):
        Trying(Sweeping()).choose(frame, "both", Counting(3))
    by_w = work.choose(frame_of(Parameters(LABELS, n_states=3, window=1), shown), "w", Counting())
    assert (by_w.n_states, by_w.window) == (3, found.window)
    assert by_w.codebook_window == found.codebook_window
    other = frame_of(Parameters(LABELS, n_states=7, window=found.window, learning_window=1), shown)
    by_n = work.choose(other, "N", Counting())
    assert (by_n.n_states, by_n.window, by_n.codebook_window) == (3, found.window, None)
    assert by_n.sentence == f"N = 3: one more saves almost nothing. {saves}"
    same = frame_of(Parameters(LABELS, n_states=3, window=found.window, learning_window=1), shown)
    assert work.choose(same, "N", Counting()).says == "N stays 3: one more saves almost nothing"
    by_w = work.choose(same, "w", Counting())
    assert by_w.says == f"w stays {found.window}: the prediction error is lowest"


def test_tries_that_are_interrupted_again_and_again_are_the_same() -> None:
    once, often = (Case(MAKERS["dependent"]()[:36, :36].copy()) for _ in range(2))
    frame, patience, n_cancelled = once.frame(with_grey()), 1, 0
    again = often.frame(with_grey())
    advice = once.final(frame)
    while (wanted := often.trying.wanted(again)) is not None:
        try:
            often.trying.make(wanted, again, Counting(patience))
            patience = 1
        except Cancelled:
            patience, n_cancelled = 3 * patience, n_cancelled + 1
    assert n_cancelled > 5
    assert often.final(again) == advice
    found, same = once.trying.known(frame), often.trying.known(again)
    assert same.choice == found.choice
    assert same.tried.keys() == found.tried.keys()
    for parameters, tried in found.tried.items():
        np.testing.assert_array_equal(same.tried[parameters].states, tried.states)
        assert same.tried[parameters].error == tried.error


def test_where_neighbours_are_alike_n_is_that_of_every_second_node() -> None:
    case, pixels = case_of("alike"), MAKERS["alike"]()
    whole, sparse = (
        choose(seen, kind="gaussian", scalar=True) for seen in (pixels, pixels[::2, ::2])
    )
    assert (whole.dependent, sparse.dependent, sparse.n_states) == (True, False, 2)
    found = case.trying.choose(case.frame(with_grey(n_states=5)), "N", NEVER)
    assert found.says == "N = 2: one more saves almost nothing"
    assert (
        f"The second state saves {sparse.saved[0]:.3f} bits per pixel, the third " in found.because
    )
    assert found.rule.startswith("Rule of every second pixel: ")
    assert sparse.rule in found.rule
    few = Case(pixels[:38, :40])  # of which 380 are left
    assert few.advice(with_grey(n_states=5)).finding == "dependent"


@pytest.mark.parametrize(
    "name", ["wide noise", "uneven", "alike", "blurred", "dependent", "grey photograph"]
)
@pytest.mark.parametrize("encoding", [Encoding("grey"), Encoding("quantiles", 8)])
def test_no_other_n_or_w_is_advised_once_both_are_chosen(name: str, encoding: Encoding) -> None:
    case, before = case_of(name), with_grey(encoding=encoding, n_states=6, window=16)
    found = case.trying.choose(case.frame(before), "both", NEVER)
    after = found.applied(before)
    assert case.advice(after).finding not in ("states", "window", "noise", "uncertain")
    again = case.trying.choose(case.frame(after), "both", NEVER)
    assert again.applied(after) == after
    assert again.says.startswith(f"N stays {found.n_states}: ")
    assert f"w stays {found.window}: " in again.because


def test_levelled_light_is_named() -> None:
    case = case_of("uneven")
    found = case.trying.choose(case.frame(with_grey(n_states=4)), "N", NEVER)
    assert found.n_states == 2
    assert found.because.endswith(" The light is uneven, so it is levelled first.")


def test_of_large_sets_some_are_tried() -> None:
    """Twelve images of 10,000 pixels: the first six, whichever is shown, whole."""
    pixels = [np.uint8(np.random.default_rng(k).integers(0, 3, (100, 100))) for k in range(12)]
    pictures = tuple(Picture(each * 100, str(k), labels=each) for k, each in enumerate(pixels))
    for place in (9, 4):
        frame = frame_of(Parameters(LABELS, n_states=2, window=2), PictureSet(pictures, place))
        basis = Trying(Sweeping()).known(frame).basis
        assert [each.name for each in basis.pictures.members] == [*"012345"]
        assert basis.picture.name == str(place)
        assert basis.picture.n_nodes == 10_000
        assert not basis.whole
    other = replace(pictures[11], pixels=np.tile(pictures[11].pixels, (3, 3)), labels=None)
    few = PictureSet(pictures[:2], 0, other)
    frame = frame_of(Parameters(Encoding("grey"), n_states=2, window=2), few)
    basis = Trying(Sweeping()).known(frame).basis
    assert [each.n_nodes for each in basis.pictures.members] == [10_000, 10_000]
    assert 50_000 < basis.picture.n_nodes <= 1 << 16
    long = Picture(np.tile(pixels[0].reshape(1, -1), (1, 7)), "series", x=np.arange(70_000.0))
    frame = frame_of(Parameters(Encoding("grey"), n_states=2, window=2), PictureSet((long,)))
    assert Trying(Sweeping()).known(frame).basis.picture.n_nodes == 1 << 16


def test_small_images_are_judged_together() -> None:
    """Each has 144 pixels."""
    blobs, at = picture((60, 60)), (slice(12, 24), slice(36, 48))
    members = tuple(
        Picture(blobs.pixels[part].copy(), "part", labels=blobs.labels[part].copy())
        for part in product(at, at)
    )
    parameters = Parameters(LABELS, n_states=5, window=1)
    alone = chosen(frame_of(parameters, members[0]), "both")
    assert alone.says == "Nothing to choose"
    assert alone.because == "There are 144 pixels; 400 are needed."
    found = chosen(frame_of(parameters, PictureSet(members, 3)), "both")
    core = choose([each.labels for each in members], n_symbols=3)
    assert (found.n_states, found.window) == (core.n_states, core.window)


@pytest.mark.parametrize("what", ["w", "N", "both"])
def test_pixels_of_one_value_leave_nothing_to_choose(what: What) -> None:
    flat = Picture(np.full((30, 30), 7, np.uint8), "flat")
    frame = frame_of(Parameters(Encoding("grey"), n_states=4, window=3), flat)
    found = chosen(frame, what)
    assert (found.n_states, found.window) == (4, 3)
    assert found.sentence == "Nothing to choose. All pixels are equal."


def test_noise_has_no_structure() -> None:
    symbols = np.random.default_rng(3).integers(0, 3, (80, 80)).astype(np.uint8)
    noise = Picture(symbols * 100, "noise", labels=symbols)
    frame = frame_of(Parameters(LABELS, n_states=4, window=3), noise)
    found = chosen(frame, "both")
    assert (found.n_states, found.window) == (1, 3)
    assert found.says == "N = 1: states explain nothing here"
    by_w = chosen(frame, "w")
    assert (by_w.n_states, by_w.window) == (4, 3)
    assert by_w.says == "w stays 3"
    assert by_w.because == "States explain nothing here: this looks the same as noise."
    assert found.codebook_window is by_w.codebook_window is None


def test_n_is_kept_if_its_states_predict_better_than_one_where_the_choice_finds_none() -> None:
    """Blobs above stripes: their neighbours differ, and one A has both."""
    shown, parameters = demo_of("figures")
    work, frame = Trying(Sweeping()), frame_of(parameters, shown)
    found = work.choose(frame, "N", NEVER)
    assert choose(frame.observations.values, n_symbols=2).n_states == 1
    assert found.n_states == 2
    assert found.says == "N stays 2: its states predict better than one"
    assert work.final(frame, NEVER).finding != "noise"
    errors = [work.known(frame).of(replace(parameters, n_states=n)).error.mean for n in (2, 1)]
    assert errors[0] < errors[1]
    texts = [f"{error:.2f}" for error in errors]
    assert found.because == f"The pixel error is {texts[0]} bits, with one state {texts[1]}."
    assert work.choose(frame, "both", NEVER).says == found.says
    assert "the prediction error is lowest" in work.choose(frame, "w", NEVER).says


@pytest.mark.parametrize(
    ("demo", "n"), [("blobs", 4), ("figure1", 2), ("stripes", 2), ("protein", 3), ("volume", 3)]
)
def test_the_states_of_the_demos_are_found(demo: str, n: int) -> None:
    """Computing takes most of the time: parts of the demos, or all with ``LATVIZ_FULL=1``."""
    shown, parameters = demo_of(demo)
    shown = shown if FULL else middle(shown, 1 << 13)
    found = chosen(frame_of(parameters, shown), "both")
    assert found.n_states == n == len(np.unique(shown.truth))


def test_photographs_have_no_right_number_and_a_start_is_proposed() -> None:
    shown = case_of("grey photograph").picture
    parameters = with_grey(encoding=Encoding("quantiles", 8), n_states=3, window=2)
    work, frame = Trying(Sweeping()), frame_of(parameters, shown)
    by_n = work.choose(frame, "N", Counting())
    assert (by_n.n_states, by_n.window, by_n.codebook_window) == (4, 2, None)
    assert by_n.says == "N = 4: it is only a start"
    assert by_n.because.startswith("No N is right. Neighbours within 9 states have a")
    by_w = work.choose(frame, "w", Counting())
    assert (by_w.n_states, by_w.codebook_window) == (3, 7)
    both = work.choose(frame, "both", Counting())
    assert (both.n_states, both.codebook_window) == (4, 7)
    assert both.sentence.startswith(f"{by_n.sentence} w = {both.window}: ")
    for found in (by_w, both):
        at = frame_of(found.applied(parameters), shown)
        scales = scales_of(at, at.model.codebook)
        assert found.window in [plateau.middle for plateau in scales.plateaus]
        w, what, because = scale_choice(scales, 7)
        assert found.sentence.endswith(f"w = {w}: {what}. {because}")
        assert "residual correlation" in found.rule


def test_stains_may_have_more_than_eight_states() -> None:
    rng = np.random.default_rng(0)
    squares = np.arange(9).reshape(3, 3).repeat(16, 0).repeat(16, 1)
    means = np.stack(np.meshgrid([100, 200, 300], [100, 200, 300]), axis=-1).reshape(9, 2)
    pixels = rng.normal(means[squares], 9).round().astype(np.uint16)
    stained = Picture(pixels, "stains", channels=("one", "two"))
    found = chosen(frame_of(Parameters(Encoding("channels"), n_states=4, window=1), stained), "N")
    assert (found.n_states, found.dependent) == (9, False)
