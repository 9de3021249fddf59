"""The keyboard in the window: the order of Tab, a ring around the focus, and lost focus."""

from latviz.app.docking.docks import Docks
from latviz.app.lessons.teacher import Teacher
from latviz.app.panels.controls import Controls
from latviz.app.program.tabs import Tabs
from latviz.app.shell.actions import OTHERS
from latviz.app.shell.banner import Banner
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.focus import DockFocus, FocusRing, order_tabs, stops
from latviz.app.shell.shell import Shell
from latviz.app.shell.status import StatusLine
from latviz.app.start.starter import Starter
from latviz.app.views.registry import Views
from latviz.app.widgets.touchpad import WheelGuard


class Keyboard(Feature):
    """Sets the order of Tab, and shows and keeps the focus."""

    def __init__(self, parts: Parts) -> None:
        self._parts, self._docks = parts, parts[Docks]
        self._page = parts[Starter].page

    def connect(self, parts: Parts) -> None:
        """Follow the docks and the start page."""
        main_window = parts[Shell].main_window
        keyboards = {name: view.keyboard for name, view in parts[Views].views.items()}
        keyboards["controls"] = stops(parts[Controls].panel)[0]
        keyboards["lesson"] = parts[Teacher].panel
        self.ring = FocusRing(main_window)
        self.docks = DockFocus(main_window, self._docks, keyboards)
        self._page.filled.connect(self.order)
        parts[Tabs].stage.opened.connect(self.docks.give)
        parts[Shell].keyboard_wanted.connect(self.docks.give)
        parts[Teacher].panel.keyboard_wanted.connect(lambda: self.docks.give("lesson"))

    @in_menu(
        "&Dismiss message or highlight",
        "Hide the message, cancel what is running, or clear the highlight",
        (OTHERS, 0.1),
    )
    def _dismiss(self) -> None:
        """Hide the message across the window, or make the first feature stop its work."""
        if self._parts[Banner].isVisible():
            self._parts[Banner].hide()
            return
        next((feature for feature in self._parts.features() if feature.dismiss()), None)

    def begin(self) -> None:
        """Order the existing widgets, and keep the wheel from changing controls unasked."""
        self.order()
        WheelGuard(self._parts[Shell].main_window)

    def order(self) -> None:
        """Make Tab visit dock after dock, in each from its title to its content."""
        bars = (feature.bar_below_menus() for feature in self._parts.features())
        offer = self._parts[Teacher].offer
        found = [self._parts[Tabs].bar, offer, self._parts[Banner], *bars, self._page]
        for dock in sorted(self._docks.values(), key=lambda dock: dock.name != "lesson"):
            found += [dock.bar, dock.content]
        found += [self._parts[Tabs].stage.drawer.bar, self._parts[StatusLine]]
        order_tabs(part for part in found if part is not None)
