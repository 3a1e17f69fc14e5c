"""Random small programs over the orchard's vocabulary, made as program data, without a compiler.

`small_program` makes one from a seed: a set-up of so many statements, one power it may use and one
that a fruit has; after the set-up the game is over. `ways` keeps count of how many paths the chances
and choices open, so that following each path by itself stays possible.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ruleloom.runtime.program.program import (
    Condition,
    Draw,
    Ensure,
    Expr,
    Finish,
    Jump,
    JumpUnless,
    Let,
    Modal,
    Operate,
    Pick,
    Program,
    Relax,
    Roll,
    Routine,
    Say,
    Secret,
    SetScope,
    Use,
    UsePower,
)
from tests.support.evening import PROGRAM
from tests.support.rows import ME, Text, const, own_baskets

MOST_WAYS = 800
FRUITS = 5
POWER, FRUIT_POWER = "orchard:power/part", "orchard:fruit/part"
SET_UP, TURN = "orchard:flow/set_up", "orchard:flow/turn"


@dataclass
class Writer:
    """Writes random statements into a routine; knows which variables are set for certain, by
    type."""

    source: random.Random
    text: Text
    ways: float = 1.0
    uses: tuple[str, ...] = ()
    known: dict[str, list[str]] = field(
        default_factory=lambda: {"Int": [], "Fruit": [], "Basket": [], "Dice": []}
    )
    count: int = 0

    # ------------------------------------------------------------------ small things

    def fresh(self, word: str) -> str:
        """A name that nothing has yet."""
        self.count += 1
        return f"{word}{self.count}"

    def pick(self, *things: Any) -> Any:
        """One of these."""
        return self.source.choice(things)

    def open(self, ways: float) -> bool:
        """May so many more ways open here?"""
        if self.ways * ways > MOST_WAYS:
            return False
        self.ways *= ways
        return True

    def number(self) -> Expr:
        """An expression that is a number."""
        known = self.known["Int"]
        plain: list[Expr] = [
            const(self.pick(0, 1, 2, 3)),
            ("scope", "day"),
            ("count", ("zone", "hand", ME)),
        ]
        if known:
            read = self.text.get(self.pick(*known))
            other = self.text.get(self.pick(*known))
            plain += [read, read, ("+", read, const(1)), ("-", other, read), ("*", read, const(2))]
        return self.source.choice(plain)

    def condition(self) -> Expr:
        """An expression that holds or not."""
        form = self.pick("=", "<", ">=", "!=")
        return (form, self.number(), self.number())

    def extreme(self, word: str, one: Expr, other: Expr) -> Expr:
        """The highest or the lowest of two numbers."""
        return ("each", word, None, self.text.slot("own"), ("list", one, other), None)

    # ------------------------------------------------------------------ statements

    def block(self, size: int, depth: int) -> None:
        """Some statements. What they set is unknown after them."""
        known = {kind: list(names) for kind, names in self.known.items()}
        for _ in range(self.source.randint(1, size)):
            self.statement(depth)
        self.known = known

    def statement(self, depth: int) -> None:
        """One statement of any kind that there is room for."""
        self.source.choice(self.kinds(depth))()

    def kinds(self, depth: int) -> list[Callable[[], None]]:
        """The kinds of statements, the more often the more likely."""
        kinds: list[Callable[[], None]] = [self.let, self.scope, self.operate, self.say]
        kinds += [
            self.roll,
            self.choose_number,
            self.choose_thing,
            self.choose_set,
            self.draw_card,
        ] * 2
        kinds += [self.lot]
        kinds += [self.relax, self.ensure, self.secret]
        if depth:
            inner = (self.when, self.repeat, self.modal)
            kinds += [partial(statement, depth - 1) for statement in inner] * 2
        if self.uses:
            kinds += [self.use, self.use_power]
        return kinds

    def let(self) -> None:
        names = self.known["Int"]
        name = self.pick(*names) if names and self.pick(True, False) else self.fresh("n")
        self.text.add(Let, slot=self.text.slot(name), value=self.number())
        self._set("Int", name)

    def scope(self) -> None:
        self.text.add(SetScope, name="day", value=self.number())

    def say(self) -> None:
        self.text.add(Say, text="so")

    def roll(self) -> None:
        number, most = self.pick((1, 2), (1, 3), (2, 2), (None, 2))
        if self.open(most ** (2 if number is None else number)):
            count, sides = const(number), const(most)
            if number is None:  # no dice to two, of one side or two, as the state has it
                count = ("mod", self.number(), const(3))
                sides = ("+", ("mod", self.number(), const(2)), const(1))
            name = self.fresh("roll")
            self.text.add(
                Roll,
                slot=self.text.slot(name),
                name=name,
                count=count,
                sides=sides,
                by=None,
                whom=None,
            )
            self._set("Int", name)

    def lot(self) -> None:
        most = self.pick(1, 2, 3)
        if self.open(most):
            name = self.fresh("lot")
            domain: Expr = ("..", ("value", 1), ("value", most))
            self.text.add(Pick, slot=self.text.slot(name), name=name, type="Int", domain=domain)
            self._set("Int", name)

    def choose_number(self) -> None:
        most = self.pick(1, 2, 3)
        if not self.open(most):
            return
        name = self.fresh("n")
        slot = ("slot", self.text.slot(name))
        form, other = self.pick(
            ("!=", self.number()), ("<=", self.extreme("highest", const(1), self.number()))
        )
        test = Condition((form, slot, other), ("it is another",))
        least = self.extreme("highest", const(1), self.number())
        high = self.pick(const(most), self.extreme("lowest", const(most), least))
        self.text.choose(
            name, "Int", ("..", const(1), high), or_none=False,
            conditions=(test,) if self.pick(True, False) else (), by=self.pick(None, None, const(1)),
        )  # fmt: skip
        self._set("Int", name)

    def choose_thing(self) -> None:
        """A fruit of the hand or a basket; there may be none, so it is used only if there is one."""
        if not self.open(2.5):
            return
        name = self.fresh("thing")
        if self.pick(True, False):
            self.text.choose(name, "Fruit", ("zone", "hand", ME), or_none=self.pick(True, False))
            self._if_there(name, lambda: self._lose(name))
        else:
            self.text.choose(
                name, "Basket", own_baskets(self.text.slot("own")), or_none=self.pick(True, False)
            )
            self._if_there(name, lambda: self._push(name))

    def choose_set(self) -> None:
        if not self.open(5):
            return
        name = self.fresh("set")
        count, limit = self.pick(
            ("any", None), ("up_to", const(2)), ("exactly", const(1)), ("up_to", self.number())
        )
        domain: Expr = self.pick(("zone", "hand", ME), ("query", "all_baskets"))
        kind = "Fruit" if domain[0] == "zone" else "Basket"
        self.text.choose(name, kind, domain, count=count, limit=limit)
        size = self.fresh("n")
        self.text.add(Let, slot=self.text.slot(size), value=("count", self.text.get(name)))
        self._set("Int", size)

    def draw_card(self) -> None:
        if not self.open(FRUITS - 1):
            return
        name = self.fresh("fruit")
        zone, owner = self.pick(("hand", ME), ("hand", const(1)), ("meadow", None))
        self.text.add(
            Draw,
            slot=self.text.slot(name),
            name=name,
            type="Fruit",
            pile="heap",
            zone=zone,
            owner=owner,
        )
        worth: Expr = ("function", "orchard:measure/worth", self.text.get(name))
        size = self.fresh("n")
        self.text.add(Let, slot=self.text.slot(size), value=worth)
        self._set("Int", size)

    def operate(self) -> None:
        baskets = ("query", "all_baskets")
        name = self.fresh("first")
        first = ("each", "lowest", None, self.text.slot("own"), baskets, None)
        self.text.add(Let, slot=self.text.slot(name), value=first)
        there: Expr = ("in", self.text.get(name), baskets)
        end = self.fresh("end")
        self.text.add(JumpUnless, condition=there, to=end)
        self._push(name)
        self.text.label(end)

    def _push(self, name: str) -> None:
        basket = self.text.get(name)
        operation, args = self.pick(
            ("fill", (basket,)),
            ("carry", (basket, const((self.pick(0, 1, 2), 0)))),
            ("drop", (basket,)),
        )
        self.text.add(Operate, operation=operation, args=args, slot=-1)

    def _lose(self, name: str) -> None:
        self.text.add(
            Operate,
            operation=self.pick("lay", "hide", "show"),
            args=(self.text.get(name),),
            slot=-1,
        )

    def _if_there(self, name: str, then: Callable[[], None]) -> None:
        end = self.fresh("end")
        self.text.add(JumpUnless, condition=("not", ("is_none", self.text.get(name))), to=end)
        then()
        self.text.label(end)

    def relax(self) -> None:
        self.text.add(Relax, rules=self.pick((), ("orchard:rule/room", "full")))

    def ensure(self) -> None:
        self.text.add(Ensure, condition=self.condition(), reason="it must")

    def secret(self) -> None:
        """Two players choose at once."""
        if not self.open(4):
            return
        name = self.fresh("secret")
        slot, who, candidate = (self.text.slot(n) for n in (name, f"{name}_who", f"{name}_one"))
        self.text.add(
            Secret, slot=slot, name=name, type="Int", players=("players",), player_slot=who,
            candidate_slot=candidate, domain=("..", const(1), const(2)), conditions=(), or_none=False, prompt="",
        )  # fmt: skip
        told = self.fresh("n")
        self.text.add(
            Let,
            slot=self.text.slot(told),
            value=("lookup", self.text.get(name), const(self.pick(0, 1))),
        )
        self._set("Int", told)

    def when(self, depth: int) -> None:
        otherwise, end = self.fresh("else"), self.fresh("end")
        self.text.add(JumpUnless, condition=self.condition(), to=otherwise)
        self.block(2, depth)
        self.text.add(Jump, to=end)
        self.text.label(otherwise)
        if self.pick(True, False):
            self.block(2, depth)
        self.text.label(end)

    def repeat(self, depth: int) -> None:
        """Twice or three times; the ways of the block multiply each time."""
        times, before = self.pick(2, 3), self.ways
        turn = self.fresh("turn")
        top, end = self.fresh("top"), self.fresh("end")
        room = (MOST_WAYS / before) ** (1 / times)
        self.ways = MOST_WAYS / room
        self.text.add(Let, slot=self.text.slot(turn), value=const(0))
        self.text.label(top)
        self.text.add(JumpUnless, condition=("<", self.text.get(turn), const(times)), to=end)
        self.block(2, depth)
        self.text.add(Let, slot=self.text.slot(turn), value=("+", self.text.get(turn), const(1)))
        self.text.add(Jump, to=top)
        self.text.label(end)
        self.ways = before * (self.ways * room / MOST_WAYS) ** times

    def modal(self, depth: int) -> None:
        many = self.pick(1, 2, 3)
        if not self.open(max(2, many)):
            return
        kind = "optional" if many == 1 else self.pick("choose", "combine")
        labels = [self.fresh("way") for _ in range(max(2, many))]
        end = self.fresh("end")
        tests = [self.pick((), (Condition(self.condition(), ("so",)),)) for _ in labels]
        if kind == "optional":
            tests[-1] = ()
        modes = tuple(
            self.text.mode(label, label, *test) for label, test in zip(labels, tests, strict=True)
        )
        self.text.add(Modal, kind=kind, by=None, prompt="", modes=modes)
        for label in labels:
            self.text.label(label)
            self.block(2, depth)
            self.text.add(Jump, to=end)
        self.text.label(end)

    def use(self) -> None:
        name = self.fresh("result")
        slot = self.text.slot(name) if self.pick(True, False) else -1
        if self.open(8):
            self.text.add(Use, routine=POWER, args=(self.number(),), slot=slot)

    def use_power(self) -> None:
        if self.open(8):
            scope = self.pick((), (("day", self.number()),))
            self.text.add(UsePower, entity="Fruit", of=const(0), scope=scope)

    def _set(self, kind: str, name: str) -> None:
        if name not in self.known[kind]:
            self.known[kind].append(name)


# ---------------------------------------------------------------------------------- programs


def _part(
    writing: type[Writer], source: random.Random, id_: str, params: tuple[str, ...]
) -> Routine:
    writer = writing(
        source, Text(id_, params, result="result" if params else ""), ways=MOST_WAYS / 8
    )
    writer.known["Int"] += params
    for _ in range(source.randint(1, 3)):
        writer.statement(1)
    if params:
        writer.text.add(Let, slot=writer.text.slot("result"), value=writer.number())
    return writer.text.done()


def _whole(writing: type[Writer], source: random.Random, size: int) -> Routine:
    text = Text(SET_UP)
    text.add(SetScope, name="me", value=const(0))
    for player, at in ((0, 0), (0, 2), (1, 2)):
        text.add(Operate, operation="put", args=(const(player), const(1), const((at, 0))), slot=-1)
    writer = writing(source, text, uses=(POWER, FRUIT_POWER))
    for _ in range(size):
        writer.statement(2)
    text.add(SetScope, name="day", value=writer.number())
    text.add(Finish, winner=None, reason="done")
    return text.done()


def small_program(seed: int, size: int, writing: type[Writer] = Writer) -> Program:
    """A random program of the orchard, by such a writer, that is over after its set-up."""
    source = random.Random(seed)
    fruits = PROGRAM.entity("Fruit")
    few = replace(
        fruits,
        names=fruits.names[:FRUITS],
        titles=fruits.titles[:FRUITS],
        powers=(FRUIT_POWER,) * FRUITS,
        places=fruits.places[:FRUITS],
        static=tuple((name, values[:FRUITS]) for name, values in fruits.static),
    )
    parts = (
        _whole(writing, source, size),
        _part(writing, source, POWER, ("n",)),
        _part(writing, source, FRUIT_POWER, ()),
    )
    over = Text(TURN)
    over.add(Finish, winner=None, reason="the set-up came to nothing")
    # What comes once per turn is used by a routine of its own.
    answers = {one.routine.removesuffix("#") for one in PROGRAM.triggers}
    kept = tuple(r for r in PROGRAM.routines if r.id.removesuffix("#") in answers)
    return replace(
        PROGRAM,
        entities=(PROGRAM.entity("Player"), PROGRAM.entity("Basket"), few),
        always=tuple(one for one in PROGRAM.always if one.name == "full"),
        routines=(*parts, over.done(), *kept),
        turn=TURN,
        texts=(),
        requirements=(),
        sheets=(),
    )
