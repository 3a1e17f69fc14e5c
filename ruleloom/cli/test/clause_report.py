"""The report of `ruleloom test --clauses`: the clauses proved and not proved, with their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ruleloom.cli.test.collect import Collected
from ruleloom.compiler.lint.cited_clauses import Ledger, told
from ruleloom.compiler.packs.content import Item
from ruleloom.output.terminal import paint
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.results import Results

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
