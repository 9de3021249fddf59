"""The robot's acts: one line of `PRESSED` or `ACTS` each, or a function."""

from collections.abc import Callable
from random import Random

from PyQt6.QtCore import QMimeData, QPoint, Qt, QUrl
from PyQt6.QtGui import QAction, QGuiApplication, QImage, QKeySequence, QShortcut
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

from tests.bench.soak import advice
from tests.bench.soak.hand import LEFT, MIDDLE, NONE, RIGHT, Hand, inside
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
PRESSED = {
    "undo and redo": (4, ("Ctrl+Z", "Ctrl+Z", "Ctrl+Y"), 5),
    "copy something": (2, ("Ctrl+C", "Shift+C", "Ctrl+Shift+C"), 1),
    "export something": (3, ("Ctrl+E", "Ctrl+Shift+E", "Shift+E", "Ctrl+Shift+A"), 1),
    "show or hide docks": (4, [f"Alt+{s}{k}" for s in ("", "Shift+") for k in range(10)], 3),
    "restore the layout": (2, ("Ctrl+Shift+R",), 1),
    "open the bench or the help": (4, ("Ctrl+B", "Ctrl+B", "F1"), 1),
    "enter a tab, or the start page": (6, (*(f"Ctrl+{k}" for k in range(1, 7)), "Alt+Home"), 1),
    "close the window at any time": (1, ("Ctrl+Q",), 1),
}
"""Acts that only press keys of the main window: a weight, the keys, and how often at most."""


def _press(robot: Robot, keys: tuple[str, ...], most: int) -> None:
    for _ in range(robot.rng.randint(1, most)):
        robot.hand.sequence(robot.main, QKeySequence(robot.rng.choice(keys)))


ACTS = [
    Act("press a button", 14, lambda robot: robot.hand.click(robot.some(QAbstractButton))),
    Act("wait a while", 3, lambda robot: robot.hand.wait(robot.rng.choice((50, 200, 600)))),
    Act("follow the advice", 1, lambda robot: (advice.open_one(robot), advice.follow(robot))),
    *(
        Act(name, weight, lambda robot, how=how: _press(robot, *how))
        for name, (weight, *how) in PRESSED.items()
    ),
]
"""Actions of users, with weights."""
Do = Callable[[Robot, Random, Hand], None]


def act(weight: float) -> Callable[[Do], Do]:
    """Make a function an act, named after it, with a weight."""

    def added(do: Do) -> Do:
        name = do.__name__.replace("_", " ")
        ACTS.append(Act(name, weight, lambda robot: do(robot, robot.rng, robot.hand)))
        return do

    return added


@act(12)
def choose_in_menus(robot: Robot, rng: Random, hand: Hand) -> None:
    bar = robot.main.menuBar()
    title, *path = rng.choice(robot.menu_paths())
    action = next(a for a in bar.actions() if a.text() == title)
    robot.usher.path[:] = path
    if rng.random() < 0.7:
        hand.click(bar, bar.actionGeometry(action).center())
    else:
        hand.key(robot.main, Key[f"Key_{title[title.index('&') + 1].upper()}"], ALT)


@act(8)
def press_a_shortcut(robot: Robot, rng: Random, hand: Hand) -> None:
    window = robot.window()
    sequences = [s for a in window.findChildren(QAction) for s in a.shortcuts() if not s.isEmpty()]
    sequences += [shortcut.key() for shortcut in window.findChildren(QShortcut)]
    sequences = [s for s in sequences if s[0].key() < Key.Key_Super_L]  # QTest knows no others
    sequence = rng.choice(sequences or [QKeySequence("F1")])
    closing = (QKeySequence("Ctrl+Q"), QKeySequence("Ctrl+W"))
    if sequence in closing and rng.random() < 0.7:
        sequence = QKeySequence("Ctrl+Z")
    hand.sequence(window, sequence)


@act(4)
def open_a_context_menu(robot: Robot, rng: Random, hand: Hand) -> None:
    titles = inside(dock.bar for dock in robot.main.docks.values())
    anything = robot.some(QWidget) if rng.random() < 0.3 else robot.view()
    widget = rng.choice((robot.view(), robot.choice(titles), anything))
    hand.click(widget, robot.place(widget), RIGHT)


@act(12)
def drag_a_slider(robot: Robot, rng: Random, hand: Hand) -> None:
    slider = robot.some(QSlider)
    places = [robot.place(slider) for _ in range(rng.randint(2, 8))]
    for place in places:
        place.setY(slider.rect().center().y())
    hand.drag(slider, places)


@act(7)
def type_in_a_field(robot: Robot, rng: Random, hand: Hand) -> None:
    field = robot.some(QAbstractSpinBox, QLineEdit)
    hand.click(field)
    hand.key(field, Key.Key_A, CONTROL)
    number = str(rng.choice((0, 1, 2, 3, 5, 8, 13, 0.5, -3, 1000)))
    hand.type(field, rng.choice((number, number, rng.choice(NONSENSE))))
    hand.key(field, rng.choice((Key.Key_Return, Key.Key_Tab, Key.Key_Escape)))


@act(6)
def choose_in_a_list(robot: Robot, rng: Random, hand: Hand) -> None:
    box = robot.some(QComboBox)
    if rng.random() < 0.6:
        hand.click(box)
        return
    hand.do("focus a list", box.setFocus)
    for _ in range(rng.randint(1, 4)):
        hand.key(box, rng.choice((Key.Key_Down, Key.Key_Up, Key.Key_End, Key.Key_G)))


@act(5)
def choose_a_line(robot: Robot, rng: Random, hand: Hand) -> None:
    widget = robot.some(QListWidget, QTabBar, QTextBrowser)
    target = widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget
    assert target is not None
    hand.click(target, robot.place(target), twice=rng.random() < 0.2)


@act(6)
def turn_the_wheel(robot: Robot, rng: Random, hand: Hand) -> None:
    widget, keys = (
        robot.view() if rng.random() < 0.5 else robot.some(QWidget),
        rng.choice(MODIFIERS),
    )
    for _ in range(rng.randint(1, 6)):
        hand.wheel(widget, robot.place(widget), rng.choice((-3, -1, 1, 3)), keys)


@act(8)
def click_in_a_view(robot: Robot, rng: Random, hand: Hand) -> None:
    view, button = robot.view(), rng.choice((LEFT, LEFT, LEFT, LEFT, MIDDLE))
    hand.click(view, robot.place(view), button, rng.choice(MODIFIERS), rng.random() < 0.25)


@act(10)
def drag_in_a_view(robot: Robot, rng: Random, hand: Hand) -> None:
    view, button = robot.view(), rng.choice((LEFT, LEFT, LEFT, MIDDLE, RIGHT))
    places = [robot.place(view) for _ in range(rng.randint(2, 12))]
    hand.drag(view, places, button, rng.choice(MODIFIERS))


@act(8)
def point_at_a_view(robot: Robot, rng: Random, hand: Hand) -> None:
    view = robot.view()
    for _ in range(rng.randint(1, 10)):
        hand.move(view, robot.place(view))
    if rng.random() < 0.1:
        hand.wait(800)  # for a tip


@act(8)
def press_keys_in_a_view(robot: Robot, rng: Random, hand: Hand) -> None:
    view = robot.view()
    hand.do("focus a view", lambda: view.setFocus(Qt.FocusReason.TabFocusReason))
    for _ in range(rng.randint(1, 8)):
        hand.key(view, rng.choice(VIEW_KEYS), rng.choice(MODIFIERS))


@act(5)
def walk_by_tab(robot: Robot, rng: Random, hand: Hand) -> None:
    window = robot.window()
    for _ in range(rng.randint(1, 15)):
        back = rng.random() < 0.3
        hand.key(window, Key.Key_Backtab if back else Key.Key_Tab, SHIFT if back else NONE)
        if rng.random() < 0.3:
            pressed = (Key.Key_Space, Key.Key_Return, Key.Key_Down, Key.Key_Left)
            hand.key(window, rng.choice(pressed))


@act(7)
def open_by_dialog(robot: Robot, rng: Random, hand: Hand) -> None:
    robot.answers.append(robot.some_file())
    hand.key(robot.main, Key.Key_O, CONTROL)


@act(5)
def drop_something(robot: Robot, rng: Random, hand: Hand) -> None:
    window = rng.choice((robot.main, robot.main, robot.window()))
    hand.drop(window, robot.place(window), _carried(robot, rng), leave=rng.random() < 0.1)


@act(4)
def paste_something(robot: Robot, rng: Random, hand: Hand) -> None:
    clipboard, data = QGuiApplication.clipboard(), _carried(robot, rng)
    hand.do("copy elsewhere", lambda: clipboard.setMimeData(data))
    hand.key(robot.main, Key.Key_V, CONTROL)


@act(3)
def save_a_session(robot: Robot, rng: Random, hand: Hand) -> None:
    robot.answers.append(robot.some_target())
    hand.key(robot.main, Key.Key_S, rng.choice((CONTROL, CONTROL | SHIFT)))


@act(3)
def resize_a_window(robot: Robot, rng: Random, hand: Hand) -> None:
    window = robot.window()
    if rng.random() < 0.3:
        way = rng.choice((window.showMaximized, window.showMinimized))
        hand.do(way.__name__, way)
        hand.wait(50)
        hand.do("showNormal", window.showNormal)
    size = rng.choice((*SIZES, (rng.randint(640, 1920), rng.randint(480, 1080))))
    hand.do(f"resize to {size}", lambda: window.resize(*size))


@act(2)
def drag_a_separator(robot: Robot, rng: Random, hand: Hand) -> None:
    if rng.random() < 0.3:
        bar = robot.some(QScrollBar)
        hand.drag(bar, [robot.place(bar) for _ in range(4)])
        return
    handle = robot.some(QSplitterHandle)
    start, far = handle.rect().center(), QPoint(rng.randint(-200, 200), rng.randint(-200, 200))
    hand.drag(handle, [start, start + far / 2, start + far])


@act(1.5)
def close_another_window(robot: Robot, rng: Random, hand: Hand) -> None:
    window = robot.choice([w for w in robot.windows() if w is not robot.main])
    if rng.random() < 0.5:
        hand.key(window, rng.choice((Key.Key_Escape, Key.Key_W)), CONTROL)
    else:
        hand.do(f"close {type(window).__name__}", window.close)


@act(1)
def the_theme_of_the_system_changes(robot: Robot, rng: Random, hand: Hand) -> None:
    hints, scheme = QGuiApplication.styleHints(), rng.choice(list(Qt.ColorScheme))
    if hints is not None and hasattr(hints, "setColorScheme"):
        hand.do(f"the system's theme is {scheme.name}", lambda: hints.setColorScheme(scheme))


def _carried(robot: Robot, rng: Random) -> QMimeData:
    data, kind = QMimeData(), rng.random()
    if kind < 0.6:
        count = rng.choice((1, 1, 1, 3))
        data.setUrls([QUrl.fromLocalFile(robot.some_file()) for _ in range(count)])
    elif kind < 0.8:
        depth = rng.choice((QImage.Format.Format_RGB32, QImage.Format.Format_ARGB32))
        image = QImage(*rng.choices((1, 2, 60, 200), k=2), depth)
        image.fill(rng.randrange(1 << 32))
        data.setImageData(image)
    elif kind < 0.9:
        data.setText(rng.choice(NONSENSE))
    elif kind < 0.93:
        data.setData("text/uri-list", b"")  # its source has gone
    else:
        data.setUrls([QUrl(rng.choice(("https://example.org/a.png", "nonsense:", "")))])
    return data
