"""The image, with the window of the pixel under the pointer."""

from typing import Any

from PyQt6.QtWidgets import QVBoxLayout, QWidget

from latviz.app.views.base import View
from latviz.app.views.canvas import Canvas, PhotoItem
from latviz.live.parameters import Picture


class PictureView(View):
    """A view on a canvas: the image, and what subclasses put over it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = Canvas(self)
        self.photo = PhotoItem()
        self.canvas.add_layer(self.photo, 0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.canvas)
        self.canvas.hovered.connect(self.hovered)

    def show_picture(self, picture: Picture) -> None:
        """Take another image; it is shown at once, before any frame of it."""
        show_array(self.photo, picture.shown)
        self.canvas.set_shape(picture.shape)
        self.canvas.clear_mark()

    def draw_theme(self) -> None:
        """Restyle the ground."""
        self.canvas.draw_theme(self.theme)

    def draw_inspection(self) -> None:
        """Outline the inspected pixel's clipped window."""
        found = self.inspection
        if found is None:
            self.canvas.clear_mark()
        else:
            self.canvas.mark(found.rows, found.columns, found.node)


class ImageView(PictureView):
    """The image as it is."""

    NAME = "image"
    TITLE = "Image"


def show_array(item: Any, values: Any) -> None:
    """Give an item an image of 8 bits, as it is."""
    item.setImage(values, autoLevels=False, levels=(0, 255))
