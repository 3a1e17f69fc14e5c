"""Stats and what modifies them: the order of counting, keywords, bearers, and what a save gives
back."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import ceil, floor, prod
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleloom.compiler.lower.stats import added_up
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.program.program import Modifier, Program, Stat
from ruleloom.runtime.program.program_json import program_data, program_of
from ruleloom.runtime.program.verify import check_program
from tests.runtime.test_fractions import codes
from tests.support.check_layer import compile_case, compile_files, game_files
from tests.support.evening import PROGRAM
from tests.support.orchard_driver import bind
from tests.support.orchard_items import abilities, fruit, listed

APPLE = 3


def program_with(*lines: str, more: str = "") -> Program:
    """The orchard with an apple that has these abilities."""
    result = compile_case(more + listed(abilities(*lines)))
    assert codes(result) == []
    assert result.program is not None
    return result.program


def vigour(program: Program, holder: bool = True, **scope: Any) -> Any:
    """The vigour of Ann, who holds the apple or does not."""
    linked = link_game(program, bind, ["Ann", "Ben"])
    world = list(linked.driver.start(toy_world(linked)))
    world[linked.layout.index["hand"]] = ((APPLE,), ()) if holder else ((), (APPLE,))
    values = list(linked.initial_scope)
    for name, value in scope.items():
        values[linked.scope_index[name]] = value
    call = linked.codegen.value(("function", "orchard:stat/vigour", ("value", 0)))
    return call(tuple(world), (), tuple(values), frozenset())


@pytest.mark.parametrize(("modified", "source"), [("vigour", "1"), ("reach", "(w, s, g, 0)")])
def test_only_a_stat_that_something_modifies_is_called(modified: str, source: str):
    reach = '- {kind: stat, id: reach, takes: "who: Player", is: "1", least: "0", english: reach}\n'
    program = program_with(f"modify {modified}(self) by 4", more=reach)
    codegen = link_game(program, bind, ["Ann", "Ben"]).codegen
    assert codegen.source(("function", "orchard:stat/reach", ("value", 0))).endswith(source)


def toy_world(linked: Any) -> Any:
    """An empty table."""
    from ruleloom.runtime.link.link_game import empty_world

    return empty_world(linked.layout)


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        (("modify vigour(self) by 4",), 5),
        (("modify vigour(self) by 4", "modify vigour(self) by -2"), 3),
        (("modify vigour(self) by weight(this)",), 2),
        (("modify vigour(self) to 7",), 7),
        (("modify vigour(self) to 7", "modify vigour(self) to 9", "modify vigour(self) by 1"), 10),
        (("modify vigour(self) by 2", "modify vigour(self) times 3"), 9),
        (("modify vigour(self) by 4", "modify vigour(self) times 1/2 rounded down"), 2),
        (("modify vigour(self) by 4", "modify vigour(self) times 1/2 rounded up"), 3),
        (("modify vigour(self) by 4", "modify vigour(self) times 1/2 rounded nearest"), 3),
        (("modify vigour(self) by 4", "modify vigour(self) times 1/3 rounded nearest"), 2),
        # What rounds alike is rounded once: 7/4.
        (("modify vigour(self) by 6", *("modify vigour(self) times 1/2 rounded up",) * 2), 2),
        (("modify vigour(self) by 6", "modify vigour(self) times 1/2 rounded up first"), 7),
        (("modify vigour(self) by 6", "modify vigour(self) times 1/2 rounded down first"), 6),
        (("modify vigour(self) to 6", "modify vigour(self) times 1/2 rounded down first"), 6),
        (("modify vigour(self) by 1", "modify vigour(self) times 3 first"), 4),
        (("modify vigour(self) at least 4",), 4),
        (
            (
                "modify vigour(self) by 20",
                "modify vigour(self) at most 6",
                "modify vigour(self) at most 8",
            ),
            6,
        ),
        (("modify vigour(self) by -9",), 0),
        (("hearty(3)", "hearty(5)"), 6),
        (("hearty(-3)", "hearty(5)", "hearty(-1)"), 3),
        (("hearty()",), 2),
        (("modify vigour(self) by 1 where day = 2",), 1),
        (("modify vigour(self) by 1 where day = 1",), 2),
        (("passive where day = 2:", "    hearty(4)"), 1),
        (("passive where day = 1:", "    passive where me = self:", "        hearty(4)"), 5),
    ],
)
def test_what_modifiers_come_to(lines: tuple[str, ...], value: int):
    assert vigour(program_with(*lines)) == value


def test_abilities_are_those_of_the_bearer():
    program = program_with("hearty(3)")
    assert vigour(program) == 4
    assert vigour(program, holder=False) == 1


def test_standing_abilities_are_everybodys():
    more = listed(
        'kind: standing\nid: youth\nfor: Player\nabilities: |\n  modify vigour(self) by day as "young"\n'
    )
    program = program_with("hearty(1)", more=more)
    assert vigour(program, holder=False, day=5) == 6
    assert vigour(program, holder=True, day=5) == 7


def test_a_keyword_may_be_told_a_stat():
    more = (
        '- kind: stat\n  id: LU\n  takes: "who: Player"\n  is: "3"\n  english: "luck of {who}"\n'
        '- kind: keyword\n  id: lift\n  takes: "what: Stat, much: Int, why: Text"\n  gloss: "{what} +{much}"\n'
        "  abilities: |\n    modify what(self) by much + LU(self) as why\n"
    )
    program = program_with('lift(vigour, 2, "spring")', more=more)
    assert vigour(program) == 6
    (stat,) = [one for one in program.stats if one.modifiers]
    (modifier,) = [one for one in stat.modifiers if one.label == "spring"]
    assert [origin.path for origin in modifier.via] == ["zz_case.yaml", "zz_case.yaml"]
    circle = compile_case(more + listed(abilities("lift(vigour, 1, day)")))
    assert codes(circle) == ["type-mismatch"]
    circle = compile_case(more + listed(abilities('lift(LU, 1, "x")')))
    assert codes(circle) == ["recursive-rule"]
    wrong = compile_case(more + listed(abilities('lift(luck, 1, "x")')))
    assert codes(wrong) == ["unknown-stat"]


def test_a_keyword_that_nothing_uses_is_checked():
    text = 'kind: keyword\nid: odd\ntakes: "n: Int"\ngloss: x\nabilities: |\n  modify vigour(self) by m\n'
    assert codes(compile_case(text)) == ["unknown-name"]


def test_a_mistake_in_a_keyword_is_told_once():
    more = listed("kind: keyword\nid: odd\ngloss: x\nabilities: |\n  modify vigour(self) by m\n")
    result = compile_case(more + listed(abilities("odd()", "odd()")))
    assert codes(result) == ["unknown-name"]


@pytest.mark.parametrize(
    ("when", "code"),
    [("ths in hand(self)", "unknown-name"), ("this", "type-mismatch"), ("this in hand(me)", "")],
)
def test_who_bears_a_kind_is_checked_without_any_item(when: str, code: str):
    files = dict(game_files())
    files["vocabulary.yaml"] = files["vocabulary.yaml"].replace("this in hand(self)", when)
    files["fruit.yaml"] = files["fruit.yaml"].replace(', abilities: "hearty()"', "")
    assert files["vocabulary.yaml"] != game_files()["vocabulary.yaml"]
    assert codes(compile_files(files)) == [code] * bool(code)


def test_a_stat_that_depends_on_hidden_cards_is_hidden():
    """Who bears a fruit is told by hands, which only their owners see."""
    assert codes(
        compile_case(fruit("choose one from players where vigour(one) > 1", "swap(me, one)"))
    ) == ["hidden-information"]
    assert codes(compile_case(fruit("if vigour(me) > 1: set day = 2"))) == []


@pytest.mark.parametrize(("of", "code"), [("self", "hidden-information"), ("me", "")])
def test_what_a_keyword_looks_into_is_that_of_whom_it_was_told(of: str, code: str):
    items = (
        '- {kind: stat, id: LU, takes: "who: Player", is: "3", english: luck}\n',
        '- {kind: keyword, id: spies, takes: "on: Player", gloss: x, abilities: "modify LU(self) by richest(on)"}\n',
        f'- {{kind: standing, id: all, for: Player, abilities: "spies({of})"}}\n',
        listed(fruit("choose one from players where LU(one) > 3", "swap(me, one)")),
    )
    assert codes(compile_case("".join(items))) == [code] * bool(code)


def test_a_program_with_stats_is_read_back():
    program = program_with("hearty(3)", 'modify vigour(self) at most 4 where day > 1 as "tired"')
    assert program_of(program_data(program)) == program
    check_program(program)


# ---------------------------------------------------------------------------------- the law


ROUND = {
    "": lambda number: number,
    " down": floor,
    " nearest": lambda n: floor(n + Fraction(1, 2)),
    " up": ceil,
}
MULTIPLYING = [change + how for change in ("first", "times") for how in ROUND]
NUMBER = st.integers(-6, 6) | st.fractions(-3, 3, max_denominator=4)


@st.composite
def modifiers(draw: st.DrawFn) -> Modifier:
    """A modifier that holds or does not."""
    change = draw(st.sampled_from(["by", "by", "to", *MULTIPLYING, "least", "most"]))
    bonus = draw(st.sampled_from(["", "armour", "luck"])) if change == "by" else ""
    test = draw(st.sampled_from([None, ("value", True), ("value", False)]))
    return Modifier("i", change, test, ("value", draw(NUMBER)), bonus, "", ())


def multiplied(total: Any, values: Mapping[str, list[Any]], change: str) -> Any:
    """A number times all that is rounded alike, and then rounded, for each way to round."""
    for how, whole in ROUND.items():
        factors = values[f"{change}{how}"]
        total = whole(total * prod(factors)) if factors else total
    return total


def by_hand(base: Any, found: list[Modifier], least: Any) -> Any:
    """The same sum, done as the page of docs/language.md says."""
    holds = [one for one in found if one.test is None or one.test[1]]
    values = {
        change: [one.value[1] for one in holds if one.change == change]
        for change in ("to", *MULTIPLYING, "least", "most")
    }
    total = max(values["to"]) if values["to"] else multiplied(base, values, "first")
    total += sum(one.value[1] for one in holds if one.change == "by" and one.bonus != "armour")
    worn = [one.value[1] for one in holds if one.bonus == "armour"]
    total += max([0, *worn]) + min([0, *worn])
    total = multiplied(total, values, "times")
    total = min([max([total, *values["least"]]), *values["most"]])
    return max(total, least)


@given(NUMBER, st.lists(modifiers(), max_size=8), NUMBER)
def test_what_is_added_up_is_what_is_done_by_hand(base: Any, found: list[Modifier], least: Any):
    stat = Stat("s", ("value", base), tuple(found), ("value", least), None)
    expr = added_up(stat, {"armour": "best", "luck": "all"}, 1)
    linked = link_game(PROGRAM, bind, ["Ann", "Ben"])
    codegen = Codegen(PROGRAM, linked.layout, linked.driver, linked.settings)
    assert codegen.value(expr)((), (), (), frozenset()) == Fraction(by_hand(base, found, least))


def test_many_limits_are_no_more_work_than_their_number():
    limit = Modifier("i", "least", ("value", True), ("value", 3), "", "", ())
    stat = Stat("s", ("value", 1), (limit,) * 200, None, None)
    assert len(repr(added_up(stat, {}, 1))) < 20_000
