"""Explanations of the parts of the window."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from PyQt6.QtWidgets import QAbstractButton, QLabel, QWidget

from latviz.app.docking.docks import Dock
from latviz.app.help import manual
from latviz.app.panels.controls import ControlPanel
from latviz.app.shell.actions import plain
from latviz.app.views.spec import AnySpec
from latviz.core.parameter import Parameter, rows
from latviz.engine.settings.parameters import Parameters

PANELS = {"controls": manual.PARAMETERS_PROSE, "lesson": "lessons.md"}
"""The pages of docks that hold no view."""


@dataclass(frozen=True)
class Subject:
    """The explanation of a part of the window, and its place in the manual."""

    title: str
    paragraphs: tuple[str, ...]  # plain text
    page: str  # of the manual, with an ``anchor``
    anchor: str = ""
    topics: tuple[str, ...] = ()  # names of `latviz.engine.explain.formulas.TOPICS`


class Subjects:
    """Finds the explanation of a widget: of a control, a view, or a tool tip."""

    def __init__(
        self, docks: Mapping[str, Dock], specs: Mapping[str, AnySpec], controls: ControlPanel
    ) -> None:
        self._docks, self._specs = docks, specs
        self._rows: dict[QWidget, Parameter] = {controls[r.field]: r for r in rows(Parameters)}

    @property
    def controls(self) -> Iterator[QWidget]:
        """Yield the controls that have their own subject."""
        yield from self._rows

    def of(self, widget: QWidget | None) -> Subject | None:
        """Return the subject of a widget, or None if it has none."""
        if isinstance(widget, QLabel) and widget.buddy() is not None:
            widget = widget.buddy()
        chain = list(_upwards(widget))
        for holder in chain:
            if holder in self._rows:
                return _of_parameter(self._rows[holder])
        dock = next((holder for holder in chain if isinstance(holder, Dock)), None)
        around = None if dock is None else self._of_dock(dock)
        for holder in chain:
            if holder is not dock and holder.toolTip() and not isinstance(holder, Dock):
                return _with_tip(holder, around)
        return around

    def _of_dock(self, dock: Dock) -> Subject | None:
        if (spec := self._specs.get(dock.name)) is not None:
            own = f"views/{spec.name}.md"
            known = {entry.name for entry in manual.contents()}
            page = own if own in known else manual.VIEWS
            return Subject(spec.title, (spec.help,), page, topics=spec.explains)
        page = PANELS.get(dock.name, manual.INDEX)
        return Subject(dock.title, (manual.summary(page),), page)


def _upwards(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = None if widget.isWindow() else widget.parentWidget()


def _of_parameter(row: Parameter) -> Subject:
    values = f"From {row.range_text}" if row.bounds is not None else f"One of {row.range_text}"
    paragraphs = (
        f"{row.tip}.",
        f"{row.formula[:1].upper()}{row.formula[1:]}.",
        f"{values}; {row.flag} on the command line.",
    )
    return Subject(
        row.name, paragraphs, manual.PARAMETERS_PROSE, manual.slug(row.group), topics=row.explains
    )


def _with_tip(widget: QWidget, around: Subject | None) -> Subject:
    """Return the widget's tool tip, followed by the explanation of its view."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    title = widget.accessibleName() or plain(text)
    if around is None:
        return Subject(title or "What this is", (widget.toolTip(),), manual.INDEX)
    return replace(
        around, title=title or around.title, paragraphs=(widget.toolTip(), *around.paragraphs)
    )
