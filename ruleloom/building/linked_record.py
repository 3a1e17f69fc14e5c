"""A game linked with one record, whose values are put in place.

The tables of printed values are lists whose rows of the record change, so that an appraisal costs what its
requirements and budgets cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ruleloom.api.at_rest import link_at_rest
from ruleloom.api.requirements import unmet_by, why_not
from ruleloom.building.appraisal import BudgetState, Unmet
from ruleloom.building.plain_tree import Steps, path_text, restored
from ruleloom.compiler.analysis.record_rows import KindBudget, ReadRecord, RecordRows
from ruleloom.compiler.packs.content import slug_of
from ruleloom.runtime.explain.sheet_pages import SheetPage, page_of
from ruleloom.runtime.link.codegen import Codegen, StateCode
from ruleloom.runtime.program.expr import Reads, walk
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Entity, Expr, Program, Requirement
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import World


class _OneRecord(Codegen):
    """Code whose caches hold as long as the record stands as it is. Of its parts it sees those that are
    there, and not the room for more."""

    revision = 0

    def __init__(self, there: Mapping[str, list[tuple[int, ...]]], *args: Any) -> None:
        super().__init__(*args)
        self.there = there

    def _state(self, reads: Reads) -> StateCode:
        return lambda w, s, g: (self.revision,)

    def _there(self, names: Mapping[int, str], entity: str) -> str:
        if entity not in self.there:
            return self._records(names, entity)
        key = ("there", entity)
        return f"{self._names.get(key) or self._bind(*key, self.there[entity])}[0]"

    FORMS: Mapping[str, str | Callable[..., str]] = {**Codegen.FORMS, "records": _there}


class LinkedRecord:
    """A game linked with the record, and with room for so many parts of each sort."""

    def __init__(
        self, program: Program, settings: Mapping[str, Any], record: RecordRows, room: int
    ) -> None:
        self.room = room
        self.main, self.number = record.entity.name, record.number
        rooms = {self.main: 0, **{one.name: room for one in record.parts}}
        entities = tuple(
            _with_lists(one, rooms[one.name]) if one.name in rooms else one
            for one in record.entities
        )
        self.columns = {one.name: [values for _, values in one.static] for one in entities}
        self.words = {one.name: (one.names, one.titles) for one in entities}
        self.others = {one.name: len(one.names) - rooms.get(one.name, 0) for one in entities}
        self.there: dict[str, list[tuple[int, ...]]] = {one.name: [()] for one in record.parts}
        """The numbers of the parts that are there, of all records."""
        self.made: list[_OneRecord] = []
        own = replace(program, entities=entities)
        self.linked, self.start = link_at_rest(own, settings, self._codegen)
        self.world: World = self.start

    def _codegen(self, *args: Any) -> Codegen:
        self.made.append(_OneRecord(self.there, *args))
        return self.made[-1]

    def take(self, read: ReadRecord) -> None:
        """Put the values of a record into the tables."""
        for entity, rows in read.rows.items():
            if entity in self.there:
                self.there[entity][0] = tuple(range(self.others[entity] + len(rows)))
            columns, (names, titles) = self.columns[entity], self.words[entity]
            for row in rows:
                names[row.number], titles[row.number] = row.name, row.title  # type: ignore[index]
                for column, value in zip(columns, row.values, strict=True):
                    column[row.number] = value  # type: ignore[index]
        self.world = (*self.start,)
        for one in self.made:
            one.revision += 1

    def value(self, expr: Expr, number: int | None = None) -> Any:
        """The value of an expression whose slot 0 is the thing."""
        test, thing = self.linked.test(0, expr), self.number if number is None else number
        return test(self.world, (), self.linked.initial_scope, NO_RULES, thing)

    def budgets(self, budgets: Sequence[KindBudget]) -> Iterator[BudgetState]:
        """What the record costs; a price that cannot be known before play is left out, and so is nothing of
        nothing."""
        for one in budgets:
            try:
                spent = self.value(one.spent)
                limits = [self.value(x) for x in (one.allowed, one.more) if x is not None]
            except (RuntimeFault, TypeError):
                continue
            allowed = sum(limits) if limits else None
            if spent or allowed != 0:
                yield BudgetState(one.name, _label(one), spent, allowed, one.unit)

    def unmet(
        self,
        rule: Requirement,
        read: ReadRecord,
        notes: Mapping[str, str],
        gone: Sequence[Steps] = (),
    ) -> Iterator[Unmet]:
        """The things of the record that do not meet a requirement; their paths are those before some
        entries were gone."""
        slug = slug_of(rule.id.rpartition("/")[2])
        paths = {row.number: row.path for row in read.rows[rule.entity]}
        try:
            found = unmet_by(rule, self.linked, self.world, paths)
        except (RuntimeFault, TypeError) as fault:
            text = why_not(fault)
            yield Unmet(slug, rule.level, text, rule.help, rule.clauses, unknown=True)
            return
        for _, number, text in found:
            at, note = path_text(restored(paths[number], gone)), notes.get(slug)
            yield Unmet(slug, rule.level, text, rule.help, rule.clauses, at, note)

    def sheets(self, text_of: Callable[[str, int], str]) -> list[SheetPage]:
        """The sheets of the record; one that needs a game in play is left out."""
        found = []
        for sheet in self.linked.program.sheets:
            if sheet.entity == self.main:
                try:
                    found.append(page_of(self.linked, self.world, sheet, self.number, text_of))
                except (RuntimeFault, TypeError):
                    continue
        return found


def own_fields(rule: Requirement, program: Program) -> tuple[str, ...]:
    """The printed fields of its thing that a requirement asks about, itself or in what it calls."""
    bodies = {one.id: one.body for one in program.functions}
    found: dict[str, None] = {}
    seen: set[str] = set()
    waiting = [rule.holds]
    while waiting:
        for one in walk(waiting.pop()):
            if one[0] == "static":
                found[one[1]] = None
            elif one[0] == "function" and one[1] not in seen:
                seen.add(one[1])
                waiting.append(bodies[one[1]])
    parted = (name.partition(".") for name in found)
    return tuple(field for entity, _, field in parted if entity == rule.entity)


def _label(budget: KindBudget) -> str:
    """What a budget is called: its English, without the thing."""
    hole = "{" + budget.param + "}"
    text = budget.english
    for shown in (f" of {hole}", f"{hole}: ", hole):
        text = text.replace(shown, "")
    return text.strip() or budget.name


def _with_lists(entity: Entity, more: int) -> Entity:
    """An entity with room for more things, whose tables can be written."""
    static: Any = tuple((name, [*values, *[None] * more]) for name, values in entity.static)
    words: dict[str, Any] = {
        "names": [*entity.names, *[""] * more],
        "titles": [*entity.titles, *[""] * more],
        "powers": (*entity.powers, *[""] * more),
    }
    place = entity.places[-1:] * more
    return replace(entity, static=static, places=(*entity.places, *place), **words)
