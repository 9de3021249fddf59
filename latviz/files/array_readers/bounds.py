"""Numbers of a file, read no further than memory allows."""

from __future__ import annotations

from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from latviz.files.decoding import DecodeError
from latviz.files.memory import available


def check_room(n_bytes: int) -> None:
    """Raise `DecodeError` for an array of more bytes than half of the free memory."""
    if n_bytes > available() // 2:
        raise DecodeError("its array does not fit into the free memory; cut it")


def exactly(stream: IO[bytes], n: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the next ``n`` numbers of a stream; `DecodeError` if it has fewer."""
    check_room(n * dtype.itemsize)
    found = stream.read(n * dtype.itemsize)
    if len(found) < n * dtype.itemsize:
        raise DecodeError(
            f"it is cut off: its array needs {n * dtype.itemsize:,} bytes and {len(found):,} are "
            "there; get a fresh copy"
        )
    return np.frombuffer(found, dtype)


def only(names: dict[str, Any], load: str) -> str:
    """Return the only name; else `DecodeError` lists them, with the call that ``load``s one."""
    if len(names) == 1:
        return next(iter(names))
    if not names:
        raise DecodeError("it holds no array of numbers")
    some = ", ".join(f"{name} {shape}" for name, shape in list(names.items())[:5])
    more = ", …" if len(names) > 5 else ""
    raise DecodeError(
        f"it holds {len(names)} arrays: {some}{more}; save one of them in Python: "
        f"numpy.save('a.npy', {load})"
    )
