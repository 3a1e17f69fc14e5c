"""Which files `ruleloom test` plays, with which game and packs, and what it says of the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import Case
from ruleloom.runtime.program.faults import NamedReason
from ruleloom.scenarios.results import FAILED, PASSED, Result
from tests.support.command import call
from tests.support.inn import CASES, INN
from tests.support.pack_examples import manifest, write


def case(id: str, purse: int, pays: int = 2) -> str:
    """A case in which somebody with a purse of 9 pays, and has this much left."""
    when = f"[{{do: 'pay(me, {pays})'}}]"
    given = "{state: {A: {purse: 9}}}"
    return f"  - {{id: {id}, given: {given}, when: {when}, then: {{numbers: {{A: {{purse: {purse}}}}}}}}}\n"


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, INN | {"inn/cases.yaml": CASES + case("own", 7)})
    return tmp_path


def counts(*words: str) -> tuple[int, int, list[str]]:
    """How many cases passed and failed, and the names of all."""
    done = call("test", *words, "--format", "json")
    found = json.loads(done.out)
    assert (done.code == 0) == (found["failed"] == 0)
    return found["passed"], found["failed"], sorted(one["id"] for one in found["cases"])


def test_packs_are_played_with_the_game_that_is_named(table: Path):
    write(table, {"taxes/pack.yaml": manifest("taxes"), "taxes/cases.yaml": CASES + case("tax", 7)})
    assert counts("taxes", "--game", "inn") == (1, 0, ["tax"])
    write(table, {"loose.yaml": CASES + case("loose", 7)})
    assert counts("taxes", "loose.yaml", "--game", "inn") == (2, 0, ["loose", "tax"])


def test_a_pack_of_another_game_is_refused(table: Path):
    write(table, {"fair/pack.yaml": manifest("fair", game="fair")})
    done = call("test", "fair", "--game", "inn")
    assert done.code == 2
    assert "`fair` is a pack of `fair`" in done.err


def test_a_folder_with_packs_and_loose_cases_runs_both(table: Path):
    write(table, {"more/loose.yaml": CASES + case("loose", 7)})
    assert counts(".", "--game", "inn") == (2, 0, ["loose", "own"])
    write(table, {"more/loose.yaml": CASES + case("loose", 6)})
    assert counts(".", "--game", "inn") == (1, 1, ["loose", "own"])


def test_a_file_that_cannot_be_read_counts_as_failed(table: Path):
    write(table, {"broken.yaml": CASES + "  - {id: a\n", "bytes.yaml": "x"})
    (table / "bytes.yaml").write_bytes(b"\xff\xfe\x00")
    assert counts("broken.yaml", "--game", "inn")[:2] == (0, 1)
    assert counts("bytes.yaml", "--game", "inn")[:2] == (0, 1)


def test_of_a_single_file_nothing_is_said_about_others(table: Path):
    write(table, {"inn/others.yaml": CASES + case("own", 7).replace("state", "stat")})
    done = call("test", "inn/cases.yaml")
    assert (done.code, "others.yaml" in done.out) == (0, False)


def test_a_wrong_case_is_told_once(table: Path):
    write(table, {"inn/cases.yaml": CASES + case("own", 7).replace("do: 'pay", "do: 'pya")})
    done = call("test", "inn")
    assert done.out.count("pya") == 2  # the message, and the line under it
    assert "0 passed, 1 failed" in done.out


@pytest.mark.parametrize(("clauses", "status"), [((), PASSED), (("own",), FAILED)])
def test_only_a_clause_has_the_reason_of_the_case_of_its_name(
    clauses: tuple[str, ...], status: str
):
    one = Case("own", clauses, {}, (), {"legal": False}, "ledger.yaml", 1)
    assert (
        Result.of_refusal(one, NamedReason("it is late"), {"own": {"reason": "too dear"}}).status
        == status
    )


def test_a_case_that_is_like_another_is_played_from_its_table(table: Path):
    like = "  - {id: less, title: A poor guest, like: own, given: {state: {A: {purse: 5}}}, then: {numbers: {A: {purse: %s}}}}\n"
    write(table, {"inn/cases.yaml": CASES + case("own", 7) + like % 3})
    assert counts("inn") == (2, 0, ["less", "own"])
    write(table, {"inn/cases.yaml": CASES + case("own", 7) + like % 7})
    done = call("test", "inn")
    assert "FAILED less (A poor guest): A: purse: wanted 7, found 3" in done.out
    write(table, {"inn/cases.yaml": CASES + case("own", 7) + (like % 3).replace("own", "won")})
    assert counts("inn")[:2] == (1, 1)


def test_a_thing_of_a_case_takes_the_place_of_the_one_that_it_shares(tmp_path: Path):
    given = "{things: {ann: {kind: character, start: {Str: 13}}, bob: {kind: character}}}"
    base = f"  - {{id: base, given: {given}, then: {{numbers: {{ann: {{CV: 2}}}}}}}}\n"
    like = "  - {id: more, like: base, given: {things: {ann: {kind: character, start: {Str: 14}}}}, then: {numbers: {ann: {CV: 4}, bob: {CV: 0}}}}\n"
    write(tmp_path, {"bees/pack.yaml": manifest("bees", game="moonstone")})
    write(tmp_path, {"bees/cases.yaml": CASES + base + like})
    done = call("test", tmp_path / "bees")
    assert "2 passed, 0 failed" in done.out, done.out
