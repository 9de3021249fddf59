"""Unknown nodes have no part in any number of chunks, as in the core."""

from dataclasses import replace

import dask.array as da
import numpy as np
import pytest

from latviz import core
from latviz.core.choice.code_length import Emitted
from latviz.core.data.data_set import as_data_set
from latviz.core.windows.leave_one_out import decode_without
from latviz.engine.pictures.leaving import without
from latviz.engine.pictures.picture import Picture
from latviz.files.pyramids import open_pyramid
from latviz.wings import scale
from latviz.wings.scale import whole
from latviz.wings.scale.settings import HowDecoded
from tests.core.cases import blocky, vectors
from tests.files.test_pyramids import array_at
from tests.wings.scale.cases import states_in
from tests.wings.scale.test_command import decoded
from tests.wings.scale.test_encoding import picture
from tests.wings.scale.test_parts import Patient

SHAPES = [((90,), (13,)), ((33, 40), (11, 17)), ((9, 10, 12), (4, 5, 5))]


def hidden(values, known):
    """Return lattices with nonsense at unknown nodes."""
    spoilt = values.copy()
    spoilt[~known] = 200 if values.dtype == np.uint8 else np.nan
    return spoilt


def mask(shape, seed=1):
    """Return a mask with a corner, and 30 % of the rest, unknown."""
    known = np.random.default_rng(seed).random(shape) > 0.3
    known[tuple(slice(0, n // 2) for n in shape)] = False
    return known


@pytest.mark.parametrize("kind", ["discrete", "gaussian"])
@pytest.mark.parametrize(("shape", "chunks"), SHAPES, ids=["sequence", "image", "volume"])
def test_chunks_under_a_mask_have_the_numbers_of_the_core(kind, shape, chunks):
    o = blocky(shape, 4, 2) if kind == "discrete" else vectors(shape, 2, 2)
    known, size = mask(shape), {"n_symbols": 4} if kind == "discrete" else {}
    Model = core.DiscreteModel if kind == "discrete" else core.GaussianModel
    model = Model.fit(o, n_states=3, window=2, mask=known, **size)
    x = da.from_array(hidden(o, known), chunks=(*chunks, *o.shape[len(shape) :]))
    given = {"mask": da.from_array(known, chunks=9)}
    learned = scale.fit(x, kind=kind, n_states=3, window=2, **size, **given)
    for name in ("codebook", "A"):
        np.testing.assert_array_equal(getattr(learned, name), getattr(model, name))
    if kind == "gaussian":
        np.testing.assert_allclose(learned.covariances, model.covariances, rtol=1e-12)
    data = as_data_set(o, kind=kind, mask=known)
    for decoder in ("nearest", "likelihood"):
        found = scale.decode(x, model=model, decoder=decoder, **given).compute()
        np.testing.assert_array_equal(found, model.decode(data, decoder=decoder)[0])
    doubt = scale.belief_entropy(x, model=model, **given).compute()
    np.testing.assert_array_equal(doubt, core.belief_entropy(data, model=model)[0])
    (states,) = model.decode(data)
    cut = da.from_array(states, chunks=7)
    pairs, occupancy = scale.count(cut, n_states=3)
    np.testing.assert_array_equal(pairs, core.pair_counts(states, n_states=3))
    assert occupancy.sum() == known.sum()
    assert scale.inertia(cut, n_states=3, window=2) == pytest.approx(
        core.inertia(states, n_states=3, window=2), rel=1e-7
    )
    score = model.evaluate(data, alpha=0.6)
    parts = scale.evaluate(x, model=model, alpha=0.6, **given)
    assert parts.log_likelihood == pytest.approx(score.log_likelihood, rel=1e-12)
    assert parts.n_nodes == known.sum()
    without = [decode_without(data.lattices[0], model.codebook, 2)]
    bits = Emitted.of(data.lattices, without, 3, data.n_symbols).code_length().bits
    assert scale.code_length(x, model=model, **given).bits == pytest.approx(bits, abs=1e-9)


def test_beliefs_do_not_pass_unknown_nodes():
    """Each run of a sequence has the beliefs that it has alone, and the rest of an image, too."""
    o, known = blocky((80,), 3, 3), mask((80,))
    model = core.DiscreteModel.fit(o, n_states=3, window=1, n_symbols=3)
    field = {"strength": 1.0, "passes": 4}
    found = scale.beliefs(da.from_array(o, chunks=9), model=model, mask=known, **field).compute()
    ends = np.flatnonzero(np.diff(known, prepend=False, append=False)).reshape(-1, 2)
    for run in (slice(*pair) for pair in ends):
        alone = scale.beliefs(o[run], model=model, **field).compute()
        np.testing.assert_allclose(found[run], alone, atol=1e-6)
    assert (found[~known] == 0).all()
    o, known = blocky((20, 30), 3, 4), np.zeros((20, 30), bool)
    known[4:, :22] = True
    found = scale.beliefs(da.from_array(o, chunks=8), model=model, mask=known, **field).compute()
    alone = scale.beliefs(o[4:, :22], model=model, **field).compute()
    np.testing.assert_allclose(found[4:, :22], alone, atol=1e-6)
    states = scale.decode(o, model=model, decoder="belief", mask=known).compute()
    np.testing.assert_array_equal(states == 255, ~known)


def test_what_cannot_be_masked_is_refused():
    o, known = blocky((12, 13), 3, 2), mask((12, 13))
    model = core.DiscreteModel.fit(o, n_states=2, window=1, n_symbols=3)
    for wrong, message in (
        (np.zeros_like(known), "must leave a node"),
        (known[:5], "must have the lattice's shape"),
        (known.astype(np.uint8), "must hold True"),
        ([known, known], "one for each of 1 lattices"),
    ):
        with pytest.raises(core.ParameterError, match=message):
            scale.fit(o, n_states=2, window=1, n_symbols=3, mask=wrong)
    with pytest.raises(core.ParameterError, match="must be 255 where"):
        scale.evaluate(o, model=model, states=model.decode(o), mask=known)
    texture = core.encode(picture(np.uint8), core.Encoding("texture")).encoder
    with pytest.raises(core.ParameterError, match="some are unknown"):
        scale.encode(picture(np.uint8), texture, mask=mask((66, 58)))


@pytest.mark.parametrize("name", ["quantiles", "palette", "labels", "lab"])
def test_an_encoding_is_fitted_to_known_pixels(name):
    pixels, known = picture(np.uint8) // 60, mask((66, 58))
    row = core.encode(pixels[known][None], core.Encoding(name, 4))
    x = da.from_array(hidden(pixels, known), chunks=(21, 26, 3))
    encoder = scale.fit_encoder(x, core.Encoding(name, 4), mask=known)
    found = scale.encode(x, encoder, mask=known)
    model = scale.fit(found, kind=found.kind, n_states=3, window=2)
    plain = row.encoder.encode(np.where(known[..., None], pixels, pixels[known][0]))
    Model = core.DiscreteModel if plain.discrete else core.GaussianModel
    size = {"n_symbols": plain.n_symbols} if plain.discrete else {}
    core_model = Model.fit(plain.values, n_states=3, window=2, mask=known, **size)
    np.testing.assert_array_equal(model.codebook, core_model.codebook)


def test_nan_and_nodata_of_a_folder_are_unknown(tmp_path):
    grey, known = picture(np.uint8)[..., 0], mask((66, 58))
    for kind, values, facts in (
        ("nan", np.where(known, grey, np.nan).astype(np.float32), {}),
        ("nodata", np.where(known, grey.astype(np.int32), -7), {"_FillValue": -7}),
    ):
        (folder := tmp_path / kind).mkdir()
        array_at(folder / "a.zarr", values, attributes=facts)
        model, encoder, states = decoded(folder, "--states", "3", "--symbols", "6")
        plain = encoder.encode(np.where(known, values, values[known][0]))
        wanted = model.decode(plain.values, mask=known)
        np.testing.assert_array_equal(states_in(states), wanted)
        found = scale.decoding.prepare(
            open_pyramid(folder / "a.zarr"),
            HowDecoded(encoding=encoder.encoding, fit=core.FitSettings(3, 3)),
        )
        region = slice(20, 50), slice(9, 40)
        part = scale.parts.part_states(found, region, Patient())
        np.testing.assert_array_equal(part, wanted[region])


def test_what_is_left_out_by_hand_has_no_finest_states():
    grey = Picture(picture(np.uint8)[..., 0], "grey")
    whole.check_all_used(grey)
    for other in (without(grey, ~mask((66, 58))), replace(grey, origin={"mask": "m.png"})):
        with pytest.raises(core.ParameterError, match="use all pixels first"):
            whole.check_all_used(other)
