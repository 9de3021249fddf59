"""The program without a window: open pictures and sessions, and keep them in files."""

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz import engine, files
from latviz.core import digits
from latviz.core.axes import (
    APART,
    PLANE,
    VOLUME,
    Role,
    Roles,
    is_deep,
    of_time,
    roles_of,
    settled,
    shorthand,
)
from latviz.core.axes import text_of as text_of_roles
from latviz.core.checks import UNKNOWN
from latviz.core.data.masks import filled
from latviz.core.disk.errors import FileError, shortened
from latviz.core.errors import ParameterError
from latviz.engine.keeping.plain import Arrays, from_plain, to_plain
from latviz.engine.keeping.session import (
    Session,
    from_content,
    from_text,
    opened,
    sliced,
    to_content,
)
from latviz.engine.lessons import checking, facts
from latviz.engine.lessons.lesson import read as read_lesson
from latviz.engine.pictures import shelf as shelves
from latviz.engine.pictures.leaving import LEFT_OUT, read_without
from latviz.engine.pictures.picture import Picture, Pictures, PictureSet, as_set
from latviz.engine.settings.parameters import Parameters, opening
from latviz.files.errors import ImageError, SessionError
from latviz.files.suffixes import holds_images, is_session, is_zarr

ANSWER_S = 15.0
"""A disk that does not answer for this long counts as gone."""
_DRAWN = "thumbnail"
_PATHS = "path", "truth", "mask"
"""The parts of an origin that are files."""
Asking = tuple[threading.Thread, list[str]]
"""The thread that computes the SHA-256 of a file, and the answer once it is there."""
_asking: dict[tuple[str, int], Asking] = {}
_asked = threading.Lock()


def read_picture(
    path: str | Path, axes: str | int = "", reduction: int = 1, mask: str | Path = ""
) -> Picture:
    """Read an image, a volume or one record of a sequence file; see `read_pictures`."""
    return read_pictures(path, axes, reduction, mask).picture


def read_pictures(
    path: str | Path, axes: str | int = "", reduction: int = 1, mask: str | Path = ""
) -> PictureSet:
    """Read an image, a volume or the records of a sequence file.

    ``axes`` gives roles to axes of the file beside rows and columns, such as "t=3, z=apart, c=0+2"
    (see `latviz.core.axes`); those without one have their usual role. Shorthands are "plane=4", or
    the number alone, for one plane, from 0, and "volume=lattice" for an axis of planes as one of
    the lattice.

    Text and FASTA files hold sequences (see `read_sequences`); the record ``record`` is shown. A
    zarr folder is read at the finest level that fits (see `read_level`), at the time ``t``. The
    images in another folder are slices, in the natural order of their names.
    Everything is reduced by ``reduction``.

    ``mask`` is an image of the same size, or of that of a slice, which is 0 where a pixel is
    unknown. Without it, name.mask.png next to name.tif is used if it is there.

    Raises
    ------
    ImageError
        If it cannot be read; the message names the file and the reason.
    """
    roles = _wanted(path, axes)
    if files.images.is_sequence(path):
        if mask:
            raise ImageError(Path(path), "letters have no mask; write N for a base to leave out")
        return _read_sequences(path, roles, reduction)
    more: dict[str, Any] = {}
    with _unchanged(Path(path)):
        if is_zarr(path):
            file = files.levels.read_level(path, roles, reduction=reduction)
            # so that the same level is read again
            reduction = files.levels.reduction_of(path, file)
            more = {"levels": True, "page": file.roles.get("t", (0,))[0]}
        else:
            file = files.images.read_lattice(path, roles, reduction=reduction)
        dimensions = 1 if file.alphabet else 2 + is_deep(file.roles)
        digest = files.session_archive.sha256_of(path, reduction)
    origin = {
        "path": str(Path(path).absolute()),
        "axes": text_of_roles(file.roles),
        "reduction": reduction,
        "sha256": digest,
        **more,
    }
    shape = file.pixels.shape[1:] if file.alphabet else file.pixels.shape
    picture = Picture(
        file.pixels.reshape(shape),
        file.name,
        file.indices,
        file.notes,
        origin=origin,
        x=file.x,
        dimensions=dimensions,
        alphabet=file.alphabet,
        channels=file.channels,
        spacing=file.spacing,
        unit=file.spacing_unit,
        axes=file.axes,
        known=None if file.known is None else file.known.reshape(shape[:dimensions]),
    )
    if not mask and not is_zarr(path):
        mask = files.label_files.mask_next_to(Path(path)) or ""
    if mask:
        picture = _masked(picture, Path(mask))
    _ = picture.shown, picture.curves, picture.few_labels  # now, not when a window needs them
    return as_set(picture)


def _masked(picture: Picture, mask: Path) -> Picture:
    """Return an image without the nodes that a mask leaves out; see `read_pictures`."""
    try:
        seen = files.labels.read_mask(mask, picture.shape, picture.origin["reduction"])
    except ImageError as error:
        reason = f"its mask {shortened(mask.name)}: {error.reason}"
        raise ImageError(Path(picture.origin["path"]), reason) from error
    known = seen if picture.known is None else seen & picture.known
    if not known.any():
        reason = f"its mask {shortened(mask.name)} leaves no pixel that is known; mark some by 255"
        raise ImageError(Path(picture.origin["path"]), reason)
    note = f"{np.count_nonzero(~seen):,} of {seen.size:,} {picture.node_name}s are left out"
    return replace(
        picture,
        pixels=filled(picture.pixels, known),
        labels=None if picture.labels is None else filled(picture.labels, known),
        known=known,
        notes=(*picture.notes, f"{note} by the mask {shortened(mask.name)}"),
        origin={**picture.origin, "mask": str(mask.absolute())},
    )


def _wanted(path: str | Path, axes: str | int) -> dict[str, Role]:
    """Return the roles of a text, or that of a plane of this number."""
    if isinstance(axes, int):
        return {PLANE: (axes,)}
    try:
        return roles_of(axes)
    except ParameterError as error:
        raise ImageError(Path(path), str(error)) from error


def _record(path: str | Path, roles: Roles) -> int:
    """Return the record that is shown, the only axis of a sequence file, or raise `ImageError`."""
    role = roles.get("record", roles.get(PLANE, (0,)))
    if set(roles) - {"record", PLANE} or not isinstance(role, tuple) or len(role) != 1:
        raise ImageError(Path(path), "the only axis that can be set is record, to one entry")
    return role[0]


def with_truth(picture: Picture, labels: Path) -> Picture:
    """Return an image with the known states that a label image has; see `read_labels`."""
    # Its origin names their file, and the classes of its numbers. A note gives the number of pixels
    # without a class.
    reduction = picture.origin.get("reduction", 1)
    try:
        ranks, classes = files.labels.read_labels(labels, picture.shape, reduction)
    except ImageError as error:
        reason = f"its label image {shortened(labels.name)}: {error.reason}"
        raise ImageError(Path(picture.origin.get("path", labels)), reason) from error
    origin = {**picture.origin, "truth": str(labels), "classes": list(classes)}
    left_out = float(np.mean(ranks == UNKNOWN))
    notes = (
        (f"labels: {digits.share(left_out)} of the pixels have none (void)",) if left_out else ()
    )
    return replace(picture, truth=ranks, origin=origin, notes=(*picture.notes, *notes))


def read_from(origin: Mapping[str, Any]) -> Picture:
    """Read a picture again from its origin: its file, labels, colours and part."""
    pictures = _unchanged_since(origin)
    picture = pictures.picture
    if "truth" in origin:
        picture = with_truth(picture, Path(origin["truth"]))
    if origin.get("coloured"):
        picture = shelves.coloured(picture)
    return _without(shelves.cut(picture, origin["part"]) if "part" in origin else picture, origin)


def _without(picture: Picture, origin: Mapping[str, Any]) -> Picture:
    """Return a picture without the pixels that its origin says were left out."""
    return read_without(picture, origin[LEFT_OUT]) if LEFT_OUT in origin else picture


def _demo_of(origin: Mapping[str, Any]) -> PictureSet:
    """Return the demo of an origin, with its slices apart and its pixels left out as there."""
    picture, _ = make_picture(str(origin["demo"]))
    apart = APART in roles_of(origin.get("axes", "")).values()
    return as_set(_without(picture.sliced(apart), origin))


def read_again(origins: Sequence[Mapping[str, Any]], kept_at: str | Path = "") -> PictureSet:
    """Read pictures again that were opened before, from the files of their origins.

    A session file that holds them is at ``kept_at``, if there is one. ImageError or SessionError if
    they are missing or have changed.
    """
    if "demo" in origins[0]:
        return _demo_of(origins[0])
    if kept_at:
        return read_session(kept_at)[0]
    if is_of_one_file(origins):
        return _unchanged_since(origins[0])
    return PictureSet(tuple(map(read_from, origins)))


def is_of_one_file(origins: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if pictures are the whole content of one file, unchanged."""
    first = origins[0]
    shared = [first.get("path") == origin.get("path") for origin in origins]
    changed = any({"part", "truth", "coloured", LEFT_OUT} & origin.keys() for origin in origins)
    return all(shared) and not changed


def _unchanged_since(origin: Mapping[str, Any]) -> PictureSet:
    """Read the pictures of a file; raise `ImageError` if it is another one now."""
    path, digest = Path(origin["path"]), origin["sha256"]
    pictures = read_pictures(path, *_part_of(origin))
    if not files.session_archive.is_same(digest, pictures.picture.origin["sha256"]):
        raise ImageError(path, f"it has changed since it was opened; restore the old {path.name}")
    return pictures


def _part_of(origin: Mapping[str, Any]) -> tuple[str, int, str]:
    """Return what was read of a file: roles, or those of an older origin, and the rest."""
    older = shorthand(origin.get("page", 0), origin.get("volume") is True)
    return origin.get("axes", older), origin["reduction"], origin.get("mask", "")


def _read_sequences(path: str | Path, roles: Roles, reduction: int) -> PictureSet:
    if reduction != 1 or VOLUME in roles:
        raise ImageError(
            Path(path), "it is a sequence, which can be neither reduced nor opened as a volume"
        )
    record = _record(path, roles)
    with _unchanged(Path(path)):
        records = files.sequences.read_sequences(path, record=record)
        digest = files.session_archive.sha256_of(path)
    shared = {
        "path": str(Path(path).absolute()),
        "unit": "record",
        "reduction": 1,
        "sha256": digest,
    }
    pictures = [
        Picture(
            file.symbols,
            file.name,
            notes=file.notes,
            truth=file.labels,
            origin={**shared, "page": file.record, "pages": file.records},
            dimensions=1,
            alphabet=file.alphabet,
            truth_names=file.label_names,
            known=file.known,
        )
        for file in records
    ]
    shown = next(k for k, file in enumerate(records) if file.record >= record)
    return PictureSet(tuple(pictures), shown)


@contextmanager
def _unchanged(path: Path) -> Iterator[None]:
    """Raise `ImageError` if a file is another one at the end: its SHA-256 would be another's."""
    before = _mark(path)
    yield
    if _mark(path) != before:
        raise ImageError(path, "it was changed while it was read; open it again")


def _mark(path: Path) -> list[tuple[int, ...]]:
    try:
        places = [path, *sorted(path.iterdir())] if holds_images(path) else [path]
        stats = [place.stat() for place in places]
    except (OSError, ValueError):  # reading it reports the reason
        return []
    return [(found.st_size, found.st_mtime_ns, found.st_ino) for found in stats]


def dimensions_of(path: str | Path, axes: str = "") -> int:
    """Return the d of the picture that `read_picture` would make, without reading its pixels."""
    if files.images.is_sequence(path):
        return 1
    with suppress(FileError, ParameterError):  # reading it reports the reason
        roles = _wanted(path, axes)
        if is_zarr(path):
            found = files.levels.axes_of(files.pyramids.open_pyramid(path))
            return 2 + is_deep(settled(found, of_time(found, roles)))
        return files.images.dimensions_of(Path(path), roles)
    return 2


def read_work(
    path: str | Path | None,
    demo: str = "",
    axes: str | int = "",
    reduction: int = 1,
    state: str = "",
    mask: str | Path = "",
) -> tuple[PictureSet, Session]:
    """Return the pictures of a session file, an image file or a demo, with the session to show.

    Without a ``path`` it is the demo; ``state`` is a text of `to_text`, with further settings; the
    other arguments are those of `read_picture`.

    Raises
    ------
    ImageError, SessionError
        If the file cannot be read.
    ParameterError
        If the text is invalid, or sets impossible values.
    """
    if path is not None and is_session(path):
        pictures, session = read_session(path)
    elif path is not None:
        pictures = read_pictures(path, axes, reduction, mask)
        session = opened(pictures, opening(pictures.facts))
    else:
        picture, parameters = make_picture(demo)
        pictures = as_set(picture)
        session = opened(pictures, parameters)
    if state:
        session = replace(session, state=from_text(state, session.state), coloring=None)
        pictures = sliced(pictures, state)
        session.state.check(pictures)
    return pictures, session


def make_picture(name: str) -> tuple[Picture, Parameters]:
    """Generate a demo; return it with the parameters that suit it.

    Raises
    ------
    ParameterError
        If no demo has that name.
    """
    demo = engine.pictures.demos.make_demo(name)
    picture = Picture(
        demo.image,
        demo.title,
        demo.labels,
        (demo.summary,),
        demo.truth,
        {"demo": name},
        demo.dimensions,
        demo.alphabet,
        x=demo.x,
        channels=demo.channels,
    )
    _ = picture.few_labels  # counted now, not when a window needs it
    w = demo.window
    return picture, Parameters(demo.encoding, demo.n_states, window=w, learning_window=w)


def check_lesson(path: str | Path) -> list[str]:
    """Return all errors of a lesson, computing its every number."""
    found = read_lesson(Path(path))

    def facts_of(demo: str) -> facts.Facts:
        pictures, session = read_work(None, demo)
        return facts.Facts(replace(session.state, pictures=pictures))

    return checking.problems(found, facts_of)


def write_session(
    path: str | Path, session: Session, pictures: Pictures, drawn: NDArray[np.uint8] | None = None
) -> None:
    """Write a session file, with its pictures inside or with references to them.

    ``drawn`` is its small picture for lists, which `read_preview` reads.

    A demo is stored by its name. An image file is stored by its path from the session's folder, its
    page and its SHA-256; a sequence file with all its records likewise. Pictures are embedded on
    request, if their file has changed, is missing or its disk does not answer, and if they have no
    file.

    Raises
    ------
    ExportError
        If the file cannot be written.
    """
    arrays: Arrays = {}
    content = {
        **to_content(session, arrays),
        "title": as_set(pictures).picture.name,
        "picture": _kept(as_set(pictures), Path(path), arrays, session.embedded),
    }
    if drawn is not None:
        arrays[_DRAWN] = drawn
    files.session_archive.write_session(path, content, arrays)


def read_preview(path: str | Path) -> tuple[str, NDArray[np.uint8] | None]:
    """Read the name of a session's picture, and its small picture if any."""
    content, arrays = files.session_archive.read_session(path, {_DRAWN})
    drawn = arrays.get(_DRAWN)
    if drawn is not None and (drawn.ndim != 3 or drawn.shape[2] != 4 or drawn.dtype != np.uint8):
        drawn = None
    return str(content.get("title", "")), drawn


def read_session(path: str | Path) -> tuple[PictureSet, Session]:
    """Read a session file, and its pictures from their places.

    Raises
    ------
    SessionError
        If it cannot be read, has impossible values, or its image is missing or has changed.
    """
    content, arrays = files.session_archive.read_session(path)
    try:
        session = from_content(content, arrays)
        pictures = _found(content.get("picture"), Path(path), arrays)
        pictures = sliced(pictures, content)
        session.state.check(pictures)
        _ = pictures.facts  # found out now, not when a window needs them
    except ParameterError as error:
        reason = f"{error}; it is damaged or was changed by hand: get a fresh copy"
        raise SessionError(Path(path), reason) from error
    except FileError:
        raise
    except Exception as error:  # any error in the file becomes one line
        reason = "it is damaged or was changed by hand; get a fresh copy"
        raise SessionError(Path(path), reason) from error
    return pictures, session


def _kept(pictures: PictureSet, path: Path, arrays: Arrays, embed: bool) -> dict[str, Any]:
    """Return references to pictures or their files, or embed them."""
    origin = dict(pictures.picture.origin)
    origins = [each.origin for each in pictures.everything]
    if "demo" in origin:
        return {"origin": origin}
    pictures = pictures.changed(_whole)
    is_one_file, alone = is_of_one_file(origins), len(origins) == 1
    one_of_many = alone and origin.get("unit") == "record" and origin["pages"] > 1
    needed = [origin] if is_one_file else origins
    if embed or (is_one_file and one_of_many) or not all(map(is_there, needed)):
        held = pictures.picture if is_one_file and alone else pictures
        return {"embedded": to_plain(held, arrays, "picture")}
    if is_one_file:
        return {"origin": _placed(origin, path)}
    placed = [_placed(one, path) for one in origins]
    return {"origins": placed, "shown": pictures.shown, "beside": pictures.other is not None}


def _whole(picture: Picture) -> Picture:
    """Return a picture with the values of pixels that were left out, and the names of these."""
    return picture if picture.whole is None else replace(picture.whole, origin=picture.origin)


def _placed(origin: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Return an origin with the paths of its files relative to a session file at a path."""
    found = dict(origin)
    for name in _PATHS:
        if name in found:
            with suppress(ValueError):  # another drive
                found[name] = os.path.relpath(found[name], path.absolute().parent)
            found[name] = Path(found[name]).as_posix()
    return found


def _found_files(kept: Mapping[str, Any], path: Path, arrays: Arrays) -> PictureSet:
    """Return the pictures of a session file at a path, each from its own file."""
    listed = from_plain(tuple[Mapping[str, Any], ...], kept["origins"], arrays, "the pictures")
    pictures, folder = [], path.absolute().parent
    for origin in listed:
        places = {
            name: os.path.normpath(folder / from_plain(str, origin[name], arrays, f"its {name}"))
            for name in _PATHS
            if name in origin
        }
        try:
            pictures.append(read_from({**origin, **places}))
        except ImageError as error:
            name = shortened(str(places.get("path")), 200)
            reason = f"its image {name} cannot be read: {error.reason}"
            raise SessionError(path, reason) from error
    mark = "the mark of a picture that is not learned from"
    has_other = from_plain(bool, kept.get("beside"), arrays, mark)
    members = tuple(pictures[:-1] if has_other else pictures)
    shown = from_plain(int, kept.get("shown"), arrays, "the picture that is shown")
    return PictureSet(members, shown, pictures[-1] if has_other else None)


def is_there(origin: Mapping[str, Any]) -> bool:
    """Return if the image of a picture can be opened again as it was."""
    # If its disk does not answer in time, it cannot. Another thread reads it, which may hang for
    # ever; there is at most one for a file
    digest, path = origin.get("sha256"), origin.get("path")
    if digest is None or path is None:
        return False
    place = path, origin.get("reduction", 1)
    with _asked:  # two threads may check at once
        asking, found = _asking.get(place) or _begin_asking(place)
    asking.join(ANSWER_S)
    return len(found) == 1 and files.session_archive.is_same(digest, found[0])


def _begin_asking(place: tuple[str, int]) -> Asking:
    found: list[str] = []

    def ask() -> None:
        with suppress(ImageError):
            found.append(files.session_archive.sha256_of(*place))
        with _asked:
            _asking.pop(place, None)

    asking = _asking[place] = threading.Thread(target=ask, name="digest", daemon=True), found
    asking[0].start()
    return asking


def _found(kept: Any, path: Path, arrays: Arrays) -> PictureSet:
    """Return the pictures of a session file at a path."""
    if not isinstance(kept, Mapping):
        raise ParameterError(f"the picture must be a mapping, got {type(kept).__name__}")
    if "embedded" in kept:
        pictures = as_set(from_plain(Pictures, kept["embedded"], arrays, "the picture"))
        return pictures.changed(_embedded)
    if "origins" in kept:
        return _found_files(kept, path, arrays)
    origin = from_plain(Mapping[str, Any], kept.get("origin"), arrays, "the picture's origin")
    if "demo" in origin:
        return _demo_of(origin)
    part: tuple[str, type] = ("axes", str) if "axes" in origin else ("page", int)
    place, _, _, digest = (
        from_plain(kind, origin.get(name), arrays, f"the image's {name}")
        for name, kind in (("path", str), part, ("reduction", int), ("sha256", str))
    )
    image = Path(os.path.normpath(path.absolute().parent / place))
    mask = from_plain(str, origin.get("mask", ""), arrays, "the image's mask")
    masked = {**origin, "mask": mask and os.path.normpath(path.absolute().parent / mask)}
    try:
        pictures = read_pictures(image, *_part_of(masked))
    except ImageError as error:
        reason = f"its image {shortened(str(image), 200)} cannot be read: {error.reason}"
        raise SessionError(path, reason) from error
    if not files.session_archive.is_same(digest, pictures.picture.origin["sha256"]):
        raise SessionError(
            path,
            f"its image {shortened(str(image), 200)} has changed since the session was saved; "
            f"restore the old {shortened(image.name)}, or open the image itself",
        )
    return pictures


def _embedded(picture: Picture) -> Picture:
    """Check a picture from a session file, and mark its origin."""
    pixels, shape = picture.pixels, picture.shape
    if pixels.dtype not in (np.uint8, np.uint16, np.float32) or min(shape, default=0) < 1:
        raise ParameterError(f"the picture cannot be {pixels.dtype} of shape {pixels.shape}")
    if not np.isfinite(pixels).all():
        raise ParameterError("the picture must hold finite numbers")
    if picture.alphabet and (pixels.dtype != np.uint8 or pixels.max() >= len(picture.alphabet)):
        raise ParameterError("the sequence must hold symbols of its alphabet")
    for name in ("labels", "truth"):
        labels = getattr(picture, name)
        if labels is not None and labels.shape != shape:
            raise ParameterError(f"the picture's {name} have shape {labels.shape}, not {shape}")
    found = replace(picture, origin={**picture.origin, "embedded": True})
    return _without(found, found.origin)
