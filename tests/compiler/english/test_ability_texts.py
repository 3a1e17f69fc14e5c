"""Abilities in words: each form, what goes with it, the holes of the English, and anything
whatever."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.english.ability_text import Bearing
from ruleloom.compiler.english.glossary import glossary
from ruleloom.compiler.english.page import Teller, lines, paragraph
from ruleloom.compiler.syntax import ast
from tests.compiler.english.test_english import content_of
from tests.compiler.syntax.test_format import maybe_small, names, small, small_args, tuples
from tests.compiler.syntax.test_format import node as form
from tests.support.check_layer import compile_case

NUMBERS = """
- {kind: setting, id: winter, value: false, english: it is winter}
- kind: stat
  id: reach
  takes: "who: Player"
  is: "score(who) + 1"
  least: "0"
  most: "9"
  english: "reach of {who}"
- {kind: stat, id: skill_at, takes: "who: Player, of: Fruit", is: "0", english: "what {of} brings {who}"}
- kind: stat
  id: taste
  takes: "who: Player, tone: Colour"
  is: "3 if winter else weight(plum)"
  english: "{tone} of {who}"
- {kind: stat, id: part, takes: "who: Player", gives: Fraction, is: "1/2", english: "the part of the day for {who}"}
- kind: measure
  id: eats
  takes: "who: Player, what: Fruit"
  gives: Bool
  is: "what in hand(who)"
  english: "{who} eats {what}"
- {kind: bonus, id: step, keep: all, english: a step}
- kind: keyword
  id: fond
  takes: 'of: Fruit, much: Fraction, why: Text = "fond"'
  gloss: "{much} better with {of}"
  abilities: |
    modify part(self) times much as why
    passive where eats(self, of):
        modify skill_at(self, of) by 2
- kind: keyword
  id: keen
  takes: "tone: Colour"
  gloss: "keen on {tone}"
  abilities: |
    modify taste(self, tone) to 4
- kind: keyword
  id: lifted
  takes: "what: Stat, much: Int, why: Text"
  gloss: "{what} {much} higher"
  abilities: |
    modify what(self) by much as why
- kind: standing
  id: everybody
  for: Player
  english: "whoever has far to go is quick"
  abilities: |
    modify reach(self) at most 8 as "tired"
"""

# What a fruit called Quince has written, and how it reads.
ABILITIES = [
    ("modify reach(self) by 5", "Your reach is 5 higher."),
    ('modify reach(self) by -2 as "heavy"', "Your reach is 2 lower (heavy)."),
    ('modify reach(self) by 1 type meal as "quince"', "Your reach is 1 higher (counts as a meal)."),
    (
        'modify reach(self) by 1 type meal as "sour"',
        "Your reach is 1 higher (sour; counts as a meal).",
    ),
    ("modify reach(self) by weight(this)", "Your reach is 7 higher."),
    ("modify reach(self) by -score(self)", "Takes your score from your reach."),
    (
        "modify reach(self) by 3 * (score(self) - 2)",
        "Adds 3 times (your score minus 2) to your reach.",
    ),
    (
        "modify reach(self) by 1 if day = 2 else 3",
        "Adds (1 if the day is 2, otherwise 3) to your reach.",
    ),
    (
        "modify reach(self) by (score(self) + 1) * (score(self) div 2)",
        "Adds (your score plus 1) times (your score divided by 2, rounded down) to your reach.",
    ),
    (
        "modify reach(self) by sum(taste(self, c) for c: Colour)",
        "Adds the sum of every colour of yours to your reach.",
    ),
    ("modify reach(self) to 7", "Sets your reach to 7."),
    ("modify reach(self) times 0", "Reduces your reach to 0."),
    ("modify reach(self) times 2", "Doubles your reach."),
    ("modify part(self) times 1/2", "Halves the part of the day for you."),
    ("modify part(self) times 2/3", "Multiplies the part of the day for you by 2/3."),
    ('modify reach(self) at least 3 as "long"', "Keeps your reach from falling below 3 (long)."),
    ("modify reach(self) at most day", "Keeps your reach from rising above the day."),
    ("modify taste(self, red) by 1", "Your red is 1 higher."),
    ("modify skill_at(self, quince) by 1", "Adds 1 to what Quince brings you."),
    ("modify taste(self, each c) by 1", "Every colour of yours is 1 higher."),
    (
        "modify skill_at(self, each f) by 1 where tint(f) = red and day = 2",
        "Adds 1 to what every fruit whose tint is red brings you while the day is 2.",
    ),
    (
        "modify skill_at(self, each f) by weight(f) where weight(f) > 2",
        "For every fruit whose weight is more than 2, adds the fruit's weight to what it brings you.",
    ),
    (
        "modify reach(self) by 1 where me != self",
        "Your reach is 1 higher while you are not the acting player.",
    ),
    (
        "modify reach(self) by 1 where not eats(self, this) and score(self) > 2",
        "Your reach is 1 higher while you do not eat Quince and your score is more than 2.",
    ),
    ("modify reach(self) by 1 where winter", "Under the present settings this does nothing."),
    ("modify reach(self) by 1 where not winter", "Your reach is 1 higher."),
    (
        "passive where day = 2:\n    modify reach(self) by 1",
        "While the day is 2: your reach is 1 higher.",
    ),
    (
        "passive where day = 2:\n    hearty(2)\n    passive where score(self) > 1:\n"
        "        hearty(1)\n        modify reach(self) by 1\nhearty()",
        "While the day is 2:\n   2 stronger.\n   While your score is more than 1:\n"
        "      1 stronger.\n      Your reach is 1 higher.\n1 stronger.",
    ),
    ("passive where winter:\n    hearty(2)\nhearty(-3)", "3 weaker."),
    ("fond(quince, 1/2)", "1/2 better with Quince (fond)."),
    ('fond(much: 2, of: quince, why: "mild")', "2 better with Quince (mild)."),
    ("keen(gold)", "Keen on gold."),
    ('lifted(reach, 2, "tall")', "Reach 2 higher (tall)."),
    ('lifted(reach, 2, "quince")', "Reach 2 higher."),
    ('lifted(reach, -2, "short")', "Reach 2 lower (short)."),
]

ENTRIES = {
    "stat/reach": "Reach of a player: the score of the player plus 1 to begin with, never less than 0, "
    "never more than 9. Modified by: tired, Quince and Last.",
    "stat/taste": "A colour of a player: 1 to begin with. Modified by: Quince.",
    "stat/part": "The part of the day for a player: 1/2 to begin with. Modified by: Quince.",
    "bonus/step": "A step. All bonuses of this sort count.",
    "bonus/meal": "A meal. Of several bonuses of this sort the highest counts, and the lowest below zero.",
    "keyword/fond": "N better with a fruit:\n   Multiplies the part of the day for you by N.\n"
    "   While you eat the fruit: adds 2 to what the fruit brings you.",
    "keyword/keen": "Keen on a colour: sets your colour to 4.",
    "keyword/lifted": "A stat N higher: the stat is N higher.",
    "standing/everybody": "Whoever has far to go is quick.\n"
    "For every player (“you”): keeps your reach from rising above 8 (tired).",
    "fruit/last": "Your reach is 1 higher.\n\nSwap.\n\nThere are 99.",
}


def quince(id: str, abilities: str, more: str = "") -> str:
    """Return a fruit with abilities, as an entry of a list."""
    title = "Quince" if id.startswith("quince") else id.capitalize()
    lines = "".join(f"    {line}\n" for line in abilities.splitlines())
    return f"- kind: fruit\n  id: {id}\n  title: {title}\n  weight: 7\n  tint: red\n{more}  abilities: |\n{lines}"


@cache
def ability_texts() -> dict[str, str]:
    """Return the texts of an orchard in which each of `ABILITIES` is a fruit."""
    fruits = [quince(f"quince{at or ''}", written) for at, (written, _) in enumerate(ABILITIES)]
    last = quince(
        "last",
        "modify reach(self) by 1",
        '  text: "There are 99."\n  effect: |\n    swap(me, me)\n',
    )
    result = compile_case(NUMBERS + "".join(fruits) + last, texts=True)
    assert [one for one in result.diagnostics if one.severity == "error"] == []
    assert result.program is not None
    return {id.partition(":")[2]: text for id, text in result.program.texts}


def rules_of(name: str) -> str:
    """Return what an item does, without what is printed on a fruit."""
    text = ability_texts()[name]
    return text.partition("\n\n")[2] if name.startswith("fruit/") else text


@pytest.mark.parametrize(("written", "said"), ABILITIES)
def test_abilities(written, said):
    at = [one for one, _ in ABILITIES].index(written)
    assert rules_of(f"fruit/quince{at or ''}") == said


@pytest.mark.parametrize(("name", "said"), ENTRIES.items())
def test_what_goes_with_abilities(name, said):
    assert rules_of(name) == said


def test_prose_beside_abilities_is_not_compared():
    alone = quince("plume", "modify vigour(self) by 1", '  text: "Worn for 99 years."\n')
    assert compile_case(alone).diagnostics == ()


@pytest.mark.parametrize(
    ("item", "hole"),
    [
        (
            '- {kind: keyword, id: k, takes: "n: Int", gloss: "{m} up", abilities: "hearty(n)"}',
            "{m}",
        ),
        (
            '- {kind: stat, id: st, takes: "who: Player", is: "1", english: "st of {whom}"}',
            "{whom}",
        ),
        (
            '- {kind: standing, id: s, for: Player, english: "as {self}", abilities: "hearty(1)"}',
            "{self}",
        ),
        ('- {kind: bonus, id: b, keep: all, english: "{b}"}', "{b}"),
    ],
)
def test_a_hole_that_nothing_fills(item, hole):
    (found,) = [one for one in compile_case(item).diagnostics if one.code == "unknown-name"]
    assert f"`{hole}`" in found.message
    column = item.index(hole) + 1
    assert (found.place.line, found.place.column, found.place.end_column) == (
        1,
        column,
        column + len(hole),
    )


def test_the_holes_of_a_gloss_are_parameters_and_settings():
    item = (
        '- {kind: keyword, id: k, takes: "n: Int", gloss: "{n} of {most}", abilities: "hearty(n)"}'
    )
    assert [one.code for one in compile_case(item).diagnostics] == ["unused-item"]


# -------------------------------------------------------------------------------- anything whatever

changes = st.sampled_from(["by", "to", "times", "least", "most"])
places = form(ast.StatArg, small, None) | form(ast.StatArg, None, names)
modifiers = form(
    ast.Modify, names, tuples(places), changes, small, st.none() | names, maybe_small, maybe_small
)
keywords = form(ast.Keyword, names | st.just(ast.Name((0, 0), "hearty")), small_args)
abilities = st.recursive(
    modifiers | keywords, lambda inner: form(ast.Passive, small, tuples(inner, 1, 2)), max_leaves=3
)


@given(tuples(abilities))
def test_any_abilities_can_be_told(some: tuple[ast.Ability, ...]):
    teller = Teller(glossary(*content_of("orchard")), {})
    steps = Bearing(teller).steps(some)
    assert isinstance(paragraph(steps), str)
    assert isinstance(lines(steps), list)
