"""The image, as a view."""

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import QWidget

from latviz.app.views.image.axes import AxesBar
from latviz.app.views.image.view import ImageView
from latviz.app.views.spec import Context, ViewSpec
from latviz.app.views.verbs import of_pixel
from latviz.app.views.viewer.control import LayersButton, LayersRow
from latviz.app.views.viewer.layers import asks_of, drawn_regions
from latviz.app.views.viewer.map_values import script_lines, table_rows
from latviz.app.widgets import layouts
from latviz.app.widgets.number_boxes import WholeBox
from latviz.app.widgets.title_controls import SliceBar, TitleButton, muted
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.state import State


class PagePicker(QWidget):
    """Chooses a picture of a data set, or a record of a file; hidden if there is only one."""

    picked = pyqtSignal(int)  # the picture to show, from 0

    def __init__(self) -> None:
        super().__init__()
        self.box = WholeBox()
        self.box.setKeyboardTracking(False)
        self._unit, self._total = muted(""), muted("")
        layouts.row(self._unit, self.box, self._total, of=self, margins=(0, 0, 6, 0), spacing=4)
        self.box.valueChanged.connect(lambda value: self.picked.emit(value - 1))
        self.hide()

    def show_source(self, pictures: PictureSet) -> None:
        """Show the picture of a data set, or the record of a file, with their number."""
        origin = pictures.picture.origin
        page, pages, unit = origin.get("page", 0), origin.get("pages", 1), origin.get("unit", "")
        if len(pictures.members) > 1 and pictures.other is None:
            page, pages = pictures.shown, len(pictures.members)
        with QSignalBlocker(self.box):
            self.box.setRange(1, pages)
            self.box.setValue(page + 1)
        self._unit.setText(unit or "picture")
        self.box.setAccessibleName((unit or "picture").capitalize())
        self._total.setText(f"of {pages}")
        self.box.setToolTip(f"Which of {pages} {unit or 'picture'}s is shown")
        self.setVisible(pages > 1)


class ImageHeader(LayersRow):
    """The controls in the title of the image."""

    def __init__(self, view: ImageView, context: Context) -> None:
        self.pages, self.axes, self.slices = PagePicker(), AxesBar(), SliceBar("image")
        self.regions = TitleButton("Regions", "\N{WHITE DIAMOND}", yields=True)
        self.regions.setCheckable(True)
        self.regions.hide()
        self.regions.setAccessibleName("Outlines of regions")
        self.regions.setToolTip("Outline the regions of the photograph, found by contrast")
        layers = LayersButton(context.document, view)
        super().__init__((self.pages, self.axes, self.slices, self.regions), layers)
        self._document = context.document
        self.regions.clicked.connect(
            lambda on: self._document.set_layers("image", regions="borders" if on else "hidden")
        )
        self.pages.picked.connect(context.opener.open_page)
        self.axes.picked.connect(context.opener.open_axis)
        self.slices.picked.connect(self._document.set_slice)
        self._document.changed.connect(self._show_state)

    def _show_state(self, old: State, new: State) -> None:
        if new.pictures is None:
            return
        self.regions.setVisible(new.region_cut.measure == "contrast")
        self.regions.setChecked(drawn_regions(new, new.display.layers("image")) != "hidden")
        picture = new.pictures.picture
        if picture is not old.picture:
            self.slices.begin(picture)
            self.pages.show_source(new.pictures)
            if new.shelf is not None:  # its files are gone through there
                self.pages.hide()
            self.slices.show_picture(picture, new.slice)
            self.axes.show_picture(picture)
        self.slices.show_slice(new.slice)


SPEC = ViewSpec(
    name="image",
    title=ImageView.TITLE,
    of_picture=True,
    make=ImageView,
    help="The image as it is, a slice of a volume, or a sequence as a curve or as letters. Point "
    "at a pixel to see its window, its signature, and its state in every other view. It zooms and "
    "pans together with the state map. Its layers draw states, regions, or a map of one number per "
    "pixel over it.",
    asks=asks_of("image"),
    header=ImageHeader,
    verbs=of_pixel,
    table=lambda _view, frame: table_rows(frame),
    script=lambda _view, frame: script_lines(frame),
)
