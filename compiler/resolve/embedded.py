"""Texts inside items, each with its place in the file, and the meanings of their names.

An item's field gives a `Passage` or, after an error, None. `parsed` runs a parser over a passage,
reports syntax errors, and replaces old names by new ones, with a notice, unless the text itself
declares the old name. The meaning of each name is noted by the checker, by span, only if `NameUses.on`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.apart import full_words
from ruleloom.compiler.packs.content import BETWEEN, Begun, Content, Item, start_of
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, THIS
from ruleloom.compiler.packs.settings import OPEN_TO_OWN, notice, own_words
from ruleloom.compiler.query.lookups import Lookups
from ruleloom.compiler.source.file import Place, Remade
from ruleloom.compiler.syntax import ast, tree
from ruleloom.compiler.syntax.ast import Name, Span
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_event
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.program import Origin

T = TypeVar("T")
Old = tuple[Span, str, Item]
"""An old name, with its span, and the item that it refers to."""
LOCAL, ITEM, THING, SETTING, LABEL = "local", "item", "thing", "setting", "label"
GIVEN = "given"
"""The table of the values that calls hand over, by the kind and name of the callee and the parameter."""
BEARERS = (SELF, THIS, OWNER_NAME)


class Passage(Frozen, Remade):
    """A text of an author, with its place in the file."""

    written: EffectText
    content: Content

    @property
    def parts(self) -> tuple[object, ...]:
        """The places of its lines."""
        return self.written.source, self.written.source_starts

    @property
    def text(self) -> str:
        """The text itself."""
        return self.written.text

    @property
    def path(self) -> str:
        """The path of the item's file, as shown to its author; patches may have lines in it."""
        return self.written.source.path

    def place(self, span: Span) -> Place:
        """The place of a span of the text in the file."""
        return self.written.place_of(span)

    def origin(self, span: Span) -> Origin:
        """The start of a span, as stored in a program row."""
        shown, line, column = self.written.beginning(span[0])
        return Origin(*self.content.files[shown], line, column)

    def words(self, span: Span) -> str:
        """The source text of a span on one line, cut to 60 characters."""
        text = " ".join(self.text[span[0] : span[1]].split())
        return text if len(text) <= 60 else f"{text[:57]}..."


def passage_at(content: Content, node: YamlNode, report: Report) -> Passage | None:
    """The text at a node of the YAML tree; None after an error."""
    written = effect_text(node.source, node, report)
    return None if written is None else Passage(written, content)


def read_text(
    content: Content, node: YamlNode | None, parse: Callable[[str], T], report: Report
) -> tuple[Passage, T] | None:
    """The text at a node and its syntax tree; None without a node, or after an error."""
    text = passage_at(content, node, report) if node is not None else None
    owner = content.owners.get(id(node))
    found = parsed(text, parse, report, owner) if text is not None else None
    return (text, found) if text is not None and found is not None else None


def parsed(
    passage: Passage, parse: Callable[[str], T], report: Report, owner: Item | None = None
) -> T | None:
    """The syntax tree of a passage of an item; None after a syntax error, or a name that may mean several."""
    try:
        found = parse(passage.text)
    except EffectSyntaxError as error:
        report.error(error.code, passage.place(error.span), error.message, error.help)
        return None
    if passage.content.later:
        found = _begun(found, passage)
    words = passage.content.words_at(passage.path)
    spoken = {key: item for key, item in words.items() if key[1].split()[-1] in passage.text}
    if BETWEEN in passage.text:
        spoken |= full_words(passage.text, passage.content.items)
    if not spoken:
        return found
    own = own_words(owner) if owner is not None else ()
    role = tree.EVENT if parse is parse_event else tree.VALUE
    found, old = with_new_names(found, spoken, own, role)
    for span, word, item in old:
        notice(report, passage.place(span), word, item, item.slug)
    return None if any(item.rivals for _, _, item in old) else found


def _begun(node: Any, passage: Passage) -> Any:
    """The tree with each delayed statement replaced by a `begin` of its effect."""
    if isinstance(node, ast.LaterStmt):
        begun = passage.content.later.get(start_of(passage.place(node.span)))
        return node if begun is None else _beginning(node, begun)
    return tree.rebuilt(node, lambda one, _: _begun(one, passage))


def _beginning(node: ast.LaterStmt, begun: Begun) -> ast.BeginStmt:
    spans = tree.names_spoken((node.where, node.label, node.body))
    head = node.event.span

    def named(name: str) -> ast.Name:
        return ast.Name(spans.get(name, head), name)

    args = tuple(ast.Arg(named(name).span, name, named(name)) for name in begun.values)
    on = named(SELF) if begun.on_self else None
    times = node.times or ast.NumberLiteral(head, 1)
    owner = named(OWNER_NAME) if begun.by_owner else None
    return ast.BeginStmt(node.span, ast.Name(head, begun.name), args, on, times, owner, None)


def with_new_names(
    node: T, words: Mapping[tuple[str, str], Item], own: Collection[str], role: str = tree.VALUE
) -> tuple[T, list[Old]]:
    """A tree with old names replaced by new ones, and the old ones. `own` are the text's variables."""
    given, found = {*own, *(name.id for name in tree.names_given(node, role))}, list[Old]()

    def meant(word: str, role: str) -> Item | None:
        """The item with this word as its old name in a role."""
        return None if role in OPEN_TO_OWN and word in given else words.get((role, word))

    def renamed(node: Any, role: str = tree.VALUE) -> Any:
        match node:
            case ast.Name():
                if (item := meant(node.id, role)) is None:
                    return node
                word, span = tree.event_word(node)
                found.append((span, word, item))
                return ast.Name(node.span, f"{node.id[: len(node.id) - len(word)]}{item.slug}")
            case ast.TextLiteral(value=value):
                for hole in tree.holes(node):
                    if (item := meant(hole.id, tree.VALUE)) is not None:
                        found.append((hole.span, hole.id, item))
                        value = tree.renamed_in_holes(value, hole.id, item.slug)
                same = value == node.value
                return node if same else ast.TextLiteral(node.span, value, node.value)
            case ast.CallExpr():
                is_event = role in (tree.EVENT, tree.REPLACED)
                args = node.args if is_event else renamed(node.args)
                return ast.CallExpr(node.span, renamed(node.name, role), args)
            case tuple():
                return tuple(renamed(one, role) for one in node)
        roles = tree.roles_of(type(node))
        return tree.rebuilt(node, lambda one, field: renamed(one, roles.get(field, tree.VALUE)))

    return renamed(node, role), found


@dataclass(frozen=True, slots=True, order=True)
class Meaning:
    """The meaning of a name: an item by its id, a word of a vocabulary, or a variable of one item.

    The checker knows a thing by its entity and number, a setting by its name, and the label of an
    argument by its callee; each belongs to an item.
    """

    table: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class NameUse:
    """A use of a name in a text, or of a field that is a name; `word` is its sort, for authors."""

    passage: Passage | YamlNode
    span: Span
    meaning: Meaning
    word: str
    declares: bool

    @property
    def place(self) -> Place:
        """Its place."""
        if isinstance(self.passage, Passage):
            return self.passage.place(self.span)
        return self.passage.inner_place


class NameUses:
    """All name uses of one build; each is also a mark, kept with a reused text."""

    __slots__ = ("found", "lookups", "name", "on")

    def __init__(self, on: bool = False) -> None:
        self.on = on
        self.found: dict[NameUse, None] = {}
        self.lookups: Lookups | None = None
        self.name = ""

    def __iter__(self) -> Iterator[NameUse]:
        return iter(self.found)

    def watched(self, name: str, lookups: Lookups) -> None:
        """Record uses as marks from now on."""
        self.name, self.lookups = name, lookups

    def add(self, use: NameUse) -> None:
        """Add a use."""
        self.found[use] = None
        if self.lookups is not None and self.lookups.keys is not None:
            self.lookups.marks[self.name, use] = None

    def note(
        self, passage: Passage, span: Span, meaning: Meaning, word: str = "", declares: bool = False
    ) -> None:
        """Note the meaning of a span of a text, if uses are recorded."""
        if self.on and span[0] < span[1]:
            self.add(NameUse(passage, span, meaning, word or meaning.table, declares))

    def note_value(self, node: YamlNode, meaning: Meaning, word: str) -> None:
        """Note the meaning of a field that is a name."""
        if self.on:
            self.add(NameUse(node, (0, 0), meaning, word, False))

    def note_local(self, passage: Passage, name: Name, declares: bool = False) -> None:
        """Note a use of a local variable of an item."""
        if self.on and name.id.isidentifier() and name.id not in BEARERS:
            self.note(passage, name.span, Meaning(LOCAL, name.id), "local variable", declares)


def meaning_of(id: str, name: str, kind: str) -> Meaning:
    """The meaning of an id: an item, or a word of a vocabulary."""
    if ":" in id:
        return Meaning(ITEM, id)
    return Meaning("operation" if kind in ("operation", "moment") else "query", name)
