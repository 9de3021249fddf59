"""Its row of the table of views: the images of the shelf with their results."""

from collections.abc import Callable
from functools import partial

from PyQt6.QtWidgets import QPushButton, QWidget

from latviz.app.shell.actions import OTHERS, Action, Item, plain
from latviz.app.views.spec import Context, Rows, Verb, ViewSpec
from latviz.app.widgets import layouts
from latviz.app.widgets.title_controls import muted
from latviz.app.work.activity import percent_done
from latviz.wings.many import results
from latviz.wings.many.shortcuts import IN_MENUS
from latviz.wings.many.window.classes import Classes
from latviz.wings.many.window.survey import Survey
from latviz.wings.many.window.view import NO_LABELS, ImagesView, axes_of

AXES = "images-axes"
"""The setting that keeps the axes of the plot."""
CONFUSION = "Export confusion of images…"
CLASSIFY = "&Classify the images"
CLASSIFY_TIP = (
    "Learn the classes that the folders stand for, and find the class of each image by models "
    "that did not learn from it"
)
NO_CLASSES = (
    "The images lie in one folder. Put those of each class into a folder, and open the folder "
    "that holds these"
)


def connect(view: ImagesView, context: Context) -> None:
    """Begin the results, and connect the choice of images and axes."""
    document, gallery, store = context.document, context.gallery, context.settings.store
    survey = Survey(document, gallery.thumbnails)
    view.begin(survey, Classes(document), gallery.thumbnails)
    view.wanted.connect(gallery.show)
    view.axes = axes_of(store.value(AXES))
    view.axes_chosen.connect(lambda: store.setValue(AXES, list(view.axes)))
    gallery.shares = survey.shares
    survey.changed.connect(gallery.changed)


class ImagesHeader(QWidget):
    """The controls in the title: progress, and buttons that stop computing and classify."""

    def __init__(self, survey: Survey, classes: Classes) -> None:
        super().__init__()
        self._survey, self._classes = survey, classes
        self.progress_text, self.stop = muted(""), QPushButton("Stop")
        self.stop.setProperty("small", True)
        self.stop.setAccessibleName("Stop computing images")
        self.stop.clicked.connect(lambda: survey.stop(not survey.is_stopped))
        self.classify = QPushButton()
        self.classify.setProperty("small", True)
        self.classify.clicked.connect(self._classify)
        layouts.row(self.progress_text, self.stop, self.classify, of=self, spacing=6)
        survey.changed.connect(self.refresh)
        classes.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the progress."""
        survey = self._survey
        works, stopped = survey.fraction is not None, survey.is_stopped
        done = f"{percent_done(survey.fraction or 0.0)} %"
        self.progress_text.setText("Stopped" if stopped else f"Computing: {done}" if works else "")
        self.stop.setVisible(works or stopped)
        self.stop.setText("Go on" if stopped else "Stop")
        self.stop.setToolTip(
            "Compute the rest" if stopped else "Stop computing; the results so far stay"
        )
        classes, learned = self._classes, self._classes.fraction
        self.classify.setVisible(bool(classes.known))
        self.classify.setText(
            "Classify" if learned is None else f"Cancel classifying: {percent_done(learned)} %"
        )
        self.classify.setToolTip(CLASSIFY_TIP if learned is None else "Keep earlier classes")

    def _classify(self) -> None:
        classes = self._classes
        classes.start() if classes.fraction is None else classes.stop()


def table_rows(view: ImagesView) -> Rows:
    """Return the results of all images, as the command line writes them, and their classes."""
    if view.shelf is None or not view.survey.fresh:
        return []
    found = view.survey.in_order(view.shelf)
    columns = {**_class_cells(view.classes), **results.tables.numbers_of(found)}
    rows = results.tables.rows_of(found, columns)
    return [["" if cell is None else cell for cell in row] for row in rows]


def _class_cells(classes: Classes) -> dict[str, Callable[["results.record.Record"], object]]:
    """Return the columns on the found classes; none without any."""
    if classes.found is None:
        return {}
    each = classes.found.each
    return {
        "class": lambda one: each[one.path].own if one.path in each else None,
        "predicted": lambda one: each[one.path].name if one.path in each else None,
        "posterior": lambda one: each[one.path].posterior if one.path in each else None,
    }


def verbs(_view: ImagesView, context: Context) -> tuple[Verb, ...]:
    """Return the commands on the results."""
    if context.gallery.shelf is None:
        return ("Open a folder",)
    return "Next image", "Previous image", plain(CLASSIFY)


def classify(view: ImagesView, context: Context) -> None:
    """Classify the images in the tab of images, or say what they lack."""
    context.shell.use_wanted.emit("images")
    if view.classes.known:
        view.classes.start()
    else:
        context.shell.say(NO_CLASSES)


def actions(view: ImagesView, context: Context) -> tuple[Item, ...]:
    """Return the command on the classes, and the export of the confusion."""
    survey = view.survey
    return (
        Action(
            CLASSIFY,
            CLASSIFY_TIP,
            partial(classify, view, context),
            IN_MENUS["Classify the images"],
            at=(OTHERS, 3.6),
            enabled=lambda: context.gallery.shelf is not None,
        ),
        Action(
            CONFUSION,
            "Write which states the pixels of each label are in, over all images; or the classes "
            "that were found for the images of each class (.csv)",
            partial(export_confusion, view, context),
            at=("Export", 0.26),
            enabled=lambda: bool(survey.fresh),  # and labels are looked for when it is asked for
        ),
    )


def export_confusion(view: ImagesView, context: Context) -> None:
    """Ask for a file and write the confusion to it in the background."""
    found, shell = view.together, context.shell
    if found is None:
        shell.say(NO_LABELS)
    elif path := shell.ask_target(context.settings, "confusion", ".csv"):
        write = partial(results.tables.write_confusion, path, found)
        view.survey.background.start(write, lambda _: shell.say(f"Wrote {path}"))


SPEC = ViewSpec(
    name="images",
    title=ImagesView.TITLE,
    of_picture=True,
    make=ImagesView,
    help=(
        "The images of the shelf with the results of one model: a table, a plot with a point for "
        "each image, how well the states match the labels, and the class of each image."
    ),
    holds=lambda state: state.shelf is not None,
    connect=connect,
    header=lambda view, _: ImagesHeader(view.survey, view.classes),
    actions=actions,
    verbs=verbs,
    table=lambda view, _frame: table_rows(view),
)
ROWS = (SPEC,)
