"""Numbers as text: series, tables and matrices, as people and programs write them."""

import csv
import io
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latviz.files.errors import ImageError
from latviz.files.images import read_image
from latviz.workspace import dimensions_of, read_picture

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


VALUES = ["0.5", "-1.25", "0.001", "20.0"]
SEVERAL = {
    "pandas' index": (",value", "0 1 2 3", ",", "index"),
    "pandas' series": (",0", "0 1 2 3", ",", "index"),
    "pandas' index after a choice": (",value", "3 17 18 40", ",", "index"),
    "pandas' index without titles": (None, "0 1 2 3", ",", "index"),
    "pandas' dates": ("date,value", "2024-01-01|2024-01-02|2024-01-03|2024-01-04", ",", "times"),
    "pandas' times": (",value", "2024-01-01 00:00:00|2024-01-01 00:01:00.5|c 1|c 2", ",", "times"),
    "a zone": (",value", "2024-01-01 00:00:00+00:00|2024-01-01 00:00:01-03:30|x|y", ",", "times"),
    "of Z": ("t,value", "2024-01-01T00:00:00Z|2024-01-01T00:00:01.123Z|x|y", ",", "times"),
    "of UTC": ("t,value", "2024-01-01 00:00:00 UTC|2024-01-01 10:00 UTC|x|y", ",", "times"),
    "pandas' months": ("month,value", "2024-01|2024-02|2024-03|2024-04", ",", "times"),
    "pandas' quarters": (",value", "2024Q1|2024Q2|2024Q3|2024Q4", ",", "times"),
    "months": ("Month,Value", "Jan 2024|Feb 2024|Mar 2024|Apr 2024", ",", "times"),
    "Excel's months": ("Month,Value", "Jan-24|Feb-24|Mar-24|Apr-24", ",", "times"),
    "Excel's days": ("Day,Value", "01-Jan-2024|02-Jan-2024|3-Feb-2024|4-Feb-2024", ",", "times"),
    "Excel's hours": ("Time,Value", "1/31/2024 10:00|1/31/2024 11:00 PM|a|b", ",", "times"),
    "Excel in German": (
        "Datum;Wert",
        "01.02.2024|02.02.2024 10:00|03.02.2024|1.3.24",
        ";",
        "times",
    ),
    "a separator of Excel": ("sep=;\nx;Wert", "1 2 3 4", ";", "index"),
    "long days": ("Day,Value", '"Jan 1, 2024"|"Jan 2, 2024"|"Mon, 3 Jan 2024"|a', ",", "times"),
    "write.csv of R": ('"","value"', '"1" "2" "3" "4"', ",", "index"),
    "write.table of R": ('"value"', '"1" "2" "3" "4"', " ", "index"),
    "write.table without quotes": ("value", "1 2 3 4", "\t", "index"),
    "names of R": ('"","mpg"', '"Mazda RX4"|"Datsun 710"|"Hornet, 4"|"Fiat 128"', ",", "names"),
    "names of write.table": ('"mpg"', '"Mazda RX4"|"Datsun 710"|"a ""b"""|"c"', " ", "names"),
    "names alone": (None, "a b c d", "\t", "names"),
    "names and a title": ("name;mpg", "a b c d", ";", "names"),
    "a counter": ("id,value", "1 2 3 4", ",", "index"),
    "seconds": ("Time (s),value", "0.0 0.25 0.5 1.75", ",", "times"),
    "years": ("year\tvalue", "1990 1991 1995 1999", "\t", "times"),
}
"""The titles, the first column, and what comes between columns, by how programs write tables."""


@pytest.mark.parametrize("name", SEVERAL)
def test_what_orders_numbers_is_no_series(tmp_path: Path, name: str) -> None:
    titles, first, separator, reason = SEVERAL[name]
    comma = separator == ";"
    pairs = zip(first.split("|" if "|" in first else " "), VALUES, strict=True)
    lines = [f"{one}{separator}{v.replace('.', ',') if comma else v}" for one, v in pairs]
    for end in ("\n", "\r\n"):
        content = end.join([*([] if titles is None else titles.split("\n")), *lines])
        for suffix in ("csv", "txt"):
            picture = read_picture(written(tmp_path, content, f"ts.{suffix}"))
            np.testing.assert_array_equal(picture.pixels, SERIES[None])
            notes = [note for note in picture.notes if note.startswith("column 1")]
            assert [note.endswith(f"taken as {'the ' * (reason == 'index')}{reason}")
                    for note in notes] == [True]  # fmt: skip
            title = titles.replace('"', "").split(separator)[-1] if titles else ""
            assert f"4 numbers{f' of “{title}”' if title else ''}:" in picture.notes[0]


def test_columns_between_series_are_named(tmp_path: Path) -> None:
    """The flowers of R: a column of their kinds is behind them."""
    rows = [f"{k / 8},{k % 7},setosa,{k}%" for k in range(50)]
    text = "\n".join(["Length (%),Width,Species,Share", *rows])
    with pytest.raises(ImageError, match="line 2 holds “0%”, which is not a number"):
        read_image(written(tmp_path, text, "flowers.csv"))
    file = read_image(written(tmp_path, text.replace("%\n", "\n")[:-1], "flowers.csv"), page=2)
    np.testing.assert_array_equal(file.pixels, np.arange(50)[None])
    assert file.pages == 3
    assert "column 3, “Species”, left out: it holds no numbers" in file.notes


@pytest.mark.parametrize("first", ["", "x", "names", "2024-01-"])
@pytest.mark.parametrize("numbered", [True, False])
def test_labels_of_a_matrix_are_no_pixels(tmp_path: Path, first: str, numbered: bool) -> None:
    matrix = np.random.default_rng(5).normal(size=(30, 40)).round(3).astype(np.float32)
    names = [str(k) if first in ("", "x") else f"{first}{k + 1:02}" for k in range(30)]
    titles = [first, *(str(k) if numbered else f"x{k}" for k in range(40))]
    rows = [[name, *map(str, row)] for name, row in zip(names, matrix.tolist(), strict=True)]
    path = written(tmp_path, "\n".join(map(",".join, [titles, *rows])), "m.csv")
    np.testing.assert_allclose(read_picture(path).pixels, matrix, atol=1e-6)
    path = written(tmp_path, "\n".join(",".join(row[1:]) for row in [titles, *rows]), "m.csv")
    np.testing.assert_allclose(read_picture(path).pixels, matrix, atol=1e-6)  # index=False
    path = written(tmp_path, "\n".join(map(",".join, rows)), "m.csv")
    np.testing.assert_allclose(read_picture(path).pixels, matrix, atol=1e-6)  # header=False


def test_whole_numbers_that_count_may_be_pixels(tmp_path: Path) -> None:
    ramp = np.add.outer(np.arange(12), np.arange(20))
    path = written(tmp_path, "\n".join(",".join(map(str, row)) for row in ramp.tolist()))
    np.testing.assert_array_equal(read_picture(path).pixels, ramp)


@pytest.mark.parametrize(
    ("content", "values"),
    [
        ('"1,234.5","2,345.6"\n', [1234.5, 2345.6]),
        ('"1,234","2,345,678"\n', [1234, 2345678]),
        ('"1,5","2,25"\n', [1.5, 2.25]),  # decimal=","
        ("1.234,5;2.345.678,25\n", [1234.5, 2345678.25]),
        ('1234.5\t"2,345.5"\n', [1234.5, 2345.5]),
    ],
)
def test_commas_and_points_of_thousands(tmp_path: Path, content: str, values: list[float]) -> None:
    path = written(tmp_path, content * 40, "a.csv")
    for page, value in enumerate(values):
        file = read_image(path, page=page)
        assert file.pages == 2
        np.testing.assert_array_equal(file.pixels, np.full((1, 40), value, np.float32))


@pytest.mark.parametrize(
    ("content", "matrix"),
    [
        ("0,5\n1,25\n2,7\n3,9\n", [[0, 5], [1, 25], [2, 7], [3, 9]]),  # the first ones count
        ("x,y\n5,5\n7,2\n", [[5, 5], [7, 2]]),  # separated as the titles are
        ("1,5 2,5\n2,5 3,0\n", [[1.5, 2.5], [2.5, 3.0]]),
    ],
)
def test_a_comma_is_decimal_or_separates(tmp_path, content, matrix) -> None:
    pixels = read_picture(written(tmp_path, content, "a.csv")).pixels
    np.testing.assert_array_equal(pixels, matrix)


CELLS = st.floats(-1e6, 1e6, width=32).map(lambda value: f"{value:.6f}")


@given(
    st.lists(CELLS, min_size=9, max_size=30),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
)
@settings(max_examples=30, derandomize=True)
def test_any_way_of_writing_a_table(tmp_path_factory, cells, separator, comma, quoted, end) -> None:
    """What the csv module writes is read, whatever separates, quotes and points."""
    stream = io.StringIO(newline="")
    way = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(stream, delimiter=separator, quoting=way, lineterminator=end)
    writer.writerow(["", 'a "name", or two', "y"])
    marked = [cell.replace(".", ",") if comma else cell for cell in cells]
    writer.writerows([k, "n", cell] for k, cell in enumerate(marked))
    folder = tmp_path_factory.getbasetemp()
    file = read_image(written(folder, stream.getvalue(), "any.csv"))
    wanted = np.array([float(cell) for cell in cells], np.float32)
    np.testing.assert_array_equal(file.pixels, wanted[None])
    assert file.pages == 1
    assert "9 numbers of “y”" in file.notes[0] or len(cells) > 9


def test_whole_numbers_are_no_digits(tmp_path: Path) -> None:
    for content in ("12\n15\n130\n", "12 15 130", "12,15,130", "12\t15\t130", "-1\n0\n1\n"):
        path = written(tmp_path, content)
        values = np.array([-1, 0, 1] if "-" in content else [12, 15, 130])
        np.testing.assert_array_equal(read_picture(path).pixels[0], values)


def test_columns_of_a_table_are_chosen_as_pages(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    table = rng.normal(size=(40, 3)).astype(np.float32)
    lines = ["time,x,y"] + [",".join(f"{value:.9g}" for value in row) for row in table]
    path = written(tmp_path, "\n".join(lines))
    for page in range(3):
        file = read_image(path, page=page)
        np.testing.assert_array_equal(file.pixels, table[:, page][None])
        assert file.pages == 3
        assert f"channel {page + 1} of 3, {['time', 'x', 'y'][page]}" in file.notes
    with pytest.raises(ImageError, match="channel 4 was asked for, but it has 3"):
        read_image(path, page=3)


def test_columns_of_a_table_are_channels_of_one_sequence(tmp_path: Path) -> None:
    table = np.random.default_rng(5).normal(size=(40, 3)).round(3).astype(np.float32)
    lines = ["day;wind;rain;sun"] + [
        f"{np.datetime64('2024-03-01') + k};" + ";".join(f"{value:.3f}" for value in row)
        for k, row in enumerate(table)
    ]
    path = written(tmp_path, "\n".join(lines))
    picture = read_picture(path)
    np.testing.assert_array_equal(picture.pixels, table[None])
    np.testing.assert_array_equal(picture.curves, table)
    assert picture.channels == ("wind", "rain", "sun")
    assert str(picture.x[-1])[:10] == "2024-04-09"
    some = read_picture(path, "c=0+2")
    np.testing.assert_array_equal(some.pixels, table[None, :, [0, 2]])
    assert some.channels == ("wind", "sun")
    for one in (read_picture(path, "c=1"), read_picture(path, 1)):
        np.testing.assert_array_equal(one.pixels, table[None, :, 1])
        assert one.channels == ()
        assert "channel 2 of 3, rain" in one.notes


GAPS = ["", "nan", "NA", "NaN", "-", "null", "inf"]


@given(st.lists(st.lists(st.integers(0, 40), max_size=6), min_size=2, max_size=3), st.booleans())
@settings(max_examples=20, derandomize=True)
def test_gaps_of_a_table_are_unknown(tmp_path_factory, holes, whole) -> None:
    """A row is unknown if one of its cells is; columns may be of unequal length."""
    numbers = np.arange(41 * len(holes)).reshape(41, -1) * (1 if whole else 0.5)
    columns = numbers.T.astype(str).tolist()
    for column, own in zip(columns, holes, strict=True):
        for k in own:
            column[k] = GAPS[k % len(GAPS)]
    columns[0] = columns[0][:39]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow([f"v{k}" for k in range(len(holes))])
    writer.writerows(zip_longest(*columns, fillvalue=""))
    path = written(tmp_path_factory.getbasetemp(), stream.getvalue(), "gaps.csv")
    file, known = read_picture(path), np.ones(41, bool)
    known[[39, 40, *chain(*holes)]] = False
    np.testing.assert_array_equal(file.known, known[None])
    np.testing.assert_array_equal(file.pixels[0, known], numbers[known])
    assert file.notes[-1] == f"{41 - known.sum()} of 41 positions are unknown (gaps)"
    assert (file.pixels.dtype.kind == "u") == whole


def test_gaps_of_one_column_and_of_a_matrix_as_numpy_writes_them(tmp_path: Path) -> None:
    values = np.random.default_rng(8).normal(size=(30, 40)).astype(np.float32)
    values[values > 1] = np.nan
    values[:, 39] = np.nan
    for some in (values, values[:, :1]):
        np.savetxt(tmp_path / "m.csv", some, delimiter=",")
        picture = read_picture(tmp_path / "m.csv")
        some = some if some.shape[1] > 1 else some.T
        np.testing.assert_array_equal(picture.known, np.isfinite(some))
        np.testing.assert_array_equal(picture.pixels[picture.known], some[picture.known])


WEATHER = ["sun", "rain", "", "fog", "rain", "sun", "NA", "sun", "fog", "fog", "rain", "sun"]


@pytest.mark.parametrize("content", ["{1}", "{0},{1}", "{2},{1}"])
@pytest.mark.parametrize("titles", [True, False])
def test_a_column_of_names_is_a_sequence_of_symbols(tmp_path, content, titles) -> None:
    if not titles and "2" in content:
        return  # a counter of lines needs a title
    lines = ["day,weather"] if "," in content else ["weather"]
    days = [f"2024-03-{k + 1:02}" for k in range(len(WEATHER))]
    lines += [
        content.format(d, w or '""', k) for k, (d, w) in enumerate(zip(days, WEATHER, strict=True))
    ]
    path = written(tmp_path, "\n".join(lines[not titles :]), "weather.csv")
    picture = read_picture(path)
    assert (picture.dimensions, picture.alphabet) == (1, ("fog", "rain", "sun"))
    known = np.array([name not in ("", "NA") for name in WEATHER])
    np.testing.assert_array_equal(picture.known, known)
    assert [picture.alphabet[k] for k in picture.pixels[known]] == [
        w for w in WEATHER if w[1:] not in ("", "A")
    ]
    assert (picture.x is not None) == ("," in content)
    assert dimensions_of(path) == 1


def test_names_are_chosen_as_channels_are(tmp_path: Path) -> None:
    numbers = np.random.default_rng(6).normal(size=(12, 2)).round(3).astype(np.float32)
    lines = ["wind,weather,rain"]
    lines += [f"{a:.3f},{name},{b:.3f}" for (a, b), name in zip(numbers, WEATHER, strict=True)]
    path = written(tmp_path, "\n".join(lines), "weather.csv")
    picture = read_picture(path)
    np.testing.assert_array_equal(picture.pixels, numbers[None])
    assert (picture.channels, picture.alphabet) == (("wind", "rain"), ())
    assert picture.known is None
    assert "c=2 reads the names in “weather”" in picture.notes
    assert read_picture(path, "c=2").alphabet == ("fog", "rain", "sun")
    assert (dimensions_of(path), dimensions_of(path, "c=2")) == (2, 1)
    with pytest.raises(ImageError, match="names cannot be channels of one sequence"):
        read_picture(path, "c=0+2")
    many = written(tmp_path, "\n".join(f"name{k % 65}x" for k in range(400)), "many.csv")
    with pytest.raises(ImageError, match="no numbers"):
        read_picture(many)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("nan\nNA\n", "no numbers"),
        ("0.5\n1.5\n# x\noops\n2\n", "line 4 holds “oops”, which is not a number"),
        ("1 2 3\n4 5 6\n7 8\n1 2 3\n", "line 3 has 2 columns, but line 1 has 3"),
        ("10:00\n11:00\n", "no numbers"),
        ("a\tb\t0.5\nc\n", "no numbers"),
        ("1 2\n4 5 6\n7 8 9\n", "line 2 has 3 columns, but line 1 has 2"),
        ("a,b\n1,2,3\n4,5,6,7\n", "line 3 has 4 columns, but line 2 has 3"),
        ('"1,234","2,345"\n"3,456","4,567"\n', "“1,234” may have a decimal comma or one of"),
        (",5,7\n3,1,2\n2,5,6\n9,4,4\n", "line 1 begins with an empty cell, as titles do"),
        ("12%\n13%\n", "holds “12%”, which is not a number"),
        ("ACGT,AA\nGG,TTT\n", "save a sequence of letters as plain text or FASTA"),
    ],
)
def test_what_is_no_number_is_named(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(ImageError) as caught:
        read_picture(written(tmp_path, content, "ts.csv"))
    assert said in caught.value.reason


def test_an_array_of_one_axis_is_a_series_too(tmp_path: Path) -> None:
    np.save(tmp_path / "ts.npy", SERIES)
    np.testing.assert_array_equal(read_picture(tmp_path / "ts.npy").pixels, SERIES[None])


@pytest.mark.parametrize("n", [16, 17, 40])
def test_columns_with_names_are_channels_however_many(tmp_path: Path, n: int) -> None:
    values = np.round(np.random.default_rng(n).normal(size=(4 * n, n)), 3)
    lines = [",".join(map(str, row)) for row in values.tolist()]
    named = ",".join(f"sensor {k}" for k in range(n))
    picture = read_picture(written(tmp_path, "\n".join([named, *lines]), "a.csv"))
    np.testing.assert_array_equal(picture.pixels[0], values.astype(np.float32))
    assert picture.channels[-1] == f"sensor {n - 1}"
    plain = read_picture(written(tmp_path, "\n".join(lines), "b.csv"))
    assert plain.pixels.shape == ((1, 4 * n, n) if n == 16 else (4 * n, n))
