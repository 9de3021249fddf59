"""The docks of the window, and the tabs that lay them out, one for each task."""

from collections.abc import Iterable, Iterator

from PyQt6.QtCore import QCoreApplication, QEvent, Qt
from PyQt6.QtWidgets import QApplication, QWidget

from latviz.app.docking.docks import Dock, Docks, scrolled
from latviz.app.docking.stage import PICTURES, DockStage
from latviz.app.docking.uses import LEARN, USES, Use, UseBar, names_in, suiting, use_of
from latviz.app.document.document import Document
from latviz.app.gallery.gallery import Gallery
from latviz.app.lessons.teacher import Teacher
from latviz.app.look.theme import WindowRules, font_size
from latviz.app.panels.controls import Controls
from latviz.app.panels.preferences import Preferences
from latviz.app.shell.actions import Action, Item, Ready
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.menus import Menus
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.views.registry import BUILT_IN, Views
from latviz.app.widgets import layouts
from latviz.app.widgets.shortcuts import dock_keys, sequences, tab_keys
from latviz.app.work.timers import once_after
from latviz.engine.frames.section import Section
from latviz.engine.settings.state import State

FULL = Qt.WindowState.WindowFullScreen


class Tabs(Feature):
    """Makes the docks, and lays them out in each tab as they were left there, or by default."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell, self._settings = parts[Document], parts[Shell], parts[Settings]
        self._preferences, self._gallery = parts[Preferences], parts[Gallery]
        self.controls, self._teacher = parts[Controls].panel, parts[Teacher]
        self._views, self._docks = parts[Views], parts[Docks]
        self._rules, self._font = parts[WindowRules], QApplication.font()
        self.bar, self.use = UseBar(), USES[0]
        self._kept: dict[str, str] = {}
        self._hidden: str | None = None  # the layout while only pictures are shown
        self._make_docks()
        self.stage = DockStage(self._docks, self._shell.main_window)
        self._shell.main_window.setCentralWidget(self.stage)

    def _make_docks(self) -> None:
        views = self._views
        panel, keep = QWidget(), self.controls.keep
        parts = (scrolled(self.controls), 1), self._teacher.offer
        layouts.column(*parts, of=panel, spacing=0)
        docks = [Dock("controls", "Controls", panel, keep)]
        for name, spec in views.specs.items():
            content = scrolled(views.views[name]) if spec.scrolled else views.views[name]
            docks.append(Dock(name, spec.title, content, views.header(name), spec.bare, spec.brief))
        # Before views of others: its keys do not depend on these
        docks.insert(1 + len(BUILT_IN), Dock("lesson", "Lesson", self._teacher.panel, None))
        self._docks.update({dock.name: dock for dock in docks})

    def menu_items(self) -> Iterator[Item]:
        """Yield the tabs, the docks, and the commands on the window."""
        yield from super().menu_items()
        main_window = self._shell.main_window
        yield Action(
            "&Quit",
            "Close the program; your work is kept for the next time",
            main_window.close,
            at=("File", 4.0),
        )
        yield Action(
            "&Full screen",
            "Turn full screen on or off",
            lambda: main_window.setWindowState(main_window.windowState() ^ FULL),
            at=("View", 4.4),
        )
        for k, use in enumerate(USES):
            yield self._turn_to(use, k)
        for index, dock in enumerate(self._docks.values(), start=1):
            yield self._toggle(dock, index)

    def _turn_to(self, use: Use, k: int) -> Item:
        """Return the item that turns to a tab."""
        return Action(
            f"{k + 1} {use.title}",
            use.tip,
            lambda _on: self.enter(use.name),
            tab_keys(k + 1),
            ("Tabs", k / 100),
            ticked=lambda: self.use is use,
            exclusive=True,
        )

    def _toggle(self, dock: Dock, index: int) -> Item:
        """Return the item that shows and hides a dock."""
        dock.toggle.setShortcuts(sequences(dock_keys(index)))
        dock.toggle.setToolTip(f"Show or hide “{dock.title}”")
        known = self._views.specs.get(dock.name)
        menu = "View" if known is None else f"Views of the {known.kind}"
        return Ready(dock.toggle, (menu, 3.3 + index / 1000))

    def connect(self, parts: Parts) -> None:
        """Follow the tabs, requests of other features, and the picture's shape."""
        self._menus = parts[Menus]
        self.bar.picked.connect(self.enter)
        self._shell.use_wanted.connect(self.enter)
        self._shell.alone_wanted.connect(self._show_alone)
        self._shell.dock_wanted.connect(self._open)
        self._document.changed.connect(self._follow)
        self._document.opened.connect(self._suit)
        # Later, and once: a dock emits this before its contents are shown or hidden.
        self._due = once_after(0, self.show_visible, self._shell)
        self.stage.turned.connect(self._due.start)
        for name, dock in self._docks.items():
            dock.appeared.connect(self._due.start)
            if name in self._views.views:
                self._views.views[name].windowTitleChanged.connect(dock.show_heading)

    @in_menu(
        "Pict&ures only",
        "Hide all but the pictures, until you choose this again",
        ("View", 4.3),
        ticked=lambda self: self._hidden is not None,
    )
    def show_pictures_only(self, on: bool) -> None:
        """Hide all docks but pictures, and all bars; or show them as they were."""
        if on == (self._hidden is not None):
            return
        window, laid_out = self._shell.main_window, self._hidden
        self._hidden = self.stage.kept() if on else None
        if on:
            shown = [name for name in PICTURES if self.stage.is_open(name)]
            self.stage.show_only(shown or ["states"])
            window.addActions(self._menus.actions)  # hidden menus have no keys
        else:
            self.stage.lay(self.use.plan, laid_out or "")
        for bar in (window.menuWidget(), window.statusBar()):
            if bar is not None:
                bar.setVisible(not on)
        self._menus.refresh()

    def dismiss(self) -> bool:
        """Show what was hidden around the pictures."""
        was_on = self._hidden is not None
        self.show_pictures_only(False)
        return was_on

    def begin(self, name: str, theme: str) -> None:
        """Begin with a tab, with its docks where they were left; a theme may be forced."""
        self._preferences.begin(theme)
        self._turn(use_of(name))
        self._shell.main_window.restoreGeometry(self._settings.geometry)

    def enter(self, name: str) -> None:
        """Turn to a tab, with its docks where they were left, or where they are by default."""
        if name == self.use.name:
            return
        self.show_pictures_only(False)
        self._keep()
        self._settings.use = name
        if not use_of(name).teaches:
            self._teacher.leave()
        window = self._shell.main_window
        before = window.size()
        self._turn(use_of(name))
        self._menus.refresh()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        if window.size() != before:  # texts that wrap ask for much, until their width is known
            window.resize(before)

    def _turn(self, use: Use) -> None:
        is_larger, self.use = use.text > self.use.text, use
        self.bar.show_use(use.name)
        kept = self._kept.get(use.name)
        kept = self._settings.layout(use.name) if kept is None else kept
        if not is_larger:  # larger text would need a larger window for the docks of before
            self._show_use(use)
        self.stage.lay(use.plan, kept, use.hidden)
        if is_larger:
            self._show_use(use)
        self._show_lists()
        self._leave_out_doubled()
        if self._teacher.is_running:
            self._teacher.show_here()
        elif use.name == LEARN:
            self._teacher.enter()

    @in_menu(
        "&Restore the layout", "Move the views of this tab to their default places", ("View", 3.9)
    )
    def restore_default(self) -> None:
        """Restore the default place of every dock."""
        self.show_pictures_only(False)
        self._kept[self.use.name] = ""
        self.stage.lay(self.use.plan, hidden=self.use.hidden)
        self._show_lists()
        if self._teacher.is_running:
            self._teacher.show_here()

    def _keep(self) -> None:
        """Keep the layout of the tab, unless a lesson from another tab changed it."""
        if self.use.name == LEARN or not self._teacher.is_running:
            self._kept[self.use.name] = self._hidden or self.stage.kept()

    def save(self) -> None:
        """Store all layouts for later windows."""
        self._keep()
        for use, kept in self._kept.items():
            self._settings.save_layout(use, kept)
        self._settings.geometry = self._shell.main_window.saveGeometry()

    def _show_use(self, use: Use) -> None:
        """Adapt the permanent parts to the tab."""
        self._rules.keep("size", font_size(self._font, use.text))
        self._preferences.enter_room(use.contrast)  # may apply both at once
        self._rules.apply()
        self.controls.show_advanced(use.advanced)
        self._teacher.offer.show_in(use is USES[0])

    def _open(self, name: str) -> None:
        """Show a dock that a feature requests, and update the visible views."""
        if name in self._docks:
            self.stage.open_dock(name)
            self.show_visible()

    def show_visible(self) -> None:
        """Pass the visible views to the document."""
        views = self._views.views.items()
        self._document.set_views(name for name, view in views if view.isVisible())
        self._leave_out_doubled()

    def _leave_out_doubled(self) -> None:
        """Leave out the controls of the panel that a view on screen has, too."""
        visible = [view for view in self._views.views.values() if view.isVisible()]
        found = {field: part for view in visible for field, part in view.parameter_controls.items()}
        self.controls.show_elsewhere(found)

    def _show_alone(self, names: Iterable[str]) -> None:
        """Show only the lesson and the docks that it names; outside Present, the controls, too."""
        self.show_pictures_only(False)
        docks = {*names}
        has_controls = docks and not self.use.contrast
        self.stage.show_only({"lesson", *docks, *(["controls"] if has_controls else [])})

    def _show_lists(self) -> None:
        """Show lists where they have a place, unless they are empty."""
        state = self._document.state
        self._gallery.invite(self.use.several)
        for name in names_in(self.use.plan):
            spec = self._views.specs.get(name)
            if spec is not None and spec.holds is not None:
                (self.stage.open_dock if spec.holds(state) else self.stage.close_dock)(name)

    def _suit(self, opened: State) -> None:
        """Turn to the tab for one picture or for many images, if another was on."""
        self.enter(suiting(self.use, several=opened.shelf is not None).name)

    def _follow(self, old: State, new: State) -> None:
        for name, spec in self._views.specs.items():
            if spec.holds is not None and spec.holds(old) and not spec.holds(new):
                self.stage.close_dock(name)
        if (old.shelf is None) != (new.shelf is None):
            self._show_lists()
        self._show_shape(old, new)

    def _show_shape(self, old: State, new: State) -> None:
        if new.picture is not None and new.picture is not old.picture:
            self.stage.show_shape(Section(new.picture.shape).shape)
