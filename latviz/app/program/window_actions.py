"""What the menus offer of the window itself, of its tabs and of its docks."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from PyQt6.QtGui import QKeySequence

from latviz.app.docking.docks import Dock
from latviz.app.docking.uses import USES, keys_of
from latviz.app.shell.actions import Action, Item, Ready
from latviz.app.shell.menus import dock_keys
from latviz.app.views.spec import AnySpec

Act = Callable[[], object]


def window_actions(leave: Act, dismiss: Act, restore: Act, fill: Act) -> tuple[Item, ...]:
    """Return what is done to the window.

    Parameters
    ----------
    leave, dismiss, restore, fill : callable
        Close it; hide its message; put its docks where they are by default; let it fill the screen.
    """
    return (
        Action(
            "&Quit",
            "Close the window; what is on screen is kept for the next time",
            leave,
            ("Ctrl+Q",),
            ("File", 4.0),
        ),
        Action(
            "&Dismiss message or selection",
            "Hide the message, or stop what is being done, or let go of what is lit",
            dismiss,
            "Esc",
            ("Edit", 2.3),
        ),
        Action(
            "&Restore the layout",
            "Put the views of this tab where they are by default",
            restore,
            "Ctrl+Shift+R",
            ("View", 3.9),
        ),
        Action(
            "&Full screen",
            "Fill the screen, or no longer",
            fill,
            "F11",
            ("View", 4.4),
        ),
    )


def use_actions(
    pick: Callable[[str, bool], object], is_on: Callable[[str], bool]
) -> Iterator[Item]:
    """Yield an action for each tab, of whose name ``is_on`` tells whether it is the one shown."""
    for k, use in enumerate(USES):
        yield Action(
            f"{k + 1} {use.title}",
            use.tip,
            partial(pick, use.name),
            keys_of(k + 1),
            ("Tabs", k / 100),
            ticked=partial(is_on, use.name),
            exclusive=True,
        )


def dock_actions(docks: Mapping[str, Dock], specs: Mapping[str, AnySpec]) -> Iterator[Item]:
    """Yield what shows and hides each dock."""
    for index, dock in enumerate(docks.values(), start=1):
        action = dock.toggleViewAction()
        assert action is not None
        action.setShortcut(QKeySequence(dock_keys(index)))
        action.setToolTip(f"Show or hide “{dock.windowTitle()}”")
        known = specs.get(dock.name)
        menu = "View" if known is None else f"Views of the {known.kind}"
        yield Ready(action, (menu, 3.3 + index / 1000))
