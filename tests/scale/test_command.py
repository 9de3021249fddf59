"""``latviz scale``, without workers of its own."""

import subprocess
import sys

import numpy as np
import pytest

from latviz import core
from latviz.cli import run
from latviz.cli import scale as command
from latviz.files.pyramids import open_pyramid
from tests.core.cases import vectors
from tests.files.test_pyramids import VERSIONS, array_at, image_at
from tests.files.zarrs.cases import refusal_of_scale
from tests.scale.test_encoding import picture
from tests.test_manual import HELP
from tests.test_readme import run as run_page


def decoded(tmp_path, *options):
    """Return the model, its encoder and the states that the command writes."""
    given = str(tmp_path / "a.zarr"), "-o", str(tmp_path / "s.zarr"), *options
    assert run(["scale", *given, "--model", str(tmp_path / "m.npz")]) == 0
    model, encoder = (load(tmp_path / "m.npz") for load in (core.load_model, core.load_encoder))
    return model, encoder, open_pyramid(tmp_path / "s.zarr")


def test_grey_and_colour_have_symbols_of_their_own(tmp_path):
    for k, (values, name) in enumerate(
        [(picture(np.uint8)[..., 0], "quantiles"), (picture(np.uint8), "palette")]
    ):
        folder = tmp_path / str(k)
        folder.mkdir()
        array_at(folder / "a.zarr", values)
        model, encoder, states = decoded(folder, "--states", "3", "--symbols", "6")
        assert (encoder.encoding.name, model.n_symbols, model.n_states) == (name, 6, 3)
        assert np.array_equal(states.read(0), model.decode(encoder.encode(values).values))


def test_other_channels_are_vectors(tmp_path):
    values = vectors((40, 50), 5, 1).astype(np.float32).transpose(2, 0, 1)[None, :, None]
    image_at(tmp_path / "a.zarr", values, VERSIONS["0.5"][1])
    model, encoder, states = decoded(tmp_path, "--level", "1", "--window", "1")
    own = values[0, :, 0, ::2, ::2].transpose(1, 2, 0)
    assert encoder is None
    assert (model.kind, states.shape(0), states.scale(0)) == ("gaussian", (20, 25), (1.0, 1.0))
    assert np.array_equal(states.read(0), model.decode(own))


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["none.zarr"], 1, "no such file"),
        (["a.zarr", "--model", "no/m.npz"], 1, "m.npz: there is no folder no; make it"),
        (["a.zarr", "--states", "0"], 1, "n_states must be"),
        (["a.zarr", "--window", "-1"], 1, "window must be"),
        (["a.zarr", "--level", "3"], 1, "there is no level 3 at time 0: levels are from 0 to 0"),
        (["a.zarr", "--encoding", "none"], 2, "invalid choice"),
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


def test_memory_that_does_not_suffice_is_one_line(tmp_path, capsys, monkeypatch):
    def prepare(*_):
        raise MemoryError

    monkeypatch.setattr(command, "prepare", prepare)
    path = array_at(tmp_path / "a.zarr", picture(np.uint8)[..., 0])
    assert "there is not enough memory" in refusal_of_scale(path, capsys)


def test_without_dask_it_says_what_to_install():
    code = (
        "import sys; sys.modules['dask'] = None\n"
        "from latviz.cli import run; sys.exit(run(['scale', 'a', '-o', 'b']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip() == "latviz scale: it needs dask; install latviz[scale]"


def test_the_example_of_the_manual(capsys):
    found = run_page(HELP / "scale.md")
    model, states = found["model"], found["states"].compute()
    assert np.array_equal(states, model.decode(found["symbols"].compute()))
    pairs, occupancy = found["pairs"], found["occupancy"]
    assert (pairs == core.pair_counts(states, 4)).all()
    assert occupancy.sum() == states.size
    assert len(capsys.readouterr().out.splitlines()) == 2
