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

from latviz.core.checks import check_memory, shown
from latviz.core.data.observations import Encoder
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
MOST_HEADER = 1 << 26
"""Bytes of a header: more is none, and would take much memory as JSON."""
COPIES = 3
"""Copies of arrays in memory while they are read and checked."""


def write_model(
    model: Any,
    path: Place,
    encoder: Encoder | None,
    extra: Mapping[str, Any] | None,
    mode: int = 0o666,
) -> None:
    """Write a model, whose fields are arrays and numbers; see `LatticeModel.save`."""
    if encoder is not None and not isinstance(encoder, Encoder):
        raise ParameterError(f"encoder must be an Encoder, got {shown(encoder)}")
    numbers, arrays = numbers_and_arrays(model)
    header = {
        "format": FORMAT,
        "version": VERSION,
        "kind": model.kind,
        **{k: value for k, value in numbers.items() if value not in (None, ())},
        "encoder": None if encoder is None else encoder.to_dict(),
        **({} if extra is None else {"extra": _checked_extra(extra)}),
    }
    write_archive(checked_path(path, SUFFIX), header, arrays, mode)


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
    if strange := [key for key in _keys(extra) if not isinstance(key, str)]:
        raise ParameterError(f"the keys of extra must be text, got {shown(strange[0])}")
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
    target: Path, header: Mapping[str, Any], arrays: Mapping[str, Any], mode: int = 0o666
) -> None:
    """Write a header and arrays to a file, or raise `ParameterError`."""
    try:
        with replacing(target, mode) as stream:
            np.savez_compressed(stream, header=np.array(json.dumps(header)), **arrays)
    except ExportError as error:
        raise ParameterError(f"{target} cannot be written: {error.reason}") from None


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
        with opened(place, f"a {what}") as stream:
            with zipfile.ZipFile(stream) as archive:
                _check_sizes(place, archive.infolist())
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
        header: dict[str, Any] = from_json(str(arrays.pop("header")))
        if header["format"] != written_as:
            raise ValueError("it has another kind of header")
        found = int(header["version"])
    except OSError as error:
        raise ParameterError(f"{place} cannot be read: {plain(error)}") from None
    except DAMAGES:
        raise ParameterError(
            f"{place} holds no {what} of latviz, or is damaged; choose another file or a fresh copy"
        ) from None
    if found > version:
        raise ParameterError(f"{place} was saved by a newer latviz; update latviz")
    return header, arrays


def _check_sizes(place: Path, members: list[zipfile.ZipInfo]) -> None:
    """Raise `ParameterError` for more than memory holds, `ValueError` for a huge header."""
    check_memory(f"{place}", COPIES * sum(member.file_size for member in members))
    if any(m.filename == "header.npy" and m.file_size > MOST_HEADER for m in members):
        raise ValueError("it has another kind of header")
