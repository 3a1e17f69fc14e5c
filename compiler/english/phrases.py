"""Noun phrases: every expression that stands for a thing, a number or a list, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from compiler.english.groups import group_of
from compiler.english.speaker import (
    CHOICE,
    GIVEN,
    Speaker,
    enumerated,
    is_me,
    joined,
    mentions_slot,
    opening,
    without_opening,
)
from compiler.english.words import POSSESSIVE, plural, singular, spaced, with_article
from compiler.symbols import Signature
from compiler.wording import HOLE
from runtime.program import Expr, Template
from runtime.values import INT

# Names of parameters that cannot stand behind `that`.
_QUESTIONS = ("which", "what", "who", "whom", "of", "for", "with", "by", "at", "to")
_OPERATORS = {"+": "plus", "-": "minus", "*": "times"}


def noun(sp: Speaker, expr: Expr) -> Template:
    """An expression as a noun phrase."""
    match expr:
        case ("value", str(value)) if value in sp.glossary.symbols.values:
            return (value.replace("_", " "),)
        case ("value", value):
            return (constant(value),)
        case ("slot", slot):
            return ((expr, str(sp.variable(slot).type)),)
        case ("scope", name):
            return _scope(sp, expr, name)
        case ("setting", name):
            return _setting(sp, expr, name)
        case ("bearer", _):
            return ("you",)
        case ("players",):
            return (f"the {sp.glossary.noun(sp.type_of(expr), True)}",)
        case ("record", name, (_, number)):
            return (sp.glossary.symbols.made[name].titles[number],)
        case ("records", _):
            return (f"the {sp.glossary.noun(sp.type_of(expr), True)}",)
        case (("field" | "static"), name, of):
            return _field(sp, name.partition(".")[2], of)
        case ("zone", name, owner):
            return _zone(sp, name, owner)
        case ("at", name, where):
            return joined(f"the {sp.glossary.noun(sp.type_of(expr))} at ", fill(sp, where))
        case (("query" | "function" | "allowed"), name, *args):
            return _call(sp, sp.glossary.callee(name), name, tuple(args))
        case ("lookup", (("static" | "field"), *_) as table, key):
            return joined(noun(sp, table), " for ", noun(sp, key))
        case ("lookup", table, who):
            name = spaced(sp.variable(table[1]).name) if table[0] == "slot" else "answer"
            return owned(sp, name, who)
        case ("list", *items):
            return enumerated([noun(sp, item) for item in items], "and")
        case ("each", kind, value, slot, domain, where):
            return _aggregate(sp, kind, value, slot, domain, where)
        case ("first", _, _):
            return group_of(sp, expr).plural
        case ("count", of):
            return joined("the number of ", group_of(sp, of).plural)
        case _:
            return _operation(sp, expr)


def _operation(sp: Speaker, expr: Expr) -> Template:
    match expr:
        case (("+" | "-" | "*") as op, left, right):
            first = _bracketed(sp, left, ("+", "-") if op == "*" else ())
            return joined(first, f" {_OPERATORS[op]} ", _bracketed(sp, right, ("+", "-")))
        case ("div", left, right):
            return joined(noun(sp, left), " divided by ", noun(sp, right), ", rounded down")
        case ("mod", left, right):
            return joined("what is left of ", noun(sp, left), " divided by ", noun(sp, right))
        case ("negative", value):
            return joined("minus ", noun(sp, value))
        case ("..", low, high):
            return joined("the numbers from ", noun(sp, low), " to ", noun(sp, high))
        case (("join" | "with_dice"), left, right):
            return joined(noun(sp, left), " and ", noun(sp, right))
        case ("without_dice", left, right):
            return joined(noun(sp, left), " without ", noun(sp, right))
        case ("without", left, right):
            return group_of(sp, expr).whole
        case ("if", test, then, otherwise):
            return joined(noun(sp, then), " if ", sp.clause(test), ", otherwise ", noun(sp, otherwise))
        case _:
            return joined("whether ", sp.clause(expr))


def _bracketed(sp: Speaker, expr: Expr, also: tuple[str, ...]) -> Template:
    """A part of a sum or product, in brackets where nobody could hear how far it reaches."""
    if expr[0] in (*also, "if", "div", "mod"):
        return joined("(", noun(sp, expr), ")")
    return noun(sp, expr)


def constant(value: object) -> str:
    """A value that is written in the text itself."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        words = [constant(one).replace("_", " ") for one in value]
        return f"{', '.join(words[:-1])} or {words[-1]}" if len(words) > 1 else "".join(words) or "nothing"
    return str(value)


def _scope(sp: Speaker, expr: Expr, name: str) -> Template:
    if is_me(expr) and not sp.you:
        return ((expr, str(sp.type_of(expr))),)
    return (sp.glossary.scope(name),)


def _setting(sp: Speaker, expr: Expr, name: str) -> Template:
    if sp.values or name not in sp.settings:
        return ((expr, str(sp.type_of(expr))),)
    return (constant(sp.settings[name]),)


def _zone(sp: Speaker, name: str, owner: Expr | None) -> Template:
    words = sp.glossary.zone(name)
    return (words,) if owner is None else owned(sp, words.removeprefix("the "), owner)


def _field(sp: Speaker, name: str, of: Expr) -> Template:
    return owned(sp, sp.glossary.field(name), of)


def owned(sp: Speaker, what: str, owner: Expr) -> Template:
    """Something of somebody or something: `your hand`, `the basket's owner`."""
    if is_me(owner) and sp.you:
        return (f"your {what}",)
    if owner[0] == "slot" and not sp.values and owner[1] not in sp.bound:
        return joined(noun(sp, owner), f"{POSSESSIVE} {what}")
    return joined(f"the {what} of ", noun(sp, owner))


# ---------------------------------------------------------------------------------- templates


def _call(sp: Speaker, callee: Signature | None, name: str, args: tuple[Expr, ...]) -> Template:
    if callee is None or not callee.english:
        words = f"the {spaced(name.rpartition('/')[2])}"
        return (
            joined(f"{words} of ", enumerated([fill(sp, arg) for arg in args], "and")) if args else (words,)
        )
    values = {param.name: arg for param, arg in zip(callee.params, args, strict=False)}
    return _yours(filled(sp, callee.english, values))


# What belongs to `you` alone, with no article and nothing else between: `reach of you`.
_OF_YOU = re.compile(
    r"(?!(?:the|a|an|no|every|each|any|some|one) )((?:(?!(?:of|that|who|whose|which|to|from|and|or|in) )[\w'-]+ )+?)"
    r"of you\b(?! and )"
)


def _yours(phrase: Template) -> Template:
    """`reach of you` as `your reach`."""
    head = opening(phrase)
    found = _OF_YOU.match(head)
    return joined(f"your {found[1].rstrip()}{head[found.end() :]}", phrase[1:]) if found else phrase


def filled(sp: Speaker, text: str, args: Mapping[str, Expr]) -> Template:
    """A template of the vocabulary with its holes filled."""
    pieces: list[str | Template] = []
    rest = text
    while (hole := HOLE.search(rest)) is not None:
        head, tail = rest[: hole.start()], rest[hole.end() :]
        words = _hole(sp, hole[1], args)
        measured = re.match(r"-(\w+) (\w+)", tail)
        things = re.match(r" ([a-z]+s)\b", tail)
        amount = args.get(hole[1], ("value", ""))
        if measured and not _hyphenates(sp, words):
            words = joined(f"{measured[2]} ", sized(sp, hole[1], measured[1], amount))
            tail = tail[measured.end() :]
        elif things and amount == ("value", 1) and not head.endswith("than "):
            tail = f" {singular(things[1])}{tail[things.end() :]}"
        elif things and not sp.values and amount[0] == "slot" and sp.type_of(amount) == INT:
            words, tail = (f"that many {things[1]}",), tail[things.end() :]
        pieces += [head, words]
        rest = tail
    return joined(*pieces, rest)


def _hole(sp: Speaker, name: str, args: Mapping[str, Expr]) -> Template:
    if name in args:
        return fill(sp, args[name], name)
    if name in sp.glossary.symbols.settings:
        return noun(sp, ("setting", name))
    if name in sp.glossary.symbols.scope:
        return noun(sp, ("scope", name))
    return (f"the {spaced(name)}",)


def _hyphenates(sp: Speaker, words: Template) -> bool:
    """Can `-pip` follow? A number can, and so can a hole that will be a number."""
    if len(words) != 1:
        return False
    return words[0].isdigit() if isinstance(words[0], str) else sp.values


def sized(sp: Speaker, name: str, unit: str, amount: Expr) -> Template:
    """What `a {size}-pip piece` becomes behind its noun where the size is not a number: `with 1 more pip`."""
    match amount:
        case ("value", str()):
            return (f"of a given {spaced(name)}",)
        case ("slot", slot) if spaced(sp.variable(slot).name) == spaced(name):
            return (f"of that {spaced(name)}",)
        case (("+" | "-") as op, (("field" | "static"), field, _), by) if field.endswith(f".{plural(unit)}"):
            word = "more" if op == "+" else "fewer"
            return joined("with ", noun(sp, by), f" {word} {unit if by == ('value', 1) else plural(unit)}")
        case (("field" | "static"), field, _) if field.endswith(f".{plural(unit)}"):
            return (f"with as many {plural(unit)}",)
    return joined(f"with as many {plural(unit)} as ", noun(sp, amount))


def fill(sp: Speaker, expr: Expr, label: str = "") -> Template:
    """An argument: its value, where that will be known; else its words."""
    if sp.values:
        plain = expr[0] == "value" or (is_me(expr) and sp.you) or expr[0] == "zone"
        type_ = sp.type_of(expr)
        if not plain and type_.name != "?" and not mentions_slot(expr, sp.bound):
            return ((expr, str(type_)),)
    elif expr == ("value", CHOICE):
        return (f"{with_article(spaced(label))} of your choice",)
    elif expr == ("value", GIVEN):
        return (f"a given {spaced(label)}",)
    elif expr[0] == "slot" and (expr[1] in sp.named or label in _QUESTIONS):
        return noun(sp, expr)
    elif label and sp.type_of(expr).name in sp.glossary.symbols.enums and expr[0] == "slot":
        # Nobody calls a direction by the name of a variable.
        return (f"that {spaced(label)}",)
    words = noun(sp, expr)
    return joined("(", words, ")") if expr[0] in ("+", "-", "if") and label else words


# ---------------------------------------------------------------------------------- aggregates


def _aggregate(
    sp: Speaker, kind: str, value: Expr | None, slot: int, domain: Expr, where: Expr | None
) -> Template:
    inner = sp.binding(slot)
    group = group_of(sp, domain, slot, where)
    if kind == "count":
        return joined("the number of ", group.plural)
    if kind == "those" and value is None:
        return joined("" if group.owned else "the ", group.plural)
    if kind == "sum":
        if value is None:
            return joined("the sum of ", noun(sp, domain))
        return joined("the sum of ", _of_each(inner, value, slot, group.every))
    if kind in ("highest", "lowest"):
        if value is None:
            return _extreme(sp, kind, domain)
        each = _of_each(inner, value, slot, group.every)
        bare = without_opening(each, "the ") if opening(each).startswith("the ") else each
        return joined(f"the {kind} ", bare)
    if kind == "those" and value is not None:
        return _of_each(inner, value, slot, group.every)
    return joined("whether ", sp.clause(("each", kind, value, slot, domain, where)))


def _of_each(sp: Speaker, value: Expr, slot: int, every: Template) -> Template:
    """`the value of every space`: the words for the thing looked at, once, stand for all of them."""
    phrase = noun(replace(sp, named=sp.named | {slot}), value)
    holes = [at for at, part in enumerate(phrase) if part == (("slot", slot), str(sp.variable(slot).type))]
    if len(holes) == 1:
        return joined(phrase[: holes[0]], every, phrase[holes[0] + 1 :])
    it = joined(*("it" if at in holes else (part,) for at, part in enumerate(phrase)))
    return joined(it, " for ", every)


def _extreme(sp: Speaker, kind: str, domain: Expr) -> Template:
    """The short form: `highest([a, b])`, `lowest(numbers)`."""
    if domain[0] != "list":
        return joined(f"the {kind} of ", noun(sp, domain))
    items = [noun(sp, item) for item in domain[1:]]
    two, more = ("larger", "largest") if kind == "highest" else ("smaller", "smallest")
    return joined(f"the {two if len(items) == 2 else more} of ", enumerated(items, "and"))
