"""What can be undone."""

from typing import TYPE_CHECKING

from PyQt6.QtGui import QUndoCommand

from latviz.engine.frame import Frame
from latviz.engine.parameters import Parameters, changed_fields

if TYPE_CHECKING:
    from latviz.app.document import Document


class SetParameters(QUndoCommand):
    """One change of the parameters; moves of the same control become one command."""

    def __init__(self, document: "Document", new: Parameters, text: str, gesture: int) -> None:
        super().__init__(text)
        self._document, self._old, self._new = document, document.parameters, new
        self._changed = changed_fields(self._old, new)
        self._gesture = gesture

    def id(self) -> int:
        """Return the same for all changes: they may be merged."""
        return 1

    def mergeWith(self, other: QUndoCommand | None) -> bool:
        """Take a later change of the same fields in."""
        if not isinstance(other, SetParameters):
            return False
        if (other._changed, other._gesture) != (self._changed, self._gesture):
            return False
        self._new = other._new
        return True

    def redo(self) -> None:
        """Set the new parameters."""
        self._document.take_parameters(self._new)

    def undo(self) -> None:
        """Set the old parameters."""
        self._document.take_parameters(self._old)


class Swap(QUndoCommand):
    """A and B change places: B is decoded with A's parameters, and what B was is kept as A.

    Swapped twice in a row, nothing is left to undo. Once A is another decoding, or none, undoing
    and redoing set the parameters alone.
    """

    def __init__(self, document: "Document", a: Frame, b: Frame) -> None:
        super().__init__("Swap A and B")
        self._document, self._a, self._b = document, a, b

    def id(self) -> int:
        """Return the same for all swaps: they may be merged."""
        return 2

    def mergeWith(self, other: QUndoCommand | None) -> bool:
        """Cancel out with another swap."""
        self.setObsolete(isinstance(other, Swap))
        return self.isObsolete()

    def redo(self) -> None:
        """Swap."""
        self._change(self._a, self._b)

    def undo(self) -> None:
        """Swap back."""
        self._change(self._b, self._a)

    def _change(self, old: Frame, new: Frame) -> None:
        if self._document.display.frozen is old:
            self._document.compare(frozen=new)
        self._document.take_parameters(old.request.parameters)
