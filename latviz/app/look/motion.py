"""Reduced motion: turns off Qt's own animations and fades if the user asks for it."""

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QApplication, QStyle

from latviz.app.look.theme import WindowRules

EFFECTS = tuple(Qt.UIEffect)
DURATION = QStyle.StyleHint.SH_Widget_Animation_Duration


def system_is_still() -> bool:
    """Return True if the desktop disables animations, as far as Qt reports it."""
    style = QApplication.style()
    return style is not None and style.styleHint(DURATION) == 0


class Motion:
    """Stops Qt's animations in a window, and restores them."""

    def __init__(self, rules: WindowRules) -> None:
        self._rules = rules
        self._effects = [QApplication.isEffectEnabled(effect) for effect in EFFECTS]
        self._flash = QApplication.cursorFlashTime()

    def set_still(self, still: bool) -> None:
        """Stop the animation of menus, tool tips, widgets and text cursors, or restore it."""
        self._rules.set("motion", "* { widget-animation-duration: 0; }" if still else "")
        QApplication.setCursorFlashTime(0 if still else self._flash)
        for effect, usual in zip(EFFECTS, self._effects, strict=True):
            QApplication.setEffectEnabled(effect, usual and not still)
