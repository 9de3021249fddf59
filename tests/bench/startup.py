"""From launch to a visible window, and the longest stalls of its thread.

``python -m tests.bench.startup`` launches the program offscreen, once with an empty kernel cache
and then with a full one, and prints when the window was first painted, when the first frame was
painted, and the longest gaps of a 5 ms heartbeat in the window's thread from the first paint on.
"""

import os
import subprocess
import sys
import tempfile
import time

PROBE = """
import gc, os, sys, time
from latviz.engine.startup.compilers import begin_early
gc.disable()  # as the command does
begin_early()
from PyQt6.QtCore import QEvent, QObject, QTimer
from latviz.app.program.main import application
import latviz.app.program.main as main

launched = float(os.environ["LAUNCHED"])
app = application()
beats, shown = [], []

class FirstPaint(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and not shown:
            shown.append(time.time())
            timer.start(5)
        return False

def beat():
    beats.append(time.time())

def done(frame):
    if frame.n_learned == frame.n_signatures and frame.whole:
        QTimer.singleShot(50, report)
    else:
        first.append(time.time())

first = []

def report():
    gaps = sorted(((b - a) * 1000 for a, b in zip(beats, beats[1:])), reverse=True)
    words = [f"{1000 * (shown[0] - launched):.0f}", f"{1000 * (first[0] - launched):.0f}"]
    print(" ".join(words + [f"{gap:.0f}" for gap in gaps[:3]]), flush=True)
    app.removeEventFilter(watcher)
    app.closeAllWindows()

timer = QTimer()
timer.timeout.connect(beat)
watcher = FirstPaint()
app.installEventFilter(watcher)
original = main.MainWindow

class Window(original):
    def __init__(self, *arguments, **options):
        super().__init__(None, "light")
        self.document.frame_changed.connect(done)

main.MainWindow = Window
main.show(None, 0, 1, None, lambda parameters: parameters)
"""


def launch(cache: str) -> list[float]:
    """Launch the program with a kernel cache; return the figures in milliseconds."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "NUMBA_CACHE_DIR": cache,
        "LAUNCHED": repr(time.time()),
    }
    result = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, env=environment
    )
    if result.returncode:
        sys.exit(result.stderr)
    return [float(word) for word in result.stdout.split()]


def main() -> None:
    """Print the table."""
    print(f"{'':22}{'window ms':>10}{'frame ms':>10}{'longest gaps ms':>24}")
    with tempfile.TemporaryDirectory() as cache:
        for name in ("empty kernel cache", "full kernel cache", "again", "again"):
            window, frame, *gaps = launch(cache)
            worst = ", ".join(f"{gap:.0f}" for gap in gaps)
            print(f"{name:22}{window:10.0f}{frame:10.0f}{worst:>24}", flush=True)


if __name__ == "__main__":
    main()
