"""The plot and the confusion of images, and their words in menus, finder and tables of keys."""

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeySequence

from latviz.app.program.window import MainWindow
from latviz.app.shell.action_finder import entries, found
from latviz.app.shell.actions import plain
from latviz.app.shell.searching import Query
from latviz.app.widgets.shortcuts import RESERVED
from latviz.wings.many.results.tables import Together
from latviz.wings.many.shortcuts import IN_MENUS
from latviz.wings.many.window.confusion import ConfusionRows
from latviz.wings.many.window.scatter import Point, Scatter
from tests.app.widgets.test_columns import check_columns
from tests.app.widgets.test_keys import CTRL, CYRILLIC, KEYPAD, Held, check_takes
from tests.app.widgets.test_shortcuts import WINDOWS, check_keys, check_page


@pytest.mark.usefixtures("qapp")
def test_every_column_of_the_confusion_fills_its_cells() -> None:
    table, names = np.array([[3, 5], [0, 0], [7, 0]]), ("sky", "sea", "sand")
    rows = ConfusionRows()
    rows.show_found(Together(names, ("state 1", "none"), table, 3, 0.5))
    check_columns("confusion", rows)


@pytest.mark.parametrize(
    ("key", "held", "taken"),
    [
        (Qt.Key.Key_Left, KEYPAD, True),
        (Qt.Key.Key_Left, CTRL, False),
        (CYRILLIC, Held.NoModifier, False),
    ],
)
def test_the_plot_takes_keys_without_modifiers(key, held, taken, qtbot) -> None:
    plot = Scatter()
    plot.show_points([Point(k, "", k, k, True) for k in range(3)], ("x", "y"), 0)
    check_takes(plot, key, held, taken, qtbot)


@pytest.mark.parametrize("system", RESERVED)
def test_no_system_reserves_a_key_and_no_window_has_one_twice(system: str) -> None:
    check_keys([*WINDOWS["main window"], *IN_MENUS.values()], system)


def test_its_page_names_its_shortcuts() -> None:
    check_page("wings/many.md", [*WINDOWS["main window"], *IN_MENUS.values()])


@pytest.mark.usefixtures("few_views")
def test_words_of_the_field_find_it_first(window: MainWindow) -> None:
    action = window.menus["Classify the images"]
    assert action.shortcut() == QKeySequence(IN_MENUS["Classify the images"])
    assert found(entries(window.menus.actions), Query("classifier"))[0].name == plain(action.text())
