"""The order of answers to one event: `after:` of their items, else the order of packs and files.

Where answers of packs that do not know each other do not commute, whoever decides for the event is
asked in play. Where nobody does, it is an error if they change the open value of a moment, and else
a warning; both show both outcomes.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import combinations

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.graph import in_order
from ruleloom.compiler.lower.answers.contests import Contests
from ruleloom.compiler.lower.answers.deciders import EVERY, read_deciders
from ruleloom.compiler.lower.answers.exclusions import excludes
from ruleloom.compiler.lower.answers.said_order import CODE, SaidOrder, earlier_items, how_to_settle
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.embedded import Passage, read_text
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_event
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Expr

Change = ast.AssignStmt | ast.AddStmt | ast.OperateStmt | ast.UseStmt


@dataclass(frozen=True, slots=True)
class _Answer:
    """What an item does with the open value of a moment, which it calls `name`."""

    item: Item
    where: Expr | None
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
        named = (one for one in walk(self.body) if isinstance(one, ast.Name))
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
    """Put triggers and replacements in the order of their items, and deal with what has none: ask
    whoever decides for the event, else tell both outcomes."""
    sound = build.is_sound
    earlier, items = earlier_items(build.content, build.report), build.items_by_routine()
    if any(earlier.values()):
        ranks = {id: rank for rank, id in enumerate(in_order(earlier))}
        last = len(ranks)
        build.triggers.sort(key=lambda one: ranks.get(items[one.routine].id, last))
        build.replacements.sort(key=lambda one: ranks.get(items[one.routine].id, last))
    deciders = read_deciders(build)
    order = SaidOrder(build, earlier)
    told = set() if EVERY in deciders else _refuse_open(build, order, deciders)
    if sound:
        contests = Contests(build, order, deciders, told)
        contests.of_triggers()
        contests.of_replacements()
        contests.of_overlaps()
        contests.ask()


def _refuse_open(
    build: Build, order: SaidOrder, deciders: Container[str]
) -> set[tuple[str, str, str]]:
    """Refuse answers to one moment that change its value, in an order that nobody has said; return
    which these are."""
    told = set()
    for moment in build.symbols.operations.values():
        is_open = moment.open and moment.name in build.symbols.answered
        answers = _answers(build, moment.name, moment.open_place) if is_open else ()
        for one, other in combinations(answers, 2):
            if moment.name not in deciders and not _is_settled(order, one, other):
                _refuse(build.report, moment.name, one, other)
                told.add((moment.name, one.item.id, other.item.id))
    return told


def _answers(build: Build, moment: str, place: int) -> list[_Answer]:
    """The answers at once that change the open value, in the order of items."""
    found = []
    wheres = {one.id: one.where for one in build.triggers}
    for id, item, passage, event, body in (*_reactions(build), *_triggers(build)):
        if event.name.id != moment or len(event.args) <= place:
            continue
        named = event.args[place].value
        changes = tuple(_changes(body, named.id)) if isinstance(named, ast.Name) else ()
        if isinstance(named, ast.Name) and changes:
            found.append(_Answer(item, wheres.get(id), passage, named.id, body, changes))
    return found


def _changes(body: tuple[ast.Stmt, ...], name: str) -> Iterator[Change]:
    for one in walk(body):
        if isinstance(one, ast.AssignStmt | ast.AddStmt):
            target: ast.Name | None = one.name
        else:
            target = one.giving if isinstance(one, ast.OperateStmt | ast.UseStmt) else None
        if isinstance(one, Change) and target is not None and target.id == name:
            yield one


_Found = Iterator[tuple[str, Item, Passage, ast.CallExpr, tuple[ast.Stmt, ...]]]


def _reactions(build: Build) -> _Found:
    for one in build.bodies.stats.abilities.reactions:
        if isinstance(one.node, ast.When) and not one.node.afterwards:
            yield one.id, one.texts[0].item, one.texts[-1].passage, one.node.event, one.node.body


def _triggers(build: Build) -> _Found:
    for item in build.content.by_kind("trigger"):
        event = read_text(build.content, item.fields.get("event"), parse_event, Report())
        block = build.bodies.blocks.get(item.id)
        if event is not None and block is not None and item.data("timing") == "immediately":
            yield item.id, item, block[0], event[1], block[1]


def _is_settled(order: SaidOrder, one: _Answer, other: _Answer) -> bool:
    """Does the order make no difference, or has somebody said which it is?"""
    if (one.only_adds and other.only_adds) or excludes(one.where, other.where):
        return True
    return order.is_known(one.item, other.item)


def _refuse(report: Report, moment: str, one: _Answer, other: _Answer) -> None:
    first, second = one.item.id, other.item.id
    message = (
        f"the order of two answers to `{moment}` makes a difference: "
        f"`{first}` and then `{second}` is {one.text}, then {other.text}; the other way round it "
        f"is {other.text}, then {one.text}"
    )
    help = how_to_settle(moment, one.item, other.item)
    report.error(CODE, other.place, message, help, [Note(one.place, "the other answer")])
