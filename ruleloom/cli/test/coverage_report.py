"""The report of `ruleloom test --coverage`: the share of a pack that its cases reach, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from ruleloom.cli.test.collect import Batch
from ruleloom.compiler.diagnostics.render import workflow_command
from ruleloom.output.repository import RepositoryPaths
from ruleloom.output.terminal import paint
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.scenarios.coverage.coverage import Coverage, coverage_of
from ruleloom.scenarios.coverage.targets import ABILITY, CONDITION, LINE, RULE, WAY
from ruleloom.scenarios.coverage.watch import Listener, Watch

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
