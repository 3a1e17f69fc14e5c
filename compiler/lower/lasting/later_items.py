"""Writes out what comes later: each `next time ...:` and `in 3 times ...:` becomes an item that lasts.

In goes the content of a game; out comes the same with these items, and with what to begin in the place
of each statement. Their texts are the author's own lines, so that every message points there. What
they have to keep is found by checking the game once beforehand, without a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from ruleloom.compiler.diagnostics.report import ErrorLimit, Report
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Begun, Content, Item
from ruleloom.compiler.packs.lasting_names import EACH, KIND, SELF
from ruleloom.compiler.packs.lasting_parts import GeneratedSource, with_lasting
from ruleloom.compiler.resolve.symbols import Symbols, Waiting
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.types import is_unknown
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.woven import WovenLine, woven_node

# What a line begins with that may speak of something later: whether it does, its tree tells.
LATER = re.compile(r"(?:^|:)[ \t]*(?:next time|in [^:\n]* times) [a-z][^\n]*\(", re.MULTILINE)


def with_later(content: Content, report: Report, noted: Callable[[Build], None]) -> Content:
    """Return the content with an item for all that comes later; `noted` checks a game.

    What is wrong is told when the game itself is checked, unless that is too much to go on.
    """
    if not any(source.uses(LATER) for source in _sources(content)):
        return content
    symbols = Symbols(game=content.game)
    silent = Report(limited=True)
    try:
        noted(Build(content, silent, symbols, None))
    except ErrorLimit:
        report.take(silent.found)
        return content
    if not symbols.waiting:
        return content
    items, later = list(content.items), {}
    for number, (start, waiting) in enumerate(symbols.waiting.items(), 1):
        item = _item(content, waiting, number, symbols)
        kept = tuple(name for name in waiting.kept if name != SELF or "on" not in item.fields)
        later[start] = Begun(item.slug, kept, "on" in item.fields, waiting.by_owner)
        items.append(item)
    return replace(content, items=with_lasting(items), later=later)


def _sources(content: Content) -> set[Source]:
    """The files of items, and the texts that patches have brought into some."""
    changed = {id for id, _ in content.history}
    patched = (item for item in content.items if item.id in changed)
    files = {one for path, one in content.sources.items() if path not in content.scenarios}
    return files | {node.source for item in patched for node in item.fields.values()}


def _item(content: Content, waiting: Waiting, number: int, symbols: Symbols) -> Item:
    """The item of one statement."""
    node, text = waiting.node, waiting.passage
    place = text.place(node.span)
    pack = content.files[place.path][0]
    source = text.written.source
    kept = {name: type_ for name, type_ in waiting.kept.items() if not is_unknown(type_)}

    def written(value: str) -> YamlNode:
        return YamlNode(GeneratedSource(source.path, value, place), "text", value, 0, len(value))

    label = node.label.value if node.label is not None else "something waits"
    label += ", in {time}" if node.times is not None else ""
    fields = {
        "kind": written(KIND),
        "title": written("wait"),
        "english": written(label),
        "stacks": written(EACH),
        "abilities": woven_node(written(KIND), [*_head(waiting), *_body(waiting)]),
    }
    bearer = kept.get(SELF)
    single = bearer is not None and not (bearer.many or bearer.optional)
    if bearer is not None and single and bearer.name in symbols.entities:
        fields["on"] = written(kept.pop(SELF).name)
    if kept:
        fields["takes"] = written(", ".join(f"{name}: {one}" for name, one in kept.items()))
    whole = YamlNode(GeneratedSource(source.path, "", place), "map", fields, 0, 0, None)
    return Item(KIND, f"later-{number}", pack, fields, place, whole, source)


WHEN, INDENT = "when ", "    "


def _head(waiting: Waiting) -> list[WovenLine]:
    """`when EVENT where ...:`, with its words where they stand."""
    node = waiting.node
    first, *rest = _lines(waiting, node.event.span[0], (node.where or node.event).span[1])
    head = [WovenLine(f"{WHEN}{first.text}", first.source, first.start - len(WHEN)), *rest]
    return [*head[:-1], replace(head[-1], text=f"{head[-1].text}:")]


def _body(waiting: Waiting) -> list[WovenLine]:
    """The lines behind the colon, indented."""
    node, text = waiting.node, waiting.passage.text
    head = node.label or node.where or node.event
    lines = _lines(waiting, text.index(":", head.span[1]) + 1, node.span[1])
    margin = min(len(one.text) - len(one.text.lstrip()) for one in lines)
    shift = margin - len(INDENT)
    return [
        WovenLine(f"{INDENT}{one.text[margin:]}", one.source, one.start + shift) for one in lines
    ]


def _lines(waiting: Waiting, start: int, end: int) -> list[WovenLine]:
    """The lines of a stretch of the text that say anything."""
    written = waiting.passage.written
    lines: list[WovenLine] = []
    while start < end:
        stop = written.text.find("\n", start, end)
        stop = end if stop < 0 else stop
        line = written.text[start:stop]
        if line.strip():
            lines.append(WovenLine(line, written.source, written.offset_of(start)))
        start = stop + 1
    return lines
