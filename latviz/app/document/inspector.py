"""The pointer's target, the inspections of pixels, and the slice of each volume shown last."""

from collections.abc import Iterable
from dataclasses import dataclass

from PyQt6.QtCore import QObject, pyqtSignal

from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection, inspect
from latviz.engine.geometry.selection import Lit
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.state import Node, State


@dataclass(frozen=True)
class Pointer:
    """The pointer's target, and switches for motion."""

    state: int | None = None  # under the pointer; views highlight it
    symbol: int | None = None  # under the pointer; highlighted in the inspected window
    flipped: bool = False  # the reference is shown where two maps alternate
    still: bool = False  # motion is reduced
    lit: Lit | None = None  # the pixels of what is pointed at elsewhere


def share_of_a(state: State, pointer: Pointer) -> float:
    """Return the share of the state map, from the left, that shows the reference."""
    display = state.display
    if state.compared is None or display.comparison == "difference":
        return 0.0
    return display.split if display.comparison == "split" else float(pointer.flipped)


class Inspector(QObject):
    """Inspects pixels of the last frame, and again of every frame that follows."""

    changed = pyqtSignal(object)  # Inspection or None: under the pointer, else the last pin
    unknown_changed = pyqtSignal(object)  # the pixel under the pointer if it is unknown, else None
    pins_changed = pyqtSignal(object)  # tuple of Inspection, in the order of pinning

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pins: tuple[Node, ...] = ()
        self._node: Node | None = None
        self._frame: Frame | None = None
        self._found: Inspection | None = None
        self._unknown: Node | None = None

    @property
    def node(self) -> Node | None:
        """The pixel under the pointer, or else the one that was pinned last."""
        return self._node or next(iter(self._pins[-1:]), None)

    @property
    def pointed(self) -> Inspection | None:
        """The inspection of the pixel under the pointer; None if it is elsewhere."""
        return None if self._node is None else self._found

    def begin(self) -> None:
        """Drop the frame and the pixel under the pointer, because another picture opens."""
        self._node = self._frame = None
        self._inspect()

    def show_frame(self, frame: Frame) -> None:
        """Inspect the pixels in another frame of the same picture."""
        self._frame = frame
        if self._pins:
            self.pins_changed.emit(self._inspected(self._pins))
        self._inspect()

    def show_pins(self, pins: tuple[Node, ...]) -> None:
        """Inspect other pinned pixels."""
        if pins != self._pins:
            self._pins = pins
            self.pins_changed.emit(self._inspected(pins))
            if self._node is None:
                self._inspect()

    def hover(self, node: Node | None) -> None:
        """Inspect a pixel; none, or the one that was pinned last, for None."""
        if node != self._node:
            self._node = node
            self._inspect()

    def hover_in_slice(self, index: int) -> None:
        """Inspect the same place in another slice of a volume, if any is inspected."""
        if self._node is not None:
            self.hover((index, *self._node[1:]))

    def _inspect(self) -> None:
        nodes = () if self.node is None else (self.node,)
        before, self._found = self._found, next(iter(self._inspected(nodes)), None)
        was_unknown, self._unknown = self._unknown, self._unknown_of(self.node)
        if was_unknown != self._unknown and self._unknown is None:
            self.unknown_changed.emit(None)
        if self._found is not before:
            self.changed.emit(self._found)
        if was_unknown != self._unknown and self._unknown is not None:
            self.unknown_changed.emit(self._unknown)

    def _unknown_of(self, node: Node | None) -> Node | None:
        """Return a node of the picture that is unknown; None for others."""
        frame = self._frame
        if frame is None or node is None or inside(node, frame) is None:
            return None
        return None if is_known(node, frame) else node

    def _inspected(self, nodes: Iterable[Node]) -> tuple[Inspection, ...]:
        frame = self._frame
        if frame is None:
            return ()
        there = (node for node in nodes if inside(node, frame) is not None)
        return tuple(inspect(frame, node) for node in there if is_known(node, frame))


def inside(node: Node, frame: Frame) -> Node | None:
    """Return a node of a frame's picture; None if it belongs to an earlier or later picture."""
    shape = frame.request.picture.shape
    fits = len(node) == len(shape) and all(0 <= k < n for k, n in zip(node, shape, strict=True))
    return node if fits else None


def is_known(node: Node, frame: Frame) -> bool:
    """Return True if a node of a frame's picture is known."""
    known = frame.request.picture.known
    return known is None or bool(known[node])


class Slices:
    """Remembers the slice that was shown last of each picture."""

    def __init__(self) -> None:
        self._shown: dict[str, int] = {}

    def of(self, picture: Picture) -> int:
        """Return the slice shown last, or the middle one.

        If the picture is not a volume, it is 0.
        """
        if picture.dimensions < 3:
            return 0
        return _within(picture, self._shown.get(_source(picture), picture.shape[0] // 2))

    def expect(self, picture: Picture, index: int) -> None:
        """Remember the slice to show first once a picture is opened as a volume."""
        self._shown[_source(picture)] = index

    def show(self, picture: Picture, index: int) -> int:
        """Return the slice of this index, or the one at the end that it is beyond; remember it."""
        self._shown[_source(picture)] = index = _within(picture, index)
        return index


def _within(picture: Picture, index: int) -> int:
    return min(max(index, 0), picture.shape[0] - 1)


def _source(picture: Picture) -> str:
    """Return the source of a picture, or itself if unknown."""
    origin = picture.origin
    return str(origin.get("path") or origin.get("demo") or id(picture))
