"""The report of `ruleloom test`, in each format: cases, clauses, coverage and accepted output.

Accepted output (`--accept`) is stored beside a pack and compared at the next run.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.options import write_output
from ruleloom.cli.test.collect import Batch, Collected, Member, with_needs
from ruleloom.compiler.cases.case_file import NOT_UNDERSTOOD, NOWHERE
from ruleloom.compiler.cases.check_cases import clauses_told
from ruleloom.compiler.diagnostics.render import workflow_command
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.locate import shown_path
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.printed import document
from ruleloom.output.repository import RepositoryPaths
from ruleloom.output.terminal import paint
from ruleloom.runtime.dataclass import Frozen
from ruleloom.scenarios.coverage import (
    FILE,
    LOG,
    SORTS,
    Acceptance,
    Coverage,
    Kept,
    coverage_of,
    read,
    texts_of,
    written,
)
from ruleloom.scenarios.listener import Watch
from ruleloom.scenarios.results import (
    FAILED,
    NOT_COMPILED,
    NOT_EXECUTABLE,
    NOT_MADE,
    Result,
    Results,
)
from ruleloom.scenarios.setup.things import key

COLOURS = {"+": ("green",), "-": ("red",)}


def watches_of(gathered: Collected, coverage: bool, accept: bool) -> list[Watch]:
    """The listener of each batch; it keeps logs if the pack does."""
    return [
        Watch(coverage, one.member is not None and (accept or _file(one.member).is_file()))
        for one in gathered.batches
    ]


def _file(member: Member) -> Path:
    return member.folder.path / FILE


def accepted_of(gathered: Collected, watches: Sequence[Watch], accept: bool) -> list[Acceptance]:
    """Store the current texts and logs, or compare them with the accepted ones. Raises WrongUse."""
    return [
        _accepted(gathered, batch, batch.member, watch.logs, accept)
        for batch, watch in zip(gathered.batches, watches, strict=True)
        if watch.keeps_logs and batch.member is not None
    ]


def _accepted(
    gathered: Collected, batch: Batch, member: Member, logs: Kept, accept: bool
) -> Acceptance:
    file, shown = _file(member), shown_path(_file(member))
    before = _before(file, shown, accept)
    named = [one.named for one in with_needs(member, gathered.members)]
    result = compile_paths(named, texts=True, reasons=False, scenarios=False)
    now = {LOG + case: lines for case, lines in logs.items()}
    if result.program is not None and result.content is not None:
        now = {**texts_of(result.program, result.content, member.id), **now}
    if not accept:
        return Acceptance.compared(shown, before, now)
    if not file.parent.is_dir():
        raise WrongUse(f"{shown} cannot be written: a pack in a zip keeps nothing")
    write_output(file, written({**_left(batch, member, before), **now}))
    return Acceptance(shown, len(now))


def _left(batch: Batch, member: Member, before: Kept) -> Kept:
    """The accepted logs of the cases that were not run, if only some files were tested."""
    assert batch.content is not None
    files = {one for one in batch.content.scenarios if batch.content.files[one][0] == member.id}
    if not {case.path for case in batch.cases} < files:
        return {}
    run = {LOG + case.id for case in batch.cases}
    return {key: lines for key, lines in before.items() if key.startswith(LOG) and key not in run}


def _before(file: Path, shown: str, accept: bool) -> Kept:
    """The accepted output; empty if it is unreadable and about to be rewritten."""
    try:
        return read(file)
    except (OSError, ValueError) as error:
        if accept:
            return {}
        help = f"ruleloom test --accept writes it anew: {error}"
        raise WrongUse(f"{shown} cannot be read", help) from None


TOLD = ("place", "page", "words", "sort")


def coverage_of_batches(batches: Sequence[Batch], watches: Sequence[Watch]) -> list[Coverage]:
    """The coverage of each pack whose cases were watched; cases outside packs cover none."""
    return [
        coverage_of(batch.program, batch.content, batch.member.id, watch.marks)
        for batch, watch in zip(batches, watches, strict=True)
        if watch.covers and batch.member is not None and batch.content is not None
    ]


def told_already(results: Results, found: Iterable[Diagnostic]) -> set[str]:
    """The keys of failed cases that an error in their file explains."""
    report = Report()
    report.take(found)
    return {
        key(case)
        for case in (one.case for one in results.results if _is_unread(one))
        if (
            report.has_errors_in(case.path)
            if case.node is NOWHERE
            else report.errors_within(case.node.place)
        )
    }


def _is_unread(result: Result) -> bool:
    """Did a case fail before play?"""
    whys = (NOT_UNDERSTOOD, NOT_COMPILED, NOT_MADE)
    return result.status == FAILED and bool(result.case.fault or result.message.startswith(whys))


class RunReport(Frozen):
    """The results of a run; `told` are failed cases that findings report."""

    results: Results
    batches: Sequence[Batch]
    covered: Sequence[Coverage]
    accepted: Sequence[Acceptance]
    told: Collection[str]

    @property
    def is_good(self) -> bool:
        """Did all pass, with enough coverage and output as accepted?"""
        is_enough = all(one.is_enough for one in self.covered)
        return self.results.good and is_enough and not any(one.changed for one in self.accepted)

    def text(self, clauses: bool, colour: bool) -> str:
        """The report for people; with `clauses` it lists these as well."""
        ledger, styled = self._ledger() if clauses else {}, partial(paint, on=colour)
        about = {"clauses": clauses, "ledger": ledger, "sorts": SORTS, "colours": COLOURS}
        return document("cases.txt.j2", report=self, key=key, paint=styled, **about)

    # -------------------------------------------------------------------------- for machines

    def json(self) -> str:
        """The results, the clauses with their ledger entries, coverage and accepted output."""
        found = {**self.results.to_json(), "clauses": self._clauses_data()}
        found |= {"coverage": [one.to_json() for one in self.covered]} if self.covered else {}
        found |= {"accepted": [one.to_json() for one in self.accepted]} if self.accepted else {}
        return json.dumps(found, indent=2) + "\n"

    def _clauses_data(self) -> dict[str, Any]:
        proved, unproved = list(self.results.proved), list(self.results.unproved)
        ledger, both = self._ledger(), (*proved, *unproved)
        return {
            "proved": proved,
            "unproved": unproved,
            "unlisted": sorted(id for id in both if id not in ledger),
            "ledger": {
                id: {key: item.data(key) for key in TOLD if key in item.fields}
                for id, (item, _) in sorted(ledger.items())
                if id in both
            },
        }

    def _ledger(self) -> dict[str, tuple[Item, str]]:
        return clauses_told(one.content for one in self.batches if one.content is not None)

    def github(self) -> str:
        """A GitHub workflow command for each failed case and each gap, shown at its line."""
        path, about = RepositoryPaths.here().path, {"key": key, "command": workflow_command}
        return document("cases.github.j2", report=self, path=path, **about)

    def junit(self) -> str:
        """A JUnit report with one test per case."""
        found = self.results
        failures, skipped = found.count(FAILED), found.count(NOT_EXECUTABLE)
        return document("junit.xml.j2", found=found, failures=failures, skipped=skipped)
