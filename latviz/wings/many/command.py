"""Makes files of many images, as options of the command line ask for."""

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from latviz import collection  # its modules load at first use: --help waits for none
from latviz.cli.many import Adjust
from latviz.cli.notes import ProgressLine, print_notes
from latviz.cli.parser import INTERRUPTED
from latviz.cli.standard import is_output, sent, streamed
from latviz.core.disk import inputs
from latviz.core.disk.errors import shortened
from latviz.core.disk.writing import check_targets
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.core.printable import complain, note, say
from latviz.engine.settings.parameters import Parameters
from latviz.wings.many import results  # likewise

if TYPE_CHECKING:  # these load NumPy, which --help must not wait for
    from latviz.collection.reading import Opened, Unreadable
    from latviz.engine.pictures.shelf import Shelf
    from latviz.engine.settings.given import Given
    from latviz.wings.many.results.batch import LearnedModel
    from latviz.wings.many.results.record import Record, RecordTask
    from latviz.wings.many.results.scoring import ChoiceScore
    from latviz.wings.many.results.store import Store
    from latviz.wings.many.results.tables import Together

OUTPUTS = ("export_dir", "table", "confusion", "score_choose")
"""The options that make files of many images."""


def run(options: argparse.Namespace, adjust: Adjust) -> int:
    """Make the requested files of many images; return the exit code.

    Raises
    ------
    FileError, ParameterError
        If it cannot be done at all.
    """
    if options.export_dir is not None:
        results.batch.make_folder(options.export_dir)
    check_targets(_targets(options))
    found = collection.reading.find(
        options.places, recursive=options.recursive, truth=options.labels
    )
    for failure in found.failures:
        complain(f"latviz: {failure.path}: {failure.reason}")
    if found.n_own:
        note(f"latviz: files that latviz wrote, left out: {found.n_own:,}")
    if found.shelf is None:
        return 1
    _check_inputs(options, found.shelf)
    if guess := collection.reading.guess_labels(found.shelf):
        note(f"latviz: {guess}; --labels={guess.ending} uses them as such")
    with _store(options) as store:
        try:
            failed = _made(options, adjust, found.shelf, store)
        except KeyboardInterrupt:
            complain("")  # end the line with the typed characters
            complain("latviz: interrupted; the same command continues from here")
            return INTERRUPTED
    return 1 if failed or found.failures else 0


def _targets(options: argparse.Namespace) -> list[Path]:
    """Return the files to write, besides those of each image."""
    names = ("table", "confusion", "score_choose", "save_model")
    named = (getattr(options, name) for name in names)
    single = [path for path in named if path is not None and not is_output(path)]
    folder = options.export_dir
    return single if folder is None else [folder / results.batch.DONE, *single]


def _check_inputs(options: argparse.Namespace, shelf: "Shelf") -> None:
    """Raise `TargetError` if a file to write is one to read; other processes read the images."""
    exported = [] if options.export_dir is None else _exported(options, shelf)
    if any(map(os.path.lexists, [*_targets(options), *exported])):
        inputs.hold(collection.reading.files_of(shelf))
        inputs.hold([options.model] if options.model else [])
        check_targets(_targets(options))
        for path in filter(os.path.lexists, exported):
            inputs.check_kept(path)


def _exported(options: argparse.Namespace, shelf: "Shelf") -> list[Path]:
    stems, folder = results.batch.stems_in(shelf.entries).values(), options.export_dir
    return [path for s in stems for path in results.batch.exported(folder, s, _kinds(options))]


def _kinds(options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(dict.fromkeys(options.export_as or ("png",)))


@contextmanager
def _store(options: argparse.Namespace) -> "Iterator[Store]":
    """Yield where results are kept: with --afresh in a folder that is thrown away."""
    import tempfile  # not above: it is seldom needed

    if not options.afresh:
        yield results.store.Store()
        return
    with tempfile.TemporaryDirectory(prefix="latviz-") as folder:
        yield results.store.Store(folder)


def _made(options: argparse.Namespace, adjust: Adjust, shelf: "Shelf", store: "Store") -> bool:
    """Make the files; return whether an image failed."""
    if options.score_choose:
        return _scored(options, adjust, shelf)
    task = _task(options, adjust, shelf, store)
    if options.save_model:
        assert task.given is not None
        collection.models.write_model(
            options.save_model, replace(task.given, name=options.save_model.name)
        )
        if not any(getattr(options, name) for name in OUTPUTS):
            return False
    batch = results.batch.Batch(
        shelf.entries,
        task,
        shelf.truth,
        options.export_dir,
        _kinds(options),
        store,
        options.processes,
    )
    made: dict[str, Record | Unreadable] = {}
    line = ProgressLine("Computing", len(shelf.entries))
    try:
        for result in batch.run(line):
            made[result.path] = result
            if isinstance(result, collection.reading.Unreadable):
                line.fail(result.path, result.reason)
    finally:
        line.clear()
        ordered = [made[e.path] for e in shelf.entries if e.path in made]
        found = _write(options, task, ordered)
    if found is None:
        _check_labels(options)
    return any(isinstance(r, collection.reading.Unreadable) for r in made.values())


def _write(
    options: argparse.Namespace, task: "RecordTask", made: "list[Record | Unreadable]"
) -> "Together | None":
    """Write the table and the confusion, print the accuracy, and return both together."""
    if options.table:
        with sent(options.table) as path:
            results.tables.write_table(path, made)
    records = [r for r in made if isinstance(r, results.record.Record)]
    print_notes((record.path, note) for record in records for note in record.notes)
    found = results.tables.together(records, one_model=task.given is not None)
    if found is not None:
        _report(options, f"{results.tables.sentence(found, len(made))}.")
        if options.confusion:
            with sent(options.confusion) as path:
                results.tables.write_confusion(path, found)
    return found


def _report(options: argparse.Namespace, text: str) -> None:
    """Print a line of results, or a note if a table goes to the standard output."""
    (note if streamed(options) else say)(text)


def _check_labels(options: argparse.Namespace) -> None:
    """Raise `ParameterError` if labels were requested, because no image has any."""
    if options.labels:
        rule = repr(shortened(options.labels))
        raise ParameterError(
            f"--labels: no image has a label image that fits {rule}; check the folder or the ending"
        )
    if options.confusion:
        raise ParameterError("a confusion needs labels, and no image has any: use --labels")


def _task(
    options: argparse.Namespace, adjust: Adjust, shelf: "Shelf", store: "Store"
) -> "RecordTask":
    """Return the task for each image: with one model for all, learned or read."""
    task = results.record.RecordTask
    if options.model is not None:
        given = collection.models.read_model(options.model)
        return task(adjust(applied(given)), given)
    if options.each:
        opened = results.batch.first_of(shelf)
        return task(_begun(opened, adjust), choose=options.choose or "")
    models = results.batch.KeptModels(store, shelf, _asked(options))
    learned = models.known()
    if learned is None:
        learned = _learned(options, adjust, shelf)
        models.keep(learned)
    if learned.sentence:
        _report(options, learned.sentence)
    return task(learned.given.admitted(learned.parameters), learned.given)


def _learned(options: argparse.Namespace, adjust: Adjust, shelf: "Shelf") -> "LearnedModel":
    """Read the images to learn from, and learn one model from all."""
    reading = ProgressLine("Reading", len(shelf.ticked))
    opened = collection.reading.read_learned(shelf, reading)
    reading.clear()
    line = ProgressLine("Learning", len(shelf.ticked))
    learned = results.batch.learn(opened, _begun(opened, adjust), options.choose, line)
    line.clear()
    return learned


def _asked(options: argparse.Namespace) -> str:
    """Return in words all that a model follows from, its images apart."""
    fields = {row.field for row in rows(Parameters)}
    given = {name: value for name, value in vars(options).items() if name in fields}
    return repr((sorted(given.items()), options.choose))


def _begun(opened: "Opened", adjust: Adjust) -> Parameters:
    from latviz.engine.settings.parameters import check_range, opening  # not above: NumPy's rest

    found = adjust(opening(opened.pictures.facts))
    check_range(found, opened.pictures.facts)
    return found


def applied(given: "Given") -> Parameters:
    """Return the parameters for an applied model, before options change them."""
    return given.admitted(Parameters(window=given.model.window))


def _scored(options: argparse.Namespace, adjust: Adjust, shelf: "Shelf") -> bool:
    """Write the loss of the choice against the best; return True if an image failed."""
    opened = results.batch.first_of(shelf)
    task = results.record.RecordTask(_begun(opened, adjust))
    work, line = (
        results.scoring.Scored(task, shelf.truth),
        ProgressLine("Scoring", len(shelf.entries)),
    )
    scored: dict[str, ChoiceScore | Unreadable] = {}
    try:
        each = results.running.each(shelf.entries, work, line, workers=options.processes)
        for entry, result in each:
            scored[entry.path] = result
            line.report(len(scored) / len(shelf.entries))
            if isinstance(result, collection.reading.Unreadable):
                line.fail(result.path, result.reason)
    finally:
        line.clear()
        found = [scored[e.path] for e in shelf.entries if e.path in scored]
        with sent(options.score_choose) as path:
            results.scoring.write_scores(path, found)
    scores = [r for r in found if isinstance(r, results.scoring.ChoiceScore)]
    if scores:
        _report(options, f"{results.scoring.sentence(scores)}.")
    return len(scores) < len(found)
