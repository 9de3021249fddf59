"""Highlights of a step's changes: controls until the next step, pixels for a moment."""

from functools import partial
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from latviz.app.document.document import Document
from latviz.app.panels.controls import ControlPanel
from latviz.app.views.registry import Views
from latviz.core.parameter import rows
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.parameters import Parameters


@runtime_checkable
class StateMap(Protocol):
    """A view that can light some of its pixels."""

    def light_pixels(self, mask: NDArray[np.bool_], *, kept: Frame | None = None) -> None:
        """Light the pixels of a mask: for a moment, or while a frame's states are shown."""

    def end_passing(self) -> None:
        """Clear the highlight."""


class Highlights:
    """Compares the settings and states before a step with the current ones."""

    def __init__(self, document: Document, views: Views, controls: ControlPanel) -> None:
        self._document, self._controls = document, controls
        self._maps = [view for view in views.views.values() if isinstance(view, StateMap)]

    def show_since(
        self, frame: Frame | None, parameters: Parameters, *, stay: bool = False
    ) -> None:
        """Light the controls that moved, and pixels that change their state once that is known."""
        # They ``stay`` lit if they were asked for
        now = self._document.parameters
        moved = {row.field for row in rows(now) if row.of(now) != row.of(parameters)}
        self._controls.light(moved)
        if moved and frame is not None and not frame.coarse:
            self._document.when_whole(partial(self._light_pixels, frame, stay))

    def clear(self) -> None:
        """Clear all highlights."""
        self._controls.light(())
        for view in self._maps:
            view.end_passing()

    def _light_pixels(self, before: Frame, stay: bool, frame: Frame) -> None:
        if before.request.picture is not frame.request.picture or before.states is frame.states:
            return
        changed = before.slot_map != frame.like(before).slot_map
        for view in self._maps:
            view.light_pixels(changed, kept=frame if stay else None)
