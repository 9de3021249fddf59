"""Numbers as text: series, tables and matrices, as people and programs write them."""

from pathlib import Path

import numpy as np
import pytest

from latviz.files.errors import ImageError
from latviz.files.images import is_sequence, read_image
from latviz.workspace import read_picture

SERIES = np.array([0.5, -1.25, 1e-3, 20], np.float32)


def written(folder: Path, content: str | bytes, name: str = "ts.txt") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        "0.5\n-1.25\n1e-3\n20\n",
        "0.5\r\n-1.25\r\n1E-3\r\n20.\r\n",
        "\ufeff0.5\n-1.25\n.001\n+20\n\n",
        "0,5\n-1,25\n1,0e-3\n20,0\n",
        "0.5 -1.25 0.001 20",
        "0.5, -1.25, 0.001, 20\n",
        "0.5;-1.25;0.001;20",
        "0,5;-1,25;0,001;20",
        "0.5\t-1.25\t0.001\t20",
        "# a comment\n0.5\n-1.25  # another\n1e-3\n% a third\n20",
        "value\n0.5\n-1.25\n0.001\n20\n",
        "Wert (V)\n0,5\n-1,25\n0,001\n20,0\n",
        '"0.5"\n"-1.25"\n"0.001"\n"20"\n',
        "0.5\n\u22121.25\n0.001\n20\n",
        "2020-01-01;0,5\n2020-01-02;-1,25\n2020-01-03;0,001\n2020-01-04;20\n",
        "1-1-20 10:00:00 0.5\n1-1-20 11:00:00 -1.25\n1-1-20 12:00 0.001\n1-1-20 13:02 20",
        "0.5\n-1.25\n0.001\n20\n".encode("utf-16"),
        "   0.5\n  -1.25\n   1e-3\n  20\n",
    ],
)
@pytest.mark.parametrize("name", ["ts.txt", "ts.csv", "ts"])
def test_one_series_is_an_image_of_one_row(tmp_path: Path, content: str, name: str) -> None:
    picture = read_picture(written(tmp_path, content, name))
    np.testing.assert_array_equal(picture.pixels, SERIES[None])
    assert any("4 numbers" in note for note in picture.notes)


def test_whole_numbers_are_no_digits(tmp_path: Path) -> None:
    for content in ("12\n15\n130\n", "12 15 130", "12,15,130", "12\t15\t130", "-1\n0\n1\n"):
        path = written(tmp_path, content)
        values = np.array([-1, 0, 1] if "-" in content else [12, 15, 130])
        np.testing.assert_array_equal(read_picture(path).pixels[0], values)


@pytest.mark.parametrize(
    "content",
    ["0110 1001", "0110\n1001\n", "3141592653\n5897932384\n62", "0\n1\n1\n0\n", "0110", "31415",
     "NAN\nNAN\n", "MKV\n12\nLAW\n", "  1 gatt aca-  60\n 61 gat\n", "+-+ -", "ACGT"],
)  # fmt: skip
def test_digits_and_letters_stay_symbols(tmp_path: Path, content: str) -> None:
    assert is_sequence(written(tmp_path, content))
    assert read_picture(tmp_path / "ts.txt").dimensions == 1


def test_columns_of_a_table_are_chosen_as_pages(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    table = rng.normal(size=(40, 3)).astype(np.float32)
    lines = ["time,x,y"] + [",".join(f"{value:.9g}" for value in row) for row in table]
    path = written(tmp_path, "\n".join(lines))
    for page in range(3):
        file = read_image(path, page=page)
        np.testing.assert_array_equal(file.pixels, table[:, page][None])
        assert (file.page, file.pages, file.unit) == (page, 3, "column")
        assert any("“" + ["time", "x", "y"][page] + "”" in note for note in file.notes)
    with pytest.raises(ImageError, match="column 4 was asked for, but it has 3"):
        read_image(path, page=3)


@pytest.mark.parametrize("separator", [" ", ",", ";", "\t", ", "])
def test_a_matrix_is_an_image(tmp_path: Path, separator: str) -> None:
    matrix = np.random.default_rng(4).integers(0, 300, (6, 9))
    lines = [separator.join(map(str, row)) for row in matrix.tolist()]
    np.testing.assert_array_equal(read_picture(written(tmp_path, "\n".join(lines))).pixels, matrix)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("0.5\n1.5\nnan\n", "line 3 has no finite number (nan)"),
        ("0.5\n1.5\nNA\n2\n", "line 3 has no finite number (NA)"),
        ("0.5\ninf\n1.5\n", "line 2 has no finite number (inf)"),
        ("0.5;1\n;2\n1.5;2\n", "line 2 has no finite number (nothing)"),
        ("0.5\n1.5\n# x\noops\n2\n", "line 4 holds “oops”, which is not a number"),
        ("1 2 3\n4 5 6\n7 8\n1 2 3\n", "line 3 has 2 columns, but line 1 has 3"),
        ("0.5\n1e400\n", "not finite"),
        ("10:00\n11:00\n", "no numbers"),
    ],
)
def test_what_is_no_number_is_named(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(ImageError) as caught:
        read_picture(written(tmp_path, content, "ts.csv"))
    assert said in caught.value.reason


def test_an_array_of_one_axis_is_a_series_too(tmp_path: Path) -> None:
    np.save(tmp_path / "ts.npy", SERIES)
    np.testing.assert_array_equal(read_picture(tmp_path / "ts.npy").pixels, SERIES[None])
