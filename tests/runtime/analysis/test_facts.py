"""A choice behind a condition: what is known where it begins, and whether it always finds something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ruleloom.runtime.analysis.rows import SafePoints
from ruleloom.runtime.program.program import (
    Condition,
    Expr,
    Function,
    Jump,
    JumpUnless,
    Let,
    Modal,
    Operate,
    Program,
    Relax,
    Say,
    ScopeVariable,
    SetScope,
)
from tests.support.evening import PROGRAM
from tests.support.rows import ME, Text, const

FRUITS: Expr = ("zone", "hand", ME)
WEIGHT: Expr = ("field", "Fruit.weight", ("slot", 3))
CANDIDATE = 9
# Nothing may always be taken, whatever else is too much.
ROOM = Function(
    "orchard:rule/room",
    ("n",),
    ("Int",),
    "Bool",
    ("or", ("=", ("slot", 0), ("value", 0)), ("scope", "late")),
    True,
    (),
)
EATABLE = Function("orchard:rule/eatable", ("f",), ("Fruit",), "Bool", ("scope", "late"), True, ())


def ripe(slot: int) -> Expr:
    """Is the fruit in a slot ripe?"""
    return ("static", "Fruit.ripe", ("slot", slot))


def exists(domain: Expr, test: Expr | None = None) -> Expr:
    """Is there such a thing?"""
    return ("each", "exists", None, CANDIDATE, domain, test)


def guarded(text: Text, condition: Expr) -> None:
    """What follows is only reached where a condition holds."""
    text.add(JumpUnless, condition=condition, to="end")


def choose(text: Text, *tests: Expr, domain: Expr = FRUITS) -> None:
    """The choice that it is about, in slot 0."""
    text.choose("fruit", "Fruit", domain, conditions=tuple(Condition(one, ()) for one in tests))


def there_is_one(text: Text) -> None:
    guarded(text, exists(FRUITS))
    choose(text)


def there_are_none_else(text: Text) -> None:
    guarded(text, ("not", ("or", ("not", exists(FRUITS)), ("scope", "late"))))
    choose(text)


def there_is_a_ripe_one(text: Text) -> None:
    guarded(text, ("and", ("scope", "late"), exists(FRUITS, ("and", ripe(CANDIDATE), ME))))
    choose(text, ripe(0))


def in_other_words(text: Text) -> None:
    text.add(Let, slot=3, value=const(1))
    guarded(text, exists(FRUITS))
    text.add(Say, text="now")
    text.add(Jump, to="next")
    text.label("next")
    choose(text)


def a_way_that_is_open(text: Text) -> None:
    way = text.mode("take one", "one", Condition(exists(FRUITS), ()))
    text.add(Modal, kind="choose", by=None, prompt="", modes=(way, text.mode("leave", "end")))
    text.label("one")
    choose(text)


def a_number_that_is_known(text: Text) -> None:
    most = ("each", "highest", None, CANDIDATE, ("list", const(1), WEIGHT), None)
    text.add(Let, slot=1, value=most)
    text.choose("number", "Int", ("..", const(1), ("slot", 1)))


def a_variable_with_bounds(text: Text) -> None:
    text.choose("number", "Int", ("..", const(0), ("*", const(10), ("scope", "rank"))))


def a_rule_that_holds_of_one(text: Text) -> None:
    room = Condition(("allowed", "orchard:rule/room", ("slot", 1)), ())
    text.choose("number", "Int", ("..", const(0), const(3)), conditions=(room,))


SURE = (
    there_is_one,
    there_are_none_else,
    there_is_a_ripe_one,
    in_other_words,
    a_way_that_is_open,
    a_number_that_is_known,
    a_variable_with_bounds,
    a_rule_that_holds_of_one,
)


def of_others(text: Text) -> None:
    guarded(text, exists(("zone", "hand", ("slot", 3))))
    choose(text)


def any_that_is_not_ripe(text: Text) -> None:
    guarded(text, exists(FRUITS))
    choose(text, ripe(0))


def on_the_other_way(text: Text) -> None:
    guarded(text, ("not", exists(FRUITS)))
    choose(text)


def either_of_two(text: Text) -> None:
    guarded(text, ("or", exists(FRUITS), ("scope", "late")))
    choose(text)


def something_happens(text: Text) -> None:
    guarded(text, exists(FRUITS))
    text.add(Operate, operation="eat", args=(("slot", 3),), slot=-1)
    choose(text)


def something_is_asked(text: Text) -> None:
    guarded(text, exists(FRUITS))
    text.choose("number", "Int", ("..", const(0), const(1)))
    text.choose("fruit", "Fruit", FRUITS)


def a_variable_changes(text: Text) -> None:
    guarded(text, exists(FRUITS))
    text.add(SetScope, name="me", value=const(1))
    choose(text)


def a_rule_is_lifted(text: Text) -> None:
    guarded(text, exists(FRUITS, ("allowed", "orchard:rule/eatable", ("slot", CANDIDATE))))
    text.add(Relax, rules=())
    choose(text, ("allowed", "orchard:rule/eatable", ("slot", 0)))


def a_slot_changes(text: Text) -> None:
    of = ("zone", "hand", ("slot", 3))
    guarded(text, exists(of))
    text.add(Let, slot=3, value=const(1))
    choose(text, domain=of)


def another_way_leads_there(text: Text) -> None:
    text.add(JumpUnless, condition=("scope", "late"), to="here")
    guarded(text, exists(FRUITS))
    text.label("here")
    choose(text)


def a_number_of_two_ways(text: Text) -> None:
    text.add(Let, slot=1, value=const(5))
    text.add(JumpUnless, condition=("scope", "late"), to="here")
    text.add(Let, slot=1, value=const(0))
    text.label("here")
    text.choose("number", "Int", ("..", const(1), ("slot", 1)))


def a_number_that_grows(text: Text) -> None:
    text.add(Let, slot=1, value=const(1))
    text.label("again")
    text.add(JumpUnless, condition=("scope", "late"), to="over")
    text.add(Let, slot=1, value=("-", ("slot", 1), const(1)))
    text.add(Jump, to="again")
    text.label("over")
    text.choose("number", "Int", ("..", const(1), ("slot", 1)))


def a_rule_that_holds_of_none_known(text: Text) -> None:
    room = Condition(("allowed", "orchard:rule/room", ("slot", 1)), ())
    text.choose("number", "Int", ("..", const(1), const(3)), conditions=(room,))


DOUBTFUL = (
    of_others,
    any_that_is_not_ripe,
    on_the_other_way,
    either_of_two,
    something_happens,
    something_is_asked,
    a_variable_changes,
    a_rule_is_lifted,
    a_slot_changes,
    another_way_leads_there,
    a_number_of_two_ways,
    a_number_that_grows,
    a_rule_that_holds_of_none_known,
)


def is_calm(write: Callable[[Text], None], program: Program = PROGRAM) -> bool:
    """Is the first row of a routine a safe point?"""
    text = Text("orchard:power/one", slots=["fruit", "number", "spare", "given"])
    write(text)
    text.label("end")
    rank = ScopeVariable("rank", "Int", "game", 0, low=0, high=20)
    program = replace(program, routines=(text.done(),), functions=(EATABLE, ROOM), scope=(rank,))
    return SafePoints(program)[0].calm[0]


@pytest.mark.parametrize("write", SURE, ids=lambda one: one.__name__)
def test_a_choice_that_always_finds_something(write: Callable[[Text], None]):
    assert is_calm(write)


@pytest.mark.parametrize("write", DOUBTFUL, ids=lambda one: one.__name__)
def test_a_choice_that_may_find_nothing(write: Callable[[Text], None]):
    assert not is_calm(write)


def test_what_is_not_there_is_no_option():
    """A fruit that is not in play is offered by no choice, whatever a condition has found."""
    fruits = tuple(
        replace(one, present="basket") if one.name == "Fruit" else one for one in PROGRAM.entities
    )
    program = replace(PROGRAM, entities=fruits)
    assert not is_calm(there_is_one, program)

    def only_those_in_play(text: Text) -> None:
        there = ("not", ("is_none", ("field", "Fruit.basket", ("slot", CANDIDATE))))
        guarded(text, exists(FRUITS, there))
        choose(text)

    assert is_calm(only_those_in_play, program)
