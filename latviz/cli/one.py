"""The files of one image: pictures of the window and of views, results, pages and models."""

import argparse
import shlex
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from latviz import collection, sharing  # whose modules load at first use
from latviz.cli.notes import ProgressLine, print_notes
from latviz.cli.options import Adjust, part_of, settings_of
from latviz.cli.parser import ArgumentError
from latviz.cli.standard import STREAM, is_output, sent, streamed
from latviz.core.data.encoding import ENCODINGS
from latviz.core.disk import inputs
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import check_targets
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.core.printable import complain, detail, note, say
from latviz.engine.pictures.demo_titles import DEFAULT_DEMO
from latviz.engine.settings.parameters import Parameters, check_range
from latviz.files.suffixes import DPI, is_beliefs, is_summary
from latviz.resources import lessons

if TYPE_CHECKING:  # these load NumPy, which --help must not wait for
    from latviz.engine.advice.advice import Advice
    from latviz.engine.frames.frame import Frame
    from latviz.engine.keeping.session import Session
    from latviz.engine.lessons.lesson import Lesson
    from latviz.engine.pictures.picture import Picture, PictureSet

SNAPSHOT_SIZE = (1280, 800)


def write(options: argparse.Namespace, adjust: Adjust) -> None:
    """Write all files that the options ask for."""
    from latviz import workspace  # not above: it loads NumPy, which --help must not wait for

    given = (options.image, options.model, options.mask)
    inputs.hold(path for path in given if path is not None)
    check_targets(_targets(options))
    start = time.monotonic()
    options.lesson = _lesson(options)
    pictures, session = workspace.read_work(
        options.image,
        options.demo or DEFAULT_DEMO,
        part_of(options),
        options.reduce,
        settings_of(options),
        options.mask or "",
    )
    check_targets(_targets(options))  # of a session, the files of its pictures are known now
    session = _applied(options, pictures, session).adjusted(adjust)
    if "encoding.name" in options:
        _check_encoding(session.shown.parameters, pictures)
    _check_ranges(session.shown.parameters, pictures)
    shown = pictures.picture
    detail(f"latviz: {shown.name}: {_settings(session.shown.parameters, shown)}")
    if session.note:
        print_notes([(str(options.image), session.note)])
    if "demo" not in shown.origin:  # whose note says what it is
        print_notes((shown.name, note) for note in shown.notes)
    if options.choose:
        session = _chosen(options, pictures, session)
    session = _with_map(options, session)
    _draw_and_export(options, pictures, session)
    _write_pages(options, pictures, session)
    if options.save_model:
        _save_model(options.save_model, pictures, session)
    for path in _targets(options):
        detail(f"latviz: wrote {path}")
    detail(f"latviz: {time.monotonic() - start:.1f} s")


def _with_map(options: argparse.Namespace, session: "Session") -> "Session":
    """Return the session with the map of the options over the image, if they ask for one."""
    names = [name for name, _ in options.figure]
    if is_old := "map" in names:
        complain("latviz: --figure map is --map KIND --figure image now")
        options.figure = [("image" if n == "map" else n, path) for n, path in options.figure]
    if not (options.map or is_old):
        return session
    state = session.state
    display = state.display.with_layers("image", map=True)
    return replace(session, state=replace(state, map=options.map or state.map, display=display))


def _settings(parameters: Parameters, picture: "Picture") -> str:
    """Return the size of a picture and the parameters in force, for a detail."""
    found = [row for row in rows(parameters) if not row.refused(parameters, picture.dimensions)]
    values = (f"{row.short} {row.text(parameters)}" for row in found if row.essential)
    return "; ".join([" × ".join(map(str, picture.shape)), *values])


def _report(options: argparse.Namespace, text: str) -> None:
    """Print a line of results, or a note if a result itself goes to the standard output."""
    (note if options.json or streamed(options) else say)(text)


def _lesson(options: argparse.Namespace) -> "Lesson | None":
    """Return the lesson to write into a page, if any; set its demo and its settings."""
    name = options.lesson
    if name is None:
        return None
    from latviz.engine.lessons.lesson import read  # not above: it loads NumPy, as above

    found = lessons()
    if name not in found:
        from latviz.app.shell.settings import Settings  # not above: it loads Qt

        found = lessons(Settings().lessons_folder)
    lesson = read(found[name])
    options.demo, options.settings = lesson.demo_at(0), lesson.state
    return lesson


def _applied(options: argparse.Namespace, pictures: "PictureSet", session: "Session") -> "Session":
    """Return the session with the model to apply, if the pictures can be encoded for it."""
    if options.model is None:
        return session
    given = collection.models.read_model(options.model)
    if reason := given.refusal(pictures.picture):
        raise FileError(options.image, reason)
    return replace(session, state=session.state.applying(given), coloring=None)


def _save_model(path: Path, pictures: "PictureSet", session: "Session") -> None:
    from latviz import computing  # not above: it loads NumPy, as above

    with ProgressLine("Learning") as line:
        frame = computing.compute(pictures, session.shown, progress=line)
    collection.models.write_model(path, collection.models.model_of(frame, path.name))


def _write_pages(options: argparse.Namespace, pictures: "PictureSet", session: "Session") -> None:
    """Write what others read: a report, a live page, the handout of a lesson."""
    if options.report:
        with sent(options.report) as path:
            sharing.page.write_report(path, pictures, session)
    if options.live:
        with sent(options.live) as path:
            sharing.live.write_live(path, pictures, session, lesson=options.lesson)
    if options.handout:
        from latviz.app.lessons.handout import write_handout  # not above: they load Qt
        from latviz.app.program.main import application  # as above
        from latviz.app.program.platforms import draw_offscreen  # as above

        draw_offscreen()
        application()
        write_handout(options.handout, options.lesson)


def _targets(options: argparse.Namespace) -> list[Path]:
    """Return the files to write."""
    single = (options.snapshot, options.report, options.live, options.handout, options.save_model)
    figures = (path for _, path in options.figure)
    named = (*options.export, *options.regions, *single, *figures)
    return [path for path in named if path and not is_output(path)]


def _draw_and_export(
    options: argparse.Namespace, pictures: "PictureSet", session: "Session"
) -> None:
    """Write the window, figures of views, and results."""
    from latviz import computing, exports  # not above: they load NumPy, as above

    results = [*options.export, *([Path(f"{STREAM}.json")] if options.json else [])]
    cut = session.state.region_cut if options.regions else None
    with ProgressLine("Computing") as line:
        if options.snapshot or options.figure:
            frame = _drawn(options, pictures, session)
        elif results or options.regions:
            frame = computing.compute_exported(
                pictures, session.shown, region_cut=cut, progress=line
            )
        elif options.advise:
            frame = computing.compute(pictures, session.shown, progress=line)
        else:
            return
    advice = _advice(options, frame, results)
    for path in sorted(results, key=lambda path: not is_beliefs(path)):  # which may be refused
        with sent(path) as written:
            exports.export_frame(frame, written, advice)
    if options.regions and frame.regions is None:  # a drawing needs none
        frame = computing.compute_exported(pictures, session.shown, region_cut=cut)
    for path in options.regions:
        with sent(path) as written:
            exports.export_regions(frame, written)


def _drawn(options: argparse.Namespace, pictures: "PictureSet", session: "Session") -> "Frame":
    """Draw the window and figures of views; return what they show."""
    from latviz.app.program.snapshot import (  # not above, as the window is not
        Drawings,
        UnknownView,
        snapshot,
    )

    size, theme = options.size or SNAPSHOT_SIZE, options.theme or "light"
    with ExitStack() as stack:
        figures = tuple((name, stack.enter_context(sent(path))) for name, path in options.figure)
        window = options.snapshot and stack.enter_context(sent(options.snapshot))
        drawings = Drawings(window, figures, options.dpi or DPI)
        try:
            return snapshot(pictures, session, drawings, size, theme)
        except UnknownView as error:
            raise ArgumentError(f"--figure: {error}") from error


def _advice(
    options: argparse.Namespace, frame: "Frame", results: Sequence[Path]
) -> "Advice | None":
    """Return the advice on a frame if an option needs it; print it if it was asked for."""
    from latviz import computing  # not above: it loads NumPy, as above

    if not (options.advise or any(is_summary(path) for path in results)):
        return None
    with ProgressLine("Trying other settings") as line:
        advice = computing.advise(frame, progress=line)
    if options.advise:
        _report(options, advice.says)
        _report(options, advice.because)
        if advice.offer is not None:
            _report(options, f"{advice.offer.text}: {shlex.join(advice.offer.options)}")
    return advice


def _check_encoding(parameters: Parameters, pictures: "PictureSet") -> None:
    """Raise `ArgumentError` if pictures cannot have the requested encoding."""
    if reason := parameters.encoding.kind.refusal(pictures.facts):
        problem, _, remedy = reason.rpartition(": ")
        for kind in ENCODINGS.values():  # by its option, not by its name in the window
            remedy = remedy.replace(kind.title, f"--encoding {kind.name}")
        raise ArgumentError(f"--encoding: {problem}: {remedy}" if problem else remedy)


def _check_ranges(parameters: Parameters, pictures: "PictureSet") -> None:
    """Raise `ArgumentError` if a number is too large for pictures."""
    try:
        check_range(parameters, pictures.facts)
    except ParameterError as error:
        raise ArgumentError(str(error)) from error


def _chosen(options: argparse.Namespace, pictures: "PictureSet", session: "Session") -> "Session":
    """Return the session with w, N or both as the rule chooses them, and print why."""
    from latviz import computing  # not above: it loads NumPy, which --help must not wait for

    with ProgressLine("Choosing") as line:
        chosen = computing.choose(pictures, session.shown, what=options.choose, progress=line)
    _report(options, chosen.sentence)
    return session.adjusted(chosen.applied)
