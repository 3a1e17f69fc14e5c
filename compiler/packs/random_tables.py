"""Makes each item of the kind `random-table` a power that rolls, and tells, gives or does what a row says.

Rows have results of the `dice:`, or weights, of which the least die that fits is made. `draw: without
putting back` draws rows instead, and keeps in a variable of the game which of them are out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, islice, product
from math import prod

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.packs.action_parts import said
from ruleloom.compiler.packs.content import Item, Poison, slug_of
from ruleloom.compiler.packs.lasting_parts import Map, generated, with_sections
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, text_of
from ruleloom.compiler.yaml.source_map import EffectText, WovenLine, effect_text, woven_node
from ruleloom.runtime.dataclass import dataclass

KIND = "random-table"
ROWS, DICE, DRAW, RESET, GIVES = "rows", "dice", "draw", "reset", "gives"
TEXT, TABLE, EFFECT, WEIGHT = "text", "table", "effect", "weight"
DIE_SIDES = (4, 6, 8, 10, 12, 20, 100)
"""The dice that people have."""
MOST_TEXTS = 400
HOLE = re.compile(r"\{([a-z_]\w*)\}")
RESULTS = re.compile(r"(\d+)(?:\s*(?:-|\.\.)\s*(\d+))?")
ITEM_ID = re.compile(r"[a-z][a-z0-9_]*(?:-[a-z0-9_]+)+")


@dataclass(frozen=True, slots=True, eq=False)
class RandomRow:
    """A row, with the lowest and the highest result of the dice that lead to it, and its parts."""

    low: int
    high: int
    place: Place
    parts: Mapping[str, YamlNode]

    @property
    def results(self) -> str:
        """The results as they are written: `2`, `3-5`."""
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"

    @property
    def goes_on(self) -> str:
        """The table that is rolled on instead; empty for none."""
        return slug_of(text_of(self.parts.get(TABLE)))

    @property
    def text(self) -> str:
        """What is told; empty for nothing."""
        return _written(self.parts.get(TEXT))

    @property
    def value(self) -> str:
        """What is given, as it is written; empty for nothing."""
        return _written(self.parts.get(GIVES))

    @property
    def does(self) -> str:
        """What is done besides, in effect text on one line; empty for nothing."""
        return "; ".join(line.strip() for line in _written(self.parts.get(EFFECT)).splitlines())

    @property
    def spelled(self) -> str:
        """What is given, as effect text; the id of an item as that writes it."""
        return slug_of(self.value) if ITEM_ID.fullmatch(self.value) else self.value


def _written(node: YamlNode | None) -> str:
    return "" if node is None else node.raw if node.text is None else node.text


@dataclass(frozen=True, slots=True, eq=False)
class RandomTable:
    """A table that people roll on; without dice, cards from 1 to `sides` are drawn and stay out."""

    item: Item
    count: int
    sides: int
    gives: str
    rows: tuple[RandomRow, ...]

    @property
    def is_deck(self) -> bool:
        """Are its rows drawn without putting them back?"""
        return not self.count

    @property
    def dice(self) -> str:
        """The dice as they are written; of a deck, its size."""
        return f"1 of {self.sides}" if self.is_deck else f"{self.count}d{self.sides}"

    @property
    def title(self) -> str:
        """What the table is called where people read it."""
        name = self.item.slug.replace("_", " ")
        return str(self.item.data("title") or f"{name[:1].upper()}{name[1:]}")

    @property
    def given(self) -> str:
        """The result variable of the power."""
        return f"{self.item.slug}_given"

    @property
    def drawn(self) -> str:
        """The variable that keeps which rows of a deck are out."""
        return f"{self.item.slug}_drawn"


def read_table(item: Item, report: Report) -> RandomTable | None:
    """Read a random table; None after an error in its dice or rows."""
    written, dice, before = item.fields[ROWS], item.fields.get(DICE), report.count
    gives = text_of(item.fields.get(GIVES)).rpartition(": ")[2].strip()
    if dice is not None:
        count, sides = map(int, text_of(dice).split("d"))
        if DRAW in item.fields:
            message = "what dice decide is never out: rows that are drawn have weights"
            report.error("rows-and-dice", item.fields[DRAW].place, message, "leave out `dice:`")
        rows = _by_results(written, count * sides, count, gives, report)
    else:
        rows = _by_weight(written, gives, report)
        count, sides = int(DRAW not in item.fields), rows[-1].high if rows else 1
    if dice is None and count and rows:
        sides, rows = _on_a_die(written, sides, rows, report)
    return RandomTable(item, count, sides, gives, rows) if report.count == before else None


def _by_results(
    written: YamlNode, most: int, least: int, gives: str, report: Report
) -> tuple[RandomRow, ...]:
    """The rows of a table with dice, after errors for results of none or of two of them."""
    if written.kind != "map":
        message = "with `dice:` each row says at which results: `3-5: a wolf`"
        report.error("rows-and-dice", written.place, message, "leave out `dice:` to give weights")
        return ()
    before, found = report.count, list[RandomRow]()
    for key, node in written.entries.items():
        place, (low, high) = written.key_place(key), _results(key)
        if low > high:
            report.error("row-never-rolled", place, f"`{key}` runs backwards", f"{high}-{low}")
        elif low < least or high > most:
            message = f"`{key}` is never rolled" if high < least or low > most else ""
            message = message or f"not all of `{key}` is ever rolled"
            report.error("row-never-rolled", place, message, f"results from {least} to {most}")
        if WEIGHT in node.entries:
            message = "the dice say how likely a row is, so it has no weight"
            report.error("rows-and-dice", node.key_place(WEIGHT), message, "leave it out")
        found.append(RandomRow(low, high, place, _parts(node, gives)))
    found.sort(key=lambda row: row.low)
    if report.count == before:
        _hold_whole(found, least, most, report)
    return tuple(found)


def _hold_whole(rows: Sequence[RandomRow], least: int, most: int, report: Report) -> None:
    """Report results between the lowest and the highest that have no row, or two."""
    reached = least - 1
    for before, row in zip((None, *rows), rows, strict=False):
        if before is not None and row.low <= reached:
            note = (Note(before.place, "the other row"),)
            message = f"two rows are for {row.low}"
            report.error("overlapping-rows", row.place, message, None, note)
        elif row.low > reached + 1:
            _missing(reached + 1, row.low - 1, row.place, report)
        reached = max(reached, row.high)
    if reached < most:
        _missing(reached + 1, most, rows[-1].place, report)


def _results(key: str) -> tuple[int, int]:
    found = RESULTS.fullmatch(key.strip())
    assert found is not None, "the schema lets nothing else pass"
    return int(found[1]), int(found[2] or found[1])


def _missing(low: int, high: int, place: Place, report: Report) -> None:
    results = str(low) if low == high else f"{low}-{high}"
    report.error("missing-row", place, f"no row is for {results}", f"add `{results}:`")


def _by_weight(written: YamlNode, gives: str, report: Report) -> tuple[RandomRow, ...]:
    """The rows of a table with weights, one after the other."""
    if written.kind != "list":
        message = "rows with results need dice to roll them"
        help = "`dice: 1d6`, or a list of rows with weights"
        report.error("rows-and-dice", written.place, message, help)
        return ()
    weights = [node.get(WEIGHT) for node in written.items]
    counts = [int(str(one.value)) if one is not None else 1 for one in weights]
    rows = zip(written.items, counts, accumulate(counts), strict=True)
    return tuple(
        RandomRow(high - many + 1, high, node.place, _parts(node, gives))
        for node, many, high in rows
    )


def _on_a_die(
    written: YamlNode, total: int, rows: Sequence[RandomRow], report: Report
) -> tuple[int, tuple[RandomRow, ...]]:
    """The sides of the least die that weights fit, and the rows with its results."""
    sides = next((one for one in DIE_SIDES if one % total == 0), None)
    if sides is None:
        message = f"these weights are {total} in all, and no die has as many sides"
        nearest = next((one for one in DIE_SIDES if one > total), DIE_SIDES[-1])
        help = f"weights of {nearest} in all, or `draw: without putting back`"
        report.warning("no-such-die", written.place, message, help)
    each = (sides or total) // total
    made = (replace(row, low=(row.low - 1) * each + 1, high=row.high * each) for row in rows)
    return sides or total, tuple(made)


def _parts(node: YamlNode, gives: str) -> Mapping[str, YamlNode]:
    """The parts of a row; one that is a plain value is what is told or given."""
    return node.entries or {GIVES if gives else TEXT: node}


# ------------------------------------------------------------------------------------- the powers


def tables_of(items: Iterable[Item]) -> dict[str, RandomTable]:
    """The random tables of a sound game, by their names in effect text."""
    read = (read_table(item, Report()) for item in items if item.kind == KIND)
    return {table.item.slug: table for table in read if table is not None}


def with_random_tables(items: Sequence[Item], poisoned: Poison, report: Report) -> tuple[Item, ...]:
    """Return the items, each random table with the fields of a power, and what decks keep.

    A table with a mistake in its dice or rows is left out, and its name poisoned.
    """
    read = {one.slug: read_table(one, report) for one in items if one.kind == KIND}
    if not read:
        return tuple(items)
    tables = {slug: table for slug, table in read.items() if table is not None}
    made = {slug: _Power(table, tables, report).item() for slug, table in tables.items()}
    poisoned.add(*(slug for slug in read if made.get(slug) is None))
    decks = [one for one in tables.values() if one.is_deck]
    return (*_with_powers(items, made, decks), *filter(None, map(_resetting, decks)))


def _with_powers(
    items: Iterable[Item], made: Mapping[str, Item | None], decks: Sequence[RandomTable]
) -> Iterator[Item]:
    """The items, with the powers of tables in their places, and the variables of decks."""
    for item in items:
        if item.kind == "vocabulary":
            yield _keeping(item, decks) if decks else item
        elif item.kind != KIND:
            yield item
        elif (power := made.get(item.slug)) is not None:
            yield power


def _keeping(vocabulary: Item, decks: Iterable[RandomTable]) -> Item:
    """The vocabulary with the variables of decks."""
    node = vocabulary.node
    for one in decks:
        about = f"the rows of {one.title} that are out"
        kept: Map = {"type": "List of Int", "life": "game", "english": about}
        node = with_sections(node, one.item.place, {"scope": {one.drawn: kept}})
    return replace(vocabulary, fields=node.entries, node=node)


def _resetting(deck: RandomTable) -> Item | None:
    """The trigger that puts the rows of a deck back."""
    event = deck.item.fields.get(RESET)
    if event is None:
        return None
    at = deck.item.place
    texts = {"timing": "immediately", EFFECT: f"set {deck.drawn} = []"}
    fields = {"event": event, **{name: generated(text, at) for name, text in texts.items()}}
    return replace(deck.item, kind="trigger", name=f"{deck.item.name}-reset", fields=fields)


class _Power:
    """The making of the effect of one table."""

    def __init__(
        self, table: RandomTable, tables: Mapping[str, RandomTable], report: Report
    ) -> None:
        self.table, self.tables, self.report = table, tables, report

    def item(self) -> Item | None:
        """The item with the fields of a power; None after an error."""
        table, item, before = self.table, self.table.item, self.report.count
        verb = "draw from" if table.is_deck else "roll on"
        fields = {"gloss": generated(f"{verb} {table.title}", item.place)}
        fields[EFFECT] = woven_node(item.fields[ROWS], [*self._lines()])
        written = item.fields.get(GIVES)
        if written is not None:
            head = f"{table.given}: "
            line = WovenLine(f"{head}{table.gives}", written.source, written.start - len(head))
            fields[GIVES] = woven_node(written, [line])
        sound = self.report.count == before
        return replace(item, fields={**item.fields, **fields}) if sound else None

    def _lines(self) -> Iterator[WovenLine]:
        table, at = self.table, self.table.item.place
        result = table.item.slug  # the name of the roll, for responses and answers
        if not table.is_deck:
            yield from said(f"roll {result} = {table.dice}", at)
            yield from self._cases(result, "")
            return
        drawn, row, every = table.drawn, f"{result}_row", f"(1 .. {table.sides})"
        yield from said(f"if count({drawn}) >= {table.sides}: set {drawn} = []", at)
        yield from said(f"draw {result} from {every} - {drawn}", at)
        # Some row is left, which the type does not say.
        yield from said(f"let {row} = {result} if {result} is not none else 1", at)
        yield from said(f"add {row} to {drawn}", at)
        yield from self._cases(row, "")

    def _cases(self, result: str, margin: str) -> Iterator[WovenLine]:
        """A block for each row, by the highest result that leads to it."""
        *others, last = self.table.rows
        for number, row in enumerate(others):
            word = "elif" if number else "if"
            yield from said(f"{margin}{word} {result} <= {row.high}:", row.place)
            yield from self._row(row, f"{margin}    ")
        if others:
            yield from said(f"{margin}else:", last.place)
        yield from self._row(last, f"{margin}    " if others else margin)

    def _row(self, row: RandomRow, margin: str) -> Iterator[WovenLine]:
        """What a row does: what is told, what is given, what is rolled instead, its own lines."""
        gives = self.table.gives
        if (text := row.parts.get(TEXT)) is not None and (read := self._read(text)) is not None:
            yield from self._nested(text, margin)
            yield _around(margin, 'say "', read, '"')
        if (value := row.parts.get(GIVES)) is not None and (read := self._read(value)) is not None:
            yield from self._value(read, row, margin)
        if row.goes_on:
            giving = f" giving {self.table.given}" if gives else ""
            name = row.parts[TABLE]
            use = f"{margin}use "
            yield WovenLine(f"{use}{row.goes_on}{giving}", name.source, name.start - len(use))
            self._hold_alike(row)
        if (effect := row.parts.get(EFFECT)) is not None:
            found = effect_text(effect.source, effect, self.report)
            if found is not None:
                lines = found.text.rstrip("\n").split("\n")
                for line, start in zip(lines, found.source_starts, strict=False):
                    yield WovenLine(f"{margin}{line}", found.source, start - len(margin))
        if gives and not (row.parts.keys() & {GIVES, TABLE}):
            message = f"this row gives nothing, and the table gives {gives}"
            self.report.error("missing-field", row.place, message, "add `gives:` to the row")

    def _read(self, node: YamlNode) -> EffectText | None:
        """A text on one line; None after an error."""
        return effect_text(node.source, node, self.report) if self._may_name(node) else None

    def _nested(self, text: YamlNode, margin: str) -> Iterator[WovenLine]:
        """The rolls on the tables that a text names in holes."""
        for name in dict.fromkeys(HOLE.findall(text_of(text))):
            if name in self.tables:
                yield from said(f"{margin}use {name} giving {name}", text.place)

    def _may_name(self, text: YamlNode) -> bool:
        """Do all tables that a text names give something? False after an error."""
        named = (self.tables.get(name) for name in HOLE.findall(text_of(text)))
        silent = [one.item.slug for one in named if one is not None and not one.gives]
        for name in dict.fromkeys(silent):
            message = f"`{{{name}}}` is a table that gives nothing to be read here"
            help = f"`gives: Text` in `{name}`, or `table: {name}` as the row"
            self.report.error("table-gives-nothing", text.place, message, help)
        return not silent

    def _hold_alike(self, row: RandomRow) -> None:
        """Report a table that gives nothing where something is given."""
        other, gives = self.tables.get(row.goes_on), self.table.gives
        if other is not None and bool(other.gives) != bool(gives):
            what = f"gives {other.gives}" if other.gives else "gives nothing"
            message = f"`{row.goes_on}` {what}, and this table {'does' if gives else 'does not'}"
            help = f"`gives: {gives or other.gives}` in both"
            self.report.error("table-gives-nothing", row.parts[TABLE].place, message, help)

    def _value(self, read: EffectText, row: RandomRow, margin: str) -> Iterator[WovenLine]:
        """What sets the result of the power; of a text with holes, by what its tables have given."""
        text, sets, node = read.text.rstrip("\n"), f"set {self.table.given} = ", row.parts[GIVES]
        tables = {name: self.tables[name] for name in HOLE.findall(text) if name in self.tables}
        if self.table.gives != "Text":
            yield _around(margin, sets, read, "", row.spelled)
            return
        if not tables:
            yield _around(margin, f'{sets}"', read, '"')
            return
        yield from self._nested(node, margin)
        values = [texts_of(one, self.tables) for one in tables.values()]
        if prod(map(len, values)) > MOST_TEXTS:
            message = f"this row can become more than {MOST_TEXTS} texts"
            help = "tell it instead: a table without `gives:` may name any others"
            self.report.error("too-much-work", node.place, message, help)
            return
        for number, way in enumerate(product(*values)):
            told = dict(zip(tables, way, strict=True))
            met = " and ".join(f'{name} = "{one}"' for name, one in told.items())
            head = f"{margin}if {met}: " if number else margin
            yield from said(f'{head}{sets}"{filled(text, told)}"', node.place)


def _around(
    margin: str, before: str, read: EffectText, behind: str, text: str | None = None
) -> WovenLine:
    """A line of the author's words between words of ours."""
    start = read.source_starts[0] - len(margin) - len(before)
    shown = read.text.rstrip("\n") if text is None else text
    return WovenLine(f"{margin}{before}{shown}{behind}", read.source, start)


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with the holes filled that have a value."""
    return HOLE.sub(lambda hole: values.get(hole[1], hole[0]), text)


def texts_of(
    table: RandomTable, tables: Mapping[str, RandomTable], below: frozenset[str] = frozenset()
) -> list[str]:
    """All that a table of texts can give, each once; of very many, more than are allowed."""
    return [*dict.fromkeys(islice(_texts(table, tables, below), MOST_TEXTS + 1))]


def _texts(
    table: RandomTable, tables: Mapping[str, RandomTable], below: frozenset[str]
) -> Iterator[str]:
    if table.item.slug in below:
        return  # a circle is reported where powers use each other
    below |= {table.item.slug}
    for row in table.rows:
        if row.goes_on in tables:
            yield from texts_of(tables[row.goes_on], tables, below)
        elif GIVES in row.parts:
            names = [name for name in dict.fromkeys(HOLE.findall(row.value)) if name in tables]
            values = (texts_of(tables[name], tables, below) for name in names)
            for way in product(*values):
                yield filled(row.value, dict(zip(names, way, strict=True)))
