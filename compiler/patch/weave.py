"""Weaves the lines of patches into the texts of an item, at the steps that they name.

The edits are grouped by step and side. Lines of several packs at one place are put in the order of
`after:`, else in the fixed order, but only if neither uses a name that the other changes; otherwise they
conflict. Every line of a woven text keeps its place in its source file. A step that does not exist is an
error, and so are two of one name and a block that becomes empty.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import chain, combinations
from textwrap import dedent

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import offer
from ruleloom.compiler.packs.content import Change, Item
from ruleloom.compiler.patch.edits import (
    AFTER,
    APPEND,
    BEFORE,
    REMOVE,
    REPLACE,
    WHOLE,
    Edit,
    EditError,
    Lines,
    Order,
    lines_at,
    may_lack,
)
from ruleloom.compiler.resolve.mod_sets import Statements, reassigned_names
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.formatter import INDENT
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS, NamedStep
from ruleloom.compiler.syntax.tree import NEW, forms_that, names_in, names_spoken, walk
from ruleloom.compiler.yaml.node import YamlNode, fields_of
from ruleloom.compiler.yaml.source_map import WovenLine, woven_node
from ruleloom.runtime.dataclass import Frozen, dataclass

INSTEAD = "instead"
SIDES = {BEFORE: BEFORE, AFTER: AFTER, APPEND: AFTER, REPLACE: INSTEAD, REMOVE: INSTEAD}
"""Where the lines of an operation go; replacing and removing a step share a side."""
Plans = Mapping[tuple[str, str], list[Edit]]
"""The edits of each step, in order, by side."""
ENDING = forms_that(lambda facts: facts.ends)


class Known(Frozen):
    """The columns that operations change and queries read, by the name in the vocabulary."""

    changes: Mapping[str, frozenset[str]] = field(default_factory=dict)
    reads: Mapping[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Sequence[Item]) -> Known:
        """Read the vocabulary among these items."""
        vocabulary = next((item for item in items if item.kind == "vocabulary"), None)
        if vocabulary is None:
            return cls()
        changes = {
            name: _columns(node, "changes") | _columns(node, "sets")
            for name, node, _ in fields_of(vocabulary.fields.get("operations"))
        }
        queries = fields_of(vocabulary.fields.get("queries"))
        return cls(changes, {name: _columns(node, "reads") for name, node, _ in queries})


def _columns(node: YamlNode, field: str) -> frozenset[str]:
    """The column names in a list such as `[Piece.space]`, or a map such as `{nicks(who): ...}`."""
    held = node.get(field)
    written = [*held.entries, *(str(one.value) for one in held.items)] if held else []
    return frozenset(one.partition("(")[0].rpartition(".")[2].strip() for one in written)


def plans_of(
    edits: Sequence[Edit], order: Order, known: Known
) -> tuple[Plans, Mapping[str, list[EditError]]]:
    """The plan of each step, and the conflicts of its edits."""
    plans, errors = (
        defaultdict[tuple[str, str], list[Edit]](list),
        defaultdict[str, list[EditError]](list),
    )
    for edit in order.sorted(edits):
        plans[edit.at, SIDES[edit.op]].append(edit)
    for (step, side), several in plans.items():
        if side == INSTEAD:
            plans[step, side], found = _last_of(several, order)
            errors[step] += found
        else:
            errors[step] += _crossed(several, order, known)
    return plans, errors


def _crossed(side: Sequence[Edit], order: Order, known: Known) -> Iterator[EditError]:
    for first, second in combinations(side, 2):
        if order.is_free(first.patch, second.patch):
            why = _crossing(first, second, known) or _crossing(second, first, known)
            if why is not None:
                word = "before" if first.op == BEFORE else "after"
                yield _conflict(first, second, f"put lines {word}", why)


def _last_of(instead: Sequence[Edit], order: Order) -> tuple[list[Edit], list[EditError]]:
    """The edit that wins, as no other comes after it, with the conflicts of unordered ones that differ."""
    last = [
        one
        for one in instead
        if not any(order.is_before(one.patch, other.patch) for other in instead)
    ]
    trees = [one.lines and one.lines.tree for one in last]
    for other, tree in zip(last[1:], trees[1:], strict=False):
        if tree != trees[0]:
            why = "only one of the two can hold"
            return last[:1], [_conflict(last[0], other, "give other lines for", why)]
    return last[:1], []


def _conflict(first: Edit, second: Edit, what: str, why: str) -> EditError:
    where = f"the step `{first.at}`" if first.at != WHOLE else "the whole text"
    both = f"`{first.patch.id}` and `{second.patch.id}` {what} {where}"
    notes = [Note(first.value.place, f"`{first.patch.id}` does it here")]
    help = second.put_after(first)
    return EditError("patch-conflict", second.value.place, f"{both}, and {why}", help, notes)


def _crossing(one: Edit, other: Edit, known: Known) -> str | None:
    """The reason why the order of two edits' lines would matter; None if it does not."""
    mine = one.brought.tree
    if any(isinstance(part, ENDING) for part in walk(mine)):
        return f"those of `{one.patch.id}` may end it there"
    # A name that both bind is bound twice in any order, which the check of the text reports.
    bound = _bound(mine) - _bound(other.brought.tree)
    called = (part.call.name.id for part in walk(mine) if isinstance(part, ast.OperateStmt))
    columns = (known.changes.get(name, frozenset()) for name in called)
    changed = bound.union(reassigned_names(mine), *columns)
    named = frozenset(names_spoken(other.brought.tree))
    shared = sorted(changed & named.union(*(known.reads.get(name, ()) for name in named)))
    if not shared:
        return None
    return f"those of `{one.patch.id}` change `{shared[0]}`, which the others name"


def _bound(tree: Statements) -> frozenset[str]:
    """The names that these lines bind for later lines."""
    return frozenset(name.id for one in tree for name in names_in(one, NEW))


WOVEN = ("block", "abilities")
"""The forms of text that can have steps."""
HAS_WORDS = re.compile(r"\s*[^\s#]")


@dataclass(slots=True, eq=False)
class Woven:
    """The new texts of an item with their history, and the errors of the edits."""

    nodes: dict[str, YamlNode] = field(default_factory=dict)
    changes: dict[str, tuple[Change, ...]] = field(default_factory=dict)
    errors: list[EditError] = field(default_factory=list)
    idle: list[Edit] = field(default_factory=list)
    """The edits that replace lines with the same lines."""


def weave(
    item: Item,
    fields: Mapping[str, YamlNode],
    edits: Sequence[Edit],
    whole: Mapping[str, Sequence[Edit]],
    order: Order,
    store: SchemaStore,
    known: Known,
) -> Woven:
    """Weave the step edits into the texts of an item; `whole` are the edits that replace a whole text."""
    found = Woven()
    threads: list[_Thread] = []
    lost = set[Edit]()
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
    notes = _given_anew(threads, whole)
    found.errors += _misplaced(done, threads, item, order, notes)
    if not found.errors:
        for thread in threads:
            thread.finish(fields[thread.name], found, done)
    return found


def _given_anew(threads: Sequence[_Thread], whole: Mapping[str, Sequence[Edit]]) -> list[Note]:
    """The notes on edits that replace a text, so that its steps may be gone."""
    edits = chain.from_iterable(whole.get(thread.name, ()) for thread in threads)
    return [Note(one.value.place, f"`{one.patch.id}` gives the whole text anew") for one in edits]


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
    plans: Plans
    lines: list[WovenLine] = field(default_factory=list)
    met: dict[str, Edit | None] = field(default_factory=dict)
    """The steps of the text, each with the edit that added it."""
    gone: dict[str, Edit] = field(default_factory=dict)
    """Steps inside a replaced or removed step, each with the edit of that step."""
    removed: list[tuple[int, Edit]] = field(default_factory=list)
    """The edits that remove a step, each with the number of lines before it."""
    errors: list[EditError] = field(default_factory=list)

    idle: list[Edit] = field(default_factory=list)

    def run(self, text: Lines) -> None:
        """Weave a whole text."""
        self._put(text, (0, len(text.lines) - 1), 0, None)
        if self.name == "effect":
            self.met[WHOLE] = None
            for edit in self.plans.get((WHOLE, AFTER), ()):
                self._piece(edit, 0)
        words = "".join(f"{line.text}\n" for line in self.lines)
        try:
            if not self.errors:
                PARSERS[self.form](words)
        except EffectSyntaxError as error:
            at = words.count("\n", 0, error.span[0])
            before = [edit for line, edit in self.removed if line <= at + 1]
            if before:  # else it is too long or too deep, reported where it is parsed
                message = f"without the step `{before[-1].at}` nothing is left of its block"
                help = "`replace-step:` gives other lines for it"
                self.errors.append(EditError("bad-patch", before[-1].value.place, message, help))

    def finish(self, old: YamlNode, found: Woven, edits: Sequence[Edit]) -> None:
        """Record the new text, and its history."""
        done = [edit for edit in edits if edit.at in self.met]
        found.idle += self.idle
        if not done:
            return
        node = found.nodes[self.name] = woven_node(old, self.lines)
        found.changes[self.name] = tuple(
            edit.change(old.value, node.value, {edit.at: edit.data} if edit.at else edit.data)
            for edit in done
        )

    def _put(self, text: Lines, stretch: tuple[int, int], shift: int, by: Edit | None) -> None:
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

    def _step(self, text: Lines, step: NamedStep, shift: int, by: Edit | None) -> None:
        if not self._meet(text, step, by):
            return
        before, instead, after = (
            self.plans.get((step.name, side), ()) for side in (BEFORE, INSTEAD, AFTER)
        )
        column = step.column + shift
        for edit in before:
            self._piece(edit, column)
        if not instead:
            self._line(text, step.first, shift)
            self._put(text, (step.first + 1, step.last), shift, by)
        for edit in instead:
            self._instead(text, step, column, edit)
        for edit in after:
            self._piece(edit, column)

    def _instead(self, text: Lines, step: NamedStep, column: int, edit: Edit) -> None:
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

    def _piece(self, edit: Edit, column: int) -> None:
        first = next(filter(HAS_WORDS.match, edit.brought.lines))
        shift = column - (len(first) - len(first.lstrip(" ")))
        self._put(edit.brought, (0, len(edit.brought.lines) - 1), shift, edit)

    def _meet(self, text: Lines, step: NamedStep, by: Edit | None) -> bool:
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


def _is_same(edit: Edit, text: Lines, step: NamedStep) -> bool:
    """Does a patch replace a step by the same lines?"""
    body = dedent("\n".join(text.lines[step.first + 1 : step.last + 1]))
    if step.inline:
        body = text.lines[step.first].partition(":")[2].strip()
    return dedent("\n".join(edit.brought.lines)) == body


def _misplaced(
    edits: Sequence[Edit],
    threads: Sequence[_Thread],
    item: Item,
    order: Order,
    notes: Sequence[Note],
) -> Iterator[EditError]:
    """The errors about steps that do not exist, or exist twice."""
    known = [*chain.from_iterable(thread.met for thread in threads)]
    gone = {name: edit for thread in threads for name, edit in thread.gone.items()}
    for edit in edits:
        if known.count(edit.at) > 1:
            message = f"two texts of `{item.id}` have a step `{edit.at}`"
            help = "one of them needs another name"
            yield EditError("patch-matches-nothing", edit.key, message, help)
        elif edit.at in known or may_lack(edit.patch, "target"):
            continue
        elif edit.at not in gone:
            yield _missing(edit, known, item, notes)
        # A later edit wins, and two removals agree.
        elif not order.is_before(edit.patch, gone[edit.at].patch) and not (
            edit.op == gone[edit.at].op == REMOVE
        ):
            yield _taken(edit, gone[edit.at])


def _taken(edit: Edit, taker: Edit) -> EditError:
    inner = f"the step `{edit.at}` is part of `{taker.at}`"
    if edit.patch is taker.patch:
        message = f"{inner}, which this patch changes, too"
        return EditError("bad-patch", edit.key, message, "take one of them out")
    message = f"{inner}, which `{taker.patch.id}` changes"
    help = f"write `after: [{edit.patch.id}]` there, or a step `{edit.at}` in its lines"
    notes = [Note(taker.value.place, f"`{taker.patch.id}` changes `{taker.at}` here")]
    return EditError("patch-conflict", edit.key, message, help, notes)


def _missing(edit: Edit, known: Sequence[str], item: Item, notes: Sequence[Note]) -> EditError:
    if edit.at == WHOLE:
        message = f"`{item.id}` has no effect text that lines could be put after"
        return EditError("patch-matches-nothing", edit.key, message)
    known = [one for one in known if one != WHOLE]
    help = offer(edit.at, known)
    message = f"`{item.id}` has no step `{edit.at}`"
    none = "no line of it has a name: `append:` adds lines at its end, else write the whole text"
    return EditError("patch-matches-nothing", edit.key, message, help or none, notes)
