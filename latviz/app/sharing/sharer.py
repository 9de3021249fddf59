"""Writing reports of the settings."""

from latviz import engine, sharing
from latviz.app.sharing.writer import Writer
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.core.progress import Progress, stop_if_cancelled
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import PictureSet
from latviz.files.suffixes import REPORT


class Sharer(Feature):
    """Writes reports."""

    def __init__(self, parts: Parts) -> None:
        self._writer = parts[Writer]

    @in_menu(
        "Export a r&eport…",
        "Write a page for a browser: the states at every w, curves, A and settings (.html)",
        ("Export", 0.5),
    )
    def export_report(self) -> None:
        """Ask where to, and write a report."""
        self._writer.ask_and_write("report", REPORT, _write_report)


def _write_report(path: str, pictures: PictureSet, session: Session, progress: Progress) -> None:
    """Write a report once the kernels of trade-offs are loaded."""
    # Those that are not cached are compiled in a separate process
    cache = engine.startup.compile_cache
    for name in ("sweeping", "sweeping volumes")[: 1 + (pictures.picture.dimensions == 3)]:
        with cache.Part(name) as part:
            part.wait(lambda: None, progress.cancelled)
        stop_if_cancelled(progress)
    sharing.page.write_report(path, pictures, session, progress)
