"""Values that packs add to the enums of others, and what says nothing of them: nothing is silently
left out.

In go the tables and printed fields that had something for every value before; out comes one
complaint for each new value that lacks something, at the value, with the places of what would have
to say it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import quoted_list
from ruleloom.compiler.packs.ownership import Belonging
from ruleloom.compiler.source.file import Place

SHOWN = 3


@dataclass(frozen=True, slots=True)
class Silence:
    """Something that says nothing of a value: what it is called, where it stands, what a patch of
    it would say."""

    name: str
    place: Place
    patch: str


@dataclass(slots=True)
class NewValues:
    """The values that packs have added, by enum, each with its place; and what says nothing of
    them."""

    places: dict[str, dict[str, Place]] = field(default_factory=dict)
    silent: dict[tuple[str, str], list[Silence]] = field(default_factory=dict)

    def add(self, enum: str, value: str, place: Place) -> None:
        """Enter a value that some pack has added."""
        self.places.setdefault(enum, {})[value] = place

    def are_all_new(
        self, enum: str, values: Iterable[str], at: Place, belonging: Belonging
    ) -> bool:
        """Could what stands at a place not know of any of these values?"""
        added = self.places.get(enum, {})
        return all(one in added and not belonging.builds_on(at, added[one]) for one in values)

    def note(
        self, enum: str, values: Iterable[str], name: str, field: str, id: str, place: Place
    ) -> None:
        """Remember what says nothing of these values: the item `id`, whose `field` a patch would
        have to set."""
        for value in values:
            patch = f"`target: {id}` and `set: {{{field}.{value}: ...}}`"
            self.silent.setdefault((enum, value), []).append(Silence(name, place, patch))

    def complain(self, report: Report) -> None:
        """Say of each new value what says nothing of it."""
        for (enum, value), silences in self.silent.items():
            names = list(dict.fromkeys(one.name for one in silences))
            shown = quoted_list(names)
            several = "say" if len(names) > 1 else "says"
            message = f"`{value}` is a new {enum}, and {shown} {several} nothing of it"
            notes = [Note(one.place, f"`{one.name}` stands here") for one in silences[:SHOWN]]
            help = f"add a patch with {silences[0].patch}"
            report.error("unsaid-value", self.places[enum][value], message, help, notes)
