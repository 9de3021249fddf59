"""Methods in separate processes: their reports, missing packages, and how they end."""

import multiprocessing
import os
import re
import threading
import time
import warnings
from dataclasses import replace
from multiprocessing.connection import Connection
from types import SimpleNamespace

import numpy as np
import pytest

from latviz.core import Cancelled, ParameterError
from latviz.wings.race.peers import catalogue, running
from latviz.wings.race.peers.catalogue import PEERS
from latviz.wings.race.peers.problem import Problem
from tests.wings.race.cases import Listener, a_problem, energy_by_loops

ICM = PEERS["icm"]


def test_a_method_runs_apart_and_tells_how_far_it_is():
    problem, listener = a_problem((30, 20), 3, seed=1), Listener()
    found = running.run(ICM, problem, listener)
    assert listener.told[0] == 0.0
    np.testing.assert_array_equal(found.labels[0], ICM.label(problem, None)[0])
    assert problem.energy(found.labels) == pytest.approx(energy_by_loops(problem, found.labels[0]))
    assert 0 < found.seconds < 60
    assert not multiprocessing.active_children()


class Beside(threading.Thread):
    """A thread in place of a process, because importing a method takes longer than its work."""

    exitcode = None

    def __init__(self, target, args, **options):
        own = Connection(os.dup(args[0].fileno()))  # the parent of a process closes its own end
        super().__init__(target=target, args=(own, *args[1:]), **options)

    def kill(self):
        """Leave it, as it ends by itself."""

    close = kill


@pytest.fixture
def in_threads(monkeypatch):
    """Run methods in threads, which exchange the messages of processes."""
    context = SimpleNamespace(Pipe=multiprocessing.Pipe, Process=Beside)
    beside = SimpleNamespace(get_context=lambda _: context)
    monkeypatch.setattr(running, "multiprocessing", beside)
    with warnings.catch_warnings():  # which a process ignores
        yield


@pytest.mark.parametrize("peer", PEERS.values(), ids=PEERS)
def test_each_method_of_the_catalogue_runs(peer, request):
    if peer.missing:
        pytest.skip(f"needs {peer.missing}")
    if peer.needs == catalogue.CLUSTERS and peer.name != "kmeans":
        request.getfixturevalue("in_threads")
    problem = a_problem((24, 16), 3, seed=2, signatures=True)
    (states,) = running.run(peer, problem).labels
    assert states.shape == (24, 16)
    assert states.dtype == np.uint8
    assert states.max() <= 2


def test_cancelling_ends_the_process_at_once():
    problem = Problem((np.zeros((3000, 3000, 2), np.float32),), 1.0)
    start = time.monotonic()
    with pytest.raises(Cancelled):
        running.run(ICM, problem, Listener(most=-1))
    assert time.monotonic() - start < 60
    assert not multiprocessing.active_children()


def test_what_is_not_installed_is_named(monkeypatch):
    lacking = replace(ICM, needs={"no_such_module": "No-Such-Package"})
    assert lacking.missing == ["No-Such-Package"]
    said = f"ICM needs No-Such-Package, which is not installed: {catalogue.INSTALL}"
    with pytest.raises(ParameterError, match=re.escape(said)):
        running.run(lacking, a_problem((4, 4), 2, seed=1))


def test_lattices_that_a_method_cannot_take():
    flat = replace(ICM, axes=(2,))
    with pytest.raises(ParameterError, match="ICM takes lattices of 2 dimensions, got 3"):
        running.run(flat, a_problem((2, 3, 4), 2, seed=1))
    assert PEERS["felzenszwalb"].axes == (2,)


@pytest.mark.usefixtures("in_threads")
def test_a_failure_tells_the_traceback():
    broken = Problem((np.zeros((4, 4, 2), np.float32),), 1.0)  # without signatures
    if PEERS["kmeans"].missing:
        pytest.skip("needs scikit-learn")
    with pytest.raises(running.PeerError, match="K-means failed: IndexError") as error:
        running.run(PEERS["kmeans"], broken)
    assert "clustered" in error.value.__notes__[0]


def test_a_process_that_is_ended_from_outside():
    class Killer(Listener):
        def report(self, fraction):
            for process in multiprocessing.active_children():
                process.kill()

    problem = Problem((np.random.default_rng(1).random((2500, 2500, 3), np.float32),), 1.0)
    with pytest.raises(ParameterError, match="the system ended"):
        running.run(ICM, problem, Killer())


def test_names_and_titles():
    assert list(PEERS) == [peer.name for peer in PEERS.values()]
    assert len({peer.title for peer in PEERS.values()}) == len(PEERS)
    assert '"latviz[compare] @ git+https://' in catalogue.INSTALL
