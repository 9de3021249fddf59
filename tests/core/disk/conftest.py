"""Pipes and devices: systems without them have none of these tests, and no test waits for one."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if sys.platform == "win32" and here in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="Windows has no such files"))


@pytest.fixture(autouse=True)
def no_hang() -> Iterator[None]:
    """Fail if a call blocks."""

    def give_up(*_: object) -> None:
        raise AssertionError("it waits for ever")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
