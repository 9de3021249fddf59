"""Keeping selections under names: the menu, and the commands on a kept one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from PyQt6.QtWidgets import QWidget

from latviz import collection
from latviz.app.document.document import Document
from latviz.app.sharing.sharer import Sharer, Write
from latviz.app.shell.actions import Action, Item, Submenu, plain
from latviz.app.shell.dialogs import ask_line
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.core.progress import Progress
from latviz.engine.geometry.selection import (
    LONGEST,
    ConnectedSelection,
    Kept,
    RangeSelection,
    can_be_kept,
)
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.files.suffixes import KEPT_EXPORTS

KEEP = "Save the hi&ghlighted pixels…"
MENU = "Saved se&lections"


class Keeper(Feature):
    """Keeps highlights under names, shows them again, and writes masks and statistics."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell, self._sharer = parts[Document], parts[Shell], parts[Sharer]

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        return (
            Action(
                KEEP,
                "Name the highlighted pixels, so that you can highlight, describe and export them "
                "again",
                self.keep,
                at=("Edit", 2.21),
                enabled=lambda: can_be_kept(self._document.state.selection),
            ),
            Submenu(MENU, "Highlight a saved selection", ("Edit", 2.22), self._listed),
            Action(
                "Export saved sele&ctions…",
                "Write the statistics of saved selections (.csv), or their masks (.png, .npz)",
                self.export,
                at=("Export", 0.25),
                enabled=lambda: bool(self._document.state.kept),
            ),
        )

    def _listed(self) -> Iterator[Item]:
        """Yield the kept selections; of a long list only the first, as the view has all."""
        at, document = plain(MENU), self._document
        for place, kept in enumerate(document.state.kept[:12]):
            name = kept.name.replace("&", "&&")
            is_lit = kept.selection == document.state.selection
            yield Action(
                name,
                "Highlight its pixels",
                partial(self._show, kept),
                at=(at, place / 100),
                ticked=partial(bool, is_lit),
            )
        text = "&Show all of them" if document.state.kept else "None yet: highlight something first"
        yield Action(
            text,
            "Show their table",
            partial(self._shell.show, "selections"),
            at=(at, 1),
            enabled=lambda: bool(document.state.kept),
        )

    def keep(self) -> None:
        """Ask for a name, and keep the highlighted pixels under it."""
        state = self._document.state
        if not can_be_kept(state.selection) or state.picture is None:
            return
        assert state.selection is not None
        name = self._shell.ask(
            ask_name, "Save the highlighted pixels", free_name("Selection 1", state.kept)
        )
        if not name:
            return
        connected = isinstance(state.selection, ConnectedSelection)
        kept = Kept(
            free_name(name, state.kept),
            state.selection,
            state.parameters.encoding,
            state.picture.name if connected else "",
        )
        self._set("Save a selection", (*state.kept, kept))
        self._shell.show("selections")

    def show(self, kept: Kept) -> None:
        """Highlight a kept selection, or clear the highlight if it is this one."""
        state, selection = self._document.state, kept.selection
        assert state.picture is not None
        if not kept.means_something(state.parameters.encoding, state.picture.name):
            self._shell.say(f"“{kept.name}” {why_not(kept, state.picture.name)}")
        elif isinstance(selection, RangeSelection) and selection != state.selection:
            self._document.change("Highlight", selection=selection, map=selection.map)
        else:
            self._document.select(selection)

    def _show(self, kept: Kept, _on: bool) -> None:
        self.show(kept)

    def rename(self, kept: Kept) -> None:
        """Ask for another name."""
        name = self._shell.ask(ask_name, "Rename a selection", kept.name)
        if name and name != kept.name:
            others = [each for each in self._document.state.kept if each != kept]
            new = replace(kept, name=free_name(name, others))
            self._replace("Rename a selection", kept, (new,))

    def remove(self, kept: Kept) -> None:
        """Remove a kept selection; the highlight stays."""
        self._replace("Remove a selection", kept, ())

    def export(self, only: Kept | None = None) -> None:
        """Write all kept selections, or one of them, over all pictures."""
        if self._document.state.kept:
            name = "selections" if only is None else only.name
            self._sharer.write(name, tuple(KEPT_EXPORTS), partial(_writing, only))

    def _replace(self, text: str, kept: Kept, new: tuple[Kept, ...]) -> None:
        state = self._document.state
        if kept in state.kept:
            place = state.kept.index(kept)
            self._set(text, (*state.kept[:place], *new, *state.kept[place + 1 :]))

    def _set(self, text: str, kept: tuple[Kept, ...]) -> None:
        self._document.change(text, object(), kept=kept)


def why_not(kept: Kept, picture: str) -> str:
    """Return why a kept selection has no meaning in a picture, as the end of a sentence."""
    if kept.picture not in ("", picture):
        return f"is a region of {kept.picture}: open that first"
    return f"was highlighted with another encoding: choose {kept.encoding.kind.title} first"


def free_name(name: str, kept: Iterable[Kept]) -> str:
    """Return a name that nothing is kept under: with a number behind it, if it is taken."""
    taken = {each.name for each in kept}
    if name not in taken:
        return name
    stem = name.rstrip("0123456789").rstrip() or name
    numbers = (f"{stem[: LONGEST - 6]} {number}" for number in range(2, len(taken) + 3))
    return next(one for one in numbers if one not in taken)


def ask_name(parent: QWidget, title: str, name: str) -> str:
    """Ask for the name of a selection; return it, or "" on Cancel."""
    said, called = "The name of the selection", "Name of the selection"
    return ask_line(parent, title, said, name, called, LONGEST) or ""


def _writing(only: Kept | None, path: str) -> Write:
    """Return a function that writes all kept selections, or one of them."""

    def write(pictures: PictureSet, session: Session, progress: Progress) -> None:
        if only is not None:
            session = replace(session, state=replace(session.state, kept=(only,)))
        collection.selection_writing.write_selections(path, pictures, session, progress)

    return write
