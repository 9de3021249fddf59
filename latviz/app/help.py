"""The help window: what the views show, and every shortcut."""

from collections.abc import Sequence
from html import escape

from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from latviz.app.focus import FocusRing
from latviz.app.menus import Shortcut
from latviz.app.views.spec import AnySpec
from latviz.resources import resource


class HelpDialog(QDialog):
    """Shows the help page of the resources, with the shortcuts as the menus have them."""

    def __init__(
        self,
        shortcuts: list[Shortcut],
        specs: Sequence[AnySpec],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("latviz help")
        self.resize(720, 640)
        self.browser = QTextBrowser()
        self.browser.setOpenExternalLinks(True)
        self.browser.setSearchPaths([str(resource("help.html").parent)])
        self.browser.setHtml(page(shortcuts, specs))
        self.browser.setAccessibleName("Help")
        self.ring = FocusRing(self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.browser)
        layout.addWidget(buttons)


def page(shortcuts: list[Shortcut], specs: Sequence[AnySpec]) -> str:
    """Return the help page."""
    text = resource("help.html").read_text(encoding="utf-8")
    text = text.replace("<!-- views -->", _list(specs))
    return text.replace("<!-- shortcuts -->", _table(shortcuts))


def _list(specs: Sequence[AnySpec]) -> str:
    return "".join(f"<p><b>{escape(s.title)}</b>: {escape(s.help)}</p>" for s in specs)


def _table(shortcuts: list[Shortcut]) -> str:
    rows = []
    menu = ""
    for shortcut in shortcuts:
        if shortcut.menu != menu:
            menu = shortcut.menu
            rows.append(f'<tr><td colspan="2"><b>{escape(menu)}</b></td></tr>')
        rows.append(
            f"<tr><td>{escape(shortcut.keys)}&nbsp;&nbsp;&nbsp;</td>"
            f"<td>{escape(shortcut.text)}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>"
