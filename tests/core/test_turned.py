"""A picture gives the same states however it is turned, and for any type of its numbers."""

import itertools

import numpy as np
import pytest
import skimage.data
from hypothesis import example, given, settings
from hypothesis import strategies as st

from latviz.core import DiscreteModel, Encoding, GaussianModel, encode
from latviz.core.data.data_set import as_data_set
from latviz.core.data.encoding import words
from latviz.core.model import learning
from latviz.core.windows.decoding import decode_each
from tests.core import cases
from tests.products import FULL, every_pair

WINDOW, N_STATES = 2, 4
PLAIN = [name for name in words() if name != "labels"]
SAMPLED = pytest.mark.parametrize(
    ("name", "sampled"), [(name, k % 2 > 0) for k, name in enumerate(PLAIN)]
)
"""Each encoding, learned from all signatures or from a sample."""


def turns(d):
    """Yield ways to turn and mirror a lattice of d dimensions, and the ways back.

    Each order of the axes is paired with each mirrored axis; with ``LATVIZ_FULL=1`` it is all ways.
    The first of them, which changes nothing, is left out.
    """
    for order, *signs in every_pair(list(itertools.permutations(range(d))), *[(1, -1)] * d)[1:]:
        steps = tuple(slice(None, None, sign) for sign in signs)
        back = np.argsort(order)

        def turn(array, order=order, steps=steps):
            return np.ascontiguousarray(
                array.transpose(*order, *range(len(order), array.ndim))[steps]
            )

        def turn_back(array, back=back, steps=steps):
            return array[steps].transpose(*back, *range(len(back), array.ndim))

        yield turn, turn_back


def learned(pictures, encoding, dimensions=2, sampled=False):
    """Return the codebook of pictures, and the states of each."""
    found = encode(pictures, encoding, dimensions=dimensions)
    kind = "discrete" if encoding.discrete else "gaussian"
    data = as_data_set([one.values for one in found], kind=kind, n_symbols=found[0].n_symbols)
    if sampled:
        tree = learning.learn_from_sample(data, WINDOW)
    else:
        tree = learning.learn_tree(data.lattices, data.n_symbols, WINDOW)
    codebook = learning.codebook_of(tree, N_STATES)
    return codebook, decode_each(data, codebook, WINDOW)


def assert_turns(image, encoding, dimensions=2, sampled=False, ways=None):
    """Assert that turned pictures have the same codebook, and the turned states."""
    codebook, (states,) = learned([image], encoding, dimensions, sampled)
    for turn, turn_back in ways or turns(dimensions):
        other, (turned,) = learned([turn(image)], encoding, dimensions, sampled)
        np.testing.assert_array_equal(other, codebook)
        np.testing.assert_array_equal(turn_back(turned), states)


def picture(shape, seed, *, colour, dtype=np.uint8):
    """Return a picture of few values in blocks, so that distances and costs tie."""
    rng = np.random.default_rng(seed)
    grey = cases.blocky(shape, 5, seed) * 40 + rng.integers(0, 4, shape)
    if not colour:
        return grey.astype(dtype)
    return np.stack([grey, grey.max() - grey, rng.integers(0, 9, shape)], -1).astype(dtype)


@st.composite
def small(draw):
    """Draw an encoding, and a small picture that it is for."""
    name = draw(st.sampled_from(PLAIN))
    shape = draw(st.tuples(st.integers(1, 14), st.integers(1, 14)))
    return Encoding(name, draw(st.integers(2, 6))), picture(
        shape, draw(st.integers(0, 999)), colour=name in ("lab", "rgb") or draw(st.booleans())
    )


@settings(max_examples=15)
@given(small())
def test_a_small_picture_that_is_turned(drawn):
    encoding, image = drawn
    assert_turns(image, encoding)


@SAMPLED
def test_a_photograph_that_is_turned(name, sampled):
    colour = name in ("lab", "rgb", "palette", "quantiles")
    image = skimage.data.coffee()[::5, ::6] if colour else skimage.data.coins()[::4, ::4]
    assert_turns(image, Encoding(name, 6), sampled=sampled)


@pytest.mark.parametrize("name", ["quantiles", "texture"])
def test_a_square_that_is_turned(name):
    """A square keeps its shape under more turns, and so does its sample."""
    assert_turns(skimage.data.camera()[::5, ::5], Encoding(name, 6), sampled=True)


@pytest.mark.parametrize(
    ("shape", "name", "sampled"),
    every_pair([(16, 17, 18), (17, 17, 17)], ["quantiles", "rgb", "texture"], [False, True]),
)
def test_a_volume_that_is_turned(shape, name, sampled):
    """Encodings that look around see slices alone, which other axes would cut otherwise."""
    ways = [
        way for way in turns(3) if name != "texture" or way[0](np.zeros((1, 2, 3))).shape[0] == 1
    ]
    volume = picture(shape, 7, colour=name == "rgb")
    assert_turns(volume, Encoding(name, 6), 3, sampled, ways)


@settings(max_examples=15)
@given(st.integers(1, 300), st.integers(2, 6), st.integers(0, 99))
@example(9000, 4, 1)
def test_a_sequence_that_is_reversed(n, n_symbols, seed):
    symbols = np.random.default_rng(seed).integers(0, n_symbols, n).astype(np.uint8)
    model = DiscreteModel.fit(symbols, n_states=3, window=WINDOW, n_symbols=n_symbols)
    other = DiscreteModel.fit(symbols[::-1], n_states=3, window=WINDOW, n_symbols=n_symbols)
    np.testing.assert_array_equal(other.B, model.B)
    np.testing.assert_array_equal(other.decode(symbols[::-1])[::-1], model.decode(symbols))
    data = [
        as_data_set(one, kind="discrete", n_symbols=n_symbols) for one in (symbols, symbols[::-1])
    ]
    one, reversed_one = (learning.learn_from_sample(found, 3).codebook(1) for found in data)
    np.testing.assert_array_equal(one, reversed_one)


@SAMPLED
def test_pictures_in_another_order(name, sampled):
    rng = np.random.default_rng(4)
    shapes = [(30, 40), (23, 51), (40, 30), (30, 40), (5, 70)]
    images = [picture(shape, k, colour=name in ("lab", "rgb")) for k, shape in enumerate(shapes)]
    codebook, states = learned(images, Encoding(name, 6), sampled=sampled)
    for _ in range(2 if FULL else 1):
        order = rng.permutation(len(images))
        every = list(turns(2))
        ways = [every[k] for k in rng.integers(len(every), size=len(order))]
        if Encoding(name).kind.looks_around:  # stripes have their own meaning, down or across
            ways = ways[:1] * len(ways)
        turned = [turn(images[k]) for k, (turn, _) in zip(order, ways, strict=True)]
        other, found = learned(turned, Encoding(name, 6), sampled=sampled)
        np.testing.assert_array_equal(other, codebook)
        for k, (_, back), one in zip(order, ways, found, strict=True):
            np.testing.assert_array_equal(back(one), states[k])


@pytest.mark.parametrize("name", ["filters", "textons"])
def test_an_encoder_means_the_same_in_every_picture(name):
    """Stripes down and across differ, in any turn of the picture that the encoder is fitted to."""
    down, across = np.zeros((2, 96, 96), np.uint8)
    down[:, ::4], across[::4] = 200, 200
    down[:, 1::4], across[1::4] = 200, 200
    both = np.concatenate([down, across[:, :64]], axis=1)
    for turn, turn_back in turns(2):
        encoder = encode(turn(both), Encoding(name, 4)).encoder
        left, right = (turn_back(encoder.encode(turn(one)).values) for one in (down, across))
        middle = (slice(40, 50), slice(28, 38))
        assert not np.allclose(left[middle], right[middle], rtol=0, atol=0.1)
        whole = turn_back(encoder.encode(turn(both)).values)
        np.testing.assert_allclose(whole[middle], left[middle], rtol=0, atol=0.01)


@pytest.mark.parametrize("kind", ["symbols", "vectors"])
@pytest.mark.parametrize("shapes", [[(70, 90)], [(81, 81)], [(40, 30)] * 4 + [(90, 61)]])
def test_large_data_sets_that_are_turned(monkeypatch, kind, shapes):
    """They are learned in parts, and vectors in cells."""
    monkeypatch.setattr(learning, "PART", 2000)
    monkeypatch.setattr(learning, "PART_CLUSTERS", 300)
    monkeypatch.setattr(learning, "IN_CELLS", 1000)
    rng = np.random.default_rng(5)
    if kind == "symbols":
        lattices = [cases.blocky(shape, 5, k) for k, shape in enumerate(shapes)]
        fit, options = DiscreteModel.fit, {"n_symbols": 5}
    else:
        lattices = [cases.vectors(shape, 2, k) for k, shape in enumerate(shapes)]
        fit, options = GaussianModel.fit, {}
    model = fit(lattices, n_states=6, window=2, **options)
    for turn, _ in turns(2):
        order = rng.permutation(len(lattices))
        other = fit([turn(lattices[k]) for k in order], n_states=6, window=2, **options)
        np.testing.assert_array_equal(other.codebook, model.codebook)


@pytest.mark.parametrize(
    ("name", "colour", "darker"),
    [(name, k % 2 > 0, 1 + 2 * (k // 2 % 2)) for k, name in enumerate(PLAIN)],
)
def test_the_type_that_holds_the_numbers_does_not_matter(name, colour, darker):
    """Bytes are the same as float32, and repeated in 16 bits, as PNG widens them."""
    image = skimage.data.coffee()[::8, ::8] // darker
    image = image if colour or name in ("lab", "rgb") else image[..., 0].copy()
    codebook, (states,) = learned([image], Encoding(name, 7))
    for other in (image.astype(np.float32), image.astype(float), image.astype(np.uint16) * 257):
        found, (same,) = learned([other], Encoding(name, 7))
        np.testing.assert_array_equal(found, codebook)
        np.testing.assert_array_equal(same, states)
