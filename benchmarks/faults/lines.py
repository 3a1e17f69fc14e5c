"""Slips with whole lines: one that is gone, one that stands there twice, two that change places.

A change of lines is a fault where it leaves no sound file, item or block, or a variable that nothing
sets. Where a mistake is: where the line was or is, or the lines beside it; or what the line stands
in: the keys above it and the id of its item; or where its variable is first read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from benchmarks.edits.shipped import File, Shipped, Text, blocks
from benchmarks.edits.sites import Edit, Site, shown
from benchmarks.edits.text_names import wanted_types
from benchmarks.faults.layout import block_lines, blocks_of, lines_of_file, plain_data
from benchmarks.faults.variables import first_read, lines_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import to_data
from ruleloom.compiler.yaml.reader import compose

LINES_TRIED = 12
HEAD = re.compile(r".*:\s*(#.*)?$")
NAMED = re.compile(r"[ -]*id:")
Change = Callable[[str, str], str]


def deleted_lines(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A line is gone."""
    yield from _changed(pack, rng, "gone", lambda line, behind: behind)


def doubled_lines(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A line stands there twice."""
    yield from _changed(pack, rng, "twice", lambda line, behind: line + line + behind)


def swapped_lines(pack: Shipped, rng: Random) -> Iterator[Site]:
    """Two lines have changed places."""
    yield from _changed(pack, rng, "swapped", lambda line, behind: behind + line)


def _changed(pack: Shipped, rng: Random, what: str, change: Change) -> Iterator[Site]:
    texts, set_by = block_lines(pack), _setters(pack)
    for file in pack.files:
        if file.root.get("cases") is not None:
            continue
        lines = list(lines_of_file(file))[:-1]
        for start, line in sorted(rng.sample(lines, min(len(lines), LINES_TRIED))):
            middle = start + len(line) + 1
            end = file.text.find("\n", middle) + 1
            behind = file.text[middle:end]
            if not behind.strip() or behind.lstrip().startswith("#"):
                continue
            edit = Edit(start, end, change(f"{line}\n", behind))
            group = f"{what} {re.sub(r'[^a-z]', '', line.partition(':')[0])}"
            says = f"{what}: `{shown(line)}`"
            text, read = texts.get((file.name, start)), set_by.get((file.name, start))
            if text is not None and text.form == "block":
                inside = (file.name, middle) in texts
                if inside and (site := _in_block(text, edit, group, says, what, read)) is not None:
                    yield site
            elif text is None and _is_broken(file, edit, pack.store):
                yield _site(file, edit, group, says, ())


def _site(file: File, edit: Edit, group: str, says: str, also: tuple[int, ...]) -> Site:
    """The fault, with all lines at which one might be pointed at it."""
    site = Site(file, group, (edit,), edit.start, says)
    lines = site.text.split("\n")
    first = site.line_col[0]
    changed = edit.new.count("\n")
    indent = _indent(file.text[edit.start : file.text.find("\n", edit.start)])
    good = {*range(first - 1, first + changed + 1), *also, *_above(lines, first, indent)}
    return Site(file, group, (edit,), edit.start, says, lines=tuple((file.name, n) for n in good))


def _above(lines: list[str], number: int, indent: int) -> Iterator[int]:
    """The keys that a line stands below, or stood, and the id of its item."""
    for at in range(number - 1, 0, -1):
        line = lines[at - 1]
        dash = line.lstrip().startswith("- ") and len(line) - len(line.lstrip()) < indent
        if line.strip() and (dash or _indent(line) < indent):
            indent = len(line) - len(line.lstrip()) if dash else _indent(line)
            yield at
        if NAMED.match(line):
            yield at
        if line.startswith("- ") or (NAMED.match(line) and indent == 0):
            break
    yield from (
        at for at in range(number, min(number + 6, len(lines))) if NAMED.match(lines[at - 1])
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" -"))


def _is_broken(file: File, edit: Edit, store: SchemaStore) -> bool:
    """Is there no sound file any more, or an item in it that is none?"""
    text = file.text[: edit.start] + edit.new + file.text[edit.end :]
    if plain_data(text) is None:
        return True
    report = Report()
    root = compose(Source(file.name, text), report)
    if root is None or report.has_errors:
        return True
    for node in root.items if root.kind == "list" else [root]:
        kind = node.get("kind")
        if node.kind != "map" or kind is None or kind.text not in store.kinds:
            return True
        if not store.passes(kind.text, to_data(node)):
            return True
    return False


# ---------------------------------------------------------------------------------- effect text


def _setters(pack: Shipped) -> dict[tuple[str, int], tuple[int, int]]:
    """The lines that alone set a variable, with the line behind them and where it is first read."""
    found: dict[tuple[str, int], tuple[int, int]] = {}
    for text in pack.texts:
        if text.form != "block" or text.node.style != "|":
            continue
        params = wanted_types(text)
        for block in blocks(text.tree):
            for number, setter in enumerate(block[:-1]):
                start, end = lines_of(text, setter)
                read = first_read(text, block, number, params)
                if read is not None and text.file.text.count("\n", start, end) == 1:
                    found[text.file.name, start] = (lines_of(text, block[number + 1])[0], read[1])
    return found


def _in_block(
    text: Text, edit: Edit, group: str, says: str, what: str, read: tuple[int, int] | None
) -> Site | None:
    """The fault, where its block comes apart or a variable is not set any more, or set twice."""
    if read is not None:
        behind, first = read
        line_end = text.file.text.find("\n", first)
        near = what == "gone" or behind <= first < line_end < edit.end
        if what == "twice" or near:
            moved = text.file.source.line_col(first)[0] - (what == "gone")
            return _site(text.file, edit, group, says, (moved,))
    start, end = text.node.start, text.node.end
    whole = text.file.text
    before = whole[start:end].split("\n")[1:]
    after = (whole[start : edit.start] + edit.new + whole[edit.end : end]).split("\n")[1:]
    if _comes_apart(after) and not _comes_apart(before):
        return _site(text.file, edit, group, says, ())
    return None


def _comes_apart(lines: list[str]) -> bool:
    """Is there a block without a head, a head without a block, or a line between two blocks?"""
    said = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if any(line.count("(") + line.count("[") != line.count(")") + line.count("]") for line in said):
        return False  # a line that goes on has its own indentation
    indents = [len(line) - len(line.lstrip(" ")) for line in said]
    if blocks_of(indents) is None:
        return True
    for line, indent, deeper in zip(said, indents, indents[1:], strict=False):
        if (HEAD.match(line) is not None) != (deeper > indent):
            return True
    return bool(said) and HEAD.match(said[-1]) is not None
