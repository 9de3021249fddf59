"""A live page: a picture with its merge tree, which a browser decodes with any N, w and alpha."""

import json
import zlib
from base64 import b64encode
from html import escape
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from latviz import __version__, files
from latviz.computing import compute
from latviz.core.axes import VECTOR, Role, roles_of
from latviz.core.data.merge_tree import MergeTree
from latviz.core.disk.errors import ExportError
from latviz.core.disk.reading import read_text
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.choosing.scales import ladder
from latviz.engine.frames.frame import Frame
from latviz.engine.geometry.slots import N_SLOTS, slots_of_rows
from latviz.engine.keeping.session import Session
from latviz.engine.lessons.lesson import Lesson
from latviz.engine.pictures.picture import PictureSet, as_set
from latviz.files.suffixes import REPORT
from latviz.resources import resource
from latviz.sharing import live_lesson

MOST_BYTES = 150_000
"""Size of a page at most, so that it can be sent and opened on a phone."""


def check_suffix(path: str | Path) -> None:
    """Raise `ExportError` if the suffix is not that of a page."""
    if Path(path).suffix.lower() != REPORT:
        raise ExportError(Path(path), f"its suffix must be {REPORT}")


def write_live(
    path: str | Path,
    pictures: PictureSet,
    session: Session,
    progress: Progress | None = None,
    lesson: Lesson | None = None,
) -> None:
    """Write a live page on a session, or raise `ExportError` if a page cannot hold it.

    A lesson, whose session it is, takes the place of the page's questions.
    """
    check_suffix(path)
    try:
        check_held(pictures, session)
        html = live_page(compute(pictures, session.shown, progress=progress), session, lesson)
    except ParameterError as error:
        raise ExportError(Path(path), str(error)) from error
    files.writing.write_page(path, html)


def live_page(frame: Frame, session: Session, lesson: Lesson | None = None) -> str:
    """Return the page of the frame of a session; `ParameterError` if it cannot hold it."""
    check_held(as_set(frame.request.pictures), session)
    steps = [] if lesson is None else live_lesson.steps_of(lesson, session)
    if lesson is not None and 2 * len(steps) <= len(lesson.steps):
        raise ParameterError("a live page cannot show most steps of this lesson; choose another")
    html = html_of(frame, steps, frame.request.picture.name if lesson is None else lesson.title)
    if (size := len(html.encode(errors="backslashreplace"))) > MOST_BYTES:
        raise ParameterError(
            f"the live page would have {size // 1000} kB, of at most {MOST_BYTES // 1000}; open "
            "the picture reduced, or with fewer symbols"
        )
    return html


def check_held(pictures: PictureSet, session: Session) -> None:
    """Raise `ParameterError`, with a way out, if no page can hold a session."""
    if reason := refusal(pictures, session):
        raise ParameterError(f"a live page cannot hold this: {reason}")


def _is_vector(role: Role) -> bool:
    return role == VECTOR or (isinstance(role, tuple) and len(role) > 1)


def refusal(pictures: PictureSet, session: Session) -> str:
    """Return why a live page cannot hold a session, with a way out, or nothing."""
    state, parameters = session.state, session.state.parameters
    roles = roles_of(pictures.picture.origin.get("axes", ""))
    channels = next((axis for axis, role in roles.items() if _is_vector(role)), "c")
    symbols = "the encoding Colour palette (--encoding palette)"
    if pictures.picture.is_grey:
        symbols = "grey as quantiles (--encoding quantiles)"
    reasons = (
        (
            pictures.picture.dimensions > 2,
            "it holds sequences and images; open one slice of this volume",
        ),
        (len(pictures.everything) > 1, "it holds one picture; open this one alone"),
        (state.given is not None, "it learns its states; stop using the model"),
        (
            parameters.encoding.name == "channels",
            f"it holds symbols; open one channel of the file (--axes {channels}=0)",
        ),
        (
            not parameters.encoding.discrete,
            f"it holds symbols; choose {symbols}",
        ),
        (
            not parameters.decoding.is_nearest,
            "its states are the nearest codewords; choose that decoder (--decoder nearest)",
        ),
        (bool(parameters.further_windows), "it has one window; set the joined window to w"),
        (
            len(set(pictures.spacing or ())) > 1,
            "its pixels are as far apart along both axes; open an image of such",
        ),
        (bool(state.hand_cut), "its cuts are straight; reset the merges and splits"),
        (parameters.smoothing > 0, "it has no smoothing; set it to 0 (--smoothing 0)"),
        (parameters.alpha_mode != "constant", "its alpha is constant; set its kind"),
        (parameters.normalizer != "neighbours", "it divides by neighbours; set the normaliser"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def html_of(frame: Frame, steps: list[dict[str, Any]], title: str) -> str:
    """Return the page of a frame that is not refused, with all text of the user escaped."""
    content = json.dumps(_content(frame) | {"lesson": steps}, separators=(",", ":"))
    parts = {
        "title": escape(title),
        "node": frame.request.picture.node_name,
        "version": escape(__version__),
        "content": content.replace("<", "\\u003c"),  # nothing in it ends its element
        "style": _read("style.css"),
        "model": _read("model.js"),
        "behaviour": _read("page.js"),
    }
    return Template(_read("page.html")).substitute(parts)


def _read(name: str) -> str:
    return read_text(resource(f"live/{name}"))


def _content(frame: Frame) -> dict[str, Any]:
    parameters, picture = frame.request.parameters, frame.request.picture
    slots, every = _slots(frame), tuple(range(N_SLOTS))
    colors = map(_hex, frame.appearance.colors(every).tolist())
    looks = zip(colors, frame.appearance.names(every), strict=True)
    assert frame.cut is not None
    return {
        "picture": _picture(frame),
        "tree": {**written_tree(frame.cut.hierarchy.tree), "slots": slots},
        "windows": ladder(picture),
        "setting": {
            "n": parameters.n_states,
            "w": parameters.window,
            "alpha": parameters.alpha,
        },
        "learning": parameters.effective_learning_window,
        "looks": [{"color": color, "name": name} for color, name in looks],
        "node": picture.node_name,
    }


def _picture(frame: Frame) -> dict[str, Any]:
    """Return the symbols of the picture; unknown nodes are one more."""
    picture, observed = frame.request.picture, frame.observations
    symbols = np.asarray(observed.values, np.uint8)
    if picture.known is not None:
        symbols = np.where(picture.known, symbols, np.uint8(observed.n_symbols))
    height, width = np.atleast_2d(symbols).shape
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return {
        "name": picture.name,
        "height": height,
        "width": width,
        "dimensions": picture.dimensions,
        "size": observed.n_symbols,
        "names": observed.names,
        "colors": [*map(_hex, observed.colors.tolist())],
        "symbols": _text(deflate.compress(symbols.tobytes()) + deflate.flush()),
    }


def written_tree(tree: MergeTree, most: int = N_SLOTS) -> dict[str, Any]:
    """Return the last merges of a tree: its clusters renumbered, the finest first, by merges."""
    n = min(most, tree.n_max)
    splits = tree.splits(n)
    merged, parts = splits.clusters[::-1].tolist(), splits.parts[::-1].tolist()
    finest = [c for pair in parts for c in pair if c not in set(merged)] or [2 * tree.n_max - 2]
    clusters = [*finest, *merged]
    places = {cluster: place for place, cluster in enumerate(clusters)}
    return {
        "n": n,
        "codewords": _text(tree.codewords(clusters).astype("<f8").tobytes()),
        "weights": tree.cluster_weights(clusters).tolist(),
        "merges": [[places[one], places[other]] for one, other in parts],
    }


def _slots(frame: Frame) -> list[int]:
    """Return the slot of each row of the tree, whose colour and number a state has."""
    slots = slots_of_rows(dict(frame.tree_slots), range(N_SLOTS))
    return [slots[row] for row in range(N_SLOTS)]


def _text(data: bytes) -> str:
    return b64encode(data).decode("ascii")


def _hex(color: tuple[int, int, int]) -> str:
    return "#{:02x}{:02x}{:02x}".format(*color)
