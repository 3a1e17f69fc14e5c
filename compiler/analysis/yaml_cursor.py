"""Source texts: their edits, trees and canonical form, and the cursor in a YAML file.

A cursor is the item, the field path, and whether a key or a value is expected. The text before it is
parsed with a placeholder name at its end, up to that name. Lines above that do not parse are blanked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field as default
from pathlib import Path
from textwrap import indent
from typing import Any, NamedTuple

import yaml

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.family import is_template
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.compiler.resolve.embedded import Passage, read_text
from ruleloom.compiler.schema.registry import (
    BUT,
    CHANGES,
    ENDING,
    FOR,
    LIKE,
    Schema,
    SchemaStore,
    may_be_variant,
)
from ruleloom.compiler.schema.validate import effect_nodes, item_nodes, kind_of
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.formatter import format_text
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import PARSERS, read_steps
from ruleloom.compiler.syntax.tree import NEW, names_in, walk
from ruleloom.compiler.yaml.events import events
from ruleloom.compiler.yaml.node import YamlNode, entries_of, text_of, to_data, written
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import effect_text
from ruleloom.runtime.dataclass import Frozen, dataclass


class FileEdit(NamedTuple):
    """A range of a text, and its replacement."""

    start: int
    end: int
    text: str


FileEdits = Mapping[str, list[FileEdit]]
"""The edits of files, by real path."""


def edited(text: str, edits: Iterable[FileEdit]) -> str:
    """A text with non-overlapping edits applied."""
    for start, end, new in sorted(set(edits), reverse=True):
        text = text[:start] + new + text[end:]
    return text


def line_end(text: str, at: int) -> int:
    """The offset of the end of a line, before its line feed."""
    end = text.find("\n", max(at, 0))
    return len(text) if end < 0 else end


def items_in(text: str, shown: str = "text") -> list[YamlNode]:
    """The items of a YAML text; none if it is invalid."""
    try:
        return items_of(compose(Source.from_text(text, shown), Report()))
    except SourceError:
        return []


def read_yaml(path: Path, report: Report, sources: dict[str, str]) -> YamlNode | None:
    """The tree of a file outside all packs, whose text is added to `sources`; None on an error."""
    try:
        source = Source.read(path, shown_path(path))
    except SourceError as error:
        report.refuse(error)
        return None
    sources[source.path] = source.text
    return compose(source, report)


def items_of(root: YamlNode | None) -> list[YamlNode]:
    """The items of a file; a case file is one."""
    return list(item_nodes(root, Report())) if root is not None else []


def nodes_in(node: YamlNode | None) -> Iterator[YamlNode]:
    """A node and its descendants, in preorder."""
    if node is not None:
        yield node
        for child in (*node.entries.values(), *node.items):
            yield from nodes_in(child)


def game_named(folder: Path) -> str:
    """The game that the manifest in a folder names; empty if none."""
    with suppress(SourceError):
        for manifest in items_of(compose(Source.read(folder / MANIFEST, MANIFEST), Report())):
            named = manifest.get("game")
            return (named.text or "") if named is not None else ""
    return ""


def pack_heading(manifest: Source) -> tuple[str, str, str, tuple[str, ...]]:
    """The id, the version and the game of a pack in its manifest, and the ids that it requires; empty where
    they cannot be read."""
    root = compose(manifest, Report())
    fields = root.entries if root is not None else {}
    id, version, game = (text_of(fields.get(name)) for name in ("id", "version", "game"))
    return id, version, game, tuple(entries_of(fields.get("requires")))


def effect_tree(text: str, form: str) -> Any:
    """The syntax tree of an effect text; None if it is invalid, or has no parser."""
    with suppress(EffectSyntaxError):
        return PARSERS[form](text) if form in PARSERS else None


def names_bound(text: str) -> list[str]:
    """The names that a block binds outside its nested blocks; none if it does not parse."""
    names: dict[str, None] = {}
    for one in effect_tree(text, "block") or ():
        names |= dict.fromkeys(name.id for name in names_in(one, NEW))
    return list(names)


class Node(NamedTuple):
    """A syntax node of an effect text, its item, and the text."""

    item: Item
    part: ast.SyntaxNode
    text: Passage


def nodes_of(content: Content) -> Iterator[Node]:
    """Each syntax node in effects and abilities of items."""
    for item in content.items:
        for form, field in (("block", "effect"), ("abilities", "abilities")):
            found = read_text(content, item.fields.get(field), PARSERS[form], Report())
            if found is not None:
                yield from (Node(item, part, found[0]) for part in walk(found[1]))


def step_names(text: str) -> tuple[str, ...]:
    """The names of the steps of an effect text."""
    return tuple(one.name for one in read_steps(text))


BLOCKS = ("block", "abilities")
# A case may name one of these instead of an effect text.
FLOWS = ("set_up", "turn")
# Strings that a single-line scalar cannot contain without new quotes or escapes, by style.
UNFIT = {"'": ("\n", "'"), '"': ("\n", '"', "\\"), None: ("\n", ": ", " #")}


def formatted(source: Source, store: SchemaStore, report: Report) -> str:
    """The text of a file with effect texts in canonical form."""
    root = compose(source, report)
    if root is None:
        return source.text
    text = edited(source.text, format_edits(source, items_of(root), store, report))
    if text != source.text:
        again = compose(Source(source.path, text), Report())
        same = again is not None and _without_effects(again, store) == _without_effects(root, store)
        assert same, f"formatting would change the data of {source.path}"
    return text


def format_edits(
    source: Source, items: Iterable[YamlNode], store: SchemaStore, report: Report
) -> list[FileEdit]:
    """The edits that put the effect texts of some items into canonical form."""
    blocks = (one for item in items for one in blocks_of(item, store))
    edits = (_edit_of(source, block, form, report) for block, form in blocks)
    return [edit for edit in edits if edit is not None]


def blocks_of(item: YamlNode, store: SchemaStore) -> list[tuple[YamlNode, str]]:
    """The effect blocks of an item, or of a patch's changes, each with its form."""
    kind = kind_of(item, store, Report())  # `check` reports a wrong kind
    flows = FLOWS if kind == "scenarios" else ()
    return [
        (node, form)
        for node, form in _effect_nodes(item, kind, store)
        if node is not None and form in BLOCKS and node.text and node.text not in flows
        if not is_template(item, node)
    ]


def _effect_nodes(
    item: YamlNode, kind: str | None, store: SchemaStore
) -> Iterator[tuple[YamlNode | None, str]]:
    if kind is not None:
        yield from ((node, form) for _, node, form in effect_nodes(item, kind, store))
    # An unknown kind may come from an extension, perhaps of another pack: such kinds have these
    # fields, and so do the items that a patch changes.
    fields = item if kind is None else None
    if kind == "patch":
        fields = item.get("set")
        yield item.get("replace-effect"), "block"
    if fields is not None:
        yield from ((fields.get("effect"), "block"), (fields.get("abilities"), "abilities"))


def _edit_of(source: Source, node: YamlNode, form: str, report: Report) -> FileEdit | None:
    """The edit of one text; None if it is canonical, or does not parse."""
    written = effect_text(source, node, report)
    if written is None:
        return None
    try:
        tidy = format_text(written.text, start=form).rstrip("\n")
    except EffectSyntaxError as error:
        report.error(error.code, written.place_of(error.span), error.message, error.help)
        return None
    if tidy == written.text.rstrip("\n"):
        return None
    end = written.offset_of(len(written.text))
    starts = written.source_starts
    if node.style != "|":
        needs_quoting = any(sign in tidy for sign in UNFIT.get(node.style, ("\n",)))
        return None if needs_quoting else FileEdit(starts[0], end, tidy)
    first = next(n for n, line in enumerate(written.text.split("\n")) if line.strip())
    line_start = source.text.rfind("\n", 0, starts[first]) + 1
    margin = " " * (starts[first] - line_start)
    start = source.text.rfind("\n", 0, starts[0]) + 1
    return FileEdit(start, end, indent(tidy, margin))


def _without_effects(root: YamlNode, store: SchemaStore) -> object:
    """The data of a file with each effect block replaced by None."""
    blocks = {id(block) for item in items_of(root) for block, _ in blocks_of(item, store)}

    def data(node: YamlNode) -> object:
        if id(node) in blocks:
            return None
        if node.kind == "map":
            return {key: data(child) for key, child in node.entries.items()}
        return [data(child) for child in node.items] if node.kind == "list" else to_data(node)

    return data(root)


BRANCHES = ("allOf", "anyOf", "oneOf")
CONDITIONAL = ("then", "else")
DEEPEST = 24


class FieldHelp(NamedTuple):
    """A field of a schema: name, title, description, allowed values, types, bounds; is it required?"""

    name: str
    title: str
    help: str
    values: tuple[str, ...]
    types: tuple[str, ...]
    needed: bool
    bounds: tuple[object, object] = (None, None)


Step = str | int


def fields_on(path: Sequence[Step]) -> tuple[str, ...]:
    """A path as field names; `*` for list indexes."""
    return tuple("*" if isinstance(step, int) else step for step in path)


def schemas_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[tuple[str, Schema]]:
    """Every schema that may apply to a value in an item, each with its file."""
    if kind not in store.kinds:
        return []
    if path[:1] == [BUT] or path[:1] == (BUT,):
        kind, path = "patch", path[1:]
    found = list(_branches(store, kind + ENDING, store.schema(kind), 0))
    for step in path:
        inner: list[tuple[str, Schema]] = []
        for file, schema in found:
            child = schema.get("items")
            if isinstance(step, str):
                child = schema.get("properties", {}).get(step)
                child = schema.get("additionalProperties") if child is None else child
            if isinstance(child, dict):
                inner += _branches(store, file, child, 0)
        found = inner
    return found


def _branches(
    store: SchemaStore, file: str, schema: Schema, depth: int
) -> Iterator[tuple[str, Schema]]:
    """A schema and its branches, by file."""
    if depth > DEEPEST:
        return
    yield file, schema
    if "$ref" in schema:
        yield from _branches(store, *store.resolve(file, schema["$ref"]), depth + 1)
    for keyword in BRANCHES:
        for child in schema.get(keyword, ()):
            yield from _branches(store, file, child, depth + 1)
    for keyword in CONDITIONAL:
        if isinstance(schema.get(keyword), dict):
            yield from _branches(store, file, schema[keyword], depth + 1)


def _deriving(store: SchemaStore) -> dict[str, FieldHelp]:
    """The fields by which items derive from others of their kind, which are not in their schemas."""
    refs = {name: {"$ref": f"#/$defs/{name}"} for name in (LIKE, BUT, FOR)}
    return {name: _field(store, f"common{ENDING}", name, ref, False) for name, ref in refs.items()}


def fields_in(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[FieldHelp]:
    """The fields of a map in an item, in schema order."""
    found: dict[str, FieldHelp] = {}
    for file, schema in schemas_at(store, kind, path):
        needed = schema.get("required", ())
        for name, field in schema.get("properties", {}).items():
            if isinstance(field, dict):
                help = _field(store, file, name, field, name in needed)
                if name not in found or not found[name].help:
                    found[name] = help
    if not path and may_be_variant(kind, store):
        found = {**found, **_deriving(store), **found}
    if fields_on(path) == (BUT,):
        return [found[name] for name in CHANGES]
    return list(found.values())


def field_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> FieldHelp | None:
    """The help for the last field of a path."""
    names = [step for step in path if isinstance(step, str)]
    if not names:
        return None
    at = max(number for number, step in enumerate(path) if isinstance(step, str))
    fields = fields_in(store, kind, path[:at])
    return next((one for one in fields if one.name == names[-1]), None)


def values_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[str]:
    """The values that schemas list for a path, as written in YAML."""
    found: list[str] = []
    for _, schema in schemas_at(store, kind, path):
        found += _values(schema)
    return list(dict.fromkeys(found))


def types_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> set[str]:
    """The types that schemas allow at a path."""
    return {one for _, schema in schemas_at(store, kind, path) for one in _types(schema)}


def _types(schema: Schema) -> list[str]:
    named = schema.get("type", ())
    return [named] if isinstance(named, str) else [*named]


def _field(store: SchemaStore, file: str, name: str, field: Schema, needed: bool) -> FieldHelp:
    schemas = [schema for _, schema in _branches(store, file, field, 0)]

    def first(key: str) -> Any:
        return next((one[key] for one in schemas if one.get(key) not in (None, "")), None)

    values = dict.fromkeys(value for one in schemas for value in _values(one))
    types = dict.fromkeys(type_ for one in schemas for type_ in _types(one))
    title, help = str(first("title") or ""), str(first("description") or "")
    bounds = first("minimum"), first("maximum")
    return FieldHelp(name, title, help, (*values,), (*types,), needed, bounds)


def _values(schema: Schema) -> list[str]:
    if "const" in schema:
        return [written(schema["const"])]
    if "enum" in schema:
        return [written(one) for one in schema["enum"]]
    return ["yes", "no"] if "boolean" in _types(schema) else []


HERE = "typed_here"
WORD = re.compile(r"[^\s,:{}\[\]()'\"#|>]*\Z")
NAME_PART = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
LINE_START = re.compile(r"(?:^-)?[ ]*\Z", re.MULTILINE)
JUST_BEHIND_FIELD = re.compile(r"(?:^[ -]*|[{,][ ]*)[\"']?[\w-]+[\"']?:\Z", re.MULTILINE)
ENTRY = re.compile(r"^-(?=[ \t\n{])", re.MULTILINE)
FIELD = re.compile(r"^[A-Za-z_][\w-]*:", re.MULTILINE)
VALUE = r"""(?:^[ \t]*(?:-[ \t]+)?|[{,][ \t]*)%s:[ \t]+(?:"([^"\n]*)"|'([^'\n]*)'|([^\n]*))"""
BLOCK_SIGN = re.compile(r"(?<=[ ])[|>][+-]?\Z")
# The text appended to the placeholder: as a field, as a value, within open quotes.
FIELD_END, PLAIN_ENDS = ": x\n", ("\n", '"\n', "'\n")
MOST_PASSED_OVER = 8


class YamlCursor(Frozen):
    """A cursor in an item at `path`: `word` is the prefix of the word typed so far, from `start` on.

    `role` is `key`, `value` or `text` (within a block or quotes), or empty where nothing is allowed;
    `before` is the value up to the cursor. `keys` are the fields of the map so far.
    """

    item: ItemLines
    path: tuple[Step, ...]
    role: str
    word: str
    start: int
    keys: tuple[str, ...] = ()
    before: str | None = None
    is_block: bool = False
    in_flow: bool = False

    @property
    def fields(self) -> tuple[str, ...]:
        """The path as field names; `*` for list indexes."""
        return fields_on(self.path)


class ItemLines(NamedTuple):
    """The range of one item in the text of its file."""

    text: str
    start: int
    end: int

    @property
    def written(self) -> str:
        """The text of the item."""
        return self.text[self.start : self.end]

    def value(self, name: str) -> str:
        """The single-line value of a field of the item; empty if there is none."""
        found = re.search(VALUE % re.escape(name), self.written, re.MULTILINE)
        if found is None:
            return ""
        quoted = found[1] if found[1] is not None else found[2]
        if quoted is not None:
            return quoted
        plain = re.split(r"\s#", found[3])[0].strip()
        return re.split(r"[,}]", plain)[0].strip() if self.is_flow else plain

    @property
    def is_flow(self) -> bool:
        """Is the item a flow mapping, in braces?"""
        return self.written.lstrip("- \t").startswith("{")

    @property
    def kind(self) -> str:
        """The kind of the item; empty if it has none."""
        return self.value("kind")


def item_at(text: str, offset: int) -> ItemLines:
    """The item around an offset: an entry of the top-level list, else the whole file."""
    starts = [found.start() for found in ENTRY.finditer(text)]
    if not starts or FIELD.search(text, 0, starts[0]):
        return ItemLines(text, 0, len(text))
    before = [start for start in starts if start <= offset]
    start = before[-1] if before else 0
    end = next((one for one in starts if one > offset), len(text))
    return ItemLines(text, start, end)


def yaml_cursor(text: str, offset: int) -> YamlCursor:
    """The cursor at an offset of a text."""
    offset = min(max(offset, 0), len(text))
    item = item_at(text, offset)
    written = text[item.start : offset]
    word = WORD.search(written)
    assert word is not None, "it may be empty"
    above = BLOCK_SIGN.sub("", written[: word.start()])
    if JUST_BEHIND_FIELD.search(above):
        above += " "
    is_field = LINE_START.match(above.rpartition("\n")[2])
    ends = (FIELD_END, *PLAIN_ENDS) if is_field else (*PLAIN_ENDS, FIELD_END)
    for _ in range(MOST_PASSED_OVER):
        faults = []
        for end in ends:
            found = _reached(f"{above}{HERE}{end}")
            if not isinstance(found, int):
                return _cursor(*found, item, offset, word[0])
            faults.append(found)
        at = min(faults)
        if at >= above.rfind("\n"):
            break
        begin, stop = above.rfind("\n", 0, at) + 1, above.index("\n", at)
        above = f"{above[:begin]}{' ' * (stop - begin)}{above[stop:]}"
    return YamlCursor(item, (), "", word[0], offset - len(word[0]))


@dataclass(slots=True)
class _Frame:
    """A map or list around the cursor: the current entry, and the fields so far."""

    is_list: bool
    is_flow: bool
    step: Step
    keys: list[str] = default(default_factory=list)
    is_key_due: bool = True

    def take(self, name: str | None) -> None:
        """Advance past a value, or past a field's name."""
        if isinstance(self.step, int):
            self.step += 1
        elif self.is_key_due and name is not None:
            self.step, self.is_key_due = name, False
            self.keys.append(name)
        else:
            self.is_key_due = not self.is_key_due


def _cursor(
    frames: list[_Frame], scalar: yaml.ScalarEvent, item: ItemLines, offset: int, word: str
) -> YamlCursor:
    """The cursor at a placeholder, after a prefix, in maps and lists, outermost first."""
    top = frames[-1] if frames else _Frame(False, False, "")
    is_key = not top.is_list and top.is_key_due
    around = frames[:-1] if is_key else frames
    # An outermost list is the file's list of items.
    is_in_list = bool(around) and around[0].is_list
    path = tuple(one.step for one in around[is_in_list:])
    in_flow, keys = top.is_flow, tuple(top.keys)
    if is_key or not (path or in_flow):
        start = offset - len(word)
        return YamlCursor(item, path, "key", word, start, keys, None, False, in_flow)
    before, style = scalar.value[: scalar.value.index(HERE)] + word, scalar.style or None
    role = "value"
    if style is not None:
        found = NAME_PART.search(before)
        role, word = "text", found[0] if found is not None else ""
    start, is_block = offset - len(word), style in ("|", ">")
    return YamlCursor(item, path, role, word, start, keys, before, is_block, in_flow)


def _reached(text: str) -> tuple[list[_Frame], yaml.ScalarEvent] | int:
    """The maps and lists around the placeholder of a text, and it; an error's offset, if that comes first."""
    frames: list[_Frame] = []
    try:
        for event in events(text):
            if isinstance(event, yaml.ScalarEvent) and HERE in event.value:
                return frames, event
            _follow(frames, event)
    except yaml.MarkedYAMLError as error:
        marks = [mark for mark in (error.context_mark, error.problem_mark) if mark is not None]
        return min((mark.index for mark in marks), default=len(text))
    except (yaml.YAMLError, UnicodeEncodeError):
        pass
    return len(text)


def _follow(frames: list[_Frame], event: Any) -> None:
    """Open a frame, close it, or advance in it, by event."""
    if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
        is_list = isinstance(event, yaml.SequenceStartEvent)
        frames.append(_Frame(is_list, bool(event.flow_style), 0 if is_list else ""))
    elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
        frames.pop()
        if frames:
            frames[-1].take(None)
    elif isinstance(event, yaml.ScalarEvent) and frames:
        frames[-1].take(event.value)
