"""Tools for drawing."""

from PyQt6.QtGui import QFont

from latviz.app.widgets import painting


class NoInfo:
    """What Qt knows of a font on a system without fonts."""

    def __init__(self, _: QFont) -> None: ...

    def pixelSize(self) -> int:
        return -1


def test_a_font_has_a_size_in_pixels_on_systems_without_fonts(qtbot, monkeypatch) -> None:
    points, pixels = QFont("Sans"), QFont("Sans")
    points.setPointSizeF(9.0)
    pixels.setPixelSize(17)
    for info in (painting.QFontInfo, NoInfo):
        monkeypatch.setattr(painting, "QFontInfo", info)
        painting.pixel_size.cache_clear()
        # CSS has 96 pixels an inch, of 72 points
        assert (painting.pixel_size(points), painting.pixel_size(pixels)) == (12, 17)
