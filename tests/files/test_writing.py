"""Written files can be read back, and a failure leaves no files."""

import csv
import errno
import json
import re
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from latviz import __version__
from latviz.core.disk.errors import ExportError
from latviz.core.disk.writing import check_target, folder_problem, replacing
from latviz.core.errors import ParameterError
from latviz.files.images import read_image
from latviz.files.writing import (
    write_arrays,
    write_labels,
    write_state_map,
    write_summary,
    write_table,
)

rng = np.random.default_rng(23)


def noise(*shape):
    return rng.integers(0, 256, shape, dtype=np.uint8)


@pytest.mark.parametrize("n_states", [1, 2, 3, 16, 17, 256])
def test_state_map(tmp_path, n_states):
    path = tmp_path / "states.png"
    states, colors = noise(31, 45) % np.uint16(n_states), noise(n_states, 3)
    states = states.astype(np.uint8)
    write_state_map(path, states, colors)
    with Image.open(path) as image:
        assert image.mode == "P"
        assert image.info["Software"] == f"latviz {__version__}"
        np.testing.assert_array_equal(np.asarray(image), states)
        np.testing.assert_array_equal(np.reshape(image.getpalette(), (-1, 3)), colors)
    again = read_image(path)
    np.testing.assert_array_equal(again.indices, states)


def test_unknown_nodes_are_transparent_and_no_label(tmp_path):
    states, colors = noise(20, 30) % np.uint8(5), noise(5, 3)
    states[states == 4] = 255
    write_state_map(tmp_path / "a.png", states, colors[:4])
    with Image.open(tmp_path / "a.png") as image:
        np.testing.assert_array_equal(np.asarray(image), states)
        colours = np.asarray(image.convert("RGBA"))
    np.testing.assert_array_equal(colours[..., 3] == 0, states == 255)
    known = states < 255
    np.testing.assert_array_equal(colours[known][:, :3], colors[states[known]])
    labels = states.astype(np.int32)
    labels[~known] = -1
    write_labels(tmp_path / "b.png", labels)
    with Image.open(tmp_path / "b.png") as image:
        np.testing.assert_array_equal(np.asarray(image), np.where(known, labels, 65535))
    labels[0, 0] = 65535
    with pytest.raises(ExportError, match=r"at most 65,535 labels"):
        write_labels(tmp_path / "b.png", labels)


def test_arrays(tmp_path):
    arrays = {
        "A": rng.random((4, 4)),
        "states": noise(5, 7),
        "file": np.array(3),
        "größe": np.asfortranarray(rng.random((3, 5), dtype=np.float32)),
        "names": np.array(["grass", "sky"]),
        "none": np.zeros((0, 3), np.int64),
    }
    write_arrays(tmp_path / "a.npz", arrays)
    with np.load(tmp_path / "a.npz", allow_pickle=False) as again:
        assert again.files == list(arrays)
        for name, array in arrays.items():
            assert again[name].dtype == array.dtype
            np.testing.assert_array_equal(again[name], array)


def test_arrays_are_compressed_and_the_same_every_time(tmp_path):
    arrays = {"zeros": np.zeros((200, 200)), "list": [1, 2, 3]}
    for name in ("a.npz", "b.npz"):
        write_arrays(tmp_path / name, arrays)
    data = (tmp_path / "a.npz").read_bytes()
    assert data == (tmp_path / "b.npz").read_bytes()
    assert len(data) < 2000


def summary(tmp_path, value):
    """Write a summary and read it with a strict JSON parser."""

    def refuse(constant):
        raise AssertionError(f"{constant} is not JSON")

    write_summary(tmp_path / "a.json", value)
    text = (tmp_path / "a.json").read_text(encoding="utf-8")
    assert text.endswith("}\n")
    return json.loads(text, parse_constant=refuse)


def test_summary_of_numpy_values(tmp_path):
    value = {
        "z": np.float32(0.5),
        "a": np.int64(3),
        "flag": np.bool_(True),
        "matrix": np.array([[1.5, np.nan], [np.inf, -np.inf]]),
        "scalar": np.array(7, np.uint8),
        "text": np.str_("Größe"),
    }
    assert summary(tmp_path, value) == {
        "z": 0.5,
        "a": 3,
        "flag": True,
        "matrix": [[1.5, None], ["inf", "-inf"]],
        "scalar": 7,
        "text": "Größe",
    }
    assert list(summary(tmp_path, value)) == list(value)


def test_summary_of_python_values(tmp_path):
    value = {
        "nan": float("nan"),
        "log-likelihood": -float("inf"),
        "most": float("inf"),
        "nothing": None,
        "path": Path("a") / "b",
        "nested": {"list": [1, (2.5, {"deep": np.float64("nan")})], 3: "three", np.int8(4): {}},
    }
    assert summary(tmp_path, value) == {
        "nan": None,
        "log-likelihood": "-inf",
        "most": "inf",
        "nothing": None,
        "path": str(Path("a") / "b"),
        "nested": {"list": [1, [2.5, {"deep": None}]], "3": "three", "4": {}},
    }


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def expected(value):
    if isinstance(value, float) and not np.isfinite(value):
        return None if np.isnan(value) else ("inf" if value > 0 else "-inf")
    if isinstance(value, dict):
        return {key: expected(item) for key, item in value.items()}
    return [expected(item) for item in value] if isinstance(value, list) else value


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=st.dictionaries(st.text(), values))
def test_any_summary(tmp_path, value):
    assert summary(tmp_path, value) == expected(value)


WRONG = [
    *(
        (partial(write_state_map, states=states, colors=colors), said)
        for states, colors, said in [
            (np.zeros((4, 5), int), noise(2, 3), "states: wanted uint8"),
            (np.zeros((4, 5, 1), np.uint8), noise(2, 3), "states: wanted uint8"),
            (np.zeros((0, 5), np.uint8), noise(2, 3), "not empty"),
            (np.zeros((4, 5), np.uint8), noise(2, 4), r"got \(2, 4\)"),
            (np.zeros((4, 5), np.uint8), noise(257, 3), r"got \(257, 3\)"),
            (np.zeros((4, 5), np.uint8), noise(2, 3) / 255, "colors: wanted uint8"),
            (np.full((4, 5), 2, np.uint8), noise(2, 3), "less than the 2 colors, got 2"),
        ]
    ),
    *(
        (partial(write_arrays, arrays=arrays), "arrays: wanted")
        for arrays in ({"a": [object()]}, {"": [1]}, {3: [1]}, {"a\0b": [1]})
    ),
    *(
        (partial(write_summary, summary=value), said)
        for value, said in [
            ({"a": {"b": [0, object()]}}, r"summary\.a\.b\[1\]: wanted"),
            ({"a": 1j}, r"summary\.a: wanted"),
            ({"a": b"bytes"}, r"summary\.a: wanted"),
            ({"a": {(1, 2): 3}}, r"summary\.a: wanted names"),
            ({"a": {1: 3, "1": 4}}, "each name once"),
        ]
    ),
    *(
        (partial(write_labels, labels=np.full(shape, value, dtype)), "labels: wanted int32")
        for shape, value, dtype in [
            ((4, 5), 0, np.int64), (5, 0, np.int32), ((0, 5), 0, np.int32), ((4, 5), -2, np.int32)
        ]
    ),
]  # fmt: skip
"""Writers with arguments that they refuse, and the messages."""


@pytest.mark.parametrize(("write", "said"), WRONG)
def test_wrong_arguments_are_refused_and_leave_nothing(tmp_path, write, said):
    with pytest.raises(ParameterError, match=said):
        write(tmp_path / "a.out")
    assert list(tmp_path.iterdir()) == []


def test_table(tmp_path):
    rows = [[1, 0.1 + 0.2, None, 'a, "b"'], [2, -np.inf, np.float64(1e-300), "é"]]
    write_table(tmp_path / "t.csv", ["n", "x", "y", "name"], rows)
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as stream:
        found = list(csv.reader(stream))
    assert found[0] == ["n", "x", "y", "name"]
    assert [float(row[1]) for row in found[1:]] == [0.1 + 0.2, -np.inf]
    assert found[1][2:] == ["", 'a, "b"']
    assert (float(found[2][2]), found[2][3]) == (1e-300, "é")
    with pytest.raises(ParameterError, match="wanted 2 fields each, got 1"):
        write_table(tmp_path / "t.csv", ["n", "x"], [[1]])


def write(path):
    write_state_map(path, noise(5, 7) % 4, noise(4, 3))


@pytest.mark.parametrize("call", ["os.fsync", "os.replace"])
@pytest.mark.parametrize("old", [None, b"old"])
def test_a_failure_leaves_everything_as_it_was(tmp_path, monkeypatch, call, old):
    def fail(*args):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = tmp_path / "a.out"
    if old is not None:
        path.write_bytes(old)
    monkeypatch.setattr(call, fail)
    with pytest.raises(ExportError) as caught:
        write(path)
    assert (caught.value.path, str(caught.value)) == (path, f"a.out: {caught.value.reason}")
    assert "the disk is full" in caught.value.reason
    assert [item.read_bytes() for item in tmp_path.iterdir()] == ([] if old is None else [old])


@pytest.mark.parametrize("error", [ParameterError, KeyboardInterrupt, ValueError])
def test_other_exceptions_pass_and_leave_nothing(tmp_path, error):
    with pytest.raises(error), replacing(tmp_path / "a.out") as stream:  # noqa: PT012
        stream.write(b"half")
        raise error
    assert list(tmp_path.iterdir()) == []


def test_too_little_memory(tmp_path):
    with pytest.raises(ExportError, match="not enough memory"), replacing(tmp_path / "a.out"):
        raise MemoryError


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("missing/a.png", "a.png: there is no folder {}/missing; make it, or choose another place"),
        ("missing/too/a.png", "there is no folder {}/missing/too; make it"),
        ("file/a.png", "a.png: {}/file is a file, not a folder; choose another place"),
        ("file/in/a.png", "{}/file is a file, not a folder"),
        ("folder", "it is a folder"),
        ("a\0b", "cannot be the name of a file"),
    ],
)
def test_places_that_cannot_be_written(tmp_path, name, said):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    place = re.escape(str(tmp_path))
    with pytest.raises(ExportError, match=said.format(place)):
        write(tmp_path / name)
    with pytest.raises(ExportError, match=said.format(place)):
        check_target(tmp_path / name)
    assert sorted(item.name for item in tmp_path.iterdir()) == ["file", "folder"]


def test_where_files_cannot_be_written(tmp_path, monkeypatch):
    assert folder_problem(tmp_path) == ""
    assert folder_problem(tmp_path / "a" / "b", is_made=True) == ""
    (tmp_path / "file").touch()
    for name in ("file", "file/a"):
        told = folder_problem(tmp_path / name, is_made=True)
        assert told == f"{tmp_path / 'file'} is a file, not a folder; choose another place"
    monkeypatch.chdir(tmp_path)
    assert folder_problem(Path("a")) == "there is no folder a; make it, or choose another place"


@pytest.mark.parametrize("most", [0, 9, 65535])
def test_labels(tmp_path, most):
    path = tmp_path / "labels.png"
    labels = rng.integers(0, most + 1, (31, 45), dtype=np.int32)
    labels[3, 4] = most
    write_labels(path, labels[::2, ::-1])
    with Image.open(path) as image:
        assert image.mode == "I;16"
        np.testing.assert_array_equal(np.asarray(image), labels[::2, ::-1])


def test_more_labels_than_a_png_holds(tmp_path):
    labels = np.full((2, 2), 65536, np.int32)
    with pytest.raises(ExportError, match=r"at most 65,536 labels, got 65,537; choose \.npz"):
        write_labels(tmp_path / "a.png", labels)
    assert list(tmp_path.iterdir()) == []
