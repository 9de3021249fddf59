"""Running a method in a separate process.

Graph cuts hold Python's interpreter for seconds, and a window in the same process would freeze. A
process can also be ended at any time, and its memory is free at once.
"""

import importlib
import multiprocessing
import time
import traceback
import warnings
from multiprocessing.connection import Connection

from latviz.core import threads
from latviz.core.errors import ParameterError
from latviz.core.progress import Cancelled, Progress
from latviz.wings.race.peers.catalogue import PEERS, Peer
from latviz.wings.race.peers.problem import Labelling, Problem

LOOK_S = 0.05
"""Seconds between checks for cancelling."""
REPORT_S = 0.02
"""Least seconds between a process's reports of progress."""


class PeerError(RuntimeError):
    """A method failed; the note is the traceback of its process."""


def run(peer: Peer, problem: Problem, progress: Progress | None = None) -> Labelling:
    """Label the nodes of a problem in a separate process, with signatures if the method uses them.

    The progress receives the fraction done, first when the method begins. It may cancel, which ends
    the process.

    Raises
    ------
    ParameterError
        If the method cannot be run here, or not on lattices of this number of dimensions (the
        message names what to install), or if its process was ended from outside.
    PeerError
        If it fails.
    Cancelled
        If ``progress`` is cancelled.
    """
    peer.check(len(problem.shapes[0]))
    context = multiprocessing.get_context("spawn")  # a fork would copy the window's threads
    ours, theirs = context.Pipe()
    process = context.Process(
        target=_work, args=(theirs, threads.at_once()), name=peer.name, daemon=True
    )
    process.start()
    theirs.close()  # so that ours ends when the process does
    try:
        return _heard(ours, peer, problem, progress)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        process.join()
        raise ParameterError(
            f"the system ended {peer.title} (exit code {process.exitcode}), perhaps because "
            "memory ran out: use a smaller picture or fewer states"
        ) from None
    finally:
        process.kill()
        process.join()
        process.close()
        ours.close()


def _heard(ours: Connection, peer: Peer, problem: Problem, progress: Progress | None) -> Labelling:
    """Give a process its problem when it is ready, and pass on its progress until it is done."""
    while True:
        while not ours.poll(LOOK_S):
            if progress is not None and progress.cancelled():
                raise Cancelled
        answer = ours.recv()
        if answer is None:  # it has begun: sending waits no longer than it reads
            ours.send((peer.name, problem))
            continue
        if isinstance(answer, Labelling):
            return answer
        if isinstance(answer, float):
            if progress is not None:
                progress.report(answer)
        elif isinstance(answer, ParameterError):
            raise answer
        else:
            summary, details = answer
            error = PeerError(f"{peer.title} failed: {summary}")
            error.add_note(details)
            raise error


class _Reporter:
    """The progress of a process: reports to its parent at intervals."""

    def __init__(self, connection: Connection) -> None:
        self._connection, self._reported = connection, -1.0

    def report(self, fraction: float) -> None:
        now = time.monotonic()
        if now - self._reported >= REPORT_S:
            self._reported = now
            self._connection.send(float(fraction))

    def cancelled(self) -> bool:
        return False  # the process is ended instead


def _work(connection: Connection, n_threads: int) -> None:
    """Run a method in this process, and send its results."""
    warnings.simplefilter("ignore")  # a process's output is not read
    threads.set_threads(n_threads)  # it is not one of several
    try:
        connection.send(None)
        name, problem = connection.recv()
        peer = PEERS[name]
        for module in peer.needs:
            importlib.import_module(module)  # loading does not count as the method's time
        reporter = _Reporter(connection)
        reporter.report(0.0)
        start = time.perf_counter()
        labels = peer.label(problem, reporter)
        seconds = time.perf_counter() - start
        if peer.sees_signatures:  # its numbers are not those of the emissions
            labels = problem.named(labels)
        connection.send(Labelling(labels, seconds))
    except ParameterError as error:
        connection.send(error)
    except Exception as error:
        connection.send((repr(error), traceback.format_exc()))
