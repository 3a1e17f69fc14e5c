"""Annotations of the text in an editor: inlay hints, code lenses, links to the reference, semantic
tokens, symbols, folding and selection ranges, and dice odds."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import chain, product
from math import prod
from typing import NamedTuple

from lsprotocol import types as lsp

from ruleloom.compiler.analysis.analysis import Occurrence, SourceFile, TextOf
from ruleloom.compiler.analysis.effect_cursor import comment_start, open_tokens
from ruleloom.compiler.analysis.yaml_cursor import nodes_in
from ruleloom.compiler.packs.content import POWERS, Item
from ruleloom.compiler.resolve.embedded import Meaning
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import LAYOUT
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.project import Project
from ruleloom.output.terminal import count_of
from ruleloom.reference.dice import (
    Odds,
    Value,
    dice_odds,
    is_yes_or_no,
    mean_text,
    percent,
    points,
)
from ruleloom.reference.gathered import link_of, number_of

RUN, STEP, EXPLAIN, USES = "ruleloom.run", "ruleloom.step", "ruleloom.explain", "ruleloom.uses"
WRITE_CASE, NAME_CLAIM = "ruleloom.writeScenario", "ruleloom.nameClaim"
WITHOUT_USES = frozenset(["pack", "scenarios", "vocabulary", "patch", "clause"])
MOST_NAMED = 12
Ranges = Callable[[int, int], lsp.Range]
"""Gives the range from one offset to another."""


def hints(project: Project, path: str, start: int, end: int) -> Iterator[lsp.InlayHint]:
    """The inlay hints for a range of a file: dice averages, prompted players, effects of patches."""
    names, lines = project.names(path), project.lines(path)
    found: list[tuple[int, str, str]] = []
    for text in names.texts:
        near = [one for one in walk(text.tree) if start <= text.span(one.span)[1] <= end]
        found += chain(*(_of_choice(text, node) for node in near))
        for dice, odds, each in odds_in(text.tree, near, ast.DiceLiteral):
            about = "the highest die" if each else ""
            found.append((text.span(dice.span)[1], f" average {mean_text(odds)}", about))
    items = (one for one in names.items if one.end >= start and one.start <= end)
    found += chain(*map(partial(_of_patch, project, names), items))
    for at, said, about in found:
        yield lsp.InlayHint(lines.position(at), said, tooltip=about or None)


def _of_choice(text: TextOf, node: ast.SyntaxNode) -> Iterator[tuple[int, str, str]]:
    if isinstance(node, ast.ChooseStmt | ast.ChooseOneStmt | ast.OptionalStmt) and node.by is None:
        word = "optional" if isinstance(node, ast.OptionalStmt) else "choose"
        about = "no `by` names another player, so the one who acts is asked"
        yield text.span(node.span)[0] + len(word), " (me)", about


def _of_patch(
    project: Project, names: SourceFile, item: YamlNode
) -> Iterator[tuple[int, str, str]]:
    """The hint that counts the patched items."""
    where = item.get("where") or item.get("target")
    if names.kind_of(item) != "patch" or where is None or item.get("id") is None:
        return
    patch, history = names.id_of(item), project.snapshot.now.history
    changed = {id for (id, _), many in history.items() if patch in [one.by for one in many]}
    if changed:
        about = ", ".join(sorted(changed)[:MOST_NAMED])
        yield where.end, f" {count_of(len(changed), 'item')}", about


def lenses(project: Project, path: str) -> Iterator[lsp.CodeLens]:
    """The code lenses above the items and cases of a file."""
    names, lines = project.names(path), project.lines(path)

    def lens(start: int, end: int, title: str, command: str, argument: object) -> lsp.CodeLens:
        return lsp.CodeLens(
            lines.range(start, end), lsp.Command(title, command, arguments=[path, argument])
        )

    for item in names.items:
        named, kind = item.get("id"), names.kind_of(item)
        if (cases := item.get("cases")) is not None:
            yield lens(item.start, item.start, "run all scenarios", RUN, None)
            for case in _ids(cases):
                yield lens(case.start, case.end, "run", RUN, case.text)
                yield lens(case.start, case.end, "step by step", STEP, case.text)
        elif named is not None and named.text is not None and kind not in WITHOUT_USES:
            whole = names.id_of(item)
            yield lens(named.start, named.end, "explain", EXPLAIN, whole)
            count = project.uses.get(Meaning("item", whole), 0)
            uses = count_of(count, "use") if count else "no uses"
            yield lens(named.start, named.end, uses, USES, named.start)
            if by := {one.pack for _, one in project.changes(whole)}:
                packs = "a pack" if len(by) == 1 else f"{len(by)} packs"
                yield lens(named.start, named.end, f"patched by {packs}", EXPLAIN, whole)


def _ids(cases: YamlNode) -> list[YamlNode]:
    ids = (case.get("id") for case in cases.items)
    return [id for id in ids if id is not None and id.text is not None]


def can_write(item: Item) -> bool:
    """Can a scenario be generated for an item?"""
    return item.kind in POWERS or (item.kind == "flow" and "takes" not in item.fields)


def link_in(site: str, meaning: Meaning) -> str:
    """The URL of a meaning in the reference at `site`; empty without one."""
    page = link_of(meaning)
    return f"{site.rstrip('/')}/{page}" if site and page else ""


# ------------------------------------------------------------------ colours

CLASSES = (
    *("keyword", "function", "method", "variable", "parameter", "property", "enumMember", "class"),
    *("event", "string", "number", "comment", "operator", "macro"),
)
MODIFIERS = ("declaration", "readonly")


def by_member(groups: Mapping[str, str]) -> Mapping[str, str]:
    """The group of each word, by inverting `groups`."""
    return {word: group for group, words in groups.items() for word in words.split()}


OF_TABLE = by_member(
    {
        "function": "operation",
        "event": "moment event menu",
        "method": "query",
        "property": "field zone variable",
        "enumMember": "value bonus",
        "class": "enum type",
        "variable": "local",
    }
)
OF_WORD = by_member(
    {
        "function": "power",
        "macro": "keyword",
        "method": "measure rule",
        "property": "stat setting switch",
        "parameter": "parameter",
    }
)
OF_TOKEN = {"STRING": "string", "NUMBER": "number", "DICE": "number"}


class ColouredToken(NamedTuple):
    """A semantic token: a range on one line, its class, and if it declares a name."""

    start: int
    end: int
    name: str
    declares: bool = False


def effect_tokens(names: SourceFile) -> list[ColouredToken]:
    """The semantic tokens of all effect texts, in order."""
    by_start = {one.start: one for one in names.occurrences}
    found = [token for text in names.all_texts for token in _tokens(text, by_start)]
    return sorted(set(found), key=lambda one: one.start)


def _tokens(text: TextOf, by_start: Mapping[int, Occurrence]) -> Iterator[ColouredToken]:
    yield from _comments(text)
    for token in open_tokens(text.written.text):
        if token.type in LAYOUT or token.span[0] == token.span[1]:
            continue
        start, end = text.span(token.span)
        known = by_start.get(start)
        if known is not None and known.end == end:
            name = OF_WORD.get(known.word) or OF_TABLE.get(known.meaning.table, "variable")
            yield ColouredToken(start, end, name, known.declares)
        elif token.type in OF_TOKEN:
            yield ColouredToken(start, end, OF_TOKEN[token.type])
        elif token.type == "NAME":
            yield ColouredToken(start, end, "variable")
        elif str(token.value).replace(" ", "").isalpha():
            yield ColouredToken(start, end, "keyword")


def _comments(text: TextOf) -> Iterator[ColouredToken]:
    """The comments, which the lexer skips, each to the end of its line."""
    at = 0
    for line in text.written.text.split("\n"):
        begun = comment_start(line)
        if begun is not None:
            yield ColouredToken(*text.span((at + begun, at + len(line))), "comment")
        at += len(line) + 1


# The LSP kinds of symbols by sort; other sorts are `Object`.
SYMBOLS = by_member(
    {
        "Function": "power measure rule flow operations queries",
        "Property": "stat",
        "Constant": "setting switch",
        "Event": "trigger",
        "Namespace": "vocabulary",
        "Package": "pack",
        "Method": "case",
        "Class": "entities",
        "Enum": "enums",
    }
)


def document_symbols(project: Project, path: str) -> Iterator[lsp.DocumentSymbol]:
    """The symbols of a file's items, or of its cases."""
    names, range = project.names(path), project.lines(path).range
    for item in names.items:
        kind, cases = names.kind_of(item), item.get("cases")
        if cases is not None and cases.items:
            maps = (case for case in cases.items if case.kind == "map")
            for one in maps:
                yield _symbol(range, one, "case", _text(one, "title") or "scenario")
            continue
        symbol = _symbol(range, item, kind, " ".join(filter(None, (kind, _text(item, "title")))))
        if kind in ("vocabulary", "extension"):
            symbol.children = list(_parts(range, item))
        yield symbol


def _symbol(range: Ranges, node: YamlNode, sort: str, detail: str) -> lsp.DocumentSymbol:
    named, name = node.get("id") or node.get("kind") or node, _text(node, "id") or sort or "item"
    whole, own = range(node.start, node.end), range(named.start, named.end)
    return lsp.DocumentSymbol(name, lsp.SymbolKind[SYMBOLS.get(sort, "Object")], whole, own, detail)


def _parts(range: Ranges, item: YamlNode) -> Iterator[lsp.DocumentSymbol]:
    """A vocabulary's declarations."""
    for section, node in item.entries.items():
        kind = lsp.SymbolKind[SYMBOLS.get(section, "Object")]
        for name, (start, end) in (node.key_spans or {}).items():
            whole = range(start, max(node.entries[name].end, end))
            yield lsp.DocumentSymbol(name or "item", kind, whole, range(start, end), section)


def _text(node: YamlNode, field: str) -> str:
    found = node.get(field)
    return (found.text or "") if found is not None else ""


def workspace_symbols(
    project: Project, asked: str, own: bool
) -> Iterator[tuple[str, lsp.DocumentSymbol]]:
    """The symbols whose name or detail has the query, each with its file: of editable packs if
    `own`, or of those only required."""
    wanted = asked.lower()
    for path in project.paths:
        if project.is_writable(path) != own:
            continue
        if wanted and wanted.replace("_", "-") not in project.text(path).lower().replace("_", "-"):
            continue
        for one in document_symbols(project, path):
            if wanted in f"{one.name} {one.detail}".lower():
                yield path, one


def folds(project: Project, path: str) -> list[lsp.FoldingRange]:
    """The foldable ranges: items, multi-line fields, blocks of effect text."""
    names, lines = project.names(path), project.lines(path)
    found = [(node.start, node.end) for item in names.items for node in nodes_in(item)]
    found += [
        one.span(node.span)
        for one in names.texts
        for node in walk(one.tree)
        if isinstance(node, ast.Stmt | ast.Ability)
    ]
    shown = ((start, start + len(names.text[start:end].rstrip())) for start, end in found)
    ranges = {(lines.position(start).line, lines.position(end).line) for start, end in shown}
    return [lsp.FoldingRange(first, last) for first, last in sorted(ranges) if first < last]


def selection(project: Project, path: str, offset: int) -> lsp.SelectionRange | None:
    """The nested ranges around an offset: nodes of effect text, values, the item."""
    names, lines = project.names(path), project.lines(path)
    spans = {(node.start, node.end) for node in nodes_in(names.root)}
    text = names.text_at(offset)
    if text is not None:
        spans |= {text.span(node.span) for node in walk(text.tree)}
    nested: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda one: one[1] - one[0]):
        inner = nested[-1] if nested else (offset, offset)
        if start <= inner[0] and inner[1] <= end:
            nested.append((start, end))
    found: lsp.SelectionRange | None = None
    for start, end in reversed(nested or [(offset, offset)]):
        found = lsp.SelectionRange(lines.range(start, end), found)
    return found


# ------------------------------------------------------------------ odds

MOST_DICE, MOST_FACES, MOST_WAYS, MOST_ROWS = 40, 100, 50_000, 24
BAR_WIDTH = 24
OPERATORS: Mapping[str, Callable[[Fraction | int, Fraction | int], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "div": operator.floordiv,
    "mod": operator.mod,
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "and": lambda left, right: bool(left and right),
    "or": lambda left, right: bool(left or right),
}


class _Unknown(Exception):
    """Depends on play."""


def odds_in(
    tree: object, nodes: Iterable[ast.SyntaxNode], *kinds: type[ast.SyntaxNode]
) -> Iterator[tuple[ast.SyntaxNode, Odds, bool]]:
    """The nodes of these kinds with odds: rolls, dice, expressions over a number rolled once, its
    names; and whether these are those of the highest die."""
    rolled = [one for one in walk(tree) if isinstance(one, ast.RollStmt)]
    each = {id(one.dice) for one in rolled if one.each}
    rolls = _rolls_in(tree) if ast.Binary in kinds else {}
    for node in nodes:
        dice = node.dice if isinstance(node, ast.RollStmt) else node
        odds: Odds | None = None
        if not isinstance(node, kinds):
            continue
        if isinstance(dice, ast.DiceLiteral):
            odds = _odds_of_dice(dice, id(dice) in each)
        elif isinstance(node, ast.Binary):
            odds = _odds_of_expression(node, rolls)
        elif isinstance(node, ast.Name):
            odds = rolls.get(node.id)
        if odds is not None:
            yield node, odds, id(dice) in each


def _odds_of_dice(node: ast.DiceLiteral, each: bool) -> Odds | None:
    count, sides = number_of(node.count, {}), number_of(node.sides, {})
    if count is None or sides is None or not (0 < count <= MOST_DICE and 1 < sides <= MOST_FACES):
        return None
    return dice_odds(count, sides, each)


def _rolls_in(tree: object) -> dict[str, Odds]:
    """The odds of each variable that is only rolled once, by name."""
    found: dict[str, Odds | None] = {}
    for node in walk(tree):
        if isinstance(node, ast.RollStmt | ast.LetStmt | ast.AssignStmt):
            name, once = node.name.id, None
            # A variable assigned twice may hold another value by then.
            if isinstance(node, ast.RollStmt) and not node.each and name not in found:
                once = _odds_of_dice(node.dice, False)
            found[name] = once
    return {name: odds for name, odds in found.items() if odds is not None}


def _odds_of_expression(node: ast.Expr, rolls: Mapping[str, Odds]) -> Odds | None:
    """The odds of an expression over rolled numbers; None if it depends on play."""
    names = sorted({one.id for one in walk(node) if isinstance(one, ast.Name)} & rolls.keys())
    each = [rolls[name].items() for name in names]
    if not names or prod(map(len, each)) > MOST_WAYS:
        return None
    found: dict[Value, Fraction] = defaultdict(Fraction)
    try:
        for values in product(*each):
            told = {name: value for name, (value, _) in zip(names, values, strict=True)}
            found[_value(node, told)] += prod((one for _, one in values), start=Fraction(1))
    except (_Unknown, ZeroDivisionError):
        return None
    return found


def _value(node: ast.Expr, told: Mapping[str, Value]) -> Value:
    match node:
        case ast.NumberLiteral() | ast.BoolLiteral():
            return node.value
        case ast.Name() if node.id in told:
            return told[node.id]
        case ast.Unary():
            value = _value(node.value, told)
            return not value if node.op == "not" else -value
        case ast.Binary() if node.op in OPERATORS:
            return OPERATORS[node.op](_value(node.left, told), _value(node.right, told))
        case ast.IfElse():
            return _value(node.then if _value(node.condition, told) else node.otherwise, told)
    raise _Unknown


def curve(odds: Odds) -> str:
    """The odds as lines of text: each value, its chance, a bar, and the chance of at least that."""
    is_plain = is_yes_or_no(odds)
    rows, left = points(odds, MOST_ROWS), Fraction(1)
    most, lines = Fraction(1) if is_plain else max(one for _, one in rows), []
    for label, chance in rows:
        bar = "█" * round(BAR_WIDTH * chance / most)
        behind = bar if is_plain else f"{bar:<{BAR_WIDTH}}  {percent(left)}"
        lines.append(f"{label:>{3 if is_plain else 7}}  {percent(chance):>6}  {behind}")
        left -= chance
    return "\n".join(lines)
