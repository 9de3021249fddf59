"""The number of threads: chosen in a menu, stored, or given by the environment."""

from collections.abc import Iterator

import pytest

from latviz.app.program.main import discard
from latviz.app.program.window import MainWindow
from latviz.app.shell import settings
from latviz.app.shell.settings import Settings, store
from latviz.core import threads


@pytest.fixture(autouse=True)
def _usual_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Begin without a choice, and leave as many threads as there were."""
    monkeypatch.delenv(threads.VARIABLE, raising=False)
    before = threads.get_threads()
    yield
    threads.set_threads(before)
    store().remove("threads")


def ticked(window: MainWindow) -> list[str]:
    return [each.text() for each in window.menus.menus["Threads"].actions() if each.isChecked()]


def test_a_chosen_number_applies_at_once_and_in_later_windows(window: MainWindow) -> None:
    before = threads.get_threads()
    all_cores = f"&All cores ({threads.CORES})"
    assert ticked(window) == [all_cores]
    assert threads.get_threads() == before  # a window that stores no number leaves it as it is
    window.menus["1 thread"].trigger()
    assert threads.get_threads() == 1
    assert ticked(window) == ["1 thread"]
    threads.set_threads(5)
    again = MainWindow(Settings())
    assert threads.get_threads() == 1
    assert ticked(again) == ["1 thread"]
    again.menus[all_cores.replace("&", "")].trigger()
    assert threads.get_threads() == threads.CORES
    discard(again)


def test_the_environment_comes_before_a_stored_number(qtbot, monkeypatch) -> None:
    Settings().threads = 1
    monkeypatch.setenv(threads.VARIABLE, "3")
    threads.set_threads(3)
    window = MainWindow(Settings())
    assert threads.get_threads() == 3
    (only,) = window.menus.menus["Threads"].actions()
    assert only.text() == "3 (set by LATVIZ_THREADS)"
    assert not only.isEnabled()
    discard(window)


def test_a_stored_number_that_is_not_offered_is_ignored() -> None:
    for stored in (-1, 0, 1, 5, 999, "two"):
        Settings().store.setValue("threads", stored)
        assert Settings().threads == (stored if stored in settings.THREADS else 0)
