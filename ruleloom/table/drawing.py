"""Draws the scene of a game on a terminal.

Any game is drawn as lists: one for each kind of thing that changes, with its fields, then the zones.
Of many things only those changed since the start are listed; empty columns and kinds are omitted.

    Characters   PI   MI  ends
    Anna         30   22  bleeding 2

Gnostica is drawn as a picture. A territory has a frame of lines, wasteland one of dots, the void
none. A piece is its owner's letter, its size and an arrow; a dot means upright.

    + 0/1 ---------+ 1/1 ---------+ 2/1 ..........
    |Move 5       1|Create 2     1|              .
    |A1→ B2↑       |              |A3•           .
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Any, NamedTuple

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import unnamed
from ruleloom.runtime.program.program import Entity
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Point, Type, point_text
from ruleloom.scenes.gnostica import GnosticaScene, PieceSeen
from ruleloom.scenes.scene import (
    NOBODY,
    Field,
    KindSeen,
    TableScene,
    ZoneSeen,
    fields_of,
    kinds_apart,
    says_something,
)
from ruleloom.table.canvas import Look, Styled, counted, cut, fill, seen_width, wrapped

GAP, WIDEST = 2, 30
INDENT = "    "


class PlainTable:
    """A game's table in lists."""

    # The number of lines after which a drawing has likely scrolled away.
    stays = 40

    def __init__(self, linked: Linked, look: Look) -> None:
        self.linked = linked
        self.look = look
        self._kinds = kinds_apart(linked)

    def _scene(self, state: State, viewer: int | None = None) -> TableScene:
        return TableScene(self.linked, state, NOBODY if viewer is None else viewer)

    def board(self, state: State) -> list[str]:
        """A list for each changing kind of thing."""
        return _apart(self._lists(self._scene(state)))

    def _lists(self, scene: TableScene) -> Iterator[list[str]]:
        for entity in self._kinds:
            lines = self._listed(scene, scene.kind(entity))
            for thing in scene.things(entity.name):
                title = scene.title(entity.name, thing)
                for sort, names in scene.belongings(entity, thing):
                    lines += self._wrapped(f"{title}, {sort} {len(names)}: {', '.join(names)}")
            yield lines

    def redrawn(
        self, before: State, after: State, viewer: int | None, asked: Sequence[int] = ()
    ) -> list[str]:
        """The lists and zones that differ from the last drawing, whole, and the variables."""
        old, new = self._scene(before, viewer), self._scene(after, viewer)
        pairs = zip(self._lists(old), self._lists(new), strict=True)
        known = set(self._zones(old))
        texts = [text for text in self._zones(new) if text not in known]
        texts.append(";  ".join(new.variables(before)))
        return [*_apart(now for then, now in pairs if now != then), *self._wrapped(*texts)]

    def status(
        self,
        state: State,
        seats: Sequence[str],
        viewer: int | None,
        asked: Sequence[int] = (),
        since: State | None = None,
    ) -> list[str]:
        """The zones, the variables and the players, with a mark on those asked.

        Variables unchanged `since` the turn before are omitted.
        """
        scene = self._scene(state, viewer)
        lines = self._wrapped(*self._zones(scene), ";  ".join(scene.variables(since)))
        for player, (name, seat) in enumerate(zip(self.linked.layout.players, seats, strict=True)):
            mark = f"  <- {self.look.said('to act')}" if player in asked else ""
            sort = f" ({seat})" if seat else ""
            styles = ("bold",) if mark else ()
            lines.append(self.look.paint(f"{INDENT}{name}{sort}{mark}", *styles))
        return lines

    def changes(self, before: State, after: State, viewer: int | None, told: str = "") -> list[str]:
        """The differences between two drawings in brief: values that `told` lacks, and variables. Zones are
        for the whole table."""
        old, new = self._scene(before, viewer), self._scene(after, viewer)
        known = set(old.variables())
        news = (text for text in new.variables() if text not in known)
        pairs = ((text, *text.partition(": ")[::2]) for text in news)
        untold = (text for text, name, now in pairs if not (now and _is_told("", name, now, told)))
        things = (text for entity in self._kinds for text in _changes(old, new, entity, told))
        return self._wrapped(*things, ";  ".join(untold))

    def hand(self, state: State, viewer: int) -> list[str]:
        """The contents of the viewer's own hidden zones."""
        scene = self._scene(state, viewer)
        zones = (one for one in scene.zones() if one.owner == viewer)
        return self._wrapped(
            *(self._zone(scene, o) for o in zones if o.many and o.zone.seen_by == "owner")
        )

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """A longer label for an option: never here."""
        return None

    def distinguished(self, state: State, type_name: str, value: Any) -> str:
        """The fields that tell like things apart."""
        entity = self.linked.entities.get(type_name)
        if value is None or entity is None:
            return ""
        fields = [one for one in fields_of(self.linked, entity) if one.type.name != "Text"]
        shown, cells = self._scene(state).cells(fields, [value])
        return ", ".join(f"{one.heading} {text}" for one, (text,) in cells.items()) if shown else ""

    def style(self, player: int) -> tuple[str, ...]:
        """Every player's style."""
        return ("bold",)

    # ------------------------------------------------------------------ things and their fields

    def _listed(self, scene: TableScene, kind: KindSeen) -> list[str]:
        """The things of a kind that have a value to show, with their fields; if none do, the count of things
        that come and go."""
        entity, cells = kind.entity, kind.cells
        if not cells:
            if not entity.present or entity.names or not kind.there:
                return []
            names = counted(scene.title(entity.name, one) for one in kind.there)
            return self._wrapped(f"{kind.heading}: {', '.join(names)}")
        titles = [scene.title(entity.name, one) for one in kind.shown]
        room = self.look.width - _width([kind.heading, *titles])
        widths = {field: _width([field.heading, *texts]) for field, texts in cells.items()}
        kept = list(cells)
        if sum(widths.values()) > room:
            kept = [one for one in kept if scene.have_changed([one], kind.shown)] or kept
        lines: list[str] = []
        for part in _parts(kept, widths, room):
            lines += ["", *self._drawn(kind.heading, titles, part, cells)]
        return lines[1:]

    def _wrapped(self, *texts: str) -> list[str]:
        """Indented texts, in lines that fit."""
        told = (wrapped(safe_text(t), self.look.width, 2 * INDENT, INDENT) for t in texts if t)
        return [self.look.paint(line) for lines in told for line in lines]

    def _drawn(
        self,
        heading: str,
        names: Sequence[str],
        fields: Sequence[Field],
        cells: Mapping[Field, Sequence[str]],
    ) -> list[str]:
        """The list of these fields, with numbers right-aligned."""
        # Imported late: a game with its own board does not need it.
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        def shown(text: str, style: str = "") -> Text:
            return Text(safe_text(text), style=style)

        # No rules between lines, since a screen reader would read them out.
        table = Table(box=None, show_edge=False, padding=(0, GAP, 0, 0), header_style="")
        for field in (None, *fields):
            title = heading if field is None else field.heading
            table.add_column(shown(title, "bold"), overflow="fold", max_width=WIDEST)
            if field is not None and field.type.name in ("Int", "Fraction") and not field.by:
                table.columns[-1].justify = "right"
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

    def _zones(self, scene: TableScene) -> list[str]:
        return [self._zone(scene, one) for one in scene.zones() if one.many]

    def _zone(self, scene: TableScene, seen: ZoneSeen) -> str:
        """The contents of a zone; only a count if they are hidden."""
        zone, owner = seen.zone, scene.owner(seen)
        name = self.look.said(zone.name.replace("_", " "))
        if owner is not None:
            name = self.look.said("{zone} of {owner}", zone=name, owner=owner)
        if seen.things is None:
            contents = [unnamed(self.linked, zone.of, seen.many)]
        elif zone.at:
            pairs = [(scene.title(zone.at, at), one) for one, at in seen.things]
            contents = [f"{place} {scene.title(zone.of, one)}" for place, one in pairs]
        else:
            contents = counted(scene.title(zone.of, one) for one, _ in seen.things)
        return f"{name}: {', '.join(contents)}"


def _apart(lists: Iterable[list[str]]) -> list[str]:
    """Lists one below the other, separated by empty lines."""
    lines: list[str] = []
    for one in lists:
        lines += [*([""] if lines and one else []), *one]
    return lines


def _width(texts: Iterable[str]) -> int:
    """The width of a column with these texts, plus its gap."""
    return min(max(map(seen_width, texts)), WIDEST) + GAP


def _parts(fields: Iterable[Field], widths: Mapping[Field, int], room: int) -> list[list[Field]]:
    """The columns, split into lists that fit."""
    parts: list[list[Field]] = [[]]
    left = room
    for field in fields:
        if parts[-1] and widths[field] > left:
            parts.append([])
            left = room
        parts[-1].append(field)
        left -= widths[field]
    return parts


def _changes(before: TableScene, after: TableScene, entity: Entity, told: str) -> Iterator[str]:
    """The things of a kind with changed fields and their new values, except values in `told` and things back
    at their start. For a new thing, every value is new."""
    fields = fields_of(after.linked, entity)
    for thing in after.things(entity.name):
        is_new = after.linked.is_gone(Type(entity.name), thing, before.world)
        title = after.title(entity.name, thing)
        cells = [(field, after.cell(field, thing)) for field in fields]
        changed = [
            (field, now)
            for field, now in cells
            if (says_something(now) if is_new else now != before.cell(field, thing))
        ]
        says = [after.start[field.column][thing] or says_something(now) for field, now in changed]
        if title in told and not any(says):
            continue
        parts = [
            field.heading if now == "yes" else f"{field.heading} {now or 'none'}"
            for field, now in changed
            if not _is_told(title, field.heading, now, told)
        ]
        if parts:
            yield f"{title}: {', '.join(parts)}"


def _is_told(title: str, heading: str, value: str, told: str) -> bool:
    """Does `told` contain this value of this heading? A number counts only directly after its heading:
    elsewhere it may be another."""
    value = " ".join(value.split())
    if value == "yes":
        return f"{title} is {heading}".lower() in told.lower()
    if value.lstrip("-").isdecimal():
        return re.search(rf"\b{re.escape(heading)} (is )?{value}\b", told, re.I) is not None
    return len(value) > 1 and value in told


# ---------------------------------------------------------------------------------- Gnostica

ARROWS = {"N": "↑", "E": "→", "S": "↓", "W": "←", "up": "•"}
PLAIN_ARROWS = {"N": "^", "E": ">", "S": "v", "W": "<", "up": "o"}
COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan")
LARGEST_PITCH, MOST_COLUMNS = 16, 8


class Cell(NamedTuple):
    """A space that is not void: its card, if any, and the tokens of its pieces."""

    card: int | None
    tokens: list[Styled]


class GnosticaTable(PlainTable):
    """The table of one game of Gnostica."""

    # The board is a picture, drawn anew each turn.
    stays = 0

    def __init__(self, linked: Linked, look: Look) -> None:
        super().__init__(linked, look)
        self.arrows = PLAIN_ARROWS if look.plain else ARROWS
        self.letters = letters_of(linked.layout.players)

    def _scene(self, state: State, viewer: int | None = None) -> GnosticaScene:
        return GnosticaScene(self.linked, state, NOBODY if viewer is None else viewer)

    # ------------------------------------------------------------------ the board

    def board(self, state: State) -> list[str]:
        """The board, north at the top; if too wide, in several parts, west first."""
        scene = self._scene(state)
        cells = self._cells(scene)
        if not cells:
            return [self.look.said("(the board is empty)")]
        xs = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
        lines: list[str] = []
        for first in range(0, len(xs), MOST_COLUMNS):
            part = xs[first : first + MOST_COLUMNS]
            if len(xs) > MOST_COLUMNS:
                span = {"first": str(part[0]), "last": str(part[-1])}
                lines += ["", self.look.said("columns {first} to {last}:", **span)]
            lines += self._part(scene, cells, part)
        return lines

    def _cells(self, scene: GnosticaScene) -> dict[Point, Cell]:
        """Every space that is not void, with its card and its pieces: by owner, the largest first."""
        tokens: dict[Point, list[Styled]] = defaultdict(list)
        for piece in sorted(scene.pieces(), key=lambda one: (one.owner, -one.size)):
            tokens[piece.at].append((self._token(piece), self.style(piece.owner)))
        return {spot: Cell(card, tokens[spot]) for spot, card in scene.spaces().items()}

    def _token(self, piece: PieceSeen) -> str:
        return f"{self.letters[piece.owner]}{piece.size}{self.arrows[piece.facing]}"

    def _part(
        self, scene: GnosticaScene, cells: Mapping[Point, Cell], xs: Sequence[int]
    ) -> list[str]:
        pitch = min(LARGEST_PITCH, (self.look.width - 1) // len(xs))
        ys = sorted({y for x, y in cells if x in xs}, reverse=True)
        lines: list[str] = []
        for y in range(ys[0], ys[-1] - 1, -1):
            lines.append(self._border(cells, xs, y, pitch))
            lines += self._row(scene, [cells.get((x, y)) for x in xs], pitch - 1)
        lines.append(self._border(cells, xs, ys[-1] - 1, pitch))
        return lines

    def _border(self, cells: Mapping[Point, Cell], xs: Sequence[int], y: int, pitch: int) -> str:
        """The line above row `y`, with the coordinates of its spaces."""
        parts: list[Styled] = []
        for x in [*xs, xs[-1] + 1]:
            inside = [cells.get((at, row)) for at in (x - 1, x) if at in xs for row in (y, y + 1)]
            parts.append((_sign(inside, "+"), ("dim",)))
            if x not in xs:
                break
            line = _sign([cells.get((x, y)), cells.get((x, y + 1))], "-")
            label = f" {point_text((x, y))} " if (x, y) in cells else ""
            parts += [(label, ()), (line * (pitch - 1 - len(label)), ("dim",))]
        return self.look.line(parts)

    def _row(self, scene: GnosticaScene, row: Sequence[Cell | None], inner: int) -> list[str]:
        """The lines of one row of spaces: the cards, then the pieces."""
        tokens = [_rows_of(cell.tokens, inner) if cell else [] for cell in row]
        has_card = any(cell is not None and cell.card is not None for cell in row)
        lines = []
        for number in range(-1 if has_card else 0, max(1, *map(len, tokens))):
            parts: list[Styled] = []
            for at, cell in enumerate(row):
                parts.append((_sign([*row[max(0, at - 1) : at], cell], "|"), ("dim",)))
                if number < 0 and cell is not None and cell.card is not None:
                    value = str(scene.worth[cell.card])
                    title = fill(scene.card_titles[cell.card], inner - len(value) - 1)
                    parts += [(f"{title} ", ("bold",)), (value, ())]
                else:
                    shown = tokens[at][number] if 0 <= number < len(tokens[at]) else []
                    parts += _in_cell(shown, inner)
            parts.append((_sign([row[-1]], "|"), ("dim",)))
            lines.append(self.look.line(parts))
        return lines

    # ------------------------------------------------------------------ words for values

    def describe(self, state: State, type_name: str, value: Any) -> str | None:
        """An option with its meaning on the board; None if there is none to add."""
        if value is None:
            return None
        scene = self._scene(state)
        board = scene.column("board")
        if type_name in self.linked.layout.points:
            card = board.get(value)
            title = scene.title(type_name, value)
            return title if card is None else f"{title} ({scene.worth[card]})"
        if type_name == "Card":
            return _card(scene, value)
        if type_name == "Facing":
            return f"{self.arrows[value]} {scene.title(type_name, value)}"
        return None

    def distinguished(self, state: State, type_name: str, value: Any) -> str:
        """The difference between things that look alike; none do here."""
        return ""

    # ----------------------------------------------------------------- beside the board

    def style(self, player: int) -> tuple[str, ...]:
        """The colour of a player."""
        return (COLOURS[player % len(COLOURS)], "bold")

    def changes(self, before: State, after: State, viewer: int | None, told: str = "") -> list[str]:
        """The spaces, player lines and hand that differ between two drawings."""
        scene = self._scene(after)
        old, spaces = self._cells(self._scene(before)), self._cells(scene)
        changed = (at for at in sorted({*old, *spaces}) if old.get(at) != spaces.get(at))
        words = [f"{point_text(at)} {_space_text(scene, spaces.get(at))}" for at in changed]
        seats = [""] * len(self.linked.layout.players)
        heading, *lines = self.status(after, seats, None)
        known = self.status(before, seats, None)
        news = [line for line in lines if line not in known]
        hand = [] if viewer is None else self.hand(after, viewer)
        is_new = viewer is not None and hand != self.hand(before, viewer)
        return [
            *self._wrapped(";  ".join(words)),
            *([heading, *news] if news else []),
            *(hand if is_new else []),
        ]

    def redrawn(
        self, before: State, after: State, viewer: int | None, asked: Sequence[int] = ()
    ) -> list[str]:
        """The whole board: a partial one is unclear."""
        seats = [""] * len(self.linked.layout.players)
        return [*self.board(after), *self.status(after, seats, viewer, asked)]

    def status(
        self,
        state: State,
        seats: Sequence[str],
        viewer: int | None,
        asked: Sequence[int] = (),
        since: State | None = None,
    ) -> list[str]:
        """Each player's score, stash and number of cards, the piles, and the viewer's hand."""
        scene, names = self._scene(state), []
        for name, letter, seat in zip(self.linked.layout.players, self.letters, seats, strict=True):
            parts = ("" if name == letter else name, f"({seat})" if seat else "")
            names.append(cut(" ".join(filter(None, parts)), 24))
        player_heading = self.look.said("player")
        width = max(map(seen_width, [player_heading, *names]))
        figures = self.look.said("points  cards  stash: small medium large")
        lines = [f"      {fill(player_heading, width)}  {figures}"]
        for player, name in enumerate(names):
            lines += self._player_lines(scene, player, fill(name, width), player in asked)
        piles = (len(scene.column("draw_pile")), len(scene.column("discard_pile")))
        drawn, put = map(str, piles)
        told = self.look.said("draw pile {drawn}, discard pile {put}", drawn=drawn, put=put)
        lines.append(f"    {told}")
        seen = (one for one in self._scene(state, viewer).zones() if one.zone.beside and one.many)
        lines += self._wrapped(*(self._zone(scene, one) for one in seen))
        return lines if viewer is None else [*lines, *self.hand(state, viewer)]

    def _player_lines(
        self, scene: GnosticaScene, player: int, name: str, is_asked: bool
    ) -> list[str]:
        seen = scene.player(player)
        note = "announced the next turn as the last" if seen.pending else ""
        note = self.look.said("is out" if seen.out else note)
        points, target = ("?" if one is None else one for one in (seen.score, seen.target))
        stash = "".join(f"{many:^6}" for many in seen.stash if many is not None)
        head: Styled = ("  > " if is_asked else "    ", ("bold",))
        figures = f"{name}  {points:>3}/{target:<3} {seen.cards:>4}           {stash}"
        line = self.look.line(
            [head, (f"{self.letters[player]} ", self.style(player)), (figures, ())]
        )
        # On its own line, since there may be no room beside it.
        return [line, *([f"        {self.look.paint(note, 'bold')}"] if note else [])]

    def hand(self, state: State, viewer: int) -> list[str]:
        """The hand of one player, in lines that fit."""
        scene = self._scene(state)
        cards = [_card(scene, card) for card in scene.column("hand")[viewer]]
        who = self.linked.layout.players[viewer]
        lines = [f"{self.look.said('Hand of {who}', who=who)}:"]
        for number, card in enumerate(cards or [self.look.said("(no cards)")]):
            part = f" {card}{',' if number < len(cards) - 1 else ''}"
            if seen_width(lines[-1]) + seen_width(part) > self.look.width:
                lines.append("   ")
            lines[-1] += part
        return [self.look.paint(line) for line in lines]


def letters_of(players: Sequence[str]) -> list[str]:
    """A letter for each player: distinct initials if possible, else A, B, C."""
    firsts = [name[:1].upper() for name in players]
    letters = all(re.fullmatch("[A-Z]", first) for first in firsts)
    if letters and len(set(firsts)) == len(firsts):
        return firsts
    return [chr(ord("A") + seat) for seat in range(len(players))]


def _card(scene: GnosticaScene, card: int) -> str:
    """A card with its points."""
    return f"{scene.card_titles[card]} ({scene.worth[card]})"


def _ground(scene: GnosticaScene, card: int | None) -> str:
    return scene.linked.language.said("wasteland") if card is None else _card(scene, card)


def _space_text(scene: GnosticaScene, cell: Cell | None) -> str:
    if cell is None:
        return scene.linked.language.said("void")
    return ", ".join([_ground(scene, cell.card), *(text for text, _ in cell.tokens)])


def _sign(cells: Sequence[Cell | None], line: str) -> str:
    """The border of spaces: a line beside a territory, dots beside wasteland, else blank."""
    there = [cell for cell in cells if cell is not None]
    return line if any(cell.card is not None for cell in there) else "." if there else " "


def _rows_of(tokens: Sequence[Styled], width: int) -> list[list[Styled]]:
    """Tokens in rows that fit."""
    rows: list[list[Styled]] = []
    used = width
    for token in tokens:
        if used + 1 + seen_width(token[0]) > width:
            rows.append([])
            used = -1
        rows[-1].append(token)
        used += 1 + seen_width(token[0])
    return rows


def _in_cell(tokens: Sequence[Styled], width: int) -> list[Styled]:
    """A row of tokens, padded to the width of a space."""
    parts = [part for token in tokens for part in (token, (" ", ()))]
    used = sum(seen_width(text) for text, _ in parts)
    return parts[:-1] if used > width else [*parts, (" " * (width - used), ())]


# What is said at the table of one game, for whoever translates the game.
SAID_AT: Mapping[str, tuple[str, ...]] = {
    "gnostica": (
        "points  cards  stash: small medium large",
        "draw pile {drawn}, discard pile {put}",
        "announced the next turn as the last",
        "is out",
        "wasteland",
        "void",
    )
}
TABLES: Mapping[str, type[PlainTable]] = {"gnostica": GnosticaTable}
"""The tables of games with their own drawing."""


def table_for(linked: Linked, look: Look) -> PlainTable:
    """The table for a game."""
    return TABLES.get(linked.program.game, PlainTable)(linked, look)
