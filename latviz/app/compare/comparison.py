"""Comparing two maps: the way of comparing, flicker and swapping."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import get_args

from PyQt6.QtCore import QObject, QTimer

from latviz.app.compare.bar import CompareBar
from latviz.app.document.document import Document
from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.shell import Shell
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import frame_of, keep
from latviz.engine.settings.decoding import DecodingA
from latviz.engine.settings.state import Comparison, State

FLICKER_MS = 500
"""Duration of each turn of the reference and the current map."""
STEP = 0.02
"""Step of the divider for each key press, as a share of the width."""
STOPPED = "Comparing was stopped: the reference is of another picture"


class Comparing(QObject, Feature):
    """Alternates two maps in "flicker", unless motion is reduced; fills a `bar`."""

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        super().__init__(shell.main_window)
        self._document, self._shell = document, shell
        self._swapped: DecodingA | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(FLICKER_MS)
        self._timer.timeout.connect(self._flip)
        self.bar = CompareBar()
        for way, button in self.bar.ways.items():
            button.clicked.connect(lambda _, way=way: self.choose(way))
        self.bar.swap.clicked.connect(self.swap)
        self.bar.leave.clicked.connect(self.stop_comparing)
        document.changed.connect(self._note)
        document.changed.connect(self._follow)
        document.changed.connect(self._show)
        document.frame_changed.connect(self._show)
        document.pointer_changed.connect(self._follow)

    def _compares(self) -> bool:
        return self._document.state.compared is not None

    def _swaps(self) -> bool:
        """Return True if the reference has parameters; labels of another method have none."""
        kept = self._document.state.compared
        return kept is not None and not kept.by

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield from super().menu_items()
        yield Action(
            "&Keep as reference",
            "Keep the state map on screen, to compare it with later maps",
            self._document.freeze,
            at=("View", 2.15),
            ticked=self._compares,
        )
        for side, what, step, place in (
            ("left", "current map", -STEP, 1.02),
            ("right", "reference", STEP, 1.03),
        ):
            text, tip = f"Divider to the &{side}", f"Show more of the {what}"
            run = partial(self.move_divider, step)
            yield Action(text, tip, run, at=(OTHERS, place), enabled=self._compares)

    def bar_below_menus(self) -> CompareBar:
        """Return the bar of a comparison."""
        return self.bar

    @property
    def flickering(self) -> bool:
        """True while the two maps alternate."""
        return self._timer.isActive()

    def choose(self, comparison: Comparison) -> None:
        """Compare in this way."""
        self._document.point(flipped=False)
        self._document.set_display("Change how maps are compared", comparison=comparison)

    @in_menu(
        "Ne&xt way to compare",
        "Divider, switching, or only the differences",
        (OTHERS, 1.0),
        enabled=_compares,
    )
    def choose_next(self) -> None:
        """Compare in the next way."""
        ways = get_args(Comparison)
        self.choose(ways[(ways.index(self._document.display.comparison) + 1) % len(ways)])

    @in_menu(
        "Switch between reference and c&urrent",
        "Show the reference or the current map",
        (OTHERS, 1.01),
        enabled=_compares,
    )
    def flip(self) -> None:
        """Switch between reference and current, by hand, and restart the timer."""
        if self._document.display.comparison != "flicker":
            self.choose("flicker")
        self._flip()
        if self.flickering:
            self._timer.start()

    def move_divider(self, step: float) -> None:
        """Move the divider by a share of the width."""
        self.set_divider(self._document.display.split + step)

    def set_divider(self, split: float) -> None:
        """Move the divider to a share of the width."""
        self._document.set_display("Move the divider", split=min(max(split, 0.0), 1.0))

    @in_menu(
        "&Swap reference and current",
        "Use the parameters of the reference, and make the current map the reference",
        (OTHERS, 1.04),
        enabled=_swaps,
    )
    def swap(self) -> None:
        """Swap the two, as soon as all of the current map is there; this can be undone."""

        def push(frame: Frame) -> None:
            kept = self._document.state.compared
            if kept is not None and not kept.by:
                now, self._swapped = self._again(keep(frame)), kept
                parameters = kept.decoding.parameters
                self._document.change(
                    "Swap reference and current", "swap", parameters=parameters, compared=now
                )

        self._document.when_whole(push)

    def show_window_map(self) -> None:
        """Decode by the window again, and keep the map of a decoder without one as reference."""

        def push(frame: Frame) -> None:
            now, display = self._document.parameters, self._document.display
            if not now.is_moved_by_window:
                self._document.change(
                    "Return to the window's map",
                    parameters=replace(now, decoder="nearest"),
                    compared=keep(frame),
                    display=replace(display, comparison="split"),
                )

        if self._document.may_set("decoder"):
            self._document.when_whole(push)

    def _again(self, now: DecodingA) -> DecodingA:
        """Return the reference before a swap, if nothing has changed since."""
        before = self._swapped
        if before is None or before.pictures.picture is not now.pictures.picture:
            return now
        return before if before.decoding == now.decoding else now

    def stop_comparing(self) -> None:
        """Compare no more."""
        self._document.freeze(False)

    def _flip(self) -> None:
        self._document.point(flipped=not self._document.pointer.flipped)

    def _note(self, old: State, new: State) -> None:
        """Report that the reference was dropped with its picture."""
        if old.compared is not None and new.compared is None and new.picture is not old.picture:
            # Later, because opening a picture clears the status bar.
            QTimer.singleShot(0, lambda: self._shell.say(STOPPED))

    def _show(self, *_: object) -> None:
        """Show the comparison of the reference and the map on screen."""
        frame, state = self._document.frame, self._document.state
        if frame is not None and frame.request.picture is state.picture:
            self.bar.show_comparison(frame_of(state.compared), frame, state.display)
        else:
            self.bar.hide()

    def _follow(self, *_: object) -> None:
        """Alternate the two maps, or stop."""
        state, pointer = self._document.state, self._document.pointer
        moves = state.compared is not None and state.display.comparison == "flicker"
        if not moves or pointer.still:
            self._timer.stop()
        elif not self.flickering:
            self._timer.start()
