"""The rules of Gnostica, clause by clause: every one is proved by a scenario, and the scenarios can
tell a broken rule, a runner that refuses everything and one that accepts everything."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ruleloom.compiler.cases.case_file import Case, read_cases, reasons_in, reviewed_reasons, stated
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.source.file import Source
from ruleloom.runtime.program.faults import NamedReason
from ruleloom.runtime.program.program import Program
from ruleloom.scenarios import runner
from ruleloom.scenarios.results import FAILED, PASSED, Results
from tests.conftest import ROOT
from tests.support.scenario_runs import run_cases

PACK = ROOT / "rulesets" / "gnostica"
FILES = sorted(path.name for path in (PACK / "scenarios").glob("*.yaml"))
LEDGER = ROOT.parent / "shared" / "rules" / "gnostica.yaml"

needs_ledger = pytest.mark.skipif(
    not LEDGER.is_file(), reason="the rule ledger does not lie beside the checkout"
)


def compiled(folder: Path) -> Program:
    result = compile_paths([folder])
    assert result.program is not None, [str(found) for found in result.diagnostics]
    return result.program


@cache
def program() -> Program:
    return compiled(PACK)


@cache
def cases_of(path: Path) -> tuple[Case, ...]:
    report = Report()
    cases = read_cases(Source.read(path, path.name), report)
    assert report.diagnostics() == []
    assert cases
    return cases


def own_cases() -> list[Case]:
    return [case for name in FILES for case in cases_of(PACK / "scenarios" / name)]


def failures(results: Results) -> list[str]:
    return [
        f"{r.case.path}:{r.case.line} {r.case.id}: {r.message}"
        for r in results.results
        if r.status == FAILED
    ]


# --------------------------------------------------------------------------- every clause is proved


def test_every_clause_that_the_rules_cite_is_proved():
    cited = set(
        re.findall(r"gnostica\.[a-z]+(?:-[a-z]+)*\.[a-z0-9-]+", "".join(texts_of_the_rules()))
    )
    assert len(cited) > 350
    proved = {clause for case in own_cases() for clause in case.clauses}
    assert sorted(cited - proved) == []


def texts_of_the_rules() -> Iterator[str]:
    return (path.read_text(encoding="utf-8") for path in sorted(PACK.glob("*.yaml")))


def test_no_two_scenarios_have_one_name():
    """Reviewed reasons go by the name of the case."""
    names = Counter(case.id for case in own_cases())
    assert [name for name, count in names.items() if count > 1] == []


def test_every_refusal_states_its_reason():
    silent = [
        case.id for case in own_cases() if case.then.get("legal") is False and not stated(case)
    ]
    assert silent == []


@needs_ledger
def test_the_ledger_itself_passes():
    results = run_cases(program(), cases_of(LEDGER), reviewed_reasons(PACK))
    assert failures(results) == []
    assert results.summary == "375 passed, 0 failed, 24 not executable"


@needs_ledger
def test_every_clause_of_the_ledger_is_proved_by_a_scenario():
    clauses = {case.id for case in cases_of(LEDGER)}
    assert len(clauses) == 399
    proved = {clause for case in own_cases() for clause in case.clauses}
    assert sorted(clauses - proved) == []
    assert sorted(proved - clauses) == []


@needs_ledger
def test_every_refusal_of_the_ledger_is_reviewed():
    refused = {
        case.id
        for case in cases_of(LEDGER)
        if case.then.get("legal") is False and case.steps is not None
    }
    assert len(refused) == 131
    assert sorted(refused - set(reviewed_reasons(PACK))) == []


@needs_ledger
def test_the_scenarios_taken_from_the_ledger_say_the_same():
    """What is given, done and claimed is the ledger's own; only reasons are added."""
    taken = {case.id: case for case in own_cases()}
    remarks = ("why", "note", "reason", "because")
    for case in cases_of(LEDGER):
        if case.steps is not None:
            ours = taken[case.id]
            assert (dict(ours.given), ours.steps) == (dict(case.given), case.steps), case.id
            claims = [
                {k: v for k, v in one.then.items() if k not in remarks} for one in (ours, case)
            ]
            assert claims[0] == claims[1], case.id


def test_reasons_are_gathered_from_the_pack():
    assert reviewed_reasons(PACK) == reasons_in(own_cases())
    assert reviewed_reasons(PACK / "no-such-folder") == {}


# --------------------------------------------------------------------------- positions are possible

PIECE = re.compile(r"([A-Za-z]+?)([123])(?:N|E|S|W|up)@-?[0-9]+/-?[0-9]+")


def test_no_scenario_has_more_pieces_than_there_are():
    for case in own_cases():
        kinds = Counter(
            found.groups()
            for piece in case.given.get("pieces", [])
            if (found := PIECE.fullmatch(piece))
        )
        assert sum(kinds.values()) == len(case.given.get("pieces", [])), case.id
        assert max(kinds.values(), default=0) <= 5, case.id


# ---------------------------------------------------------------------------- switches and settings


def chosen_in(case: Case) -> tuple[str, str, Any]:
    """The one switch or setting of a case: under which key it stands, its name, and the value."""
    key = "switches" if "switches" in case.given else "settings"
    ((name, value),) = case.given[key].items()
    return key, name, value


def others(name: str, value: Any) -> list[Any]:
    """What else a switch can be, or what a setting is if nobody changes it."""
    setting = next(s for s in program().settings if s.name == name)
    return (
        [option for option in setting.options if option != value]
        if setting.options
        else [setting.value]
    )


@pytest.mark.parametrize("name", ["switches.yaml", "settings.yaml"])
def test_each_case_holds_under_its_own_option_only(name: str):
    for case in cases_of(PACK / "scenarios" / name):
        key, switch, value = chosen_in(case)
        for other in others(switch, value):
            lot = {"dice": [2]} if other == "by_lot" else {}  # which of the players chance takes
            changed = replace(case, given={**case.given, key: {switch: other}, **lot})
            result = run_cases(program(), [changed]).results[0]
            assert result.status == FAILED, f"{case.id} holds under {other} as well"
            assert "not understood" not in result.message, (
                f"{case.id} under {other}: {result.message}"
            )


def test_every_option_of_every_switch_is_proved():
    proved = {chosen_in(case)[1:] for case in cases_of(PACK / "scenarios" / "switches.yaml")}
    wanted = {(s.name, option) for s in program().settings for option in s.options}
    assert len(wanted) > 50
    assert sorted(wanted - proved) == []


def test_every_setting_is_proved_with_another_value():
    proved = {chosen_in(case)[1] for case in cases_of(PACK / "scenarios" / "settings.yaml")}
    wanted = {s.name for s in program().settings if not s.options}
    assert len(wanted) > 10
    assert sorted(wanted - proved) == []


# ---------------------------------------------------------------------------------- false runners


def run_with(monkeypatch: pytest.MonkeyPatch, play_step: Any, cases: list[Case]) -> Results:
    monkeypatch.setattr(runner, "play_step", play_step)
    return run_cases(program(), cases, reviewed_reasons(PACK))


@pytest.mark.parametrize("reason", ["because", "it is not on offer here", ""])
def test_a_runner_that_refuses_everything_fails(monkeypatch: pytest.MonkeyPatch, reason: str):
    cases = [case for case in own_cases() if case.steps][:: 1 if reason == "because" else 8]
    results = run_with(
        monkeypatch, lambda notation, table, step: (None, NamedReason(reason)), cases
    )
    assert [r.case.id for r in results.results if r.status == PASSED] == []


@needs_ledger
def test_it_fails_on_the_ledger_too(monkeypatch: pytest.MonkeyPatch):
    cases = [case for case in cases_of(LEDGER) if case.steps]
    results = run_with(
        monkeypatch, lambda notation, table, step: (None, NamedReason("because")), cases
    )
    assert [r.case.id for r in results.results if r.status == PASSED] == []


def test_a_runner_that_accepts_everything_fails(monkeypatch: pytest.MonkeyPatch):
    cases = [case for case in own_cases() if case.steps]
    results = run_with(monkeypatch, lambda notation, table, step: (table, ""), cases)
    passed = {r.case.id for r in results.results if r.status == PASSED}
    assert passed & {case.id for case in cases if case.then.get("legal") is False} == set()
    # What is left are cases that claim that nothing changes: a turn that passes, a power left
    # unused.
    assert len(passed) < len(cases) / 20, sorted(passed)


# ---------------------------------------------------------------------------------- broken rules

# In a file of the rules a text is replaced, and then scenarios fail, these among them.
BREAKS: Mapping[str, tuple[str, str, str, tuple[str, ...]]] = {
    "no limit of pieces where one is created": (
        "powers.yaml",
        "and allowed crowding(target)\n            and supplied(me, step)",
        "and supplied(me, step)",
        ("gnostica.create.limit", "gnostica.create.wasteland-piece", "gnostica.temperance.limit"),
    ),
    "a Move may end in the void": (
        "powers.yaml",
        "allowed footing(ahead(space(piece), way, distance))\n        and ",
        "",
        ("gnostica.move.end-void", "gnostica.emperor.void", "gnostica.moon.no-void"),
    ),
    "enemies may be turned": (
        "powers.yaml",
        "on_board(piece) and owner(piece) = me:\n        choose orient",
        "on_board(piece) and owner(piece) != me:\n        choose orient",
        ("gnostica.move.enemy-orient", "gnostica.orient.enemy-general", "gnostica.move.own-orient"),
    ),
    "a played card stays in the hand": (
        "flow.yaml",
        "    step pay: discard(card)\n    add card to resolving\n",
        "    add card to resolving\n",
        (
            "gnostica.turn.play",
            "gnostica.piles.played-card",
            "gnostica.piles.played-card-unavailable",
        ),
    ),
    "affected pieces do not act": (
        "triggers.yaml",
        "    if on_board(piece): add piece to minions\n",
        "    stop\n",
        ("gnostica.minions.affected", "gnostica.minions.created"),
    ),
    "enough points are not enough": (
        "flow.yaml",
        "if points >= goal:",
        "if points > goal:",
        ("gnostica.last.win",),
    ),
    "the Chariot's second Move may end anywhere": (
        "fusions.yaml",
        "        use move_on(piece)\n",
        "        ignoring crowding:\n            use move_on(piece)\n",
        ("the-second-move-cannot-end-on-a-full-space",),
    ),
    "the last one to take a bid is the first": (
        "flow.yaml",
        "        set taker = seat_before(taker)\n",
        "        set taker = seat_after(taker)\n",
        ("counterclockwise-from-the-winners-right", "the-player-to-the-winners-right-takes-first"),
    ),
    "cards being carried out are shuffled in": (
        "powers.yaml",
        "        recycle(resolving)",
        "        recycle([])",
        ("the-fool-reshuffles-an-empty-pile-when-it-must",),
    ),
    "contested territories count": (
        "rules.yaml",
        'is: "on_space(player, spot) and every(piece: pieces(at: spot) where owner(piece) = player)"',
        'is: "on_space(player, spot)"',
        ("gnostica.score.contested",),
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_rule_is_noticed(name: str, tmp_path: Path):
    file, old, new, caught = BREAKS[name]
    folder = tmp_path / "gnostica"
    shutil.copytree(PACK, folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file} has {text.count(old)} of this text"
    (folder / file).write_text(text.replace(old, new), encoding="utf-8", newline="\n")
    cases = [case for case in own_cases() if case.id in caught]
    assert len(cases) == len(caught)
    results = run_cases(compiled(folder), cases)
    assert [r.case.id for r in results.results if r.status != FAILED] == []


# ---------------------------------------------------------------------------------- for ever


def test_a_hundred_rounds_of_passing_are_no_end():
    round_ = [{"option": "draw", "take": 0}, {"end": "turn"}] * 2
    case = Case(
        id="passing",
        clauses=("gnostica.driver.no-turn-limit",),
        given={"pieces": ["A1N@0/0", "B1N@1/1"]},
        steps=tuple(round_ * 100),
        then={"turn": "A", "winner": None, "drawn": False},
        path="",
        line=1,
    )
    assert failures(run_cases(program(), [case])) == []
