"""Compiles a question about odds, together with the game that it is about."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ruleloom.cache.compiled import REASONED, keep_program, kept_with_reasons
from ruleloom.cache.lookup import CacheQuery
from ruleloom.cli.check.compile_check import report_mistakes
from ruleloom.cli.faults import FINDINGS, FaultInRules, WrongUse
from ruleloom.cli.odds.working_out import refusals_in_words
from ruleloom.compiler.analysis.texts import names_bound
from ruleloom.compiler.cases.case_reader import GIVEN, has_given
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.compiler.source.file import Source, SourceError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.odds.kept_question import Wanted, keep_question
from ruleloom.odds.prepared import OddsQuestion
from ruleloom.odds.question import NotAsked, ask
from ruleloom.runtime.program.program import Program


def compiled_question(wanted: Wanted, query: CacheQuery | None) -> OddsQuestion | int:
    """The question, kept for the next time; the exit code where mistakes have been printed."""
    packs, sources = wanted.packs, dict[str, Source]()
    content = load(packs, Report(), sources=sources, scenarios=False)
    if content is None or not content.by_kind("vocabulary"):
        return report_mistakes(compile_paths(packs, reasons=False, scenarios=False))
    given = read_given(wanted.given_file) if wanted.given_file is not None else None
    if wanted.given_file is not None and given is None:
        return FINDINGS
    told = wanted.asked or tuple(dict.fromkeys(names_bound(wanted.text)))
    compiled = kept_with_reasons(query) if query is not None else None
    try:
        question = odds_question(content, wanted.text, told, given, wanted.best, compiled)
    except (WrongUse, FaultInRules):
        # The game was compiled together with the question: it may be what cannot be understood.
        result = compile_paths(packs, reasons=False, scenarios=False)
        if result.program is None:
            return report_mistakes(result)
        raise
    if query is not None:
        read = {path: source.text for path, source in sources.items()}
        said = given.source.text if given is not None else ""
        keep_question(query, wanted, question, said, read, content.folders)
        game = question.game
        if compiled is None and game is not None:
            keep_program(query.of_sort(REASONED), game, read, content.folders)
    return question


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
    compiled: Program | None = None,
) -> OddsQuestion:
    """The question about a game, perhaps `compiled` already; WrongUse for one that has no meaning."""
    data: Any = to_data(given) if given is not None else {}
    things = given.get("things") if given is not None else None
    with refusals_in_words():
        try:
            # A text that is wrong sets no name, either: so it is looked at before that is told.
            question = ask(content, text, wanted or ("1",), best, data, things, compiled)
        except NotAsked as error:
            raise WrongUse("; ".join(error.reasons)) from None
    if not wanted:
        raise WrongUse("the text sets no name to tabulate", "say what to tabulate: --of EXPR")
    return question
