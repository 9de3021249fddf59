"""The shelf, as a view."""

from functools import partial

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QLineEdit, QToolButton, QWidget

from latviz.app.shell.actions import Action
from latviz.app.views.shelf.view import ShelfView
from latviz.app.views.spec import Context, Rows, Verb, ViewSpec
from latviz.app.widgets import keys, layouts
from latviz.app.widgets.shortcuts import MAIN, with_keys
from latviz.app.widgets.title_controls import muted


def connect(view: ShelfView, context: Context) -> None:
    """Connect showing and ticking of files."""
    gallery = context.gallery
    view.begin(gallery.thumbnails, lambda: gallery.shelf, lambda: gallery.reason)
    view.wanted.connect(gallery.show)
    view.toggled.connect(gallery.toggle)
    gallery.changed.connect(view.refresh)
    view.model.set_shares(lambda entry: gallery.shares(entry))  # which others may set later


class Filter(QLineEdit):
    """A field that Esc empties; an empty one leaves Esc to the window."""

    # A shortcut would be ambiguous with that of the window, and neither would work
    def event(self, event: QEvent | None) -> bool:
        """Keep Esc from the window while there is a text."""
        key = keys.bare(event) if isinstance(event, QKeyEvent) else 0
        if event is not None and key == Qt.Key.Key_Escape and self.text():
            if event.type() == QEvent.Type.KeyPress:
                self.clear()
            event.accept()
            return True
        return super().event(event)


class ShelfHeader(QWidget):
    """The controls in the title: the number of files, a filter, and steps along them."""

    def __init__(self, view: ShelfView, context: Context) -> None:
        super().__init__()
        gallery = self._gallery = context.gallery
        self.text, self.filter = muted(""), Filter()
        self.filter.setPlaceholderText("Filter")
        self.filter.setAccessibleName("Filter of the shelf")
        self.filter.setToolTip("Show only files whose names contain these letters")
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(150)
        self.before, self.after = QToolButton(), QToolButton()
        steps = (
            (self.before, "◂", "Previous image", -1),
            (self.after, "▸", "Next image", 1),
        )
        layout = layouts.row(self.text, self.filter, of=self, spacing=6)
        for button, text, name, by in steps:
            button.setText(text)
            button.setAccessibleName(name)
            button.setToolTip(with_keys(name, MAIN[name]))
            button.clicked.connect(lambda _=False, by=by: gallery.step(by))
            layout.addWidget(button)
        self.filter.textChanged.connect(view.model.show_filter)
        for changed in (gallery.changed, gallery.thumbnails.changed, context.document.changed):
            changed.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Show the number of files."""
        shelf, lost = self._gallery.shelf, len(self._gallery.thumbnails.failures)
        text = ""
        if shelf is not None:
            text = f"{len(shelf.ticked):,} of {len(shelf.entries):,} learned from"
            text += f" · {lost:,} unreadable" if lost else ""
        self.text.setText(text)
        for part in (self.filter, self.before, self.after):
            part.setEnabled(shelf is not None)


def table_rows(view: ShelfView) -> Rows:
    """Return the files, which are learned from, and why some cannot be read."""
    shelf = view.state.shelf
    if shelf is None or view.model.thumbnails is None:
        return []
    ticked, failures = set(shelf.ticked), view.model.thumbnails.failures
    rows: Rows = [["File", "Bytes", "Learned from", "Unreadable"]]
    for k, entry in enumerate(shelf.entries):
        learned, reason = "yes" if k in ticked else "no", failures.get(entry.path, "")
        rows.append([entry.path, entry.size, learned, reason])
    return rows


def verbs(view: ShelfView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the selected files, and on those listed."""
    gallery, chosen, listed = context.gallery, view.chosen, list(view.model.items)

    def can() -> bool:
        return not gallery.reason

    if gallery.shelf is None:
        return ("Open a folder",)
    ticked = gallery.shelf.ticked
    more, fewer = sorted({*ticked, *chosen}), sorted({*ticked} - {*chosen})
    some = "this image" if len(chosen) == 1 else f"these {len(chosen)} images"
    return (
        Action(f"Also learn from {some}", gallery.reason, partial(gallery.tick, more), enabled=can),
        Action(
            f"Stop learning from {some}",
            gallery.reason or "The last image stays ticked",
            partial(gallery.tick, fewer),
            enabled=lambda: can() and bool(fewer),
        ),
        Action(
            f"Learn only from {some}", gallery.reason, partial(gallery.tick, chosen), enabled=can
        ),
        Action(
            f"Learn from all {len(listed):,} listed",
            gallery.reason,
            partial(gallery.tick, listed),
            enabled=can,
        ),
        "Learn from some, spread evenly",
    )


SPEC = ViewSpec(
    name="shelf",
    title=ShelfView.TITLE,
    of_picture=True,
    make=ShelfView,
    help=(
        "The images of a folder, or several files that were opened together. Click one to show "
        "it. Ticks mark the images that the model learns from."
    ),
    holds=lambda state: state.shelf is not None,
    connect=connect,
    header=ShelfHeader,
    verbs=verbs,
    table=lambda view, _frame: table_rows(view),
)
