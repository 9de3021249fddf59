"""Files that the window reads by Qt: pipes and devices are not waited for."""

import os
from pathlib import Path

import PIL.Image
import pytest

from latviz.app.shell.settings import Settings
from latviz.app.start.starter import _small

pytestmark = pytest.mark.posix("os.mkfifo", "/dev/null")


def test_settings_that_are_a_pipe_last_for_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path))
    place = tmp_path / "latviz.conf"
    os.mkfifo(place)
    settings = Settings()
    assert not settings.can_be_written
    settings.use = "other"
    assert settings.use == "other"
    place.unlink()
    place.symlink_to("/dev/null")
    assert not Settings().can_be_written


def test_pictures_of_recent_files(tmp_path: Path) -> None:
    pipe, device, image = (tmp_path / name for name in ("a.png", "b.png", "c.png"))
    os.mkfifo(pipe)
    device.symlink_to("/dev/null")
    PIL.Image.new("L", (4, 4)).save(image)
    assert _small(str(pipe)) is None
    assert _small(str(device)) is None
    assert _small("a\0b") is None
    assert _small(str(image)) is not None
