"""The trade-off that fills in at rest equals a plain sweep, in pieces."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from latviz.core import sweep
from latviz.core.choice.settings import Setting
from latviz.core.data.cutting import TreeCut
from latviz.core.data.encoding import Encoding
from latviz.core.data.lattice import middle_of
from latviz.core.data.quantization import fast_pnn
from latviz.core.model.models import DiscreteModel
from latviz.core.progress import Cancelled
from latviz.core.threads import get_threads
from latviz.core.truth.geometry import sample_blobs
from latviz.core.windows.leave_one_out import decode_both, decode_both_in_bands
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import (
    STATES,
    WINDOWS,
    TradeOff,
    compared_windows,
    settings_table,
    shrunk,
)
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames import section
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import WINDOW_RANGE, Parameters, window_range
from latviz.workspace import make_picture
from tests import naive

LABELS = Encoding("labels")
demo_of = cache(make_picture)


@dataclass
class Counting:
    """Progress that counts checks and cancels at one of them."""

    stop_at: int = 1 << 30
    asked: int = 0

    def report(self, fraction: float) -> None:
        assert 0 <= fraction <= 1

    def cancelled(self) -> bool:
        self.asked += 1
        return self.asked >= self.stop_at


@cache
def picture(shape: tuple[int, int] = (70, 84)) -> Picture:
    """Blobs of three states whose symbols are noisy."""
    truth = sample_blobs(shape, n_states=3, scale=9.0, random_state=1)
    rng = np.random.default_rng(2)
    symbols = np.where(rng.random(shape) < 0.6, truth, rng.integers(0, 3, shape)).astype(np.uint8)
    return Picture(symbols * 100, "blobs", labels=symbols, truth=truth)


def frame_of(parameters: Parameters, shown: Picture | None = None) -> Frame:
    return Pipeline().run(asked(parameters, shown or picture()))


def asked(parameters: Parameters, shown: Picture) -> Request:
    return Request(shown, parameters, complete=True, needs=frozenset())


def filled(work: Any, frame: Frame) -> Any:
    """Return the result of all work at rest, piece by piece."""
    *_, last = iter(lambda: work.next(frame, Counting()), None)
    return last


@pytest.mark.parametrize("w_l", [None, 3])
@pytest.mark.parametrize("encoding", [LABELS, Encoding("grey")])
def test_it_is_a_plain_sweep(encoding: Encoding, w_l: int | None) -> None:
    frame = frame_of(Parameters(encoding, n_states=3, window=4, learning_window=w_l, smoothing=0.3))
    found = filled(Sweeping(), frame)
    assert found.fraction == 1.0
    discrete = frame.observations.discrete
    plain = sweep(
        frame.observations.values,
        windows=WINDOWS,
        n_states=STATES,
        kind="discrete" if discrete else "gaussian",
        n_symbols=3 if discrete else None,
        truth=picture().truth,
        codebook_window=w_l or 4,
        smoothing=0.3,
    )
    check_settings(found, plain)


def check_settings(found: TradeOff, wanted: Iterable[Setting]) -> None:
    """Compare all numbers; states may be in another order."""
    settings = {(s.n_states, s.window): s for s in wanted}
    assert found.settings.keys() == settings.keys()
    for place, setting in found.settings.items():
        for name, value in asdict(settings[place]).items():
            assert getattr(setting, name) == (value and pytest.approx(value, rel=1e-9)), name


def test_the_code_length_of_one_state_is_that_of_every_window() -> None:
    """Of a table, the last column has what each setting saves over it."""
    for encoding in (LABELS, Encoding("grey")):
        found = filled(Sweeping(), frame_of(Parameters(encoding, n_states=3, window=4)))
        for w in WINDOWS:
            assert found.settings[1, w].code_length == pytest.approx(found.one, rel=1e-12)
        names, rows = settings_table(found)
        assert names[-1] == "saved"
        k = names.index("code_length")
        for (n, w), row in zip(sorted(found.settings), rows, strict=True):
            assert row[:2] == [n, w]
            assert row[-1] == pytest.approx(rows[0][k] - row[k], abs=1e-12)


def windows_of(found: TradeOff | None) -> set[int]:
    return {w for _, w in found.settings}


def test_small_windows_come_first_and_results_are_kept() -> None:
    work, pipeline = Sweeping(), Pipeline()

    def next_of(parameters: Parameters) -> set[int]:
        return windows_of(work.next(pipeline.run(asked(parameters, picture())), Counting()))

    own = Parameters(LABELS, n_states=3, window=4, learning_window=2)
    assert [next_of(own) for _ in range(3)] == [{0}, {0, 1}, {0, 1, 2}]
    assert next_of(replace(own, window=9, alpha=0.5)) == {0, 1, 2, 3}
    for other in (
        replace(own, learning_window=3),
        replace(own, smoothing=0.5),
        Parameters(Encoding("grey"), n_states=3, window=9),
    ):
        assert next_of(other) == {0}


def test_it_is_that_of_a_tree_that_is_cut_by_hand() -> None:
    """The trade-off holds the results of other N and w, with the same cuts by hand."""
    pipeline = Pipeline()
    parameters = Parameters(LABELS, n_states=3, window=4, learning_window=3)
    request = Request(picture(), parameters, complete=True, needs=frozenset({"code_lengths"}))
    frame = pipeline.run(request)
    straight = TreeCut.of(frame.cut.hierarchy, 4).clusters.tolist()
    some = map(frame.cut.split, range(3))
    hand = next(one.hand for one in some if one.clusters.tolist() != straight)
    cut = replace(request, hand_cut=hand)
    shown = pipeline.run(cut)
    found = filled(Sweeping(), shown)
    assert found.settings != filled(Sweeping(), frame).settings
    for n, w in ((2, 4), (4, 0), (5, 2)):
        parameters = replace(cut.parameters, n_states=n, window=w)
        wanted = pipeline.aside().run(replace(cut, parameters=parameters))
        setting, lengths = found.settings[n, w], wanted.code_lengths
        assert setting.associativity == pytest.approx(wanted.associativity, rel=1e-12)
        assert setting.code_length == pytest.approx(lengths.states.bits, rel=1e-12)
        own = np.array(wanted.slots)[wanted.states]
        np.testing.assert_array_equal(found.maps[n, w], own)


def test_an_n_and_a_w_beyond_the_range_are_added() -> None:
    work = Sweeping()
    filled(work, frame_of(Parameters(LABELS, n_states=3, window=4)))
    found = filled(work, frame_of(Parameters(LABELS, n_states=10, window=31)))
    assert found.fraction == 1.0
    assert (found.states, found.windows) == ((*STATES, 10), (*WINDOWS, 31))
    assert len(found.row(10)) == len(WINDOWS) + 1


@pytest.mark.parametrize("stop_at", [1, 2, 5])
def test_a_piece_is_given_up_and_done_again(stop_at: int) -> None:
    work, frame = Sweeping(), frame_of(Parameters(LABELS, n_states=3, window=4))
    work.next(frame, Counting())
    progress = Counting(stop_at)
    with pytest.raises(Cancelled):
        work.next(frame, progress)
    assert stop_at <= progress.asked < stop_at + get_threads()  # each thread stops at its check
    assert windows_of(work.next(frame, Counting())) == {0, 1}


def test_bands_are_decoded_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    symbols = picture((90, 110)).labels
    assert symbols is not None
    signatures = DiscreteModel(np.eye(3), np.eye(3), 2).signature(symbols).reshape(-1, 3)
    tree = fast_pnn(signatures)
    codewords = tree.codewords_of([1, 3, 5])
    whole = decode_both(symbols, codewords, 2)
    monkeypatch.setattr("latviz.core.windows.leave_one_out.BAND", 2000)
    progress = Counting()
    parts = decode_both_in_bands(symbols, codewords, 2, progress)
    np.testing.assert_array_equal(parts, whole)
    assert progress.asked == 5
    with pytest.raises(Cancelled):
        decode_both_in_bands(symbols, codewords, 2, Counting(3))


def test_of_a_large_picture_the_middle_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has numbers, by the codebook of all, and no maps: these would not be those on screen."""
    region = (slice(23, 67), slice(27, 83))
    monkeypatch.setattr(section, "MOST", 45 * 55)
    shown = picture((90, 110))
    frame = frame_of(Parameters(LABELS, n_states=2, window=3), shown)
    found = Sweeping().next(frame, Counting())
    assert found.scope.region == region
    assert not found.exact
    assert not found.maps
    symbols = np.asarray(shown.labels)[region]
    states, _ = naive.decode_exactly(symbols, 0, frame.codebook)
    A = naive.adjacency([states], 2)
    assert found.settings[2, 0].associativity == pytest.approx(naive.associativity(A), rel=1e-9)


def test_small_maps_keep_a_pixel_of_each_cell() -> None:
    values = np.arange(35).reshape(5, 7)
    np.testing.assert_array_equal(shrunk(values, 3), [[8, 11], [29, 32]])
    thin = np.arange(9)[None]
    np.testing.assert_array_equal(shrunk(thin, 4), [[2, 6]])
    np.testing.assert_array_equal(shrunk(thin.T, 4), [[2], [6]])


def middle(shown: Picture, most: int) -> Picture:
    """Return the part of a picture in its middle, with its known states."""
    region = middle_of(shown.shape, most)
    parts = {
        name: np.ascontiguousarray(array[region])
        for name in ("pixels", "labels", "truth")
        if (array := getattr(shown, name)) is not None
    }
    return replace(shown, x=None, **parts)


def test_few_rows_of_many_channels_are_vectors() -> None:
    """Their array has the shape that a small volume of numbers has, too."""
    pixels = np.random.default_rng(0).normal(0, 1, (4, 30, 16)).astype(np.float32)
    shown = Picture(pixels, "bands", channels=tuple("abcdefghijklmnop"))
    found = filled(Sweeping(), frame_of(Parameters(Encoding("channels"), n_states=2), shown))
    assert found.fraction == 1


def test_windows_of_a_sequence_go_on_to_an_eighth_of_its_length() -> None:
    def row(n: int) -> Picture:
        return Picture(np.arange(n, dtype=np.uint8)[None], "row")

    assert compared_windows(picture()) == compared_windows(row(100)) == WINDOWS
    assert compared_windows(row(187)) == (*WINDOWS, 22, 23)
    larger = compared_windows(row(10_000))[len(WINDOWS) :]
    assert larger[-1] == window_range(10_000)[1] == 1250
    assert window_range(500) == window_range(0) == WINDOW_RANGE
    assert all(8 * b <= 9 * a for a, b in pairwise((20, *larger)))
    shown = Picture(row(200).pixels % 3, "few", labels=row(200).pixels % 3)
    found = filled(Sweeping(), frame_of(Parameters(LABELS, n_states=2), shown))
    assert [one.window for one in found.row(2)] == [*WINDOWS, 22, 24, 25]
    assert found.fraction == 1
