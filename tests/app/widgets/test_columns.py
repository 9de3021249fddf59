"""Columns of tables: heads, cells, sorting and selecting follow from the columns' rows."""

import math
from collections.abc import Sequence
from dataclasses import replace

import pytest
from PyQt6.QtCore import QPersistentModelIndex, Qt
from PyQt6.QtGui import QColor, QIcon

from latviz.app.views.pixel.pins import columns_of as pin_columns
from latviz.app.views.regions.rows import columns_of as region_columns
from latviz.app.views.regions.view import RegionsView
from latviz.app.widgets.tables import Column, Role, TableModel
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, Frame
from latviz.engine.frames.inspection import inspect
from tests.app.frames import frame_of

pytestmark = pytest.mark.usefixtures("qapp")

DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
ACROSS = Qt.Orientation.Horizontal
NUMBERS = {"a": 3.0, "b": None, "c": -1.0, "d": 3.0, "e": math.nan, "f": 0.0}
NAME = Column[str]("Name", lambda item: f"<b>{item}", "What it is called")
VALUE = Column[str](
    "Value",
    lambda item: str(NUMBERS[item]),
    key=NUMBERS.__getitem__,
    is_number=True,
    cells={Role.BackgroundRole: lambda item: QColor("red") if item == "a" else None},
)


def shown(model: TableModel[str]) -> str:
    return "".join(model.items)


@pytest.fixture
def toys() -> TableModel[str]:
    model = TableModel[str]()
    model.show_items(NUMBERS, (NAME, VALUE))
    return model


def test_cells_and_heads_have_what_columns_say(toys: TableModel[str]) -> None:
    first, second = toys.index(0, 0), toys.index(0, 1)
    assert (toys.rowCount(), toys.columnCount()) == (6, 2)
    assert (toys.rowCount(first), toys.columnCount(first)) == (0, 0)
    assert [first.data(), second.data()] == ["<b>a", "3.0"]
    assert [first.data(Role.ToolTipRole), second.data(Role.ToolTipRole)] == [
        "<qt>&lt;b&gt;a</qt>",  # which are not read as markup
        "3.0",
    ]
    assert first.data(Role.TextAlignmentRole) is None
    assert second.data(Role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    assert second.data(Role.BackgroundRole) == QColor("red")
    assert toys.index(1, 1).data(Role.BackgroundRole) is None
    assert toys.index(6, 0).data() is None
    assert [toys.headerData(k, ACROSS) for k in range(3)] == ["Name", "Value", None]
    assert toys.headerData(0, ACROSS, Role.ToolTipRole) == "What it is called"
    assert toys.headerData(0, Qt.Orientation.Vertical) is None


def test_what_has_no_number_comes_last_and_equals_keep_their_order(toys: TableModel[str]) -> None:
    for column, end, expected in (
        (1, UP, "cfadbe"),
        (1, DOWN, "adfcbe"),
        (0, DOWN, "abcdef"),  # a column without a key
        (7, UP, "abcdef"),
    ):
        toys.sort(column, end)
        assert shown(toys) == expected
        assert [toys.row_of(item) for item in expected] == list(range(6))
    toys.sort(1, DOWN)
    toys.show_items("fc", (NAME, VALUE))  # which are sorted as before
    assert shown(toys) == "fc"
    assert toys.row_of("a") == -1


def test_rows_that_stay_stay_chosen(toys: TableModel[str]) -> None:
    chosen = QPersistentModelIndex(toys.index(2, 0))
    for items in ("abcdefg", "abc", "xyz"):
        toys.keep_items(items, (NAME, replace(VALUE, title=items)))
        assert shown(toys) == items
        assert (chosen.row(), toys.headerData(1, ACROSS)) == (2, items)
    toys.keep_items("ab", (NAME, VALUE))
    assert not chosen.isValid()


def test_what_changed_is_drawn_again(toys: TableModel[str]) -> None:
    drawn = list[tuple[int, int, int, int]]()
    toys.dataChanged.connect(
        lambda first, last: drawn.append((first.row(), first.column(), last.row(), last.column()))
    )
    toys.repaint("c", "not listed", "a")
    toys.repaint_all()
    assert drawn == [(2, 0, 2, 1), (0, 0, 0, 1), (0, 0, 5, 1)]
    TableModel[str]().repaint_all()


@pytest.fixture(scope="module")
def frame() -> Frame:
    asked = frame_of("camera").request
    needs = ALL_NEEDS | RegionsView.NEEDS
    return Pipeline().run(replace(asked, needs=needs, complete=True))


def models(frame: Frame) -> dict[str, TableModel[int]]:
    colors = [QColor(*row) for row in frame.colors.tolist()]
    pins = [inspect(frame, (0, 0)), inspect(frame, (40, 70))]
    listed = frame.results["listed_regions"]
    pinned, regions = TableModel[int](), TableModel[int]()
    pinned.show_items(range(2), pin_columns(frame, pins, colors))
    regions.show_items(range(len(listed.numbers)), region_columns(frame, listed, colors))
    return {"pins": pinned, "regions": regions}


def test_every_column_and_a_toy_one_fill_their_cells(frame: Frame) -> None:
    """A column gives its head and its cells, and sorts them, in every table."""
    for name, model in models(frame).items():
        check_columns(name, model)


def check_columns(name: str, model: TableModel[int]) -> None:
    toy = Column[object]("Toy", lambda item: f"toy {hash(item)}", "A toy", key=hash)
    model.show_items(model.items, [*model.columns, toy])
    assert model.columnCount() == len(model.columns)
    for at, column in enumerate(model.columns):
        assert model.headerData(at, ACROSS) == column.title != "", name
        cells = [model.index(row, at) for row in range(model.rowCount())]
        assert all(isinstance(cell.data(), str) and cell.data() for cell in cells), name
        assert all(cell.data(Role.ToolTipRole) for cell in cells), name
        icons = [cell.data(Role.DecorationRole) for cell in cells]
        assert all(icon is None or isinstance(icon, QIcon) for icon in icons)
        check_sorting(model, at)
    assert model.index(0, model.columnCount() - 1).data().startswith("toy ")


def check_sorting(model: TableModel[int], at: int) -> None:
    key, ends = model.columns[at].key, list[Sequence[float]]()
    for end in (UP, DOWN):
        model.sort(at, end)
        numbers = [] if key is None else [key(item) for item in model.items]
        known = [k for k in numbers if k is not None and not math.isnan(k)]
        assert numbers[: len(known)] == known  # the others come last
        ends.append(known)
    assert ends[0] == sorted(ends[0])
    assert ends[1] == ends[0][::-1]
