"""The robot's acts: one line of `ACTS` each."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PyQt6.QtCore import QMimeData, QPoint, Qt, QUrl
from PyQt6.QtGui import QAction, QGuiApplication, QImage, QKeySequence, QShortcut
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QScrollBar,
    QSlider,
    QSplitterHandle,
    QTabBar,
    QTextBrowser,
    QWidget,
)

from latviz.app.lessons.teacher import Teacher
from latviz.app.start.starter import Starter
from tests.bench.soak import advice
from tests.bench.soak.hand import LEFT, MIDDLE, NONE, RIGHT, Missed, inside
from tests.bench.soak.robot import Act, Robot
from tests.bench.soak.usher import NONSENSE

Key = Qt.Key
SHIFT, CONTROL, ALT = (
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
MODIFIERS = (NONE, NONE, NONE, NONE, SHIFT, CONTROL, SHIFT | CONTROL, ALT)
VIEW_KEYS = (
    *(Key.Key_Left, Key.Key_Right, Key.Key_Up, Key.Key_Down) * 3,
    *(Key.Key_Return, Key.Key_Space, Key.Key_Home, Key.Key_End, Key.Key_PageUp, Key.Key_PageDown),
    *(Key.Key_Plus, Key.Key_Minus, Key.Key_Escape, Key.Key_Delete, Key.Key_Backspace),
    *(Key.Key_0, Key.Key_1, Key.Key_N, Key.Key_W, Key.Key_A, Key.Key_X, Key.Key_F5),
)
SIZES = ((640, 480), (800, 600), (1024, 768), (1280, 800), (1600, 900), (1920, 1080))


ACTS: list[Act] = []
"""Actions of users, with weights."""


def act(weight: float) -> Callable[[Callable[[Robot], None]], Callable[[Robot], None]]:
    """Make a function an act, named after it, with a weight."""

    def added(do: Callable[[Robot], None]) -> Callable[[Robot], None]:
        ACTS.append(Act(do.__name__.replace("_", " "), weight, do))
        return do

    return added


PRESSED = {
    "undo and redo": (4, ("Ctrl+Z", "Ctrl+Z", "Ctrl+Y"), 5),
    "copy something": (2, ("Ctrl+C", "Shift+C", "Ctrl+Shift+C"), 1),
    "export something": (3, ("Ctrl+E", "Ctrl+Shift+E", "Shift+E", "Ctrl+Shift+A"), 1),
    "show or hide docks": (
        4,
        tuple(f"{keys}{k}" for keys in ("Alt+", "Alt+Shift+") for k in range(10)),
        3,
    ),
    "restore the layout": (2, ("Ctrl+Shift+R",), 1),
    "open the bench or the help": (4, ("Ctrl+B", "Ctrl+B", "F1"), 1),
    "close the window at any time": (1, ("Ctrl+Q",), 1),
}
"""Acts that only press keys of the main window: a weight, the keys, and how often at most."""


def _press(robot: Robot, keys: Sequence[str], most: int) -> None:
    for _ in range(robot.rng.randint(1, most)):
        robot.hand.sequence(robot.main, QKeySequence(robot.rng.choice(keys)))


for _name, (_weight, *_how) in PRESSED.items():
    ACTS.append(Act(_name, _weight, lambda robot, how=_how: _press(robot, *how)))


# Menus and shortcuts


@act(12)
def choose_in_menus(robot: Robot) -> None:
    """Open a menu of the menu bar and choose an item, through all its menus."""
    bar = robot.main.menuBar()
    assert bar is not None
    title, *path = robot.rng.choice(robot.menu_paths())
    action = next(a for a in bar.actions() if a.text() == title)
    robot.usher.path[:] = path
    if robot.rng.random() < 0.7:
        robot.hand.click(bar, bar.actionGeometry(action).center())
    else:
        letter = title[title.index("&") + 1].upper()
        robot.hand.key(robot.main, Key[f"Key_{letter}"], ALT)


@act(8)
def press_a_shortcut(robot: Robot) -> None:
    """Press the keys of an action or a shortcut of a window."""
    window = robot.window()
    actions = [a for a in window.findChildren(QAction) if not a.shortcut().isEmpty()]
    sequences = [sequence for action in actions for sequence in action.shortcuts()]
    sequences += [shortcut.key() for shortcut in window.findChildren(QShortcut)]
    closing = (QKeySequence("Ctrl+Q"), QKeySequence("Ctrl+W"))
    sequences = [s for s in sequences if s[0].key() < Key.Key_Super_L]  # QTest knows no others
    sequence = robot.rng.choice(sequences or [QKeySequence("F1")])
    if sequence in closing and robot.rng.random() < 0.7:
        sequence = QKeySequence("Ctrl+Z")
    robot.hand.sequence(window, sequence)


@act(4)
def open_a_context_menu(robot: Robot) -> None:
    """Press the right button on a view, on its title, or on anything."""
    anything = robot.some(QWidget) if robot.rng.random() < 0.3 else robot.view()
    widget = robot.rng.choice((robot.view(), robot.choice(_titles(robot)), anything))
    robot.hand.click(widget, robot.place(widget), RIGHT)


# Controls


@act(12)
def drag_a_slider(robot: Robot) -> None:
    """Drag the handle of a slider, or press next to it."""
    slider = robot.some(QSlider)
    places = [robot.place(slider) for _ in range(robot.rng.randint(2, 8))]
    for place in places:
        place.setY(slider.rect().center().y())
    robot.hand.drag(slider, places)


@act(6)
def type_in_a_field(robot: Robot) -> None:
    """Type a number, or nonsense, into a field."""
    field = robot.some(QAbstractSpinBox, QLineEdit)
    robot.hand.click(field)
    robot.hand.key(field, Key.Key_A, CONTROL)
    number = str(robot.rng.choice((0, 1, 2, 3, 5, 8, 13, 0.5, -3, 1000)))
    robot.hand.type(field, robot.rng.choice((number, number, robot.rng.choice(NONSENSE))))
    robot.hand.key(field, robot.rng.choice((Key.Key_Return, Key.Key_Tab, Key.Key_Escape)))


@act(6)
def choose_in_a_list(robot: Robot) -> None:
    """Open a combo box, or go through it by keys."""
    box = robot.some(QComboBox)
    if robot.rng.random() < 0.6:
        robot.hand.click(box)
        return
    robot.hand.do("focus a list", box.setFocus)
    for _ in range(robot.rng.randint(1, 4)):
        robot.hand.key(box, robot.rng.choice((Key.Key_Down, Key.Key_Up, Key.Key_End, Key.Key_G)))


@act(6)
def press_a_button(robot: Robot) -> None:
    """Press any button."""
    robot.hand.click(robot.some(QAbstractButton))


@act(3)
def choose_a_line(robot: Robot) -> None:
    """Click on a line of a list, on a tab, or in a page of text."""
    widget = robot.some(QListWidget, QTabBar, QTextBrowser)
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    assert target is not None
    robot.hand.click(target, robot.place(target), twice=robot.rng.random() < 0.2)


@act(6)
def turn_the_wheel(robot: Robot) -> None:
    """Turn the wheel over a view, a control or anything."""
    widget = robot.rng.choice((robot.view, lambda: robot.some(QWidget)))()
    keys = robot.rng.choice(MODIFIERS)
    for _ in range(robot.rng.randint(1, 6)):
        robot.hand.wheel(widget, robot.place(widget), robot.rng.choice((-3, -1, 1, 3)), keys)


# Views


@act(8)
def click_in_a_view(robot: Robot) -> None:
    """Click, once or twice, with or without keys."""
    view, button = robot.view(), robot.rng.choice((LEFT, LEFT, LEFT, LEFT, MIDDLE))
    keys, twice = robot.rng.choice(MODIFIERS), robot.rng.random() < 0.25
    robot.hand.click(view, robot.place(view), button, keys, twice)


@act(10)
def drag_in_a_view(robot: Robot) -> None:
    """Drag with any button: move, lasso, brush, cut, turn."""
    view, button = robot.view(), robot.rng.choice((LEFT, LEFT, LEFT, MIDDLE, RIGHT))
    places = [robot.place(view) for _ in range(robot.rng.randint(2, 12))]
    robot.hand.drag(view, places, button, robot.rng.choice(MODIFIERS))


@act(8)
def point_at_a_view(robot: Robot) -> None:
    """Move the pointer over a view, and wait for a tip now and then."""
    view = robot.view()
    for _ in range(robot.rng.randint(1, 10)):
        robot.hand.move(view, robot.place(view))
    if robot.rng.random() < 0.1:
        robot.hand.do("wait for a tip", lambda: QTest.qWait(800))


@act(8)
def press_keys_in_a_view(robot: Robot) -> None:
    """Give a view the keyboard and press its keys."""
    view = robot.view()
    robot.hand.do("focus a view", lambda: view.setFocus(Qt.FocusReason.TabFocusReason))
    for _ in range(robot.rng.randint(1, 8)):
        robot.hand.key(view, robot.rng.choice(VIEW_KEYS), robot.rng.choice(MODIFIERS))


@act(5)
def walk_by_tab(robot: Robot) -> None:
    """Go from stop to stop with Tab, and press keys there."""
    window = robot.window()
    for _ in range(robot.rng.randint(1, 15)):
        back = robot.rng.random() < 0.3
        robot.hand.key(window, Key.Key_Backtab if back else Key.Key_Tab, SHIFT if back else NONE)
        if robot.rng.random() < 0.3:
            key = robot.rng.choice((Key.Key_Space, Key.Key_Return, Key.Key_Down, Key.Key_Left))
            robot.hand.key(window, key)


# Lessons


@act(8)
def learn(robot: Robot) -> None:
    """Open the lessons, or act as a user there: begin, guess, go on and back, leave."""
    panel = robot.main.parts[Teacher].panel
    if not panel.isVisible():
        robot.hand.key(robot.main, Key.Key_5, CONTROL)
        return
    parts: list[QWidget] = [*panel.entries.values(), *panel.guess.options]
    parts += [panel.next_button] * 8 + [panel.guess.done] * 3
    parts += [panel.back_button, panel.leave_button, panel.away.button, panel.open_button]
    if panel.guess.box.isVisible() and robot.rng.random() < 0.3:
        robot.hand.click(panel.guess.box)
        robot.hand.type(panel.guess.box, str(robot.rng.randrange(30)))
    part = robot.choice(inside(parts))
    if part is panel.open_button:
        robot.answers.append(robot.some_file())
    robot.hand.click(part)


@act(6)
def take_the_test(robot: Robot) -> None:
    """Open the test of understanding, or act as a user there."""
    panel, exam = robot.main.parts[Teacher].panel, robot.main.parts[Teacher].examiner.panel
    if not exam.isVisible():
        part = robot.choice(inside([panel.test, panel.leave_button]))
        robot.hand.click(part)
        return
    parts: list[QWidget] = [exam.begin_button, *exam.guess.options] * 3
    parts += [exam.guess.done, exam.skip_button, exam.skip_button, exam.back_button]
    parts += [exam.away.button, exam.stop_button, exam.lessons_button, exam.forget_button]
    robot.hand.click(robot.choice(inside(parts)))


# Files


@act(5)
def open_by_dialog(robot: Robot) -> None:
    """Press Ctrl+O and type a name."""
    robot.answers.append(robot.some_file())
    robot.hand.key(robot.main, Key.Key_O, CONTROL)


@act(5)
def drop_something(robot: Robot) -> None:
    """Drag files, links, text or a picture over the window, and drop them, mostly."""
    window = robot.rng.choice((robot.main, robot.main, robot.window()))
    leave = robot.rng.random() < 0.1
    robot.hand.drop(window, robot.place(window), _carried(robot), leave)


@act(4)
def paste_something(robot: Robot) -> None:
    """Copy something elsewhere and paste it."""
    clipboard, data = QGuiApplication.clipboard(), _carried(robot)
    assert clipboard is not None
    robot.hand.do("copy elsewhere", lambda: clipboard.setMimeData(data))
    robot.hand.key(robot.main, Key.Key_V, CONTROL)


@act(3)
def save_a_session(robot: Robot) -> None:
    """Save the session, to its own file or another one."""
    robot.answers.append(robot.some_target())
    robot.hand.key(robot.main, Key.Key_S, robot.rng.choice((CONTROL, CONTROL | SHIFT)))


@act(2)
def open_a_session(robot: Robot) -> None:
    """Open one of the sessions there are."""
    there = [p for p in (*robot.files, *sorted(robot.out.rglob("*"))) if p.suffix == ".latviz"]
    robot.answers.append(str(robot.rng.choice(there)))
    robot.hand.key(robot.main, Key.Key_O, CONTROL)


@act(1)
def visit_the_start_page(robot: Robot) -> None:
    """Show the page, and leave it by one of its buttons or Esc, before or after it is drawn."""
    robot.hand.key(robot.main, Key.Key_Home, ALT)
    robot.hand.do("look", lambda: QTest.qWait(robot.rng.choice((0, 100, 600))))
    buttons = inside(robot.main.parts[Starter].page.findChildren(QAbstractButton))
    if buttons and robot.rng.random() < 0.7:
        robot.hand.click(robot.rng.choice(buttons))
    else:
        robot.hand.key(robot.main, Key.Key_Escape)


@act(0.3)
def leave_a_crash(robot: Robot) -> None:
    """Leave a kept session in the settings' folder, as a window that was killed does."""
    folder = robot.main.settings.kept_folder
    there = [p for p in robot.out.rglob("*.latviz") if p.is_file()]
    if folder is None or not there:
        raise Missed
    folder.mkdir(parents=True, exist_ok=True)
    kept = Path(folder, f"kept-{robot.rng.randrange(1 << 40):x}.latviz")
    kept.write_bytes(robot.rng.choice(sorted(there)).read_bytes())
    robot.hand.do("close the window", robot.main.close)


# Windows and docks


@act(3)
def resize_a_window(robot: Robot) -> None:
    """Give a window another size, or minimize or maximize it, or show it as before."""
    window = robot.window()
    if robot.rng.random() < 0.3:
        ways = (window.showMaximized, window.showMinimized, window.showNormal, window.showNormal)
        way = robot.rng.choice(ways)
        robot.hand.do(way.__name__, way)
        robot.hand.do("wait", lambda: QTest.qWait(50))
        robot.hand.do("showNormal", window.showNormal)
    size = robot.rng.choice(SIZES)
    if robot.rng.random() < 0.5:
        size = robot.rng.randint(640, 1920), robot.rng.randint(480, 1080)
    robot.hand.do(f"resize to {size}", lambda: window.resize(*size))


@act(3)
def turn_the_drawer(robot: Robot) -> None:
    """Press a tab of the drawer, or its cross."""
    bar = robot.main.tabs.stage.drawer.bar
    if bar.isVisible():
        robot.hand.click(bar, robot.place(bar))


@act(2)
def drag_a_separator(robot: Robot) -> None:
    """Drag the line between two docks, or the handle of a scroll bar."""
    if robot.rng.random() < 0.3:
        bar = robot.some(QScrollBar)
        robot.hand.drag(bar, [robot.place(bar) for _ in range(4)])
        return
    handle = robot.some(QSplitterHandle)
    start = handle.rect().center()
    far = QPoint(robot.rng.randint(-200, 200), robot.rng.randint(-200, 200))
    robot.hand.drag(handle, [start, start + far / 2, start + far])


@act(1.5)
def close_another_window(robot: Robot) -> None:
    """Close the bench or the help, by its keys or its frame."""
    window = robot.choice([w for w in robot.windows() if w is not robot.main])
    if robot.rng.random() < 0.5:
        robot.hand.key(window, robot.rng.choice((Key.Key_Escape, Key.Key_W)), CONTROL)
    else:
        robot.hand.do(f"close {type(window).__name__}", window.close)


@act(1)
def change_the_theme(robot: Robot) -> None:
    """Choose a theme in the menu; or the system's theme changes."""
    hints, scheme = QGuiApplication.styleHints(), robot.rng.choice(list(Qt.ColorScheme))
    if robot.rng.random() < 0.3 and hints is not None and hasattr(hints, "setColorScheme"):
        robot.hand.do(f"the system's theme is {scheme.name}", lambda: hints.setColorScheme(scheme))
        return
    theme = robot.rng.choice(("As the &system", "&Light", "&Dark"))
    robot.usher.path[:] = ["&Theme", theme]
    robot.hand.key(robot.main, Key.Key_V, ALT)


@act(3)
def wait_a_while(robot: Robot) -> None:
    """Wait and process events."""
    robot.hand.do("look", lambda: QTest.qWait(robot.rng.choice((50, 200, 600))))


@act(1)
def follow_the_advice(robot: Robot) -> None:
    """Open a picture, take every offer of the adviser until there is none, and judge all texts."""
    advice.open_one(robot)
    advice.follow(robot)


def _titles(robot: Robot) -> list[QWidget]:
    return inside(dock.bar for dock in robot.main.docks.values())


def _carried(robot: Robot) -> QMimeData:
    """Return the data to drop or paste."""
    data, kind = QMimeData(), robot.rng.random()
    if kind < 0.6:
        count = robot.rng.choice((1, 1, 1, 3))
        data.setUrls([QUrl.fromLocalFile(robot.some_file()) for _ in range(count)])
    elif kind < 0.8:
        sizes = (1, 2, 60, 200)
        image = QImage(
            robot.rng.choice(sizes),
            robot.rng.choice(sizes),
            robot.rng.choice((QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32)),
        )
        image.fill(robot.rng.randrange(1 << 32))
        data.setImageData(image)
    elif kind < 0.9:
        data.setText(robot.rng.choice(NONSENSE))
    elif kind < 0.93:
        data.setData("text/uri-list", b"")  # its source has gone
    else:
        data.setUrls([QUrl(robot.rng.choice(("https://example.org/a.png", "nonsense:", "")))])
    return data
