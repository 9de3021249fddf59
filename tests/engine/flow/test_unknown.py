"""Unknown nodes take no part in any number: frames are those of the core, and of the rest alone."""

from dataclasses import replace

import numpy as np
import pytest

from latviz.core.checks import UNKNOWN
from latviz.core.data.encoding import Encoding
from latviz.core.data.masks import filled
from latviz.core.decoders import DECODERS
from latviz.core.errors import ParameterError
from latviz.engine.advice.beneath import Beneath
from latviz.engine.advice.rims import count_rims
from latviz.engine.advice.tries import TriedPart
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.explain.explanation import explain
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, REGIONS, Frame, Request
from latviz.engine.frames.inspection import inspect
from latviz.engine.frames.listener import Watch
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import RegionSelection
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters
from tests.products import FULL

SHAPES = {"a sequence": (300,), "an image": (24, 30), "a volume": (5, 14, 16)}
ENCODINGS = {
    "levels": Encoding("levels", 4),
    "quantiles": Encoding("quantiles", 5),
    "palette": Encoding("palette", 5),
    "labels": Encoding("labels"),
    "grey": Encoding("grey"),
    "rgb": Encoding("rgb", scaled=True),
    "lab": Encoding("lab"),
}
CASES = [
    (shape, encoding, "nearest")
    for i, shape in enumerate(SHAPES)
    for k, encoding in enumerate(ENCODINGS)
    if FULL or (i + k) % 3 == 0
]
"""Each shape and each encoding: the core's tests have all of both."""
SEEN_AS = {"a sequence": "labels", "an image": "rgb", "a volume": "levels"}
BELIEFS = [row.name for row in DECODERS.values() if row.offered and row.name != "nearest"]
CASES += [(*seen, decoder) for seen in SEEN_AS.items() for decoder in BELIEFS]
NEEDS = ALL_NEEDS | REGIONS


def picture(shape: tuple[int, ...], encoding: Encoding, rng: np.random.Generator) -> Picture:
    """Return blocks of three values with noise; a sequence of numbers is an image of one row."""
    is_row = len(shape) == 1 and encoding.name != "labels"
    rows = (1, *shape) if is_row else shape
    blocks = sum(np.indices(rows)[k] // 7 for k in range(len(rows))) % 3
    if encoding.name == "labels":
        kept = rng.random(rows) < 0.7
        alphabet = ("a", "b", "c") if len(rows) == 1 else ()
        values = np.where(kept, blocks, 2).astype(np.uint8)
        return Picture(values, "p", dimensions=len(rows), alphabet=alphabet)
    pixels = 80 * blocks[..., None] + rng.integers(0, 60, (*rows, 3))
    pixels = pixels.astype(np.uint8)
    grey = encoding.name == "grey"
    return Picture(pixels[..., 0] if grey else pixels, "p", dimensions=len(rows))


def under(whole: Picture, known: np.ndarray) -> Picture:
    """Return a picture with some pixels unknown, as those that were read have them."""
    return replace(whole, pixels=filled(whole.pixels, known), known=known)


def with_a_margin(whole: Picture) -> tuple[Picture, Picture, tuple[slice, ...], np.ndarray]:
    """Return a picture with an unknown margin, the rest alone, its place, and what is known."""
    inner = tuple(slice(0, 1) if n == 1 else slice(1 + k, n - 2) for k, n in enumerate(whole.shape))
    known = np.zeros(whole.shape, bool)
    known[inner] = True
    return under(whole, known), replace(whole, pixels=whole.pixels[inner].copy()), inner, known


def frame_of(shown: Picture, encoding: Encoding, **parameters: object) -> Frame:
    given = Parameters(encoding, **{"n_states": 3, "window": 2, **parameters})
    return Pipeline().run(Request(shown, given, needs=NEEDS))


@pytest.mark.parametrize(("shape", "encoding", "decoder"), CASES)
def test_an_unknown_margin_leaves_what_the_rest_gives_alone(shape, encoding, decoder) -> None:
    rng = np.random.default_rng(7 + len(shape) * len(encoding))
    *pictures, inner, known = with_a_margin(picture(SHAPES[shape], ENCODINGS[encoding], rng))
    both = [frame_of(each, ENCODINGS[encoding], decoder=decoder) for each in pictures]
    one, rest = both
    assert np.array_equal(one.states[inner], rest.states)
    assert (one.states[~known] == UNKNOWN).all()
    assert pytest.approx(rest.model.A, rel=1e-12) == one.model.A
    assert np.array_equal(one.occupancy, rest.occupancy)
    assert one.n_nodes == rest.n_nodes == one.n_signatures == one.space.density.sum()
    assert one.inertia == pytest.approx(rest.inertia, rel=1e-6)
    assert one.evaluation.log_likelihood == pytest.approx(rest.evaluation.log_likelihood)
    assert one.code_lengths.states.bits == pytest.approx(rest.code_lengths.states.bits)
    assert one.regions.areas.tolist() == rest.regions.areas.tolist()
    assert one.regions.perimeters.tolist() == rest.regions.perimeters.tolist()
    errors = [Beneath(TriedPart.of_frame(each)).error_of(each, None).bits for each in both]
    assert errors[0] == pytest.approx(errors[1])
    rims = [count_rims(each.states, each.codebook) for each in both]
    assert rims[0] == rims[1]
    if decoder == "nearest":
        assert np.array_equal(one.codebook, rest.codebook)
        assert one.colors.tolist() == rest.colors.tolist()
        assert one.residual_correlation == pytest.approx(rest.residual_correlation)
        assert one.noise.associativity.tolist() == pytest.approx(rest.noise.associativity.tolist())
        first, other = (Sweeping().next(each, None) for each in both)
        for place, setting in other.settings.items():
            assert first.settings[place].associativity == pytest.approx(setting.associativity)
            assert first.settings[place].code_length == pytest.approx(setting.code_length)


def with_a_hole(shape: tuple[int, ...] = (24, 30)) -> Picture:
    """Return a grey picture in which a block of pixels is unknown."""
    whole = picture(shape, Encoding("grey"), np.random.default_rng(5))
    known = np.ones(shape, bool)
    known[..., 4:9, 10:17] = False
    return under(whole, known)


def test_maps_and_selections_leave_unknown_nodes_out() -> None:
    hole = with_a_hole()
    for kind in ("likelihood", "inertia", "doubt", "resemblance"):
        request = Request(hole, Parameters(Encoding("grey"), 3, 2), needs=NEEDS, map=kind)
        shown = Pipeline().run(request).node_map
        assert np.array_equal(np.isnan(shown.values), ~hole.known)
        assert shown.counts.sum() + shown.n_infinite == hole.n_known
    all_over = RegionSelection(((-1e3, -1e3), (1e3, -1e3), (1e3, 1e3), (-1e3, 1e3)))
    request = Request(hole, Parameters(Encoding("rgb"), 3, 2), selection=all_over)
    colour = replace(hole, pixels=np.repeat(hole.pixels[..., None], 3, axis=-1))
    lit = Pipeline().run(replace(request, pictures=colour)).lit
    assert lit.n_pixels == hole.n_known
    assert np.array_equal(lit.mask, hole.known)


def test_a_window_holds_known_pixels_alone() -> None:
    hole = with_a_hole()
    frame = frame_of(hole, Encoding("levels", 4))
    found = inspect(frame, (3, 9))
    inside = [(r, c) for r in range(1, 6) for c in range(7, 12) if hole.known[r, c]]
    values = [int(frame.observations.values[at]) for at in inside]
    assert found.n_pixels == len(inside) < 25
    assert found.signature.tolist() == [values.count(k) / len(inside) for k in range(4)]
    known = explain(frame, (3, 9))
    assert known.n_pixels == known.occupied.sum() == len(inside)
    assert len(known.neighbours) == sum(hole.known[at] for at in ((2, 9), (4, 9), (3, 8), (3, 10)))


def test_the_known_states_count_where_they_and_the_pixels_are_known() -> None:
    hole = with_a_hole()
    truth = (np.indices(hole.shape)[1] > 12).astype(np.uint8)
    truth[0] = UNKNOWN
    frame = Pipeline().run(
        Request(replace(hole, truth=truth), Parameters(Encoding("grey"), 2, 2), needs={"truth"})
    )
    both = hole.known & (truth != UNKNOWN)
    right = (frame.states == truth)[both].mean()
    assert frame.truth.accuracy == pytest.approx(max(right, 1 - right))
    assert not frame.truth.wrong[~both].any()
    assert frame.truth.wrong.sum() == round(both.sum() * (1 - frame.truth.accuracy))


@pytest.mark.parametrize("name", ["texture", "filters", "textons", "patterns", "levelled"])
def test_encodings_that_look_around_refuse_unknown_pixels(name: str) -> None:
    hole, encoding = with_a_hole(), Encoding(name)
    assert "unknown" in encoding.kind.refusal(PictureSet((hole,)).facts)
    with pytest.raises(ParameterError, match="some are unknown: use"):
        frame_of(hole, encoding)


def test_slices_that_are_apart_need_known_pixels() -> None:
    hole = with_a_hole((3, 24, 30))
    apart = frame_of(hole.sliced(True), Encoding("grey"))
    assert (apart.states != UNKNOWN).sum() == hole.n_known
    known = hole.known.copy()
    known[1] = False
    with pytest.raises(ParameterError, match="slice 2 has no known pixel: take slices together"):
        frame_of(under(hole, known).sliced(True), Encoding("grey"))


def test_regions_by_contrast_are_of_known_pixels() -> None:
    cut, given = RegionCut(measure="contrast"), Parameters(Encoding("grey"), 3, 2)
    hole, needs = with_a_hole(), REGIONS | {"cut_lives"}
    frame = Pipeline().run(Request(hole, given, needs=needs, region_cut=cut))
    np.testing.assert_array_equal(frame.regions.labels < 0, ~hole.known)
    lives = frame.cut_lives
    masks = [lives.mask(life, 0.2) for life in range(len(lives.lives))]
    assert any(mask.any() for mask in masks)
    assert not any(mask[~hole.known].any() for mask in masks)


def test_the_adviser_tries_known_pixels_alone() -> None:
    states = np.repeat(np.arange(40) // 20, 40)[:1600].reshape(40, 40)
    pixels = 60 + 90 * states + np.random.default_rng(0).normal(0, 25, states.shape)
    known = np.zeros((64, 52), bool)
    known[9:49, 5:45] = True
    around = np.full((64, 52), np.nan)
    around[9:49, 5:45] = pixels
    alone = Picture(pixels.astype(np.float32), "p")
    hole = Picture(filled(around.astype(np.float32), known), "p", known=known)
    given = Parameters(Encoding("grey"), n_states=5, window=1, learning_window=1)
    one, rest = (
        Trying(Sweeping()).final(Pipeline().run(Request(each, given)), Watch(lambda: False))
        for each in (hole, alone)
    )
    assert (one.finding, one.says, one.because) == (rest.finding, rest.says, rest.because)
    assert (one.offer and one.offer.after) == (rest.offer and rest.offer.after)
