"""What can be undone, and which slice is shown again."""

from collections.abc import Callable

from PyQt6.QtGui import QUndoCommand

from latviz.engine.picture import Picture
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


class Slices:
    """Remembers the slice that was shown last of each picture."""

    def __init__(self) -> None:
        self._shown: dict[str, int] = {}

    def of(self, picture: Picture) -> int:
        """Return the slice that was shown last, or that of the picture's page, or the middle one.

        Of a picture that is no volume it is 0.
        """
        if picture.dimensions < 3:
            return 0
        first = picture.origin.get("page") or picture.shape[0] // 2
        return _within(picture, self._shown.get(_source(picture), first))

    def show(self, picture: Picture, index: int) -> int:
        """Return the slice of this index, or the one at the end that it is beyond; remember it."""
        self._shown[_source(picture)] = index = _within(picture, index)
        return index


def _within(picture: Picture, index: int) -> int:
    return min(max(index, 0), picture.shape[0] - 1)


def _source(picture: Picture) -> str:
    """Return where a picture came from, or itself if that is not known."""
    origin = picture.origin
    return str(origin.get("path") or origin.get("demo") or id(picture))
