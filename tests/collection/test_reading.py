"""Shelves of files: the files found, those learned from, and those shown."""

import os
from pathlib import Path

import numpy as np
import pytest

from latviz.collection import reading
from latviz.collection.reading import (
    find,
    guess_labels,
    labelled_by,
    read_entry,
    read_learned,
    show,
)
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.frames.listener import Watch
from latviz.engine.keeping.session import Session
from latviz.engine.pictures import shelf as shelves
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.state import State
from latviz.files.errors import ImageError
from latviz.workspace import read_again, read_session, write_session
from tests.collection.pictures import noisy, truth_of, write, write_noisy


def names(shelf: Shelf | None) -> list[str]:
    return [entry.name for entry in shelf.entries]


def test_a_folder_is_listed_as_people_sort(tmp_path: Path) -> None:
    for name in ("b10.png", "B9.png", "a.jpg", ".hidden.png", "sub/c.png", "b10.labels.png"):
        write(tmp_path / name, noisy(truth_of(0), 0))
    (tmp_path / "notes.txt").write_text("ACGT")
    write(tmp_path / "labels" / "a.png", truth_of(0))
    assert names(find([tmp_path]).shelf) == ["a.jpg", "B9.png", "b10.png"]
    every = find([tmp_path], recursive=True).shelf
    assert names(every) == ["a.jpg", "B9.png", "b10.png", "c.png"]
    some = find([tmp_path / "b10.png", str(tmp_path / "*.png")])
    assert names(some.shelf) == ["b10.png", "B9.png"]
    assert some.failures == ()
    first = every.entries[0] if every else None
    assert first == Entry(
        str(tmp_path / "a.jpg"), os.path.getsize(first.path), os.stat(first.path).st_mtime_ns
    )


def test_files_that_follow_a_rule_leave_the_shelf(tmp_path: Path) -> None:
    for k in range(3):
        write(tmp_path / f"{k}.png", noisy(truth_of(k), k))
        write(tmp_path / f"{k}_truth.png", truth_of(k))
    opened = find([tmp_path]).shelf
    assert opened is not None
    assert names(opened) == [f"{k}{end}.png" for k in range(3) for end in ("", "_truth")]
    guess = guess_labels(opened)
    assert guess.ending == "_truth"
    left = labelled_by(opened.showing(3).ticking([2, 3, 5]), "_truth")
    assert names(left) == ["0.png", "1.png", "2.png"]
    assert (left.truth, left.ticked, left.shown) == ("_truth", (1,), 1)
    assert left.entries == find([tmp_path], truth="_truth").shelf.entries
    members = read_learned(left.ticking([0, 2])).pictures.members
    for member, k in zip(members, (0, 2), strict=True):
        np.testing.assert_array_equal(member.truth, truth_of(k))
    assert guess_labels(left) is None
    assert labelled_by(opened.ticking([1]), "_truth").ticked == (0,)
    with pytest.raises(ParameterError, match="all images would be label images by '_truth'"):
        labelled_by(opened.keeping([1, 3]), "_truth")


def test_what_is_not_there_is_a_failure_with_its_reason(tmp_path: Path) -> None:
    good = write(tmp_path / "a.png", noisy(truth_of(0), 0))
    (tmp_path / "empty").mkdir()
    found = find([tmp_path / "no.png", tmp_path / "empty", str(tmp_path / "*.bmp"), good])
    assert names(found.shelf) == ["a.png"]
    reasons = [failure.reason for failure in found.failures]
    assert "no such file" in reasons[0]
    assert "holds no image" in reasons[1]
    assert "this pattern fits no image" in reasons[2]
    assert find([tmp_path / "empty"]).shelf is None


@pytest.mark.parametrize(
    ("label", "rule"),
    [
        ("a.labels.png", ""),
        ("a.jpg.labels.png", ""),
        ("a_labels.tif", ""),
        ("labels/a.png", ""),
        ("gt/a.png", "gt"),
        ("a_truth.png", "_truth"),
    ],
)
def test_labels_are_the_truth(tmp_path: Path, label: str, rule: str) -> None:
    truth = truth_of(3)
    write(tmp_path / "a.jpg", noisy(truth, 3))
    write(tmp_path / label, (truth * 100).astype(np.uint8))
    shelf = find([tmp_path], truth=rule).shelf
    assert names(shelf) == ["a.jpg"]
    picture = read_entry(shelf.entry, shelf.truth)
    np.testing.assert_array_equal(picture.truth, truth)
    assert picture.origin["classes"] == ["0", "100", "200"]


def test_labels_that_do_not_fit_are_a_reason(tmp_path: Path) -> None:
    write(tmp_path / "a.png", noisy(truth_of(3), 3))
    write(tmp_path / "a.labels.png", truth_of(3)[:-1])
    shelf = find([tmp_path]).shelf
    with pytest.raises(ImageError, match="50 × 39 pixels, but the image is 50 × 40"):
        read_entry(shelf.entry)
    rng = np.random.default_rng(0)
    write(tmp_path / "a.labels.png", rng.integers(0, 200, (40, 50)).astype(np.uint8))
    with pytest.raises(ImageError, match=r"its label image a\.labels\.png: it has 200 labels"):
        read_entry(shelf.entry)


def test_labels_in_colour(tmp_path: Path) -> None:
    truth, colours = truth_of(1), np.array([[255, 0, 0], [0, 0, 0], [0, 0, 255]], np.uint8)
    write(tmp_path / "a.png", noisy(truth, 3))
    write(tmp_path / "a.labels.png", colours[truth])
    shelf = find([tmp_path]).shelf
    picture = read_entry(shelf.entry)
    assert picture.origin["classes"] == ["#000000", "#0000ff", "#ff0000"]
    assert picture.truth is not None
    np.testing.assert_array_equal(np.array([1, 2, 0])[picture.truth], truth)


def test_what_is_ticked_is_learned_from(tmp_path: Path) -> None:
    write_noisy(tmp_path, 4)
    shelf = find([tmp_path]).shelf
    opened = read_learned(shelf.ticking([0, 2]).showing(2))
    assert [m.name for m in opened.pictures.members] == ["image 0.png", "image 2.png"]
    assert (opened.pictures.shown, opened.pictures.other) == (1, None)
    beside = show(opened.shelf, opened.pictures, 3)
    assert beside.pictures.other.name == "image 3.png"
    assert beside.pictures.members == opened.pictures.members
    back = show(beside.shelf, beside.pictures, 0)
    assert (back.pictures.shown, back.pictures.other, back.shelf.shown) == (0, None, 0)


def test_of_many_pixels_parts_are_learned_from(tmp_path, monkeypatch) -> None:
    write_noisy(tmp_path, 3, labels=True)
    monkeypatch.setattr(shelves, "MOST_LEARNED", 3 * 1200)
    monkeypatch.setattr(shelves, "LEAST_SIDE", 4)
    shelf = find([tmp_path]).shelf
    assert shelf is not None
    opened = read_learned(shelf)
    assert all(m.n_nodes <= 1250 for m in opened.pictures.members)
    assert opened.pictures.picture.shape == (40, 50)
    assert opened.pictures.other is not None
    (top, bottom), (left, right) = opened.pictures.members[1].origin["part"]
    assert abs(top + bottom - 40) <= 1
    assert abs(left + right - 50) <= 1
    np.testing.assert_array_equal(
        opened.pictures.members[1].pixels, noisy(truth_of(1), 1)[top:bottom, left:right]
    )
    np.testing.assert_array_equal(
        opened.pictures.members[1].truth, truth_of(1)[top:bottom, left:right]
    )
    one = read_learned(shelf.ticking([1]))
    assert one.pictures.members[0].shape == (40, 50)  # one alone is whole
    again = read_again([m.origin for m in opened.pictures.members])
    for before, after in zip(opened.pictures.members, again.members, strict=True):
        np.testing.assert_array_equal(before.pixels, after.pixels)
        np.testing.assert_array_equal(before.truth, after.truth)


def test_what_cannot_be_learned_from_is_told(tmp_path: Path) -> None:
    write(tmp_path / "1.png", noisy(truth_of(0), 0))
    (tmp_path / "2.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    write(tmp_path / "3.png", (truth_of(0).astype(np.uint16) * 9000))
    write(tmp_path / "4.png", np.repeat(noisy(truth_of(0), 0)[..., None], 3, axis=-1))
    shelf = find([tmp_path]).shelf
    opened = read_learned(shelf.showing(1))
    assert opened.shelf.ticked == (0, 3)
    assert opened.shelf.shown == 0
    assert sorted(Path(failure.path).name for failure in opened.failures) == ["2.png", "3.png"]
    assert all(not member.is_grey for member in opened.pictures.members)
    with pytest.raises(ImageError):
        read_learned(shelf.ticking([1]).showing(1))
    with pytest.raises(Cancelled):
        read_learned(shelf, Watch(lambda: True))


def test_most_images_are_learned_from_in_whatever_order_they_stand(tmp_path: Path) -> None:
    deep = (noisy(truth_of(0), 0).astype(np.uint16) * 257).astype(np.uint16)
    write(tmp_path / "a deep.png", deep)
    write_noisy(tmp_path, 2)
    shelf = find([tmp_path]).shelf
    assert [entry.name for entry in shelf.entries] == ["a deep.png", "image 0.png", "image 1.png"]
    opened = read_learned(shelf)
    assert (opened.shelf.ticked, opened.shelf.shown) == ((1, 2), 1)
    assert opened.pictures.picture.name == "image 0.png"
    (failure,) = opened.failures
    assert Path(failure.path).name == "a deep.png"
    assert "uint16" in failure.reason
    assert "convert it, or put images of its kind into their own folder" in failure.reason
    alone = read_learned(shelf.ticking([1, 2]))  # not ticked, and on screen
    assert (alone.shelf.shown, alone.failures) == (1, (failure,))
    with pytest.raises(ImageError, match="convert it"):
        show(opened.shelf, opened.pictures, 0)
    (tmp_path / "image 1.png").unlink()
    both = read_learned(shelf)  # as many of each: the first one decides
    assert (both.shelf.ticked, both.pictures.picture.pixels.dtype) == ((0,), np.uint16)


@pytest.mark.parametrize("embedded", [False, True])
def test_a_session_keeps_a_shelf(tmp_path: Path, embedded: bool) -> None:
    write_noisy(tmp_path, 3, labels=True)
    shelf = find([tmp_path]).shelf
    opened = read_learned(shelf.ticking([0, 1]).showing(2))
    state = State(pictures=opened.pictures, shelf=opened.shelf)
    path = tmp_path / "work.latviz"
    session = Session.of(state)
    if embedded:
        session = Session(session.state, embedded=True)
    write_session(path, session, opened.pictures)
    pictures, back = read_session(path)
    assert back.state.shelf == opened.shelf
    assert len(pictures.members) == 2
    np.testing.assert_array_equal(pictures.other.pixels, noisy(truth_of(2), 2))
    np.testing.assert_array_equal(pictures.other.truth, truth_of(2))
    np.testing.assert_array_equal(pictures.members[1].pixels, noisy(truth_of(1), 1))


def test_shelves_are_checked() -> None:
    entries = (Entry("/a.png", 1, 1), Entry("/b.png", 1, 1))
    shelf = Shelf.of(entries)
    assert shelf.toggled(0).ticked == (1,)
    assert shelf.toggled(0).toggled(1).ticked == (1,)  # the last one stays
    assert shelf.ticking([1, 0, 1]).ticked == (0, 1)
    for ticked, shown in (((), 0), ((0, 2), 0), ((1, 0), 0), ((0,), 2), ((0,), -1)):
        with pytest.raises(ParameterError):
            Shelf(entries, ticked, shown)


def test_what_was_read_before_is_not_read_again(tmp_path, monkeypatch) -> None:
    write_noisy(tmp_path, 4)
    shelf = find([tmp_path]).shelf
    first = read_learned(shelf.ticking([0, 1]))
    read: list[str] = []

    def noted(entry: Entry, truth: str = "") -> Picture:
        read.append(entry.name)
        return read_entry(entry, truth)

    monkeypatch.setattr(reading, "read_entry", noted)
    again = read_learned(shelf.ticking([1, 3]), known=first.pictures.everything)
    assert read == [shelf.entries[3].name]
    assert again.pictures.members[0] is first.pictures.members[1]
    assert again.pictures.picture is first.pictures.picture
