"""What the window has to know of a view, in one value."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, get_type_hints

from PyQt6.QtWidgets import QWidget

from latviz.app.compare.comparison import Comparing
from latviz.app.document.document import Document
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.opening import Opener
from latviz.app.gallery.gallery import Gallery
from latviz.app.panels.preferences import Preferences
from latviz.app.selections.keeper import Keeper
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Parts
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.core.cells import guarded
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.state import State

Cell = str | int | float
Verb = Action | str
"""What can be done at a place: an action of its own, or the name of one of the menus."""
Rows = list[list[Cell]]
"""The first row names the columns; no row at all: there is nothing to show."""


def as_text(rows: Rows) -> str:
    """Return rows of cells separated by tabs; numbers in full, with a point."""
    return "".join("\t".join(map(_text_of, row)) + "\n" for row in rows)


def _text_of(cell: Cell) -> str:
    """Return a cell without what would end it; see `guarded`."""
    return " ".join(re.split(r"[\t\r\n]+", str(guarded(cell))))


V = TypeVar("V", bound=View)


@dataclass(frozen=True)
class Context:
    """The parts of the window that a view may work with, beside what it is shown."""

    document: Document
    shell: Shell
    preferences: Preferences
    opener: Opener
    comparing: Comparing
    idle_jobs: IdleJobs
    keeper: Keeper
    gallery: Gallery

    @classmethod
    def of(cls, parts: Parts) -> "Context":
        """Return the parts that the fields are annotated with."""
        return cls(*(parts[kind] for kind in get_type_hints(cls).values()))


@dataclass(frozen=True)
class ViewSpec(Generic[V]):
    """A view: all that docks, menus, tables, scripts, exports and help need.

    Attributes
    ----------
    name : str
        Lower-case name, in files and sessions.
    title : str
        The title of its dock, in menus too.
    make : callable
        Return a new view; most often its class.
    help : str
        A paragraph on what it shows. A page "help/views/<name>.md" in the resources says more.
    of_picture : bool
        Whether menus name it among the views of the picture, not of the model.
    explains : tuple of str
        The names of the formulas behind it, in `latviz.engine.explain.formulas`.
    scrolled : bool
        Whether its dock scrolls where the window is too low for it.
    bare : bool
        Whether it has no title where it has a place.
    needs : frozenset of str
        The stages whose results it draws; they are computed only while a view that needs them is
        visible.
    asks : callable, optional
        Return those of ``needs`` that are drawn in a state; without it all are.
    holds : callable, optional
        Return whether a state has anything to list. The dock closes with the last item.
    connect : callable, optional
        Connect the view with the document and with what else there is.
    header : callable, optional
        Return controls for the title of its dock.
    actions : callable, optional
        Return items for the menus.
    verbs : callable, optional
        Return what its context menu offers at the place under the pointer, or that the keyboard led
        to; it is asked whenever the menu opens.
    table : callable, optional
        Return its numbers, the first row naming the columns; nothing if there are none now.
    called : callable, optional
        Return what names of files call what a view shows; without it they call it ``name``.
    script : callable, optional
        Return lines of Python that compute its numbers. They follow those that compute
        ``observations``, ``values``, ``model``, ``states`` and ``score`` (see
        `latviz.engine.frames.script`).
    """

    name: str
    title: str
    make: Callable[[], V]
    help: str
    of_picture: bool = False
    explains: tuple[str, ...] = ()
    scrolled: bool = False
    bare: bool = False
    needs: frozenset[str] = frozenset()
    asks: Callable[[State], frozenset[str]] | None = None
    holds: Callable[[State], bool] | None = None
    connect: Callable[[V, Context], object] | None = None
    header: Callable[[V, Context], QWidget] | None = None
    actions: Callable[[V, Context], tuple[Item, ...]] | None = None
    verbs: Callable[[V, Context], tuple[Verb, ...]] | None = None
    table: Callable[[V, Frame], Rows] | None = None
    called: Callable[[V], str] | None = None
    script: Callable[[V, Frame], list[str]] | None = None

    @property
    def kind(self) -> str:
        """What it is a view of, as menus say: "picture" or "model"."""
        return "picture" if self.of_picture else "model"


AnySpec = ViewSpec[Any]


def needs_of(specs: Iterable[AnySpec], state: State) -> frozenset[str]:
    """Return the results that some views draw of a state."""
    asked = (spec.needs if spec.asks is None else spec.asks(state) for spec in specs)
    return frozenset[str]().union(*asked)
