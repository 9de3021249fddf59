"""Models in files: saved ones are restored, and other files are refused."""

import io
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
    monkeypatch.setattr(archive.npy, "array_in", lambda *_: pytest.fail("it was read"))
    with pytest.raises(ParameterError, match="holds no model of latviz"):
        load_model(path)
    save_model(model_of("symbols"), path)
    with pytest.raises(ParameterError, match=r"texts have 4,194,\d{3} characters, more than"):
        save_model(model_of("symbols"), path, extra={"text": " " * (archive.MOST_HEADER // 4)})


def header(*shape, descr="<f8"):
    """Return the header of an array, whose numbers are left out."""
    stream = io.BytesIO()
    content = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, content)
    return stream.getvalue()


LONG = b"\x93NUMPY\x02\x00" + (2**32 - 1).to_bytes(4, "little")
"""A header that claims four gigabytes for itself."""
BOMBS = {
    "A of many states": ("A", header(256, 256), 8 * 256**2, r"A must have shape \(N, N\)"),
    "A that is not square": ("A", header(3, 4), 8 * 12, "A must have shape"),
    "B of other states": ("B", header(2, 4), 8 * 8, "B must have shape"),
    "B of many symbols": ("B", header(3, 2**16 + 1), 24 * (2**16 + 1), "M from 1 to 65536"),
    "covariances": ("covariances", header(3, 4, 5), 8 * 60, r"shape \(N, M, M\)"),
    "many zeros": ("more", header(2**22 + 1), 2**25 + 8, "would take 33,554,608 bytes, packed"),
    "a long header": ("A", LONG, 2**16, "no model of latviz"),
    "fewer bytes": ("A", header(3, 3), 71, "no model of latviz"),
    "more bytes": ("A", header(3, 3), 73, "no model of latviz"),
    "negative sides": ("A", header(-3, -3), 72, "no model of latviz"),
    "objects": ("A", header(3, 3, descr="|O"), 72, "no model of latviz"),
    "texts": ("A", header(3, 3, descr="<U2"), 72, "no model of latviz"),
    "a header of numbers": ("header", header(), 8, "no model of latviz"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_headers_are_checked_before_anything_is_unpacked(name, tmp_path, monkeypatch):
    path, (member, head, n_zeros, said) = tmp_path / "a.npz", BOMBS[name]
    save_model(model_of("symbols"), path)
    with zipfile.ZipFile(path) as old:
        kept = {one: old.read(one) for one in old.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new:
        for one, content in (kept | {f"{member}.npy": head + bytes(n_zeros)}).items():
            new.writestr(one, content)
    read = archive.npy.array_in

    def array_in(archive, info):
        assert info.filename == "header.npy"
        return read(archive, info)

    monkeypatch.setattr(archive.npy, "array_in", array_in)
    with pytest.raises(ParameterError, match=said):
        load_model(path)


@pytest.mark.parametrize("how", ["twice", "bzip2"])
def test_archives_that_numpy_does_not_write(how, tmp_path):
    path = tmp_path / "a.npz"
    save_model(model_of("symbols"), path)
    with zipfile.ZipFile(path) as old:
        kept = {one: old.read(one) for one in old.namelist()}
    kind = zipfile.ZIP_BZIP2 if how == "bzip2" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(path, "w", kind) as new:
        for one, content in kept.items():
            new.writestr(one, content)
        if how == "twice":
            with pytest.warns(UserWarning, match="Duplicate name"):
                new.writestr("A.npy", kept["A.npy"])
    with pytest.raises(ParameterError, match="holds no model of latviz"):
        load_model(path)


def test_models_of_nearly_nothing_but_zeros_come_back(tmp_path):
    """They are packed less, as those that would do harm are refused."""
    A, path = np.eye(65), tmp_path / "a.npz"
    model = DiscreteModel(A, np.eye(65, 65536), 1)
    save_model(model, path)
    assert path.stat().st_size > 8 * 65 * 65536
    assert load_model(path) == model


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
