"""All files are written by one writer: links, pipes and modes of all kinds of files."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from latviz.collection.batch import KeptModels, LearnedModel
from latviz.collection.models import write_model
from latviz.collection.store import Store
from latviz.collection.thumbnails import thumbnail
from latviz.core import DiscreteModel, Encoding, encode, load_model, save_classifier, save_model
from latviz.core.disk import parts
from latviz.core.disk.errors import ExportError, FileError
from latviz.core.disk.writing import append, replacing
from latviz.core.errors import ParameterError
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.files.answers import add_row
from latviz.files.session_archive import write_session
from latviz.files.writing import write_arrays, write_page, write_summary, write_table
from tests.core.classify import cases

MODEL = DiscreteModel(np.eye(2) + 0.1, np.array([[0.8, 0.2], [0.2, 0.8]]), 1)
WRITERS: dict[str, Callable[[Path], None]] = {
    "a.npz": lambda place: save_model(MODEL, place),
    "b.npz": lambda place: MODEL.save(place),
    "a.latclf": lambda place: save_classifier(cases.fitted(), place),
    "a.latviz": lambda place: write_session(place, {}, {}),
    "c.npz": lambda place: write_arrays(place, {"a": np.eye(2)}),
    "a.json": lambda place: write_summary(place, {"a": 1}),
    "a.csv": lambda place: write_table(place, ["a"], [[1]]),
    "a.html": lambda place: write_page(place, "<p>"),
    "answers.csv": lambda place: add_row(place, ["a"], ["1"]),
}


@pytest.mark.posix("os.chown")
@pytest.mark.parametrize("name", WRITERS)
def test_links_are_followed_and_modes_are_kept(name: str, tmp_path: Path) -> None:
    real, link = tmp_path / f"real-{name}", tmp_path / name
    real.touch(0o600)
    link.symlink_to(real)
    WRITERS[name](link)
    assert link.is_symlink()
    assert real.stat().st_size > 0
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert sorted(one.name for one in tmp_path.iterdir()) == sorted((real.name, name))


@pytest.mark.posix("os.mkfifo", "/dev/null")
@pytest.mark.parametrize("name", WRITERS)
def test_pipes_and_devices_stay(name: str, tmp_path: Path) -> None:
    pipe, device = tmp_path / name, tmp_path / f"device-{name}"
    os.mkfifo(pipe)
    device.symlink_to("/dev/null")
    for place in (pipe, device):
        with pytest.raises((FileError, ParameterError), match="a device or a pipe, not a file"):
            WRITERS[name](place)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert device.is_symlink()


def test_nobody_foresees_the_name_of_a_part(tmp_path: Path) -> None:
    first, second = (parts.part_of(tmp_path / "a.npz").name for _ in range(2))
    assert first != second
    assert len({*first} & {*"0123456789abcdef"}) > 6


def test_a_link_at_the_name_of_a_part_is_not_written_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim, part = tmp_path / "victim", tmp_path / ".latviz-1.part"
    victim.write_text("precious")
    part.symlink_to(victim)
    monkeypatch.setattr("latviz.core.disk.writing.part_of", lambda _: part)
    with pytest.raises(ParameterError, match="cannot be written"):
        save_model(MODEL, tmp_path / "a.npz")
    assert victim.read_text() == "precious"


def test_models_are_written_through_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(os, "fsync", lambda number: seen.append(os.fstat(number).st_size))
    save_model(MODEL, tmp_path / "a.npz")
    assert seen == [(tmp_path / "a.npz").stat().st_size]


@pytest.mark.posix("os.chown")
def test_what_is_cached_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        values = np.arange(64, dtype=np.uint8).reshape(8, 8)
        image = tmp_path / "a.npy"
        np.save(image, values)
        observations = encode(values, Encoding("quantiles", 2))
        given = Given.of(MODEL, observations.encoder, "model")
        entry, store = Entry(str(image), 0, 0), Store(tmp_path / "cache")
        KeptModels(store, Shelf((entry,)), "").keep(LearnedModel(given, Parameters()))
        thumbnail(entry, store=store)
        store.digest(image)
    finally:
        os.umask(before)
    kept = [one for one in store.folder.rglob("*") if one.is_file()]
    assert {one.parent.parent.name for one in kept} == {"models", "digests", "thumbnails 96"}
    assert {stat.S_IMODE(one.stat().st_mode) for one in kept} == {0o600}
    write_model(tmp_path / "shared.npz", given)
    assert stat.S_IMODE((tmp_path / "shared.npz").stat().st_mode) == 0o666 & ~before
    assert load_model(tmp_path / "shared.npz").n_states == 2


def test_lines_are_added_to_a_file(tmp_path: Path) -> None:
    place = tmp_path / "a"
    append(place, b"1\n")
    append(place, b"2\n")
    assert place.read_bytes() == b"1\n2\n"
    with pytest.raises(ExportError, match="it is a folder"):
        append(tmp_path, b"")


@pytest.mark.posix("os.fork")
def test_parts_of_killed_programs_go_with_the_next_file(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        with replacing(tmp_path / "a") as stream:
            stream.write(b"half")
            os._exit(9)
    os.waitpid(child, 0)
    assert len(list(tmp_path.iterdir())) == 1
    with replacing(tmp_path / "b") as stream:
        stream.write(b"whole")
    assert [one.name for one in tmp_path.iterdir()] == ["b"]


def test_a_folder_that_was_being_written_goes_and_what_a_link_leads_to_stays(
    tmp_path: Path,
) -> None:
    old, link, kept = (tmp_path / name for name in (".latviz-a.part", ".latviz-b.part", "kept"))
    old.mkdir()
    (old / "chunk").touch()
    kept.mkdir()
    (kept / "mine").touch()
    link.symlink_to(kept)
    for place in (old, link):
        os.utime(place, (1e9, 1e9), follow_symlinks=False)
    parts.sweep(tmp_path)
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["kept", "mine"]


def test_numbers_of_processes_of_other_machines_mean_nothing(tmp_path: Path) -> None:
    part = tmp_path / ".latviz-999999999-0badf00d-0123456789abcdef.part"
    part.touch()
    parts.sweep(tmp_path)
    assert part.exists()
    os.utime(part, (1e9, 1e9))
    parts.sweep(tmp_path)
    assert not part.exists()
