"""Plays one step: finds the answers that a step's facts stand for, whatever the program asks on the way.

The search walks the prompts from where the game stands. At a choice whose name the step has a fact for,
only that fact will do; elsewhere a default, a forced choice, or any way of a modal prompt is tried. A step
that no way of playing fits is refused, with the reason met furthest along.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ruleloom.scenarios.notation import Notation, NotUnderstood, Step
from runtime.asking import keyed, keys_of
from runtime.machine import ASK
from runtime.naming import value_text
from runtime.node import Node
from runtime.program import Choose, Draw, Modal
from runtime.state import Frame
from runtime.values import Type

MOST_TRIES = 20_000


@dataclass(frozen=True, slots=True)
class Table:
    """A node, and the cards a stacked deck will show: the pile as it lies, then as a reshuffle yields it."""

    node: Node
    order: tuple[str, ...] = ()
    shuffle: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a way of playing a step failed; `rank` grows with how far it came."""

    rank: tuple[int, ...]
    reason: str


@dataclass
class Search:
    """The search for one step from one table."""

    notation: Notation
    step: Step
    start: Node
    best: Refusal = field(default_factory=lambda: Refusal((-1,), "it is not on offer here"))
    tries: int = 0

    # ------------------------------------------------------------------ outcomes

    def fail(self, rank: tuple[int, ...], reason: str) -> None:
        """Keep a reason if it was met further along than the best so far."""
        if rank > self.best.rank:
            self.best = Refusal(rank, reason)

    def play(self, table: Table) -> Table | None:
        """The table after the step, or None with `best` telling why not."""
        return next(self._walk(table, frozenset(), False, True), None)

    # ------------------------------------------------------------------ the walk

    def _walk(self, table: Table, used: frozenset[str], entered: bool, real: bool) -> Iterator[Table]:
        self.tries += 1
        if self.tries > MOST_TRIES:
            raise NotUnderstood("the step can be played in too many ways to look through")
        node = table.node
        over = node.stop.state.frame is None
        if self.tries > 1 and (over or turn_began(node)):
            yield from self._past_the_end(table, used, entered, real)
        elif over:
            outcome = node.stop.state.outcome
            self.fail(
                (len(used), 9), f"the game is over: {outcome.reason}" if outcome else "nothing is asked"
            )
        elif node.stop.kind != ASK:
            self._dead(node, used, entered)
        elif node.chance:
            yield from self._chance(table, used, entered, real)
        else:
            yield from self._prompt(table, used, entered, real)

    def _prompt(self, table: Table, used: frozenset[str], entered: bool, real: bool) -> Iterator[Table]:
        node = table.node
        chain = chain_of(node)
        inside = self._inside(node)
        entered = entered or (inside and self._right_place(chain))
        if self._finished(node, used, entered, inside):
            if real:
                yield table
        elif entered and not inside and not self.step.form.closing:
            self.fail((len(used), 2), f"`{self._missing(used)[0]}` is not asked here")
        elif not self.step.form.closing and not inside and chain & self.notation.closing_powers:
            self.fail((len(used), 0), f"{self._what()} is not on offer: the turn is at its end")
        else:
            yield from self._ways(table, used, entered, inside, real)

    def _past_the_end(self, table: Table, used: frozenset[str], entered: bool, real: bool) -> Iterator[Table]:
        """The turn has ended on the way: right for a closing step, and for one that ends by itself."""
        missing = self._missing(used)
        if missing:
            self.fail((len(used), 2), f"`{missing[0]}` is not asked here")
        elif not (entered or self.step.form.closing):
            self.fail((len(used), 0), f"{self._what()} is not on offer before the turn ends")
        elif real:
            yield table

    def _right_place(self, chain: frozenset[str]) -> bool:
        stops = set(self.notation.inside_powers)
        newly = bool(chain & stops) and not chain_of(self.start) & stops
        return newly == self.step.inside

    def _inside(self, node: Node) -> bool:
        """Is one of the step's powers running that was not running before the step, or does one ask?"""
        powers, old = self.step.form.powers, set(_calls(self.start))
        calls = list(_calls(node))
        asking = slug_of(node.linked.routines[calls[0][0]].id) in powers
        return asking or any(
            slug_of(node.linked.routines[call[0]].id) in powers for call in calls if call not in old
        )

    def _missing(self, used: frozenset[str]) -> list[str]:
        """The facts not yet used, less those that say that nothing is chosen."""
        return [n for n, v in self.step.facts.items() if n not in used and v not in ("none", None, [])]

    def _finished(self, node: Node, used: frozenset[str], entered: bool, inside: bool) -> bool:
        if self.step.form.closing or not entered or self._missing(used):
            return False
        row = node.row
        if not inside or not isinstance(row, Choose) or row.name in used:
            return True
        return row.name not in self.step.facts and node.default is None

    def _dead(self, node: Node, used: frozenset[str], entered: bool) -> None:
        row = node.row if node.stop.state.frame is not None else None
        if isinstance(row, Choose) and row.name in self.step.facts:
            self._explain(node, row, self.step.facts[row.name], used)
        self.fail((len(used), 1 + entered), node.dead_reason())

    # ------------------------------------------------------------------ chance

    def _chance(self, table: Table, used: frozenset[str], entered: bool, real: bool) -> Iterator[Table]:
        node, row = table.node, table.node.row
        if not isinstance(row, Draw):
            raise NotUnderstood("a roll comes up that the case does not fix")
        pile = keyed(node, node.options)
        order = table.order or tuple(n for n in table.shuffle if n in pile) or tuple(sorted(pile))
        shown, rest = order[0], order[1:]
        if shown not in pile:
            raise NotUnderstood(f"the case says {shown} comes next, but it is not in the pile")
        wanted = self.step.facts.get(row.name)
        if wanted is not None and wanted != shown:
            self.fail((len(used), 3), f"the next card is {shown}, not {wanted}")
            return
        entered = entered or self._inside(node)
        after = Table(node.after(pile[shown]), rest, table.shuffle)
        yield from self._walk(after, used | {row.name} if wanted is not None else used, entered, real)

    # ------------------------------------------------------------------ prompts

    def _ways(
        self, table: Table, used: frozenset[str], entered: bool, inside: bool, real: bool
    ) -> Iterator[Table]:
        node, row = table.node, table.node.row
        if isinstance(row, Modal):
            yield from self._modal(table, row, used, entered, inside, real)
        elif node.secret:
            yield from self._together(table, used, real)
        elif isinstance(row, Choose):
            yield from self._choose(table, row, used, entered, inside, real)

    def _modal(
        self, table: Table, row: Modal, used: frozenset[str], entered: bool, inside: bool, real: bool
    ) -> Iterator[Table]:
        node = table.node
        if self.step.form.closing and row.kind == "choose":
            self.fail(
                (len(used), 1), f"{row.prompt or 'a way'}: this is to be answered before the turn can end"
            )
            return
        for number, key in enumerate(keys_of(node, node.candidates())):
            if self.step.form.closing and key == "do":
                continue
            now = used | self._said_by(key)
            if number in node.options:
                after = replace(table, node=node.after(number) if real else node.child(number))
                yield from self._walk(after, now, entered, real)
            else:
                self.fail((len(now), 1 + entered), node.why_not(number) or "this is not on offer")
                self._look_into(node, number, now, entered)

    def _said_by(self, key: str) -> frozenset[str]:
        """The facts that taking this mode stands for."""
        return frozenset(name for name in self.step.facts if self.step.mode_of(name) == key)

    def _look_into(self, node: Node, number: int, used: frozenset[str], entered: bool) -> None:
        """Walk a way that is not offered, only to learn why the step as given cannot be played."""
        for _ in self._walk(Table(node.child(number)), used, entered, False):
            pass

    def _together(self, table: Table, used: frozenset[str], real: bool) -> Iterator[Table]:
        node = table.node
        wanted = self.step.facts.get(self.step.form.together)
        if not isinstance(wanted, dict):
            self.fail((len(used), 0), "players are asked to choose in secret first")
            return
        players = node.linked.layout.players
        for name, key in wanted.items():
            if name not in players or players.index(name) not in node.stop.who:
                self.fail((len(used), 1), f"{name} is not asked now")
                return
            player = players.index(name)
            table_of = keyed(node, node.secret_options(player))
            if key not in table_of:
                self.fail((len(used), 1), f"{name} cannot choose {key}: on offer are {', '.join(table_of)}")
                return
            node = node.after(table_of[key], player)
        yield replace(table, node=node)

    def _choose(
        self, table: Table, row: Choose, used: frozenset[str], entered: bool, inside: bool, real: bool
    ) -> Iterator[Table]:
        node = table.node
        if row.name in self.step.facts and row.name not in used and (inside or not self.step.form.powers):
            values = list(self._matching(node, row, self.step.facts[row.name], used))
            used = used | {row.name}
        elif not inside:
            before = "the turn can end" if self.step.form.closing else self._what()
            self.fail((len(used), 1), f"`{row.prompt or row.name}` is to be answered before {before}")
            values = []
        else:
            values = self._unsaid(node, row)
            if not values:
                asked = (
                    f"the step does not say `{row.name}`"
                    if inside
                    else f"{row.prompt or row.name} is asked first"
                )
                self.fail((len(used), 1 + inside), asked)
        for value in values:
            if not real or node.allows(value):
                after = node.after(value) if real else node.child(value)
                yield from self._walk(replace(table, node=after), used, entered, real)
            else:
                self.fail((len(used), 3), node.why_not(value) or "it is not on offer")

    def _unsaid(self, node: Node, row: Choose) -> list[Any]:
        """What is chosen where the step says nothing: the default, nothing of a set, or what is forced."""
        if row.name in self.step.form.absent:
            return list(self._matching(node, row, self.step.form.absent[row.name], frozenset()))
        if row.count != "one":
            return [()] if node.limits()[0] == 0 else []
        if row.default is not None and node.default in node.found:
            return [node.default]
        options = node.options
        return [options[0]] if len(options) == 1 and not row.or_none else [None] if row.or_none else []

    # ------------------------------------------------------------------ facts

    def _matching(self, node: Node, row: Choose, wanted: Any, used: frozenset[str]) -> Iterator[Any]:
        if row.count != "one":
            yield from self._matching_set(node, row, wanted, used)
            return
        texts = {value: text_of(node, row, value) for value in node.found}
        same = [v for v, text in texts.items() if self._same(node, row, v, text, wanted)]
        if same:
            yield same[0]  # equal tokens are interchangeable
        else:
            self._explain(node, row, wanted, used)

    def _matching_set(self, node: Node, row: Choose, wanted: Any, used: frozenset[str]) -> Iterator[Any]:
        if not isinstance(wanted, list):
            raise NotUnderstood(f"`{row.name}` takes a list")
        by_text = {text_of(node, row, v): v for v in node.found}
        unknown = [w for w in wanted if str(w) not in by_text]
        if unknown:
            self.fail((len(used), 2), f"{unknown[0]} is not among what can be chosen: {_listed(by_text)}")
            return
        least, most = node.limits()
        if not least <= len(wanted) <= most:
            self.fail((len(used), 2), f"{len(wanted)} were named, but {least} to {most} may be chosen")
            return
        yield tuple(sorted(by_text[str(w)] for w in wanted))

    def _same(self, node: Node, row: Choose, value: Any, text: str, wanted: Any) -> bool:
        other = self.notation.same_as.get(wanted) if isinstance(wanted, str) else None
        if other is not None:
            return bool(value == self._slot(node, other))
        zone = self.step.zones.get(row.name)
        if zone is not None and value not in node.state.world[node.linked.layout.index[zone]]:
            return False
        return text == (("yes" if wanted else "no") if isinstance(wanted, bool) else str(wanted))

    def _slot(self, node: Node, name: str) -> Any:
        frame = node.stop.state.frame
        while frame is not None:
            names = node.linked.routines[frame.routine].names
            if name in names:
                return frame.slots[names.index(name)]
            frame = frame.parent
        return None

    def _explain(self, node: Node, row: Choose, wanted: Any, used: frozenset[str]) -> None:
        """Say why the wanted option is not there: its own reason if it is a candidate, else what is."""
        for value in node.candidates():
            if self._same(node, row, value, text_of(node, row, value), wanted):
                reason = node.why_not(value) if node.stop.kind == ASK else node.dead_reason()
                self.fail((len(used), 3), f"{row.name} {wanted}: {reason or 'not on offer'}")
                return
        on_offer = _listed({text_of(node, row, v): v for v in node.found})
        self.fail((len(used), 2), f"{row.name} {wanted} is not on offer; {on_offer}")

    def _what(self) -> str:
        return f"`{self.step.form.key}: {self.step.form.word}`"


def turn_began(node: Node) -> bool:
    """Did another turn begin on the way to this node?"""
    return any(event.kind == "turn" for event in node.events)


def _calls(node: Node) -> Iterator[tuple[int, Frame | None]]:
    """The routines that are running, innermost first, each with its suspended caller: together they tell one
    call from the next of the same power."""
    frame = node.stop.state.frame
    while frame is not None:
        yield frame.routine, frame.parent
        frame = frame.parent


def chain_of(node: Node) -> frozenset[str]:
    """The slugs of the routines that are running."""
    names = set()
    frame = node.stop.state.frame
    while frame is not None:
        names.add(slug_of(node.linked.routines[frame.routine].id))
        frame = frame.parent
    return frozenset(names)


def slug_of(routine: str) -> str:
    """`gnostica:power/move_piece` as `move_piece`."""
    return routine.rsplit("/", 1)[-1].rsplit(":", 1)[-1].replace("-", "_")


def text_of(node: Node, row: Choose, value: Any) -> str:
    """A candidate as scenarios write it."""
    return value_text(node.linked, node.state.world, Type.parse(row.type), value)


def _listed(by_text: dict[str, Any]) -> str:
    names = list(by_text)
    if not names:
        return "there is nothing to choose from"
    shown = ", ".join(names[:12])
    return f"on offer: {shown}" + (f" and {len(names) - 12} more" if len(names) > 12 else "")


def play_step(notation: Notation, table: Table, data: Any) -> tuple[Table | None, str]:
    """Play one step. Gives the table after it, or None and the reason for the refusal.

    Raises NotUnderstood if the step has no meaning.
    """
    step = notation.step(data)
    search = Search(notation, step, table.node)
    after = search.play(table)
    return after, "" if after is not None else search.best.reason
