"""Results of many images together: a table, and the agreement of states with labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz import files
from latviz.collection.reading import Unreadable
from latviz.core import digits
from latviz.core.data.label_names import in_order
from latviz.files.listing import natural
from latviz.wings.many.results.record import Record, columns_of

Columns = Mapping[str, Callable[[Any], object]]
"""Columns by their names, as functions of a result."""


@dataclass(frozen=True, eq=False)
class Together:
    """Agreement of states with the labels of all images, or of found classes with their own."""

    # With one model, columns are states; else the class that the state of each image is matched
    # with, and "none" for the rest

    classes: tuple[str, ...]  # labels of all images, in natural order
    columns: tuple[str, ...]  # the predicted classes, as headings
    table: Annotated[NDArray[np.int64], "(classes, columns)"]  # pixels
    # share of pixels in matched states: matched once, or by image without one model
    accuracy: float
    n_images: int  # images with labels
    unit: str = "pixels"  # what the table counts, or "images"


def together(records: Sequence[Record], *, one_model: bool) -> Together | None:
    """Return accuracy and confusion over all images with labels, or None."""
    # one_model: a state means the same in all images
    known = [record for record in records if record.confusion]
    if not known:
        return None
    names = {name for record in known for name in record.classes}
    classes = tuple(in_order(names, key=lambda name: natural(Path(name))))
    if one_model:
        width = max(record.n_states for record in known)
        counts = np.sum([_placed(record, classes, width) for record in known], axis=0)
        columns = tuple(f"state {k + 1}" for k in range(width))
        right = sum(int(counts[place]) for place in _matching(counts))
    else:
        width = len(classes) + 1
        placed = (_placed(record, classes, record.n_states) for record in known)
        counts = np.sum([_by_class(table) for table in placed], axis=0)
        columns = (*classes, "none")
        right = int(np.trace(counts[:, : len(classes)]))
    return Together(classes, columns, counts, right / int(counts.sum()), len(known))


def sentence(found: Together, n_images: int) -> str:
    """Return the accuracy over all images in words, and the number of images with labels."""
    images = f"{found.n_images:,} image{'s' if found.n_images > 1 else ''}"
    labelled = f" with labels, of {n_images:,} in all" if found.n_images < n_images else ""
    return f"Accuracy: {digits.share(found.accuracy)} of the pixels of {images}{labelled}"


def _placed(record: Record, classes: tuple[str, ...], width: int) -> NDArray[np.int64]:
    """Return the confusion of an image in rows for all classes."""
    table = np.zeros((len(classes), width), dtype=np.int64)
    for name, row in zip(record.classes, record.confusion, strict=True):
        table[classes.index(name), : len(row)] += row
    return table


def _by_class(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a confusion whose columns are the classes that states are matched with."""
    n_classes = len(table)
    found = np.zeros((n_classes, n_classes + 1), dtype=np.int64)
    left = set(range(table.shape[1]))
    for row, column in _matching(table):
        found[:, row] += table[:, column]
        left.discard(column)
    found[:, -1] = table[:, sorted(left)].sum(axis=1)
    return found


def _matching(table: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return which class is matched with which state, so that most pixels agree."""
    rows, columns = scipy.optimize.linear_sum_assignment(table, maximize=True)
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def numbers_of(results: Sequence[Record | Unreadable]) -> dict[str, Callable[[Any], object]]:
    """Return the columns of a table of images, as functions of a record."""
    columns = columns_of([result for result in results if isinstance(result, Record)])
    return {column.name: column.of for column in columns}


def rows_of(results: Sequence[Any], columns: Columns) -> list[list[Any]]:
    """Return a head, and a row for each result: its path, its numbers, or why it has none."""
    rows: list[list[Any]] = [["path", *columns, "problem"]]
    for result in results:
        if isinstance(result, Unreadable):
            rows.append([result.path, *[None] * len(columns), result.reason])
        else:
            rows.append([result.path, *(of(result) for of in columns.values()), None])
    return rows


def write_table(path: str | Path, results: Sequence[Any], columns: Columns | None = None) -> None:
    """Write `rows_of` as CSV; those of images by default."""
    head, *rows = rows_of(results, numbers_of(results) if columns is None else columns)
    files.writing.write_table(path, head, rows)


def write_confusion(path: str | Path, found: Together) -> None:
    """Write a row for each class as CSV: pixels by predicted class; else `ExportError`."""
    rows = [[name, *row] for name, row in zip(found.classes, found.table.tolist(), strict=True)]
    files.writing.write_table(path, ["label", *found.columns], rows)
