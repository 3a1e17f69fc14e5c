"""Composes the text of one YAML file into a tree of nodes with places.

It reads libyaml's events under limits (depth, nodes, lengths), so that no input can exhaust or crash
it, and types values itself: `true` and `false`, plain decimal integers, null for an empty value, and
text for all others (`no`, `1/5`, `12:30`, `010`). Errors are anchors and aliases, tags, merge keys,
a second document, keys that are not text, and repeated keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from itertools import islice
from typing import NoReturn

import yaml

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.source.file import CONTROL, Place, Source, unseen
from ruleloom.compiler.yaml import layout
from ruleloom.compiler.yaml.events import Event, events
from ruleloom.compiler.yaml.layout import MAX_DEPTH, Fault, Span, one
from ruleloom.compiler.yaml.mends import explain, reserved
from ruleloom.compiler.yaml.node import Kind, YamlNode
from ruleloom.runtime.dataclass import dataclass

INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})\Z")
PLAIN_KEY = re.compile(r"[a-zA-Z][\w-]*\Z", re.ASCII)  # in which no slip can hide
WORDS: dict[str, tuple[Kind, bool | None]] = {
    "": ("null", None),
    "~": ("null", None),
    "null": ("null", None),
    "true": ("bool", True),
    "false": ("bool", False),
}
BLOCK_STYLES = frozenset("|>")

MAX_VALUES = 200_000  # keys included
LONGEST_KEY = 200
LONGEST_TEXT = 20_000
LONGEST_BLOCK = 32_768
MOST_FAULTS = 40


def compose(source: Source, report: Report, most: int = MAX_VALUES) -> YamlNode | None:
    """Return the tree of the file, or None if it is empty or unreadable; faults go to *report*."""
    composer = _Composer(source, most, events(source.text))
    root = None
    try:
        root = composer.document()
    except _Refused as refused:
        composer.faults = [refused.fault]
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        composer.faults = [unreadable(error, source.text)]
    else:
        composer.faults[:0] = layout.text_faults(source.text)
        if root is None:
            message, help = "this file holds nothing", "add an item, or delete the file"
            report.warning("empty-file", Place.of_file(source.path), message, help)
    for at, char in source.pasted:
        report.error(CONTROL, source.place(at, at + 1), unseen(char), "delete it")
    for fault in composer.faults:
        notes = [Note(source.place(*span), message) for span, message in fault.notes]
        add = report.warning if fault.code == "hidden-character" else report.error
        add(fault.code, source.place(fault.start, fault.end), fault.message, fault.help, notes)
    return root


def unreadable(error: yaml.YAMLError | UnicodeEncodeError, text: str) -> Fault:
    """Return the fault at which libyaml breaks off."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        at = error.start if isinstance(error, UnicodeEncodeError) else getattr(error, "position", 0)
        message = "this file holds a character that cannot be seen"
        return Fault("control-character", *one(at), message, "delete it")
    at = min(error.problem_mark.index, len(text))
    if "maximum nesting depth" in str(error.problem):
        return too_deep(at)
    since = at if error.context_mark is None else min(error.context_mark.index, at)
    return explain(text, at, since)


def too_deep(at: int) -> Fault:
    """Return the fault of a value nested too deep."""
    return Fault("nested-too-deep", *one(at), f"values are nested more than {MAX_DEPTH} deep here")


class _Refused(Exception):
    """A fault after which the file is not read further."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.code)
        self.fault = fault


@dataclass(slots=True)
class _Composer:
    """Builds the tree of one file, event by event, and collects recoverable faults."""

    source: Source
    most: int
    events: Iterator[Event]
    faults: list[Fault] = field(default_factory=list)
    count: int = 0
    again: tuple[str, YamlNode, Span, int] | None = None
    """The last repeated field of a map, and the index of its fault."""

    def document(self) -> YamlNode | None:
        next(self.events)  # the start of the stream
        start = next(self.events)
        if type(start) is yaml.StreamEndEvent:
            return None
        if isinstance(start, yaml.DocumentStartEvent) and (start.version or start.tags):
            message = "a line that begins with `%` is not read in rulesets"
            self.refuse("directive", 0, 1, message, "delete it")
        root = self.node(next(self.events), 1, False)
        next(self.events)  # the end of the document
        after = next(self.events)
        if type(after) is not yaml.StreamEndEvent:
            at = after.start_mark.index
            message = "a second document begins here, and a file holds one"
            help = "move it to a file of its own, or make one list of both"
            self.refuse("second-document", at, at + 3, message, help)
        return None if root.kind == "null" else root

    def refuse(
        self, code: str, start: int, end: int, message: str, help: str | None = None
    ) -> NoReturn:
        raise _Refused(Fault(code, start, end, message, help))

    def node(self, event: Event, depth: int, flow: bool) -> YamlNode:
        kind = type(event)
        self.count += 1
        if self.count > self.most:
            at = event.start_mark.index
            message = f"this file holds more than {self.most:,} values"
            help = "spread its items over several files"
            self.refuse("too-many-values", at, at + 1, message, help)
        if kind is yaml.ScalarEvent:
            return self.scalar(event, flow)
        if kind is yaml.AliasEvent or event.anchor is not None or event.tag is not None:
            raise _Refused(reserved(self.source.text, event.start_mark.index))
        if depth > MAX_DEPTH:
            at = event.start_mark.index
            raise _Refused(too_deep(at))
        flow = flow or bool(event.flow_style)
        if kind is yaml.MappingStartEvent:
            return self.mapping(event, depth + 1, flow)
        assert kind is yaml.SequenceStartEvent, "libyaml has no other events inside a document"
        return self.sequence(event, depth + 1, flow)

    def scalar(self, event: Event, flow: bool) -> YamlNode:
        if event.anchor is not None or event.tag is not None:
            raise _Refused(reserved(self.source.text, event.start_mark.index))
        value: str = event.value
        start, end = event.start_mark.index, event.end_mark.index
        style = event.style or None
        if style is None:
            word = WORDS.get(value)
            if word is not None:
                return YamlNode(self.source, word[0], word[1], start, start + len(value))
            if INTEGER.match(value):
                return YamlNode(self.source, "int", int(value), start, end)
        if len(value) > LONGEST_TEXT:
            self.check_length(value, style, start)
        if style in BLOCK_STYLES:
            end = start + len(self.source.text[start:end].rstrip())
            if style == ">" and "\n" in value.rstrip("\n"):
                self.faults.extend(layout.folded_faults(self.source.text, start, end))
        # Slips are possible where a text is quoted, not ASCII, or of several lines.
        elif end - start != len(value) or not value.isascii() or value[-1] == '"':
            self.check_text(value, style, start, end, flow)
        return YamlNode(self.source, "text", value, start, end, style)

    def check_length(self, value: str, style: str | None, start: int) -> None:
        limit = LONGEST_BLOCK if style == "|" else LONGEST_TEXT
        if len(value) > limit:
            message = f"this text has {len(value):,} characters, and {limit:,} is the most"
            self.faults.append(Fault("too-long", *one(start), message, "split it"))

    def check_text(self, value: str, style: str | None, start: int, end: int, flow: bool) -> None:
        """Report a text that is read otherwise than it is meant; one that swallows others ends reading."""
        text = self.source.text
        fault = layout.escape_fault(text, start, end, value) if style else None
        at = layout.misread(text, start, end, value, style, flow)
        if at is not None and len(self.faults) < MOST_FAULTS:
            fault = explain(text, at, start)
            if style:
                raise _Refused(fault)
        if fault is not None:
            self.faults.append(fault)

    def mapping(self, event: Event, depth: int, flow: bool) -> YamlNode:
        value: dict[str, YamlNode] = {}
        spans: dict[str, tuple[int, int]] = {}
        start = end = event.start_mark.index
        first_again = len(self.faults)
        for key_event in self.events:
            if type(key_event) is yaml.MappingEndEvent:
                break
            key, span = self.key(key_event, flow)
            child = self.node(next(self.events), depth, flow)
            if not key_event.style and not key.isidentifier():
                is_alone = bool(event.flow_style) and child.kind == "null"
                if layout.half_key(key, is_alone):
                    raise _Refused(explain(self.source.text, *span))
            if self.again is not None:
                self.hand_up(child, value.get(next(reversed(value), "")), 0, value)
            if key in value:
                self.twice(key, child, span, value, spans)
            else:
                value[key] = child
                spans[key] = span
            end = max(child.end, span[1])
        if len(self.faults) > first_again:
            self.join_doubled(first_again, start, "kind" in value)
        if event.flow_style:
            return YamlNode(self.source, "map", value, start, key_event.end_mark.index, "{", spans)
        return YamlNode(self.source, "map", value, start, end, None, spans)

    def join_doubled(self, first: int, start: int, is_item: bool) -> None:
        """Of several repeated fields of a map, report only the first, as another map begins there."""
        doubled = [
            fault
            for fault in self.faults[first:]
            if fault.code == "duplicate-key" and fault.notes[0][0][0] >= start
        ]
        if len({fault.message for fault in doubled}) < 2:
            return
        fault, *others = doubled
        message = f"{fault.message}, and so are fields below it"
        begins = "the dash that begins an item" if is_item else "the name of the next entry"
        help = f"is a line missing above, with {begins}?"
        self.faults[self.faults.index(fault)] = replace(fault, message=message, help=help)
        self.faults = [one for one in self.faults if one not in others]

    def twice(
        self,
        key: str,
        child: YamlNode,
        span: Span,
        value: dict[str, YamlNode],
        spans: dict[str, Span],
    ) -> None:
        """Report a repeated field, or a field above it that is too far in.

        Such a field has no value: its own fields have become its neighbours.
        """
        empty = (one for one in reversed(value) if value[one].kind == "null" and not value[one].raw)
        hollow = next(empty, None)
        if hollow is None or spans[hollow][0] < spans[key][0]:
            first = value[key]
            # Of two equal fields, neither belongs to another map.
            is_same = first.raw == child.raw or first.text == ""
            self.again = None if is_same else (key, child, span, len(self.faults))
            if first.text == "":
                value[key] = child  # the fields of the doubled line are below the second
            self.faults.append(given_twice(key, spans, span))
            return
        message = f"`{hollow}` has nothing indented below it"
        help = "indent it less than the lines below it"
        fault = Fault("bad-indentation", *spans[hollow], message, help)
        if fault not in self.faults:
            self.faults.append(fault)

    def claim_field(
        self, key: str, field: YamlNode, span: Span, number: int, above: YamlNode, below: YamlNode
    ) -> None:
        """Move the field above a dash to the map below the dash, if that lacks it."""
        fault = self.faults[number] if number < len(self.faults) else None
        spans = below.key_spans
        if fault is None or fault.start != span[0] or spans is None or key in spans:
            return
        is_last = above.end <= max(field.end, span[1]) <= below.start
        if not is_last or above.style is not None:
            return
        below.entries[key], spans[key] = field, span
        message = f"`{key}` comes before the dash that begins its item"
        help = "move it to a line after that dash"
        self.faults[number] = Fault("bad-indentation", *span, message, help)

    def hand_up(
        self, below: YamlNode, above: YamlNode | None, place: int, beside: Mapping[str, YamlNode]
    ) -> None:
        """Move a field to the map above if that lacks it, and the map below begins with it and repeats it.

        Its *place* among the fields below is 0, or 1 after a dash. If it usually comes first in the maps
        *beside* them, it belongs below.
        """
        if self.again is None or above is None or above.kind != "map" or above.style is not None:
            return
        key, field, span, number = self.again
        fault = self.faults[number] if number < len(self.faults) else None
        spans, above_spans = below.key_spans or {}, above.key_spans or {}
        first = next(islice(spans, place, None), "")
        if fault is None or fault.code != "duplicate-key" or first != key or key in above_spans:
            return
        if not below.start <= span[0] < below.end or _begins_most(key, beside.values()):
            return
        above.entries[key], above_spans[key] = below.entries[key], spans[key]
        below.entries[key], spans[key] = field, span
        help = "keep one of the two: the first may belong to what stands above"
        notes = ((span, "the other one is here"),)
        self.faults[number] = replace(
            fault, start=above_spans[key][0], end=above_spans[key][1], help=help, notes=notes
        )

    def key(self, event: Event, flow: bool) -> tuple[str, tuple[int, int]]:
        start, end = event.start_mark.index, event.end_mark.index
        if type(event) is not yaml.ScalarEvent:
            if isinstance(event, yaml.CollectionStartEvent):
                help = "to begin a text with a bracket, put the text in quotes"
                message = "a key must be a word, not a list or a map"
                self.refuse("bad-key", start, start + 1, message, help)
            raise _Refused(reserved(self.source.text, event.start_mark.index))
        self.count += 1
        if event.value == "<<" and not event.style:
            message = "`<<` merges maps in YAML, which rulesets do not use"
            self.refuse("merge-key", start, start + 2, message, "write the fields out")
        if event.value == "" and not event.style:
            self.refuse("bad-key", start, start + 1, "there is no word before this `:`")
        length = len(event.value)
        if length > LONGEST_KEY:
            message = f"this key has {length:,} characters, and {LONGEST_KEY} is the most"
            self.refuse("too-long", start, end, message)
        if PLAIN_KEY.match(event.value) and length == end - start:
            return event.value, (start, end)
        node = self.scalar(event, flow)
        return node.value if isinstance(node.value, str) else event.value, (node.start, node.end)

    def sequence(self, event: Event, depth: int, flow: bool) -> YamlNode:
        value: list[YamlNode] = []
        start = end = event.start_mark.index
        for child_event in self.events:
            if type(child_event) is yaml.SequenceEndEvent:
                break
            child = self.node(child_event, depth, flow)
            if self.again is not None and value and child.kind == "map":
                self.claim_field(*self.again, value[-1], child)
                self.hand_up(child, value[-1], 1, {})
            value.append(child)
            end = child.end
        if event.flow_style:
            return YamlNode(self.source, "list", value, start, child_event.end_mark.index, "[")
        return YamlNode(self.source, "list", value, start, end)


def _begins_most(key: str, maps: Iterable[YamlNode]) -> bool:
    """Do most of these maps that have the field begin with it?"""
    begun = [next(iter(one.entries)) == key for one in maps if key in one.entries]
    return 2 * sum(begun) > len(begun)


def given_twice(key: str, spans: dict[str, Span], again: Span) -> Fault:
    """Return the fault of a repeated field, at the odd one out."""
    message, help = f"`{key}` is given twice", "keep one of the two"
    first = spans[key]
    if key == "id":
        help = "keep one, or begin another item above this one: a dash and its `kind:`"
    elif "id" in spans and next(iter(spans)) != key and first[0] < spans["id"][0]:
        # A field is never written between the dash and `id`: it has slipped in from the item above.
        notes = ((again, "the other one is here"),)
        help = "keep one of the two: the first may belong to what stands above"
        return Fault("duplicate-key", *first, message, help, notes)
    return Fault("duplicate-key", *again, message, help, ((first, "the first one is here"),))
