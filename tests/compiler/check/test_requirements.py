"""Requirements: which things do not meet them, where that is told, and that play never asks
them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.api.requirements import Unmet, unmet_by, with_requirements
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import empty_world, link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.canonical_json import read_json
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_of, program_text
from ruleloom.runtime.program.values import World
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import NOTHING, compile_case, game_files, run_requirements, schemas
from tests.support.command import call
from tests.support.orchard_driver import bind
from tests.support.pack_examples import manifest, write

LIGHT = """\
- kind: requirement
  id: light
  of: "one: Fruit"
  where: "tint(one) != gold"
  holds: "weight(one) <= most"
  english: "{one} weighs {burden}, more than {most}"
  help: "make it lighter"
- {kind: measure, id: burden, takes: "one: Fruit", gives: Int, is: "weight(one) + 0", english: burden}
"""
MELON = "- {kind: fruit, id: melon, title: A melon, weight: 7, tint: green, copies: 2}\n"
GOLDEN = "- {kind: fruit, id: golden-melon, weight: 7, tint: gold}\n"


def unmet(linked: Linked, world: World) -> list[Unmet]:
    """Every requirement that is not met, with the number of the thing and the text about it."""
    asked = linked.program.requirements
    return [found for one in asked for found in unmet_by(one, linked, world)]


def program_with(*texts: str) -> Program:
    program = compile_case("".join(texts)).program
    assert program is not None
    return program


def told(program: Program, **settings: int) -> list[tuple[str, int, str]]:
    linked = link_game(program, bind, ("ann", "bob"), settings)
    world = empty_world(linked.layout)
    return [(one.id, number, text) for one, number, text in unmet(linked, world)]


def test_what_does_not_meet_a_requirement():
    program = program_with(LIGHT, MELON, GOLDEN)
    names = program.entity("Fruit").names
    melons = [names.index("melon"), names.index("melon#2")]
    text = "A melon weighs 7, more than 3"
    assert told(program) == [("orchard:requirement/light", number, text) for number in melons]
    assert told(program, most=7) == []


def test_the_game_can_still_be_played():
    game = new_game(link_game(program_with(LIGHT, MELON), bind, ("ann", "bob")), 1)
    assert game.prompts


def test_a_program_with_requirements_is_read_back_as_it_was():
    program = program_with(LIGHT)
    assert len(program.requirements) == 1
    again = program_of(read_json(program_text(program)))
    check_program(again)
    assert again == program


def test_it_is_told_where_the_thing_stands_with_the_requirement_beside_it():
    [found] = run_requirements(LIGHT + MELON + GOLDEN)
    assert (found.code, found.severity) == ("requirement", "error")
    assert found.message == "A melon weighs 7, more than 3"
    assert found.help == "make it lighter"
    assert (found.place.line, found.place.column, found.place.end_column) == (9, 21, 26)
    assert [(note.place.line, note.message) for note in found.notes] == [
        (2, "the requirement `light`")
    ]


@pytest.mark.parametrize(
    ("level", "severity", "plays"),
    [("error", "error", False), ("warning", "warning", True), ("notice", "warning", True)],
)
def test_how_grave_it_is(level: str, severity: str, plays: bool):
    result = with_requirements(
        compile_case(LIGHT.replace("  help", f"  level: {level}\n  help") + MELON)
    )
    assert [found.severity for found in result.diagnostics] == [severity]
    assert result.ok == plays


def test_a_mistake_elsewhere_comes_first():
    wrong = "- {kind: fruit, id: apple, weight: 9, tint: purple}\n"
    assert [found.code for found in run_requirements(LIGHT + wrong)] == ["unknown-name"]


def test_a_pack_breaks_a_requirement_of_its_game_and_may_lift_it(tmp_path: Path):
    files = {f"orchard/{name}": text for name, text in game_files().items()}
    files["orchard/light.yaml"] = LIGHT
    files["more/pack.yaml"] = manifest("more", game="orchard")
    files["more/fruit.yaml"] = MELON
    write(tmp_path, files)
    packs = [tmp_path / "orchard", tmp_path / "more"]
    [found] = with_requirements(
        compile_paths(packs, builtin=NOTHING, schemas=schemas())
    ).diagnostics
    assert found.place.path.endswith("more/fruit.yaml")
    patch = "{kind: patch, id: heavy, target: requirement/light, disable: true}\n"
    write(tmp_path, {"more/patch.yaml": patch})
    result = with_requirements(compile_paths(packs, builtin=NOTHING, schemas=schemas()))
    assert [one.code for one in result.diagnostics if one.severity == "error"] == []


TINY = """\
kind: vocabulary
game: orchard
entities:
  Fruit: {noun: [fruit, fruits], max: 9, static: {weight: Int}, records: [fruit], present: branch,
          fields: {ripeness: {type: Int}, branch: {type: Int?}}}
kinds: {fruit: {makes: Fruit}}
"""


def tiny(holds: str) -> list[tuple[str, str, int]]:
    """What the requirements find in a game without flows, operations and driver."""
    rule = f'{{kind: requirement, id: fine, of: "one: Fruit", holds: "{holds}", english: "{{one}} is not"}}'
    fruit = (
        "- {kind: fruit, id: apple, weight: 1, tint: red}\n- {kind: fruit, id: melon, weight: 7, "
        "tint: red}\n"
    )
    files = {"vocabulary.yaml": TINY, "rule.yaml": rule, "fruit.yaml": fruit}
    return [(one.code, one.message, one.place.line) for one in run_requirements(files)]


def test_a_game_that_has_hardly_begun_has_requirements():
    assert tiny("weight(one) < 9") == []
    assert tiny("weight(one) < 3") == [("requirement", "melon is not", 2)]


def test_what_only_set_up_could_say_is_told_at_the_requirement():
    message = "this cannot be worked out before the game begins"
    assert tiny("ripeness(one) < 3") == [("requirement", message, 1)]


def test_check_asks_the_requirements(tmp_path: Path):
    rule = """\
kind: requirement
id: even
of: "card: Card"
where: "value(card) = 3"
holds: "number(card) mod 2 = 0"
level: warning
english: "{card} is odd"
"""
    write(tmp_path, {"odd/pack.yaml": manifest("odd", game="gnostica"), "odd/rule.yaml": rule})
    done = call("check", str(tmp_path / "odd"), "--format", "concise")
    assert done.code == 0
    assert "warning[requirement]: " in done.out
    assert " is odd" in done.out
    write(tmp_path, {"odd/rule.yaml": rule.replace("level: warning", "level: error")})
    assert call("check", str(tmp_path / "odd")).code == 1


def test_what_needs_a_driver_is_told_where_there_is_none():
    text = (
        '- {kind: requirement, id: fair, of: "one: Fruit", english: "not fair", '
        'holds: "exists(p: players where score(p) > weight(one))"}\n'
    )
    (said,) = [one for one in run_requirements(text) if one.severity == "error"]
    assert said.message == "this asks a query, and the game has no driver that could answer it"
    assert said.place.line == 1
