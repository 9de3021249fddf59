"""The signature space, as a view."""

from PyQt6.QtWidgets import QToolButton

from latviz.app.actions import Action, Item
from latviz.app.docks import Place
from latviz.app.views.space import script, table
from latviz.app.views.space.view import SpaceView
from latviz.app.views.spec import Context, ViewSpec
from latviz.engine.frame import LATE

_PATHS_TIP = "Draw where each state goes in the signature space as w grows from 0 to 20 (P)"


def connect(view: SpaceView, context: Context) -> None:
    """Let the view and the document agree on the projection."""
    view.projection_changed.connect(context.document.set_projection)
    context.document.changed.connect(lambda _, new: view.show_projection(new.projection))


def header(_view: SpaceView, context: Context) -> QToolButton:
    """Return the button that shows the paths."""
    button = QToolButton()
    button.setText("Paths")
    button.setToolTip(_PATHS_TIP)
    button.setCheckable(True)
    document = context.document
    button.clicked.connect(lambda on: document.set_display(paths=on))
    document.changed.connect(lambda _, new: button.setChecked(new.display.paths))
    return button


def actions(_view: SpaceView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    document = context.document
    return (
        Action(
            "&Paths of the states as w grows",
            _PATHS_TIP,
            lambda on: document.set_display(paths=on),
            "P",
            ("View", 2.3),
            ticked=lambda: document.display.paths,
        ),
    )


SPEC = ViewSpec(
    name="space",
    title=SpaceView.TITLE,
    make=SpaceView,
    place=Place("row", "image", share=48),
    help="Every pixel's signature as a density, and the states as discs as large as the pixels "
    "they hold. It is exact for two or three symbols, a projection of your choice for more, and "
    "a histogram, a plane or three dimensions for real vectors.",
    needs=SpaceView.NEEDS,
    asks=lambda state: SpaceView.NEEDS if state.display.paths else SpaceView.NEEDS - LATE,
    connect=connect,
    header=header,
    actions=actions,
    table=lambda _view, frame: table.rows(frame),
    script=lambda _view, frame: script.lines(frame),
)
