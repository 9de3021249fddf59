"""The places of settings and data, and the text of the status line."""

import os
from pathlib import Path

import pytest
from PyQt6.QtCore import QStandardPaths

from latviz.app.shell.settings import HOME, Settings
from latviz.app.shell.status import source_text
from tests.app.frames import frame_of


def test_settings_of_earlier_versions_are_found(tmp_path, monkeypatch) -> None:
    """Qt's native format on Linux is an INI file with a suffix of its own."""
    monkeypatch.delenv(HOME)
    real = QStandardPaths.StandardLocation
    places = {real.GenericConfigLocation: "config", real.GenericDataLocation: "data"}
    monkeypatch.setattr(
        QStandardPaths, "writableLocation", lambda kind: str(tmp_path / places[kind])
    )
    file = tmp_path / "config" / "latviz" / "latviz.conf"
    file.parent.mkdir(parents=True)
    file.write_text("[General]\ntheme=dark\nrecent=a.png, b.png\n")
    settings = Settings()
    assert (settings.theme, settings.recent) == ("dark", ["a.png", "b.png"])
    settings.theme = "light"
    settings.store.sync()
    assert "theme=light" in file.read_text().splitlines()
    assert settings.kept_folder == tmp_path / "data" / "latviz" / "kept"


def test_one_variable_moves_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME, str(tmp_path))
    settings = Settings()
    settings.theme = "dark"
    settings.store.sync()
    assert [path.name for path in tmp_path.iterdir()] == ["latviz.conf"]
    assert settings.kept_folder == tmp_path / "kept"


@pytest.mark.posix("os.mkfifo", "/dev/null")
def test_settings_that_are_a_pipe_last_for_the_run(tmp_path, monkeypatch) -> None:
    """Pipes and devices are not waited for."""
    monkeypatch.setenv(HOME, str(tmp_path))
    place = tmp_path / "latviz.conf"
    os.mkfifo(place)
    settings = Settings()
    assert not settings.can_be_written
    settings.use = "other"
    assert settings.use == "other"
    place.unlink()
    place.symlink_to("/dev/null")
    assert not Settings().can_be_written


def test_the_status_line_says_from_how_many_nodes_states_are_learned() -> None:
    assert source_text(frame_of("pixel")) == "States learned from the one pixel"
    assert source_text(frame_of("flat")) == "States learned from all 1,600 pixels"
