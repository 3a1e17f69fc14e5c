"""The order of answers to one event: `after:` of their items, else the order of packs and files.

Where answers of packs that do not know each other do not commute, or replacements may both apply,
whoever decides for the event is asked in play. Where nobody does, it is an error if both change the
open value of a moment, and else a warning; both show both outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations

from ruleloom.compiler.check.moments import INSTEAD
from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.graph import in_order
from ruleloom.compiler.lower.answers.deciders import (
    EVERY,
    Contest,
    Decider,
    ask_for_first,
    ask_for_order,
    read_deciders,
)
from ruleloom.compiler.lower.answers.exclusions import excludes
from ruleloom.compiler.lower.answers.overlaps import Overlap, overlaps
from ruleloom.compiler.lower.answers.said_order import (
    CODE,
    SaidOrder,
    earlier_items,
    how_to_settle,
    how_to_turn,
)
from ruleloom.compiler.lower.call_graph import ensured_behind
from ruleloom.compiler.lower.program import Build, summaries_of
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.doings import Analysis
from ruleloom.compiler.summary.effects import Act, Doings, Interference
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ME

LOOSE = "answers-in-fixed-order"
Answering = program.Trigger | program.Replacement


def order_answers(build: Build) -> None:
    """Put triggers and replacements in the order that `after:` says, and settle or report the rest."""
    sound = build.is_sound
    earlier, items = earlier_items(build.content, build.report), build.items_by_routine()
    if any(earlier.values()):
        ranks = {id: rank for rank, id in enumerate(in_order(earlier))}
        last = len(ranks)
        build.triggers.sort(key=lambda one: ranks.get(items[one.routine].id, last))
        build.replacements.sort(key=lambda one: ranks.get(items[one.routine].id, last))
    deciders = read_deciders(build)
    order = SaidOrder(build, earlier)
    if sound:
        contests = Contests(build, order, deciders)
        contests.of_triggers()
        contests.of_replacements()
        contests.of_overlaps()
        contests.ask()


class Contests:
    """Looks for answers to one event that do not commute, and settles or reports them."""

    def __init__(
        self,
        build: Build,
        order: SaidOrder,
        deciders: Mapping[str, Decider],
    ) -> None:
        self.build, self.order, self.deciders = build, order, deciders
        self.told: set[tuple[str, str, str]] = set()
        self.items = build.items_by_routine()
        self.summaries = summaries_of(build)
        self.analysis = Analysis(self.summaries, build.bodies.functions.body)
        self.asked: list[Contest] = []
        self.planned = {one.id: one for one in build.bodies.stats.abilities.reactions}

    def of_triggers(self) -> None:
        """Those that run at once, and those that wait until the power is done, apart."""
        groups: dict[tuple[str, str], list[program.Trigger]] = {}
        for one in self.build.triggers:
            groups.setdefault((one.event, one.timing), []).append(one)
        for (event, timing), answers in groups.items():
            if self._are_strangers(answers):
                doings = [self._doings(one) for one in answers]
                clash = partial(_first_clash, answers, doings)
                self._look(event, answers, clash, timing == "immediately")

    def of_replacements(self) -> None:
        """Those of which two could apply to one event."""
        groups: dict[str, list[program.Replacement]] = {}
        for one in self.build.replacements:
            groups.setdefault(one.operation, []).append(one)
        for event, answers in groups.items():
            if self._are_strangers(answers):
                self._look(event, answers, partial(self._first_replaced, answers), True)

    def of_overlaps(self) -> None:
        """Those to two events of one thing that happens: which comes first is never asked."""
        for overlap in overlaps(self.build.symbols):
            for pair in overlap.pairs(self.build.triggers):
                one, other = (self.items[answer.routine] for answer in pair)
                doings = self._doings(pair[0]), self._doings(pair[1])
                if not self.order.is_known_so(one, other):
                    found = overlap.clash(self.analysis, pair, doings)
                    if found is not None:
                        self._warn_of_overlap(overlap, pair, found)

    def ask(self) -> None:
        """Let those who decide be asked."""
        for contest in self.asked:
            if isinstance(contest.answers[0], program.Trigger):
                ask_for_order(self.build, contest)
            else:
                ask_for_first(self.build, contest)

    def _are_strangers(self, answers: Sequence[Answering]) -> bool:
        return len({self.items[one.routine].pack for one in answers}) > 1

    def _look(
        self,
        event: str,
        answers: Sequence[Answering],
        clash: Callable[[int, int], Interference | None],
        can_ask: bool,
    ) -> None:
        decider = (self.deciders.get(event) or self.deciders.get(EVERY)) if can_ask else None
        open_ = dict(self._unsettled(answers, clash))
        ensured = None
        if decider is not None and open_:
            if decider.by != ME:
                ensured = ensured_behind(self.build, self.summaries, event)
            if ensured is None:
                self.asked.append(self._contest(event, decider, answers, clash, list(open_)))
                return
        for (one, other), found in open_.items():
            self._warn(event, answers[one], answers[other], found, ensured)

    def _unsettled(
        self, answers: Sequence[Answering], clash: Callable[[int, int], Interference | None]
    ) -> Iterator[tuple[tuple[int, int], Interference]]:
        """Each two that do not commute, and of which nobody has said which comes first."""
        items = [self.items[one.routine] for one in answers]
        for one, other in combinations(range(len(answers)), 2):
            if not self.order.is_known(items[one], items[other]):
                found = clash(one, other)
                if found is not None:
                    yield (one, other), found

    def _contest(
        self,
        event: str,
        decider: Decider,
        answers: Sequence[Answering],
        clash: Callable[[int, int], Interference | None],
        open_: Sequence[tuple[int, int]],
    ) -> Contest:
        """All that hangs together with those in conflict; what somebody has said stays as it is."""
        items = [self.items[one.routine] for one in answers]

        def is_edge(pair: tuple[int, int]) -> bool:
            said = self.order.is_said(items[pair[0]], items[pair[1]])
            return said or clash(*pair) is not None

        edges = set(filter(is_edge, combinations(range(len(answers)), 2)))
        kept = sorted(_joined(open_, edges))
        known = {pair for pair in edges if self.order.is_known(*(items[one] for one in pair))}
        before = tuple(frozenset(_before(place, kept, known)) for place in kept)
        return Contest(event, decider, tuple(answers[one] for one in kept), before)

    def _doings(self, one: program.Trigger) -> Doings:
        """The doings of an answer; of one for each bearer, those for any of them."""
        if one.id == one.routine:
            return self.analysis.doings(one.routine)
        size = len(self.build.symbols.events[one.event])
        doings = self.analysis.doings(one.id).told([("slot", slot) for slot in range(size)])
        asked = self.analysis.reads(one.where, size) if one.where is not None else frozenset()
        # Who bears it is asked again when its turn comes; what lies where says who bears what.
        zones = self.build.symbols.zones
        return Doings(
            doings.reads | {read for read in asked if read.what not in zones}, doings.acts
        )

    def _first_replaced(
        self, answers: Sequence[program.Replacement], one: int, other: int
    ) -> Interference | None:
        """Could both be there in place of it, and do they not both leave it undone?"""
        first, second = answers[one], answers[other]
        undone = [not self.analysis.doings(one.routine).acts for one in (first, second)]
        if all(undone) or excludes(first.where, second.where):
            return None
        return Interference("", None, None)

    # ------------------------------------------------------------------ what is said of it

    def _warn(
        self,
        event: str,
        one: Answering,
        other: Answering,
        clash: Interference,
        ensured: Place | None,
    ) -> None:
        first, second = self.items[one.routine], self.items[other.routine]
        moment = self.build.symbols.operations.get(event)
        both_change = clash.first is not None and clash.second is not None
        is_open = moment is not None and moment.open and clash.what == moment.open_variable
        if is_open and both_change and ensured is None:
            self._refuse(event, one, other)
            return
        notes = []
        if ensured is not None:
            why = "whoever decides cannot be asked, as this has to be foreseen"
            notes.append(Note(ensured, why))
        help = how_to_settle(event, first, second)
        self._tell(event, (one, other), clash, help, notes)

    def _refuse(self, moment: str, one: Answering, other: Answering) -> None:
        """Refuse answers that change the open value of a moment, in an order that nobody has said."""
        (first, mine), (second, theirs) = self._block(one), self._block(other)
        said, more = f"`{first.words(mine)}`", f"`{second.words(theirs)}`"
        items = self.items[one.routine], self.items[other.routine]
        message = (
            f"the order of two answers to `{moment}` makes a difference: `{items[0].id}` and then "
            f"`{items[1].id}` is {said}, then {more}; the other way round it is {more}, then {said}"
        )
        notes = [Note(first.place(mine), "the other answer")]
        help = how_to_settle(moment, *items)
        self.build.report.error(CODE, second.place(theirs), message, help, notes)

    def _block(self, one: Answering) -> tuple[Passage, ast.Span]:
        """The block of an answer, in the text in which it stands."""
        planned = self.planned.get(one.id)
        if planned is not None:
            passage, body = planned.texts[-1].passage, planned.node.body
        else:
            block = self.build.bodies.blocks[one.id]
            assert block is not None, "it has been lowered"
            passage, body = block
        return passage, (body[0].span[0], body[-1].span[1])

    def _warn_of_overlap(
        self, overlap: Overlap, pair: tuple[program.Trigger, program.Trigger], clash: Interference
    ) -> None:
        first, second = (self.items[one.routine] for one in pair)
        help = how_to_turn(overlap.first, first, second)
        shown = f"{overlap.first}` and `{overlap.second}"
        self._tell(shown, pair, clash, help, ())

    def _tell(
        self,
        event: str,
        pair: tuple[Answering, Answering],
        clash: Interference,
        help: str,
        notes: Sequence[Note],
    ) -> None:
        """Warn of two answers, once."""
        first, second = (self.items[one.routine].id for one in pair)
        key = event, first, second
        if key not in self.told:
            self.told.add(key)
            message = self._message(event.removeprefix(INSTEAD), first, second, clash)
            all_notes = [Note(self._place(pair[0]), "the other one"), *notes]
            self.build.report.warning(LOOSE, self._place(pair[1]), message, help, all_notes)

    def _message(self, event: str, first: str, second: str, clash: Interference) -> str:
        if not clash.what:
            return (
                f"two packs replace `{event}`, and both may apply: `{first}` comes first, and "
                f"`{second}` replaces what that leaves of it; the other way round `{second}` comes "
                "first"
            )
        what = _shown(clash.what)
        begin = f"of two answers to `{event}`, `{first}` comes first and"
        if clash.first is None:
            by = self._by(clash.second)
            return (
                f"{begin} reads {what}, which `{second}` changes{by}: it finds it as it was, and the "
                "other way round changed"
            )
        begin = f"{begin} changes {what}{self._by(clash.first)}"
        if clash.second is None:
            return (
                f"{begin}, which `{second}` reads: it finds it changed, and the other way round as it "
                "was"
            )
        return (
            f"{begin}, and so does `{second}`{self._by(clash.second)}: the latter has the last word, "
            "and the other way round the former"
        )

    def _by(self, act: Act | None) -> str:
        if act is None or act.form not in ("do", "use"):
            return ""
        item = self.items.get(act.name)
        name = item.slug if item is not None else act.name
        return f" by `{name}`" if act.form == "do" else f" by `use {name}`"

    def _place(self, one: Answering) -> Place:
        planned = self.planned.get(one.id)
        if planned is not None:
            return planned.texts[-1].passage.place(planned.node.event.span)
        return self.items[one.routine].fields["event"].place


def _joined(open_: Sequence[tuple[int, int]], edges: Collection[tuple[int, int]]) -> set[int]:
    """The answers in conflict, and all that hang together with them."""
    members, size = {one for pair in open_ for one in pair}, 0
    while size != len(members):
        size = len(members)
        members.update(one for pair in edges if members.intersection(pair) for one in pair)
    return members


def _before(place: int, kept: Sequence[int], known: Collection[tuple[int, int]]) -> Iterator[int]:
    """Which of those that are kept come before one in any case."""
    return (number for number, one in enumerate(kept) if (one, place) in known)


def _first_clash(
    answers: Sequence[program.Trigger], doings: Sequence[Doings], one: int, other: int
) -> Interference | None:
    """By what two answers clash; nothing if they never both respond."""
    found = doings[one].clash(doings[other])
    return None if found is None or excludes(answers[one].where, answers[other].where) else found


def _shown(what: str) -> str:
    """The object of a clash, for people: a field by its name, an open value by its own."""
    if what.startswith(("the ", "where ")):
        return what
    return f"`{what.rpartition('.')[2].rpartition(' ')[2]}`"
