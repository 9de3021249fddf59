"""Figures: views drawn again for a file.

A figure is a second view of the same kind that was never on screen. So it has no highlight under
the pointer and no focus, and the view on screen does not change.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from PyQt6.QtCore import QCoreApplication, QEvent, Qt
from PyQt6.QtGui import QColor, QFont, QImage, QPainter, QPalette
from PyQt6.QtWidgets import QGraphicsView, QWidget

from latviz.app.exporting.drawing import SCREEN_DPI, Writing, drawn, image_of, tight
from latviz.app.look.theme import LIGHT, palette, stylesheet
from latviz.app.views.base import View
from latviz.app.views.spec import AnySpec
from latviz.files.names import safe_name

W = TypeVar("W", bound=QWidget)


@contextmanager
def on_paper(make: Callable[[], W], fill: Callable[[W], None]) -> Iterator[W]:
    """Make a widget on a white ground, fill it, and show it on no screen while it is drawn."""
    widget, font = make(), QFont()
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    widget.setFont(font)  # texts are as wide as in files of vectors, which screens do not fit
    widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    widget.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    widget.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
    colors = palette(LIGHT)
    colors.setColor(QPalette.ColorRole.Window, QColor(LIGHT.panel))
    widget.setStyleSheet(stylesheet(LIGHT))
    try:
        fill(widget)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        parts: list[QWidget] = [widget, *widget.findChildren(QWidget)]
        for part in parts:
            part.setPalette(colors)  # which style sheets keep from being inherited
        for plane in widget.findChildren(QGraphicsView):
            plane.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
        yield widget
    finally:
        widget.hide()
        widget.deleteLater()


@contextmanager
def figure_of(spec: AnySpec, view: View, dpi: float) -> Iterator[View]:
    """Make a figure of a view, to be drawn at a resolution."""
    scale = dpi / SCREEN_DPI
    with on_paper(spec.make, lambda figure: figure.show_as_figure(view, scale)) as figure:
        yield figure


def figure_image(spec: AnySpec, view: View, dpi: float) -> QImage:
    """Draw a figure of a view."""
    with figure_of(spec, view, dpi) as figure:
        return image_of(figure, tight(figure), dpi)


def figure_steps(
    spec: AnySpec, view: View, path: str | Path, dpi: float
) -> Iterator[Writing | None]:
    """Draw a figure of a view in steps; yield the function that writes it last, see `drawn`.

    Changes of the view after the first step have no effect. One step may take 0.15 s.
    """
    name = picture_name(view)
    with figure_of(spec, view, dpi) as figure:
        yield None
        part = tight(figure)
        yield None
        yield drawn(figure, path, part=part, dpi=dpi, title=f"{name}: {figure.accessibleName()}")


def drawn_figure(spec: AnySpec, view: View, path: str | Path, dpi: float) -> Writing:
    """Draw a figure of a view at once; return the function that writes it, see `drawn`."""
    (writing,) = filter(None, figure_steps(spec, view, path, dpi))
    return writing


def picture_name(view: View) -> str:
    """Return the name of a view's picture, without the suffix of its format."""
    picture = view.state.picture
    return "" if picture is None else Path(picture.name).stem


def file_stem(spec: AnySpec, view: View) -> str:
    """Return the name of a figure's file, without a suffix: "astronaut-simplex"."""
    return safe_name(f"{picture_name(view)}-{called(spec, view)}")


def called(spec: AnySpec, view: View) -> str:
    """Return what files of a view are called, after the name of the picture: "simplex"."""
    return spec.name if spec.called is None else spec.called(view)
