"""Reads the cases under tests/cases: YAML files whose comments say what the compiler finds in them.

`#~ error[code] "part of the message" help "part of the help"` speaks of its own line, `#~^` of the
line above, one caret a line. `---` parts the cases of a file; a case without a mark is a good one. `LAYERS` says for each
folder of cases, and for the `layer` of each code, which part of the compiler runs on it: from a
text to its diagnostics.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.edits.shipped import GAMES
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.schema.validate import check_item, effect_nodes, item_nodes, kind_of
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_block
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import effect_text
from tests.conftest import ROOT
from tests.support.check_layer import (
    run_allowed,
    run_baseline,
    run_check,
    run_game,
    run_homebrew,
    run_requirements,
)
from tests.support.pack_examples import run_packing, run_packs, run_whole_packs, run_with_driver

TESTS = ROOT / "tests"
MARK = re.compile(r'#~(\^*) (error|warning)\[([a-z0-9-]+)\](?: "([^"]*)")?(?: help "([^"]*)")?')
NAME = "case.yaml"

Example = str | bytes | Mapping[str, str]
Layer = Callable[[Example], list[Diagnostic]]


@dataclass(frozen=True)
class Expected:
    """One mark of a case."""

    line: int
    severity: str
    code: str
    text: str
    help: str

    def matches(self, found: Diagnostic) -> bool:
        """Say whether a diagnostic is the one that the mark asks for."""
        where = (found.place.line, found.severity, found.code)
        said = self.text in found.message and self.help in (found.help or "")
        return where == (self.line, self.severity, self.code) and said


@dataclass(frozen=True)
class Case:
    """One document of a file of cases, with empty lines above it so that its line numbers are the
    file's."""

    name: str
    source: str
    expected: list[Expected]


def read_cases(path: Path) -> Iterator[Case]:
    """Find the cases in a file."""
    above = 0
    for text in path.read_text(encoding="utf-8").split("\n---\n"):
        expected = [
            Expected(number - len(carets), severity, code, contains, help)
            for number, line in enumerate(text.split("\n"), above + 1)
            for carets, severity, code, contains, help in MARK.findall(line)
        ]
        yield Case(
            f"{path.parent.name}/{path.stem}:{above + 1}", "\n" * above + text + "\n", expected
        )
        above += text.count("\n") + 2


def mismatches(case: Case, found: list[Diagnostic]) -> list[str]:
    """Return what was expected and not found, and found and not expected."""
    left, missing = list(found), []
    for want in case.expected:
        hit = next((diagnostic for diagnostic in left if want.matches(diagnostic)), None)
        if hit is None:
            missing.append(want)
        else:
            left.remove(hit)
    return [f"missing {want}" for want in missing] + [
        f"unexpected {diagnostic}" for diagnostic in left
    ]


@cache
def sample_store() -> SchemaStore:
    """Return a small closed world of two kinds, for tests that are not about a game."""
    return schemas_of(TESTS / "support" / "sample_schemas")


def read(example: Example, report: Report) -> YamlNode | None:
    """Read one file given as text or bytes, up to its tree."""
    assert not isinstance(example, Mapping), "this layer reads one file"
    try:
        if isinstance(example, bytes):
            source = Source.decode(example, NAME)
        else:
            source = Source.from_text(example, NAME)
    except SourceError as error:
        report.refuse(error)
        return None
    return compose(source, report)


def run_yaml(example: Example) -> list[Diagnostic]:
    """Read a file as YAML."""
    report = Report()
    read(example, report)
    return report.diagnostics()


class CheckedItem(NamedTuple):
    """An item of a known kind, and whether its schema passes it."""

    kind: str
    node: YamlNode
    is_sound: bool


def check(root: YamlNode, store: SchemaStore, report: Report) -> list[CheckedItem]:
    """Check the items of a file one by one."""
    items = []
    for node in item_nodes(root, report):
        kind = kind_of(node, store, report)
        if kind is not None:
            items.append(CheckedItem(kind, node, check_item(node, kind, store, report)))
    return items


def run_schema(example: Example) -> list[Diagnostic]:
    """Read a file and check its items against the sample schemas."""
    report = Report()
    root = read(example, report)
    if root is not None:
        check(root, sample_store(), report)
    return report.diagnostics()


def run_effect_text(example: Example) -> list[Diagnostic]:
    """Read a file, check its items, and find the places of their effect texts."""
    report = Report()
    root = read(example, report)
    for item in check(root, sample_store(), report) if root is not None else ():
        for _, node, _ in effect_nodes(item.node, item.kind, sample_store()):
            effect_text(node.source, node, report)
    return report.diagnostics()


def run_syntax(example: Example) -> list[Diagnostic]:
    """Read a file and parse the effect of each item, whatever its kind."""
    report = Report()
    root = read(example, report)
    for node in item_nodes(root, report) if root is not None else ():
        field = node.get("effect")
        written = effect_text(node.source, field, report) if field is not None else None
        if written is not None:
            try:
                parse_block(written.text)
            except EffectSyntaxError as error:
                report.error(error.code, written.place_of(error.span), error.message, error.help)
    return report.diagnostics()


LAYERS: dict[str, Layer] = {
    "yaml": run_yaml,
    "schema": run_schema,
    "effect-text": run_effect_text,
    "syntax": run_syntax,
    "pack": run_packs,
    "whole-packs": run_whole_packs,
    "packing": run_packing,
    "check": run_check,
    "lint": run_check,
    "game": run_check,
    "requirement": run_requirements,
    "driver": run_with_driver,
    "vocabulary": run_game,
    "allowed": run_allowed,
    "baseline": run_baseline,
    **{game: partial(run_homebrew, game) for game in GAMES},
}
