"""The image, as a view."""

from latviz.app.docks import Place
from latviz.app.views.image.header import ImageHeader
from latviz.app.views.image.view import ImageView
from latviz.app.views.spec import ViewSpec

SPEC = ViewSpec(
    name="image",
    title=ImageView.TITLE,
    make=ImageView,
    place=Place("column", "controls"),
    help="The image as it is, a slice of a volume, or a sequence as a ribbon. Point at a pixel to "
    "see its window, its signature, and its state in every other view. It zooms and pans together "
    "with the state map.",
    header=lambda _view, context: ImageHeader(context),
)
