"""Executors of games: this process, processes of this machine, or a cluster.

Anything that is a `concurrent.futures.Executor` will do. What a run needs is a way to make one, since
one whose worker died may have to be made anew.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from ruleloom.runtime.dataclass import dataclass

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WorkPlace:
    """A way to make an executor, the number of its workers, and what it is called."""

    make: Callable[[], Executor]
    workers: int
    called: str


class InThisProcess(Executor):
    """Does the work at once, where it is asked for."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future of work that is done already."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def processes(workers: int | None) -> WorkPlace:
    """So many processes of this machine; one is this process itself."""
    number = workers or usable_processors()
    if number == 1:
        return WorkPlace(InThisProcess, 1, "this process")

    def make() -> Executor:
        return ProcessPoolExecutor(number, initializer=_heed_no_interrupt)

    return WorkPlace(make, number, f"{number} processes")


def _heed_no_interrupt() -> None:
    """Leave Ctrl-C to the parent process, which takes the records done and ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def usable_processors() -> int:
    """The processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not a Linux
        return os.cpu_count() or 1


@contextmanager
def opened(place: WorkPlace) -> Iterator[Executor]:
    """An executor; nobody waits for what is under way in it once something went wrong.

    Otherwise it is done at the end, so that it does not close behind Python's back while that ends too.
    """
    executor, is_over = place.make(), False
    try:
        yield executor
        is_over = True
    finally:
        executor.shutdown(wait=is_over)
