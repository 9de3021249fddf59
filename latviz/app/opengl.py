"""Whether there is OpenGL to draw with; without it, everything is drawn as ever."""

from functools import cache
from importlib.util import find_spec

from PyQt6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext

PLATFORMS = ("xcb", "wayland", "windows", "cocoa")


def may_work() -> bool:
    """Return True if PyOpenGL is installed, and windows are on a screen."""
    on_screen = QGuiApplication.platformName().startswith(PLATFORMS)
    return on_screen and find_spec("OpenGL") is not None


@cache
def works() -> bool:
    """Return True if a context can be made, too; the first call takes some 70 ms."""
    if not may_work():
        return False
    surface, context = QOffscreenSurface(), QOpenGLContext()
    surface.create()
    made = context.create() and context.makeCurrent(surface)
    if made:
        context.doneCurrent()
    return made
