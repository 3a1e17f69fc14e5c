"""Texts inside items: each effect, expression or type with a way back to its place in the file.

In goes an item's field; out comes a `Passage` or, after a complaint, None. `parsed` runs one of the
parsers of `ruleloom.compiler.syntax.parser` over a passage, reports its refusal, and puts new names
for old ones, with a notice, unless the text itself gives the old name to something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Begun, Content, Item, start_of
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF
from ruleloom.compiler.packs.renames import notice
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.source.memo import Remade
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Span
from ruleloom.compiler.syntax.parts import holes
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.source_map import EffectText, effect_text
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Origin

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Passage(Remade):
    """A text an author wrote in one place, and where that is."""

    written: EffectText
    content: Content

    @property
    def parts(self) -> tuple[object, ...]:
        """Where its lines stand."""
        return self.written.source, self.written.source_starts

    @property
    def text(self) -> str:
        """The text itself."""
        return self.written.text

    @property
    def path(self) -> str:
        """The file the item stands in, as its author is shown it; patches may have lines in it."""
        return self.written.source.path

    def place(self, span: Span) -> Place:
        """Where a stretch of the text stands in the file."""
        return self.written.place_of(span)

    def origin(self, span: Span) -> Origin:
        """Where the stretch begins, as a program row keeps it."""
        shown, line, column = self.written.beginning(span[0])
        return Origin(*self.content.files[shown], line, column)

    def words(self, span: Span) -> str:
        """What the author wrote there, on one line and not too long to be quoted."""
        text = " ".join(self.text[span[0] : span[1]].split())
        return text if len(text) <= 60 else f"{text[:57]}..."


def passage_at(content: Content, node: YamlNode, report: Report) -> Passage | None:
    """The text at a node of the YAML tree, or None after a complaint."""
    written = effect_text(node.source, node, report)
    return None if written is None else Passage(written, content)


def read_text(
    content: Content, node: YamlNode | None, parse: Callable[[str], T], report: Report
) -> tuple[Passage, T] | None:
    """The text at a node with its tree; None if there is no node, or after a complaint."""
    text = passage_at(content, node, report) if node is not None else None
    found = parsed(text, parse, report) if text is not None else None
    return (text, found) if text is not None and found is not None else None


def parsed(passage: Passage, parse: Callable[[str], T], report: Report) -> T | None:
    """The tree of a passage, or None after a complaint about its syntax."""
    try:
        found = parse(passage.text)
    except EffectSyntaxError as error:
        report.error(error.code, passage.place(error.span), error.message, error.help)
        return None
    if passage.content.later:
        found = _begun(found, passage)
    words = passage.content.old_words
    if not words:
        return found
    own = set(_given(found))
    used = {name: item for name, item in words.items() if name not in own}
    return _renamed(found, used, passage.written, report)  # type: ignore[no-any-return]


def _begun(node: Any, passage: Passage) -> Any:
    """The same tree with what begins an effect in the place of what comes later."""
    if isinstance(node, tuple):
        return tuple(_begun(one, passage) for one in node)
    if isinstance(node, ast.LaterStmt):
        begun = passage.content.later.get(start_of(passage.place(node.span)))
        return node if begun is None else _beginning(node, begun)
    if not isinstance(node, ast.SyntaxNode):
        return node
    fields = (getattr(node, field) for field in node.__match_args__)
    return type(node)(*(_begun(one, passage) for one in fields))


def _beginning(node: ast.LaterStmt, begun: Begun) -> ast.BeginStmt:
    spans: dict[str, ast.Span] = {}
    for one in walk((node.where, node.label, node.body)):
        for name in holes(one) if isinstance(one, ast.TextLiteral) else (one,):
            if isinstance(name, ast.Name):
                spans.setdefault(name.id, name.span)
    head = node.event.span

    def named(name: str) -> ast.Name:
        return ast.Name(spans.get(name, head), name)

    args = tuple(ast.Arg(named(name).span, name, named(name)) for name in begun.values)
    on = named(SELF) if begun.on_self else None
    times = node.times or ast.NumberLiteral(head, 1)
    owner = named(OWNER_NAME) if begun.by_owner else None
    return ast.BeginStmt(node.span, ast.Name(head, begun.name), args, on, times, owner, None)


# -------------------------------------------------------------------------------- old names

# Which fields of which forms give a name to something.
_NAMED = (ast.ChooseStmt, ast.AskStmt, ast.RollStmt, ast.DrawStmt, ast.LookStmt, ast.LetStmt)
NAMING: Mapping[type, tuple[str, ...]] = {
    **dict.fromkeys((*_NAMED, ast.ForEachStmt, ast.RepeatStmt), ("name",)),
    ast.SecretlyStmt: ("player", "name"),
    ast.OperateStmt: ("giving",),
    ast.UseStmt: ("giving",),
    ast.BeginStmt: ("giving",),
    ast.Aggregate: ("binder",),
    ast.StatArg: ("each",),
    ast.MenuName: ("name",),
}
EVENTS = (ast.When, ast.Instead, ast.LaterStmt)


def _given(node: Any) -> Iterator[str]:
    for one in walk(node):
        for field in NAMING.get(type(one), ()):
            named = getattr(one, field)
            if isinstance(named, ast.Name):
                yield named.id
        if isinstance(one, EVENTS):
            yield from (arg.value.id for arg in one.event.args if isinstance(arg.value, ast.Name))


def _renamed(node: Any, words: Mapping[str, Item], text: EffectText, report: Report) -> Any:
    if isinstance(node, tuple):
        return tuple(_renamed(one, words, text, report) for one in node)
    if isinstance(node, ast.Name) and node.id in words:
        item = words[node.id]
        notice(report, text.place_of(node.span), node.id, item, item.slug)
        return ast.Name(node.span, item.slug)
    if not isinstance(node, ast.SyntaxNode):
        return node
    fields = (getattr(node, field) for field in node.__match_args__)
    return type(node)(*(_renamed(one, words, text, report) for one in fields))
