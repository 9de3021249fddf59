"""The parts of a report: texts, tables and drawings of a frame and its trade-off."""

from collections.abc import Iterable
from dataclasses import replace
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latviz import engine, files
from latviz.core import digits
from latviz.core.parameter import rows
from latviz.core.progress import Progress
from latviz.engine.choosing.curves import Curve
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.listener import Watch
from latviz.engine.frames.section import Section
from latviz.engine.geometry.axes import Axes, ticks, windows, with_room
from latviz.engine.indices import INDICES
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.palette import coloured, hatched
from latviz.engine.settings.parameters import in_force

SIDE = 520
"""The longer side of pictures, in pixels, at most."""
Table = tuple[tuple[str, ...], ...]
"""Lines of text by columns; the first line names them."""


def filled_trade_off(frame: Frame, progress: Progress | None = None) -> TradeOff:
    """Return the trade-off of a frame's picture with all that there is to compute."""
    sweeping, whole = engine.choosing.sweeping.Sweeping(), progress or Watch(lambda: False)
    piece = Watch(whole.cancelled)  # the whole reports progress
    known: TradeOff | None = None
    while (found := sweeping.next(frame, piece)) is not None:
        known = found
        whole.report(known.fraction)
    assert known is not None
    return known


def picture_png(picture: Picture, section: Section) -> bytes:
    """Return the plane of a picture that is shown as a PNG file."""
    plane = picture_plane(picture, section)
    shape = drawn_shape(section, SIDE)
    return files.writing.png_bytes(files.writing.resized(plane, shape))


def facts_of(frame: Frame) -> str:
    """Return the size and kind of a picture, and the source of learning."""
    picture, given = frame.request.picture, frame.request.given
    if given is not None:
        return f"{picture.size_text}, states of the model {given.name}"
    several = len(frame.observed)
    learned = f"states learned from {frame.n_learned:,} of {frame.n_signatures:,} signatures"
    of = "" if several == 1 else f" of {several} pictures"
    return f"{picture.size_text}, {learned}{of}"


def indices_of(frame: Frame) -> Table:
    """Return the indices with what they are compared with."""
    n_states = frame.request.parameters.n_states
    return (
        ("Index", "Value", "Needed", "By chance"),
        *(
            (
                row.title,
                digits.probability(row.of(frame)),
                f"≥ {row.needed:g}",
                "" if row.chance is None else digits.probability(row.chance(n_states)),
            )
            for row in INDICES.values()
        ),
    )


def numbers_of(frame: Frame) -> Table:
    """Return the likelihood and the prediction error."""
    summary, node = engine.keeping.results.summary(frame), frame.request.picture.node_name
    likelihood, code = summary["log_likelihood"], summary["code_length"]
    return (
        ("Quantity", "Value"),
        ("log P, not normalised, nats", digits.nats(likelihood["nats"])),
        (f"log P, bits per {node}", digits.bits(likelihood["bits_per_pixel"])),
        ("data term of log P, nats", digits.nats(likelihood["data_term_nats"])),
        ("pair term of log P, nats", digits.nats(likelihood["pair_term_nats"])),
        (f"impossible {node}s", digits.count(likelihood["impossible_pixels"])),
        *_errors(code["bits_per_pixel"], code["bits_per_pixel_of_one_state"], node),
    )


def _errors(error: float, one: float, node: str) -> Table:
    """Return the prediction error and that of one state, or the bits saved."""
    found = digits.ErrorScale.of([error], one).rows(error, one, f"bits per {node}")
    return tuple((name.lower(), digits.bits(value)) for name, value in found)


def settings_of(frame: Frame) -> Table:
    """Return the parameters that have an effect."""
    dimensions = frame.request.picture.dimensions
    parameters = in_force(frame.request.parameters, dimensions)
    named = (row for row in rows(parameters) if not row.refused(parameters, dimensions))
    return (
        ("Parameter", "Value", "Option"),
        *((row.name, row.text(parameters), row.flag) for row in named),
    )


def without_folder(frame: Frame) -> Frame:
    """Return a frame whose picture does not reveal its folder, which is private."""
    bare = as_set(frame.request.pictures).changed(_placeless)
    return replace(frame, request=replace(frame.request, pictures=bare))


def _placeless(picture: Picture) -> Picture:
    origin = dict(picture.origin)
    for name in ("path", "truth"):
        if name in origin:
            origin[name] = Path(str(origin[name])).name
    return replace(picture, origin=origin)


_STRIP = 8
"""Ratio of width to height of a drawn sequence."""


def drawn_shape(section: Section, side: int) -> tuple[int, int]:
    """Return the height and width that a plane is drawn in, neither of them more than ``side``."""
    # Small planes are magnified by a whole number. A sequence becomes a strip
    rows, columns = section.shape
    longest = max(rows, columns)
    if longest > side:
        height, width = (max(1, round(side * length / longest)) for length in (rows, columns))
    else:
        height, width = (side // longest * length for length in (rows, columns))
    if len(section.lattice) == 1:
        height = max(1, side // _STRIP)
    return height, width


def states_png(frame: Frame, section: Section) -> bytes:
    """Return the state map in its colours as a PNG file; each pixel is the node at its place."""
    shown = coloured(section.plane(frame.states), frame.colors)
    shape = drawn_shape(section, SIDE)
    places = (np.arange(n) * m // n for n, m in zip(shape, shown.shape, strict=False))
    return files.writing.png_bytes(shown[np.ix_(*places)])


def picture_plane(picture: Picture, section: Section) -> NDArray[np.uint8]:
    """Return the plane of a picture that is shown, in colour, shape (rows, columns, 3)."""
    plane, known = picture.in_colour(section.plane(picture.shown)), picture.known
    return plane if known is None else hatched(plane, section.plane(known))


WIDTH, HEIGHT = 420.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 12.0, 12.0, 30.0
_EVERY = 5
"""Every _EVERY-th window is marked."""


def drawn_curve(trade_off: TradeOff, n_states: int, window: int, curve: Curve) -> str:
    """Return a plot as an element of SVG, with a line of the class "now" at a window."""
    row = trade_off.row(n_states)
    points, band = curve.points(row), curve.band(row)
    numbers = [*(v for _, v in points), *(end for _, *ends in band for end in ends)]
    up = with_room(numbers if curve.needed is None else [*numbers, curve.needed])
    room = _LEFT, _TOP, WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    axes = Axes(*room, windows(trade_off.windows[-1]), up)
    label = escape(f"{curve.title} over w for N = {n_states}")
    parts = [
        f'<svg class="curve" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{label}">',
        *_scale(axes, curve),
    ]
    if band:
        around = [(w, high) for w, _, high in band] + [(w, low) for w, low, _ in reversed(band)]
        parts.append(f'<polygon class="band" points="{_path(axes, around)}"/>')
    if curve.needed is not None and up[0] <= curve.needed <= up[1]:
        parts.append(_rule(axes.y(curve.needed), "needed"))
    parts.append(f'<polyline class="line" points="{_path(axes, points)}"/>')
    parts += [
        f'<circle cx="{axes.x(w):.1f}" cy="{axes.y(v):.1f}" r="2.5">'
        f"<title>w = {w:g}: {curve.number(v)}</title></circle>"
        for w, v in points
    ]
    parts.append(_now(axes, window))
    return "".join([*parts, "</svg>"])


def _path(axes: Axes, points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{axes.x(w):.1f},{axes.y(value):.1f}" for w, value in points)


def _scale(axes: Axes, curve: Curve) -> list[str]:
    """Return rules with their numbers, and the windows below."""
    drawn = []
    for value in ticks(*axes.up, 4):
        y = axes.y(value)
        drawn.append(_rule(y, "rule"))
        drawn.append(
            f'<text x="{_LEFT - 6:g}" y="{y + 4:.1f}" class="up">{curve.tick(value)}</text>'
        )
    drawn += [_along(axes, w, str(w)) for w in range(0, int(axes.across[1]) + 1, _EVERY)]
    return [*drawn, _along(axes, _EVERY / 2, "w")]


def _along(axes: Axes, w: float, text: str) -> str:
    return f'<text x="{axes.x(w):.1f}" y="{HEIGHT - _BOTTOM + 16:g}" class="along">{text}</text>'


def _rule(y: float, name: str) -> str:
    return (
        f'<line class="{name}" x1="{_LEFT:g}" x2="{WIDTH - _RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}"/>'
    )


def _now(axes: Axes, window: int) -> str:
    x = axes.x(window)
    return f'<line class="now" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP:g}" y2="{HEIGHT - _BOTTOM:g}"/>'
