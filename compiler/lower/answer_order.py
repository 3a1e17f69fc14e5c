"""The order of answers to one event: `after:` of their items, else the order of packs and files.

Where answers of packs that do not know each other do not commute, or replacements may both apply,
whoever decides for the event is asked in play. Where nobody does, it is an error if both change the
open value of a moment, and else a warning; both show both outcomes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations, product

from ruleloom.compiler.check.moments import INSTEAD
from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import closures, in_order
from ruleloom.compiler.lower.budget import ensured_behind
from ruleloom.compiler.lower.deciders import (
    EVERY,
    Contest,
    Decider,
    ask_for_first,
    ask_for_order,
    read_deciders,
)
from ruleloom.compiler.lower.program import Build, summaries_of
from ruleloom.compiler.lower.triggers import ANY_ROLL, ROLLED
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.effects import (
    ANY,
    ONLY,
    Act,
    Analysis,
    Doings,
    Effects,
    Interference,
    Read,
    read_and_changed,
)
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.yaml.node import items_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ME, conjuncts, mentions, substitute
from ruleloom.runtime.program.program import Expr, Trigger
from ruleloom.runtime.program.values import DICE

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


def excludes(one: Expr | None, other: Expr | None) -> bool:
    """Can these two conditions never hold together, as far as it is plain from each part?"""
    if one is None or other is None:
        return False
    return any(_excludes(a, b) for a in _tests(one) for b in _tests(other))


def _tests(where: Expr) -> list[Expr]:
    """The tests of the event; of bearers who are asked one by one, those that no bearer decides."""
    if where[:2] != ("each", "exists") or where[5] is None:
        return conjuncts(where)
    return [test for test in conjuncts(where[5]) if not mentions(test, ("slot", where[3]))]


def _excludes(a: Expr, b: Expr) -> bool:
    if ("not", a) == b or ("not", b) == a:
        return True
    if a[0] not in OPPOSITES or b[0] not in OPPOSITES or a[1] != b[1]:
        return False
    if a[2] == b[2]:
        return b[0] in OPPOSITES[a[0]]
    return a[2][0] == b[2][0] == "value" and _never_both(a, b)


def _never_both(a: Expr, b: Expr) -> bool:
    """Do two comparisons with different values leave nothing for both?"""
    if a[0] == b[0] == "=":
        return True
    return all(type(one[2][1]) is int for one in (a, b)) and (_apart(a, b) or _apart(b, a))


def _apart(a: Expr, b: Expr) -> bool:
    """Does the first keep a whole number below what the second allows?"""
    above, below = {"=": 0, "<=": 0, "<": -1}, {"=": 0, ">=": 0, ">": 1}
    if a[0] not in above or b[0] not in below:
        return False
    return bool(a[2][1] + above[a[0]] < b[2][1] + below[b[0]])


OPPOSITES = {
    "=": ("!=", "<", ">"),
    "!=": ("=",),
    "<": (">=", ">", "="),
    ">": ("<=", "<", "="),
    "<=": (">",),
    ">=": ("<",),
}


CODE = "answer-order"
ANSWERING = frozenset({"abilities", "event", "counts", "until"})
"""The fields of items that respond to events."""


@dataclass(frozen=True, slots=True)
class SaidOrder:
    """Which of two items comes first: `earlier` has for each those that it says it comes after."""

    build: Build
    earlier: Mapping[str, frozenset[str]]

    def is_said(self, one: Item, other: Item) -> bool:
        """Does `after:` of either say it?"""
        earlier = self.earlier
        return one.id in earlier.get(other.id, ()) or other.id in earlier.get(one.id, ())

    def is_known_so(self, first: Item, second: Item) -> bool:
        """The same, where the first one comes first in any case: it must not say the contrary."""
        return self.is_known(first, second) and second.id not in self.earlier.get(first.id, ())

    def is_known(self, one: Item, other: Item) -> bool:
        """Has somebody said it, or does the author of one of them know both?"""
        knows = self.build.symbols.belonging.builds_on
        known = knows(one.place, other.place) or knows(other.place, one.place)
        return one.pack == other.pack or known or self.is_said(one, other)


def earlier_items(content: Content, report: Report) -> dict[str, frozenset[str]]:
    """The items after which each item comes, also by way of others; none if no item says so."""
    if not any(map(_is_ordered, content.items)):
        return {}
    known = content.by_id
    packs = frozenset(pack.id for pack in content.packs)
    after = {item.id: frozenset(_said(item, known, packs, report)) for item in content.items}
    order = in_order(after)
    circling = next((id for id in after if id not in order and after[id]), None)
    if circling is not None:
        place = known[circling].fields["after"].place
        report.error(CODE, place, f"`{circling}` comes after itself", "take one `after:` out")
    whole = closures({id: after[id] for id in order})
    return {id: whole[id] - {id} for id in after if id in whole}


def _said(
    item: Item, known: Mapping[str, Item], packs: frozenset[str], report: Report
) -> Iterator[str]:
    """The items that one says it comes after."""
    said = item.fields["after"] if _is_ordered(item) else None
    if said is not None and not ANSWERING.intersection(item.fields):
        message = (
            f"`{item.name}` responds to nothing, so there is nothing that comes after anything"
        )
        report.error(CODE, said.place, message, "write `abilities:`, or leave it out")
        return
    for node in items_of(said):
        wanted = node.text or ""
        pack, colon, _ = wanted.partition(":")
        if colon and pack not in packs:
            # Not played with today. Where a pack's name is misspelt, the conflict stays a conflict.
            continue
        found = [id for id in known if wanted in (id, id.partition(":")[2])]
        if len(found) == 1 and found[0] != item.id:
            yield found[0]
        else:
            message = f"there is no other item `{wanted}` to come after"
            report.error(CODE, node.place, message, did_you_mean(wanted, known))


def _is_ordered(item: Item) -> bool:
    """Does an item say after which others its responses come? In a patch it is about patches."""
    return "after" in item.fields and item.kind != "patch"


def how_to_settle(event: str, one: Item, other: Item) -> str:
    """The help that settles the order of two answers, and keeps both."""
    way = f"write `after: [{one.id}]` in `{other.name}`, or the other way round"
    return f"{way}; or name the player who says it in an extension: `deciders: {{{event}: ...}}`"


def how_to_turn(event: str, first: Item, second: Item) -> str:
    """The help for answers to two events, the first of which is always answered first."""
    return (
        f"write `after: [{first.id}]` in `{second.name}` if it is meant so; `{second.name}` can come "
        f"first only if it answers `{event}` too"
    )


TOUCHED = "touched"


@dataclass(frozen=True, slots=True)
class Overlap:
    """Two events of one thing that happens, the one first that is answered first."""

    first: str
    second: str
    touched: Expr | None = None
    """The thing touched, in terms of the operation; None for rolls, which tell the same."""
    variables: tuple[str, str] = ("", "")
    """The variables of the open value, which after the first event goes over into the second."""

    def pairs(self, triggers: list[Trigger]) -> Iterator[tuple[Trigger, Trigger]]:
        """An answer to each of the two that run at the same time."""
        answers = ([one for one in triggers if one.event == event] for event in self.events)
        for one, other in product(*answers):
            if one.timing == other.timing:
                yield one, other

    @property
    def events(self) -> tuple[str, str]:
        return self.first, self.second

    def clash(
        self, analysis: Analysis, answers: tuple[Trigger, Trigger], doings: tuple[Doings, Doings]
    ) -> Interference | None:
        """By what an answer to the first event and one to the second clash."""
        applies, first = self._in_terms_of_second(answers[0].where, doings[0])
        where, second = answers[1].where, doings[1]
        asked = self._asked_later(analysis, where)
        changed = any(read_and_changed(asked, first.effects.changes))
        if excludes(applies, where) and not changed:
            return None
        return first.clash(second._replace(reads=second.reads | asked))

    def _in_terms_of_second(self, where: Expr | None, doings: Doings) -> tuple[Expr | None, Doings]:
        """When an answer to the first event responds, and what it does."""
        touched = self.touched
        if touched is None:
            acts = (
                act._replace(effects=self._renamed(act.effects), later=self._renamed(act.later))
                for act in doings.acts
            )
            return where, Doings(self._renamed(Effects(doings.reads)).reads, tuple(acts))
        told = doings.told((touched,))
        if where is None:
            return None, told
        return substitute(where, {0: touched}), told

    def _renamed(self, effects: Effects) -> Effects:
        """The same with the variable of the second event for that of the first."""
        old, new = self.variables
        reads = (one._replace(what=new) if one.what == old else one for one in effects.reads)
        changes = (one._replace(what=new) if one.what == old else one for one in effects.changes)
        return Effects(frozenset(reads), frozenset(changes))

    def _asked_later(self, analysis: Analysis, where: Expr | None) -> frozenset[Read]:
        """What decides whether an answer to the second event responds, if that is decided only when
        the first has been answered, as after a roll."""
        if self.touched is not None or where is None:
            return frozenset()
        asked = analysis.reads(where, len(ANY_ROLL[self.second]))
        is_about_value = mentions(where, ("slot", 1))
        return asked | {Read(self.variables[1], ONLY)} if is_about_value else asked


def overlaps(symbols: Symbols) -> Iterator[Overlap]:
    """The events that come together with others."""
    for name, one in symbols.operations.items():
        for param in one.touches:
            places = [place for place, known in enumerate(one.params) if known.name == param]
            yield Overlap(TOUCHED, name, ("slot", places[0]) if places else ANY)
        if name.startswith(ROLLED) and name not in ANY_ROLL and one.result is not None:
            general = symbols.operations[f"{ROLLED}{'each' if one.result == DICE else 'any'}"]
            variables = one.open_variable, general.open_variable
            yield Overlap(name, general.name, variables=variables)
