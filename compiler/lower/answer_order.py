"""The order of answers to one event: `after:` of their items, else the order of packs and files.

Where answers of unrelated packs do not commute, or several replacements may apply, the decider of the
event is asked in play. Without a decider it is an error if both change the open value of a moment, and
else a warning; both show both outcomes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from ruleloom.compiler.bounds.intervals import clash
from ruleloom.compiler.check.moments import INSTEAD
from ruleloom.compiler.diagnostics.report import Note, Notes, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import closures, in_order
from ruleloom.compiler.lower.budget import ensured_behind
from ruleloom.compiler.lower.deciders import (
    EVERY,
    Answer,
    Contest,
    Decider,
    ask_for_first,
    ask_for_order,
    read_deciders,
)
from ruleloom.compiler.lower.program import Build, summaries_of
from ruleloom.compiler.lower.triggers import ANY_ROLL, ROLLED, THROWN, UNSEEN
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.effects import (
    ANY,
    ONLY,
    Act,
    Analysis,
    Doings,
    Interference,
    Read,
    read_and_changed,
)
from ruleloom.compiler.yaml.node import items_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import ME, conjuncts, mentions, reached, substitute
from ruleloom.runtime.program.program import Expr, Trigger
from ruleloom.runtime.program.values import DICE

LOOSE = "answers-in-fixed-order"
CODE = "answer-order"
Pair = tuple[Answer, Answer]
OPPOSITES = {
    "=": ("!=", "<", ">"),
    "!=": ("=",),
    "<": (">=", ">", "="),
    ">": ("<=", "<", "="),
    "<=": (">",),
    ">=": ("<",),
}
ANSWERING = frozenset({"abilities", "event", "counts", "until"})
"""The item fields with responses to events."""
TOUCHED = "touched"


def order_answers(build: Build) -> None:
    """Sort triggers and replacements by `after:`, and settle or report the other conflicts."""
    sound = build.is_sound
    earlier, items = earlier_items(build.content, build.report), build.items_by_routine()
    if any(earlier.values()):
        ranks = {id: rank for rank, id in enumerate(in_order(earlier))}
        last = len(ranks)
        build.triggers.sort(key=lambda one: ranks.get(items[one.routine].id, last))
        build.replacements.sort(key=lambda one: ranks.get(items[one.routine].id, last))
    deciders = read_deciders(build)
    if sound:
        contests = Contests(build, earlier, deciders)
        contests.of_events()
        contests.of_overlaps()
        contests.ask()


class Contests:
    """Finds answers to one event that do not commute, and settles or reports them.

    `earlier` maps each item to those that its `after:` names.
    """

    def __init__(
        self, build: Build, earlier: Mapping[str, frozenset[str]], deciders: Mapping[str, Decider]
    ) -> None:
        self.build, self.earlier, self.deciders = build, earlier, deciders
        self.told: set[tuple[str, str, str]] = set()
        self._known: dict[str, Doings] = {}
        self.items = build.items_by_routine()
        self.summaries = summaries_of(build)
        self.analysis = Analysis(self.summaries, build.bodies.functions.body)
        self.asked: list[Contest] = []
        self.responses = {one.id: one for one in build.responses()}

    def of_events(self) -> None:
        """Find conflicts among immediate triggers, later triggers, and replacements."""
        groups: dict[tuple[str, str], list[Answer]] = {}
        for one in self.build.triggers:
            groups.setdefault((one.event, one.timing), []).append(one)
        for other in self.build.replacements:
            groups.setdefault((other.operation, "instead"), []).append(other)
        for (event, timing), answers in groups.items():
            if len({self.items[one.routine].pack for one in answers}) > 1:
                self._look(event, answers, can_ask=timing != "afterwards")

    def of_overlaps(self) -> None:
        """Warn of conflicts between two events of one happening: no order is asked."""
        for overlap in overlaps(self.build.symbols):
            for pair in overlap.pairs(self.build.triggers):
                one, other = (self.items[answer.routine] for answer in pair)
                against = other.id in self.earlier.get(one.id, ())
                if against or not self._is_known(*pair):
                    doings = self._doings(pair[0]), self._doings(pair[1])
                    found = overlap.clash(self.analysis, pair, doings)
                    if found is not None:
                        shown = f"{overlap.first}` and `{overlap.second}"
                        self._tell(shown, pair, found, how_to_turn(overlap.first, one, other))

    def ask(self) -> None:
        """Add the routines that ask the deciders."""
        for contest in self.asked:
            is_order = isinstance(contest.answers[0], program.Trigger)
            (ask_for_order if is_order else ask_for_first)(self.build, contest)

    def _is_said(self, *pair: Answer) -> bool:
        """Whether `after:` of either item sets the order."""
        one, other = (self.items[answer.routine].id for answer in pair)
        return one in self.earlier.get(other, ()) or other in self.earlier.get(one, ())

    def _is_known(self, *pair: Answer) -> bool:
        """Whether the order is set, or one author knows both packs."""
        one, other = (self.items[answer.routine] for answer in pair)
        knows = self.build.symbols.belonging.builds_on
        known = knows(one.place, other.place) or knows(other.place, one.place)
        return one.pack == other.pack or known or self._is_said(*pair)

    def _look(self, event: str, answers: Sequence[Answer], can_ask: bool) -> None:
        decider = (self.deciders.get(event) or self.deciders.get(EVERY)) if can_ask else None
        open_, ensured = list(self._unsettled(answers)), None
        if decider is not None and open_:
            if decider.by != ME:
                ensured = ensured_behind(self.build, self.summaries, event)
            if ensured is None:
                fighting = {one.id for pair, _ in open_ for one in pair}
                self.asked.append(self._contest(event, decider, answers, fighting))
                return
        for pair, found in open_:
            self._warn(event, pair, found, ensured)

    def _unsettled(self, answers: Sequence[Answer]) -> Iterator[tuple[Pair, Interference]]:
        """Yield each pair that does not commute and has no set order."""
        for pair in combinations(answers, 2):
            found = self._clash(*pair) if not self._is_known(*pair) else None
            if found is not None:
                yield pair, found

    def _clash(self, one: Answer, other: Answer) -> Interference | None:
        """The conflict of two answers to one event."""
        if isinstance(one, program.Trigger) and isinstance(other, program.Trigger):
            mine, theirs = (self._known.get(each.id) or self._doings(each) for each in (one, other))
            self._known |= {one.id: mine, other.id: theirs}
            found = mine.clash(theirs)
        else:  # replacements conflict unless both do nothing
            acts = (self.analysis.doings(each.routine).acts for each in (one, other))
            found = Interference("", None, None) if any(acts) else None
        return None if found is None or excludes(one.where, other.where) else found

    def _contest(
        self, event: str, decider: Decider, answers: Sequence[Answer], fighting: set[str]
    ) -> Contest:
        """The answers connected with those in conflict, with the set orders kept."""
        edges = [
            pair
            for pair in combinations(answers, 2)
            if self._is_said(*pair) or self._clash(*pair) is not None
        ]
        linked = defaultdict[str, list[str]](list)
        for one, other in (*edges, *((b, a) for a, b in edges)):
            linked[one.id].append(other.id)
        joined = reached(fighting, linked.__getitem__)
        kept = tuple(one for one in answers if one.id in joined)
        known = {(one.id, other.id) for one, other in edges if self._is_known(one, other)}
        before = tuple(
            frozenset(number for number, one in enumerate(kept) if (one.id, answer.id) in known)
            for answer in kept
        )
        return Contest(event, decider, kept, before)

    def _doings(self, one: program.Trigger) -> Doings:
        """The doings of an answer; of one that runs per bearer, those for any bearer."""
        if one.id == one.routine:
            return self.analysis.doings(one.routine)
        size = len(self.build.symbols.events[one.event])
        given: list[Expr] = [("slot", slot) for slot in range(size)]
        doings = self.analysis.doings(one.id).each(lambda effects: effects.told(given))
        asked = self.analysis.reads(one.where, size) if one.where is not None else frozenset()
        # Bearing is tested again when its turn comes; the zones decide it.
        zones = self.build.symbols.zones
        return Doings(
            doings.reads | {read for read in asked if read.what not in zones}, doings.acts
        )

    def _warn(self, event: str, pair: Pair, clash: Interference, ensured: Place | None) -> None:
        first, second = (self.items[one.routine] for one in pair)
        moment = self.build.symbols.operations.get(event)
        both_change = clash.first is not None and clash.second is not None
        is_open = moment is not None and moment.open and clash.what == moment.open_variable
        if is_open and both_change and ensured is None:
            self._refuse(event, *pair)
            return
        why = "the decider cannot be asked, as this has to be foreseen"
        notes = [Note(ensured, why)] if ensured is not None else []
        self._tell(event, pair, clash, how_to_settle(event, first, second), notes)

    def _refuse(self, moment: str, one: Answer, other: Answer) -> None:
        """Report two answers that change the open value of a moment in no set order."""
        first, second = self.responses[one.id], self.responses[other.id]
        mine, theirs = ((each.body[0].span[0], each.body[-1].span[1]) for each in (first, second))
        said = f"`{first.passage.words(mine)}`"
        more = f"`{second.passage.words(theirs)}`"
        items = self.items[one.routine], self.items[other.routine]
        both = f"the answers to `{moment}` by `{items[0].id}` and `{items[1].id}` do not commute"
        message = f"{both}: {said}, then {more}, or {more}, then {said}"
        notes = [Note(first.passage.place(mine), "the other answer")]
        help = how_to_settle(moment, *items)
        self.build.report.error(CODE, second.passage.place(theirs), message, help, notes)

    def _tell(
        self, event: str, pair: Pair, clash: Interference, help: str, notes: Notes = ()
    ) -> None:
        """Warn of a conflict once."""
        first, second = (self.items[one.routine].id for one in pair)
        key = event, first, second
        if key not in self.told:
            self.told.add(key)
            message = self._message(event.removeprefix(INSTEAD), first, second, clash)
            texts = (self.responses[one.id] for one in pair)
            before, here = (one.said.place(one.event.span) for one in texts)
            all_notes = [Note(before, "the other one"), *notes]
            self.build.report.warning(LOOSE, here, message, help, all_notes)

    def _message(self, event: str, first: str, second: str, clash: Interference) -> str:
        if not clash.what:
            both = f"two packs replace `{event}`, and both may apply: `{first}`, then `{second}`"
            return f"{both} on what is left, or the other way round"
        what, mine, theirs = _shown(clash.what), self._by(clash.first), self._by(clash.second)
        begin = f"of two answers to `{event}`, `{first}` comes first and"
        if clash.first is None:
            return f"{begin} reads {what} before `{second}` changes it{theirs}; the other way round, after"
        begin = f"{begin} changes {what}{mine}"
        if clash.second is None:
            return f"{begin} before `{second}` reads it; the other way round, after"
        return f"{begin}, and so does `{second}`{theirs} after it, or the other way round"

    def _by(self, act: Act | None) -> str:
        if act is None or act.form not in ("do", "use"):
            return ""
        item = self.items.get(act.name)
        name = item.slug if item is not None else act.name
        return f" by `{name}`" if act.form == "do" else f" by `use {name}`"


def _shown(what: str) -> str:
    """The object of a conflict in words: a field by its name, an open value by its own."""
    if what.startswith(("the ", "where ")):
        return what
    return f"`{what.rpartition('.')[2].rpartition(' ')[2]}`"


def excludes(one: Expr | None, other: Expr | None) -> bool:
    """Whether two conditions exclude each other, judged by their parts."""
    if one is None or other is None:
        return False
    mine, theirs = _tests(one), _tests(other)
    opposite = {(op, *test[1:]) for test in mine for op in OPPOSITES.get(test[0], ())}
    return not opposite.isdisjoint(theirs) or clash(None, [*mine, *theirs])


def _tests(where: Expr) -> list[Expr]:
    """The tests of an event; of a condition over bearers, those that do not depend on the bearer."""
    if where[:2] != ("each", "exists") or where[5] is None:
        return conjuncts(where)
    return [test for test in conjuncts(where[5]) if not mentions(test, ("slot", where[3]))]


def earlier_items(content: Content, report: Report) -> dict[str, frozenset[str]]:
    """The items that each item comes after, transitively; empty if no item has `after:`."""
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
    return {id: items - {id} for id, items in whole.items()}


def _said(
    item: Item, known: Mapping[str, Item], packs: frozenset[str], report: Report
) -> Iterator[str]:
    """Yield the item ids in the `after:` of an item."""
    said = item.fields["after"] if _is_ordered(item) else None
    if said is not None and not ANSWERING.intersection(item.fields):
        message = f"`{item.name}` responds to nothing, so `after:` has no effect"
        report.error(CODE, said.place, message, "write `abilities:`, or leave it out")
        return
    for node in items_of(said):
        wanted = node.text or ""
        pack, colon, _ = wanted.partition(":")
        if colon and pack not in packs:
            # Not in this game. If a pack's name is misspelt, the conflict remains.
            continue
        found = [id for id in known if wanted in (id, id.partition(":")[2])]
        if len(found) == 1 and found[0] != item.id:
            yield found[0]
        else:
            message = f"there is no other item `{wanted}` to come after"
            report.error(CODE, node.place, message, did_you_mean(wanted, known))


def _is_ordered(item: Item) -> bool:
    """Whether an item orders its responses by `after:`; in a patch that is about patches."""
    return "after" in item.fields and item.kind != "patch"


def how_to_settle(event: str, one: Item, other: Item) -> str:
    """The help that sets the order of two answers."""
    way = f"write `after: [{one.id}]` in `{other.name}`, or the other way round"
    return f"{way}; or name the player who says it in an extension: `deciders: {{{event}: ...}}`"


def how_to_turn(event: str, first: Item, second: Item) -> str:
    """The help for answers to two events, of which the first is always answered first."""
    confirm = f"write `after: [{first.id}]` in `{second.name}` if that is meant"
    return f"{confirm}; it can come first only if it answers `{event}` too"


class Overlap(Frozen):
    """Two events of one happening, in the order in which they are answered."""

    first: str
    second: str
    touched: Expr | None = None
    """The thing touched, in slots of the operation; None for rolls, with equal values."""
    variables: tuple[str, str] = ("", "")
    """The variables of the open value, which passes from the first event to the second."""
    values: int = 0
    """The number of values of the second event."""

    def pairs(self, triggers: list[Trigger]) -> Iterator[tuple[Trigger, Trigger]]:
        """Yield the pairs of answers with the same timing."""
        events = self.first, self.second
        answers = ([one for one in triggers if one.event == event] for event in events)
        for one, other in product(*answers):
            if one.timing == other.timing:
                yield one, other

    def clash(
        self, analysis: Analysis, answers: tuple[Trigger, Trigger], doings: tuple[Doings, Doings]
    ) -> Interference | None:
        """The conflict of answers to the first and second event."""
        applies, first = self._in_terms_of_second(answers[0].where, doings[0])
        where, second = answers[1].where, doings[1]
        asked = self._asked_later(analysis, where)
        changed = any(read_and_changed(asked, first.effects.changes))
        if excludes(applies, where) and not changed:
            return None
        return first.clash(second._replace(reads=second.reads | asked))

    def _in_terms_of_second(self, where: Expr | None, doings: Doings) -> tuple[Expr | None, Doings]:
        """The condition and doings of an answer, in the second's slots."""
        if self.touched is None:
            return where, doings.each(lambda one: one.renamed(*self.variables))
        touched = self.touched
        told = doings.each(lambda one: one.told((touched,)))
        return (None if where is None else substitute(where, {0: touched})), told

    def _asked_later(self, analysis: Analysis, where: Expr | None) -> frozenset[Read]:
        """The reads of the condition of an answer to the second event, if it is tested only after the
        first event is answered, as after a roll.
        """
        if self.touched is not None or where is None:
            return frozenset()
        asked = analysis.reads(where, self.values)
        is_about_value = mentions(where, ("slot", 1))
        return asked | {Read(self.variables[1], ONLY)} if is_about_value else asked


def _any_roll(name: str, moment: Signature) -> str:
    """The event of any roll that comes with that of a named one."""
    if name.startswith(ROLLED):
        return f"{ROLLED}each" if moment.result == DICE else f"{ROLLED}any"
    return UNSEEN if moment.params[moment.open_place].told else f"{THROWN}any"


def overlaps(symbols: Symbols) -> Iterator[Overlap]:
    """Yield the events raised together."""
    for name, one in symbols.operations.items():
        for param in one.touches:
            places = [place for place, known in enumerate(one.params) if known.name == param]
            yield Overlap(TOUCHED, name, ("slot", places[0]) if places else ANY)
        if name.startswith((ROLLED, THROWN)) and name not in ANY_ROLL:
            general = symbols.operations[_any_roll(name, one)]
            variables = one.open_variable, general.open_variable
            yield Overlap(name, general.name, variables=variables, values=len(general.params))
