"""No text is cut, at any scale of the screen and with larger text."""

import json
import os
import subprocess
import sys

from tests.products import FULL

POINTS = {"1": ("9", "14"), "1.5": ("14",), "2": ("9",)}
"""Sizes of the font at each scale of the screen, in points; with ``LATVIZ_FULL=1`` both at all."""


def test_no_text_is_cut() -> None:
    asked = {scale: POINTS["1"] if FULL else points for scale, points in POINTS.items()}
    running = {
        scale: subprocess.Popen(
            [sys.executable, "-m", "tests.app.cut", *points],
            env={**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"},
            stdout=subprocess.PIPE,
            text=True,
        )
        for scale, points in asked.items()
    }
    for scale, process in running.items():
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert json.loads(output) == {size: [] for size in asked[scale]}, f"at scale {scale}"
