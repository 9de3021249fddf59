"""The help window: what the views show, and every shortcut."""

from html import escape

from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from latviz.app.focus import FocusRing
from latviz.app.menus import Shortcut
from latviz.core.parameter import help_rows
from latviz.engine.parameters import Parameters
from latviz.resources import resource


class HelpDialog(QDialog):
    """Shows the help page of the resources, with the shortcuts as the menus have them."""

    def __init__(self, shortcuts: list[Shortcut], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("latviz help")
        self.resize(720, 640)
        self.browser = QTextBrowser()
        self.browser.setOpenExternalLinks(True)
        self.browser.setSearchPaths([str(resource("help.html").parent)])
        self.browser.setHtml(page(shortcuts))
        self.browser.setAccessibleName("Help")
        self.ring = FocusRing(self)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.browser)
        layout.addWidget(buttons)


def page(shortcuts: list[Shortcut]) -> str:
    """Return the help page."""
    text = resource("help.html").read_text(encoding="utf-8")
    text = text.replace("<!-- parameters -->", _parameters())
    return text.replace("<!-- shortcuts -->", _table(shortcuts))


def _parameters() -> str:
    """Return the table of parameters as the manual shows it."""
    rows = []
    for row in help_rows(Parameters):
        choices = "".join(f"<br>{escape(word)}: {escape(meaning)}" for word, meaning in row.choices)
        rows.append(
            f"<tr><td><b>{escape(row.name)}</b><br><code>{row.flag}</code></td>"
            f"<td>{escape(row.tip)}.<br><i>{escape(row.formula)}</i>{choices}</td>"
            f"<td>{escape(row.values)}; {escape(row.default)} by default</td></tr>"
        )
    return f'<table cellpadding="3">{"".join(rows)}</table>'


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
