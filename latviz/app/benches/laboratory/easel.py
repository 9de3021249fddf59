"""Drawing the true states: what is in the hand, and what it does to the experiment."""

from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QUndoCommand, QUndoStack

from latviz.app.benches.laboratory.document import LabDocument
from latviz.core.types import States
from latviz.engine.benches.laboratory import Experiment
from latviz.engine.settings.drawn import BRUSHES, Node, filled, packed, stroked

BRUSH = 9
MOST_STEPS = 200
"""Strokes that can be undone."""
_UNDONE = ("field", "drawn", "side", "n_states")
"""Fields of an experiment that say what its truth is drawn on."""


class Easel(QObject):
    """Keeps whether a person draws, with which brush, and what can be undone.

    Attributes
    ----------
    drawing, filling : bool
        Whether the mouse draws on the truth; whether it fills regions there.
    state, size : int
        What the brush paints, and how many pixels it is wide.

    Signals
    -------
    changed
        One of these is another.
    """

    changed = pyqtSignal()

    def __init__(self, document: LabDocument) -> None:
        super().__init__(document)
        self._document = document
        self.drawing = self.filling = False
        self.state, self.size = 0, BRUSH
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_STEPS)
        self._before: Experiment | None = None
        self._states: States | None = None
        self._last: Node = (0, 0)
        document.experiment_changed.connect(self._keep_state)

    def draw(self, drawing: bool) -> None:
        """Take the brush, or put it down."""
        self.drawing = drawing
        self.changed.emit()

    def fill(self, filling: bool) -> None:
        """Fill regions, or draw with the brush again."""
        self.filling = filling
        self.changed.emit()

    def pick(self, state: int) -> None:
        """Paint another state, if there is one of this number."""
        if 0 <= state < self._document.experiment.n_states:
            self.state = state
            self.changed.emit()

    def set_size(self, size: int) -> None:
        """Take a brush of another size; it is kept within `BRUSHES`."""
        self.size = min(max(size, BRUSHES[0]), BRUSHES[1])
        self.changed.emit()

    # What the hand does

    def press(self, node: Node) -> None:
        """Begin a stroke at a pixel, or fill its region."""
        truth = self._document.truth
        if truth is None:
            return
        self._before, self._states, self._last = self._document.experiment, truth, node
        if self.filling:
            self._show(filled(truth, node, self.state))
            self.release()
        else:
            self.move(node)

    def move(self, node: Node) -> None:
        """Go on with the stroke."""
        if self._states is not None:
            self._show(stroked(self._states, self._last, node, self.size, self.state))
            self._last = node

    def release(self) -> None:
        """End the stroke, which can be undone."""
        before, self._before, self._states = self._before, None, None
        if before is not None:
            self._push(before)

    def dab(self, node: Node) -> None:
        """Paint, or fill, at one pixel."""
        self.press(node)
        self.release()

    def clear(self) -> None:
        """Paint all of the truth."""
        truth, before = self._document.truth, self._document.experiment
        if truth is not None:
            cleared = truth.copy()
            cleared[:] = self.state
            self._show(cleared)
            self._push(before)

    def _show(self, states: States) -> None:
        self._states = states
        self._document.set(field="drawn", drawn=packed(states))

    def _push(self, before: Experiment) -> None:
        self._states = None
        after = self._document.experiment
        if after != before:
            self.undo_stack.push(_Stroke(self._document, before, after))

    def _keep_state(self, experiment: Experiment) -> None:
        if self.state >= experiment.n_states:
            self.pick(experiment.n_states - 1)


class _Stroke(QUndoCommand):
    """A stroke that was drawn: undone, the truth is what it was before, generated or drawn."""

    def __init__(self, document: LabDocument, before: Experiment, after: Experiment) -> None:
        super().__init__("Draw")
        self._document = document
        self._before, self._after = _drawn_on(before), _drawn_on(after)

    def undo(self) -> None:
        """Show what was there before."""
        self._document.set(**self._before)

    def redo(self) -> None:
        """Show it; at first it is there already."""
        self._document.set(**self._after)


def _drawn_on(experiment: Experiment) -> dict[str, Any]:
    return {name: getattr(experiment, name) for name in _UNDONE}
