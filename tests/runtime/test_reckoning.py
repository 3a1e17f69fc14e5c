"""How numbers come about: what is told of each adds up to what the program says, for whoever is
asked about."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.api.at_rest import at_rest
from ruleloom.compiler.lower.stats import added_up
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.finding import LESS, OF, Finding, total
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.program.program import Function, Modifier, Stat
from tests.runtime.test_stats import NUMBER, modifiers
from tests.support.evening import PROGRAM, bind
from tests.support.examples import examples
from tests.support.pack_examples import manifest, write

THINGS = """\
- {kind: ability, id: my-fighting, title: Fighting, scope: broad, base: Agl}
- {kind: ability, id: my-sabres, title: Sabres, scope: narrow, under: my-fighting, base: Agl}
- {kind: ability, id: my-rapiers, title: Rapiers, scope: focused, under: my-sabres, base: Skl, free: 1}
- {kind: damage-type, id: my-fire, title: Fire, affects: body}
- {kind: damage-type, id: my-frost, title: Frost, affects: body}
- {kind: advantage, id: my-gliding, title: Gliding, rating: III, scaled: true, text: up}
- {kind: advantage, id: my-luck, title: Luck, rating: 1/5, scaled: true, text: lucky}
- kind: advantage
  id: my-bark-hide
  title: Bark hide
  rating: II
  text: tough
  abilities: |
    bonus(PR, 5, "bark hide")
    immune(my_fire)
    resists(my_frost, 1/2)
- kind: advantage
  id: my-statue
  title: Statue
  rating: V
  text: of stone
  abilities: |
    modify PR(self) to 50 as "stone"
    modify score(self, Agl) to 0 as "stone"
    modify actions(self) at most 0 as "stone"
    modify Init(self) times 2 where score(self, Agl) > 20 as "quick stone"
- {kind: bonus, id: worn, keep: best, english: worn}
- {kind: armour, id: my-mail, title: Mail, abilities: 'modify PR(self) by 8 type worn as "mail"'}
- {kind: armour, id: my-leather, title: Leather, abilities: 'modify PR(self) by 3 type worn as "leather"'}
- {kind: armour, id: my-rags, title: Rags, abilities: 'modify PR(self) by -2 type worn as "rags"'}
- {kind: pairing, id: my-slow, title: Slow, steps: 1, text: slow}
- {kind: pairing, id: my-rare, title: Rare, steps: 4, text: rare}
- {kind: bane, id: my-lame, title: Lame, rating: ii, covers: [walking], text: lame}
- {kind: bane, id: my-cursed, title: Cursed, rating: ii, covers: [walking, luck], text: cursed}
- {kind: bane, id: my-frog, title: Frog, rating: v, covers: [luck], text: a frog}
"""
MIRA = """\
kind: character
id: mira
title: Mira
start: {Str: 17, Agl: 18, Cha: 9}
bought_pr: 2
skills: {my-fighting: 2, my-sabres: 3}
gifts:
  - my-bark-hide
  - {advantage: my-gliding, points: 3, paired: [my-slow]}
flaws: [my-lame, {bane: my-cursed, fudge: 1}, my-frog]
gear: [my-mail, my-leather, my-rags]
"""
SCORES = ("Int", "Wil", "Cha", "Sen", "Str", "End", "Agl", "Skl")


def some(random_: random.Random, names: Sequence[str]) -> list[str]:
    return random_.sample(names, random_.randint(0, len(names)))


def anybody(number: int, random_: random.Random) -> str:
    """A character nobody made up."""
    start = ", ".join(f"{one}: {random_.randint(1, 30)}" for one in some(random_, SCORES))
    skills = ", ".join(
        f"{one}: {random_.randint(1, 9)}"
        for one in some(random_, ("my-fighting", "my-sabres", "my-rapiers"))
    )
    gifts = [
        f"{{advantage: {one}, points: {random_.randint(1, 9)}, "
        f"paired: [{', '.join(some(random_, ('my-slow', 'my-rare')))}], "
        f"worse_than_nothing: {random_.choice(('true', 'false'))}, fudge: {random_.randint(-3, 3)}}}"
        for one in some(random_, ("my-gliding", "my-luck", "my-bark-hide", "my-statue"))
    ]
    flaws = [
        f"{{bane: {one}, fudge: {random_.randint(-2, 2)}}}"
        for one in some(random_, ("my-lame", "my-cursed", "my-frog"))
    ]
    bought = ", ".join(
        f"bought_{one}: {random_.randint(-20, 20)}"
        for one in ("mi", "pi", "ei", "mr", "pr", "er", "init")
    )
    gear = ", ".join(some(random_, ("my-mail", "my-leather", "my-rags")))
    return (
        f"- {{kind: character, id: c{number}, title: C {number}, start: {{{start}}}, {bought}, skills: {{{skills}}}, "
        f"gifts: [{', '.join(gifts)}], flaws: [{', '.join(flaws)}], gear: [{gear}]}}\n"
    )


def pack(folder: Path, others: str = "") -> Path:
    files = {"camp/pack.yaml": manifest("camp", 'requires: {moonstone: "*"}', game="moonstone")}
    files |= {
        "camp/things.yaml": THINGS,
        "camp/mira.yaml": MIRA,
        "camp/others.yaml": others or "[]\n",
    }
    write(folder, files)
    return folder / "camp"


def reckoning_of(folder: Path, others: str = "") -> Reckoning:
    result = compile_paths([pack(folder, others)])
    assert result.program is not None, [
        str(one) for one in result.diagnostics if one.severity == "error"
    ]
    return Reckoning(*at_rest(result.program))


@pytest.fixture(scope="module")
def camp(tmp_path_factory: pytest.TempPathFactory) -> Reckoning:
    return reckoning_of(tmp_path_factory.mktemp("camp"))


def asked(reckoning: Reckoning, name: str, *args: Any, depth: int = 100) -> Finding:
    """A number of Mira, by the end of its id."""
    [id] = [one.id for one in reckoning.linked.program.functions if one.id.endswith(f"/{name}")]
    return reckoning.function(id, (0, *args), depth)


def every(found: Finding) -> Iterator[Finding]:
    yield found
    for part in found.parts:
        yield from every(part)


def lines(found: Finding, *fields: str) -> list[Any]:
    return [tuple(getattr(one, field) for field in fields) for one in found.parts if not one.minor]


# ---------------------------------------------------------------------------------- the law


LEAVES = {"printed", "setting", "constant", "state"}


def assert_adds_up(found: Finding, known: tuple[tuple[str, Any], ...] = ()) -> None:
    """A number is what its parts come to; where it has none it is printed, a setting, a constant,
    the sum of nothing, or an argument that was asked for or told above (`known`)."""
    if isinstance(found.value, bool):
        return
    assert not found.more
    known = (*known, *((one.label, one.value) for one in found.parts if one.does == OF))
    parts = [one for one in found.parts if one.does != OF]
    if parts:
        assert total(parts) == found.value, found
    elif found.kind == "nothing":
        assert found.value == 0, found
    elif found.kind == "argument":
        assert found.value in [value for _, value in known], found
    else:
        assert found.kind in LEAVES, found
    for one in found.parts:
        if one.value is not None:
            assert_adds_up(one, known)


def numbers(reckoning: Reckoning) -> list[Function]:
    """The functions that give a number, and speak of a character first."""
    functions = [f for f in reckoning.linked.program.functions if f.result in ("Int", "Fraction")]
    return [f for f in functions if f.param_types[:1] == ("Character",)]


def arguments(reckoning: Reckoning, function: Function) -> Iterator[tuple[Any, ...]]:
    """Everything that can be asked besides of whom."""
    return product(*(values_of(reckoning, one) for one in function.param_types[1:]))


def values_of(reckoning: Reckoning, type_: str) -> tuple[Any, ...]:
    """Everything that a parameter of a type may be handed; of numbers some."""
    layout, name = reckoning.linked.layout, type_.removesuffix("?")
    known = {**layout.enums, "Int": tuple(range(-3, 12)), "Bool": (False, True)}
    found = known[name] if name in known else tuple(range(layout.sizes[name]))
    return (*found, None) if name != type_ else found


def assert_law(reckoning: Reckoning, who: Sequence[int], most: int = 100) -> int:
    """Hold the law for some characters and every number, with at most so many arguments that chance
    picks."""
    told, random_ = 0, random.Random(5)
    for function in numbers(reckoning):
        slots = (("slot", number) for number in range(len(function.params)))
        program = reckoning.linked.codegen.value(("function", function.id, *slots))
        every_rest = list(arguments(reckoning, function))
        picked = [(one, random_.sample(every_rest, min(most, len(every_rest)))) for one in who]
        for args in [(one, *rest) for one, found in picked for rest in found]:
            found = reckoning.function(function.id, args)
            assert found.value == program(
                reckoning.words.world, args, reckoning.words.scope, frozenset()
            )
            handed = zip(function.params, args, function.param_types, strict=True)
            assert_adds_up(found, tuple([(name, x) for name, x, of in handed if of == "Int"]))
            told += 1
    return told


def test_every_number_of_a_character_adds_up(camp: Reckoning):
    assert {one.id.rpartition("/")[2] for one in numbers(camp)} >= {
        "PR",
        "CV",
        "score",
        "fine",
        "taken",
    }
    assert assert_law(camp, [0], 30) > 100


@pytest.mark.parametrize("many", [30, pytest.param(200, marks=pytest.mark.slow)])
def test_the_numbers_of_many_characters_add_up(tmp_path: Path, many: int):
    random_ = random.Random(4)
    reckoning = reckoning_of(tmp_path, "".join(anybody(number, random_) for number in range(many)))
    size = reckoning.linked.layout.sizes["Character"]
    assert size == many + 1
    assert assert_law(reckoning, range(size), 1) > many * 15


BONUSES = {"armour": "best", "luck": "all"}
LINKED = link_game(PROGRAM, bind, ["Ann", "Ben"])
LIMIT = st.none() | st.none() | NUMBER.map(lambda value: ("value", value))


@examples(1.5)
@given(NUMBER, st.lists(modifiers(), max_size=6), LIMIT, LIMIT)
def test_any_stat_adds_up(base: Any, found: list[Modifier], least: Any, most: Any):
    stat = Stat("s", ("value", base), tuple(found), least, most)
    function = Function("s", (), (), "Fraction", added_up(stat, BONUSES, 1), False, ())
    program = replace(PROGRAM, functions=(function,), stats=(stat,), bonuses=tuple(BONUSES.items()))
    linked = Linked(program, LINKED.layout, LINKED.driver, LINKED.settings)
    assert_adds_up(Reckoning(linked, ()).function("s", ()))


# ---------------------------------------------------------------------------------- what is told


def test_what_counts_and_what_does_not(camp: Reckoning):
    assert lines(asked(camp, "PR"), "label", "does", "value", "counts", "why") == [
        ("bought pr of Mira", "by", 2, True, ""),
        ("Agl over 15", "by", 15, True, ""),
        ("bark hide", "by", 5, True, ""),
        ("mail", "by", 8, True, ""),
        ("leather", "by", 3, False, "a better worn counts"),
        ("rags", "by", -2, True, ""),
    ]


def test_a_condition_that_does_not_hold_is_told_to_who_wants_all(camp: Reckoning):
    [idle] = [one for one in asked(camp, "Init").parts if one.label == "Agl under 5"]
    assert (idle.counts, idle.value, idle.minor) == (False, None, True)
    assert idle.why == "not so: Agl of Mira < low score (5)"


def test_what_is_set_leaves_the_rest_aside(tmp_path: Path):
    reckoning = reckoning_of(
        tmp_path, "- {kind: character, id: golem, title: Golem, gifts: [my-statue]}\n"
    )
    golem = reckoning.linked.layout.names["Character"].index("golem")
    found = reckoning.function("moonstone:stat/PR", (golem,))
    assert lines(found, "label", "value", "counts")[:2] == [
        ("to begin with", 0, False),
        ("stone", 50, True),
    ]
    assert found.parts[0].why == "it is set to something else"


def test_a_sum_goes_from_thing_to_thing_by_their_titles(camp: Reckoning):
    found = asked(camp, "CV")
    labels = [one[0] for one in lines(found, "label")]
    assert labels[:3] == ["the price of Cha", "the price of Str", "the price of Agl"]
    assert {"points of Fighting", "the price of Gliding", "what Frog returns"} <= set(labels)
    assert "the price of Wil" not in labels
    assert "the price of Wil" in [one.label for one in found.parts]
    [frog] = [one for one in found.parts if one.label == "what Frog returns"]
    assert (frog.does, frog.value) == (LESS, 10)


def test_why_something_brings_nothing_is_told(camp: Reckoning):
    [cursed] = [one for one in asked(camp, "CV").parts if one.label == "what Cursed returns"]
    assert (cursed.value, cursed.minor) == (1, False)
    outdone = "something that counts says the same as Cursed, and returns more"
    assert (outdone, True, OF) in lines(cursed, "label", "value", "does")


def test_leaves_say_where_they_stand(camp: Reckoning):
    found = asked(camp, "CV")
    places = {(one.label, origin.path, origin.line) for one in every(found) for origin in one.via}
    assert ("points of Sabres", "mira.yaml", 6) in places
    assert ("start Str of Mira", "mira.yaml", 2) in places
    ways = [
        [origin.path for origin in one.via]
        for one in asked(camp, "PR").parts
        if one.label == "bark hide"
    ]
    assert ways == [["things.yaml", "keywords.yaml"]]


def test_what_is_shared_by_all_says_of_each_the_same_as_alone(tmp_path: Path):
    """Functions bound to a world, and findings that are kept, carry nothing from one to the next."""
    random_ = random.Random(9)
    shared = reckoning_of(tmp_path, "".join(anybody(number, random_) for number in range(8)))
    told = 0
    for function in shared.linked.program.functions:
        every_rest = [*product(*(values_of(shared, one) for one in function.param_types[1:]))]
        if function.param_types[:1] != ("Character",) or not every_rest:
            continue
        for who, depth in product(range(9), (0, 2, 4)):
            args = (who, *random_.choice(every_rest))
            alone = Reckoning(shared.linked, shared.words.world)
            assert shared.function(function.id, args, depth) == alone.function(
                function.id, args, depth
            )
            told += 1
    assert told > 500


def test_a_number_is_told_from_yes():
    """`1` and `yes` are equal to Python, and a function of anything may be given either."""
    function = Function(
        "same", ("what",), ("?",), "?", ("slot", 0), False, ((("slot", 0), "?"), " it is")
    )
    program = replace(PROGRAM, functions=(function,))
    linked = Linked(program, LINKED.layout, LINKED.driver, LINKED.settings)
    reckoning = Reckoning(linked, ())
    found = [reckoning.function("same", (value,)) for value in (1, True, Fraction(1))]
    assert [type(one.value) for one in found] == [int, bool, Fraction]
    assert [one.label for one in found] == ["1 it is", "True it is", "1 it is"]


def test_as_deep_as_was_asked(camp: Reckoning):
    flat = asked(camp, "CV", depth=1)
    assert all(not one.parts or all(inner.does == OF for inner in one.parts) for one in flat.parts)
    assert any(one.more for one in flat.parts)
    assert total(flat.parts) == flat.value
    assert asked(camp, "CV", depth=0).more


def test_values_are_exact(camp: Reckoning):
    frost = camp.linked.layout.names["DamageType"].index("my-frost")
    found = asked(camp, "taken", frost)
    assert found.value == Fraction(1, 2)
    assert lines(found, "label", "does", "value") == [
        ("to begin with", "by", 1),
        ("resistant", "times", Fraction(1, 2)),
    ]


def test_a_rule_rests_on_its_conditions(camp: Reckoning):
    found = camp.function("moonstone:measure/same_about", (0, 1))
    assert found.value is True
    assert lines(found, "label", "value")[-1] == ("walking", True)
    hide = camp.linked.layout.names["Advantage"].index("my-bark-hide")
    bought = [one for one in asked(camp, "has", hide).parts if one.via]
    assert [one.via[0].line for one in bought] == [8]
