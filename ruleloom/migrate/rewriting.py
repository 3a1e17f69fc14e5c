"""Edits of a file by rules of migration: names, calls in effect texts, fields of items.

Nothing else of the file changes. A call with a comment inside, and a field that stands where another one
has to go, are left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ruleloom.compiler.analysis.analysis import SourceFile, TextOf
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, nodes_in
from ruleloom.compiler.packs.content import slug_of
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import walk
from ruleloom.compiler.yaml.node import YamlNode, to_data, written
from ruleloom.migrate.rules import Rule

Call = ast.CallExpr | ast.UseStmt
CLOSING, NO_ARGUMENTS = re.compile(r"[\s,]*\)"), re.compile(r"\s*\(\s*\)")
NAME = r"(?<![\w\"{.])%s(?!\w|\s*:)"


def edits_at(file: SourceFile, start: int, end: int, rule: Rule) -> list[FileEdit]:
    """The edits by a rule whose old name stands in a file; none if a person must do it."""
    old = file.text[start:end]
    if rule.says("becomes"):
        return _call_edits(file, start, rule)
    if rule.sort == "field" and old in rule.old.split("."):
        return _field_edits(file, start, rule)
    if not rule.says("new"):
        return []
    return [FileEdit(start, end, _new_name(old, rule))]


def _new_name(old: str, rule: Rule) -> str:
    """The new name as the old one is written: with its pack and kind, as an id, or in a text."""
    pack, _, inside = old.rpartition(":")
    if inside == f"{rule.sort}/{rule.old}":
        new = rule.says("new")
        new = new if "/" in new else f"{rule.sort}/{new}"
        return f"{pack}:{new}" if pack else new
    return slug_of(rule.new_word) if old.isidentifier() else rule.new_word


def calls_of(file: SourceFile, rule: Rule) -> Iterator[int]:
    """The offsets of the names of all calls of the old name."""
    for text in file.texts:
        for call in walk(text.tree):
            if isinstance(call, Call) and rule.is_named(_name(call).id):
                yield text.span(_name(call).span)[0]


def _name(call: Call) -> ast.Name:
    return call.name if isinstance(call, ast.CallExpr) else call.power


def _call_edits(file: SourceFile, start: int, rule: Rule) -> list[FileEdit]:
    for text in file.texts:
        for call in walk(text.tree):
            if isinstance(call, Call) and text.span(_name(call).span)[0] == start:
                return _new_call(file, text, call, rule)
    return []


def _new_call(file: SourceFile, text: TextOf, call: Call, rule: Rule) -> list[FileEdit]:
    """The edit of one call, from its `use` if it has one."""
    source, given = text.written.text, _given(text.written.text, call, rule)
    begin = _name(call).span[0] if isinstance(call, ast.CallExpr) else call.span[0]
    end = _end_of(source, call)
    if given is None or "#" in source[begin:end]:
        return []
    template = rule.says("becomes").strip()
    first, behind = text.span((begin, end))
    before = file.text[file.text.rfind("\n", 0, first) + 1 : first]
    if "\n" in template and before.strip():
        return []  # several lines need a block of their own
    return [FileEdit(first, behind, _filled(template, given).replace("\n", "\n" + before))]


def _end_of(source: str, call: Call) -> int:
    """The end of a call in its text, behind its brackets."""
    last = call.args[-1].span[1] if call.args else _name(call).span[1]
    closing = CLOSING.match(source, last) if call.args else NO_ARGUMENTS.match(source, last)
    return closing.end() if closing is not None else last


def _given(source: str, call: Call, rule: Rule) -> dict[str, str] | None:
    """The arguments of a call by the parameters of the rule; None if they do not fit."""
    known, given = rule.parameters, dict[str, str]()
    names = list(known)
    for number, arg in enumerate(call.args):
        name = arg.label or (names[number] if number < len(names) else "")
        if name not in known:
            return None
        given[name] = source[arg.value.span[0] : arg.value.span[1]]
    given = {name: given.get(name, usual) for name, usual in known.items()}
    return given if all(given.values()) else None


def _filled(template: str, given: dict[str, str]) -> str:
    """A text with arguments in place of parameters; one of several words in brackets, unless it is a whole
    argument."""

    def put(found: re.Match[str]) -> str:
        value = given[found[0]]
        around = template[: found.start()].rstrip()[-1:], template[found.end() :].lstrip()[:1]
        alone = around[0] in ("(", ",", ":", "=") and around[1] in (")", ",", "")
        return value if alone or re.fullmatch(r"\w+(\(.*\))?", value) else f"({value})"

    return (
        re.sub(NAME % f"(?:{'|'.join(map(re.escape, given))})", put, template)
        if given
        else template
    )


def _field_edits(file: SourceFile, start: int, rule: Rule) -> list[FileEdit]:
    """The field of an item at a place, moved or split; none where its new place is taken."""
    for item in file.items:
        for node in nodes_in(item):
            for key, span in (node.key_spans or {}).items():
                if span[0] <= start < span[1]:
                    return _new_fields(file, item, node, key, rule)
    return []


def _new_fields(
    file: SourceFile, item: YamlNode, node: YamlNode, key: str, rule: Rule
) -> list[FileEdit]:
    value, (start, _) = node.entries[key], (node.key_spans or {})[key]
    pairs = _moved(value, rule) if rule.says("new") else _split(value, rule)
    if node is item and not node.entries.keys().isdisjoint(pairs):
        return []
    indent = start - (file.text.rfind("\n", 0, start) + 1)
    between = ", " if node.style == "{" else "\n" + " " * indent
    end = start + len(file.text[start : value.end].rstrip("\n"))
    text = between.join(f"{name}: {one}" for name, one in pairs.items())
    return [FileEdit(start, end, text)] if pairs else []


def _moved(value: YamlNode, rule: Rule) -> dict[str, str]:
    """A value at its new path, of at most two names; none if it cannot stand there."""
    new = rule.says("new")
    path, _, leaf = (new.partition(".")[2] if "/" in new else new).rpartition(".")
    if not path:
        return {leaf: value.raw}
    return {} if "." in path or "\n" in value.raw else {path: f"{{{leaf}: {value.raw}}}"}


def _split(value: YamlNode, rule: Rule) -> dict[str, str]:
    """The fields that stand in place of a value; none for a value that the rule does not know."""
    split = to_data(rule.item.fields["split"])
    known = split.get(str(to_data(value))) if isinstance(split, dict) else None
    fields = _nested(known) if isinstance(known, dict) else {}
    return {name: written(one) for name, one in fields.items()}


def _nested(paths: Mapping[str, object]) -> dict[str, object]:
    """Values by path as maps within maps, of at most two levels."""
    found: dict[str, object] = {}
    for path, value in paths.items():
        first, _, rest = path.partition(".")
        if not rest:
            found[first] = value
            continue
        inner = found.setdefault(first, {})
        assert isinstance(inner, dict), f"`{first}` is both a value and a map"
        inner[rest] = value
    return found
