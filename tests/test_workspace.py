"""Session files with their pictures, without a window."""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from PIL import Image

from latviz import computing, workspace
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.engine.keeping.session import Session, opened, text_of
from latviz.engine.pictures.leaving import without
from latviz.engine.pictures.picture import Picture, as_set
from latviz.engine.pictures.shelf import cut
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.exports import export_frame
from latviz.files import session_archive as container
from latviz.files.errors import SessionError
from latviz.files.pyramids import open_pyramid
from latviz.workspace import (
    make_picture,
    read_again,
    read_picture,
    read_pictures,
    read_session,
    write_session,
)
from tests.core.cases import blocky
from tests.files.test_pyramids import VERSIONS, image_at

SESSION = Session(State(parameters=Parameters(n_states=6), pins=((1, 2),)))
SESSION_OF_A_SEQUENCE = Session(State(parameters=Parameters(n_states=2)))


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float32])
@pytest.mark.parametrize("shape", [(4, 5), (4, 5, 3)])
def test_an_embedded_picture(tmp_path: Path, kind: type, shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    labels, truth = (rng.integers(0, 4, (4, 5)).astype(np.uint8) for _ in range(2))
    pixels = rng.integers(0, 256, shape).astype(kind)
    origin = {"clipboard": True}
    picture = Picture(pixels, "näme", labels, ("one", "two"), truth, origin)
    write_session(tmp_path / "a.latviz", SESSION, picture)
    pictures, session = read_session(tmp_path / "a.latviz")
    again = pictures.picture
    assert session == SESSION
    assert (again.name, again.notes) == ("näme", ("one", "two"))
    assert again.origin == {**origin, "embedded": True}
    for name in ("pixels", "labels", "truth"):
        np.testing.assert_array_equal(getattr(again, name), getattr(picture, name))
    assert again.pixels.dtype == kind


@pytest.mark.parametrize("kind", ["float64", "datetime64[ms]", "timedelta64[ms]"])
def test_an_embedded_sequence_keeps_its_places(tmp_path: Path, kind: str) -> None:
    x = (1000 * np.arange(1, 61) ** 2).astype(kind)
    pixels = np.zeros((1, 60), np.float32)
    write_session(tmp_path / "a.latviz", SESSION_OF_A_SEQUENCE, Picture(pixels, "series", x=x))
    again = read_session(tmp_path / "a.latviz")[0].picture.x
    assert again.dtype == x.dtype
    np.testing.assert_array_equal(again, x)
    unknown = x.copy()
    unknown[-1] = np.nan if kind == "float64" else "NaT"
    for wrong in (x[1:], x[::-1], unknown):
        with pytest.raises(ParameterError, match="x must"):
            Picture(pixels, "series", x=wrong)


def test_a_picture_from_a_file(tmp_path: Path) -> None:
    frames = [Image.fromarray(np.full((8, 8), 40 * k, np.uint8)) for k in range(3)]
    frames[0].save(tmp_path / "a.tif", save_all=True, append_images=frames[1:])
    picture = read_picture(tmp_path / "a.tif", 2, reduction=2)
    for embed in (False, True):
        path = tmp_path / f"{embed}.latviz"
        write_session(path, replace(SESSION, embedded=embed), picture)
        pictures, session = read_session(path)
        again = pictures.picture
        assert session.embedded == embed
        np.testing.assert_array_equal(again.pixels, picture.pixels)
        assert again.origin == {**picture.origin, **({"embedded": True} if embed else {})}
        assert again.notes == picture.notes
    (tmp_path / "a.tif").unlink()
    assert read_session(tmp_path / "True.latviz")[0].picture.shape == (4, 4)
    with pytest.raises(SessionError, match="no such file"):
        read_session(tmp_path / "False.latviz")
    write_session(tmp_path / "False.latviz", SESSION, picture)  # embedded without a file
    assert read_session(tmp_path / "False.latviz")[0].picture.shape == (4, 4)
    Image.fromarray(np.eye(8, dtype=np.uint8)).save(tmp_path / "a.tif")
    write_session(tmp_path / "False.latviz", SESSION, picture)  # another one now
    again = read_session(tmp_path / "False.latviz")[0].picture
    np.testing.assert_array_equal(again.pixels, picture.pixels)


def rewritten(path, change) -> Path:
    content, arrays = container.read_session(path)
    change(content, arrays)
    container.write_session(path, content, arrays)
    return path


def test_slices_apart_are_kept_and_older_words_for_them_are_read(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(5 * 6 * 7, dtype=np.uint8).reshape(5, 6, 7))
    path = tmp_path / "a.latviz"
    for picture in (make_picture("volume")[0], read_picture(tmp_path / "a.npy")):
        session = opened(picture, SESSION.state.parameters)
        for apart in (True, False):
            write_session(path, session, picture.sliced(apart))
            assert read_session(path)[0].picture.apart is apart

            def older(content: dict[str, Any], _: object, apart: bool = apart) -> None:
                state_in(content)["parameters"]["slices_apart"] = not apart

            assert read_session(rewritten(path, older))[0].picture.apart is not apart
    assert read_again([picture.sliced(True).origin]).picture.apart
    state = replace(session.state, pictures=as_set(picture.sliced(True)))
    assert text_of(state) == "slices_apart=true"
    assert workspace.read_work(tmp_path / "a.npy", state=text_of(state))[0].picture.apart
    with pytest.raises(ParameterError, match="slices apart must be true or false, got 3"):
        workspace.read_work(None, "volume", state="slices_apart=3")


def set_pixels(array: np.ndarray) -> Callable[[Any, Any], object]:
    return lambda _, arrays: arrays.update({"picture.pixels": array})


def state_in(content: dict[str, Any]) -> dict[str, Any]:
    state: dict[str, Any] = content["session"]["state"]
    return state


BAD: dict[str, tuple[Callable[[Any, Any], object], str]] = {
    "no session": (lambda content, _: content.pop("session"), "the session must be"),
    "no picture": (lambda content, _: content.pop("picture"), "the picture must be"),
    "no origin": (lambda content, _: content.update(picture={}), "the picture's origin"),
    "no demo": (lambda c, _: c.update(picture={"origin": {"demo": "x"}}), "name must be one of"),
    "no path": (lambda c, _: c.update(picture={"origin": {"page": 0}}), "the image's path"),
    "states": (lambda c, _: state_in(c)["parameters"].update(n_states=99), "got 99"),
    "sample": (lambda c, _: state_in(c).update(sample=1), "the sample must be"),
    "pin": (lambda c, _: state_in(c).update(pins=[[4, 0]]), "outside the image"),
    "map": (lambda c, _: state_in(c).update(map="x"), "the session.state.map must be one of"),
    "symbols": (lambda c, _: state_in(c)["projection"].update(symbols=[1, -1, 2]), "symbols"),
    "no pixels": (lambda _, arrays: arrays.clear(), "the picture.pixels must be an array"),
    "type": (set_pixels(np.zeros((4, 5))), "float64"),
    "shape": (set_pixels(np.zeros((4, 5, 2), np.uint8)), "one or three numbers per pixel"),
    "none": (set_pixels(np.zeros((0, 5), np.uint8)), "of shape (0, 5)"),
    "line": (set_pixels(np.zeros(5, np.uint8)), "(5,)"),
    "infinite": (set_pixels(np.full((4, 5), np.inf, np.float32)), "finite"),
    "truth": (
        lambda _, arrays: arrays.update({"picture.truth": np.zeros((5, 4), np.uint8)}),
        "the picture's truth have shape (5, 4), not (4, 5)",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_named(tmp_path: Path, name: str) -> None:
    change, said = BAD[name]
    truth = np.zeros((4, 5), np.uint8)
    path = tmp_path / "a.latviz"
    write_session(path, SESSION, Picture(np.zeros((4, 5), np.uint8), "p", truth=truth))
    with pytest.raises(SessionError) as caught:
        read_session(rewritten(path, change))
    assert said in str(caught.value)
    assert str(caught.value).startswith("a.latviz: ")


def test_a_demo_is_made_again(tmp_path: Path) -> None:
    picture, parameters = make_picture("figure1")
    write_session(tmp_path / "a.latviz", opened(picture, parameters), picture)
    again, session = read_session(tmp_path / "a.latviz")
    np.testing.assert_array_equal(again.picture.pixels, picture.pixels)
    assert session.shown.parameters == parameters


@pytest.mark.parametrize("embedded", [False, True])
@pytest.mark.parametrize("volume", [False, True])
def test_volumes_and_sequences_are_found_again(tmp_path, volume, embedded) -> None:
    if volume:
        np.save(tmp_path / "a.npy", np.arange(60, dtype=np.uint8).reshape(3, 4, 5))
        pictures, pin = read_pictures(tmp_path / "a.npy"), (2, 3, 4)
    else:
        (tmp_path / "a.fasta").write_text(">one\nAC\n>two\nGATTACA\n")
        pictures, pin = read_pictures(tmp_path / "a.fasta", 1), (6,)
    state = replace(SESSION.state, pins=(pin,))
    saved = replace(SESSION, state=state, embedded=embedded)
    write_session(tmp_path / "a.latviz", saved, pictures)
    again, session = read_session(tmp_path / "a.latviz")
    assert session.state.pins == (pin,)
    assert (len(again.members), again.shown) == ((1, 0) if volume else (2, 1))
    for old, new in zip(pictures.members, again.members, strict=True):
        assert (new.dimensions, new.alphabet) == (old.dimensions, old.alphabet)
        np.testing.assert_array_equal(new.pixels, old.pixels)
        assert new.origin == {**old.origin, **({"embedded": True} if embedded else {})}


def test_one_record_of_many_is_kept_as_it_is(tmp_path: Path) -> None:
    """Its file would include the others, and the model would be learned from all of them."""
    (tmp_path / "a.fasta").write_text(">one\nAC\n>two\nGATTACA\n")
    picture = read_picture(tmp_path / "a.fasta", 1)
    write_session(tmp_path / "a.latviz", SESSION_OF_A_SEQUENCE, picture)
    again, _ = read_session(tmp_path / "a.latviz")
    assert len(again.members) == 1
    np.testing.assert_array_equal(again.picture.pixels, picture.pixels)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"shown": 2}, "one of 2, got 2"),
        ({"shown": -1}, "one of 2, got -1"),
        ({"members": []}, "one of 0, got 1"),
    ],
)
def test_data_sets_that_cannot_be_are_named(tmp_path, change, said) -> None:
    (tmp_path / "a.fasta").write_text(">one\nAC\n>two\nGATTACA\n")
    saved = replace(SESSION_OF_A_SEQUENCE, embedded=True)
    write_session(tmp_path / "a.latviz", saved, read_pictures(tmp_path / "a.fasta", 1))
    path = rewritten(
        tmp_path / "a.latviz", lambda content, _: content["picture"]["embedded"].update(change)
    )
    with pytest.raises(SessionError, match=said):
        read_session(path)


def test_two_may_ask_at_once_whether_an_image_is_there(tmp_path: Path) -> None:
    """A session and the copy kept for a crash are written at the same time."""
    path = tmp_path / "a.png"
    Image.fromarray(np.zeros((4, 4), np.uint8)).save(path)
    origin = read_picture(path).origin
    found: list[bool] = []

    def ask() -> None:
        found.extend(workspace.is_there(origin) for _ in range(60))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 240
    assert all(found)


DECODING = Decoding(Parameters(Encoding("levels"), window=1), 1000)


def test_sizes_of_voxels_go_from_a_file_into_labels(tmp_path: Path) -> None:
    stack = np.random.default_rng(1).integers(0, 256, (6, 24, 30)).astype(np.uint8)
    facts = {"axes": "ZYX", "spacing": 5.0, "unit": "um"}
    source = tmp_path / "a.tif"
    tifffile.imwrite(source, stack, imagej=True, resolution=(4, 2), metadata=facts)
    picture = read_picture(source, "volume=lattice")
    assert (picture.spacing, picture.unit) == ((5.0, 0.5, 0.25), "µm")
    frame = computing.compute(picture, DECODING)
    for name in ("b.tif", "b.ome.tif", "b.zarr"):
        export_frame(frame, tmp_path / name)
        written = read_picture(tmp_path / name, "volume=lattice")
        assert (written.spacing, written.unit) == (picture.spacing, picture.unit)
        np.testing.assert_array_equal(written.pixels, frame.states + 1)


@pytest.mark.parametrize("version", VERSIONS)
def test_labels_have_the_version_of_the_image(tmp_path: Path, version: str) -> None:
    zarr_format, attributes = VERSIONS[version]
    values = blocky((1, 1, 1, 40, 50), 4, 1)
    picture = read_picture(image_at(tmp_path / "a.zarr", values, attributes, zarr_format))
    export_frame(computing.compute(picture, DECODING), tmp_path / "b.zarr")
    assert open_pyramid(tmp_path / "b.zarr").zarr_format == zarr_format


@pytest.mark.parametrize("kind", ["a file", "a demo", "inside", "a part"])
def test_pixels_left_out_are_kept(tmp_path: Path, kind: str) -> None:
    if kind == "a demo":
        whole = make_picture("figure1")[0]
    elif kind == "inside":
        whole = Picture(np.arange(35, dtype=np.uint8).reshape(5, 7), "pasted")
    else:
        np.save(tmp_path / "a.npy", np.arange(35, dtype=np.uint8).reshape(5, 7))
        whole = read_picture(tmp_path / "a.npy")
        whole = cut(whole, ((0, 4), (1, 7))) if kind == "a part" else whole
    out = np.random.default_rng(0).random(whole.shape) < 0.5
    picture = without(whole, out)
    write_session(tmp_path / "s.latviz", Session(State()), picture)
    found = read_session(tmp_path / "s.latviz")[0].picture
    assert np.array_equal(found.known, ~out)
    assert np.array_equal(found.whole.pixels, whole.pixels)
    assert np.array_equal(found.pixels, picture.pixels)
    again = read_again([picture.origin], tmp_path / "s.latviz" if kind == "inside" else "")
    assert np.array_equal(again.picture.known, ~out)
