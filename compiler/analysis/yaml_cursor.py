"""The schemas of a place in an item: the fields that may stand there, and their values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field as default
from typing import Any

import yaml

from ruleloom.compiler.schema.compiled import Schema
from ruleloom.compiler.schema.registry import ENDING, LIKE, SchemaStore, may_be_variant
from ruleloom.compiler.yaml.node import written
from ruleloom.runtime.dataclass import dataclass

BRANCHES = ("allOf", "anyOf", "oneOf")
CONDITIONAL = ("then", "else")
DEEPEST = 24


@dataclass(frozen=True, slots=True)
class FieldHelp:
    """A field: what it is called, what it is for, what may stand in it, whether it has to be there."""

    name: str
    title: str
    help: str
    values: tuple[str, ...]
    types: tuple[str, ...]
    needed: bool


Step = str | int


def fields_on(path: Sequence[Step]) -> tuple[str, ...]:
    """A path as the names of fields; `*` for entries of lists."""
    return tuple("*" if isinstance(step, int) else step for step in path)


def schemas_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[tuple[str, Schema]]:
    """Every schema that may hold for a value in an item, each with its file."""
    if kind not in store.kinds:
        return []
    found = list(_branches(store, kind + ENDING, store.schema(kind), 0))
    for step in path:
        found = [
            inner
            for file, schema in found
            for child in _children(schema, step)
            for inner in _branches(store, file, child, 0)
        ]
    return found


def _children(schema: Schema, step: Step) -> Iterator[Schema]:
    if isinstance(step, int):
        children = [schema.get("items")]
    else:
        own = schema.get("properties", {}).get(step)
        children = [own if own is not None else schema.get("additionalProperties")]
    yield from (one for one in children if isinstance(one, dict))


def _branches(
    store: SchemaStore, file: str, schema: Schema, depth: int
) -> Iterator[tuple[str, Schema]]:
    """A schema with all that it refers to."""
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


def fields_in(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[FieldHelp]:
    """The fields of a map in an item, in the order of the schema."""
    found: dict[str, FieldHelp] = {}
    for file, schema in schemas_at(store, kind, path):
        needed = schema.get("required", ())
        for name, field in schema.get("properties", {}).items():
            if isinstance(field, dict):
                help = _field(store, file, name, field, name in needed)
                if name not in found or not found[name].help:
                    found[name] = help
    if not path and may_be_variant(kind, store):
        # An item may be like another one of its kind: that is no field of its schema.
        found[LIKE] = _field(store, f"common{ENDING}", LIKE, {"$ref": f"#/$defs/{LIKE}"}, False)
    return list(found.values())


def field_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> FieldHelp | None:
    """The help for the field that a path leads to."""
    names = [step for step in path if isinstance(step, str)]
    if not names:
        return None
    at = max(number for number, step in enumerate(path) if isinstance(step, str))
    fields = fields_in(store, kind, path[:at])
    return next((one for one in fields if one.name == names[-1]), None)


def values_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> list[str]:
    """The values that a schema lists for a place, as they are written."""
    found: list[str] = []
    for _, schema in schemas_at(store, kind, path):
        found += _values(schema)
    return list(dict.fromkeys(found))


def types_at(store: SchemaStore, kind: str, path: Sequence[Step]) -> set[str]:
    """The types that schemas name for a place."""
    return {one for _, schema in schemas_at(store, kind, path) for one in _types(schema)}


def _types(schema: Schema) -> list[str]:
    named = schema.get("type", ())
    return [named] if isinstance(named, str) else [*named]


def _field(store: SchemaStore, file: str, name: str, field: Schema, needed: bool) -> FieldHelp:
    title = help = ""
    values: list[str] = []
    types: list[str] = []
    for _, schema in _branches(store, file, field, 0):
        title = title or str(schema.get("title", ""))
        help = help or str(schema.get("description", ""))
        values += _values(schema)
        types += _types(schema)
    return FieldHelp(
        name, title, help, tuple(dict.fromkeys(values)), tuple(dict.fromkeys(types)), needed
    )


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
# What the name is followed by: as a field, as a value, in quotes that are still open.
FIELD_END, PLAIN_ENDS = ": x\n", ("\n", '"\n', "'\n")
MOST_PASSED_OVER = 8


@dataclass(frozen=True, slots=True)
class YamlCursor:
    """The place in an item: `path` leads to it, `word` is what stands of the word, from `start` on.

    `role` is `key`, `value` or `text` (within a block or between quotes), or empty where nothing can
    stand; `before` is what the value says up to there. `keys` are the fields that the map has so far.
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
        """The path as the names of fields; `*` for entries of lists."""
        return fields_on(self.path)


@dataclass(frozen=True, slots=True)
class ItemLines:
    """The lines of one item, from and to, in the text of its file."""

    text: str
    start: int
    end: int

    @property
    def written(self) -> str:
        """The text of the item."""
        return self.text[self.start : self.end]

    def value(self, name: str) -> str:
        """The value of a field of the item on one line; empty where there is none."""
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
        """Is it written on one line, between braces?"""
        return self.written.lstrip("- \t").startswith("{")

    @property
    def kind(self) -> str:
        """The kind of the item; empty if it does not say."""
        return self.value("kind")


def item_at(text: str, offset: int) -> ItemLines:
    """The lines of the item around an offset: entries of a list at the left edge, or the whole file."""
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
            if isinstance(found, _Reached):
                return found.cursor(item, offset, word[0])
            faults.append(found)
        at = min(faults)
        if at >= above.rfind("\n"):
            break
        begin, stop = above.rfind("\n", 0, at) + 1, above.index("\n", at)
        above = f"{above[:begin]}{' ' * (stop - begin)}{above[stop:]}"
    return YamlCursor(item, (), "", word[0], offset - len(word[0]))


@dataclass(slots=True)
class _Frame:
    """A map or a list around the place: the entry that is being read, and the fields so far."""

    is_list: bool
    is_flow: bool
    step: Step
    keys: list[str] = default(default_factory=list)
    is_key_due: bool = True

    def take(self, name: str | None) -> None:
        """Go past a value, or past the name of a field."""
        if isinstance(self.step, int):
            self.step += 1
        elif self.is_key_due and name is not None:
            self.step, self.is_key_due = name, False
            self.keys.append(name)
        else:
            self.is_key_due = not self.is_key_due


@dataclass(frozen=True, slots=True)
class _Reached:
    """The maps and lists around the name that nobody has, and the value in which it stands."""

    frames: list[_Frame]
    value: str
    style: str | None

    def cursor(self, item: ItemLines, offset: int, word: str) -> YamlCursor:
        """The place, where so much of a word stands."""
        top = self.frames[-1] if self.frames else None
        is_key = top is None or (not top.is_list and top.is_key_due)
        path = self._path(self.frames[:-1] if is_key else self.frames)
        in_flow = top is not None and top.is_flow
        keys = tuple(top.keys) if top is not None else ()
        if is_key or not (path or in_flow):
            start = offset - len(word)
            return YamlCursor(item, path, "key", word, start, keys, None, False, in_flow)
        before = self.value[: self.value.index(HERE)] + word
        role = "value" if self.style is None else "text"
        if self.style is not None:
            found = NAME_PART.search(before)
            word = found[0] if found is not None else ""
        start, is_block = offset - len(word), self.style in ("|", ">")
        return YamlCursor(item, path, role, word, start, keys, before, is_block, in_flow)

    def _path(self, around: list[_Frame]) -> tuple[Step, ...]:
        """The way from the item; a list around all is that of the items of a file."""
        begin = 1 if around and around[0].is_list else 0
        return tuple(frame.step for frame in around[begin:])


def _reached(text: str) -> _Reached | int:
    """What stands around the name in a text; where it cannot be read, if that comes before."""
    frames: list[_Frame] = []
    try:
        for event in _events(text):
            if isinstance(event, yaml.ScalarEvent) and HERE in event.value:
                return _Reached(frames, event.value, event.style or None)
            _follow(frames, event)
    except yaml.MarkedYAMLError as error:
        marks = [mark for mark in (error.context_mark, error.problem_mark) if mark is not None]
        return min((mark.index for mark in marks), default=len(text))
    except (yaml.YAMLError, UnicodeEncodeError):
        pass
    return len(text)


def _follow(frames: list[_Frame], event: Any) -> None:
    """Open or close a frame, or pass on within it, as an event says."""
    if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
        is_list = isinstance(event, yaml.SequenceStartEvent)
        frames.append(_Frame(is_list, bool(event.flow_style), 0 if is_list else ""))
    elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
        frames.pop()
        if frames:
            frames[-1].take(None)
    elif isinstance(event, yaml.ScalarEvent) and frames:
        frames[-1].take(event.value)


def _events(text: str) -> Iterator[Any]:
    return iter(yaml.CSafeLoader(text).get_event, None)
