"""The Python number of a scalar, without NumPy: tables of parameters load no large library."""

from typing import Any


def plain(value: Any) -> Any:
    """Return the Python number of a NumPy number or 0-d array; any other value as it is."""
    # Sums and products of NumPy's small types overflow, Python's do not
    is_one = getattr(value, "shape", None) == () and not getattr(value, "mask", False)
    is_number = is_one and getattr(value.dtype, "kind", "") in tuple("biuf")
    return value.item() if is_number else value
