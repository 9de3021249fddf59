"""The image, as a view."""

from PyQt6.QtCore import QSignalBlocker, pyqtSignal
from PyQt6.QtWidgets import QCheckBox, QWidget

from latviz.app.views.image.view import ImageView
from latviz.app.views.spec import Context, ViewSpec
from latviz.app.views.verbs import of_pixel
from latviz.app.views.viewer.control import LayersButton, LayersRow
from latviz.app.views.viewer.layers import asks_of
from latviz.app.widgets import layouts
from latviz.app.widgets.number_boxes import WholeBox
from latviz.app.widgets.title_controls import SliceBar, muted
from latviz.engine.pictures.picture import PictureSet
from latviz.engine.settings.state import State


class PagePicker(QWidget):
    """Chooses a page of a file, a picture of a data set, or all pages as a volume."""

    # Hidden if there is only one
    picked = pyqtSignal(int)  # the page to show, from 0
    volume_wanted = pyqtSignal(bool)  # show all pages as one volume, or no longer

    def __init__(self) -> None:
        super().__init__()
        self.box = WholeBox()
        self.box.setKeyboardTracking(False)
        self._unit, self._total = muted("page"), muted("")
        self.volume = QCheckBox("as a volume")
        self.volume.setToolTip("All pages are the slices of one volume")
        layouts.row(
            self._unit, self.box, self._total, self.volume, of=self, margins=(0, 0, 6, 0), spacing=4
        )
        self.box.valueChanged.connect(lambda value: self.picked.emit(value - 1))
        self.volume.clicked.connect(self._ask_for_volume)
        self.hide()

    def _ask_for_volume(self, wanted: bool) -> None:
        """Ask for the volume; the box is ticked once the volume is there."""
        self.volume.setChecked(not wanted)
        self.volume_wanted.emit(wanted)

    def show_source(self, pictures: PictureSet) -> None:
        """Show the page of a file, or the picture of a data set, with their number."""
        origin = pictures.picture.origin
        pages, unit, volume = (origin.get(k) for k in ("pages", "unit", "volume"))
        page = origin.get("page", 0)
        if len(pictures.members) > 1 and pictures.other is None:
            page, pages = pictures.shown, len(pictures.members)
        with QSignalBlocker(self.box):
            self.box.setRange(1, pages or 1)
            self.box.setValue(page + 1)
        self._unit.setText(unit or "page")
        self.box.setAccessibleName((unit or "page").capitalize())
        self._total.setText(f"of {pages}")
        self.box.setToolTip(f"Which of {pages} {unit or 'page'}s is shown")
        self.volume.setChecked(bool(volume))
        self.volume.setVisible(unit == "page")
        for part in (self._unit, self.box, self._total):
            part.setVisible(not volume)
        self.setVisible((pages or 1) > 1)


class ImageHeader(LayersRow):
    """The controls in the title of the image."""

    def __init__(self, context: Context) -> None:
        self.pages, self.slices = PagePicker(), SliceBar("image")
        super().__init__((self.pages, self.slices), LayersButton(context.document, "image"))
        self._document = context.document
        self.pages.picked.connect(context.opener.open_page)
        self.pages.volume_wanted.connect(context.opener.open_as_volume)
        self.slices.picked.connect(self._document.set_slice)
        self._document.changed.connect(self._show_state)

    def _show_state(self, old: State, new: State) -> None:
        if new.pictures is not None and new.picture is not old.picture:
            self.slices.begin(new.pictures.picture)
            self.pages.show_source(new.pictures)
            if new.shelf is not None:  # its files are gone through there
                self.pages.hide()
            self.slices.show_picture(new.pictures.picture, new.slice)
        self.slices.show_slice(new.slice)


SPEC = ViewSpec(
    name="image",
    title=ImageView.TITLE,
    of_picture=True,
    make=ImageView,
    help="The image as it is, a slice of a volume, or a sequence as a curve or as letters. Point "
    "at a pixel to see its window, its signature, and its state in every other view. It zooms and "
    "pans together with the state map.",
    asks=asks_of("image"),
    header=lambda _view, context: ImageHeader(context),
    verbs=of_pixel,
)
