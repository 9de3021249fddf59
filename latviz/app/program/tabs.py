"""The docks of the window, and the tabs that lay them out for what people come for."""

from collections.abc import Iterator

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import QApplication

from latviz.app.compare.comparison import Comparing
from latviz.app.docking.docks import Dock, Docks, scrolled
from latviz.app.docking.uses import COMPARE, LEARN, USES, Use, UseBar, keys_of, use_of
from latviz.app.document.document import Document
from latviz.app.lessons.teacher import Teacher
from latviz.app.look.theme import WindowRules, font_size
from latviz.app.panels.controls import Controls
from latviz.app.panels.preferences import Preferences
from latviz.app.program.dock_layout import DockLayout
from latviz.app.shell.actions import Action, Item, Ready
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.menus import Menus, dock_keys
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.picture import PictureView
from latviz.app.views.registry import Views
from latviz.app.work.timers import once_after
from latviz.engine.frames.section import Section
from latviz.engine.settings.state import State

FULL = Qt.WindowState.WindowFullScreen


class Tabs(Feature):
    """Makes the docks, and lays them out in each tab as they were left there, or by default."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell, self._settings = parts[Document], parts[Shell], parts[Settings]
        self._preferences, self._comparing = parts[Preferences], parts[Comparing]
        self.controls, self._teacher = parts[Controls].panel, parts[Teacher]
        self._views, self._docks = parts[Views], parts[Docks]
        self._rules, self._font = parts[WindowRules], QApplication.font()
        self.bar = UseBar()
        self._make_docks()
        found = self._views.views.items()
        alike = [name for name, view in found if isinstance(view, PictureView)]
        self.layout = DockLayout(
            self._shell.main_window, self._docks, self._views.specs, alike, self._settings
        )

    def _make_docks(self) -> None:
        main_window, views = self._shell.main_window, self._views
        panel, keep = scrolled(self.controls), self.controls.keep
        docks = [Dock("controls", "Controls", panel, keep, main_window)]
        for name, spec in views.specs.items():
            content = scrolled(views.views[name]) if spec.scrolled else views.views[name]
            docks.append(Dock(name, spec.title, content, views.header(name), main_window))
        docks.append(Dock("lesson", "Lesson", self._teacher.panel, None, main_window))
        self._docks.update({dock.name: dock for dock in docks})
        self._shell.docks.update(self._docks)

    def menu_items(self) -> Iterator[Item]:
        """Yield the tabs, the docks, and what is done to the window."""
        main_window = self._shell.main_window
        yield Action(
            "&Quit",
            "Close the window; what is on screen is kept for the next time",
            main_window.close,
            ("Ctrl+Q",),
            ("File", 4.0),
        )
        yield Action(
            "&Full screen",
            "Fill the screen, or no longer",
            lambda: main_window.setWindowState(main_window.windowState() ^ FULL),
            "F11",
            ("View", 4.4),
        )
        yield Action(
            "&Restore the layout",
            "Put the views of this tab where they are by default",
            self.layout.restore_default,
            "Ctrl+Shift+R",
            ("View", 3.9),
        )
        for k, use in enumerate(USES):
            yield self._turn_to(use, k)
        for index, dock in enumerate(self._docks.values(), start=1):
            yield self._toggle(dock, index)

    def _turn_to(self, use: Use, k: int) -> Item:
        """Return what turns to a tab."""
        return Action(
            f"{k + 1} {use.title}",
            use.tip,
            lambda _on: self.enter(use.name),
            keys_of(k + 1),
            ("Tabs", k / 100),
            ticked=lambda: self.use is use,
            exclusive=True,
        )

    def _toggle(self, dock: Dock, index: int) -> Item:
        """Return what shows and hides a dock."""
        action = dock.toggleViewAction()
        assert action is not None
        action.setShortcut(QKeySequence(dock_keys(index)))
        action.setToolTip(f"Show or hide “{dock.windowTitle()}”")
        known = self._views.specs.get(dock.name)
        menu = "View" if known is None else f"Views of the {known.kind}"
        return Ready(action, (menu, 3.3 + index / 1000))

    def connect(self, parts: Parts) -> None:
        """Follow the tabs, what other parts ask for, and the picture's shape."""
        self._menus = parts[Menus]
        self.bar.picked.connect(self.enter)
        self._shell.use_wanted.connect(self.enter)
        self._shell.alone_wanted.connect(
            lambda names: self.layout.show_alone(("lesson", "controls", *names))
        )
        self._shell.shown.connect(self.show_visible)
        self._document.changed.connect(self._show_shape)
        # Later, and once: a dock tells before what is in it is shown or hidden.
        self._due = once_after(0, self.show_visible, self._shell)
        for name, dock in self._docks.items():
            dock.appeared.connect(self._due.start)
            if name in self._views.views:
                self._views.views[name].windowTitleChanged.connect(dock.show_heading)

    @property
    def use(self) -> Use:
        """What the window is used for now."""
        return self.layout.use

    def begin(self, name: str, theme: str) -> None:
        """Begin with a tab, with its docks where they were left; a theme may be forced."""
        self._preferences.begin(theme)
        use = use_of(name)
        self.bar.show_use(use.name)
        self.layout.begin(use)
        self._show_use(use)
        self._begin_lessons()

    def enter(self, name: str) -> None:
        """Turn to a tab, with its docks where they were left, or where they are by default."""
        if name == self.use.name:
            return
        use = use_of(name)
        self.layout.leave()
        self.bar.show_use(name)
        self._settings.use = name
        self._teacher.leave()
        self._show_use(use)
        self.layout.enter(use)
        self._begin_lessons()
        self._menus.refresh()

    def _show_use(self, use: Use) -> None:
        """Let the parts that stay know what the window is used for."""
        self._rules.set("size", font_size(self._font, use.text))
        self._preferences.enter_room(use.contrast)
        self.controls.show_advanced(use.advanced)
        self._comparing.invite(use.name == COMPARE)

    def _begin_lessons(self) -> None:
        if self.use.name == LEARN:
            self._teacher.enter()

    def show_visible(self) -> None:
        """Tell the document which views are visible."""
        views = self._views.views.items()
        self._document.set_views(name for name, view in views if view.isVisible())

    def _show_shape(self, old: State, new: State) -> None:
        if new.picture is not None and new.picture is not old.picture:
            is_ribbon = new.picture.dimensions == 1
            self.layout.show_shape(None if is_ribbon else Section(new.picture.shape).shape)

    def close(self) -> None:
        """Hide docks that float, which are windows of their own."""
        for dock in self._docks.values():
            dock.hide()
