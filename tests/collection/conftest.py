"""Shared by tests of many images."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from latviz.collection import batch, running
from latviz.collection.reading import Unreadable
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.pictures.shelf import Entry


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in this process, where tests need no other, because starting one takes a second."""

    def each(
        entries: Sequence[Entry], work: Any, progress: Any = None, **_: Any
    ) -> Iterator[tuple[Entry, Any]]:
        for entry in reversed(entries):  # they come in any order
            if progress is not None and progress.cancelled():
                raise Cancelled
            try:
                yield entry, work(entry)
            except (FileError, ParameterError) as error:
                yield entry, Unreadable.of(entry.path, error)

    for module in (batch, running):
        monkeypatch.setattr(module, "each", each)
