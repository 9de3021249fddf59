"""dask's own distributed scheduler: a worker in this process, and one in another."""

import numpy as np
import pytest
from distributed import Client, LocalCluster, Worker

from latviz import core
from latviz.cli import run
from latviz.core.progress import Cancelled
from latviz.files.pyramids import open_pyramid
from latviz.wings import scale
from latviz.wings.scale import decoding, schedulers
from latviz.wings.scale.settings import HowDecoded
from tests.core.cases import blocky
from tests.files.test_pyramids import array_at
from tests.wings.scale.cases import refusal_of_scale, states_in

SIDE = 384


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster, set_as_default=True) as client,
    ):
        # It uses the scheduler like the other, and has already made the same imports.
        here = cluster.sync(begin, cluster.scheduler_address)
        yield client
        cluster.sync(here.close)


async def begin(address):
    return await Worker(address, nthreads=1)


@pytest.fixture(scope="module")
def slide(tmp_path_factory):
    """A zarr of 384 x 384 symbols."""
    symbols = blocky((SIDE, SIDE), 4, 1, block=40)
    folder = tmp_path_factory.mktemp("slide")
    array = array_at(folder / "slide.zarr", symbols, side=128)
    return symbols, array


def test_two_workers_compute_what_one_does(client, slide, tmp_path):
    symbols, path = slide
    cut = scale.open_level(open_pyramid(path)).rechunk((150, 150))
    assert len(client.scheduler_info()["workers"]) == 2
    model = scale.fit(cut, n_states=4, window=3, n_symbols=4)
    states = model.decode(symbols)
    scale.write_states(tmp_path / "states.zarr", scale.decode(cut, model=model))
    assert np.array_equal(states_in(open_pyramid(tmp_path / "states.zarr")), states)
    written = scale.open_level(open_pyramid(tmp_path / "states.zarr")) - np.uint8(1)
    assert (scale.pair_counts(written, n_states=4) == core.pair_counts(states, n_states=4)).all()
    whole = core.DiscreteModel.from_states(
        core.as_data_set(symbols, kind="discrete", n_symbols=4),
        codebook=model.B,
        states=[states],
        window=3,
    )
    np.testing.assert_allclose(model.A, whole.A, rtol=0, atol=1e-15)
    found = scale.inertia(written, n_states=4, window=3)
    assert found == pytest.approx(core.inertia(states, n_states=4, window=3), rel=1e-7, abs=0)


def test_the_chunk_that_a_worker_cannot_read_is_named(client, tmp_path, capsys):
    path = array_at(tmp_path / "a.zarr", blocky((100, 90), 3, 1), 2, side=50)
    (path / "1.0").write_bytes(b"no chunk")
    said = refusal_of_scale(path, capsys, "--scheduler", client.scheduler.address)
    assert "its chunk 1.0 is damaged" in said


def test_the_command_is_done_by_the_workers(client, slide, tmp_path, capsys):
    symbols, path = slide
    options = ["--states", "4", "--encoding", "labels", "--window", "2"]
    done = run(
        ["scale", str(path), "-o", str(tmp_path / "s.zarr"), *options, "--save-model",
         str(tmp_path / "m.npz"), "--scheduler", client.scheduler.address]
    )  # fmt: skip
    assert done == 0
    model, encoder = (load(tmp_path / "m.npz") for load in (core.load_model, core.load_encoder))
    states = model.decode(encoder.encode(symbols).values)
    assert np.array_equal(states_in(open_pyramid(tmp_path / "s.zarr")), states)
    said = capsys.readouterr().out.splitlines()
    assert said == [
        f"associativity {core.associativity(model.A):.6f}",
        f"inertia {core.inertia(states, n_states=4, window=2):.6f}",
    ]


class Told:
    """Records its reports, and cancels from a fraction on."""

    def __init__(self, most=2.0):
        self.fractions, self._most = [], most

    def report(self, fraction):
        self.fractions.append(fraction)

    def cancelled(self):
        return bool(self.fractions) and self.fractions[-1] >= self._most


LABELS = HowDecoded(encoding=core.Encoding("labels"), fit=core.FitSettings(4, 2))


def test_what_was_learned_here_is_decoded_by_the_workers(client, slide, tmp_path):
    _, path = slide
    pyramid, address = open_pyramid(path), client.scheduler.address
    here = decoding.decode_file(tmp_path / "here.zarr", pyramid, LABELS, Told())
    told = Told()
    decoding.decode_file(tmp_path / "there.zarr", pyramid, LABELS, told, here, address)
    both = [open_pyramid(tmp_path / name).read(0) for name in ("here.zarr", "there.zarr")]
    assert np.array_equal(*both)
    assert told.fractions == sorted(told.fractions)
    again = decoding.decode_file(tmp_path / "again.zarr", pyramid, LABELS, Told(), None, address)
    assert np.array_equal(again.model.B, here.model.B)
    assert np.array_equal(again.model.A, here.model.A)
    assert np.array_equal(open_pyramid(tmp_path / "again.zarr").read(0), both[0])


def test_what_workers_do_is_given_up(client, slide, tmp_path):
    address = client.scheduler.address
    with pytest.raises(Cancelled):
        decoding.decode_file(
            tmp_path / "s.zarr", open_pyramid(slide[1]), LABELS, Told(0.0), None, address
        )
    assert not list(tmp_path.iterdir())


def test_nobody_answers(slide, tmp_path, monkeypatch):
    monkeypatch.setattr(schedulers, "PATIENCE", "500ms")
    with pytest.raises(core.ParameterError, match="no dask scheduler responds at tcp://127"):
        decoding.decode_file(
            tmp_path / "s.zarr", open_pyramid(slide[1]), LABELS, Told(), None, "tcp://127.0.0.1:9"
        )
    assert not list(tmp_path.iterdir())
    decoding.decode_file(tmp_path / "s.zarr", open_pyramid(slide[1]), LABELS, Told())
    assert [one.name for one in tmp_path.iterdir()] == ["s.zarr"]
