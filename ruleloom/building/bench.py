"""A game ready for making one record: compiled and linked once, and the record read and appraised in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from threading import RLock
from typing import Any

from ruleloom.api.content_error import ContentError
from ruleloom.api.content_sources import printed_text_at
from ruleloom.api.making import findings_of
from ruleloom.api.ready import ready
from ruleloom.api.requirements import ALLOWED, idle_note, notes_of
from ruleloom.building.appraisal import FIELDS, Appraisal, Unmet
from ruleloom.building.linked_record import LinkedRecord, own_fields
from ruleloom.building.plain_tree import (
    Data,
    PlainTree,
    Steps,
    at_path,
    entry_of,
    path_text,
    paths_like,
    without,
)
from ruleloom.compiler.analysis.record_rows import KindBudget, ReadRecord, RecordRows, kinds_of
from ruleloom.compiler.analysis.yaml_cursor import FieldHelp, fields_in, items_in
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import choices_text
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.resolve.symbols import EntitySymbol
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.yaml.node import Plain, to_data, written
from ruleloom.runtime.explain.sheet_pages import SheetPage
from ruleloom.runtime.link.link_game import settings_of
from ruleloom.runtime.program.faults import Origin, Refused
from ruleloom.runtime.program.program import Program
from ruleloom.store.programs import RULES

LEAST_ROOM = 32
"""The number of parts of each sort that a game is linked for, until a record has more."""
NO_EFFECT = "this effect text does nothing yet: it counts once it is saved in a pack"
IN_A_PACK = "lay the file into the folder of a pack"
MISSING = "missing-field"
UNSAID = "?"
"""What stands for a text that has to be said."""


class Bench:
    """The game, packs and kind for which records are made, with the settings of a campaign."""

    def __init__(
        self,
        paths: Sequence[str],
        kind: str | None,
        name: str = "",
        switches: Mapping[str, Any] | None = None,
    ) -> None:
        content = load(paths, Report(), scenarios=False)
        if content is None:
            raise ContentError(findings_of(compile_paths(paths, reasons=False, scenarios=False)))
        self.content: Content = content
        self.paths, self.kind = tuple(paths), kind_named(content, kind)
        own = next((one for one in content.by_kind(self.kind) if one.name == name), None)
        self.program, self._saved = _compiled(paths, content, self.kind, own)
        self.settings = settings_of(self.program, switches or {})
        self.rows = RecordRows(content, self.kind, name)
        things = {self.rows.entity.name, *(one.name for one in self.rows.parts)}
        self.requirements = [one for one in self.program.requirements if one.entity in things]
        self.items: Mapping[str, Mapping[str, Item]] = _items_of(content, self.rows)
        self.lock = RLock()
        """Held while the record stands in its row: one bench serves several threads."""
        self._frame = self._linked(LEAST_ROOM)
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

    def blank_data(self, id: str = "") -> Data:
        """The fields of a new record: what every one has, with the first value that fits."""
        data: Data = {"kind": self.kind, "id": id or f"new-{self.kind}"}
        first = self.first_values((), self.rows.entity, data)
        if "title" in first:
            first["title"] = str(data["id"]).replace("-", " ").capitalize()
        return data | first

    @cached_property
    def _begun(self) -> tuple[Data, Mapping[str, tuple[str, ...]]]:
        """The fields of a new record, and the requirements that it does not meet, each with the fields it
        asks about."""
        data = self.blank_data()
        frame, read, _, gone = self._framed(data)
        unmet = {
            slug_of(rule.id.rpartition("/")[2]): own_fields(rule, self.program)
            for rule in self.requirements
            if frame is not None and any(not x.at for x in frame.unmet(rule, read, {}, gone))
        }
        return data, unmet

    def _open(self, one: Unmet, data: Data) -> Unmet:
        """A requirement with the fields that are still to say: those that are as they begin, if nobody who
        begins meets it."""
        if one.at or not one.forbids:
            return one
        begun, unmet = self._begun
        fields = unmet.get(one.requirement, ())
        return replace(one, open=tuple(x for x in fields if data.get(x) == begun.get(x)))

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
            budgets = tuple(frame.budgets(self.budgets))
            told = (*mistakes, *unmet, *idle, *self._without_effect(data))
            return Appraisal(budgets, tuple(self._open(one, data) for one in told))

    def _idle(self, notes: Mapping[str, str], unmet: Collection[str]) -> Iterator[Unmet]:
        """The notes of the GM that allow nothing, as `check` tells them."""
        known = {slug_of(one.id.rpartition("/")[2]) for one in self.program.requirements}
        for number, slug in enumerate(notes):
            at = path_text((ALLOWED, number))
            if slug not in known:
                yield Unmet(FIELDS, "error", f"there is no requirement `{slug}`", at=at)
            elif slug not in unmet:
                yield Unmet(slug, "warning", idle_note(slug), at=at)

    def _without_effect(self, data: Data) -> Iterator[Unmet]:
        """The effect texts of the record that its pack does not have, which therefore do nothing yet."""
        for names in self.schemas.effect_fields(self.kind):
            for path in paths_like(names, data):
                if at_path(data, path) != at_path(self._saved, path):
                    yield Unmet(FIELDS, "warning", NO_EFFECT, IN_A_PACK, at=path_text(path))

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
        mistakes = tuple(self._mistake(one, path, data) for one, path in paths.items())
        gone = tuple(entry_of(path) for one, path in paths.items() if one.severity == "error")
        if gone and all(gone):
            read = self.rows.read(PlainTree.of(without(data, gone)).node)
        if not read.rows:
            return None, read, mistakes, gone
        most = max((len(read.rows[one.name]) for one in self.rows.parts), default=0)
        if most > self._frame.room:
            self._frame = self._linked(2 * most)
        self._frame.take(read)
        return self._frame, read, mistakes, gone

    def _mistake(self, one: Diagnostic, path: Steps, data: Data) -> Unmet:
        """A mistake in the fields of a record, as one of its findings; a field that is not there is open."""
        lacking: tuple[str, ...] = ()
        if one.code == MISSING:
            path = path if isinstance(at_path(data, path), dict) else path[:-1]
            held = at_path(data, path)
            known = held if isinstance(held, dict) else {}
            lacking = tuple(x.name for x in self.fields(path) if x.needed and x.name not in known)
        help = str(one.help or "")
        return Unmet(FIELDS, one.severity, one.message, help, (), path_text(path), open=lacking)

    def _linked(self, room: int) -> LinkedRecord:
        return LinkedRecord(self.program, self.settings, self.rows, room)

    def sheets(self, data: Data) -> list[SheetPage]:
        """The sheets of a record; none if its fields cannot be read."""
        with self.lock:
            frame = self.framed(data)
            return [] if frame is None else frame.sheets(self.text_of)


def _compiled(
    paths: Sequence[str], content: Content, kind: str, own: Item | None
) -> tuple[Program, Plain]:
    """The program of the packs, and the record as it is in it. Wrong values of the things of its kind in its
    file are no obstacle: the record is read anew, and they are told then. Raises ContentError."""
    try:
        return ready(RULES, list(paths)), None if own is None else to_data(own.node)
    except ContentError:
        if own is None:
            raise
        kept = {"kind", *(names[0] for names in content.schemas.effect_fields(kind))}
        kept |= {one.name for one in fields_in(content.schemas, kind, ()) if one.needed}
        text = _with_fields(content.sources[own.place.path].text, kind, kept)
        unsaved = {os.path.realpath(own.place.path): text}
        made = compile_paths(paths, reasons=False, scenarios=False, unsaved=unsaved)
        if made.program is None:
            raise
        return made.program, {name: own.data(name) for name in kept}


def _with_fields(text: str, kind: str, kept: Collection[str]) -> str:
    """The text of a file whose items of a kind have only some fields."""
    for item in reversed(items_in(text)):
        data = to_data(item)
        if isinstance(data, dict) and data.get("kind") == kind:
            some = {key: value for key, value in data.items() if key in kept}
            end = len(text[: item.end].rstrip())
            text = f"{text[: item.start]}{written(some)}{text[end:]}"
    return text


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
