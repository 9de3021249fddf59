"""A report as one self-contained page of HTML, without external links."""

import json
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import replace
from html import escape
from pathlib import Path
from string import Template

from latviz import __version__, files
from latviz.computing import compute
from latviz.core import digits
from latviz.core.disk.reading import read_text
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress, shares
from latviz.core.types import Floats
from latviz.engine.choosing.curves import curves_of
from latviz.engine.frames.frame import EXPORTED, Frame
from latviz.engine.frames.script import python_of
from latviz.engine.frames.section import Section
from latviz.engine.keeping.session import Session, text_of
from latviz.engine.pictures.picture import PictureSet
from latviz.resources import resource
from latviz.sharing.live import check_suffix, live_page
from latviz.sharing.report import (
    Table,
    drawn_curve,
    facts_of,
    filled_trade_off,
    indices_of,
    numbers_of,
    picture_png,
    settings_of,
    states_png,
    without_folder,
)

_SHADED = 45
"""Percent of the accent in the shade of the largest number of A."""


def write_report(
    path: str | Path, pictures: PictureSet, session: Session, progress: Progress | None = None
) -> None:
    """Write a page on a session."""
    check_suffix(path)
    files.writing.write_page(path, html_of(pictures, session, progress))


def html_of(pictures: PictureSet, session: Session, progress: Progress | None = None) -> str:
    """Return the page on a session, with all text of the user escaped."""
    own, trading = shares(progress, [1.0, 2.0])
    frame = compute(pictures, session.shown, progress=own, needs=EXPORTED)
    state, picture = replace(session.state, pictures=pictures), frame.request.picture
    section, trade_off = Section(picture.shape, state.slice), filled_trade_off(frame, trading)
    n, w = state.parameters.n_states, state.parameters.window
    colors = [f"#{r:02x}{g:02x}{b:02x}" for r, g, b in frame.colors.tolist()]
    curves = (
        _curve(curve.title, curve.unit, drawn_curve(trade_off, n, w, curve))
        for curve in curves_of(trade_off)
    )
    parts = {
        "title": escape(picture.name),
        "facts": escape(facts_of(frame)),
        "version": escape(__version__),
        "picture": _image(picture_png(picture, section), f"The picture {picture.name}"),
        "states": _image(states_png(frame, section), f"Its {len(colors)} states"),
        "live": _live(frame, session),
        "window": str(w),
        "n_states": str(len(colors)),
        "legend": _legend(colors, frame.occupancy / max(1, frame.occupancy.sum())),
        "indices": _table(indices_of(frame)),
        "numbers": _table(numbers_of(frame)),
        "curves": "".join(curves),
        "adjacency": _adjacency(colors, frame.model.A),
        "settings": _table(settings_of(frame)),
        "state": _state(text_of(state), is_whole="demo" in picture.origin),
        "script": escape(python_of(without_folder(frame))),
    }
    whole = {name: _read(name) for name in ("style.css", "report.js")}
    inner = {"style": whole["style.css"], "behaviour": whole["report.js"]}
    return Template(_read("page.html")).substitute(parts | inner)


def _read(name: str) -> str:
    return read_text(resource(f"report/{name}"))


def _image(png: bytes, text: str) -> str:
    data = b64encode(png).decode("ascii")
    return f'<img alt="{escape(text)}" src="data:image/png;base64,{data}">'


def _live(frame: Frame, session: Session) -> str:
    """Return a button that opens the live page, with that page; or why there is none."""
    try:
        held = json.dumps(live_page(frame, session)).replace("<", "\\u003c")
    except ParameterError as error:
        refused = str(error)
        return f'<p class="note">{escape(refused[0].upper() + refused[1:])}.</p>'
    return (
        '<p><button id="open">Open the live page</button> Move N, w and alpha yourself.</p>'
        f'<script type="application/json" id="live-page">{held}</script>'
    )


def _legend(colors: Iterable[str], of_nodes: Floats) -> str:
    pairs = zip(colors, of_nodes.tolist(), strict=True)
    items = (
        f"<li>{_swatch(color)}{k} <small>{digits.share(share)}</small></li>"
        for k, (color, share) in enumerate(pairs, start=1)
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def _swatch(color: str) -> str:
    return f'<i style="background:{escape(color)}"></i>'


def _curve(title: str, unit: str, svg: str) -> str:
    of = f" <small>{escape(unit)}</small>" if unit else ""
    return f"<figure><figcaption>{escape(title)}{of}</figcaption>{svg}</figure>"


def _table(table: Table) -> str:
    head, *rows = table
    return f"<table>{_row(head, 'th')}{''.join(_row(row, 'td') for row in rows)}</table>"


def _row(cells: Iterable[str], tag: str) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _adjacency(colors: Iterable[str], A: Floats) -> str:
    """Return A as a table; the larger a number, the more it is shaded."""
    marks = [f"<th>{_swatch(color)}{k}</th>" for k, color in enumerate(colors, start=1)]
    most = float(A.max(initial=0.0)) or 1.0
    rows = (
        f"<tr>{mark}{''.join(_shaded(value, value / most) for value in row)}</tr>"
        for mark, row in zip(marks, A.tolist(), strict=True)
    )
    return f'<table class="matrix"><tr><td></td>{"".join(marks)}</tr>{"".join(rows)}</table>'


def _shaded(value: float, share: float) -> str:
    percent = round(_SHADED * share)
    return f'<td style="--share:{percent}%">{digits.probability(value)}</td>'


def _state(text: str, *, is_whole: bool) -> str:
    """Return the settings as text, with instructions; they name the picture if it is whole."""
    if not text:
        return "<p>All settings are the defaults of this picture.</p>"
    of = "" if is_whole else " It does not contain the picture: open that first."
    return (
        f"<pre>{escape(text)}</pre>"
        f"<p>Paste it with <em>Edit ▸ Apply settings from text</em>.{of}</p>"
    )
