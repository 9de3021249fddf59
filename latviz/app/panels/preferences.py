"""Preferences: the user's choices for all pictures, kept for later windows."""

from collections.abc import Iterator
from dataclasses import replace

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication, QStyle

from latviz.app.document.document import Document
from latviz.app.look import theme as themes
from latviz.app.look.theme import WindowRules
from latviz.app.shell.actions import PREFERENCES, Action, Item, Submenu, choice
from latviz.app.shell.dialogs import ask_preferences
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.menus import Menus
from latviz.app.shell.settings import THREADS, Settings
from latviz.app.shell.shell import Shell
from latviz.core import threads


def theme_of(settings: Settings, forced: str = "", is_in_room: bool = False) -> themes.Theme:
    """Return the theme of a window; ``forced`` is the name of one instead of the settings'."""
    known = {"light": themes.LIGHT, "dark": themes.DARK}
    where = settings.contrast
    high = where == "always" or (where == "present" and is_in_room)
    return themes.of_contrast(known.get(forced or settings.theme) or themes.system_theme(), high)


class Preferences(QObject, Feature):
    """Applies the settings to a window, and stores changes in them."""

    # ``theme`` replaces the settings' theme until the user chooses another one
    theme_changed = pyqtSignal(object)  # Theme: drawings take its colours

    def __init__(self, parts: Parts) -> None:
        self._parts, rules = parts, parts[WindowRules]
        super().__init__(parts[Shell].main_window)
        self._document = parts[Document]
        self._settings, self._forced_theme = parts[Settings], ""
        self._rules, self._is_in_room = rules, False
        self._motion = Motion(rules)
        self.theme = themes.LIGHT
        hints = QGuiApplication.styleHints()
        assert hints is not None
        hints.colorSchemeChanged.connect(self._apply_theme)

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield from super().menu_items()
        names = (("system", "As the &system"), ("light", "&Light"), ("dark", "&Dark"))
        yield from choice(
            "&Theme",
            "The colours of the program",
            (PREFERENCES, 0.1),
            names,
            lambda: self.theme_name,
            self.choose_theme,
        )
        yield from choice(
            "High &contrast",
            "Thick lines on a black or white background",
            (PREFERENCES, 0.2),
            (("present", "In &Present"), ("always", "&Always"), ("never", "&Never")),
            lambda: self._settings.contrast,
            self.choose_contrast,
        )
        yield from self._threads_items()

    def _threads_items(self) -> tuple[Item, ...]:
        """Return the menu of the number of threads; if the environment gives it, it is shown."""
        tip = "How many cores compute; use fewer if other programs need them"
        text, at = "Th&reads", (PREFERENCES, 0.3)
        given = threads.number_given()
        if given is None:
            names = ((n, f"{n} thread{'s' if n > 1 else ''}") for n in THREADS)
            choices = (0, f"&All cores ({threads.CORES})"), *names
            return choice(text, tip, at, choices, lambda: self._settings.threads, self.use_threads)
        name, reason = f"{given} (set by {threads.VARIABLE})", "An environment variable sets it"
        fixed = Action(name, reason, lambda: None, at=("Threads", 1.0), enabled=lambda: False)
        return Submenu(text, tip, at), fixed

    @in_menu(
        "Preferences…",
        "Choose the theme, the contrast, the number of threads, and how things move",
        ("Edit", 4.0),
    )
    def ask(self) -> None:
        """Open the dialog of all preferences."""
        menus = self._parts[Menus]
        menus.refresh()
        self._parts[Shell].ask(ask_preferences, menus.menus[PREFERENCES])

    def connect(self, parts: Parts) -> None:
        """Apply the theme to all features."""
        for feature in parts.features():
            self.theme_changed.connect(feature.apply_theme)

    def begin(self, theme: str) -> None:
        """Apply the settings, once all parts are made; a theme may be forced."""
        self._forced_theme = theme
        self._apply_theme()
        still = self._settings.still
        self._keep_still(system_is_still() if still is None else still)
        if self._settings.threads and threads.number_given() is None:
            threads.set_threads(self._settings.threads)
        display = replace(self._document.display, graph=self._settings.graph)
        self._document.begin(display=display)

    @property
    def theme_name(self) -> str:
        """The theme that is chosen: "system", "light" or "dark"."""
        return self._forced_theme or self._settings.theme

    def choose_theme(self, name: str) -> None:
        """Use the light or dark theme, or the system's."""
        self._forced_theme = name
        self._settings.theme = name
        self._apply_theme()

    def choose_contrast(self, where: str) -> None:
        """Draw thick lines on a black or white ground "always", "never", or only in "present"."""
        self._settings.contrast = where
        self._apply_theme()

    def use_threads(self, number: int) -> None:
        """Compute on a number of threads, now and in later windows; 0 for one per core."""
        self._settings.threads = number
        threads.set_threads(number or threads.CORES)

    def enter_room(self, is_in_room: bool) -> None:
        """Record if the window is shown to a room."""
        if is_in_room != self._is_in_room:
            self._is_in_room = is_in_room
            self._apply_theme()

    @property
    def is_still(self) -> bool:
        """True if motion is reduced."""
        return self._document.pointer.still

    @in_menu(
        "Reduced m&otion",
        "Turn animations off",
        (PREFERENCES, 0.4),
        ticked=lambda self: self._document.pointer.still,
    )
    def set_still(self, still: bool) -> None:
        """Turn reduced motion on or off."""
        self._settings.still = still
        self._keep_still(still)

    def show_graph(self, graph: bool) -> None:
        """Show A as a graph, or as a heat map."""
        self._document.set_display(graph=graph)
        self._settings.graph = graph

    def _keep_still(self, still: bool) -> None:
        self._motion.set_still(still)
        self._document.point(still=still)

    def _apply_theme(self) -> None:
        self.theme = theme_of(self._settings, self._forced_theme, self._is_in_room)
        self._rules.set("contrast", themes.contrast_rules(self.theme))
        themes.restyle(self.theme)
        self.theme_changed.emit(self.theme)


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
