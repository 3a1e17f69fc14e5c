"""Recursion of powers, circles of triggers, and the work of one use against its budget.

Powers may not use themselves, not even indirectly; triggers may form a circle only if one of them acts
once per turn. `use power of` is exempt from the first (it takes fuel); in the second it counts as the
use of the power of any record of that entity.

The cost of a use is that of its routine and all that it triggers. The game's own share is free: the
budget is for what packs add. An excess is reported to the author who can change it: the author of the
use, unless the use would fit without the share of one pack; then at the item of that pack.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, partial
from itertools import chain
from math import prod
from operator import itemgetter

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.flow import cost
from ruleloom.compiler.flow.context import LateEnsure, with_fuel
from ruleloom.compiler.flow.cost import Answering, Costs
from ruleloom.compiler.graph import (
    Graph,
    closures,
    components,
    find_circle,
    is_circle,
    path_text,
    shortest_circle,
)
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.summaries import Summaries, outline_of
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.expr import DRAWN, TOUCHED, Callee, leading_to, reached
from ruleloom.runtime.program.program import Operate, Replacement, Trigger

MOST_ROWS, MOST_SLOTS, MOST_DEPTH = 10_000, 1_000, 48
# The limit for each of these, and for items with an effect, that a save can hold.
MOST_ITEMS = 5_000
COUNTED = ("setting switch", "rule measure table", "trigger", "requirement", "sheet")
BARRIER = "ensure-after-barrier"
MOST_NOTES = 8
FEWER = "go through shorter lists, or do it in fewer rounds"


def check_uses(build: Build) -> None:
    """Refuse powers that use themselves, or nest too deep."""
    graph = build.summaries.uses
    parts = components(graph)
    circles = [part for part in parts if is_circle(part, graph)]
    items = build.items_by_routine()
    for part in circles:
        path = find_circle({id: set(part).intersection(graph[id]) for id in part})
        names = path_text([f"`{items[id].name}`" for id in path])
        last, first = path[-2], path[0]
        place = _place_of_use(build, last, first) or items[last].place
        message = f"`{items[first].name}` uses itself: {names}"
        help = "a `repeat` does something several times"
        build.report.error("recursive-power", place, message, help)
    if not circles:
        _refuse_deep(chain.from_iterable(parts), graph, items, build.report)


def _place_of_use(build: Build, user: str, used: str) -> Place | None:
    passage, block = build.bodies.blocks.get(user) or (None, ())
    names = (one.power for one in nodes_of(block, ast.UseStmt))
    powers = build.symbols.powers
    spans = (name.span for name in names if name.id in powers and powers[name.id].id == used)
    return next((passage.place(span) for span in spans if passage is not None), None)


def _refuse_deep(
    order: Iterable[str], graph: Graph[str], items: Mapping[str, Item], report: Report
) -> None:
    depths: dict[str, int] = {}
    too_deep = f"uses powers that use powers, more than {MOST_DEPTH} steps deep"
    for id in order:
        depths[id] = 1 + max((depths[other] for other in graph[id] if other in depths), default=0)
        if depths[id] == MOST_DEPTH + 1:
            report.error("too-much-work", items[id].place, f"`{items[id].name}` {too_deep}")


def check_triggers(build: Build) -> None:
    """Refuse endless circles of triggers; replacements end, since none runs within itself."""
    if not build.triggers:
        return
    graph, items = build.summaries.repeating, build.items_by_routine()
    routines = {Callee("routine", trigger.routine) for trigger in build.triggers}
    for part in components(graph):
        caught = routines.intersection(part)
        if caught and is_circle(part, graph):
            circle = shortest_circle(min(caught), part, graph)
            _refuse_circle([one.name for one in circle if one in routines], items, build.report)


def _refuse_circle(path: list[str], items: Mapping[str, Item], report: Report) -> None:
    names, first = path_text([f"`{items[id].name}`" for id in path]), items[path[0]]
    what = "these trigger each other without end" if len(path) > 2 else "this triggers itself"
    help = "`once_per: turn`" if path[0] == first.id else "`once per turn`"
    report.error("endless-trigger", first.place, f"{what}: {names}", help)


def answers_by_event(build: Build) -> tuple[Answering, Answering]:
    """For each event, answered or not, the routines of the triggers that answer it or its touches; and
    for each replaced event those of its replacements.
    """
    found, instead = defaultdict[str, list[Callee]](list), defaultdict[Callee, list[Callee]](list)
    for trigger in build.triggers:
        found[trigger.event].append(Callee("routine", trigger.routine))
    for one in build.replacements:
        instead[Callee("event", one.operation)].append(Callee("routine", one.routine))
    operations = build.symbols.operations
    touches = {name: len(one.touches) for name, one in operations.items()}
    names = dict.fromkeys((*build.symbols.events, DRAWN, *operations))
    answers = {name: (*found[name], *(touches.get(name, 0) * found[TOUCHED])) for name in names}
    return {Callee("event", name): one for name, one in answers.items()}, instead


def check_late_ensures(build: Build) -> None:
    """Refuse `ensure` after a barrier: after a use of a routine with one, or one that answers at once.

    If only other packs add the barrier, they are warned.
    """
    late = [ensure for one in build.checked.values() for ensure in one.late]
    if not late:
        return
    own = build.summaries.blind
    blind = leading_to(own, build.summaries.at_once)
    for ensure in late:
        found = next((callee for callee in ensure.behind if callee in blind), None)
        if found is not None:
            _tell_barrier(build, ensure, found, own)


def _tell_barrier(build: Build, ensure: LateEnsure, found: Callee, own: set[Callee]) -> None:
    """Report the barrier `found` before an `ensure`, at its source.

    Items of packs above that add it are warned; without any, the pack that has put an `ensure` after
    the barrier of a text it builds on.
    """
    items, name, report = build.items_by_routine(), found.name.rpartition("/")[2], build.report
    graph, pack = build.summaries.at_once, build.content.files[ensure.place.path][0]
    others = {one for one in own if items[one.name].pack != pack}
    help = "ensure it before, or ask with `if`"
    if found in leading_to(own - others, graph):
        why = f"`{name}` is used before it, and may bring something new"
        message = f"this cannot be looked ahead to: {why}"
        report.error(BARRIER, ensure.place, message, help)
        return
    guilty = _bringing(build, found, others, graph)
    needed = build.content.pack(pack).needs
    above = {item: waits for item, waits in guilty.items() if item.pack not in needed}
    for item, waits in above.items():
        why = f"`{item.name}` happens within `{name}`, and its outcome cannot be foreseen"
        message = f"{why}: where a later condition fails, the text ends"
        waiting = "`afterwards` before the `:` responds when that text is done" if waits else None
        notes = (Note(ensure.place, "the condition"),)
        report.warning(BARRIER, item.place, message, waiting, notes)
    if not above:
        why = f"`{name}` may come before this, and its outcome cannot be foreseen"
        message = f"{why}: where this fails, the text ends"
        report.warning(BARRIER, ensure.place, message, help)


def _bringing(
    build: Build, found: Callee, others: set[Callee], graph: Graph[Callee]
) -> dict[Item, bool]:
    """The items whose responses add these barriers, and whether they could respond afterwards instead;
    without such responses, the items of the barriers themselves.
    """
    items, whole = build.items_by_routine(), reached([found], lambda one: graph.get(one, ()))
    brought = others & whole.keys()
    within = whole.keys() & leading_to(brought, graph)
    packs, can_wait = {items[one.name].pack for one in brought}, dict[Item, bool]()
    answers: list[Trigger | Replacement] = [*build.triggers, *build.replacements]
    for one in answers:
        item = items[one.routine]
        if item.pack in packs and Callee("routine", one.routine) in within:
            can_wait[item] = can_wait.get(item, True) and _can_wait(build, one)
    return can_wait or dict.fromkeys((items[one.name] for one in brought), False)


def _can_wait(build: Build, one: Trigger | Replacement) -> bool:
    """Whether it could run afterwards."""
    if isinstance(one, Replacement) or one.event.startswith("before "):
        return False
    moment = build.symbols.operations.get(one.event)
    return moment is None or not moment.open


def ensured_behind(build: Build, summaries: Summaries, event: str) -> Place | None:
    """The place of an `ensure` after an event, the answers to which must be foreseen."""
    late = [ensure for one in build.checked.values() for ensure in one.late]
    start = Callee("event", event)
    leading = leading_to([start], summaries.at_once) if late else ()
    return next((one.place for one in late if any(c in leading for c in one.behind)), None)


def counted(build: Build) -> Uses:
    """The costs of the uses of a game whose texts are lowered."""
    checked, highs = build.checked, _open_highs(build)
    amounts = {
        id: cost.with_answers(one.cost, highs) if highs else one.cost for id, one in checked.items()
    }
    counting = partial(Costs, amounts, *answers_by_event(build))
    once = frozenset(id for id, one in checked.items() if one.once)
    costs = counting(once, cost.NOBODY)
    return Uses(build.content, checked, build.items_by_routine(), once, counting, costs)


def add_bounds(build: Build) -> None:
    """Add the routines with the bounds of one use each, and report those over the budget."""
    uses = counted(build)
    costs = uses.costs
    heavy = _heavy(build) if costs.is_heavy else {}
    for id, one in build.checked.items():
        rows = with_fuel(one.routine.rows, heavy[id]) if heavy else one.routine.rows
        routine = replace(one.routine, rows=rows, bounds=costs.bounds(id))
        build.routines.append(routine)
        if len(routine.rows) > MOST_ROWS or len(routine.slots) > MOST_SLOTS:
            item = uses.items[id]
            message, help = f"`{item.name}` is too long", "split it into several powers"
            build.report.error("too-much-work", item.place, message, help)
    tell_budget(uses, build.report)


def _open_highs(build: Build) -> dict[str, int]:
    """The upper bound that answers give the open value of each moment on which a loop depends.

    An unbounded assignment is reported, not the loop, whose author could not know of it.
    """
    highs: dict[str, int] = {}
    for moment, loops in build.symbols.open_loops.items():
        for line in build.symbols.open_sets.get(moment, ()):
            highs[moment] = max(highs.get(moment, 0), line.high or 0)
            if line.high is None:
                message = f"`{line.name}` has no upper bound after this"
                help = f"`set {line.name} = lowest([..., 12])`, or `most:` where `{moment}` is declared"
                notes = [Note(at, "this loop runs so often") for at in dict.fromkeys(loops)]
                build.report.error("unbounded", line.place, message, help, notes)
    return highs


def _heavy(build: Build) -> dict[str, Mapping[int, int]]:
    """For each routine the rows that may take many evaluations, including those of answers, with the
    number.
    """
    found: dict[str, Mapping[int, int]] = {}
    asking = Counter[str]()
    for by in answers_by_event(build):
        for event, answers in by.items():
            asking[event.name] += sum(build.checked[one.name].asking for one in answers)
    for id, one in build.checked.items():
        heavy = cost.heavy_rows(one.cost)
        for pc, row in enumerate(one.routine.rows):
            name = row.operation if isinstance(row, Operate) else getattr(row, "event", "")
            heavy[pc] += asking[name]
        found[id] = +heavy
    return found


def refuse_many(build: Build) -> None:
    """Refuse more items of a kind than `MOST_ITEMS`."""
    items = build.content.items
    counted = {
        f"items of the kind `{kinds.split()[0]}`": [
            one for one in items if one.kind in kinds.split()
        ]
        for kinds in COUNTED
    }
    counted["items with an effect"] = [one for one in items if "effect" in one.fields]
    for what, found in counted.items():
        if len(found) > MOST_ITEMS:
            message = f"a game holds at most {MOST_ITEMS:,} {what}, and here are {len(found):,}"
            build.report.error("too-much-work", found[MOST_ITEMS].place, message)


def _counted(number: int, words: tuple[str, str]) -> str:
    return f"{number:,} {words[number != 1]}"


class Measure(Frozen):
    """A counted quantity, its budget, and its singular and plural."""

    name: str
    budget: int
    words: tuple[str, str]

    def amount(self, flat: cost.Flat) -> int:
        """The amount in a cost."""
        number: int = getattr(flat, self.name)
        return number

    def said(self, number: int) -> str:
        """An amount in words."""
        return _counted(number, self.words)


MEASURES = (
    Measure("prompts", cost.LIMIT, ("prompt", "prompts")),
    Measure("operations", cost.LIMIT, ("operation", "operations")),
    Measure("dice", cost.DICE_LIMIT, ("die", "dice")),
    Measure("work", cost.USE_WORK_LIMIT, ("evaluation", "evaluations of long expressions")),
)


@dataclass
class Uses:
    """The costs of the uses of a game. `counting` computes them without the share of some packs."""

    content: Content
    checked: Mapping[str, Checked]
    items: Mapping[str, Item]
    once: frozenset[str]
    """The once-per-turn answers."""
    counting: Callable[[frozenset[str], cost.LeftOut], Costs]
    costs: Costs
    _lacking: dict[frozenset[str], Costs] = field(default_factory=dict)

    def without(self, packs: frozenset[str]) -> Costs:
        """The costs without the share of these packs."""
        if packs not in self._lacking:
            files = self.content.files.items()
            paths = frozenset(path for path, (pack, _) in files if pack in packs)
            self._lacking[packs] = (
                self.counting(self.once, cost.LeftOut(packs, paths)) if packs else self.costs
            )
        return self._lacking[packs]

    def amount(self, id: str, measure: Measure) -> int:
        """The amount of one use."""
        return measure.amount(self.costs.total(id))

    def room(self, id: str, measure: Measure) -> int:
        """The amount allowed for one use: the game's own share plus the budget for packs."""
        if self.amount(id, measure) <= measure.budget:
            return measure.budget
        added = frozenset(pack.id for pack in self.content.packs) - {self.content.game}
        own = measure.amount(self.without(added).total(id))
        return own + measure.budget if own <= measure.budget else measure.budget

    @cached_property
    def built_on(self) -> Mapping[str, frozenset[str]]:
        """The packs each pack builds on, with itself and the game."""
        found = closures({pack.id: pack.needs for pack in self.content.packs})
        return {id: frozenset(packs) | {id, self.content.game} for id, packs in found.items()}

    def brought_by(self, id: str, measure: Measure) -> tuple[str, Costs] | None:
        """The other pack with the greatest share of a use, and the costs without it."""
        own, total = self.built_on[self.items[id].pack], self.amount(id, measure)
        others = [pack.id for pack in self.content.packs if pack.id not in own]
        costs = {pack: self.without(frozenset([pack])) for pack in others}
        shares = {pack: total - measure.amount(one.total(id)) for pack, one in costs.items()}
        most = max(shares, key=shares.__getitem__, default="")
        return (most, costs[most]) if shares.get(most, 0) > 0 else None

    def chain(
        self, id: str, measure: Measure, brought: tuple[str, Costs] | None = None
    ) -> CostChain:
        """The costliest chain of a use, over all packs or for the pack in `brought`."""
        pack, lacking = brought or ("", self.costs)
        chain = CostChain(self, measure, lacking, pack)
        chain.follow(id)
        return chain


@dataclass
class CostChain:
    """The path from a use down to the part with most of a pack's share; then to the largest part."""

    uses: Uses
    measure: Measure
    lacking: Costs
    """The costs without the pack whose share is sought."""
    pack: str
    factors: list[tuple[int, cost.Factor]] = field(default_factory=list)
    least: int = 0
    """The amount at the end of the path, to be multiplied by the factors."""
    at: Place | None = None
    """The place where the pack's share begins."""
    item: str = ""
    """The id of the routine in which it begins."""
    seen: set[Callee] = field(default_factory=set)

    @property
    def said(self) -> str:
        """The chain in words: `8 characters x 45 points x 3 prompts = 1,080 prompts`."""
        least = self.measure.said(self.least)
        parts = [_counted(count, by.words) for count, by in self.factors]
        product = prod((count for count, _ in self.factors), start=self.least)
        return f"{' x '.join([*parts, least])} = {self.measure.said(product)}" if parts else least

    def notes(self) -> list[Note]:
        """Notes on the first factors."""
        shown = self.factors[:MOST_NOTES]
        return [Note(by.at, f"{_counted(count, by.words)} here") for count, by in shown]

    def follow(self, id: str) -> None:
        """Go down from a routine."""
        runs = (Callee("routine", one) for one in self.uses.costs.runs(id))
        node: cost.Cost | Callee | None = max(runs, key=self._weight)
        while node is not None:
            self.least = self.measure.amount(self.uses.costs.of(node))
            node = self._below(node)

    def _weight(self, node: cost.Cost | Callee) -> int:
        """The share of a part in the amount under search."""
        full = self.measure.amount(self.uses.costs.of(node))
        return full - self.measure.amount(self.lacking.of(node)) if self._is_sought else full

    @property
    def _is_sought(self) -> bool:
        return bool(self.pack) and self.at is None

    def _below(self, node: cost.Cost | Callee) -> cost.Cost | Callee | None:
        """The next part on the path; None at its end."""
        match node:
            case cost.Flat() | cost.End() | cost.Call():
                self._claim(node.at)
                return node.callee if isinstance(node, cost.Call) else None
            case cost.Sequence() | cost.Most():
                return self._greatest(node.parts)
            case cost.Times():
                return self._round(node)
            case _:
                return self._called(node)

    def _round(self, times: cost.Times) -> cost.Cost:
        by = times.by
        if by is not None:
            self.factors.append((times.count, by))
            if self._is_sought and not self._weight(times.part):
                self.at = next((one.at for one in by.without if one.pack == self.pack), None)
            self._claim(by.at)
        return times.part

    def _called(self, callee: Callee) -> cost.Cost | Callee | None:
        if callee in self.seen:
            return None
        self.seen.add(callee)
        if callee.kind == "event":
            return self._greatest(self.uses.costs.answers(callee))
        item = self.uses.items[callee.name]
        if self._is_sought and item.pack == self.pack:
            self.at, self.item = place_of(item), callee.name
        return self.uses.costs.routine(callee.name)

    def _greatest(self, parts: Sequence[cost.Cost | Callee]) -> cost.Cost | Callee | None:
        if not parts:
            return None
        best = max(parts, key=self._weight)
        # Without a dominant part, they are reported together.
        if not self._is_sought and 2 * self._weight(best) < self.least:
            return None
        return best

    def _claim(self, at: Place | None) -> None:
        if at is not None and self._is_sought:
            self.at = at if self.uses.content.files[at.path][0] == self.pack else None


def place_of(item: Item) -> Place:
    """The place to report an effect at: its item, or the patch that replaced it."""
    effect = item.fields.get("effect")
    return item.place if effect is None or effect.place.path == item.place.path else effect.place


class Excess(Frozen):
    """A use that may exceed its budget, and the place to report it at."""

    use: str
    measure: Measure
    amount: int
    pack: str
    chain: CostChain
    place: Place


def excesses(uses: Uses) -> Iterator[Excess]:
    """Yield the uses over the budget, one for each cause: the smallest use."""
    found: dict[str, tuple[int, Measure]] = {}
    for id in uses.checked:
        for measure in MEASURES:
            amount = uses.amount(id, measure)
            if amount > uses.room(id, measure):
                found.setdefault(id, (amount, measure))
    told: set[Place] = set()
    for id, (amount, measure) in sorted(found.items(), key=lambda one: (one[1][0], one[0])):
        if not found.keys().isdisjoint(outline_of(uses.checked[id].routine).uses):
            continue
        pack, chain = _share(uses, id, measure)
        place = chain.at or place_of(uses.items[id])
        if place not in told:
            told.add(place)
            yield Excess(id, measure, amount, pack, chain, place)


def _share(uses: Uses, id: str, measure: Measure) -> tuple[str, CostChain]:
    """The pack to blame for an excess, and the chain."""
    own, brought = uses.items[id].pack, uses.brought_by(id, measure)
    if brought is not None:
        others = frozenset(one.id for one in uses.content.packs) - uses.built_on[own]
        alone = measure.amount(uses.without(others).total(id))
        if alone <= uses.room(id, measure):
            return brought[0], uses.chain(id, measure, brought)
    return own, uses.chain(id, measure)


def tell_budget(uses: Uses, report: Report) -> None:
    """Warn about uses that may exceed their budget."""
    for one in excesses(uses):
        item, measure = uses.items[one.use], one.measure
        effect = item.fields.get("effect", item.node).place
        if report.errors_within(one.place) or report.errors_within(effect):
            continue  # the excess has been reported as an error
        begins = f"with this, `{item.id}`" if one.chain.at is not None else f"`{item.name}`"
        own = uses.room(one.use, measure) - measure.budget
        beside = f" beside {own:,} of the game" if own else ""
        over = f"over its budget of {measure.budget:,}{beside}"
        message = f"{begins} may take {measure.said(one.amount)}, {over}: {one.chain.said}"
        report.warning("over-budget", one.place, message, _help(uses, one), one.chain.notes())


def _help(uses: Uses, excess: Excess) -> str:
    """The help: the smallest sufficient change by the pack."""
    lacking = uses.brought_by(excess.use, excess.measure) if excess.chain.at is not None else None
    rest = excess.measure.amount(lacking[1].total(excess.use)) if lacking is not None else 0
    if _fits_once(uses, excess):
        is_trigger = uses.items[excess.chain.item].kind == "trigger"
        return "`once_per: turn`" if is_trigger else "`once per turn`"
    files = uses.content.files

    def is_own(by: cost.Factor) -> bool:
        return excess.pack in (files[by.at.path][0], *(one.pack for one in by.without))

    own = [(count, by) for count, by in excess.chain.factors if is_own(by)]
    if not own:
        return FEWER
    count, by = max(own, key=itemgetter(0))
    budget, amount, at = uses.room(excess.use, excess.measure), excess.amount, ""
    if files[by.at.path][0] == excess.pack:
        budget, amount, at = budget - rest, amount - rest, f" at line {by.at.line}"
    fits = count * budget // amount
    return f"at most {_counted(fits, by.words)} instead of {count:,}{at}" if fits > 0 else FEWER


def _fits_once(uses: Uses, excess: Excess) -> bool:
    """Whether it would suffice to answer once per turn for each bearer."""
    id, measure = excess.chain.item, excess.measure
    if id in uses.once or not uses.costs.is_trigger(id):
        return False
    bearers, once = uses.checked[id].bearers, uses.counting(uses.once | {id}, cost.NOBODY)
    if bearers is None:
        return False
    others = (bearers - 1) * measure.amount(once.total(id))
    return measure.amount(once.total(excess.use)) + others <= uses.room(excess.use, measure)
