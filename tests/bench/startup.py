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
import gc, os, time
from latviz.engine.startup.compilers import begin_early
gc.disable()  # as the command does
begin_early()
from PyQt6.QtCore import QEvent, QObject, QTimer
import latviz.app.program.main as main

launched, app = float(os.environ["LAUNCHED"]), main.application()
beats, shown, first = [], [], []

class FirstPaint(QObject):
    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Paint and not shown:
            shown.append(time.time())
            timer.start(5)
        return False

def done(frame):
    if frame.n_learned == frame.n_signatures and frame.whole:
        QTimer.singleShot(50, report)
    else:
        first.append(time.time())

def report():
    gaps = sorted((b - a for a, b in zip(beats, beats[1:])), reverse=True)
    seconds = [shown[0] - launched, first[0] - launched, *gaps[:3]]
    print(*(f"{1000 * s:.0f}" for s in seconds), flush=True)
    app.removeEventFilter(watcher)
    app.closeAllWindows()

timer, watcher, original = QTimer(), FirstPaint(), main.MainWindow
timer.timeout.connect(lambda: beats.append(time.time()))
app.installEventFilter(watcher)

class Window(original):
    def __init__(self, *arguments, **options):
        super().__init__(None, "light")
        self.document.frame_changed.connect(done)

main.MainWindow = Window
main.show(None, 0, 1, None, lambda parameters: parameters)
"""


def launch(cache: str) -> list[str]:
    own = {"NUMBA_CACHE_DIR": cache, "LAUNCHED": repr(time.time())}
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", **own}
    command = [sys.executable, "-c", PROBE]
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    if result.returncode:
        sys.exit(result.stderr)
    return result.stdout.split()


def main() -> None:
    print(f"{'':22}{'window ms':>10}{'frame ms':>10}{'longest gaps ms':>24}")
    with tempfile.TemporaryDirectory() as cache:
        for name in ("empty kernel cache", "full kernel cache", "again", "again"):
            window, frame, *gaps = launch(cache)
            print(f"{name:22}{window:>10}{frame:>10}{', '.join(gaps):>24}", flush=True)


if __name__ == "__main__":
    main()
