"""Weaves the lines of patches into the texts of an item, at the steps that they name.

Every line of a woven text keeps its place in its source file. A step that does not exist is an error,
and so are two of one name and a block that becomes empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain
from textwrap import dedent

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.packs.content import Change, Item
from ruleloom.compiler.patch.edits import Edit, EditError
from ruleloom.compiler.patch.select import may_lack
from ruleloom.compiler.patch.step_edits import (
    REMOVE,
    WHOLE,
    Known,
    Lines,
    Order,
    StepEdit,
    StepPlan,
    lines_at,
    plans_of,
)
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax.formatter import INDENT
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS, NamedStep
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.source_map import WovenLine, woven_node
from ruleloom.runtime.dataclass import dataclass

WOVEN = ("block", "abilities")
"""The forms of text that can have steps."""
HAS_WORDS = re.compile(r"\s*[^\s#]")


@dataclass(slots=True, eq=False)
class Woven:
    """The new texts of an item with their history, and the errors of the edits."""

    nodes: dict[str, YamlNode] = field(default_factory=dict)
    changes: dict[str, tuple[Change, ...]] = field(default_factory=dict)
    errors: list[EditError] = field(default_factory=list)
    idle: list[StepEdit] = field(default_factory=list)
    """The edits that replace lines with the same lines."""


def weave(
    item: Item,
    fields: Mapping[str, YamlNode],
    edits: Sequence[StepEdit],
    whole: Mapping[str, Sequence[Edit]],
    order: Order,
    store: SchemaStore,
    known: Known,
) -> Woven:
    """Weave the step edits into the texts of an item; `whole` are the edits that replace a whole text."""
    found = Woven()
    threads: list[_Thread] = []
    lost = set[StepEdit]()
    for name, form in texts_of(item, fields, store):
        text = lines_at(fields[name], Report(), form)
        if text is None:
            return found  # its mistakes are reported where it is parsed
        # Edits of patches that come before one that replaces the text are lost.
        anew = [one.patch for one in whole.get(name, ())]
        late = {one for one in edits if any(order.is_before(one.patch, new) for new in anew)}
        lost |= late
        plans, conflicts = plans_of([one for one in edits if one not in late], order, known)
        thread = _Thread(name, form, plans)
        threads.append(thread)
        thread.run(text)
        found.errors += chain(thread.errors, *(conflicts.get(step, ()) for step in thread.met))
    done = [edit for edit in edits if edit not in lost]
    # The steps of a replaced text may be gone.
    notes = [
        Note(one.value.place, f"`{one.patch.id}` gives the whole text anew")
        for one in chain.from_iterable(whole.values())
    ]
    found.errors += _misplaced(done, threads, item, order, notes)
    if not found.errors:
        for thread in threads:
            thread.finish(fields[thread.name], found, done)
    return found


def texts_of(
    item: Item, fields: Mapping[str, YamlNode], store: SchemaStore
) -> list[tuple[str, str]]:
    """The fields of an item whose texts can have steps, each with its form."""
    forms = store.effect_fields(item.kind).items()
    return [
        (path[0], form)
        for path, form in forms
        if len(path) == 1 and form in WOVEN and path[0] in fields
    ]


@dataclass(slots=True, eq=False)
class _Thread:
    """One text while it is woven: its lines so far, and the steps met or removed."""

    name: str
    form: str
    plans: Mapping[str, StepPlan]
    lines: list[WovenLine] = field(default_factory=list)
    met: dict[str, StepEdit | None] = field(default_factory=dict)
    """The steps of the text, each with the edit that added it."""
    gone: dict[str, StepEdit] = field(default_factory=dict)
    """Steps inside a replaced or removed step, each with the edit of that step."""
    removed: list[tuple[int, StepEdit]] = field(default_factory=list)
    """The edits that remove a step, each with the number of lines before it."""
    errors: list[EditError] = field(default_factory=list)

    idle: list[StepEdit] = field(default_factory=list)

    def run(self, text: Lines) -> None:
        """Weave a whole text."""
        self._put(text, (0, len(text.lines) - 1), 0, None)
        if self.name == "effect":
            self.met[WHOLE] = None
            for edit in self.plans.get(WHOLE, StepPlan()).after:
                self._piece(edit, 0)
        words = "".join(f"{line.text}\n" for line in self.lines)
        try:
            if not self.errors:
                PARSERS[self.form](words)
        except EffectSyntaxError as error:
            at = words.count("\n", 0, error.span[0])
            before = [edit for line, edit in self.removed if line <= at + 1]
            if before:  # else it is too long or too deep, reported where it is parsed
                message = f"without the step `{before[-1].step}` nothing is left of its block"
                help = "`replace-step:` gives other lines for it"
                self.errors.append(EditError("bad-patch", before[-1].value.place, message, help))

    def finish(self, old: YamlNode, found: Woven, edits: Sequence[StepEdit]) -> None:
        """Record the new text, and its history."""
        done = [edit for edit in edits if edit.step in self.met]
        found.idle += self.idle
        if not done:
            return
        node = found.nodes[self.name] = woven_node(old, self.lines)
        found.changes[self.name] = tuple(
            Change(
                *(edit.patch.pack, edit.value.place.path, edit.value.place.line, edit.op),
                *(old.value, node.value, edit.patch.id),
                to_data(edit.value) if edit.step == WHOLE else {edit.step: to_data(edit.value)},
            )
            for edit in done
        )

    def _put(self, text: Lines, stretch: tuple[int, int], shift: int, by: StepEdit | None) -> None:
        """Add lines of a text, indented further by `shift`, with the edits of its steps."""
        heads = {step.first: step for step in text.steps}
        at, last = stretch
        while at <= last:
            step = heads.get(at)
            if step is None:
                self._line(text, at, shift)
                at += 1
            else:
                self._step(text, step, shift, by)
                at = step.last + 1

    def _line(self, text: Lines, at: int, shift: int) -> None:
        words, start = text.lines[at], text.written.source_starts[at]
        drop = min(max(-shift, 0), len(words) - len(words.lstrip(" ")))
        more = max(shift, 0) if words.strip() else 0
        self._add(" " * more + words[drop:], text, start - more + drop)

    def _add(self, words: str, text: Lines, start: int) -> None:
        self.lines.append(WovenLine(words, text.written.source, start))

    def _step(self, text: Lines, step: NamedStep, shift: int, by: StepEdit | None) -> None:
        if not self._meet(text, step, by):
            return
        plan = self.plans.get(step.name, StepPlan())
        column = step.column + shift
        for edit in plan.before:
            self._piece(edit, column)
        if not plan.instead:
            self._line(text, step.first, shift)
            self._put(text, (step.first + 1, step.last), shift, by)
        for edit in plan.instead:
            self._instead(text, step, column, edit)
        for edit in plan.after:
            self._piece(edit, column)

    def _instead(self, text: Lines, step: NamedStep, column: int, edit: StepEdit) -> None:
        """Remove a step, or replace the lines under its name."""
        inner = (one for one in text.steps if step.first < one.first <= step.last)
        self.gone |= {one.name: edit for one in inner}
        if edit.op == REMOVE:
            self.removed.append((len(self.lines), edit))
            return
        self.idle += [edit] if _is_same(edit, text, step) else []
        start = text.written.source_starts[step.first] + step.column - column
        self._add(f"{' ' * column}step {step.name}:", text, start)
        self._piece(edit, column + INDENT)

    def _piece(self, edit: StepEdit, column: int) -> None:
        first = next(filter(HAS_WORDS.match, edit.brought.lines))
        shift = column - (len(first) - len(first.lstrip(" ")))
        self._put(edit.brought, (0, len(edit.brought.lines) - 1), shift, edit)

    def _meet(self, text: Lines, step: NamedStep, by: StepEdit | None) -> bool:
        """Record a step of the text; False after reporting a second one of its name."""
        if step.name not in self.met:
            self.met[step.name] = by
            return True
        other = self.met[step.name]
        edit = by or other
        assert edit is not None, "a text alone has one step of a name"
        place = next(
            edit.brought.written.place_of(one.span)
            for one in edit.brought.steps
            if one.name == step.name
        )
        rest = other if edit is by else None
        where = f"`{rest.patch.id}` brings one" if rest is not None else "the text has one"
        message = f"a second step `{step.name}`: {where} already"
        self.errors.append(EditError("name-clash", place, message, "give it another name"))
        return False


def _is_same(edit: StepEdit, text: Lines, step: NamedStep) -> bool:
    """Does a patch replace a step by the same lines?"""
    body = dedent("\n".join(text.lines[step.first + 1 : step.last + 1]))
    if step.inline:
        body = text.lines[step.first].partition(":")[2].strip()
    return dedent("\n".join(edit.brought.lines)) == body


def _misplaced(
    edits: Sequence[StepEdit],
    threads: Sequence[_Thread],
    item: Item,
    order: Order,
    notes: Sequence[Note],
) -> Iterator[EditError]:
    """The errors about steps that do not exist, or exist twice."""
    known = [*chain.from_iterable(thread.met for thread in threads)]
    gone = {name: edit for thread in threads for name, edit in thread.gone.items()}
    for edit in edits:
        if known.count(edit.step) > 1:
            message = f"two texts of `{item.id}` have a step `{edit.step}`"
            help = "one of them needs another name"
            yield EditError("patch-matches-nothing", edit.key, message, help)
        elif edit.step in known or may_lack(edit.patch, "target"):
            continue
        elif edit.step not in gone:
            yield _missing(edit, known, item, notes)
        # A later edit wins, and two removals agree.
        elif not order.is_before(edit.patch, gone[edit.step].patch) and not (
            edit.op == gone[edit.step].op == REMOVE
        ):
            yield _taken(edit, gone[edit.step])


def _taken(edit: StepEdit, taker: StepEdit) -> EditError:
    inner = f"the step `{edit.step}` is part of `{taker.step}`"
    if edit.patch is taker.patch:
        message = f"{inner}, which this patch changes, too"
        return EditError("bad-patch", edit.key, message, "take one of them out")
    message = f"{inner}, which `{taker.patch.id}` changes"
    help = f"write `after: [{edit.patch.id}]` there, or a step `{edit.step}` in its lines"
    notes = [Note(taker.value.place, f"`{taker.patch.id}` changes `{taker.step}` here")]
    return EditError("patch-conflict", edit.key, message, help, notes)


def _missing(edit: StepEdit, known: Sequence[str], item: Item, notes: Sequence[Note]) -> EditError:
    if edit.step == WHOLE:
        message = f"`{item.id}` has no effect text that lines could be put after"
        return EditError("patch-matches-nothing", edit.key, message)
    known = [one for one in known if one != WHOLE]
    help = offer(edit.step, known)
    message = f"`{item.id}` has no step `{edit.step}`"
    none = "no line of it has a name, so only `replace-effect:` can change it"
    return EditError("patch-matches-nothing", edit.key, message, help or none, notes)
