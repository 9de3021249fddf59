"""The image, with the window of the pixel under the pointer."""

from latviz.app.views.viewer.view import Viewer
from latviz.app.widgets import accessible_text as words
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.picture import Picture


class ImageView(Viewer):
    """The viewer with only the image, unless other layers are switched on."""

    TITLE = "Image"
    VIEWER = "image"

    def show_picture(self, picture: Picture) -> None:
        """Take an image; its name and size stand over it."""
        super().show_picture(picture)
        self.setWindowTitle(f"{picture.name} · {picture.size_text}")

    def in_words(self, frame: Frame) -> str:
        """Return the picture's name and size, and its map."""
        return f"{words.image(frame)} {super().in_words(frame)}".rstrip()
