"""Results of images against the core and the oracle, kept and found again, in processes."""

import multiprocessing
import os
import time
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest
import tifffile

from latviz.collection.models import model_of
from latviz.collection.reading import Unreadable, find, read_entry, read_learned
from latviz.computing import compute
from latviz.core import residual_correlation
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.frames.listener import Watch
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.wings.many.results import running
from latviz.wings.many.results.record import (
    Record,
    RecordTask,
    columns,
    columns_of,
    computed,
    measured,
)
from latviz.wings.many.results.running import each, run
from latviz.wings.many.results.store import Store
from latviz.wings.many.results.tables import together, write_confusion, write_table
from tests import naive
from tests.collection.pictures import noisy, truth_of, write, write_noisy

PARAMETERS = Parameters(Encoding("quantiles", 4), n_states=3, window=2)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    folder = tmp_path_factory.mktemp("images")
    write_noisy(folder, 4, labels=True)
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nno image")
    found = find([folder]).shelf
    assert found is not None
    return found


@pytest.fixture(scope="module")
def given(shelf: Shelf) -> Given:
    opened = read_learned(shelf)
    return model_of(compute(opened.pictures, Decoding(PARAMETERS, 4096)))


def images(shelf: Shelf) -> list[Entry]:
    return [entry for entry in shelf.entries if entry.name != "broken.png"]


def test_a_record_is_what_the_core_computes(shelf: Shelf, given: Given) -> None:
    entry = images(shelf)[2]
    record, _ = computed(entry, RecordTask(given=given))
    pixels = noisy(truth_of(2), 2)
    values = given.encoder.encode(pixels).values
    states = given.model.decode(values)
    assert (record.height, record.width) == (40, 50)
    assert (record.n_states, record.window) == (3, 3)
    states = given.model.decode(values, window=3)
    own = naive.adjacency([states.astype(int)], 3)
    assert record.index("associativity") == pytest.approx(naive.associativity(own), rel=1e-12)
    assert record.index("associativity") != pytest.approx(
        naive.associativity(given.model.A), rel=1e-6
    )
    expected = naive.inertia([states.astype(int)], 3, 3)
    assert record.index("inertia") == pytest.approx(expected, rel=1e-6)
    assert record.shares == tuple((np.bincount(states.ravel(), minlength=3) / 2000).tolist())
    left = residual_correlation(values, states=states, kind="discrete", n_symbols=4)
    assert record.index("independence") == pytest.approx(1 - abs(left), rel=1e-9)
    table = np.zeros((3, 3), int)
    np.add.at(table, (truth_of(2).ravel(), states.ravel()), 1)
    np.testing.assert_array_equal(record.confusion, table)
    assert record.classes == ("10", "20", "30")
    best = max(table[0, a] + table[1, b] + table[2, c] for a, b, c in PERMUTATIONS)
    assert record.accuracy == pytest.approx(best / 2000)
    score = given.model.evaluate(values, window=3).bits_per_node
    assert record.likelihood_bits == pytest.approx(score, rel=1e-9)


UNDEFINED = tuple((name, float("nan")) for name in ("associativity", "inertia", "independence"))
PERMUTATIONS = [(a, b, 3 - a - b) for a in range(3) for b in range(3) if a != b]


def test_each_by_itself(shelf: Shelf) -> None:
    entry = images(shelf)[0]
    record, frame = computed(entry, RecordTask(PARAMETERS))
    picture = read_entry(entry)
    alone = compute(picture, Decoding(PARAMETERS, 4096))
    np.testing.assert_array_equal(frame.states, alone.states)
    chosen, _ = computed(entry, RecordTask(PARAMETERS, choose="N"))
    assert chosen.window == 2
    with pytest.raises(ParameterError, match="nothing to choose"):
        RecordTask(given=model_of(alone), choose="w")
    assert record.bits > 0


def test_tables(shelf: Shelf, given: Given, tmp_path: Path) -> None:
    records = [computed(entry, RecordTask(given=given))[0] for entry in images(shelf)]
    whole = sum(np.array(record.confusion) for record in records)
    found = together(records, one_model=True)
    np.testing.assert_array_equal(found.table, whole)
    best = max(whole[0, a] + whole[1, b] + whole[2, c] for a, b, c in PERMUTATIONS)
    assert found.accuracy == pytest.approx(best / whole.sum())
    swapped = [replace(r, confusion=tuple(row[::-1] for row in r.confusion)) for r in records[:2]]
    mixed = together([*swapped, *records[2:]], one_model=False)
    apart = together(records, one_model=False)
    np.testing.assert_array_equal(mixed.table, apart.table)  # states are matched in each
    assert apart.accuracy == pytest.approx(np.mean([record.accuracy for record in records]))
    one = replace(records[0], classes=("20",), confusion=(records[0].confusion[1],))
    few = together([one, records[1]], one_model=True)
    assert few.classes == ("10", "20", "30")
    assert few.table.sum() == sum(records[0].confusion[1]) + 2000
    assert together([replace(one, confusion=())], one_model=True) is None
    more = replace(one, n_states=4, classes=("a", "b"), confusion=((5, 1, 2, 3), (0, 7, 4, 1)))
    matched = together([more], one_model=False)
    assert matched.table.tolist() == [[5, 1, 5], [0, 7, 5]]  # the last is of no class
    path = tmp_path / "t.csv"
    write_table(path, [*records, Unreadable("/x.png", "it is broken")])
    lines = path.read_text().splitlines()
    assert lines[0].startswith("path,height,width,n_states,window,associativity,inertia,")
    assert "share_3" in lines[0]
    assert lines[-1].endswith(",it is broken")
    assert lines[1].split(",")[0] == records[0].path
    write_confusion(path, found)
    assert path.read_text().splitlines()[0] == "label,state 1,state 2,state 3"
    unknown = replace(records[0], accuracy=None, rand=None, indices=UNDEFINED)
    assert "accuracy" not in {column.name for column in columns_of([unknown])}
    below = replace(records[1], bits=-0.5, bits_of_one=0.25)  # a density
    for shown, hidden in ((records, "saved"), ([below, *records], "bits")):
        named = {column.name: column for column in columns_of(shown)}
        assert {"bits", "saved"} - named.keys() == {hidden}
    assert named["saved"].of(below) == 0.75
    independence = next(column for column in columns() if column.name == "independence")
    assert [r for r, _ in measured([unknown, records[1]], independence)] == [records[1]]


def test_what_is_known_is_not_computed_again(shelf: Shelf, tmp_path: Path, given: Given) -> None:
    store, task, entry = Store(tmp_path), RecordTask(PARAMETERS), images(shelf)[0]
    assert store.known(entry, task) is None
    record, _ = computed(entry, task)
    store.keep(entry, task, record)
    assert store.known(entry, task) == record
    assert store.known(entry, RecordTask(replace(PARAMETERS, alpha=0.5))) is None
    assert store.known(entry, RecordTask(given=given)) is None
    by_itself = RecordTask(RecordTask(given=given).parameters)
    chosen, sampled = (RecordTask(PARAMETERS, **one) for one in ({"choose": "N"}, {"sample": 9}))
    every = task, chosen, sampled, RecordTask(given=given), by_itself
    assert len({one.fingerprint for one in every}) == len(every)
    nameless = replace(record, indices=UNDEFINED)
    store.keep(entry, task, nameless)
    found = store.known(entry, task)
    assert np.isnan(found.index("independence"))
    for place in (tmp_path / "results").rglob("*.json"):
        place.write_text(place.read_text()[:-9])
    assert store.known(entry, task) is None


def test_a_changed_file_and_new_labels_are_not_known(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    write(path, noisy(truth_of(0), 0))
    shelf = find([path]).shelf
    store, task = Store(tmp_path / "cache"), RecordTask(PARAMETERS)

    def is_known_when_kept() -> bool:
        store.keep(shelf.entry, task, computed(shelf.entry, task)[0])
        return store.known(shelf.entry, task) is not None

    assert is_known_when_kept()
    write(tmp_path / "a.labels.png", truth_of(0))
    assert store.known(shelf.entry, task) is None  # its accuracy is known now
    assert is_known_when_kept()
    write(path, noisy(truth_of(1), 1))
    os.utime(path, ns=(5, 5))
    assert store.known(shelf.entry, task) is None
    path.unlink()
    assert store.known(shelf.entry, task) is None


def test_a_store_is_limited(tmp_path: Path) -> None:
    store = Store(tmp_path, most=1000)
    for k in range(5):
        place = tmp_path / "results" / "ab" / f"{k}.json"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"x" * 400)
        os.utime(place, ns=(k, k))
    store.prune()
    assert sorted(place.name for place in tmp_path.rglob("*.json")) == ["3.json", "4.json"]


def test_a_process_does_what_this_one_does(shelf, given, tmp_path, monkeypatch) -> None:
    task, store, told = RecordTask(given=given), Store(tmp_path), list[float]()
    watch = Watch(lambda: False, told.append)
    results = list(run(shelf.entries, task, watch, store=store, workers=1))
    records = {r.name: r for r in results if isinstance(r, Record)}
    assert [r.path for r in results if isinstance(r, Unreadable)] == [
        entry.path for entry in shelf.entries if entry.name == "broken.png"
    ]
    for entry in images(shelf):
        alone, _ = computed(entry, task)
        assert replace(records[entry.name], seconds=0.0) == replace(alone, seconds=0.0)
    assert told[-1] == 1.0
    assert told == sorted(told)
    monkeypatch.setattr(running, "_processes", None)  # none may start
    again = run(images(shelf), task, store=store)
    assert [r for r in again if isinstance(r, Record)] == [
        records[entry.name] for entry in images(shelf)
    ]


@dataclass(frozen=True)
class Breaking:
    """Ends its process at one image, as the system does when memory runs out."""

    bad: str

    def __call__(self, entry: Entry) -> str:
        if entry.path == self.bad:
            os._exit(9)
        return entry.name


def test_a_process_that_is_ended_costs_its_own_image_alone(shelf: Shelf) -> None:
    bad = shelf.entries[2].path
    results = dict[Entry, str | Unreadable]()
    for entry, result in each(shelf.entries, Breaking(bad), workers=2):
        results[entry] = result
        time.sleep(0.2)  # the caller is busy: the process ends meanwhile
    assert len(results) == 5
    for entry, result in results.items():
        if entry.path == bad:
            assert isinstance(result, Unreadable)
            assert "the system ended its process" in result.reason
        else:
            assert result == entry.name


@dataclass(frozen=True)
class Counting:
    """Returns the id of its process."""

    def __call__(self, entry: Entry) -> int:
        return os.getpid()


def test_no_more_processes_work_than_the_system_waits_for(shelf, monkeypatch) -> None:
    monkeypatch.setattr(running, "MOST", 1)
    assert len({found for _, found in each(shelf.entries[:3], Counting(), workers=3)}) == 1


def test_a_process_that_is_ended_between_two_images_costs_none(shelf: Shelf) -> None:
    found = []
    for _, result in each(shelf.entries[:2], Counting(), workers=1):
        found.append(result)
        for process in multiprocessing.active_children():
            process.kill()
            process.join()
    assert len(set(found)) == 2
    assert all(isinstance(process, int) for process in found)


def test_it_can_be_cancelled(shelf: Shelf) -> None:
    stopped = [False]
    results = each(shelf.entries, Counting(), Watch(lambda: stopped[0]), workers=1)
    _, process = next(results)
    stopped[0] = True
    with pytest.raises(Cancelled):
        list(results)
    with pytest.raises(ProcessLookupError):
        os.kill(int(process) if isinstance(process, int) else 0, 0)


def test_memory_bounds_how_many_are_worked_on(shelf, monkeypatch) -> None:
    lab = RecordTask(Parameters(Encoding("lab"), n_states=4, decoder="belief"))
    assert running.bytes_a_pixel(lab) == running.PIXEL + 3 * 8 + 4 * 20
    monkeypatch.setattr(running, "ROOM", 2 * 2000 * 50)
    assert begun_in(running.Room(), images(shelf)) == 2


@pytest.mark.parametrize(
    ("left", "process", "expected"),
    [
        (3 * 2000 * 50, 0, 3),
        (3 * 2000 * 50, 1, 2),  # processes count, too
        (1, 0, 1),  # one does not fit, and is worked on alone
        (0, 0, 0),
    ],
)
def test_room_can_be_less(shelf: Shelf, left: int, process: int, expected: int) -> None:
    room = running.Room(lambda: left, process)
    assert begun_in(room, images(shelf)) == expected


def begun_in(room: running.Room, waiting: list[Entry]) -> int:
    """Return how many images of 2,000 pixels are in work together, at 50 bytes a pixel."""
    begun = list[Future[int]]()

    def submit(*_: object) -> Future[int]:
        begun.append(Future())
        if len(begun) == 1:  # the first is alone
            begun[0].set_result(0)
        return begun[-1]

    rounds = iter([False, False, True])
    tasks = running.Tasks(Counting(), 50, room, Watch(lambda: next(rounds)))
    with pytest.raises(Cancelled):
        list(tasks.within(Mock(submit=submit), 4, waiting))
    return max(0, len(begun) - 1)


def test_images_wait_until_there_is_room(shelf: Shelf) -> None:
    asked = [0]

    def left() -> int:
        asked[0] += 1
        return 1 if asked[0] > 2 else 0

    entry = images(shelf)[0]
    ((found, _),) = each([entry], Counting(), room=running.Room(left))
    assert found is entry
    assert asked[0] == 3


def test_how_a_file_was_read_is_in_its_record_and_is_kept(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "a.tif", np.arange(400, dtype=np.int16).reshape(20, 20))
    entry, task = Entry(str(tmp_path / "a.tif"), 0, 0), RecordTask()
    record, _ = computed(entry, task)
    assert ["int16" in note for note in record.notes] == [True]
    store = Store(tmp_path / "cache")
    store.keep(entry, task, record)
    assert store.known(entry, task) == record


def test_an_index_that_a_record_has_not_is_none() -> None:
    record = Record("a", 1, 1, 1, 0, (), 0.0, 0.0, 0.0, (1.0,))
    assert record.index("inertia") is None
