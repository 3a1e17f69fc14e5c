"""Lets the compiler do the same work only once in a test process.

Most tests compile a shipped game, as it stands or beside a small pack of their own, and Moonstone
takes a second. `remember` puts three memories into the compiler: the tree of a file, by its name
and its text; the tree of an effect text, by the text; and what is built of the content of a large
game, by every name and text that was read and everything said about them. All else - finding packs,
reading files, the schemas, patches - is done each time.

What is remembered is the very object that the compiler gave the first time: nothing ever changes a
tree or a program. `forgotten` takes the memories out for a while, for tests of the compiler's own
steadiness, and `pytest --afresh` for a whole run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar

import pytest

from ruleloom.compiler import load, pipeline
from ruleloom.compiler.build import build_program
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs import manifest
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax import parser
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.program.program import Program

LARGE = 60
"""Items of a game that is worth remembering whole: toys, with which most tests are about the
compiler, are not."""
SHORT, LONG = 400, 200_000
"""Characters of a file whose tree is worth keeping, and of one that would fill the memory."""

T = TypeVar("T")
Said = tuple[Diagnostic, ...]


class Memory:
    """The last things made, by what they were made of."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: dict[Hashable, Any] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made of this key, or is made now."""
        found = self.kept.pop(key) if key in self.kept else make()
        self.kept[key] = found
        if len(self.kept) > self.most:
            del self.kept[next(iter(self.kept))]
        return found


TREES, PROGRAMS = Memory(800), Memory(40)
_READ, _BUILD = parser._parse, build_program
_PATCH = pytest.MonkeyPatch()


def remember() -> None:
    """Put the memories into the compiler."""
    _PATCH.setattr(load, "compose", compose_once)
    _PATCH.setattr(manifest, "compose", compose_once)
    _PATCH.setattr(parser, "_parse", lru_cache(8_000)(_READ))
    _PATCH.setattr(pipeline, "build_program", build_once)


def forget() -> None:
    """Take them out again."""
    _PATCH.undo()


@contextmanager
def forgotten() -> Iterator[None]:
    """Compile everything afresh for a while."""
    there = vars(load)["compose"] is compose_once
    forget()
    yield
    if there:
        remember()


def compose_once(source: Source, report: Report) -> YamlNode | None:
    """The tree of a file, and what is said of it."""
    if not SHORT <= len(source.text) <= LONG:
        return compose(source, report)

    def make() -> tuple[YamlNode | None, Said]:
        own = Report()
        return compose(source, own), tuple(own.diagnostics())

    root, said = TREES.get((source.path, source.text), make)
    _say(said, report)
    return root


def build_once(
    content: Content, report: Report, texts: bool = True, reasons: bool = True
) -> Program | None:
    """The program of some content, and what is said of it."""
    if len(content.items) < LARGE:
        return _BUILD(content, report, texts, reasons)

    def make() -> tuple[Program | None, Said]:
        before = set(report.diagnostics())
        made = _BUILD(content, report, texts, reasons)
        return made, tuple(one for one in report.diagnostics() if one not in before)

    program, said = PROGRAMS.get((texts, reasons, *_all_of(content, report)), make)
    _say(said, report)
    return program


def _all_of(content: Content, report: Report) -> tuple[Hashable, ...]:
    """Everything that a program can come from, and everything that was said on the way."""
    digest = hashlib.sha256()
    for shown, source in content.sources.items():
        for part in (shown, source.text):
            data = part.encode()
            digest.update(b"%d:%b" % (len(data), data))
    return (
        digest.digest(),
        tuple(content.files.items()),
        tuple((pack.id, pack.hash) for pack in content.packs),
        tuple(item.id for item in content.items),
        tuple(sorted(content.switches.items())),
        content.scenarios,
        frozenset(content.poisoned.names),
        frozenset(content.poisoned.kinds),
        content.poisoned.anything,
        content.complete,
        tuple(report.diagnostics()),
    )


def _say(said: Said, report: Report) -> None:
    for one in said:
        report.add(one)
