"""The places of settings and data."""

from pathlib import Path

import pytest
from PyQt6.QtCore import QStandardPaths

from latviz.app.shell.settings import HOME, Settings


def test_settings_of_earlier_versions_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
