"""The images of the shelf, as a view."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PyQt6.QtWidgets import QPushButton, QWidget

from latviz import collection
from latviz.app.gallery.survey import Survey
from latviz.app.shell.actions import Action, Item, plain
from latviz.app.shell.dialogs import ask_where
from latviz.app.views.images.view import NO_LABELS, ImagesView
from latviz.app.views.spec import Cell, Context, Rows, Verb, ViewSpec
from latviz.app.widgets import layouts
from latviz.app.widgets.title_controls import muted
from latviz.app.work.activity import percent_done

TABLE, CONFUSION = "Export table of &images…", "Export confusion of images…"


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


def verbs(_view: ImagesView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the results."""
    if context.gallery.shelf is None:
        return ("Open a folder",)
    return "Next image", "Previous image", plain(TABLE), plain(CONFUSION)


def actions(_view: ImagesView, context: Context) -> tuple[Item, ...]:
    """Return the exports of the results."""
    survey = context.gallery.survey
    return (
        Action(
            TABLE,
            "Write the results of each image of the shelf as a table (.csv)",
            partial(export_table, context),
            at=("Export", 0.25),
            enabled=lambda: bool(survey.fresh),
        ),
        Action(
            CONFUSION,
            "Write which states the pixels of each label are in, over all images (.csv)",
            partial(export_confusion, context),
            at=("Export", 0.26),
            enabled=lambda: bool(survey.fresh),  # and labels are looked for when it is asked for
        ),
    )


def export_table(context: Context) -> None:
    """Ask for a file and write the results of all images to it, as the command line does."""
    shelf, survey = context.gallery.shelf, context.gallery.survey
    if shelf is not None:
        results = survey.results(shelf)
        _export(context, "images", lambda path: collection.tables.write_table(path, results))


def export_confusion(context: Context) -> None:
    """Ask for a file and write the confusion to it."""
    found = context.gallery.survey.together()
    if found is None:
        context.shell.say(NO_LABELS)
    else:
        _export(context, "confusion", lambda path: collection.tables.write_confusion(path, found))


def _export(context: Context, stem: str, write: Callable[[str], None]) -> None:
    """Ask for a file and write a table to it in the background."""
    settings, shell = context.settings, context.shell
    path = shell.ask(ask_where, settings.export_folder, stem, (".csv",))
    if path and shell.may_write(path):
        settings.export_folder = str(Path(path).parent)
        context.gallery.survey.background.start(
            lambda: write(path), lambda _: shell.say(f"Wrote {path}")
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
    actions=actions,
    verbs=verbs,
    table=lambda view, _frame: table_rows(view),
)
