"""Faults in the layout of a file: a key given twice, indentation, tabs, quotes.

Where a mistake is: the second of two equal keys; the first word of the line that is indented
wrongly; the tab itself; the quote that is never closed; the first curly quote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import yaml

from benchmarks.edits.shipped import File, Shipped, Text
from benchmarks.edits.sites import Edit, Site, shown
from ruleloom.compiler.yaml.node import YamlNode

STRING = re.compile(r'"[^"\n]*"')
CURLY = {'"': ("“", "”"), "'": ("‘", "’")}
SHIFTS = (-3, -2, -1, 1, 2, 3)
LINES_TRIED = 20


def _nodes(node: YamlNode, path: str = "") -> Iterator[tuple[str, YamlNode]]:
    yield path, node
    for key, child in node.entries.items():
        yield from _nodes(child, key)
    for child in node.items:
        yield from _nodes(child, path)


def plain_data(text: str) -> Any:
    """What YAML makes of a text, by another reader than ours; None where it cannot be read."""
    try:
        return yaml.load(text, Loader=yaml.CBaseLoader)
    except yaml.YAMLError:
        return None


def _differs(site: Site, before: Any) -> bool:
    return bool(plain_data(site.text) != before)


# ---------------------------------------------------------------------------------- keys


def duplicate_keys(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A field that is written a second time. The mistake: the second of the two names, or the new
    one where that stands first."""
    for file in pack.files:
        for path, node in _nodes(file.root):
            for key in node.entries:
                yield _twice(file, path or "item", node, key, rng)


def _twice(file: File, path: str, node: YamlNode, key: str, rng: Random) -> Site:
    start, _ = (node.key_spans or {})[key]
    body = file.text[start : node.entries[key].end].rstrip()
    says = f"`{key}` given twice"
    if node.style == "{":
        end = node.end - 1
        return Site(file, path, (Edit(end, end, f", {body}"),), end + 2, says)
    behind = rng.choice(list(node.entries))
    end = max(node.entries[behind].end, (node.key_spans or {})[behind][1])
    end = file.text.find("\n", end)
    column = file.source.line_col(start)[1] - 1
    line = f"\n{' ' * column}{body}"
    if end > start:
        return Site(file, path, (Edit(end, end, line),), end + 1 + column, says)
    new = file.source.line_col(end)[0] + 1
    return Site(
        file, path, (Edit(end, end, line),), start + len(line), says, lines=((file.name, new),)
    )


# ----------------------------------------------------------------------------- indentation and tabs


def _some_lines(file: File, rng: Random) -> list[tuple[int, str]]:
    """Some of the lines of a file that say something: each is read twice to see what a slip in it
    does."""
    lines = list(lines_of_file(file))
    return sorted(rng.sample(lines, min(len(lines), LINES_TRIED)))


def lines_of_file(file: File) -> Iterator[tuple[int, str]]:
    """The lines of a file that say something, each with its start."""
    at = 0
    for line in file.text.split("\n"):
        if line.strip() and not line.lstrip().startswith("#"):
            yield at, line
        at += len(line) + 1


def bad_indentation(pack: Shipped, rng: Random) -> Iterator[Site]:
    """One line moved to the left or right. The mistake: the first word (or dash) of that line.

    It is a fault where another reader of YAML refuses the file or finds other data in it, and,
    within effect text, where the line then belongs to no block.
    """
    blocks = block_lines(pack)
    for file in pack.files:
        before = plain_data(file.text)
        for start, line in _some_lines(file, rng):
            indent = len(line) - len(line.lstrip(" "))
            shift = rng.choice([one for one in SHIFTS if indent + one >= 0])
            says = f"`{shown(line)}` moved by {shift}"
            edit = Edit(start, start + indent, " " * (indent + shift))
            site = Site(file, _line_group(line), (edit,), start + indent + shift, says)
            text = blocks.get((file.name, start))
            if _is_wrong(text, start, shift) if text is not None else _differs(site, before):
                yield site


def _line_group(line: str) -> str:
    found = re.match(r"[ -]*([\w-]+)", line)
    return found[1] if found else "other"


def block_lines(pack: Shipped) -> dict[tuple[str, int], Text]:
    """The lines of effect texts below a `|`, by file and offset of the line."""
    found: dict[tuple[str, int], Text] = {}
    for text in pack.texts:
        if text.node.style == "|":
            for start in text.written.text_starts:
                at = text.at(start)
                found[text.file.name, text.file.text.rfind("\n", 0, at) + 1] = text
    return found


def _is_wrong(text: Text, start: int, shift: int) -> bool:
    """Say whether moving one line of an effect text makes its blocks come apart, or come out
    otherwise."""
    if text.form != "block":
        return False
    lines = [
        line for line in text.text.split("\n") if line.strip() and not line.lstrip().startswith("#")
    ]
    starts = [
        text.file.text.rfind("\n", 0, text.at(at)) + 1
        for at, line in zip(text.written.text_starts, text.text.split("\n"), strict=False)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    number = starts.index(start)
    moved = [len(line) - len(line.lstrip(" ")) for line in lines]
    if _in_brackets(lines[:number]):
        return False
    before = blocks_of(moved)
    moved[number] += shift
    line = text.file.source.line_text(text.file.source.line_col(start)[0])
    key = text.file.source.line_text(text.file.source.line_col(text.node.start)[0])
    outside = len(line) - len(line.lstrip(" ")) + shift <= len(key) - len(key.lstrip(" -"))
    return outside or blocks_of(moved) != before


def _in_brackets(lines: list[str]) -> bool:
    text = STRING.sub("", "\n".join(lines))
    return text.count("(") + text.count("[") > text.count(")") + text.count("]")


def blocks_of(indents: list[int]) -> list[int] | None:
    """How deep each line stands, or None where a line stands between two blocks."""
    levels: list[int] = []
    found: list[int] = []
    for indent in indents:
        while levels and indent < levels[-1]:
            levels.pop()
            if not levels or indent > levels[-1]:
                return None
        if not levels or indent > levels[-1]:
            levels.append(indent)
        found.append(len(levels))
    return found


def tabs(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A tab in the indentation of a line, for all, for the last of its spaces or behind them. The
    mistake: the tab. It is a fault where another reader of YAML refuses the file or finds other
    data in it."""
    for file in pack.files:
        before = plain_data(file.text)
        for start, line in _some_lines(file, rng):
            indent = len(line) - len(line.lstrip(" "))
            if not indent:
                continue
            kept = rng.choice([0, indent // 2, indent - 1, indent])
            edit = Edit(start + kept, start + indent, "\t")
            says = f"a tab behind {kept} spaces before `{shown(line)}`"
            site = Site(file, _line_group(line), (edit,), start + kept, says)
            if _differs(site, before):
                yield site


# ---------------------------------------------------------------------------------- quotes


def _quoted(pack: Shipped) -> Iterator[tuple[File, str, int, int]]:
    """Every text in quotes: of YAML, and of effect texts in a block. Offsets are those of the
    quotes."""
    for file in pack.files:
        for path, node in _nodes(file.root):
            if node.style in CURLY:
                yield file, path, node.start, node.end - 1
    for text in pack.texts:
        if text.node.style == "|":
            for found in STRING.finditer(text.text):
                if (
                    "#"
                    not in text.text[text.text.rfind("\n", 0, found.start()) + 1 : found.start()]
                ):
                    yield text.file, text.group, text.at(found.start()), text.at(found.end() - 1)


def unclosed_quotes(pack: Shipped, rng: Random) -> Iterator[Site]:
    """The closing quote is missing. The mistake: the quote that is never closed."""
    for file, group, start, end in _quoted(pack):
        says = f"no quote behind {shown(file.text[start:end])}"
        yield Site(file, group, (Edit(end, end + 1, ""),), start, says)


def smart_quotes(pack: Shipped, rng: Random) -> Iterator[Site]:
    """Both quotes, or one of them, are curly, as a word processor makes them. The mistake: the
    first curly one."""
    for file, group, start, end in _quoted(pack):
        opening, closing = CURLY[file.text[start]]
        first, second = Edit(start, start + 1, opening), Edit(end, end + 1, closing)
        edits = rng.choice([(first, second), (first, second), (first,), (second,)])
        site = Site(file, group, edits, edits[0].start, "curly quotes")
        says = f"curly: {shown(site.text[start : end + 1])}"
        yield Site(file, group, edits, edits[0].start, says)
