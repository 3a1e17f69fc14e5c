"""A Dask cluster for games: an existing one, or one on this machine. Needs the extra `dask`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from dask.distributed import Client

from ruleloom.runtime.program.faults import Refused
from ruleloom.simulate.simulation import WorkPlace

LOCAL = "local"
PATIENCE = 20  # seconds to wait for a cluster


@contextmanager
def cluster(address: str, workers: int | None) -> Iterator[WorkPlace]:
    """The workers at an address; at `local`, processes started here and stopped again."""
    try:
        if address == LOCAL:
            own = {"n_workers": workers or 2, "threads_per_worker": 1, "processes": True}
            client = Client(**own, dashboard_address=None, host="127.0.0.1")
        else:
            client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise Refused(f"no cluster of Dask answers at {address}: {error}") from None
    with client:
        number = max(1, sum(client.nthreads().values()))
        yield WorkPlace(partial(client.get_executor, retries=3), number)
