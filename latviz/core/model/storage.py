"""Models in files: arrays and a JSON text in an npz archive, and nothing that could run."""

import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from latviz.core.checks import check_memory, shown
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.model.models import DiscreteModel, GaussianModel, Model, check_model

FORMAT, VERSION, SUFFIX = "latviz model", 1, ".npz"
DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, MemoryError, OverflowError),
    *(ValueError, KeyError, TypeError, IndexError, SyntaxError),
)
"""What archives raise that are damaged, encrypted, or another's."""
KINDS: dict[str, type[Model]] = {kind.kind: kind for kind in (DiscreteModel, GaussianModel)}
Place = str | os.PathLike[str]


def save_model(
    model: Model,
    path: Place,
    *,
    encoder: Encoder | None = None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write a model to a file, and what encodes pictures for it.

    The file appears whole or not at all, and an older one of the name stays until then.

    Parameters
    ----------
    model : DiscreteModel or GaussianModel
    path : str or path-like
        Where to; it ends in ``.npz``, as NumPy's `load` reads the file, too.
    encoder : Encoder, optional
        That of the observations which the model was learned from.
    extra : Mapping of str, optional
        What else the file tells, which `load_extra` returns: numbers, text, lists and mappings.

    Raises
    ------
    ParameterError
        If the model, the encoder or the extra is none, or the system refuses to write the file.
    """
    check_model(model)
    if encoder is not None and not isinstance(encoder, Encoder):
        raise ParameterError(f"encoder must be an Encoder, got {shown(encoder)}")
    values = {field.name: getattr(model, field.name) for field in fields(model) if field.init}
    arrays: dict[str, Any] = {
        name: value for name, value in values.items() if isinstance(value, np.ndarray)
    }
    header = {
        "format": FORMAT,
        "version": VERSION,
        "kind": model.kind,
        **{name: value for name, value in values.items() if name not in arrays},
        "encoder": None if encoder is None else encoder.to_dict(),
        **({} if extra is None else {"extra": _checked_extra(extra)}),
    }
    target = _path(path)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as stream:
            np.savez_compressed(stream, header=np.array(json.dumps(header)), **arrays)
        os.replace(part, target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise ParameterError(f"{target} cannot be written: {error.strerror}") from None


def load_model(path: Place) -> Model:
    """Return the model of a file that `save_model` wrote.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    DiscreteModel or GaussianModel

    Raises
    ------
    ParameterError
        If there is no such file, it holds no model, or one of a later version of latviz.
    """
    header, arrays = _read(path)
    kind = KINDS[header["kind"]]
    names = {field.name for field in fields(kind) if field.init}
    given = {name: value for name, value in {**header, **arrays}.items() if name in names}
    try:
        return kind(**given)
    except (ParameterError, TypeError) as error:
        raise ParameterError(f"{path} holds no model: {error}") from None


def load_encoder(path: Place) -> Encoder | None:
    """Return what encodes pictures for the model of a file, or None if that is not there.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    Encoder or None

    Raises
    ------
    ParameterError
        As for `load_model`.
    """
    written = _read(path)[0].get("encoder")
    try:
        return None if written is None else Encoder.from_dict(written)
    except ParameterError as error:
        raise ParameterError(f"{path} holds no encoder: {error}") from None


def load_extra(path: Place) -> dict[str, Any]:
    """Return what else the file of a model tells.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    dict
        What `save_model` was given; empty if it was given none.

    Raises
    ------
    ParameterError
        As for `load_model`.
    """
    extra = _read(path)[0].get("extra", {})
    if not isinstance(extra, dict):
        raise ParameterError(
            f"{path} holds a strange extra: it must be a mapping, got {shown(extra)}"
        )
    return extra


def _checked_extra(extra: Any) -> dict[str, Any]:
    if not isinstance(extra, Mapping):
        raise ParameterError(f"extra must be a mapping, got {shown(extra)}")
    try:
        found: dict[str, Any] = json.loads(json.dumps(dict(extra)))
    except (TypeError, ValueError, RecursionError) as error:
        raise ParameterError(f"extra must be what JSON can hold: {error}") from None
    return found


def _path(path: Any) -> Path:
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"path must be a path, got {shown(path)}")
    place = Path(os.fsdecode(path))
    if place.suffix != SUFFIX or "\0" in str(place):
        raise ParameterError(f"path must end in {SUFFIX}, got {shown(str(place))}")
    return place


def _read(path: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header of a file and its arrays."""
    place = _path(path)
    try:
        with zipfile.ZipFile(place) as archive:
            check_memory(f"{place}", sum(member.file_size for member in archive.infolist()))
        with np.load(place, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(str(arrays.pop("header")))
        if header["format"] != FORMAT or header["kind"] not in KINDS:
            raise ValueError("its header is another's")
        version = int(header["version"])
    except OSError as error:
        raise ParameterError(f"{place} cannot be read: {error.strerror or error}") from None
    except DAMAGES:
        raise ParameterError(f"{place} holds no model of latviz") from None
    if version > VERSION:
        raise ParameterError(f"{place} is of a later version of latviz; use that one")
    return header, arrays
