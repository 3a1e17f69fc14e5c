"""Menus with a name: what several packs add to one, take out of it and reword, and how it plays."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Modal, Program
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import NOTHING, schemas
from tests.support.on_quarrel import block, lives, on_quarrel, resumed, text_of
from tests.support.pack_examples import manifest, write
from tests.support.quarrel_table import QUARREL

TURN = """
choose foe from players where foe != me
choose one{name} "What now?":
    "strike":
        hurt(foe, 3)
    "rest" when life(me) < 20:
        heal(me, 1)
    "wait": say "nothing"
"""
MENU = " named round_menu(foe)"
CURSE = """
- kind: way
  id: curse
  to: round_menu
  takes: "foe: Player"
  label: "curse"
  when: "life(foe) > 15 and life(me) > 5"
  effect: |
    hurt(me, 1)
    hurt(foe, 4)
"""
DANCE = """
- kind: way
  id: dance
  to: round_menu
  label: "dance"
  effect: |
    for each one in players: heal(one, 1)
"""


def compiled(folder: Path, *packs: str, name: str = MENU, order: str = "") -> CompileResult:
    """A duel whose turn asks by a menu, with packs of these items called a, b and so on."""
    turn = block(TURN.replace("{name}", name))
    flows = "- {kind: flow, id: set_up, effect: stop}\n- kind: flow\n  id: turn\n  effect: |\n"
    files = on_quarrel(text_of("duel"), flow=flows + turn)
    write(folder, {f"game/{path}": text for path, text in files.items()})
    letters = "abcd"[: len(packs)]
    for letter, items in zip(letters, packs, strict=True):
        head = manifest(letter, game="quarrel")
        write(folder, {f"{letter}/pack.yaml": head, f"{letter}/items.yaml": items})
    paths = [folder / one for one in ("game", *(order or letters))]
    return compile_paths(paths, builtin=NOTHING, schemas=schemas(QUARREL), texts=True)


def program_with(folder: Path, *packs: str, name: str = MENU, order: str = "") -> Program:
    """The program of that duel, which must be right, also by way of a save."""
    result = compiled(folder, *packs, name=name, order=order)
    assert result.program is not None, [one.message for one in result.diagnostics]
    check_program(result.program)
    assert program_of(program_data(result.program)) == result.program
    return result.program


def labels(program: Program) -> list[str]:
    """The ways of the menu, in order."""
    rows = next(one.rows for one in program.routines if one.id == program.turn)
    [menu] = [row for row in rows if isinstance(row, Modal)]
    return [str(mode.label) for mode in menu.modes]


def begun(program: Program) -> Game:
    """The duel of two, where the first is asked what to do to the second."""
    game = new_game(link_game(program, driver_of(program.game), ("A", "B")))
    return game if game.prompt.name == "What now?" else game.choose(1)


def went(game: Game, label: str) -> Game:
    """The game after the way of this label."""
    option = next(one for one in game.prompt.options if one.label == label)
    return game.answer(game.prompt.id, option.key)


def test_a_name_alone_changes_nothing(tmp_path: Path):
    """But that cases know the menu by it."""
    named = program_with(tmp_path / "one")
    plain = program_with(tmp_path / "two", name="")
    without = [
        replace(
            one,
            rows=tuple(
                replace(row, known_as="") if isinstance(row, Modal) else row for row in one.rows
            ),
        )
        for one in named.routines
    ]
    assert (without, named.texts) == ([*plain.routines], plain.texts)


def test_the_ways_of_packs_follow_in_the_order_of_the_packs(tmp_path: Path):
    found = [
        program_with(tmp_path / "".join(order), DANCE, CURSE, order="".join(order))
        for order in permutations("ab")
    ]
    assert labels(found[0]) == ["strike", "rest", "wait", "dance", "curse"]
    assert found[0] == found[1]


def test_a_way_plays_as_one_that_stands_in_the_text(tmp_path: Path):
    game = begun(program_with(tmp_path, DANCE, CURSE))
    assert [one.label for one in game.prompt.options] == ["strike", "wait", "dance", "curse"]
    assert lives(went(game, "curse")) == [19, 16]
    assert lives(went(game, "dance")) == [21, 21]
    assert lives(resumed(went(game, "curse"))) == [19, 16]


def test_whoever_cannot_take_a_way_reads_why(tmp_path: Path):
    game = begun(program_with(tmp_path, CURSE))
    for _ in range(2):
        game = went(game, "curse")
        game = game if game.prompt.name == "What now?" else game.choose(1)
    assert "curse" not in [one.label for one in game.prompt.options]
    assert [one.reason for one in game.refusals] == ["needs: the life of B is more than 15"]
    with pytest.raises(Refused):
        game.answer(game.prompt.id, "curse")


@pytest.mark.parametrize(
    ("items", "found"),
    [
        ("instead_of: wait", ["strike", "rest"]),
        ("instead_of: strike, label: stab", ["stab", "rest", "wait"]),
        ("instead_of: strike, effect: 'heal(me, 2)'", ["strike", "rest", "wait"]),
        ("instead_of: rest, label: sleep, effect: 'heal(me, 2)'", ["strike", "sleep", "wait"]),
        ("instead_of: rest, when: 'tally > 3'", ["strike", "rest", "wait"]),
    ],
)
def test_a_way_stands_instead_of_one_of_the_text(items: str, found: list[str], tmp_path: Path):
    way = f"- {{kind: way, id: other, to: round_menu, {items}}}\n"
    assert labels(program_with(tmp_path, way)) == found


def test_what_is_reworded_does_the_same_and_what_is_replaced_does_not(tmp_path: Path):
    stab = "- {kind: way, id: stab, to: round_menu, instead_of: strike, label: stab}\n"
    pray = "- {kind: way, id: pray, to: round_menu, instead_of: wait, effect: 'heal(me, 9)'}\n"
    game = begun(program_with(tmp_path, stab, pray))
    assert lives(went(game, "stab")) == [20, 17]
    assert lives(went(game, "wait")) == [29, 20]


def test_what_is_narrowed_also_needs_what_it_needed_before(tmp_path: Path):
    way = "- {kind: way, id: late, to: round_menu, instead_of: rest, when: 'life(me) > 15'}\n"
    rows = next(one.rows for one in program_with(tmp_path, way).routines if "turn" in one.id)
    [menu] = [row for row in rows if isinstance(row, Modal)]
    assert [len(mode.conditions) for mode in menu.modes] == [0, 2, 0]


def patch(what: str) -> str:
    """A pack with a patch of the way `dance`."""
    return f"- {{kind: patch, id: change, target: a:way/dance, {what}}}\n"


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ("disable: true", ["strike", "rest", "wait"]),
        ("set: {label: twirl}", ["strike", "rest", "wait", "twirl"]),
        ("set: {when: 'tally > 3'}", ["strike", "rest", "wait", "dance"]),
        ("set: {instead_of: wait}", ["strike", "rest", "dance"]),
    ],
)
def test_a_way_of_a_pack_is_patched_like_any_item(what: str, found: list[str], tmp_path: Path):
    assert labels(program_with(tmp_path, DANCE, patch(what))) == found


def test_another_effect_of_a_way(tmp_path: Path):
    game = begun(program_with(tmp_path, DANCE, patch("replace-effect: 'hurt(me, 2)'")))
    assert lives(went(game, "dance")) == [18, 20]


def test_the_rules_text_of_a_menu_tells_all_its_ways(tmp_path: Path):
    program = program_with(tmp_path, DANCE, CURSE)
    text = dict(program.texts)[program.turn]
    assert "Dance: " in text
    assert "Curse, if the foe's life is more than 15 and your life is more than 5:" in text


def test_two_packs_that_stand_instead_of_one_way_are_told_so(tmp_path: Path):
    gone = "- {kind: way, id: gone, to: round_menu, instead_of: wait}\n"
    other = "- {kind: way, id: other, to: round_menu, instead_of: wait, label: pause}\n"
    result = compiled(tmp_path, gone, other)
    [found] = [one for one in result.diagnostics if one.severity == "error"]
    assert (found.code, found.place.path.endswith("b/items.yaml")) == ("patch-conflict", True)
    settled = "- {kind: patch, id: settle, target: a:way/gone, disable: true}\n"
    program = program_with(tmp_path, gone, other, settled)
    assert labels(program) == ["strike", "rest", "pause"]
