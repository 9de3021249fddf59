"""The classes and weights of images that a classifier learns from."""

import math
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from latviz.core.checks import as_floats, first_bad, shown
from latviz.core.errors import ParameterError
from latviz.core.types import Floats
from latviz.wings.many import classify

MOST = 1000
"""The most times that an image can count."""
Label = str | int | float
"""The class of an image; True and False are integers."""


def iterated(name: str, items: Any) -> Iterable[Any]:
    """Return items with an order as an iterable, or raise `ParameterError`."""
    # Objects with an array interface become arrays: a pandas table becomes its rows
    refuse_sparse(name, items)
    if hasattr(items, "__array__"):
        items = np.asanyarray(items)
    no_axis = isinstance(items, np.ndarray) and items.ndim == 0
    unordered = isinstance(items, str | bytes | dict | set)
    if no_axis or unordered or not isinstance(items, Iterable):
        raise ParameterError(f"{name} must be an iterable, one for each image, got {shown(items)}")
    return items


def refuse_sparse(name: str, values: Any) -> None:
    """Raise `ParameterError` if values are a sparse matrix."""
    if isinstance(values, np.ndarray) and values.ndim == 0:
        values = values[()]  # NumPy puts unreadable values into an array of no dimension
    if hasattr(values, "toarray"):
        raise ParameterError(f"{name} must not be sparse, got {type(values).__name__}: use toarray")


def labels_of(y: Any, owner: str) -> Iterator[Label]:
    """Yield the label of each image, in plain Python; ``owner`` stands in messages."""
    # A column (n, 1) is taken with a warning, as scikit-learn does
    if y is None:
        wanted = f"{owner} requires y to be passed, but the target y is None"
        raise ParameterError(f"{wanted}: pass the class of each image")
    items = iterated("y", y)
    if isinstance(items, np.ndarray) and items.ndim > 1:
        items = _column(items)
    return map(plain_label, items)


def _column(labels: Any) -> Any:
    if labels.ndim != 2 or labels.shape[1] != 1:
        raise ParameterError(f"y should be a 1d array, got shape {labels.shape}")
    text = "A column-vector y was passed when a 1d array was expected: pass y.ravel()."
    warnings.warn(text, classify.shared_errors.COLUMN_WARNING, stacklevel=4)
    return labels[:, 0]


def plain_label(label: Any) -> Label:
    """Return a label as a plain text or number, or raise `ParameterError`."""
    plain = label.item() if isinstance(label, np.generic) else label
    if isinstance(plain, float) and math.isfinite(plain):
        if plain.is_integer():
            return plain
        wanted = "Unknown label type: continuous. A label must be text or a whole number"
        raise ParameterError(f"{wanted}, got {plain}")
    if not isinstance(plain, str | int):
        raise ParameterError(f"a label must be text or a number, got {shown(label)}")
    return plain


def words_of(label: Label) -> str:
    """Return the kind of a label in words."""
    if isinstance(label, bool):
        return "True or False"
    return "text" if isinstance(label, str) else "numbers"


def weights_of(sample_weight: Any) -> list[int] | None:
    """Return the number of times that each image counts; None if all count equally."""
    # sample_weight (n,): whole numbers, or multiples of the least positive one; else
    # `ParameterError`
    if sample_weight is None:
        return None
    weights = checked_weights(sample_weight)
    whole = weights if _are_whole(weights) else weights / weights[weights > 0].min()
    if not _are_whole(whole) or whole.max() > MOST:
        wanted = f"whole numbers up to {MOST}, or multiples of the least that is above zero"
        raise ParameterError(f"sample_weight must hold {wanted}, got {shown(sample_weight)}")
    return [round(weight) for weight in whole.tolist()]


def checked_weights(sample_weight: Any) -> Floats:
    """Return weights as float64, or raise `ParameterError` if they are invalid."""
    weights = as_floats("sample_weight", sample_weight)
    if weights.ndim != 1 or weights.size == 0:
        raise ParameterError(f"sample_weight must have shape (n,), got {weights.shape}")
    good = np.isfinite(weights) & (weights >= 0)
    if not good.all():
        bad = first_bad(good, weights)
        raise ParameterError(f"sample_weight must be finite and >= 0, got {bad}")
    if not weights.any():
        raise ParameterError("sample_weight must hold a weight above zero, got only zeros")
    return weights


def _are_whole(weights: Floats) -> bool:
    return bool((np.abs(weights - np.rint(weights)) <= 1e-9 * np.maximum(weights, 1)).all())
