"""The help window: pages, links, back and forward, search, themes, size."""

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QObject, QPoint, Qt, QUrl, pyqtSlot
from PyQt6.QtGui import QDesktopServices, QPalette
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from latviz.app.help import manual
from latviz.app.help.help_dialog import HelpDialog, blocks, fragments, tables
from latviz.app.look.theme import DARK, LIGHT, Theme, contrast, palette, stylesheet
from latviz.app.shell.menus import Shortcut
from tests.app.views.test_accessible import description_of, nameless

LEAST_FOR_TEXT = 4.5
SHORTCUTS = [Shortcut("File", "Open", "Ctrl+O"), Shortcut("View", "Less", "[")]
NAMES = [entry.name for entry in manual.contents()]
Role = QPalette.ColorRole


@pytest.fixture
def dialog(qtbot: QtBot) -> Iterator[HelpDialog]:
    """The help on its first page, with the keyboard."""
    made = HelpDialog(SHORTCUTS)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    QApplication.processEvents()
    yield made
    made.close()


def wear(theme: Theme) -> None:
    """Put a theme in force, as the preferences do."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setPalette(palette(theme))
    application.setStyleSheet(stylesheet(theme))
    application.processEvents()


@pytest.fixture(params=[LIGHT, DARK], ids=["light", "dark"])
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Theme]:
    """A theme in force."""
    before, style = QApplication.palette(), qapp.styleSheet()
    wear(request.param)
    yield request.param
    qapp.setPalette(before)
    qapp.setStyleSheet(style)


class Desktop(QObject):
    """Replaces the desktop that opens web pages."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[QUrl] = []

    @pyqtSlot(QUrl)
    def open(self, url: QUrl) -> None:
        """Remember the address."""
        self.opened.append(url)


def page_of(dialog: HelpDialog) -> str:
    """Return the text of the page."""
    return dialog.browser.toPlainText()


def title_of(dialog: HelpDialog) -> str:
    """Return the first line of the page."""
    return page_of(dialog).split("\n")[0]


def click(dialog: HelpDialog, text: str) -> None:
    """Click on a link of the page, as the mouse does."""
    cursor = dialog.browser.document().find(text)
    while not cursor.charFormat().anchorHref():
        assert not cursor.isNull()
        cursor = dialog.browser.document().find(text, cursor)
    cursor.setPosition(cursor.selectionStart() + 1)
    dialog.browser.setTextCursor(cursor)
    dialog.browser.ensureCursorVisible()
    QTest.mouseClick(
        dialog.browser.viewport(),
        Qt.MouseButton.LeftButton,
        pos=dialog.browser.cursorRect(cursor).center() + QPoint(1, 0),
    )


def test_every_page_is_shown_and_no_picture_is_wider(dialog: HelpDialog) -> None:
    for name in NAMES:
        dialog.show_page(name)
        check_page(dialog, name)
        check_pictures(dialog, name)


def check_page(dialog: HelpDialog, name: str) -> None:
    assert len(page_of(dialog)) > 150
    assert dialog.browser.page == name
    assert "<!--" not in page_of(dialog)
    assert "](" not in page_of(dialog)
    assert dialog.contents.currentItem().data(Qt.ItemDataRole.UserRole) == name


def check_pictures(dialog: HelpDialog, name: str) -> None:
    document = dialog.browser.document()
    found = [f for block in blocks(document) for *_, f in fragments(block) if f.isImageFormat()]
    assert len(found) == manual.page(name).count("![")
    for looks in found:
        source = dialog.browser.source().resolved(QUrl(looks.toImageFormat().name()))
        image = dialog.browser.loadResource(2, source)
        assert not image.isNull()
        assert image.width() / image.devicePixelRatio() <= 640
    bar = dialog.browser.horizontalScrollBar()
    assert bar.maximum() == 0


def test_formulas_have_the_colours_of_the_theme(theme: Theme, dialog: HelpDialog) -> None:
    dialog.show_page("model.md")
    source = dialog.browser.source().resolved(QUrl("formulas/signature.svg"))
    image = dialog.browser.loadResource(2, source)
    colors = dialog.browser.palette()
    assert image.pixelColor(0, 0) == colors.color(Role.Base)
    inks = {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }
    assert colors.color(Role.Text).name() in inks


def test_links_lead_from_page_to_page_and_back(dialog: HelpDialog) -> None:
    assert title_of(dialog) == "The manual of latviz"
    assert not dialog.back.isEnabled()
    click(dialog, "Signature space")
    assert dialog.browser.page == "views/space.md"
    click(dialog, "highlighting")
    assert dialog.browser.page == "highlighting.md"
    assert dialog.back.isEnabled()
    dialog.back.click()
    assert title_of(dialog) == "Signature space"
    assert len(tables(dialog.browser.document())) == 1
    assert dialog.contents.currentItem().text().strip() == "Signature space"
    dialog.forward.click()
    assert title_of(dialog) == "Highlighting"
    QTest.keyClick(dialog, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert title_of(dialog) == "Signature space"
    QTest.keyClick(dialog, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert title_of(dialog) == "Highlighting"


def test_anchors_scroll_to_their_headings(dialog: HelpDialog) -> None:
    dialog.resize(800, 300)
    dialog.show_page("views/space.md", "how-it-is-drawn")
    assert dialog.browser.verticalScrollBar().value() > 100
    first = dialog.browser.cursorForPosition(QPoint(40, 10))
    assert first.block().text() == "How it is drawn"
    dialog.show_page("views/indices.md")
    assert dialog.browser.verticalScrollBar().value() == 0


def test_links_to_the_web_are_left_to_the_desktop(dialog: HelpDialog) -> None:
    desktop = Desktop()
    QDesktopServices.setUrlHandler("https", desktop.open)
    try:
        dialog.browser.setMarkdown("[a page of the web](https://example.org/a)")
        click(dialog, "a page of the web")
    finally:
        QDesktopServices.unsetUrlHandler("https")
    assert desktop.opened == [QUrl("https://example.org/a")]
    assert dialog.browser.page == "index.md"


def test_the_contents_list_every_page(dialog: HelpDialog) -> None:
    dialog.contents.setFocus()
    QTest.keyClick(dialog.contents, Qt.Key.Key_Home)
    seen = [dialog.browser.page]
    for _ in NAMES[1:]:
        QTest.keyClick(dialog.contents, Qt.Key.Key_Down)
        seen.append(dialog.browser.page)
    assert seen == NAMES


def test_search_lists_lines_and_enter_goes_to_the_next(dialog: HelpDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert dialog.search.hasFocus()
    QTest.keyClicks(dialog.search, "QUADTREE leaves")
    found = dialog.found("QUADTREE leaves")
    assert {hit.name for hit in found} == {
        "large-images.md",
        "layers.md",
        "paper.md",
    }
    assert dialog.hits.count() == len(found)
    assert dialog.count.text() == f"{len(found)} lines"
    assert dialog.hits.item(0).text().startswith(f"{found[0].title}\n")
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.search.hasFocus()
    assert dialog.browser.page == found[0].name
    assert dialog.count.text() == f"1 of {len(found)} lines"
    marked = {mark.cursor.selectedText().lower() for mark in dialog.browser.extraSelections()}
    assert marked == {"quadtree", "leaves"}
    assert "Quadtree leaves" in dialog.browser.textCursor().block().text()
    assert dialog.browser.viewport().rect().contains(dialog.browser.cursorRect().center())
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.browser.page == found[1].name
    for _ in found[2:]:
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.browser.page == found[0].name
    QTest.keyClick(dialog.search, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.browser.page == found[-1].name
    dialog.search.clear()
    assert dialog.contents.isVisible()
    assert not dialog.browser.extraSelections()


def test_search_finds_headings_first_and_says_when_there_is_nothing(dialog: HelpDialog) -> None:
    found = dialog.found("choose")
    assert found[0].heading
    assert "hoose" in found[0].text
    headings = [hit.heading for hit in found]
    assert headings == sorted(headings, reverse=True)
    assert all("choose" in hit.text.casefold() for hit in found)
    assert dialog.found("  ") == []
    dialog.search.setText("xyzzy")
    assert dialog.count.text() == "No lines"
    QTest.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.browser.page == "index.md"


FIRST = {
    "segmentation": ("views/states.md", "State map"),
    "hidden Markov": ("model.md", "The model in one page"),
    "HMM": ("model.md", "The model in one page"),
    "DICOM": ("formats.md", "File formats"),
    "pandas": ("exporting-and-scripts.md", "Export"),
    "clustering": ("views/tree.md", "Merge tree"),
    "EM": ("parameters.md", "Decoders"),
    "entropy": ("layers.md", "Map"),
    "histogram": ("views/emissions.md", "Symbols by state"),
    "undo": ("getting-started.md", "Undo"),
    "transition matrix": ("views/adjacency.md", "State adjacency A"),
    "regions": ("views/regions.md", "Regions"),
}
"""The page and the line that are found first for words of users."""


def test_words_of_the_field_find_the_right_line_first(dialog: HelpDialog) -> None:
    firsts = {text: dialog.found(text)[0] for text in FIRST}
    assert {text: (hit.name, hit.text) for text, hit in firsts.items()} == FIRST
    dialog.search.setText("segmentation")
    dialog.next_hit()
    marked = {mark.cursor.selectedText() for mark in dialog.browser.extraSelections()}
    assert {"State", "map"} <= marked  # the words that were found, not those that were typed


def test_text_is_read_in_both_themes(theme: Theme, qtbot: QtBot) -> None:
    dialog = HelpDialog(SHORTCUTS)
    qtbot.addWidget(dialog)
    usual, ground = dialog.palette().color(Role.Text), dialog.palette().color(Role.Base)
    for name in NAMES:
        dialog.show_page(name)
        for block in blocks(dialog.browser.document()):
            for _, _, looks in fragments(block):
                inked, filled = Qt.BrushStyle.NoBrush, looks.background()
                if filled.style() == inked:
                    filled = block.blockFormat().background()
                text = looks.foreground()
                front = usual if text.style() == inked else text.color()
                back = ground if filled.style() == inked else filled.color()
                assert contrast(front, back) >= LEAST_FOR_TEXT, (name, block.text())
    assert contrast(usual, ground) >= LEAST_FOR_TEXT


def test_all_is_reached_by_keyboard_and_named(dialog: HelpDialog) -> None:
    reached = []
    dialog.search.setFocus()
    for _ in range(8):
        reached.append(QApplication.focusWidget())
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert {dialog.search, dialog.contents, dialog.browser} <= set(reached)
    assert not nameless(dialog)
    dialog.show_page("limits.md")
    assert description_of(dialog.browser) == "Limits"
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
