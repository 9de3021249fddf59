"""The icons of installers: ``python -m tests.icons`` draws them, where `pyproject.toml` says."""

import os
import sys
import tomllib
from pathlib import Path

from PIL import Image
from PyQt6.QtGui import QIcon
from PyQt6.QtWidgets import QApplication

from latviz.resources import ICON, resource

ROOT = Path(__file__).parents[1]
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
APP = CONFIGURATION["tool"]["briefcase"]["app"]["latviz"]
SESSION = APP["document_type"]["session"]
OF_WINDOWS = 16, 32, 48, 64, 128, 256
SIZES = *OF_WINDOWS, 512, 1024
"""Sides of the squares in pixels: on Windows the first ones, on other systems all."""


def sources() -> dict[str, Path]:
    """Return the drawing of each icon, by its path without an ending."""
    icon = resource(ICON)
    session = f"{SESSION['mime_type'].replace('/', '-')}.svg"
    return {APP["icon"]: icon, SESSION["icon"]: icon.parents[1] / "mimetypes" / session}


def draw(source: Path, target: Path) -> None:
    """Write an icon as PNG in each size, as ICO and as ICNS."""
    images = []
    for size in SIZES:
        path = target.with_name(f"{target.name}-{size}.png")
        assert QIcon(str(source)).pixmap(size).save(str(path)), path
        images.append(Image.open(path))
    squares = [(size, size) for size in OF_WINDOWS]
    images[-1].save(target.with_suffix(".ico"), sizes=squares, append_images=images)
    images[-1].save(target.with_suffix(".icns"), append_images=images)


def main() -> None:
    """Draw all icons into the folder ``build``."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(sys.argv)
    for name, source in sources().items():
        (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
        draw(source, ROOT / name)
    del application


if __name__ == "__main__":
    main()
