"""The packs under rulesets/examples: checked, played and held to their scenarios.

They are what a modder copies, so they are YAML alone, and what is done to them here is what a
modder may do: break a line and read the message.
"""

from __future__ import annotations

import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ruleloom.api.requirements import with_requirements
from ruleloom.bots.arena import make_bot, play_out
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.games import DRIVERS
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from tests.conftest import ROOT
from tests.laws.gnostica.conserve import Account, refusing
from tests.laws.gnostica.strategies import RandomPlayer
from tests.support.command import call

EXAMPLES = ROOT / "rulesets" / "examples"
RIVER = EXAMPLES / "river-folk"
PACKS = sorted(path.name for path in EXAMPLES.iterdir() if path.is_dir())


@cache
def compiled(pack: str) -> CompileResult:
    return compile_paths([EXAMPLES / pack])


def changed(name: str, file: str, old: str, new: str, folder: Path) -> Path:
    """A copy of an example in which the first `old` of a file is `new`."""
    pack = folder / name
    shutil.copytree(EXAMPLES / name, pack)
    text = (pack / file).read_text(encoding="utf-8")
    assert old in text
    (pack / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    return pack


def linked(players: int = 2) -> Linked:
    program = compiled("river-folk").program
    assert program is not None
    return link_game(program, DRIVERS["gnostica"], ("A", "B", "C", "D")[:players], {})


# ---------------------------------------------------------------------------------- every example


@pytest.mark.parametrize("pack", PACKS)
def test_an_example_is_yaml_alone(pack: str):
    endings = {path.suffix for path in (EXAMPLES / pack).rglob("*") if path.is_file()}
    assert endings == {".yaml"}


@pytest.mark.parametrize("pack", PACKS)
def test_an_example_is_clean(pack: str):
    assert [str(found) for found in compiled(pack).diagnostics] == []


# --------------------------------------------------------------------------- what the River Folk is


def test_it_uses_every_way_to_change_a_game():
    content = compiled("river-folk").content
    assert content is not None
    kinds = {item.kind for item in content.items if item.pack == "river-folk"}
    assert {"major", "fusion", "power", "measure", "trigger", "setting", "patch"} <= kinds
    changed = {id for id, _ in content.history}
    assert {
        "gnostica:major/temperance",
        "gnostica:setting/space_limit",
        "gnostica:flow/turn",
    } <= changed


def test_it_has_eighty_cards():
    program = compiled("river-folk").program
    assert program is not None
    cards = next(entity for entity in program.entities if entity.name == "Card")
    assert len(cards.names) == 80
    assert {"ferryman", "whirlpool"} <= set(cards.names)


# ------------------------------------------------------------------------------ what First Light is


def test_its_people_are_as_its_campaign_requires():
    result = with_requirements(compiled("first-light"))
    assert result.diagnostics == ()
    assert result.program is not None
    chosen = {setting.name: setting.value for setting in result.program.settings}
    assert (chosen["cv_allowance"], chosen["buy_integrities"]) == (45, True)


def test_without_its_settings_its_people_are_not(tmp_path: Path):
    pack = changed(
        "first-light", "pack.yaml", "buy_integrities: true", "buy_integrities: false", tmp_path
    )
    [found] = with_requirements(compile_paths([pack])).diagnostics
    assert (found.code, found.place.path[-11:]) == ("requirement", "people.yaml")
    assert (
        found.message
        == "Old Maren buys or gives up integrities, and this campaign does not have that"
    )


# ------------------------------------------------------------------------ what Salt and Lanterns is


SALT = EXAMPLES / "salt-and-lanterns"


def test_it_holds_one_of_everything_that_a_gm_makes():
    content = compiled("salt-and-lanterns").content
    assert content is not None
    mine = [item for item in content.items if item.pack == "salt-and-lanterns"]
    many = Counter(item.kind for item in mine)
    assert {
        "damage-type",
        "hazard",
        "ability",
        "weapon",
        "armour",
        "bane",
        "pairing",
        "patch",
        "trigger",
    } <= {*many}
    assert (many["character"], many["scene"]) == (4, 2)
    spells = [item.data("cost") for item in mine if item.kind == "spell"]
    assert len(spells) >= 3
    assert 0 in spells


def test_its_people_are_legal():
    """`check` works out what is printed, and what answers in play does not stand in its way."""
    assert with_requirements(compiled("salt-and-lanterns")).diagnostics == ()


def test_its_texts_are_tidy():
    """A step that names a flow, `do: set_up`, holds no text that could be untidy."""
    done = call("fmt", "--check", SALT)
    assert (done.code, done.out) == (0, "looked at 6 files: 0 files would change\n")


@pytest.mark.parametrize("scene", ["the-causeway", "the-lamp-room"])
@pytest.mark.parametrize("seed", [1, 2])
def test_its_scenes_are_played(scene: str, seed: int):
    words = ("--players", "steady,random", "--seed", str(seed), "--turn-limit", "30")
    done = call("play", "moonstone", "--campaign", SALT, "--scene", scene, *words)
    assert done.code == 0, done.out + done.err
    assert f"seed {seed}" in done.out


# What is changed, and the cases that notice.
RULES_OF_SALT = [
    ("world.yaml", "resists(brine, 1/2)", "resists(brine, 2/3)", "brine-and-what-meets-it"),
    ("world.yaml", "resists(brine, 3/2)", "resists(brine, 2)", "brine-and-what-meets-it"),
    ("world.yaml", "  affects: body\n", "  affects: mind\n", "brine-and-what-meets-it"),
    ("world.yaml", "protects_from([brine], 8", "protects(8", "a-cloak-does-nothing-about-a-knife"),
    ("world.yaml", "dazzled, 2", "dazzled, 3", "the-glare-dazzles"),
    ("world.yaml", "where much > 10:", "where much > 9:", ""),
    ("world.yaml", "where much > 10:", "where much > 30:", "ten-at-once-and-no-more"),
    ("world.yaml", "  cost: 0\n", "  cost: 1\n", "an-empty-pool-still-kindles"),
    ("world.yaml", "  steps: 1\n", "  steps: 2\n", "only-by-lantern-light-is-one-row-cheaper"),
    ("world.yaml", "recovery: 3\n", "recovery: 4\n", "the-pool-fills-by-three-a-day"),
    ("house-rules.yaml", "3 * ei(who)", "4 * ei(who)", "a-third-is-fatigue"),
    (
        "house-rules.yaml",
        "pay_for_action(one, 1)",
        "pay_for_action(one, 2)",
        "whoever-is-foiled-slips",
    ),
    ("pack.yaml", "combat_action_ei_cost: 4", "combat_action_ei_cost: 5", "kindling-costs-nothing"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new", "case"), RULES_OF_SALT)
def test_its_cases_notice_what_is_changed(file: str, old: str, new: str, case: str, tmp_path: Path):
    """The one without a case changes nothing that anybody could see: 10 is at most 10 either
    way."""
    done = call("test", changed("salt-and-lanterns", file, old, new, tmp_path))
    assert done.code == (1 if case else 0), done.out
    assert f"FAILED {case}" in done.out or not case


# ---------------------------------------------------------------------------------- what Wet Ink is


# What is changed, and the cases that notice.
RULES_OF_INK = [
    ("ink.yaml", "hinder_character(whom, 1)", "hinder_character(whom, 2)", "a-blot-for-one"),
    ("ink.yaml", "hinder_npc(npc, 1)", "hinder_npc(npc, 2)", "a-blot-for-an-npc"),
    ("ink.yaml", "  high_damage: 2\n", "  high_damage: 3\n", "cuts-for-one"),
    ("ink.yaml", "use strike_npc(npc, much)", "hurt_npc(npc, much)", "an-npc-in-armor"),
    ("ink.yaml", "  better_armor: 2\n", "  better_armor: 3\n", "better-jackets-for-two"),
    ("ink.yaml", "take_stress(whom, 3)", "take_stress(whom, 2)", "somebody-does-not-and-pays"),
    ("ink.yaml", "  knackless: true\n", "", "without-a-knack-only-what-needs-none"),
    ("merits.yaml", "(self, deception) by 1", "(self, deception) by 2", "a-good-hand"),
    ("merits.yaml", " and rolled_arcana = ink", "", "not-for-another-arcana"),
    ("merits.yaml", "other_dice + 1", "other_dice + 2", "a-fair-copy-is-a-die"),
    ("merits.yaml", "lowest([most_dice_of_an_aspect, splice_rank])", "splice_rank", ""),
    ("house-rules.yaml", "rows.3: 3", "rows.3: 4", "daring-pays"),
    ("house-rules.yaml", "take_stress(by_whom, 1)", "take_stress(by_whom, 2)", "failing-stings"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("file", "old", "new", "case"), RULES_OF_INK)
def test_the_cases_of_ink_notice_what_is_changed(
    file: str, old: str, new: str, case: str, tmp_path: Path
):
    """The one without a case does not compile: more dice than an aspect has are told before
    anything is played."""
    done = call("test", changed("wet-ink", file, old, new, tmp_path))
    assert done.code == 1, done.out + done.err
    assert f"FAILED {case}" in done.out or not case


SLIPS_OF_A_GM = [
    ("rating: III", "rating: VIII", "there are `1/5`, `1/2`, `I`, `II`,"),
    ("aim: a_foe", "aim: foe", "there are `nobody`, `a_foe`, `a_friend` and `anybody`"),
    ("    bonus(PR, 2", "  bonus(PR, 2", "indent it further"),
    ("resists(brine, 1/2)", "resist(brine, 1/2)", "did you mean `resists`?"),
    ('"salt cured")', '"salt cured)', 'add `"` at its end'),
]


@pytest.mark.parametrize(("old", "new", "help"), SLIPS_OF_A_GM)
def test_a_slip_of_a_gm_is_met_with_what_to_type(old: str, new: str, help: str, tmp_path: Path):
    pack = changed("salt-and-lanterns", "world.yaml", old, new, tmp_path)
    [found] = compile_paths([pack], reasons=False).diagnostics
    assert found.help is not None
    assert help in found.help


# ---------------------------------------------------------------------------------- broken by hand

BREAKS = [
    ("cards.yaml", "use cross\n", "use cros\n", "unknown-power", "did you mean `cross`?"),
    ("cards.yaml", "- kind: measure", "- kind: mesure", "unknown-kind", "did you mean `measure`?"),
    ("cards.yaml", "  gives: Bool\n", "  gives: Int\n", "type-mismatch", None),
    (
        "cards.yaml",
        "shift(piece, goal)",
        "shfit(piece, goal)",
        "unknown-event",
        "did you mean `shift`?",
    ),
    ("cards.yaml", "    use attack\n", "\tuse attack\n", "tab", None),
    ("house-rules.yaml", "major/temperance", "major/temperence", "patch-matches-nothing", None),
    (
        "house-rules.yaml",
        "set: {value: 4}",
        "set: {valeu: 4}",
        "patch-unknown-field",
        "did you mean `value`?",
    ),
    (
        "house-rules.yaml",
        "set: {value: 4}",
        "set: {value: four}",
        "patch-type",
        "write a whole number",
    ),
    (
        "house-rules.yaml",
        "use act_again\n",
        "use act_agian\n",
        "unknown-power",
        "did you mean `act_again`?",
    ),
    ("house-rules.yaml", "  id: roomy-spaces", "  id: other-temperance", "duplicate-id", None),
    ("pack.yaml", '">=1.0,<2"', '">=2.0"', "wrong-version", None),
    (
        "pack.yaml",
        "discarded_last",
        "discarded_later",
        "unknown-option",
        "did you mean `discarded_last`?",
    ),
    (
        "pack.yaml",
        "game: gnostica\n",
        "game: gnostics\n",
        "unknown-game",
        "did you mean `gnostica`?",
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "help"), BREAKS, ids=[f"{b[3]}-{b[2]}" for b in BREAKS]
)
def test_a_broken_line_gives_one_message_that_stands_there(
    file, old, new, code, help, tmp_path: Path
):
    text = (RIVER / file).read_text(encoding="utf-8")
    pack = changed("river-folk", file, old, new, tmp_path)
    found = [one for one in compile_paths([pack]).diagnostics if one.severity == "error"]
    assert [one.code for one in found] == [code]
    wanted_line = text[: text.index(old)].count("\n") + 1
    assert found[0].place.path.endswith(file)
    assert abs(found[0].place.line - wanted_line) <= 1
    if help is not None:
        assert found[0].help == help


# ---------------------------------------------------------------------------------- played


@pytest.mark.parametrize("seed", range(4))
def test_bots_play_it_to_an_end(seed: int):
    game = linked()
    bots = [make_bot(kind, game, seed, seat) for seat, kind in enumerate(("greedy", "random"))]
    assert play_out(game, bots, seed, turn_limit=300).outcome is not None


@pytest.mark.parametrize("seed", range(8))
def test_no_card_and_no_piece_is_lost(seed: int):
    table = linked(2 + seed % 3)
    account, player = Account(table), RandomPlayer(seed, "busy")
    game = new_game(table, seed)
    node, dice = game.node, game.random
    for _ in range(400):
        if node.over:
            break
        asked = node.stop.who[0]
        value = player.answer(node, asked)
        after = node.after(value, asked if node.secret else None, dice)
        dice = after.stop.dice or dice
        wrong = (
            account.events(after.events, after.state.world)
            + account.prompt(after, node)
            + refusing(after)
        )
        assert not wrong, f"seed {seed}: {wrong}"
        node = after
