"""Explanations in place: "?" for the widget under the pointer, F1 for its page of the manual."""

from functools import partial

from PyQt6.QtCore import QObject, QPoint, Qt
from PyQt6.QtGui import QAction, QCursor
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.docking.docks import Docks
from latviz.app.document.document import Document
from latviz.app.document.inspector import inside
from latviz.app.explaining.card import Card
from latviz.app.explaining.subjects import Subject, Subjects
from latviz.app.help.reference import Reference
from latviz.app.panels.controls import Controls
from latviz.app.shell.actions import OTHERS, Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import Views
from latviz.app.widgets.formula import Typesetter
from latviz.engine.explain.explanation import explain
from latviz.engine.explain.formulas import TOPICS
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.state import Node


class Explainer(QObject, Feature):
    """Explains the widget under the pointer, or with the focus if that was used since.

    `card` is the open one, if any.
    """

    def __init__(self, parts: Parts) -> None:
        shell = parts[Shell]
        super().__init__(shell.main_window)
        self._main_window, self._document, self._shell = shell.main_window, parts[Document], shell
        self._typesetter = Typesetter(shell.main_window)
        self._read = parts[Reference].show_help
        self._subjects: Subjects | None = None
        self.card: Card | None = None
        self._node: Node | None = None
        self._pointed = QCursor.pos()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        return (
            Action(
                "&Help",
                "Open the manual page on what is under the pointer",
                self.read_more,
                at=("Help", 1.1),
            ),
            Action(
                "&What is this?",
                "Explain what is under the pointer or has the keyboard. The formula is also shown "
                "with the numbers of the pixel under the pointer, or pinned last",
                self.explain_here,
                at=("Help", 1.11),
            ),
            Action(
                "E&xplain a pixel",
                "Show the formulas with the numbers of the pixel under the pointer, or pinned "
                "last, and what would change its state",
                self.explain_pixel,
                at=(OTHERS, 0.4),
            ),
        )

    def connect(self, parts: Parts) -> None:
        """Explain all parts of the window; add the command to the controls' context menus."""
        self._docks = parts[Docks]
        self._subjects = Subjects(parts[Docks], parts[Views].specs, parts[Controls].panel)
        self._shell.explanation_wanted.connect(self.explain_pixel)
        for widget in self._subjects.controls:
            action = QAction("What is this?", widget)
            action.triggered.connect(partial(self.explain, widget))
            widget.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            widget.addAction(action)

    def close(self) -> None:
        """Stop typesetting."""
        self._typesetter.close()

    def explain_here(self) -> None:
        """Explain the widget under the pointer or with the focus."""
        self.explain(self._widget_in_use())

    def read_more(self) -> None:
        """Open the manual at the page of the widget in question, or at its last page."""
        subject = self._subject_of(self._widget_in_use())
        self._read(*(("", "") if subject is None else (subject.page, subject.anchor)))

    def _follow(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Take note of where the pointer is when the keyboard goes elsewhere."""
        if new is not None:
            self._pointed = QCursor.pos()

    def _widget_in_use(self) -> QWidget | None:
        """Return the widget under the pointer, or with the focus if the pointer did not move."""
        focus, pointed = QApplication.focusWidget(), QApplication.widgetAt(QCursor.pos())
        stood_still = QCursor.pos() == self._pointed
        candidates = (focus, pointed) if stood_still else (pointed, focus)
        return next((widget for widget in candidates if self._subject_of(widget) is not None), None)

    def _subject_of(self, widget: QWidget | None) -> Subject | None:
        return None if self._subjects is None else self._subjects.of(widget)

    def explain(self, widget: QWidget | None, _checked: bool = False) -> None:
        """Explain a widget's subject on a card next to it."""
        subject = self._subject_of(widget)
        if subject is None or widget is None:
            self._shell.say("Point at a view or a control and press ? again to see it explained")
            return
        below = widget.mapToGlobal(QPoint(0, min(widget.height(), 40)))
        under = widget.rect().contains(widget.mapFromGlobal(QCursor.pos()))
        self._open(subject, QCursor.pos() if under else below)

    def explain_pixel(self, node: Node | None = None) -> None:
        """Explain a pixel, or else the one that is pointed at or was pinned last."""
        subject = self._subject_of(self._docks["pixel"])
        if subject is not None:
            self._open(subject, QCursor.pos(), node)

    def _open(self, subject: Subject, at: QPoint, node: Node | None = None) -> None:
        """Show a card; it keeps to the pixel that is pointed at now, which the card may cover."""
        self._node = node or self._document.inspector.node
        card = self.card = Card(self._main_window, self._typesetter)
        card.more_wanted.connect(lambda wanted: self._read(wanted.page, wanted.anchor))
        card.destroyed.connect(partial(self._forget, id(card)))
        self._fill(card, subject)
        card.open_at(at)

    def _forget(self, which: int) -> None:
        if self.card is not None and id(self.card) == which:
            self.card = None

    def _fill(self, card: Card, subject: Subject, _frame: Frame | None = None) -> None:
        """Fill in known parts, and again when the rest is computed, while the card is open."""
        if self.card is not card:
            return
        frame, missing = self._frame(), self._missing(subject)
        node = None if frame is None or self._node is None else inside(self._node, frame)
        numbers = None if frame is None or node is None else explain(frame, node)
        card.explain(subject, frame, numbers)
        if frame is None or missing:
            self._document.when_whole(partial(self._fill, card, subject), needs=missing)

    def _frame(self) -> Frame | None:
        """Return the whole frame of the open picture, or None."""
        frame = self._document.frame
        is_old = frame is None or frame.request.picture is not self._document.picture
        return None if is_old or frame is None or frame.coarse else frame

    def _missing(self, subject: Subject) -> frozenset[str]:
        """Return the results that the formulas of a subject read and that the frame has not."""
        frame = self._frame()
        if frame is None:
            return frozenset()
        topics = [TOPICS[name] for name in subject.topics if TOPICS[name].applies(frame)]
        return frozenset[str]().union(*(one.needs for one in topics)) - frame.results.keys()
