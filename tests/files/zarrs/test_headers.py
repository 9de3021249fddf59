"""Odd headers and attributes: refused in one line, with any contents."""

import json
import re

import numpy as np
import pytest

from latviz.files import memory
from latviz.files.levels import read_level
from latviz.files.pyramids import open_pyramid
from tests.files.zarrs.cases import array_2, array_3, group_2, group_3, multiscales, refusal

ODD = [None, True, "", "96", "[8, 9]", [], {}, {"0": 8}, [8], [8, 9, 1], [8, 0], [0, 9], [-8, 9],
       [8.0, 9], [8, "9"], ["8", "9"], [8, None], [8, True], [8, [9]], [8, 2.5], [8, 1e308],
       [8, float("nan")], [10**30, 10**30], [1] * 9000, 8]  # fmt: skip
LARGE = [10**6, 10**6]


def regular(shape):
    return {"name": "regular", "configuration": {"chunk_shape": shape}}


@pytest.mark.parametrize("odd", ODD)
def test_odd_shapes_and_chunks_are_refused(tmp_path, odd):
    paths = [
        array_2(tmp_path / "0.zarr", shape=odd),
        array_2(tmp_path / "1.zarr", chunks=odd),
        array_3(tmp_path / "2.zarr", shape=odd),
        array_3(tmp_path / "3.zarr", chunk_grid=regular(odd)),
    ]
    wanted = "must be a list of integers from 1"
    if isinstance(odd, list) and all(type(side) is int and side > 0 for side in odd):
        wanted = "larger than any array|elements take" if len(odd) == 2 else "and its chunks have"
    for path in paths:
        assert re.search(wanted, refusal(path))
        assert len(refusal(path)) < 400


def test_arrays_of_many_axes_are_refused(tmp_path):
    path = array_2(tmp_path / "a.zarr", shape=[1] * 9000, chunks=[1] * 9000)
    assert "larger than any array" in refusal(path)


@pytest.mark.parametrize("missing", ["shape", "chunks", "dtype"])
def test_a_missing_entry_of_format_2_is_named(tmp_path, missing):
    path = array_2(tmp_path / "a.zarr")
    header = json.loads((path / ".zarray").read_text())
    del header[missing]
    (path / ".zarray").write_text(json.dumps(header))
    assert {"shape": "shape", "chunks": "chunks", "dtype": "type"}[missing] in refusal(path)
    assert "got None" in refusal(path) or "type None" in refusal(path)


@pytest.mark.parametrize(
    "header",
    [
        {"node_type": "thing"}, {"node_type": None}, {"attributes": []}, {"attributes": "x"},
        {"chunk_grid": None}, {"chunk_grid": {"name": "rectilinear"}}, {"chunk_grid": "regular"},
        {"chunk_grid": {"name": "regular", "configuration": []}}, {"chunk_key_encoding": None},
        {"chunk_key_encoding": {"name": "default", "configuration": {"separator": "/../"}}},
        {"chunk_key_encoding": {"name": "other"}}, {"fill_value": "x"}, {"fill_value": [0]},
        {"storage_transformers": [{"name": "x"}]}, {"dimension_names": 5}, {"codecs": []},
        {"dimension_names": ["x"]}, {"codecs": [{"name": "bytes", "configuration": 5}]},
        {"codecs": [{"name": "transpose"}, {"name": "bytes"}]},
        {"codecs": [{"name": "sharding_indexed"}]},
        {"codecs": [{"name": "sharding_indexed", "configuration": {
            "chunk_shape": [0, 9], "codecs": [{"name": "bytes"}],
            "index_codecs": [{"name": "bytes"}]}}]},
    ],
)  # fmt: skip
def test_odd_headers_of_format_3_are_refused(tmp_path, header):
    assert refusal(array_3(tmp_path / "a.zarr", **header)).startswith("a.zarr: ")


@pytest.mark.parametrize(
    "header",
    [
        {"order": 5}, {"order": "A"}, {"dimension_separator": "/../"}, {"dimension_separator": 1},
        {"fill_value": "x"}, {"fill_value": {}}, {"filters": 5}, {"filters": [5]},
        {"filters": [{"id": "delta"}]}, {"filters": [{"id": "shuffle", "x": 1}]},
    ],
)  # fmt: skip
def test_odd_headers_of_format_2_are_refused(tmp_path, header):
    assert refusal(array_2(tmp_path / "a.zarr", **header)).startswith("a.zarr: ")


@pytest.mark.parametrize("name", [".zarray", ".zattrs", "zarr.json", ".zgroup"])
@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a": ' * 100_000, "", "5", "[]", "{", "\xff", '{"a": 1' + "0" * 5000]
)
def test_texts_that_are_no_objects_are_refused(tmp_path, name, text):
    folder = group_2(tmp_path / "a.zarr", {"multiscales": multiscales()})
    if name == ".zarray":
        array_2(folder / "0")
    place = folder / ("0" if name == ".zarray" else "") / name
    place.write_bytes(text.encode("latin-1"))
    assert f"{name} " in refusal(folder)


@pytest.mark.parametrize(
    ("depth", "wanted"),
    [(3, "'pickle'"), (8, "'pickle'"), (9, "nested more than 8"), (200, "nested more")],
)
def test_shards_in_shards_are_refused_in_one_line(tmp_path, depth, wanted):
    """The codec inside is found, or the nesting itself is refused."""
    codecs = [{"name": "numcodecs.pickle"}]
    for _ in range(depth):
        inner = {"chunk_shape": [8, 9], "codecs": codecs, "index_codecs": [{"name": "bytes"}]}
        codecs = [{"name": "sharding_indexed", "configuration": inner}]
    assert wanted in refusal(array_3(tmp_path / "a.zarr", codecs=codecs))


@pytest.mark.parametrize("path", ["\ud800", "a\0b", "x" * 5000, "0/" * 3000, "\x1b[31m\n"])
def test_odd_paths_are_refused_in_one_line(tmp_path, path):
    said = refusal(group_2(tmp_path / "a.zarr", {"multiscales": multiscales(paths=[path])}))
    assert said.isprintable()
    assert len(said) < 400
    plate = {"plate": {"wells": [{"path": path}]}}
    assert refusal(group_2(tmp_path / "b.zarr", plate)).isprintable()


def test_large_texts_are_not_read(tmp_path):
    path = array_2(tmp_path / "a.zarr")
    with open(path / ".zattrs", "wb") as stream:
        stream.truncate(2**40)
    assert ".zattrs cannot be used: it has 1,099,511,627,776 bytes" in refusal(path)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        (5, "list of objects"), ("x", "list of objects"), ([5], "list of objects"),
        ({"a": 1}, "list of objects"), ([{}], "1 to 64 levels"),
        ([{"datasets": []}], "1 to 64 levels"), ([{"datasets": {"path": "0"}}], "1 to 64 levels"),
        ([{"datasets": [{"path": "0"}] * 65}], "1 to 64 levels, got 65"),
        ([{"datasets": ["0"]}], "must have a path"), ([{"datasets": [{}]}], "must have a path"),
        ([{"datasets": [{"path": 0}]}], "must have a path"),
        (multiscales(axes="yx", paths=["none"]), "level none must be an array, but there is none"),
        (multiscales(axes="yx", paths=["group"]), "level group must be an array, but it is a"),
        (multiscales(axes="zyx"), "2 axes must be some of"), (multiscales(axes="xy"), "this order"),
        (multiscales(axes="xx"), "axes must be some of"), (multiscales(axes="qx"), "got 'q'"),
        ([{"axes": "yx", "datasets": [{"path": "0"}]}], "axes must be a list"),
        ([{"axes": [5, None], "datasets": [{"path": "0"}]}], "axes must be some of"),
        ([{"axes": [{"name": ["x"]}] * 2, "datasets": [{"path": "0"}]}], "axes must be some of"),
    ],
)  # fmt: skip
def test_odd_attributes_are_refused(tmp_path, said, wanted):
    for version, group, array in (("2", group_2, array_2), ("3", group_3, array_3)):
        inner = {"multiscales": said}
        folder = group(tmp_path / f"{version}.zarr", {"ome": inner} if version == "3" else inner)
        array(folder / "0")
        group(folder / "group")
        assert wanted in refusal(folder)


@pytest.mark.parametrize(
    "transformations",
    [None, 5, [5], [{"type": "scale"}], [{"type": "scale", "scale": "ab"}],
     [{"type": "scale", "scale": [1]}], [{"type": "scale", "scale": [0, 1]}],
     [{"type": "scale", "scale": [1, float("inf")]}], [{"type": "scale", "scale": [-1, 1]}],
     [{"type": "scale", "scale": [True, 1]}], [{"type": "scale", "scale": [None, 1]}]],
)  # fmt: skip
def test_odd_sizes_of_pixels_are_1(tmp_path, transformations):
    said = multiscales(name=["odd"])
    said[0]["datasets"][0]["coordinateTransformations"] = transformations
    folder = group_2(tmp_path / "a.zarr", {"multiscales": said})
    array_2(folder / "0", bytes(range(72)))
    found = open_pyramid(folder)
    assert (found.scales, found.name) == (((1.0, 1.0),), "a")
    assert np.array_equal(read_level(folder).pixels.reshape(-1), range(72))


@pytest.mark.parametrize(
    ("shape", "wanted"),
    [
        ([96, 0], "integers from 1"), ([80, 9], "must become smaller"),
        (LARGE, "must become smaller"), ([8], "must become smaller"),
        ([1, 8, 9], "must become smaller"), ([], "must become smaller"),
    ],
)  # fmt: skip
def test_levels_that_do_not_follow_are_refused(tmp_path, shape, wanted):
    folder = group_2(tmp_path / "a.zarr", {"multiscales": multiscales(paths=["0", "1"])})
    array_2(folder / "0")
    array_2(folder / "1", shape=shape, chunks=[max(1, min(n, 50)) for n in shape])
    assert wanted in refusal(folder)


def test_levels_have_the_same_channels(tmp_path):
    said = {"multiscales": multiscales(axes="cyx", paths=["0", "1"])}
    folder = group_2(tmp_path / "a.zarr", said)
    array_2(folder / "0", shape=[3, 8, 9], chunks=[3, 8, 9])
    array_2(folder / "1", shape=[2, 4, 4], chunks=[2, 4, 4])
    assert "must become smaller" in refusal(folder)


@pytest.mark.parametrize("write", [array_2, array_3])
def test_chunks_that_no_memory_holds_are_refused(tmp_path, monkeypatch, write):
    monkeypatch.setattr(memory, "available", lambda: 2**30)
    chunks = {"chunks": LARGE} if write is array_2 else {"chunk_grid": regular(LARGE)}
    for n, header in enumerate(({"shape": LARGE, **chunks}, chunks)):
        path = write(tmp_path / f"{n}.zarr", **header)
        wanted = "its chunks of 1000000 × 1000000 elements take 1,000,000,000,000 bytes each"
        assert wanted in refusal(path)


def test_shards_of_too_many_chunks_are_refused(tmp_path):
    inner = {"chunk_shape": [1, 1], "codecs": [{"name": "bytes"}],
             "index_codecs": [{"name": "bytes"}]}  # fmt: skip
    codecs = [{"name": "sharding_indexed", "configuration": inner}]
    path = array_3(tmp_path / "a.zarr", shape=LARGE, chunk_grid=regular(LARGE), codecs=codecs)
    assert "more than 1,048,576 inner chunks" in refusal(path)


@pytest.mark.parametrize("side", [1000, 1])
def test_a_level_that_is_too_large_is_refused(tmp_path, side):
    path = array_2(tmp_path / "a.zarr", shape=LARGE, chunks=[side, side])
    assert "has 1000000 × 1000000 pixels, which do not fit" in refusal(path)


def test_a_coarser_level_of_it_is_opened(tmp_path):
    folder = group_2(tmp_path / "a.zarr", {"multiscales": multiscales(paths=["0", "1"])})
    array_2(folder / "0", shape=LARGE, chunks=[1000, 1000])
    array_2(folder / "1", bytes(range(72)))
    found = read_level(folder)
    assert np.array_equal(found.pixels.reshape(-1), range(72))
    assert found.notes == ("level 2 of 2, 1/111111 of 1000000 × 1000000",)
