"""Many images without a display: one model learned from all, or each by itself; files and tables.

No work is repeated: results and learned models are in a store, and the folder of exported files has
a list of written files, by the files of the images and all settings. So an interrupted run
continues where it stopped.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from latviz.collection.models import model_of, read_model, write_model
from latviz.collection.reading import Opened, Unreadable, read_learned
from latviz.computing import choose, compute
from latviz.core.disk.errors import ExportError, FileError, plain
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import append, check_target, folder_problem, replacing
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.core.progress import Progress
from latviz.engine.choosing.tradeoff import What
from latviz.engine.frames.frame import EXPORTED
from latviz.engine.keeping.plain import from_plain, to_plain
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.pictures.shelf import MOST_LEARNED, Entry, Shelf
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.exports import export_frame
from latviz.files.names import MOST_BYTES, fitting_name
from latviz.wings.many.results.record import Record, RecordTask, computed
from latviz.wings.many.results.running import bytes_a_pixel, each, run
from latviz.wings.many.results.store import OWNER_ALONE, Store, key_of, mark_of

KINDS = {"png": ".states.png", "tif": ".states.tif", "npz": ".npz", "json": ".json"}
"""Files of each image, by word, and the ends of their names."""
SHUFFLED = 120
"""Approximate bytes per pixel of shuffled copies, which summaries and arrays compare with."""
DONE = "latviz-done.jsonl"
"""The file in a folder of exports that lists written files: a line of JSON each."""
MOST_DONE = 1 << 28
"""Bytes of that list that are read: of two million images."""


@dataclass(frozen=True)
class LearnedModel:
    """The one model of a shelf."""

    given: Given
    parameters: Parameters  # that it was learned with
    sentence: str = ""  # the choice for it in words, if any


def first_of(shelf: Shelf) -> Opened:
    """Return the first readable picture of a shelf, as all to learn from, or raise `ImageError`."""
    failures = []
    for index in shelf.ticked:
        try:
            return read_learned(shelf.ticking([index]).showing(index))
        except FileError as error:
            failures.append(error)
    raise failures[0]


def learn(
    opened: Opened,
    parameters: Parameters,
    what: What | None = None,
    progress: Progress | None = None,
) -> LearnedModel:
    """Learn one model from all pictures that were opened, from all of their signatures."""
    # w or N (``what``) is chosen first, for all together. ParameterError if they cannot have the
    # encoding
    sentence = ""
    if what is not None:
        chosen = choose(opened.pictures, Decoding(parameters, LIVE), what=what)
        parameters = chosen.applied(parameters)
        sentence = chosen.sentence
    frame = compute(opened.pictures, Decoding(parameters, LIVE), progress=progress)
    n = len(opened.pictures.members)
    given = model_of(frame, f"of {n:,} image{'s' if n > 1 else ''}")
    return LearnedModel(given, parameters, sentence)


class KeptModels:
    """The models of shelves that are kept in a store."""

    # ``asked`` is the request as text: the same text means that the same is learned

    def __init__(self, store: Store, shelf: Shelf, asked: str) -> None:
        marks = [_mark(shelf.entries[k]) for k in shelf.ticked]
        words = RecordTask().fingerprint, MOST_LEARNED, asked, marks
        name = hashlib.sha256(repr(words).encode()).hexdigest()
        self._place = store.folder / "models" / name[:2] / f"{name[2:]}.npz"

    def known(self) -> LearnedModel | None:
        """Return the model if it was learned before; no picture is read."""
        try:
            stored = from_json(read_bytes(self._place.with_suffix(".json")))
            parameters = from_plain(Parameters, stored["parameters"], {}, "the parameters")
            given = replace(read_model(self._place), name=str(stored["name"]))
            return LearnedModel(given, parameters, str(stored["sentence"]))
        except (ParameterError, OSError, ValueError, LookupError, TypeError):
            return None

    def keep(self, learned: LearnedModel) -> None:
        """Keep a model, if it can be."""
        fields = {
            "name": learned.given.name,
            "sentence": learned.sentence,
            "parameters": to_plain(learned.parameters, {}, "parameters"),
        }
        with suppress(FileError, ParameterError, OSError):
            self._place.parent.mkdir(parents=True, exist_ok=True)
            write_model(self._place, learned.given, OWNER_ALONE, lasting=False)
            with replacing(self._place.with_suffix(".json"), OWNER_ALONE, lasting=False) as stream:
                stream.write(json.dumps(fields).encode())


def _mark(entry: Entry) -> tuple[object, ...]:
    """Return what changes with a file; () if it is not there, as it is not learned from either."""
    try:
        return mark_of(entry.path)
    except FileError:
        return ()


@dataclass(frozen=True)
class Exports:
    """Computes an image and exports its files."""

    task: RecordTask
    truth: str
    kept: Path  # the folder of the store
    folder: Path
    kinds: tuple[str, ...]
    # by path, each image's file name in the folder without suffix; see `stems_in`
    names: Mapping[str, str]

    def __call__(self, entry: Entry) -> Record:
        """Return the record of an image, whose files are written."""
        needs = EXPORTED if {"npz", "json"} & {*self.kinds} else frozenset()
        record, frame = computed(entry, self.task, self.truth, needs)
        for path in self.paths(entry):
            make_folder(path.parent)
            export_frame(frame, path)
        Store(self.kept).keep(entry, self.task, record, self.truth)
        return record

    def paths(self, entry: Entry) -> list[Path]:
        """Return the files of an image."""
        return exported(self.folder, self.names[entry.path], self.kinds)

    def key(self, entry: Entry) -> str:
        """Return the key of an image's export: all that its files follow from; see `key_of`."""
        given = self.task.given
        look = () if given is None else (given.slots, given.looks)
        words = key_of(entry, self.task, self.truth), look, self.names[entry.path]
        return hashlib.sha256(repr(words).encode()).hexdigest()


def names_in(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the name of each image: its path from the common folder."""
    paths = [entry.path for entry in entries]
    try:
        common = os.path.commonpath([os.path.dirname(path) for path in paths])
        return {path: os.path.relpath(path, common) for path in paths}
    except ValueError:  # on several drives
        return {path: f"{k + 1}-{os.path.basename(path)}" for k, path in enumerate(paths)}


def stems_in(entries: Sequence[Entry]) -> dict[str, str]:
    """Return the name of each image in a folder of exports, short enough for all endings."""
    room, found = MOST_BYTES - max(map(len, KINDS.values())), dict[str, str]()
    for path, name in names_in(entries).items():
        folder, own = os.path.split(name)
        found[path] = os.path.join(folder, fitting_name(own, room))
    return found


def exported(folder: Path, stem: str, kinds: Sequence[str]) -> list[Path]:
    """Return the files of an image in a folder of exports, by its name; see `stems_in`."""
    return [folder / f"{stem}{KINDS[kind]}" for kind in kinds]


@dataclass(frozen=True)
class Batch:
    """The task for all images of a shelf."""

    entries: tuple[Entry, ...]
    task: RecordTask
    truth: str = ""
    folder: Path | None = None  # the folder for files; None: no files are written
    kinds: tuple[str, ...] = ("png",)  # of `KINDS`
    store: Store = field(default_factory=Store)
    workers: int | None = None  # processes; as many as threads without

    def run(self, progress: Progress | None = None) -> Iterator[Record | Unreadable]:
        """Yield each image's record, or its error, as they are done."""
        # ExportError if the folder cannot be made
        if self.folder is None:
            found = run(
                self.entries,
                self.task,
                progress,
                workers=self.workers,
                truth=self.truth,
                store=self.store,
            )
            yield from found
            return
        yield from self._exported(self.folder, progress)

    def _exported(self, folder: Path, progress: Progress | None) -> Iterator[Record | Unreadable]:
        stems, kept = stems_in(self.entries), self.store.folder
        work = Exports(self.task, self.truth, kept, folder, self.kinds, stems)
        written, left, n_done = _Written(folder), list[Entry](), 0
        for entry in self.entries:
            found = _obstacle(work, entry) or self._known(work, entry, written)
            if found is None:
                left.append(entry)
            else:
                n_done += 1
                yield found
        pixel = bytes_a_pixel(self.task) + (0 if self.kinds == ("png",) else SHUFFLED)
        for entry, result in each(left, work, progress, workers=self.workers, pixel=pixel):
            if isinstance(result, Record):
                with suppress(FileError):  # it was read a moment ago
                    written.add(work.key(entry), self.kinds)
            n_done += 1
            if progress is not None:
                progress.report(n_done / len(self.entries))
            yield result
        self.store.prune()

    def _known(self, work: Exports, entry: Entry, written: "_Written") -> Record | None:
        """Return the result of an image if all of its files are there already."""
        try:
            if not written.has(work.key(entry), self.kinds):
                return None
        except FileError:
            return None
        there = all(path.is_file() for path in work.paths(entry))
        return self.store.known(entry, self.task, self.truth) if there else None


def _obstacle(work: Exports, entry: Entry) -> Unreadable | None:
    """Return why files of an image cannot be written, as far as that is known before; or None."""
    for path in work.paths(entry):
        try:
            _check_folder(path.parent)
            if os.path.lexists(path):
                check_target(path)
        except ExportError as error:
            return Unreadable(entry.path, f"{error.name} cannot be written: {error.reason}")
    return None


def _check_folder(folder: Path) -> None:
    """Raise `ExportError` if files cannot be written into a folder, which need not be there."""
    try:
        problem = folder_problem(folder, is_made=True)
    except OSError as error:
        raise ExportError(folder, plain(error)) from error
    if problem:
        raise ExportError(folder, problem)


def make_folder(folder: Path) -> None:
    """Make a folder for files, unless it exists, or raise `ExportError`."""
    _check_folder(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(folder, plain(error)) from error


class _Written:
    """The list of files written into a folder; an incomplete line is ignored."""

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        check_target(folder / DONE)
        self._place, self._known = folder / DONE, set[tuple[str, str]]()
        text = ""
        with suppress(OSError):
            text = read_bytes(self._place, MOST_DONE).decode(errors="replace")
        for line in text.splitlines():
            with suppress(ValueError, TypeError, KeyError):
                stored = from_json(line)
                self._known |= {(stored["key"], kind) for kind in stored["kinds"]}
        self._is_cut = bool(text) and not text.endswith("\n")

    def has(self, key: str, kinds: Sequence[str]) -> bool:
        return {(key, kind) for kind in kinds} <= self._known

    def add(self, key: str, kinds: Sequence[str]) -> None:
        start = "\n" if self._is_cut else ""
        append(self._place, f"{start}{json.dumps({'key': key, 'kinds': list(kinds)})}\n".encode())
        self._is_cut = False
