"""The tests that a system without processes, threads and files of POSIX cannot run, each with its reason."""

from __future__ import annotations

import pytest

PROCESSES, THREADS = "needs processes", "needs threads"
LEFT_OUT: dict[str, str] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip them, and say why."""
    for item in items:
        reason = LEFT_OUT.get(item.nodeid.partition("[")[0])
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=reason))
