"""Frozen values: compared by content, copied and pickled unchanged."""

import copyreg
from abc import ABCMeta
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")


def _read_only(items: dict[Any, Any]) -> "MappingProxyType[Any, Any]":
    return MappingProxyType(items)


# Python itself pickles no read-only mapping.
copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))


_PLUMBING = {
    *dir(object),
    *("__dict__", "__weakref__", "__annotations__", "__getstate__", "__setstate__", "__getattr__"),
    *("__dataclass_fields__", "__dataclass_params__", "__match_args__", "__post_init__"),
    *("__abstractmethods__", "__class_getitem__", "__orig_bases__", "__parameters__"),
}
"""Names of each frozen value that are not for calling: they were a sixth of `help`."""


class Concise(ABCMeta):
    """The kind of classes whose `dir` has only what they are for."""

    def __dir__(cls) -> list[str]:
        return [name for name in super().__dir__() if name not in _PLUMBING]


class Sealed(metaclass=Concise):
    """Base of frozen values: copies and pickles hold only the fields.

    Values derived later are not copied, and read-only arrays stay read-only. A field with
    ``init=False`` and a factory is only a cache.
    """

    def __getstate__(self) -> tuple[dict[str, Any], list[bool]]:
        parts = {name: vars(self)[name] for name in _names(self)}
        return parts, [not array.flags.writeable for array in _arrays(parts)]

    def __setstate__(self, state: tuple[dict[str, Any], list[bool]]) -> None:
        parts, sealed = state
        caches = {field.name: _empty(field) for field in _fields(self) if _is_cache(field)}
        vars(self).update(caches | parts)
        for array, is_sealed in zip(_arrays(parts), sealed, strict=True):
            if is_sealed:
                array.flags.writeable = False


class Value(Sealed):
    """Base of frozen values that are equal if they are of one class and hold the same.

    Arrays are equal if they have one dtype and shape, and NaN is equal to NaN. A dataclass that
    extends it is declared with ``eq=False``. A field with ``compare=False`` makes no difference.
    It is shown in a line: of an array the dtype and the shape, and no field that has its default.
    """

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__repr__" not in vars(cls):
            cls.__repr__ = Value.__repr__  # type: ignore[method-assign]  # a dataclass keeps it

    def __repr__(self) -> str:
        visible = (field for field in _fields(self) if field.repr)
        parts = ((field, vars(self)[field.name]) for field in visible)
        shown = (f"{f.name}={_shown(part)}" for f, part in parts if not equal(part, f.default))
        return f"{type(self).__qualname__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return False  # not NotImplemented: an array would then compare itself, part by part
        return self is other or equal(_compared(self), _compared(other))

    def __hash__(self) -> int:
        return hash((type(self), _key(_compared(self))))


def by_value(kind: type[T]) -> type[T]:
    """Make named tuples that hold arrays comparable as values."""
    more = {
        "__eq__": equal,
        "__ne__": lambda one, other: not equal(one, other),
        "__hash__": lambda one: hash(_key(one)),
    }
    for name, function in more.items():
        setattr(kind, name, function)
    return kind


def equal(one: Any, other: Any) -> bool:
    """Return True if two values, numbers, texts, arrays or collections of them are equal."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return _equal_arrays(one, other)
    if isinstance(one, list | tuple):
        alike = type(one) is type(other) and len(one) == len(other)
        return alike and all(map(equal, one, other))
    if isinstance(one, Mapping):
        alike = isinstance(other, Mapping) and one.keys() == other.keys()
        return alike and all(equal(part, other[key]) for key, part in one.items())
    return bool(one == other) or bool(one != one and other != other)


def _shown(part: Any) -> str:
    """Return a part of a value in a few words."""
    if isinstance(part, np.ndarray):
        return f"{part.dtype} {part.shape}"
    if isinstance(part, list | tuple):
        ends = "[]" if isinstance(part, list) else "()"
        return ", ".join(map(_shown, part)).join(ends)
    if isinstance(part, Mapping):
        return ", ".join(f"{name!r}: {_shown(inner)}" for name, inner in part.items()).join("{}")
    return repr(part)


def _equal_arrays(one: Any, other: Any) -> bool:
    if getattr(one, "dtype", None) != getattr(other, "dtype", None):
        return False
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")


def _key(part: Any) -> Hashable:
    """Return a quick common key of equal parts; for arrays without their numbers."""
    if isinstance(part, np.ndarray):
        return part.shape, part.dtype.str
    if isinstance(part, list | tuple):
        return tuple(map(_key, part))
    if isinstance(part, Mapping):
        return frozenset(part)
    is_nan = isinstance(part, float | np.floating) and part != part
    is_key = isinstance(part, Hashable) and not is_nan
    return part if is_key else type(part).__name__


def _arrays(part: Any) -> Iterator[NDArray[Any]]:
    """Yield the arrays of collections in an order; values in them see to their own."""
    if isinstance(part, np.ndarray):
        yield part
    elif isinstance(part, list | tuple | Mapping):
        for inner in part.values() if isinstance(part, Mapping) else part:
            yield from _arrays(inner)


def _fields(value: Sealed) -> tuple[Field[Any], ...]:
    return fields(value) if is_dataclass(value) else ()


def _is_cache(field: Field[Any]) -> bool:
    return not field.init and field.default_factory is not MISSING


def _empty(field: Field[Any]) -> Any:
    assert field.default_factory is not MISSING
    return field.default_factory()


def _names(value: Sealed) -> list[str]:
    """Return the attributes that make a value up: of a dataclass its fields, else all."""
    found = [field.name for field in _fields(value) if not _is_cache(field)]
    return found if is_dataclass(value) else list(vars(value))


def _compared(value: Any) -> list[Any]:
    unequal = {field.name for field in _fields(value) if not field.compare}
    return [vars(value)[name] for name in _names(value) if name not in unequal]
