"""`ruleloom test` of several packs: each by itself, then all together, and who is to blame.

The game is a market whose price is a setting, `rate`. A baker's loaf costs that much; other packs
change it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from junitparser import JUnitXml

from tests.support.command import call
from tests.support.pack_examples import manifest

Write = Callable[[Mapping[str, str]], Path]

GAME = """\
- kind: vocabulary
  game: market
  entities:
    Player:
      noun: [player, players]
      max: 4
      fields: {purse: {type: Int, min: 0, max: 99, initial: 10}}
  scope:
    me: {type: Player, life: game, english: you}
    price: {type: Int, life: game, initial: "2", english: the price}
- {kind: setting, id: least_players, value: 2, min: 2, max: 4, english: the fewest players}
- {kind: setting, id: rate, value: 2, min: 1, max: 9, english: what everything costs}
- {kind: setting, id: tax, value: 2, min: 1, max: 9, english: what is due}
- {kind: flow, id: set_up, effect: set price = tax}
- {kind: flow, id: turn, effect: 'finish drawn "the market closes"'}
"""
CASE = (
    "kind: scenarios\ncases:\n- {{id: {id}, when: [{{do: {do}}}], then: {{numbers: {{price: "
    "{price}}}}}}}\n"
)
POWER = "- kind: power\n  id: {id}\n  gloss: pay\n  effect: |\n    {effect}\n"


def pack(id: str, *lines: str, **texts: str) -> dict[str, str]:
    return {f"{id}/pack.yaml": manifest(id, *lines, game="market")} | {
        f"{id}/{name}.yaml": text for name, text in texts.items()
    }


def patch(id: str, change: str, target: str = "market:setting/rate") -> str:
    return f"kind: patch\nid: {id}\ntarget: {target}\n{change}\n"


MARKET = pack(
    "market", game=GAME, cases=CASE.format(id="it-is-two", do="set price = rate", price=2)
)
LOAF = POWER.format(id="loaf", effect="if rate > 3: set price = 9\n    else: set price = 1")
BAKER = pack("baker", cards=LOAF, cases=CASE.format(id="a-loaf-is-cheap", do="use loaf", price=1))
THIEF = pack("thief", more=patch("more", "set: {value: 5}"))
CLERK = pack("clerk", tax=patch("tax", "set: {value: 3}", "market:setting/tax"))
FAN = pack(
    "fan", 'requires: {thief: "*"}', tax=patch("fan-tax", "add: {value: 1}", "market:setting/tax")
)


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write_files: Write) -> Write:
    """A function that writes packs into the present folder."""
    monkeypatch.chdir(tmp_path)
    return write_files


def lines(*words: str) -> tuple[int, list[str]]:
    done = call("test", *words)
    return done.code, done.out.splitlines()


BROKEN = (
    "baker/cases.yaml:3: FAILED a-loaf-is-cheap: passes without {}, which {} it: price: wanted 1, "
    "found 9"
)


def test_the_pack_that_breaks_another_is_named(write: Write):
    write(MARKET | BAKER | THIEF | CLERK)
    assert lines("market", "baker", "clerk")[0] == 0
    code, out = lines("market", "baker", "thief", "clerk")
    assert code == 1
    assert BROKEN.format("`thief`", "breaks") in out
    assert "1 passed" not in out[-1]
    assert (
        "market/cases.yaml:3: FAILED it-is-two: passes without `thief`, which breaks it: price: "
        "wanted 2, found 5" in out
    )


def test_who_builds_on_the_one_to_blame_is_not_to_blame(write: Write):
    write(MARKET | BAKER | THIEF | FAN)
    assert BROKEN.format("`thief`", "breaks") in lines("market", "fan", "baker", "thief")[1]


def test_two_that_each_break_it_are_both_named(write: Write):
    write(
        MARKET
        | BAKER
        | THIEF
        | pack("miser", 'requires: {market: "*"}', more=patch("same", "set: {value: 5}"))
    )
    assert (
        BROKEN.format("`miser` and `thief`", "break")
        in lines("market", "baker", "miser", "thief")[1]
    )


def test_two_that_break_it_only_together_are_named_so(write: Write):
    ones = {id: pack(id, more=patch(f"{id}-more", "add: {value: 1}")) for id in ("ann", "bob")}
    write(MARKET | BAKER | CLERK | ones["ann"] | ones["bob"])
    assert lines("market", "baker", "ann", "clerk")[1][-1] == "1 passed, 1 failed, 0 not executable"
    told = BROKEN.format("`ann` and `bob`", "together break")
    assert told in lines("market", "baker", "ann", "bob", "clerk")[1]


def test_a_case_that_fails_by_itself_is_nobody_elses_fault(write: Write):
    cases = CASE.format(id="a-loaf-is-dear", do="use loaf", price=9)
    write(MARKET | pack("baker", cards=LOAF, cases=cases) | THIEF)
    assert (
        "baker/cases.yaml:3: FAILED a-loaf-is-dear: price: wanted 9, found 1"
        in lines("market", "baker", "thief")[1]
    )


def test_in_a_folder_of_packs_the_game_is_not_asked_to_survive(write: Write):
    write({f"all/{name}": text for name, text in (MARKET | BAKER | THIEF).items()})
    code, out = lines("all")
    assert code == 1
    assert f"all/{BROKEN.format('`thief`', 'breaks')}" in out
    assert not [line for line in out if "it-is-two" in line]
    assert [line for line in lines("all", "all/market")[1] if "it-is-two" in line]


def test_a_pack_may_need_another_that_is_named(write: Write):
    write(
        MARKET
        | BAKER
        | pack(
            "guild", 'requires: {baker: "*"}', cases=CASE.format(id="bread", do="use loaf", price=1)
        )
    )
    code, out = lines("guild", "baker", "market")
    assert (code, out[-1]) == (0, "3 passed, 0 failed, 0 not executable")


def test_every_form_names_the_pack(write: Write):
    write(MARKET | BAKER | THIEF)
    words = ("test", "market", "baker", "thief", "--format")
    cases = {case["id"]: case for case in json.loads(call(*words, "json").out)["cases"]}
    assert cases["a-loaf-is-cheap"]["broken_by"] == ["thief"]
    (suite,) = JUnitXml.fromstring(call(*words, "junit").out.encode())
    assert [case.name for case in suite if case.result] == ["it-is-two", "a-loaf-is-cheap"]
    annotations = call(*words, "github").out.splitlines()
    told = "passes without `thief`, which breaks it: price: wanted 1, found 9"
    assert f"::error file=baker/cases.yaml,line=3,title=a-loaf-is-cheap::{told}" in annotations
    assert (
        f"baker/cases.yaml:3: FAILED a-loaf-is-cheap: {told}"
        in call(*words, "concise").out.splitlines()
    )


def test_a_pack_without_cases_is_company_and_a_file_without_is_told(write: Write):
    write(MARKET | BAKER | CLERK)
    assert lines("market", "clerk")[0] == 0
    assert "no-scenarios" in call("test", "market", "clerk/tax.yaml").out
    assert "no-scenarios" in call("test", "clerk", "market/game.yaml").out


# --------------------------------------------------------------- packs that do not compile together

GIFT = POWER.format(id="gift", effect="use loaf")
AWAY = patch("no-loaf", "disable: true", "baker:power/loaf")


def test_packs_that_do_not_compile_together_are_named(write: Write):
    eve = pack("eve", 'requires: {baker: "*"}', away=AWAY)
    guild = pack(
        "guild",
        'requires: {baker: "*"}',
        gift=GIFT,
        cases=CASE.format(id="gift", do="use gift", price=1),
    )
    write(MARKET | BAKER | CLERK | eve | guild)
    done = call("test", "market", "baker", "guild", "clerk", "eve")
    assert done.code == 1
    assert (
        "error[packs-apart]: `guild` and `eve` compile each by itself, but not together" in done.out
    )
    assert done.out.count("packs-apart") == 1
    assert "guild/gift.yaml:5:9: error[" in done.out


def test_packs_of_a_folder_that_do_not_go_together_are_played_by_themselves(write: Write):
    ones = {
        id: pack(id, more=patch(f"{id}-more", f"set: {{value: {value}}}"))
        for id, value in (("ann", 4), ("bob", 5))
    }
    files = MARKET | BAKER | ones["ann"] | ones["bob"]
    write({f"all/{name}": text for name, text in files.items()})
    done = call("test", "all")
    assert done.out.splitlines()[-1] == "2 passed, 0 failed, 0 not executable"
    assert "`ann`, `baker`, `bob` and `market` do not go together" in done.err
    assert call("test", "all/market", "all/ann", "all/bob").code == 1


def test_a_card_of_a_stranger_with_the_same_name_breaks_no_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    for name in ("house", "mill"):
        call("new", "pack", name, "--game", "gnostica")
        call("new", "major", "glow", "--in", name)
    done = call("test", "house", "mill")
    assert done.code == 0, done.out
    assert "6 passed, 0 failed" in done.out
