"""The hooks for packs: the rolls, menus, moments, powers and operations of a game."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from textwrap import dedent
from typing import NamedTuple

from ruleloom.compiler.analysis.texts import Node, nodes_of
from ruleloom.compiler.cases.case_model import Case
from ruleloom.compiler.cases.case_reader import cases_in, read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.reference.names import KnownNames, Piece, case_link, item_link, page_of_cases
from ruleloom.runtime.program.program import Origin, Program
from ruleloom.scenarios.setup.things import names_of


class MenuHook(NamedTuple):
    """A menu that ways can join: what it tells of, and the ways that it has."""

    item: Item
    name: str
    told: str
    ways: tuple[str, ...]

    @property
    def called(self) -> str:
        """How the head of the menu reads."""
        return f"{self.name}({self.told})" if self.told else self.name


class RollHook(NamedTuple):
    """A roll that others can answer: a number, or dice by themselves."""

    item: Item
    name: str
    dice: bool
    text: str


def rolls(nodes: Iterable[Node], settings: Mapping[str, object] | None = None) -> list[RollHook]:
    """The rolls of all texts, with their dice as far as these settings tell."""
    found = []
    for one in nodes:
        if isinstance(one.part, ast.RollStmt):
            dice = _dice_text(one.part.dice, settings or {})
            found.append(RollHook(one.item, one.part.name.id, one.part.each, dice))
    return sorted(found, key=lambda roll: (roll.name, roll.item.id))


def _dice_text(dice: ast.DiceLiteral, settings: Mapping[str, object]) -> str:
    """The dice where they are the same in every play; without a number where only that differs."""
    count, sides = _number(dice.count, settings), _number(dice.sides, settings)
    return "" if sides is None else f"{'' if count is None else count}d{sides}"


def _number(said: int | ast.Expr, settings: Mapping[str, object]) -> int | None:
    """A number that is written, or set; None if play tells."""
    value: object = said
    if isinstance(said, ast.NumberLiteral):
        value = said.value
    elif isinstance(said, ast.Name):
        value = settings.get(said.id)
    return value if isinstance(value, int) else None


def menus(nodes: Iterable[Node]) -> list[MenuHook]:
    """The menus of all texts, by how they read."""
    found = []
    for one in nodes:
        if isinstance(one.part, ast.ChooseOneStmt) and one.part.menu is not None:
            told = ", ".join(name.id for name in one.part.menu.told)
            ways = tuple(mode.label.value for mode in one.part.modes)
            found.append(MenuHook(one.item, one.part.menu.name.id, told, ways))
    return sorted(found, key=lambda menu: menu.called)


def open_bounds(moment: Signature) -> list[str]:
    """Within what the open value of a moment is kept."""
    bounds = (("at least", moment.open_least), ("at most", moment.open_most))
    return [f"{word} {bound[1]}" for word, bound in bounds if bound is not None]


# What a case of each shape is called, in the order in which people learn them.
SHAPES = ("steps", "attempt", "odds", "things", "refusal")


class CaseEntry(NamedTuple):
    """One case: what it is, its text with names linked, and where the site shows it."""

    case: Case
    href: str
    text: tuple[Piece, ...]
    raw: str

    @property
    def title(self) -> str:
        """Its title in words: its id is a sentence."""
        return self.case.title or self.case.id.replace("-", " ").replace("_", " ")

    @property
    def shape(self) -> str:
        """Which sort of case it is; empty where no machine can run it."""
        if self.case.steps is None or self.case.fault:
            return ""
        if self.case.then.get("legal") is False:
            return "refusal" if self.case.steps else ""
        if self.case.texts:
            return "odds" if "odds" in self.case.then else "attempt"
        return "steps" if self.case.steps else "things"


class CaseFile(NamedTuple):
    """A file of cases and the page that shows it."""

    pack: str
    path: str
    page: str
    about: str
    cases: tuple[CaseEntry, ...]


def case_files(content: Content, names: KnownNames) -> Iterator[CaseFile]:
    """The files of cases of all packs, in their order."""
    for shown in content.scenarios:
        pack, path = content.files[shown]
        source = content.sources[shown]
        tree = content.cases.get(source.path)  # only of packs that were named
        cases = (read_cases(source, Report(), content) if tree is None else cases_in(tree)) or ()
        lines = source.text.splitlines()
        texts = _texts(lines, [case.line for case in cases])
        entries = (
            CaseEntry(case, case_link(pack, path, case.id), tuple(names.pieces(text)), text)
            for case, text in zip(cases, texts, strict=True)
        )
        yield CaseFile(pack, path, page_of_cases(pack, path), _about(lines), tuple(entries))


def _texts(lines: Sequence[str], starts: Sequence[int]) -> Iterator[str]:
    """The lines of each case, without remarks that stand before the next."""
    for start, end in zip(starts, (*starts[1:], len(lines) + 1), strict=True):
        own = list(lines[start - 1 : end - 1])
        while len(own) > 1 and (not own[-1].strip() or own[-1].lstrip().startswith("#")):
            own.pop()
        yield dedent("\n".join(own))


def _about(lines: Sequence[str]) -> str:
    """The remark at the top of a file."""
    found = []
    for line in lines:
        if not line.startswith("#"):
            break
        found.append(line.lstrip("# ").rstrip())
    return " ".join(found)


# What stands before an ability in the line of an item.
LEAD = re.compile(r"^\s*(?:abilities:\s*)?")
LONGEST_LINE = 120


class Gathered:
    """A game with the packs on top of it: items, names, cases and texts."""

    def __init__(self, content: Content, program: Program) -> None:
        self.content, self.program = content, program
        self.symbols: Symbols = names_of(content)
        self.names = KnownNames(content, self.symbols, program)
        self.texts = dict(program.texts)
        self.cards = dict(program.cards)
        self.nodes: list[Node] = list(nodes_of(content))

    @cached_property
    def files(self) -> Sequence[CaseFile]:
        """The files of cases, in their order."""
        return tuple(case_files(self.content, self.names))

    @cached_property
    def users(self) -> Mapping[str, Sequence[Piece]]:
        """The items whose effects or abilities use a name."""
        ids: dict[str, dict[str, None]] = defaultdict(dict)
        for node in self.nodes:
            if isinstance(node.part, ast.Name):
                ids[node.part.id][node.item.id] = None
        return {name: self.links(found) for name, found in ids.items()}

    @property
    def items(self) -> Mapping[str, Item]:
        """The items that the site shows, by id."""
        return self.names.items

    def mention(self, id: str) -> Piece:
        """The link to an item, or the name of one that is not there."""
        item = self.items.get(id)
        return Piece(id) if item is None else Piece(title_of(item), item_link(id))

    @cached_property
    def cases_of(self) -> Mapping[str, list[CaseEntry]]:
        """The cases by the links of the names in them."""
        return self._cases_by(lambda case: hrefs_of(case.text))

    @cached_property
    def cases_of_clause(self) -> Mapping[str, list[CaseEntry]]:
        """The cases that prove a clause."""
        return self._cases_by(lambda case: set(case.case.clauses))

    def _cases_by(self, names: Callable[[CaseEntry], set[str]]) -> Mapping[str, list[CaseEntry]]:
        """The cases of all files by each of their names."""
        found: dict[str, list[CaseEntry]] = defaultdict(list)
        for case in (case for file in self.files for case in file.cases):
            for name in names(case):
                found[name].append(case)
        return found

    @cached_property
    def items_of_clause(self) -> Mapping[str, list[Piece]]:
        """The items that carry out a clause."""
        found: dict[str, list[Piece]] = defaultdict(list)
        for id, item in self.items.items():
            for clause in clauses_of(item):
                found[clause].append(self.mention(id))
        return found

    @cached_property
    def done_by(self) -> Mapping[str, list[Piece]]:
        """The items whose texts carry out an operation, or announce a moment.

        A program has no row for a moment that nothing answers, so the texts are read.
        """
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for node in self.nodes:
            if isinstance(node.part, ast.CallExpr) and node.part.name.id in self.symbols.operations:
                found[node.part.name.id][node.item.id] = None
        answers = {name: {one.href for one in many} for name, many in self.answered_by.items()}
        return {
            name: [one for one in self.links(ids) if one.href not in answers.get(name, ())]
            for name, ids in found.items()
        }

    @cached_property
    def answered_by(self) -> Mapping[str, list[Piece]]:
        """The items that answer an event, or replace it."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for trigger in self.program.triggers:
            found[trigger.event][trigger.id.partition("#")[0]] = None
        for instead in self.program.replacements:
            found[instead.operation][instead.routine.partition("#")[0]] = None
        return {name: self.links(ids) for name, ids in found.items()}

    def line_at(self, origin: Origin) -> str:
        """The line that stands at a place, without what only frames it in YAML."""
        shown = self._files.get((origin.pack, origin.path), "")
        lines = self.content.sources[shown].text.splitlines() if shown else []
        line = lines[origin.line - 1] if origin.line <= len(lines) else ""
        short = LEAD.sub("", line[origin.column - 1 :] if line.startswith("- {") else line)
        return short if len(short) <= LONGEST_LINE else f"{short[: LONGEST_LINE - 3]}..."

    @cached_property
    def _files(self) -> Mapping[tuple[str, str], str]:
        """By pack and path, how files are shown."""
        return {place: shown for shown, place in self.content.files.items()}

    def links(self, ids: Iterable[str]) -> list[Piece]:
        """The links to those items that the site shows."""
        return [self.mention(id) for id in ids if id in self.items]


def title_of(item: Item) -> str:
    """The title of an item, or else its name as effect text writes it."""
    return str(item.data("title") or item.name)


def clauses_of(item: Item) -> list[str]:
    """The clauses that an item carries out."""
    listed, one = item.data("clauses"), item.data("clause")
    found = [*(listed if isinstance(listed, list) else []), *([one] if one else [])]
    return [str(clause) for clause in found]


def hrefs_of(pieces: Iterable[Piece]) -> set[str]:
    """The links of pieces of text."""
    return {piece.href for piece in pieces if piece.href}
