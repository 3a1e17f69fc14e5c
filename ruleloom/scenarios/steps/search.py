"""The search for answers that fit the facts of a step, whatever the program asks on the way.

At a choice that the step has a fact for, only that fact is tried; elsewhere a default, a forced
choice, or any mode of a modal prompt.

A step that no way fits is refused, with the best reason found. Ways that entered something the step
does not mention, or guessed an answer, rank lowest. Among the others, the way that answered most of
the step's facts, in order, is taken as the one meant; and a rule's reason against the very thing
named outranks one that only says where the way ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import takewhile
from typing import Any

from ruleloom.compiler.cases.case_words import NONE, OFFER, TURN_ENDED, WAY, word
from ruleloom.compiler.cases.claimed_words import CHOICE
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.machine.labels import fill, value_text
from ruleloom.runtime.machine.registers import ASK
from ruleloom.runtime.program.expr import names_in
from ruleloom.runtime.program.faults import NO_REASON, NamedReason, RuntimeFault
from ruleloom.runtime.program.program import Ask, Choose, Draw, Modal, Pick, Secret, Take
from ruleloom.runtime.program.texts import slug
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from ruleloom.runtime.search.options import keyed, keys_of, question, way_asked, way_key
from ruleloom.scenarios.notation import Notation, ScenarioStep, StepNotUnderstood
from ruleloom.scenarios.setup.position import (
    RiggedTable,
    by_chance,
    calls,
    chain_of,
    chanced,
    leads_to,
    local,
    next_by_chance,
    turn_began,
)

# Ranks of reasons, from the least informative to the most.
BEFORE = 0  # something else is asked first
TOO_LATE = 1  # the turn is ending
SILENT = 2  # the step has no answer to a prompt
BESIDE = 3  # a barred way that does not ask for a fact of the step
NOT_ASKED = 4  # no prompt asks for a fact of the step
CLOSED = 5  # the way to it is barred
NO_SUCH = 6  # the option that the step names does not exist
BARRED = 7  # the rules say why it cannot be chosen

SHOWN = 12


class StepAttempt(Frozen):
    """The progress of one way to play a step."""

    used: frozenset[str] = frozenset()  # facts of the step that have been answered
    # Remaining answers of facts that are given as several answers in turn.
    rest: Mapping[str, list[Any]] = field(default_factory=dict)
    entered: bool = False  # the step's power has begun
    real: bool = True  # not a walk that only looks for the reason of a refusal
    guesses: int = 0  # answers that the step does not give, though they were the only choice
    strayed: bool = False  # into something that the step does not mention
    modes: tuple[tuple[str, str], ...] = ()  # the modes taken, each with its question
    named: int = 0  # the number of modes that the step named


def text_of(node: PlayNode, row: Choose, value: Any) -> str:
    """A candidate in scenario notation."""
    return value_text(node.linked, node.state.world, Type.parse(row.type), value)


def _limit_words(node: PlayNode, row: Choose) -> str:
    """The message part on a set choice's limit, or empty."""
    if row.limit is None or row.limit[0] != "function":
        return ""
    linked, state, frame = node.linked, node.state, node.frame
    function = next(f for f in linked.program.functions if f.id == row.limit[1])
    here = state.world, frame.slots, state.scope, frame.ignored
    args = tuple(linked.codegen.value(arg)(*here) for arg in row.limit[2:])
    return f": {fill(linked, function.english, (state.world, args, state.scope, frame.ignored))}"


MOST_TRIES, MOST_OTHER_TRIES = 20_000, 2_000

# The tables after a step, each with the way that led to it.
Ways = Iterator[tuple[RiggedTable, StepAttempt]]
Question = Choose | Ask
Named = Question | Secret | Draw | Pick


class StepSearch:
    """The search for one step from one table."""

    def __init__(self, notation: Notation, step: ScenarioStep, start: PlayNode) -> None:
        self.notation = notation
        self.step = step
        self.form = step.form
        self.start = start
        self.best = self._no_offer(" here", "it")  # the reason to report
        self._rank: tuple[int, ...] = ()
        self.tries = 0
        self.most = MOST_TRIES

    def play(self, table: RiggedTable) -> RiggedTable | None:
        """The table after the step, or None with the reason in `best`."""
        ways = self._walk(table, StepAttempt())
        first = next(ways, None)
        if first is None:
            return None
        self._only_way(*first, ways)
        return first[0]

    def _only_way(self, after: RiggedTable, first: StepAttempt, others: Ways) -> None:
        """Raise StepNotUnderstood if another way to play the step leads to another position."""
        self.most = min(MOST_TRIES, self.tries + MOST_OTHER_TRIES)
        end = _position(after)
        try:
            other = next((way for table, way in others if _position(table) != end), None)
        except (StepNotUnderstood, RuntimeFault, RecursionError):
            return
        if other is not None:
            pairs = zip(first.modes, other.modes, strict=False)
            (asked, one), (_, two) = next(pair for pair in pairs if pair[0] != pair[1])
            at = f"at `{asked}` " if asked else ""
            twice = f"can be played in two ways that end differently, {at}by `{one}` or by `{two}`"
            help = f"the step can say which with `{WAY}: {one}`"
            raise StepNotUnderstood(f"{self._what()} {twice}; {help}")

    def _walk(self, table: RiggedTable, way: StepAttempt) -> Ways:
        self.tries += 1
        if self.tries > self.most:
            raise StepNotUnderstood("the step can be played in too many ways to look through")
        node = table.node
        over = node.stop.state.frame is None
        if self.tries > 1 and (over or turn_began(node)):
            yield from self._past_the_end(table, way)
        elif over:
            outcome = node.stop.state.outcome
            reason = f"the game is over: {outcome.reason}" if outcome else "nothing is asked"
            self._note(way, BARRED, reason)
        elif node.stop.kind != ASK:
            self._dead(node, way)
        elif node.chance:
            yield from self._chance(table, way)
        else:
            yield from self._prompt(table, way)

    def _prompt(self, table: RiggedTable, way: StepAttempt) -> Ways:
        node = table.node
        inside = self._inside(node)
        if inside:
            if way.strayed and self._is_anothers(node):
                self._note(way, BEFORE, self._no_offer(" here"))
                return
            stops = set(self.notation.inside_powers)
            newly = bool(chain_of(node) & stops) and not chain_of(self.start) & stops
            entered = way.entered or newly == self.step.inside
            way = replace(way, strayed=False, entered=entered)
        if self._finished(node, way, inside):
            if way.real:
                yield table, way
        elif inside or not self._left_behind(node, way):
            yield from self._asked(table, way, inside)

    def _asked(self, table: RiggedTable, way: StepAttempt, inside: bool) -> Ways:
        row = table.node.row
        if isinstance(row, Modal):
            return self._modal(table, row, way, inside)
        if isinstance(row, Secret):
            return self._together(table, row, way, inside)
        return self._choose(table, row, way, inside) if isinstance(row, Question) else iter(())

    def _left_behind(self, node: PlayNode, way: StepAttempt) -> bool:
        """Whether play has passed the step's powers, or everything that a step may do."""
        if self.form.closing:
            return False
        ends = not way.entered and bool(chain_of(node) & self.notation.closing_powers)
        if way.entered:
            self._not_asked(way, self._missing(way)[0])
        elif ends:
            self._note(way, TOO_LATE, self._no_offer(": the turn is at its end", of=TURN_ENDED))
        return way.entered or ends

    def _past_the_end(self, table: RiggedTable, way: StepAttempt) -> Ways:
        """The way if it may cross the turn's end, as closing or complete."""
        missing = self._missing(way)
        if missing:
            self._not_asked(way, missing[0])
        elif not (way.entered or self.form.closing):
            self._note(way, TOO_LATE, self._no_offer(" before the turn ends", of=TURN_ENDED))
        elif way.real:
            yield table, way

    def _not_asked(self, way: StepAttempt, missing: str) -> None:
        told = f"`{self.form.key_of(missing)}` is not asked here"
        self._note(way, NOT_ASKED, NamedReason(told, (missing,)))

    def _inside(self, node: PlayNode) -> bool:
        """Whether one of the step's powers is at a prompt, or has begun since the start of the step."""
        powers, ((asked, first), *others) = self.form.powers, calls(self.start)
        # A power that was at its prompt when the step began belongs to the step.
        old = {call for _, call in others} | (set() if asked in powers else {first})
        running = calls(node)
        begun = (slug for slug, call in running if call not in old)
        return running[0][0] in powers or any(slug in powers for slug in begun)

    def _is_anothers(self, node: PlayNode) -> bool:
        """Whether the step's power has begun only inside the power of another kind of step."""
        old = {call for _, call in calls(self.start)}
        outward = (slug for slug, call in reversed(calls(node)) if call not in old)
        around = list(takewhile(lambda slug: slug not in self.form.powers, outward))
        return any(slug in form.powers for form in self.notation.forms.values() for slug in around)

    def _missing(self, way: StepAttempt) -> list[str]:
        """The unused facts, except those that choose nothing, and the ways not yet taken."""
        facts = (name for name, said in self.step.facts.items() if said not in ("none", None, []))
        unused = [name for name in facts if name not in way.used]
        return unused + [f"{WAY}: {key}" for key in self.step.ways[way.named :]]

    def _finished(self, node: PlayNode, way: StepAttempt, inside: bool) -> bool:
        if self.form.closing or not way.entered or self._missing(way):
            return False
        row = node.row
        if not inside or not isinstance(row, Question | Secret) or row.name in way.used:
            return True
        return row.name not in self.step.facts and node.default is None

    def _dead(self, node: PlayNode, way: StepAttempt) -> None:
        row = node.row if node.stop.state.frame is not None else None
        kind = CLOSED
        if isinstance(row, Choose) and row.name in self.step.facts:
            # A used fact belongs to an earlier question of this name.
            if row.name not in way.used:
                self._explain(node, row, self._next_fact(row, way)[0], way)
        elif isinstance(row, Choose):
            kind = BESIDE
        elif isinstance(row, Modal):
            for number, key in enumerate(keys_of(node, node.candidates())):
                said = self._facts_of_mode(key)
                if said:
                    self._note(replace(way, used=way.used | said), CLOSED, _why_not(node, number))
        self._note(way, kind, node.dead_reason())

    def _chance(self, table: RiggedTable, way: StepAttempt) -> Ways:
        row = table.node.row
        inside = self._inside(table.node)
        if way.strayed and not inside:  # a step never draws a card just in passing
            self._first(table.node, way, f"a card is to be turned over before {self._what()}")
            return
        way = replace(way, entered=way.entered or inside, strayed=False)
        shown = next_by_chance(table)
        if isinstance(row, Draw | Pick) and self.step.facts.get(row.name) is not None:
            wanted, answered = self._next_fact(row, way)
            if wanted != shown:
                piled = isinstance(row, Draw) and not isinstance(row, Take)
                what = "the next card is" if piled else "chance takes"
                told = f"{what} {shown}, not {wanted}"
                self._note(way, BARRED, NamedReason(told, table.node.called))
                return
            way = answered
        yield from self._walk(by_chance(table, shown), way)

    def _modal(self, table: RiggedTable, row: Modal, way: StepAttempt, inside: bool) -> Ways:
        node = table.node
        if self.form.closing and row.kind == "choose":
            asked = question(node) if row.prompt else "a way"
            whom = " and ".join(node.linked.layout.players[one] for one in node.stop.who)
            before = "this is to be answered before the turn can end"
            told = f"{asked}: {before}; it is asked of {whom}"
            self._note(way, BEFORE, NamedReason(told, node.called))
            return
        keys = keys_of(node, node.candidates())
        named = {way_key(node, name) for name in self.step.ways[way.named : way.named + 1]}
        named &= set(keys)
        tried = (named or set(keys)) - ({"do"} if self.form.closing else set())
        now = replace(way, named=way.named + len(named))
        for number, key in enumerate(keys):
            if key in tried:
                yield from self._mode(table, number, key, now, inside or bool(named))

    def _mode(
        self, table: RiggedTable, number: int, key: str, way: StepAttempt, meant: bool
    ) -> Ways:
        """The ways on from one mode; they stray if nothing shows that it is `meant`."""
        node, said = table.node, self._facts_of_mode(key)
        strays = not (meant or said or key == "skip")
        used, modes = way.used | said, (*way.modes, (way_asked(node), key))
        now = replace(way, used=used, strayed=way.strayed or strays, modes=modes)
        if number in node.options:
            yield from self._walk(self._after(table, number, way), now)
        else:
            self._closed_mode(node, number, now, strays)

    def _after(self, table: RiggedTable, value: Any, way: StepAttempt) -> RiggedTable:
        node = table.node
        return table.going_on(node.after(value) if way.real else node.child(value))

    def _closed_mode(self, node: PlayNode, number: int, way: StepAttempt, strays: bool) -> None:
        """Note why a mode is not on offer, if it could have led to the step."""
        beyond = node.child(number)
        if strays:
            if not leads_to(node, beyond, self.form.powers):
                return
            # One of several modes that lead there only through something else is uninformative.
            if _is_one_of_many(node) and not self._inside(beyond):
                self._note(way, BEFORE, self._no_offer(" here"))
                return
        way = replace(way, strayed=False)
        row = beyond.row if beyond.stop.state.frame is not None else None
        beside = isinstance(row, Choose) and row.name not in self.step.facts
        kind = BESIDE if beside else CLOSED
        self._note(way, kind, _why_not(node, number))
        if number in node.found:
            self._look_into(node, number, way)

    def _facts_of_mode(self, key: str) -> frozenset[str]:
        """The facts whose value is a word for this mode."""
        said = {name: one for name, one in self.step.facts.items() if isinstance(one, str)}
        words = {name: self.form.words.get(name, {}).get(one) for name, one in said.items()}
        return frozenset(name for name, one in words.items() if one and slug(one["mode"]) == key)

    def _look_into(self, node: PlayNode, value: Any, way: StepAttempt) -> None:
        """Walk a way that is not on offer, only to learn why the step cannot be played as given."""
        for _ in self._walk(RiggedTable(node.child(value)), replace(way, real=False)):
            pass

    def _together(self, table: RiggedTable, row: Secret, way: StepAttempt, inside: bool) -> Ways:
        """The way on from a secret choice, by the step's answers of each player, or the one of all."""
        node = table.node
        said, after = self._said_in_secret(row, way, inside)
        if said is None:
            self._note(way, BEFORE, "players are asked to choose in secret first")
            return
        asked = {node.linked.layout.players[one]: one for one in node.stop.who}
        answers = said if isinstance(said, dict) else dict.fromkeys(asked, said)
        silent = [name for name in asked if name not in answers]
        if silent and not self.form.together:
            told = f"the step does not say `{row.name}` for {', '.join(silent)}"
            self._note(way, SILENT, NamedReason(told, node.called))
            return
        for name, answer in answers.items():
            options = keyed(node, node.secret_options(asked[name])) if name in asked else {}
            if word(answer) not in options:
                self._note(way, NO_SUCH, _not_offered(node, name, word(answer), options))
                return
            table = table.going_on(table.node.after(options[word(answer)], asked[name]))
        yield from [(chanced(table), after)] if self.form.together else self._walk(table, after)

    def _said_in_secret(
        self, row: Secret, way: StepAttempt, inside: bool
    ) -> tuple[Any, StepAttempt]:
        """The step's answer to a secret choice, for all or by player, and the way after it; None if it gives
        none."""
        if self.form.together:
            return self.step.facts.get(self.form.together), way
        if inside and row.name in self.step.facts and row.name not in way.used:
            return self._next_fact(row, way)
        return (NONE if inside and row.or_none else None), way

    def _choose(self, table: RiggedTable, row: Question, way: StepAttempt, inside: bool) -> Ways:
        node = table.node
        open_fact = row.name in self.step.facts and row.name not in way.used
        if open_fact and (inside or not self.form.powers):
            wanted, answered = self._next_fact(row, way)
            values = self._matching(node, row, wanted, way)
            yield from self._tried(table, values, way, answered)
        elif inside:
            values, guesses = self._unsaid(node, row)
            guessed = replace(way, guesses=way.guesses + guesses)
            if not values:
                told = f"the step does not say `{row.name}`"
                self._note(guessed, SILENT, NamedReason(told, node.called))
            yield from self._tried(table, values, way, guessed)
        else:
            before = "the turn can end" if self.form.closing else self._what()
            asked = question(node) if row.prompt else row.name
            told = f"`{asked}` is to be answered before {before}"
            self._first(node, way, NamedReason(told, node.called))

    def _next_fact(self, row: Named, way: StepAttempt) -> tuple[Any, StepAttempt]:
        """The step's next answer to a prompt, and the way after that answer.

        A list is several answers in turn, unless the prompt takes a list as a whole.
        """
        said = way.rest.get(row.name, self.step.facts[row.name])
        takes_lists = isinstance(row, Choose) and row.count != "one"
        in_turn = isinstance(said, list) and len(said) > 0
        if in_turn and takes_lists:
            in_turn = all(isinstance(one, list) for one in said)
        if in_turn and len(said) > 1:
            return said[0], replace(way, rest={**way.rest, row.name: said[1:]})
        return said[0] if in_turn else said, replace(way, used=way.used | {row.name})

    def _tried(
        self, table: RiggedTable, values: Sequence[Any], asked: StepAttempt, way: StepAttempt
    ) -> Ways:
        """The ways on from a choice with these values; `asked` is the way that led to it."""
        node = table.node
        for value in values:
            if not way.real or node.allows(value):
                yield from self._walk(self._after(table, value, way), way)
            else:
                self._note(asked, CLOSED, _why_not(node, value))
                self._look_into(node, value, way)

    def _first(self, node: PlayNode, way: StepAttempt, reason: str) -> None:
        """Note that something else comes first, as a good reason if it is the only way to the step."""
        if not way.strayed:
            self._note(way, BEFORE, reason)
        elif not _is_one_of_many(self.start) and leads_to(self.start, node, self.form.powers):
            self._note(replace(way, strayed=False), SILENT, reason)
        else:
            self._note(way, BEFORE, self._no_offer(" here"))

    def _unsaid(self, node: PlayNode, row: Question) -> tuple[list[Any], int]:
        """The values of an unmentioned choice, and 1 for a guess, else 0."""
        if row.name in self.form.absent:
            return self._matching(node, row, self.form.absent[row.name], StepAttempt()), 0
        if row.default is not None:
            return ([node.default] if _is_usual(node, row) else []), 0
        if isinstance(row, Choose):
            if row.count != "one":
                return ([()] if node.limits()[0] == 0 else []), 0
            if len(node.options) == 1 and not row.or_none:
                return [node.options[0]], 1
        return ([None] if row.or_none else []), 0

    def _matching(self, node: PlayNode, row: Question, wanted: Any, way: StepAttempt) -> list[Any]:
        """The first matching answer, as equal tokens are interchangeable; empty if none matches."""
        if isinstance(row, Ask):
            return [None if row.or_none and wanted in ("none", None) else str(wanted).strip()]
        if row.count != "one":
            return self._same_set(node, row, wanted, way)
        for value in node.found:
            if self._same(node, row, value, wanted):
                return [value]
        self._explain(node, row, wanted, way)
        return []

    def _same_set(self, node: PlayNode, row: Choose, wanted: Any, way: StepAttempt) -> list[Any]:
        by_text = {text_of(node, row, v): v for v in node.found}
        unknown = [w for w in wanted if str(w) not in by_text]
        least, most = node.limits()
        if unknown:
            self._explain(node, row, unknown[0], way)
        elif not least <= len(wanted) <= most:
            some = f"{least} to {most} may be" if least < most else f"exactly {most} are"
            told = f"{len(wanted)} were named, but {some} chosen{_limit_words(node, row)}"
            of = names_in(row.limit) if row.limit is not None else ()
            self._note(way, BARRED, NamedReason(told, node.called, of))
        else:
            values = [by_text[str(w)] for w in wanted]
            return [tuple(values if node.orders else sorted(values))]
        return []

    def _same(self, node: PlayNode, row: Choose, value: Any, wanted: Any) -> bool:
        other = self.notation.same_as.get(wanted) if isinstance(wanted, str) else None
        if other is not None:
            return bool(value == local(node, other))
        zone = self.step.zones.get(row.name)
        if zone is not None:
            held = node.state.world[node.linked.layout.index[zone]]
            if not any(value in part for _, part in node.linked.zones[zone].parts(held)):
                return False
        return text_of(node, row, value) == word(wanted)

    def _explain(self, node: PlayNode, row: Choose, wanted: Any, way: StepAttempt) -> None:
        """Note why the wanted option is missing: its own reason, or the options instead."""
        zone = self.step.zones.get(row.name)
        said = f"{row.name} {word(wanted)}"
        for value in node.candidates():
            if self._same(node, row, value, wanted):
                why = _why_not(node, value)
                self._note(way, BARRED, why.told(f"{said}: {why}"))
                return
            if zone is not None and text_of(node, row, value) == wanted:
                told = f"{said} does not lie in the {zone.replace('_', ' ')}"
                self._note(way, NO_SUCH, NamedReason(told, node.called, (zone,)))
                return
        names = list(dict.fromkeys(text_of(node, row, one) for one in node.candidates()))
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        choice = f"{CHOICE} {', '.join(names[:SHOWN])}{more}"
        listed = choice if names else "there is nothing to choose from"
        self._note(way, NO_SUCH, NamedReason(f"{said} is not on offer; {listed}", node.called))

    def _note(self, way: StepAttempt, kind: int, reason: str) -> None:
        """Record a reason if it outranks the best one so far."""
        in_order = len(list(takewhile(way.used.__contains__, self.step.facts)))
        rank = (-way.strayed, -way.guesses, in_order, kind, len(way.used))
        if rank > self._rank:
            self._rank, self.best = rank, NamedReason.given(reason)

    def _no_offer(self, told: str, what: str = "", of: str = OFFER) -> NamedReason:
        """The reason that the step is not on offer, or that its turn has ended."""
        words = f"{what or self._what()} is not on offer{told}"
        return NamedReason(words, (self.form.name,), (of,))

    def _what(self) -> str:
        return f"`{self.form.key}: {self.form.word}`"


def _position(table: RiggedTable) -> tuple[Any, ...]:
    return table.node.state.world, table.node.state.outcome


def play_step(
    notation: Notation, table: RiggedTable, data: Any
) -> tuple[RiggedTable | None, NamedReason]:
    """The table after a step, or None with the reason of the refusal; may raise StepNotUnderstood."""
    search = StepSearch(notation, notation.step(data), table.node)
    after = search.play(table)
    return after, search.best if after is None else NO_REASON


def _why_not(node: PlayNode, value: Any) -> NamedReason:
    """The reason why an answer that is not on offer is not."""
    return node.why_not(value) or NamedReason("it is not on offer", node.called)


def _not_offered(node: PlayNode, name: str, said: str, options: Iterable[str]) -> NamedReason:
    """The reason why a player cannot give a secret answer."""
    listed = ", ".join(options)
    why = f"cannot choose {said}: on offer are {listed}" if listed else "is not asked now"
    return NamedReason(f"{name} {why}", node.called)


def _is_one_of_many(node: PlayNode) -> bool:
    return isinstance(node.row, Modal) and node.row.kind == "choose"


def _is_usual(node: PlayNode, row: Ask | Choose) -> bool:
    """Whether the default can be taken; no other answer replaces it."""
    usual = node.default
    if isinstance(row, Ask) or usual in node.found:
        return True
    return node.allows(usual) if node.takes_sets else row.or_none and usual is None
