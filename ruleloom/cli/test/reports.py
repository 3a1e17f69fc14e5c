"""The report of `ruleloom test --coverage`: the share of a pack that its cases reach, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby
from typing import Any

from ruleloom.cli.test.collect import Batch, Collected
from ruleloom.compiler.diagnostics.render import workflow_command
from ruleloom.compiler.lint.cited_clauses import Ledger, told
from ruleloom.compiler.packs.content import Item
from ruleloom.output.repository import RepositoryPaths
from ruleloom.output.terminal import paint
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.coverage.coverage import (
    ABILITY,
    CONDITION,
    LINE,
    RULE,
    WAY,
    Coverage,
    coverage_of,
)
from ruleloom.scenarios.coverage.watch import Listener, Watch
from ruleloom.scenarios.results import Results

PLURALS = {
    **{LINE: "lines", WAY: "ways", CONDITION: "conditions"},
    **{ABILITY: "abilities", RULE: "rules"},
}


def coverage_of_batches(batches: Sequence[Batch], watches: Sequence[Listener]) -> list[Coverage]:
    """The coverage of each pack whose cases were watched; cases outside any pack cover none."""
    return [
        coverage_of(batch.program, batch.content, batch.member.id, watch.marks)
        for batch, watch in zip(batches, watches, strict=False)
        if isinstance(watch, Watch) and batch.member is not None and batch.content is not None
    ]


def coverage_lines(found: Sequence[Coverage], colour: bool) -> Iterator[str]:
    """The gaps of each pack, item by item, and its share."""
    for one in found:
        for id, gaps in groupby(one.gaps, lambda gap: gap.item):
            yield f"{paint(safe_text(id), 'bold', on=colour)}: {one.by_item[id]}"
            for gap in gaps:
                yield f"  {safe_text(gap.path)}:{gap.line}:{gap.column}: {safe_text(gap.lack)}"
        whole, style = one.whole, "green" if one.is_enough else "red"
        share = paint(f"{whole.percent} %", style, on=colour)
        parts = [f"{PLURALS[name]} {part}" for name, part in one.by_sort.items() if part.all]
        told = f" ({', '.join(parts)})" if parts else ""
        yield f"coverage of {safe_text(one.pack)}: {share}, {whole}{told}"
        if not one.is_enough:
            yield f"{safe_text(one.pack)} asks for {one.floor} % in its pack.yaml"


def coverage_commands(found: Sequence[Coverage]) -> str:
    """A workflow command for each gap, which GitHub shows at its line."""
    commands, repository = [], RepositoryPaths.here()
    for one in found:
        for gap in one.gaps:
            file = repository.path(gap.path)
            place: dict[str, str | int] = {"file": file, "line": gap.line, "col": gap.column}
            commands.append(workflow_command("warning", place, gap.lack))
        if not one.is_enough:
            message = f"its cases come past {one.whole.percent} % of {one.pack}, not {one.floor} %"
            commands.append(workflow_command("error", {"title": "coverage"}, message))
    return "".join(commands)


BRING_ONE = "to check such ids and to tell what they say, write items of `kind: clause`"
TOLD = ("place", "page", "words", "sort")


@dataclass(frozen=True, slots=True)
class ClauseReport:
    """The clauses of a run, with those that the packs have written down."""

    results: Results
    ledger: Mapping[str, Item]

    @classmethod
    def of(cls, gathered: Collected, results: Results) -> ClauseReport:
        """The report of a run of the collected cases."""
        contents = [batch.content for batch in gathered.batches if batch.content is not None]
        ledgers = [Ledger(content).clauses.items() for content in contents]
        return cls(results, dict(chain.from_iterable(ledgers)))

    @property
    def unlisted(self) -> list[str]:
        """The clauses that are cited, and that no pack has written down."""
        named = (*self.results.proved, *self.results.unproved)
        return sorted(clause for clause in named if clause not in self.ledger)

    def lines(self, colour: bool) -> Iterator[str]:
        """The clauses that are proved and those that are not, each with what it says."""
        results = self.results
        lists = (("proved", "green", results.proved), ("not proved", "yellow", results.unproved))
        for name, style, clauses in lists:
            yield paint(f"clauses {name}: {len(clauses)}", style, on=colour)
            yield from (f"  {safe_text(self._told(clause))}" for clause in clauses)
        if self.unlisted:
            yield f"clauses in no ledger: {len(self.unlisted)} ({BRING_ONE})"

    def _told(self, clause: str) -> str:
        item = self.ledger.get(clause)
        return clause if item is None else f"{clause}: {told(item)}"

    def to_json(self) -> dict[str, Any]:
        """The clauses for JSON: the ids of each list, and the entries of the ledger."""
        proved, unproved = list(self.results.proved), list(self.results.unproved)
        written = {
            id: {key: item.data(key) for key in TOLD if key in item.fields}
            for id, item in sorted(self.ledger.items())
            if id in proved or id in unproved
        }
        lists = {"proved": proved, "unproved": unproved, "unlisted": self.unlisted}
        return {**lists, "ledger": written}
