"""What two packs that do not know each other may both declare, for each sort of declaration.

Declared alike, it is there once, or each has its own. Declared differently, each has its own, or one error
names both packs and says what a third one writes, and with that it is settled.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.packs.extend import ALWAYS, SECTIONS
from ruleloom.compiler.pipeline import Compiler, CompileResult
from ruleloom.runtime.program.program_json import program_text
from tests.support.check_layer import NOTHING, ORCHARD, schemas
from tests.support.extension_packs import compiled, extension, put, tried
from tests.support.pack_examples import manifest, write
from tests.support.patch_packs import program_hash

BOTH = {"c": '{a: "*", b: "*"}'}
Words = tuple[str, str, str]
"""What the first pack declares, what the second does, and what a third one that requires both does."""


def in_play(english: str, life: str = "game") -> str:
    return f"scope: {{heat: {{type: Int, life: {life}, english: {english}, at_table: true}}}}"


def on_hero(part: str, field: str) -> str:
    return f"extends: {{Hero: {{{part}: {{heat: {{type: Int, {field}, at_table: true}}}}}}}}"


def dogs(kinds: str, most: int = 3) -> str:
    static = "age: {type: Int, default: 1, at_table: true}"
    dog = f"{{noun: [dog, dogs], max: {most}, records: [dog], static: {{{static}}}}}"
    return f"entities: {{Dog: {dog}}}\nkinds: {{dog: {{makes: Dog{kinds}}}}}"


def scorch(much: int) -> str:
    sets = f'{{"wounds(who, burning)": "{much}"}}'
    words = "english: 'scorch {who}', log: '{who} is scorched', at_table: true"
    return f"operations: {{scorch: {{params: {{who: Hero}}, sets: {sets}, {words}}}}}"


def tired(much: int) -> str:
    there = 'in: "those(h: there where not out(h))"'
    rule = f'{{name: tired, for: hero, {there}, when: "breath(hero) = {much}", do: fall(hero), english: e}}'
    return f"always: [{rule}]"


def foes(noun: str) -> str:
    of = "{params: {who: Hero}, result: List of Hero, max: 9, of: Hero.foe"
    return f"queries: {{foes_of: {of}, english: '{noun} of {{who}}'}}}}"


SETTLED: Mapping[str, Words] = {
    "enums": ("enums: {Mood: [up, down]}", "enums: {Mood: [up, flat]}", "enums: {Mood: [up, down, flat]}"),
    "directions": ("directions: {Sort: {blade: 1/0}}", "directions: {Sort: {gun: 1/0}}", "directions: {Sort: {bow: 1/0}}"),
    "words": ("words: {bleeding: hurt}", "words: {bleeding: cut}", "words: {bleeding: torn}"),
    "deprecated": ("deprecated: {bleeding: a}", "deprecated: {bleeding: b}", "deprecated: {bleeding: c}"),
    "rolls": ("rolls: {luck: for luck}", "rolls: {luck: for fun}", "rolls: {luck: for love}"),
    "counted": ("counted: {points: point}", "counted: {points: dot}", "counted: {points: mark}"),
    "values": (
        "values: {Spot: {is: point, noun: [spot, spots]}}",
        "values: {Spot: {is: point, noun: [place, places]}}",
        "values: {Spot: {is: point, noun: [field, fields]}}",
    ),
    "entities": (dogs("", 3), dogs("", 5), dogs("", 9).partition("\n")[0]),
    "kinds": (dogs(", unique: [age]"), dogs(""), "kinds: {dog: {makes: Dog}}"),
    "zones": (
        "zones: {den: {of: Hero, seen_by: all, english: den}}",
        "zones: {den: {of: Hero, seen_by: nobody, english: den}}",
        "zones: {den: {of: Hero, seen_by: all, english: a den}}",
    ),
    "scope": (in_play("heat"), in_play("heat", "turn"), in_play("the heat")),
    "queries": (foes("foes"), foes("enemies"), foes("all foes")),
    "operations": (scorch(1), scorch(2), scorch(3)),
    "moments": (
        "moments: {dawn: {params: {}, english: dawn breaks}}",
        "moments: {dawn: {params: {}, english: the sun rises}}",
        "moments: {dawn: {params: {}, english: it dawns}}",
    ),
    "deciders": ("deciders: {burn: me}", "deciders: {burn: seat_after(me)}", "deciders: {burn: me}"),
    "actions": (
        "actions: {day: {menu: deeds}}",
        "actions: {day: {menu: deeds, begins: stop}}",
        "actions: {day: {menu: deeds}}",
    ),
    "costs": (
        'costs: {luck: {when: "much < 2", pays: stop}}',
        'costs: {luck: {when: "much < 3", pays: stop}}',
        'costs: {luck: {when: "much < 4", pays: stop}}',
    ),
    ALWAYS: (tired(1), tired(2), tired(3)),
    "fields": (on_hero("fields", "max: 3"), on_hero("fields", "max: 5"), on_hero("fields", "max: 9")),
    "static": (on_hero("static", "default: 1"), on_hero("static", "default: 2"), on_hero("static", "default: 3")),
    "a field and a printed one": (on_hero("fields", "max: 3"), on_hero("static", "default: 2"), on_hero("static", "default: 3")),
}  # fmt: skip
# A menu for `actions`.
DEEDS = """\
- kind: power
  id: deeds
  gloss: deeds
  effect: |
    choose one named deeds:
        "one": say "one"
        "two": say "two"
"""


def errors(result: CompileResult) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.severity == "error"]


def extended(
    folder: Path, words: Words | tuple[str, str], order: bool = False
) -> list[CompileResult]:
    """The packs `a`, `b` and `c` with these in their extensions, in one order or in each."""
    texts = [extension(f"more-{n}", text) for n, text in enumerate(words)]
    if "menu: deeds" in words[0]:
        texts[0] = f"- {texts[0]}".replace("\n", "\n  ").rstrip(" ") + DEEDS
    packs = dict(zip("abc", texts, strict=False))
    folders = put(folder, packs, BOTH if "c" in packs else {})
    return [compiled(one) for one in (permutations(folders) if order else [folders])]


def test_every_section_of_an_extension_is_tried():
    assert {*SETTLED} >= {*SECTIONS, ALWAYS, "fields", "static"}


@pytest.mark.parametrize("what", SETTLED)
def test_what_is_declared_alike_is_there_once(tmp_path: Path, what: str):
    one = SETTLED[what][0]
    made = extended(tmp_path, (one, one), order=True)
    assert [errors(each) for each in made] == [[], []]
    assert len({program_hash(each) for each in made}) == 1


@pytest.mark.parametrize("what", SETTLED)
def test_what_is_declared_differently_is_told_and_settled_by_a_third(tmp_path: Path, what: str):
    first, second, third = SETTLED[what]
    [result] = extended(tmp_path / "two", (first, second))
    [found] = errors(result)
    assert found.code == "name-clash"
    assert found.message.startswith("`a` and `b` both declare `")
    assert [Path(p.path).parent.name for p in (found.place, found.notes[0].place)] == ["b", "a"]
    section = third.partition(":")[0]
    assert str(found.help).startswith(f"`{section}: ")
    assert "in an extension of a pack that requires both" in str(found.help)
    made = extended(tmp_path / "three", (first, second, third), order=True)
    assert [errors(each) for each in made] == [[]] * 6
    assert len({program_hash(each) for each in made}) == 1


def test_the_declaration_of_the_third_holds(tmp_path: Path):
    [two] = extended(tmp_path, SETTLED["static"])
    assert two.program is not None
    assert dict(two.program.entity("Hero").static)["heat"][0] == 3


def test_without_the_third_ones_word_the_clash_stays_at_the_declarations(tmp_path: Path):
    """A pack that only requires both is not the cause of what they disagree on."""
    [result] = extended(tmp_path, (*SETTLED["scope"][:2], "scope: {}"))
    [found] = errors(result)
    assert [Path(p.path).parent.name for p in (found.place, found.notes[0].place)] == ["b", "a"]


def test_of_two_that_settle_it_differently_a_fourth_decides(tmp_path: Path):
    one, other, third = (extension(f"x{n}", text) for n, text in enumerate(SETTLED["scope"]))
    also = extension("x3", in_play("much heat"))
    last = extension("x4", in_play("the true heat"))
    packs = {"a": one, "b": other, "c": third, "d": also}
    needs = {**BOTH, "d": BOTH["c"], "e": '{c: "*", d: "*"}'}
    assert [one.code for one in errors(tried(tmp_path / "four", packs, needs))] == ["name-clash"]
    result = tried(tmp_path / "five", {**packs, "e": last}, needs)
    assert errors(result) == []
    assert result.program is not None
    assert "the true heat" in program_text(result.program)


def test_who_builds_on_one_alone_settles_nothing(tmp_path: Path):
    packs = {"a": extension("x", in_play("heat")), "c": extension("y", in_play("the heat"))}
    [found] = errors(tried(tmp_path, packs, {"c": '{a: "*"}'}))
    assert found.message == "`heat` is there already"


# -------------------------------------------------------------------------- items of every kind

FRUIT = "- {kind: fruit, id: quince, title: Quince, weight: 3, tint: red}\n"
PICTURE = b"\x89PNG\r\n\x1a\n"
APART, SHARED, ONE = "each its own", "there once", "one in a game"
ITEMS: Mapping[str, tuple[str, str]] = {
    "fruit": (APART, FRUIT),
    "power": (APART, "- {kind: power, id: hop, gloss: hop, effect: stop}\n"),
    "rule": (APART, "- {kind: rule, id: calm, holds: 'yes', english: all is calm}\n"),
    "measure": (APART, "- {kind: measure, id: two, gives: Int, is: '2', english: two}\n"),
    "stat": (APART, "- {kind: stat, id: brawn, takes: 'who: Player', is: '1', least: '0', english: 'brawn of {who}'}\n"),
    "bonus": (APART, "- {kind: bonus, id: snug, keep: all, english: snugness}\n"),
    "keyword": (APART, "- {kind: keyword, id: stout, gloss: stout, abilities: 'when eat(fruit): say \"eaten\"'}\n"),
    "standing": (APART, "- {kind: standing, id: customs, for: Player, abilities: 'when eat(fruit): say \"eaten\"'}\n"),
    "table": (APART, "- {kind: table, id: prices, by: Fruit, gives: Int, rows: {plum: 2}, otherwise: 1, english: a price}\n"),
    "requirement": (APART, "- {kind: requirement, id: cheap, of: 'one: Fruit', holds: weight(one) < 99, english: '{one} is light'}\n"),
    "sheet": (APART, "- {kind: sheet, id: label, of: \"one: Fruit\", title: \"{one}\", sections: [{title: All, rows: [{label: a, value: weight(one)}]}]}\n"),
    "layout": (APART, "- {kind: layout, id: card, of: 'one: Fruit', english: a card, size: poker, boxes: {title: {place: 0mm 0mm 40mm 9mm, show: [title]}}}\n"),
    "picture": (APART, "- {kind: picture, id: shot, of: fruit/plum, file: art/plum.png}\n"),
    "translation": (APART, "- {kind: translation, id: words, of: fruit/plum, texts: {plum: 'die Pflaume (-, -n)'}}\n"),
    "setting": (APART, "- {kind: setting, id: cap, value: 2, min: 0, max: 9, english: how many}\n"),
    "switch": (APART, "- {kind: switch, id: mood, options: {glad: all glad, sad: all sad}, default: glad, english: the mood}\n"),
    "trigger": (APART, "- {kind: trigger, id: told, event: eat(fruit), timing: afterwards, effect: say \"eaten\"}\n"),
    "fusion": (APART, "- {kind: power, id: hip, gloss: hip, effect: stop}\n- {kind: power, id: hop, gloss: hop, effect: stop}\n- {kind: fusion, id: both, parts: [hip, hop], gloss: both, effect: use hip}\n"),
    "random-table": (APART, "- {kind: random-table, id: omen, title: Omen, draw: without putting back, rows: [one, two]}\n"),
    "lasting": (APART, "- {kind: lasting, id: sleepy, on: Player, counts: eat(fruit), english: '{self} is sleepy'}\n"),
    "patch": (APART, "- {kind: patch, id: heavier, target: orchard:fruit/plum, add: {weight: 1}}\n"),
    "extension": (APART, "- {kind: extension, id: more, scope: {heat: {type: Int, life: game, english: heat, at_table: true}}}\n"),
    "migration": (APART, "- {kind: migration, id: hopped, since: 0.2.0, old: power/hup, new: power/hop, why: shorter}\n- {kind: power, id: hop, gloss: hop, effect: stop}\n"),
    "way": (APART, "- {kind: way, id: nap, to: deeds, label: 'nap of §', effect: stop}\n"),
    "action": (APART, "- {kind: action, id: nap, label: 'nap of §', effect: stop}\n"),
    "tag": (SHARED, "- {kind: tag, id: ripe, english: ripe}\n"),
    "clause": (SHARED, "- {kind: clause, id: house.small, words: small ones stand}\n"),
    "flow": (ONE, "- {kind: flow, id: turn, effect: stop}\n"),
    "notation": (ONE, "- {kind: notation, given: {}, steps: {}, then: {}}\n"),
    "vocabulary": (ONE, "- {kind: vocabulary, game: orchard}\n"),
}  # fmt: skip
# What two packs need below them to have ways and actions of one place.
PLACE = """\
- {kind: extension, id: place, actions: {day: {menu: deeds}}}
- kind: power
  id: chores
  gloss: chores
  effect: |
    choose one named deeds:
        "one": say "one"
        "two": say "two"
"""


def of_items(folder: Path, texts: Mapping[str, str]) -> CompileResult:
    """Compile packs for the orchard of these items; each builds on `base`, and `c` on all."""
    files = {"base/pack.yaml": manifest("base", game="orchard"), "base/items.yaml": PLACE}
    for id, text in texts.items():
        needs = ", ".join(
            f'{one}: "*"' for one in ("base", *(texts if id == "c" else ())) if one != id
        )
        language = ["language: de", "translates: orchard"] if "kind: translation" in text else []
        lines = (f"requires: {{{needs}}}", f"title: The {id}", *language)
        files[f"{id}/pack.yaml"] = manifest(id, *lines, game="orchard")
        files[f"{id}/items.yaml"] = text.replace("§", id)
    write(folder, files)
    for id in texts:
        (folder / id / "art").mkdir(exist_ok=True)
        (folder / id / "art" / "plum.png").write_bytes(PICTURE)
    paths = [folder / id for id in ("base", *texts)]
    return Compiler().compile([ORCHARD / "game", *paths], builtin=NOTHING, schemas=schemas(ORCHARD))


def test_every_kind_of_item_is_tried():
    assert {*ITEMS} - {"fruit"} == {*COMMON_KINDS} - {"pack", "scenarios"}


@pytest.mark.parametrize("kind", ITEMS)
def test_items_of_one_name_in_two_packs(tmp_path: Path, kind: str):
    """A game has one notation, one vocabulary and one of each flow, which packs patch."""
    how, text = ITEMS[kind]
    result = of_items(tmp_path, {"a": text, "b": text})
    found = errors(result)
    if how == ONE:
        assert {one.code for one in found} == {"duplicate-id"}
        assert {Path(one.place.path).parent.name for one in found} >= {"b"}
        return
    assert found == []
    assert result.content is not None
    ids = [one.id for one in result.content.by_kind(kind) if one.pack in "ab"]
    names = [f"{kind}/a__", f"{kind}/b__"] if how == APART else [f"{kind}/"]
    assert len([id for id in ids if names[0] in id]) >= 1, ids
    assert {id.partition(":")[0] for id in ids} == ({"a", "b"} if how == APART else {"a"})


def test_clauses_worded_differently_are_settled_by_a_third(tmp_path: Path):
    text = ITEMS["clause"][1]
    packs = {"a": text, "b": text.replace("stand", "fall")}
    [found] = errors(of_items(tmp_path / "two", packs))
    assert found.code == "duplicate-id"
    assert "`a` and `b` both have the clause `house.small`, and not alike" in found.message
    assert "in a pack that requires both" in str(found.help)
    third = text.replace("stand", "stand or fall")
    result = of_items(tmp_path / "three", {**packs, "c": third})
    assert errors(result) == []
    assert result.content is not None
    [clause] = result.content.by_kind("clause")
    assert (clause.pack, clause.data("words")) == ("c", "small ones stand or fall")


MENU = """\
- kind: power
  id: §_pick
  gloss: pick
  effect: |
    choose one named pick:
        "one": say "§"
        "two": say "two"
- {kind: way, id: §-three, to: pick, label: "three of §", effect: stop}
"""
MENDED = """\
- kind: patch
  id: own-menu
  target: b:power/b_pick
  replace-effect: |
    choose one named b_pick:
        "one": say "b"
        "two": say "two"
- {kind: patch, id: to-own-menu, target: b:way/b-three, set: {to: b_pick}}
"""


def test_menus_of_one_name_are_told_and_a_third_renames_one(tmp_path: Path):
    packs = {"a": MENU, "b": MENU}
    [found] = errors(of_items(tmp_path / "two", packs))
    assert (found.code, found.message) == ("name-clash", "`a` and `b` both call something `pick`")
    assert str(found.help).startswith("another name, such as `b_pick`")
    assert errors(of_items(tmp_path / "three", {**packs, "c": MENDED})) == []


def test_ways_of_one_label_are_told_and_a_third_words_one_otherwise(tmp_path: Path):
    way = "- {kind: way, id: nap, to: deeds, label: nap, effect: stop}\n"
    [found] = errors(of_items(tmp_path / "two", {"a": way, "b": way}))
    assert found.code == "same-label"
    assert found.help == "a patch of `b:way/b__nap` that says `set: {label: ...}`"
    third = "- {kind: patch, id: p, target: 'b:way/b__nap', set: {label: doze}}\n"
    assert errors(of_items(tmp_path / "three", {"a": way, "b": way, "c": third})) == []


# ---------------------------------------------------------- an item, and a word of an extension

ADDED = {
    "a variable": in_play("heat"),
    "a value": "extends: {Wound: [heat]}",
    "a field": on_hero("fields", "max: 3"),
    "a zone": "zones: {heat: {of: Hero, seen_by: all, english: heat}}",
    "a query": foes("foes").replace("foes_of", "heat"),
}
CALLED = {
    "setting": ("- {kind: setting, id: heat, value: 2, min: 0, max: 9, english: how hot}\n", "heat", "a__heat"),
    "measure": ("- {kind: measure, id: heat, gives: Int, is: '2', english: two}\n", "heat", "a__heat"),
    "hero": ("- {kind: hero, id: heat, title: Heat}\n", "skill(heat)", "'Hero', ('value', 3)"),
}  # fmt: skip


@pytest.mark.parametrize("kind", CALLED)
@pytest.mark.parametrize("what", ADDED)
def test_an_item_of_the_name_of_a_strangers_word_is_its_own(tmp_path: Path, what: str, kind: str):
    """In its own pack the name means the item, in the other one the word, and a third names each."""
    item, value, means = CALLED[kind]
    uses = f"- {{kind: measure, id: lots, gives: Int, is: {value}, english: lots}}\n"
    third = uses.replace("heat", "a__heat").replace("lots", "more")
    packs = {"a": item + uses, "b": extension("x", ADDED[what]), "c": third}
    result = tried(tmp_path, packs, BOTH)
    assert errors(result) == []
    assert result.program is not None
    values = {one.id: one.body for one in result.program.functions}
    assert means in str(values["a:measure/lots"])
    assert values["c:measure/more"] == values["a:measure/lots"]


def test_the_word_keeps_its_meaning_for_whoever_sees_it(tmp_path: Path):
    reads = "- {kind: measure, id: §_lots, gives: Int, is: heat, english: much}\n"
    word = f"- {extension('x', in_play('heat'))}".replace("\n", "\n  ").rstrip(" ")
    packs = {
        "a": CALLED["setting"][0],
        "b": word + reads.replace("§", "b"),
        "c": reads.replace("§", "c"),
    }
    result = tried(tmp_path, packs, BOTH)
    assert errors(result) == []
    assert result.program is not None
    values = {one.id: one.body for one in result.program.functions}
    assert values["b:measure/b_lots"] == values["c:measure/c_lots"] == ("scope", "heat")


def test_names_in_the_texts_of_an_extension_are_those_of_its_pack(tmp_path: Path):
    setting = "- {kind: setting, id: cap, value: 2, min: 0, max: 9, english: how many}\n"
    packs = {}
    for id in "ab":
        text = scorch(1).replace('"1"', "cap").replace("scorch:", f"scorch_{id}:")
        more = f"- {extension(f'x{id}', text)}".replace("\n", "\n  ").rstrip(" ")
        packs[id] = more + setting
    result = tried(tmp_path, packs)
    assert errors(result) == []
    assert result.program is not None
    sets = {one.name: str(one.sets) for one in result.program.operations}
    assert "'a__cap'" in sets["scorch_a"]
    assert "'b__cap'" in sets["scorch_b"]


# ------------------------------------------------------------------------------------ warnings

UNIQUE = """\
- kind: extension
  id: omens
  entities: {Omen: {noun: [omen, omens], max: 9, records: [omen], static: {number: {type: Int, default: 1, at_table: true}}}}
  kinds: {omen: {makes: Omen, unique: [number]}}
"""


def test_a_number_that_two_strangers_give_is_told_at_their_items(tmp_path: Path):
    """Not at the manifest of the pack that requires both."""
    omen = "- {kind: omen, id: crow-§, title: Crow of §, number: 7}\n"
    packs = {"base": UNIQUE, **{id: omen.replace("§", id) for id in "ab"}}
    needs = dict.fromkeys("ab", '{base: "*"}') | {"c": '{a: "*", b: "*"}'}
    third = "- {kind: measure, id: two, gives: Int, is: '2', english: two}\n"
    result = tried(tmp_path, {**packs, "c": third}, needs)
    [found] = [one for one in result.diagnostics if one.code == "printed-twice"]
    assert found.severity == "warning"
    assert [Path(p.path).parent.name for p in (found.place, found.notes[0].place)] == ["b", "a"]
