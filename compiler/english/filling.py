"""Fills the holes of the vocabulary's templates: counts, units, options, durations and their grammar."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from string import digits

from ruleloom.compiler.english import word
from ruleloom.compiler.english.glossary import Unsaid
from ruleloom.compiler.english.template import (
    Speaker,
    first_letters,
    fit,
    is_me,
    joined,
    known_plural,
    leading_words,
    once,
    opening,
    without_echo,
)
from ruleloom.compiler.resolve.declare import HOLE, decided_later, with_dice
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.runtime.program.expr import form_of, slots_read
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import OptionalPart, optional_parts
from ruleloom.runtime.program.values import BOOL, INT, Type

# A noun after its hole, as in `{colour} dice`; no linking word.
_NOUN = re.compile(
    r" (?!(?:of|from|to|by|in|on|for|and|or|against|with|at|as|than|if|when|but|into|onto|over|under)\b)\w"
)
# The unit of a number: ` EI`, ` rain`; no verb and no linking word.
_UNIT = re.compile(
    r" ([A-Z][A-Za-z]|(?!(?:and|are|as|at|back|besides|but|by|can|could|for|from|if|in|into|is|less|"
    r"may|more|must|of|off|on|or|out|over|so|than|that|then|times|to|under|until|up|when|where|"
    r"which|while|who|with|without|[a-z]+er)\b)[a-z]+(?:[^\Ws]|ss)(?![\w-]| [a-z]+s\b))\b"
)
# A verb before an amount, and the end of a clause.
_GAINED = re.compile(r"\b(?:lose|gain|take|suffer|get)s? $")
_END = r"(?=$|[.,;:)]| on the next)"
# A plural verb after its counted subject.
_SEVERAL_DO = re.compile(r"^ (come|go|leave|pass)\b")
_THEIRS = re.compile(r"(\{(\w+)\} [^{},;.]*\b)their\b")
# The openings of numbers that need brackets: `the smaller of 3 and the rank`.
_LISTS = ("the smaller of ", "the smallest of ", "the larger of ", "the largest of ")
_QUESTIONS = ("which", "what", "who", "whom", "of", "for", "with", "by", "at", "to", "against")


def filled(
    sp: Speaker, text: str, args: Mapping[str, Expr], unsaid: Collection[str] = ()
) -> Template:
    """A template of the vocabulary with its holes filled; parameters `unsaid` have defaults."""
    phrase: Template = ()
    end = 0
    owner = _THEIRS.match(text)
    if owner is not None and sp.you and is_me(args.get(owner[2], ("value", None))):
        text = f"{owner[1]}your{text[owner.end() :]}"  # `you push your luck`
    for part in optional_parts(text):
        before, end = text[end : part.start], part.end
        later: Template = ()
        value = args.get(part.name, ("value", None))
        given = is_given(sp, part, value, part.name in unsaid)
        chosen = "" if given is None else part.given if given else part.otherwise
        if given is None and sp.values:
            gap = before.endswith(" ")
            later = (decided_later(part, value, str(sp.type_of(value)), gap),)
        elif given is None:
            later = _either(sp, part, value, args)
        if (sp.values and later) or not (chosen or later or text[end : end + 1].isalnum()):
            before = before.removesuffix(" ")  # no gap for an omitted part
        phrase = joined(phrase, _with_holes(sp, before + chosen, args), later)
    return joined(phrase, _with_holes(sp, text[end:].rstrip(), args))


def is_given(sp: Speaker, part: OptionalPart, value: Expr, unsaid: bool) -> bool | None:
    """Whether an optional part is included; None if not known yet."""
    if value[0] == "value":
        return _is_value_given(value[1], unsaid)
    type_ = sp.type_of(value)
    # An option from an event, on which there is no condition.
    fresh = value[0] == "slot" and value[1] in sp.fresh
    if fresh and not part.otherwise and type_.name in sp.glossary.symbols.enums:
        return False
    return None if type_ == BOOL or (sp.values and type_.optional) else not unsaid


def _is_value_given(value: object, unsaid: bool) -> bool | None:
    """Whether a known value includes an optional part: a flag itself, another unless it is nothing."""
    if isinstance(value, bool):
        return value
    return None if value is Unsaid.EITHER else value not in (None, 0, ()) and not unsaid


def _either(sp: Speaker, part: OptionalPart, value: Expr, args: Mapping[str, Expr]) -> Template:
    """An optional part that is open: both ways, or conditional."""
    given, otherwise = (_with_holes(sp, one, args) for one in (part.given, part.otherwise))
    if value[-1] is Unsaid.EITHER:
        return joined(given, " or ", otherwise) if given and otherwise else ()
    if not otherwise and sp.clause(value) == (opening(given).strip(" ,;"),):
        return joined(given, " or not")
    # The condition goes inside a closing bracket, if there is one.
    last = opening(given[-1:])
    bracket = ")" * last.endswith(")")
    head = joined(given[:-1], last.removesuffix(")")) if bracket else given
    only_if = joined(head, " if ", sp.clause(value), bracket)
    return joined(only_if, ", otherwise ", otherwise) if otherwise else only_if


def _with_holes(sp: Speaker, text: str, args: Mapping[str, Expr]) -> Template:
    done: Template = ()
    rest, articled = with_dice(text, args, sp.fresh), sp.fresh | sp.bound | sp.named
    while (hole := HOLE.search(rest)) is not None:
        head, tail = rest[: hole.start()], rest[hole.end() :]
        words, rest = _counting(sp, hole[1], head, tail, args)
        head = head if sp.values else without_echo(head, words)
        owned = done[-1:] if words == ("you",) and head == " of " else ()
        # A phrase with an article of its own takes no `your`.
        if owned and not isinstance(owned[0], str) and owned[0][0][-1] not in articled:
            done, rest = joined(done[:-1], "your ", owned), tail
            continue
        last = opening(done[-1:])
        head, words, rest = fit(last + head, words, rest, sp.glossary.singular_of)
        done = joined(done[:-1] if last else done, head, words)
    return joined(done, rest)


def _counting(
    sp: Speaker, name: str, head: str, tail: str, args: Mapping[str, Expr]
) -> tuple[Template, str]:
    """The words of a hole, and the text after it: `{n} cards` counts, `{n}-pip piece` measures."""
    words, amount = _hole(sp, name, args), args.get(name, ("value", ""))
    if not sp.values:
        tail = once(words, tail)
    if not tail and head.endswith(": ") and name in args:
        words = fill(sp, amount)  # no text follows, so no brackets
    measured = re.match(r"-(\w+) (\w+)", tail)
    only = words[0] if len(words) == 1 else ""
    # `-pip` may follow a number, or a value that will be one.
    if measured and not (only.isdigit() if isinstance(only, str) else sp.values):
        size = _sized(sp, name, measured[1], amount)
        return joined(f"{measured[2]} ", size), tail[measured.end() :]
    new = _not_yet_known(sp, amount, tail)
    if new is not None:
        return (new,), tail
    if (told := with_option(sp, amount, words, head, tail)) is not None:
        return told
    return _quantity(sp, words, amount, head, tail, args)


def _hole(sp: Speaker, name: str, args: Mapping[str, Expr]) -> Template:
    if name in args:
        return fill(sp, args[name], name.removeprefix("_").lstrip(digits))
    if name in sp.glossary.symbols.settings:
        return sp.noun(("setting", name))
    if name in sp.glossary.symbols.scope:
        return sp.noun(("scope", name))
    stat = sp.glossary.symbols.callables.get(name)
    if stat is not None and all(one.name in args for one in stat.params):
        return _limit(sp, stat, args)
    return (f"the {word.spaced(name)}",)


def _limit(sp: Speaker, stat: Signature, args: Mapping[str, Expr]) -> Template:
    """A stat of a template's parameters: its value if that will be known, else its phrase."""
    values = [args[one.name] for one in stat.params]
    start = None if sp.values else sp.glossary.start(stat, values, sp.settings)
    return fill(sp, start or ("function", stat.id, *values))


def _will_be_known(sp: Speaker, expr: Expr) -> bool:
    you = expr[0] in ("value", "zone") or (is_me(expr) and sp.you)
    return not you and sp.type_of(expr).name != "?" and sp.bound.isdisjoint(slots_read(expr))


def fill(sp: Speaker, expr: Expr, label: str = "") -> Template:
    """An argument: its value if that will be known, to everybody; otherwise its phrase."""
    if sp.values and _will_be_known(sp, expr):
        return ((expr, str(sp.type_of(expr))),)
    if not sp.values and (words := _stand_in(sp, expr, label)):
        return (words,)
    said = sp.noun(expr)
    long = form_of(expr) in ("+", "-", "*", "if", "div", "mod") or is_kept_to(expr)
    return joined("(", said, ")") if long and label else said


def _stand_in(sp: Speaker, expr: Expr, label: str) -> str:
    """Words for an argument without a phrase: `a way of your choice`; else empty."""
    if expr[-1] is Unsaid.CHOICE:
        return f"{word.with_article(word.spaced(label))} of your choice"
    if expr[-1] is Unsaid.GIVEN:
        return f"a given {word.spaced(label)}"
    if expr[0] != "slot" or not label or expr[1] in sp.named or label in _QUESTIONS:
        return ""
    # An option, such as a direction, is not called by a variable's name.
    type_, noun = sp.type_of(expr), sp.glossary.noun(sp.type_of(expr))
    is_option = type_.name in sp.glossary.symbols.enums
    return (
        f"that {noun if label == 'key' else word.called(word.spaced(label), noun)}"
        if is_option
        else ""
    )


def is_kept_to(expr: Expr) -> bool:
    """Whether an expression is a bounded sum, which needs brackets."""
    match expr:
        case ("each", "highest" | "lowest", None, _, ("list", one, other), None):
            forms = {one[0], other[0]}
            return bool(forms & {"value", "setting"}) and bool(forms & {"+", "-", "*", "div"})
    return False


# ------------------------------------------------------------------- which option, and how many of what


def with_option(
    sp: Speaker, option: Expr, words: Template, head: str, tail: str
) -> tuple[Template, str] | None:
    """`dice of that colour` for an unknown option before a noun, and the text after it; else None."""
    thing = "" if sp.values else _noun_at(tail)
    if not thing:
        return None
    said, rest = opening(words[-1:]), tail[len(thing) + 1 :]
    if said in ("that sort", "that kind"):
        return joined(words, " of"), tail
    if said == f"that {thing}":
        return (f"that sort of {thing}",), rest
    named = _named_option(sp, option, words) if sp.glossary.is_noun(thing) else ()
    if not named and said.startswith("that ") and head.endswith((" a ", " an ")):
        named = words
    return (joined(f"{thing} of ", named), rest) if named else None


def _noun_at(tail: str) -> str:
    """The noun right behind a hole; empty for any other word."""
    found = first_letters(tail[1:]) if tail.startswith(" ") else ""
    return found if found.islower() and found not in word.LINKS else ""


def _named_option(sp: Speaker, option: Expr, words: Template) -> Template:
    """The phrase of an option not known yet, by its kind; else empty."""
    enums = sp.glossary.symbols.enums
    if option[0] == "value":
        kinds = (sp.glossary.noun(Type(one)) for one in enums)
        found = (
            word.with_article(one) for one in kinds if option[1] in (one, word.with_article(one))
        )
        return tuple(found)[:1]
    type_ = sp.type_of(option)
    if type_.name not in enums:
        return ()
    return (f"that {sp.glossary.noun(type_)}",) if option[0] == "slot" else words


def _not_yet_known(sp: Speaker, amount: Expr, tail: str) -> str | None:
    """`some` for a number from an event, `any colour` for an option; None for anything else."""
    if amount[0] != "slot" or amount[1] not in sp.fresh:
        return None
    type_ = sp.type_of(amount)
    if type_ == INT and re.match(r" (?!is |are |was |has |comes )[\w{]", tail):
        least = sp.variable(amount[1]).least
        return f"{least} or more" if least else "some"
    if type_.name in sp.glossary.symbols.enums:
        return "" if _NOUN.match(tail) else f"any {sp.glossary.noun(type_)}"
    return None


def _quantity(
    sp: Speaker, words: Template, amount: Expr, head: str, tail: str, args: Mapping[str, Expr]
) -> tuple[Template, str]:
    """A number of things or an amount of something, and the text after it: `1 lamp`, `that much EI`."""
    things = word.THINGS.match(tail)
    if things and amount == ("value", 1) and not head.endswith("than "):
        return words, _of_one(sp, things)
    if sp.values:
        return words, tail
    if not things and (much := _measured(sp, amount, head, tail)):
        return (much,), tail
    noun = things or _UNIT.match(tail)
    if noun is not None and (said := _with_noun(sp, words, amount, head, noun, args)):
        return said, tail[noun.end() :]
    unclear = things and opening(words).startswith(_LISTS)
    return (joined("(", words, ")") if unclear else words), tail


def _of_one(sp: Speaker, things: re.Match[str]) -> str:
    """The text after a 1: ` lamp`, with its verb in the singular."""
    tail, rest = things.string, things.string[things.end() :]
    several = known_plural(tail[1:], sp.glossary.singular_of)
    if " " in several:  # the author counts it with its verb
        return tail.replace(several, sp.glossary.singular_of(several), 1)
    rest = _SEVERAL_DO.sub(lambda verb: f" {word.third_person(verb[1])}", rest, count=1)
    option = f"{{{things['option']}}} " if things["option"] else ""
    return f" {option}{word.singular(things['things'])}{rest}"


def _with_noun(
    sp: Speaker,
    words: Template,
    amount: Expr,
    head: str,
    noun: re.Match[str],
    args: Mapping[str, Expr],
) -> Template:
    """A number together with its noun, a plural or a unit; empty if they only follow each other."""
    what, several = _with_holes(sp, noun[0][1:], args), "things" in noun.groupdict()
    if several and (counted := _counted(sp, amount, what)):
        return counted
    if noun[noun.lastindex or 0] in leading_words(words):
        return words  # `the PI that the card brings`, not `... PI`
    rest = noun.string[noun.end() :]
    if (several or _GAINED.search(head)) and _is_phrase(sp, amount, words, rest):
        # `as many charges as the level of the mage`, for a number given by a phrase
        return joined("as many " if several else "as much ", what, " as ", words)
    return ()


def _is_phrase(sp: Speaker, amount: Expr, words: Template, rest: str) -> bool:
    """Whether a number is given by a phrase, and a clause ends after its noun."""
    named = opening(words).startswith(("the ", "your "))
    return named and sp.type_of(amount).present == INT and re.match(_END, rest) is not None


def _counted(sp: Speaker, amount: Expr, things: Template) -> Template:
    """`that many pips` for a number with a name or below 0, `an hour` for 600 rounds; else empty."""
    if amount[0] == "value":
        return _so_long(sp, amount, opening(things))
    if form_of(amount) == "negative":
        return joined("as many ", things, " as ", sp.noun(amount[1]), " is below 0")
    return joined("that many ", things) if _has_a_name(sp, amount) else ()


def _so_long(sp: Speaker, amount: Expr, things: str) -> Template:
    """`an hour` for 600 rounds if a setting is called `rounds in a minute`; else empty."""
    for name, unit in sp.glossary.lengths_of_time(things) if amount[0] == "value" else ():
        value = sp.settings.get(name)
        if type(value) is type(amount[1]) is int:
            number, rest = divmod(amount[1], max(1, value))
            return (word.lasting(number, unit),) if number > 1 and not rest else ()
    return ()


def _has_a_name(sp: Speaker, amount: Expr) -> bool:
    """Whether a number has a name, not just a letter."""
    if amount[0] != "slot" or sp.type_of(amount).present != INT:
        return False
    return len(sp.variable(amount[1]).said) != 1


def _measured(sp: Speaker, amount: Expr, head: str, tail: str) -> str:
    """`that much` or `that many`, where the text around a number with a name bears it; else empty."""
    if not _has_a_name(sp, amount):
        return ""
    nameless = word.is_amount(sp.variable(amount[1]).name)
    if nameless and head.endswith(("at most ", "up to ")) and re.match(_END, tail):
        return "that many"
    return "that much" if _UNIT.match(tail) or re.match(" (?:more|less) ", tail) else ""


def _sized(sp: Speaker, name: str, unit: str, amount: Expr) -> Template:
    """The size in `a {size}-pip piece`, if not a number: `with 1 more pip`."""
    label, units = word.spaced(name), word.plural(unit)
    match amount:
        case ("value", str()):
            return (f"of a given {label}",)
        case ("slot", slot) if slot in sp.fresh or word.spaced(sp.variable(slot).name) == label:
            return (f"of {'some' if slot in sp.fresh else 'that'} {label}",)
        case ("+" | "-" as op, (("field" | "static"), field, _), by) if field.endswith(f".{units}"):
            more = "more" if op == "+" else "fewer"
            return joined("with ", sp.noun(by), f" {more} {unit if by == ('value', 1) else units}")
    said = sp.noun(amount)
    same = leading_words(said) == (units,)
    return joined(f"with as many {units}", "" if same else " as ", () if same else said)


# ---------------------------------------------------------------------------------- turned round

# An operation with a negative amount, or with no, is rendered as its opposite.
_NOTHING: Expr = ("value", False)
_TURNED = {"go into": "leave", "come into": "leave", "are put into": "are taken from"}
_LESS = (
    (re.compile(r"\{(\w+)\} more\b"), " more", " less"),
    (re.compile(r"\bmoves by \{(\w+)\}"), "moves", "moves back"),
    *((re.compile(rf"^\{{(\w+)\}} [a-z]+ {goes}\b"), goes, back) for goes, back in _TURNED.items()),
)


def turned_round(english: str, values: dict[str, Expr]) -> str:
    """The English for a negative amount, made positive in `values`: `3 coins leave the bowl`."""
    for pattern, more, less in _LESS:
        place = pattern.search(english)
        amount = values.get(place[1], _NOTHING) if place is not None else _NOTHING
        below = amount[0] == "value" and type(amount[1]) is int and amount[1] < 0
        if place is not None and (below or amount[0] == "negative"):
            values[place[1]] = ("value", -amount[1]) if below else amount[1]
            return english.replace(place[0], place[0].replace(more, less), 1)
    return english


def undone_words(english: str) -> str:
    """The negation of an operation's English, for a flag set to no: `{who} no longer hides`."""
    doer = re.fullmatch(
        r"((?:let [^{}]*)?\{\w+\}(?: is| are)?) (?!(?:and|to|from|of)\b)(.+)", english
    )
    if doer is not None:
        return f"{doer[1]} no longer {doer[2]}"
    thing = re.fullmatch(r"let (an? [a-z]+) ([a-z]+)(.*)", english)
    if thing is not None:
        return f"{thing[1]} no longer {word.third_person(thing[2])}{thing[3]}"
    again = "it is no longer so that " if word.is_statement(english) else "no longer "
    return again + english
