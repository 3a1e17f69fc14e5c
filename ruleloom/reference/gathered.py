"""All that the pages of a site are made of, gathered once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.reference.anchors import item_link
from ruleloom.reference.case_files import CaseEntry, CaseFile, case_files
from ruleloom.reference.hooks import Node, nodes_of
from ruleloom.reference.names import KnownNames, Piece
from ruleloom.runtime.program.program import Announce, Operate, Program
from ruleloom.scenarios.setup.things import names_of


@dataclass(frozen=True, slots=True)
class Mention:
    """Something to go to, as people call it."""

    text: str
    href: str = ""


class Gathered:
    """A game and the packs on top of it, with what was found out about their items."""

    def __init__(self, content: Content, program: Program) -> None:
        self.content, self.program = content, program
        self.symbols: Symbols = names_of(content)
        self.names = KnownNames(content, self.symbols, program)
        self.texts = dict(program.texts)
        self.cards = dict(program.cards)
        self.nodes: list[Node] = list(nodes_of(content))
        self.files: list[CaseFile] = list(case_files(content, self.names))

    @property
    def items(self) -> Mapping[str, Item]:
        """The items that the site shows, by id."""
        return self.names.items

    def link(self, id: str) -> Mention:
        """The link to an item, or the name of one that is not there."""
        item = self.items.get(id)
        return Mention(id) if item is None else Mention(title_of(item), item_link(id))

    @cached_property
    def cases_of(self) -> Mapping[str, list[CaseEntry]]:
        """The cases that name what a link leads to."""
        found: dict[str, list[CaseEntry]] = defaultdict(list)
        for file in self.files:
            for case in file.cases:
                for href in {piece.href for piece in case.text if piece.href}:
                    found[href].append(case)
        return found

    @cached_property
    def cases_of_clause(self) -> Mapping[str, list[CaseEntry]]:
        """The cases that prove a clause."""
        found: dict[str, list[CaseEntry]] = defaultdict(list)
        for file in self.files:
            for case in file.cases:
                for clause in dict.fromkeys(case.case.clauses):
                    found[clause].append(case)
        return found

    @cached_property
    def items_of_clause(self) -> Mapping[str, list[Mention]]:
        """The items that carry out a clause."""
        found: dict[str, list[Mention]] = defaultdict(list)
        for id, item in self.items.items():
            for clause in clauses_of(item):
                found[clause].append(self.link(id))
        return found

    @cached_property
    def done_by(self) -> Mapping[str, list[Mention]]:
        """The items whose texts carry out an operation, or announce a moment."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for routine in self.program.routines:
            for row in routine.rows:
                name = (
                    row.operation
                    if isinstance(row, Operate)
                    else row.event
                    if isinstance(row, Announce)
                    else ""
                )
                if name:
                    found[name][routine.id.partition("#")[0]] = None
        return {name: self.links(ids) for name, ids in found.items()}

    @cached_property
    def answered_by(self) -> Mapping[str, list[Mention]]:
        """The items that answer an event, or replace it."""
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for trigger in self.program.triggers:
            found[trigger.event][trigger.id.partition("#")[0]] = None
        for instead in self.program.replacements:
            found[instead.operation][instead.routine.partition("#")[0]] = None
        return {name: self.links(ids) for name, ids in found.items()}

    def links(self, ids: Iterable[str]) -> list[Mention]:
        """The links to those items that the site shows."""
        return [self.link(id) for id in ids if id in self.items]


def title_of(item: Item) -> str:
    """What people call an item: its title, or its name as effect text writes it."""
    return str(item.data("title") or item.name)


def clauses_of(item: Item) -> list[str]:
    """The clauses that an item carries out."""
    listed, one = item.data("clauses"), item.data("clause")
    found = [*(listed if isinstance(listed, list) else []), *([one] if one else [])]
    return [str(clause) for clause in found]


def hrefs_of(pieces: Iterable[Piece]) -> set[str]:
    """Where pieces of text lead."""
    return {piece.href for piece in pieces if piece.href}
