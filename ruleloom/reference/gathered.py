"""The material of all pages of a site, gathered once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from ruleloom.compiler.analysis.texts import Node, nodes_of
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.reference.anchors import item_link
from ruleloom.reference.case_files import CaseEntry, CaseFile, case_files
from ruleloom.reference.names import KnownNames, Piece
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Origin, Program
from ruleloom.scenarios.setup.things import names_of

# What stands before an ability in the line of an item.
LEAD = re.compile(r"^\s*(?:abilities:\s*)?")
LONGEST_LINE = 120


@dataclass(frozen=True, slots=True)
class Mention:
    """Something to go to, as people call it."""

    text: str
    href: str = ""


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
    def users(self) -> Mapping[str, Sequence[Mention]]:
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

    def mention(self, id: str) -> Mention:
        """The link to an item, or the name of one that is not there."""
        item = self.items.get(id)
        return Mention(id) if item is None else Mention(title_of(item), item_link(id))

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
    def items_of_clause(self) -> Mapping[str, list[Mention]]:
        """The items that carry out a clause."""
        found: dict[str, list[Mention]] = defaultdict(list)
        for id, item in self.items.items():
            for clause in clauses_of(item):
                found[clause].append(self.mention(id))
        return found

    @cached_property
    def done_by(self) -> Mapping[str, list[Mention]]:
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
    def answered_by(self) -> Mapping[str, list[Mention]]:
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

    def links(self, ids: Iterable[str]) -> list[Mention]:
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
