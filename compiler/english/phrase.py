"""Noun phrases: every expression that stands for a thing, a number or a list, in words.

What an author wrote for a list, "the pieces on {at}", begins with `the` and a plural noun; from that
come the singular ("a piece on 0/1") and the rest. Lists worded another way are spoken of as
`one of ...`. A variable is `the piece` when a sentence first names it, then `it`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ruleloom.compiler.english.glossary import Glossary
from ruleloom.compiler.english.speaker import (
    IT,
    POSSESSIVE,
    Part,
    Speaker,
    Unsaid,
    Variable,
    enumerated,
    is_hole,
    is_me,
    joined,
    opening,
    without_opening,
)
from ruleloom.compiler.english.word import (
    called,
    plural,
    polished,
    possessive,
    singular,
    spaced,
    with_article,
)
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.resolve.templates import HOLE
from ruleloom.runtime.program.expr import conjuncts, slots_read
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import INT, PLAYER, Type

# A verb at the end, whose object the thing is: `can target`, `alone occupies`.
_VERB = re.compile(
    r"(?!.*\b(?:is|are|not|than|most|least|that|plus|minus)\b).*\b(?:(?:can|may|must) \w+|\w*[a-z]s) "
)
# What the thing has: `the owner of `, `reach of `; not `a few of `.
_OWN = re.compile(
    r"(?:the (?=[\w ]+ of )|(?!(?:an?|one|no|none|all|any|each|every|some|most|part|what|how) )(?=\w+( \w+)? of $))"
    r"([\w ]+) of "
)
_PREPOSITION = r" (on|in|at|of|for|to|from|under|beside|with|by)$"


@dataclass(frozen=True, slots=True)
class Group:
    """A list in words. `plural` has no article; `singular` is empty where the wording gives
    none."""

    plural: Template
    singular: Template
    tail: Template = ()

    @property
    def owned(self) -> bool:
        """Does it begin with `your`, so that it takes no article?"""
        return bool(re.match(r"(your|its|their) ", opening(self.plural)))

    @property
    def whole(self) -> Template:
        """The list itself: `the pieces on 0/1`."""
        return joined("" if self.owned else "the ", self.plural)

    @property
    def one(self) -> Template:
        """Any one of it: `a piece on 0/1`, `one of your pieces`."""
        if self.singular:
            return joined(_with_article(self.singular), self.tail)
        return joined("one of ", self.whole)

    @property
    def every(self) -> Template:
        """Each of it."""
        return (
            joined("every ", self.singular, self.tail)
            if self.singular
            else joined("each of ", self.whole)
        )

    @property
    def none(self) -> Template:
        """Not one of it."""
        return (
            joined("no ", self.singular, self.tail)
            if self.singular
            else joined("none of ", self.whole)
        )


def _with_article(phrase: Template) -> Template:
    head = opening(phrase)
    return joined(with_article(head), phrase[1:]) if head else joined("a ", phrase)


def group_of(
    sp: Speaker, domain: Expr, slot: int = -1, where: Expr | None = None, out: str = "in"
) -> Group:
    """A list in words, of those that meet a condition. `out` is `from` where something is taken of
    it."""
    base = _base(sp, domain, out)
    if where is None:
        return base
    tail = relative(sp.binding(slot), where, slot)
    if any(isinstance(part, str) and ", " in part for part in base.plural):
        tail = joined(",", tail)
    return Group(joined(base.plural, plural_tail(tail)), base.singular, joined(base.tail, tail))


def plural_tail(tail: Template) -> Template:
    """A relative clause behind a plural: `that is empty` as `that are empty`."""
    head = opening(tail).replace(" that is one of ", " that are among ")
    tail = joined(head, tail[1:]) if head else tail
    for one, many in ((" that is ", " that are "), (" who is ", " who are "), (" that has ", " that have "),
                      (" that does ", " that do "), (" who has ", " who have ")):  # fmt: skip
        if head.startswith(one):
            return joined(head.replace(one, many, 1), tail[1:])
    return joined(head.replace("such that it ", "such that each "), tail[1:]) if head else tail


def _base(sp: Speaker, domain: Expr, out: str) -> Group:
    type_ = sp.type_of(domain)
    one, several = sp.glossary.noun(type_), sp.glossary.noun(type_, True)
    match domain:
        case ("zone", _, _):
            where = sp.noun(domain)
            if not opening(where).startswith(f"the {several}"):
                return Group(joined(f"{several} {out} ", where), joined(f"{one} {out} ", where))
        case ("join", left, right) if left[0] == right[0] == "zone":
            both = joined(f" {out} ", sp.noun(left))
            return Group(
                joined(several, both, " and ", sp.noun(right)),
                joined(one, both, " or ", sp.noun(right)),
            )
        case ("without", left, right):
            base = _base(sp, left, out)
            rest = joined(" other than ", sp.noun(right))
            return Group(
                joined(base.plural, rest), joined(base.singular, rest) if base.singular else ()
            )
        case ("first", number, of):
            several_of = _base(sp, of, out).plural
            return Group(joined("the first ", sp.noun(number), " ", several_of), ())
        case ("each", "those", None, slot, of, condition):
            return group_of(sp, of, slot, condition, out)
        case (("field" | "static"), name, of) if not (is_me(of) and sp.you):
            words, owner = spaced(name.partition(".")[2]), joined(" of ", sp.noun(of))
            return Group(joined(words, owner), joined(one, owner) if words == several else ())
        case ("value", tuple() as values) if values == sp.glossary.symbols.enums.get(type_.name):
            return Group((several,), (one,))
        case ("lookup", (("static" | "field"), *_) as table, key):
            return Group(joined(_base(sp, table, out).plural, " for ", sp.noun(key)), ())
        case ("slot", slot):
            return Group((called(sp.variable(slot).name, several),), ())
        case ("..", low, high):
            span = joined(" from ", sp.noun(low), " to ", sp.noun(high))
            return Group(joined("numbers", span), joined("number", span))
        case _:
            pass
    return _worded(joined(sp.noun(domain)), one, several)


def _worded(phrase: Template, one: str, several: str) -> Group:
    """The group behind a phrase of the author's, `the pieces on {at}`."""
    if not opening(phrase):
        return Group(phrase, ())
    head = polished(opening(phrase)) if len(phrase) == 1 else opening(phrase)
    phrase = joined(head, phrase[1:])
    if not head.startswith("the "):
        return Group(phrase, ())
    plural = without_opening(phrase, "the ")
    found = re.match(rf"((?:[\w-]+ ){{0,2}}?)({re.escape(several)})\b(?! and )", opening(plural))
    if found is None or " and " in found[1]:
        return Group(plural, ())
    rest = re.sub(r"\b(that|who|which) are\b", r"\1 is", opening(plural)[found.end() :])
    return Group(plural, joined(found[1], one, rest, plural[1:]))


# --------------------------------------------------------------------------------- relative clauses


def relative(sp: Speaker, where: Expr, slot: int) -> Template:
    """A condition on each thing of a group, as it stands behind a noun: ` whose value is 2`."""
    parts: list[Template] = []
    plain: list[Template] = []
    sp = replace(sp, attaching=True)
    for one in conjuncts(where):
        clause = sp.clause(one)
        form = _attached(sp, clause, slot)
        if form is None:
            plain.append(in_other_words(clause, slot, IT))
        else:
            parts.append(form)
    if plain:
        such: list[str | Template] = [" such that "]
        for number, clause in enumerate(plain):
            such += [" and " if number else "", clause]
        parts.append(joined(*such))
    pieces: list[str | Template] = []
    for number, form in enumerate(parts):
        if number:
            pieces.append(" and" if number == len(parts) - 1 else ",")
        pieces.append(form)
    return joined(*pieces)


def _attached(sp: Speaker, clause: Template, slot: int) -> Template | None:
    """The clause as a relative one, if it begins or ends with the thing and does not mention it
    again."""
    holes = [at for at, part in enumerate(clause) if is_hole(part, slot)]
    if len(holes) != 1 or any(word in opening(clause[1:]) for word in (", or ", ", and ")):
        return None
    who = "who" if sp.variable(slot).type.name == "Player" else "that"
    at = holes[0]
    if at == 0:
        return joined(f" {who}", clause[1:])
    before = clause[at - 1]
    if at == 1 and isinstance(before, str) and (own := _OWN.fullmatch(before)):
        owned = "'s ".join(reversed(own[2].split(" of the ")))
        return joined(f" whose {owned}", clause[2:])
    if (
        at == len(clause) - 1
        and isinstance(before, str)
        and (found := re.search(_PREPOSITION, before.rstrip()))
    ):
        pronoun = "whom" if who == "who" else "which"
        return joined(f" {found[1]} {pronoun} ", clause[: at - 1], before.rstrip()[: found.start()])
    if at == len(clause) - 1 and isinstance(before, str) and _VERB.fullmatch(before):
        return joined(" whom " if who == "who" else " that ", clause[: at - 1], before.rstrip())
    return None


def in_other_words(clause: Template, slot: int, words: Part) -> Template:
    """A clause with other words for one thing."""
    return joined(*((words,) if is_hole(part, slot) else (part,) for part in clause))


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
            return joined(
                noun(sp, then), " if ", sp.clause(test), ", otherwise ", noun(sp, otherwise)
            )
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
        return (
            f"{', '.join(words[:-1])} or {words[-1]}"
            if len(words) > 1
            else "".join(words) or "nothing"
        )
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
        return joined(noun(sp, owner), (POSSESSIVE, f" {what}"))
    return joined(f"the {what} of ", noun(sp, owner))


# ---------------------------------------------------------------------------------- templates


def _call(sp: Speaker, callee: Signature | None, name: str, args: tuple[Expr, ...]) -> Template:
    if callee is None or not callee.english:
        words = f"the {spaced(name.rpartition('/')[2])}"
        return (
            joined(f"{words} of ", enumerated([fill(sp, arg) for arg in args], "and"))
            if args
            else (words,)
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
    """What `a {size}-pip piece` becomes behind its noun where the size is not a number:
    `with 1 more pip`."""
    match amount:
        case ("value", str()):
            return (f"of a given {spaced(name)}",)
        case ("slot", slot) if spaced(sp.variable(slot).name) == spaced(name):
            return (f"of that {spaced(name)}",)
        case (("+" | "-") as op, (("field" | "static"), field, _), by) if field.endswith(
            f".{plural(unit)}"
        ):
            word = "more" if op == "+" else "fewer"
            return joined(
                "with ", noun(sp, by), f" {word} {unit if by == ('value', 1) else plural(unit)}"
            )
        case (("field" | "static"), field, _) if field.endswith(f".{plural(unit)}"):
            return (f"with as many {plural(unit)}",)
    return joined(f"with as many {plural(unit)} as ", noun(sp, amount))


def fill(sp: Speaker, expr: Expr, label: str = "") -> Template:
    """An argument: its value, where that will be known; else its words."""
    if sp.values:
        plain = expr[0] == "value" or (is_me(expr) and sp.you) or expr[0] == "zone"
        type_ = sp.type_of(expr)
        if not plain and type_.name != "?" and sp.bound.isdisjoint(slots_read(expr)):
            return ((expr, str(type_)),)
    elif expr[-1] is Unsaid.CHOICE:
        return (f"{with_article(spaced(label))} of your choice",)
    elif expr[-1] is Unsaid.GIVEN:
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
    """`the value of every space`: the words for the thing looked at, once, stand for all of
    them."""
    phrase = noun(replace(sp, named=sp.named | {slot}), value)
    holes = [
        at
        for at, part in enumerate(phrase)
        if part == (("slot", slot), str(sp.variable(slot).type))
    ]
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


_PLAIN = ("Int", "Bool", "Text", "?")


def realised(template: Template, variables: dict[int, Variable], words: Glossary) -> str:
    """A phrase of a rules text as text."""
    said: int | None = None
    pronouns = IT not in template
    text = ""
    for part in template:
        if isinstance(part, str):
            text += part
        elif part == POSSESSIVE:
            text = possessive(text)
        elif (expr := part[0])[0] == "slot":
            variable = variables.get(expr[1]) or Variable("it", Type("Text"))
            text += _words(variable, words, again=pronouns and said == expr[1])
            if variable.type.name not in _PLAIN:
                said = expr[1]
        else:
            text += str(expr[-1])
    return polished(text, words.symbols.nouns)


def _words(variable: Variable, words: Glossary, again: bool) -> str:
    type_ = variable.type
    if again and not type_.many and type_ != PLAYER and type_.name not in words.symbols.enums:
        return "it"
    noun = "" if type_.name in _PLAIN else words.noun(type_, type_.many)
    return f"the {called(variable.name, noun)}"
