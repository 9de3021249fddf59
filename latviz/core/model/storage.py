"""Models in files: arrays and a JSON text in an npz archive, without executable content."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from latviz.core.checks import shown
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.model.archive import (
    DECODING,
    FORMAT,
    SUFFIX,
    VERSION,
    Place,
    checked_path,
    read_archive,
)
from latviz.core.model.models import KINDS, Model, check_model


def save_model(
    model: Model,
    path: Place,
    *,
    encoder: Encoder | None = None,
    extra: Mapping[str, Any] | None = None,
) -> None:
    """Write a model to a file, optionally with an encoder.

    The file is written completely or not at all; an older file of this name stays until then.

    Parameters
    ----------
    model : DiscreteModel or GaussianModel
    path : str or path-like
        The path, ending in ``.npz``, as NumPy's `load` reads the file, too.
    encoder : Encoder, optional
        The encoder of the observations that the model was learned from.
    extra : Mapping of str, optional
        Other content, which `load_extra` returns: numbers, text, lists and mappings.

    Raises
    ------
    ParameterError
        If the model, the encoder or the extra is invalid, or the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> model = DiscreteModel(A=np.eye(2), B=np.eye(2), window=0)
    >>> with TemporaryDirectory() as folder:
    ...     save_model(model, f"{folder}/model.npz", extra={"title": "greys"})
    ...     load_model(f"{folder}/model.npz").n_states
    2
    """
    check_model(model).save(path, encoder=encoder, extra=extra)


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
        If the file does not exist, has no model, or is from a later version of latviz.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> model = DiscreteModel(A=np.eye(2), B=np.eye(2), window=0)
    >>> with TemporaryDirectory() as folder:
    ...     save_model(model, f"{folder}/model.npz")
    ...     load_model(f"{folder}/model.npz") == model
    True
    """
    header, arrays = _read(path)
    kind = KINDS[header["kind"]]
    names = {field.name for field in fields(kind) if field.init}
    own = {name.removeprefix(DECODING): one for name, one in arrays.items() if DECODING in name}
    known = {"A_decoded": True, **header, **arrays, **own}  # older files hold fitted models
    given = {name: value for name, value in known.items() if name in names}
    try:
        return kind(**given)
    except (ParameterError, TypeError) as error:
        raise ParameterError(f"{path} holds no model: {error!s:.300}") from None


def load_encoder(path: Place) -> Encoder | None:
    """Return the encoder in the file of a model, or None.

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

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> encoder = encode(np.array([[0, 255]], np.uint8), Encoding("levels", 2)).encoder
    >>> model = DiscreteModel(A=np.eye(2), B=np.eye(2), window=0)
    >>> with TemporaryDirectory() as folder:
    ...     save_model(model, f"{folder}/model.npz", encoder=encoder)
    ...     load_encoder(f"{folder}/model.npz").encoding.how
    'levels'
    """
    written = _read(path)[0].get("encoder")
    try:
        return None if written is None else Encoder.from_dict(written)
    except ParameterError as error:
        raise ParameterError(f"{path} holds no encoder: {error}") from None


def load_extra(path: Place) -> dict[str, Any]:
    """Return the other content of a model's file.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    dict
        The ``extra`` of `save_model`; empty by default.

    Raises
    ------
    ParameterError
        As for `load_model`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> model = DiscreteModel(A=np.eye(2), B=np.eye(2), window=0)
    >>> with TemporaryDirectory() as folder:
    ...     save_model(model, f"{folder}/model.npz", extra={"title": "greys"})
    ...     load_extra(f"{folder}/model.npz")
    {'title': 'greys'}
    """
    extra = _read(path)[0].get("extra", {})
    if not isinstance(extra, dict):
        raise ParameterError(
            f"{path} holds an unexpected extra: it must be a mapping, got {shown(extra)}"
        )
    return extra


def _read(path: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the header of a file and its arrays."""
    place = checked_path(path, SUFFIX)
    header, arrays = read_archive(place, FORMAT, VERSION, "model")
    if header.get("kind") not in tuple(KINDS):
        raise ParameterError(f"{place} holds no model of latviz")
    return header, arrays
