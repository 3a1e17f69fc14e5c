"""A record in the making: an immutable value, answered line by line, with undo and redo.

    building = build("moonstone", "character").say("start.Str = 14").say("gifts + thick-hide")

An illegal choice is taken, and stands among the findings; `offers` say beforehand what would be legal. The
text keeps comments and order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from ruleloom.api.content_error import ContentError
from ruleloom.api.ready import ready
from ruleloom.building.answer_lines import REMOVED, RecordChange, change_of, find_choice
from ruleloom.building.appraisal import Appraisal, BudgetState, Unmet, counted
from ruleloom.building.bench import Bench
from ruleloom.building.choices import Heading, OpenChoice, headings_of
from ruleloom.building.linked_record import LinkedRecord
from ruleloom.building.plain_tree import Data, Steps, at_path
from ruleloom.building.yaml_edits import changed, remove_value, set_value
from ruleloom.compiler.analysis.yaml_cursor import edited, items_in
from ruleloom.compiler.diagnostics.suggest import choices_text
from ruleloom.compiler.schema.registry import ABILITY_FIELDS
from ruleloom.compiler.source.file import OVERHEAD, Memo
from ruleloom.compiler.yaml.node import to_data, written
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.explain.derivation import Reckoning
from ruleloom.runtime.explain.finding import Finding
from ruleloom.runtime.explain.sheet_pages import SheetPage
from ruleloom.runtime.machine.labels import constant
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Function
from ruleloom.runtime.program.texts import read_call
from ruleloom.runtime.program.values import Type
from ruleloom.store.programs import RULES

__all__ = ["Building", "build"]

EFFECTS: tuple[Steps, ...] = (("effect",), (ABILITY_FIELDS[0],))
"""Where effect text stands in every game, also where its schema does not say so."""
_BENCHES: Memo[Bench] = Memo(8 * OVERHEAD)


class ChangedNumber(Frozen):
    """A number of a record before and after an answer, in words."""

    label: str
    before: str
    after: str


class Building:
    """A record on its bench; never modified."""

    def __init__(
        self,
        bench: Bench,
        text: str,
        number: int = 0,
        past: tuple[str, ...] = (),
        future: tuple[str, ...] = (),
    ) -> None:
        self.bench, self.text, self.number = bench, text, number
        self.past, self.future = past, future

    @property
    def kind(self) -> str:
        """The kind of the record."""
        return self.bench.kind

    @property
    def id(self) -> str:
        """The id of the record."""
        return str(self.data.get("id", ""))

    @property
    def title(self) -> str:
        """The title of the record, else its id."""
        return str(self.data.get("title", self.id))

    @cached_property
    def data(self) -> Data:
        """The fields of the record."""
        data = to_data(items_in(self.text)[self.number])
        assert isinstance(data, dict), "an item is a map"
        return data

    @cached_property
    def appraisal(self) -> Appraisal:
        """Its price and its mistakes."""
        return self.bench.appraise(self.data)

    @property
    def standing(self) -> LinkedRecord | None:
        """The record among the things of its linked game, until anything else is appraised on its bench; None
        if its fields cannot be read."""
        return self.bench.framed(self.data)

    @property
    def budgets(self) -> tuple[BudgetState, ...]:
        """What it costs in each measure, and what is left."""
        return self.appraisal.budgets

    @property
    def findings(self) -> tuple[Unmet, ...]:
        """The requirements that it does not meet."""
        return self.appraisal.findings

    @property
    def legal(self) -> bool:
        """Does `check` accept it?"""
        return self.appraisal.legal

    @property
    def state(self) -> str:
        """Whether `check` accepts it, in a word or two."""
        return "legal" if self.legal else "unfinished" if self.appraisal.unfinished else "not legal"

    @cached_property
    def choices(self) -> tuple[Heading, ...]:
        """The open choices, by heading."""
        return headings_of(self.bench, self.data)

    @cached_property
    def outer_choices(self) -> tuple[OpenChoice, ...]:
        """The open choices of all headings, without those inside them."""
        return tuple(one for heading in self.choices for one in heading.choices)

    def choice_at(self, at: str) -> OpenChoice | None:
        """The choice at a place; None for a key of a table that is not written yet. Raises Refused if there
        is none."""
        return find_choice(at, self.data, self.outer_choices)[0]

    def change(self, line: str) -> RecordChange:
        """The change that an answer means. Raises Refused if it names nothing."""
        return change_of(line, self.data, self.outer_choices)

    def say(self, line: str) -> Building:
        """The building after an answer; Refused if it names nothing, or cannot be written."""
        return self.take(self.change(line))

    def take(self, change: RecordChange) -> Building:
        """The building after a change."""
        path, value = change.path, change.value
        if value is REMOVED:
            path = self._emptied(path)
            if at_path(self.data, path) is None:
                return self
            edit = remove_value(self.text, self.number, path)
        else:
            if isinstance(value, str) and self._is_effect(path):
                value = f"{value.rstrip()}\n"  # as a block, in which nothing needs an escape
            order = [one.name for one in self.bench.fields(path[:-1])]
            edit = set_value(self.text, self.number, path, value, order)
        text = edited(self.text, [edit])
        return Building(self.bench, text, self.number, (*self.past, self.text))

    def _is_effect(self, path: Steps) -> bool:
        """Does effect text stand at a path?"""
        names = tuple("*" if isinstance(step, int) else step for step in path)
        return path in EFFECTS or names in self.bench.schemas.effect_fields(self.kind)

    def _emptied(self, path: Steps) -> Steps:
        """The path of what goes with the last entry of a list or map."""
        while len(path) > 1:
            held: Any = at_path(self.data, path[:-1])
            if held is None or len(held) != 1:
                break
            path = path[:-1]
        return path

    def after(self, change: RecordChange) -> Data:
        """The data after a change, without its text."""
        removed = change.value is REMOVED
        path = self._emptied(change.path) if removed else change.path
        value = () if removed else (change.value,)
        return changed(self.data, path, *value)  # type: ignore[return-value]

    @property
    def can_undo(self) -> bool:
        """Is there an answer to take back?"""
        return bool(self.past)

    @property
    def can_redo(self) -> bool:
        """Is there an answer that was taken back?"""
        return bool(self.future)

    def undo(self) -> Building:
        """The building before the last answer."""
        if not self.past:
            raise Refused("there is nothing to undo")
        *past, text = self.past
        return Building(self.bench, text, self.number, tuple(past), (self.text, *self.future))

    def redo(self) -> Building:
        """The building as it was before the last undo."""
        if not self.future:
            raise Refused("there is nothing to redo")
        text, *future = self.future
        return Building(self.bench, text, self.number, (*self.past, self.text), tuple(future))

    @cached_property
    def sheets(self) -> tuple[SheetPage, ...]:
        """Its sheets, as `ruleloom sheet` prints them."""
        return tuple(self.bench.sheets(self.data))

    @cached_property
    def numbers(self) -> dict[str, str]:
        """All numbers of its sheets and budgets, by what they are called."""
        found = {one.label: counted(one.spent, one.unit) for one in self.budgets}
        lines = ((block, x) for page in self.sheets for block in page.blocks for x in block.lines)
        for block, line in lines:
            label = f"{block.title}: {line.label}" if block.title else line.label
            value = ", ".join(filter(None, (line.value, line.note)))
            if found.get(line.label) != value:  # a price on the sheet is no other number
                found[label] = value
        return found

    def changes(self, other: Building | str) -> tuple[ChangedNumber, ...]:
        """The numbers that differ in another building, or after an answer."""
        after = self.say(other) if isinstance(other, str) else other
        before, now = self.numbers, after.numbers
        return tuple(
            ChangedNumber(label, before.get(label, ""), now.get(label, ""))
            for label in dict.fromkeys((*before, *now))
            if before.get(label) != now.get(label)
        )

    def why(self, words: str, depth: int = 2) -> Finding:
        """The derivation of a number of the record: `CV`, `score(Str)`."""
        frame, call = self.standing, read_call(words)
        if frame is None or call is None:
            raise Refused(f"`{words}` is no number of it" if frame else "it cannot be read yet")
        function = self._function(call.name.replace("-", "_"))
        types = [Type.parse(one) for one in function.param_types[1:]]
        if len(types) != len(call.words):
            raise Refused(f"`{call.name}` takes {len(types)} values in parentheses")
        try:
            args = [constant(frame.linked, *x) for x in zip(types, call.words, strict=True)]
        except ValueError as error:
            raise Refused(str(error)) from None
        with self.bench.lock:
            frame = self.bench.framed(self.data) or frame
            reckoning = Reckoning(frame.linked, frame.world, places=self.bench.places)
            return reckoning.function(function.id, (frame.number, *args), depth)

    def _function(self, slug: str) -> Function:
        """The stat, measure or table of such things that has this name. Raises Refused."""
        known = {
            one.id.rpartition("/")[2].replace("-", "_"): one
            for one in self.bench.program.functions
            if one.param_types[:1] == (self.bench.rows.entity.name,)
        }
        if slug not in known:
            raise Refused(f"there is no number `{slug}`; {choices_text(slug, list(known))}")
        return known[slug]


def build(
    game: str,
    kind: str | None = None,
    packs: Sequence[str | Path] = (),
    record: str | Path | None = None,
    switches: Mapping[str, Any] | None = None,
    number: int = 0,
) -> Building:
    """Begin a record of a kind, or go on with one: the text of items, or the path of a file, and which of
    them it is, from 0.

    Raises ContentError for packs with mistakes, Refused for a kind or record that is none.
    """
    paths = [str(game), *map(str, packs)]
    text = _text_of(record)
    item = _item(text, number) if text is not None else {}
    kind = kind or (str(item.get("kind", "")) or None)
    bench = bench_of(paths, kind, str(item.get("id", "")), switches or {})
    if item and item.get("kind") != bench.kind:
        raise Refused(f"this record is of kind `{item.get('kind')}`, not `{bench.kind}`")
    return Building(bench, blank(bench) if text is None else text, number)


def bench_of(
    paths: Sequence[str], kind: str | None, name: str, switches: Mapping[str, Any]
) -> Bench:
    """The bench of a kind, cached while the packs are unchanged and without mistakes."""
    try:
        program = ready(RULES, list(paths))
    except ContentError:
        return Bench(paths, kind, name, switches)
    chosen = tuple((key, type(value), value) for key, value in sorted(switches.items()))
    key = (id(program), tuple(paths), kind, name, chosen)
    return _BENCHES.get(key, 0, lambda: Bench(paths, kind, name, switches))


def _text_of(record: str | Path | None) -> str | None:
    """The text of a record that is given, or lies in a file."""
    if record is None or (isinstance(record, str) and "\n" in record):
        return record if isinstance(record, str) else None
    try:
        return Path(record).read_text(encoding="utf-8")
    except OSError as error:
        raise Refused(f"{record} cannot be read: {(error.strerror or '').lower()}") from None


def _item(text: str, number: int) -> Data:
    """The fields of an item of a text. Raises Refused if there is none."""
    data = [to_data(one) for one in items_in(text)][number : number + 1]
    if not data or not isinstance(data[0], dict):
        raise Refused("there is no such item in this text")
    return data[0]


def blank(bench: Bench, id: str = "") -> str:
    """The text of a new record: what every one has, and the first value that fits."""
    data = bench.blank_data(id)
    return "".join(f"{field}: {written(value)}\n" for field, value in data.items())
