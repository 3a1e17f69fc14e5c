"""Renders expressions for things, numbers and lists as noun phrases.

The author's English for a list, "the pieces on {at}", begins with `the` and a plural noun, from which
the singular ("a piece on 0/1") and the rest are derived. Elements of other lists are `one of ...`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ruleloom.compiler.english import word
from ruleloom.compiler.english.filling import fill, filled, is_kept_to
from ruleloom.compiler.english.glossary import Glossary
from ruleloom.compiler.english.template import (
    IT,
    POSSESSIVE,
    Group,
    Speaker,
    attached,
    behind,
    enumerated,
    group_worded,
    in_other_words,
    is_me,
    joined,
    leading_words,
    linked,
    opening,
    places_of,
    plural_tail,
    says,
    stands_before_noun,
    without_opening,
)
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.runtime.program.expr import (
    conjunction,
    conjuncts,
    form_of,
    operands,
    rounding,
    slots_read,
)
from ruleloom.runtime.program.program import Expr, Template


def group_of(
    sp: Speaker, domain: Expr, slot: int = -1, where: Expr | None = None, out: str = "in"
) -> Group:
    """A list in words, limited to a condition; `out` is `from` if things are taken out of it."""
    base = _base(sp, domain, out)
    if where is None:
        return base
    base, where = _described(sp, base, where, slot)
    if where is None:
        return base
    # Of two bound things of one type, only one can be `it`.
    type_, others = sp.variable(slot).type, sp.bound & {*slots_read(where)} - {slot}
    beside = any(sp.variable(one).type == type_ for one in others)
    if beside and base.singular:
        base = base.described("other")
    forms = _forms(sp.binding(slot), where, slot, ("the other one",) if beside else (IT,))
    tail, tails = behind(forms), behind([plural_tail(form) for form in forms])
    if says(base.plural, ", "):
        tail, tails = joined(",", tail), joined(",", tails)
    return Group(joined(base.plural, tails), base.singular, joined(base.tail, tail))


def _described(sp: Speaker, base: Group, where: Expr, slot: int) -> tuple[Group, Expr | None]:
    """A list with option tests moved before its noun, `red lamps`, and the remaining condition."""
    type_ = sp.variable(slot).type
    one, several = sp.glossary.noun(type_), sp.glossary.noun(type_, True)
    begins = f"{opening(base.singular)} ".startswith(f"{one} ")
    if sp.values or not (begins and f"{opening(base.plural)} ".startswith(f"{several} ")):
        return base, where
    rest = conjuncts(where)
    for test in list(rest):
        match test:
            case (
                "=",
                ("field" | "static", str(field), ("slot", thing)) as own,
                ("value", str(how)),
            ):
                kind = sp.glossary.noun(sp.type_of(own))
                if thing == slot and field.partition(".")[2] == kind and how.isalpha():
                    base = base.described(how)
                    rest.remove(test)
    return base, conjunction(rest)


def _base(sp: Speaker, domain: Expr, out: str) -> Group:
    type_ = sp.type_of(domain)
    one, several = sp.glossary.noun(type_), sp.glossary.noun(type_, True)
    match domain:
        case ("zone", _, _):
            where = sp.noun(domain)
            if not opening(where).startswith(f"the {several}"):
                return Group(joined(f"{several} {out} ", where), joined(f"{one} {out} ", where))
        case (("field" | "static"), name, of) if not (
            (is_me(of) and sp.you) or sp.glossary.said_of_field(domain)[0]
        ):
            # A list in a field is called by the field's name.
            words, owner = word.spaced(name.partition(".")[2]), joined(" of ", sp.noun(of))
            return Group(joined(words, owner), joined(one, owner) if words == several else ())
        case ("value", tuple() as values) if values == sp.glossary.symbols.enums.get(type_.name):
            return Group((several,), (one,))
        case ("slot", slot):
            own = sp.variable(slot).said.removeprefix("the ")
            words = own or word.called(sp.variable(slot).name, several)
            adjective = words.removesuffix(several)
            one_of_them = (adjective + one,) if words.endswith(f" {several}") and adjective else ()
            return Group((words,), one_of_them)
        case ("..", low, high):
            span = joined(" ", spanned(sp, low, high))
            return Group(joined("numbers", span), joined("number", span))
        case _:
            pass
    derived = _derived(sp, domain, out, one, several)
    if derived is not None:
        return derived
    said = joined(sp.noun(domain))
    if _is_of_one(said, one):
        return Group(without_opening(said, "the "), (), only=True)
    return group_worded(said, one, several)


def _is_of_one(said: Template, one: str) -> bool:
    """Whether the words for a list are a single thing, further described: `the place of the piece`."""
    head = " ".join(leading_words(said))
    return f" {head}".endswith(f" {one}") and opening(said).startswith(f"the {head} ")


def _derived(sp: Speaker, domain: Expr, out: str, one: str, several: str) -> Group | None:
    match domain:
        case ("join", left, right) if left[0] == right[0] == "zone":
            both, last = joined(f" {out} ", sp.noun(left)), sp.noun(right)
            return Group(joined(several, both, " and ", last), joined(one, both, " or ", last))
        case ("without", left, right):
            base, rest = _base(sp, left, out), joined(" other than ", sp.noun(right))
            single = joined(base.singular, rest) if base.singular else ()
            return Group(joined(base.plural, rest), single)
        case ("first", number, of):
            return _first_of(sp, number, _base(sp, of, out))
        case ("each", "those", None, slot, of, condition):
            return group_of(sp, of, slot, condition, out)
        case ("lookup", (("static" | "field"), *_) as table, key):
            return Group(joined(_base(sp, table, out).plural, " for ", sp.noun(key)), ())
    return None


def _first_of(sp: Speaker, number: Expr, of: Group) -> Group:
    if number == ("value", 1):
        whole = joined("first ", of.singular, of.tail) if of.singular else ()
        return Group(whole or joined("first of ", of.whole), (), only=True)
    if sp.brief and number[0] == "setting":
        return of  # a technical bound that no table reaches
    if number[0] in ("value", "setting"):
        return Group(joined("first ", sp.noun(number), " ", of.plural), ())
    most = _bracketed(sp, number, sums=False, counted=True)
    return Group(joined(of.plural, " (at most as many as ", most, ")"), ())


def relative(sp: Speaker, where: Expr, slot: int) -> Template:
    """A condition as a clause after a noun: ` whose value is 2`."""
    return behind(_forms(sp, where, slot))


def _forms(sp: Speaker, where: Expr, slot: int, itself: Template = (IT,)) -> list[Template]:
    """The conjuncts of a condition, each as a clause after a noun; `itself` refers to the noun."""
    parts: list[Template] = []
    plain: list[Template] = []
    sp = replace(sp, attaching=True)
    for one in conjuncts(where):
        clause = sp.clause(one)
        # An `or` that mentions the thing in only one branch does not describe it.
        either = one[0] == "or" and not all(slot in slots_read(way) for way in operands("or", one))
        form = _like(sp, one, slot) or (None if either else attached(sp, clause, slot))
        if form is None:
            plain.append(in_other_words(clause, slot, itself))
        else:
            parts.append(form)
    if plain:
        parts.append(joined(" such that ", linked(plain, " and ", " and ")))
    return parts


def _like(sp: Speaker, test: Expr, slot: int) -> Template:
    """A test of an option, after a noun: ` of the same colour as the die`, ` of that colour`."""
    match test:
        case ("=", ("field" | "static", str(field), ("slot", thing)) as own, other) if (
            thing == slot and not sp.values and sp.type_of(own).name in sp.glossary.symbols.enums
        ):
            name, kind = field.partition(".")[2], sp.glossary.noun(sp.type_of(own))
        case _:
            return ()
    if other[0] in ("field", "static") and other[1].partition(".")[2] == name:
        called = sp.glossary.field(name).removesuffix(" of")
        return joined(f" of the same {called} as ", noun(sp, other[2]))
    if name != kind:
        return ()
    words = (f"that {kind}",) if other[0] == "slot" else noun(sp, other)
    fits = f"{opening(words)} ".startswith((f"that {kind} ", f"the {kind} "))
    return joined(" of ", words) if fits else ()


_OPERATORS = {"+": "plus", "-": "minus", "*": "times"}


def noun(sp: Speaker, expr: Expr) -> Template:
    """An expression as a noun phrase."""
    match expr:
        case ("value", value):
            return (constant(sp.glossary, value),)
        case ("slot", slot):
            return ((expr, str(sp.variable(slot).type)),)
        case ("scope", name) if sp.you or name != "me":
            return (sp.glossary.named("scope", name),)
        case ("setting", name) if name in sp.settings and not sp.values:
            return (word.constant(sp.settings[name]),)
        case (("scope" | "setting"), _):
            return ((expr, str(sp.type_of(expr))),)
        case ("bearer", _):
            return ("you",)
    told = said_of_field(sp, expr)
    return told if told is not None else _read(sp, expr)


class Letter(str):
    """A letter in place of a number, which is no value of the game."""

    __slots__ = ()


def constant(glossary: Glossary, value: object) -> str:
    """A constant in words, those of the game for its own values."""
    if isinstance(value, Letter):
        return value
    if isinstance(value, str) and value in glossary.symbols.values:
        return glossary.value(value)
    tag = glossary.tag(("value", value)) if isinstance(value, str) else ""
    return tag or word.constant(value)


def _read(sp: Speaker, expr: Expr) -> Template:
    match expr:
        case ("players",) | ("records", _):
            return (f"the {sp.glossary.noun(sp.type_of(expr), True)}",)
        case ("record", name, (_, number)):
            return (sp.glossary.symbols.made[name].titles[number],)
        case (("field" | "static"), name, of):
            return owned(sp, sp.glossary.field(name.partition(".")[2]), of)
        case ("zone", name, owner):
            words = sp.glossary.named("zones", name)
            return (words,) if owner is None else owned(sp, words.removeprefix("the "), owner)
        case ("at", name, where):
            return joined(f"the {sp.glossary.noun(sp.type_of(expr))} at ", fill(sp, where))
        case (("query" | "function" | "allowed"), name, *args):
            return _call(sp, sp.glossary.callee(name), name, tuple(args))
        case ("lookup", table, key):
            return _looked_up(sp, table, key)
        case _:
            return _collection(sp, expr)


def _looked_up(sp: Speaker, table: Expr, key: Expr) -> Template:
    if table[0] in ("static", "field"):
        return joined(noun(sp, table), " for ", noun(sp, key))
    name = word.spaced(sp.variable(table[1]).name) if table[0] == "slot" else "answer"
    return owned(sp, name, key)


# Forms that are rendered by a pattern, filled with their operands.
_PATTERNS = {
    "..": "the numbers from {} to {}",
    "join": "{} and {}",
    "tags_in": "what {} names among {}",
    "with_dice": "{} and {}",
    "without_dice": "{} without {}",
    "mod": "what is left of {} divided by {}",
    "negative": "minus {}",
}


def _patterned(sp: Speaker, expr: Expr) -> Template:
    if found := rounding(expr):
        said = _bracketed(sp, found[0], sums=True, counted=False)
        by = joined(" divided by ", noun(sp, found[2])) if found[2] != ("value", 1) else ()
        return joined(said, by, word.ROUNDED[found[1]])
    first, *others = _PATTERNS[expr[0]].split("{}")
    phrase: Template = (first,)
    whole = expr[0] in ("mod", "negative")  # operands need brackets
    for part, words in zip(expr[1:], others, strict=True):
        said = _bracketed(sp, part, sums=True, counted=False) if whole else noun(sp, part)
        phrase = joined(phrase, said, words)
    return phrase


def _collection(sp: Speaker, expr: Expr) -> Template:
    match expr:
        case ("list", *items):
            return enumerated([noun(sp, item) for item in items], "and")
        case ("each", kind, value, slot, domain, where):
            return _aggregate(sp, kind, value, slot, domain, where)
        case (("first" | "without"), _, _):
            return group_of(sp, expr).whole
        case ("count", of):
            return joined("the number of ", group_of(sp, of).plural)
        case (("+" | "-" | "*"), _, _):
            return _reckoned(sp, expr)
        case (form, *_) if form in ("div", *_PATTERNS):
            return _patterned(sp, expr)
        case ("if", test, then, otherwise):
            return _or_else(sp, test, then, otherwise) or _either(sp, test, then, otherwise)
    return joined("whether ", sp.clause(expr))


def _either(sp: Speaker, test: Expr, then: Expr, otherwise: Expr) -> Template:
    """`the rank if it is seen, otherwise 0`."""
    first = noun(sp, then)
    first = joined("(", first, ")") if then[0] == "if" else first
    return joined(first, " if ", sp.clause(test), ", otherwise ", noun(sp, otherwise))


def _reckoned(sp: Speaker, expr: Expr) -> Template:
    """A sum or product: `the rank plus 2`, `twice the rank`."""
    op, left, right = expr
    head = _bracketed(sp, left, sums=op == "*", counted=op == "+" and right[0] != "value")
    tail = _bracketed(sp, right, sums=True, counted=op != "*")
    # No `twice` for a literal number, or for a bound thing, which may have to be `it`.
    looked_at = right[0] == "value" or (right[0] == "slot" and right[1] in sp.bound)
    twice = op == "*" and head == ("2",) and not looked_at
    return joined("twice ", tail) if twice else joined(head, f" {_OPERATORS[op]} ", tail)


def _or_else(sp: Speaker, test: Expr, then: Expr, otherwise: Expr) -> Template:
    """`the rank, or 0 if there is none`: a value and its replacement if none; else empty."""
    if test[0] == "not":
        test, then, otherwise = test[1], otherwise, then
    if test[0] != "is_none" or otherwise not in (test[1], ("list", test[1])):
        return ()
    if then in (("value", None), ("value", ())):
        return joined(noun(sp, test[1]), ", if there is one")
    instead = _bracketed(sp, then, sums=False, counted=False)
    return joined(noun(sp, test[1]), ", or ", instead, " if there is none")


def _bracketed(sp: Speaker, expr: Expr, sums: bool, counted: bool) -> Template:
    """An operand of a sum or product, in brackets if its extent would be unclear.

    A `counted` list next to another number needs no `the number of`.
    """
    if (
        form_of(expr) in ("if", "div", "mod")
        or is_kept_to(expr)
        or (sums and expr[0] in ("+", "-"))
    ):
        return joined("(", noun(sp, expr), ")")
    if expr[0] == "count" and counted and not sp.values:
        return group_of(sp, expr[1]).whole  # `6 minus the cards in your hand`
    return noun(sp, expr)


def said_of_field(sp: Speaker, expr: Expr) -> Template | None:
    """A field in the vocabulary's English; None without any."""
    english, values = sp.glossary.said_of_field(expr)
    return filled(sp, english, values) if english else None


def wording(sp: Speaker, expr: Expr) -> tuple[str, Mapping[str, Expr]]:
    """The English of a call or field, and the values of its holes; empty without any."""
    if expr[0] not in ("query", "function", "allowed"):
        return sp.glossary.said_of_field(expr)
    callee = sp.glossary.callee(expr[1])
    pairs = zip(callee.params, expr[2:], strict=False) if callee is not None else ()
    return callee.english if callee is not None else "", {one.name: arg for one, arg in pairs}


def owned(sp: Speaker, what: str, owner: Expr) -> Template:
    """A possession: `your hand`, `the basket's owner`."""
    if found := word.DONE_AT.fullmatch(what):
        return joined("what ", noun(sp, owner), f" {found[0]}")
    if found := word.DONE_BY.fullmatch(what):
        return joined(f"whoever {found[1]} ", noun(sp, owner))
    what = what.removesuffix(" of")
    if is_me(owner) and sp.you:
        return (f"your {what}",)
    if owner[0] == "slot" and not sp.values and owner[1] not in sp.bound:
        return joined(noun(sp, owner), (POSSESSIVE, f" {what}"))
    return joined(f"the {what} of ", noun(sp, owner))


def _call(sp: Speaker, callee: Signature | None, name: str, args: tuple[Expr, ...]) -> Template:
    if callee is None or not callee.english:
        words = f"the {word.spaced(name.rpartition('/')[2])}"
        of = [fill(sp, arg) for arg in args]
        return joined(f"{words} of ", enumerated(of, "and")) if of else (words,)
    values = {param.name: arg for param, arg in zip(callee.params, args, strict=False)}
    several = callee.result is not None and callee.result.many
    who = re.match("who ([a-z]+s) ", callee.english) if several else None
    if who is not None:
        those = f"those who {word.plain_verb(who[1])} {callee.english[who.end() :]}"
        return filled(sp, those, values)
    return filled(sp, _yours(sp, callee.english, values) or callee.english, values)


def _yours(sp: Speaker, english: str, values: Mapping[str, Expr]) -> str:
    """The template with `your reach` if the owner is `you`; empty for any other template."""
    owned = word.OWNED_BY.match(english)
    if owned is None or not sp.you or not is_me(values.get(owned[2], ("value", None))):
        return ""
    inside = [values[name] for name in HOLE.findall(owned[1])]
    looked_at = any(one[0] == "slot" and one[1] in sp.bound for one in inside)
    return "" if looked_at else f"your {owned[1]}{english[owned.end() :]}"


def _aggregate(
    sp: Speaker, kind: str, value: Expr | None, slot: int, domain: Expr, where: Expr | None
) -> Template:
    group = group_of(sp, domain, slot, where)
    if kind == "count":
        return joined("the number of ", group.plural)
    if kind not in ("those", "sum", "highest", "lowest"):
        return joined("whether ", sp.clause(("each", kind, value, slot, domain, where)))
    if kind in ("highest", "lowest"):
        if value is None:
            return _extreme(sp, kind, domain)
        each = _of_each(sp.binding(slot), value, slot, group.determined("any ", "any of "))
        each = joined("of " * (value[0] == "if"), each)
        # `the highest value of any space`; of one only, its value.
        return each if group.only else joined(f"the {kind} ", without_opening(each, "the "))
    if value is None:
        return group.whole if kind == "those" else joined("the sum of ", noun(sp, domain))
    each = _of_each(sp.binding(slot), value, slot, group.every)
    # The sum of one is that one.
    return each if kind == "those" or group.only else joined("the sum of ", each)


def _of_each(sp: Speaker, value: Expr, slot: int, every: Template) -> Template:
    """`the value of every space`: a single mention of the bound variable is replaced by `every`."""
    phrase = _bracketed(replace(sp, named=sp.named | {slot}), value, sums=False, counted=False)
    if len(places_of(phrase, slot)) == 1:
        return in_other_words(phrase, slot, every)
    words = ("given",) if stands_before_noun(sp, phrase, slot) else (IT,)
    return joined(in_other_words(phrase, slot, words), " for ", every)


def _extreme(sp: Speaker, kind: str, domain: Expr) -> Template:
    """The short form: `highest([a, b])`, `lowest(numbers)`."""
    if domain[0] != "list":
        return joined(f"the {kind} of ", noun(sp, domain))
    kept = _kept_to(sp, kind, domain[1:])
    if kept:
        return kept
    items = [_bracketed(sp, item, sums=False, counted=False) for item in domain[1:]]
    two, more = ("larger", "largest") if kind == "highest" else ("smaller", "smallest")
    return joined(f"the {two if len(items) == 2 else more} of ", enumerated(items, "and"))


def _kept_to(sp: Speaker, kind: str, items: tuple[Expr, ...]) -> Template:
    """A sum with a bound, `the pips minus 2, but at least 0`; else empty."""
    if len(items) != 2 or sp.values:
        return ()
    known = [one for one in items if one[0] in ("value", "setting")]
    sums = [one for one in items if one[0] in ("+", "-", "*", "div")]
    if not known or not sums:
        return ()
    bound = "but at least" if kind == "highest" else "but at most"
    return joined(noun(sp, sums[0]), f", {bound} ", noun(sp, known[0]))


def spanned(sp: Speaker, low: Expr, high: Expr) -> Template:
    """`from 1 to 6`."""
    ends = [_bracketed(sp, one, sums=False, counted=False) for one in (low, high)]
    return joined("from ", ends[0], " to ", ends[1])
