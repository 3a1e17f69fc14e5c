"""Requirements and sheets: what `ruleloom check` tests and prints of things that items make.

A hole in the English of a requirement is the thing itself, a setting, or a measure or table of such a
thing. A section of a sheet may iterate over a list, `each: "card: hand where value(card) > 2"`. Holes
of its texts hold expressions, `{value(card)}`; the value and the note of a row are such a text, or an
expression.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ruleloom.compiler.bounds.work import check_work
from ruleloom.compiler.check.expect import condition, warn_if_constant
from ruleloom.compiler.flow.context import Context, Typed
from ruleloom.compiler.flow.flow import NO_FACTS, Facts
from ruleloom.compiler.lower.routines import Bodies
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.packs.lasting_names import OWNER_NAME, SELF, TIME, TIME_NAME
from ruleloom.compiler.resolve.declare import HOLE, hole_help, hole_place, template
from ruleloom.compiler.resolve.embedded import Passage, parsed
from ruleloom.compiler.resolve.items import params_of
from ruleloom.compiler.resolve.symbols import Lasting, ParamSymbol, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.compiler.types import EMPTY, fits, is_unknown, spoken
from ruleloom.compiler.yaml.node import YamlNode, items_of, text_of
from ruleloom.compiler.yaml.source_map import EffectText
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program import program
from ruleloom.runtime.program.expr import walk
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import INT, NONE, TEXT, Type

EXPRESSION_HOLE = re.compile(r"\{([^{}]*)\}")
# The list of a section is parsed as the inside of an aggregate, which has the same form.
BEFORE, BEHIND = "count(", ")"
PARTS = ("label", "value", "note")
PLAYED = ("field", "zone", "at", "query", "scope")
"""The forms of expressions whose values change in play."""
BEARER_OF, MEMBER = ("slot", 0), ("slot", 1)
"""The slots of the thing of a sheet, and of each member of a section's list."""


def build_requirement(bodies: Bodies, item: Item) -> program.Requirement | None:
    """Check one requirement; None after an error."""
    param = one_thing(bodies, item, "a requirement")
    if param is None:
        return None
    where = _condition(bodies, item, "where", param, NO_FACTS)
    # Facts that follow from a broken condition are unknown.
    unsure = where is None and "where" in item.fields
    known = where.yes if where is not None else NO_FACTS
    holds = _condition(bodies, item, "holds", param, known, unsure)
    values = _check_holes(bodies, item, param)
    if holds is None or unsure:
        return None
    return program.Requirement(
        item.id,
        param.type.name,
        where.expr if where is not None else None,
        holds.expr,
        str(item.data("level") or "error"),
        template(bodies.symbols, str(item.data("english") or ""), values),
        str(item.data("help") or ""),
        bodies.content.origin(item.place),
        tuple(str(one.value) for one in items_of(item.fields.get("clauses"))),
    )


def one_thing(
    bodies: Bodies, item: Item, said: str, made_in_play: bool = False
) -> ParamSymbol | None:
    """The one parameter, in `of`, of a requirement or sheet: a thing that items make, or one that is
    `made_in_play`."""
    params = params_of(bodies.content, item, bodies.symbols, bodies.report, "of")
    if params is None or any(is_unknown(param.type) for param in params):
        return None
    place, type_ = item.fields["of"].place, params[0].type
    help = "one name and its type, such as `card: Card`"
    if len(params) != 1 or params[0].default is not None:
        bodies.report.error("type-mismatch", place, f"{said} is of one thing at a time", help)
        return None
    made = is_made_in_play(bodies, type_) if made_in_play else False
    if type_ != Type(type_.name) or not (made or bodies.symbols.is_recorded(type_.name)):
        noun = spoken(type_, bodies.symbols.nouns)
        message = f"{said} is of things that items make, not of {noun}"
        bodies.report.error("type-mismatch", place, message, help)
        return None
    return params[0]


def is_made_in_play(bodies: Bodies, type_: Type) -> bool:
    """Whether things of a type come and go in play, without items."""
    entity = bodies.symbols.entities.get(type_.name)
    return entity is not None and bool(entity.present) and not entity.recorded


def _condition(
    bodies: Bodies, item: Item, field: str, param: ParamSymbol, known: Facts, unsure: bool = False
) -> Typed | None:
    found = bodies.read(item.fields.get(field), parse_expr, item.id, (param,))
    if found is None:
        return None
    ctx, node = found
    ctx.unsure = unsure
    with ctx.knowing(known):
        typed = condition(ctx, node)
    warn_if_constant(ctx, node, typed.expr)
    return typed if typed.sound and check_work(ctx, node, typed.expr) else None


def _check_holes(bodies: Bodies, item: Item, param: ParamSymbol) -> dict[str, tuple[Expr, str]]:
    """The values for the holes of the English, settings aside; reports unknown holes."""
    symbols, node = bodies.symbols, item.fields.get("english")
    values: dict[str, tuple[Expr, str]] = {param.name: (("slot", 0), str(param.type))}
    if node is None:
        return values
    for hole in HOLE.finditer(text_of(node)):
        name = hole[1]
        if name in symbols.settings:
            symbols.used.add(name)
        elif name in values:
            continue
        elif _is_measure(symbols, param, name):
            callee = symbols.callables[name]
            symbols.used.add(callee.id)
            values[name] = (("function", callee.id, ("slot", 0)), str(callee.result))
        elif not symbols.poisoned.may_declare(name):
            measures = (one for one in symbols.callables if _is_measure(symbols, param, one))
            known = [param.name, *symbols.settings, *measures]
            message, help = f"nothing fills the hole `{hole[0]}`", hole_help(name, known)
            bodies.report.error("unknown-name", hole_place(node, hole), message, help)
    return values


def _is_measure(symbols: Symbols, param: ParamSymbol, name: str) -> bool:
    """Whether a name is a measure of such a thing alone."""
    one = symbols.callables.get(name)
    if one is None or one.kind not in ("measure", "stat", "table") or len(one.params) != 1:
        return False
    return fits(param.type, one.params[0].type)


def build_sheet(bodies: Bodies, item: Item) -> program.Sheet | None:
    """Check one sheet; None after an error."""
    param = one_thing(bodies, item, "a sheet")
    if param is None:
        return None
    texts = ShownTexts(bodies, item, (param,))
    title = texts.filled(item.fields["title"])
    sections = [_section(texts, node) for node in item.fields["sections"].items]
    borne = (one for one in bodies.symbols.lasting.values() if one.on == param.type)
    sections += [_effect(one, param.type) for one in borne if not one.signature.broken]
    origin = bodies.content.origin(item.place)
    english = str(item.data("english") or "")
    return program.Sheet(item.id, param.type.name, title, english, tuple(sections), origin)


def _effect(lasting: Lasting, type_: Type) -> program.SheetSection:
    """The section of an effect: its words, time and owner."""
    names, known = lasting.names, lasting.known(MEMBER).items()
    holes = {name: (expr, str(one)) for name, (one, expr) in known}
    holes |= {SELF: (BEARER_OF, str(type_)), TIME_NAME: (lasting.kept(TIME, MEMBER), str(INT))}
    english = str(names.item.data("english") or names.noun)
    parts = enumerate(EXPRESSION_HOLE.split(english))  # words and names of holes by turns
    label = tuple(holes.get(part, part) if at % 2 else part for at, part in parts if part)
    time: Template = (holes[TIME_NAME],) if names.counts else ()
    row = program.SheetRow(label, time, ("begun by ", holes[OWNER_NAME]), (), None, False)
    title = str(names.item.data("title") or names.noun)
    return program.SheetSection((title,), (), False, lasting.found(BEARER_OF), (row,))


def _section(texts: ShownTexts, node: YamlNode) -> program.SheetSection:
    title = texts.filled(node.entries["title"])
    each, domain = node.get("each"), None
    inside: ShownTexts | None = texts
    if each is not None:
        domain, inside = texts.gone_through(each)
    headings = node.get("headings")
    words = tuple(text_of(headings.get(part)) for part in PARTS) if headings is not None else ()
    rows: tuple[program.SheetRow, ...] = ()
    if inside is not None:  # else the name in the rows is unknown
        rows = tuple(_row(inside, row) for row in node.entries["rows"].items)
    return program.SheetSection(title, words, _is_said(node, "tiles"), domain, rows)


def _is_said(node: YamlNode, field: str) -> bool:
    return (said := node.get(field)) is not None and said.value is True


def _row(texts: ShownTexts, node: YamlNode) -> program.SheetRow:
    where = node.get("where")
    test = texts.expression(where, asked=True) if where is not None else None
    known = test.yes if test is not None else NO_FACTS
    text = node.get("text")
    below = [] if text is None else text.items if text.kind == "list" else [text]
    printed = [texts.printed(one, known) for one in below]
    return program.SheetRow(
        texts.filled(node.entries["label"], known),
        texts.shown(node.get("value"), known),
        texts.shown(node.get("note"), known),
        tuple(one for one in printed if one is not None),
        test.expr if test is not None else None,
        _is_said(node, "blank"),
    )


@dataclass(frozen=True)
class ShownTexts:
    """Reads the texts of one sheet, or of a section over a list, with `params` in scope. Those that are
    printed `at_rest`, before anybody plays, are warned of what only a game in play has."""

    bodies: Bodies
    item: Item
    params: tuple[ParamSymbol, ...]
    at_rest: bool = False

    def filled(self, node: YamlNode, known: Facts = NO_FACTS) -> Template:
        """A text with holes that hold expressions."""
        text = node.text or ""
        if EXPRESSION_HOLE.search(text) is None:
            return (text,) if text else ()
        written = self.bodies.passage(node)
        if written is None:
            return ()
        parts: list[str | tuple[Expr, str]] = []
        end = 0
        for hole in EXPRESSION_HOLE.finditer(text):
            # The spaces keep every character at its offset in the whole text.
            spaced = replace(written.written, text=" " * hole.start(1) + hole[1])
            typed = self._checked(Passage(spaced, written.content), known)
            parts += [text[end : hole.start()], *([self._hole(typed)] if typed is not None else ())]
            end = hole.end()
        return tuple(part for part in (*parts, text[end:]) if part)

    def shown(self, node: YamlNode | None, known: Facts) -> Template:
        """A text with holes, or one expression; empty for None."""
        if node is None:
            return ()
        if EXPRESSION_HOLE.search(node.text or "") is not None:
            return self.filled(node, known)
        typed = self.expression(node, known)
        return (self._hole(typed),) if typed is not None else ()

    def printed(self, node: YamlNode, known: Facts) -> tuple[Expr, str] | None:
        """An expression for a thing, to print its own text, or for a text."""
        typed = self.expression(node, known)
        if typed is None:
            return None
        symbols = self.bodies.symbols
        entity = symbols.entities.get(typed.type.name)
        is_made = entity is not None and (entity.records or symbols.poisoned.mentions("this"))
        if typed.type.present != TEXT and (typed.type.many or not is_made):
            message = "the printed text of an item, or a text, is wanted here"
            help = "a thing that items make"
            self.bodies.report.error("type-mismatch", node.place, message, help)
            return None
        return self._hole(typed)

    def expression(
        self, node: YamlNode, known: Facts = NO_FACTS, asked: bool = False
    ) -> Typed | None:
        """Check one expression; if `asked`, a condition."""
        text = self.bodies.passage(node)
        return self._checked(text, known, asked) if text is not None else None

    def gone_through(self, node: YamlNode) -> tuple[Expr | None, ShownTexts | None]:
        """A list, and the reader of texts with a name bound to its members."""
        nothing = None, None
        written = self.bodies.passage(node)
        text = _enclosed(written) if written is not None else None
        found = (
            parsed(text, parse_expr, self.bodies.report, self.item) if text is not None else None
        )
        if text is None or found is None:
            return nothing
        if not isinstance(found, ast.Aggregate) or found.binder is None or found.value is not None:
            message = "a name and a list are wanted here"
            help = "`card: Card where number(card) > 3`"
            self.bodies.report.error("syntax", node.place, message, help)
            return nothing
        ctx = self.bodies.context(text, self.item.id, self.params)
        typed = ctx.check(replace(found, kind="those"))
        if not typed.sound:
            return nothing
        if typed.type == EMPTY:
            ctx.error("type-mismatch", found.domain, "this list is always empty")
            return nothing
        self._warn_of_play(ctx, found.domain, typed)
        member = ParamSymbol(found.binder.id, typed.type.item)
        return typed.expr, replace(self, params=(*self.params, member))

    def _checked(self, text: Passage, known: Facts, asked: bool = False) -> Typed | None:
        node = parsed(text, parse_expr, self.bodies.report, self.item)
        if node is None:
            return None
        ctx = self.bodies.context(text, self.item.id, self.params)
        with ctx.knowing(known):
            typed = condition(ctx, node) if asked else ctx.check(node)
        if typed.sound and typed.type in (NONE, EMPTY):
            message = "this is always none, so there is nothing to show"
            typed = ctx.error("type-mismatch", node, message)
        self._warn_of_play(ctx, node, typed)
        return typed if typed.sound and check_work(ctx, node, typed.expr) else None

    def _warn_of_play(self, ctx: Context, node: ast.Expr, typed: Typed) -> None:
        """Warn of what only a game in play has, where texts are printed at rest."""
        if self.at_rest and typed.sound and self._is_played(typed.expr, set()):
            message = "a card is printed before anybody plays, and this changes in play"
            help = "printed fields and settings stay, and an empty place has room to write"
            ctx.warn("only-in-play", node, message, help)

    def _is_played(self, expr: Expr, seen: set[str]) -> bool:
        """Whether an expression reads, itself or through measures, what only a game in play has; stats have
        their base."""
        for part in walk(expr):
            if part[0] in PLAYED:
                return True
            if part[0] == "function" and part[1] not in seen:
                seen.add(part[1])
                measure = self.bodies.functions.of(part[1])
                is_stat = part[1].partition("/")[0].endswith("stat")
                if not is_stat and measure is not None and self._is_played(measure.expr, seen):
                    return True
        return False

    def _hole(self, typed: Typed) -> tuple[Expr, str]:
        """A value and its type as stored in a program: an option of a switch is a text."""
        return typed.expr, self.bodies.symbols.kept_type(typed.type)


def _enclosed(text: Passage) -> Passage:
    """The text between `BEFORE` and `BEHIND`; every character keeps its place in the file."""
    written, shift = text.written, len(BEFORE)
    first, *others = written.text_starts
    start, *lines = written.source_starts
    body = written.text[: written.end]
    moved = EffectText(
        written.source,
        f"{BEFORE}{body}{BEHIND}",
        (first, *(at + shift for at in others)),
        (start - shift, *lines),
        written.end + shift,
    )
    return Passage(moved, text.content)
