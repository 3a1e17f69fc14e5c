"""The English of every name of a game: the author's, or else the name itself in words.

`Scene` lowers the expressions of a text for rendering, folded with the current settings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import TypeVar

from ruleloom.compiler.bounds.intervals import written_arguments
from ruleloom.compiler.english.word import NUMBER, TEXT, called, says_nothing, spaced
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.packs.settings import own_words
from ruleloom.compiler.resolve.embedded import with_new_names
from ruleloom.compiler.resolve.symbols import PART_OF, TAG_TYPE, TAGS_IN, Signature, Symbols
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_event, parse_expr
from ruleloom.compiler.syntax.tree import EVENT, VALUE
from ruleloom.compiler.types import PLAIN, dice_form, is_number
from ruleloom.compiler.yaml.node import text_of
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.expr import rounded
from ruleloom.runtime.program.interval import Interval, arithmetic, compare_values
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, EMPTY, INT, UNKNOWN, Type
from ruleloom.runtime.program.verify_expr import type_of, zone_type

PLAIN_NOUNS = {
    "Int": (NUMBER, "numbers"),
    "Bool": ("answer", "answers"),
    "Text": (TEXT, "texts"),
    "?": ("thing", "things"),
}


T = TypeVar("T")


def parsed_text(text: object, parse: Callable[[str], T]) -> T | None:
    """The tree of a text, or None if it cannot be parsed."""
    try:
        return parse(text) if isinstance(text, str) else None
    except EffectSyntaxError:
        return None


def parsed_field(symbols: Symbols, item: Item, name: str, parse: Callable[[str], T]) -> T | None:
    """The tree of the text in a field of an item, or None if it has none or cannot be parsed."""
    node = item.fields.get(name)
    found = parsed_text(text_of(node), parse) if node is not None else None
    words = symbols.spoken.get(symbols.belonging.scope(node.place)) if node is not None else None
    if found is None or not words:
        return found
    role = EVENT if parse is parse_event else VALUE
    return with_new_names(found, words, own_words(item), role)[0]


class Unsaid(StrEnum):
    """A placeholder in an expression for a value that is not known."""

    CHOICE = "your choice"
    """An answer rendered where it is used: `a way of your choice`."""
    GIVEN = "a given number"
    """A number passed in: `a given size`."""
    EITHER = "yes or no"
    """A Bool passed in: the text that depends on it is rendered both ways."""


ANSWER = "answer"
"""The name of a variable for a yes or no."""


class Variable(Frozen):
    """A local variable: its name, its type, and the author's words: a Bool's when it is yes, otherwise
    its noun."""

    name: str
    type: Type
    said: str = ""
    least: int = 0
    """The lower bound of a number from an event."""


STARTS = ("value", "setting", "field")
"""The forms of what a limit starts from."""


class Glossary(Frozen):
    """The English of every name of a game."""

    symbols: Symbols
    items: Mapping[str, Item] = field(default_factory=dict)
    """The items of rules and measures, with their texts, by id."""
    modified: Mapping[str, Sequence[object]] = field(default_factory=dict)
    """The modifiers of each stat."""

    def meaning(self, callee: Signature) -> ast.Expr | None:
        """The expression of a rule or measure; None without one."""
        item = self.items.get(callee.id)
        if item is None:
            return None
        return parsed_field(
            self.symbols, item, "holds" if item.kind == "rule" else "is", parse_expr
        )

    def start(
        self, callee: Signature, args: Sequence[Expr], settings: Mapping[str, object]
    ) -> Expr | None:
        """A stat that nothing modifies, if it is a number, a setting or a field; else None."""
        if callee.kind != "stat" or self.modified.get(callee.name):
            return None
        meaning = self.meaning(callee)
        names = dict(zip((one.name for one in callee.params), args, strict=True))
        found = Scene(self, settings, names).read(meaning) if meaning is not None else None
        return found if found is not None and found[0] in STARTS else None

    def named(self, sort: str, name: str) -> str:
        """The English of a `scope` variable, of one of the `zones`, or of a `setting` or switch."""
        return self.symbols.words.get((sort, name)) or f"the {spaced(name)}"

    def field(self, name: str) -> str:
        """The English of a field; an abbreviation as on the sheet: `PI` if there is `max_PI`."""
        capitals = self.symbols.capitals
        noun, _ = self.symbols.nouns.get(name.capitalize()) or ("", "")
        if noun.lower() == name:
            return noun  # capitalized like the thing it holds
        return " ".join(
            capitals.get(word, word) for word in spaced(name).removesuffix(" of").split()
        )

    def said_of_field(self, expr: Expr) -> tuple[str, Mapping[str, Expr]]:
        """The vocabulary's English for a field, and the values of its holes; empty without any."""
        key: Mapping[str, Expr] = {}
        if expr[0] == "lookup":
            expr, key = expr[1], {"key": expr[2]}
        if expr[0] not in ("field", "static"):
            return "", {}
        entity, _, name = expr[1].partition(".")
        symbol = self.symbols.fields.get(name, {}).get(entity)
        fits = symbol is not None and (bool(key) or not symbol.by)
        return (symbol.english if symbol is not None and fits else ""), {"it": expr[2], **key}

    def lengths_of_time(self, things: str) -> Sequence[tuple[str, str]]:
        """The settings for the number of `things`, such as rounds, in a longer time: each with its unit,
        `minute` for `rounds in a minute`."""
        return self.symbols.words.answer(_lengths_of_time, things)

    def option(self, switch: str, option: str) -> str:
        """The clause for an option of a switch."""
        return (
            self.symbols.words.get(("option", switch, option))
            or f"{spaced(switch)} is {spaced(option)}"
        )

    def value(self, name: str) -> str:
        """The English of an enum value."""
        return self.symbols.words.get(("value", name)) or name.replace("_", " ")

    def tag(self, expr: Expr) -> str:
        """The English of a tag, after `is`; else empty."""
        return self.symbols.words.get(("tag", str(expr[1])), "") if expr[0] == "value" else ""

    def callee(self, name: str) -> Signature | None:
        """The query, measure or rule that a lowered expression calls."""
        return self.symbols.callables.get(name.rpartition("/")[2].replace("-", "_"))

    def declared(self, form: str, name: str) -> Type | None:
        """The type of a name of a lowered form."""
        symbols = self.symbols
        if form in ("query", "function", "allowed"):
            callee = self.callee(name)
            return callee.result if callee is not None else None
        if form in ("value", "bearer"):
            tag = TAG_TYPE if name in symbols.tags else None
            thing = symbols.values.get(name, tag) if form == "value" else name
            return Type(thing) if thing else None
        if form in ("zone", "at", "field", "static"):
            return self._stored(form, name)
        variable = (symbols.scope if form == "scope" else symbols.settings).get(name)
        return variable.type if variable is not None else None

    def _stored(self, form: str, name: str) -> Type | None:
        """The type of a zone or field, never optional: a field that a text mentions is there."""
        if form in ("zone", "at"):
            zone = self.symbols.zones.get(name)
            return zone_type(form, zone.of) if zone is not None else None
        entity, _, field = name.partition(".")
        symbol = self.symbols.fields.get(field, {}).get(entity)
        return symbol.type.present if symbol is not None else None

    def rule(self, name: str) -> str:
        """The English of a rule that can be ignored, with holes for its parameters."""
        callee = self.symbols.callables.get(name)
        if callee is not None:
            return callee.english or spaced(name)
        return self.symbols.words.get(("always", name)) or spaced(name)

    def is_noun(self, word: str) -> bool:
        """Whether a word is a noun of the game."""
        return self.symbols.nouns.answer(_is_noun, word)

    def singular_of(self, several: str) -> str:
        """The singular of a noun of the game, or that its authors count; else empty."""
        counted = self.symbols.words.get(("counted", several), "")
        return counted or self.symbols.nouns.answer(_singular_of, several)

    def noun(self, type_: Type, plural: bool = False) -> str:
        """The noun of a type, singular or plural."""
        if type_.repeats:
            return "dice" if plural else "die"
        known = self.symbols.nouns.get(type_.name) or PLAIN_NOUNS.get(type_.name)
        singular, several = known or (spaced(type_.name), f"{spaced(type_.name)}s")
        return several if plural else singular

    def name_of(self, variable: Variable) -> tuple[str, str]:
        """What a variable is called by its name, and the noun of its type, of which a Bool has none."""
        type_ = variable.type
        noun = NUMBER if is_number(type_) else self.noun(type_, type_.many)
        noun = "" if type_.name in ("Bool", "?") else noun
        return called(variable.name, noun), noun


def glossary(content: Content, symbols: Symbols) -> Glossary:
    """The glossary of a game."""
    return Glossary(symbols, content.by_id)


def type_among(variables: Mapping[int, Variable], expr: Expr, words: Glossary) -> Type:
    """The type of a lowered expression over these variables; that of an empty list is unknown."""
    slots = {slot: one.type for slot, one in variables.items()}
    found = type_of(expr, slots, words.declared)
    return UNKNOWN if found == EMPTY else found


def _lengths_of_time(
    words: Iterable[tuple[tuple[str, ...], str]], things: str
) -> tuple[tuple[str, str], ...]:
    called = re.compile(rf"{things} in an? (\w+)")
    found = ((key[1], called.fullmatch(said)) for key, said in words if key[0] == "setting")
    return tuple((name, length[1]) for name, length in found if length is not None)


def _singular_of(nouns: Iterable[tuple[str, tuple[str, str]]], word: str) -> str:
    return next((one for _, (one, several) in nouns if several == word), "")


def _is_noun(nouns: Iterable[tuple[str, tuple[str, str]]], word: str) -> bool:
    return any(word in both for _, both in nouns)


# ------------------------------------------------------------------------------ expressions of a text

YES: Expr = ("value", True)
NO: Expr = ("value", False)
NONE: Expr = ("value", None)


@dataclass(slots=True)
class Scene:
    """The variables of one effect text, in order of appearance, and the lowering of its expressions.

    A name is bound to its slot, or to the expression of a `let` that is inlined. Whatever the settings
    decide is folded away. The checker has already accepted the text, so an unknown name just becomes
    its own words.
    """

    glossary: Glossary
    settings: Mapping[str, object]
    names: dict[str, Expr] = field(default_factory=dict)
    variables: dict[int, Variable] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    """The item's own English for its names: the clause of a Bool, otherwise a noun."""

    @property
    def symbols(self) -> Symbols:
        """The symbols of the game."""
        return self.glossary.symbols

    def declare(self, name: str, type_: Type, said: str = "") -> int:
        """Declare a variable; return its slot."""
        slot = len(self.variables)
        own = self.words.get(name, "")
        if own.isalpha() and own.islower() and type_.name in self.symbols.entities:
            own = f"the {own}"  # a noun for a thing or person
        words = "other" if not own and self._is_second(name, type_) else name
        self.variables[slot] = Variable(words, type_, said or own)
        self.names[name] = ("slot", slot)
        return slot

    def _is_second(self, name: str, type_: Type) -> bool:
        """Whether a name is generic, and another variable of its type has only a generic name too."""
        thing, plain = type_.name not in PLAIN, self.glossary.noun(type_)
        if not says_nothing(name, thing):
            return False
        before = (self.names[one] for one in self.names if one != name)
        named = (self.variables[one[1]] for one in before if one[0] == "slot")
        kind = (type_.name, type_.many)
        alike = (one.name for one in named if (one.type.name, one.type.many) == kind)
        return any(says_nothing(one, thing) or one == plain for one in alike)

    def called(self, name: str, noun: str) -> str:
        """The words for a variable after `the`: the item's own, or from its name."""
        return self.words.get(name, "").removeprefix("the ") or called(name, noun)

    def variable(self, name: str) -> Variable:
        """The variable bound to a name."""
        return self.variables[self.names[name][1]]

    def type_of(self, expr: Expr) -> Type:
        """The type of an expression."""
        return type_among(self.variables, expr, self.glossary)

    def read(self, node: ast.Expr, wanted: Type | None = None) -> Expr:
        """An expression, lowered and folded."""
        return folded(self._read(node, wanted), self.settings)

    def _read(self, node: ast.Expr, wanted: Type | None) -> Expr:
        match node:
            case ast.Name(id=name):
                return self._name(name, wanted)
            case ast.NumberLiteral() | ast.TextLiteral() | ast.BoolLiteral():
                return ("value", node.value)
            case ast.DiceLiteral(count=count, sides=sides):
                return ("value", f"{count}d{sides}")
            case ast.CallExpr(name=ast.Name(id=name), args=args):
                return self._call(name, args)
            case ast.ListExpr(items=items):
                return self._list(items, wanted.item if wanted else None)
            case ast.Aggregate():
                return self._aggregate(node)
            case _:
                return self._operation(node, wanted)

    def _list(self, items: Sequence[ast.Expr], wanted: Type | None) -> Expr:
        found = [self.read(one, wanted) for one in items]
        known = all(one[0] == "value" for one in found)
        return ("value", tuple(one[1] for one in found)) if known else ("list", *found)

    def _operation(self, node: ast.Expr, wanted: Type | None) -> Expr:
        match node:
            case ast.Allowed(rule=ast.Name(id=name), args=args):
                return self._allowed(name, args)
            case ast.IsNone(value=value, negated=negated):
                test: Expr = ("is_none", self.read(value))
                return ("not", folded(test, self.settings)) if negated else test
            case ast.IfElse(then=then, condition=condition, otherwise=otherwise):
                test = self.read(condition)
                return ("if", test, self.read(then, wanted), self.read(otherwise, wanted))
            case ast.Unary(op="rounded down" | "rounded up" | "rounded nearest" as op, value=value):
                number, how = self.read(value), op.removeprefix("rounded ")
                # A plain division rounds down.
                by = number[1:] if number[0] == "div" else (number, ("value", 1))
                return rounded(by[0], how, by[1])
            case ast.Unary(op=op, value=value):
                return ("not" if op == "not" else "negative", self.read(value))
            case ast.Binary():
                return self._binary(node)
        return NONE

    def _name(self, name: str, wanted: Type | None) -> Expr:
        """A variable, an option, a thing, a zone, a call without arguments, or else a name in words."""
        symbols = self.glossary.symbols
        if name in self.names:
            return self.names[name]
        if wanted is not None and name in symbols.options_of(wanted):
            return ("value", name)
        for form, table in (("scope", symbols.scope), ("setting", symbols.settings)):
            if name in table:
                return (form, name)
        return self._declared(name, wanted)

    def _declared(self, name: str, wanted: Type | None) -> Expr:
        symbols = self.glossary.symbols
        if name == "players":
            return ("players",)
        if name in symbols.enums:
            return ("value", symbols.enums[name])
        if symbols.is_recorded(name):
            return ("records", name)
        if thing := symbols.thing_of(name, wanted) or symbols.thing(name):
            return thing
        if name in symbols.zones:
            # In abilities, `me` is a variable with words of its own.
            me = self.names.get("me", ("scope", "me"))
            return ("zone", name, me if symbols.zones[name].per_player else None)
        if name in symbols.callables:
            return self._called(symbols.callables[name], ())
        return ("value", name if name in symbols.values else spaced(name))

    def _called(self, callee: Signature, args: Sequence[ast.Arg]) -> Expr:
        values = self.arguments(callee, args)
        if callee.kind == "query":
            return ("query", callee.name, *values)
        found = self._settled(callee, values) or self.glossary.start(callee, values, self.settings)
        return found or ("function", callee.id, *values)

    def _settled(self, callee: Signature, args: Sequence[Expr]) -> Expr | None:
        """The constant value of a rule or measure for these arguments; else None."""
        known = bool(args) and all(arg[0] == "value" for arg in args)
        if callee.result not in (BOOL, INT) or not (known or NONE in args):
            return None
        meaning = self.glossary.meaning(callee)
        if meaning is None:
            return None
        names = dict(zip((one.name for one in callee.params), args, strict=True))
        found = Scene(self.glossary, self.settings, names, dict(self.variables)).read(meaning)
        return found if found[0] == "value" and type(found[1]) in (int, bool) else None

    def arguments(self, callee: Signature, args: Sequence[ast.Arg]) -> tuple[Expr, ...]:
        """The arguments of a call in the order of the parameters, defaults included."""
        placed = written_arguments(callee, args)
        return tuple(
            self.read(placed[param.name], param.type)
            if param.name in placed
            else callee.defaults.get(param.name) or self.default(param.default, param.type)
            for param in callee.params
        )

    def default(self, node: ast.Expr | None, type_: Type) -> Expr:
        """The default value of a parameter."""
        return self.read(node, type_) if node is not None else NONE

    def _call(self, name: str, args: Sequence[ast.Arg]) -> Expr:
        symbols, values = self.glossary.symbols, [arg.value for arg in args]
        if name in self.names and values:
            return ("lookup", self.names[name], self.read(values[0]))
        if name in symbols.callables:
            return self._called(symbols.callables[name], args)
        if name == PART_OF and len(values) == 2:
            return self._part(*values)
        if name in symbols.fields and values:
            return self._field(name, values)
        if name in ("first", TAGS_IN) and len(values) == 2:
            return (name, *(self.read(one, Type(TAG_TYPE)) for one in values))
        if name in symbols.zones and values:
            return ("at" if symbols.zones[name].at else "zone", name, self.read(values[0]))
        return ("value", spaced(name))

    def _part(self, whole: ast.Expr, sort: ast.Expr) -> Expr:
        """The part of a stat from one bonus type or tag."""
        symbols = self.glossary.symbols
        named, args = (whole.name, whole.args) if isinstance(whole, ast.CallExpr) else (whole, ())
        stat = symbols.callables.get(named.id) if isinstance(named, ast.Name) else None
        if stat is None or not isinstance(sort, ast.Name):
            return ("value", spaced(PART_OF))
        return self._called(symbols.part(stat, sort.id), args)

    def _allowed(self, rule: str, args: Sequence[ast.Arg]) -> Expr:
        callee = self.symbols.callables.get(rule)
        if callee is None:
            return ("value", spaced(rule))
        return ("allowed", callee.id, *self.arguments(callee, args))

    def _field(self, name: str, values: Sequence[ast.Expr]) -> Expr:
        """A field of a thing; a table is looked up by the second argument."""
        of, symbols = self.read(values[0]), self.glossary.symbols
        owners = symbols.fields[name]
        symbol = owners.get(self.type_of(of).name) or next(iter(owners.values()))
        plain = symbol.type.name in (*PLAIN, *symbols.enums) and not symbol.type.many
        if plain and symbol.static and not symbol.by and of[:2] == ("record", symbol.entity):
            # A printed field of one thing is replaced by its value if that is a number, text or name.
            printed = dict(symbols.made[symbol.entity].static).get(name)
            if printed is not None:
                return ("value", printed[of[2][1]])
        read: Expr = ("static" if symbol.static else "field", f"{symbol.entity}.{name}", of)
        return ("lookup", read, self.read(values[1], Type(symbol.by))) if symbol.by else read

    def _aggregate(self, node: ast.Aggregate) -> Expr:
        domain = self.read(node.domain)
        if node.binder is None:
            short: Expr = ("each", node.kind, None, -1, domain, None)
            return ("count", domain) if node.kind == "count" else short
        before = dict(self.names)
        slot = self.declare(node.binder.id, self.type_of(domain).item)
        where = self.read(node.where) if node.where is not None else None
        value = self.read(node.value) if node.value is not None else None
        self.names = before
        return ("each", node.kind, value, slot, domain, where)

    def _binary(self, node: ast.Binary) -> Expr:
        left, op = self.read(node.left), node.op
        right = self.read(node.right, self.type_of(left))
        if left[0] == "value" and isinstance(node.left, ast.Name):
            left = self.read(node.left, self.type_of(right))
        type_ = self.type_of(left)
        if op == "not in":
            return ("not", ("in", left, right))
        if op in ("+", "-") and type_.repeats:
            return (dice_form(op == "+"), left, right)
        if op in ("+", "-") and (type_.many or self.type_of(right).many):
            return ("join" if op == "+" else "without", left, right)
        if right == NONE and left[0] != "value" and type_ != UNKNOWN:
            return self._compared_with_none(op, left, type_)
        return (op, left, right)

    def _compared_with_none(self, op: str, left: Expr, type_: Type) -> Expr:
        """A comparison with an omitted parameter, which is none."""
        test: Expr = ("is_none", left) if type_.optional else NO
        told = {"=": test, "!=": folded(("not", test), self.settings)}
        return told.get(op, (op, left, NONE))


def folded(expr: Expr, settings: Mapping[str, object]) -> Expr:
    """The expression, with its outermost operation folded if constants or settings decide it."""
    match expr:
        case ("and", _, _):
            return _joined(expr, YES, NO)
        case ("or", _, _):
            return _joined(expr, NO, YES)
        case ("without", left, right) if left == right:
            return ("value", ())
        case ("not", ("value", bool() as truth)):
            return ("value", not truth)
        case ("if", _, _, _):
            return _chosen(expr)
        case (("=" | "!=" | "<" | "<=" | ">" | ">=") as op, left, right):
            return _compared(op, left, right, settings) or expr
        case (("+" | "-" | "*"), _, _):
            return _reckoned(expr, settings)
        case ("is_none", ("value", value)):
            return ("value", value is None)
        case ("setting", name) if isinstance(settings.get(name), bool):
            return ("value", settings[name])
        case ("each", ("highest" | "lowest") as kind, None, _, ("value" | "list", *_) as of, None):
            return _extreme(kind, of, settings) or expr
    return expr


def _chosen(expr: Expr) -> Expr:
    """A conditional expression, folded if its condition is decided or a branch is yes or no."""
    match expr:
        case ("if", ("value", bool() as truth), then, otherwise):
            return tuple(then if truth else otherwise)
        case ("if", test, then, ("value", False)):
            return ("and", test, then)  # `otherwise no`: both must hold
        case ("if", test, ("value", True), otherwise):
            return ("or", test, otherwise)
    return expr


def _value(expr: Expr, settings: Mapping[str, object]) -> object:
    if expr[0] == "setting":
        return settings.get(expr[1])
    return expr[1] if expr[0] == "value" else None


def _joined(expr: Expr, neutral: Expr, wins: Expr) -> Expr:
    if wins in expr[1:]:
        return wins
    return next((one for one, by in (expr[1:], expr[:0:-1]) if by == neutral), expr)


def _compared(op: str, left: Expr, right: Expr, settings: Mapping[str, object]) -> Expr | None:
    one, other = _value(left, settings), _value(right, settings)
    numbers = type(one) is int and type(other) is int
    switch = isinstance(one if left[0] == "setting" else other, str)
    forms = {left[0], right[0]}
    if forms == {"value"} or ((switch or numbers) and forms <= {"value", "setting"}):
        return YES if compare_values(op, one, other) else NO
    return None


def _reckoned(expr: Expr, settings: Mapping[str, object]) -> Expr:
    """An arithmetic expression, folded if both numbers are known or one is neutral."""
    op, left, right = expr
    one, other = _value(left, settings), _value(right, settings)
    nothing = {"*": 1}.get(op, 0)
    if other == nothing and type(other) is int:
        return tuple(left)
    if one == nothing and type(one) is int and op != "-":
        return tuple(right)
    if type(one) is int and type(other) is int:
        return ("value", arithmetic(op, Interval(one, one), Interval(other, other)).exact)
    return expr


def _extreme(kind: str, of: Expr, settings: Mapping[str, object]) -> Expr | None:
    """The highest or lowest of numbers that are all known, or the only one; else None."""
    values = of[1] if of[0] == "value" else tuple(_value(one, settings) for one in of[1:])
    if not isinstance(values, tuple) or not values:
        return None
    if len(values) == 1:
        return ("value", values[0]) if values[0] is not None else None
    chosen = max if kind == "highest" else min
    return ("value", chosen(values)) if all(type(one) is int for one in values) else None
