"""The bench in the menus, the finder, the manual and the table of keys."""

import pytest
from PyQt6.QtGui import QKeySequence
from pytestqt.qtbot import QtBot

from latviz.app.help.help_dialog import HelpDialog
from latviz.app.program.window import MainWindow
from latviz.app.shell.action_finder import entries, found
from latviz.app.shell.searching import Query
from latviz.app.widgets.shortcuts import RESERVED
from latviz.wings.bench.shortcuts import BENCH, IN_MENUS
from tests.app.widgets.test_shortcuts import WINDOWS, check_keys, check_page

pytestmark = pytest.mark.usefixtures("few_views")


@pytest.mark.parametrize("system", RESERVED)
def test_no_system_reserves_a_key_and_no_window_has_one_twice(system: str) -> None:
    check_keys([*BENCH.values()], system)
    check_keys([*WINDOWS["main window"], *IN_MENUS.values()], system)


def test_its_page_names_its_shortcuts() -> None:
    table = *WINDOWS["main window"], *IN_MENUS.values(), *BENCH.values()
    check_page("wings/bench.md", [*table])


def test_words_of_the_field_find_it_first(window: MainWindow, qtbot: QtBot) -> None:
    lines = entries(window.menus.actions)
    assert window.menus["Bench"].shortcut() == QKeySequence(IN_MENUS["Bench"])
    for text in ("laboratory", "playground", "MRF"):
        assert found(lines, Query(text))[0].name == "Bench"
    dialog = HelpDialog([])
    qtbot.addWidget(dialog)
    hit = dialog.found("MRF")[0]
    assert (hit.name, hit.text) == ("wings/bench.md", "Bench")
