"""A tab is grabbed once it is idle, and completely."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from tests.bench import tabs

KIND, SHOWN = "tiny", ("explore", "compare")


@pytest.mark.window
def test_every_tab_is_drawn_in_both_sizes(
    qtbot: QtBot, no_leaked_threads: None, tmp_path: Path
) -> None:
    assert tabs.run(tmp_path, [KIND], SHOWN, ["dark"]) == []
    for size in tabs.SIZES:
        for tab in SHOWN:
            with Image.open(tmp_path / f"{KIND}-{tab}-{size[0]}-dark.png") as drawn:
                assert drawn.size == size
                assert np.median(np.asarray(drawn.convert("L"))) < 80  # the theme is dark
        with Image.open(tmp_path / f"sheet-{KIND}-{size[0]}-dark.png") as sheet:
            assert sheet.width == len(SHOWN) * tabs.IN_SHEET
