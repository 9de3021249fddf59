"""No text is cut, at any scale of the screen and with larger text."""

import json
import os
import subprocess
import sys

SCALES = ("1", "1.5", "2")
POINTS = ("9", "14")


def test_no_text_is_cut() -> None:
    command = [sys.executable, "-m", "tests.app.cut", *POINTS]
    running = {
        scale: subprocess.Popen(
            command,
            env={**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for scale in SCALES
    }
    for scale, process in running.items():
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert json.loads(output) == {points: [] for points in POINTS}, f"at scale {scale}"
