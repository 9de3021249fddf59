"""Channels that are not colours: their values, names, spreads and principal components."""

import numpy as np
import pytest

from latviz.core import Encoding, encode
from latviz.core.errors import ParameterError
from latviz.core.facts import PictureFacts

CHANNELS = Encoding("channels")


def image(n: int, dtype: type = np.float32, shape: tuple[int, int] = (23, 31)) -> np.ndarray:
    rng = np.random.default_rng(n)
    mixed = rng.normal(size=(*shape, n)) @ rng.normal(size=(n, n)) * 30 + 200
    return np.clip(mixed, 0, 60_000).astype(dtype)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 32])
@pytest.mark.parametrize("dtype", [np.uint16, np.float32])
def test_channels_are_divided_by_their_spreads(n: int, dtype: type) -> None:
    made = image(n, dtype)
    seen = encode(made, CHANNELS, channels=[f"stain {k}" for k in range(n)])
    wanted = made / made.reshape(-1, n).std(axis=0)
    np.testing.assert_allclose(seen.values, wanted, rtol=1e-5, atol=1e-5)
    assert seen.names == tuple(f"stain {k}" for k in range(n))
    plain = encode(made, Encoding("channels", scaled=False))
    np.testing.assert_array_equal(plain.values, made.astype(np.float32))
    assert plain.names == tuple(f"channel {k + 1}" for k in range(n))


def test_many_channels_become_principal_components() -> None:
    made = image(40, shape=(60, 50))
    seen = encode(made, CHANNELS)
    scaled = made.reshape(-1, 40) / made.reshape(-1, 40).std(axis=0, dtype=np.float64)
    centred = scaled - scaled.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:32]
    axes *= np.where(axes.sum(axis=1, keepdims=True) < 0, -1, 1)
    found = seen.values.reshape(-1, 32)
    # Moments of 13 bits a channel turn the axes by about a thousandth
    np.testing.assert_allclose(found, scaled @ axes.T, rtol=0, atol=0.02)
    assert seen.names[:2] == ("PC 1", "PC 2")
    turned = encode(np.rot90(made), CHANNELS)
    np.testing.assert_array_equal(turned.values, np.rot90(seen.values))
    again = seen.encoder.encode(made[:10])
    np.testing.assert_array_equal(again.values, seen.values[:10])


def test_other_channels_are_refused() -> None:
    encoder = encode(image(5), CHANNELS).encoder
    with pytest.raises(ParameterError, match="fitted to 5 channels, got 4"):
        encoder.encode(image(4))
    with pytest.raises(ParameterError, match="5 names, one for each, got 2"):
        encode(image(5), CHANNELS, channels=("a", "b"))
    with pytest.raises(ParameterError, match="for channels use Encoding"):
        encode(image(5), Encoding("lab"))
    with pytest.raises(ParameterError, match="has no channels with names"):
        encode(image(3), Encoding("rgb"), channels=("a", "b", "c"))


def test_pictures_have_channels_or_greys_and_colours() -> None:
    for name in ("grey", "lab", "palette", "texture"):
        assert "use Channels" in Encoding(name).kind.refusal(PictureFacts(2, n_channels=4))
    assert not CHANNELS.kind.refusal(PictureFacts(2, n_channels=4))
    assert "no channels" in CHANNELS.kind.refusal(PictureFacts(2))
