"""A window that draws one picture loads only the kernels that the picture needs."""

from pathlib import Path
from typing import Any

import pytest

from latviz.app.program.snapshot import Drawings, snapshot
from latviz.computing import compute
from latviz.core.data.encoding import Encoding
from latviz.core.kernels.compiler import NotCachedError
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.keeping.session import opened
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.settings.parameters import Parameters
from latviz.engine.startup import compile_cache
from latviz.engine.startup.compile_cache import Part

SIZE = 640, 480
PARAMETERS = Parameters(Encoding("quantiles", n_symbols=3), n_states=4)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The kernels that were compiled or loaded together, with all of their kind."""
    found: list[object] = []

    def begin(part: Part, _on_compile: object, first: str) -> None:
        if not part.begun:
            found.append((part.name, first))
        part.begun = True

    def loaded(part: Part, _stop: object) -> bool:
        if part.begun:
            found.append(part.name)
        return part.begun

    monkeypatch.setattr(Part, "begin", begin)
    monkeypatch.setattr(Part, "_is_loaded", loaded)
    monkeypatch.setattr(compile_cache, "_loaded", set())
    return found


def drawn(picture: Picture, path: Path) -> Frame:
    return snapshot(as_set(picture), opened(picture, PARAMETERS), Drawings(path), SIZE, "light")


def volume(photo: Picture) -> Picture:
    return Picture(photo.pixels[:24].reshape(6, 20, 48), "volume", dimensions=3)


@pytest.mark.parametrize("dimensions", [2, 3])
def test_what_the_picture_needs_is_enough(qapp, told, photo, tmp_path, dimensions) -> None:
    picture = photo if dimensions == 2 else volume(photo)
    compute(picture, opened(picture, PARAMETERS).shown)  # compiles uncached kernels
    drawn(picture, tmp_path / "first.png")
    told.clear()  # kernels that only views need may have been in no cache
    assert drawn(picture, tmp_path / "second.png").evaluation is not None
    assert told == []


@pytest.mark.parametrize(
    ("dimensions", "compiled"),
    [(2, [("pictures", "symbols")]), (3, [("pictures", "symbols"), ("volumes", "symbols")])],
)
def test_all_are_compiled_together_if_one_is_in_no_cache(
    qapp, told, photo, tmp_path, monkeypatch, dimensions, compiled
) -> None:
    run = Pipeline.run

    def refuse_first(*arguments: Any, **options: Any) -> Frame:
        if len(told) < len(compiled):
            raise NotCachedError
        return run(*arguments, **options)

    monkeypatch.setattr(Pipeline, "run", refuse_first)
    drawn(photo if dimensions == 2 else volume(photo), tmp_path / "a.png")
    assert told == compiled
