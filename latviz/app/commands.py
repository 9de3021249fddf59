"""What can be undone."""

from collections.abc import Callable

from PyQt6.QtGui import QUndoCommand

from latviz.engine.state import State, changed_names


class SetState(QUndoCommand):
    """One change of the state; changes of the same fields in one gesture become one command.

    ``take`` shows a state. Commands that change the state back to what it was are dropped.
    """

    def __init__(
        self, text: str, old: State, new: State, gesture: object, take: Callable[[State], None]
    ) -> None:
        super().__init__(text)
        self._old, self._new, self._take = old, new, take
        self._gesture, self._names = gesture, changed_names(old, new)

    @property
    def held(self) -> set[int]:
        """The identities of the data sets and kept decodings that it holds in memory."""
        states = self._old, self._new
        first = (member for state in states for member in state.members[:1])
        kept = (state.compared for state in states if state.compared is not None)
        return {*map(id, first), *map(id, kept)}

    def id(self) -> int:
        """Return the same for all changes: they may be merged."""
        return 1

    def mergeWith(self, other: QUndoCommand | None) -> bool:
        """Take a later change of the same fields in."""
        if not isinstance(other, SetState):
            return False
        if (other._names, other._gesture) != (self._names, self._gesture):
            return False
        self._new = other._new
        self.setObsolete(self._new == self._old)
        return True

    def redo(self) -> None:
        """Show the new state."""
        self._take(self._new)

    def undo(self) -> None:
        """Show the old state."""
        self._take(self._old)
