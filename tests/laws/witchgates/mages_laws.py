"""What holds after each answer of a session of Witchgates, reckoned here in plain Python from the
rule ledger alone.

`Laws.after` looks at what an answer led to: at each event against the world before it, at the
numbers of everybody, and at who is asked. The clause that a law comes from stands beside it. What
was found in order is not looked at again while its columns stay the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import World
from ruleloom.runtime.search.node import PlayNode
from tests.laws.gnostica.conserve import asking
from tests.laws.witchgates.mage_bots import asks
from tests.laws.witchgates.mages_body import Body
from tests.laws.witchgates.mages_table import Table

EVERY = 10
# Powers that only somebody who can act is asked in, about whoever their first variable holds.
ACTS = frozenset({"declare", "work_magic", "cast_spell", "reach_for", "say_how", "take_action"})


class Laws:
    """The laws of one session. It counts what happens, too."""

    def __init__(self, linked: Linked, start: PlayNode) -> None:
        self.table = Table(linked)
        self.body = Body(self.table)
        self.linked = linked
        self.counts: Counter[str] = Counter()
        self.world: World = start.state.world
        self.invested: Counter[int] = Counter()
        self.spent: Counter[int] = Counter()
        self.answers = self.paid = 0
        self.good: dict[str, tuple[Any, ...]] = {}
        # Of which dice, as they fell, the lower one counts.
        self.lower: dict[tuple[int, ...], bool] = {}

    def after(self, before: PlayNode, node: PlayNode) -> list[str]:
        """What is wrong with what an answer led to."""
        wrong: list[str] = []
        for event in node.events:
            wrong += self._event(event)
        world = node.state.world
        if world != self.world:
            wrong.append("the world changed after the last event")
        self.world = world
        wrong += self._numbers(world)
        wrong += self._dice(before, node)
        if node.over:
            return wrong
        self.answers += 1
        # To look through all that may be answered takes longer than to play on: it is done now and
        # then.
        wrong += asking(node) if self.answers % EVERY == 0 else []
        return [*wrong, *self._prompt(node)]

    # ---------------------------------------------------------------- what happens

    def _event(self, event: Event) -> Iterator[str]:
        if event.before is not self.world and event.before != self.world:
            yield f"the world changed before {event.kind} {event.name} without an event"
        if event.kind != "operation":
            if event.after is not event.before and event.after != event.before:
                yield f"the world changed by {event.kind} {event.name}"
            self.world = event.after
            return
        check = getattr(self, f"_{event.name}", None)
        if check is not None:
            yield from check(event, *event.args)
        yield from self.body.event(event)
        self.world = event.after

    def _enter(self, event: Event, who: int, by: int) -> Iterator[str]:
        if by >= len(self.linked.layout.players) or by == 0:
            yield f"c{who} is played by seat {by}"

    # witchgates.mana.counts, .invest-cost, .invest-release, .recovery: mana is spent or invested,
    # and both come back
    def _spend_mana(self, event: Event, who: int, much: int) -> Iterator[str]:
        if not 0 < much <= self._unspent(event.before, who):
            yield f"c{who} spends {much} of {self._unspent(event.before, who)} mana"
        self.spent[who] += much

    def _mana_returns(self, event: Event, who: int) -> Iterator[str]:
        self.spent[who] = 0
        yield from ()

    def _invest(self, event: Event, what: int, much: int, into: str) -> Iterator[str]:
        who = self.table.of(event.before, "Working.caster")[what]
        needed = self.table.price(event.before, what) // 2
        if much != (1 if needed <= 2 else 2):
            yield f"c{who} invests {much} mana in a spell of {needed} hits"
        if much > self._unspent(event.before, who):
            yield f"c{who} invests {much} of {self._unspent(event.before, who)} mana"
        self.invested[who] += much

    def _end_spell(self, event: Event, what: int) -> Iterator[str]:
        who = self.table.of(event.before, "Working.caster")[what]
        if self.table.of(event.before, "Working.enchanted")[what]:
            self.invested[who] -= self.table.of(event.before, "Working.mana_in")[what]
        yield from ()

    def _unspent(self, world: World, who: int) -> int:
        return self.table.most_mana(world, who) - self.spent[who] - self.invested[who]

    # witchgates.fortune.element-costs-one, .recovery
    def _spend_fortune(self, event: Event, who: int, much: int) -> Iterator[str]:
        left = self.table.most_fortune(event.before, who) - self.table.person(
            event.before, "fortune_spent", who
        )
        if much != 1 and not (much == -1 and self.linked.settings["fortune_back"] == "one_point"):
            yield f"c{who} spends {much} fortune"
        if much > left:
            yield f"c{who} spends {much} of {left} fortune"

    # witchgates.aspect.use-removes-one, .dice-one-to-three, .gone-when-empty
    def _take_aspect_die(self, event: Event, what: int) -> Iterator[str]:
        if self.table.of(event.before, "Aspect.dice")[what] < 1:
            yield f"aspect {what} has no die left, and is used"

    def _make_aspect(
        self, event: Event, by: int, dice: int, called: str, own: int | None, made: int
    ) -> Iterator[str]:
        if not 1 <= dice <= 3 or not called:
            yield f"an aspect of {dice} dice is made, called {called!r}"

    # witchgates.clock.definition: a clock is full once, and what lies beyond is lost
    def _tick(self, event: Event, what: int, much: int) -> Iterator[str]:
        was, now = (self.table.of(w, "Clock.filled")[what] for w in (event.before, event.after))
        sections = self.table.of(event.before, "Clock.segments")[what]
        if now != max(0, min(sections, was + much)):
            yield f"clock {what} of {sections} moves by {much} from {was} to {now}"

    def _clock_is_full(self, event: Event, what: int) -> Iterator[str]:
        if (
            self.table.of(event.before, "Clock.filled")[what]
            != self.table.of(event.before, "Clock.segments")[what]
        ):
            yield f"clock {what} is said to be full"

    # witchgates.gear.stash-items-need-room, .load-limits-items
    def _take_from_stash(self, event: Event, who: int, what: int) -> Iterator[str]:
        room, marked = self.table.boxes(event.after, who), self.table.boxes_marked(event.after, who)
        if room is None or (marked > room and self.table.size(event.after, who, what) > 0):
            yield f"c{who} claims thing {what} from the stash: {marked} boxes of {room}"
        if self.table.in_stash(event.before, who, what) < 1:
            yield f"c{who} claims thing {what}, which is not there"

    def _put_down(self, event: Event, who: int, what: int) -> Iterator[str]:
        if self.table.entry(event.before, "carried", who, what) < 1:
            yield f"c{who} puts down thing {what}, which is not carried"

    # witchgates.cash.meaning, witchgates.lifestyle.sell-down, .buy-up
    def _pay(self, event: Event, who: int, in_hand: int, saved: int) -> Iterator[str]:
        self.paid = in_hand + saved
        if min(in_hand, saved) < 0:
            yield f"c{who} pays {in_hand} and {saved}"

    def _split_cash(self, event: Event, who: int, in_hand: int, saved: int) -> Iterator[str]:
        if in_hand + saved != self.table.money(event.before, who):
            yield f"c{who} divides {self.table.money(event.before, who)} into {in_hand} and {saved}"

    def _live_at(self, event: Event, who: int, level: int) -> Iterator[str]:
        rise = level - self.table.person(event.before, "living", who)
        # What was paid for a rise is gone; a fall is paid after a rest.
        if rise > 0 and self.paid != rise * 10_000:
            yield f"c{who} lives {rise} levels better, having paid {self.paid}"

    # witchgates.xp.splice-price, witchgates.splice.record
    def _wake(self, event: Event, who: int, what: int) -> Iterator[str]:
        if self.table.entry(event.before, "rank", who, what) < 1 or self.table.entry(
            event.before, "active", who, what
        ):
            yield f"splice {what} of c{who} wakes, and does not sleep"

    # ---------------------------------------------------------------- numbers

    def _numbers(self, world: World) -> list[str]:
        wrong: list[str] = []
        for name, columns, check in self.table.checks:
            now = tuple(world[column] for column in columns)
            then = self.good.get(name)
            if then is not None and all(one is other for one, other in zip(now, then, strict=True)):
                continue
            found = [*check(world)]
            wrong += found
            self.good[name] = () if found else now
            if found:
                del self.good[name]
        for who in self.table.people(world):
            told = self.table.person(world, "mana_spent", who), self.table.mana_invested(world, who)
            if told != (self.spent[who], self.invested[who]):
                wrong.append(
                    f"{told} mana of c{who} is spent and invested, and "
                    f"{self.spent[who], self.invested[who]} was"
                )
        return wrong

    def _dice(self, before: PlayNode, node: PlayNode) -> Iterator[str]:
        """The last roll of an answer has as many dice as its parts say, and its outcome is read
        from them."""
        rolls = [
            event for event in node.events if event.kind == "rolled" and event.name == "thrown"
        ]
        self.counts["rolls"] += len(rolls)
        for roll in rolls:
            faces = roll.args[0]
            if not 1 <= len(faces) <= 7 or not all(1 <= face <= 6 for face in faces):
                yield f"{faces} are rolled"
            self.lower.pop(tuple(faces), None)
        if len(rolls) != 1 or node.over:
            return
        scope = self.table.scope(node)
        faces = rolls[0].args[0]
        counted = tuple(scope["fell"]) == tuple(faces) and any(
            scope[part] for part in self.table.parts
        )
        if counted:
            self.lower[tuple(faces)] = self.table.lower(scope)
        if counted and len(faces) != self.table.pool(scope):
            yield f"{len(faces)} dice are rolled, and {self.table.pool(scope)} are in the pool"

    # ---------------------------------------------------------------- who is asked

    def _prompt(self, node: PlayNode) -> Iterator[str]:
        seats = range(len(self.linked.layout.players))
        if not node.stop.who or any(who not in seats for who in node.stop.who):
            yield f"{node.stop.who} are asked"
        routine, world = asks(node), node.state.world
        if routine in ACTS:
            who = node.frame.slots[0]
            # What was done in the past does not ask who can act now.
            if not self.table.may_act(world, who) and not self._within(node, "flash_back"):
                yield f"c{who} is asked in {routine}, and is out"
        # witchgates.aspect.create-from-spares: where the lower die counts, there is none to spare.
        if routine == "set_spares_aside" and self.lower.get(
            tuple(self.table.scope(node)["fell"]), False
        ):
            yield "dice are to spare where the lower of two counts"
        if routine == "what_happens":
            yield from self.table.quiet(world)
            yield from self.body.quiet(world)

    def _within(self, node: PlayNode, power: str) -> bool:
        frame: Any = node.frame
        while frame is not None:
            if self.linked.routines[frame.routine].id.endswith(f"/{power}"):
                return True
            frame = frame.parent
        return False
