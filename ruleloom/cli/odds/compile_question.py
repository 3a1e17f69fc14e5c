"""Compiles a question about odds, together with the game that it is about."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruleloom.api.content_error import ContentError
from ruleloom.api.making import findings_of
from ruleloom.cli.faults import FINDINGS, FaultInRules, WrongUse
from ruleloom.cli.odds.working_out import refusals_in_words
from ruleloom.compiler.analysis.yaml_cursor import names_bound
from ruleloom.compiler.cases.case_reader import GIVEN, has_given
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.odds.question import NotAsked, OddsQuestion, ask


def compiled_question(
    packs: Sequence[str],
    text: str,
    asked: Sequence[str],
    best: Sequence[str],
    given_file: str | None,
) -> OddsQuestion | int:
    """The question about packs: a text, the expressions to tell, those that are to be best, and the file
    with what is given. Without expressions, the names that the text sets are told.

    The exit code where mistakes have been printed.
    """
    content = load(packs, Report(), scenarios=False)
    if content is None or not content.by_kind("vocabulary"):
        found = findings_of(compile_paths(packs, reasons=False, scenarios=False))
        raise ContentError(found)
    given = read_given(given_file) if given_file is not None else None
    if given_file is not None and given is None:
        return FINDINGS
    told = tuple(dict.fromkeys(asked or names_bound(text)))
    try:
        return odds_question(content, text, told, given, best)
    except (WrongUse, FaultInRules):
        # The game was compiled together with the question: it may be what cannot be understood.
        found = findings_of(compile_paths(packs, reasons=False, scenarios=False))
        if not found.sound:
            raise ContentError(found) from None
        raise


def read_given(path: str) -> YamlNode | None:
    """The `given:` of a file; None after printing what is wrong with it."""
    report, sources = Report(), dict[str, str]()
    try:
        source = Source.read(Path(path), path)
        sources[path] = source.text
        root = compose(source, report)
    except SourceError as error:
        report.refuse(error)
        root = None
    if root is not None and root.kind != "map":
        report.error("not-an-item", root.place, "this file has no `given:`")
    if root is None or report.has_errors or not has_given(root, report):
        sys.stdout.write(render(report.diagnostics(), sources, "text"))
        return None
    return root.entries[GIVEN]


def odds_question(
    content: Content,
    text: str,
    wanted: Sequence[str],
    given: YamlNode | None,
    best: Sequence[str],
) -> OddsQuestion:
    """The question about a game; WrongUse for one that has no meaning."""
    data: Any = to_data(given) if given is not None else {}
    things = given.get("things") if given is not None else None
    with refusals_in_words():
        try:
            # A text that is wrong sets no name, either: so it is looked at before that is told.
            question = ask(content, text, wanted or ("1",), best, data, things)
        except NotAsked as error:
            raise WrongUse("; ".join(error.reasons)) from None
    if not wanted:
        raise WrongUse("the text sets no name to tabulate", "say what to tabulate: --of EXPR")
    return question
