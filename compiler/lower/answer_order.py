"""The order of answers to one event: `after:` of their items, else the order of packs and files.

Answers of packs that do not know each other may change the open value of a moment only if the order
makes no difference; a conflict shows both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.graph import closures, in_order
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.embedded import Passage, read_text
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_event
from ruleloom.compiler.yaml.node import items_of

ORDERED = ("standing", "trigger")
CODE = "answer-order"
Change = ast.AssignStmt | ast.AddStmt | ast.OperateStmt | ast.UseStmt


@dataclass(frozen=True, slots=True)
class _Answer:
    """What an item does with the open value of a moment, which it calls `name`."""

    item: Item
    passage: Passage
    name: str
    body: tuple[ast.Stmt, ...]
    changes: tuple[Change, ...]

    @property
    def place(self) -> Place:
        return self.passage.place(self.changes[0].span)

    @property
    def text(self) -> str:
        return ", ".join(f"`{self.passage.words(one.span)}`" for one in self.changes)

    @property
    def only_adds(self) -> bool:
        """Does it add what does not hang on the value, so that others may come in between?"""
        named = (one for one in ast.walk(self.body) if isinstance(one, ast.Name))
        own = sum(one.id == self.name for one in named)
        return own == sum(_added(one, self.name) for one in self.changes)


def _added(change: Change, name: str) -> int:
    """How often a statement that only adds names the variable; 0 for every other statement."""
    match change:
        case ast.AssignStmt(value=ast.Binary(op="+" | "-", left=ast.Name(id=left))) if left == name:
            return 2
        case ast.AddStmt(removing=False):
            return 1
    return 0


def order_answers(build: Build) -> None:
    """Put triggers and replacements in the order of their items, and refuse what has none."""
    earlier, items = _earlier(build.content, build.report), build.items_by_routine()
    if any(earlier.values()):
        ranks = {id: rank for rank, id in enumerate(in_order(earlier))}
        last = len(ranks)
        build.triggers.sort(key=lambda one: ranks.get(items[one.routine].id, last))
        build.replacements.sort(key=lambda one: ranks.get(items[one.routine].id, last))
    for moment in build.symbols.operations.values():
        if moment.open and moment.name in build.symbols.answered:
            answers = _answers(build, moment.name, moment.open_place)
            for one, other in combinations(answers, 2):
                if not _is_settled(build, earlier, one, other):
                    _refuse(build.report, moment.name, one, other)


def _earlier(content: Content, report: Report) -> dict[str, frozenset[str]]:
    """The items after which each item comes, also by way of others; none if no item says so."""
    if not any("after" in item.fields for kind in ORDERED for item in content.by_kind(kind)):
        return {}
    known = {item.id: item for item in content.items}
    packs = frozenset(pack.id for pack in content.packs)
    after = {item.id: frozenset(_said(item, known, packs, report)) for item in content.items}
    order = in_order(after)
    circling = next((id for id in after if id not in order and after[id]), None)
    if circling is not None:
        place = known[circling].fields["after"].place
        report.error(CODE, place, f"`{circling}` comes after itself", "take one `after:` out")
    whole = closures({id: after[id] for id in order})
    return {id: whole[id] - {id} for id in after if id in whole}


def _said(
    item: Item, known: Mapping[str, Item], packs: frozenset[str], report: Report
) -> Iterator[str]:
    """The items that one says it comes after."""
    for node in items_of(item.fields.get("after")) if item.kind in ORDERED else ():
        wanted = node.text or ""
        pack, colon, _ = wanted.partition(":")
        if colon and pack not in packs:
            # Not played with today. Where a pack's name is misspelt, the conflict stays a conflict.
            continue
        found = [id for id in known if wanted in (id, id.partition(":")[2])]
        if len(found) == 1 and found[0] != item.id:
            yield found[0]
        else:
            message = f"there is no other item `{wanted}` to come after"
            report.error(CODE, node.place, message, did_you_mean(wanted, known))


def _answers(build: Build, moment: str, place: int) -> list[_Answer]:
    """The answers at once that change the open value, in the order of items."""
    found = []
    for item, passage, event, body in (*_reactions(build), *_triggers(build)):
        if event.name.id != moment or len(event.args) <= place:
            continue
        named = event.args[place].value
        changes = tuple(_changes(body, named.id)) if isinstance(named, ast.Name) else ()
        if isinstance(named, ast.Name) and changes:
            found.append(_Answer(item, passage, named.id, body, changes))
    return found


def _changes(body: tuple[ast.Stmt, ...], name: str) -> Iterator[Change]:
    for one in ast.walk(body):
        if isinstance(one, ast.AssignStmt | ast.AddStmt):
            target: ast.Name | None = one.name
        else:
            target = one.giving if isinstance(one, ast.OperateStmt | ast.UseStmt) else None
        if isinstance(one, Change) and target is not None and target.id == name:
            yield one


_Found = Iterator[tuple[Item, Passage, ast.CallExpr, tuple[ast.Stmt, ...]]]


def _reactions(build: Build) -> _Found:
    for one in build.bodies.stats.abilities.reactions:
        if isinstance(one.node, ast.When) and not one.node.afterwards:
            yield one.texts[0].item, one.texts[-1].passage, one.node.event, one.node.body


def _triggers(build: Build) -> _Found:
    for item in build.content.by_kind("trigger"):
        event = read_text(build.content, item.fields.get("event"), parse_event, Report())
        block = build.bodies.blocks.get(item.id)
        if event is not None and block is not None and item.data("timing") == "immediately":
            yield item, block[0], event[1], block[1]


def _is_settled(
    build: Build, earlier: Mapping[str, frozenset[str]], one: _Answer, other: _Answer
) -> bool:
    """Does the order make no difference, or has somebody said which it is?"""
    first, second = one.item, other.item
    if first.pack == second.pack or (one.only_adds and other.only_adds):
        return True
    if first.id in earlier.get(second.id, ()) or second.id in earlier.get(first.id, ()):
        return True
    knows = build.symbols.belonging.builds_on
    return knows(first.place, second.place) or knows(second.place, first.place)


def _refuse(report: Report, moment: str, one: _Answer, other: _Answer) -> None:
    first, second = one.item.id, other.item.id
    message = (
        f"two answers to `{moment}` change its value, and their order makes a difference: "
        f"`{first}` and then `{second}` is {one.text}, then {other.text}; the other way round it "
        f"is {other.text}, then {one.text}"
    )
    help = f"write `after: [{first}]` in `{other.item.name}`, or the other way round"
    report.error(CODE, other.place, message, help, [Note(one.place, "the other answer")])
