"""The bench fits the screen that it opens on."""

from threading import Event

import pytest

from latviz.app.look.theme import LIGHT
from latviz.app.shell.settings import Settings
from latviz.wings.bench.document import keep
from latviz.wings.bench.experiment import Experiment
from latviz.wings.bench.window import BenchWindow
from tests.app.look.test_screens import Frames, check_frames, frame_of, large, print_frames


def test_it_fits_the_screen(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert check_frames(__name__, tmp_path_factory) == {"at first", "as it was left"}


def measured() -> Frames:
    settings = Settings(lasting=False)
    first = frame_of(BenchWindow(settings, Event(), LIGHT))
    keep(settings, Experiment(), large())
    return {"at first": first, "as it was left": frame_of(BenchWindow(settings, Event(), LIGHT))}


if __name__ == "__main__":
    print_frames(measured)
