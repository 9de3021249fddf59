"""Commands on one state, in menus and views: name, colour, merge, split."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QColorDialog, QWidget

from latviz.app.document.document import Document
from latviz.app.shell.actions import HERE, Action, Item, Submenu, plain
from latviz.app.shell.dialogs import ask_line
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.core import data
from latviz.core.data.hand_cut import HandCut
from latviz.engine.geometry.selection import StateSelection, SymbolSelection, index_of
from latviz.engine.settings.appearance import LONGEST, Look, Looks
from latviz.engine.settings.parameters import STATES_RANGE

MENU = "State by &hand"


@dataclass(frozen=True)
class Act:
    """An action on one state."""

    text: str  # of the item in the menus
    of_one: str  # of the item in the menu of a view; "{}" stands for the state
    tip: str
    run: Callable[[int], object]  # on the state in a slot
    can: Callable[[int], bool]  # returns if the state in a slot allows it


class ByHand(QObject, Feature):
    """Names, colours, merges and splits states, from the menus and those of views.

    A command acts on the state under the pointer, or else on the highlighted one.
    """

    def __init__(self, parts: Parts) -> None:
        shell = parts[Shell]
        super().__init__(shell)
        self._document, self._shell = parts[Document], shell
        self._acts = (
            Act(
                "&Name the state…",
                "&Name {}…",
                "Name the highlighted state; it keeps the name while N and w change",
                self.name,
                lambda _slot: True,
            ),
            Act(
                "&Colour the state…",
                "&Colour {}…",
                "Give the highlighted state its own colour",
                self.color,
                lambda _slot: True,
            ),
            Act(
                "&Merge it with its neighbour in the tree",
                "&Merge {} with its neighbour in the tree",
                "Merge the highlighted state with the one that the tree merges it with first",
                self.merge,
                lambda slot: len(self._siblings(slot)) > 1,
            ),
            Act(
                "Merge it with the &highlighted state",
                "Merge {} with the &highlighted state",
                "Merge the state under the pointer, the highlighted state, and all that the tree "
                "merges before these two",
                self.merge_with_picked,
                lambda slot: len(self._between(slot)) > 1,
            ),
            Act(
                "S&plit it in two",
                "S&plit {} in two",
                "Split the highlighted state into its two parts in the merge tree",
                self.split,
                self._can_split,
            ),
            Act(
                "Remo&ve its name and colour",
                "Remo&ve the name and colour of {}",
                "Show the highlighted state with its number and its default colour",
                self.clear,
                lambda slot: self._looks.of(slot) != Look(slot),
            ),
        )

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield from super().menu_items()
        tip = "Edit the state under the pointer, or the highlighted state"
        yield Submenu(MENU, tip, ("Model", 6))
        for k, act in enumerate(self._acts):
            run, can = partial(self._do, act), partial(self._can_do, act)
            yield Action(act.text, act.tip, run, at=(HERE, k / 10), enabled=can)

    def verbs(self, view: View) -> tuple[Action, ...]:
        """Return the commands on the state for which a view's menu is open."""
        frame, slot = self._document.frame, self._state_in(view)
        state = None if frame is None or slot is None else index_of(frame.slots, slot)
        if frame is None or slot is None or state is None:
            return ()
        name = frame.called(state).replace("&", "&&")
        return tuple(
            Action(
                act.of_one.format(name),
                act.tip,
                partial(act.run, slot),
                enabled=partial(act.can, slot),
            )
            for act in self._acts
        )

    # Commands on the state in a slot

    def name(self, slot: int) -> None:
        """Ask for a name."""
        frame = self._document.frame
        name = "" if frame is None else frame.appearance.names((slot,))[0]
        found = self._shell.ask(ask_name, self._called(slot), name)
        if found is not None:
            self._look("Name a state", slot, name=found)

    def color(self, slot: int) -> None:
        """Ask for a colour."""
        frame = self._document.frame
        assert frame is not None
        red, green, blue = frame.appearance.colors((slot,))[0].tolist()
        found = self._shell.ask(ask_color, self._called(slot), QColor(red, green, blue))
        if found is not None:
            self._look("Colour a state", slot, color=found)

    def clear(self, slot: int) -> None:
        """Take its name and colour away."""
        self._look("Remove a name and a colour", slot, name="", color="")

    @in_menu(
        "Remove &all names and colours",
        "Show all states with their numbers and their default colours",
        (plain(MENU), 1),
        enabled=lambda self: bool(self._looks.own),
    )
    def clear_all(self) -> None:
        """Take the names and colours of all states away."""
        self._change("Remove names and colours", replace(self._looks, own=()))

    def merge(self, slot: int) -> None:
        """Merge it with its first partner in the merge tree."""
        self._merge(self._siblings(slot))

    def merge_with_picked(self, slot: int) -> None:
        """Merge it with the highlighted state, and with all between the two."""
        self._merge(self._between(slot))

    def split(self, slot: int) -> None:
        """Split it into its parts in the merge tree."""
        cut, place = self._placed(slot)
        if cut is not None and cut.can_split(place):
            new = cut.split(place)
            self._document.cut("Split a state", new.hand, new.clusters.size)

    @in_menu(
        "&Reset merges and splits",
        "Undo all merges and splits by hand; N stays",
        (plain(MENU), 0.9),
        enabled=lambda self: bool(self._document.state.hand_cut),
    )
    def straighten(self) -> None:
        """Undo all merges and splits."""
        n_states = self._document.parameters.n_states
        self._document.cut("Reset merges and splits", HandCut(), n_states)

    def _merge(self, places: tuple[int, ...]) -> None:
        frame = self._document.frame
        if frame is None or frame.cut is None or len(places) < 2:
            return
        new = frame.cut.merged(places)
        self._document.cut("Merge states", new.hand, new.clusters.size)
        self._shell.say(f"{len(places)} states were merged: N is now {new.clusters.size}")

    def _placed(self, slot: int) -> tuple["data.cutting.TreeCut | None", int]:
        """Return the cut on screen and the row of a slot's state in it; -1 without one.

        The cut is None while another one is being computed.
        """
        frame = self._document.frame
        if frame is None or frame.cut is None or slot not in frame.row_slots:
            return None, -1
        asked = self._document.state
        answered = frame.request.hand_cut, frame.request.parameters
        place = frame.row_slots.index(slot)
        if answered != (asked.hand_cut, asked.parameters) or place >= frame.cut.clusters.size:
            return None, -1
        return frame.cut, place

    def _siblings(self, slot: int) -> tuple[int, ...]:
        cut, place = self._placed(slot)
        return () if cut is None else cut.with_siblings(place)

    def _between(self, slot: int) -> tuple[int, ...]:
        picked = self._document.state.selection
        cut, place = self._placed(slot)
        if cut is None or not isinstance(picked, StateSelection) or picked.slot == slot:
            return ()
        other = self._placed(picked.slot)[1]
        return () if other < 0 else cut.between(place, other)

    def _can_split(self, slot: int) -> bool:
        cut, place = self._placed(slot)
        most = STATES_RANGE[1]
        return cut is not None and cut.clusters.size < most and cut.can_split(place)

    def _look(self, text: str, slot: int, **changes: str) -> None:
        self._change(text, self._looks.changed(slot, **changes))

    def _change(self, text: str, looks: Looks) -> None:
        self._document.change(text, object(), looks=looks)

    @property
    def _looks(self) -> Looks:
        return self._document.state.looks

    def _called(self, slot: int) -> str:
        frame = self._document.frame
        state = None if frame is None else index_of(frame.slots, slot)
        return "the state" if frame is None or state is None else frame.called(state)

    def _state_in(self, view: View) -> int | None:
        """Return the slot of the state under the pointer; on the map that of its pixel."""
        frame, found = self._document.frame, view.inspection
        if frame is None or self._document.pointer.state is not None or found is None:
            return state_in_use(self._document)
        return frame.slots[found.state] if found.state < len(frame.slots) else None

    def _do(self, act: Act) -> None:
        slot = state_in_use(self._document)
        if slot is not None and act.can(slot):
            act.run(slot)

    def _can_do(self, act: Act) -> bool:
        slot = state_in_use(self._document)
        return slot is not None and act.can(slot)


def state_in_use(document: Document) -> int | None:
    """Return the slot of the state under the pointer, or else of the highlighted one."""
    frame, picked = document.frame, document.state.selection
    state = document.pointer.state
    if frame is not None and state is not None and state < len(frame.slots):
        return frame.slots[state]
    chosen = picked.slot if isinstance(picked, StateSelection | SymbolSelection) else None
    return chosen if frame is not None and chosen in frame.slots else None


def ask_name(parent: QWidget, state: str, name: str) -> str | None:
    """Ask for a state's name; return it, "" for none, or None on Cancel."""
    prompt = f"The name of {state}. Leave it empty to show only its number."
    return ask_line(parent, "Name a state", prompt, name, "Name of the state", LONGEST)


def ask_color(parent: QWidget, state: str, color: QColor) -> str | None:
    """Ask for the colour of a state; return "#rrggbb", or None on Cancel."""
    chosen = QColorDialog.getColor(color, parent, f"The colour of {state}")
    return chosen.name() if chosen.isValid() else None
