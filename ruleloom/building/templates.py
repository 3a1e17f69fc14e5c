"""What can be made with some packs: kinds, records to begin with, and themes of what is on offer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ruleloom.building.appraisal import Number
from ruleloom.building.bench import Bench
from ruleloom.building.building import Building, blank
from ruleloom.building.offers import candidates
from ruleloom.compiler.analysis.record_rows import kinds_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import choices_text
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.faults import Refused

SEVERAL = {"copies", "numbers"}
"""Fields of items that make several things."""


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
        found.append(BuildableKind(kind, has_allowance, templates_of(content, kind)))
    return tuple(sorted(found, key=lambda one: not one.has_allowance))


def templates_of(content: Content, kind: str) -> tuple[tuple[str, str], ...]:
    """The ids and titles of the records to begin with; items that make several things are none."""
    items = (one for one in content.by_kind(kind) if SEVERAL.isdisjoint(one.fields))
    return tuple((item.name, str(item.data("title") or item.name)) for item in items)


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
    text = text_alone(found.node)
    return text.replace(f"id: {found.name}", f"id: {id}", 1) if id else text


def text_alone(node: YamlNode) -> str:
    """The text of an item as a file of its own."""
    raw, margin = node.raw, " " * (node.place.column - 1)
    lines = (line.removeprefix(margin) for line in raw.rstrip().split("\n"))
    return "\n".join(lines) + "\n"


def text_together(nodes: Iterable[YamlNode]) -> str:
    """The texts of several items as one file."""
    texts = (text_alone(node).replace("\n", "\n  ").rstrip() for node in nodes)
    return "".join(f"- {text}\n" for text in texts)
