"""Running a method in a process of its own.

Graph cuts keep Python's interpreter to themselves for seconds, and a window in the same process
would stand still. A process can be ended at any time, too, and its memory is free at once.
"""

import importlib
import multiprocessing
import time
import traceback
import warnings
from multiprocessing.connection import Connection

from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled, Progress
from latviz.peers.catalogue import PEERS, Peer
from latviz.peers.problem import Labelling, Problem

LOOK_S = 0.05
"""Seconds between checks for cancelling."""
REPORT_S = 0.02
"""A process tells how far it is no more often than this."""


class PeerError(RuntimeError):
    """A method failed; the note is the traceback of its process."""


def run(peer: Peer, problem: Problem, progress: Progress | None = None) -> Labelling:
    """Label the nodes of a problem, with signatures if the method sees them, in an own process.

    The progress is told of the fraction done, first when the method begins. It may cancel, which
    ends the process.

    Raises
    ------
    ParameterError
        If the method cannot be run here, or not on lattices of so many dimensions; the message says
        what to install. Or if its process was ended from outside.
    PeerError
        If it fails.
    Cancelled
        If ``progress`` says so.
    """
    peer.check(len(problem.shapes[0]))
    context = multiprocessing.get_context("spawn")  # a fork would copy the window's threads
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), name=peer.name, daemon=True)
    process.start()
    theirs.close()  # so that ours ends when the process does
    try:
        return _heard(ours, peer, problem, progress)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        process.join()
        raise ParameterError(
            f"{peer.title} was ended by the system (exit code {process.exitcode}); its memory may "
            "not have sufficed: take a smaller picture or fewer states"
        ) from None
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()


def _heard(ours: Connection, peer: Peer, problem: Problem, progress: Progress | None) -> Labelling:
    """Give a process its problem when it asks, and pass on what it tells until it is done."""
    while True:
        while not ours.poll(LOOK_S):
            if progress is not None and progress.cancelled():
                raise Cancelled
        told = ours.recv()
        if told is None:  # it has begun: sending waits no longer than it reads
            ours.send((peer.name, problem))
            continue
        if isinstance(told, Labelling):
            return told
        if isinstance(told, float):
            if progress is not None:
                progress.report(told)
        elif isinstance(told, ParameterError):
            raise told
        else:
            summary, details = told
            error = PeerError(f"{peer.title} failed: {summary}")
            error.add_note(details)
            raise error


class _Teller:
    """The progress of a process: tells the one that began it, now and then."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._told = connection, -1.0

    def report(self, fraction: float) -> None:
        now = time.monotonic()
        if now - self._told >= REPORT_S:
            self._told = now
            self._connection.send(float(fraction))

    def cancelled(self) -> bool:
        return False  # the process is ended instead


def _work(connection: Connection) -> None:
    """Run a method in this process, and tell what comes of it."""
    warnings.simplefilter("ignore")  # nobody reads what a process prints
    try:
        connection.send(None)
        name, problem = connection.recv()
        peer = PEERS[name]
        for module in peer.needs:
            importlib.import_module(module)  # which is no part of what the method takes
        teller = _Teller(connection)
        teller.report(0.0)
        start = time.perf_counter()
        labels = peer.label(problem, teller)
        seconds = time.perf_counter() - start
        if peer.sees_signatures:  # its numbers are not those of the emissions
            labels = problem.named(labels)
        connection.send(Labelling(labels, seconds))
    except ParameterError as error:
        connection.send(error)
    except Exception as error:
        connection.send((repr(error), traceback.format_exc()))
