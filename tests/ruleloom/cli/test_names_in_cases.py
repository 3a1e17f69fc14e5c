"""`ruleloom fmt --names`: claims of cases on words of the packs below are told, and made by names."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import call

HEAD = "{kind: pack, id: weather, version: 1.0.0, game: gnostica, edition: 1}\n"
WAYS = """\
- kind: way
  id: a-storm
  to: turn_menu
  label: "a storm breaks"
  effect: |
    choose one "How bad?":
        "bad":
            say "thunder rolls"
        "worse":
            say "lightning strikes"
    optional "see to the hurt":
        say "all are well"
"""
CASES = """\
# What the sky says.
kind: scenarios
cases:
  - id: storms
    given: {made: {Piece: {one: {owner: A, pips: 1, facing: N, space: 0/0}}}}
    when:
      - {do: use take_option(yes), answers: {"What do you do this turn?":   a storm breaks, "How bad?": bad, see to the hurt: yes}}  # the menu
    then: {log: [thunder rolls]}
"""


def put(folder: Path) -> Path:
    folder.mkdir()
    for name, text in (("pack", HEAD), ("ways", WAYS), ("cases", CASES)):
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder


def test_questions_of_the_game_get_their_names_and_nothing_else_changes(tmp_path: Path):
    pack = put(tmp_path / "weather")
    told = call("fmt", "--names", "--check", pack)
    assert told.code == 1
    rows = [row for row in told.out.splitlines() if "words-may-change" in row]
    assert len(rows) == 1
    assert "cases.yaml:7:46: words-may-change: `What do you do this turn?`" in rows[0]
    assert "its name is `turn_menu`" in rows[0]
    assert (pack / "cases.yaml").read_text(encoding="utf-8") == CASES
    assert call("fmt", "--names", pack).code == 0
    named = (pack / "cases.yaml").read_text(encoding="utf-8")
    assert named == CASES.replace('"What do you do this turn?"', "turn_menu")
    assert call("fmt", "--names", "--check", pack).code == 0
    assert "1 passed" in call("test", pack).out
