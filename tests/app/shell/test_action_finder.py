"""Finding an action: some letters, the marked line, and Enter."""

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QAction
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.help import manual
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.program.window import MainWindow
from latviz.app.shell.action_finder import ActionFinder, entries, found, may_run
from latviz.app.shell.menus import OPENS
from latviz.app.shell.searching import Query, Text, synonyms
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from tests.app.conftest import begin_anew, settle

Key = Qt.Key


def opened(window: MainWindow, qtbot: QtBot) -> ActionFinder:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keyClick(window, Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    finder = window.findChild(ActionFinder)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is finder.edit)
    return finder


def names(finder: ActionFinder) -> list[str]:
    items = (finder.list.topLevelItem(k) for k in range(finder.list.topLevelItemCount()))
    return [item.text(0) for item in items if item is not None]


def marked(finder: ActionFinder) -> str:
    item = finder.list.currentItem()
    return "" if item is None else item.text(0)


def test_actions_are_found_and_done(window: MainWindow, qtbot: QtBot) -> None:
    check_all_actions_are_found_by_letters_and_keys_move_the_mark(window, qtbot)
    begin_anew(qtbot, window)
    check_a_click_or_enter_does_it_and_it_comes_first_the_next_time(window, qtbot)
    check_words_of_the_field_find_the_right_first_line(window)
    # Each term of the program in the table is found in a title, or in a line of the manual.
    known = [line.title for line in entries(window.menus.actions)]
    for page in manual.contents():
        text = (manual.folder() / page.name).read_text(encoding="utf-8")
        known += map(Text.of, text.splitlines())
    for asked, meant in synonyms().items():
        for words in meant:
            held = (all(text.level(word) is not None for word in words) for text in known)
            assert any(held), (asked, words)
    check_an_encoding_and_a_page_are_chosen(window, qtbot)


def check_all_actions_are_found_by_letters_and_keys_move_the_mark(window, qtbot) -> None:
    finder = opened(window, qtbot)
    assert len(names(finder)) == len(window.menus.actions)
    QTest.keyClicks(finder.edit, "full scr")
    assert marked(finder) == names(finder)[0] == "Full screen"
    assert len(names(finder)) < 5
    QTest.keyClicks(finder.edit, "zzz")
    assert names(finder) == []
    QTest.keyClick(finder.edit, Key.Key_Return)
    assert finder.isVisible()  # it has no item to run
    QTest.keyClick(finder.edit, Key.Key_Escape)
    assert not finder.isVisible()
    finder = opened(window, qtbot)
    first = marked(finder)
    QTest.keyClick(finder.edit, Key.Key_Down)
    second = marked(finder)
    assert second != first
    QTest.keyClick(finder.edit, Key.Key_Up)
    assert marked(finder) == first
    for key in (Key.Key_Up, Key.Key_PageUp, Key.Key_PageDown, Key.Key_PageDown):
        QTest.keyClick(finder.edit, key)
        item = finder.list.currentItem()
        assert not item.isDisabled()
    window.activateWindow()  # a user turns to something else
    qtbot.waitUntil(lambda: not finder.isVisible())


def check_a_click_or_enter_does_it_and_it_comes_first_the_next_time(window, qtbot) -> None:
    dock = window.docks["tree"]
    window.tabs.stage.close_dock("tree")
    finder = opened(window, qtbot)
    QTest.keyClicks(finder.edit, dock.title)
    items = (finder.list.topLevelItem(k) for k in range(finder.list.topLevelItemCount()))
    item = next(one for one in items if one is not None and one.text(1) == "Views of the model")
    assert item.text(0) == dock.title
    assert item.checkState(0) == Qt.CheckState.Unchecked
    finder.list.setCurrentItem(item)
    assert finder.tip.text() == f"Show or hide “{dock.title}”"
    viewport = finder.list.viewport()
    QTest.mouseClick(
        viewport,
        Qt.MouseButton.LeftButton,
        pos=finder.list.visualItemRect(item).center() + QPoint(30, 0),
    )
    qtbot.waitUntil(dock.isVisible)
    assert not finder.isVisible()
    window.document.set("Change N", n_states=5)
    settle(qtbot, window)
    finder = opened(window, qtbot)
    QTest.keyClicks(finder.edit, "undo")
    assert marked(finder).startswith("Undo")
    QTest.keyClick(finder.edit, Key.Key_Return)
    assert not finder.isVisible()
    qtbot.waitUntil(lambda: window.document.state.parameters.n_states != 5)
    assert opened(window, qtbot) is finder
    assert names(finder)[0].startswith("Undo")
    assert marked(finder) != names(finder)[0]  # no step is left to undo
    finder.reject()


FIRST = {
    "Regions": "Regions",
    "grey": "Grey as: Values",
    "gray value": "Grey as: Values",
    "save picture": "Export",
    "segmentation": "State map",
    "hidden Markov": "The model in one page",
    "HMM": "The model in one page",
    "DICOM": "File formats",
    "pandas": "Export",
    "clustering": "Merge tree",
    "EM": "Decoder: belief, refined",
    "entropy": "Layers of the state map",
    "histogram": "Symbols by state",
    "zoom": "Zoom in",
    "dark mode": "Dark",
    "screenshot": "Whole window",
    "undo": "Undo",
    "dendrogram": "Merge tree",
    "transition matrix": "State adjacency A",
    "LBP": "Encoding: Local binary patterns",
    "notebook": "Copy as notebook",
    "video": "Export a live page",
    "sequences and volumes": "Sequences and volumes",
}
"""The first line that is found for words of users."""


def check_words_of_the_field_find_the_right_first_line(window: MainWindow) -> None:
    lines = entries(window.menus.actions)
    firsts = {text: found(lines, Query(text))[0].name for text in FIRST}
    assert {text: name.split(" Change")[0] for text, name in firsts.items()} == FIRST
    demos = [line for line in lines if line.menu == "Open a demo"]
    assert len(demos) == len(DEMO_TITLES)
    assert all(line.opens and "another picture" in line.place for line in demos)
    for text in ("regions", "noise", "figure", "textures", "demo", "lesson", "image", "sequence"):
        ranked = found(lines, query := Query(text))
        assert ranked[-1].opens, text
        opening = [line.opens for line in ranked]
        assert opening == sorted(opening), text
        first = next(line for line in ranked if may_run(line, query))
        assert first.opens == all(opening), text


def check_an_encoding_and_a_page_are_chosen(window: MainWindow, qtbot: QtBot) -> None:
    finder = opened(window, qtbot)
    QTest.keyClicks(finder.edit, "gray levels")
    assert marked(finder) == "Grey as: Levels"
    QTest.keyClick(finder.edit, Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.parameters.encoding.how == "levels")
    settle(qtbot, window)
    finder = opened(window, qtbot)
    item = finder.list.findItems("Grey as: Levels", Qt.MatchFlag.MatchExactly)[0]
    assert item.checkState(0) == Qt.CheckState.Checked
    (colour,) = finder.list.findItems("Encoding: Red, green, blue", Qt.MatchFlag.MatchExactly)
    assert colour.isDisabled()  # the photograph is grey
    QTest.keyClicks(finder.edit, "file formats")
    QTest.keyClick(finder.edit, Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(HelpDialog) is not None)
    manual_window = window.findChild(HelpDialog)
    qtbot.waitUntil(manual_window.isVisible)
    assert manual_window.browser.page == "formats.md"
    manual_window.reject()


def action(text: str, menu: str, tip: str, *, opens: bool = False) -> QAction:
    made = QAction(text)
    made.setProperty("menu", menu)
    made.setProperty(OPENS, opens)
    made.setToolTip(tip)
    return made


def test_what_opens_another_picture_needs_its_name(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(800, 600)
    made = [
        action("Noisy regions", "Open a demo", "Open it", opens=True),
        action("Regions", "View", "Show or hide them"),
        action("All noise", "View", "Draw regions of noise"),
    ]
    finder = ActionFinder(parent)
    finder.open_with("Find", made)
    demo, regions, noise = "Noisy regions", "Regions", "All noise"
    for text, listed, first in (
        ("", [demo, regions, noise], regions),
        ("regions", [regions, noise, demo], regions),
        ("noise", [noise], noise),
        ("noisy", [demo], demo),
        ("nois", [noise, demo], noise),
        ("noisy regions", [demo], demo),
        ("oisy", [demo], ""),  # a part of a word is not its name
        ("demo", [demo], ""),
    ):
        finder.edit.setText(text)
        assert names(finder) == listed, text
        assert marked(finder) == first, text
    assert "arrow keys" in finder.tip.text()
    QTest.keyClick(finder.edit, Key.Key_Down)
    assert marked(finder) == demo
    item = finder.list.currentItem()
    assert item.text(1) == "Open a demo · another picture"


def test_names_that_begin_so_come_first(qapp: QApplication) -> None:
    made = [
        action("Close", "File", "Leave the open picture"),
        action("Reopen", "File", ""),
        action("Copy as &Open", "Edit", ""),
        action("&Open…", "File", ""),
    ]
    lines = entries(made)
    assert [line.name for line in lines] == ["Close", "Reopen", "Copy as Open", "Open"]
    assert [line.name for line in found(lines, Query("open"))] == [
        "Open",
        "Copy as Open",
        "Reopen",
        "Close",
    ]
    assert [line.name for line in found(lines, Query("FILE ope"))] == ["Open", "Reopen", "Close"]
    assert [line.name for line in found(lines, Query(""))] == [line.name for line in lines]
    assert found(lines, Query("nothing")) == []
