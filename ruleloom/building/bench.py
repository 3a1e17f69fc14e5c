"""A game ready for making one record: compiled once, and linked once for each number of parts.

The tables of printed values are lists whose rows of the record change in place, so that an appraisal costs
what its requirements and budgets cost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from threading import RLock
from typing import Any

from ruleloom.api.at_rest import link_at_rest
from ruleloom.api.content_error import ContentError
from ruleloom.api.content_sources import printed_text_at
from ruleloom.api.making import findings_of
from ruleloom.api.ready import ready
from ruleloom.api.requirements import ALLOWED, idle_note, notes_of, unmet_by, why_not
from ruleloom.building.yaml_edits import changed
from ruleloom.compiler.analysis.record_rows import KindBudget, ReadRecord, RecordRows, kinds_of
from ruleloom.compiler.analysis.yaml_cursor import FieldHelp, fields_in
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import choices_text
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.resolve.symbols import EntitySymbol
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import Kind, Plain, YamlNode
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.explain.sheet_pages import SheetPage, page_of
from ruleloom.runtime.link.codegen import Codegen, StateCode
from ruleloom.runtime.link.link_game import settings_of
from ruleloom.runtime.program.expr import Reads
from ruleloom.runtime.program.faults import Origin, Refused, RuntimeFault
from ruleloom.runtime.program.program import Entity, Expr, Program, Requirement
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import World
from ruleloom.store.programs import RULES

Number = int | Fraction
Data = dict[str, Plain]
Steps = tuple[str | int, ...]
Span = tuple[int, int]
MOST_FRAMES = 24
UNSAID = "?"
"""What stands for a text that has to be said."""
KINDS: Mapping[type, Kind] = {bool: "bool", int: "int", str: "text", type(None): "null"}
FIELDS = "fields"
"""The requirement of mistakes in fields, which nobody can allow."""


class BudgetState(Frozen):
    """What a thing costs in one measure, and what is allowed and left; None without an allowance."""

    name: str
    label: str
    spent: Number
    allowed: Number | None
    unit: str

    @property
    def left(self) -> Number | None:
        """What may still be spent; below 0 if too much is."""
        return None if self.allowed is None else self.allowed - self.spent

    @property
    def over(self) -> bool:
        """Is more spent than is allowed?"""
        return self.left is not None and self.left < 0


class Unmet(Frozen):
    """A requirement that a record or a part of it, which stands `at` a choice, does not meet.

    `allowed` is the note of the GM who allows it, or None. With `unknown` it cannot be known before play.
    """

    requirement: str
    level: str
    text: str
    help: str = ""
    clauses: tuple[str, ...] = ()
    at: str = ""
    allowed: str | None = None
    unknown: bool = False

    @property
    def forbids(self) -> bool:
        """Is the record illegal by this?"""
        return self.level == "error" and self.allowed is None and not self.unknown


class Appraisal(Frozen):
    """What a record is: its price in each budget, and what is wrong with it."""

    budgets: tuple[BudgetState, ...]
    findings: tuple[Unmet, ...]

    @property
    def legal(self) -> bool:
        """Does `check` accept it?"""
        return not any(one.forbids for one in self.findings)


class Bench:
    """The game, packs and kind for which records are made, with the settings of a campaign."""

    def __init__(
        self,
        paths: Sequence[str],
        kind: str | None,
        name: str = "",
        switches: Mapping[str, Any] | None = None,
    ) -> None:
        self.program: Program = ready(RULES, list(paths))
        content = load(paths, Report(), scenarios=False)
        if content is None:
            raise ContentError(findings_of(compile_paths(paths, reasons=False, scenarios=False)))
        self.content: Content = content
        self.paths, self.kind = tuple(paths), kind_named(content, kind)
        self.settings = settings_of(self.program, switches or {})
        self.rows = RecordRows(content, self.kind, name)
        own = {self.rows.entity.name, *(one.name for one in self.rows.parts)}
        self.requirements = [one for one in self.program.requirements if one.entity in own]
        self.items: Mapping[str, Mapping[str, Item]] = _items_of(content, self.rows)
        self.lock = RLock()
        """Held while the record stands in its row: one bench serves several threads."""
        self._frames: dict[tuple[int, ...], LinkedRecord] = {}
        self._fields: dict[tuple[str, ...], list[FieldHelp]] = {}

    @cached_property
    def text_of(self) -> Callable[[str, int], str]:
        """The printed text of a thing, by entity and number."""
        return printed_text_at(self.content, self.program)

    @cached_property
    def places(self) -> Mapping[str, Origin]:
        """The place of each rule, by its id."""
        return self.content.rule_places()

    @property
    def schemas(self) -> SchemaStore:
        """The schemas of the game, with those of its packs."""
        return self.content.schemas

    @property
    def budgets(self) -> tuple[KindBudget, ...]:
        """The budgets of the kind."""
        return self.rows.budgets

    def first_values(self, path: Steps, entity: EntitySymbol | None, held: Data) -> Data:
        """The first values of the fields that a map at a path has to have and does not hold."""
        lacking = [one for one in self.fields(path) if one.needed and one.name not in held]
        return {one.name: self.first_value(one, (*path, one.name), entity) for one in lacking}

    def first_value(self, about: FieldHelp, path: Steps, entity: EntitySymbol | None) -> Plain:
        """The first value that fits a field, of the things of an entity if it is one of those."""
        options = [*about.values, *self.values_of(about.name, entity)]
        if "object" in about.types:
            return self.first_values(path, None, {})
        if "array" in about.types:
            return [*options[:1]]
        if options:
            return options[0]
        least = about.bounds[0] if isinstance(about.bounds[0], int) else 0
        return least if "integer" in about.types else UNSAID

    def values_of(self, name: str, entity: EntitySymbol | None) -> Sequence[str]:
        """The values of an enum, or the things, that a printed field may name."""
        field = entity.fields.get(name) if entity is not None else None
        if field is None or field.by:
            return ()
        type_ = field.type.item if field.type.many else field.type
        return [*self.rows.symbols.options_of(type_), *self.items.get(type_.name, ())]

    def fields(self, path: Sequence[str | int]) -> list[FieldHelp]:
        """The fields at a place of the record, in the order of its schema."""
        names = tuple("*" if isinstance(step, int) else step for step in path)
        if names not in self._fields:
            self._fields[names] = fields_in(self.schemas, self.kind, path)
        return self._fields[names]

    def appraise(self, data: Data) -> Appraisal:
        """The price and the mistakes of a record. What other packs no longer have is a mistake, and the
        rest of the record is priced without it."""
        with self.lock:
            frame, read, mistakes, gone = self._framed(data)
            if frame is None:
                return Appraisal((), mistakes)
            notes = notes_of(data.get(ALLOWED))
            unmet = [x for rule in self.requirements for x in frame.unmet(rule, read, notes, gone)]
            idle = self._idle(notes, {one.requirement for one in unmet})
            return Appraisal(tuple(frame.budgets(self.budgets)), (*mistakes, *unmet, *idle))

    def _idle(self, notes: Mapping[str, str], unmet: Collection[str]) -> Iterator[Unmet]:
        """The notes of the GM that allow nothing, as `check` tells them."""
        known = {slug_of(one.id.rpartition("/")[2]) for one in self.program.requirements}
        for number, slug in enumerate(notes):
            at = path_text((ALLOWED, number))
            if slug not in known:
                yield Unmet(FIELDS, "error", f"there is no requirement `{slug}`", at=at)
            elif slug not in unmet:
                yield Unmet(slug, "warning", idle_note(slug), at=at)

    def framed(self, data: Data) -> LinkedRecord | None:
        """The frame in which a record stands until the next call, for who holds the lock; None if its fields
        cannot be read."""
        return self._framed(data)[0]

    def _framed(
        self, data: Data
    ) -> tuple[LinkedRecord | None, ReadRecord, tuple[Unmet, ...], tuple[Steps, ...]]:
        tree = PlainTree.of(data)
        read = self.rows.read(tree.node)
        paths = {one: tree.path(one.place.line) for one in read.mistakes}
        mistakes = tuple(
            Unmet(FIELDS, one.severity, one.message, str(one.help or ""), (), path_text(path))
            for one, path in paths.items()
        )
        gone = tuple(_entry(path) for one, path in paths.items() if one.severity == "error")
        if gone and all(gone):
            read = self.rows.read(PlainTree.of(_without(data, gone)).node)
        if not read.rows:
            return None, read, mistakes, gone
        frame = self._frame(tuple(len(read.rows[one.name]) for one in self.rows.parts))
        frame.take(read)
        return frame, read, mistakes, gone

    def _frame(self, counts: tuple[int, ...]) -> LinkedRecord:
        """The game linked with so many parts, cached."""
        if counts not in self._frames:
            if len(self._frames) >= MOST_FRAMES:
                del self._frames[next(iter(self._frames))]
            self._frames[counts] = LinkedRecord(self, counts)
        return self._frames[counts]

    def sheets(self, data: Data) -> list[SheetPage]:
        """The sheets of a record; none if its fields cannot be read."""
        with self.lock:
            frame = self.framed(data)
            return [] if frame is None else frame.sheets(self.text_of)


def kind_named(content: Content, kind: str | None) -> str:
    """A kind whose items make things; without a name, the only one with an allowance. Raises Refused."""
    known = kinds_of(content)
    if kind is None:
        allowed = [one for one, has_allowance in known.items() if has_allowance]
        if len(allowed) == 1:
            return allowed[0]
        raise Refused(f"which kind? There are {', '.join(known)}")
    if kind not in known:
        raise Refused(f"there is no kind `{kind}` of things; {choices_text(kind, list(known))}")
    return kind


def _items_of(content: Content, rows: RecordRows) -> dict[str, dict[str, Item]]:
    """The items that make things, by entity and name."""
    kinds = rows.symbols.kinds
    found: dict[str, dict[str, Item]] = {}
    for item in content.items:
        if kinds.get(item.kind):
            found.setdefault(kinds[item.kind], {})[item.name] = item
    return found


class _OneRecord(Codegen):
    """Code whose caches hold as long as the record stands as it is."""

    revision = 0

    def _state(self, reads: Reads) -> StateCode:
        return lambda w, s, g: (self.revision,)


class LinkedRecord:
    """A game linked with the record and this many parts of it."""

    def __init__(self, bench: Bench, counts: Sequence[int]) -> None:
        self.bench = bench
        main, number = bench.rows.entity.name, bench.rows.number
        more = dict(zip((one.name for one in bench.rows.parts), counts, strict=True))
        more[main] = 0
        entities = tuple(
            _with_lists(one, more[one.name]) if one.name in more else one
            for one in bench.rows.entities
        )
        self.columns = {one.name: [values for _, values in one.static] for one in entities}
        self.words = {one.name: (one.names, one.titles) for one in entities}
        self.made: list[_OneRecord] = []
        program = replace(bench.program, entities=entities)
        self.linked, self.start = link_at_rest(program, bench.settings, self._codegen)
        self.world: World = self.start
        self.main, self.number = main, number

    def _codegen(self, *args: Any) -> Codegen:
        self.made.append(_OneRecord(*args))
        return self.made[-1]

    def take(self, read: ReadRecord) -> None:
        """Put the values of a record into the tables."""
        for entity, rows in read.rows.items():
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
            at, note = path_text(_restored(paths[number], gone)), notes.get(slug)
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


class PlainTree(Frozen):
    """Plain data as a tree that stands in no file: each value on a line of its own, for its path."""

    node: YamlNode
    paths: tuple[Steps, ...]

    @classmethod
    def of(cls, data: Plain) -> PlainTree:
        """The tree of some data."""
        values = [*_values((), data)]
        lines = [_line(value) for _, value in values]
        starts = [0, *accumulate(len(line) + 1 for line in lines)]
        spans = {
            path: (at, at + len(x)) for (path, _), at, x in zip(values, starts, lines, strict=False)
        }
        node = _node((), data, Source("record", "\n".join(lines)), spans)
        return cls(node, tuple(path for path, _ in values))

    def path(self, line: int) -> Steps:
        """The path of the value on a line."""
        return self.paths[line - 1] if line <= len(self.paths) else ()


def _values(path: Steps, value: Plain) -> Iterator[tuple[Steps, Plain]]:
    """A value and all those within it, each with its path."""
    yield path, value
    for key, one in _inner(value):
        yield from _values((*path, key), one)


def _inner(value: Plain) -> Iterable[tuple[str | int, Plain]]:
    """The values within a map or list, by key or number."""
    if isinstance(value, dict):
        return value.items()
    return enumerate(value) if isinstance(value, list) else ()


def _line(value: Plain) -> str:
    """A plain value as it is written; empty for a map or list."""
    return "" if isinstance(value, dict | list) else " ".join(str(value).split())


def _node(path: Steps, value: Plain, source: Source, spans: Mapping[Steps, Span]) -> YamlNode:
    """The node of a value."""
    start, end = spans[path]
    nodes = {key: _node((*path, key), one, source, spans) for key, one in _inner(value)}
    if isinstance(value, dict):
        inner = {str(key): one for key, one in nodes.items()}
        keys = {key: (one.start, one.start) for key, one in inner.items()}
        return YamlNode(source, "map", inner, start, end, key_spans=keys)
    if isinstance(value, list):
        return YamlNode(source, "list", [*nodes.values()], start, end)
    return YamlNode(source, KINDS[type(value)], value, start, end)


def path_text(path: Sequence[str | int]) -> str:
    """A place in a record as people write it: entries of a list are counted from 1."""
    return ".".join(str(one + 1) if isinstance(one, int) else one for one in path)


def _entry(path: Steps) -> Steps:
    """The entry of a list or map that has to go for a mistake at a path."""
    return path if len(path) > 2 and isinstance(path[-1], int) else path[:2]


def _order(path: Steps) -> list[tuple[str, int]]:
    """The order of paths: entries of a list by their numbers."""
    return [("", step) if isinstance(step, int) else (step, 0) for step in path]


def _without(data: Data, entries: Sequence[Steps]) -> Data:
    """The data without some entries."""
    for path in sorted(set(entries), key=_order, reverse=True):
        data = changed(data, path)  # type: ignore[assignment]
    return data


def _restored(path: Steps, gone: Sequence[Steps]) -> Steps:
    """The path in the record of what stands at a path once some entries are gone."""
    steps = [*path]
    for one in sorted(set(gone), key=_order):
        at, last = len(one) - 1, one[-1]
        if isinstance(last, int) and tuple(steps[:at]) == one[:at] and len(steps) > at:
            step = steps[at]
            steps[at] = step + 1 if isinstance(step, int) and step >= last else step
    return tuple(steps)
