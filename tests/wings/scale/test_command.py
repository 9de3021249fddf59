"""``latviz scale``, without workers of its own."""

import subprocess
import sys

import numpy as np
import pytest
import zarr

from latviz import core
from latviz.cli import run
from latviz.core.extras import install
from latviz.files.pyramids import open_pyramid
from latviz.wings.scale import decoding
from tests.core.cases import vectors
from tests.files.test_pyramids import VERSIONS, array_at, image_at
from tests.test_inputs import assert_kept
from tests.test_manual import WEB
from tests.test_readme import run as run_page
from tests.wings.scale.cases import refusal_of_scale, states_in
from tests.wings.scale.test_encoding import picture


def decoded(tmp_path, *options):
    """Return the model, its encoder and the states that the command writes."""
    given = str(tmp_path / "a.zarr"), "-o", str(tmp_path / "s.zarr"), *options
    assert run(["scale", *given, "--save-model", str(tmp_path / "m.npz")]) == 0
    model, encoder = (load(tmp_path / "m.npz") for load in (core.load_model, core.load_encoder))
    return model, encoder, open_pyramid(tmp_path / "s.zarr")


def test_grey_and_colour_have_symbols_of_their_own(tmp_path):
    for k, (values, name) in enumerate(
        [(picture(np.uint8)[..., 0], "quantiles"), (picture(np.uint8), "palette")]
    ):
        folder = tmp_path / str(k)
        folder.mkdir()
        array_at(folder / "a.zarr", values)
        coded = () if k == 0 else ("--encoding", "palette")
        model, encoder, states = decoded(folder, *coded, "--states", "3", "--symbols", "6")
        assert (encoder.encoding.kind.name, model.n_symbols, model.n_states) == (name, 6, 3)
        assert np.array_equal(states_in(states), model.decode(encoder.encode(values).values))


def test_other_channels_are_vectors(tmp_path):
    values = vectors((40, 50), 5, 1).astype(np.float32).transpose(2, 0, 1)[None, :, None]
    image_at(tmp_path / "a.zarr", values, VERSIONS["0.5"][1])
    former = "--level", "1", "--encoding", "values"  # which warn
    model, encoder, states = decoded(tmp_path, *former, "--window", "1")
    own = values[0, :, 0, ::2, ::2].transpose(1, 2, 0)
    assert encoder is None
    assert (model.kind, states.shape(0), states.scale(0)) == ("gaussian", (20, 25), (1.0, 1.0))
    assert np.array_equal(states_in(states), model.decode(own))


def test_a_given_model_is_applied_and_stays(tmp_path, capsys):
    first, second = (tmp_path / name for name in ("first", "second"))
    for folder, seed in ((first, 1), (second, 2)):
        folder.mkdir()
        array_at(folder / "a.zarr", picture(np.uint8, seed=seed))
    coded = "--encoding", "palette", "--symbols", "6"
    model, encoder, _ = decoded(first, "--states", "3", "--window", "3", *coded)
    before = (first / "m.npz").read_bytes()
    given = str(second / "a.zarr"), "-o", str(second / "s.zarr"), "--model", str(first / "m.npz")
    capsys.readouterr()
    assert run(["scale", *given]) == 0
    expected = model.decode(encoder.encode(picture(np.uint8, seed=2)).values)
    assert np.array_equal(states_in(open_pyramid(second / "s.zarr")), expected)
    assert (first / "m.npz").read_bytes() == before
    pairs, occupancy = (
        core.pair_counts(expected, n_states=3),
        np.bincount(expected.ravel(), minlength=3),
    )
    of_map = core.associativity(pairs / (4 * occupancy[:, None]))  # its own, not the model's
    assert float(capsys.readouterr().out.split()[1]) == pytest.approx(of_map, abs=0.01)
    wide = second / "wide.zarr"
    assert run(["scale", given[0], "-o", str(wide), *given[3:], "--window", "6"]) == 0
    states = model.decode(encoder.encode(picture(np.uint8, seed=2)).values, window=6)
    assert np.array_equal(states_in(open_pyramid(wide)), states)


def test_labels_are_those_of_the_export(tmp_path):
    path = str(array_at(tmp_path / "a.zarr", picture(np.uint8)))
    decoded(tmp_path, "--states", "3", "--symbols", "6")
    assert (
        run([path, "--model", str(tmp_path / "m.npz"), "--export", str(tmp_path / "e.zarr")]) == 0
    )
    one, other = (tmp_path / name for name in ("s.zarr", "e.zarr"))
    np.testing.assert_array_equal(open_pyramid(one).read(0), open_pyramid(other).read(0))
    of_scale, of_export = (
        zarr.open_group(str(each), mode="r").attrs.asdict() for each in (one, other)
    )
    assert of_scale["ome"]["image-label"] == of_export["ome"]["image-label"]


@pytest.mark.parametrize(
    ("pixels", "message"),
    [
        (picture(np.uint16), "fitted to uint8 pictures, got one of uint16"),
        (picture(np.uint8, (4, 20, 20))[..., 0], "2 dimensions, but this one has 3"),
    ],
)
def test_a_model_of_other_pictures_is_refused(tmp_path, capsys, pixels, message):
    values = picture(np.uint8)[..., 0]
    encoder = core.encode(values, core.Encoding("quantiles", 4)).encoder
    model = core.DiscreteModel(np.eye(2) + 0.1, np.full((2, 4), 0.25), 1)
    core.save_model(model, tmp_path / "m.npz", encoder=encoder)
    path = array_at(tmp_path / "a.zarr", pixels)
    given = str(path), "-o", str(tmp_path / "s.zarr"), "--model", str(tmp_path / "m.npz")
    assert run(["scale", *given]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "s.zarr").exists()


def test_models_without_encoders_are_of_channels(tmp_path, capsys):
    values = vectors((40, 50), 5, 1).astype(np.float32)
    model = core.GaussianModel.fit(values, n_states=3, window=1)
    core.save_model(model, tmp_path / "m.npz")
    plain = core.DiscreteModel(np.eye(2) + 0.1, np.full((2, 4), 0.25), 1)
    core.save_model(plain, tmp_path / "plain.npz")
    given = values.transpose(2, 0, 1)[None, :, None]
    path = image_at(tmp_path / "a.zarr", given, VERSIONS["0.5"][1])
    other = image_at(tmp_path / "b.zarr", given[:, :3], VERSIONS["0.5"][1])
    out = tmp_path / "s.zarr"
    assert run(["scale", str(path), "-o", str(out), "--model", str(tmp_path / "m.npz")]) == 0
    assert np.array_equal(states_in(open_pyramid(out)), model.decode(values))
    for place, name, message in ((other, "m", "5 channels"), (path, "plain", "has no encoder")):
        options = "-o", str(tmp_path / "t.zarr"), "--model", str(tmp_path / f"{name}.npz")
        assert run(["scale", str(place), *options]) == 1
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["none.zarr"], 1, "no such file"),
        (["a.zarr", "--save-model", "no/m.npz"], 1, "m.npz: there is no folder no; make it"),
        (["a.zarr", "--model", "no/m.npz"], 1, "there is no such file"),
        (["a.zarr", "--model", "m.npz", "--save-model", "m.npz"], 2, "not allowed with"),
        (["a.zarr", "--model", "m.npz", "--states", "3"], 2, "--states has no effect"),
        (["a.zarr", "--states", "0"], 2, "must be from 1 to 32"),
        (["a.zarr", "--window", "-1"], 2, "must be from 0 to 65536"),
        (["a.zarr", "--level", "3"], 2, "levels are from 0 to 0"),
        (["a.zarr", "--reduce", "3"], 2, "levels of 1/K for K = 1 alone"),
        (["a.zarr", "--page", "2"], 2, "pages are from 1 to 1"),
        (["a.zarr", "--encoding", "none"], 2, "must be one of"),
        (["a.zarr", "--decoder", "refined"], 2, "needs all pixels at once"),
        (["a.zarr", "--scheduler", "nowhere"], 1, "no dask scheduler"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(tmp_path, capsys, monkeypatch, options, code, message):
    monkeypatch.chdir(tmp_path)
    array_at(tmp_path / "a.zarr", picture(np.uint8)[..., 0])
    try:
        found = run(["scale", *options, "-o", "s.zarr"])
    except SystemExit as end:
        found = end.code
    said = capsys.readouterr().err.strip().splitlines()
    assert found == code
    assert said[-1].startswith("latviz scale: ")
    assert message in said[-1]
    assert not (tmp_path / "s.zarr").exists()


def test_an_output_that_is_there_is_told_at_once(tmp_path, capsys):
    (tmp_path / "s.zarr").mkdir()
    assert run(["scale", str(tmp_path / "none.zarr"), "-o", str(tmp_path / "s.zarr")]) == 1
    assert "already" in capsys.readouterr().err


@pytest.mark.parametrize("out", ["a.zarr", "a.zarr/states.zarr"])
def test_the_input_is_no_output(tmp_path, capsys, monkeypatch, out):
    monkeypatch.chdir(tmp_path)
    array_at(tmp_path / "a.zarr", picture(np.uint8)[..., 0])
    assert_kept("a.zarr/zarr.json", ["scale", "a.zarr", "-o", out], capsys)


def test_memory_that_does_not_suffice_is_one_line(tmp_path, capsys, monkeypatch):
    def prepare(*_):
        raise MemoryError

    monkeypatch.setattr(decoding, "prepare", prepare)
    path = array_at(tmp_path / "a.zarr", picture(np.uint8)[..., 0])
    assert "there is not enough memory" in refusal_of_scale(path, capsys)


def test_without_dask_it_says_what_to_install():
    code = (
        "import sys; sys.modules['dask'] = None\n"
        "from latviz.cli import run; sys.exit(run(['scale', 'a', '-o', 'b']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == f"latviz scale: it needs dask: {install('scale')}"


def test_the_example_of_the_manual(capsys):
    found = run_page(WEB / "arrays-in-chunks.md")
    model, states = found["model"], found["states"].compute()
    assert np.array_equal(states, model.decode(found["symbols"].compute()))
    pairs, occupancy = found["pairs"], found["occupancy"]
    assert (pairs == core.pair_counts(states, n_states=4)).all()
    assert occupancy.sum() == states.size
    assert len(capsys.readouterr().out.splitlines()) == 2
