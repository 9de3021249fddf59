"""Running dask with progress: on threads of this process, or on workers."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import dask
from dask.callbacks import Callback

from latviz.core import threads
from latviz.core.errors import ParameterError
from latviz.core.extras import install
from latviz.core.progress import Cancelled, Progress, stop_if_cancelled

POLL_S = 0.1
PATIENCE = "15s"
"""A scheduler that does not answer is waited for so long."""
_TURN = threading.Lock()
"""Held while computing: all threads of the process share dask's scheduler."""


class Phases:
    """Reports the progress of consecutive computations, which never decreases.

    Call it with the fractions of the whole at which the next phase begins and ends.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._first, self._last, self._most = 0.0, 1.0, 0.0

    def __call__(self, start: float, stop: float) -> None:
        """Begin another phase."""
        self._first, self._last = start, stop

    def reach(self, share: float) -> None:
        """Report that a share of a computation is done; raise `Cancelled` on cancelling."""
        stop_if_cancelled(self._progress)
        self._most = max(self._most, self._first + (self._last - self._first) * share)
        self._progress.report(self._most)


@contextmanager
def computing(progress: Progress, address: str = "") -> Iterator[Phases]:
    """Compute on threads of this process, ended with the block, or on a scheduler's workers."""
    place = _on_workers(address, progress) if address else _on_threads(progress)
    with _turn(progress), place as phases:
        yield phases


@contextmanager
def _turn(progress: Progress) -> Iterator[None]:
    """Wait until no other thread uses dask's scheduler, or ``progress`` is cancelled."""
    while not _TURN.acquire(timeout=POLL_S):
        stop_if_cancelled(progress)
    try:
        yield
    finally:
        _TURN.release()


@contextmanager
def _on_threads(progress: Progress) -> Iterator[Phases]:
    pool = ThreadPoolExecutor(threads.at_once(), thread_name_prefix="dask")  # dask's own never ends
    with pool, dask.config.set(scheduler="threads", pool=pool), reported(progress) as phases:
        yield phases


@contextmanager
def reported(progress: Progress) -> Iterator[Phases]:
    """Report the progress of dask's computations on threads, and stop them on cancelling."""
    phases, own = Phases(progress), threading.get_ident()

    def after(_key: Any, _result: Any, _graph: Any, state: Any, _worker: Any) -> None:
        if threading.get_ident() != own:  # dask calls this for the work of any thread
            return
        done = len(state["finished"])
        left = sum(len(state[name]) for name in ("ready", "waiting", "running"))
        phases.reach(done / max(1, done + left))

    with Callback(posttask=after):
        yield phases


@contextmanager
def _on_workers(address: str, progress: Progress) -> Iterator[Phases]:
    phases = Phases(progress)
    with scheduler(address) as client, dask.config.set(scheduler=_followed(client, phases)):
        from distributed import KilledWorker  # not above: one machine's threads need none

        try:
            yield phases
        except (CancelledError, KilledWorker) as error:
            reason = f"the workers of the dask scheduler at {address} were lost: {error!r:.200}"
            raise ParameterError(reason) from error


def _followed(client: Any, phases: Phases) -> Callable[..., Any]:
    """Return a function that computes a graph on a client's workers, and reports progress."""

    def get(graph: Any, keys: Any, **options: Any) -> Any:
        results = client.get(graph, keys, sync=False, **options)
        futures = list(_flat(results))
        try:
            while not all(future.done() for future in futures):
                phases.reach(sum(future.done() for future in futures) / len(futures))
                time.sleep(POLL_S)
        except Cancelled:
            client.cancel(futures, force=True)
            raise
        return client.gather(results)

    return get


def _flat(results: Any) -> Iterator[Any]:
    if isinstance(results, Sequence):
        for one in results:
            yield from _flat(one)
    else:
        yield results


async def _reached(address: str) -> None:
    """Raise `OSError` or `ValueError` if no scheduler answers at an address."""
    from distributed.comm import connect  # not at the top of the file, as in its caller
    from distributed.security import Security  # not above either

    options = Security().get_connection_args("client")
    (await connect(address, timeout=PATIENCE, **options)).abort()


@contextmanager
def scheduler(address: str) -> Iterator[Any]:
    """Compute on the workers of a dask scheduler; yield its client.

    ParameterError if no scheduler answers.
    """
    try:
        from distributed import Client  # not above: one machine's threads need none

        asyncio.run(_reached(address))  # a client without an answer leaves its thread behind
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except ImportError as error:
        raise ParameterError(f"workers need the package distributed: {install('scale')}") from error
    except (OSError, ValueError) as error:
        raise ParameterError(f"no dask scheduler responds at {address}: {error}") from error
    with client, client.as_current(), dask.config.set(scheduler=client.get):
        yield client  # set as default only now, in case there is no answer
