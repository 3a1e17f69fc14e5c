"""Draws the table of any game: for each kind of thing that changes a list with its fields, then
what lies where.

    Characters   PI   MI  ends
    Anna         30   22  bleeding 2

Of many things only those changed since the beginning are listed; empty columns and kinds are left
out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from ruleloom.output.standings import belongings, kinds_apart
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import title_text, unnamed
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.program.program import Entity, Zone
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Type, World
from ruleloom.table.canvas import Look, counted, seen_width, wrapped
from ruleloom.table.fields import (
    Cells,
    Field,
    cells_of,
    changes_of,
    fields_of,
    have_changed,
    listed,
    start_of,
    variable_texts,
)
from ruleloom.table.gnostica_board import GnosticaTable
from ruleloom.table.privacy import NOBODY

GAP, WIDEST = 2, 30
INDENT = "    "


class PlainTable:
    """One game's table in lists."""

    # How many lines later a drawing is likely to have left the screen.
    stays = 40

    def __init__(self, linked: Linked, look: Look) -> None:
        self.linked = linked
        self.look = look
        self._start = start_of(linked)
        self._kinds = kinds_apart(linked)
        self._fields = {one.name: fields_of(linked, one) for one in self._kinds}

    def board(self, state: State) -> list[str]:
        """A list for each kind of thing that changes."""
        return _apart(self._lists(state))

    def _lists(self, state: State) -> Iterator[list[str]]:
        for entity in self._kinds:
            yield [*self._listed(state, entity), *self._belongings(state, entity)]

    def redrawn(
        self, before: State, after: State, viewer: int | None, asked: Sequence[int] = ()
    ) -> list[str]:
        """The lists and zones that differ from what was drawn before, whole, and what is going on."""
        seen_by = NOBODY if viewer is None else viewer
        pairs = zip(self._lists(before), self._lists(after), strict=True)
        lines = _apart(now for old, now in pairs if now != old)
        zones = zip(
            self._zone_texts(before, seen_by), self._zone_texts(after, seen_by), strict=True
        )
        texts = [text for old, now in zones for text in now if text not in old]
        texts.append(";  ".join(variable_texts(self.linked, after, seen_by, before)))
        return [*lines, *(line for text in texts for line in self._wrapped(text))]

    def status(
        self,
        state: State,
        seats: Sequence[str],
        viewer: int | None,
        asked: Sequence[int] = (),
        since: State | None = None,
    ) -> list[str]:
        """The zones, the variables and the players, with a mark at those who are asked.

        Variables unchanged `since` the turn before are left out.
        """
        seen_by = NOBODY if viewer is None else viewer
        told = ";  ".join(variable_texts(self.linked, state, seen_by, since))
        lines = [*self._zones(state, seen_by), *self._wrapped(told)]
        for player, (name, seat) in enumerate(zip(self.linked.layout.players, seats, strict=True)):
            mark = "  <- to act" if player in asked else ""
            sort = f" ({seat})" if seat else ""
            styles = ("bold",) if mark else ()
            lines.append(self.look.paint(f"{INDENT}{name}{sort}{mark}", *styles))
        return lines

    def changes(self, before: State, after: State, viewer: int | None, told: str = "") -> list[str]:
        """The differences between two drawings in few lines: values that `told` lacks, and
        variables. Zones are for the whole table."""
        seen_by = NOBODY if viewer is None else viewer
        texts: list[str] = []
        for entity in self._kinds:
            fields = self._fields[entity.name]
            worlds = before.world, after.world, self._start
            texts += changes_of(self.linked, entity, fields, *worlds, told)
        old = set(variable_texts(self.linked, before, seen_by, None))
        now = variable_texts(self.linked, after, seen_by, None, told)
        texts.append(";  ".join(text for text in now if text not in old))
        return [line for text in texts for line in self._wrapped(text)]

    def hand(self, state: State, viewer: int) -> list[str]:
        """The contents of the viewer's own hidden zones."""
        zones = self.linked.program.zones
        own = (zone for zone in zones if zone.per_player and zone.seen_by == "owner")
        texts = (text for zone in own for text in self._zone(state, zone, viewer, [viewer]))
        return [line for text in texts for line in self._wrapped(text)]

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """An option in more words than its label: never here."""
        return None

    def distinguished(self, state: State, type_name: str, value: Any) -> str:
        """The difference between things that look alike."""
        entity = self.linked.entities.get(type_name)
        if value is None or entity is None:
            return ""
        fields = [one for one in fields_of(self.linked, entity) if one.type.name != "Text"]
        shown, cells = cells_of(self.linked, state.world, self._start, fields, [value])
        return ", ".join(f"{one.heading} {text}" for one, (text,) in cells.items()) if shown else ""

    def style(self, player: int) -> tuple[str, ...]:
        """Every player looks alike."""
        return ("bold",)

    # ------------------------------------------------------------------ things and their fields

    def _listed(self, state: State, entity: Entity) -> list[str]:
        """The things of a kind that have a value to show, with their fields."""
        world, fields = state.world, self._fields[entity.name]
        there = list(things_there(self.linked, world, entity).values())
        things = listed(world, self._start, fields, there)
        shown, cells = cells_of(self.linked, world, self._start, fields, things)
        heading = entity.plural[:1].upper() + entity.plural[1:]
        if not cells:
            return self._counted(world, entity, heading, there)
        names = self._titles(world, entity, shown)
        room = self.look.width - _width([heading, *names])
        widths = {field: _width([field.heading, *texts]) for field, texts in cells.items()}
        kept = list(cells)
        if sum(widths.values()) > room:
            kept = self._news(world, kept, shown)
        lines: list[str] = []
        for part in _parts(kept, widths, room):
            lines += ["", *self._drawn(heading, names, part, cells)]
        return lines[1:]

    def _news(self, world: World, fields: list[Field], things: Sequence[int]) -> list[Field]:
        """The fields that differ from the beginning; all of them if none does."""
        start = self._start
        return [one for one in fields if have_changed(world, start, [one], things)] or fields

    def _counted(
        self, world: World, entity: Entity, heading: str, there: Sequence[int]
    ) -> list[str]:
        """A count of things that come and go, also of those without a value to show."""
        if not entity.present or entity.names or not there:
            return []
        told = counted(self._titles(world, entity, there))
        return self._wrapped(f"{heading}: {', '.join(told)}")

    def _titles(self, world: World, entity: Entity, things: Iterable[int]) -> list[str]:
        return [title_text(self.linked, world, Type(entity.name), one) for one in things]

    def _belongings(self, state: State, entity: Entity) -> Iterator[str]:
        """The belongings of each thing of a kind, a line for each of its lists."""
        for thing in things_there(self.linked, state.world, entity).values():
            title = title_text(self.linked, state.world, Type(entity.name), thing)
            for sort, names in belongings(self.linked, state.world, entity, thing):
                yield from self._wrapped(f"{title}, {sort} {len(names)}: {', '.join(names)}")

    def _wrapped(self, text: str) -> list[str]:
        """A text behind a margin, in lines that fit."""
        if not text:
            return []
        lines = wrapped(safe_text(text), self.look.width, 2 * INDENT, INDENT)
        return [self.look.paint(line) for line in lines]

    def _drawn(
        self, heading: str, names: Sequence[str], fields: Sequence[Field], cells: Cells
    ) -> list[str]:
        """The list of these fields as lines, numbers to the right."""
        # Imported late: a game with a board of its own need not wait for it.
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        def shown(text: str, style: str = "") -> Text:
            return Text(safe_text(text), style=style)

        # Without rules between the lines: a screen reader would read them out.
        table = Table(box=None, show_edge=False, padding=(0, GAP, 0, 0), header_style="")
        table.add_column(shown(heading, "bold"), overflow="fold", max_width=WIDEST)
        for field in fields:
            numbers = field.type.name in ("Int", "Fraction") and not field.by
            table.add_column(shown(field.heading, "bold"), overflow="fold", max_width=WIDEST)
            table.columns[-1].justify = "right" if numbers else "left"
        for number, name in enumerate(names):
            table.add_row(shown(name, "bold"), *(shown(cells[field][number]) for field in fields))
        out = StringIO()
        colour = self.look.colour
        console = Console(
            file=out, width=self.look.width, color_system="standard" if colour else None,
            force_terminal=colour, highlight=False, markup=False, emoji=False,
            legacy_windows=False, no_color=not colour,
        )  # fmt: skip
        console.print(table)
        return [line.rstrip() for line in out.getvalue().rstrip("\n").split("\n")]

    # ------------------------------------------------------------------ zones

    def _zones(self, state: State, viewer: int) -> list[str]:
        zones = self._zone_texts(state, viewer)
        return [line for zone in zones for text in zone for line in self._wrapped(text)]

    def _zone_texts(self, state: State, viewer: int) -> Iterator[list[str]]:
        everybody = range(len(self.linked.layout.players))
        for zone in self.linked.program.zones:
            yield list(self._zone(state, zone, viewer, everybody))

    def _zone(self, state: State, zone: Zone, viewer: int, owners: Iterable[int]) -> Iterator[str]:
        """The contents of a zone, a text for each owner; only a count where they are hidden."""
        column = state.world[self.linked.layout.index[zone.name]]
        name = zone.name.replace("_", " ")
        parts: list[tuple[int | None, str, Any]] = [(None, name, column)]
        if zone.per_player:
            players = self.linked.layout.players
            parts = [(one, f"{name} of {players[one]}", column[one]) for one in owners]
        for owner, whose, held in parts:
            if held:
                yield f"{whose}: {', '.join(self._contents(state, zone, viewer, owner, held))}"

    def _contents(
        self, state: State, zone: Zone, viewer: int, owner: int | None, held: Any
    ) -> list[str]:
        linked, world, kind = self.linked, state.world, Type(zone.of)
        if not secrecy_of(linked).shows(viewer, zone, owner):
            return [unnamed(linked, zone.of, len(held))]
        if not zone.at:
            return counted(title_text(linked, world, kind, one) for one in held)
        at = Type(zone.at)
        places = [(title_text(linked, world, at, one), held[one]) for one in sorted(held)]
        return [f"{place} {title_text(linked, world, kind, one)}" for place, one in places]


def _apart(lists: Iterable[list[str]]) -> list[str]:
    """Lists below one another, with an empty line between."""
    lines: list[str] = []
    for one in lists:
        lines += [*([""] if lines and one else []), *one]
    return lines


def _width(texts: Iterable[str]) -> int:
    """The width of a column with these texts, and the gap behind it."""
    return min(max(map(seen_width, texts)), WIDEST) + GAP


def _parts(fields: Iterable[Field], widths: Mapping[Field, int], room: int) -> list[list[Field]]:
    """The columns, split into lists that fit the room."""
    parts: list[list[Field]] = [[]]
    left = room
    for field in fields:
        if parts[-1] and widths[field] > left:
            parts.append([])
            left = room
        parts[-1].append(field)
        left -= widths[field]
    return parts


# A board of another game has the methods of `PlainTable`, and joins this union and `TABLES`.
Drawing = GnosticaTable | PlainTable
TABLES: Mapping[str, Callable[[Linked, Look], Drawing]] = {"gnostica": GnosticaTable}


def table_for(linked: Linked, look: Look) -> Drawing:
    """The table that draws a game."""
    return TABLES.get(linked.program.game, PlainTable)(linked, look)
