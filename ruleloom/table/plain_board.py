"""Draws the table of any game: for each kind of thing that changes a list with its fields, then
what lies where.

    Characters   PI   MI  ends
    ----------------------------------
    Anna         30   22  bleeding 2

Of many things only those are listed that have changed since the beginning, and empty columns are
left out.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import chain
from typing import Any

from rich.box import SIMPLE_HEAD, Box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ruleloom.output.standings import belongings, owned_kinds
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import field_words, title_text
from ruleloom.runtime.machine.templates import unnamed
from ruleloom.runtime.play.corrections import things_there
from ruleloom.runtime.play.game import empty_world
from ruleloom.runtime.program.program import Entity, Zone
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import FrozenMap, Type, World
from ruleloom.table.canvas import Look, seen_width
from ruleloom.table.gnostica_board import GnosticaTable

FEW = 12
GAP, WIDEST = 2, 30
INDENT = "    "
NOBODY = -1
"""A viewer who sits nowhere, and sees what everybody may see."""
PLAIN_BOX = Box(str(SIMPLE_HEAD).replace("─", "-"), ascii=True)


@dataclass(frozen=True, slots=True)
class Field:
    """A changeable field: its column in the world, and the heading above it."""

    column: int
    type: Type
    by: str
    heading: str


class PlainTable:
    """One game's table in lists."""

    def __init__(self, linked: Linked, look: Look) -> None:
        self.linked = linked
        self.look = look
        self._start = linked.driver.start(empty_world(linked.program, linked.layout))
        self._owned = owned_kinds(linked)
        self._fields = {
            entity.name: fields_of(linked, entity) for entity in linked.program.entities
        }

    def sight(self, state: State) -> str:
        """A text that differs whenever the public part of the drawing does."""
        public = (self.board(state), self._variables(state, NOBODY), self._zones(state, NOBODY))
        return "\n".join(chain.from_iterable(public))

    def board(self, state: State) -> list[str]:
        """A list for each kind of thing that changes."""
        lines: list[str] = []
        for entity in self.linked.program.entities:
            if entity.name in self._owned:
                continue
            found = self._listed(state, entity) if self._fields[entity.name] else []
            found += self._belongings(state, entity)
            lines += [*([""] if lines and found else []), *found]
        return lines

    def status(self, state: State, seats: Sequence[str], viewer: int | None) -> list[str]:
        """What lies where, the variables of the game, and who plays."""
        seen_by = NOBODY if viewer is None else viewer
        me = state.scope[self.linked.me]
        lines = [*self._zones(state, seen_by), *self._variables(state, seen_by)]
        for player, (name, seat) in enumerate(zip(self.linked.layout.players, seats, strict=True)):
            turn = "  <- to act" if player == me and state.outcome is None else ""
            sort = f" ({seat})" if seat else ""
            styles = ("bold",) if turn else ()
            lines.append(self.look.paint(f"{INDENT}{name}{sort}{turn}", *styles))
        return lines

    def hand(self, state: State, viewer: int) -> list[str]:
        """The contents of the viewer's own hidden zones."""
        lines = []
        for zone in self.linked.program.zones:
            if zone.per_player and zone.seen_by == "owner":
                lines += self._zone(state, zone, viewer, [viewer])
        return lines

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """An option in more words than its label: never here."""
        return None

    def style(self, player: int) -> tuple[str, ...]:
        """Every player looks alike."""
        return ("bold",)

    # ------------------------------------------------------------------ things and their fields

    def _listed(self, state: State, entity: Entity) -> list[str]:
        world, fields = state.world, self._fields[entity.name]
        shown = list(things_there(self.linked, world, entity).values())
        if len(shown) > FEW:
            shown = [one for one in shown if self._changed(world, fields, [one])]
        cells: dict[Field, list[str]] = {}
        for field in fields:
            column = world[field.column]
            texts = [self._cell(world, field.type, field.by, column[one]) for one in shown]
            if any(texts):
                cells[field] = texts
        if not cells:
            return []
        names = [title_text(self.linked, world, Type(entity.name), one) for one in shown]
        heading = entity.plural[:1].upper() + entity.plural[1:]
        room = self.look.width - _width([heading, *names])
        widths = {field: _width([field.heading, *texts]) for field, texts in cells.items()}
        kept = list(cells)
        if sum(widths.values()) > room:
            kept = [field for field in cells if self._changed(world, [field], shown)] or kept
        lines: list[str] = []
        for part in _parts(kept, widths, room):
            lines += ["", *self._drawn(heading, names, part, cells)]
        return lines[1:]

    def _belongings(self, state: State, entity: Entity) -> Iterator[str]:
        """The belongings of each thing of a kind, a line for each of its lists."""
        for thing in things_there(self.linked, state.world, entity).values():
            title = title_text(self.linked, state.world, Type(entity.name), thing)
            for sort, names in belongings(self.linked, state.world, entity, thing):
                yield from self._wrapped(f"{title}, {sort} {len(names)}: {', '.join(names)}")

    def _wrapped(self, text: str) -> list[str]:
        lines = textwrap.wrap(
            text, self.look.width, initial_indent=INDENT, subsequent_indent=2 * INDENT
        )
        return [self.look.paint(line) for line in lines]

    def _changed(self, world: World, fields: Sequence[Field], things: Sequence[int]) -> bool:
        """Whether any of these fields of these things differs from the beginning."""
        columns = ((world[field.column], self._start[field.column]) for field in fields)
        return any(now[thing] != start[thing] for now, start in columns for thing in things)

    def _drawn(
        self,
        heading: str,
        names: Sequence[str],
        fields: Sequence[Field],
        cells: Mapping[Field, Sequence[str]],
    ) -> list[str]:
        """The list of these fields as lines, numbers to the right."""
        box = PLAIN_BOX if self.look.plain else SIMPLE_HEAD
        table = Table(box=box, show_edge=False, padding=(0, GAP - 1, 0, 0), header_style="")
        table.add_column(_text(heading, "bold"), overflow="fold", max_width=WIDEST)
        for field in fields:
            numbers = field.type.name in ("Int", "Fraction") and not field.by
            table.add_column(_text(field.heading), overflow="fold", max_width=WIDEST)
            table.columns[-1].justify = "right" if numbers else "left"
        for number, name in enumerate(names):
            table.add_row(_text(name, "bold"), *(_text(cells[field][number]) for field in fields))
        out = StringIO()
        colour = self.look.colour
        console = Console(
            file=out, width=self.look.width, color_system="standard" if colour else None,
            force_terminal=colour, highlight=False, markup=False, emoji=False,
            legacy_windows=False, no_color=not colour,
        )  # fmt: skip
        console.print(table)
        return [line.rstrip() for line in out.getvalue().rstrip("\n").split("\n")]

    def _cell(self, world: World, type_: Type, by: str, value: Any) -> str:
        """A value in few words; empty for none, no and an empty list."""
        if not by:
            nothing = value is None or value is False or value == ()
            return "" if nothing else title_text(self.linked, world, type_, value)
        words = []
        for key in sorted(value) if isinstance(value, FrozenMap) else ():
            name, one = title_text(self.linked, world, Type(by), key), value[key]
            words.append(
                name if one is True else f"{name} {title_text(self.linked, world, type_, one)}"
            )
        return ", ".join(words)

    # ------------------------------------------------------------------ zones and variables

    def _zones(self, state: State, viewer: int) -> list[str]:
        everybody = range(len(self.linked.layout.players))
        zones = self.linked.program.zones
        return [line for zone in zones for line in self._zone(state, zone, viewer, everybody)]

    def _zone(self, state: State, zone: Zone, viewer: int, owners: Sequence[int]) -> list[str]:
        """The contents of a zone, a line for each owner; only a count where they are hidden."""
        column = state.world[self.linked.layout.index[zone.name]]
        name = zone.name.replace("_", " ")
        parts: list[tuple[int | None, str, Any]] = [(None, name, column)]
        if zone.per_player:
            players = self.linked.layout.players
            parts = [(one, f"{name} of {players[one]}", column[one]) for one in owners]
        lines = []
        for owner, whose, held in parts:
            if held:
                words = ", ".join(self._contents(state, zone, viewer, owner, held))
                lines.append(self.look.paint(f"{INDENT}{whose}: {words}"))
        return lines

    def _contents(
        self, state: State, zone: Zone, viewer: int, owner: int | None, held: Any
    ) -> list[str]:
        linked, world, kind = self.linked, state.world, Type(zone.of)
        if not secrecy_of(linked).shows(viewer, zone, owner):
            return [unnamed(linked, zone.of, len(held))]
        if not zone.at:
            return [title_text(linked, world, kind, one) for one in held]
        at = Type(zone.at)
        places = [(title_text(linked, world, at, one), held[one]) for one in sorted(held)]
        return [f"{place} {title_text(linked, world, kind, one)}" for place, one in places]

    def _variables(self, state: State, viewer: int) -> list[str]:
        """The changed variables of the game, except whose turn it is."""
        return self._wrapped(";  ".join(self._variable_texts(state, viewer)))

    def _variable_texts(self, state: State, viewer: int) -> Iterator[str]:
        secrecy = secrecy_of(self.linked)
        values = zip(self.linked.program.scope, state.scope, self.linked.initial_scope, strict=True)
        for variable, value, initial in values:
            type_ = Type.parse(variable.type)
            derived = variable.name in secrecy.derived.scope
            nothing = value is None or value is False or value in ((), {}, initial)
            if nothing or variable.name == "me":
                continue
            if secrecy.hides(viewer, type_, value, (state.world,), derived):
                continue
            name = field_words(self.linked, variable.name)
            if value is True:
                yield name
                continue
            by = "Player" if type_.by_player else ""
            one = Type(type_.name, type_.many, type_.optional) if by else type_
            yield f"{name}: {self._cell(state.world, one, by, value)}"


def fields_of(linked: Linked, entity: Entity) -> list[Field]:
    """The fields of a kind of thing that can change, in the order of the vocabulary."""
    found = []
    for info in entity.fields:
        number = linked.layout.index.get(f"{entity.name}.{info.name}")
        if number is not None:
            column = linked.layout.columns[number]
            found.append(Field(number, column.type, column.by, field_words(linked, info.name)))
    return found


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


def _text(text: str, style: str = "") -> Text:
    return Text(safe_text(text), style=style)


# A board of another game has the methods of `PlainTable`, and joins this union and `TABLES`.
Drawing = GnosticaTable | PlainTable
TABLES: Mapping[str, Callable[[Linked, Look], Drawing]] = {"gnostica": GnosticaTable}


def table_for(linked: Linked, look: Look) -> Drawing:
    """The table that draws a game."""
    return TABLES.get(linked.program.game, PlainTable)(linked, look)
