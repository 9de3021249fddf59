"""Docks are laid out by shares of the room, and those without a place open in the drawer."""

from collections.abc import Iterator

import pytest
from PyQt6.QtCore import QEvent, QPoint, QRect, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from latviz.app.docking.docks import Dock
from latviz.app.docking.stage import FLOOR, HANDLE, DockStage
from latviz.app.docking.uses import Drawer, column, row

NAMES = ("controls", "image", "states", "space", "indices", "pins", "steps")
PAIR = row(("image", 50), ("states", 50), turns=True)
VIEWS = row(("space", 60), ("indices", 40))
PLAN = row(("controls", 20), (column((PAIR, 60), (Drawer(VIEWS, "Model"), 40)), 80))
BARE = column((PAIR, 70), (Drawer(), 30))
SIZES = [(1920, 1080), (1280, 800), (960, 540), (640, 480)]


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[DockStage]:
    docks = {name: Dock(name, name.title(), QLabel(name), QLabel("of it")) for name in NAMES}
    stage = DockStage(docks)
    qtbot.addWidget(stage)
    stage.resize(1280, 800)
    stage.lay(PLAN)
    stage.show()
    settle()
    yield stage
    stage.close()


def settle() -> None:
    """Make Qt lay out all changes."""
    for _ in range(4):
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        QApplication.processEvents()


def docks_of(stage: DockStage) -> dict[str, Dock]:
    return {dock.name: dock for dock in stage.findChildren(Dock)}


def places(stage: DockStage) -> dict[str, QRect]:
    """Return where the docks on screen are in the stage."""
    docks = docks_of(stage).items()
    return {n: QRect(d.mapTo(stage, QPoint()), d.size()) for n, d in docks if d.isVisible()}


def shares(stage: DockStage) -> dict[str, tuple[float, float]]:
    """Return the parts of the stage's width and height that docks on screen have."""
    width, height = stage.width(), stage.height()
    return {n: (r.width() / width, r.height() / height) for n, r in places(stage).items()}


def assert_close(one, other) -> None:
    """Compare shares; handles have the same width in small and in large windows."""
    assert one.keys() == other.keys()
    for name, found in one.items():
        assert found == pytest.approx(other[name], abs=2.5 * HANDLE / 480)


def test_docks_have_the_shares_of_the_plan(stage: DockStage) -> None:
    expected = {
        "controls": (0.2, 1.0),
        "image": (0.4, 0.6),
        "states": (0.4, 0.6),
        "space": (0.48, 0.4),
        "indices": (0.32, 0.4),
    }
    for size in (*SIZES, *SIZES):
        stage.resize(*size)
        settle()
        assert_close(shares(stage), expected)


@pytest.mark.parametrize("name", ["controls", "image", "space"])
def test_a_hidden_dock_leaves_its_room_and_gets_it_back(stage: DockStage, name: str) -> None:
    before = places(stage)
    stage.close_dock(name)
    settle()
    between = places(stage)
    assert name not in between
    assert not stage.is_open(name)
    whole = sum(r.width() * r.height() for r in between.values())
    assert whole > 0.97 * stage.width() * stage.height()
    stage.resize(900, 700)
    settle()
    stage.resize(1280, 800)
    stage.open_dock(name)
    settle()
    assert places(stage) == before


def test_a_split_goes_with_all_its_docks(stage: DockStage) -> None:
    for name in ("space", "indices"):
        stage.close_dock(name)
    settle()
    assert shares(stage)["image"][1] > 0.9
    stage.open_dock("indices")
    settle()
    assert_close({"indices": shares(stage)["indices"]}, {"indices": (0.8, 0.4)})


def drag(stage: DockStage, name: str, to_x: int, to_y: int) -> None:
    """Move the handle after a dock, or after the split that it ends, by the mouse."""
    rect = places(stage)[name]
    at = QPoint(rect.right() + 1 + HANDLE // 2, rect.center().y())
    if to_y:
        at = QPoint(rect.center().x(), rect.bottom() + 1 + HANDLE // 2)
    handle = stage.childAt(at)
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=handle.mapFrom(stage, at))
    for part in (0.5, 1.0):
        to = at + QPoint(round(part * to_x), round(part * to_y))
        QTest.mouseMove(handle, handle.mapFrom(stage, to))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton)
    settle()


def test_what_is_dragged_is_kept_in_shares(stage: DockStage) -> None:
    drag(stage, "controls", 128, 0)
    assert_close({"c": shares(stage)["controls"]}, {"c": (0.3, 1.0)})
    moved = shares(stage)
    stage.resize(1920, 1080)
    settle()
    assert_close(shares(stage), moved)


def test_a_dock_that_asked_for_more_gives_its_room_back(stage: DockStage) -> None:
    before, content = places(stage), docks_of(stage)["controls"].content
    content.setMinimumWidth(500)
    settle()
    assert places(stage)["controls"].width() >= 500
    content.setMinimumWidth(0)
    settle()
    assert places(stage) == before


def test_pictures_never_go_below_the_floor(stage: DockStage) -> None:
    for name, to in (("image", (0, -500)), ("controls", (1000, 0))):
        drag(stage, name, *to)
        found = places(stage)
        both = found["image"] | found["states"]
        assert both.width() >= FLOOR[0] * stage.width()
        assert both.height() >= FLOOR[1] * stage.height()


def test_what_has_no_place_opens_in_the_drawer(stage: DockStage) -> None:
    before, drawer = places(stage), stage.drawer
    assert not drawer.bar.isVisible()
    stage.open_dock("pins")
    stage.open_dock("steps")
    settle()
    assert [drawer.bar.tabText(k) for k in range(3)] == ["Model", "Pins", "Steps"]
    assert drawer.current == "steps"
    found = places(stage)
    assert found.keys() == {"controls", "image", "states", "steps"}
    assert found["image"] == before["image"]
    assert all(stage.is_open(name) for name in ("pins", "steps", "space"))
    stage.open_dock("space")  # the requested dock is in front
    settle()
    assert {"space", "indices"} < places(stage).keys()
    stage.close_dock("steps")
    drawer.bar.tabButton(1, QTabBar.ButtonPosition.RightSide).click()
    settle()
    assert places(stage) == before
    assert not drawer.bar.isVisible()


def test_a_title_goes_into_the_tab_and_comes_back(stage: DockStage) -> None:
    dock = docks_of(stage)["pins"]
    stage.open_dock("pins")
    settle()
    assert not dock.bar.isVisible()
    (header,) = (label for label in dock.findChildren(QLabel, "") if label.text() == "pins")
    assert header.isVisible()
    stage.lay(row((PLAN, 80), ("pins", 20)))
    settle()
    assert dock.bar.isVisible()
    assert [label.text() for label in dock.bar.findChildren(QLabel)] == ["Pins", "of it"]


def test_the_base_has_no_cross_and_others_have(stage: DockStage) -> None:
    stage.open_dock("pins")
    sides = QTabBar.ButtonPosition.LeftSide, QTabBar.ButtonPosition.RightSide
    crosses = [any(stage.drawer.bar.tabButton(k, s) for s in sides) for k in range(2)]
    assert crosses == [False, True]


def test_a_layout_is_kept_and_given_back(stage: DockStage) -> None:
    drag(stage, "controls", 64, 0)
    stage.close_dock("states")
    stage.open_dock("steps")
    stage.open_dock("pins")
    settle()
    before, kept = places(stage), stage.kept()
    stage.lay(BARE)
    settle()
    assert stage.drawer.names == []
    stage.lay(PLAN, kept)
    settle()
    assert places(stage) == before
    assert stage.drawer.names == ["steps", "pins"]


def test_a_layout_of_another_plan_does_no_harm(stage: DockStage) -> None:
    stage.open_dock("pins")
    kept = stage.kept().replace("pins", "gone")
    stage.lay(BARE, kept)
    settle()
    assert places(stage).keys() == {"image", "states"}


DAMAGED = (
    "{",
    "[]",
    "7",
    "null",
    '{"shares": 3, "hidden": [], "drawer": [], "front": ""}',
    '{"shares": [["a"]], "hidden": [], "drawer": [], "front": ""}',
    '{"shares": [[NaN, 1.0]], "hidden": [], "drawer": [], "front": ""}',
    '{"shares": [[-1, 2]], "hidden": [], "drawer": [], "front": ""}',
    '{"shares": [], "hidden": [{}], "drawer": [], "front": ""}',
    '{"shares": [], "hidden": [], "drawer": [], "front": []}',
    "[" * 100_000,
)


def test_a_damaged_layout_is_the_plan(stage: DockStage) -> None:
    stage.lay(PLAN, hidden=["states"])
    settle()
    wanted = places(stage)
    for kept in DAMAGED:
        stage.lay(BARE)
        stage.lay(PLAN, kept, hidden=["states"])
        settle()
        assert places(stage) == wanted, kept[:80]


def test_what_is_hidden_at_first_has_its_place(stage: DockStage) -> None:
    stage.lay(PLAN, hidden=["states"])
    settle()
    assert "states" not in places(stage)
    stage.open_dock("states")
    settle()
    assert_close({"s": shares(stage)["states"]}, {"s": (0.4, 0.6)})


def test_pictures_turn_with_their_shape(stage: DockStage) -> None:
    stage.show_shape((100, 1000))
    settle()
    found = places(stage)
    assert found["image"].bottom() < found["states"].top()
    stage.show_shape((1000, 100))
    settle()
    found = places(stage)
    assert found["image"].right() < found["states"].left()


def test_the_keyboard_stays_where_it_is_as_a_plan_changes(stage: DockStage, qtbot: QtBot) -> None:
    content: QWidget = docks_of(stage)["image"].content
    content.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    stage.activateWindow()
    content.setFocus()
    qtbot.waitUntil(content.hasFocus)
    stage.lay(BARE)
    assert content.hasFocus()


def test_docks_that_are_not_there_leave_their_room_to_the_others(stage: DockStage) -> None:
    more = Drawer(row(("space", 45), ("absent", 25), ("indices", 30)), "Model")
    stage.lay(row(("controls", 20), (column((PAIR, 60), (more, 40)), 80), ("gone", 25)))
    settle()
    with_gaps = shares(stage)
    stage.lay(PLAN)
    settle()
    assert_close(with_gaps, shares(stage))


def test_a_tab_of_the_drawer_has_the_heading_of_its_dock(stage: DockStage) -> None:
    dock = docks_of(stage)["steps"]
    stage.open_dock("steps")
    bars = [bar for bar in stage.findChildren(QTabBar) if bar.count() and bar.isVisible()]
    assert [bar.tabText(bar.count() - 1) for bar in bars] == ["Steps"]
    dock.show_heading("Steps of a sequence")
    assert bars[0].tabText(bars[0].count() - 1) == "Steps of a sequence"
    stage.close_dock("steps")
    dock.show_heading("Steps")  # away, it changes no tab
    stage.open_dock("steps")
    assert bars[0].tabText(bars[0].count() - 1) == "Steps"
