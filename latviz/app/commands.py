"""What can be undone."""

from typing import TYPE_CHECKING

from PyQt6.QtGui import QUndoCommand

from latviz.live.parameters import Parameters, changed_fields

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
