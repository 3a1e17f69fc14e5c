"""The lines that patches put before, after or in place of the steps of a text, and their order.

The edits of an item's steps are grouped into one plan per step. Lines of several packs at one place
are put in the order of `after:`, else in the fixed order, but only if neither uses a name that the
other changes; otherwise they conflict.

The order itself depends on `after:` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from itertools import combinations, pairwise
from typing import TypeVar

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, nearest
from ruleloom.compiler.graph import closures, find_circle, in_order
from ruleloom.compiler.packs.content import Item, Poison
from ruleloom.compiler.packs.settings import Renames, notice, renamed
from ruleloom.compiler.patch.edits import Edit, EditError, PatchLeftOut
from ruleloom.compiler.patch.select import may_lack
from ruleloom.compiler.resolve.mod_sets import Statements, reassigned_names
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS, NamedStep, read_steps
from ruleloom.compiler.syntax.tree import NEW, forms_that, holes, names_in, walk
from ruleloom.compiler.yaml.node import YamlNode, fields_of, items_of
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import Frozen, dataclass

E = TypeVar("E", Edit, "StepEdit")


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """The position of each patch, by name, and the names of those it comes after."""

    position: Mapping[str, int]
    earlier: Mapping[str, frozenset[str]]

    @classmethod
    def of(
        cls, patches: Sequence[Item], poisoned: Poison, renames: Renames, report: Report
    ) -> Order:
        """Return the order of patches; those in a cycle of `after:` have none."""
        known = {patch.name: patch for patch in patches}
        after = {
            name: _after(patch, known, poisoned, renames, report) for name, patch in known.items()
        }
        order = in_order(after)
        if len(order) < len(known):
            # Unordered patches are on a cycle, or come after one.
            path = find_circle({name: after[name] for name in known.keys() - order})
            steps = pairwise(path[1:])
            notes = [Note(after[a][b].place, f"`{a}` comes after `{b}`") for a, b in steps]
            message = f"patches come after each other in a circle: {' -> '.join(path)}"
            place = after[path[0]][path[1]].place
            report.error("patch-cycle", place, message, "take one `after:` out", notes)
        whole = closures({name: after[name] for name in order})
        earlier = {name: found - {name} for name, found in whole.items()}
        return cls({name: index for index, name in enumerate(order)}, earlier)

    def is_before(self, first: Item, second: Item) -> bool:
        """Tell whether `second` is declared to come after `first`."""
        return first.name in self.earlier[second.name]

    def sorted(self, edits: Iterable[E]) -> list[E]:
        """The edits sorted by the fixed order, which respects `after:`."""
        return sorted(edits, key=lambda edit: self.position[edit.patch.name])

    def is_free(self, a: Item, b: Item) -> bool:
        """Tell whether two different patches are unordered."""
        return a.name != b.name and not self.is_before(a, b) and not self.is_before(b, a)


def _after(
    patch: Item, known: Mapping[str, Item], poisoned: Poison, renames: Renames, report: Report
) -> dict[str, YamlNode]:
    """Return the names of the patches under `after:`, each with its node."""
    found: dict[str, YamlNode] = {}
    for node in items_of(patch.fields.get("after")):
        written = str(node.value)
        pack, _, inside = written.rpartition(":")
        name = inside.removeprefix("patch/")
        other = known.get(name)
        if other is not None and pack in ("", other.pack):
            found[name] = node
        elif (item := renamed(renames, pack, "patch", name)) is not None:
            notice(report, node.place, written, item)
            found[item.name] = node
        elif not poisoned.mentions(name) and not may_lack(patch, "after"):
            message = f"there is no patch `{written}` to come after"
            id = f"{other.pack if other else pack or patch.pack}:patch/{name}"
            close = nearest(id, [one.id for one in known.values() if one is not patch], 1)
            none = "with `optional: after` the other patch need not be there"
            help = Suggestion(written, close[0]) if close else none
            report.error("unknown-patch", node.place, message, help)
    return found


BEFORE, AFTER, REPLACE, REMOVE = "before-step", "after-step", "replace-step", "remove-step"
STEP_OPS = (BEFORE, AFTER, REPLACE, REMOVE)
APPEND = "append"
# The name of the whole text, which `append` adds lines after; no step has it.
WHOLE = ""

ENDING = forms_that(lambda facts: facts.ends)


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """A parsed text: its lines, each with its place, and its steps."""

    written: EffectText
    steps: tuple[NamedStep, ...]
    tree: Statements = ()

    @property
    def lines(self) -> list[str]:
        """The lines, without empty ones at the end."""
        return self.written.text.rstrip("\n").split("\n")


@dataclass(frozen=True, slots=True, eq=False)
class StepEdit:
    """One patch's edit of one step; `key` is the place of the step's name."""

    patch: Item
    op: str
    step: str
    value: YamlNode
    key: Place
    lines: Lines | None

    @property
    def brought(self) -> Lines:
        """The lines of the edit."""
        assert self.lines is not None, "only a step is removed without lines"
        return self.lines


@dataclass(slots=True, eq=False)
class StepPlan:
    """The edits of one step, by where their lines go."""

    before: list[StepEdit] = field(default_factory=list)
    after: list[StepEdit] = field(default_factory=list)
    instead: list[StepEdit] = field(default_factory=list)

    def of(self, op: str) -> list[StepEdit]:
        """The list for an operation; replacing and removing a step share one."""
        return {BEFORE: self.before, AFTER: self.after, APPEND: self.after}.get(op, self.instead)


def step_edits_of(patch: Item, report: Report) -> list[StepEdit]:
    """The step edits of a patch, in source order; raises EditError, or PatchLeftOut for lines that cannot be
    read, after a report."""
    edits: list[StepEdit] = []
    for op in (one for one in patch.fields if one in STEP_OPS):
        node = patch.fields[op]
        for one in items_of(node):
            edits.append(StepEdit(patch, op, str(one.value), one, one.place, None))
        for name, value, key in fields_of(node):
            edits.append(StepEdit(patch, op, name, value, key, _brought(value, report)))
    more = patch.fields.get(APPEND)
    if more is not None and "effect" in more.entries:  # lines at the end of the text
        value, key = more.entries["effect"], more.key_place("effect")
        edits.append(StepEdit(patch, APPEND, WHOLE, value, key, _brought(value, report)))
    _check_clear(patch, edits)
    return edits


def _brought(node: YamlNode, report: Report) -> Lines:
    lines = lines_at(node, report)
    if lines is None:
        raise PatchLeftOut
    return lines


def lines_at(node: YamlNode, report: Report, form: str = "block") -> Lines | None:
    """The text at a node with its steps, or None after reporting an error."""
    written = effect_text(node.source, node, report)
    if written is None:
        return None
    try:
        return Lines(written, read_steps(written.text, form), PARSERS[form](written.text))
    except EffectSyntaxError as error:
        report.error(error.code, written.place_of(error.span), error.message, error.help)
        return None


def _check_clear(patch: Item, edits: Sequence[StepEdit]) -> None:
    """Raise EditError for two changes at one place."""
    instead: dict[str, StepEdit] = {}
    for edit in edits:
        first = instead.setdefault(edit.step, edit) if edit.op in (REPLACE, REMOVE) else edit
        if first is not edit:
            message = f"one patch both replaces and removes the step `{edit.step}`"
            note = Note(first.key, "the first change is here")
            raise EditError("bad-patch", edit.key, message, "take one of them out", [note])
    if edits and "replace-effect" in patch.fields:
        message = "this patch gives the whole text anew, and its steps besides"
        help = "write the lines into the new text, or make two patches of it"
        raise EditError("bad-patch", edits[0].key, message, help)


# ------------------------------------------------------------------ several patches of one step


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
    edits: Sequence[StepEdit], order: Order, known: Known
) -> tuple[dict[str, StepPlan], dict[str, list[EditError]]]:
    """The plan of each step, and the conflicts of its edits."""
    plans: dict[str, StepPlan] = {}
    for edit in order.sorted(edits):
        plans.setdefault(edit.step, StepPlan()).of(edit.op).append(edit)
    errors: dict[str, list[EditError]] = {}
    for name, plan in plans.items():
        plan.instead, found = _last_of(plan.instead, order)
        for side in (plan.before, plan.after):
            found += _crossed(side, order, known)
        errors[name] = found
    return plans, errors


def _crossed(side: Sequence[StepEdit], order: Order, known: Known) -> Iterator[EditError]:
    for first, second in combinations(side, 2):
        if order.is_free(first.patch, second.patch):
            why = _crossing(first, second, known) or _crossing(second, first, known)
            if why is not None:
                word = "before" if first.op == BEFORE else "after"
                yield _conflict(first, second, f"put lines {word}", why)


def _last_of(instead: Sequence[StepEdit], order: Order) -> tuple[list[StepEdit], list[EditError]]:
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


def _conflict(first: StepEdit, second: StepEdit, what: str, why: str) -> EditError:
    where = f"the step `{first.step}`" if first.step != WHOLE else "the whole text"
    both = f"`{first.patch.id}` and `{second.patch.id}` {what} {where}"
    help = f"write `after: [{first.patch.id}]` in `{second.patch.name}`, or the other way round"
    notes = [Note(first.value.place, f"`{first.patch.id}` does it here")]
    return EditError("patch-conflict", second.value.place, f"{both}, and {why}", help, notes)


def _crossing(one: StepEdit, other: StepEdit, known: Known) -> str | None:
    """The reason why the order of two edits' lines would matter; None if it does not."""
    mine = one.brought.tree
    if any(isinstance(part, ENDING) for part in walk(mine)):
        return f"those of `{one.patch.id}` may end it there"
    # A name that both bind is bound twice in any order, which the check of the text reports.
    bound = _bound(mine) - _bound(other.brought.tree)
    called = (part.call.name.id for part in walk(mine) if isinstance(part, ast.OperateStmt))
    columns = (known.changes.get(name, frozenset()) for name in called)
    changed = bound.union(reassigned_names(mine), *columns)
    shared = sorted(changed & _named(other.brought.tree, known))
    if not shared:
        return None
    return f"those of `{one.patch.id}` change `{shared[0]}`, which the others name"


def _bound(tree: Statements) -> frozenset[str]:
    """The names that these lines bind for later lines."""
    return frozenset(name.id for one in tree for name in names_in(one, NEW))


def _named(tree: Statements, known: Known) -> frozenset[str]:
    names: set[str] = set()
    for one in walk(tree):
        if isinstance(one, ast.Name):
            names |= {one.id} | known.reads.get(one.id, frozenset())
        elif isinstance(one, ast.TextLiteral):
            names.update(hole.id for hole in holes(one))
    return frozenset(names)
