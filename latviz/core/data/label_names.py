"""Names of labels and classes, and their order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:  # --help, which imports this, must not wait for NumPy
    import numpy as np

T = TypeVar("T")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,9})?", re.ASCII)


def in_order(names: Iterable[T], key: Callable[[T], Any] | None = None) -> list[T]:
    """Return names sorted: by their values if all are numbers written as text, else by the key."""
    # So "-1" comes before "0", and "9" before "10"
    found = list(names)
    if all(isinstance(name, str) and _NUMBER.fullmatch(name) for name in found):
        return sorted(found, key=lambda name: (Decimal(str(name)), str(name)))
    return sorted(found, key=key)  # type: ignore[arg-type, type-var]


def label_name(value: np.generic) -> str:
    """Return the name of a label: the shortest number without ambiguity."""
    return f"{int(value)}" if value == int(value) else f"{value!s}"
