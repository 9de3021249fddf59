"""The images of the shelf, as a view."""

from functools import partial
from pathlib import Path

from PyQt6.QtWidgets import QPushButton, QWidget

from latviz import collection
from latviz.app.gallery.survey import Survey
from latviz.app.shell.actions import Action
from latviz.app.shell.dialogs import ask_where
from latviz.app.views.images.view import ImagesView
from latviz.app.views.spec import Cell, Context, Rows, Verb, ViewSpec
from latviz.app.widgets import layouts
from latviz.app.widgets.title_controls import muted
from latviz.app.work.activity import percent_done


def connect(view: ImagesView, context: Context) -> None:
    """Connect the choice of images and axes."""
    gallery, document = context.gallery, context.document
    view.begin(gallery.survey, gallery.thumbnails)
    view.wanted.connect(gallery.show)
    view.axes_wanted.connect(lambda axes: document.change("Change the plot", axes=axes))


class ImagesHeader(QWidget):
    """The controls in the title: the progress of computing, and a button that stops it."""

    def __init__(self, survey: Survey) -> None:
        super().__init__()
        self._survey = survey
        self.said, self.stop = muted(""), QPushButton("Stop")
        self.stop.setProperty("small", True)
        self.stop.setAccessibleName("Stop computing images")
        self.stop.clicked.connect(lambda: survey.stop(not survey.is_stopped))
        layouts.row(self.said, self.stop, of=self, spacing=6)
        survey.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the progress."""
        survey = self._survey
        works, stopped = survey.fraction is not None, survey.is_stopped
        done = f"{percent_done(survey.fraction or 0.0)} %"
        self.said.setText("Stopped" if stopped else f"Computing: {done}" if works else "")
        self.stop.setVisible(works or stopped)
        self.stop.setText("Go on" if stopped else "Stop")
        self.stop.setToolTip(
            "Compute the rest" if stopped else "Stop computing; the results so far stay"
        )


def table_rows(view: ImagesView) -> Rows:
    """Return the results of all images, in their order, and why some have none."""
    shelf, rows = view.shelf, view.rows
    if shelf is None or not rows.measures:
        return []
    head: list[Cell] = ["Image", *(rows.title(c) for c in rows.measures), "Unreadable"]
    found: Rows = [head]
    for place in rows.items:
        numbers = (rows.value(place, column) for column in rows.measures)
        cells: list[Cell] = ["" if number is None else number for number in numbers]
        found.append([shelf.entries[place].path, *cells, rows.reason(place)])
    return found


def verbs(view: ImagesView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the results."""
    if context.gallery.shelf is None:
        return ("Open a folder",)
    export = Action(
        "Export the confusion…",
        "Write which states the pixels of each label are in, over all images (.csv)",
        partial(export_confusion, view, context),
        enabled=lambda: view.confusion_rows.found is not None,
    )
    return "Next image", "Previous image", export


def export_confusion(view: ImagesView, context: Context) -> None:
    """Ask for a file and write the confusion to it."""
    found = view.confusion_rows.found
    path = context.shell.ask(ask_where, str(Path.home()), "confusion", (".csv",))
    if found is not None and path and context.shell.may_write(path):
        context.gallery.survey.background.start(
            lambda: collection.tables.write_confusion(path, found),
            lambda _: context.shell.say(f"Wrote {path}"),
        )


SPEC = ViewSpec(
    name="images",
    title=ImagesView.TITLE,
    of_picture=True,
    make=ImagesView,
    explains=("associativity", "inertia"),
    help=(
        "The images of the shelf with the results of one model: a table, a plot with a point for "
        "each image, and how well the states match the labels."
    ),
    holds=lambda state: state.shelf is not None,
    connect=connect,
    header=lambda _view, context: ImagesHeader(context.gallery.survey),
    verbs=verbs,
    table=lambda view, _frame: table_rows(view),
)
