"""Tables and files of images with odd names: nothing is lost."""

import csv
import os
from dataclasses import replace
from pathlib import Path

from latviz import cli
from latviz.collection.reading import Unreadable, find
from latviz.engine.pictures.shelf import Entry
from latviz.files.names import fitting_name
from latviz.wings.many.results.batch import KINDS, names_in, stems_in
from latviz.wings.many.results.record import RecordTask, computed
from latviz.wings.many.results.store import Store, mark_of
from latviz.wings.many.results.tables import write_table
from tests.collection.pictures import noisy, truth_of, write
from tests.collection.test_odd_names import LATIN_1, NAMES, PARAMETERS, pytestmark  # noqa: F401


def test_a_table_and_files_of_all(odd_folder: Path, tmp_path: Path) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "out"
    asked = ["--states", "2", "--window", "1", "--encoding", "quantiles", "--processes", "1"]
    asked += ["--table", str(path), "--export-dir", str(out)]
    assert cli.run([str(odd_folder), *asked]) == 0
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    found = {row["path"] for row in rows}
    wanted = {str(odd_folder / name).replace("\udce9", "\\udce9") for name in NAMES}
    assert found == wanted
    assert not any(row["problem"] for row in rows)
    assert len(list(out.glob("*.states.png"))) == len(NAMES)


def test_the_results_of_each_are_kept(odd_folder: Path, tmp_path: Path) -> None:
    shelf = find([odd_folder]).shelf
    assert len(shelf.entries) == len(NAMES)
    store, task = Store(tmp_path / "store"), RecordTask(PARAMETERS)
    record, _ = computed(shelf.entries[0], task)
    for entry in shelf.entries:
        store.keep(entry, task, replace(record, path=entry.path))
        assert store.known(entry, task) == replace(record, path=entry.path)
    write_table(tmp_path / "t.csv", [Unreadable(entry.path, "no") for entry in shelf.entries])
    with (tmp_path / "t.csv").open(newline="", encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == len(NAMES)


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
    in_this_process, odd_folder, tmp_path, capsys
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


def test_content_that_changes_in_the_same_size_and_time_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(b"one")
    os.utime(path, ns=(10**18, 10**18))
    first = mark_of(path)
    assert mark_of(path) == first
    path.write_bytes(b"two")
    os.utime(path, ns=(10**18, 10**18))
    assert mark_of(path) != first
    other = tmp_path / "b.png"
    other.write_bytes(b"six")
    os.utime(other, ns=(10**18, 10**18))
    third = mark_of(path)
    os.replace(other, path)  # another file, by another inode
    assert mark_of(path) != third
