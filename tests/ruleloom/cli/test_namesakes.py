"""Each verb on two packs of strangers that call things the same, by names with and without the pack."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest, write

ITEMS = """\
- kind: major
  id: glow
  title: Glow
  number: {number}
  effect: |
    roll luck = 1d6
    if luck > warmth: use {power}
- {{kind: setting, id: warmth, value: {value}, min: 0, max: 9, english: the warmth of the {id}}}
- {{kind: measure, id: heat, gives: Int, is: warmth + 1, english: the heat}}
- {{kind: rule, id: hot, holds: heat > 3, english: it is hot}}
- {{kind: standing, id: fire, for: Player, abilities: 'when before turn() where hot: say "hot"'}}
- kind: random-table
  id: omen
  title: Omen
  dice: 1d6
  rows:
    1-3: "a crow of the {id}"
    4-6: "a cat of the {id}"
"""
PACKS = {"house": (40, 2, "create"), "mill": (41, 4, "orient_minion")}
TABLE = "- {kind: patch, id: warmer, target: 'house:setting/warmth', set: {value: 3}}\n"


@pytest.fixture(autouse=True)
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = {}
    for id, (number, value, power) in PACKS.items():
        files[f"{id}/pack.yaml"] = manifest(id, f"title: The {id.title()}", game="gnostica")
        files[f"{id}/items.yaml"] = ITEMS.format(id=id, number=number, value=value, power=power)
    needs = 'requires: {house: "*", mill: "*"}'
    files["table/pack.yaml"] = manifest("table", needs, game="gnostica")
    files["table/items.yaml"] = TABLE
    write(tmp_path, files)


# What is typed, and what is told; the exit code is 2 where a help is told.
TOLD = {
    "explain, with its pack": ("explain house__warmth --pack house --pack mill", "The warmth of the house: 2."),
    "explain, without": ("explain warmth --pack house --pack mill", "mill:setting/mill__warmth"),
    "explain, of one": ("explain house__warmth --pack house", "house:setting/warmth"),
    "why, with its pack": ("why house house__heat --pack mill", "the heat = 3"),
    "why, without": ("why house heat --pack mill", "write `house__heat` or `mill__heat`"),
    "why, of one": ("why house house__heat", "the heat = 3"),
    "why, a field": ("why table house:setting/warmth.value --pack house --pack mill", "table:patch/warmer"),
    "roll, with its pack": ("roll house__omen gnostica house mill --seed 3", "of the house"),
    "roll, without": ("roll omen gnostica house mill", "write `house__omen` or `mill__omen`"),
    "roll, of one": ("roll mill__omen gnostica mill", "of the mill"),
    "odds of a table": ("odds gnostica house mill mill__omen", "of the mill"),
    "odds, without": ("odds gnostica house mill omen", "write `house__omen` or `mill__omen`"),
    "cards, with its pack": ("cards gnostica house mill house__glow -o a.svg", "wrote a.svg: 1 card"),
    "cards, without": ("cards gnostica house mill glow -o a.svg", "write `house__glow` or `mill__glow`"),
    "cards, of one": ("cards gnostica house house__glow -o a.svg", "wrote a.svg: 1 card"),
    "api": ("api house", "setting/warmth; min: 0; max: 9; value: 2"),
    "diff": ("diff house mill", "value  2 -> 4"),
    "fmt": ("fmt table house mill --check", "0 files would change"),
    "migrate": ("migrate table --dry-run --pack house --pack mill", "0 files would change, 0 tasks for a person"),
    "play, without": ("play gnostica house mill --players random,random --set warmth=3", "write `house__warmth` or `mill__warmth`"),
}  # fmt: skip


@pytest.mark.parametrize("what", TOLD)
def test_a_verb_knows_names_of_strangers(what: str):
    line, told = TOLD[what]
    done = call(*line.split())
    assert told in done.out + done.err
    assert done.code == (2 if told.startswith("write") else 0), done.err


def test_odds_of_a_text_name_each_and_refuse_what_may_be_either():
    text = ("odds", "gnostica", "house", "mill", "roll luck = 1d6", "--of")
    assert "2/3" in call(*text, "luck > house__warmth").out
    done = call(*text, "luck > warmth")
    assert done.code == 2
    assert "`warmth` may be that of `house` or `mill`" in done.err


def test_a_game_of_both_is_played_counted_verified_and_goes_on_without_one():
    seats = ("gnostica", "house", "mill", "--players", "random,random", "--seed", "3")
    limit = ("--turn-limit", "2", "--set", "house__warmth=3")
    assert call("play", *seats, *limit, "--save", "g.save").code == 0
    assert "verified:" in call("replay", "g.save", "--verify").out
    done = call("upgrade", "g.save", "mill", "--without", "house", "--dry-run")
    assert done.code == 0, done.err
    assert "mill:major/mill__glow -> mill:major/glow" in done.out
    assert "house:major/house__glow" in done.out[done.out.index("items that are gone") :]
    counted = call(
        "simulate", *seats, "--games", "1", "--turn-limit", "2", "--set", "mill__warmth=3"
    )
    assert counted.code == 0, counted.err


def test_the_reference_has_a_page_for_each():
    assert call("docs", "gnostica", "house", "mill", "-o", "site").code == 0
    pages = " ".join(one.read_text(encoding="utf-8") for one in Path("site").rglob("*.html"))
    assert "Glow (The House)" in pages
    assert "Glow (The Mill)" in pages


def test_balance_tries_one_of_the_two():
    few = ("--pack", "house", "--pack", "mill", "--games", "2", "--turn-limit", "1")
    bots = ("--players", "random,random")
    done = call("balance", "gnostica", "house__glow", *few, *bots)
    assert (done.code, "house__glow  " in done.out, "mill__glow" in done.out) == (0, True, False)
    for asked, told in (("glow", "house:major/house__glow"), ("warmth=3", "`mill__warmth`")):
        done = call("balance", "gnostica", asked, *few, *bots)
        assert done.code == 2
        assert told in done.err


TONGUE = """\
- {{kind: advantage, id: silver-tongue, title: Silver Tongue, rating: {rating}, text: "You are heard in {id}."}}
"""


@pytest.mark.parametrize(
    ("asked", "code", "told"),
    [
        ("north__silver-tongue", 0, "gifts: [north__silver-tongue]"),
        ("south__silver-tongue", 0, "gifts: [south__silver-tongue]"),
        ("silver-tongue", 1, "write `north__silver-tongue` or `south__silver-tongue`"),
    ],
)
def test_a_record_is_built_with_one_of_the_two(tmp_path: Path, asked: str, code: int, told: str):
    files = {"answers": f"gifts + {asked}\n"}
    for id, rating in (("north", "I"), ("south", "II")):
        files[f"{id}/pack.yaml"] = manifest(id, f"title: The {id.title()}", game="moonstone")
        files[f"{id}/items.yaml"] = TONGUE.format(id=id, rating=rating)
    write(tmp_path, files)
    done = call("build", "moonstone", "north", "south", "--answers", "answers")
    assert told in done.out + done.err
    assert done.code == code
