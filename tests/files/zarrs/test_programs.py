"""A foreign folder runs no program: types and codecs are checked before zarr sees them."""

import json
import pickle

import numcodecs
import numpy as np
import pytest
import zarr

from latviz.files.levels import read_level
from tests.files.zarrs.cases import (
    FORMAT_2,
    FORMAT_3,
    array_2,
    array_3,
    group_2,
    group_3,
    multiscales,
    refusal,
)

RAN = []
"""Filled by the program in a chunk, if it runs."""
PICKLE = {"id": "pickle", "protocol": 5}
SHARDS = {"chunk_shape": [8, 9], "codecs": [{"name": "bytes"}], "index_codecs": [{"name": "bytes"}]}


def run_program():
    RAN.append(1)


class Program:
    """Runs when it is unpickled."""

    def __reduce__(self):
        return run_program, ()


def shards(**inner):
    return [{"name": "sharding_indexed", "configuration": {**SHARDS, **inner}}]


TYPES_2 = ["|O", "O", "|S4", "<U3", "<M8[s]", "<m8[D]", "<c16", "|V8", ">f16", "u1,u1", "object",
           [["a", "|u1"]], None, 5, "", "u3", "<u1\n"]  # fmt: skip
CODECS_2 = [
    {"compressor": PICKLE},
    {"filters": [{"id": "vlen-utf8"}, PICKLE]},
    {"filters": [PICKLE]},
    {"filters": [{"id": "delta", "dtype": "<u1", "astype": "|O"}]},
    {"filters": [{"id": "astype", "encode_dtype": "|O", "decode_dtype": "|u1"}]},
    *({"filters": [{"id": name}]} for name in
      ("json2", "msgpack2", "vlen-array", "vlen-bytes", "categorize", "base64", "of-a-plug-in")),
    {"compressor": "pickle"}, {"compressor": ["pickle"]}, {"compressor": {}},
    {"compressor": {"id": ["zlib"]}}, {"filters": PICKLE}, {"filters": "pickle"},
]  # fmt: skip
TYPES_3 = ["string", "variable_length_bytes", "complex64", "r16", "object", "numpy.object", None, 1,
           {"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}},
           {"name": "structured", "configuration": {"fields": [["a", "uint8"]]}}]  # fmt: skip
CODECS_3 = [
    [{"name": "numcodecs.pickle", "configuration": PICKLE}],
    [{"name": "numcodecs.zlib", "configuration": PICKLE}, {"name": "bytes"}],
    [{"name": "vlen-utf8"}], [{"name": "vlen-bytes"}], [{"name": "numcodecs.json2"}],
    [{"name": "pickle"}], ["pickle"], [{"name": ["bytes"]}], [{}], {}, None, "bytes",
    shards(codecs=[{"name": "numcodecs.pickle"}]),
    shards(codecs=shards(codecs=[{"name": "numcodecs.pickle"}])),
    shards(index_codecs=[{"name": "bytes"}, {"name": "numcodecs.pickle"}]),
]  # fmt: skip
HEADERS = [
    *((array_2, {"dtype": one, "filters": [{"id": "vlen-utf8"}, PICKLE]}) for one in TYPES_2),
    *((array_2, one) for one in CODECS_2),
    *((array_3, {"data_type": one}) for one in TYPES_3),
    *((array_3, {"codecs": one}) for one in CODECS_3),
]


@pytest.mark.parametrize(("write", "header"), HEADERS)
def test_types_and_codecs_that_could_run_a_program_are_refused(tmp_path, write, header):
    said = refusal(write(tmp_path / "a.zarr", pickle.dumps(Program()), **header))
    assert any(word in said for word in ("of the type", "codec", "filters"))
    assert not RAN


def test_consolidated_metadata_are_no_way_round(tmp_path):
    harmful = {**FORMAT_2, "dtype": "|O", "filters": [{"id": "vlen-utf8"}, PICKLE]}
    folder = group_2(tmp_path / "a.zarr", {"multiscales": multiscales()})
    texts = {"0/.zarray": harmful, ".zgroup": {"zarr_format": 2}}
    (folder / ".zmetadata").write_text(
        json.dumps({"zarr_consolidated_format": 1, "metadata": texts})
    )
    assert "its level 0 must be an array, but there is none" in refusal(folder)
    array_2(folder / "0", bytes(range(72)))
    assert np.array_equal(read_level(folder).pixels.reshape(-1), range(72))


def test_inline_consolidated_metadata_are_no_way_round(tmp_path):
    harmful = {**FORMAT_3, "codecs": [{"name": "numcodecs.pickle"}]}
    inline = {"kind": "inline", "must_understand": False, "metadata": {"0": harmful}}
    folder = group_3(
        tmp_path / "a.zarr", {"ome": {"multiscales": multiscales()}}, consolidated_metadata=inline
    )
    assert "its level 0 must be an array, but there is none" in refusal(folder)
    array_3(folder / "0", bytes(range(72)))
    assert np.array_equal(read_level(folder).pixels.reshape(-1), range(72))


COMPRESSORS = (
    numcodecs.Blosc("lz4"), numcodecs.Blosc("zstd", shuffle=2), numcodecs.Zlib(), numcodecs.GZip(),
    numcodecs.Zstd(), numcodecs.LZ4(), numcodecs.BZ2(), numcodecs.LZMA(),
)  # fmt: skip
FILTERS = (
    numcodecs.Delta("<u2"), numcodecs.Shuffle(2), numcodecs.AsType("<u4", "<u2"),
    numcodecs.FixedScaleOffset(0, 1, "<u2", "<u4"), numcodecs.CRC32(), numcodecs.Fletcher32(),
)  # fmt: skip


@pytest.mark.parametrize(
    "header",
    [
        *({"compressors": one} for one in COMPRESSORS),
        *({"compressors": None, "filters": [one]} for one in FILTERS),
    ],
)
def test_usual_codecs_of_format_2_are_read(tmp_path, header):
    check_round_trip(tmp_path / "a.zarr", zarr_format=2, **header)


@pytest.mark.filterwarnings("ignore:Numcodecs codecs are not in the Zarr version 3")
@pytest.mark.parametrize(
    "header",
    [
        {"compressors": zarr.codecs.BloscCodec()},
        {"compressors": zarr.codecs.GzipCodec()},
        {"compressors": [zarr.codecs.ZstdCodec(), zarr.codecs.Crc32cCodec()]},
        {"filters": zarr.codecs.TransposeCodec(order=(1, 0))},
        {"compressors": {"name": "numcodecs.zlib", "configuration": {"level": 1}}},
        {"shards": (16, 32)},
        {"shards": (16, 32), "compressors": zarr.codecs.BloscCodec()},
    ],
)
def test_usual_codecs_of_format_3_are_read(tmp_path, header):
    check_round_trip(tmp_path / "a.zarr", **header)


def check_round_trip(path, **header):
    values = np.random.default_rng(1).integers(0, 9000, (20, 30)).astype("<u2")
    made = zarr.create_array(str(path), shape=(20, 30), chunks=(8, 16), dtype="<u2", **header)
    made[:] = values
    assert np.array_equal(read_level(path).pixels, values)
