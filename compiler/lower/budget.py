"""The budget of a use: which uses may go beyond it, by what chain, and whose share that is.

A use begins with a routine and goes through all that it sets going. What the game itself takes of
it is no charge of any pack's: the budget is for what packs add. Where a use may take more, somebody
is told who can change that: the author of the use, unless it would fit without what one pack brings
to it; then that pack, at the item that brings it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.flow.cost import (
    DICE_LIMIT,
    LIMIT,
    NOBODY,
    USE_WORK_LIMIT,
    Call,
    Cost,
    Costs,
    End,
    Factor,
    Flat,
    LeftOut,
    Most,
    Times,
)
from ruleloom.compiler.flow.cost import Sequence as Steps
from ruleloom.compiler.graph import closures
from ruleloom.compiler.lower.routines import Checked
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.summary.outline import outline_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.calls import Callee

MOST_NOTES = 8
FEWER = "go through shorter lists, or do it in fewer rounds"


@dataclass(frozen=True, slots=True)
class Measure:
    """A quantity that is counted, its budget, and its name for one and for several."""

    name: str
    budget: int
    one: str
    many: str

    def amount(self, flat: Flat) -> int:
        """The amount of it in a cost."""
        number: int = getattr(flat, self.name)
        return number

    def said(self, number: int) -> str:
        """An amount in words."""
        return f"{number:,} {self.one if number == 1 else self.many}"


MEASURES = (
    Measure("prompts", LIMIT, "prompt", "prompts"),
    Measure("operations", LIMIT, "operation", "operations"),
    Measure("dice", DICE_LIMIT, "die", "dice"),
    Measure("work", USE_WORK_LIMIT, "evaluation", "evaluations of long expressions"),
)


@dataclass(frozen=True, slots=True)
class Link:
    """A factor in a chain, and the packs that could make it less."""

    count: int
    words: tuple[str, str]
    at: Place
    packs: frozenset[str]

    def said(self, count: int) -> str:
        """A count in words."""
        return f"{count:,} {self.words[0] if count == 1 else self.words[1]}"


@dataclass(slots=True)
class CostChain:
    """The way from a use to what it does most often, and whose item brings that."""

    links: list[Link] = field(default_factory=list)
    uses: list[tuple[str, Place]] = field(default_factory=list)
    least: int = 0
    """The amount at the end of the way, to be multiplied by the factors."""
    at: Place | None = None
    """Where the share begins that is sought."""
    item: str = ""
    """The routine in which it begins, if that is known."""

    @property
    def product(self) -> int:
        """The product of the chain."""
        found = self.least
        for link in self.links:
            found *= link.count
        return found

    def said(self, measure: Measure) -> str:
        """The chain in words: `8 characters x 45 points x 3 prompts = 1,080 prompts`."""
        parts = [link.said(link.count) for link in self.links]
        if not parts:
            return measure.said(self.least)
        return f"{' x '.join([*parts, measure.said(self.least)])} = {measure.said(self.product)}"

    def notes(self) -> list[Note]:
        """Where what multiplies comes from."""
        shown = self.links[:MOST_NOTES]
        return [Note(link.at, f"{link.said(link.count)} here") for link in shown]


@dataclass
class Uses:
    """The work of the uses of a game. `counting` counts it anew, without the share of some packs."""

    content: Content
    checked: Mapping[str, Checked]
    items: Mapping[str, Item]
    once: frozenset[str]
    """The answers that come once a turn."""
    counting: Callable[[frozenset[str], LeftOut], Costs]
    costs: Costs
    _lacking: dict[frozenset[str], Costs] = field(default_factory=dict)

    def without(self, packs: frozenset[str]) -> Costs:
        """The costs without what these packs bring."""
        if packs not in self._lacking:
            files = self.content.files.items()
            paths = frozenset(path for path, (pack, _) in files if pack in packs)
            self._lacking[packs] = (
                self.counting(self.once, LeftOut(packs, paths)) if packs else self.costs
            )
        return self._lacking[packs]

    def amount(self, id: str, measure: Measure) -> int:
        """The amount that one use takes."""
        return measure.amount(self.costs.total(id))

    def of_game(self, id: str, measure: Measure) -> int:
        """The amount that one use takes in the base game alone."""
        added = frozenset(pack.id for pack in self.content.packs) - {self.content.game}
        return measure.amount(self.without(added).total(id))

    def room(self, id: str, measure: Measure) -> int:
        """The amount allowed to one use: that of the game itself, and the budget for packs."""
        if self.amount(id, measure) <= measure.budget:
            return measure.budget
        own = self.of_game(id, measure)
        return own + measure.budget if own <= measure.budget else measure.budget

    @cached_property
    def built_on(self) -> Mapping[str, frozenset[str]]:
        """The packs on which each pack builds, itself among them."""
        found = closures({pack.id: pack.needs for pack in self.content.packs})
        return {id: frozenset(packs) | {id, self.content.game} for id, packs in found.items()}

    def brought_by(self, id: str, measure: Measure) -> tuple[str, Costs] | None:
        """The pack whose share is greatest of what others bring to a use, and the costs without it."""
        own = self.built_on[self.items[id].pack]
        found: tuple[int, str, Costs] | None = None
        total = self.amount(id, measure)
        for pack in self.content.packs:
            if pack.id not in own:
                costs = self.without(frozenset([pack.id]))
                share = total - measure.amount(costs.total(id))
                if share > 0 and (found is None or share > found[0]):
                    found = share, pack.id, costs
        return found[1:] if found is not None else None

    def chain(self, id: str, measure: Measure) -> CostChain:
        """The greatest chain of a use, of any pack."""
        return _Walk(self, measure, self.without(frozenset()), "").from_use(id)

    def chain_of(self, id: str, measure: Measure, brought: tuple[str, Costs]) -> CostChain:
        """The chain by which a pack brings most to a use."""
        pack, lacking = brought
        return _Walk(self, measure, lacking, pack).from_use(id)

    def share(self, id: str, measure: Measure) -> tuple[str, CostChain]:
        """Whose share brings a use over the budget, and by what chain."""
        brought = self.brought_by(id, measure)
        if brought is None:
            return self.items[id].pack, self.chain(id, measure)
        others = frozenset(one.id for one in self.content.packs)
        alone = self.without(others - self.built_on[self.items[id].pack])
        if measure.amount(alone.total(id)) > self.room(id, measure):
            return self.items[id].pack, self.chain(id, measure)
        return brought[0], self.chain_of(id, measure, brought)


@dataclass
class _Walk:
    """Goes down from a use, always to where most of a pack's share is; then to most of all."""

    uses: Uses
    measure: Measure
    lacking: Costs
    pack: str
    chain: CostChain = field(default_factory=CostChain)
    seen: set[Callee] = field(default_factory=set)

    def from_use(self, id: str) -> CostChain:
        """The chain from a routine on."""
        runs = self.uses.costs.runs(id)
        start = max((Callee("routine", one) for one in runs), key=self._weight)
        node: Cost | Callee | None = start
        while node is not None:
            self.chain.least = self.measure.amount(self.uses.costs.of(node))
            node = self._below(node)
        return self.chain

    def _weight(self, node: Cost | Callee) -> int:
        """The share of a part in the sought amount."""
        full = self.measure.amount(self.uses.costs.of(node))
        if not self._is_sought:
            return full
        return full - self.measure.amount(self.lacking.of(node))

    @property
    def _is_sought(self) -> bool:
        return bool(self.pack) and self.chain.at is None

    def _below(self, node: Cost | Callee) -> Cost | Callee | None:
        """The next part on the way, None at its end."""
        match node:
            case Flat() | End():
                self._claim(node.at)
                return None
            case Steps() | Most():
                return self._greatest(node.parts)
            case Times():
                return self._round(node)
            case Call():
                self._claim(node.at)
                self.chain.uses.append((node.callee.name, node.at))
                return node.callee
            case _:
                return self._called(node)

    def _greatest(self, parts: Sequence[Cost | Callee]) -> Cost | Callee | None:
        if not parts:
            return None
        best = max(parts, key=self._weight)
        # Where nothing stands out, the parts are told together.
        if not self._is_sought and 2 * self._weight(best) < self.chain.least:
            return None
        return best

    def _round(self, times: Times) -> Cost:
        if times.by is not None:
            self.chain.links.append(self._link(times.count, times.by))
            if self._is_sought and not self._weight(times.part):
                shares = (one.at for one in times.by.without if one.pack == self.pack)
                self.chain.at = next(shares, None)
            self._claim(times.by.at)
        return times.part

    def _link(self, count: int, by: Factor) -> Link:
        packs = {self.uses.content.files[by.at.path][0], *(one.pack for one in by.without)}
        return Link(count, by.words, by.at, frozenset(packs))

    def _called(self, callee: Callee) -> Cost | Callee | None:
        if callee in self.seen:
            return None
        self.seen.add(callee)
        if callee.kind == "event":
            return self._greatest(self.uses.costs.answers(callee))
        item = self.uses.items[callee.name]
        if self._is_sought and item.pack == self.pack:
            self.chain.at, self.chain.item = place_of(item), callee.name
        return self.uses.costs.routine(callee.name)

    def _claim(self, at: Place | None) -> None:
        if at is None or not self._is_sought:
            return
        if self.uses.content.files[at.path][0] == self.pack:
            self.chain.at = at


def place_of(item: Item) -> Place:
    """Where to report an effect: at its item, or in the patch that replaced it."""
    effect = item.fields.get("effect")
    return item.place if effect is None or effect.place.path == item.place.path else effect.place


@dataclass(frozen=True, slots=True)
class Excess:
    """A use that may take more than its budget, and where to tell so."""

    use: str
    measure: Measure
    amount: int
    pack: str
    chain: CostChain
    place: Place


def excesses(uses: Uses) -> Iterator[Excess]:
    """The uses over the budget, each cause once: with the least use that it brings over."""
    found: dict[str, list[tuple[int, Measure]]] = {}
    for id in uses.checked:
        for measure in MEASURES:
            amount = uses.amount(id, measure)
            if amount > measure.budget and amount > uses.room(id, measure):
                found.setdefault(id, []).append((amount, measure))
    told: set[Place] = set()
    for id in sorted(found, key=lambda one: (found[one][0][0], one)):
        if not found.keys().isdisjoint(outline_of(uses.checked[id].routine).uses):
            continue
        amount, measure = found[id][0]
        pack, chain = uses.share(id, measure)
        place = chain.at or place_of(uses.items[id])
        if place not in told:
            told.add(place)
            yield Excess(id, measure, amount, pack, chain, place)


def tell_budget(uses: Uses, report: Report) -> None:
    """Warn about what may take more than the budget of a use."""
    for one in excesses(uses):
        item, measure = uses.items[one.use], one.measure
        effect = item.fields.get("effect", item.node).place
        if report.errors_within(one.place) or report.errors_within(effect):
            continue  # what takes too much by itself has been told
        begins = f"with this, `{item.id}`" if one.chain.at is not None else f"`{item.name}`"
        own = uses.room(one.use, measure) - measure.budget
        beside = f" beside {own:,} of the game" if own else ""
        over = f"over its budget of {measure.budget:,}{beside}"
        message = f"{begins} may take {measure.said(one.amount)}, {over}: {one.chain.said(measure)}"
        report.warning("over-budget", one.place, message, _help(uses, one), one.chain.notes())


def _help(uses: Uses, excess: Excess) -> str:
    """The smallest change that helps, of those that the pack can make."""
    lacking = uses.brought_by(excess.use, excess.measure) if excess.chain.at is not None else None
    rest = excess.measure.amount(lacking[1].total(excess.use)) if lacking is not None else 0
    if _fits_once(uses, excess):
        is_trigger = uses.items[excess.chain.item].kind == "trigger"
        return "`once_per: turn`" if is_trigger else "`once per turn`"
    own = [link for link in excess.chain.links if excess.pack in link.packs]
    most = max(own, key=lambda link: link.count, default=None)
    return _fewer(uses, excess, most, rest) if most is not None else FEWER


def _fewer(uses: Uses, excess: Excess, link: Link, rest: int) -> str:
    """To what the count of a loop would have to fall, beside the `rest` that others take."""
    budget, amount, at = uses.room(excess.use, excess.measure), excess.amount, ""
    if uses.content.files[link.at.path][0] == excess.pack:
        budget, amount, at = budget - rest, amount - rest, f" at line {link.at.line}"
    fits = link.count * budget // amount
    return f"at most {link.said(fits)} instead of {link.count:,}{at}" if fits > 0 else FEWER


def _fits_once(uses: Uses, excess: Excess) -> bool:
    """Would it be enough if what answers did so once a turn, for each of its bearers?"""
    id, measure = excess.chain.item, excess.measure
    if id in uses.once or not uses.costs.is_trigger(id):
        return False
    bearers, once = uses.checked[id].bearers, uses.counting(uses.once | {id}, NOBODY)
    if bearers is None:
        return False
    others = (bearers - 1) * measure.amount(once.total(id))
    return measure.amount(once.total(excess.use)) + others <= uses.room(excess.use, measure)
