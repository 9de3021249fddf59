"""Headers of wrong types and arrays of wrong shapes: used, or refused in one line."""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from latviz.collection.models import read_model, write_model
from latviz.core import (
    DiscreteModel,
    Encoding,
    GaussianModel,
    ParameterError,
    encode,
    load_encoder,
    load_model,
)
from latviz.engine.settings.given import Given
from tests.core.model.odd_archives import ODD, faults, read_of, with_part

RNG = np.random.default_rng(905)
GREY = RNG.integers(0, 256, (12, 14), dtype=np.uint8)
COLOUR = RNG.integers(0, 256, (12, 14, 3), dtype=np.uint8)
ENCODINGS = {"quantiles": GREY, "rgb": COLOUR, "texture": GREY}
STEP = 47
"""One of this many files is tried; as it has no divisor, all kinds of parts are."""


def write(name: str, folder: Path) -> Path:
    """Write a model of an encoding."""
    observations = encode(ENCODINGS[name], Encoding(name))
    kind, told = GaussianModel, {}
    if observations.discrete:
        kind, told = DiscreteModel, {"n_symbols": observations.n_symbols}
    model = kind.fit(observations.values, n_states=2, window=1, **told)
    write_model(folder / "a.npz", Given(model, observations.encoder, "toy"))
    return folder / "a.npz"


def use(path: Path) -> None:
    """Read a file and apply it."""
    model, encoder = load_model(path), load_encoder(path)
    if encoder is not None:
        values = encoder.encode(COLOUR if encoder.encoding.name == "rgb" else GREY).values
        assert model.decode(values).shape == GREY.shape
        read_model(path)


@pytest.mark.parametrize("name", ENCODINGS)
def test_every_part_is_checked(name: str, tmp_path: Path) -> None:
    path = write(name, tmp_path)
    use(path)
    assert faults(path, use, STEP) == []


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_kinds(odd: object, tmp_path: Path) -> None:
    path = write("quantiles", tmp_path)
    give_kind(path, odd)
    with pytest.raises(ParameterError, match="no model of latviz"):
        use(path)


def give_kind(path: Path, odd: object) -> None:
    """Write another kind into a file."""
    header, arrays = read_of(path)
    with path.open("wb") as stream:
        text = np.array(json.dumps(with_part(header, ("kind",), odd)))
        np.savez(stream, header=text, **arrays)


@pytest.mark.parametrize("dtype", ["O", "S2000000000", "U500000000", "V2000000000", "M8[s]", "G"])
def test_arrays_of_encoders_are_numbers(dtype: str) -> None:
    encoder = encode(GREY, Encoding("quantiles", 3)).encoder
    written = with_part(encoder.to_dict(), ("arrays", "inner_edges", "dtype"), dtype)
    with pytest.raises(ParameterError, match="dtype must be"):
        type(encoder).from_dict(written)


def main() -> None:
    for name in ENCODINGS:
        with tempfile.TemporaryDirectory() as folder:
            found = faults(write(name, Path(folder)), use)
        print(f"{name}: {len(found)} faults")
        print(*found, sep="\n", file=sys.stderr)


if __name__ == "__main__":
    main()
