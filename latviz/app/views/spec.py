"""The specification of a view for the window, in one value."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, get_type_hints

from PyQt6.QtWidgets import QWidget

from latviz.app.compare.comparison import Comparing
from latviz.app.compare.racing import Racing
from latviz.app.document.adviser import Adviser
from latviz.app.document.document import Document
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.opening import Opener
from latviz.app.gallery.gallery import Gallery
from latviz.app.panels.preferences import Preferences
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Parts
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.base import View
from latviz.core.cells import guarded
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.state import State

Cell = str | int | float
Verb = Action | str
"""A command at a place: an action of its own, or the name of a menu's action."""
Rows = list[list[Cell]]
"""The first row names the columns; no rows mean no table."""


def as_text(rows: Rows) -> str:
    """Return rows of cells separated by tabs; numbers in full, with a point."""
    return "".join("\t".join(map(_text_of, row)) + "\n" for row in rows)


def _text_of(cell: Cell) -> str:
    """Return a cell without characters that end it; see `guarded`."""
    return " ".join(re.split(r"[\t\r\n]+", str(guarded(cell))))


V = TypeVar("V", bound=View)


@dataclass(frozen=True)
class Context:
    """The parts of the window that a view may use."""

    document: Document
    shell: Shell
    preferences: Preferences
    opener: Opener
    comparing: Comparing
    racing: Racing
    idle_jobs: IdleJobs
    adviser: Adviser
    gallery: Gallery
    settings: Settings

    @classmethod
    def of(cls, parts: Parts) -> "Context":
        """Return the parts that the fields are annotated with."""
        return cls(*(parts[kind] for kind in get_type_hints(cls).values()))


@dataclass(frozen=True)
class ViewSpec(Generic[V]):
    """The specification of a view, for docks, menus, tables, scripts, exports and help.

    Attributes
    ----------
    name : str
        Lower-case name, in files and sessions.
    title : str
        The title of its dock, in menus too.
    make : callable
        Return a new view; most often its class.
    help : str
        A paragraph on its contents. A page "help/views/<name>.md" in the resources has the details.
    of_picture : bool
        True to list it among the views of the picture, not of the model.
    scrolled : bool
        True if its dock scrolls when the window is too low.
    brief : str
        A shorter title, where there is little room.
    bare : bool
        True to omit the title where it has a place.
    needs : frozenset of str
        The stages whose results it draws; they are computed only while a view that needs them is
        visible.
    asks : callable, optional
        Return the ``needs`` that are drawn in a state; by default all.
    holds : callable, optional
        Return True if a state has something to list. The dock closes with the last item.
    connect : callable, optional
        Connect the view with the document and other parts.
    header : callable, optional
        Return controls for the title of its dock.
    actions : callable, optional
        Return items for the menus.
    verbs : callable, optional
        Return the items of its context menu for the place under the pointer or reached by keys;
        called whenever the menu opens.
    table : callable, optional
        Return its numbers, with the names of the columns first; empty if it has none now.
    called : callable, optional
        Return the stem of file names; by default ``name``.
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
    scrolled: bool = False
    brief: str = ""
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
        """The subject as menus name it: "picture" or "model"."""
        return "picture" if self.of_picture else "model"


AnySpec = ViewSpec[Any]


def needs_of(specs: Iterable[AnySpec], state: State) -> frozenset[str]:
    """Return the results that some views draw of a state."""
    asked = (spec.needs if spec.asks is None else spec.asks(state) for spec in specs)
    return frozenset[str]().union(*asked)
