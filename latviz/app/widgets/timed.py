"""Widgets that know how long their last painting took."""

import time
from typing import Any


class Timed:
    """Times ``paintEvent``: list it before the widget's class whose painting it times."""

    painting = 0.0
    """Seconds."""

    def paintEvent(self, event: Any) -> None:
        """Paint, and note how long it took."""
        start = time.perf_counter()
        super().paintEvent(event)  # type: ignore[misc]
        self.painting = time.perf_counter() - start
