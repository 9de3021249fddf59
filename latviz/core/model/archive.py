"""Arrays and a JSON text in an npz archive: numbers and words, without executable content."""

import json
import os
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from latviz.core.checks import MOST_STATES, MOST_SYMBOLS, check_memory, shown
from latviz.core.data.observations import Encoder
from latviz.core.disk import npy
from latviz.core.disk.errors import ExportError, plain
from latviz.core.disk.reading import opened
from latviz.core.disk.writing import replacing
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json

DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, MemoryError, OverflowError),
    *(ValueError, KeyError, TypeError, IndexError, SyntaxError, tokenize.TokenError),
)
"""Exceptions of archives that are damaged, encrypted, or of another kind."""
Place = str | os.PathLike[str]
FORMAT, VERSION, SUFFIX = "latviz model", 1, ".npz"
"""Those of files of models."""
MOST_HEADER = 1 << 24
"""Bytes of a header: more is none, and would take much memory as JSON."""
COPIES = 3
"""Copies of arrays in memory while they are read and checked."""
FREE, MOST_PACKED = 1 << 25, 128
"""Bytes of arrays that may be packed into anything, and the ratio to which more may be packed."""
DECODING = "decoding."
"""Before the names of arrays of the model that gave the states, where a file also has its like
counted over them: A and covariances."""
_HEADER = "header"
_AXES = {
    **dict.fromkeys(("A", "potentials"), "NN"),
    **dict.fromkeys(("B", "means", "codebook"), "NM"),
    **dict.fromkeys(("covariances", "score_correlations"), "NMM"),
}
"""The axes of arrays, whose lengths are shared by all arrays of a model."""
_MOST = {"N": MOST_STATES, "M": MOST_SYMBOLS}


def write_model(
    model: Any,
    path: Place,
    encoder: Encoder | None,
    extra: Mapping[str, Any] | None,
    mode: int = 0o666,
    *,
    lasting: bool = True,
) -> None:
    """Write a model, whose fields are arrays and numbers; see `LatticeModel.save`."""
    header, arrays = model_header(model, encoder, extra), numbers_and_arrays(model)[1]
    write_archive(checked_path(path, SUFFIX), header, arrays, mode, lasting=lasting)


def model_header(
    model: Any, encoder: Encoder | None, extra: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the JSON part of the file of a model."""
    if encoder is not None and not isinstance(encoder, Encoder):
        raise ParameterError(f"encoder must be an Encoder, got {shown(encoder)}")
    numbers, _ = numbers_and_arrays(model)
    return {
        "format": FORMAT,
        "version": VERSION,
        "kind": model.kind,
        **{k: value for k, value in numbers.items() if value not in (None, ())},
        "encoder": None if encoder is None else encoder.to_dict(),
        **({} if extra is None else {"extra": _checked_extra(extra)}),
    }


def numbers_and_arrays(model: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the JSON part of a model, and its arrays, by name."""
    values = {field.name: getattr(model, field.name) for field in fields(model) if field.init}
    arrays = {name: value for name, value in values.items() if isinstance(value, np.ndarray)}
    return {name: value for name, value in values.items() if name not in arrays}, arrays


def _checked_extra(extra: Any) -> dict[str, Any]:
    if not isinstance(extra, Mapping):
        raise ParameterError(f"extra must be a mapping, got {shown(extra)}")
    try:
        found: dict[str, Any] = from_json(json.dumps(dict(extra)))
    except (TypeError, ValueError, RecursionError) as error:
        raise ParameterError(f"extra must be what JSON can hold: {error}") from None
    if invalid := [key for key in _keys(extra) if not isinstance(key, str)]:
        raise ParameterError(f"the keys of extra must be text, got {shown(invalid[0])}")
    return found


def _keys(value: Any) -> Iterator[Any]:
    """Yield the keys of a mapping and of all inside; JSON makes text of them without a word."""
    if isinstance(value, Mapping):
        yield from value
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from _keys(one)


def write_archive(
    target: Path,
    header: Mapping[str, Any],
    arrays: Mapping[str, Any],
    mode: int = 0o666,
    *,
    lasting: bool = True,
) -> None:
    """Write a header and arrays to a file, see `replacing`, or raise `ParameterError`."""
    try:
        pack(target, header, arrays, mode, lasting=lasting)
    except ExportError as error:
        raise ParameterError(f"{target} cannot be written: {error.reason}") from None


def pack(
    target: Path,
    header: Mapping[str, Any],
    arrays: Mapping[str, Any],
    mode: int = 0o666,
    *,
    lasting: bool = True,
) -> None:
    """Write a header and arrays to a file, see `replacing`, or raise `ExportError`."""
    text = np.array(json.dumps(header))
    if text.nbytes > MOST_HEADER:
        raise ParameterError(
            f"{target} cannot be written: its texts have {text.nbytes // 4:,} characters, more "
            f"than the {MOST_HEADER // 4:,} that are read; shorten extra"
        )
    with replacing(target, mode, lasting=lasting) as stream:
        np.savez_compressed(stream, header=text, **arrays)
        if _is_too_dense(sum(one.nbytes for one in arrays.values()), stream.tell()):
            stream.seek(0)
            stream.truncate()
            np.savez(stream, header=text, **arrays)


def _is_too_dense(unpacked: int, packed: int) -> bool:
    """Return True if arrays take far more than their file, as those of files that do harm."""
    return unpacked > FREE and unpacked > MOST_PACKED * packed


def checked_path(path: Any, suffix: str) -> Path:
    """Return a path that ends in a suffix, or raise `ParameterError`."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"path must be a path, got {shown(path)}")
    place = Path(os.fsdecode(path))
    if place.suffix.lower() != suffix or "\0" in str(place):
        raise ParameterError(f"path must end in {suffix}, got {shown(str(place))}")
    return place


def read_archive(
    place: Path, written_as: str, version: int, what: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header and arrays of a file of `write_archive`, or raise `ParameterError`."""
    # written_as: its format; version: the latest readable one; ``what``: the expected content, for
    # messages
    try:
        with opened(place, f"a {what}") as stream, zipfile.ZipFile(stream) as archive:
            members = npy.members(archive)
            headers = {name: npy.header_in(archive, info) for name, info in members.items()}
            _check_text(headers.pop(_HEADER))
            header: dict[str, Any] = from_json(str(npy.array_in(archive, members.pop(_HEADER))))
            if header["format"] != written_as:
                raise ValueError("it has another kind of header")
            if int(header["version"]) > version:
                raise ParameterError(f"{place} was saved by a newer latviz; update latviz")
            _check_arrays(f"{place} holds no {what}", headers, os.fstat(stream.fileno()).st_size)
            check_memory(f"{place}", COPIES * sum(one.n_bytes for one in headers.values()))
            arrays = {name: npy.array_in(archive, info) for name, info in members.items()}
    except ParameterError:
        raise
    except OSError as error:
        raise ParameterError(f"{place} cannot be read: {plain(error)}") from None
    except DAMAGES:
        raise ParameterError(
            f"{place} holds no {what} of latviz, or is damaged; choose another file or a fresh copy"
        ) from None
    return header, arrays


def _check_text(header: npy.Header) -> None:
    """Raise `ValueError` unless an array is one text that is not huge."""
    if header.dtype.kind != "U" or header.shape or header.n_bytes > MOST_HEADER:
        raise ValueError("it has another kind of header")


def _check_arrays(where: str, arrays: Mapping[str, npy.Header], n_bytes: int) -> None:
    """Raise `ParameterError`, or `ValueError`, for arrays that no file of ``n_bytes`` has."""
    if any(one.dtype.kind not in "biuf" for one in arrays.values()):
        raise ValueError("its arrays are not of numbers")
    unpacked = sum(one.n_bytes for one in arrays.values())
    if _is_too_dense(unpacked, n_bytes):
        raise ParameterError(
            f"{where}: its arrays would take {unpacked:,} bytes, packed into {n_bytes:,}; choose "
            "another file or a fresh copy"
        )
    known: dict[tuple[str, str], int] = {}
    for name, one in arrays.items():
        owner, _, own = name.rpartition(".")
        axes = _AXES.get(own)
        if axes is not None and not _fits(known, owner, axes, one.shape):
            limits = f"N from 1 to {MOST_STATES} and M from 1 to {MOST_SYMBOLS}"
            raise ParameterError(
                f"{where}: {name} must have shape ({', '.join(axes)}) as others have, with "
                f"{limits}, got {one.shape}"
            )


def _fits(known: dict[tuple[str, str], int], owner: str, axes: str, shape: tuple[int, ...]) -> bool:
    """Return True if a shape has the lengths that are known of its axes, or makes them known."""
    if len(shape) != len(axes):
        return False
    pairs = list(zip(axes, shape, strict=True))
    return all(
        1 <= n <= _MOST[axis] and known.setdefault((owner, axis), n) == n for axis, n in pairs
    )
