"""Encoders are fitted once, and give the same symbols for the same values of other pictures."""

import json
from typing import Any

import numpy as np
import pytest

from latviz.core import DiscreteModel, Encoder, Encoding, ParameterError, encode, named_symbols
from latviz.core.data.bins import informative_bins
from latviz.core.data.color import srgb_to_lab
from latviz.core.data.encoding import words
from tests import naive


def image(seed: int, shape: tuple[int, ...] = (20, 30, 3), dtype: type = np.uint8) -> Any:
    top = {np.uint8: 256, np.uint16: 60000, np.float32: 1000}[dtype]
    drawn = np.random.default_rng(seed).integers(0, top, shape)
    return (drawn / 7).astype(dtype) if dtype == np.float32 else drawn.astype(dtype)


def few_values(seed: int, values: list[int], shape: tuple[int, ...] = (9, 8)) -> Any:
    return np.random.default_rng(seed).choice(np.array(values, np.uint8), shape)


@pytest.mark.parametrize(
    ("name", "n_symbols", "one", "other", "values"),
    [
        # the bins of 0 to 99 in four are 25 wide; those of another picture would be others
        (
            "quantiles",
            4,
            np.arange(100, dtype=np.uint8),
            [0, 24, 25, 74, 75, 255],
            [0, 0, 1, 2, 3, 3],
        ),
        ("levels", 5, np.float32([0.5, 10.5]), [-3.0, 2.4, 2.5, 10.4, 70.0], [0, 0, 1, 4, 4]),
    ],
)
def test_bins_keep_their_edges(name, n_symbols, one, other, values) -> None:
    made = encode(one[None], Encoding(name, n_symbols))
    found = made.encoder.encode(np.array([other], one.dtype))
    assert found.values.tolist() == [values]
    assert found.names == made.names


def discs_on_noise(seed: int, ground: int, spread: float) -> Any:
    rng, (y, x) = np.random.default_rng(seed), np.mgrid[:24, :32]
    grey = np.where((y - 12) ** 2 + (x - 9) ** 2 < 16, 180, ground)
    grey = np.where((y - 12) ** 2 + (x - 23) ** 2 < 16, 110, grey)
    return np.clip(grey + rng.normal(0, spread, grey.shape), 0, 255).astype(np.uint8)


def test_the_bins_that_say_more_of_a_neighbour_are_told_by_mutual_information() -> None:
    found = set()
    slope = np.add.outer(np.arange(24) ** 2 / 4, np.arange(32) * 3).astype(np.uint8)
    hidden = np.random.default_rng(1).random(slope.shape) > 0.2
    for grey in (discs_on_noise(0, 20, 9.0), discs_on_noise(1, 230, 6.0), slope, image(4)[..., 0]):
        for known in (np.ones(grey.shape, bool), hidden[: grey.shape[0], : grey.shape[1]]):
            shared = {
                how: naive.shared_nats(encode(grey, Encoding(how, 8)).values, known)
                for how in ("levels", "quantiles")
            }
            n = sum(int((known & np.roll(known, 1, k)).sum()) for k in (0, 1))  # about
            if abs(shared["levels"] - shared["quantiles"] - 49 / (2 * n)) < 0.02:
                continue
            more = shared["levels"] > shared["quantiles"] + 49 / (2 * n)
            turned = [grey, grey.T, grey[::-1], np.repeat(grey[None], 3, axis=0)]
            masks = [known, known.T, known[::-1], np.repeat(known[None], 3, axis=0)]
            own = {informative_bins(*both, 8) for both in zip(turned, masks, strict=True)}
            assert own == {"levels" if more else "quantiles"}
            found |= own
    assert found == {"levels", "quantiles"}


def test_a_palette_takes_the_nearest_of_its_colours() -> None:
    one, other = image(2), image(3)
    encoder = encode(one, Encoding("palette", 6)).encoder
    lab, colours = srgb_to_lab(other / 255.0), srgb_to_lab(encoder.fitted.colors / 255.0)
    squares = ((lab[:, :, None] - colours) ** 2).sum(axis=-1)
    np.testing.assert_array_equal(encoder.encode(other).values, squares.argmin(axis=-1))


def test_lab_is_stretched_as_the_first_was() -> None:
    one = np.zeros((2, 2, 3), np.float32)
    one[0, 0] = 400.5
    encoder = encode(one, Encoding("lab", scaled=False)).encoder
    other = np.full((1, 1, 3), 200.25, np.float32)
    expected = srgb_to_lab(np.full((1, 1, 3), 0.5))
    np.testing.assert_allclose(encoder.encode(other).values, expected, rtol=0, atol=1e-3)


@pytest.mark.parametrize("colour", [False, True])
def test_labels_keep_their_ranks(colour: bool) -> None:
    def drawn(values: list[int]) -> Any:
        grey = few_values(4, values)
        return np.stack([grey, 255 - grey, grey], axis=-1) if colour else grey

    encoder = encode(drawn([3, 50, 90, 200]), Encoding("labels")).encoder
    other = drawn([50, 200])
    ranks = {50: 1, 200: 3}
    expected = [[ranks[int(v)] for v in row] for row in (other[..., 0] if colour else other)]
    assert encoder.encode(other).values.tolist() == expected
    with pytest.raises(ParameterError, match="is not one of the 4 that are known"):
        encoder.encode(drawn([50, 51]))


def test_labels_of_another_kind_are_refused() -> None:
    grey = few_values(5, [1, 2])
    encoder = encode(grey, Encoding("labels")).encoder
    for other, labels in ((np.stack([grey] * 3, axis=-1), None), (grey, grey)):
        with pytest.raises(ParameterError, match="labels mean the same only in"):
            encoder.encode(other, labels=labels)


def test_several_pictures_share_an_encoder() -> None:
    """Two bins of all pixels together: of a dark and of a bright picture each is one symbol."""
    dark, bright = np.full((4, 5), 10, np.uint8), np.full((6, 3), 200, np.uint8)
    one, other = encode([dark, bright], Encoding("quantiles", 2))
    assert one.encoder is other.encoder
    assert (one.values.shape, other.values.shape) == ((4, 5), (6, 3))
    assert set(one.values.flat) == {0}
    assert set(other.values.flat) == {1}
    again = one.encoder.encode([bright, dark])
    assert [set(found.values.flat) for found in again] == [{1}, {0}]


@pytest.mark.parametrize("name", ["quantiles", "lab", "texture"])
def test_the_encoder_of_a_volume_encodes_its_slices(name: str) -> None:
    volume = image(6, (4, 12, 11, 3))
    made = encode(volume, Encoding(name, 4), dimensions=3)
    for k in range(4):
        found = made.encoder.encode(volume[k], dimensions=2)
        np.testing.assert_array_equal(found.values, made.values[k])


def test_of_a_sequence() -> None:
    made = encode(np.array([0, 2, 1], np.uint8), Encoding("labels"), alphabet=("a", "b", "c"))
    other = made.encoder.encode(np.array([2, 2], np.uint8))
    assert (other.values.tolist(), other.names) == ([2, 2], ("a", "b", "c"))
    with pytest.raises(ParameterError):
        made.encoder.encode(np.array([3], np.uint8))


def test_another_dtype_is_refused() -> None:
    encoder = encode(image(7), Encoding("grey")).encoder
    with pytest.raises(ParameterError, match="fitted to uint8 pictures, got one of uint16"):
        encoder.encode(image(7, dtype=np.uint16))


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("name", words())
def test_means_the_same_after_it_was_written(name: str, dtype: type) -> None:
    pixels, other = image(8, dtype=dtype), image(9, dtype=dtype)
    if name == "labels":
        pixels = other = np.tile(pixels[:1, :9], (3, 1, 1))
    made = encode(pixels, Encoding(name, 5))
    encoder = made.encoder
    np.testing.assert_array_equal(encoder.encode(pixels).values, made.values)
    read = Encoder.from_dict(json.loads(json.dumps(encoder.to_dict(), allow_nan=False)))
    found, expected = read.encode(other), encoder.encode(other)
    np.testing.assert_array_equal(found.values, expected.values)
    assert (read.encoding, found.names, found.notes) == (
        encoder.encoding,
        expected.names,
        expected.notes,
    )
    np.testing.assert_array_equal(found.colors, expected.colors)
    assert (found.edges is None) == (expected.edges is None)


@pytest.mark.parametrize("damage", ["names", "encoding", "dtype", "arrays", "dimensions"])
def test_a_damaged_one_is_refused(damage: str) -> None:
    written = encode(image(10), Encoding("levels", 5)).encoder.to_dict()
    for value in (None, 7, ["x"], {"x": 1}):
        with pytest.raises(ParameterError):
            Encoder.from_dict({**written, damage: value})
    del written[damage]
    with pytest.raises(ParameterError, match="not an encoder"):
        Encoder.from_dict(written)


def test_encoded_pictures_are_observations() -> None:
    """An encoding may be its name; a model has all of its symbols, also those that are absent."""
    image = np.tile(np.array([0, 255], np.uint8), (6, 4))
    seen = encode(image, "levels")
    assert seen == encode(image, Encoding("levels"))
    settings = {"n_states": 2, "window": 1}
    model = DiscreteModel.fit(seen, **settings)
    assert model == DiscreteModel.fit(seen.values, n_symbols=3, **settings)
    np.testing.assert_array_equal(model.decode([seen, seen])[1], model.decode(seen.values))
    by_belief = model.predict(seen)
    np.testing.assert_array_equal(by_belief, model.predict_proba(seen).argmax(axis=-1))
    assert model.score(seen) == model.evaluate(seen).log_likelihood / image.size


@pytest.mark.parametrize("dtype", [np.int64, ">u2", ">i4", bool])
def test_other_types_of_integers_are_pictures(dtype: Any) -> None:
    image = few_values(3, [0, 1])
    wanted = encode(image, Encoding("labels"))
    np.testing.assert_array_equal(encode(image.astype(dtype), "labels").values, wanted.values)


def test_letters_are_symbols_with_their_names() -> None:
    found = named_symbols("GATTACA", alphabet="TGCA")
    assert (found.values.tolist(), found.names) == ([1, 3, 0, 0, 3, 2, 3], tuple("TGCA"))
    assert named_symbols(list("GATTACA")).names == tuple("ACGT")
    with pytest.raises(ParameterError, match="got none for 'G'"):
        named_symbols("GAT", alphabet="AT")


@pytest.mark.parametrize("encoding", ["quantiles", "grey", "texture", "channels"])
def test_a_signal_is_encoded_as_an_image_of_one_row(encoding: str) -> None:
    signal = np.random.default_rng(1).normal(size=40)
    row = encode(signal[None], encoding).values[0]
    for given in (signal, signal.tolist(), signal.astype(">f4"), np.broadcast_to(signal, (40,))):
        found = encode(given, encoding)
        np.testing.assert_array_equal(found.values, row)
        np.testing.assert_array_equal(found.encoder.encode(given).values, row)
    np.testing.assert_array_equal(encode([signal, signal], encoding)[1].values, row)
    several = np.stack([signal, -signal], axis=-1)
    wanted = encode(several[None], "channels").values[0]
    np.testing.assert_array_equal(encode(several, "channels", dimensions=1).values, wanted)


def test_opacity_is_left_out_if_it_is_that_of_all_pixels() -> None:
    colours = image(3)
    opaque = np.dstack([colours, np.full(colours.shape[:2], 255, np.uint8)])
    np.testing.assert_array_equal(encode(opaque, "lab").values, encode(colours, "lab").values)
    opaque[3, 4, 3] = 0
    with pytest.raises(ParameterError, match=r"mask=image\[..., 3\] > 0"):
        encode(opaque, "lab")


@pytest.mark.parametrize("text", ["GATTACA", list("GATTACA"), np.array(list("GATTACA"), object)])
def test_letters_are_symbols_that_keep_their_names(text: Any) -> None:
    found = encode(text, "labels")
    assert [found.names[k] for k in found.values] == list("GATTACA")
    assert found.encoder.encode("TAG").values.tolist() == [3, 0, 2]
    assert [one.names for one in encode(["CAT", "GA"], "labels")] == [tuple("ACGT")] * 2
    with pytest.raises(ParameterError, match="none for 'X'"):
        found.encoder.encode("TAX")
    with pytest.raises(ParameterError, match=r'encode\(letters, "labels"\)'):
        DiscreteModel.fit(text, n_states=2, window=1)
    assert DiscreteModel.fit(found, n_states=2, window=1).n_symbols == 4
