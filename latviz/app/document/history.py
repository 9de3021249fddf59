"""Undo history, with its pictures: held in memory up to a limit, read again beyond it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from weakref import WeakSet

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QAction, QUndoCommand, QUndoStack

from latviz import files
from latviz.computing import state_of
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.engine.frames.requests import frame_of
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.decoding import DecodingA
from latviz.engine.settings.state import State, changed_names
from latviz.workspace import read_again

MOST_UNDONE = 500
"""Commands that can be undone."""


SHELF_HELD = 1 << 27
"""Bytes of pictures that are held to undo moves along a shelf: 3 of 12 megapixels in colour."""


class Opening:
    """Pictures that were opened together; all settings of them can be undone without reading."""

    def __init__(self, members: tuple[Picture, ...]) -> None:
        self.members: tuple[Picture, ...] | None = members  # None once they were dropped
        self.name = members[0].name
        self.origins = tuple(member.origin for member in members)  # of each picture
        self.kept_at = ""  # a session file that holds the pictures, if there is one
        self._shapes = _shapes(members)
        self._digest = ""

    @property
    def can_be_read_again(self) -> bool:
        """True if the pictures can be read from a file or generated again."""
        have_files = all(
            "embedded" not in origin and origin.keys() >= {"path", "sha256"}
            for origin in self.origins
        )
        return bool(self.kept_at) or "demo" in self.origins[0] or have_files

    @property
    def n_bytes(self) -> int:
        """The memory that the pictures take."""
        return sum(map(_size, self.members or ()))

    def drop(self) -> None:
        """Hold the pictures no longer."""
        if self.kept_at:  # others may be saved to that file meanwhile
            self._digest = _digest(self.members or ())
        self.members = None

    def read(self) -> tuple[Picture, ...]:
        """Return the pictures, read again if they were dropped."""
        if self.members is not None:
            return self.members
        members = read_again(self.origins, self.kept_at).members
        if _shapes(members) != self._shapes or self._digest not in ("", _digest(members)):
            raise ParameterError(f"{self.name} has changed since it was opened")
        return members


class KeptDecoding:
    """A decoding used as a reference; after release it can be computed again."""

    def __init__(self, compared: DecodingA) -> None:
        self.compared: DecodingA | None = compared

    @property
    def n_bytes(self) -> int:
        """The memory that its frame takes, about."""
        frame = frame_of(self.compared)
        return 0 if frame is None else frame.states.size * files.memory.EXPLORED

    def drop(self) -> None:
        """Release it with its pictures; its frame is kept as long as it is."""
        self.compared = None


@dataclass(frozen=True)
class Remembered:
    """A state whose pictures and reference are stored separately: commands share them."""

    session: Session
    opening: Opening | None
    shown: int
    kept: KeptDecoding | None
    other: Opening | None = None

    @property
    def is_whole(self) -> bool:
        """True if all of its data is still in memory."""
        openings = [opening for opening in (self.opening, self.other) if opening is not None]
        opened = all(opening.members is not None for opening in openings)
        return opened and (self.kept is None or self.kept.compared is not None)

    @property
    def state(self) -> State:
        """The state; it is whole."""
        members = None if self.opening is None else self.opening.members
        other = None if self.other is None or self.other.members is None else self.other.members[0]
        return replace(
            self.session.state,
            pictures=None if members is None else PictureSet(members, self.shown, other),
            compared=None if self.kept is None else self.kept.compared,
        )

    def read(self, progress: Progress) -> State:
        """Return the state, reading or computing released parts again; see `state_of`."""
        assert self.opening is not None
        other = None if self.other is None else self.other.read()[0]
        pictures = PictureSet(self.opening.read(), self.shown, other)
        return state_of(pictures, self.session, progress=progress)

    def bring_back(self, state: State) -> None:
        """Store members that were read again."""
        if self.opening is not None and self.opening.members is None:
            self.opening.members = state.members
        if self.other is not None and self.other.members is None and state.pictures is not None:
            self.other.members = state.pictures.everything[-1:]
        if self.kept is not None:
            self.kept.compared = state.compared


T = TypeVar("T")
Show = Callable[[T], T]
"""Shows a state; returns the one that was there, with its colours."""


class SetState(QUndoCommand, Generic[T]):
    """One change of the state; later changes of its fields in one gesture are merged into it.

    Commands that restore the initial state are dropped.
    """

    def __init__(
        self,
        text: str,
        states: tuple[T, T],
        names: tuple[str, ...],
        gesture: object,
        show: Show[T],
    ) -> None:
        super().__init__(text)
        self.old, self.new = states
        self._names, self._gesture, self._show = names, gesture, show

    def id(self) -> int:
        """Return the same for all changes: they may be merged."""
        return 1

    def mergeWith(self, other: QUndoCommand | None) -> bool:
        """Take a later change of these fields in."""
        if not isinstance(other, SetState):
            return False
        if other._gesture != self._gesture or not set(other._names) <= set(self._names):
            return False
        self.new = other.new
        self.setObsolete(self.new == self.old)
        return True

    def redo(self) -> None:
        """Show the new state."""
        self.old = self._show(self.new)

    def undo(self) -> None:
        """Show the old state."""
        self.new = self._show(self.old)


class History(QUndoStack):
    """The commands that can be undone."""

    # Of the pictures that they need, as many of the nearest are held as memory allows; the others
    # are read again when needed
    # Remembered, callable: to read again; then the callable continues
    missing = pyqtSignal(object, object)

    def __init__(self, show: Show[Remembered], parent: QObject) -> None:
        super().__init__(parent)
        self.setUndoLimit(MOST_UNDONE)
        self._show = show
        self._openings: WeakSet[Opening] = WeakSet()
        self._kept: WeakSet[KeptDecoding] = WeakSet()

    def opening_of(self, state: State) -> Opening | None:
        """Return the opening of a state's pictures; None if it has none."""
        return self._opening(state.members) if state.members else None

    def _other_of(self, state: State) -> Opening | None:
        """Return the opening of the picture on screen if nothing is learned from it, or None."""
        other = None if state.pictures is None else state.pictures.other
        return None if other is None else self._opening((other,))

    def _opening(self, members: tuple[Picture, ...]) -> Opening:
        known = next((o for o in self._openings if o.members == members), None)
        opening = known or Opening(members)
        self._openings.add(opening)
        return opening

    def remember(self, state: State, session: Session) -> Remembered:
        """Return a state as commands hold it."""
        shown = 0 if state.pictures is None else state.pictures.shown
        opening, kept = self.opening_of(state), self._kept_of(state)
        return Remembered(session, opening, shown, kept, self._other_of(state))

    def add(self, text: str, old: State, new: State, session: Session, gesture: object) -> None:
        """Show a new state, which can be undone; ``session`` has its colours."""
        states = self.remember(old, Session.of(old)), self.remember(new, session)
        self.push(SetState(text, states, changed_names(old, new), gesture, self._show))
        if new.pictures != old.pictures or new.compared != old.compared:
            self.bound(new)

    def undo(self) -> None:
        """Undo a command, once the state before it was read again if it has to be."""
        self._step(super().undo, self.index() - 1, "old")

    def redo(self) -> None:
        """Do a command again, once the state after it was read again if it has to be."""
        self._step(super().redo, self.index(), "new")

    def actions(self, parent: QObject) -> tuple[QAction, QAction]:
        """Return the menu actions, which name the commands to undo and redo."""
        made = self.createUndoAction(parent, "&Undo"), self.createRedoAction(parent, "&Redo")
        for action, act in zip(made, (self.undo, self.redo), strict=True):
            assert action is not None
            action.triggered.disconnect()  # Qt's own would not read again
            action.triggered.connect(act)
        return made  # type: ignore[return-value]

    def bound(self, current: State) -> None:
        """Release the data farthest from the current state, beyond the memory limit."""
        left = files.memory.most_held()
        if current.shelf is not None:  # whose files are soon read again
            left = min(left, SHELF_HELD)
        for held, can_return in self._held(current):
            left -= held.n_bytes
            if left < 0 and can_return:
                held.drop()
        for remembered in self._nearest():
            if not remembered.is_whole and remembered.kept is not None:
                remembered.kept.drop()

    def _step(self, go: Callable[[], None], place: int, side: str) -> None:
        command, index = self.command(place), self.index()
        if not isinstance(command, SetState):
            return
        wanted: Remembered = getattr(command, side)

        def go_on() -> None:
            if self.index() == index and self.command(place) is command:
                go()
                self.bound(wanted.state)

        if wanted.is_whole:
            go()
        else:
            self.missing.emit(wanted, go_on)

    def _nearest(self) -> Iterator[Remembered]:
        """Yield all that is remembered, nearest first."""
        index = self.index() - 0.5
        for place in sorted(range(self.count()), key=lambda k: abs(k - index)):
            command = self.command(place)
            if isinstance(command, SetState):
                yield from (command.new, command.old)

    def _held(self, current: State) -> Iterator[tuple[Opening | KeptDecoding, bool]]:
        """Yield the data held for other states, and whether it can be restored."""
        opening = self.opening_of(current)
        other, kept = self._other_of(current), self._kept_of(current)
        seen: set[Opening | KeptDecoding | None] = {None, opening, other, kept}
        for remembered in self._nearest():
            opened, shown = remembered.opening, remembered.other
            for held in (opened, shown, remembered.kept):
                if held is not None and held not in seen:
                    seen.add(held)
                    source = shown if held is shown else opened
                    yield held, source is not None and source.can_be_read_again

    def _kept_of(self, state: State) -> KeptDecoding | None:
        a = state.compared
        if a is None:
            return None
        kept = next((k for k in self._kept if k.compared == a), None) or KeptDecoding(a)
        self._kept.add(kept)
        return kept


def _shapes(members: tuple[Picture, ...]) -> tuple[Any, ...]:
    return tuple((member.pixels.shape, member.pixels.dtype) for member in members)


def _digest(members: tuple[Picture, ...]) -> str:
    digest = hashlib.sha256()
    for member in members:
        digest.update(np.ascontiguousarray(member.pixels).data)
    return digest.hexdigest()


def _size(picture: Picture) -> int:
    """Return the bytes of a picture, with the copy that is drawn if there is one."""
    arrays = picture.pixels, picture.labels, picture.truth, vars(picture).get("shown")
    return sum(array.nbytes for array in {id(a): a for a in arrays if a is not None}.values())
