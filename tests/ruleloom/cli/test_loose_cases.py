"""`ruleloom check` looks into the files of cases that `ruleloom test` plays, also in no pack."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import call
from tests.support.pack_examples import manifest, write

SLIP = """\
kind: scenarios
cases:
  - id: {}a-piece
    given: {{peices: [A1E@0/0]}}
    when: []
    then: {{stash: {{A: [4, 5, 5]}}}}
"""
UNKNOWN = ":4:13: error[unknown-name]: `given` has no `peices`"


def checked(path: Path) -> tuple[int, str]:
    done = call("check", path, "--format", "concise")
    return done.code, done.out


def test_cases_beside_packs_are_held_against_the_game_of_these(tmp_path: Path):
    head = manifest("storm", 'requires: {gnostica: ">=1.0,<2"}', game="gnostica")
    write(tmp_path, {"storm/pack.yaml": head, "loose.yaml": SLIP.format("")})
    code, out = checked(tmp_path)
    assert (code, f"loose.yaml{UNKNOWN}" in out) == (1, True)
    assert "checked 2 packs" in out


def test_cases_in_no_pack_are_held_against_the_game_that_they_name(tmp_path: Path):
    write(tmp_path, {"loose.yaml": SLIP.format("gnostica.")})
    for path in (tmp_path, tmp_path / "loose.yaml"):
        code, out = checked(path)
        assert (code, f"loose.yaml{UNKNOWN}" in out) == (1, True)
        assert "no-pack" not in out


def test_cases_that_cannot_be_read_are_told(tmp_path: Path):
    head = manifest("storm", 'requires: {gnostica: ">=1.0,<2"}', game="gnostica")
    broken = "kind: scenarios\ncases:\n  - id: [bad\n"
    write(tmp_path, {"storm/pack.yaml": head, "loose.yaml": broken})
    code, out = checked(tmp_path)
    assert (code, "loose.yaml:3:9: error[unclosed-bracket]" in out) == (1, True)


def test_what_another_program_reads_beside_packs_is_left_alone(tmp_path: Path):
    head = manifest("storm", 'requires: {gnostica: ">=1.0,<2"}', game="gnostica")
    write(tmp_path, {"storm/pack.yaml": head, "site.yml": "theme: &dark {name: !x y}\n"})
    assert checked(tmp_path)[0] == 0


def test_cases_that_name_no_game_are_told(tmp_path: Path):
    write(tmp_path, {"loose.yaml": SLIP.format("")})
    code, out = checked(tmp_path / "loose.yaml")
    assert (code, "error[no-pack]" in out) == (1, True)


def test_a_ledger_of_clauses_is_held_against_its_game_and_a_slip_is_not_played(tmp_path: Path):
    clause = "- id: gnostica.{}\n  kind: data\n  rule: it is so\n  example:\n    given: {{hands: {{A: [{}]}}, pieces: [A1N@0/0]}}\n"
    steps = "    when: [{option: draw, take: 0}]\n    then: {turn: A}\n"
    file = tmp_path / "ledger.yaml"
    file.write_text(
        clause.format("one", "create15") + steps + clause.format("two", "create5") + steps, "utf-8"
    )
    done = call("test", file)
    assert done.code == 1
    assert "ledger.yaml:5:25: error[unknown-name]: there is no card `create15` here" in done.out
    assert "1 passed, 1 failed, 0 not executable" in done.out
