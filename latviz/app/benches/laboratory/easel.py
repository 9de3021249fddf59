"""Drawing the true states: the tool in use, and its strokes on the experiment."""

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.benches.laboratory.document import LabDocument
from latviz.core.types import States
from latviz.engine.benches.laboratory import Experiment
from latviz.engine.settings.drawn import BRUSHES, Node, filled, packed, stroked

BRUSH = 9


class Easel(QObject):
    """Holds the brush, and if the user draws; each stroke can be undone."""

    changed = pyqtSignal()  # one of the fields below

    def __init__(self, document: LabDocument) -> None:
        super().__init__(document)
        self._document = document
        # the mouse draws on the truth; ``filling``: it fills regions there
        self.drawing = self.filling = False
        self.state, self.size = 0, BRUSH  # that the brush paints, and its width in pixels
        self._stroke = object()
        self._states: States | None = None
        self._last: Node = (0, 0)
        document.value_changed.connect(self._keep_state)

    def draw(self, drawing: bool) -> None:
        """Start drawing, or stop."""
        self.drawing = drawing
        self.changed.emit()

    def fill(self, filling: bool) -> None:
        """Fill regions, or draw with the brush again."""
        self.filling = filling
        self.changed.emit()

    def pick(self, state: int) -> None:
        """Paint another state, if there is one of this number."""
        if 0 <= state < self._document.value.n_states:
            self.state = state
            self.changed.emit()

    def set_size(self, size: int) -> None:
        """Take a brush of another size; it is kept within `BRUSHES`."""
        self.size = min(max(size, BRUSHES[0]), BRUSHES[1])
        self.changed.emit()

    # Strokes

    def press(self, node: Node) -> None:
        """Begin a stroke at a pixel, or fill its region."""
        truth = self._document.truth
        if truth is None:
            return
        self._stroke, self._states, self._last = object(), truth, node
        if self.filling:
            self._show(filled(truth, node, self.state))
            self.release()
        else:
            self.move(node)

    def move(self, node: Node) -> None:
        """Continue the stroke."""
        if self._states is not None:
            self._show(stroked(self._states, self._last, node, self.size, self.state))
            self._last = node

    def release(self) -> None:
        """End the stroke."""
        self._states = None

    def dab(self, node: Node) -> None:
        """Paint, or fill, at one pixel."""
        self.press(node)
        self.release()

    def clear(self) -> None:
        """Paint all of the truth."""
        truth = self._document.truth
        if truth is not None:
            self._stroke = object()
            self._show(np.full_like(truth, self.state))
            self.release()

    def _show(self, states: States) -> None:
        self._states = states
        self._document.set("Draw", self._stroke, field="drawn", drawn=packed(states))

    def _keep_state(self, experiment: Experiment) -> None:
        if self.state >= experiment.n_states:
            self.pick(experiment.n_states - 1)
