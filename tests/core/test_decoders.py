"""The table of decoders: each row's description holds."""

import numpy as np
import pytest

from latviz.core import DiscreteModel, ParameterError, noise_indices
from latviz.core.choice.noise import shuffled, trees_of
from latviz.core.decoders import DECODERS, Decoder
from latviz.core.model.indices import inertia
from latviz.core.model.learning import codebook_of
from tests.core import cases

GIVEN = {"window": 2, "strength": 0.0, "passes": 3}
SYMBOLS = cases.white((40,), 3, 5)
MODEL = DiscreteModel.fit(SYMBOLS, n_states=2, window=1, n_symbols=3)


@pytest.mark.parametrize("row", DECODERS.values(), ids=DECODERS)
def test_rows_are_whole(row: Decoder) -> None:
    assert DECODERS[row.name] is row
    assert row.uses <= GIVEN.keys()
    assert ("window" in row.uses) == row.by_window == (not row.has_beliefs)
    assert not (row.is_nearest and row.is_believed)
    assert row.plain in DECODERS
    assert not DECODERS[row.plain].refines
    assert row.left_out is not None or row.has_beliefs or not row.offered
    assert row.tip[-1] not in ". \n"


@pytest.mark.parametrize("row", DECODERS.values(), ids=DECODERS)
def test_what_a_decoder_uses_is_taken_and_all_else_refused(row: Decoder) -> None:
    if row.refines:
        with pytest.raises(ParameterError, match=r"refine\(observations, model=.*'belief'"):
            MODEL.decode(SYMBOLS, decoder=row.name)
        return
    used = {name: GIVEN[name] for name in row.uses}
    states = MODEL.decode(SYMBOLS, decoder=row.name, **used)
    assert states.shape == SYMBOLS.shape
    for name in GIVEN.keys() - row.uses:
        with pytest.raises(ParameterError, match=f"{name} has no effect with decoder='{row.name}'"):
            MODEL.decode(SYMBOLS, decoder=row.name, **{name: GIVEN[name]})


@pytest.mark.parametrize("row", DECODERS.values(), ids=DECODERS)
def test_dimensions_beyond_are_refused(row: Decoder) -> None:
    most = row.most_dimensions
    if most is None or row.refines:
        return
    deep = cases.white((3,) * (most + 1), 3, 6)
    with pytest.raises(ParameterError, match=f"got lattices of {most + 1} dimensions"):
        MODEL.decode(deep, decoder=row.name)


@pytest.mark.parametrize("row", DECODERS.values(), ids=DECODERS)
def test_noise_gains_where_neighbours_speak_alone(row: Decoder) -> None:
    """Its states are those that the decoder gives to each order."""
    noise = noise_indices(SYMBOLS, n_states=2, window=1, n_symbols=3, decoder=row.name)
    assert np.isfinite(noise.gain).all() == row.has_beliefs
    if row.refines:
        return
    orders = shuffled(MODEL.data_set(SYMBOLS))
    for k, (data, tree) in enumerate(zip(orders, trees_of(orders, 1), strict=True)):
        book = codebook_of(tree, 2)
        plain = DiscreteModel(MODEL.A, book, 1).decode(data)
        model = DiscreteModel.from_states(data, codebook=book, states=plain, window=1)
        states = model.decode(data, decoder=row.name)
        assert noise.inertia[k] == inertia(states, n_states=2, window=1)
