"""The help window: the manual's pages, their contents, and a search through all of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PyQt6.QtCore import QByteArray, QEvent, Qt, QUrl, pyqtSignal
from PyQt6.QtGui import (
    QBrush,
    QFontDatabase,
    QHideEvent,
    QImage,
    QKeySequence,
    QPainter,
    QPalette,
    QShortcut,
    QTextBlock,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PyQt6.QtSvg import QSvgRenderer
from PyQt6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from latviz.app.help import manual
from latviz.app.look.screens import fit
from latviz.app.shell.focus import FocusRing, order_tabs
from latviz.app.shell.menus import Shortcut
from latviz.app.shell.settings import Settings
from latviz.app.views.registry import BUILT_IN
from latviz.app.views.spec import AnySpec
from latviz.app.widgets import layouts
from latviz.core.parameter import help_rows
from latviz.engine.settings.parameters import Parameters

SIZE = (1120, 740)
LEFT, WIDEST = 260, 640
"""Width of the contents, and of pictures at most."""
INDENT = "    "
PADDING, MARGIN = 4, 14
BEFORE, EXCERPT = 34, 110
"""Characters of a line that are listed: before what was found in it, and in all."""

_NAME = Qt.ItemDataRole.UserRole
_MARKDOWN = QTextDocument.ResourceType.MarkdownResource.value
_ROLES = (
    QPalette.ColorRole.Link,
    QPalette.ColorRole.AlternateBase,
    QPalette.ColorRole.Mid,
    QPalette.ColorRole.Highlight,
    QPalette.ColorRole.HighlightedText,
)
_RECOLOURED = (QEvent.Type.PaletteChange, QEvent.Type.StyleChange)
_IMAGE = QTextDocument.ResourceType.ImageResource.value


@dataclass(frozen=True)
class Hit:
    """A line of the manual that holds all words of a search."""

    title: str  # of its page
    name: str
    block: int  # index among the blocks of the page's document
    start: int  # of the first of the words in it
    text: str  # the line
    heading: bool

    @property
    def excerpt(self) -> str:
        """The part of the line around what was found."""
        first = max(0, self.start - BEFORE)
        last = first + EXCERPT
        return f"{'…' * (first > 0)}{self.text[first:last]}{'…' * (last < len(self.text))}"


class Manual(QTextBrowser):
    """Shows the pages; links, back and forward work as in a browser."""

    # Colours are the palette's, and follow it
    page_changed = pyqtSignal(str)  # str: the name of the page on screen

    def __init__(self, generated: Mapping[str, str]) -> None:
        super().__init__()
        self._generated = generated
        self.page = ""
        self._marked: list[str] = []
        self._worn: list[str] = self._colors
        self.setOpenExternalLinks(True)
        self.setAccessibleName("Page")
        # Qt tells of each page here, those that it goes back to as well.
        self.sourceChanged.connect(self._take)

    def go(self, name: str, anchor: str = "") -> None:
        """Show a page, from an anchor on if one is given."""
        url = QUrl.fromLocalFile((manual.folder() / name).as_posix())
        if anchor:
            url.setFragment(anchor)
        self.setSource(url)

    def markdown(self, name: str) -> str:
        """Return the text of a page; some follow from what the program has."""
        return self._generated[name] if name in self._generated else manual.page(name)

    def loadResource(self, kind: int, url: QUrl) -> Any:
        """Return a page as it is in the program, or a picture, made smaller if it is wide."""
        if kind == _MARKDOWN and url.fileName() in self._generated:
            return self._generated[url.fileName()]
        found = super().loadResource(kind, url)
        if kind != _IMAGE or found is None:  # Qt may ask once more for those of the page before
            return found
        if "/formulas/" in url.path():
            return self._formula(found)
        return _narrowed(found, self.devicePixelRatioF())

    def _formula(self, svg: QByteArray) -> QImage:
        """Return a formula in the palette's colours, sharp on this screen."""
        colors, role = self.palette(), QPalette.ColorRole
        inked = svg.data()
        for drawn, worn in ((b"black", role.Text), (b"white", role.Base)):
            inked = inked.replace(b'"%s"' % drawn, b'"%s"' % colors.color(worn).name().encode())
        renderer, ratio = QSvgRenderer(QByteArray(inked)), self.devicePixelRatioF()
        image = QImage(renderer.defaultSize() * ratio, QImage.Format.Format_RGB32)
        image.fill(colors.color(role.Base))
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        image.setDevicePixelRatio(ratio)
        return image

    def changeEvent(self, event: QEvent | None) -> None:
        """Take other colours; the page stays where it is."""
        super().changeEvent(event)
        if event is not None and event.type() in _RECOLOURED and self._colors != self._worn:
            bar = self.verticalScrollBar()
            assert bar is not None
            place, marked = bar.value(), self._marked
            self.reload()
            self.mark(marked)
            bar.setValue(place)

    @property
    def _colors(self) -> list[str]:
        """The palette's colours that pages are dressed in."""
        return [self.palette().color(role).name() for role in _ROLES]

    def mark(self, words: list[str]) -> None:
        """Highlight words wherever they are on the page, until another one comes."""
        role, palette = QPalette.ColorRole, self.palette()
        looks = QTextCharFormat()
        looks.setBackground(palette.color(role.Highlight))
        looks.setForeground(palette.color(role.HighlightedText))
        marks = []
        for cursor in found_in(self.document(), words):
            mark = QTextEdit.ExtraSelection()
            mark.cursor, mark.format = cursor, looks
            marks.append(mark)
        self._marked = words
        self.setExtraSelections(marks)

    def show_block(self, number: int, start: int) -> None:
        """Scroll to a place in a block, and leave some lines above it."""
        document, bar = self.document(), self.verticalScrollBar()
        assert document is not None
        assert bar is not None
        cursor = QTextCursor(document)
        cursor.setPosition(document.findBlockByNumber(number).position() + start)
        self.setTextCursor(cursor)
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - self.height() // 4)

    def _take(self, url: QUrl) -> None:
        """Dress the page that was loaded, and go to the heading that was asked for."""
        self.page = url.toLocalFile().removeprefix(f"{manual.folder().as_posix()}/")
        self._dress()
        self.mark([])
        if url.hasFragment():
            self.scrollToAnchor(url.fragment())
        self.page_changed.emit(self.page)

    def _dress(self) -> None:
        """Give headings anchors; tables, code, links and pictures their looks."""
        document = self.document()
        assert document is not None
        self._worn = self._colors
        document.setDocumentMargin(MARGIN)
        whole = QTextCursor(document)
        whole.beginEditBlock()  # else each change lays out the whole text
        for table in tables(document):
            self._dress_table(table)
        for block in blocks(document):
            self._dress_block(block)
            for at, length, looks in fragments(block):
                self._dress_text(block, at, length, looks)
        whole.endEditBlock()

    def _dress_table(self, table: QTextTable) -> None:
        looks = table.format()
        looks.setBorder(1)
        looks.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        looks.setBorderBrush(QBrush(self.palette().color(QPalette.ColorRole.Mid)))
        looks.setBorderCollapse(True)
        looks.setCellPadding(PADDING)
        looks.setCellSpacing(0)
        looks.setTopMargin(PADDING)
        looks.setBottomMargin(PADDING)
        table.setFormat(looks)

    def _dress_block(self, block: QTextBlock) -> None:
        layout = block.blockFormat()
        if layout.headingLevel():
            layout.setTopMargin(4 * PADDING)
            layout.setBottomMargin(PADDING)
        elif _is_code(block):
            layout.setBackground(self.palette().color(QPalette.ColorRole.AlternateBase))
        else:
            return
        QTextCursor(block).setBlockFormat(layout)

    def _dress_text(self, block: QTextBlock, at: int, length: int, looks: QTextCharFormat) -> None:
        palette, role = self.palette(), QPalette.ColorRole
        if looks.isImageFormat():
            looks = looks.toImageFormat()
            looks.setMaximumWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        if block.blockFormat().headingLevel():
            looks.setAnchor(True)
            looks.setAnchorNames([manual.slug(block.text())])
        if looks.anchorHref():
            looks.setForeground(palette.color(role.Link))
        if looks.fontFixedPitch():
            fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
            looks.setFontFamilies([fixed.family()])
            if not _is_code(block):
                looks.setBackground(palette.color(role.AlternateBase))
        cursor = QTextCursor(block)
        cursor.setPosition(at)
        cursor.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(looks)


class HelpDialog(QDialog):
    """The manual with its contents and a search."""

    # ``shortcuts`` are those of the menus. Without ``settings`` the window's size is not remembered

    def __init__(
        self,
        shortcuts: list[Shortcut],
        parent: QWidget | None = None,
        settings: Settings | None = None,
        specs: Sequence[AnySpec] = BUILT_IN,
    ) -> None:
        super().__init__(parent)
        self._settings = settings or Settings(lasting=False)
        self._documents: dict[str, QTextDocument] = {}
        self.setWindowTitle("latviz help")
        fit(self, SIZE)
        self.browser = Manual(
            {
                manual.SHORTCUTS: manual.shortcuts_page(shortcuts),
                manual.VIEWS: manual.views_page(specs),
                manual.PARAMETERS: manual.parameters_page(help_rows(Parameters)),
            }
        )
        self._make_contents()
        self._make_search()
        self._make_buttons()
        self._lay_out()
        self._add_shortcuts()
        self.ring = FocusRing(self)
        self.browser.page_changed.connect(self._show_place)
        self.show_page(manual.INDEX)
        self.restoreGeometry(self._settings.help_geometry)
        self.browser.setFocus()

    def _make_contents(self) -> None:
        self.contents = QListWidget()
        self.contents.setAccessibleName("Contents")
        self._items: dict[str, QListWidgetItem] = {}
        bold, section = self.font(), ""
        bold.setBold(True)
        for entry in manual.contents():
            if entry.section != section:
                section = entry.section
                heading = QListWidgetItem(section, self.contents)
                heading.setFlags(Qt.ItemFlag.NoItemFlags)
                heading.setFont(bold)
            item = QListWidgetItem(f"{INDENT if section else ''}{entry.title}", self.contents)
            item.setData(_NAME, entry.name)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, entry.title)
            self._items[entry.name] = item
        self.contents.currentItemChanged.connect(self._open_item)

    def _make_search(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search (Ctrl+F)")
        self.search.setAccessibleName("Search the manual")
        self.search.setToolTip("Lines that hold all of these words; Enter goes to the next")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._look)
        self.hits = QListWidget()
        self.hits.setAccessibleName("Hits")
        self.hits.setWordWrap(True)
        self.hits.setAlternatingRowColors(True)
        self.hits.currentItemChanged.connect(self._open_hit)
        self.count = QLabel()
        self.count.setProperty("muted", True)
        self.count.hide()

    def _make_buttons(self) -> None:
        self.back, self.forward = QPushButton("Back"), QPushButton("Forward")
        for button, tip, run, available in (
            (self.back, "The page before (Alt+Left)", self.browser.backward, "backwardAvailable"),
            (self.forward, "The page after (Alt+Right)", self.browser.forward, "forwardAvailable"),
        ):
            button.setToolTip(tip)
            button.setAutoDefault(False)
            button.setEnabled(False)
            button.clicked.connect(run)
            getattr(self.browser, available).connect(button.setEnabled)

    def _lay_out(self) -> None:
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.buttons.rejected.connect(self.reject)
        close = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        assert close is not None
        close.setAutoDefault(False)
        self._lists = QStackedWidget()
        self._lists.addWidget(self.contents)
        self._lists.addWidget(self.hits)
        left = QWidget()
        layouts.column(self.search, self.count, self._lists, of=left)
        self.splitter = QSplitter()
        self.splitter.addWidget(left)
        self.splitter.addWidget(self.browser)
        self.splitter.setSizes([LEFT, SIZE[0] - LEFT])
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        row = layouts.row(self.back, self.forward, self.buttons)
        layouts.column(self.splitter, row, of=self, margins=None)
        order_tabs([left, self.browser, self.back, self.forward, self.buttons])

    def _add_shortcuts(self) -> None:
        keys = QKeySequence.StandardKey
        for key, run in (
            (keys.Find, self._search_anew),
            (keys.Back, self.browser.backward),
            (keys.Forward, self.browser.forward),
        ):
            QShortcut(QKeySequence(key), self).activated.connect(run)
        for sequence, step in (("Return", 1), ("Enter", 1), ("Shift+Return", -1)):
            shortcut = QShortcut(QKeySequence(sequence), self.search)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(lambda step=step: self.next_hit(step))

    def show_page(self, name: str, anchor: str = "") -> None:
        """Show a page of the manual, such as "views/space.md", from a heading on if one is given.

        ``anchor`` is the heading's `manual.slug`.
        """
        self.browser.go(name, anchor)

    def next_hit(self, step: int = 1) -> None:
        """Go to the next line that was found, or back; after the last comes the first."""
        if n := self.hits.count():
            row = self.hits.currentRow()
            self.hits.setCurrentRow(((row + step) if row >= 0 else min(step, 0)) % n)

    def hideEvent(self, event: QHideEvent | None) -> None:
        """Remember the size."""
        self._settings.help_geometry = self.saveGeometry()
        super().hideEvent(event)

    def found(self, text: str) -> list[Hit]:
        """Return the lines that hold all words of a text; headings come first."""
        words = text.casefold().split()
        found = [hit for entry in manual.contents() for hit in self._hits(entry, words)]
        return sorted(found, key=lambda hit: not hit.heading)

    def _hits(self, entry: manual.PageEntry, words: list[str]) -> Iterator[Hit]:
        if entry.name not in self._documents:
            document = QTextDocument(self)
            document.setMarkdown(self.browser.markdown(entry.name))
            self._documents[entry.name] = document
        for block in blocks(self._documents[entry.name]):
            text = block.text()
            if words and all(word in text.casefold() for word in words):
                level, start = block.blockFormat().headingLevel(), text.casefold().find(words[0])
                yield Hit(entry.title, entry.name, block.blockNumber(), start, text, level > 0)

    def _look(self, text: str) -> None:
        """List what is found."""
        self.hits.clear()
        for hit in self.found(text):
            item = QListWidgetItem(f"{hit.title}\n{hit.excerpt}")
            item.setData(_NAME, hit)
            item.setToolTip(hit.text)
            self.hits.addItem(item)
        asked = bool(text.strip())
        self._lists.setCurrentWidget(self.hits if asked else self.contents)
        self.count.setVisible(asked)
        self._say_count()
        if not asked:
            self.browser.mark([])

    def _say_count(self) -> None:
        n, row = self.hits.count(), self.hits.currentRow()
        lines = "1 line" if n == 1 else f"{n or 'No'} lines"
        self.count.setText(f"{row + 1} of {lines}" if row >= 0 else lines)

    def _open_hit(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            hit: Hit = item.data(_NAME)
            if self.browser.page != hit.name:
                self.show_page(hit.name)
            self.browser.mark(self.search.text().split())
            self.browser.show_block(hit.block, hit.start)
        self._say_count()

    def _open_item(self, item: QListWidgetItem | None) -> None:
        name = None if item is None else item.data(_NAME)
        if name and name != self.browser.page:
            self.show_page(name)

    def _show_place(self, name: str) -> None:
        """Mark the page on screen in the contents, and tell its title."""
        if item := self._items.get(name):
            self.contents.setCurrentItem(item)
            self.browser.setAccessibleDescription(item.text().strip())

    def _search_anew(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()


def blocks(document: QTextDocument | None) -> Iterator[QTextBlock]:
    """Yield the blocks of a document: paragraphs, items, lines of code, cells of tables."""
    assert document is not None
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _narrowed(data: QByteArray, ratio: float) -> QImage:
    """Return a picture, no wider than `WIDEST`; Qt would scale it without smoothing."""
    image = QImage.fromData(data)
    if image.width() > WIDEST:
        smooth = Qt.TransformationMode.SmoothTransformation
        image = image.scaledToWidth(min(image.width(), round(ratio * WIDEST)), smooth)
        image.setDevicePixelRatio(image.width() / WIDEST)
    return image


def _is_code(block: QTextBlock) -> bool:
    return block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence)


def fragments(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    """Return where each stretch of one format begins in the document, its length and format."""
    found, place = [], block.begin()
    while not place.atEnd():
        fragment = place.fragment()
        found.append((fragment.position(), fragment.length(), fragment.charFormat()))
        place += 1
    return found


def tables(document: QTextDocument) -> list[QTextTable]:
    """Return the tables of a document."""
    root = document.rootFrame()
    assert root is not None
    return [frame for frame in root.childFrames() if isinstance(frame, QTextTable)]


def found_in(document: QTextDocument | None, words: list[str]) -> Iterator[QTextCursor]:
    """Yield where any of some words are in a document, whatever their case."""
    assert document is not None
    for word in words:
        cursor = document.find(word)
        while not cursor.isNull():
            yield cursor
            cursor = document.find(word, cursor)
