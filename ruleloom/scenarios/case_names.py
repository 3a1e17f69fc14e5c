"""Claims of cases on the words of packs below, which may change with any version, and their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ruleloom.compiler.analysis.analysis import offsets
from ruleloom.compiler.analysis.yaml_cursor import FileEdit, edited
from ruleloom.compiler.cases.case_words import Prompts, folded
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import YamlNode, fields_of, items_of, text_of
from ruleloom.runtime.program.program import Program

BY_PROMPT, LINES = ("answers", "whom", "offers"), ("log", "unlogged")
UNASKED, ASKED, REASON = "unasked", "asked", "reason"
HOLE = re.compile(r"\{[^{}]*\}")
LEAST = 4  # letters of a part of a log line that tells it from others


class WordsClaim(NamedTuple):
    """Words that a case claims: their place, and the name that does it in their stead, if there is one."""

    place: Place
    words: str
    name: str = ""
    help: str = ""


def claims_on_words(content: Content, program: Program, shown: str) -> list[WordsClaim]:
    """The claims of a file of cases on words of packs that its own builds on."""
    pack = content.files[shown][0]
    is_own = {one.id: one.id.startswith(f"{pack}:") for one in program.routines}
    others, own = (
        Prompts((one for one in program.routines if is_own[one.id] is mine), program.entities, ())
        for mine in (False, True)
    )
    paths = {path for path, (of, _) in content.files.items() if of == pack}
    written = "\n".join(content.sources[path].text for path in paths - set(content.scenarios))
    root = content.cases.get(shown)
    read = _Claims(others, own, dict(_lines(content, paths)), written)
    return [*read.of(root)] if root is not None else []


def _lines(content: Content, own: set[str]) -> Iterator[tuple[str, list[str]]]:
    """The parts of the log lines of operations of other packs, by operation."""
    for item in content.by_kind("vocabulary"):
        for name, node, place in fields_of(item.fields.get("operations")):
            if place.path not in own:
                yield name, HOLE.split(text_of(node.get("log") or node.get("english")))


class _Claims:
    """The claims on words in the tree of a file."""

    def __init__(
        self, prompts: Prompts, own: Prompts, lines: Mapping[str, list[str]], written: str
    ) -> None:
        self.prompts, self.own, self.lines, self.written = prompts, own, lines, written

    def of(self, node: YamlNode) -> Iterator[WordsClaim]:
        """The claims in a node and below it."""
        for key, child, _ in fields_of(node):
            for name, place in _prompts(key, child):
                yield from self._of_prompt(place, name)
            for one in items_of(child) if key in LINES else ():
                yield from self._of_line(one)
            if key == REASON and child.text and child.text not in self.written:
                yield WordsClaim(child.place, child.text)
            yield from self.of(child)
        for one in node.items:
            yield from self.of(one)

    def _of_prompt(self, place: Place, said: str) -> Iterator[WordsClaim]:
        """The claim on the words of a question, unless it is the pack's own."""
        named = self.prompts.names_of(said)
        if named and folded(said) not in named and not self.own.of(said):
            name = next(iter(named)) if len(named) == 1 else ""
            yield WordsClaim(place, said, name)

    def _of_line(self, node: YamlNode) -> Iterator[WordsClaim]:
        """The claim on a line of the log that an operation of another pack writes."""
        text = node.text or ""
        found = [
            name for name, parts in self.lines.items() if any(_shared(one, text) for one in parts)
        ]
        if found and text not in self.written:
            help = f"`done: {{{found[0]}: ...}}` claims the operation" if len(found) == 1 else ""
            yield WordsClaim(node.place, text, "", help)


def _prompts(key: str, node: YamlNode) -> Iterator[tuple[str, Place]]:
    """The prompts that a field of a case names, each with its place."""
    if key in BY_PROMPT:
        for one in node.items or [node]:
            yield from ((name, place) for name, _, place in fields_of(one))
    elif key == UNASKED:
        yield from ((text_of(one), one.place) for one in node.items)
    elif key == ASKED and (name := node.get("name")) is not None:
        yield text_of(name), name.place


def _shared(part: str, text: str) -> bool:
    """Does one text contain the other, and enough of it?"""
    part = part.strip()
    return len(part) >= LEAST and (part in text or text in part)


def named(source: Source, claims: Sequence[WordsClaim]) -> str:
    """The text of a file with names in place of the words that have one; all else stays as it is."""
    edits = (FileEdit(*offsets(source, one.place), one.name) for one in claims if one.name)
    return edited(source.text, edits)
