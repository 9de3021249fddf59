"""Shared by tests of many images."""

from collections.abc import Iterator
from typing import Any

import pytest

from latviz.collection.reading import Unreadable
from latviz.core.disk.errors import FileError
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.pictures.shelf import Entry
from latviz.wings.many.results import batch, running
from tests.app.gallery.shelves import folder  # noqa: F401
from tests.app.views.test_plugged_indices import row  # noqa: F401
from tests.collection.test_odd_names import odd_folder  # noqa: F401
from tests.core.disk.test_reading import odd  # noqa: F401
from tests.test_cli import latviz, nowhere, refuse  # noqa: F401
from tests.test_frozen import bundle, cache  # noqa: F401
from tests.test_inputs import place  # noqa: F401


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in this process, where tests need no other, because starting one takes a second."""

    def each(entries, work, progress=None, **_) -> Iterator[tuple[Entry, Any]]:
        for entry in reversed(entries):  # they come in any order
            if progress is not None and progress.cancelled():
                raise Cancelled
            try:
                yield entry, work(entry)
            except (FileError, ParameterError) as error:
                yield entry, Unreadable.of(entry.path, error)

    for module in (batch, running):
        monkeypatch.setattr(module, "each", each)
