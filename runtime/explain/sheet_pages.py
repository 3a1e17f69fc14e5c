"""The pages of sheets: each line about one thing as texts, for any medium.

Sections without a line are left out. Nothing is escaped here; the writer of each medium does that.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import number_text, title_text
from ruleloom.runtime.program.expr import walk
from ruleloom.runtime.program.program import Expr, Sheet, SheetRow, SheetSection, Template
from ruleloom.runtime.program.state import NO_RULES
from ruleloom.runtime.program.values import TEXT, Dynamic, Type, Value, World

TextOf = Callable[[str, int], str]
"""The printed text of the item of a thing, by entity and number."""


class SheetLine(Frozen):
    """One line of a page; missing texts are empty."""

    label: str
    value: str
    note: str
    text: str
    blank: bool


class Block(Frozen):
    """Lines under a title, as a table or as tiles. `headings` are three or none."""

    title: str
    headings: tuple[str, ...]
    tiles: bool
    lines: tuple[SheetLine, ...]


class SheetPage(Frozen):
    """The sheet of one thing."""

    title: str
    english: str
    blocks: tuple[Block, ...]


def page_of(linked: Linked, world: World, sheet: Sheet, number: int, text_of: TextOf) -> SheetPage:
    """The page of the thing with this number."""
    press = Press(linked, world, number, text_of)
    blocks = (press.block(section) for section in sheet.sections)
    title = press.words(sheet.title, None)
    return SheetPage(title, sheet.english, tuple(block for block in blocks if block.lines))


# The lines of a section to fill in, whose members only a thing would tell.
EMPTY_TILES, EMPTY_LINES = 10, 6
THE_THING = ("slot", 0)


def blank_page(linked: Linked, world: World, sheet: Sheet) -> SheetPage:
    """The form of a sheet to be filled in: what is so of everybody is printed, all else left open."""
    form = BlankForm(Press(linked, world, 0, lambda entity, number: ""))
    blocks = (form.block(section) for section in sheet.sections)
    return SheetPage("", sheet.english, tuple(block for block in blocks if block.lines))


class BlankForm(Frozen):
    """Leaves open what depends on the thing of a sheet."""

    press: Press

    def block(self, section: SheetSection) -> Block:
        """One block; without the lines that only some things have."""
        if section.domain is not None and _is_about_thing(section.domain):
            many = EMPTY_TILES if section.tiles else EMPTY_LINES
            lines: tuple[SheetLine, ...] = (SheetLine("", "", "", "", blank=True),) * many
        else:
            members = self.press.value(section.domain, None) if section.domain else (None,)
            rows = [
                row for row in section.rows if row.where is None or not _is_about_thing(row.where)
            ]
            lines = tuple(
                self.line(row, member)
                for member in members
                for row in rows
                if row.where is None or self.press.value(row.where, member)
            )
        return Block(self.words(section.title, None), section.headings, section.tiles, lines)

    def line(self, row: SheetRow, member: Value) -> SheetLine:
        """One line; a value that depends on the thing is room to write."""
        label, value, note = (self.words(part, member) for part in (row.label, row.value, row.note))
        return SheetLine(label, value, note, "", row.blank or bool(row.value and not value))

    def words(self, template: Template, member: Value) -> str:
        """A template with its holes filled; empty if one is about the thing."""
        holes = (part[0] for part in template if not isinstance(part, str))
        return "" if any(map(_is_about_thing, holes)) else self.press.words(template, member)


def _is_about_thing(expr: Expr) -> bool:
    return any(one == THE_THING for one in walk(expr))


class Press(Frozen):
    """Renders texts about one thing; `member` is the current member of a section, or None."""

    linked: Linked
    world: World
    number: int
    text_of: TextOf

    def block(self, section: SheetSection) -> Block:
        """One block."""
        members = self.value(section.domain, None) if section.domain is not None else (None,)
        lines = tuple(
            self.line(row, member)
            for member in members
            for row in section.rows
            if row.where is None or self.value(row.where, member)
        )
        return Block(self.words(section.title, None), section.headings, section.tiles, lines)

    def line(self, row: SheetRow, member: Value) -> SheetLine:
        """One line."""
        label, value, note = (self.words(part, member) for part in (row.label, row.value, row.note))
        texts = []
        for expr, kind in row.texts:
            type_, found = Type.parse(kind), self.value(expr, member)
            if found is not None:
                text = type_.present == TEXT
                texts.append(str(found) if text else self.text_of(type_.name, found))
        return SheetLine(label, value, note, "\n".join(filter(None, texts)), row.blank)

    def words(self, template: Template, member: Value) -> str:
        """A template with its holes filled; none gives an empty text."""
        return "".join(
            part
            if isinstance(part, str)
            else self.word(Type.parse(part[1]), self.value(part[0], member))
            for part in template
        )

    def word(self, type_: Type, value: Dynamic) -> str:
        """One value in words."""
        if value is None or value == ():
            return ""
        if type_.many:
            return ", ".join(self.word(type_.item, one) for one in value)
        if isinstance(value, Fraction):
            return number_text(value)
        return title_text(self.linked, self.world, type_, value)

    def title(self, entity: str) -> str:
        """What the thing is called."""
        return title_text(self.linked, self.world, Type(entity), self.number)

    def holds(self, test: Expr | None) -> bool:
        """Whether a condition holds of the thing; without one, yes."""
        return test is None or bool(self.value(test, None))

    def value(self, expr: Expr, member: Value) -> Dynamic:
        """The value of an expression."""
        compiled = self.linked.test(1, expr)
        return compiled(self.world, (self.number,), self.linked.initial_scope, NO_RULES, member)


class BlankPress(Press):
    """Leaves room for all that is about the thing."""

    def title(self, entity: str) -> str:
        """Room for its name."""
        return ""

    def value(self, expr: Expr, member: Value) -> Dynamic:
        """The value of an expression; none if it is about the thing."""
        return None if _is_about_thing(expr) else Press.value(self, expr, member)

    def holds(self, test: Expr | None) -> bool:
        """Whether a condition may hold."""
        return test is None or _is_about_thing(test) or Press.holds(self, test)
