"""Statistics of pools: whatever an expression asks of dice, its odds are those of every fall by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.game import new_game
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import (
    Expr,
    Finish,
    JumpUnless,
    Program,
    RollEach,
    ScopeVariable,
    SetScope,
)
from ruleloom.runtime.search.odds import distribution
from tests.laws.small.small_programs import SET_UP, small_program
from tests.support.evening import bind
from tests.support.examples import examples
from tests.support.rows import Text, const

POOLS, MOST_SLOTS = 2, 120


# ------------------------------------------------------------------------------- the expressions


class Asked:
    """Draws an expression about dice in the first slots; every candidate has a slot of its own."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any], sides: int) -> None:
        self.draw = draw
        self.sides = sides
        self.slots = POOLS

    def pick(self, *of: Any) -> Any:
        return self.draw(st.sampled_from(of))

    def slot(self) -> int:
        self.slots += 1
        return self.slots

    def dice(self, depth: int) -> Expr:
        """Some of the dice of a pool."""
        plain: Expr = ("slot", self.pick(0, 0, 0, 1))
        if not depth:
            return plain
        of, item = self.dice(depth - 1), self.slot()
        face = const(self.pick(*range(self.sides + 2)))
        few = const(self.pick(0, 1, 2, 3))
        found: list[Callable[[], Expr]] = [
            lambda: plain,
            lambda: ("first", few, of),
            lambda: ("without_dice", of, ("first", few, of)),
            lambda: ("without_dice", of, ("list", self.face(of), self.face(of))),
            lambda: ("without_dice", of, ("list", face)),
            lambda: ("with_dice", of, ("list", face)),
            lambda: ("each", "those", None, item, of, self.test(("slot", item), depth - 1)),
            lambda: (
                "without_dice",
                of,
                ("each", "those", None, item, of, (">", ("slot", item), face)),
            ),
            lambda: ("with_dice", plain, ("slot", 1)),
        ]
        return self.pick(*found)()

    def face(self, of: Expr) -> Expr:
        """A face: of dice, or a known one."""
        kind = self.pick("highest", "lowest", "known")
        if kind == "known":
            return const(self.pick(*range(self.sides + 2)))
        return ("each", kind, None, self.slot(), of, None)

    def test(self, face: Expr, depth: int) -> Expr:
        """What may hold of a face."""
        found: list[Callable[[], Expr]] = [
            lambda: (self.pick("=", "!=", "<", "<=", ">", ">="), face, self.number(depth)),
            lambda: ("in", face, ("list", const(1), const(3))),
            lambda: ("=", ("mod", face, const(2)), const(0)),
            lambda: (">=", self.many(face), const(self.pick(1, 2))),
        ]
        return self.pick(*found)()

    def many(self, face: Expr) -> Expr:
        """How many dice show a face."""
        item = self.slot()
        return ("each", "count", None, item, self.dice(0), ("=", ("slot", item), face))

    def number(self, depth: int) -> Expr:
        """A number that hangs on dice, or not."""
        if depth <= 0:
            return const(self.pick(0, 1, 2, 3, 7))
        item, kind = self.slot(), self.pick("sum", "highest", "lowest", "count")
        one: Expr = ("slot", item)
        faces: Expr = ("..", const(1), const(self.sides))
        shown = self.pick(one, ("*", one, one), ("-", const(2), one), ("*", one, const(-3)))
        of_dice = None if self.pick(True, False) else self.test(one, depth - 2)
        of_faces = self.pick(None, self.many(one), one)
        value = None if kind == "count" else self.pick(None, shown)
        found: list[Callable[[], Expr]] = [
            lambda: const(self.pick(0, 1, 2, 5)),
            lambda: ("count", self.dice(depth)),
            lambda: ("each", kind, value, item, self.dice(depth), of_dice),
            lambda: (
                "each", kind, None if kind == "count" else of_faces, item, faces,
                self.condition(depth - 1, one),
            ),
            lambda: (self.pick("+", "-", "*"), self.number(depth - 1), self.number(depth - 1)),
            lambda: (self.pick("div", "mod"), self.number(depth - 1), const(self.pick(2, 3))),
            lambda: ("negative", self.number(depth - 1)),
            lambda: ("if", self.condition(depth - 1), self.number(depth - 1), self.number(depth - 1)),
            lambda: (
                "each", self.pick("highest", "lowest", "sum"), None, item,
                ("list", self.number(depth - 1), self.number(depth - 1)), None,
            ),
            lambda: ("div", const(12), self.number(depth - 1)),
            lambda: ("table", self.number(depth - 1), ("value", (0, 2)), ("value", (3, 1)), ("value", 0)),
        ]  # fmt: skip
        return self.pick(*found)()

    def condition(self, depth: int, face: Expr = ("value", 2)) -> Expr:
        """Something that holds of dice, or not."""
        if depth <= 0:
            return self.pick((">=", self.many(face), const(2)), ("in", face, self.dice(0)))
        item = self.slot()
        found: list[Callable[[], Expr]] = [
            lambda: (
                self.pick("=", "!=", "<", "<=", ">", ">="),
                self.number(depth - 1),
                self.number(depth - 1),
            ),
            lambda: ("in", self.number(depth - 1), self.dice(depth - 1)),
            lambda: ("not", self.condition(depth - 1, face)),
            lambda: (
                self.pick("and", "or"),
                self.condition(depth - 1, face),
                self.condition(depth - 1, face),
            ),
            lambda: (
                "each", self.pick("exists", "every"), None, item,
                self.pick(self.dice(depth - 1), ("..", const(1), const(self.sides))),
                self.condition(depth - 1, ("slot", item)),
            ),
            lambda: ("=", self.dice(depth - 1), self.dice(depth - 1)),
        ]  # fmt: skip
        return self.pick(*found)()


# ------------------------------------------------------------------------------- both ways


def asking(pools: list[tuple[int, int]], expr: Expr, condition: Expr, more: Expr) -> Program:
    """A program that rolls pools, and keeps what an expression comes to; more of it if something
    holds."""
    text = Text(SET_UP)
    for place, (number, sides) in enumerate(pools):
        name = f"pool_{place}"
        slot = text.slot(name)
        text.add(
            RollEach,
            slot=slot,
            name=name,
            count=const(number),
            sides=const(sides),
            by=None,
            whom=None,
        )
    for slot in range(len(pools), MOST_SLOTS):
        text.slot(f"candidate_{slot}")
    text.add(SetScope, name="answer", value=expr)
    text.add(JumpUnless, condition=condition, to=len(text.rows) + 2)
    text.add(SetScope, name="more", value=more)
    text.add(Finish, winner=None, reason="it is known")
    plain = small_program(0, 1)
    answers = (ScopeVariable("answer", "Int", "game", 0), ScopeVariable("more", "Int", "game", 0))
    routines = tuple(text.done() if one.id == SET_UP else one for one in plain.routines)
    return replace(plain, scope=(*plain.scope, *answers), routines=routines)


def odds_of(program: Program, merge: bool) -> Any:
    """The chances of both answers, or what goes wrong."""
    game = link_game(program, bind, ("A", "B"))
    places = [game.scope_index[name] for name in ("answer", "more")]
    try:
        start = new_game(game).node
        return distribution(
            start, lambda state: tuple([state.scope[place] for place in places]), merge=merge
        )
    except RuntimeFault:
        return "it fails"


@st.composite
def questions(draw: Any) -> tuple[list[tuple[int, int]], Expr, Expr, Expr]:
    """Two pools, a number that hangs on them, a condition, and a number to be asked for then."""
    sides = draw(st.integers(1, 4))
    pools = [(draw(st.integers(1, 3)), sides), (draw(st.integers(1, 2)), draw(st.integers(2, 3)))]
    asked = Asked(draw, sides)
    return pools, asked.number(3), asked.condition(2), asked.number(2)


@examples(3, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(questions())
def test_what_is_asked_of_pools_has_the_odds_of_every_fall_by_itself(question):
    program = asking(*question)
    assert odds_of(program, True) == odds_of(program, False)
