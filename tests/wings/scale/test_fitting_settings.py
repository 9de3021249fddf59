"""Arrays in chunks are fitted as the core fits them, by the same settings."""

from types import SimpleNamespace
from typing import Any

import dask.array as da
import numpy as np
import pytest

from latviz.core import DiscreteModel, FitSettings, GaussianModel
from latviz.core.model import models
from latviz.wings import scale
from latviz.wings.scale import whole
from tests.core.test_decoders import MODEL, SYMBOLS
from tests.engine.flow.test_fitting_settings import BASE, PIXELS, Toy, arguments, pull

SETTINGS = FitSettings(4, 3, 2, 1.5)


@pytest.mark.parametrize("kind", [DiscreteModel, GaussianModel])
def test_settings_are_one_value_or_keywords(kind: Any) -> None:
    values = PIXELS // 80 if kind is DiscreteModel else PIXELS[..., None].astype(float)
    chunks = da.from_array(values, chunks=(16, 16, *values.shape[2:]))
    of_kind: dict[str, Any] = {"n_symbols": 4} if kind is DiscreteModel else {}
    found = scale.fit(chunks, kind=kind.kind, settings=SETTINGS, sample=PIXELS.size, **of_kind)
    assert found == scale.fit(
        chunks, kind=kind.kind, sample=PIXELS.size, **of_kind, **arguments(SETTINGS)
    )
    wanted = kind.fit(values, settings=SETTINGS, **of_kind)
    np.testing.assert_allclose(found.codebook, wanted.codebook, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.A, wanted.A, rtol=1e-6, atol=1e-9)


def test_a_made_up_parameter_of_a_fit_reaches_whole_pictures(monkeypatch) -> None:
    pull(monkeypatch, models, scale.learning)
    pyramid: Any = SimpleNamespace(dimensions=2, n_channels=1)
    chunks = da.from_array(PIXELS // 80, chunks=(16, 16))
    plain, pulled = (
        scale.fit(chunks, settings=whole.settings_of(pyramid, toy, 0).fit, sample=PIXELS.size)
        for toy in (Toy(**vars(BASE), pull=how_much) for how_much in (0.0, 2.5))
    )
    np.testing.assert_allclose(pulled.A, plain.A + 2.5 * np.eye(3), rtol=1e-9)


def test_the_old_name_of_the_argument_is_taken_for_a_release() -> None:
    with pytest.warns(DeprecationWarning, match="assignment is now called decoder"):
        chunks = scale.decode(SYMBOLS, model=MODEL, assignment="likelihood")
    likely = MODEL.decode(SYMBOLS, decoder="likelihood")
    np.testing.assert_array_equal(np.asarray(chunks), likely)
