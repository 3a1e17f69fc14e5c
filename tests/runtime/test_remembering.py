"""What functions remember: until something they read changes, and what is not known to hold
never."""

from __future__ import annotations

from typing import Any

import pytest

from ruleloom.runtime.link.codegen import MOST_KEPT, Codegen, FunctionCode, remembering
from ruleloom.runtime.program.expr import FunctionReads
from ruleloom.runtime.program.program import Expr, Function
from tests.laws.fights import Laws, bot_of
from tests.laws.moonstone.fighters import bout

LEVEL: Expr = ("field", "Hero.level", ("slot", 0))
LONG: Expr = ("records", "Hero")


def of(*bodies: Expr) -> list[Function]:
    """Functions `f0`, `f1`, ... with these bodies."""
    return [
        Function(f"f{n}", ("who",), ("Hero",), "Int", body, True, ())
        for n, body in enumerate(bodies)
    ]


def test_what_is_read_through_other_functions_is_read():
    found = FunctionReads(
        of(
            ("each", "sum", ("function", "f1", ("slot", 1)), 1, LONG, None),
            ("+", LEVEL, ("scope", "round")),
        )
    )
    assert found["f0"].columns == {"Hero.level"} == found["f1"].columns
    assert found["f0"].scope == {"round"}
    assert (found["f0"].loops, found["f1"].loops) == (True, False)
    assert not found["f0"].asks


@pytest.mark.parametrize("form", [("query", "near", ("slot", 0)), ("function", "f0", ("slot", 0))])
def test_a_query_and_a_circle_are_not_known(form: Expr):
    assert FunctionReads(of(("not", form)))["f0"].asks


def test_an_ignored_rule_is_read():
    found = FunctionReads(of(("allowed", "f1", ("slot", 0)), LEVEL))["f0"]
    assert found.rules
    assert found.columns == {"Hero.level"}


def test_texts_that_look_like_expressions_are_not_looked_into():
    assert not FunctionReads(of(("value", ("query", "near"))))["f0"].asks


def counting() -> tuple[list[Any], Any]:
    """A function that keeps a list of its calls, and remembers by the first column."""
    calls: list[Any] = []

    def work(w: Any, s: Any, g: Any, who: int) -> Any:
        calls.append((w[0], who))
        return w[0][who] * 10

    return calls, remembering(work, lambda w, s, g: (w[0],))


def test_it_is_worked_out_again_when_what_it_reads_has_changed():
    calls, ask = counting()
    one, other = ((1, 2), "x"), ((1, 3), "x")
    assert [ask(one, (), (), who) for who in (0, 1, 0, 1)] == [10, 20, 10, 20]
    assert len(calls) == 2
    assert [ask(other, (), (), who) for who in (1, 1)] == [30, 30]
    assert ask(one, (), (), 1) == 20
    assert len(calls) == 4


def test_what_it_does_not_read_may_change():
    calls, ask = counting()
    assert [ask(((1, 2), more), (), (), 0) for more in ("x", "y")] == [10, 10]
    assert len(calls) == 1


def test_so_much_is_kept_and_no_more():
    ask = remembering(lambda w, s, g, n: n + 1, lambda w, s, g: ())
    assert [ask((), (), (), n) for n in range(MOST_KEPT + 10)][-1] == MOST_KEPT + 10


class Counting(Codegen):
    """Functions that tell when they are made."""

    def __init__(self, *made_of: Any) -> None:
        self.made: list[str] = []
        super().__init__(*made_of)

    def _defined(self, function: Function) -> FunctionCode:
        self.made.append(function.id)
        return super()._defined(function)


def test_a_function_is_made_once_and_only_if_something_speaks_of_it():
    fight = bout(7, 7)
    linked, game = fight.linked, fight.begun()
    counting = Counting(linked.program, linked.layout, linked.driver, linked.settings)
    who = Laws(fight, game.node).cast[0]
    id = next(one.id for one in linked.program.functions if one.params == ("who",))
    expr = ("function", id, ("slot", 0))
    assert counting.made == []
    ask, again = counting.value(expr), counting.value(("list", expr))
    about: tuple[Any, ...] = (game.state.world, (who,), game.state.scope, frozenset())
    assert (ask(*about),) == (ask(*about),) == tuple(again(*about))
    assert counting.made.count(id) == 1
    assert len(counting.made) < len(linked.program.functions) / 2


class Forgetful(Codegen):
    """Functions that remember nothing."""

    remembering = staticmethod(lambda function, state: function)


def test_in_a_whole_fight_nothing_is_remembered_wrongly():
    """At every prompt, what is said of everybody is what a machine says that remembers nothing."""
    fight = bout(7, 7)
    keeping = fight.linked
    plain = Forgetful(keeping.program, keeping.layout, keeping.driver, keeping.settings)
    asked = {
        f.id: ("slot", 0) if f.params else None
        for f in keeping.program.functions
        if f.params in ((), ("who",))
    }
    exprs = [("function", id, arg) if arg else ("function", id) for id, arg in asked.items()]
    calls = [(expr, keeping.codegen.value(expr), plain.value(expr)) for expr in exprs]
    assert len(calls) > 40
    game, bot = fight.begun(), bot_of(fight)
    cast = Laws(fight, game.node).cast
    for _ in range(25):
        state = game.state
        for expr, now, then in calls:
            for who in cast:
                about: tuple[Any, ...] = (state.world, (who,), state.scope, frozenset())
                assert now(*about) == then(*about), (expr, who)
        game = game.choose(bot.answer(game.node, game.node.stop.who[0]))
