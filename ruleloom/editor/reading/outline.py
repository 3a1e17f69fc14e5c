"""The shape of a file: its items and cases, what can be folded, what to select next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from ruleloom.compiler.analysis.source_file import SourceFile
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.editor.project import Project
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Symbol:
    """An item, a case, or a part of one: its name, its sort, where it is and where its name is."""

    name: str
    sort: str
    detail: str
    start: int
    end: int
    name_start: int
    name_end: int
    inner: tuple[Symbol, ...] = field(default=())


def document_symbols(names: SourceFile) -> list[Symbol]:
    """The items of a file, and the cases of a file of cases."""
    found: list[Symbol] = []
    for item in names.items:
        kind = names.kind_of(item)
        cases = item.get("cases")
        if cases is not None and cases.items:
            found += [_case(case) for case in cases.items if case.kind == "map"]
        else:
            found.append(_item(item, kind))
    return found


def _item(item: YamlNode, kind: str) -> Symbol:
    id, title = item.get("id"), item.get("title")
    named = id or item.get("kind") or item
    name = (id.text if id is not None and id.text else kind) or "item"
    inner = tuple(_parts(item)) if kind in ("vocabulary", "extension") else ()
    detail = f"{kind} {title.text}" if title is not None and title.text else kind
    return Symbol(name, kind, detail, item.start, item.end, named.start, named.end, inner)


def _parts(item: YamlNode) -> Iterator[Symbol]:
    """The declarations of a vocabulary."""
    for section, node in item.entries.items():
        if node.kind != "map" or node.key_spans is None:
            continue
        for name, child in node.entries.items():
            start, end = node.key_spans[name]
            yield Symbol(name, section, section, start, max(child.end, end), start, end)


def _case(case: YamlNode) -> Symbol:
    id = case.get("id")
    named = id or case
    title = case.get("title")
    name = id.text if id is not None and id.text else "case"
    detail = title.text if title is not None and title.text else "scenario"
    return Symbol(name, "case", detail, case.start, case.end, named.start, named.end)


def workspace_symbols(project: Project, asked: str, own: bool) -> Iterator[tuple[str, Symbol]]:
    """The items whose name or title holds some words, each with its file: of one's `own` packs, or of
    those that are only required."""
    wanted = asked.lower()
    for path in project.paths:
        if project.is_writable(path) != own:
            continue
        if wanted and wanted.replace("_", "-") not in project.text(path).lower().replace("_", "-"):
            continue
        for one in document_symbols(project.names(path)):
            if wanted in f"{one.name} {one.detail}".lower():
                yield path, one


def folds(names: SourceFile) -> Iterator[tuple[int, int]]:
    """The foldable stretches, from and to: items, fields of several lines, blocks of effect text."""
    text = names.text
    for item in names.items:
        yield from _folds_in(text, item)
    for one in names.texts:
        for node in walk(one.tree):
            start, end = one.span(node.span)
            if isinstance(node, ast.Stmt | ast.Ability) and "\n" in text[start:end].rstrip():
                yield start, start + len(text[start:end].rstrip())


def _folds_in(text: str, node: YamlNode) -> Iterator[tuple[int, int]]:
    end = node.start + len(text[node.start : node.end].rstrip())
    if "\n" in text[node.start : end]:
        yield node.start, end
    for child in (*node.entries.values(), *node.items):
        yield from _folds_in(text, child)


def selections(names: SourceFile, offset: int) -> list[tuple[int, int]]:
    """The stretches around a place, the smallest first: parts of an effect text, values, the item."""
    found: set[tuple[int, int]] = set()
    text = names.text_at(offset)
    if text is not None:
        found |= {text.span(node.span) for node in walk(text.tree)}
    root = names.root
    waiting = [root] if root is not None else []
    while waiting:
        node = waiting.pop()
        found.add((node.start, node.end))
        waiting += [*node.entries.values(), *node.items]
    around = [(start, end) for start, end in found if start <= offset <= end]
    ranked = sorted(around, key=lambda one: one[1] - one[0])
    nested: list[tuple[int, int]] = []
    for start, end in ranked:
        if not nested or (start <= nested[-1][0] and nested[-1][1] <= end):
            nested.append((start, end))
    return nested
