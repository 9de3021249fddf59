"""Pictures in chunks are encoded as the whole pictures are."""

from types import SimpleNamespace

import dask.array as da
import numpy as np
import pytest

from latviz import core
from latviz.core.data.encoding import ENCODINGS
from latviz.wings import scale
from tests.core.cases import blocks

EXACT = ("quantiles", "levels", "palette", "grey", "rgb", "lab", "texture", "patterns")
ROUNDED = ("filters",)


def picture(dtype, shape=(66, 58), seed=1):
    """Return a colour picture of patches and noise."""
    rng = np.random.default_rng(seed)
    patches = rng.uniform(20, 230, (4, 3))[blocks(shape, 4, seed, block=9)]
    pixels = (patches + rng.normal(0, 12, patches.shape)).clip(0, 255)
    return (pixels / 255).astype(dtype) if dtype == np.float32 else pixels.astype(dtype)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("name", EXACT)
def test_symbols_and_vectors_are_those_of_the_whole(name, dtype):
    pixels = picture(dtype)
    whole = core.encode(pixels, core.Encoding(name))
    found = scale.encode(da.from_array(pixels, chunks=(21, 26, 3)), whole.encoder)
    values = found.arrays[0].compute()
    assert values.dtype == found.arrays[0].dtype == whole.values.dtype
    assert np.array_equal(values, whole.values)
    assert (found.kind, found.n_symbols) == (
        "discrete" if whole.discrete else "gaussian", whole.n_symbols,
    )  # fmt: skip


@pytest.mark.parametrize("name", ROUNDED)
def test_filters_are_those_of_the_whole_but_for_rounding(name):
    pixels = picture(np.uint8, (140, 130))
    whole = core.encode(pixels, core.Encoding(name))
    found = scale.encode(da.from_array(pixels, chunks=(70, 70, 3)), whole.encoder)
    np.testing.assert_allclose(found.arrays[0].compute(), whole.values, rtol=0, atol=1e-3)


def test_volumes_have_slices_of_their_own():
    volume = picture(np.uint8, (8, 30, 28))
    for name in ("texture", "quantiles"):
        whole = core.encode(volume, core.Encoding(name), dimensions=3)
        found = scale.encode(da.from_array(volume, chunks=(3, 20, 15, 3)), whole.encoder)
        assert np.array_equal(found.arrays[0].compute(), whole.values)


def test_an_encoder_of_few_pixels_is_that_of_all():
    pixels = picture(np.uint8)
    whole = core.encode(pixels, core.Encoding("palette", 5)).encoder
    found = scale.fit_encoder(da.from_array(pixels, chunks=-1), core.Encoding("palette", 5))
    assert found.to_dict() == whole.to_dict()


def test_an_encoder_is_fitted_to_chunks_from_all_over(monkeypatch):
    """Two halves of different greys both have their bins, though not all chunks are read."""
    monkeypatch.setattr("latviz.wings.scale.encoding.PARTS", 5)
    monkeypatch.setattr("latviz.wings.scale.encoding.SAMPLE", 500)
    grey = np.full((100, 100), 40, dtype=np.uint8)
    grey[50:] = 200
    found = scale.fit_encoder(da.from_array(grey, chunks=10), core.Encoding("quantiles", 2))
    assert set(found.fitted.names) == {"40", "200"}


def test_several_pictures_share_an_encoder():
    pictures = [picture(np.uint8, seed=1), picture(np.uint8, (40, 50), seed=2)]
    cut = [da.from_array(one, chunks=(30, 30, 3)) for one in pictures]
    encoder = core.encode(pictures, core.Encoding("levels", 6))[0].encoder
    found = scale.encode(cut, encoder)
    wanted = encoder.encode(pictures)
    assert found.several
    for one, own in zip(found.arrays, wanted, strict=True):
        assert np.array_equal(one.compute(), own.values)


def test_an_encoding_that_does_not_say_how_far_it_looks_is_refused(monkeypatch):
    pixels = picture(np.uint8)
    encoder = core.encode(pixels, core.Encoding("texture")).encoder
    silent = SimpleNamespace(), encoder.encoding.kind
    monkeypatch.setattr("latviz.wings.scale.encoding.method_of", lambda *_: silent)
    with pytest.raises(core.ParameterError, match="does not state how far it reaches"):
        scale.encode(da.from_array(pixels, chunks=50), encoder)


def test_every_encoding_that_looks_around_says_how_far():
    for name, kind in ENCODINGS.items():
        if kind.looks_around and kind.suits(2):
            method = kind.of_image(**core.Encoding(name).options)
            assert method.reach > 0
