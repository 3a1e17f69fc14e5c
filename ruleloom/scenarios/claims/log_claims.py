"""Claims about events: the lines of the log, and how often each operation was done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.state import Event
from ruleloom.scenarios.claims.numbers import claim_text
from ruleloom.scenarios.notation import StepNotUnderstood

MOST_LINES = 20


def wrong_log(found: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """The first part that no line tells after those before it."""
    lines = iter(found)
    for part in wanted:
        if not any(part in line for line in lines):
            after = " at its place" if any(part in line for line in found) else ""
            shown = found if len(found) <= MOST_LINES else ["...", *found[-MOST_LINES:]]
            yield f"log: nothing tells `{part}`{after}: {claim_text(shown)}"
            return


def wrong_counts(
    linked: Linked, events: Sequence[Event], wanted: Mapping[str, int]
) -> Iterator[str]:
    """Operations done more or less often than claimed; StepNotUnderstood for an unknown one."""
    done = Counter(event.name for event in events if event.kind == "operation")
    for name, times in wanted.items():
        if name not in linked.operations:
            none = f"`done`: there is no operation `{name}`"
            raise StepNotUnderstood.of_name(none, name, linked.operations)
        if done[name] != times:
            yield f"done: {name}: wanted {times}, found {done[name]}"
