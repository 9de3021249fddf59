"""The files of the work on screen, which no export may replace."""

from collections.abc import Iterable
from pathlib import Path

from latviz import collection
from latviz.app.document.document import Document
from latviz.app.shell.feature import Feature, Parts
from latviz.core.disk import inputs


class Inputs(Feature):
    """Keeps the files of the work on screen from being replaced, until the window closes."""

    def __init__(self, parts: Parts) -> None:
        self._document = parts[Document]
        inputs.watch(self._of)

    def close(self) -> None:
        """Keep them no longer."""
        inputs.unwatch(self._of)

    def _of(self, target: Path) -> Iterable[str | Path]:
        return collection.reading.inputs_of(self._document.state, target)
