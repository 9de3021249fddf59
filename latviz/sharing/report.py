"""A report: all results of one picture with the settings, computed by the stages and drawn."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latviz import engine, files
from latviz.computing import compute
from latviz.core import digits
from latviz.core.parameter import rows
from latviz.core.progress import Progress, shares
from latviz.engine.choosing.curves import Curve, curves_of
from latviz.engine.choosing.tradeoff import WINDOWS, TradeOff
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import EXPORTED, Frame
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.frames.requests import request_for
from latviz.engine.frames.script import python_of
from latviz.engine.frames.section import Section
from latviz.engine.geometry.axes import Axes, ticks, windows, with_room
from latviz.engine.indices import INDICES
from latviz.engine.keeping.session import Session, text_of
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.palette import SLOT_COLORS, UNKNOWN_COLORS, hatched
from latviz.engine.settings.parameters import in_force

SIDE = 520
"""The longer side of pictures, in pixels, at most."""
Table = tuple[tuple[str, ...], ...]
"""Lines of text by columns; the first line names them."""


@dataclass(frozen=True, eq=False)
class Report:
    """The content of a page on a picture."""

    title: str  # the picture's name
    facts: str  # the size and kind of the picture, and the source of learning
    picture: bytes  # a PNG file
    maps: tuple[tuple[int, bytes], ...]  # each w with its state map, a PNG file
    window: int  # the w that is set
    colors: tuple[str, ...]  # of each state, "#rrggbb"
    shares: tuple[float, ...]  # of the nodes, by state
    adjacency: tuple[tuple[float, ...], ...]  # A, row by row
    indices: Table
    numbers: Table
    settings: Table
    curves: tuple[tuple[str, str, str], ...]  # title, unit and SVG of each
    text: str  # the settings; empty if the picture opens with them
    is_whole: bool  # if the text names the picture, too
    script: str  # a program that computes the same


def made_report(pictures: PictureSet, session: Session, progress: Progress | None = None) -> Report:
    """Compute all of a report."""
    own, along, trading = shares(progress, [1.0, 2.0, 2.0])
    frame = compute(pictures, session.shown, own, EXPORTED)
    state = replace(session.state, pictures=pictures)
    section = Section(frame.request.picture.shape, state.slice)
    maps = _maps(frame, pictures, session, section, along)
    trade_off = filled_trade_off(frame, trading)
    text = text_of(state)
    n, w = state.parameters.n_states, state.parameters.window
    return Report(
        title=frame.request.picture.name,
        facts=_facts(frame),
        picture=_png_of(frame.request.picture, section),
        maps=maps,
        window=w,
        colors=tuple(f"#{r:02x}{g:02x}{b:02x}" for r, g, b in frame.colors.tolist()),
        shares=tuple((frame.occupancy / max(1, frame.occupancy.sum())).tolist()),
        adjacency=tuple(map(tuple, frame.model.A.tolist())),
        indices=_indices(frame),
        numbers=_numbers(frame),
        settings=_settings(frame),
        curves=tuple(
            (curve.title, curve.unit, drawn_curve(trade_off, n, w, curve))
            for curve in curves_of(trade_off)
        ),
        text=text,
        is_whole="demo" in frame.request.picture.origin,
        script=python_of(_without_folder(frame)),
    )


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


def _maps(
    own: Frame,
    pictures: PictureSet,
    session: Session,
    section: Section,
    progress: Progress | None,
) -> tuple[tuple[int, bytes], ...]:
    """Return the state map of every w, by increasing w, in the colours of the frame's legend."""
    windows = sorted({*WINDOWS, session.state.parameters.window})
    shape, colors, drawn = drawn_shape(section, SIDE), known_colors(own), dict[int, bytes]()
    for w, frame in _frames(pictures, session.shown, windows, progress):
        colors = known_colors(frame, colors)
        slots = drawn_slots(frame, section, shape)
        drawn[w] = files.writing.png_bytes(slots, color_table(colors))
    return tuple(sorted(drawn.items()))


def _frames(
    pictures: PictureSet, decoding: Decoding, windows: Sequence[int], progress: Progress | None
) -> Iterator[tuple[int, Frame]]:
    """Yield each w with its frame; not in the order of w."""
    # From the current w towards both ends, so that each state takes the colour of one in the frame
    # before it, and the current frame keeps its colours on screen
    now, pipeline, request = decoding.parameters.window, Pipeline(), request_for(decoding, pictures)
    parts = shares(progress, [1.0] * (1 + len(windows)))
    frame_now = pipeline.run(request, Listener.of(next(parts)))
    for side in (
        sorted(w for w in windows if w >= now),
        sorted((w for w in windows if w < now), reverse=True),
    ):
        frame = frame_now
        for w in side:
            part, parameters = next(parts), replace(decoding.parameters, window=w)
            before = replace(frame.request, follows=frame.to_follow(), passing=True)
            frame = pipeline.run(replace(before, parameters=parameters), Listener.of(part))
            yield w, frame
            if part is not None:
                part.report(1.0)


def _png_of(picture: Picture, section: Section) -> bytes:
    plane = picture_plane(picture, section)
    shape = drawn_shape(section, SIDE)
    return files.writing.png_bytes(files.writing.resized(plane, shape))


def _facts(frame: Frame) -> str:
    picture, given = frame.request.picture, frame.request.given
    if given is not None:
        return f"{picture.size_text}, states of the model {given.name}"
    several = len(frame.observed)
    learned = f"states learned from {frame.n_learned:,} of {frame.n_signatures:,} signatures"
    of = "" if several == 1 else f" of {several} pictures"
    return f"{picture.size_text}, {learned}{of}"


def _indices(frame: Frame) -> Table:
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


def _numbers(frame: Frame) -> Table:
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


def _settings(frame: Frame) -> Table:
    """Return the parameters that have an effect."""
    dimensions = frame.request.picture.dimensions
    parameters = in_force(frame.request.parameters, dimensions)
    named = (row for row in rows(parameters) if not row.refused(parameters, dimensions))
    return (
        ("Parameter", "Value", "Option"),
        *((row.name, row.text(parameters), row.flag) for row in named),
    )


def _without_folder(frame: Frame) -> Frame:
    """Return a frame whose picture does not reveal its folder, which is private."""
    pictures = as_set(frame.request.pictures)
    other = None if pictures.other is None else _placeless(pictures.other)
    bare = replace(pictures, members=tuple(map(_placeless, pictures.members)), other=other)
    return replace(frame, request=replace(frame.request, pictures=bare))


def _placeless(picture: Picture) -> Picture:
    origin = dict(picture.origin)
    for name in ("path", "truth"):
        if name in origin:
            origin[name] = Path(str(origin[name])).name
    return replace(picture, origin=origin)


Drawn = NDArray[np.uint8]
Colors = dict[int, Drawn]
"""A colour, shape (3,), by its index in `SLOT_COLORS`."""
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


def drawn_slots(frame: Frame, section: Section, shape: tuple[int, int]) -> Drawn:
    """Return the index into `color_table` of each pixel: that of the node at its place."""
    slots = np.full(256, len(SLOT_COLORS), np.uint8)
    slots[: len(frame.slots)] = np.array(frame.slots) % len(SLOT_COLORS)
    plane = section.plane(frame.states)
    places = (
        np.arange(length) * known // length
        for length, known in zip(shape, plane.shape, strict=True)
    )
    return np.asarray(slots[plane[np.ix_(*places)]])


def known_colors(frame: Frame, known: Colors | None = None) -> Colors:
    """Return the colours of slots: those that are known, and those of a frame's states."""
    places = (slot % len(SLOT_COLORS) for slot in frame.slots)
    found: Colors = dict(zip(places, frame.colors, strict=True))
    return found if known is None else found | known


def color_table(known: Colors) -> Drawn:
    """Return the colours of all slots, with those that are known, and that of unknown nodes."""
    table = np.concatenate([SLOT_COLORS, UNKNOWN_COLORS[:1]])
    for place, color in known.items():
        table[place] = color
    return table


def picture_plane(picture: Picture, section: Section) -> Drawn:
    """Return the plane of a picture that is shown, in colour, shape (rows, columns, 3)."""
    plane, known = picture.in_colour(section.plane(picture.shown)), picture.known
    return plane if known is None else hatched(plane, section.plane(known))


WIDTH, HEIGHT = 420.0, 190.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 12.0, 12.0, 30.0
_EVERY = 5
"""Every _EVERY-th window is marked."""


def drawn_curve(trade_off: TradeOff, n_states: int, window: int, curve: Curve) -> str:
    """Return a plot as an element of SVG, with a line of the class "now" at a window."""
    # data-start and data-step of that line are the place of w = 0, and the distance of one w
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
    x, step = axes.x(window), axes.x(1) - axes.x(0)
    return (
        f'<line class="now" data-start="{axes.x(0):.2f}" data-step="{step:.3f}" x1="{x:.1f}" '
        f'x2="{x:.1f}" y1="{_TOP:g}" y2="{HEIGHT - _BOTTOM:g}"/>'
    )
