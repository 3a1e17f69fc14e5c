"""Renders conditions as clauses, `there are fewer than 3 pieces on 0/1`, and their negations."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleloom.compiler.english import phrase, word
from ruleloom.compiler.english.filling import filled
from ruleloom.compiler.english.glossary import Glossary, Variable, glossary
from ruleloom.compiler.english.template import (
    IT,
    POSSESSIVE,
    Group,
    Speaker,
    enumerated,
    fit,
    in_other_words,
    is_me,
    joined,
    linked,
    opening,
    places_of,
    realise,
    without_opening,
)
from ruleloom.compiler.english.word import denied as turned
from ruleloom.compiler.flow.context import Context
from ruleloom.compiler.flow.flow import plain_name
from ruleloom.compiler.packs.settings import TAGS
from ruleloom.compiler.types import is_number
from ruleloom.runtime.program.expr import operands, slots_read
from ruleloom.runtime.program.interval import NEGATED
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import BOOL, PLAYER, TEXT

NUMBER_OF = "the number of "
_COMPARED = {"<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}
_EQUAL = {"=": " is ", "!=": " is not "}
_COUNTED = {"<": "fewer than", ">": "more than", "<=": "at most", ">=": "at least"}


def clause(sp: Speaker, expr: Expr, denied: bool) -> Template:
    """A condition as a clause; with `denied`, its negation."""
    match expr:
        case ("not", inner):
            return clause(sp, inner, not denied)
        case (("and" | "or"), _, _):
            return _logic(sp, expr, denied)
        case ("each", ("exists" | "every") as kind, _, slot, domain, where):
            return _quantified(sp, kind, slot, domain, where, denied)
        case ("if", test, then, otherwise):
            first = joined(clause(sp, then, denied), " if ", clause(sp, test, False))
            return joined(first, ", otherwise ", clause(sp, otherwise, denied))
        case ("value", bool() as truth):
            return ("this is always so" if truth != denied else "this is never so",)
        case (("query" | "function" | "allowed"), name, *args):
            return _called(sp, name, tuple(args), denied)
        case (("slot" | "scope" | "setting"), _):
            return _truth_of(sp, expr, denied)
        case _:
            return _relation(sp, expr, denied)


def _relation(sp: Speaker, expr: Expr, denied: bool) -> Template:
    match expr:
        case ((("=" | "!=" | "<" | "<=" | ">" | ">=") as op), left, right):
            return _comparison(sp, NEGATED[op] if denied else op, left, right)
        case ("in", left, right):
            return _member(sp, left, right, denied)
        case ("is_none", value):
            return _missing(sp, value, denied)
        case _:
            return _attributed(sp, expr, denied)


def _attributed(sp: Speaker, expr: Expr, denied: bool) -> Template:
    """A Bool field as a clause about its thing: `the lamp is hidden`, `the lamp helps`."""
    english, values = sp.glossary.said_of_field(expr)
    if english and sp.type_of(expr) == BOOL:
        return _stated(sp, english, values, denied)
    if expr[0] not in ("field", "static"):
        secret = expr[0] == "lookup" and expr[1][0] == "slot"  # the secret answer of each player
        asked, verb = (expr[2], "has answered") if secret else (expr, "is")
        return joined(phrase.noun(sp, asked), f" {verb} {'no' if denied else 'yes'}")
    return _by_name(sp, sp.glossary.field(expr[1].partition(".")[2]), expr[2], denied)


def _by_name(sp: Speaker, words: str, of: Expr, denied: bool) -> Template:
    """A Bool field as a clause, from its name: `sight open`, `familiar hides`, `hidden`."""
    verb = words.partition(" ")[0]
    if re.fullmatch(r"(?!of |by )[a-z]+ (?:[a-z]{2,}[^s]s)", words) and not verb.endswith(
        ("s", "ed")
    ):
        done = words.rpartition(" ")  # `your familiar hides`
        act = f"does not {word.plain_verb(done[2])}" if denied else done[2]
        return joined(phrase.owned(sp, done[0], of), f" {act}")
    if found := _THING_THAT_IS.fullmatch(words):
        verb = "is not" if denied else "is"
        return joined(phrase.owned(sp, found[1], of), f" {verb} {found[2]}")
    acts = re.fullmatch(r"[a-z]{3,}[^s]s", words.partition(" ")[0]) and verb not in _NO_VERBS
    said = "{it} " + ("has " if verb == "had" else "" if acts else "is ") + words
    return _stated(sp, said, {"it": of}, denied)


# A name made of a noun and its state: `sight open`, not `taking aim` or `dropped out`.
_THING_THAT_IS = re.compile(
    r"(?!\w+(?:ed|ing) )([a-z]+(?: [a-z]+)*) (used|[a-z]{3,}ed|open|shut|free|gone|up|down|ready|lost|spent)"
)
# Words ending in `s` that are adjectives or adverbs, not verbs.
_NO_VERBS = ("always", "harmless", "costless")


def _truth_of(sp: Speaker, expr: Expr, denied: bool) -> Template:
    kind, key = expr
    if kind == "slot":
        return _truth_of_variable(sp, sp.variable(key), denied)
    words = sp.glossary.named(kind, key)
    if kind == "scope" or " is " in words or " comes " in words:
        return _stated(sp, words, {}, denied)
    return (f"{words} is {word.constant(not denied)}",)


def _truth_of_variable(sp: Speaker, variable: Variable, denied: bool) -> Template:
    if variable.said:
        return _stated(sp, variable.said, {}, denied)
    name = word.spaced(variable.name)
    if sp.values or name == "answer":
        return (f"{'the ' if name == 'answer' else ''}{name} is {word.constant(not denied)}",)
    return (f"{'it is ' if word.is_state(name) else ''}{'not ' if denied else ''}{name}",)


NOT_TRUE = "it is not true that "
"""The opening of a negation without a verb to negate."""


def _stated(sp: Speaker, english: str, values: Mapping[str, Expr], denied: bool) -> Template:
    """A clause in its author's English, or its negation."""
    if not denied:
        return filled(sp, english, values)
    things = {*sp.glossary.symbols.entities, PLAYER.name}
    doers = [name for name, value in values.items() if sp.type_of(value).name in things]
    opposite = turned(english, doers)
    said = filled(sp, opposite or english, values)
    return said if opposite else joined(NOT_TRUE, said)


def _logic(sp: Speaker, expr: Expr, denied: bool, inside: bool = False) -> Template:
    """`a, b and c`; nested operators have no commas, so that the grouping is audible."""
    op = {"and": "or", "or": "and"}[expr[0]] if denied else expr[0]
    exprs = operands(expr[0], expr)
    nested = [one[0] in ("and", "or") for one in exprs]
    parts = [
        _logic(sp, one, denied, True) if inner else clause(sp, one, denied)
        for one, inner in zip(exprs, nested, strict=True)
    ]
    comma = not inside and any(map(_is_long, parts))
    either = "either " * (op == "or" and (inside or any(nested)))
    # Long alternatives have `or` before each.
    link = ", or " if comma and op == "or" else ", "
    return joined(either, linked(parts, link, f"{',' * comma} {op} "))


def _is_long(part: Template) -> bool:
    text = "".join(one if isinstance(one, str) else "x" for one in part)
    return len(text) > 30 or "," in text


def _comparison(sp: Speaker, op: str, left: Expr, right: Expr) -> Template:
    switched = _switched(sp, op, left, right) or _switched(sp, op, right, left)
    if switched is not None:
        return switched
    type_ = sp.type_of(left)
    if type_ == BOOL and right[0] == "value":
        return clause(sp, left, (right[1] is True) != (op == "="))
    if type_ == PLAYER and op in ("=", "!="):
        return _same_player(sp, op, left, right)
    return _compared(sp, op, left, right)


def _compared(sp: Speaker, op: str, left: Expr, right: Expr) -> Template:
    """The comparison of two numbers, things or options."""
    type_, equality = sp.type_of(left), op in ("=", "!=")
    english, values = phrase.wording(sp, left)
    often = english.removeprefix("how often ")
    any_at_all = _is_any(op, right) if often != english else None
    if any_at_all is not None:
        return _stated(sp, often, values, not any_at_all)
    first = phrase.noun(sp, left)
    things = _things_counted(sp, left, first)
    if things is not None:
        return _counted(sp, op, things, right)
    if equality and (acts := _acting(sp, op, left, right)) is not None:
        return acts
    verb = _EQUAL[op] if equality else f" is {_COMPARED[op]} "
    if type_ == TEXT and right[0] == "value":
        return joined(first, verb, f"“{right[1]}”" if right[1] else "empty")
    return joined(first, _agreeing(sp, verb, left, first), _measured(sp, right))


def _things_counted(sp: Speaker, number: Expr, said: Template) -> Group | None:
    """The things of which a number is the count; None for any other number."""
    match number:
        case ("count", of):
            return phrase.group_of(sp, of)
        case ("each", "count", _, slot, domain, where):
            return phrase.group_of(sp, domain, slot, where)
    counts = phrase.wording(sp, number)[0].startswith(NUMBER_OF)
    return Group(without_opening(said, NUMBER_OF), ()) if counts else None


def _acting(sp: Speaker, op: str, left: Expr, right: Expr) -> Template | None:
    """A field whose name is a verb: `the hero dreads the dark`; else None."""
    name = left[1].partition(".")[2] if left[0] in ("field", "static") else ""
    type_ = sp.type_of(left)
    if type_.many or type_.name not in sp.glossary.symbols.entities or sp.values:
        return None
    if not re.fullmatch(r"[a-z]{2,}[^aeious]s", name):
        return None
    act = f"does not {word.plain_verb(name)}" if op == "!=" else name
    return joined(phrase.noun(sp, left[2]), f" {act} ", phrase.noun(sp, right))


def _agreeing(sp: Speaker, verb: str, left: Expr, first: Template) -> str:
    """A verb in agreement with its subject: `the piece's pips are at most 2`."""
    if word.is_plural(opening(first).rstrip()):
        return verb.replace(" is ", " are ")
    if left[0] not in ("field", "static", "slot") or not is_number(sp.type_of(left)):
        return verb
    if left[0] == "slot":
        name = sp.variable(left[1]).said or sp.variable(left[1]).name
    elif sp.glossary.said_of_field(left)[0]:
        return verb
    else:
        name = opening(first[-1:])
    return verb.replace(" is ", " are ") if word.is_several(name) else verb


def _is_any(op: str, number: Expr) -> bool | None:
    """Whether a comparison asks for any number above 0 (True) or for 0 (False); else None."""
    none = (op in ("=", "<=") and number == ("value", 0)) or (op, number) == ("<", ("value", 1))
    some = (op in ("!=", ">") and number == ("value", 0)) or (op, number) == (">=", ("value", 1))
    return False if none else True if some else None


def _measured(sp: Speaker, expr: Expr) -> Template:
    """The right side of a comparison, if need be with its value: `2 (the value of x)`."""
    words, type_ = phrase.noun(sp, expr), sp.type_of(expr)
    plain = expr[0] in ("value", "slot", "setting", "scope") or not is_number(type_)
    if not sp.values or plain or not sp.bound.isdisjoint(slots_read(expr)):
        return words
    return joined(((expr, str(type_)),), " (", words, ")")


def _switched(sp: Speaker, op: str, switch: Expr, option: Expr) -> Template | None:
    """A switch compared with an option, in that option's English; else None."""
    if switch[0] != "setting" or option[0] != "value" or not isinstance(option[1], str):
        return None
    setting = sp.glossary.symbols.settings.get(switch[1])
    if setting is None or option[1] not in setting.options:
        return None
    others = [one for one in setting.options if one != option[1]]
    if op == "!=" and len(others) == 1:
        return (sp.glossary.option(switch[1], others[0]),)
    return _stated(sp, sp.glossary.option(switch[1], option[1]), {}, op == "!=")


def _same_player(sp: Speaker, op: str, left: Expr, right: Expr) -> Template:
    verb = "are" if op == "=" else "are not"
    for one, other in ((left, right), (right, left)):
        of = other[2] if other[0] in ("field", "static") else other
        # A relative clause of a bound thing, `whose owner ...`, may have to begin with it.
        bound = sp.attaching and of[0] == "slot" and of[1] in sp.bound
        if is_me(one) and sp.you and not bound:
            return joined(f"you {verb} ", phrase.noun(sp, other))
    if is_me(left):
        left, right = right, left
    return joined(phrase.noun(sp, left), _EQUAL[op], phrase.noun(sp, right))


def _counted(sp: Speaker, op: str, group: Group, number: Expr) -> Template:
    """A count compared with a number: `there are fewer than 3 pieces on 0/1`."""
    if (some := _is_any(op, number)) is not None:
        return _some_or_none(group.plural, none=not some)
    if number == ("value", 1) and op == "=":
        return joined("there is exactly one ", _single(group))
    words, things = phrase.noun(sp, number), group.plural
    if opening(things).startswith("your "):
        counted = {"=": "exactly", "!=": "not exactly", **_COUNTED}[op]
        return joined(f"you have {counted} ", words, " ", _own(things, number == ("value", 1)))
    if op in ("=", "!="):
        return joined("there are exactly " if op == "=" else "there are not ", words, " ", things)
    verb = "is" if number == ("value", 1) and op in ("<=", ">=") else "are"
    head, tail = f"there {verb} {_COUNTED[op]} ", f" {opening(things)}"
    head, words, tail = fit(head, words, tail, sp.glossary.singular_of)
    return joined(head, words, tail, things[1:] if opening(things) else things)


def _own(things: Template, single: bool) -> Template:
    """What is yours without `your`: `rivals`, or `rival`."""
    rest = without_opening(things, "your ")
    one = len(rest) == 1 and opening(rest).isalpha() and single
    return (word.singular(opening(rest)),) if one else rest


def _single(group: Group) -> Template:
    """One of some things: `piece`, or `of the pieces on 0/1`."""
    plain = opening(group.plural) if len(group.plural) == 1 else ""
    alone = plain.isalpha() and word.singular(plain) != plain
    return (word.singular(plain),) if alone else group.determined("", "of ")


def _some_or_none(things: Template, none: bool) -> Template:
    if opening(things).startswith("your "):
        return joined("you have no " if none else "you have ", _own(things, False))
    if opening(things).startswith(("its ", "their ")):
        return joined("there is not one of " if none else "there is at least one of ", things)
    return joined("there are no " if none else "there are ", things)


def _member(sp: Speaker, left: Expr, right: Expr, denied: bool) -> Template:
    you = is_me(left) and sp.you
    who: Template = ("you",) if you else phrase.noun(sp, left)
    verb = f" {'are' if you else 'is'}{' not' if denied else ''} "
    match right:
        case ("value", tuple() as values):
            words = [phrase.noun(sp, ("value", one)) for one in values]
            return joined(who, verb, enumerated(words, "or") or "nothing")
        case ("..", low, high):
            return joined(who, verb, "from ", phrase.noun(sp, low), " to ", phrase.noun(sp, high))
        case ("zone", _, _):
            return joined(who, verb, "in ", phrase.noun(sp, right))
        case (("static" | "field"), name, of) if name.endswith(f".{TAGS}") and (
            tag := sp.glossary.tag(left)
        ):
            who = phrase.noun(sp, of)
            verb = "are" if who == ("you",) else "is"
            return joined(who, f" {verb} not " if denied else f" {verb} ", tag)
    done = _done_to(sp, right, who, denied)
    return done or joined(who, verb, "one of ", phrase.group_of(sp, right).whole)


def _done_to(sp: Speaker, right: Expr, who: Template, denied: bool) -> Template | None:
    """Membership in `the pieces {who} can target`, inverted: `X can target` it; else None."""
    english, values = phrase.wording(sp, right)
    found = word.DONE_TO.fullmatch(english)
    if (
        found is None
        or found["doer"] not in values
        or (is_me(values[found["doer"]]) and found["verb"].startswith("is "))
    ):
        return None
    verb = turned(found["verb"]) if denied else found["verb"]
    return joined(phrase.noun(sp, values[found["doer"]]), f" {verb} ", who) if verb else None


def _missing(sp: Speaker, value: Expr, denied: bool) -> Template:
    if value[0] == "slot":
        return (f"there is {_some_or_no(_thing_called(sp, sp.variable(value[1])), denied)}",)
    english, values = phrase.wording(sp, value)
    if not english and value[0] in ("field", "static"):
        return _without(sp, value, sp.glossary.field(value[1].partition(".")[2]), denied)
    english = english.removeprefix("the ")
    if (found := word.OWNED_BY.match(english)) and "{" not in found[1] and found[2] in values:
        several = denied and word.is_several(found[1])
        what = found[1] if several else _some_or_no(found[1], denied)
        rest = filled(sp, english[found.end() :], values)
        return joined(_having(sp, values[found[2]], "has"), f" {what}", rest)
    words = phrase.noun(sp, value)
    head = opening(words)
    if head.startswith("the "):
        rest = without_opening(words, "the ")
        return joined("there is ", _some_or_no(opening(rest), denied), rest[1:])
    return joined(words, " is something" if denied else " is nothing")


def _thing_called(sp: Speaker, variable: Variable) -> str:
    """The words for a variable without an article."""
    if variable.said.startswith("the "):
        return variable.said.removeprefix("the ")
    return word.called(variable.name, sp.glossary.noun(variable.type))


def _some_or_no(thing: str, some: bool) -> str:
    return word.with_article(thing) if some else f"no {thing}"


def _having(sp: Speaker, of: Expr, verb: str) -> Template:
    """A thing with its verb: `you have`, `the piece has`."""
    if is_me(of) and sp.you:
        return (f"you {word.plain_verb(verb)}",)
    return joined(phrase.noun(sp, of), f" {verb}")


def _without(sp: Speaker, value: Expr, words: str, denied: bool) -> Template:
    """A field that is none, as a clause about its thing: `you have no hat`."""
    verb, name = "has", words
    if words.endswith(" in"):
        name = f"{words} {'something' if denied else 'anything'}"  # `a rival in something`
    elif word.DONE_AT.fullmatch(words) or word.DONE_BY.fullmatch(words):
        verb = words if word.DONE_AT.fullmatch(words) else f"is {words}"  # `it dwells at a place`
        name = sp.glossary.noun(sp.type_of(value))
    elif words.endswith((" of", " by", " at", " to", " on")):
        name = words.rpartition(" ")[0]
    return joined(_having(sp, value[2], verb), f" {_some_or_no(name, denied)}")


def _quantified(
    sp: Speaker, kind: str, slot: int, domain: Expr, where: Expr | None, denied: bool
) -> Template:
    if kind == "exists" or where is None:
        group = phrase.group_of(sp, domain, slot, where)
        if group.singular:
            return joined("there is ", group.determined("no ", "none of ") if denied else group.one)
        if group.owned:
            return _some_or_none(group.plural, none=denied)
        return joined("there are no " if denied else "there are ", group.plural)
    inner = sp.binding(slot)
    if denied:
        return joined("there is ", phrase.group_of(sp, domain, slot, ("not", where)).one)
    group = phrase.group_of(sp, domain)
    said = clause(inner, where, False)
    if len(places_of(said, slot)) == 1:
        return in_other_words(said, slot, group.every)
    return joined("for ", group.every, ", ", in_other_words(said, slot, (IT,)))


def _called(sp: Speaker, name: str, args: tuple[Expr, ...], denied: bool) -> Template:
    callee = sp.glossary.callee(name)
    if callee is None or not callee.english:
        words = word.spaced(name.rpartition("/")[2])
        of = [part for arg in args[:1] for part in (" for ", phrase.noun(sp, arg))]
        return joined(f"`{words}` is {'no' if denied else 'yes'}", *of)
    values = {param.name: arg for param, arg in zip(callee.params, args, strict=False)}
    return _stated(sp, callee.english, values, denied)


def reason_template(
    ctx: Context, expr: Expr, chooser: Expr | None = None, is_condition: bool = True
) -> Template:
    """The English of one condition, or of a value, for the prompted player (`chooser`; None: the acting
    player)."""
    names = glossary(ctx.passage.content, ctx.symbols)
    found = {slot: Variable(plain_name(name), TEXT) for slot, name in enumerate(ctx.slots)}
    for local in (*ctx.locals, *ctx.flow.visible.values()):
        found[local.slot] = Variable(local.name, local.type)
    return condition(names, expr, found, chooser is None, is_condition)


def condition(
    words: Glossary,
    expr: Expr,
    variables: Mapping[int, Variable],
    you: bool = True,
    is_condition: bool = True,
) -> Template:
    """The English of a lowered condition, or of a value, with these variables."""
    speaker = Speaker(words, variables, {}, True, phrase.noun, clause, you)
    template = clause(speaker, expr, False) if is_condition else phrase.noun(speaker, expr)
    spoken = {IT: "it", POSSESSIVE: "'s"}
    return realise(template, lambda part: spoken.get(part))
