"""Compilation of the things of cases, items written under `things`, and of the effect texts of their steps.

All cases are compiled together, the things of each under hidden names. Errors in a case that claims
to be refused settle it; the others are compiled again, and a case with unexpected errors alone, so
that it affects no other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from functools import lru_cache
from operator import is_
from textwrap import dedent, indent
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import items_in
from ruleloom.compiler.cases.case_file import Case
from ruleloom.compiler.cases.case_values import taken_by
from ruleloom.compiler.cases.case_words import as_list, folded
from ruleloom.compiler.cases.made_in_play import Named, made_in, named_in
from ruleloom.compiler.cases.thing_checks import CALL_IT, TAKEN, read_thing
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import collector_resting, program_of
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.yaml.node import YamlNode, entries_of
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Program, ScopeVariable
from ruleloom.runtime.program.values import Type, World, list_of

MARK = re.compile(r"__\d+_")
SOUGHT = "sought_"
"""The prefix of the names of variables that keep the values sought."""


@dataclass(eq=False)
class Made:
    """The items of one case, its things and step texts, and the program compiled with them."""

    case: Case
    mark: str
    things: Mapping[str, str]  # the entity of each, by its name without the mark
    items: tuple[Item, ...]
    complaints: tuple[str, ...] = ()
    named: dict[str, Named] = field(default_factory=dict)
    """The things made in play that each effect text takes, by its routine id."""
    program: Program | None = None  # None if there are complaints

    @property
    def texts(self) -> tuple[str, ...]:
        """The routine ids of its effect texts."""
        return tuple(item.id for item in self.items if item.kind == "power")

    def holds(self, found: Diagnostic) -> bool:
        """Is a diagnostic in an item of this case?"""
        return any(found.place.path == item.source.path for item in self.items)

    def owns(self, name: str) -> bool:
        """Whether a thing of this name, or the thing that it is a part of, is the case's own."""
        return self.mark in name.partition(".")[0]


@lru_cache(maxsize=1_024)
def unmarked(text: str) -> str:
    """The text with the author's names of things."""
    return MARK.sub("", text)


# A name in items and effect texts, but not the end of `pack:kind/name`, another pack's item.
WORD = re.compile(r"(?<![\w/:.-])[a-z][a-z0-9_-]*")
# The infix in the file name of a step's effect text.
STEP = "#step"

# The most items per game: with many more, its rules exceed the work limit, which is found out late.
MOST_TOGETHER = 1_000
BY_OTHERS = ("out-of-bounds", "too-much-work")
BLOCKS = ("|", ">")


Group = Sequence[Made]


def make_things(
    content: Content, symbols: Symbols, cases: Iterable[Case], is_last: bool = False
) -> dict[str, Made]:
    """The compiled things of each case, by the key of the case.

    With `is_last`, nothing is computed that only a later build of the same game would reuse.
    """
    reader = _Reader(content, symbols)
    made = [reader.read(f"__{number}_", case) for number, case in enumerate(cases)]
    sound = [one for one in made if not one.complaints]
    with collector_resting():
        # Cases that claim a refusal may break the game of the others.
        for refused in (True, False):
            for group in _in_parts([one for one in sound if one.case.refused is refused]):
                _compile(content, group, is_last)
    return {key(one.case): one for one in made}


def _in_parts(brought: Group) -> list[Group]:
    parts = -(-sum(len(one.items) for one in brought) // MOST_TOGETHER) or 1
    size = -(-len(brought) // parts) or 1
    return [brought[at : at + size] for at in range(0, len(brought), size)]


def key(case: Case) -> str:
    """The key of a case, unique in a run."""
    return f"{case.path}:{case.line}:{case.id}"


class _Reader:
    """A reader of the things and effect texts of cases."""

    def __init__(self, content: Content, symbols: Symbols) -> None:
        self.content = content
        self.symbols, self.kinds = symbols, symbols.kinds
        self.store = content.schemas
        self.taken = taken_by(symbols)

    def read(self, mark: str, case: Case) -> Made:
        """The items of one case, or its complaints."""
        ids = list(entries_of(case.things))
        clash = next((id for id in ids if self.taken & {id, folded(id)}), None)
        if clash is not None:
            return Made(case, mark, {}, (), (f"`{clash}` {TAKEN}: {CALL_IT}",))
        report = Report()
        pack = self.content.pack_of(case.path)
        items = [] if case.things is None else list(self._items(case.things, mark, pack, report))
        things = {unmarked(item.name): self.kinds[item.kind] for item in items}
        errors = (one for one in report.diagnostics() if one.severity == "error")
        complaints = tuple(unmarked(one.message) for one in errors)
        made = Made(case, mark, things, tuple(items), complaints)
        made.items += tuple(self._steps(made, ids, pack))
        return made

    def _items(self, things: YamlNode, mark: str, pack: str, report: Report) -> Iterator[Item]:
        text = _with_marks(_written(things), [*things.entries], mark)
        for root in items_in(text, f"{things.source.path}#{mark.strip('_')}"):
            for id, node in root.entries.items():
                thing = read_thing(id, unmarked(id), node, self.kinds, self.store, report)
                if thing is not None:
                    yield _item(thing[0], id, pack, thing[1])

    def _steps(self, made: Made, ids: Sequence[str], pack: str) -> Iterator[Item]:
        """The effect texts of a case as powers; the last also computes the values of `odds`."""
        case, mark = made.case, made.mark
        made_in_play = made_in(self.symbols, case.given.get("made"))
        flows = {item.name for item in self.content.by_kind("flow")}
        texts = [(node.text or "").rstrip("\n") for node in case.texts]
        sought = enumerate(case.then.get("odds") or (), 1)
        odds = [f"\nlet {SOUGHT}{number} = {' '.join(str(one).split())}" for number, one in sought]
        for step, (node, text) in enumerate(zip(case.texts, texts, strict=True), 1):
            if text.strip() in flows:
                continue
            if step == len(texts):
                text += "".join(odds)
            # The text is placed on the line that it has in the case's file.
            line = node.place.line - (node.style not in BLOCKS)
            lines = "".join(f"  {one}\n" for one in _with_marks(text, ids, mark).split("\n"))
            name = f"step{step}{mark}"
            fields = f"effect: |\n{lines}kind: power\nid: {name}\ngloss: step\n"
            named = named_in(text, made_in_play, self.symbols)
            if named:
                takes = ", ".join(f"{one}: {of}" for one, (of, _) in named.items())
                fields += f'takes: "{takes}"\n'
            for root in items_in("\n" * (line - 1) + fields, f"{case.path}{STEP}{step}{mark}"):
                item = _item("power", name, pack, root)
                made.named[item.id] = named
                yield item


def _item(kind: str, id: str, pack: str, node: YamlNode) -> Item:
    return Item(kind, id, pack, node.entries, node.entries["id"].place, node, node.source)


def _written(things: YamlNode) -> str:
    """The YAML text of a case's things, those inherited from a similar case included."""
    if all(things.start <= node.start < things.end for node in things.entries.values()):
        return _dedented(things)
    return "".join(
        f"{name}:\n{indent(_dedented(node), '  ')}\n" for name, node in things.entries.items()
    )


def _dedented(node: YamlNode) -> str:
    return dedent(" " * (node.place.column - 1) + node.raw)


def _with_marks(text: str, ids: Sequence[str], mark: str) -> str:
    """The text with a mark appended to each name of the case's things."""
    wanted = {folded(id) for id in ids}
    return WORD.sub(lambda found: found[0] + (mark if folded(found[0]) in wanted else ""), text)


def _compile(content: Content, brought: Group, is_last: bool) -> None:
    """Set each case's program, shared with as many others as possible, or its complaints."""
    if not brought:
        return
    program, errors = _built(content, brought, is_last)
    if program is not None or len(brought) == 1:
        for one in brought:
            one.program = program
            one.complaints = tuple(map(_complaint, errors)) if program is None else ()
        return
    own = [found for found in errors if found.code not in BY_OTHERS]
    rest = []
    for one in brought:
        told, wanted = tuple(map(_complaint, filter(one.holds, own))), one.case.then.get("refused")
        if not told:
            rest.append(one)
        elif wanted is not None and all(any(x in by for by in told) for x in as_list(wanted)):
            one.complaints = told
        else:
            _compile(content, [one], is_last)
    # Where no single case is to blame, the group is too large.
    half = len(rest) if len(rest) < len(brought) else len(rest) // 2
    _compile(content, rest[:half], is_last)
    _compile(content, rest[half:], is_last)


def _built(
    content: Content, brought: Group, is_last: bool
) -> tuple[Program | None, list[Diagnostic]]:
    """The program compiled with these cases' items, or None, and the errors."""
    report = Report()
    reasons = any(one.case.texts for one in brought)  # also for steps that only name a flow
    whole = _together(content, brought)
    # Only checking needs the reading of printed texts; the comparison is kept for the next check.
    program = program_of(whole, report, reasons, compare=not is_last)
    return program, [one for one in report.diagnostics() if one.severity == "error"]


def _complaint(found: Diagnostic) -> str:
    place = f"line {found.place.line}: " if STEP in found.place.path else ""
    meant = f": {found.help}" if isinstance(found.help, Suggestion) else ""
    return place + unmarked(found.message + meant)


def _together(content: Content, brought: Group) -> Content:
    items = [item for one in brought for item in one.items]
    sources, files = dict(content.sources), dict(content.files)
    # A case in no pack sees the items of all.
    own = content.files.keys() - content.loose
    astray = (one for one in brought if one.case.path not in own)
    loose = content.loose.union(item.source.path for one in astray for item in one.items)
    for item in items:
        path = item.source.path
        sources[path] = item.source
        files[path] = (item.pack, path.partition("#")[0] if STEP in path else path)
    return replace(
        content, items=(*content.items, *items), sources=sources, files=files, loose=loose
    )


ALL = "all "
# The fields of a program that contain rules.
RULES = (
    *("operations", "functions", "stats", "routines", "triggers", "always", "requirements"),
    *("replacements", "scope"),
)


def keep_apart(made: Iterable[Made]) -> None:
    """Give cases programs in which each has only its own things."""
    programs: dict[int, Program] = {}
    for one in made:
        if one.program is not None:
            if id(one.program) not in programs:
                programs[id(one.program)] = with_own_lists(one.program)
            one.program = programs[id(one.program)]


def with_own_lists(program: Program) -> Program:
    """The program with each list of all things of a kind turned into a game variable.

    Only kinds that cases have added things to are changed.
    """
    brought = {
        one.name: len(one.names)
        for one in program.entities
        if any(MARK.search(name) for name in one.names)
    }
    if not brought:
        return program
    changed = {part: _rewritten(getattr(program, part), frozenset(brought)) for part in RULES}
    lists = (
        ScopeVariable(
            ALL + name, str(list_of(Type(name))), "game", tuple(range(count)), shown=False
        )
        for name, count in brought.items()
    )
    return replace(program, **changed | {"scope": (*changed["scope"], *lists)})


def own_scope(linked: Linked, mark: str) -> tuple[Any, ...]:
    """The initial game variables of one case."""
    scope = list(linked.initial_scope)
    for name, index in linked.scope_index.items():
        if name.startswith(ALL):
            scope[index] = _own(linked.layout.names[name.removeprefix(ALL)], mark)
    return tuple(scope)


def own_piles(linked: Linked, world: World, mark: str) -> World:
    """The initial world of one case: each pile that starts full holds the things of the game and the case."""
    columns = list(world)
    for zone in linked.program.zones:
        if zone.lazy and (names := linked.layout.names.get(zone.of)):
            columns[linked.layout.index[zone.name]] = _own(names, mark)
    return tuple(columns)


def _own(names: tuple[str, ...], mark: str) -> tuple[int, ...]:
    of_the_game, of_cases = _by_mark(names)
    own = of_cases.get(mark, ())
    return tuple(sorted((*of_the_game, *own))) if own else of_the_game


@lru_cache(maxsize=256)
def _by_mark(names: tuple[str, ...]) -> tuple[tuple[int, ...], Mapping[str, tuple[int, ...]]]:
    """The numbers of the game's own things, and those of each case by its mark."""
    of_the_game: list[int] = []
    of_cases = defaultdict[str, list[int]](list)
    for number, name in enumerate(names):
        found = MARK.search(name.partition(".")[0])  # a part belongs to the owner of its whole
        (of_the_game if found is None else of_cases[found[0]]).append(number)
    return tuple(of_the_game), {mark: tuple(numbers) for mark, numbers in of_cases.items()}


def _rewritten(part: Any, brought: frozenset[str]) -> Any:
    """The part with its expressions rewritten; the same object if nothing changes."""
    if type(part) is tuple:
        return _tuple_rewritten(part, brought)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    values = {one.name: getattr(part, one.name) for one in fields(part)}
    new = {name: _rewritten(value, brought) for name, value in values.items()}
    changed = {name: value for name, value in new.items() if value is not values[name]}
    return replace(part, **changed) if changed else part


def _tuple_rewritten(part: tuple[Any, ...], brought: frozenset[str]) -> tuple[Any, ...]:
    match part:
        case ("records", name) if name in brought:
            return ("scope", ALL + name)
        case ("value", _):
            return part
    parts = tuple([_rewritten(one, brought) for one in part])
    return part if all(map(is_, part, parts)) else parts
