"""Arrays in chunks, read through a guard: a bad chunk gives at most an error of one line."""

from __future__ import annotations

import asyncio
import math
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from zarr import Array
from zarr.abc.store import OffsetByteRequest, RangeByteRequest, Store, SuffixByteRequest
from zarr.core.buffer import default_buffer_prototype
from zarr.core.sync import sync
from zarr.storage import StorePath

from latviz.core.disk.errors import shortened
from latviz.core.types import Shape
from latviz.files.errors import ImageError
from latviz.files.zarrs.codecs import bounded, room
from latviz.files.zarrs.headers import chunk_of, itemsize_of, piece_of
from latviz.files.zarrs.nodes import Node, joined, read_part

MOST_PIECES = 2**18
"""Chunks that are read at once."""
HELD = 2**26
"""Bytes of a shard that is read as a whole."""


class Chunks(Store):  # type: ignore[misc]
    """The chunks of a folder, to be read; metadata are never read through it."""

    supports_writes = supports_deletes = supports_partial_writes = supports_listing = False

    def __init__(self, folder: Path, most: int) -> None:
        super().__init__(read_only=True)
        self.folder, self.most = folder, most

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chunks) and self.folder == other.folder

    def __hash__(self) -> int:
        return hash(self.folder)

    async def get(self, key: str, prototype: Any = None, byte_range: Any = None) -> Any:
        """Return the bytes of a chunk, or None if it is not there."""
        found = await asyncio.to_thread(
            read_part, self.folder, key, self.most, *_ends_of(byte_range)
        )
        buffer = (prototype or default_buffer_prototype()).buffer
        return None if found is None else buffer.from_bytes(found)

    async def get_partial_values(
        self, prototype: Any, key_ranges: Iterable[tuple[str, Any]]
    ) -> list[Any]:
        """Return the bytes of parts of chunks."""
        return [await self.get(key, prototype, byte_range) for key, byte_range in key_ranges]

    async def exists(self, key: str) -> bool:
        """Return True if a chunk exists."""
        return (self.folder / key).is_file()

    def _refuse(self, *_: Any) -> Any:
        raise NotImplementedError("chunks are read, and neither written nor listed")

    set = set_partial_values = delete = list = list_prefix = list_dir = _refuse


_tasks = ContextVar[list[asyncio.Task[Any]]]("_tasks")
"""The tasks that work for what a thread is reading."""


@contextmanager
def _whole_or_none() -> Iterator[None]:
    """Cancel the tasks that read other chunks if one fails, as zarr lets them go on."""
    # They would read to the end, and print hundreds of lines if the program ends before
    _follow_tasks()
    tasks: list[asyncio.Task[Any]] = []
    token = _tasks.set(tasks)
    try:
        yield
    except BaseException:
        sync(_cancelled(tasks))
        raise
    finally:
        _tasks.reset(token)


@cache
def _follow_tasks() -> None:
    """Note every task that zarr makes for a thread that reads."""

    async def follow() -> None:
        asyncio.get_running_loop().set_task_factory(_followed)

    sync(follow())


def _followed(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> asyncio.Task[Any]:
    task: asyncio.Task[Any] = asyncio.Task(coroutine, loop=loop, **options)
    _tasks.get([]).append(task)
    return task


async def _cancelled(tasks: list[asyncio.Task[Any]]) -> None:
    own = asyncio.current_task()
    others = [one for one in tasks if one is not own]
    for one in others:
        one.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _ends_of(byte_range: Any) -> tuple[int, int | None]:
    match byte_range:
        case RangeByteRequest():
            return byte_range.start, byte_range.end
        case OffsetByteRequest():
            return byte_range.offset, None
        case SuffixByteRequest():
            return -byte_range.suffix, None
    return 0, None


@dataclass(frozen=True, eq=False)
class ZarrLevel:
    """An array of a zarr folder; slices of it are read as NumPy arrays."""

    folder: Path
    path: str  # of the array in the folder
    array: Any
    chunk: Shape  # shape of a file's content: a chunk, or a shard
    piece: Shape  # shape of a chunk, or of an inner chunk of a shard

    @property
    def shape(self) -> Shape:
        """The number of elements along each axis."""
        return tuple(self.array.shape)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def stored(self) -> np.dtype[Any]:
        """The type of the elements in the file."""
        found: np.dtype[Any] = self.array.dtype
        return found

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements that are read: bytes, 16 bits or float32."""
        if self.stored.kind == "b":
            return np.dtype(np.uint8)
        native = self.stored.newbyteorder("=")
        return native if native.name in ("uint8", "uint16") else np.dtype(np.float32)

    @property
    def zarr_format(self) -> int:
        """The version of the format, 2 or 3."""
        return int(self.array.metadata.zarr_format)

    @property
    def unit(self) -> Shape:
        """The shape that is best read at once."""
        return self.chunk if math.prod(self.chunk) * self.stored.itemsize <= HELD else self.piece

    def __getitem__(self, place: tuple[int | slice, ...]) -> NDArray[Any]:
        """Return a part of the array, or raise `ImageError` with the name of the chunk."""
        self._check_pieces(place)
        try:
            # Values beyond float32 become infinite
            with np.errstate(over="ignore"), _whole_or_none():
                return np.asarray(self.array[place]).astype(self.dtype, copy=False)
        except Exception as error:  # decoders given hostile bytes raise nearly every type there is
            raise self._refusal(error, place) from error

    def n_pieces(self, place: tuple[int | slice, ...] | None = None) -> int:
        """Return the number of chunks in a part, or in all of the array."""
        return math.prod(map(len, self._grid(place or (slice(None),) * self.ndim, self.piece)))

    def _check_pieces(self, place: tuple[int | slice, ...]) -> None:
        if (n := self.n_pieces(place)) > MOST_PIECES:
            sides = " × ".join(map(str, self.piece))
            raise ImageError(
                self.folder,
                f"its chunks of {sides} elements are too small: {n:,} of them would have to be "
                f"read at once, and at most {MOST_PIECES:,} can be; save it in larger chunks",
            )

    def _grid(self, place: tuple[int | slice, ...], unit: Shape) -> list[range]:
        """Return the numbers of the chunks that a part touches, along each axis."""
        found = []
        for at, side, length in zip(place, unit, self.shape, strict=True):
            first, stop, _ = (at if isinstance(at, slice) else slice(at, at + 1)).indices(length)
            found.append(range(first // side, -(-max(first, stop) // side)))
        return found

    def _refusal(self, error: Exception, place: tuple[int | slice, ...]) -> ImageError:
        if isinstance(error, ImageError):
            return error
        if isinstance(error, MemoryError):
            reason = "there is not enough memory for a part of it; close other programs"
        else:
            name, found = next(self._damaged(place), ("", error))
            what = f"its chunk {shortened(name)}" if name else "a chunk of it"
            reason = f"{what} is damaged ({_line_of(found)}); get a fresh copy"
        return ImageError(self.folder, reason)

    def _damaged(self, place: tuple[int | slice, ...]) -> Iterator[tuple[str, Exception]]:
        """Yield the names of the chunks of a part that cannot be decoded, and the reasons."""
        for number in product(*self._grid(place, self.chunk)):
            both = zip(number, self.chunk, strict=True)
            try:
                self.array[tuple(slice(k * side, (k + 1) * side) for k, side in both)]
            except Exception as error:  # as above
                yield joined(self.path, self.array.metadata.encode_chunk_key(number)), error


def _line_of(error: Exception) -> str:
    """Return the first line of a decoder's error, shortened."""
    lines = str(error).strip().splitlines()
    return lines[0][:100] if lines else type(error).__name__


def open_level(folder: Path, node: Node) -> ZarrLevel:
    """Return an array of a zarr folder, without reading its values, or raise `ImageError`."""
    # Only the checked header is handed to zarr
    header = node.header
    chunk, piece = chunk_of(header), piece_of(header)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # zarr warns of codecs that other programs lack
            place = StorePath(Chunks(folder, room(chunk, itemsize_of(header))), node.path)
            array = Array.from_dict(place, bounded(header))
    except Exception as error:  # any error in the header becomes one line
        where = f"its array {shortened(node.path)}" if node.path else "it"
        reason = f"{where} has a damaged header ({_line_of(error)}); get a fresh copy"
        raise ImageError(folder, reason) from error
    return ZarrLevel(folder, node.path, array, tuple(chunk), tuple(piece))
