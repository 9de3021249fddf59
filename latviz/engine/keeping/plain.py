"""Frozen values as plain ones, which JSON and arrays can hold, and back again, checked."""

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import shown
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.engine.pictures.picture import SPARSE

Arrays = dict[str, NDArray[Any]]

TYPE, _ARRAY = "$type", "$array"
RETIRED: Mapping[str, frozenset[str]] = {
    "Display": frozenset({"by_score", "map_view"}),
    "Parameters": frozenset({"evaluation_window", "slices_apart"}),
    "Projection": frozenset({"camera"}),
    "State": frozenset({"axes", "cells", "kept"}),
    "Session": frozenset({"trials"}),
}
"""Fields by the names of their types that older programs wrote: they are ignored."""


def to_plain(value: object, arrays: Arrays, name: str) -> Any:
    """Return a value as numbers, text, lists and mappings of these."""
    # Dataclasses become mappings of their fields, with the name of their type. Arrays go into
    # ``arrays``, under ``name`` and the names of the fields that lead to them, once if several
    # fields share one; a reference stays. `SPARSE` fields are left out at their defaults, so that
    # older programs can read files without new features
    if isinstance(value, np.generic | Encoder):
        value = value.to_dict() if isinstance(value, Encoder) else value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else repr(value)
    if isinstance(value, np.ndarray):
        known = next((key for key, array in arrays.items() if array is value), name)
        arrays[known] = value
        return {_ARRAY: known}
    if is_dataclass(value):
        parts = ((field, getattr(value, field.name)) for field in fields(value) if field.init)
        items = {f.name: part for f, part in parts if not (f.metadata == SPARSE and _is(f, part))}
        return {TYPE: type(value).__name__, **to_plain(items, arrays, name)}
    if isinstance(value, Mapping):
        return {str(k): to_plain(v, arrays, f"{name}.{k}") for k, v in value.items()}
    if isinstance(value, tuple | list):
        return [to_plain(v, arrays, f"{name}.{k}") for k, v in enumerate(value)]
    raise ParameterError(f"{name} cannot be saved: it is of type {type(value).__name__}")


def _is(field: Field[Any], part: object) -> bool:
    """Return True if a part has the default of its field."""
    return part is field.default or (not isinstance(part, np.ndarray) and part == field.default)


def from_plain(kind: Any, value: Any, arrays: Mapping[str, NDArray[Any]], name: str) -> Any:
    """Return the value of a type that `to_plain` made plain."""
    # ``kind`` is a dataclass or another annotation. Missing fields take their defaults. The message
    # of a ParameterError names the place
    if kind is Any:
        return value
    if kind is Encoder:
        return Encoder.from_dict(value)
    if is_dataclass(kind):
        return _dataclass(kind, value, arrays, name)
    origin = get_origin(kind) or kind
    if origin in (Union, UnionType):
        return _one_of(get_args(kind), value, arrays, name)
    if origin is np.ndarray:
        return _array(kind, value, arrays, name)
    if origin is tuple:
        return _tuple(get_args(kind), value, arrays, name)
    if origin is Literal:
        listed = f"one of {', '.join(map(str, get_args(kind)))}"
        return _checked(value in get_args(kind), value, name, listed)
    if origin in _SCALARS:
        what, is_right, make = _SCALARS[origin]
        return make(_checked(is_right(value), value, name, what))
    return _checked(isinstance(value, Mapping), value, name, "a mapping")


def _is_float(value: Any) -> bool:
    too_large = type(value) is int and abs(value) > sys.float_info.max
    return value in ("inf", "-inf", "nan") or (type(value) in (int, float) and not too_large)


_SCALARS: dict[Any, tuple[str, Callable[[Any], bool], Callable[[Any], Any]]] = {
    NoneType: ("nothing", lambda value: value is None, lambda value: value),
    bool: ("true or false", lambda value: type(value) is bool, bool),
    int: ("a whole number", lambda value: type(value) is int, int),
    float: ("a number", _is_float, float),
    str: ("text", lambda value: type(value) is str, str),
}


def _checked(right: bool, value: Any, name: str, wanted: str) -> Any:
    if not right:
        raise ParameterError(f"{name} must be {wanted}, got {shown(value)}")
    return value


def _dataclass(kind: Any, value: Any, arrays: Mapping[str, NDArray[Any]], name: str) -> Any:
    is_right = isinstance(value, Mapping) and value.get(TYPE) == kind.__name__
    _checked(is_right, value, name, f"of type {kind.__name__}")
    hints, known = _hints(kind), {f.name: f for f in fields(kind) if f.init}
    retired = RETIRED.get(kind.__name__, frozenset())
    for field in value.keys() - known.keys() - retired - {TYPE}:
        raise ParameterError(f"{name} has a field {field!r}, which this latviz does not know")
    for field in known.keys() - value.keys():
        if _is_needed(known[field]):
            raise ParameterError(f"{name} has no field {field!r}")
    return kind(
        **{
            field: from_plain(hints[field], value[field], arrays, f"{name}.{field}")
            for field in known
            if field in value
        }
    )


_hints = cache(get_type_hints)
"""The types of a dataclass's fields take long to find."""


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _one_of(
    kinds: tuple[Any, ...], value: Any, arrays: Mapping[str, NDArray[Any]], name: str
) -> Any:
    """Return the value as the dataclass that it names, or else as the first type that it suits."""
    if isinstance(value, Mapping) and TYPE in value:
        named = [k for k in kinds if is_dataclass(k) and _name(k) == value[TYPE]]
        kinds = tuple(named) or kinds
    for kind in kinds[:-1]:
        try:
            return from_plain(kind, value, arrays, name)
        except ParameterError:
            continue
    return from_plain(kinds[-1], value, arrays, name)


def _name(kind: Any) -> str:
    return str(kind.__name__)


def _array(kind: Any, value: Any, arrays: Mapping[str, NDArray[Any]], name: str) -> NDArray[Any]:
    member = value.get(_ARRAY) if isinstance(value, Mapping) else None
    _checked(isinstance(member, str) and member in arrays, value, name, "an array of the file")
    array, (wanted,) = arrays[str(member)], get_args(get_args(kind)[1])
    if wanted is not Any and array.dtype != np.dtype(wanted):
        raise ParameterError(f"{name} must hold {np.dtype(wanted)}, got {array.dtype}")
    return array


def _tuple(
    kinds: tuple[Any, ...], value: Any, arrays: Mapping[str, NDArray[Any]], name: str
) -> tuple[Any, ...]:
    _checked(isinstance(value, list | tuple), value, name, "a list")
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    _checked(len(kinds) == len(value), value, name, f"a list of {len(kinds)}")
    return tuple(
        from_plain(kind, item, arrays, f"{name}.{k}")
        for k, (kind, item) in enumerate(zip(kinds, value, strict=True))
    )
