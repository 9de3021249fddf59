"""Reliefs, basins and merges by contrast, against plain loops, scikit-image and known regions."""

import itertools

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import assume, given, settings
from skimage import data
from skimage.segmentation import watershed

from latviz.core import (
    ParameterError,
    adjusted_rand,
    contrast_regions,
    regions,
    sample_voronoi,
)
from latviz.core.data.turns import Turn
from latviz.core.segmentation import relief as made_by
from latviz.core.segmentation.contrast import contrast_regions_of
from latviz.core.segmentation.merging import SignatureChannels
from latviz.core.segmentation.relief import Compared, Relief, relief_of
from tests import naive
from tests import naive_regions as plain
from tests.core import cases

SHAPES = [(40,), (9, 8), (4, 5, 4)]
DIAGONALS = [(0, 1, 1), (0, 1, -1), (1, 0, 1), (1, 0, -1), (1, 1, 0), (1, -1, 0)]


def ways(d):
    """Return unit vectors (z, y, x)."""
    if d == 1:
        return [(0, 0, 1)]
    if d == 2:
        return [(0, np.sin(k * np.pi / 6), np.cos(k * np.pi / 6)) for k in range(6)]
    return [*np.eye(3), *(np.array(way) / np.sqrt(2) for way in DIAGONALS)]


def shares_of(symbols, n_symbols, scales):
    """Return symbols as one channel."""
    weights = 255 * np.eye(n_symbols, dtype=np.uint8)[symbols]
    return Compared(weights, tuple("ABCD"[:n_symbols]), n_symbols, scales)


def heights_by_loops(symbols, n_symbols, windows):
    """Return the largest mean over windows of the root of chi-squared of two signatures.

    Symbols beyond ``n_symbols`` do not count.
    """
    found = np.zeros(symbols.shape)
    shape, d = symbols.shape, symbols.ndim
    most = int(symbols.max()) + 1
    signatures = {w: naive.signature_discrete(symbols, w, most)[..., :n_symbols] for w in windows}
    for t in naive.nodes(shape):
        for way in ways(d):
            total = there = 0.0
            for w in windows:
                step = [round((w + 0.5) * part) for part in np.round(way[3 - d :], 9)]
                p, q = (
                    signatures[w][
                        tuple(
                            min(max(i + sign * s, 0), n - 1)
                            for i, s, n in zip(t, step, shape, strict=True)
                        )
                    ]
                    for sign in (1, -1)
                )
                either, share = p + q > 0, max(p.sum(), q.sum())
                p, q = p[either] / share, q[either] / share
                total += share * np.sqrt(((p - q) ** 2 / (p + q)).sum() / 2)
                there += share
            found[t] = max(found[t], total / there)
    return found


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("windows", [(1, 2), (2, 10)])
def test_heights_are_those_of_the_definition(shape, windows):
    symbols = cases.blocky(shape, 4, 3)
    channels = (shares_of(symbols, 4, windows),)
    found = made_by.heights_of(channels, None)
    wanted = heights_by_loops(symbols, 4, windows)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-3)  # 1e-6 is added to each sum
    assert 0.3 < wanted.max() <= 1.0


@pytest.mark.parametrize("shape", SHAPES)
def test_a_channel_counts_by_the_nodes_that_have_it(shape):
    symbols = cases.blocky(shape, 4, 5)
    symbols[np.indices(shape).sum(axis=0) % 3 == 0] = 4
    some = Compared(shares_of(symbols, 5, (1, 2)).weights[..., :4].copy(), tuple("ABCD"), 4, (1, 2))
    wanted = heights_by_loops(symbols, 4, (1, 2))
    np.testing.assert_allclose(made_by.heights_of((some,), None), wanted, rtol=0, atol=2e-3)


def flat(kind):
    """Return a drawing in flat colours, and its regions."""
    colors = np.array([(200, 40, 40), (40, 160, 70), (30, 90, 200), (250, 210, 40), (20, 20, 20)])
    if kind == "bands":
        labels = np.repeat(np.arange(4), 60)[None].repeat(160, axis=0)
    else:
        places = np.random.default_rng(3).random((5, 2)) * (150, 180)
        y, x = np.indices((150, 180))
        labels = ((np.stack([y, x], -1)[:, :, None] - places) ** 2).sum(-1).argmin(-1)
    return colors[labels].astype(np.uint8), labels


@pytest.mark.parametrize("kind", ["bands", "cells"])
@pytest.mark.parametrize("grey", [False, True])
def test_a_flat_area_is_one_region_at_low_cuts(kind, grey):
    """Filters answer to its borders from far away, which makes no regions inside."""
    image, labels = flat(kind)
    found = contrast_regions(image[..., 1] if grey else image, least_contrast=0.0)
    for cut in (0.08, 0.12, 0.2) if grey else (0.04, 0.08, 0.12, 0.2):
        merged = found.merged(least_contrast=cut).labels
        assert len(np.unique(merged)) == len(np.unique(labels)), cut
        share = np.bincount((5 * merged + labels).reshape(-1), minlength=25)
        assert np.sort(share)[-len(np.unique(labels)) :].sum() > 0.99 * labels.size


def test_channels_are_means():
    """Half-and-half weights are half of each symbol; two equal channels count as one."""
    symbols = cases.blocky((11, 13), 2, 4)
    one = made_by.heights_of((shares_of(symbols, 2, (2,)),), None)
    bins = np.stack([255 * (symbols == k) for k in range(2)] * 2, axis=-1).astype(np.uint8)
    both = made_by.heights_of((Compared(bins, tuple("ABCD"), 2, (2,)),), None)
    np.testing.assert_allclose(both, one, rtol=0, atol=1e-5)


def test_soft_bins():
    """A value on a middle is in one bin; between two it is shared by nearness."""
    found = made_by.soft_bins(np.array([-9.0, 0.0, 10.0, 12.5, 70.0, 99.0]), 0.0, 70.0)
    wanted = np.zeros((6, 8))
    wanted[[0, 1, 2, 4, 5], [0, 0, 1, 7, 7]] = 255
    wanted[3, 1:3] = 191, 64
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("shape", [(3, 4), (7, 9, 3), (11, 2), (13,)])
@pytest.mark.parametrize("factor", [2, 3, 4])
def test_blocks(shape, factor):
    """They are centred; those at both ends share what is left, or lack as much."""
    values = cases.white(shape, 200, 3)
    axes, half = min(len(shape), 2), values
    wanted = values.astype(float)
    for axis in range(axes):
        half = np.repeat(wanted, 2, axis=axis)  # nodes, cut in half
        n_blocks = max(1, round(shape[axis] / factor))
        before = shape[axis] - n_blocks * factor
        blocks = np.clip((np.arange(2 * shape[axis]) - before) // (2 * factor), 0, n_blocks - 1)
        parts = [half.compress(blocks == k, axis).mean(axis) for k in range(n_blocks)]
        wanted = np.stack(parts, axis)
    np.testing.assert_allclose(made_by.reduced(values * 1.0, factor, axes), wanted)
    np.testing.assert_array_equal(made_by.reduced(values, factor, axes), np.rint(wanted))


def test_blocks_are_interpolated_between_their_middles():
    ramp = made_by.enlarged(np.float32([2.5, 4.5, 6.5]), 2, (6,))
    np.testing.assert_allclose(ramp, [2.5, 3, 4, 5, 6, 6.5])
    uneven = made_by.enlarged(np.float32([2.0, 4.0]), 2, (5,))  # middles at 1.5 and 3.5 of 5
    np.testing.assert_allclose(uneven, [2, 2, 3, 4, 4])
    assert made_by.enlarged(np.float32([[3.0]]), 4, (3, 2)).tolist() == [[3.0, 3.0]] * 3


@pytest.mark.parametrize("shape", [(90,), (24, 31), (8, 9, 7)])
def test_basins_are_those_of_scikit_image(shape):
    """With levels that are all different nothing depends on the order of a queue."""
    size = int(np.prod(shape))
    levels = np.random.default_rng(len(shape)).permutation(size).reshape(shape)
    found = made_by.basins_of(levels.astype(np.int16), size)
    np.testing.assert_array_equal(found + 1, watershed(levels))


def test_plateaus():
    """A plateau is one basin if nothing near it is lower; else basins meet in its middle."""
    for levels, wanted in (
        ([[4, 4, 4, 4]], [[0, 0, 0, 0]]),
        ([[0, 5, 5, 5, 5, 1]], [[0, 0, 0, 1, 1, 1]]),
        ([[3, 3, 5], [3, 5, 5], [5, 2, 2]], [[0, 0, 0], [0, 0, 1], [0, 1, 1]]),
    ):
        found = made_by.basins_of(np.array(levels, np.int16), 6)
        assert found[0, 0] == 0
        assert found.max() == np.max(wanted)
        if len(levels) == 1:
            np.testing.assert_array_equal(found, wanted)


def made(shape, seed):
    """Return regions with random heights and signatures, their parts, heights and channels."""
    rng = np.random.default_rng(seed)
    heights = rng.random(shape).astype(np.float32)
    states = cases.blocky(shape, 3, seed)
    if seed > 1:
        states[rng.random(shape) < 0.1] = 255  # unknown
    labels = regions(cases.blocky(shape, 3, seed), states=states).labels
    values = cases.blocky(shape, 4, seed + 9)
    widths, weights = (3, 2), np.array([3.0, 1.0])
    shares = [np.eye(n)[rng.integers(0, n, shape)] for n in widths]
    shares[1][rng.random(shape) < 0.3] = 0.0  # does not count there
    flat = np.concatenate(shares, axis=-1).reshape(-1, sum(widths))
    sums = np.stack([7 * flat[labels.reshape(-1) == k].sum(0) for k in range(labels.max() + 1)])
    channels = SignatureChannels(np.cumsum([0, *widths]), weights, 7.0, float((labels >= 0).sum()))
    relief = Relief(heights, labels, sums, channels, 1, ())
    found = contrast_regions_of(relief, None, values, True, 4, len(shape))
    return found, parts_of(labels), (heights, list(zip(weights, shares, strict=True)))


def parts_of(labels):
    return [list(map(tuple, np.argwhere(labels == k).tolist())) for k in range(labels.max() + 1)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", [1, 2])
def test_merges_by_contrast(shape, seed):
    found, parts, given = made(shape, seed)
    wanted = plain.contrasts(shape, parts, *given)
    assert list(map(tuple, found.pairs.tolist())) == list(wanted)
    np.testing.assert_allclose(found.contrasts, list(wanted.values()), rtol=0, atol=1e-6)
    merges, levels = plain.by_contrast(shape, parts, *given)
    hierarchy = found.by_contrast()
    assert list(map(tuple, hierarchy.merges.tolist())) == merges
    np.testing.assert_allclose(hierarchy.heights, levels, rtol=0, atol=1e-5)
    least = float(np.median(hierarchy.heights)) + 1e-3
    some = found.merged(least_contrast=least)
    assert len(some) == len(found) - hierarchy.merges_below(least) > 1
    wanted = plain.contrasts(shape, parts_of(some.labels), *given)
    assert list(map(tuple, some.pairs.tolist())) == list(wanted)
    np.testing.assert_allclose(some.contrasts, list(wanted.values()), rtol=0, atol=1e-6)
    assert min(wanted.values()) > least - 1e-5
    assert len(some.merged(least_contrast=least)) == len(some)
    whole = plain.components(some.labels, len(shape))
    assert len([part for part in whole if some.labels[part[0]] >= 0]) == len(some)


@pytest.mark.parametrize("shape", [(9, 11), (90, 61), (3, 8, 9)])
def test_signatures_are_those_of_whole_basins(shape):
    """Each node has the weights of its block; channels count by their scales."""
    factor = 2 if len(shape) == 2 else 1
    found = cases.white(made_by.reduced(np.zeros(shape), factor, len(shape)).shape, 200, 5)
    weights = np.stack([found, 200 - found], axis=-1)
    heights, basins, signatures = made_by.flood(np.float32(found / 200), weights, factor, shape)
    wanted = np.zeros((basins.max() + 1, 2))
    for t in naive.nodes(shape):
        block = [
            next(k for k, end in enumerate(made_by.edges_of(n, factor)[1:]) if 2 * i < end)
            for i, n in zip(t, shape, strict=True)
        ]
        wanted[basins[t]] += weights[tuple(block)]
    np.testing.assert_array_equal(signatures, wanted)
    assert heights.shape == shape
    grey, colour = (relief_of(cases.white(s, 200, 3), 2, 2).channels for s in ((9, 9), (9, 9, 3)))
    assert grey.weights.tolist() == [3, 1, 1, 1, 1]
    assert colour.weights.tolist() == [3, 3, 3, 1, 1, 1, 1]


def halves(shape, left, right):
    """Return an image of two textures side by side."""
    image = left[: shape[0], : shape[1]].copy()
    image[:, shape[1] // 2 :] = right[: shape[0], shape[1] // 2 : shape[1]]
    return image


def agreement(found, truth):
    return adjusted_rand(np.uint8(found), np.uint8(truth))


def test_regions_of_colours_and_of_textures():
    truth = sample_voronoi((150, 160), n_regions=7, n_states=4, random_state=5)
    colors = np.array([[90, 60, 50], [70, 110, 60], [60, 70, 130], [150, 140, 90]])
    noise = np.random.default_rng(2).normal(0, 8, (*truth.shape, 3))
    image = np.clip(colors[truth] + noise, 0, 255).astype(np.uint8)
    found = contrast_regions(image)
    assert agreement(found.labels, regions(truth, states=truth).labels) > 0.95
    assert not found.states.any()
    own = [image[found.labels == k].mean(axis=0) for k in range(len(found))]
    np.testing.assert_allclose(found.means, own, rtol=1e-6)
    grass, brick = (np.sort(one, axis=None) for one in (data.grass(), data.brick()))
    greys = np.searchsorted(grass, data.grass()) / grass.size
    bricks = np.searchsorted(brick, data.brick()) / brick.size
    image = np.uint8(60 + 160 * halves((160, 160), greys, bricks))  # one histogram for both
    found = contrast_regions(image)
    half = np.indices(image.shape)[1] >= 80
    most = [np.bincount(half[found.labels == k], minlength=2).max() for k in range(len(found))]
    assert sum(most) > 0.9 * image.size


TURNS = [Turn(*way) for way in itertools.product((False, True), repeat=3)]


@settings(max_examples=25)
@given(
    st.tuples(st.integers(1, 26), st.integers(1, 26)),
    st.sampled_from(TURNS[1:]),
    st.sampled_from(["uint8", "uint16", "float32"]),
    st.sampled_from([(), (3,)]),
    st.sampled_from([0.0, 0.3]),
    st.integers(0, 2**32),
)
def test_regions_turn_with_a_picture(shape, turn, kind, channels, unknown, seed):
    rng = np.random.default_rng(seed)
    coarse = rng.integers(0, 4, (9, 9, *channels)).repeat(3, axis=0).repeat(3, axis=1)
    image = (60 * coarse[: shape[0], : shape[1]] + rng.integers(0, 8, (*shape, *channels))) / 1
    image = (image / 255 if kind == "float32" else image).astype(kind)
    assume(not any(np.array_equal(other.of(image), image) for other in TURNS[1:]))
    known = rng.random(shape) >= unknown
    known.flat[0] = True
    # A reduced picture by its known pixels may be its own mirror image, too
    assume(not unknown or min(shape) > 6)
    assert_turns(image, turn, known)


def assert_turns(image, turn, mask=None):
    """The same regions, borders and merges; all basins, too."""
    masks = (mask, mask if mask is None else np.ascontiguousarray(turn.of(mask)))
    pictures = zip((image, np.ascontiguousarray(turn.of(image))), masks, strict=True)
    one, other = (contrast_regions(own, least_contrast=0, mask=k) for own, k in pictures)
    np.testing.assert_array_equal(turn.of(one.labels), other.labels)
    assert one.by_contrast() == other.by_contrast()


@pytest.mark.parametrize("turn", [Turn(across=True), Turn(swapped=True)])
def test_regions_turn_with_a_photograph(turn):
    """Blocks of its reduced picture do not fill an odd number of rows and columns."""
    assert_turns(data.coffee()[:301, :331], turn)


def test_regions_are_almost_the_same_without_the_last_row():
    image = data.chelsea()
    found, other = contrast_regions(image), contrast_regions(image[:-1])
    assert agreement(other.labels, found.labels[:-1]) > 0.8


@pytest.mark.parametrize("shape", [(60, 70, 3), (230, 240, 3), (5, 20, 20)])
def test_unknown_pixels_have_no_part(shape):
    """Nothing depends on them; they are in no region, and no border is next to them."""
    rng, d = np.random.default_rng(3), 3 if shape[-1] > 3 else 2
    image = np.full(shape, 90, np.uint8)
    image[..., shape[1] // 2 :, :] = 170
    known = rng.random(shape[:d]) >= 0.1
    known[..., 5:15, 8:12] = False
    image[~known] = 255
    kept = contrast_regions(image, least_contrast=0.0, mask=known, dimensions=d)
    image[~known] = rng.integers(0, 255, image[~known].shape)
    found = contrast_regions(image, least_contrast=0.0, mask=known, dimensions=d)
    np.testing.assert_array_equal(found.labels, kept.labels)
    assert found.by_contrast() == kept.by_contrast()
    np.testing.assert_array_equal(found.labels < 0, ~known)
    merged = found.merged(least_contrast=0.2)
    bright = image.reshape(*known.shape, -1)[..., 0] > 100
    most = [np.bincount(bright[merged.labels == k], minlength=2).max() for k in range(len(merged))]
    assert sum(most) > 0.95 * known.sum()
    assert (merged.areas > known.sum() / 4).sum() == 2  # single pixels may be among unknown ones
    full = np.ones(known.shape, bool)
    whole = [contrast_regions(image, mask=k, dimensions=d).labels for k in (None, full)]
    np.testing.assert_array_equal(*whole)


def test_windows_grow_with_the_picture():
    image = np.ascontiguousarray(data.astronaut()[:196, :196])
    small, large = (
        contrast_regions(image),
        contrast_regions(np.kron(image, np.ones((2, 2, 1), np.uint8))),
    )
    assert agreement(large.labels[::2, ::2], small.labels) > 0.95


def test_volumes_and_slices_and_sequences():
    volume = np.full((3, 14, 16), 40, np.uint8)
    volume[:, :, 8:] = 200
    assert len(contrast_regions(volume, dimensions=3)) == 2
    apart = relief_of(volume, 3, 2)
    slices = [np.unique(one).tolist() for one in apart.basins]
    assert slices == [[0, 1], [2, 3], [4, 5]]
    np.testing.assert_array_equal(apart.heights[2], relief_of(volume[2], 2, 2).heights)
    symbols = np.repeat(np.array([0, 2, 1], np.uint8), 30)
    relief = relief_of(symbols, 1, 1, "ABC")
    assert set(np.diff(relief.basins).tolist()) == {0, 1}  # in order, each of one stretch
    found = contrast_regions_of(relief, symbols, symbols, True, 3, 1)
    merged = found.merged(least_contrast=0.1)
    assert merged.areas.tolist() == [30, 30, 30]
    assert merged.states.tolist() == [0, 2, 1]


def test_sides_explain_contrasts():
    """At each node they make its contrast; across a border each has what the other lacks."""
    image = np.full((40, 50, 3), (200, 40, 40), np.uint8)
    image[:, 25:] = 40, 200, 40
    symbols = np.repeat(np.array([0, 2, 1], np.uint8), 20)
    volume = cases.white((4, 9, 8), 200, 3)
    reliefs = relief_of(image, 2, 2), relief_of(symbols, 1, 1, "ABC"), relief_of(volume, 3, 3)
    for relief in (*reliefs, relief_of(volume, 3, 2)):
        shape = relief.heights.shape
        for node in np.random.default_rng(4).integers(0, shape, (8, len(shape))).tolist():
            found = relief.sides(tuple(node))
            assert found.contrast == pytest.approx(relief.heights[tuple(node)], abs=2e-3)
    across = reliefs[0].sides((20, 24))
    assert across.name[:2] == "a*"
    assert abs(across.shares[0] - across.shares[1]) > 0.5
    assert across.step[1] > abs(across.step[0])
    middle = reliefs[1].sides((20,))
    assert middle.step == (10,)
    assert (middle.name, middle.shares) in (("A", (0.0, 1.0)), ("C", (1.0, 0.0)))


def test_the_same_on_any_number_of_threads():
    image = data.coffee()[:90, :120]
    one, three = cases.on_threads((1, 3), lambda: relief_of(image, 2, 2))
    assert one == three


def test_one_colour_and_few_nodes():
    for shape in ((1, 1), (1, 9), (9, 1, 3), (30, 40, 3)):
        found = contrast_regions(np.full(shape, 7, np.uint8))
        assert len(found) == 1
        assert len(found.contrasts) == len(found.by_contrast().heights) == 0
    assert len(contrast_regions(np.zeros((20, 20), np.float32) + 0.5)) == 1


def test_bad_arguments():
    image = data.coffee()[:20, :20]
    for bad, name in (({"least_contrast": -0.1}, "least_contrast"), ({"dimensions": 1}, "dimens")):
        with pytest.raises(ParameterError, match=name):
            contrast_regions(image, **bad)
    with pytest.raises(ParameterError, match="shape"):
        contrast_regions(image[..., :2])
    states = regions(image[..., 0], states=image[..., 0] // 100)
    for ask in (
        states.by_contrast,
        lambda: states.contrasts,
        lambda: states.merged(least_contrast=0.1),
    ):
        with pytest.raises(ParameterError, match="contrast_regions"):
            ask()
