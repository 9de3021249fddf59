"""Films, opened again with Pillow: their frames against plain loops."""

import io
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from latviz.core.disk.errors import ExportError
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled
from latviz.engine.films.film import Film
from latviz.engine.frames.section import Section
from latviz.engine.frames.thumbnail import SIDE, thumbnail
from latviz.engine.pictures.picture import as_set
from latviz.engine.settings.appearance import Look, Looks
from latviz.exports import export_frame
from latviz.sharing.drawing import drawn_shape
from latviz.sharing.film_writing import estimated_size, write_film
from latviz.sharing.report import made_report
from latviz.workspace import compute
from tests.sharing.fields import (
    PARAMETERS,
    SHAPE,
    assert_colours_are_steady,
    assert_same_partition,
    expected_states,
    labels_of,
    pixels,
    work,
)

ALONE = {"shown": "states", "caption": False}
HIGH, WIDE = SHAPE


class Counting:
    """A progress that records its reports, and cancels from a fraction on."""

    def __init__(self, most: float = 2.0) -> None:
        self.told, self._most = [0.0], most

    def report(self, fraction: float) -> None:
        self.told.append(fraction)

    def cancelled(self) -> bool:
        return self.told[-1] >= self._most


def frames_in(path: Path) -> list[np.ndarray]:
    with Image.open(path) as film:
        frames = []
        for k in range(film.n_frames):
            film.seek(k)
            frames.append(np.asarray(film.convert("RGB")))
    return frames


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_each_frame_has_the_states_of_its_window_in_steady_colours(tmp_path, suffix) -> None:
    path, progress = tmp_path / f"film{suffix}", Counting()
    film = Film("window", 0, 5, side=5 * WIDE, speed=5, **ALONE)
    write_film(path, *work(), film, progress)
    frames = [frame[::5, ::5] for frame in frames_in(path)]
    assert len(frames) == 6
    for w, frame in enumerate(frames):
        assert_same_partition(labels_of(frame), expected_states(3, w))
    for one, other in pairwise(frames):
        assert_colours_are_steady(one, other)
    assert progress.told == sorted(progress.told)
    assert 0.9 < progress.told[-1] <= 1
    with Image.open(path) as film_file:
        assert film_file.info["loop"] == 0
        if suffix == ".gif":
            assert film_file.info["duration"] == 200


def test_films_of_n_go_backwards_and_pixels_are_magnified_by_a_whole_number(tmp_path) -> None:
    film = Film("n_states", 4, 2, side=5 * WIDE + 3, **ALONE)
    write_film(tmp_path / "n.gif", *work(), film)
    frames = frames_in(tmp_path / "n.gif")
    assert [frame.shape for frame in frames] == [(5 * HIGH, 5 * WIDE, 3)] * 3
    for n, frame in zip((4, 3, 2), frames, strict=True):
        assert_same_partition(labels_of(frame[1::5, 1::5]), expected_states(n, 2))
        np.testing.assert_array_equal(frame, frame[::5, ::5].repeat(5, 0).repeat(5, 1))


def test_what_is_set_has_the_colours_of_the_screen(tmp_path: Path) -> None:
    pictures, session = work()
    there = compute(pictures, session.shown)
    write_film(tmp_path / "w.gif", pictures, session, Film("window", 3, 1, side=64, **ALONE))
    frames = frames_in(tmp_path / "w.gif")
    wanted = {tuple(c) for c in there.colors}  # mean colours, as in the window
    assert {tuple(c) for c in frames[1].reshape(-1, 3)} == wanted
    for one, other in pairwise(frames):
        assert_colours_are_steady(one, other)


def test_the_picture_stands_still_beside_the_states_over_a_caption(tmp_path: Path) -> None:
    pictures, session = work()
    film = Film("window", 1, 2, side=280)
    write_film(tmp_path / "w.webp", pictures, session, film)
    first, second = frames_in(tmp_path / "w.webp")
    high, wide = 20 * HIGH, 20 * WIDE
    picture = first[:high, :wide]
    np.testing.assert_array_equal(picture, second[:high, :wide])
    np.testing.assert_allclose(picture[::20, ::20].astype(int), pixels(), rtol=0, atol=24)
    assert_same_partition(labels_of(first[:high:20, wide + 8 :: 20]), expected_states(3, 1))
    assert (first[high:] != second[high:]).any()
    size = estimated_size(compute(pictures, session.shown), 0, film, ".webp")
    assert (size.height, size.width, 3) == first.shape
    actual = (tmp_path / "w.webp").stat().st_size
    assert 0.5 < size.n_bytes / actual < 2


def test_beliefs_are_a_film_of_passes(tmp_path: Path) -> None:
    believing = replace(PARAMETERS, decoder="belief")
    film = Film("passes", 0, 2, side=64, **ALONE)
    write_film(tmp_path / "p.gif", *work(believing), film)
    frames = frames_in(tmp_path / "p.gif")
    for value, frame in zip((0, 1, 2), frames, strict=True):
        pictures, session = work(replace(believing, passes=value))
        states = compute(pictures, session.shown).states
        assert_same_partition(labels_of(frame[::4, ::4]), states)


@pytest.mark.parametrize("most", [0.3, 0.96])
@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_cancelled_film_leaves_what_was_there(tmp_path: Path, suffix: str, most: float) -> None:
    path = tmp_path / f"film{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(Cancelled):
        write_film(path, *work(), Film("window", 0, 3, side=64), Counting(most))
    assert [found.name for found in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"old"


def test_bad_films_are_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="would not move: only belief decoders use passes"):
        write_film(tmp_path / "a.gif", *work(), Film("passes"))
    with pytest.raises(ExportError, match=r"must be one of \.gif, \.webp"):
        write_film(tmp_path / "a.mp4", *work(), Film())
    assert not list(tmp_path.iterdir())
    for arguments, reason in (
        ({"moving": "alpha"}, "the parameter that changes must be one of window, n_states, passes"),
        ({"last": 65}, "from 0 to 64, got 65"),
        ({"speed": 0}, "speed of the film must be from 1 to 25"),
        ({"shown": "nothing"}, "must be one of both, states"),
    ):
        with pytest.raises(ParameterError, match=reason):
            Film(**arguments)
    assert Film().values == tuple(range(21))


def test_other_lattices_are_drawn_within_the_size() -> None:
    assert drawn_shape(Section((1000,)), 400) == (50, 400)
    assert drawn_shape(Section((900, 300)), 300) == (300, 100)
    assert drawn_shape(Section((5, 20, 30), 2), 100) == (60, 90)


def test_one_frame_has_the_same_colours_on_every_surface(tmp_path: Path) -> None:
    """The user's own colour of one state, and the mean colours of its pixels for the others."""
    pictures, session = work()
    looks = Looks(mean_colors=True, own=(Look(1, "sky", "#12ab34"),))
    session = replace(session, state=replace(session.state, looks=looks))
    frame = compute(pictures, session.shown)
    means = [np.rint(pixels()[frame.states == q].mean(axis=0)) for q in range(3)]
    colors = [(0x12, 0xAB, 0x34) if frame.names[q] else tuple(means[q]) for q in range(3)]
    wanted = {tuple(map(int, color)) for color in colors}

    def drawn(image: np.ndarray) -> set[tuple[int, ...]]:
        return {tuple(map(int, color)) for color in image.reshape(-1, 3)}

    export_frame(frame, tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as image:
        assert drawn(np.asarray(image.convert("RGB"))) == wanted
    write_film(tmp_path / "w.gif", pictures, session, Film("window", 3, 1, side=64, **ALONE))
    assert drawn(frames_in(tmp_path / "w.gif")[1]) == wanted
    report = made_report(pictures, session)
    assert {tuple(bytes.fromhex(color[1:])) for color in report.colors} == wanted
    with Image.open(io.BytesIO(dict(report.maps)[2])) as image:
        assert drawn(np.asarray(image.convert("RGB"))) == wanted
    small = thumbnail(as_set(pictures).picture, 0, frame)
    states = small[small[..., 3] > 0][:, :3].reshape(-1, SIDE, 3)[:, SIDE // 2 :]
    assert drawn(states) < wanted  # its right half
