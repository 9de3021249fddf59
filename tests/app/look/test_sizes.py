"""No text is cut, at any scale of the screen and with larger text."""

import json
import os
import subprocess
import sys

from tests.products import FULL

SCALES = ("1", "1.5", "2") if FULL else ("1",)
"""Scales of the screen, each with all sizes of the font; with ``LATVIZ_FULL=1`` more than one."""
POINTS = ("9", "14") if FULL else ("14",)
"""Sizes of the font; the largest has the least room."""


def test_no_text_is_cut() -> None:
    running = {
        scale: subprocess.Popen(
            [sys.executable, "-m", "tests.app.cut", *POINTS],
            env={**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for scale in SCALES
    }
    for scale, process in running.items():
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert json.loads(output) == {size: [] for size in POINTS}, f"at scale {scale}"
