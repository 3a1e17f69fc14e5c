"""Noun phrases: every expression that denotes a thing, a number or a list, in words.

The author's words for a list, "the pieces on {at}", begin with `the` and a plural noun; from that
come the singular ("a piece on 0/1") and the rest. Other lists are spoken of as `one of ...`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from ruleloom.compiler.english import word
from ruleloom.compiler.english.speaker import (
    POSSESSIVE,
    Group,
    Speaker,
    Unsaid,
    attached,
    enumerated,
    group_worded,
    in_other_words,
    is_me,
    joined,
    opening,
    places_of,
    plural_tail,
    relative_forms,
    without_opening,
)
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.resolve.templates import HOLE, decided_later, with_dice
from ruleloom.runtime.program.expr import slots_read
from ruleloom.runtime.program.optional_parts import OptionalPart, optional_parts
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import BOOL, INT

# The name of a field that says what somebody does: `dwells at`.
_DONE_AT = re.compile(r"[a-z]+[^s]s (?:at|by|in|on|to|with)")


def group_of(
    sp: Speaker, domain: Expr, slot: int = -1, where: Expr | None = None, out: str = "in"
) -> Group:
    """A list in words, of those that meet a condition; `out` is `from` where some are taken out."""
    base = _base(sp, domain, out)
    if where is None:
        return base
    forms = relative_forms(sp.binding(slot), where, slot)
    tail, behind = attached(forms), attached([plural_tail(form) for form in forms])
    if any(isinstance(part, str) and ", " in part for part in base.plural):
        tail, behind = joined(",", tail), joined(",", behind)
    return Group(joined(base.plural, behind), base.singular, joined(base.tail, tail))


def _base(sp: Speaker, domain: Expr, out: str) -> Group:
    type_ = sp.type_of(domain)
    one, several = sp.glossary.noun(type_), sp.glossary.noun(type_, True)
    match domain:
        case ("zone", _, _):
            where = sp.noun(domain)
            if not opening(where).startswith(f"the {several}"):
                return Group(joined(f"{several} {out} ", where), joined(f"{one} {out} ", where))
        case (("field" | "static"), name, of) if _goes_by_its_name(sp, domain):
            words, owner = word.spaced(name.partition(".")[2]), joined(" of ", sp.noun(of))
            return Group(joined(words, owner), joined(one, owner) if words == several else ())
        case ("value", tuple() as values) if values == sp.glossary.symbols.enums.get(type_.name):
            return Group((several,), (one,))
        case ("slot", slot):
            return Group((word.called(sp.variable(slot).name, several),), ())
        case ("..", low, high):
            span = joined(" from ", sp.noun(low), " to ", sp.noun(high))
            return Group(joined("numbers", span), joined("number", span))
        case _:
            pass
    derived = _derived(sp, domain, out, one, several)
    return derived or group_worded(joined(sp.noun(domain)), one, several)


def _goes_by_its_name(sp: Speaker, field: Expr) -> bool:
    """Is a list called after the field of somebody else that holds it?"""
    return not (is_me(field[2]) and sp.you) and not sp.glossary.said_of_field(field)[0]


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
            all_of = _base(sp, of, out)
            if number == ("value", 1) and all_of.singular:
                first = joined("first ", all_of.singular, all_of.tail)
                return Group(first, first)
            if number == ("value", 1):
                return Group(joined("first of ", all_of.whole), (), only=True)
            return Group(joined("first ", sp.noun(number), " ", all_of.plural), ())
        case ("each", "those", None, slot, of, condition):
            return group_of(sp, of, slot, condition, out)
        case ("lookup", (("static" | "field"), *_) as table, key):
            return Group(joined(_base(sp, table, out).plural, " for ", sp.noun(key)), ())
    return None


# Names of parameters that cannot stand behind `that`.
_QUESTIONS = ("which", "what", "who", "whom", "of", "for", "with", "by", "at", "to", "against")
_OPERATORS = {"+": "plus", "-": "minus", "*": "times"}


def noun(sp: Speaker, expr: Expr) -> Template:
    """An expression as a noun phrase."""
    match expr:
        case ("value", str(value)) if value in sp.glossary.symbols.values:
            return (sp.glossary.value(value),)
        case ("value", value):
            return (constant(value),)
        case ("slot", slot):
            return ((expr, str(sp.variable(slot).type)),)
        case ("scope", name) if sp.you or name != "me":
            return (sp.glossary.scope(name),)
        case ("setting", name) if name in sp.settings and not sp.values:
            return (constant(sp.settings[name]),)
        case (("scope" | "setting"), _):
            return ((expr, str(sp.type_of(expr))),)
        case ("bearer", _):
            return ("you",)
        case _:
            return _access(sp, expr)


def _access(sp: Speaker, expr: Expr) -> Template:
    told = said_of_field(sp, expr)
    return told if told is not None else _read(sp, expr)


def _read(sp: Speaker, expr: Expr) -> Template:
    match expr:
        case ("players",) | ("records", _):
            return (f"the {sp.glossary.noun(sp.type_of(expr), True)}",)
        case ("record", name, (_, number)):
            return (sp.glossary.symbols.made[name].titles[number],)
        case (("field" | "static"), name, of):
            return owned(sp, sp.glossary.field(name.partition(".")[2]), of)
        case ("zone", name, owner):
            return _zone(sp, name, owner)
        case ("at", name, where):
            return joined(f"the {sp.glossary.noun(sp.type_of(expr))} at ", fill(sp, where))
        case (("query" | "function" | "allowed"), name, *args):
            return _call(sp, sp.glossary.callee(name), name, tuple(args))
        case ("lookup", (("static" | "field"), *_) as table, key):
            return joined(noun(sp, table), " for ", noun(sp, key))
        case ("lookup", table, key):
            name = word.spaced(sp.variable(table[1]).name) if table[0] == "slot" else "answer"
            return owned(sp, name, key)
        case _:
            return _collection(sp, expr)


# Forms whose words are a pattern, filled with those of their parts.
_PATTERNS = {
    "..": "the numbers from {} to {}",
    "join": "{} and {}",
    "with_dice": "{} and {}",
    "without_dice": "{} without {}",
    "div": "{} divided by {}, rounded down",
    "mod": "what is left of {} divided by {}",
    "negative": "minus {}",
}


def _patterned(sp: Speaker, expr: Expr) -> Template:
    first, *others = _PATTERNS[expr[0]].split("{}")
    phrase: Template = (first,)
    for part, words in zip(expr[1:], others, strict=True):
        phrase = joined(phrase, noun(sp, part), words)
    return phrase


def _collection(sp: Speaker, expr: Expr) -> Template:
    match expr:
        case ("list", *items):
            return enumerated([noun(sp, item) for item in items], "and")
        case ("each", kind, value, slot, domain, where):
            return _aggregate(sp, kind, value, slot, domain, where)
        case ("first", _, _):
            return group_of(sp, expr).plural
        case ("count", of):
            return joined("the number of ", group_of(sp, of).plural)
        case ("without", _, _):
            return group_of(sp, expr).whole
        case (("+" | "-" | "*") as op, left, right):
            head = _bracketed(sp, left, sums=op == "*")
            return joined(head, f" {_OPERATORS[op]} ", _bracketed(sp, right, sums=True))
        case (form, *_) if form in _PATTERNS:
            return _patterned(sp, expr)
        case ("if", test, then, otherwise):
            head = joined(noun(sp, then), " if ", sp.clause(test))
            return joined(head, ", otherwise ", noun(sp, otherwise))
    return joined("whether ", sp.clause(expr))


def _bracketed(sp: Speaker, expr: Expr, sums: bool) -> Template:
    """A part of a sum or product, in brackets where nobody could hear how far it reaches."""
    if expr[0] in ("if", "div", "mod") or (sums and expr[0] in ("+", "-")):
        return joined("(", noun(sp, expr), ")")
    return noun(sp, expr)


def constant(value: object) -> str:
    """A value that is written in the text itself."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return word.listed([constant(one).replace("_", " ") for one in value], "or") or "nothing"
    return str(value)


def said_of_field(sp: Speaker, expr: Expr) -> Template | None:
    """A field in the words that the vocabulary has for it."""
    english, values = sp.glossary.said_of_field(expr)
    return filled(sp, english, values) if english else None


def _zone(sp: Speaker, name: str, owner: Expr | None) -> Template:
    words = sp.glossary.zone(name)
    return (words,) if owner is None else owned(sp, words.removeprefix("the "), owner)


def owned(sp: Speaker, what: str, owner: Expr) -> Template:
    """Something of somebody or something: `your hand`, `the basket's owner`."""
    if found := _DONE_AT.fullmatch(what):
        return joined("what ", noun(sp, owner), f" {found[0]}")
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
    phrase = filled(sp, callee.english, values)
    head = opening(phrase)
    found = _OF_YOU.match(head)
    return joined(f"your {found[1].rstrip()}{head[found.end() :]}", phrase[1:]) if found else phrase


# What belongs to `you` alone, with no article and nothing else between: `reach of you`.
_OF_YOU = re.compile(
    r"(?!(?:the|a|an|no|every|each|any|some|one) )"
    r"((?:(?!(?:of|that|who|whose|which|to|from|and|or|in) )[\w'-]+ )+?)"
    r"of you\b(?! and )"
)


def filled(
    sp: Speaker, text: str, args: Mapping[str, Expr], unsaid: Collection[str] = ()
) -> Template:
    """A template of the vocabulary with its holes filled; `unsaid` are left to their defaults."""
    phrase: Template = ()
    end = 0
    text = _of_you(sp, text, args)
    for part in optional_parts(text):
        before, end = text[end : part.start], part.end
        value = args.get(part.name, ("value", None))
        given = _is_given(sp, value, part.name in unsaid)
        if given is None and sp.values:
            later = decided_later(part, value, str(sp.type_of(value)), gap=before.endswith(" "))
            said = joined(_with_holes(sp, before.removesuffix(" "), args), (later,))
        elif given is None:
            said = joined(_with_holes(sp, before, args), _either(sp, part, value, args))
        else:
            said = _with_holes(sp, before + (part.given if given else part.otherwise), args)
        phrase = joined(phrase, said)
    if phrase and end and not text[end:].strip() and isinstance(phrase[-1], str):
        phrase = joined(phrase[:-1], phrase[-1].rstrip())  # a part that is left out leaves no gap
    return joined(phrase, _with_holes(sp, text[end:].rstrip(), args))


_THEIRS = re.compile(r"(\{(\w+)\} [^{},;.]*\b)their\b")


def _of_you(sp: Speaker, text: str, args: Mapping[str, Expr]) -> str:
    """A template in which `their` is `your` where it is you who act: `you push your luck`."""
    owner = _THEIRS.match(text)
    if owner is not None and sp.you and is_me(args.get(owner[2], ("value", None))):
        return f"{owner[1]}your{text[owner.end() :]}"
    return text


def _is_given(sp: Speaker, value: Expr, unsaid: bool) -> bool | None:
    """Is a part read that depends on this value? None where that is open."""
    if value[0] == "value":
        known = value[1]
        if known is Unsaid.EITHER:
            return None
        return known if isinstance(known, bool) else known not in (None, 0, ()) and not unsaid
    type_ = sp.type_of(value)
    if type_ == BOOL:
        return None
    return None if sp.values and type_.optional else not unsaid


def _either(sp: Speaker, part: OptionalPart, value: Expr, args: Mapping[str, Expr]) -> Template:
    """A part on which an answer decides that nobody knows yet."""
    given, otherwise = (_with_holes(sp, one, args) for one in (part.given, part.otherwise))
    if value[-1] is Unsaid.EITHER:
        return joined(given, " or ", otherwise) if given and otherwise else ()
    inside = given and isinstance(given[-1], str) and given[-1].endswith(")")
    head = joined(given[:-1], given[-1][:-1]) if inside else given
    said = joined(head, " if ", sp.clause(value), ")" if inside else "")
    return joined(said, ", otherwise ", otherwise) if otherwise else said


def _with_holes(sp: Speaker, text: str, args: Mapping[str, Expr]) -> Template:
    pieces: list[str | Template] = []
    rest = with_dice(text, args)
    while (hole := HOLE.search(rest)) is not None:
        head, tail = rest[: hole.start()], rest[hole.end() :]
        words, rest = _counting(sp, hole[1], head, tail, args)
        pieces += [head, words]
    return joined(*pieces, rest)


def _counting(
    sp: Speaker, name: str, head: str, tail: str, args: Mapping[str, Expr]
) -> tuple[Template, str]:
    """The words of a hole, and the text behind it: `{n} cards` counts, `{n}-pip piece` measures."""
    words, amount = _hole(sp, name, args), args.get(name, ("value", ""))
    measured = re.match(r"-(\w+) (\w+)", tail)
    if measured and not _hyphenates(sp, words):
        size = sized(sp, name, measured[1], amount)
        return joined(f"{measured[2]} ", size), tail[measured.end() :]
    new = _not_yet_known(sp, amount, tail)
    if new is not None:
        return (new,), tail
    if (optional := _of_option(words, head, tail)) is not None:
        return optional
    things = re.match(r" (?!(?:is|has|does|was|comes|goes|counts)\b)([a-z]*[^s\W]s)\b", tail)
    if things is None:
        return _so_much(sp, words, amount, tail, args)
    return _several(sp, (words, amount), head, things, tail)


def _several(
    sp: Speaker, number: tuple[Template, Expr], head: str, things: re.Match[str], tail: str
) -> tuple[Template, str]:
    """The words of a number of things, and the text behind it."""
    words, amount = number
    rest = tail[things.end() :]
    if words == ("1",) and not head.endswith("than "):
        return words, _of_one(head, things[1], rest)
    so_many = () if sp.values else _so_many(sp, amount, things[1])
    if not so_many and not sp.values and _ends_here(sp, head, things[1], rest):
        so_many = _as_many(sp, amount, things[1])
    return (so_many, rest) if so_many else (words, tail)


def _of_option(words: Template, head: str, tail: str) -> tuple[Template, str] | None:
    """`damage of that sort` for what would be `that sort damage`; None if there is no such noun."""
    option, what = (
        "".join(one for one in words[-1:] if isinstance(one, str)),
        _BEFORE_NOUN.match(tail),
    )
    if what is None or not option.startswith("that "):
        return None
    if option in ("that sort", "that kind"):
        return joined(words, " of"), tail
    if not head.endswith((" a ", " an ")):
        return None
    return joined(f"{what[0].strip()} of ", words), tail[what.end() :]


def _of_one(head: str, things: str, rest: str) -> str:
    """What stands behind 1: ` coin goes into the bowl`."""
    if not head.strip():
        rest = _DOES.sub(lambda verb: f" {word.third_person(verb[1])}", rest, count=1)
    return f" {word.singular(things)}{rest}"


def _ends_here(sp: Speaker, head: str, things: str, rest: str) -> bool:
    """Can it be heard where `as many rounds as ...` ends?"""
    nouns = (many for _, many in sp.glossary.symbols.nouns.values())
    known = things in _UNITS or things in nouns
    return known and not re.match(r" \w", rest) and not _BEFORE_NUMBER.search(head)


def _as_many(sp: Speaker, amount: Expr, things: str) -> Template:
    return joined(f"as many {things} as ", noun(sp, amount)) if _is_reckoned(sp, amount) else ()


# `that sort damage` is damage of that sort.
_BEFORE_NOUN = re.compile(
    r" (?!(?:and|are|as|at|by|comes|for|from|has|in|is|of|on|or|to|with)\b)[a-z]+"
)


def _so_long(sp: Speaker, amount: Expr, things: str) -> Template:
    """`an hour` for 600 rounds where a setting is called `rounds in a minute`; else nothing."""
    for name, value in sp.settings.items():
        unit = re.fullmatch(rf"{things} in an? (\w+)", sp.glossary.setting(name))
        if unit is not None and amount[0] == "value" and type(value) is type(amount[1]) is int:
            number, rest = divmod(amount[1], max(1, value))
            return (word.lasting(number, unit[1]),) if number > 1 and not rest else ()
    return ()


def _so_many(sp: Speaker, amount: Expr, things: str) -> Template:
    """`that many pips` for a number that has a name, or how far one is below 0; else nothing."""
    if long := _so_long(sp, amount, things):
        return long
    if amount[0] == "negative" and amount[1][0] != "value":
        return joined(f"as many {things} as ", noun(sp, amount[1]), " is below 0")
    if amount[0] == "slot" and sp.type_of(amount).present == INT:
        return (f"that many {things}",)
    said = noun(sp, amount) if amount[0] not in ("+", "-", "*") else ()
    if re.match(rf"(?:the |your )?(?:number of )?{things}\b", opening(said)):
        return said  # `the rounds of a day` need not be told to be rounds
    return ()


def _not_yet_known(sp: Speaker, amount: Expr, tail: str) -> str | None:
    """`some` for a number that an event brings, `any colour` for an option; None for the rest."""
    if amount[0] != "slot" or amount[1] not in sp.fresh:
        return None
    type_ = sp.type_of(amount)
    if type_ == INT and re.match(r" (?!is |are |was |has |comes )[\w{]", tail):
        return "some"
    if type_.name in sp.glossary.symbols.enums:
        return "" if re.match(r" \w", tail) else f"any {sp.glossary.noun(type_)}"
    return None


def _is_reckoned(sp: Speaker, amount: Expr) -> bool:
    """Is an amount worked out, so that it takes more than a word?"""
    plain = amount[0] in ("value", "slot", "setting", "scope")
    return not plain and sp.type_of(amount).name in ("Int", "Fraction")


# What several do, which one does, too: ` go into`.
_DOES = re.compile(r"\A (come|fall|go|leave|lie|pass|stay)\b")
# What is counted besides the things of a game.
_UNITS = ("days", "dice", "hits", "hours", "minutes", "points", "rounds", "steps", "times")
# Behind these stands a number, and not `as many`.
_BEFORE_NUMBER = re.compile(r"\b(?:about|first|last|least|most|next|only|than|the|those|to) $")
# What there is much of: `EI`, `{sort} damage`.
_MUCH = re.compile(r" (?:\{\w+\} )?([A-Z]{2}|stress|damage|harm)\b(?: back\b)?")


def _so_much(
    sp: Speaker, words: Template, amount: Expr, tail: str, args: Mapping[str, Expr]
) -> tuple[Template, str]:
    """`that much EI` for a number that has a name, before what is no plural."""
    what = _MUCH.match(tail)
    if what is None or sp.values:
        return words, tail
    if amount[0] == "slot" and sp.type_of(amount).present == INT:
        return ("that much",), tail
    if not _is_reckoned(sp, amount):
        return words, tail
    rest, said = tail[what.end() :], noun(sp, amount)
    if re.match(r" \w", rest):
        return words, tail  # nobody could hear where the amount ends
    if opening(said).startswith(f"the {what[1]} "):
        return said, rest
    return joined("as much", _with_holes(sp, what[0], args), " as ", said), rest


def _hole(sp: Speaker, name: str, args: Mapping[str, Expr]) -> Template:
    if name in args:
        return fill(sp, args[name], name)
    if name in sp.glossary.symbols.settings:
        return noun(sp, ("setting", name))
    if name in sp.glossary.symbols.scope:
        return noun(sp, ("scope", name))
    return (f"the {word.spaced(name)}",)


def _hyphenates(sp: Speaker, words: Template) -> bool:
    """Can `-pip` follow? A number can, and so can a hole that will be a number."""
    if len(words) != 1:
        return False
    return words[0].isdigit() if isinstance(words[0], str) else sp.values


def sized(sp: Speaker, name: str, unit: str, amount: Expr) -> Template:
    """`a {size}-pip piece` behind its noun, where the size is no number: `with 1 more pip`."""
    match amount:
        case ("value", str()):
            return (f"of a given {word.spaced(name)}",)
        case ("slot", slot) if slot in sp.fresh:
            return (f"of some {word.spaced(name)}",)
        case ("slot", slot) if word.spaced(sp.variable(slot).name) == word.spaced(name):
            return (f"of that {word.spaced(name)}",)
        case (("+" | "-") as op, (("field" | "static"), field, _), by) if field.endswith(
            f".{word.plural(unit)}"
        ):
            more = "more" if op == "+" else "fewer"
            units = unit if by == ("value", 1) else word.plural(unit)
            return joined("with ", noun(sp, by), f" {more} {units}")
        case (("field" | "static"), field, _) if field.endswith(f".{word.plural(unit)}"):
            return (f"with as many {word.plural(unit)}",)
    return joined(f"with as many {word.plural(unit)} as ", noun(sp, amount))


def fill(sp: Speaker, expr: Expr, label: str = "") -> Template:
    """An argument: its value, where that will be known; else its words."""
    if sp.values and _is_worked_out(sp, expr):
        return ((expr, str(sp.type_of(expr))),)
    stand_in = "" if sp.values else _stand_in(sp, expr, label)
    if stand_in:
        return (stand_in,)
    words = noun(sp, expr)
    long = expr[0] in ("+", "-", "*", "if", "div", "mod")
    return joined("(", words, ")") if long and label else words


def _is_worked_out(sp: Speaker, expr: Expr) -> bool:
    """Is the value of an argument known only when the game is played, and then to everybody?"""
    if expr[0] in ("value", "zone") or (is_me(expr) and sp.you):
        return False
    return sp.type_of(expr).name != "?" and sp.bound.isdisjoint(slots_read(expr))


def _stand_in(sp: Speaker, expr: Expr, label: str) -> str:
    """Words for an argument that no phrase says as well: `a way of your choice`, or none."""
    if expr[-1] is Unsaid.CHOICE:
        return f"{word.with_article(word.spaced(label))} of your choice"
    if expr[-1] is Unsaid.GIVEN:
        return f"a given {word.spaced(label)}"
    if expr[0] != "slot" or not label or expr[1] in sp.named or label in _QUESTIONS:
        return ""
    # Nobody calls a direction by the name of a variable.
    type_ = sp.type_of(expr)
    words = word.called(word.spaced(label), sp.glossary.noun(type_))
    return f"that {words}" if type_.name in sp.glossary.symbols.enums else ""


def _aggregate(
    sp: Speaker, kind: str, value: Expr | None, slot: int, domain: Expr, where: Expr | None
) -> Template:
    group = group_of(sp, domain, slot, where)
    if kind == "count":
        return joined("the number of ", group.plural)
    if kind not in ("those", "sum", "highest", "lowest"):
        return joined("whether ", sp.clause(("each", kind, value, slot, domain, where)))
    if value is None:
        if kind == "those":
            return group.whole
        if kind == "sum":
            return joined("the sum of ", noun(sp, domain))
        return _extreme(sp, kind, domain)
    each = _of_each(sp.binding(slot), value, slot, group.every)
    if kind == "those":
        return each
    if kind == "sum":
        return joined("the sum of ", each)
    bare = without_opening(each, "the ") if opening(each).startswith("the ") else each
    return joined(f"the {kind} ", bare)


def _of_each(sp: Speaker, value: Expr, slot: int, every: Template) -> Template:
    """`the value of every space`: one mention of the bound variable stands for all its values."""
    phrase = noun(replace(sp, named=sp.named | {slot}), value)
    if len(places_of(phrase, slot)) == 1:
        return in_other_words(phrase, slot, every)
    return joined(in_other_words(phrase, slot, "it"), " for ", every)


def _extreme(sp: Speaker, kind: str, domain: Expr) -> Template:
    """The short form: `highest([a, b])`, `lowest(numbers)`."""
    if domain[0] != "list":
        return joined(f"the {kind} of ", noun(sp, domain))
    items = [noun(sp, item) for item in domain[1:]]
    two, more = ("larger", "largest") if kind == "highest" else ("smaller", "smallest")
    return joined(f"the {two if len(items) == 2 else more} of ", enumerated(items, "and"))
