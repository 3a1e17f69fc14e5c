"""Mutants of an item: copies with one condition, number or printed word changed. Also the writing of
plain data as YAML that reads back the same, for mutants and derived cases.

A change that does not compile is no mutant, but only compiling it shows that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import indent
from typing import Any

from ruleloom.compiler.analysis.yaml_cursor import effect_tree, items_in
from ruleloom.compiler.cases.case_words import word
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.resolve.embedded import passage_at
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Instead, Keyword, Modify, Passive, Restrict, When
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import to_data, with_entries
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.interval import lies_within

PLAIN = re.compile(r"[A-Za-z_](?:[\w./()@+-]| (?=[\w(]))*|\d+[A-Za-z/][\w./@-]*")
WORDS_OF_YAML = frozenset(
    one for word in ("true", "false", "null") for one in (word, word.title(), word.upper())
)


def flow(value: Any) -> str:
    """A value as one line of YAML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{flow(str(key))}: {flow(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, str):
        plain = PLAIN.fullmatch(value) and value not in WORDS_OF_YAML
        return value if plain else json.dumps(value, ensure_ascii=False)
    return str(value)


def file_of_cases(cases: Sequence[Mapping[str, Any]], remark: str) -> str:
    """The text of a scenarios file, each part of a case on one line where possible."""
    lines = [f"# {remark}", "kind: scenarios", "cases:"]
    for case in cases:
        lines += [f"  - id: {flow(case['id'])}", f"    note: {flow(case['note'])}", "    given:"]
        for key, value in case["given"].items():
            inner = value if isinstance(value, Mapping) else {}
            if any(isinstance(one, Mapping) for one in inner.values()):
                lines += [f"      {key}:", *_entries(inner)]
            else:
                lines.append(f"      {key}: {flow(value)}")
        lines.append("    when:")
        for step in case["when"]:
            text = str(step.get("do", "")).rstrip("\n")
            if "\n" in text:
                rest = {key: value for key, value in step.items() if key != "do"}
                lines += ["      - do: |", indent(text, " " * 10), *_entries(rest)]
            else:
                lines.append(f"      - {flow(step)}")
        lines.append(f"    then: {flow(case['then'])}")
    return "\n".join(lines) + "\n"


def _entries(said: Mapping[str, Any]) -> Iterator[str]:
    return (f"        {flow(str(key))}: {flow(value)}" for key, value in said.items())


WHOLE = ("where", "when", "holds")  # fields that consist of a condition
FORMS = {"effect": "block", "abilities": "abilities", **dict.fromkeys((*WHOLE, "is"), "expr")}
FILTERED = ast.ChooseStmt | ast.SecretlyStmt | When | Instead | Modify | Restrict | Passive
OTHERWISE = {
    "=": ("!=",),
    "!=": ("=",),
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "in": ("not in",),
    "not in": ("in",),
}
MOST, DEEP, LONG = 24, 2, 60
MOST_NEAR, MOST_WORDS = 5, 3


class Mutant(Frozen):
    """A single change to an item."""

    says: str  # `without ...`, `with ...`
    old: Item
    new: Item
    filter: bool  # whether a condition was changed
    printed: bool = False  # whether a printed field was changed


# The span of the text to replace, its replacement, and the description of the change.
Change = tuple[tuple[int, int], str, str]


def mutants_of(item: Item, content: Content, symbols: Symbols) -> list[Mutant]:
    """The mutants of an item: of its texts, its printed fields, and the powers it uses."""
    found = [*_of_texts(item, content, tuple(FORMS)), *_of_print(item, symbols)]
    for power in used_powers(item, content):
        found += _of_texts(power, content, ("effect", "where", "when"))
    return sorted(found, key=lambda one: not one.filter)[:MOST]


def used_powers(item: Item, content: Content) -> list[Item]:
    """The powers that an item's texts use, to a depth of `DEEP`."""
    powers = {one.slug: one for one in content.by_kind("power")}
    found: dict[str, Item] = {}
    ring = [item]
    for _ in range(DEEP):
        nodes = (node for one in ring for node in nodes_of(one, content))
        names = {node.power.id for node in nodes if isinstance(node, ast.UseStmt)}
        ring = [powers[name] for name in sorted(names & powers.keys() - found.keys())]
        found |= {one.slug: one for one in ring}
    return list(found.values())


def nodes_of(item: Item, content: Content) -> Iterator[Any]:
    """All syntax nodes of the texts of an item."""
    return (node for _, _, parsed in texts_of(item, content) for node in walk(parsed))


def texts_of(item: Item, content: Content) -> Iterator[tuple[str, str, Any]]:
    """The mutable texts of an item: field, text and tree."""
    for field, form in FORMS.items():
        node = item.fields.get(field)
        text = passage_at(content, node, Report()) if node is not None else None
        tree = effect_tree(text.text, form) if text is not None else None
        if text is not None and tree is not None:
            yield field, text.text, tree


def choices_of(item: Item, content: Content) -> set[str]:
    """The names of the choices in the texts of an item and of the powers that it uses."""
    items = (item, *used_powers(item, content))
    nodes = (node for one in items for node in nodes_of(one, content))
    return {node.name.id for node in nodes if isinstance(node, ast.ChooseStmt)}


def _of_texts(item: Item, content: Content, fields: tuple[str, ...]) -> Iterator[Mutant]:
    """The mutants of these fields: changed conditions, and in abilities also changed amounts."""
    for field, text, parsed in texts_of(item, content):
        if field not in fields:
            continue
        changes = [(change, True) for change in _filters(parsed, text, field)]
        if field == "abilities":
            changes += [(change, False) for change in _amounts(parsed, text)]
        for ((start, end), instead, says), is_filter in changes:
            new = _with(item, field, f"{text[:start]}{instead}{text[end:]}")
            if new is not None:
                yield Mutant(says, item, new, is_filter)


def _filters(parsed: Any, text: str, field: str) -> Iterator[Change]:
    """Changes of conditions: a part left out, or another comparison or number."""
    roots: list[Any] = [parsed] if field in WHOLE else []
    for node in walk(parsed):
        if isinstance(node, FILTERED):
            roots.append(node.where)
        elif isinstance(node, ast.ModeClause):
            roots.append(node.when)
    for root in (one for one in roots if one is not None):
        if not isinstance(root, ast.BoolLiteral):
            yield root.span, "yes", f"without `{_words(text, root)}`"
        for node in walk(root):
            yield from _within(node, root, text)


def _within(node: Any, root: Any, text: str) -> Iterator[Change]:
    match node:
        case ast.Binary(op="and" | "or"):
            for gone, kept in ((node.left, node.right), (node.right, node.left)):
                yield node.span, f"({_slice(text, kept)})", f"without `{_words(text, gone)}`"
        case ast.Binary() if node.op in OTHERWISE:
            for op in OTHERWISE[node.op]:
                new = f"({_slice(text, node.left)} {op} {_slice(text, node.right)})"
                yield node.span, new, f"with `{op}` in `{_words(text, node)}`"
        case ast.Unary(op="not"):
            said = f"without `not` in `{_words(text, node)}`"
            yield node.span, f"({_slice(text, node.value)})", said
        case ast.NumberLiteral(value=int()):
            more, where = node.value + 1, _words(text, root)
            yield node.span, str(more), f"with {more} for {node.value} in `{where}`"


def _amounts(parsed: Any, text: str) -> Iterator[Change]:
    """Increments of amounts in abilities."""
    for node in walk(parsed):
        if isinstance(node, Modify | Keyword | When | Instead):
            part = {Modify: "value", Keyword: "args"}.get(type(node), "body")
            for one in walk(getattr(node, part)):
                if isinstance(one, ast.NumberLiteral):
                    yield from _within(one, node, text)


def _slice(text: str, node: Any) -> str:
    return text[slice(*node.span)]


def _words(text: str, node: Any) -> str:
    said = " ".join(_slice(text, node).split())
    return said if len(said) <= LONG else f"{said[: LONG - 3]}..."


def _of_print(item: Item, symbols: Symbols) -> Iterator[Mutant]:
    """Mutants of printed fields: another enum word, boolean, or next number."""
    entity = symbols.kinds.get(item.kind)
    for name, node in item.fields.items():
        field = symbols.fields.get(name, {}).get(entity or "")
        if field is None or not field.static or field.by or field.type.many:
            continue
        value, of = to_data(node), field.type.present.name
        near = (value + 1,) if isinstance(value, int) else ()
        for other in other_values(of, value, symbols.enums, near):
            new, shown = _with(item, name, other), word(other)
            if new is not None:
                yield Mutant(f"with `{name}: {shown}`", item, new, True, printed=True)


def other_values(
    type_name: str,
    said: Any,
    words: Mapping[str, Sequence[str]],
    near: Iterable[Any] = (),
    bounds: tuple[Any, Any] = (None, None),
) -> list[Any]:
    """Other values of a type than `said`: the opposite boolean, some other `words`, or the numbers `near`
    it within bounds."""
    if type_name == "Bool":
        return [not said if isinstance(said, bool) else {"yes": "no"}.get(said, "yes")]
    if type_name == "Int" and isinstance(said, int):
        return _other_numbers(said, near, bounds)
    return [one for one in words.get(type_name, ()) if one != said][:MOST_WORDS]


def _other_numbers(said: int, near: Iterable[Any], bounds: tuple[Any, Any]) -> list[int]:
    numbers = (one for one in dict.fromkeys(near) if isinstance(one, int) and one != said)
    return [one for one in numbers if lies_within(one, *bounds)][:MOST_NEAR]


def _with(item: Item, field: str, value: Any) -> Item | None:
    """The item with another value of one field; None if it does not parse."""
    text = f"|\n{indent(value, '  ')}" if field in FORMS else flow(value)
    found = items_in(f"{field}: {text}\n", f"{item.source.path}#derived")
    if not found:
        return None
    node = with_entries(item.node, {**item.fields, **found[0].entries})
    return replace(item, fields=node.entries, node=node, source=found[0].source)


def exchanged(content: Content, mutant: Mutant) -> Content:
    """The content with the mutant in place of the original item."""
    items = tuple(mutant.new if one is mutant.old else one for one in content.items)
    source = mutant.new.source
    sources = {**content.sources, source.path: source}
    files = {**content.files, source.path: content.files[mutant.old.source.path]}
    return replace(content, items=items, sources=sources, files=files)
