"""Zarr folders written by hand, to contain anything."""

import json

import pytest

from latviz.files.errors import ImageError
from latviz.files.levels import read_level

FORMAT_2 = {
    "zarr_format": 2, "shape": [8, 9], "chunks": [8, 9], "dtype": "|u1", "compressor": None,
    "fill_value": 0, "order": "C", "filters": None,
}  # fmt: skip
FORMAT_3 = {
    "zarr_format": 3, "node_type": "array", "shape": [8, 9], "data_type": "uint8",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8, 9]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "fill_value": 0, "codecs": [{"name": "bytes"}], "attributes": {},
}  # fmt: skip


def array_2(folder, chunk=bytes(72), **header):
    folder.mkdir(parents=True)
    (folder / ".zarray").write_text(json.dumps({**FORMAT_2, **header}))
    (folder / ".".join("0" * len(FORMAT_2["shape"]))).write_bytes(chunk)
    return folder


def array_3(folder, chunk=bytes(72), **header):
    (folder / "c" / "0").mkdir(parents=True)
    (folder / "zarr.json").write_text(json.dumps({**FORMAT_3, **header}))
    (folder / "c" / "0" / "0").write_bytes(chunk)
    return folder


def group_2(folder, attributes=None):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".zgroup").write_text('{"zarr_format": 2}')
    (folder / ".zattrs").write_text(json.dumps(attributes or {}))
    return folder


def group_3(folder, attributes=None, **more):
    folder.mkdir(parents=True, exist_ok=True)
    text = {"zarr_format": 3, "node_type": "group", "attributes": attributes or {}, **more}
    (folder / "zarr.json").write_text(json.dumps(text))
    return folder


def multiscales(axes="yx", paths=("0",), **more):
    kinds = {"t": "time", "c": "channel"}
    named = [{"name": one, "type": kinds.get(one, "space")} for one in axes]
    return [{"axes": named, "datasets": [{"path": path} for path in paths], **more}]


def refusal(folder):
    """Return the line with which a folder is refused when it is opened as a picture."""
    with pytest.raises(ImageError) as caught:
        read_level(folder)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)
