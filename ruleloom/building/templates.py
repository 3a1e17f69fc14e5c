"""What can be made with some packs: kinds, records to begin with, and themes of what is on offer."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.building.appraisal import Number
from ruleloom.building.bench import Bench
from ruleloom.building.building import Building, blank
from ruleloom.building.offers import candidates
from ruleloom.compiler.analysis.record_rows import kinds_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import choices_text
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.pipeline import load
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused


class BuildableKind(Frozen):
    """A kind whose records can be made, with the ids and titles of those to begin with; `has_allowance` if
    the game says how much one may cost."""

    name: str
    has_allowance: bool
    templates: tuple[tuple[str, str], ...]


def buildable_kinds(paths: Sequence[str]) -> tuple[BuildableKind, ...]:
    """The kinds of some packs, those with an allowance first."""
    content = load(paths, Report(), scenarios=False)
    if content is None:
        raise Refused("these packs cannot be read")
    found = []
    for kind, has_allowance in kinds_of(content).items():
        items = content.by_kind(kind)
        titles = tuple((item.name, str(item.data("title") or item.name)) for item in items)
        found.append(BuildableKind(kind, has_allowance, titles))
    return tuple(sorted(found, key=lambda one: not one.has_allowance))


def points_of(bench: Bench) -> Number | None:
    """What a record may cost in the first budget that has an allowance."""
    budgets = Building(bench, blank(bench)).budgets
    return next((one.allowed for one in budgets if one.allowed is not None), None)


def setting_of_points(bench: Bench) -> str | None:
    """The setting that says how much a record may cost, if one does."""
    allowed = (one.allowed for one in bench.budgets if one.allowed is not None)
    first = next(allowed, None)
    return str(first[1]) if first is not None and first[0] == "setting" else None


def themes_of(bench: Bench) -> tuple[str, ...]:
    """The tags of whatever is on offer."""
    building = Building(bench, blank(bench))
    every = (each for one in building.outer_choices for each in candidates(building, one))
    return tuple(sorted({tag for one in every for tag in one.tags}))


def template_text(bench: Bench, name: str, id: str = "") -> str:
    """The text of a record of the kind, to begin with; under another id. Raises Refused."""
    items = bench.content.by_kind(bench.kind)
    found = next((one for one in items if name in (one.name, one.data("title"))), None)
    if found is None:
        names = [one.name for one in items]
        raise Refused(f"there is no {bench.kind} `{name}`; {choices_text(name, names)}")
    text = _alone(found)
    return text.replace(f"id: {found.name}", f"id: {id}", 1) if id else text


def _alone(item: Item) -> str:
    """The text of an item as a file of its own."""
    raw, margin = item.node.raw, " " * (item.node.place.column - 1)
    lines = (line.removeprefix(margin) for line in raw.rstrip().split("\n"))
    return "\n".join(lines) + "\n"
