"""Models in files: saved ones are restored, and other files are refused."""

import json
import zipfile
from contextlib import suppress
from functools import cache

import numpy as np
import pytest

from latviz.core import (
    DiscreteModel,
    Encoding,
    GaussianModel,
    ParameterError,
    encode,
    load_encoder,
    load_extra,
    load_model,
    save_model,
)
from latviz.core.model import archive
from tests.core import cases

SYMBOLS = cases.blocky((30, 40), 4, 901)
VECTORS = cases.vectors((30, 40), 3, 902)


@cache
def model_of(kind):
    """Return a fitted model of some observations."""
    if kind == "vectors":
        return GaussianModel.fit(VECTORS, n_states=3, window=2)
    if kind == "numbers":
        return GaussianModel.fit(VECTORS[..., 0], n_states=2, window=1, scalar=True)
    n_states, window = (3, 2) if kind == "symbols" else (1, 0)
    return DiscreteModel.fit(SYMBOLS, n_states=n_states, window=window, n_symbols=4)


@pytest.mark.parametrize("name", ["symbols", "vectors", "numbers", "one state"])
def test_a_model_comes_back_as_it_was(name, tmp_path):
    model, path = model_of(name), tmp_path / "a.npz"
    save_model(model, path)
    found = load_model(path)
    assert type(found) is type(model)
    assert (found.window, found.scalar) == (model.window, model.scalar)
    for field in ("A", "codebook", *(("covariances",) if model.kind == "gaussian" else ())):
        np.testing.assert_array_equal(getattr(found, field), getattr(model, field))
    assert load_encoder(path) is None
    assert [one.name for one in tmp_path.iterdir()] == ["a.npz"]


def test_models_save_themselves(tmp_path):
    model, encoder = model_of("vectors"), encode(VECTORS, Encoding("rgb")).encoder
    model.save(tmp_path / "a.npz", encoder=encoder, extra={"name": "sky"})
    np.testing.assert_array_equal(load_model(tmp_path / "a.npz").codebook, model.codebook)
    assert load_encoder(tmp_path / "a.npz").encoding == Encoding("rgb")
    assert load_extra(tmp_path / "a.npz") == {"name": "sky"}


def test_it_knows_how_pictures_are_encoded(tmp_path):
    rng = np.random.default_rng(903)
    one, other = (rng.integers(0, 256, (40, 50), dtype=np.uint8) for _ in range(2))
    observations = encode(one, Encoding("quantiles", 4))
    model = DiscreteModel.fit(observations.values, n_states=2, window=1, n_symbols=4)
    save_model(model, str(tmp_path / "b.npz"), encoder=observations.encoder)
    encoder, found = load_encoder(tmp_path / "b.npz"), load_model(tmp_path / "b.npz")
    assert encoder is not None
    symbols = encoder.encode(other).values
    edges = np.quantile(one, [0.25, 0.5, 0.75])
    assert (symbols == np.searchsorted(edges, other, side="right")).mean() > 0.97
    np.testing.assert_array_equal(found.decode(symbols), model.decode(symbols))


def test_it_is_numbers_and_text_alone(tmp_path):
    save_model(model_of("symbols"), tmp_path / "c.npz")
    with np.load(tmp_path / "c.npz", allow_pickle=False) as archive:
        header = json.loads(str(archive["header"]))
        assert sorted(archive.files) == ["A", "B", "header"]
    assert header == {
        "format": "latviz model",
        "version": 1,
        "kind": "discrete",
        "window": 2,
        "A_decoded": True,
        "encoder": None,
    }


def changed(path, **values):
    """Write the file of a model with other values."""
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    header = json.loads(str(arrays.pop("header")))
    arrays = {name: values.pop(name, array) for name, array in arrays.items()}
    header.update(values)
    np.savez(path, header=np.array(json.dumps(header)), **arrays)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "newer latviz"),
        ({"format": "other"}, "no model of latviz"),
        ({"kind": "words"}, "no model of latviz"),
        ({"version": "one"}, "no model of latviz"),
        ({"window": -1}, "holds no model: window must be"),
        ({"B": np.ones((3, 4))}, "holds no model: .*B"),
        ({"A": np.ones((2, 2))}, "holds no model"),
        ({"encoder": {"encoding": 1}}, "holds no encoder"),
    ],
)
def test_other_contents_are_refused(change, said, tmp_path):
    path = tmp_path / "d.npz"
    save_model(model_of("symbols"), path)
    changed(path, **change)
    with pytest.raises(ParameterError, match=f"d.npz.*{said}"):
        load_encoder(path) if "encoder" in change else load_model(path)


def test_files_that_are_no_models_are_refused(tmp_path):
    path = tmp_path / "e.npz"
    with pytest.raises(ParameterError, match=r"e.npz cannot be read: there is no such file"):
        load_model(path)
    for content in (b"", b"PK\x03\x04", b"\x93NUMPY", bytes(1000)):
        path.write_bytes(content)
        with pytest.raises(ParameterError, match=r"e.npz holds no model of latviz"):
            load_model(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.npy", b"nothing")
    with pytest.raises(ParameterError, match="holds no model of latviz"):
        load_model(path)
    save_model(model_of("vectors"), path)
    whole = path.read_bytes()
    rng, passed = np.random.default_rng(904), 0
    for _ in range(200):
        broken = bytearray(whole)
        for at in rng.integers(0, len(whole), 3):
            broken[at] = rng.integers(256)
        kept = rng.integers(1, len(whole) + 1) if rng.random() < 0.3 else len(whole)
        path.write_bytes(broken[:kept])
        with suppress(ParameterError):  # no other error
            load_model(path)
            passed += 1
    assert passed < 100  # most are seen to be damaged
    np.savez(path, header=np.array({"a": 1}, dtype=object))
    with pytest.raises(ParameterError, match="holds no model of latviz"):
        load_model(path)


def test_a_huge_header_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "g.npz"
    np.savez_compressed(path, header=np.array(" " * (archive.MOST_HEADER // 4 + 1)))
    monkeypatch.setattr(np, "load", lambda *_, **__: pytest.fail("it was read"))
    with pytest.raises(ParameterError, match="holds no model of latviz"):
        load_model(path)


@pytest.mark.parametrize("name", ["m.NPZ", "m.Npz"])
def test_capitals_of_a_suffix_make_no_difference(name, tmp_path):
    """The command line takes them, as it does of every other file."""
    model = DiscreteModel([[1.0]], [[0.5, 0.5]], 1)
    save_model(model, tmp_path / name)
    assert load_model(tmp_path / name) == model


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "f.npz"
    save_model(model_of("symbols"), path)
    with pytest.raises(ParameterError, match="cannot be written"):
        save_model(model_of("symbols"), tmp_path / "nowhere" / "f.npz")
    with pytest.raises(ParameterError, match="encoder must be an Encoder"):
        save_model(model_of("symbols"), path, encoder="quantiles")
    for wrong in (3, tmp_path / "f.zip", "f", "a\0.npz"):
        with pytest.raises(ParameterError, match="path must"):
            save_model(model_of("symbols"), wrong)
        with pytest.raises(ParameterError, match="path must"):
            load_model(wrong)
    with pytest.raises(ParameterError, match="model must be a model"):
        save_model("a", path)
    assert load_model(path).n_states == 3
