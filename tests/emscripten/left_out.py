"""The tests that a system without processes, threads and files of POSIX cannot run, each with its reason; and of
many alike, which are run.

All of them run elsewhere in the same CI. What depends on the system shows in some of many alike.
"""

from __future__ import annotations

from collections import Counter

import pytest

HASHES = (
    "tests/runtime/program/test_program_json.py::test_the_hash_does_not_depend_on_the_hash_seed"
)
NESTED = "tests/runtime/program/test_program_json.py::test_json_is_read_without_trust[text0-nested too deep]"
LEFT_OUT: dict[str, str] = {
    HASHES: "needs processes",
    NESTED: "Python 3.14 reads JSON as deep as its stack goes, and refuses this text for its end",
}
MANY, EVERY = 20, 4
"""Of the cases of a test with so many, one in so many is run."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what cannot run, and say why; leave out most of what is much alike."""
    counts, seen = Counter(map(_test, items)), Counter[str]()
    kept: list[pytest.Item] = []
    spared: list[pytest.Item] = []
    for item in items:
        reason, test = LEFT_OUT.get(item.nodeid), _test(item)
        if reason is not None:
            item.add_marker(pytest.mark.skip(reason=reason))
        seen[test] += 1
        alike = counts[test] >= MANY and seen[test] % EVERY != 1
        (spared if alike else kept).append(item)
    config.hook.pytest_deselected(items=spared)
    items[:] = kept


def _test(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]
