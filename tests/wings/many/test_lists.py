"""Lists of files and classes, as spreadsheets and programs write them."""

import codecs
from pathlib import Path

import pytest

from latviz.files.writing import write_table
from latviz.wings.many.image_sets import read_image_set
from latviz.wings.many.lists import ListError, decoded, read_items

FILES = "1.png", "2, really.png", "x/3.png", "4;b.png"
CLASSES = "a", "b, c", "Ä", "d"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "x").mkdir()
    for name in FILES:
        (tmp_path / name).write_bytes(b"")
    return tmp_path


def written(delimiter: str, end: str = "\n", quoted: bool = True, title: str = "") -> str:
    mark = '"' if quoted else ""
    lines = [
        f"{mark}{f}{mark}{delimiter}{mark}{c}{mark}" for f, c in zip(FILES, CLASSES, strict=True)
    ]
    return end.join([*([title] if title else []), *lines, ""])


def pairs(text: str, folder: Path) -> list[tuple[str, str]]:
    return [(name, label) for _, name, label in read_items(text, folder)]


WANTED = list(zip(FILES, CLASSES, strict=True))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", ", ", " ; "])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\n\n \n"])
def test_separators_and_ends_of_lines(folder: Path, delimiter: str, end: str) -> None:
    assert pairs(written(delimiter, end), folder) == WANTED


def test_what_separates_cells_is_found_by_the_files_that_are_there(folder: Path) -> None:
    assert pairs(written("\t", quoted=False), folder) == WANTED
    both = "1.png;a, b\n4;b.png,d\n"  # a semicolon here, and a comma there
    with pytest.raises(ListError, match="separated by commas or semicolons"):
        read_items(both, folder)
    assert pairs("4;b.png,d\n1.png,a;b\n", folder) == [("4;b.png", "d"), ("1.png", "a;b")]
    assert pairs("2, really.png;d\n1.png;a,b", folder) == [("2, really.png", "d"), ("1.png", "a,b")]
    with pytest.raises(ListError, match="put cells that contain either in quotes"):
        read_items("none;1,2", folder)
    assert pairs("sep=;\r\n1.png;a,b\r\n", folder) == [("1.png", "a,b")]


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-32-be", codecs.BOM_UTF32_BE),
    ],
)
def test_encodings(folder: Path, encoding: str, mark: bytes) -> None:
    data = mark + written(";", "\r\n", title="Datei;Klasse").encode(encoding)
    assert pairs(decoded(data), folder) == WANTED
    (folder / "list.csv").write_bytes(data)
    found = read_image_set(folder / "list.csv")
    assert list(found.labels) == list(CLASSES)


@pytest.mark.parametrize(
    "title",
    [
        "filename;class",
        "FileName;CLASS",
        " Image ; Label ",
        "PATH;Category",
        '"Name";"Target"',
        "img;y",
    ],
)
def test_titles_in_any_case_are_no_file(folder: Path, title: str) -> None:
    assert pairs(written(";", title=title), folder) == WANTED


def test_titles_say_where_names_and_classes_are(folder: Path) -> None:
    text = "id,width,image_path,Class name\n7,640,1.png,a\n8,480,x/3.png,b\n"
    assert pairs(text, folder) == [("1.png", "a"), ("x/3.png", "b")]
    assert pairs("label,file\na,1.png\n", folder) == [("1.png", "a")]
    (folder / "name").write_bytes(b"")
    assert pairs("name,class\n", folder) == [("name", "class")]  # a file of that name is one


@pytest.mark.parametrize("text", ["image1.png,label\n1.png,a\n", "none.npy,target\n1.png,a\n"])
def test_an_image_that_is_not_there_is_no_title(folder: Path, text: str) -> None:
    assert len(read_items(text, folder)) == 2


def test_trailing_separators_and_further_columns(folder: Path) -> None:
    assert pairs("1.png;a;;;\nx/3.png;b;;;\n;;;;\n", folder) == [("1.png", "a"), ("x/3.png", "b")]
    assert pairs("1.png,a,more\n", folder) == [("1.png", "a")]


def test_backslashes_separate_folders(folder: Path) -> None:
    (folder / "list.csv").write_text("x\\3.png,a\n1.png,b\n")
    found = read_image_set(folder / "list.csv")
    assert [one.path for one in found.images] == [folder / "x" / "3.png", folder / "1.png"]


def test_names_of_any_kind(folder: Path) -> None:
    for name in ("new\nline.png", 'quo"te.png', "it's.png", "=1+1.png"):
        (folder / name).write_bytes(b"")
        quoted = name.replace('"', '""')
        assert pairs(f'"{quoted}",a\n1.png,b\n', folder) == [(name, "a"), ("1.png", "b")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('1.png,a\n"x/3.png,b\n2.png,a\n', "the quote that begins in line 2 does not end"),
        ("1.png,\0", "it is not a CSV file; choose"),
        (f"1.png,{'a' * 200_000}", "it is not a CSV file .*; save it again"),
    ],
    ids=["quote", "null", "long"],
)
def test_what_is_no_list_is_said_in_one_line(folder: Path, text: str, said: str) -> None:
    with pytest.raises(ListError, match=said):
        read_items(text, folder)


def test_lines_are_counted_as_an_editor_does(folder: Path) -> None:
    text = '\n"new\nline.png",a\n\n1.png,b\n'
    assert [item.line for item in read_items(text, folder)] == [2, 5]


def test_names_and_classes_of_a_written_table_are_read_back(tmp_path: Path) -> None:
    """Names are also read back if marked, because a spreadsheet would run them."""
    rows = [("=1.png", "+a"), ("-2.png", "-1"), ("@3.png", "'b")]
    for name, _ in rows:
        (tmp_path / name).write_bytes(b"")
    write_table(tmp_path / "l.csv", ["file", "class"], rows)
    assert pairs((tmp_path / "l.csv").read_text("utf-8"), tmp_path) == rows
