"""Every file under tests/cases: what its comments expect is what the compiler finds, and nothing
else."""

from __future__ import annotations

import pytest

from tests.support.expect import LAYERS, TESTS, Case, mismatches, read_cases

CASES = [
    (path.parent.name, case)
    for path in sorted((TESTS / "cases").rglob("*.yaml"))
    for case in read_cases(path)
]


@pytest.mark.parametrize(("layer", "case"), CASES, ids=[case.name for _, case in CASES])
def test_case(layer: str, case: Case):
    wrong = mismatches(case, LAYERS[layer](case.source))
    assert not wrong, "\n".join(wrong)


def test_every_folder_of_cases_has_a_layer():
    folders = {path.name for path in (TESTS / "cases").iterdir() if path.is_dir()}
    assert folders <= LAYERS.keys()
