"""Names that are not UTF-8, contain separators or newlines, or are very long: nothing is lost."""

import csv
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from latviz import cli, exports, workspace
from latviz.collection.batch import KINDS, names_in, stems_in
from latviz.collection.reading import Unreadable, find, read_entry
from latviz.collection.record import RecordTask, computed
from latviz.collection.store import Store
from latviz.collection.tables import write_table
from latviz.core.data.encoding import Encoding
from latviz.engine.pictures.shelf import Entry
from latviz.engine.settings.parameters import Parameters
from latviz.files.names import fitting_name, on_disk
from latviz.sharing.page import write_report
from tests.collection.pictures import noisy, truth_of, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
LATIN_1 = os.fsdecode(b"caf\xe9.png")
NAMES = (
    LATIN_1,
    "new\nline.png",
    "ta\tb.png",
    "q\"uo'te,;.png",
    "<b>&amp;.png",
    f"{'x' * 247}.png",
    f"{'é' * 124}.png",
    "\u202ehidden.png",
    "[a]*?.png",
    "a\\b.png",
    " .png",
)
PARAMETERS = Parameters(Encoding("quantiles", 4), n_states=2, window=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    pixels = noisy(truth_of(0, (12, 14)), 0)
    write(tmp_path / "a.png", pixels)
    (tmp_path / "images").mkdir()
    for name in NAMES:
        (tmp_path / "images" / name).write_bytes((tmp_path / "a.png").read_bytes())
    return tmp_path / "images"


def test_a_table_and_files_of_all(folder: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out"
    asked = ["--states", "2", "--window", "1", "--encoding", "quantiles", "--processes", "1"]
    asked += ["--table", str(path), "--export-dir", str(out)]
    assert cli.run([str(folder), *asked]) == 0
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    found = {row["path"] for row in rows}
    wanted = {str(folder / name).replace("\udce9", "\\udce9") for name in NAMES}
    assert found == wanted
    assert not any(row["problem"] for row in rows)
    assert len(list(out.glob("*.states.png"))) == len(NAMES)


def test_the_results_of_each_are_kept(folder: Path, tmp_path: Path) -> None:
    shelf = find([folder]).shelf
    assert shelf is not None
    assert len(shelf.entries) == len(NAMES)
    store, task = Store(tmp_path / "store"), RecordTask(PARAMETERS)
    record, _ = computed(shelf.entries[0], task)
    for entry in shelf.entries:
        store.keep(entry, task, replace(record, path=entry.path))
        assert store.known(entry, task) == replace(record, path=entry.path)
    write_table(tmp_path / "t.csv", [Unreadable(entry.path, "no") for entry in shelf.entries])
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == len(NAMES)


@pytest.mark.parametrize("name", [LATIN_1, "new\nline.png", "<b>&amp;.png"])
def test_summaries_sessions_and_reports(folder: Path, tmp_path: Path, name: str) -> None:
    path = str(folder / name)
    pictures, session = workspace.read_work(path, "")
    session = session.adjusted(lambda _: PARAMETERS)
    frame = workspace.compute_exported(pictures, session.shown)
    exports.export_frame(frame, tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text())["image"]["path"] == path
    workspace.write_session(tmp_path / "a.latviz", session, pictures)
    again, _ = workspace.read_session(tmp_path / "a.latviz")
    assert again.picture.origin["path"] == path
    write_report(tmp_path / "a.html", pictures, session)
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "<b>&amp;.png" not in page
    title = {LATIN_1: "caf\\udce9.png", "<b>&amp;.png": "&lt;b&gt;&amp;amp;.png"}.get(name, name)
    assert title in page


def test_names_too_long_for_an_ending_are_shortened_and_stay_apart() -> None:
    entries = [Entry(f"/a/{'x' * 248}{k}.png", 1, 1) for k in range(3)]
    entries += [Entry("/a/short.png", 1, 1), Entry(f"/a/{'é' * 125}.png", 1, 1)]
    stems = stems_in(entries)
    assert len(set(stems.values())) == 5
    assert stems["/a/short.png"] == "short.png"
    longest = max(map(len, KINDS.values()))
    assert max(len(os.fsencode(stem)) for stem in stems.values()) + longest <= 255
    assert names_in(entries)[entries[0].path] == Path(entries[0].path).name  # tables have it whole
    assert fitting_name("é" * 9, 18) == "é" * 9
    assert fitting_name("é" * 9, 17).startswith("éé-")


def test_something_in_the_way_costs_one_image_alone(
    in_this_process: None, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    images, out = tmp_path / "few", tmp_path / "out"
    for name in ("a.png", "left/b.png", "right/c.png"):
        write(images / name, noisy(truth_of(0, (12, 14)), 0))
    (out / "a.png.states.png").mkdir(parents=True)
    (out / "left").write_bytes(b"kept")
    path = tmp_path / "t.csv"
    asked = ["--states", "2", "--window", "1", "--encoding", "quantiles", "--processes", "1"]
    asked += ["--recursive", "--export-dir", str(out), "--table", str(path)]
    assert cli.run([str(images), *asked]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "a.png.states.png cannot be written: it is a folder, not a file" in said[0]
    assert f"{out / 'left'} is a file, not a folder" in said[1]
    with path.open(newline="", encoding="utf-8") as stream:
        problems = {Path(row["path"]).name: row["problem"] for row in csv.DictReader(stream)}
    assert [bool(problems[name]) for name in ("a.png", "b.png", "c.png")] == [True, True, False]
    assert (out / "right" / "c.png.states.png").is_file()
    assert (out / "left").read_bytes() == b"kept"
    (out / "latviz-done.jsonl").unlink()
    (out / "latviz-done.jsonl").mkdir()
    assert cli.run([str(images), *asked]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_rule_of_labels_may_be_of_any_length(
    in_this_process: None, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entry = Entry(str(tmp_path / "a.png"), 1, 1)
    for rule in ("x" * 5000, f"{'x/' * 2500}", "a\0b", "\udce9"):
        assert read_entry(entry, rule).truth is None
        assert find([tmp_path], truth=rule).shelf is not None
    asked = ["--states", "2", "--window", "1", "--table", str(tmp_path / "t.csv")]
    assert cli.run([str(tmp_path / "*.png"), *asked, "--labels", "x" * 5000]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert len(line) < 200
    assert (tmp_path / "t.csv").is_file()


def test_content_that_changes_in_the_same_size_and_time_is_read_again(tmp_path: Path) -> None:
    path, store = tmp_path / "a.png", Store(tmp_path / "store")
    path.write_bytes(b"one")
    os.utime(path, ns=(10**18, 10**18))
    first = store.digest(path)
    assert store.digest(path, at_once=True) == first
    path.write_bytes(b"two")
    os.utime(path, ns=(10**18, 10**18))
    assert store.digest(path) != first
    other = tmp_path / "b.png"
    other.write_bytes(b"six")
    os.utime(other, ns=(10**18, 10**18))
    third = store.digest(path)
    os.replace(other, path)  # another file, by another inode
    assert store.digest(path) != third


def test_a_small_picture_is_drawn_again_with_its_content(tmp_path: Path) -> None:
    path, store = tmp_path / "a.png", Store(tmp_path / "store")
    entry = Entry(str(path), 3, 10**18)
    path.write_bytes(b"one")
    os.utime(path, ns=(10**18, 10**18))
    place = store.picture("small", entry)
    assert store.picture("small", entry) == place
    path.write_bytes(b"two")
    os.utime(path, ns=(10**18, 10**18))
    assert store.picture("small", entry) != place


def test_names_that_the_window_system_replaced_are_found_on_the_disk(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"r\xe9s")
    folder.mkdir()
    for name in (LATIN_1, "\ufffd.png", os.fsdecode(b"a\xe8.png"), os.fsdecode(b"a\xe9.png")):
        (folder / name).touch()
    shown = str(tmp_path / "r\ufffds")
    assert on_disk(f"{shown}/caf\ufffd.png") == str(folder / LATIN_1)
    assert on_disk(f"{shown}/\ufffd.png") == str(folder / "\ufffd.png")
    assert on_disk(shown) == str(folder)
    for path in (f"{shown}/a\ufffd.png", f"{shown}/none\ufffd.png"):  # two such names, and none
        assert on_disk(path) == path.replace(shown, str(folder))
    assert on_disk("/none\ufffd") == "/none\ufffd"
    assert on_disk("none.png") == "none.png"
