"""Files that are read at the same time: none waits for another, each has its own remarks."""

import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import pytest
from PIL import Image

from latviz.files import images
from latviz.files.decoding import remarks
from latviz.files.images import read_image

SOON_S = 30


@pytest.fixture
def paths(tmp_path: Path) -> list[Path]:
    for name in ("dead", "alive"):
        Image.fromarray(np.eye(9, dtype=np.uint8)).save(tmp_path / f"{name}.png")
    return [tmp_path / "dead.png", tmp_path / "alive.png"]


@pytest.fixture
def go_on() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def begun(work: Callable[[], Any]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread


def test_a_reader_that_hangs_does_not_hold_up_others(paths, go_on, monkeypatch) -> None:
    decode, inside = images.planes_of, threading.Event()

    def hang(stream: Any, *more: Any) -> Any:
        if stream.name.endswith("dead.png"):
            inside.set()
            go_on.wait()
        return decode(stream, *more)

    monkeypatch.setattr(images, "planes_of", hang)
    hung = begun(lambda: read_image(paths[0]))
    assert inside.wait(SOON_S)
    found: list[Any] = []
    other = begun(lambda: found.append(read_image(paths[1]).pixels))
    other.join(SOON_S)
    np.testing.assert_array_equal(found[0], np.eye(9, dtype=np.uint8))
    go_on.set()
    hung.join(SOON_S)
    assert not hung.is_alive()


def test_each_hears_its_own_and_all_is_put_back() -> None:
    meet, heard = threading.Barrier(2), {}
    before = (
        warnings.showwarning,
        list(warnings.filters),
        PIL.Image.MAX_IMAGE_PIXELS,
        [(log.handlers[:], log.propagate) for log in map(logging.getLogger, ("PIL", "tifffile"))],
    )

    def read(name: str) -> None:
        with remarks() as lines:
            meet.wait(SOON_S)
            warnings.warn(f"{name} is odd", stacklevel=1)
            logging.getLogger("tifffile").warning("%s is old", name)
            meet.wait(SOON_S)
        heard[name] = lines

    threads = [begun(lambda name=name: read(name)) for name in ("one", "two")]
    for thread in threads:
        thread.join(SOON_S)
    say = "the decoder reported: {} is {}".format
    assert heard == {name: [say(name, "odd"), say(name, "old")] for name in ("one", "two")}
    assert before == (
        warnings.showwarning,
        list(warnings.filters),
        PIL.Image.MAX_IMAGE_PIXELS,
        [(log.handlers[:], log.propagate) for log in map(logging.getLogger, ("PIL", "tifffile"))],
    )
