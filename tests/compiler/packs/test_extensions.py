"""Packs that add to the vocabulary of their game: whichever are there, and in whatever order, one
program or one error.

They add to the quarrel, a game of nobody's without Python. `tests/support/extension_packs.py` holds the
packs.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from ruleloom.api.linking import driver_of
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.compiler.schema.extended import extended_files
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.schema.violations import violations
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.games import driver_of as bind_of
from ruleloom.runtime.link.link_game import empty_world, link_game
from ruleloom.runtime.play.game import Game, new_game
from ruleloom.runtime.play.journal import loaded, saved_lines
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.values import with_entry
from ruleloom.runtime.program.verify import check_program
from ruleloom.scaffold.starters import editor_schema, schema_of_pack
from tests.support.check_layer import NOTHING, ORCHARD, schemas
from tests.support.extension_packs import LUCK, NERVE, OMENS, PACKS, compiled, extension, put, tried
from tests.support.orchard_driver import bind as bind_orchard
from tests.support.pack_examples import manifest, write
from tests.support.patch_packs import program_hash
from tests.support.quarrel_table import QUARREL
from tests.support.stopwatch import within

HOUSE = BUILTIN / "examples" / "quiet-house"
SUBSETS = [those for many in range(1, 4) for those in combinations(PACKS, many)]


def said(result: CompileResult) -> list[str]:
    """What is wrong, as it is shown in one line each."""
    text = render(result.diagnostics, result.sources, "concise")
    return [line.partition("/items.yaml:")[2] or line for line in text.splitlines()]


def places(one: Diagnostic) -> list[tuple[str, int]]:
    """The pack and line of a diagnostic, and of its notes."""
    found = (one.place, *(note.place for note in one.notes))
    return [(Path(place.path).parent.name, place.line) for place in found]


def only(result: CompileResult) -> Diagnostic:
    [found] = result.diagnostics
    return found


# ------------------------------------------------------------------------------- the order of packs


@pytest.mark.parametrize("packs", SUBSETS, ids=" ".join)
def test_every_order_gives_one_program(tmp_path: Path, packs: tuple[str, ...]):
    folders = put(tmp_path, {id: PACKS[id] for id in packs})
    results = [compiled(order) for order in permutations(folders)]
    assert [result.diagnostics for result in results] == [()] * len(results)
    hashes = {program_hash(result) for result in results}
    assert len(hashes) == 1
    assert None not in hashes


def test_what_packs_add_stands_behind_what_was_there(tmp_path: Path):
    program = tried(tmp_path, PACKS).program
    assert program is not None
    assert dict(program.enums)["Wound"] == ("bleeding", "burning", "jinxed", "shaken")
    assert [one.name for one in program.entity("Hero").fields] == [
        *("breath", "out", "wounds", "foe", "luck", "nerve"),
        *("skill", "calm"),
    ]
    assert program_of(program_data(program)) == program
    check_program(program)


CLASHES: Mapping[str, tuple[str, str]] = {
    "one field twice": (
        "extends: {Hero: {fields: {heat: {type: Int, at_table: true}}}}",
        "extends: {Hero: {static: {heat: {type: Int, default: 1, at_table: true}}}}",
    ),
    "one enum twice": ("enums: {Mood: [up, down]}", "enums: {Mood: [up, flat]}"),
    "one variable twice": (
        "scope: {heat: {type: Int, life: game, english: heat, at_table: true}}",
        "scope: {heat: {type: Int, life: turn, english: heat, at_table: true}}",
    ),
    "values of two enums": ("enums: {Mood: [up, down]}", "enums: {Way: [up, left]}"),
}


SHARED: Mapping[str, tuple[str, str]] = {
    "a value": ("extends: {Wound: [sore]}", "extends: {Wound: [numb, sore]}"),
    "a field": (
        "extends: {Hero: {fields: {heat: {type: Int, at_table: true}}}}",
        "extends: {Hero: {fields: {heat: {at_table: true, type: Int}}}}",
    ),
    "an enum, which one of them extends": (
        "enums: {Mood: [up, down]}",
        "enums: {Mood: [up, down]}\nextends: {Mood: [flat]}",
    ),
    "a variable": (
        "scope: {heat: {type: Int, life: game, english: heat, at_table: true}}",
        "scope: {heat: {type: Int, life: game, english: heat, at_table: true}}",
    ),
}


@pytest.mark.parametrize("what", SHARED)
def test_two_strangers_share_what_both_declare_alike_in_every_order(tmp_path: Path, what: str):
    one, other = SHARED[what]
    folders = put(tmp_path, {"a": extension("one", one), "b": extension("two", other)})
    results = [compiled(order) for order in permutations(folders)]
    assert [result.diagnostics for result in results] == [(), ()]
    assert len({program_hash(result) for result in results}) == 1


def test_the_help_for_a_clash_within_a_pack_or_with_an_item_is_another_name(tmp_path: Path):
    twice = f"- {extension('one', CLASHES['one variable twice'][0])}".replace("\n", "\n  ").rstrip(
        " "
    )
    two = f"{twice}{twice.replace('id: one', 'id: two')}"
    assert only(tried(tmp_path, {"d-e": two})).help == "another name, such as `d_e_heat`"
    item = "- {kind: setting, id: snow, value: 1, min: 0, max: 2, english: snow}\n"
    found = tried(tmp_path, {"f": item, "g": item}, {"g": '{f: "*"}'}).diagnostics[0]
    assert found.code == "duplicate-id"
    assert str(found.help).endswith("; something else is better called `g-snow`")


@pytest.mark.parametrize("what", CLASHES)
def test_a_name_that_two_packs_add_is_one_error_with_both_lines_in_every_order(
    tmp_path: Path, what: str
):
    one, other = CLASHES[what]
    folders = put(tmp_path, {"a": extension("one", one), "b": extension("two", other)})
    results = [compiled(order) for order in permutations(folders)]
    assert len({result.diagnostics for result in results}) == 1
    found = only(results[0])
    assert found.code == "name-clash"
    assert places(found) == [("b", 3), ("a", 3)]


@pytest.mark.parametrize(
    ("text", "name", "line"),
    [
        ("extends: {Wound: [bleeding]}", "bleeding", 4),
        ("extends: {Hero: {fields: {breath: {type: Int}}}}", "breath", 19),
        ("extends: {Hero: {fields: {skill: {type: Int}}}}", "skill", 17),
        ("entities: {Scene: {noun: [scene, scenes], max: 3}}", "Scene", 23),
        ("scope: {round: {type: Int, life: game, english: the round}}", "round", 47),
        (
            'operations: {burn: {sets: {}, at_table: true, english: "burn", log: "burnt"}}',
            "burn",
            56,
        ),
    ],
)
def test_what_the_game_has_is_refused_with_both_places(
    tmp_path: Path, text: str, name: str, line: int
):
    found = only(tried(tmp_path, {"house": extension("more", text)}))
    assert (found.code, found.message) == ("name-clash", f"`{name}` is there already")
    assert places(found) == [("house", 3), ("game", line)]


def test_a_name_that_an_item_of_the_game_has_is_told_where_it_is_added(tmp_path: Path):
    text = "scope: {force: {type: Int, life: game, english: the force, at_table: true}}"
    found = only(tried(tmp_path, {"house": extension("more", text)}))
    assert (found.code, places(found)) == ("name-clash", [("house", 3), ("game", 1)])


# ---------------------------------------------------------------------------------- what cannot be


WRONG: Mapping[str, tuple[str, str, str]] = {
    "a slip in a name": ("extends: {Wond: [sore]}", "extends-nothing", "did you mean `Wound`?"),
    "something new": (
        "extends: {Weather: [rain]}",
        "extends-nothing",
        "under `enums:` or `entities:`",
    ),
    "an enum has no fields": (
        "extends: {Wound: {fields: {deep: {type: Int}}}}",
        "bad-extension",
        "",
    ),
    "an entity has no values": ("extends: {Hero: [eve]}", "bad-extension", ""),
    "those there have none": (
        "extends: {Hero: {static: {age: Int}}}",
        "bad-extension",
        "`default:`",
    ),
    "those there begin with none": (
        "extends: {Player: {fields: {purse: {type: Int, at_table: true}}}}",
        "bad-extension",
        "`initial:`",
    ),
    "nothing makes players": (
        "extends: {Player: {static: {purse: {type: Int, default: 1}}}}",
        "bad-extension",
        "",
    ),
    "a kind that every game has": ("kinds: {power: {}}", "name-clash", ""),
    "an unknown type": (
        "extends: {Hero: {fields: {pet: {type: 'Her?', at_table: true}}}}",
        "unknown-type",
        "did you mean `Hero?`?",
    ),
    "a question for Python": (
        "queries: {wise: {result: Int, reads: [], english: how wise}}",
        "unknown-field",
        "",
    ),
    "an operation of Python": (
        "operations: {fly: {changes: [], english: fly, log: flies}}",
        "unknown-field",
        "",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_added_is_one_error(tmp_path: Path, what: str):
    text, code, help = WRONG[what]
    found = only(tried(tmp_path, {"house": extension("more", text)}))
    assert (found.code, places(found)[0]) == (code, ("house", 3))
    assert help in (found.help or "")


def test_one_broken_extension_leaves_its_neighbours_alone(tmp_path: Path):
    """What only it would have declared is not complained of again."""
    broken = NERVE.replace("max: 20}", "most: 20}", 1)
    found = only(tried(tmp_path, {**PACKS, "nerve": broken}))
    assert (found.code, places(found)[0]) == ("unknown-field", ("nerve", 6))


GHOSTS = {"omens": OMENS, "ghosts": extension("ghosts", "extends: {Sky: [dusk]}")}


def test_a_pack_extends_what_another_one_added_if_it_requires_it(tmp_path: Path):
    found = only(tried(tmp_path / "one", GHOSTS))
    assert (found.code, places(found)[0]) == ("bad-extension", ("ghosts", 3))
    assert found.help == 'add `requires: {omens: "*"}` to the manifest'
    folders = put(tmp_path / "two", GHOSTS, {"ghosts": '{omens: "*"}'})
    results = [compiled(order) for order in permutations(folders)]
    assert [result.diagnostics for result in results] == [(), ()]
    assert len({program_hash(result) for result in results}) == 1


# ---------------------------------------------------------------------------------- new values


BALM = """\
- {kind: table, id: balm, by: Wound, gives: Int, rows: {bleeding: 1, burning: 2}, english: "balm for {by}"}
- {kind: power, id: heal, takes: "who: Hero, wound: Wound", gloss: heal, effect: "strike(who, who, balm(wound))"}
- {kind: trigger, id: burnt, event: "burn(one)", timing: afterwards, effect: "use heal(one, burning)"}
"""
SORE = extension("sore", "extends: {Wound: [sore]}")
PATCH = "kind: patch\nid: sore-balm\ntarget: balm:table/balm\nset: {rows.sore: 3}\n"


def test_a_table_that_had_a_row_for_each_value_needs_one_for_a_new_one(tmp_path: Path):
    folders = put(tmp_path, {"balm": BALM, "sore": SORE})
    results = [compiled(order) for order in permutations(folders)]
    assert len({result.diagnostics for result in results}) == 1
    found = only(results[0])
    assert (found.code, places(found)) == ("unsaid-value", [("sore", 3), ("balm", 1)])
    assert found.help == "add a patch with `target: balm:table/balm` and `set: {rows.sore: ...}`"


def test_a_third_pack_says_what_holds_where_two_meet(tmp_path: Path):
    requires = {"third": '{balm: "*", sore: "*"}'}
    result = tried(tmp_path, {"balm": BALM, "sore": SORE, "third": PATCH}, requires)
    assert said(result) == []


def test_a_table_with_otherwise_needs_no_row(tmp_path: Path):
    balm = BALM.replace("burning: 2}", "burning: 2}, otherwise: 0")
    assert said(tried(tmp_path, {"balm": balm, "sore": SORE})) == []


def test_a_printed_table_without_a_default_is_named_once_for_all_its_items(tmp_path: Path):
    towns = """\
- kind: extension
  id: towns
  entities:
    Town: {noun: [town, towns], max: 9, records: [town], static: {cares: {type: Int, by: Wound, at_table: true}}}
  kinds: {town: {makes: Town}}
- {kind: town, id: ford, title: Ford, cares: {bleeding: 1, burning: 2}}
- {kind: town, id: hill, title: Hill, cares: {bleeding: 0, burning: 1}}
"""
    found = only(tried(tmp_path, {"towns": towns, "sore": SORE}))
    assert found.message == "`sore` is a new Wound, and `ford` and `hill` say nothing about it"
    assert places(found) == [("sore", 3), ("towns", 6), ("towns", 7)]


def test_a_choice_from_an_enum_offers_the_new_value(tmp_path: Path):
    pick = """\
kind: trigger
id: pick
event: burn(one)
timing: afterwards
effect: |
  choose wound from Wound
  if wounds(one, wound) > 3:
      fall(one)
"""
    game = played(tried(tmp_path, {"sore": SORE, "pick": pick}))
    game = answered(game, "bridge", "ann", "bo", "1", "do")
    assert keys(game) == ["bleeding", "burning", "sore"]


# ---------------------------------------------------------------------------------- at the table


def played(result: CompileResult) -> Game:
    assert result.program is not None, said(result)
    return new_game(link_game(result.program, driver_of(result.program), ("A", "B")), seed=3)


def keys(game: Game) -> list[str]:
    assert game.prompt is not None
    return [option.key for option in game.prompt.options]


def answered(game: Game, *answers: str) -> Game:
    """Answer one prompt after the other."""
    for answer in answers:
        assert game.prompt is not None
        assert answer in keys(game), (answer, keys(game))
        game = game.answer(game.prompt.id, [answer])
    return game


def test_what_packs_add_is_played_saved_and_taken_up_again(tmp_path: Path):
    game = played(tried(tmp_path, PACKS))
    game = answered(game, "fen")
    index = game.linked.layout.index
    heroes = game.linked.layout.names["Hero"]
    ann, eve = (heroes.index(name) for name in ("ann", "eve"))
    assert game.state.world[index["Hero.nerve"]][eve] == 10
    game = answered(game, "ann", "eve", "1")
    world = game.state.world
    assert world[index["Hero.nerve"]][eve] == 9, "Eve is calm: 10 - 9"
    assert world[index["Hero.wounds"]][eve]["shaken"] == 1
    assert world[index["Hero.luck"]][ann] == 3
    again = loaded("\n".join(saved_lines(game)) + "\n", bind_of).game
    assert again.state == game.state


def test_who_has_no_nerve_falls(tmp_path: Path):
    game = played(
        tried(tmp_path, {"nerve": NERVE.replace("initial: 10", "initial: 1"), "luck": LUCK})
    )
    game = answered(game, "fen", "ann", "eve", "1")
    index, heroes = game.linked.layout.index, game.linked.layout.names["Hero"]
    eve = heroes.index("eve")
    assert game.state.world[index["Hero.out"]][eve] is True
    assert game.state.world[index["Hero.luck"]][eve] == 2, "the other pack answers it"


COINS = """\
- kind: extension
  id: coins
  entities:
    Coin: {noun: [coin, coins], max: 9, records: [coin], fields: {payer: {type: Hero?}}}
  kinds: {coin: {makes: Coin}}
  zones: {pouch: {of: Coin, per: Player, seen_by: owner, english: the pouch}}
  queries: {coins_of: {params: {hero: Hero}, result: List of Coin, max: 9, of: Coin.payer, english: "what {hero} paid"}}
  operations:
    pay:
      params: {coin: Coin, who: Hero, player: Player}
      moves: {coin: pouch(player)}
      sets: {payer(coin): who}
      english: "{who} pays {player} {coin}"
      log: "{who} pays {player}"
- {kind: coin, id: crown, title: Crown}
- {kind: coin, id: penny, title: Penny}
- kind: trigger
  id: wounded
  event: "strike(one, other, much)"
  timing: immediately
  effect: |
    if count(coins_of(other)) = 0 and count(pouch(me)) < 2:
        pay(crown, other, me)
"""


def test_a_zone_holds_what_operations_move_there(tmp_path: Path):
    game = answered(played(tried(tmp_path, {"coins": COINS})), "bridge", "ann", "bo", "1")
    index, names = game.linked.layout.index, game.linked.layout.names
    assert game.state.world[index["pouch"]] == ((names["Coin"].index("crown"),), ())
    assert game.state.world[index["Coin.payer"]][names["Coin"].index("crown")] == names[
        "Hero"
    ].index("bo")


# ------------------------------------------------------------------------ beside a driver in Python


def beside_orchard(folder: Path, text: str) -> CompileResult:
    """Compile the orchard, which has a driver, with a pack that adds to it."""
    write(folder, {"house/pack.yaml": manifest("house", game="orchard"), "house/items.yaml": text})
    return compile_paths([folder / "house", ORCHARD / "game"], builtin=NOTHING, schemas=schemas())


REFUSED_BY_DRIVER: Mapping[str, tuple[str, str]] = {
    "values that Python decides over": (
        "extends: {Colour: [blue]}",
        "the driver of `orchard` knows the values of `Colour`, and could do nothing with more",
    ),
    "a field that Python sets": (
        "operations: {grow: {params: {basket: Basket}, sets: {size(basket): size(basket) + 1}, "
        "at_table: true, "
        "english: grow, log: grown}}",
        "the driver of `orchard` looks after `size`, so nothing else sets it",
    ),
    "a thing that Python makes": (
        "operations: {weave: {makes: Basket, sets: {}, at_table: true, english: weave, log: woven}}",
        "the driver of `orchard` looks after `Basket`, so nothing else makes one",
    ),
}


@pytest.mark.parametrize("what", REFUSED_BY_DRIVER)
def test_what_a_driver_would_not_know_is_refused(tmp_path: Path, what: str):
    text, message = REFUSED_BY_DRIVER[what]
    found = only(beside_orchard(tmp_path, extension("more", text)))
    assert (found.code, found.message, places(found)[0]) == ("bad-extension", message, ("house", 3))


RIPE = """\
- kind: extension
  id: ripe
  extends:
    Fruit: {fields: {ripe: {type: Int, min: 0, max: 9}}, static: {sweet: {type: Bool, default: false}}}
    Basket: {fields: {worn: {type: Int, initial: 0, min: 0, max: 9}}}
  enums: {Mood: [glad, sad]}
  scope: {mood: {type: Mood, life: game, initial: glad, english: the mood}}
  operations:
    ripen:
      params: {fruit: Fruit, basket: Basket}
      sets: {ripe(fruit): ripe(fruit) + 1, worn(basket): worn(basket) + 2}
      english: "{fruit} ripens"
      log: "{fruit} ripens"
- {kind: fruit, id: fig, title: Fig, weight: 1, tint: gold, sweet: true}
- kind: trigger
  id: eaten
  event: "eat(one)"
  timing: immediately
  effect: |
    if mood = glad:
        for each fruit in those(f: Fruit where sweet(f)):
            for each basket in baskets(home(me)):
                ripen(fruit, basket)
"""


def test_fields_and_variables_stand_beside_those_of_a_driver(tmp_path: Path):
    result = beside_orchard(tmp_path, RIPE)
    assert result.program is not None, said(result)
    game = new_game(link_game(result.program, bind_orchard, ("A", "B")), seed=3)
    index = game.linked.layout.index
    assert index["Fruit.ripe"] > index["Basket.spot"], (
        "the columns that the driver knows are where they were"
    )
    game = answered(game, "snack")
    game = answered(game, keys(game)[0])
    fig = game.linked.layout.names["Fruit"].index("fig")
    assert game.state.world[index["Fruit.ripe"]][fig] == 1
    assert game.state.world[index["Basket.worn"]][0] == 2


def test_a_thing_that_comes_and_goes_needs_a_value_to_begin_with(tmp_path: Path):
    found = only(beside_orchard(tmp_path, RIPE.replace("initial: 0, ", "")))
    assert (found.code, found.help) == ("bad-extension", "add `initial:`")


# ---------------------------------------------------------------------------------- schemas


def test_generated_schemas_say_the_same_as_the_standard(tmp_path: Path):
    """The fast gate and jsonschema agree on what packs may now write, and on what they may not."""
    store = extended_store(OMENS)
    for data, fine in ITEMS:
        assert store.passes("omen", data) is fine, data
        assert (not list(violations(data, "omen", store))) is fine, data


OMEN = {"kind": "omen", "id": "owl", "title": "Owl", "worth": 3}
ITEMS: list[tuple[dict[str, Any], bool]] = [
    (OMEN, True),
    ({**OMEN, "seen": "day", "half": "1/2", "sure": True, "said": "whoo", "needs": "ann"}, True),
    ({**OMEN, "against": {"burning": 1, "bleeding": 2}}, True),
    ({**OMEN, "signs": ["hoot", {"word": "flap", "loud": True}]}, True),
    ({**OMEN, "worth": 10}, False),
    ({**OMEN, "worth": "3"}, False),
    ({**OMEN, "seen": "dawn"}, False),
    ({**OMEN, "against": {"wet": 1}}, False),
    ({**OMEN, "signs": [{"loud": True}]}, False),
    ({**OMEN, "signs": [{"word": "flap", "omen": "owl"}]}, False),
    ({**OMEN, "colour": "black"}, False),
    ({"kind": "omen", "id": "owl", "title": "Owl"}, False),
]


def extended_store(text: str) -> SchemaStore:
    """The schemas of the quarrel with what an extension adds to them."""
    store = schemas_of(schemas(QUARREL), "quarrel")
    vocabulary = data_of((QUARREL / "game" / "vocabulary.yaml").read_text(encoding="utf-8"))
    extensions = [item for item in data_of(text) if item["kind"] == "extension"]
    return store.extended(extended_files(store.files, vocabulary, extensions))


def data_of(text: str) -> Any:
    root = compose(Source.from_text(text, "vocabulary.yaml"), Report())
    assert root is not None
    return to_data(root)


def test_a_list_of_all_values_grows_and_one_of_some_stays():
    hero: dict[str, Any] = {
        "properties": {"worst": {"enum": ["burning", "bleeding"]}, "best": {"enum": ["bleeding"]}}
    }
    vocabulary = {"enums": {"Wound": ["bleeding", "burning"]}, "kinds": {"hero": {"makes": "Hero"}}}
    more = [{"extends": {"Wound": ["sore"]}}]
    found = extended_files({"hero.schema.json": hero}, vocabulary, more)["hero.schema.json"]
    assert found["properties"]["worst"] == {"enum": ["burning", "bleeding", "sore"]}
    assert found["properties"]["best"] == {"enum": ["bleeding"]}


def test_entries_of_an_item_may_have_the_new_fields():
    """The long form is made where the schema only had the short one."""
    vocabulary = {
        "kinds": {"hero": {"makes": "Hero"}},
        "entities": {
            "Craft": {
                "part_of": "Hero",
                "under": "crafts",
                "key": "what",
                "value": "points",
                "owner": "who",
                "static": {"who": "Hero", "what": "Text", "points": "Int"},
            },
        },
    }
    crafts = {
        "crafts": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}
    }
    hero: dict[str, Any] = {"properties": {"kind": {"const": "hero"}, **crafts}}
    more = [{"extends": {"Craft": {"static": {"rusty": {"type": "Bool", "default": False}}}}}]
    store = SchemaStore.of({"hero.schema.json": hero})
    store = store.extended(extended_files(store.files, vocabulary, more))
    assert store.passes(
        "hero", {"kind": "hero", "crafts": {"rope": 2, "sail": {"points": 1, "rusty": True}}}
    )
    assert not store.passes("hero", {"kind": "hero", "crafts": {"rope": 0}})
    assert not store.passes("hero", {"kind": "hero", "crafts": {"rope": {"rusty": True}}})
    assert not store.passes(
        "hero", {"kind": "hero", "crafts": {"rope": {"points": 1, "what": "sail"}}}
    )


# ---------------------------------------------------------------------------------- hostile packs


def many_values(count: int) -> str:
    return extension("many", f"extends: {{Wound: [{', '.join(f'v{n}' for n in range(count))}]}}")


def many_fields(count: int) -> str:
    fields = ", ".join(f"f{n}: {{type: Int, at_table: true}}" for n in range(count))
    return extension("many", f"extends: {{Hero: {{fields: {{{fields}}}}}}}")


def many_extensions(count: int) -> str:
    return "".join(
        f"- {{kind: extension, id: e{n}, extends: {{Wound: [v{n}]}}}}\n" for n in range(count)
    )


HOSTILE: Mapping[str, tuple[str, str]] = {
    "10,000 values": (many_values(10_000), "wrong-count"),
    "100 values more": (many_values(100), "bad-extension"),
    "5,000 fields": (many_fields(5_000), "wrong-count"),
    "497 fields more": (many_fields(497), "bad-extension"),
    "5,000 extensions": (many_extensions(5_000), "bad-extension"),
    "200 extensions": (many_extensions(200), "bad-extension"),
    "a deep name": (extension("deep", f"extends: {{{'A' * 5_000}: [v]}}"), "too-long"),
    "100 names that are nowhere": (
        extension("none", f"extends: {{{', '.join(f'N{n}x: [v]' for n in range(100))}}}"),
        "extends-nothing",
    ),
    "a part of itself": (
        extension(
            "self",
            "entities: {Egg: {noun: [egg, eggs], max: 9, part_of: Egg, under: eggs, owner: hen, "
            "static: {hen: Egg}}}",
        ),
        "kinds-disagree",
    ),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_extension_ends_in_an_error_within_two_seconds(tmp_path: Path, what: str):
    text, code = HOSTILE[what]
    folders = put(tmp_path, {"hostile": text})
    with within(2):
        found = compiled(folders).diagnostics
    assert {one.code for one in found if one.severity == "error"} == {code}


def test_packs_that_require_one_another_are_told_before_what_they_add(tmp_path: Path):
    requires = {"nerve": '{luck: "*"}', "luck": '{nerve: "*"}'}
    assert only(tried(tmp_path, {"nerve": NERVE, "luck": LUCK}, requires)).code == "pack-cycle"


# ------------------------------------------------------------------------ editors, and what differs


def test_the_schema_for_editors_knows_what_a_pack_adds(tmp_path: Path):
    """Moonstone's own schema refuses what the example writes; that of the pack takes it."""
    own, plain = (
        json.loads(text)
        for text in (schema_of_pack(HOUSE, "moonstone"), editor_schema("moonstone"))
    )
    one = {
        "kind": "character",
        "id": "jo",
        "title": "Jo",
        "start": {"Luc": 14},
        "dreads": "crying-child",
    }
    haunt = {"kind": "haunt", "id": "cold", "title": "Cold", "terror": 3}
    for item in (one, haunt):
        assert jsonschema.Draft202012Validator(own).is_valid(item)
        assert not jsonschema.Draft202012Validator(plain).is_valid(item)
    assert not jsonschema.Draft202012Validator(own).is_valid({**haunt, "terror": 0})
    assert not jsonschema.Draft202012Validator(own).is_valid({**one, "start": {"Lck": 14}})


def test_a_patch_cannot_change_an_extension(tmp_path: Path):
    """It would come too late, and do nothing."""
    patch = "kind: patch\nid: more\ntarget: sore:extension/sore\nset: {enums: {Mood: [glad]}}\n"
    found = only(tried(tmp_path, {"sore": SORE, "patch": patch}))
    assert (found.code, places(found)[0]) == ("bad-patch", ("patch", 3))


@pytest.mark.parametrize(
    ("slip", "line"),
    [
        (("  operations:", "  operatoins:"), 11),
        (("      log:", "      lgo:"), 16),
        (("  enums: {Mood", "  ennums: {Mood"), 8),
    ],
)
def test_a_slip_in_an_extension_is_told_once_and_nothing_that_it_was_to_bring(
    tmp_path: Path, slip: tuple[str, str], line: int
):
    result = tried(tmp_path, {"nerve": NERVE.replace(*slip)})
    assert [(one.code, one.place.line) for one in result.diagnostics] == [("unknown-field", line)]


def test_what_is_of_a_kind_that_a_broken_extension_was_to_bring_is_left_alone(tmp_path: Path):
    broken = OMENS.replace("kinds:", "kidns:")
    assert broken != OMENS
    result = tried(tmp_path, {"omens": broken})
    assert [one.code for one in result.diagnostics] == ["unknown-field"]


def test_what_an_extension_that_cannot_be_read_was_to_bring_is_left_alone(tmp_path: Path):
    folder = tmp_path / "quiet-house"
    shutil.copytree(HOUSE, folder)
    path = folder / "extension.yaml"
    path.write_text(
        path.read_text(encoding="utf-8").replace('"Haunt?"', '"Haunt?'), encoding="utf-8"
    )
    assert [one.code for one in compile_paths(folder).diagnostics] == ["unclosed-quote"]


CELLAR = """\
- kind: extension
  id: cellar
  zones: {cellar: {of: Fruit, per: Player, seen_by: owner, english: the cellar}}
  operations:
    store:
      params: {one: Fruit, who: Player}
      moves: {one: cellar(who)}
      sets: {}
      english: "store {one}"
      log: "{who} stores {one}"
- {kind: power, id: fill_cellar, gloss: fill the cellar, effect: "for each one in hand: store(one, me)"}
- {kind: power, id: clear_cellar, gloss: clear the cellar, effect: "for each one in cellar: lay(one)"}
"""


def test_an_operation_of_a_driver_takes_things_out_of_the_zone_of_a_pack(tmp_path: Path):
    result = beside_orchard(tmp_path, CELLAR)
    assert result.program is not None, said(result)
    linked = link_game(result.program, bind_orchard, ("A", "B"))
    at, lay = linked.layout.index, linked.operations["lay"].function
    assert lay is not None
    world = with_entry(empty_world(linked.layout), at["cellar"], ((0,), (1,)))
    world = lay(world, 1)
    assert (world[at["meadow"]], world[at["cellar"]]) == ((1,), ((0,), ()))


def test_no_second_pile_holds_everything_in_the_beginning(tmp_path: Path):
    more = "zones: {sack: {of: Fruit, seen_by: nobody, order: lazy, english: the sack}}"
    found = only(beside_orchard(tmp_path, extension("more", more)))
    assert found.code == "not-a-pile"
    assert "all fruits lie in `heap`" in found.message


# ------------------------------------------------------------------------------------ tags as values

MARKED = """\
- {kind: tag, id: lucky, english: lucky}
- {kind: tag, id: ill-fated, english: ill-fated}
- kind: extension
  id: marks
  extends:
    Hero:
      fields: {mark: {type: "Tag?"}}
      static: {born: {type: Tag, default: lucky}, shuns: List of Tag}
  scope: {omen: {type: Tag, life: game, initial: ill_fated, english: the omen}}
  operations:
    mark_hero: {params: {who: Hero, tag: Tag}, sets: {mark(who): tag}, english: "mark {who}", log: "{who} is {tag}"}
- {kind: hero, id: eve, title: Eve, BORN}
- kind: trigger
  id: wounded
  event: "strike(one, other, much)"
  timing: immediately
  effect: |
    if born(eve) = ill_fated and omen in shuns(eve): mark_hero(eve, omen)
    if mark(eve) is not none: say "marked"
"""
BORN = "born: ill-fated, shuns: [ill-fated]"


def test_fields_and_variables_may_be_tags(tmp_path: Path):
    game = answered(
        played(tried(tmp_path, {"marks": MARKED.replace("BORN", BORN)})), "bridge", "ann", "bo", "1"
    )
    eve = game.linked.layout.names["Hero"].index("eve")
    assert game.state.world[game.linked.layout.index["Hero.mark"]][eve] == "ill_fated"
    again = loaded("\n".join(saved_lines(game)) + "\n", bind_of).game
    assert again.state == game.state


@pytest.mark.parametrize("born", ["born: ill-fatd", "shuns: [ill-fated, ilfated]"])
def test_a_printed_tag_that_nobody_declares_is_told(tmp_path: Path, born: str):
    [found] = said(tried(tmp_path, {"marks": MARKED.replace("BORN", born)}))
    assert "is no tag" in found


# ------------------------------------------------------------------------ copies of an item of a pack

BEADS = """\
- kind: extension
  id: beads
  entities:
    Bead: {noun: [bead, beads], max: 9, records: [bead], static: {number: Int}}
  kinds: {bead: {makes: Bead}}
  zones: {string: {of: Bead, per: Player, seen_by: all, english: the string}}
  operations:
    thread:
      params: {bead: Bead, player: Player}
      moves: {bead: string(player)}
      sets: {}
      english: "thread {bead}"
      log: "{bead} is threaded"
- {kind: bead, id: pearl, title: Pearl, copies: 3}
- {kind: bead, id: jet, title: Jet, FIELD: 1}
- kind: trigger
  id: wounded
  event: "strike(one, other, much)"
  timing: immediately
  effect: |
    for each bead in Bead:
        if number(bead) > 1: thread(bead, me)
"""


def test_an_item_of_a_new_kind_makes_several_things(tmp_path: Path):
    text = BEADS.replace("FIELD", "copies")
    game = answered(played(tried(tmp_path, {"beads": text})), "bridge", "ann", "bo", "1")
    names = game.linked.layout.names["Bead"]
    assert names == ("pearl", "pearl#2", "pearl#3", "jet")
    assert game.state.world[game.linked.layout.index["string"]][0] == (1, 2)


def test_what_is_one_of_its_kind_needs_a_number_of_its_own(tmp_path: Path):
    assert said(tried(tmp_path, {"beads": BEADS.replace("FIELD: 1", "text: black")})) == [
        "15:20: error[missing-value]: `jet` has no `number`"
    ]
