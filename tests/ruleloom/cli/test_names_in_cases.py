"""`ruleloom fmt --names`: claims of cases on words of the packs below are told, and made by names.

`ruleloom check --info` tells the same claims without playing the cases.
"""

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
    assert "no problems" in call("check", "--no-cache", pack).out
    info = call("check", "--info", "--no-cache", "--format", "concise", pack)
    assert (info.code, "1 info" in info.out) == (0, True)
    assert f"{pack}/cases.yaml:7:46: info[words-may-change]: `What do you do" in info.out
    assert call("fmt", "--names", pack).code == 0
    named = (pack / "cases.yaml").read_text(encoding="utf-8")
    assert named == CASES.replace('"What do you do this turn?"', "turn_menu")
    assert call("fmt", "--names", "--check", pack).code == 0
    assert "1 passed" in call("test", pack).out


REASONS = """\
kind: scenarios
cases:
  - id: a-full-space  # of reasons
    given: {pieces: [A1E@0/1, B1N@1/1, B1S@1/1, B2S@1/1], hands: {A: [move2]}}
    when: [{option: play, card: move2}, {power: move, minion: A1E@0/1, piece: self, by: 1}]
    then: {legal: false,   reason: "fewer than 3 pieces"}  # three
  - id: no-territory
    given: {pieces: [A1E@0/1], hands: {A: [move2]}}
    when: [{option: activate, at: 2/2}]
    then: {legal: false,   reason: "you have a piece on"}  # none
  - id: a-card-goes
    given: {zones: {hand: {A: [move2]}}}
    when: [{do: use let_go, answers: {which: move2}}]
    then: {log: ["A discards Move 2",   rustling]}
"""
LET_GO = """\
- kind: power
  id: let-go
  gloss: let a card go
  effect: |
    choose which from hand(me) "Which?"
    discard(which)
    say "a rustling"
"""


def test_reasons_and_operations_get_names_where_they_say_as_much(tmp_path: Path):
    pack = tmp_path / "leaves"
    pack.mkdir()
    head = HEAD.replace("weather", "leaves")
    for name, text in (("pack", head), ("powers", LET_GO), ("cases", REASONS)):
        (pack / f"{name}.yaml").write_text(text, encoding="utf-8")
    told = call("fmt", "--names", "--check", pack)
    assert told.code == 1
    rows = [row.partition("words-may-change: ")[2] for row in told.out.splitlines()]
    assert rows[:3] == [
        "`fewer than 3 pieces` may be worded otherwise; `because: [distance, crowding]` claims it "
        "without its numbers and options",
        "`you have a piece on` may be worded otherwise; its name is `because: on_space`",
        "`A discards Move 2` may be worded otherwise; its name is `{discard: {me: A, card: move2}}`",
    ]
    infos = call("check", "--info", "--no-cache", pack).out
    helps = [one.partition(" help: ")[2] for one in infos.splitlines() if " help: " in one]
    plays = f"`ruleloom fmt --names {pack}/cases.yaml` writes its name, if it has one"
    assert helps == ["it tells a number or options, which no name does", plays, plays]
    assert call("fmt", "--names", pack).code == 0
    named = REASONS.replace('reason: "you have a piece on"', "because: on_space")
    named = named.replace('"A discards Move 2"', "{discard: {me: A, card: move2}}")
    assert (pack / "cases.yaml").read_text(encoding="utf-8") == named
    assert "3 passed" in call("test", pack).out


OWN_REASON = """\
- kind: way
  id: gather
  to: turn_menu
  label: "gather round"
  effect: |
    let many = count(hand)
    ensure many > 4 "{many} in the hand are too few"
    say "gathered"
"""


def test_a_reason_of_one_s_own_with_a_number_is_ones_own(tmp_path: Path):
    case = (
        "kind: scenarios\ncases:\n  - id: too-few\n    given: {hands: {A: [move2]}}\n"
        '    when: [{option: gather}]\n    then: {legal: false, reason: "{}"}\n'
    )
    for name, reason, infos in (("own", "1 in the hand", 0), ("other", "1 of the hand", 1)):
        pack = tmp_path / name
        pack.mkdir()
        for file, text in (
            ("pack", HEAD),
            ("ways", OWN_REASON),
            ("cases", case.replace("{}", reason)),
        ):
            (pack / f"{file}.yaml").write_text(text, encoding="utf-8")
        told = call("check", "--info", "--no-cache", "--format", "concise", pack)
        assert (told.code, told.out.count("words-may-change")) == (0, infos), told.out
