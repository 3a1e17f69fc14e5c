"""Claims about what players know: the lines of the log, and the things that they may not see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.program.values import Type, World
from ruleloom.scenarios.claims.numbers import claim_text
from ruleloom.scenarios.notation import StepNotUnderstood

MOST_LINES = 20


def wrong_log(found: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """The first part that no line has after those before it."""
    lines = iter(found)
    for part in wanted:
        if not any(part in line for line in lines):
            after = " at its place" if any(part in line for line in found) else ""
            shown = found if len(found) <= MOST_LINES else ["...", *found[-MOST_LINES:]]
            yield f"log: no line has `{part}`{after}: {claim_text(list(shown))}"
            return


def wrongly_logged(found: Sequence[str], unwanted: Sequence[str]) -> Iterator[str]:
    """Each part that a line has, though none should."""
    for part in unwanted:
        line = next((one for one in found if part in one), None)
        if line is not None:
            yield f"unlogged: `{part}` stands in the log: `{line}`"


def wrongly_seen(
    linked: Linked,
    world: World,
    said: Mapping[str, Sequence[Any]],
    number: Callable[[str, str], int | None],
) -> Iterator[str]:
    """Each thing that a player may see, though they should not; `number` finds a thing by name."""
    secrecy = secrecy_of(linked)
    for viewer, names in said.items():
        if viewer not in linked.layout.players:
            known = linked.layout.players
            raise StepNotUnderstood.of_name(
                f"`unseen`: there is no player `{viewer}`", viewer, known
            )
        eyes = linked.layout.players.index(viewer)
        for name in map(str, names):
            things = ((kind, number(kind, name)) for kind in sorted(secrecy.kinds))
            found = next(((kind, thing) for kind, thing in things if thing is not None), None)
            if found is None:
                raise StepNotUnderstood(f"`unseen`: nothing called `{name}` can be hidden")
            if not secrecy.hides(eyes, Type(found[0]), found[1], (world,)):
                yield f"unseen: {viewer} may see `{name}`"
