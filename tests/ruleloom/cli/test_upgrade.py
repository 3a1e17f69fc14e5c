"""`ruleloom upgrade`: what it shows, asks and writes, and the way back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ruleloom.cli import replay, upgrade
from ruleloom.cli.play.saved_games import KeptGame, kept_games
from ruleloom.runtime.play.game import moments
from tests.support.pack_examples import manifest, write
from tests.support.quarrel_table import QUARREL, ruleloom

ANSWERS = "1\n1\n1\n3\n\n\n"


@pytest.fixture
def table(tmp_path, monkeypatch):
    """A folder with the quarrel and a game of it in play."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(QUARREL / "game", "quarrel")
    done = ruleloom(
        "play",
        "quarrel",
        "--players",
        "Ann=human,Bo=human",
        "--seed",
        "4",
        "--save",
        "g.save",
        typed=ANSWERS,
    )
    assert "Who strikes?" in done.out
    return tmp_path


def rewrite(name: str, old: str, new: str, version: str = "1.1.0") -> None:
    """Change a file of the pack, and its version."""
    for file, was, now in (
        (name, old, new),
        ("pack.yaml", "version: 1.0.0", f"version: {version}"),
    ):
        path = Path("quarrel") / file
        text = path.read_text(encoding="utf-8")
        assert was in text
        path.write_text(text.replace(was, now), encoding="utf-8")


def harder():
    rewrite("heroes.yaml", "title: Ann the Bold, skill: 3", "title: Ann the Bold, skill: 5")


def narrower():
    rewrite(
        "vocabulary.yaml",
        "breath: {type: Int, initial: 20, min: 0, max: 40}",
        "breath: {type: Int, initial: 9, min: 0, max: 9}",
    )


def test_the_same_version_is_told_and_nothing_is_written(table):
    before = (table / "g.save").read_bytes()
    done = ruleloom("upgrade", "g.save", "quarrel")
    assert (done.code, done.out) == (0, "g.save plays by this very version already\n")
    assert (table / "g.save").read_bytes() == before


def test_what_changes_is_shown_per_person_and_a_dry_run_writes_nothing(table):
    harder()
    before = (table / "g.save").read_bytes()
    done = ruleloom("upgrade", "g.save", "quarrel", "--dry-run")
    assert done.code == 0, done.err
    assert "quarrel 1.0.0 -> 1.1.0" in done.out
    assert "numbers that change\n  Ann the Bold\n    the force of Ann the Bold  3 -> 5" in done.out
    assert (table / "g.save").read_bytes() == before
    assert sorted(one.name for one in table.iterdir()) == ["g.save", "quarrel"]


def test_it_goes_on_and_back_byte_for_byte(table):
    harder()
    before = (table / "g.save").read_bytes()
    done = ruleloom("upgrade", "g.save", "quarrel", "--yes")
    assert done.code == 0, done.err
    assert "g.save goes on by the new version\n  as it was: g.save~;" in done.out
    assert (table / "g.save~").read_bytes() == before
    assert (table / "g.save").read_bytes().startswith(before)
    assert (
        "verified: 6 answers across 1 upgrade lead to"
        in ruleloom("replay", "g.save", "--verify").out
    )
    log = ruleloom("replay", "g.save").out
    assert "from here on the rules are other ones: quarrel 1.0.0 -> 1.1.0" in log
    assert log.index("strikes") < log.index("from here on")
    played = ruleloom("play", "--resume", "g.save", typed="1\n1\n3\n")
    assert played.code == 0, played.err
    on = (table / "g.save").read_bytes()
    assert on != before
    back = ruleloom("upgrade", "--back", "g.save")
    assert back.code == 0, back.err
    assert "g.save is as it was before its last upgrade" in back.out
    assert (table / "g.save").read_bytes() == before
    assert (table / "g.save~2").read_bytes() == on
    never = ruleloom("upgrade", "--back", "g.save")
    assert (never.code, never.err.splitlines()[0]) == (2, "ruleloom: g.save was never upgraded")


def test_a_part_before_an_upgrade_is_verified_too(table, monkeypatch):
    harder()
    ruleloom("upgrade", "g.save", "quarrel", "--yes")
    monkeypatch.setattr(
        replay, "moments", lambda part: list(moments(part))[: 0 if part.seam is None else None]
    )
    done = ruleloom("replay", "g.save", "--verify")
    assert done.code == 1
    assert done.out == "differs: 6 answers in part 1 of 2 lead to another position\n"


def test_nobody_is_asked_where_nobody_types(table):
    harder()
    done = ruleloom("upgrade", "g.save", "quarrel")
    assert done.code == 2
    assert "nobody is asked here whether to go on" in done.err
    assert "--yes" in done.err


def test_at_a_terminal_it_asks(table, monkeypatch):
    harder()
    monkeypatch.setattr(upgrade, "is_asked", lambda: True)
    before = (table / "g.save").read_bytes()
    no = ruleloom("upgrade", "g.save", "quarrel", typed="n\n")
    assert (no.code, no.err) == (1, "nothing was changed\n")
    assert (table / "g.save").read_bytes() == before
    assert ruleloom("upgrade", "g.save", "quarrel", typed="y\n").code == 0
    assert (table / "g.save").read_bytes() != before


def test_what_is_set_aside_needs_a_word_that_stands_in_the_save(table, monkeypatch):
    narrower()
    done = ruleloom("upgrade", "g.save", "quarrel", "--yes")
    assert done.code == 2
    assert "3 things would be set aside, and nobody has said that they may be" in done.err
    assert "breath of Ann the Bold, 20: the most is 9 in the new version" in done.out
    monkeypatch.setattr(upgrade, "is_asked", lambda: True)
    assert ruleloom("upgrade", "g.save", "quarrel", typed="\n").code == 1
    assert ruleloom("upgrade", "g.save", "quarrel", typed="we are all tired\n").code == 0
    assert '"agreed":"we are all tired"' in (table / "g.save").read_text(encoding="utf-8")


def test_a_setting_that_was_chosen_stays_chosen_under_its_new_name(table):
    chosen = ("--players", "Ann=human,Bo=human", "--seed", "4", "--set", "purse=30")
    ruleloom("play", "quarrel", *chosen, "--save", "rich.save", typed=ANSWERS)
    rewrite("prices.yaml", "id: purse,", "id: pocket-money, renamed_from: purse,")
    done = ruleloom("upgrade", "rich.save", "quarrel", "--yes")
    assert done.code == 0, done.err
    assert "set aside" not in done.out
    lines = map(json.loads, Path("rich.save").read_text(encoding="utf-8").splitlines())
    assert [x["settings"].get("pocket_money") for x in lines if "settings" in x] == [None, 30]


def test_a_card_that_meets_a_namesake_is_still_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for pack in ("house", "mill"):
        ruleloom("new", "pack", pack, "--game", "gnostica")
        ruleloom("new", "major", "glow", "--in", pack)
    played = ("gnostica", "house", "--players", "greedy,greedy", "--seed", "5", "--turn-limit", "2")
    ruleloom("play", *played, "--save", "g.save")
    done = ruleloom("upgrade", "g.save", "house", "mill", "--yes")
    assert done.code == 0, done.err
    assert "house:major/glow -> house:major/house__glow" in done.out
    assert "set aside" not in done.out
    assert ruleloom("replay", "g.save", "--verify").code == 0


def test_another_file_leaves_the_save_as_it_is(table):
    harder()
    before = (table / "g.save").read_bytes()
    assert ruleloom("upgrade", "g.save", "quarrel", "--yes", "-o", "new.save").code == 0
    assert (table / "g.save").read_bytes() == before
    assert (table / "new.save").read_bytes().startswith(before)
    again = ruleloom("upgrade", "g.save", "quarrel", "--yes", "-o", "new.save")
    assert again.code == 2


def test_in_the_middle_of_what_is_another_program_it_waits(table):
    ruleloom("play", "--resume", "g.save", typed="1\n")
    rewrite("rules.yaml", "roll luck = 1d6", "roll luck = 1d8")
    done = ruleloom("upgrade", "g.save", "quarrel", "--yes")
    assert done.code == 1
    told = " ".join(done.out.split())
    assert (
        "`quarrel:flow/turn` is under way, and reads otherwise in the new version; play on until"
        in told
    )
    assert "the open question is `How hard?`" in told


def test_the_report_is_data_too(table):
    narrower()
    done = ruleloom("upgrade", "g.save", "quarrel", "--set-aside", "tired", "--format", "json")
    found = json.loads(done.out)
    assert done.code == 0, done.err
    assert found["versions"] == ["quarrel 1.0.0 -> 1.1.0"]
    assert {one["of"] for one in found["aside"]} == {"Ann the Bold", "Bo", "Cy"}
    assert "goes on by the new version" in done.err


def test_a_pack_that_is_not_here_is_told(table):
    shutil.move("quarrel", "elsewhere")
    done = ruleloom("upgrade", "g.save")
    assert done.code == 2
    assert "not all here: name the folder or zip of each that is not (quarrel)" in done.err


def test_a_pack_with_mistakes_is_told_with_its_findings(table):
    rewrite("rules.yaml", "roll luck = 1d6", "roll luck = nothing")
    done = ruleloom("upgrade", "g.save", "quarrel")
    assert done.code == 1
    assert "rules.yaml:" in done.out
    assert "error[" in done.out


def test_a_damaged_save_is_not_upgraded(table):
    harder()
    text = (table / "g.save").read_text(encoding="utf-8")
    (table / "g.save").write_text(text[:-9], encoding="utf-8")
    done = ruleloom("upgrade", "g.save", "quarrel", "--yes")
    assert done.code == 2
    assert "can be recovered" in done.err


def test_a_kept_game_is_listed_with_its_answers(table, monkeypatch):
    harder()
    monkeypatch.setenv("RULELOOM_GAMES", str(table))
    (before,) = kept_games()
    ruleloom("upgrade", "g.save", "quarrel", "--yes", "-o", "new.save")
    assert isinstance(before, KeptGame)
    assert [one.answers for one in kept_games()] == [before.answers] * 2


IMPS = """\
- {kind: hero, id: imp, title: The Imp, skill: 2}
- kind: extension
  id: luck
  extends: {Hero: {fields: {luck: {type: Int, initial: 3, min: 0, max: 9, at_table: true}}}}
- {kind: scene, id: den, title: The Den, heroes: [ann, cy, imp]}
"""


def add_pack(id: str, text: str, *lines: str) -> None:
    """Write a pack for the quarrel into this folder."""
    write(
        Path(), {f"{id}/pack.yaml": manifest(id, *lines, game="quarrel"), f"{id}/items.yaml": text}
    )


def with_imps() -> None:
    """A game in which the Imp has been struck."""
    add_pack("imps", IMPS)
    seats = ("--players", "Ann=human,Bo=human", "--seed", "4", "--save", "i.save")
    done = ruleloom("play", "quarrel", "imps", *seats, typed="2\n1\n2\n3\n\n")
    assert "Ann the Bold strikes The Imp" in done.out


def test_a_pack_comes_into_a_game_and_leaves_it_again(table):
    before = (table / "g.save").read_bytes()
    add_pack("imps", IMPS)
    done = ruleloom("upgrade", "g.save", "quarrel", "--with", "imps", "--yes")
    assert done.code == 0, done.err
    assert "  imps is new" in done.out
    assert "luck of heroes: 3" in done.out
    shutil.move("imps", "elsewhere")  # a pack that leaves need not be there
    done = ruleloom("upgrade", "g.save", "quarrel", "--without", "imps", "--yes")
    assert done.code == 0, done.err
    assert "  imps is gone" in done.out
    assert "set aside" not in done.out  # nothing has happened to what it brought
    for _ in range(2):
        assert ruleloom("upgrade", "--back", "g.save").code == 0
    assert (table / "g.save").read_bytes() == before


def test_what_a_pack_that_leaves_has_brought_is_set_aside(table):
    with_imps()
    away = ("upgrade", "i.save", "quarrel", "--without", "imps")
    done = ruleloom(*away, "--yes")
    assert done.code == 2
    assert "would be set aside, and nobody has said that they may be" in done.err
    done = ruleloom(*away, "--set-aside", "no more imps")
    assert done.code == 0, done.err
    assert "the hero The Imp, breath" in done.out
    assert '"agreed":"no more imps"' in (table / "i.save").read_text(encoding="utf-8")
    assert ruleloom("replay", "i.save", "--verify").code == 0


def test_what_cannot_come_or_leave_is_told(table):
    add_pack("imps", IMPS)
    add_pack("friends", "- {kind: hero, id: sprite, title: Sprite}\n", 'requires: {imps: "*"}')
    ruleloom("upgrade", "g.save", "quarrel", "imps", "friends", "--yes")
    told = {
        ("--without", "quarrel"): "`quarrel` is the game itself",
        ("--without", "gnomes"): "`gnomes` is no pack of this game, which has `friends` and `imps`",
        ("imps", "--without", "imps"): "`imps` is to leave, and is named among those that stay",
        ("friends", "--with", "imps"): "`imps` is a pack of this game already",
        ("friends", "--with", "nowhere"): "there is no pack `nowhere` here",
    }  # fmt: skip
    for words, message in told.items():
        done = ruleloom("upgrade", "g.save", "quarrel", *words, "--yes")
        assert (done.code, message in done.err) == (2, True), (words, done.err)


def test_a_pack_that_another_requires_leaves_only_with_it(table):
    add_pack("imps", IMPS)
    add_pack("friends", "- {kind: hero, id: sprite, title: Sprite}\n", 'requires: {imps: "*"}')
    ruleloom("upgrade", "g.save", "quarrel", "imps", "friends", "--yes")
    done = ruleloom("upgrade", "g.save", "quarrel", "friends", "--without", "imps", "--yes")
    assert (done.code, "the pack `imps` is required" in done.out) == (1, True)
    away = ("--without", "imps", "--without", "friends", "--yes")
    assert ruleloom("upgrade", "g.save", "quarrel", *away).code == 0


def test_a_kept_pack_that_another_requires_leaves_only_with_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    card = "- {kind: major, id: barge, title: Barge, number: 70, effect: use orient_minion}\n"
    files = {
        "inn/pack.yaml": manifest("inn", "licence: CC0-1.0", game="gnostica"),
        "inn/a.yaml": card,
    }
    needs = 'requires: {inn: "*"}'
    write(Path(), {**files, "mine/house/pack.yaml": manifest("house", needs, game="gnostica")})
    monkeypatch.chdir("mine")
    assert ruleloom("add", "../inn", "--yes").code == 0
    seats = ("--players", "random,random", "--seed", "3", "--turn-limit", "1", "--save", "g.save")
    assert ruleloom("play", "gnostica", "house", *seats).code == 0
    done = ruleloom("upgrade", "g.save", "house", "--without", "inn", "--dry-run")
    assert done.code == 2
    assert "`house` requires `inn`, which can only leave with it" in done.err


def test_a_namesake_in_a_pack_that_comes_is_not_taken_for_that_of_one_that_leaves(table):
    with_imps()
    add_pack("gnomes", "- {kind: hero, id: imp, title: Another Imp}\n")
    change = ("--with", "gnomes", "--without", "imps", "--set-aside", "so")
    done = ruleloom("upgrade", "i.save", "quarrel", *change)
    assert done.code == 0, done.err
    assert "the hero The Imp, breath" in done.out
    assert ruleloom("replay", "i.save", "--verify").code == 0
