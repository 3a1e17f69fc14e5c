"""The rulebook: a game as one document, in teaching order, with an index at the end.

Actions come first, in the order of the flows, then rules and terms, tables, the items by kind, and
variants. Each power is described once, below its only user or else where a reader first meets it; large
groups of powers become chapters, unless the packs have planned the chapters. Everything comes from the
compiled game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from ruleloom.api.version import VERSION_LINE, VERSIONS
from ruleloom.compiler.analysis.game_texts import GameTexts, kinds_that_do, players_text, title_of
from ruleloom.compiler.packs.content import Content, slug_of
from ruleloom.compiler.pipeline import collector_resting, named_in
from ruleloom.reference.reference_pages import page
from ruleloom.reference.rulebook import definitions
from ruleloom.reference.rulebook.document import (
    Block,
    BookSpot,
    Document,
    Part,
    Prose,
    index_of,
    spots_of,
)
from ruleloom.reference.rulebook.translated import Translator
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.language import ENGLISH, Language
from ruleloom.runtime.program.program import Program

Uses = Mapping[str, Sequence[str]]


class Tree(NamedTuple):
    """A dominator tree of uses, in the order of first use.

    `first_user` is the node that first uses each node in a depth-first walk from the root.
    """

    order: tuple[str, ...]
    children: Mapping[str, tuple[str, ...]]
    first_user: Mapping[str, str]


def tree_of(uses: Uses, root: str) -> Tree:
    """The dominator tree of `uses`."""
    first_user: dict[str, str] = {}
    left: list[str] = []  # in postorder

    def visit(node: str) -> None:
        for used in uses.get(node, ()):
            if used not in first_user and used != root:
                first_user[used] = node
                visit(used)
        left.append(node)

    visit(root)
    order = (root, *first_user)
    users: dict[str, list[str]] = {node: [] for node in order}
    for node in order:
        for used in uses.get(node, ()):
            users[used].append(node)
    above = _dominators(left[::-1], users)
    children: dict[str, list[str]] = {node: [] for node in order}
    for node in first_user:
        children[above[node]].append(node)
    return Tree(order, {node: tuple(found) for node, found in children.items()}, first_user)


def _dominators(order: Sequence[str], users: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Each node's immediate dominator: the nearest on all paths from the root.

    In `order` each precedes what it uses, except in cycles.
    """
    # All dominators, from the root to the node itself.
    ways: dict[str, tuple[str, ...]] = {order[0]: (order[0],)}
    changed = True
    while changed:
        changed = False
        for node in order[1:]:
            first, *others = (ways[user] for user in users[node] if user in ways)
            way = (*(one for one in first if all(one in other for other in others)), node)
            changed = changed or ways.get(node) != way
            ways[node] = way
    return {node: way[-2] for node, way in ways.items() if len(way) > 1}


class PlannedChapter(NamedTuple):
    """A chapter planned by a pack; `begins` is the flow or power whose steps open it, or empty, and
    `tells` are the items with a section in it."""

    name: str
    title: str
    about: str
    begins: str
    tells: Sequence[str]


# The kinds of actions, which may have a chapter.
ACTING = ("flow", "power", "fusion")


def planned_by(content: Content) -> tuple[Sequence[PlannedChapter], Mapping[str, str]]:
    """The chapters planned by all packs, in order, and their section headings by item id."""
    ids = {item.slug: item.id for kind in reversed(ACTING) for item in content.by_kind(kind)}
    chapters: list[PlannedChapter] = []
    headings: dict[str, str] = {}
    for pack in content.packs:
        plan: Mapping[str, Any] = pack.manifest.data("rulebook") or {}
        for name, text in (plan.get("headings") or {}).items():
            if slug_of(name) in ids:
                headings[ids[slug_of(name)]] = str(text)
        for one in plan.get("chapters") or ():
            tells = dict.fromkeys(map(slug_of, one.get("tells") or ()))
            begins = ids.get(slug_of(one.get("begins") or ""), "")
            about = " ".join(str(one.get("about") or "").split())
            told = [ids[name] for name in tells if name in ids]
            name = f"chapter {len(chapters)}"
            chapters.append(PlannedChapter(name, str(one["title"]), about, begins, told))
    return chapters, headings


ROOT = "the whole game"
ITEMS = "what items do"
# The kinds of items that act without being used.
ACTING_ALONE = ("trigger", "standing", "lasting")
# The number of powers in a subtree above which its root becomes a chapter.
LARGE = 9


@dataclass(slots=True)
class BookChapter:
    """A chapter: `head` is a flow or power, the name of a planned chapter, or `ITEMS`."""

    head: str
    plan: PlannedChapter | None = None
    placed: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = field(default_factory=dict)
    """The items with a section: the sort key of each, and the items it alone uses below."""

    @property
    def begins(self) -> str:
        """The flow or power whose steps open it."""
        return self.plan.begins if self.plan is not None else self.head

    @property
    def sections(self) -> list[tuple[str, tuple[str, ...]]]:
        """The ids with a section, in order, each with those below it."""
        placed = sorted(self.placed.items(), key=lambda one: one[1][0])
        return [(node, below) for node, (_, below) in placed]


class BookPlan(NamedTuple):
    """The chapters in order; `within` has powers that an item alone uses."""

    chapters: Sequence[BookChapter]
    within: Mapping[str, tuple[str, ...]]


def laid_out(texts: GameTexts, planned: Sequence[PlannedChapter]) -> BookPlan:
    """The plan of a game."""
    content = texts.content
    uses: dict[str, Sequence[str]] = {item.id: texts.uses(item) for item in content.items}
    groups = [kind for kind in (*texts.symbols.kinds, *ACTING_ALONE) if content.by_kind(kind)]
    for kind in groups:
        uses[kind] = tuple(item.id for item in content.by_kind(kind))
    for plan in planned:
        uses[plan.name] = tuple(filter(None, (plan.begins, *plan.tells)))
    begun = {plan.begins for plan in planned}
    flows = [item.id for item in content.by_kind("flow") if item.id not in begun]
    flows.sort(key=lambda flow: not flow.endswith("/set_up"))
    uses[ROOT] = (*(plan.name for plan in planned), *flows, *groups)
    return _Placing(texts, planned, uses, groups).layout()


class _Placing:
    """Assigns chapters and sections to all nodes."""

    def __init__(
        self,
        texts: GameTexts,
        planned: Sequence[PlannedChapter],
        uses: Uses,
        groups: Sequence[str],
    ) -> None:
        self.texts, self.groups = texts, groups
        self.tree: Tree = tree_of(uses, ROOT)
        below = self.tree.children.items()
        self.above = {child: node for node, children in below for child in children}
        self.items = {id for group in groups for id in uses[group]}
        self.listed = {id: plan for plan in planned for id in plan.tells}
        plans = {plan.name: plan for plan in planned}
        heads = (head for head in uses[ROOT] if head not in groups)
        self.chapters = {head: BookChapter(head, plans.get(head)) for head in heads}
        if not planned:
            self._add_large()
        self.begun = {plan.begins: plan.name for plan in planned if plan.begins}
        # A node directly below any of these gets its own section.
        self.shared = {ROOT, *self.chapters, *groups, *self.begun}
        self.chapters[ITEMS] = BookChapter(ITEMS)
        # The chapter and section of each node.
        self.home: dict[str, tuple[str, str]] = {}

    def _add_large(self) -> None:
        """Add the chapters of powers with large subtrees, in tree order."""
        large = {*self._large()}
        self.chapters |= {id: BookChapter(id) for id in self.tree.order if id in large}

    def _large(self) -> Iterator[str]:
        """The powers that become chapters, innermost first."""
        left = dict.fromkeys(self.tree.order, 1)
        for node in reversed(self.tree.order[1:]):
            above = self.above[node]
            if left[node] > LARGE and self._may_begin(node, above):
                yield node
            else:
                left[above] += left[node]

    def _may_begin(self, node: str, above: str) -> bool:
        """May this node have its own chapter?"""
        taken = node in self.chapters or node in self.groups or {node, above} & self.items
        return not taken and self.texts.has_steps(node)

    def layout(self) -> BookPlan:
        """The plan, with its chapters in order, that of items last."""
        within: dict[str, tuple[str, ...]] = {}
        for number, node in enumerate(self.tree.order[1:]):
            self._settle(node, number)
            if node in self.items and node not in self.chapters:
                within[node] = tuple(self._told_below(node))
        chapters = [one for one in self.chapters.values() if one.head != ITEMS or one.placed]
        return BookPlan(chapters, within)

    def _settle(self, node: str, number: int) -> None:
        """Assign a node to a chapter and a section."""
        above = self.above[node]
        if node in self.chapters:
            self.home[node] = node, ""
        elif node in self.items or node in self.groups:
            self.home[node] = ITEMS, ""
        elif node in self.begun:
            self.home[node] = self.begun[node], ""
        elif node in self.listed or above in self.shared:
            self._place(node, number)
        else:
            self.home[node] = self.home[above]

    def _place(self, node: str, number: int) -> None:
        """Add the section of a node: at its planned place, else after that of its first user."""
        order: tuple[int, ...]
        plan = self.listed.get(node)
        if plan is not None:
            home, order = self.chapters[plan.name], (plan.tells.index(node),)
        else:
            head, user = self.home[self.tree.first_user[node]]
            home = self.chapters[head]
            last = len(home.plan.tells) if home.plan is not None else 0
            order = (last + number,)
            if user in home.placed:
                order = (*home.placed[user][0], number)
        self.home[node] = home.head, node
        below = tuple(self._told_below(node))
        if self.texts.has_steps(node):
            home.placed[node] = order, below
        else:
            home.placed |= {one: ((*order, place), ()) for place, one in enumerate(below)}

    def _told_below(self, node: str) -> Iterator[str]:
        for child in self.tree.children[node]:
            if child not in self.chapters and child not in self.listed:
                if self.texts.has_steps(child):
                    yield child
                yield from self._told_below(child)


FLOWS = {"set_up": "Setting up", "turn": "What happens in turn"}


class TextPiece(NamedTuple):
    """A segment of text, and the spot to refer to after it, if any."""

    text: str
    place: BookSpot | None


@collector_resting()
def rulebook(content: Content, program: Program, language: Language = ENGLISH) -> str:
    """A compiled game's HTML rulebook, for readers of a language."""
    texts, parts = written(content, program)
    if language is not ENGLISH:
        parts = Translator(language).parts(parts)
    spots = tuple(spots_of(parts))
    numbers = {one.anchor: one.number for one in spots if one.said == one.number}
    sources = [f"{texts.pack_title(pack.id)} {pack.version}" for pack in content.packs]
    title = title_of(texts)
    document = Document(title, sources, parts, numbers, index_of(spots, language))
    anchored = {one.anchor: one for one in spots if one.said is not None}

    def pieces(text: str) -> Iterator[TextPiece]:
        for said, id in texts.pieces(text):
            item = texts.items.get(texts.describer(id))
            yield TextPiece(
                said, anchored.get(definitions.anchor_of(item)) if item is not None else None
            )

    made_by = language.said("Made by {tool}", tool=language.said(VERSION_LINE, **VERSIONS))
    return page("rulebook.html", book=document, pieces=pieces, made_by=made_by, language=language)


def written(content: Content, program: Program) -> tuple[GameTexts, tuple[Part, ...]]:
    """The texts of a game, and the parts of its rulebook."""
    planned, headings = planned_by(content)
    texts = GameTexts(content, headings, named_in(content))
    return texts, tuple(_parts(texts, program, laid_out(texts, planned)))


def _parts(texts: GameTexts, program: Program, layout: BookPlan) -> Iterator[Part]:
    known = texts.mentioned(definitions.DEFINED)
    abouts = (pack.manifest.data("about") for pack in texts.content.packs)
    about = [Prose(str(text)) for text in abouts if text]
    players = Prose(players_text(program))
    yield Part("The game", "the-game", (*about, players, *definitions.endings(texts)))
    yield definitions.things_part(texts, program)
    for chapter in layout.chapters:
        yield _chapter(texts, chapter)
    yield from definitions.rules_part(texts, known)
    yield from definitions.terms_part(texts, "stat", "Where the numbers come from", known)
    yield from definitions.terms_part(texts, "measure", "What the words mean", known)
    yield from definitions.tables_part(texts)
    yield from definitions.demands_part(texts)
    for kind in filter(texts.content.by_kind, texts.symbols.kinds):
        items = definitions.catalogue(texts, layout.within, kind)
        yield Part(texts.kind_title(kind), f"all-{kind}", (items,))
    yield from definitions.variants_part(texts)


def _chapter(texts: GameTexts, chapter: BookChapter) -> Part:
    """The part of a planned chapter, of a flow or power, or of the powers of items."""
    sections = tuple(definitions.section(texts, *one) for one in chapter.sections)
    if chapter.head == ITEMS:
        title = f"What {kinds_that_do(texts)} do"
        return Part(title, "what-items-do", (), sections)
    item = texts.items.get(chapter.begins)
    blocks: list[Block] = []
    title, anchor = "", chapter.head.replace(" ", "-")
    if chapter.plan is not None:
        title = chapter.plan.title
        blocks += [Prose(chapter.plan.about)] if chapter.plan.about else []
    if item is not None:
        title = title or FLOWS.get(item.id.rpartition("/")[2], "") or texts.heading(item)
        anchor = definitions.anchor_of(item)
        blocks += definitions.doing(texts, item)
    return Part(title, anchor, tuple(blocks), sections)
