"""Nodes of play: a prompt, its viable options, and the nodes they lead to.

A node is a value that caches what it has computed. Answering an option reuses the node that look-ahead
made for it, so nothing is run twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, combinations, islice, permutations, takewhile
from typing import TypeVar

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.tags_in_text import slip
from ruleloom.runtime.machine.ask import (
    conditions_of,
    fizzle,
    is_compulsory,
    is_new,
    known_texts,
    may_write,
    response_of,
    secret_options,
    set_limits,
    stands_apart,
    waits_calmly,
)
from ruleloom.runtime.machine.chance import Falls, dice_of
from ruleloom.runtime.machine.dice import Xoshiro
from ruleloom.runtime.machine.labels import moment_of, needs, worded
from ruleloom.runtime.machine.registers import ASK, BARRIER, DEAD, OVER, Suspension
from ruleloom.runtime.machine.step import MOST_FUEL, answer, go_on, joined, resumed, run
from ruleloom.runtime.program.expr import names_at, names_in
from ruleloom.runtime.program.faults import (
    NO_REASON,
    NamedReason,
    Origin,
    RuntimeFault,
    TooMuchWork,
    asks_too_much,
)
from ruleloom.runtime.program.program import (
    SECRET_ROLLS,
    Ask,
    Choose,
    Draw,
    Ensure,
    Expr,
    Modal,
    Peek,
    Pick,
    Return,
    Roll,
    RollEach,
    Row,
    Secret,
)
from ruleloom.runtime.program.state import Event, Frame, State
from ruleloom.runtime.program.values import Dynamic, Value

LOOK_AHEAD = 2_000
FARTHEST = 100
MOST_SUBSETS = 200
MOST_ROUNDS = 1_000
# Rows by kind of answer; tuples, since a union of classes is rebuilt at each test.
CHOICES = (Choose, Modal)
QUESTIONS = (Choose, Ask)
ASKS_ONE = (Choose, Ask, Modal)
CHANCE = (Roll, Draw, Peek, Pick)
OPEN = (*CHANCE, Secret)
OVER_ROW = Return(Origin("", "", 0, 0))

T = TypeVar("T")


class Budget:
    """The number of nodes that look-ahead may still visit, and its depth.

    Beyond them an option is offered and may fizzle: `unsure` decisions are not cached.
    """

    __slots__ = ("depth", "left", "unsure")

    def __init__(self, left: int = LOOK_AHEAD) -> None:
        self.left = left
        self.depth = 0
        self.unsure = False

    def spend(self) -> bool:
        """Charge one node; false once exhausted."""
        self.left -= 1
        self.unsure = self.unsure or self.left < 0 or self.depth >= FARTHEST
        return self.left >= 0 and self.depth < FARTHEST


class PlayNode:
    """A stop of the machine, with its successors."""

    __slots__ = (
        "_any_set",
        "_children",
        "_options",
        "_stuck",
        "_twin",
        "_viable",
        "_waits_calmly",
        "frame",
        "linked",
        "routine",
        "row",
        "stop",
        "takes_sets",
        "writes",
    )  # fmt: skip
    frame: Frame
    """The running frame; unset once the game is over."""

    def __init__(self, linked: Linked, stop: Suspension) -> None:
        self.linked = linked
        self.stop = stop
        self._children: dict[Value, PlayNode] = {}
        self._options: Sequence[Dynamic] | None = None
        self._waits_calmly: bool | None = None
        self._viable: bool | None = None
        self._any_set: bool | None = None
        self._stuck = False
        self._twin: PlayNode | None = None
        frame = stop.state.frame
        self.row: Row = OVER_ROW  # the row that asks
        if frame is None:
            self.routine = linked.routines[linked.turn]
        else:
            self.frame = frame
            self.routine = linked.routines[frame.routine]
            self.row = self.routine.rows[frame.pc]
        # Does the row ask for a free text? One in `found` then represents all others.
        self.writes = isinstance(self.row, Ask)
        # Is an answer a set of options, not one?
        self.takes_sets = isinstance(self.row, Choose) and self.row.count != "one"

    # ------------------------------------------------------------------ where we are

    @property
    def state(self) -> State:
        return self.stop.state

    @property
    def events(self) -> tuple[Event, ...]:
        """The events since the previous node."""
        return self.stop.events

    @property
    def over(self) -> bool:
        return self.stop.kind == OVER

    @property
    def chance(self) -> bool:
        """True if dice or a deck answer here, not a player."""
        return isinstance(self.row, CHANCE) and self.stop.kind == ASK

    @property
    def confided(self) -> bool:
        """True if only the first of those asked may see the result of dice or a deck here."""
        hidden = isinstance(self.row, (*SECRET_ROLLS, Peek, Draw, Pick))
        return self.chance and hidden and bool(self.stop.who)

    @property
    def secret(self) -> bool:
        """True if several players answer here at once."""
        return isinstance(self.row, Secret) and self.stop.kind == ASK

    @property
    def orders(self) -> bool:
        """True if an answer is an order of all options."""
        return isinstance(self.row, Choose) and self.row.count == "order"

    @property
    def asks_regardless(self) -> bool:
        """True if this is asked even without options, so that others learn nothing."""
        if not isinstance(self.row, Choose | Secret):
            return False
        return self.linked.asks_regardless(self.frame.routine, self.frame.pc)

    @property
    def lacks(self) -> bool:
        """True if a compulsory choice has no options: the player can only say so."""
        if self.stop.found or not isinstance(self.row, Choose) or not self.asks_regardless:
            return False
        return self._worked_out(partial(is_compulsory, self.linked, self.row))

    # ------------------------------------------------------------------ options

    @property
    def found(self) -> tuple[Dynamic, ...]:
        """The candidates that pass their conditions, before look-ahead: values, or numbers of modes."""
        if isinstance(self.row, QUESTIONS) and self.row.or_none:
            return (*self.stop.found, None)
        if self.lacks and not self.takes_sets:
            return (None,)
        return self.stop.found

    @property
    def options(self) -> Sequence[Dynamic]:
        """The answers on offer: those found, less those that could never be completed."""
        if self._options is None:
            self._options = self._offered()
        return self._options

    def _offered(self) -> Sequence[Dynamic]:
        if isinstance(self.row, Roll):
            count, sides = self.dice
            each = isinstance(self.row, RollEach)
            return Falls(count, sides) if each else range(count, count * sides + 1)
        if self.writes:
            return tuple(self._written(Budget()))
        if self.takes_sets or isinstance(self.row, OPEN):
            return self.stop.found
        if not isinstance(self.row, Modal) and self._is_calm(None):
            return self.found
        budget = Budget()
        return tuple([v for v in self.found if self._may_finish(v, budget)])

    @property
    def dice(self) -> tuple[int, int]:
        """The number of dice rolled here, and of their sides."""
        assert isinstance(self.row, Roll)
        return self._worked_out(partial(dice_of, self.linked, self.row))

    def secret_options(self, player: int) -> tuple[Dynamic, ...]:
        """The options of `player` at a simultaneous secret prompt; who has none can only say so."""
        assert isinstance(self.row, Secret)
        return self._worked_out(partial(secret_options, self.linked, self.row, player)) or (None,)

    def limits(self) -> tuple[int, int]:
        """The least and most options of a set choice; (1, 1) elsewhere."""
        if not isinstance(self.row, Choose) or self.row.count == "one":
            return 1, 1
        if self.lacks:
            return 0, 0
        return self._worked_out(partial(set_limits, self.linked, self.row, len(self.stop.found)))

    def subsets(self) -> Iterator[tuple[Dynamic, ...]]:
        """Every answer to a set choice, smallest first."""
        if self.orders:
            yield from permutations(self.stop.found)
            return
        least, most = self.limits()
        for size in range(least, most + 1):
            yield from combinations(self.stop.found, size)

    def answers(self) -> Iterator[Dynamic]:
        """Every answer on offer: options, or sets of options, that can be completed."""
        budget = Budget()
        if self.takes_sets:
            return filter(partial(self._takes_set, budget=budget), self.subsets())
        if self.writes:
            return self._written(budget)
        if self._options is None and isinstance(self.row, CHOICES):
            return filter(partial(self._may_finish, budget=budget), self.found)
        return iter(self.options)

    def _written(self, budget: Budget) -> Iterator[Dynamic]:
        """One viable text, for all of them; then None, if optional."""
        # One new text represents all such; known texts are tried if it fails.
        texts = chain(self.stop.found, known_texts(self.linked, self.state))
        yield from islice(filter(partial(self._may_finish, budget=budget), texts), 1)
        if None in self.found and self._may_finish(None, budget):
            yield None

    def _takes_set(self, chosen: tuple[Value, ...], budget: Budget) -> bool:
        """May a set be answered? One that passed only for lack of budget is checked on its own."""
        if not self._may_finish(chosen, budget):
            return False
        return not budget.unsure or self._takes_any_set() or self._may_finish(chosen, Budget())

    def _takes_any_set(self) -> bool:
        """True if look-ahead found no viable set but did not see all: then any is on offer."""
        if self._any_set is None:
            budget = Budget()
            first = any(self._may_finish(s, budget) for s in self.subsets())
            self._any_set = first and budget.unsure
        return self._any_set

    def allows(self, value: Value) -> bool:
        """May `value` be answered here? (A tuple for a set choice.)"""
        if self.takes_sets:
            fits = isinstance(value, tuple) and self._is_set(value)
            return fits and (self._may_finish(value, Budget()) or self._takes_any_set())
        if self.writes:
            fits = (
                None in self.found if value is None else may_write(value) and not self._slip(value)
            )
        elif self._options is None and isinstance(self.row, CHOICES):
            fits = value in self.found
        else:
            return value in self.options
        return fits and self._may_finish(value, Budget())

    def _is_set(self, values: tuple[Value, ...]) -> bool:
        """Are these distinct candidates, in an allowed number?"""
        least, most = self.limits()
        fits = least <= len(values) <= most and len(set(values)) == len(values)
        return fits and set(values) <= set(self.stop.found)

    @property
    def has_default(self) -> bool:
        """Has the prompt a default answer? It may be none."""
        return isinstance(self.row, QUESTIONS) and self.row.default is not None

    @property
    def default(self) -> Dynamic:
        """The default answer; None if there is none."""
        return self.value_of(self.row.default) if isinstance(self.row, QUESTIONS) else None

    def value_of(self, answer: Expr | None) -> Dynamic:
        """The value of an answer that the prompt's row names."""
        return None if answer is None else self._worked_out(self.linked.compiled(answer))

    def _worked_out(self, function: Callable[..., T], *args: Value) -> T:
        """The value of an expression of the prompt's row; a fault in it names the row."""
        s, frame = self.state, self.frame
        try:
            return function(s.world, frame.slots, s.scope, frame.ignored, *args)
        except RuntimeFault as fault:
            fault.origin = fault.origin or self.row.origin
            raise
        except Exception as error:
            raise asks_too_much(self.routine.id, error, self.row.origin) from error

    # ------------------------------------------------------------------ look-ahead

    def _may_finish(self, value: Dynamic, budget: Budget) -> bool:
        if self.lacks or self._is_calm(value):
            return True
        try:
            return self.child(value).viable(self, budget)
        except TooMuchWork:  # reported to the player who plays it
            return True

    def _is_calm(self, value: Dynamic) -> bool:
        """Is the row after an answer a safe point? It depends on the answer only for modes."""
        if isinstance(self.row, Modal):
            return self._calm_at(self.row.modes[value].to)
        return self._calm_at(self.frame.pc + 1)

    def _calm_at(self, pc: int) -> bool:
        """Is a row a safe point, up to a certain roll or the end of all callers? Needs fuel."""
        routine, frame = self.routine, self.frame
        if not routine.calm[pc] or frame.fuel >= MOST_FUEL:
            return False
        if routine.barred[pc]:
            return True
        if self._waits_calmly is None:
            self._waits_calmly = waits_calmly(self.linked, frame.parent)
        return self._waits_calmly

    def child(self, value: Value) -> PlayNode:
        """The node after answering `value`, in look-ahead."""
        known = self._children.get(value)
        if known is None:
            known = PlayNode(self.linked, answer(self.linked, self.stop.state, value, live=False))
            if self._twin is not None or self.writes:
                known._twin = self._seen_for(value)
            self._children[value] = known
        return known

    def _seen_for(self, value: Value) -> PlayNode | None:
        """The node that look-ahead saw in place of this one: all new texts are equivalent."""
        if not self.writes or not isinstance(value, str):
            return self._twin._children.get(value) if self._twin is not None else None
        if not is_new(self.linked, self.state, value):
            return None
        seen = self._children.get(self.stop.found[0])
        if seen is None and self._twin is not None:
            seen = self._twin._children.get(self._twin.stop.found[0])
        return seen

    def viable(self, asker: PlayNode, budget: Budget) -> bool:
        """Can the use be completed from here, as far as the answerer of `asker` knows?"""
        if self._viable is None and self._twin is not None:
            self._viable, self._stuck = self._twin._viable, self._twin._stuck
        if self._viable is None:
            if not budget.spend():
                return True
            budget.depth += 1
            decided = self._decide(asker, budget)
            budget.depth -= 1
            if budget.unsure:
                return decided
            self._viable = decided
        return self._viable

    def _decide(self, asker: PlayNode, budget: Budget) -> bool:
        if self.stop.kind != ASK:
            return self.stop.kind != DEAD
        if not isinstance(self.row, ASKS_ONE) or self.stop.who != asker.stop.who:
            return True
        if self._has_answer(budget):
            return True
        asked = asker.stop.state.frame
        replied = asker.stop.who != (asker.state.scope[self.linked.me],)
        if not stands_apart(self.linked, self.stop.state.frame, asked, replied):
            return False
        # A response fizzles alone.
        self._stuck = True
        r = resumed(self.linked, self.stop, False)
        r.asked, r.reply = asked, (response_of(self.linked, asked) or asked) if replied else None
        fizzle(r, "")
        return PlayNode(self.linked, go_on(r)).viable(asker, budget)

    def _has_answer(self, budget: Budget) -> bool:
        """Is there an answer that lets the use be completed?"""
        if self.lacks:
            return False
        if self._calm_at(self.frame.pc):
            return True
        if self.takes_sets:
            for number, chosen in enumerate(self.subsets()):
                if number == MOST_SUBSETS or self._may_finish(chosen, budget):
                    return True  # or unknown
            return False
        if self.writes:
            return next((True for _ in self._written(budget)), False)
        return any(self._may_finish(v, budget) for v in self._likely_first())

    def _likely_first(self) -> Iterator[Dynamic]:
        """The candidates, in the order in which look-ahead tries them.

        The last mode, or choosing nothing, usually ends an effect. Other candidates are equally good,
        and players take the first most often: then look-ahead has already made its run.
        """
        row = self.row
        ends_last = isinstance(row, Modal) or (isinstance(row, Choose) and row.or_none)
        return reversed(self.found) if ends_last else iter(self.found)

    # ------------------------------------------------------------------ going on

    def after(
        self, value: Value, player: int | None = None, dice: Xoshiro | None = None
    ) -> PlayNode:
        """The node after the real answer: past barriers and fizzles, and past chance with `dice`."""
        if isinstance(self.row, OPEN):
            stop = answer(self.linked, self.state, value, True, player, dice)
            return settled(self.linked, stop, dice=dice)
        if self._goes_on_alone(value):
            stop = answer(self.linked, self.state, value, True, None, dice)
            return settled(self.linked, stop, dice=dice)
        child = self.child(value)
        same = child.stop.who == self.stop.who and not child.chance
        if child._viable and not child._stuck and same:
            return child  # the same player has already looked ahead to there
        return settled(self.linked, child.stop, child, dice)

    def _goes_on_alone(self, value: Value) -> bool:
        """Can an answer be run live at once? Nothing after it can turn out impossible, and no look-ahead
        has run: running to a barrier, and then from there, would be two runs for one."""
        seen = self._twin is not None or self.writes or value in self._children
        # The reason why nothing fits stays secret: it would name hidden things.
        return self.lacks or (not seen and self._is_calm(value))

    # ------------------------------------------------------------------ reasons

    @property
    def called(self) -> tuple[str, ...]:
        """The names of the question, if it has one, and of the item that asks it."""
        return names_at(self.row, self.routine.id)

    def why_not(self, value: Value) -> NamedReason | None:
        """The reason why `value` may not be answered here; None if it may, empty if it is no candidate.

        For set choices `value` is one member, and only a member of no set has a reason.
        """
        row = self.row
        if isinstance(row, Ask):
            return self._slip(value) or self._dead_end(value)
        if not isinstance(row, Choose | Modal):
            return None if value in self.options else NO_REASON
        found = isinstance(row, Choose) and value in self.stop.found
        if isinstance(row, Choose) and not found and value not in self.candidates():
            return NO_REASON
        reason = None if found else self._dead_candidate(value)
        if reason is not None or self.takes_sets:
            return reason
        return self._dead_end(value)

    def _slip(self, text: Value) -> NamedReason:
        """The reason why a text is not taken that nearly names a tag; or empty."""
        naming = self.row.naming if isinstance(self.row, Ask) else None
        tags = self._worked_out(self.linked.codegen.candidates(naming)) if naming else ()
        return NamedReason(slip(text, tags) if naming else "", self.called)

    def _dead_end(self, value: Value) -> NamedReason | None:
        reason = None if self._may_finish(value, Budget()) else self.child(value).dead_reason()
        return None if reason is None else reason.told(reason, self.called)

    def candidates(self) -> Sequence[Dynamic]:
        """Everything a choice picks from, before its conditions are tested."""
        row = self.row
        if not isinstance(row, Choose):
            return tuple(range(len(row.modes))) if isinstance(row, Modal) else self.options
        return tuple(self._worked_out(self.linked.codegen.candidates(row.domain)))

    def dead_reason(self) -> NamedReason:
        """The reason why this is a dead end."""
        if self.stop.state.frame is None:
            return NamedReason(self.stop.reason or "nothing could follow")
        row, at, told = self.row, self.called, self.stop.reason if self.stop.kind == DEAD else ""
        if isinstance(row, Ensure):
            moment, me = moment_of(self.linked, self.state), self.state.scope[self.linked.me]
            told = told or worded(self.linked, row.reason, moment, (me,))
            return NamedReason(told, at, names_in(row.condition))
        if told:
            return NamedReason(told, at)
        if isinstance(row, Ask):
            return self.child(self.stop.found[0]).dead_reason()
        what = row.name if isinstance(row, Choose) else "way"
        if self.takes_sets and self.stop.kind == ASK:
            reason = self.child(next(self.subsets())).dead_reason()
            return reason.told(f"no {what} fit: {reason}", at)
        # A candidate that fits but leads to a dead end explains more than one that does not fit, and of
        # those the one that meets most conditions.
        found = self.found if self.stop.kind == ASK else ()
        for value in (*found, *sorted(self.candidates(), key=self._met, reverse=True))[:50]:
            why = self.why_not(value) if self.stop.kind == ASK else self._dead_candidate(value)
            if why:
                return why.told(f"no {what} fits: {why}", at)
        return NamedReason(f"there is no {what} to choose", at)

    def _dead_candidate(self, value: Dynamic) -> NamedReason | None:
        (conditions, slot, one), met = conditions_of(self.row, value), self._met(value)
        if met == len(conditions):
            return None
        reason = self._worked_out(partial(needs, self.linked, conditions[met], slot, one))
        return reason.told(reason, self.called)

    def _met(self, value: Dynamic) -> int:
        """How many conditions a candidate meets before it fails one."""
        conditions, slot, one = conditions_of(self.row, value)
        tests = (self.linked.test(slot, condition.test) for condition in conditions)
        return sum(1 for _ in takewhile(lambda test: self._worked_out(test, one), tests))


def settled(
    linked: Linked, stop: Suspension, known: PlayNode | None = None, dice: Xoshiro | None = None
) -> PlayNode:
    """The node of a stop that was really reached: no barrier, and at least one answer."""
    node = known if known is not None else PlayNode(linked, stop)
    last: Row | None = None
    for _ in range(MOST_ROUNDS):
        stop = node.stop
        dice = stop.dice or dice
        if stop.kind == BARRIER:
            after = run(linked, stop.state, True, dice)
        elif stop.kind == DEAD or (stop.kind == ASK and stop.found and not _something(node)):
            last = node.row if stop.state.frame is not None else last
            r = resumed(linked, stop, True, dice)
            fizzle(r, str(node.dead_reason()))
            node = PlayNode(linked, go_on(r))
            continue
        elif dice is not None and node.chance:
            after = run(linked, stop.state, True, dice)
        else:
            return node
        node = PlayNode(linked, joined(stop, after))
    message = f"{MOST_ROUNDS:,} effects came to nothing, one after the other, and nobody was asked"
    raise TooMuchWork(message, last.origin if last is not None else None)


def _something(node: PlayNode) -> bool:
    row = node.row
    if not isinstance(row, ASKS_ONE):
        return True
    if isinstance(row, Choose) and row.count == "one" and node._is_calm(None):
        return True
    return next((True for _ in node.answers()), False)


def sampled(node: PlayNode, below: Callable[[int], int]) -> Dynamic:
    """A random answer on offer, uniform; for a set choice a set of a random size.

    `below(n)` gives a uniform number below n. This is far cheaper than listing the options.
    """
    left = list(node.options) if node.writes else list(node.found)
    if node.takes_sets:
        least, most = node.limits()
        size = least + below(most - least + 1)
        picked = tuple(left.pop(below(len(left))) for _ in range(size))
        if not node.orders:
            picked = tuple(sorted(picked, key=node.stop.found.index))
        return picked if node.allows(picked) else next(iter(node.answers()))
    while left:
        value = left.pop(below(len(left)))
        if node.allows(value):
            return value
    raise RuntimeFault("nothing is on offer", node.row.origin)
