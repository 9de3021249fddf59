"""The program in a real window, on a screen in memory: the screen shows the computed values."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageColor
from scipy import ndimage
from scipy.optimize import linear_sum_assignment

from latviz.app.look.theme import LIGHT
from latviz.computing import compute
from latviz.core.data.encoding import Encoding
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.engine.settings.parameters import PHOTOGRAPH, WINDOW_RANGE, Parameters
from latviz.workspace import read_picture, read_session
from tests.xvfb import Program, Screen, Shot, missing, screen

pytestmark = pytest.mark.skipif(bool(missing()), reason=f"not installed: {missing()}")

HEIGHT, WIDTH = 120, 160
SIZE = (1280, 800)
LEFT = (1100, 750)
"""The size of the window when it is left, at which it opens again."""
LEAST = 0.98
"""Share of the nodes whose colour on screen is that of their state, at least."""
MOST = 0.02
"""The largest error of the share of a colour."""
NO_COLOR = 255
LEAST_HANDLE = 40
GUIDE = 130
"""Pixels from the top in which the guide with its slider is."""
"""Pixels inside a slider's handle."""

Box = tuple[slice, slice]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Screen]:
    with screen(tmp_path) as made:
        yield made


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """Two noisy halves."""
    values = np.random.default_rng(0).normal(90, 30, (HEIGHT, WIDTH))
    values[:, WIDTH // 2 :] += 70
    path = tmp_path / "halves.png"
    Image.fromarray(values.clip(0, 255).astype(np.uint8)).save(path)
    return path


@cache
def expected(path: Path, n_states: int, window: int) -> Frame:
    return compute(read_picture(path), Decoding(parameters(n_states, window), LIVE))


def parameters(n_states: int, window: int) -> Parameters:
    return Parameters(Encoding("quantiles", 8), n_states, window=window, learning_window=PHOTOGRAPH)


def equal(shot: Shot, color: tuple[int, ...]) -> NDArray[np.bool_]:
    return np.asarray(packed(shot) == packed(np.array(color, dtype=np.uint8)))


def packed(colors: NDArray[np.uint8]) -> NDArray[np.uint32]:
    red, green, blue = (colors[..., k].astype(np.uint32) for k in range(3))
    return (red << 16) | (green << 8) | blue


def slots(shot: Shot) -> NDArray[np.uint8]:
    """The slot of which each pixel has the exact colour."""
    result = np.full(shot.shape[:2], NO_COLOR, dtype=np.uint8)
    codes = packed(shot)
    for slot, code in enumerate(packed(SLOT_COLORS[:8])):
        result[codes == code] = slot
    return result


def find_map(shot: Shot) -> Box | None:
    """The largest connected area in states' colours, if it has the picture's shape."""
    labels, count = ndimage.label(slots(shot) != NO_COLOR)
    if count == 0:
        return None
    largest = int(np.bincount(labels.ravel())[1:].argmax())
    box = ndimage.find_objects(labels)[largest]
    height, width = (part.stop - part.start for part in box)
    whole = width > WIDTH and abs(height / width - HEIGHT / WIDTH) < 0.02
    return box if whole else None


def nodes(shot: Shot, box: Box) -> NDArray[np.uint8]:
    """The slot on screen in the middle of each node."""
    rows, columns = (
        part.start + ((np.arange(n) + 0.5) * (part.stop - part.start) / n).astype(int)
        for part, n in zip(box, (HEIGHT, WIDTH), strict=True)
    )
    return slots(shot)[np.ix_(rows, columns)]


def shows(shot: Shot, box: Box, frame: Frame, first: bool = False) -> bool:
    """Return True if the map is that of a frame: the shares of its colours, and each of its nodes.

    The colours of states depend on earlier maps, such as that of a sample, unless it is the
    ``first``.
    """
    found = slots(shot[box])
    on_screen = np.bincount(found.ravel(), minlength=256)[:NO_COLOR] / found.size
    seen, true = nodes(shot, box), np.array(frame.slots)[frame.states]
    if not first:
        joint = np.zeros((256, 256), dtype=np.int64)
        np.add.at(joint, (true, seen), 1)
        true = linear_sum_assignment(joint, maximize=True)[1][true]
    shares = np.bincount(true.ravel(), minlength=NO_COLOR) / true.size
    alike = np.abs(on_screen - shares[:NO_COLOR]).max() < MOST
    return bool(alike and (seen == true).mean() > LEAST)


class Run:
    """A run of the program on the picture."""

    def __init__(self, program: Program, path: Path) -> None:
        self.program, self.path = program, path
        self.shot = program.screen.shot
        program.take(path.name, *SIZE)
        program.until("resized", lambda: program.geometry() == "1280x800")
        program.until("a state map", lambda: find_map(self.shot()), 60)
        self.box: Box = (slice(0), slice(0))
        self.row = 0  # where the slider of w is

    def expect(self, n_states: int, window: int) -> None:
        """Wait until the map of these parameters is on screen."""
        frame = expected(self.path, n_states, window)

        def is_shown() -> bool:
            shot = self.shot()
            box = find_map(shot)
            self.box = box or self.box
            return box is not None and shows(shot, box, frame)

        self.program.until(f"the map of N = {n_states}, w = {window}", is_shown)

    def focus_window_slider(self) -> None:
        """Press Alt+W: the slider's handle is filled with the accent's colour."""
        panel, accent = (ImageColor.getrgb(code) for code in (LIGHT.panel, LIGHT.accent))
        before = equal(self.shot(), panel)
        self.program.key("alt+w")

        def filled() -> bool:
            # Curves may be drawn meanwhile, below the guide.
            rows, _ = np.nonzero((before & equal(self.shot(), accent))[:GUIDE])
            if rows.size < LEAST_HANDLE:
                return False
            self.row = round(rows.mean())
            return True

        self.program.until("a handle in the accent's colour", filled)

    def window_handle(self) -> tuple[int, int]:
        """Return the present place of the handle of w, which has the focus."""
        accent = ImageColor.getrgb(LIGHT.accent)
        # A row of pixels through its upper half, above the groove.
        line = equal(self.shot()[self.row - 4], accent)
        return round(np.flatnonzero(line).mean()), self.row

    def drag_window(self, right: int) -> None:
        """Drag the handle of w by a number of pixels; the map follows."""
        program, box = self.program, self.box
        before = nodes(self.shot(), box)
        program.screen.drag(self.window_handle(), [(right * k // 6, 0) for k in range(1, 7)])
        program.until(
            "following the hand", lambda: (nodes(self.shot(), box) != before).mean() > 0.02
        )
        program.screen.drop()


def test_what_is_on_screen_is_what_is_computed(desk: Screen, picture: Path, tmp_path: Path) -> None:
    path = tmp_path / "work.latviz"
    with Program(desk, picture, "--encoding", "quantiles", "--states", 3, "--window", 2) as program:
        run = Run(program, picture)
        assert program.window in desk.do("search", "--class", "^latviz$")  # as its entry in menus
        run.expect(3, 2)
        check_w(run)
        check_pan(run)
        check_states(run)
        check_help(run)
        frame = save_session(run, path)
        program.take("work.latviz", *LEFT)
        program.until("resized", lambda: program.geometry() == f"{LEFT[0]}x{LEFT[1]}")
        assert program.quit("ctrl+q") == 0
        assert program.complaints == ""
    picture.unlink()
    with Program(desk, path) as program:
        program.take("work.latviz")
        program.until(
            "as large as it was left", lambda: program.geometry() == f"{LEFT[0]}x{LEFT[1]}"
        )

        def is_shown() -> bool:
            shot = desk.shot()
            box = find_map(shot)
            return box is not None and shows(shot, box, frame, first=True)

        program.until("the map that was saved", is_shown, 60)
        assert program.quit("ctrl+q") == 0
        assert program.complaints == ""


def check_w(session: Run) -> None:
    """Keys and the mouse change w."""
    program = session.program
    session.focus_window_slider()
    program.key("Right")
    session.expect(3, 3)
    program.key("Right", "Right")
    session.expect(3, 5)
    program.key("ctrl+Left", "ctrl+Left", "ctrl+Left")
    session.expect(3, 2)
    session.drag_window(900)  # beyond its end
    session.expect(3, WINDOW_RANGE[1])
    session.drag_window(-900)
    session.expect(3, WINDOW_RANGE[0])
    program.key("ctrl+r")
    session.expect(3, 2)


def check_pan(session: Run) -> None:
    """The magnified map follows a drag; Ctrl+0 shows all of it."""
    (rows, columns), program = session.box, session.program
    whole = slots(session.shot()[session.box])
    program.key("ctrl+equal", "ctrl+equal")
    program.until(
        "magnified", lambda: bool((slots(session.shot()[session.box]) != whole).mean() > 0.02)
    )
    before = slots(session.shot())[session.box]
    right, down = 40, 24
    start = (columns.start + 100, rows.start + 100)
    program.screen.drag(start, [(right * k // 8, down * k // 8) for k in range(1, 9)])

    def is_moved() -> bool:
        kept = before[:-down, : -right - 8]  # the part that fits into the dock
        place = (
            slice(rows.start + down, rows.start + down + kept.shape[0]),
            slice(columns.start + right, columns.start + right + kept.shape[1]),
        )
        return bool((slots(session.shot()[place]) == kept).mean() > 0.95)

    # Before the release: Qt drops moves that another one follows, even past the release.
    program.until("moved by the hand", is_moved)
    program.screen.drop()
    program.key("ctrl+0")
    session.expect(3, 2)


def check_states(session: Run) -> None:
    """N is raised and taken back."""
    session.program.key("ctrl+Up")
    session.expect(4, 2)
    seen = nodes(session.shot(), session.box)
    assert len(np.unique(seen[seen != NO_COLOR])) == 4  # an outline has no state
    session.program.key("ctrl+z")
    session.expect(3, 2)


def check_help(session: Run) -> None:
    """F1 opens the help, Escape closes it."""
    program = session.program
    program.key("F1")
    program.find("Help")
    assert "Help — latviz" in program.titles()
    program.until("covered by the help", lambda: find_map(session.shot()) is None)
    program.key("Escape")
    program.until("without the help", lambda: len(program.titles()) == 1)
    program.focus()
    session.expect(3, 2)


def save_session(run: Run, path: Path) -> Frame:
    """Save a session by keys; return its content."""
    program = run.program
    program.key("ctrl+Up", "ctrl+Right", "ctrl+Right")
    run.expect(4, 4)
    program.key("ctrl+s")
    program.focus(program.find("Save the session"))  # text typed before it has the focus is lost
    program.screen.do("type", path.name)  # the dialog begins at home, which the folder is
    program.key("Return")
    program.until("saved", path.exists)
    program.find(f"{path.name} – {run.path.name} – latviz")
    saved, session = read_session(path)
    assert session.shown.parameters == parameters(n_states=4, window=4)
    assert session.state.suited == parameters(n_states=3, window=2)
    np.testing.assert_array_equal(saved.picture.pixels, read_picture(run.path).pixels)
    program.focus()
    return compute(saved, session.shown)
