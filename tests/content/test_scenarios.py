"""Every scenario of the games and packs that ship: each is played, none is left as prose, and all hold.

A pack's cases are run in parts, because what the cases of one run make is compiled in one go: by
files that costs twice the time, and whole packs cannot be shared out among workers.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import Case, read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.scenarios.results import PASSED
from tests.conftest import ROOT
from tests.support.scenario_runs import run_cases

RULESETS = ROOT / "rulesets"
PACKS = sorted(
    path.parent.relative_to(RULESETS).as_posix()
    for pattern in ("*/pack.yaml", "examples/*/pack.yaml")
    for path in RULESETS.glob(pattern)
)
PARTS = {"gnostica": 2, "monotheism": 3, "moonstone": 4, "witchgates": 4}
ALL_PARTS = [(pack, part) for pack in PACKS for part in range(PARTS.get(pack, 1))]


@cache
def compiled(pack: str) -> CompileResult:
    return compile_paths([RULESETS / pack])


@pytest.mark.parametrize("pack", PACKS)
def test_check_has_nothing_to_say(pack: str):
    assert [one.message for one in compiled(pack).diagnostics] == []


@cache
def cases_of(pack: str) -> tuple[Case, ...]:
    """All cases that stand in a pack's own files, in their order."""
    content, report = compiled(pack).content, Report()
    assert content is not None
    own = [name for name in content.scenarios if content.files[name][0] == Path(pack).name]
    cases = [case for name in own for case in read_cases(content.sources[name], report) or ()]
    assert report.diagnostics() == []
    return tuple(cases)


@pytest.mark.parametrize(
    ("pack", "part"), ALL_PARTS, ids=[f"{pack}-{part}" for pack, part in ALL_PARTS]
)
def test_every_scenario_passes(pack: str, part: int):
    program, cases, parts = compiled(pack).program, cases_of(pack), PARTS.get(pack, 1)
    assert program is not None
    mine = cases[len(cases) * part // parts : len(cases) * (part + 1) // parts]
    assert mine
    done = run_cases(program, mine, content=compiled(pack).content)
    assert [
        f"{one.case.path}:{one.case.line} {one.case.id}: {one.status}: {one.message}"
        for one in done.results
        if one.status != PASSED
    ] == []


@pytest.mark.parametrize("pack", PACKS)
def test_every_file_of_scenarios_is_read(pack: str):
    """A file that holds cases and is not found by its place would never be played."""
    files = [
        path
        for path in (RULESETS / pack).rglob("*.yaml")
        if "cases:" in path.read_text(encoding="utf-8").splitlines()
    ]
    assert files
    assert {case.path for case in cases_of(pack)} == {
        path.relative_to(ROOT).as_posix() for path in files
    }
