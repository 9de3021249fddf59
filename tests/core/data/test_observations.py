import statistics
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.ndimage import gaussian_filter

from latviz.core.choice.levelling import level_light
from latviz.core.data import vectors
from latviz.core.data.color import srgb_to_lab
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import ENCODINGS, Encoding, words
from latviz.core.errors import ParameterError
from tests.core import cases
from tests.products import every_pair

values = {
    np.uint8: st.integers(0, 255),
    np.uint16: st.integers(0, 65535),
    np.float32: st.floats(-1e6, 1e6, width=32),
}
# Counts of very different sizes, so that some values hold more than their share.
counts = st.one_of(st.integers(1, 5), st.integers(1, 40), st.sampled_from([1, 200, 1000]))


@st.composite
def greys(draw, dtypes=tuple(values)):
    """Draw an image from its histogram."""
    dtype = draw(st.sampled_from(dtypes))
    n_values = draw(st.integers(1, 70))
    distinct = draw(st.lists(values[dtype], min_size=n_values, max_size=n_values, unique=True))
    repeats = draw(st.lists(counts, min_size=n_values, max_size=n_values))
    pixels = np.repeat(np.array(distinct, dtype=dtype), repeats)
    return np.random.default_rng(n_values).permutation(pixels)[None]


properties = settings(max_examples=30, derandomize=True)
numbers_of_symbols = st.integers(2, 64)


def encoded(name, image, n_symbols=3, **options):
    return encode(image, Encoding(name, n_symbols), **options)


quantiles, levels, palette = (partial(encoded, name) for name in ("quantiles", "levels", "palette"))


def labels(image, given_labels=None):
    return encode(image, Encoding("labels"), labels=given_labels)


def least_sum_of_squares(image, n_bins) -> float:
    """Return the least possible sum of squared bin sizes, by dynamic programming."""
    below = np.concatenate([[0], np.cumsum(np.unique(image, return_counts=True)[1])])
    cost = np.where(below > below[:, None], (below - below[:, None]) ** 2.0, np.inf)
    least = cost[0]
    for _ in range(n_bins - 1):
        least = (least[:, None] + cost).min(axis=0)
    return least[-1]


def photograph(shape=(96, 96)) -> np.ndarray:
    """Return smooth colours under noise, with some 9,000 distinct colours."""
    rng = np.random.default_rng(5)
    y, x = np.indices(shape) / max(shape)
    smooth = np.stack([x, y, 0.5 + 0.5 * np.sin(6 * x * y)], axis=-1)
    noisy = 220 * smooth + rng.normal(0, 12, (*shape, 3))
    return np.clip(noisy, 0, 255).astype(np.uint8)


class TestEncoding:
    def test_every_encoding_is_described(self):
        discrete = [name for name, info in ENCODINGS.items() if info.discrete]
        assert discrete == ["palette", "labels", "textons", "patterns"]
        for name, info in ENCODINGS.items():
            assert Encoding(name).discrete == info.discrete
            assert info.summary.endswith(".")

    def test_former_names_stand_for_grey(self):
        for name, how, is_level in (
            ("quantiles", "quantiles", False),
            ("levels", "levels", False),
            ("grey", "values", False),
            ("levelled", "values", True),
        ):
            found = Encoding(name, 8)
            assert (found.name, found.how, found.level) == ("grey", how, is_level)
            assert Encoding("grey", 8, how=how, level=is_level) == found
            for before in (Encoding("lab"), Encoding("levels", level=True)):
                assert before.named(name) == Encoding(name)
        with pytest.raises(ParameterError, match="how must be quantiles in the encoding quantiles"):
            Encoding("quantiles", how="levels")
        with pytest.raises(ParameterError, match="how must be one of values, levels, quantiles"):
            Encoding("grey", how="bins")

    @pytest.mark.parametrize("kind", [np.uint8, np.float32])
    def test_lightness_is_levelled_and_colours_are_kept(self, kind):
        y, x = np.indices((40, 50))
        image = np.full((40, 50, 3), (90, 60, 40)) + (60 * ((x // 10 + y // 10) % 2) + x)[..., None]
        plain, even = (
            encode(image.astype(kind), Encoding("lab", scaled=False, level=is_level)).values
            for is_level in (False, True)
        )
        np.testing.assert_array_equal(even[..., 1:], plain[..., 1:])
        np.testing.assert_allclose(even[..., 0], level_light(plain[..., 0]), atol=1e-4)
        assert np.ptp(plain[..., 0] - even[..., 0]) > 10  # the light that was subtracted

    def test_bins_of_levelled_greys_are_bins_of_their_numbers(self):
        y, x = np.indices((40, 50))
        image = (40 + 60 * ((x // 10 + y // 10) % 2) + 2 * x).astype(np.uint8)
        numbers = encode(image, Encoding("levelled")).values[..., 0]
        assert np.ptp(image - numbers) > 50  # the light that was subtracted
        for name in ("quantiles", "levels"):
            found = encode(image, Encoding(name, 5, level=True))
            np.testing.assert_array_equal(found.values, encode(numbers, Encoding(name, 5)).values)

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("name", "hsv", "name must be one of grey, .*, got 'hsv'"),
            ("n_symbols", 1, "n_symbols must be an integer from 2 to 64, got 1"),
            ("n_symbols", 65, "n_symbols must be an integer from 2 to 64, got 65"),
            ("n_symbols", 3.0, "n_symbols must be an integer from 2 to 64, got 3.0"),
            ("n_symbols", True, "n_symbols must be an integer from 2 to 64, got True"),
            ("scale", 0.4, "scale must be a number from 0.5 to 16, got 0.4"),
            ("scale", np.nan, "scale must be a number from 0.5 to 16, got nan"),
            ("scale", "2", "scale must be a number from 0.5 to 16, got '2'"),
        ],
    )
    def test_refuses(self, field, value, message):
        with pytest.raises(ParameterError, match=message):
            replace(Encoding(), **{field: value})


class TestQuantiles:
    @properties
    @given(greys(), numbers_of_symbols)
    def test_are_ordered_used_even_and_within_their_edges(self, image, n_symbols):
        observations = quantiles(image, n_symbols)
        symbols, edges = observations.values, observations.edges
        used, n_used = np.unique(symbols), min(np.unique(image).size, n_symbols)
        np.testing.assert_array_equal(used, np.arange(n_used), "a bin is empty")
        order = np.argsort(image, axis=None, kind="stable")
        steps = np.diff(symbols.ravel()[order].astype(int))
        alike = np.diff(image.ravel()[order]) == 0
        assert (steps >= 0).all(), "bins are out of order"
        assert (steps[alike] == 0).all(), "a value is split"
        for k in range(symbols.max()):
            lower, upper = image[symbols == k], image[symbols == k + 1]
            both = np.concatenate([lower, upper])
            gaps = [abs(2 * (both < edge).sum() - both.size) for edge in np.unique(both)[1:]]
            assert abs(lower.size - upper.size) == min(gaps), "an edge could move"
        assert edges.shape == (n_symbols + 1,)
        assert (edges[symbols] <= image).all()
        below_the_last = symbols < symbols.max()
        assert (image < edges[symbols + np.uint8(1)])[below_the_last].all()
        assert image.max() <= edges[-1]

    @pytest.mark.parametrize("n_symbols", [2, 3, 5, 8, 16, 64])
    @pytest.mark.parametrize("contrast", [20.0, 60.0, 120.0, 300.0])
    def test_are_nearly_as_even_as_any_bins_can_be(self, n_symbols, contrast):
        # The more contrast, the more pixels are clipped to 0 and 255, which no bin can share.
        noise = np.random.default_rng(11).normal(100.0, contrast, (128, 128))
        image = np.clip(noise, 0, 255).astype(np.uint8)
        sizes = np.bincount(quantiles(image, n_symbols).values.ravel())
        assert (sizes**2.0).sum() <= 1.005 * least_sum_of_squares(image, n_symbols)

    @pytest.mark.parametrize(
        ("sizes", "n_symbols"),
        [
            ([2, 2, 1, 1, 2, 2, 1, 1], 7),
            ([3, 1, 3, 3, 4, 1, 2, 2, 4, 4, 1, 1, 2, 2], 13),
            ([2, 2, 2, 1, 1, 4, 4, 4, 100, 8, 8, 1, 100, 1, 100], 14),
        ],
    )
    def test_whose_edges_would_fall_together_are_kept_apart(self, sizes, n_symbols):
        image = np.repeat(np.arange(len(sizes), dtype=np.uint8), sizes)[None]
        used = np.unique(quantiles(image, n_symbols).values)
        np.testing.assert_array_equal(used, np.arange(n_symbols))

    def test_give_a_common_value_a_bin_of_its_own(self):
        image = np.repeat([10, 20, 30, 40, 50], [5, 5, 80, 5, 5]).astype(np.uint8)[None]
        np.testing.assert_array_equal(
            quantiles(image, 5).values[0], np.repeat([0, 1, 2, 3, 4], [5, 5, 80, 5, 5])
        )
        np.testing.assert_array_equal(np.bincount(quantiles(image, 3).values[0]), [10, 80, 10])

    @pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
    def test_of_a_constant_image(self, dtype):
        observations = quantiles(np.full((3, 4), 7, dtype=dtype), 4)
        np.testing.assert_array_equal(observations.values, np.zeros((3, 4)))
        assert observations.n_symbols == 4
        assert observations.names == ("7", "unused 1", "unused 2", "unused 3")
        assert observations.notes == ("only 1 of 4 grey quantiles occur",)

    def test_names_and_colours(self):
        observations = quantiles(np.arange(12, dtype=np.uint8).reshape(3, 4), 3)
        assert observations.names == ("0–3", "4–7", "8–11")
        np.testing.assert_array_equal(observations.edges, [0, 4, 8, 11])
        np.testing.assert_array_equal(observations.colors[:, 0], [2, 6, 10])
        assert observations.notes == ()

    def test_of_colours_use_the_rounded_luma(self):
        image = photograph()
        grey = np.rint(image @ np.array([0.2126, 0.7152, 0.0722], np.float32)).astype(np.uint8)
        np.testing.assert_array_equal(quantiles(image, 6).values, quantiles(grey, 6).values)


class TestLevels:
    @pytest.mark.parametrize("n_symbols", [2, 3, 8, 64])
    def test_of_uint8_divide_its_whole_range(self, n_symbols):
        image = np.arange(256, dtype=np.uint8).reshape(16, 16)
        observations = levels(image, n_symbols)
        expected = np.minimum(np.arange(256).reshape(16, 16) * n_symbols // 255, n_symbols - 1)
        np.testing.assert_array_equal(observations.values, expected)
        assert observations.n_symbols == len(observations.names) == n_symbols

    def test_names_edges_and_colours(self):
        observations = levels(np.array([[0, 10, 255]], dtype=np.uint8), 3)
        assert observations.names == ("0–84", "85–169", "170–255")
        np.testing.assert_allclose(observations.edges, [0, 85, 170, 255], rtol=1e-12, atol=0)
        np.testing.assert_array_equal(observations.colors, [[5] * 3, [128] * 3, [255] * 3])
        assert observations.notes == ("only 2 of 3 grey levels occur",)

    @properties
    @given(greys(dtypes=(np.uint16,)), numbers_of_symbols)
    def test_of_uint16_divide_the_range_of_their_bits(self, image, n_symbols):
        repeated = (image % 257 == 0).all()
        grey = image.astype(int) // (257 if repeated else 1)
        largest = next(n for n in (2**bits - 1 for bits in range(8, 17)) if n >= grey.max())
        expected = np.minimum(grey * n_symbols // largest, n_symbols - 1)
        np.testing.assert_array_equal(levels(image, n_symbols).values, expected)

    def test_of_a_narrow_range_say_that_few_occur(self):
        observations = levels(np.array([[7, 8]], dtype=np.uint16), 4)
        np.testing.assert_array_equal(observations.values, [[0, 0]])
        assert observations.names == ("0–63", "64–127", "128–191", "192–255")
        assert observations.notes == ("only 1 of 4 grey levels occur",)

    @properties
    @given(greys(dtypes=(np.float32,)), numbers_of_symbols)
    def test_of_floats_are_bounded_by_their_edges(self, image, n_symbols):
        observations = levels(image, n_symbols)
        edges, symbols = observations.edges, observations.values
        assert (edges[symbols] <= image).all()
        inner = symbols < n_symbols - 1
        assert (image < edges[symbols + np.uint8(1)])[inner].all()
        np.testing.assert_allclose(
            np.diff(edges), (edges[-1] - edges[0]) / n_symbols, rtol=1e-6, atol=1e-9
        )

    def test_of_floats_are_named_with_the_digits_they_need(self):
        image = np.linspace(0.0, 1.0, 50, dtype=np.float32).reshape(5, 10)
        assert levels(image, 4).names == ("0–0.25", "0.25–0.5", "0.5–0.75", "0.75–1")
        assert levels(1000 + image, 2).names == ("1000–1000.5", "1000.5–1001")
        assert levels(image - 1, 2).names == ("-1 to -0.5", "-0.5 to 0")


class TestPalette:
    def is_nearest(self, image, observations) -> bool:
        rgb = image if image.ndim == 3 else np.repeat(image[..., None], 3, axis=2)
        lab = srgb_to_lab(rgb / 255.0)[..., None, :]
        distances = np.linalg.norm(lab - srgb_to_lab(observations.colors / 255.0), axis=-1)
        taken = np.take_along_axis(distances, observations.values[..., None].astype(int), axis=-1)
        return bool((taken[..., 0] <= distances.min(axis=-1) + 1e-6).all())

    @settings(properties, max_examples=20)
    @given(
        hnp.arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 12), st.just(3))),
        numbers_of_symbols,
    )
    def test_every_pixel_takes_its_nearest_colour(self, image, n_symbols):
        observations = palette(image, n_symbols)
        assert self.is_nearest(image, observations)
        n_colours = len(np.unique(image.reshape(-1, 3), axis=0))
        assert observations.n_symbols <= min(n_symbols, n_colours)
        np.testing.assert_array_equal(
            np.unique(observations.values), np.arange(observations.n_symbols)
        )

    @pytest.mark.parametrize("n_symbols", [2, 5, 64])
    def test_of_a_photograph(self, n_symbols):
        image = photograph()
        assert len(np.unique(image.reshape(-1, 3), axis=0)) > 4096
        observations = palette(image, n_symbols)
        assert observations.n_symbols == n_symbols
        assert self.is_nearest(image, observations)
        lightness = srgb_to_lab(observations.colors / 255.0)[:, 0]
        assert (np.diff(lightness) >= 0).all()

    def test_is_the_image_itself_if_it_has_few_colours(self):
        rng = np.random.default_rng(6)
        colours = rng.integers(0, 256, (9, 3), dtype=np.uint8)
        image = colours[rng.integers(0, 9, (20, 30))]
        observations = palette(image, 16)
        np.testing.assert_array_equal(observations.colors[observations.values], image)
        assert observations.notes == ("only 9 of 16 palette colours occur",)
        assert observations.names[0] == "#{:02x}{:02x}{:02x}".format(*observations.colors[0])

    def test_finds_the_colours_under_noise(self):
        rng = np.random.default_rng(7)
        colours = np.array([[30, 40, 90], [200, 60, 50], [90, 180, 80], [230, 220, 150]])
        truth = rng.choice(4, p=[0.6, 0.25, 0.1, 0.05], size=(120, 120))
        image = np.clip(colours[truth] + rng.normal(0, 9, (120, 120, 3)), 0, 255).astype(np.uint8)
        observations = palette(image, 4)
        by_lightness = np.argsort(srgb_to_lab(colours / 255.0)[:, 0])
        np.testing.assert_allclose(observations.colors, colours[by_lightness], rtol=0, atol=4)
        assert (by_lightness[observations.values] == truth).mean() > 0.995

    def test_of_a_constant_image(self):
        observations = palette(np.full((2, 2, 3), 99, np.uint8), 3)
        assert observations.n_symbols == 1
        assert observations.names == ("#636363",)


class TestLabels:
    @pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
    def test_are_ranks_of_grey_values(self, dtype):
        image = np.array([[9, 4, 4], [200, 9, 4]], dtype=dtype)
        observations = labels(image)
        np.testing.assert_array_equal(observations.values, [[1, 0, 0], [2, 1, 0]])
        assert observations.names == ("4", "9", "200")
        assert observations.n_symbols == 3

    @pytest.mark.parametrize("convert", [np.uint8, np.uint16, lambda rgb: rgb / 255.0])
    def test_are_ranks_of_colours(self, convert):
        colours = np.array([[0, 0, 0], [0, 9, 200], [0, 10, 3], [255, 0, 0]])
        ranks = np.random.default_rng(8).integers(0, 4, (9, 7))
        observations = labels(convert(colours[ranks]))
        np.testing.assert_array_equal(observations.values, ranks)
        np.testing.assert_array_equal(observations.colors, colours)
        assert observations.names == ("#000000", "#0009c8", "#000a03", "#ff0000")

    def test_greys_that_cannot_be_told_apart_get_colours(self):
        apart = labels(np.array([[0, 128, 255]], dtype=np.uint8))
        np.testing.assert_array_equal(apart.colors[:, 0], [0, 128, 255])
        alike = labels(np.arange(10, dtype=np.uint8)[None])
        lab = srgb_to_lab(alike.colors / 255.0)
        distances = np.linalg.norm(lab[:, None] - lab, axis=2) + 1e3 * np.eye(10)
        assert distances.min() > 12.0

    def test_given_as_palette_indices(self):
        colours = np.array([[10, 10, 10], [12, 10, 10], [10, 10, 10]], dtype=np.uint8)
        ranks = np.array([[0, 1], [2, 1]])
        indices = np.array([3, 7, 200], dtype=np.uint8)[ranks]
        observations = labels(colours[ranks], indices)
        np.testing.assert_array_equal(observations.values, ranks)
        np.testing.assert_array_equal(observations.colors, colours)
        assert observations.names == ("3", "7", "200")

    def test_too_many(self):
        image = np.arange(65, dtype=np.uint8)[None]
        with pytest.raises(ParameterError, match="more than 64 distinct values"):
            labels(image)
        assert labels(image[:, :64]).n_symbols == 64

    @pytest.mark.parametrize(
        "wrong", [np.zeros((2, 3), np.uint8), np.zeros((2, 2), np.int64), np.zeros(4, np.uint8)]
    )
    def test_refuse_what_does_not_fit(self, wrong):
        with pytest.raises(ParameterError, match=r"labels must be uint8 of shape \(2, 2\), got"):
            labels(np.zeros((2, 2, 3), np.uint8), wrong)


class TestReal:
    def test_grey_and_rgb_keep_the_units_of_the_image(self):
        image = photograph()
        expected = image.astype(float) @ [0.2126, 0.7152, 0.0722]
        for scale, converted in ((1, image), (256, image.astype(np.uint16) * 256)):
            values = encode(converted, Encoding("grey")).values
            np.testing.assert_allclose(values[..., 0], scale * expected, rtol=1e-5, atol=0)
            np.testing.assert_array_equal(encode(converted, Encoding("rgb")).values, converted)
        flat = image[..., 0]
        np.testing.assert_array_equal(encode(flat, Encoding("grey")).values[..., 0], flat)

    @pytest.mark.parametrize("convert", [np.uint8, lambda rgb: rgb / 255.0])
    def test_lab(self, convert):
        image = photograph()
        values = encode(convert(image), Encoding("lab", scaled=False)).values
        np.testing.assert_allclose(values, srgb_to_lab(image / 255.0), rtol=0, atol=1e-3)

    def test_lab_of_other_ranges_is_of_the_stretched_image(self):
        image = photograph().astype(float)
        low, high = image.min(), image.max()
        values = encode(image - 500.0, Encoding("lab", scaled=False)).values
        expected = srgb_to_lab((image - low) / (high - low))
        np.testing.assert_allclose(values, expected, rtol=0, atol=2e-3)

    def test_a_grey_image_is_said_to_be_one(self):
        image = photograph()[..., 0]
        rgb = encode(image, Encoding("rgb"))
        assert rgb.notes == ("a grey image: the three channels are equal",)
        np.testing.assert_array_equal(rgb.values, np.repeat(image[..., None], 3, axis=2))
        lab = encode(image, Encoding("lab"))
        assert lab.notes == ("a grey image: a* and b* are 0",)
        np.testing.assert_allclose(lab.values[..., 1:], 0.0, rtol=0, atol=1e-3)

    def test_cielab_is_scaled_unless_it_is_told_not_to(self):
        for name, scaled in (("lab", True), ("rgb", False)):
            made = encode(photograph(), Encoding(name)).values
            told = encode(photograph(), Encoding(name, scaled=scaled)).values
            np.testing.assert_array_equal(made, told)

    @pytest.mark.parametrize("name", ["rgb", "lab"])
    def test_the_spread_is_that_of_all_images(self, name):
        images = [photograph(), photograph()[:30] // 2]
        plain = [one.values.astype(float) for one in encode(images, Encoding(name, scaled=False))]
        spread = np.concatenate([one.reshape(-1, 3) for one in plain]).std(axis=0)
        for made, own in zip(encode(images, Encoding(name, scaled=True)), plain, strict=True):
            np.testing.assert_allclose(made.values, own / spread, rtol=1e-4, atol=1e-4)

    @pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
    def test_spreads_do_not_depend_on_parts_and_threads(self, kind, monkeypatch):
        rng = np.random.default_rng(8)
        image = (rng.random((37, 11, 3)) * [200, 3, 50] + [0, 90, 7]).astype(kind)
        spreads = [encode(image, Encoding("rgb", scaled=True)).encoder.fitted.arrays["spreads"]]
        monkeypatch.setattr(vectors, "_PART", 30)
        for each in cases.on_threads((1, 3), lambda: encode(image, Encoding("rgb", scaled=True))):
            spreads.append(each.encoder.fitted.arrays["spreads"])
            np.testing.assert_array_equal(spreads[-1], spreads[0])
        expected = [statistics.pstdev(image[..., c].ravel().tolist()) for c in range(3)]
        np.testing.assert_allclose(spreads[0], expected, rtol=1e-7, atol=0)

    @pytest.mark.parametrize("shape", [(30, 41), (5, 3), (1, 200)])
    def test_texture_is_that_of_gaussian_filters(self, shape):
        image = np.random.default_rng(3).integers(0, 256, shape).astype(np.uint8)
        down, across, scale = (1, 0), (0, 1), 2.5
        smooth = partial(gaussian_filter, sigma=scale, mode="reflect")
        grey = image.astype(float)
        slope = scale * np.hypot(smooth(grey, order=down), smooth(grey, order=across))
        contrast = np.sqrt(np.maximum(smooth(grey**2) - smooth(grey) ** 2, 0.0))
        values = encode(image, Encoding("texture", scale=scale)).values
        np.testing.assert_allclose(values[..., 1], slope, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(values[..., 2], contrast, rtol=1e-6, atol=1e-6)

    def test_texture_of_a_constant_image_is_nothing(self):
        values = encode(np.full((9, 9, 3), 77, np.uint8), Encoding("texture")).values
        np.testing.assert_allclose(values[..., 0], 77.0, rtol=1e-6, atol=0)
        np.testing.assert_allclose(values[..., 1:], 0.0, rtol=0, atol=1e-4)


class TestEverywhere:
    @pytest.mark.parametrize(
        ("name", "dtype", "shape"),
        every_pair(
            list(words()),
            [np.uint8, np.uint16, np.float32, np.float64],
            [(6, 7), (6, 7, 3), (1, 1), (1, 1, 3)],
        ),
    )
    def test_shapes_types_and_ownership(self, name, dtype, shape):
        image = np.random.default_rng(10).integers(0, 9, shape[:2]).astype(dtype)
        if len(shape) == 3:
            image = np.repeat(image[..., None], 3, axis=2)
        before = image.copy()
        observations = encode(image, Encoding(name))
        M = observations.n_symbols
        assert observations.discrete == Encoding(name).discrete
        own = dtype == np.uint8 and (name == "rgb" or (name == "grey" and len(shape) == 2))
        whole = observations.discrete or own
        assert observations.values.dtype == (np.uint8 if whole else np.float32)
        assert observations.values.shape == (
            shape[:2] if observations.discrete else (*shape[:2], M)
        )
        assert observations.values.flags.c_contiguous
        assert not observations.values.flags.writeable
        assert len(observations.names) == M
        assert observations.colors.shape == (M, 3)
        assert observations.colors.dtype == np.uint8
        assert (observations.edges is not None) == (name in ("quantiles", "levels"))
        assert image.flags.writeable
        assert not np.shares_memory(image, observations.values)
        np.testing.assert_array_equal(image, before)

    @pytest.mark.parametrize("name", words())
    def test_accept_an_image_that_is_not_contiguous(self, name):
        turned = (photograph((32, 32)) // 64 * 64).transpose(1, 0, 2)[::-1]
        first, second = (encode(one, Encoding(name)) for one in (turned, turned.copy()))
        np.testing.assert_array_equal(first.values, second.values)
        np.testing.assert_array_equal(first.colors, second.colors)

    @pytest.mark.parametrize(
        ("image", "message"),
        [
            (np.zeros((4, 5, 2), np.uint8), r"not empty, got \(4, 5, 2\)"),
            (np.zeros((0, 5), np.uint8), r"not empty, got \(0, 5\)"),
            (np.full((4, 5), -1, np.int64), "must be uint8, uint16 or float, got int64"),
            (np.full((4, 5), 1 << 32, np.int64), "must be uint8, uint16 or float, got int64"),
            (np.array([[0.0, np.nan]]), r"finite as float32, got nan at \(0, 1\)"),
            (np.array([[0.0], [np.inf]]), r"finite as float32, got inf at \(1, 0\)"),
            (np.array([[1e300]]), r"finite as float32, got inf at \(0, 0\)"),
        ],
    )
    def test_refuse_what_is_no_image(self, image, message):
        for name in words():
            if name == "channels" and image.shape == (4, 5, 2):
                continue
            with pytest.raises(ParameterError, match=message):
                encode(image, Encoding(name))


@pytest.mark.parametrize(
    ("name", "shape", "scale"),
    every_pair(["lab", "texture"], [(61, 30), (61, 30, 3), (1, 400)], [0.5, 2.0]),
)
def test_parts_make_the_whole(monkeypatch, name, shape, scale):
    image = np.random.default_rng(8).integers(0, 256, shape).astype(np.uint8)
    whole = encode(image, Encoding(name, scale=scale)).values
    monkeypatch.setattr(vectors, "_PART", 90)
    parts = encode(image, Encoding(name, scale=scale)).values
    np.testing.assert_array_equal(parts, whole)
