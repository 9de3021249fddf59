"""A screen in memory, and the program on it, driven by xdotool as by a user."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageGrab, features

SIZE = (1400, 900)
STEP_S = 0.02
"""Between two moves of a drag."""
LOOK_S = 0.1
"""Between two checks of the screen, each of which takes as long as a frame of the program."""
AWAY = (SIZE[0] - 2, SIZE[1] - 2)
"""A place of the pointer outside all windows."""
NOISE = ("qt.qpa.", "This plugin does not support", "libEGL warning", "MESA")
"""Beginnings of lines that Qt and its libraries write about a screen without a desktop."""

Shot = NDArray[np.uint8]
T = TypeVar("T")


def missing() -> str:
    """Return the missing programs for a screen in memory, or an empty text."""
    names = [name for name in ("Xvfb", "xdotool") if shutil.which(name) is None]
    if not features.check("xcb"):
        names.append("Pillow with XCB")
    return ", ".join(names)


class Screen:
    """An X server that draws into memory."""

    def __init__(self, display: str, folder: Path) -> None:
        self.display, self.folder = display, folder
        drop = ("QT_", "XDG_", "WAYLAND_", "DBUS_", "DISPLAY", "XAUTHORITY")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(drop)}
        cache = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        self.environment = {**kept, "DISPLAY": display, "HOME": str(folder)}
        self.environment |= {"LATVIZ_HOME": str(folder / "latviz"), "XDG_CACHE_HOME": cache}

    def shot(self) -> Shot:
        """Return the pixels of the screen, shape (rows, columns, 3)."""
        return np.asarray(ImageGrab.grab(xdisplay=self.display).convert("RGB"))

    def do(self, *words: object) -> str:
        """Run xdotool; return its output. Searches that find nothing raise no error."""
        result = subprocess.run(
            ["xdotool", *map(str, words)],
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=20,
            check=False,
        )
        return result.stdout.strip()

    def drag(self, start: tuple[int, int], moves: list[tuple[int, int]]) -> None:
        """Press the left button and move the pointer by each of the moves, without a release."""
        self.do("mousemove", *start, "mousedown", 1)
        for right, down in moves:
            time.sleep(STEP_S)
            self.do("mousemove", start[0] + right, start[1] + down)
        time.sleep(STEP_S)  # or a busy program could see the release before the last move

    def drop(self) -> None:
        """Release the button, and move the pointer away from every window."""
        self.do("mouseup", 1, "mousemove", *AWAY)


@contextmanager
def screen(folder: Path) -> Iterator[Screen]:
    """Start a screen of which the folder is home, and end it."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{SIZE[0]}x{SIZE[1]}x24"]
    with (folder / "xvfb.log").open("w") as log, os.fdopen(read) as number:
        server = subprocess.Popen(
            [*command, "-nolisten", "tcp", "-noreset"], pass_fds=(write,), stderr=log
        )
        os.close(write)
        try:
            display = number.readline().strip()
            assert display, (folder / "xvfb.log").read_text()
            yield Screen(f":{display}", folder)
        finally:
            server.terminate()
            server.wait(10)


class Program:
    """latviz on a screen, and its window."""

    def __init__(self, screen: Screen, *arguments: object) -> None:
        self.screen = screen
        self.window = ""
        self._errors = screen.folder / f"stderr-{time.monotonic_ns()}.txt"
        screen.do("mousemove", *AWAY)  # in the middle it would point at a view
        command = [sys.executable, "-m", "latviz", *map(str, arguments)]
        with self._errors.open("w") as errors:
            self.process = subprocess.Popen(
                command, stdout=errors, stderr=errors, env=screen.environment, cwd=screen.folder
            )

    @property
    def complaints(self) -> str:
        """Return its output, without lines on the screen."""
        lines = self._errors.read_text().splitlines()
        return "\n".join(line for line in lines if line and not line.startswith(NOISE))

    def until(self, what: str, look: Callable[[], T], seconds: float = 120) -> T:
        """Call a function again and again until it returns a result; return that."""
        deadline = time.monotonic() + seconds
        while True:
            if found := look():
                return found
            if self.process.poll() is not None or time.monotonic() > deadline:
                self._fail(what)
            time.sleep(LOOK_S)

    def _fail(self, what: str) -> NoReturn:
        """Save the screen to a file, and report the missing content."""
        path, code = self.screen.folder / "screen.png", self.process.poll()
        Image.fromarray(self.screen.shot()).save(path)
        state = "still runs" if code is None else f"ended with {code}"
        raise AssertionError(f"not {what}; it {state}; see {path}\n{self.complaints}")

    def find(self, title: str, seconds: float = 120) -> str:
        """Wait for a visible window by a part of its title; return its number."""
        search = ("search", "--onlyvisible", "--name", title)
        found = self.until(f"a window {title!r}", lambda: self.screen.do(*search), seconds)
        return found.split()[0]

    def titles(self) -> list[str]:
        """Return the titles of the windows that are visible."""
        numbers = self.screen.do("search", "--onlyvisible", "--name", ".").split()
        return [self.screen.do("getwindowname", number) for number in numbers]

    def take(self, title: str, *size: int) -> None:
        """Wait for the main window, give it a size and the keyboard."""
        self.window = self.find(title, 60)
        if size:
            self.screen.do("windowmove", self.window, 0, 0, "windowsize", self.window, *size)
        self.focus()

    def geometry(self) -> str:
        """Return the main window's size, as 1280x800."""
        lines = self.screen.do("getwindowgeometry", self.window).splitlines()
        return lines[-1].split()[-1] if lines else ""

    def focus(self, window: str = "") -> None:
        """Give the focus to a window, or the main one, in case no window manager does."""
        window = window or self.window

        def has_it() -> bool:
            self.screen.do("windowfocus", window)
            return self.screen.do("getwindowfocus") == window

        self.until("focused", has_it)

    def key(self, *keys: str) -> None:
        """Press keys, one after the other."""
        self.screen.do("key", *keys)

    def quit(self, *keys: str) -> int:
        """Press keys that end it; return its exit code."""
        self.key(*keys)
        try:
            return self.process.wait(10)
        except subprocess.TimeoutExpired:
            self._fail("ended")

    def end(self) -> None:
        """End it if it runs, in any state."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: Any) -> None:
        self.end()
