"""Templates of the vocabulary with their holes filled: how many of what, of which sort, and for how long."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ruleloom.compiler.english import word
from ruleloom.compiler.english.glossary import Unsaid
from ruleloom.compiler.english.template import Speaker, is_me, joined, opening, put_behind
from ruleloom.compiler.english.word import (
    called,
    is_amount,
    lasting,
    plural,
    spaced,
    with_article,
)
from ruleloom.compiler.resolve.templates import HOLE, decided_later, with_dice
from ruleloom.runtime.program.expr import form_of, slots_read
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import OptionalPart, optional_parts
from ruleloom.runtime.program.values import BOOL, INT, Type


def with_option(
    sp: Speaker, option: Expr, words: Template, tail: str
) -> tuple[Template, str] | None:
    """`dice of that colour` for an option that is not known yet and a thing behind it."""
    thing = re.match(r" ([a-z]+)\b", tail)
    if sp.values or thing is None or not sp.glossary.is_noun(thing[1]):
        return None
    named = _named_option(sp, option, words)
    return (joined(f"{thing[1]} of ", named), tail[thing.end() :]) if named else None


def _named_option(sp: Speaker, option: Expr, words: Template) -> Template:
    """An option that is not known yet, by its kind; empty for one that is, and for all else."""
    enums = sp.glossary.symbols.enums
    if option[0] == "value":
        kinds = (sp.glossary.noun(Type(one)) for one in enums)
        found = (with_article(one) for one in kinds if option[1] in (one, with_article(one)))
        return tuple(found)[:1]
    type_ = sp.type_of(option)
    if type_.name not in enums:
        return ()
    return (f"that {sp.glossary.noun(type_)}",) if option[0] == "slot" else words


# `that sort damage` is damage of that sort.
_BEFORE_NOUN = re.compile(
    r" (?!(?:and|are|as|at|by|comes|for|from|has|in|is|of|on|or|to|with)\b)[a-z]+"
)


def of_that_sort(words: Template, head: str, tail: str) -> tuple[Template, str] | None:
    """`damage of that sort`, for a noun behind an option that has been named."""
    said = words[-1] if words and isinstance(words[-1], str) else ""
    what = _BEFORE_NOUN.match(tail)
    if not said.startswith("that ") or what is None:
        return None
    if said in ("that sort", "that kind"):
        return joined(words, " of"), tail
    if head.endswith((" a ", " an ")):
        return joined(f"{what[0].strip()} of ", words), tail[what.end() :]
    return None


# A noun behind its hole, as in `{colour} dice`, and no word that links the hole to others.
_NOUN = re.compile(
    r" (?!(?:of|from|to|by|in|on|for|and|or|against|with|at|as|than|if|when|but|into|onto|over|under)\b)\w"
)
# A number that brackets keep together: `the smaller of 3 and the rank`.
_LISTS = ("the smaller of ", "the smallest of ", "the larger of ", "the largest of ")


def not_yet_known(sp: Speaker, amount: Expr, tail: str) -> str | None:
    """`some` for a number that an event brings, `any colour` for an option; None for the rest."""
    if amount[0] != "slot" or amount[1] not in sp.fresh:
        return None
    type_ = sp.type_of(amount)
    if type_ == INT and re.match(r" (?!is |are |was |has |comes )[\w{]", tail):
        least = sp.variable(amount[1]).least
        return f"{least} or more" if least else "some"
    if type_.name in sp.glossary.symbols.enums:
        return "" if _NOUN.match(tail) else f"any {sp.glossary.noun(type_)}"
    return None


def so_long(sp: Speaker, amount: Expr, things: str) -> Template:
    """`an hour` for 600 rounds where a setting is called `rounds in a minute`; else nothing."""
    if amount[0] != "value":
        return ()
    for name, unit in sp.glossary.lengths_of_time(things):
        value = sp.settings.get(name)
        if type(value) is type(amount[1]) is int:
            number, rest = divmod(amount[1], max(1, value))
            return (lasting(number, unit),) if number > 1 and not rest else ()
    return ()


def so_many(sp: Speaker, amount: Expr, things: Template) -> Template:
    """`that many pips` for a number that has a name, or how far one is below 0; else nothing."""
    if form_of(amount) == "negative" and amount[1][0] != "value":
        return joined("as many ", things, " as ", sp.noun(amount[1]), " is below 0")
    if _has_a_name(sp, amount):
        return joined("that many ", things)
    said = sp.noun(amount) if form_of(amount) not in ("+", "-", "*", "if", "div", "each") else ()
    return said if said and _says_of_what(said, opening(things), amount) else ()


def _says_of_what(said: Template, things: str, amount: Expr) -> bool:
    """Does a number say itself what it is of: `the rounds of a day` need not be told to be rounds?"""
    counted = re.escape(things)
    if things and re.match(rf"(?:the |your |its )?(?:\w+ )?(?:of )?{counted}\b", opening(said)):
        return True
    last = said[-1] if things and amount[0] in ("field", "static") else ""
    return isinstance(last, str) and re.search(rf" {counted}$", last) is not None


def as_many(words: Template, things: Template) -> Template:
    """`as many charges as the level of the mage`, for a number that only a phrase tells."""
    known = opening(words).startswith(("the ", "your "))
    return joined("as many ", things, " as ", words) if known else ()


def _has_a_name(sp: Speaker, amount: Expr) -> bool:
    """Is it a number that goes by a name, and not by a letter?"""
    if amount[0] != "slot" or sp.type_of(amount).present != INT:
        return False
    return len(sp.variable(amount[1]).said) != 1


def so_much(
    sp: Speaker, words: Template, amount: Expr, head: str, tail: str
) -> tuple[Template, str]:
    """`that much EI` for a number that has a name, before what is no plural; `up to that many`."""
    known = _has_a_name(sp, amount) and not sp.values
    nameless = known and is_amount(sp.variable(amount[1]).name)
    if nameless and head.endswith(("at most ", "up to ")) and re.match(r"$|[.,;:)]", tail):
        return ("that many",), tail
    unit = _UNIT.match(tail)
    if known and (unit or re.match(" (?:more|less) ", tail)):
        return ("that much",), tail
    if unit and not sp.values and says_itself(words, unit[1]):
        return words, tail[unit.end() :]  # `the PI that the card brings`, not `... PI`
    return (words, tail) if sp.values else _as_much(words, head, tail)


# What a number measures: ` EI`, ` rain`; no verb stands there, and nothing that links words.
_UNIT = re.compile(
    r" ([A-Z][A-Za-z]|(?!(?:and|are|as|at|back|besides|but|by|can|could|for|from|if|in|into|is|less|"
    r"may|more|must|of|off|on|or|out|over|so|than|that|then|times|to|under|until|up|when|where|"
    r"which|while|who|with|without|[a-z]+er)\b)[a-z]+(?:[^\Ws]|ss)(?![\w-]| [a-z]+s\b))\b"
)


def _as_much(words: Template, head: str, tail: str) -> tuple[Template, str]:
    """`loses as much nerve as the strain of the day`, for an amount that only a phrase tells."""
    lost = re.match(r" (?!back\b)([a-z]+)(?=$|[.,;:)])", tail) if _GAINED.search(head) else None
    if lost is None or not opening(words).startswith(("the ", "your ")):
        return words, tail
    return joined(f"as much {lost[1]} as ", words), tail[lost.end() :]


# A verb before how much of something.
_GAINED = re.compile(r"\b(?:lose|gain|take|suffer|get)s? $")


def says_itself(words: Template, unit: str) -> bool:
    """Does a phrase begin with the very thing of which it says how much: `the PI that ...`?"""
    head = opening(words) if isinstance(words[0], str) else "".join(map(str, words[2:3]))
    return re.match(rf"(?:the|your|its)?(?: [a-z]+)? ?\b{unit}\b", head) is not None


def sized(sp: Speaker, name: str, unit: str, amount: Expr) -> Template:
    """`a {size}-pip piece` behind its noun, where the size is no number: `with 1 more pip`."""
    match amount:
        case ("value", str()):
            return (f"of a given {spaced(name)}",)
        case ("slot", slot) if slot in sp.fresh:
            return (f"of some {spaced(name)}",)
        case ("slot", slot) if spaced(sp.variable(slot).name) == spaced(name):
            return (f"of that {spaced(name)}",)
        case (("+" | "-") as op, (("field" | "static"), field, _), by) if field.endswith(
            f".{plural(unit)}"
        ):
            more = "more" if op == "+" else "fewer"
            units = unit if by == ("value", 1) else plural(unit)
            return joined("with ", sp.noun(by), f" {more} {units}")
        case (("field" | "static"), field, _) if field.endswith(f".{plural(unit)}"):
            return (f"with as many {plural(unit)}",)
    return joined(f"with as many {plural(unit)} as ", sp.noun(amount))


def keyed(sp: Speaker, name: str, key: Expr, words: Template, tail: str) -> Template:
    """The key of a table, `that colour`; before a noun of its own sort, `that sort`."""
    if name != "key" or key[0] != "slot" or words == () or not str(words[0]).startswith("that "):
        return words
    noun = sp.glossary.noun(sp.type_of(key))
    return (f"that {'sort' if tail.startswith(f' {noun}') else noun}",)


def unrepeated(head: str, words: Template) -> str:
    """A text before a hole without the noun that the hole says itself: `row` of `the lamp's row`."""
    noun = re.search(r"\b([a-z]+) $", head)
    if noun is None or noun[1] in _NO_NOUNS or not words:
        return head
    said = words[0] if isinstance(words[0], str) else "".join(map(str, words[2:3]))
    summed = any(isinstance(one, str) and re.search(" (?:plus|minus|times) ", one) for one in words)
    again = not summed and re.match(rf"(?:the|your|its)? ?{noun[1]}\b", said)
    if not again:
        return head
    rest = head[: noun.start()]
    return f"{rest}with " if rest.endswith(", ") else rest  # `..., facing {way}`


def is_kept_to(expr: Expr) -> bool:
    """Is it a sum within a bound, which other words around it would tear apart?"""
    match expr:
        case ("each", "highest" | "lowest", None, _, ("list", one, other), None):
            forms = {one[0], other[0]}
            return bool(forms & {"value", "setting"}) and bool(forms & {"+", "-", "*", "div"})
    return False


_NO_NOUNS = ("a", "an", "the", "of", "to", "that")


_QUESTIONS = ("which", "what", "who", "whom", "of", "for", "with", "by", "at", "to", "against")


_THEIRS = re.compile(r"(\{(\w+)\} [^{},;.]*\b)their\b")


def of_you(sp: Speaker, text: str, args: Mapping[str, Expr]) -> str:
    """A template in which `their` is `your` where it is you who act: `you push your luck`."""
    owner = _THEIRS.match(text)
    if owner is not None and sp.you and is_me(args.get(owner[2], ("value", None))):
        return f"{owner[1]}your{text[owner.end() :]}"
    return text


def is_any_option(sp: Speaker, value: Expr) -> bool:
    """Is it an option that an event brings, of which nothing has been said?"""
    fresh = value[0] == "slot" and value[1] in sp.fresh
    return fresh and sp.type_of(value).name in sp.glossary.symbols.enums


def is_given(sp: Speaker, value: Expr, unsaid: bool) -> bool | None:
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


def is_worked_out(sp: Speaker, expr: Expr) -> bool:
    """Is the value of an argument known only when the game is played, and then to everybody?"""
    if expr[0] in ("value", "zone") or (is_me(expr) and sp.you):
        return False
    return sp.type_of(expr).name != "?" and sp.bound.isdisjoint(slots_read(expr))


def stand_in(sp: Speaker, expr: Expr, label: str) -> str:
    """Words for an argument that no phrase says as well: `a way of your choice`, or none."""
    if expr[-1] is Unsaid.CHOICE:
        return f"{with_article(spaced(label))} of your choice"
    if expr[-1] is Unsaid.GIVEN:
        return f"a given {spaced(label)}"
    if expr[0] != "slot" or not label or expr[1] in sp.named or label in _QUESTIONS:
        return ""
    # Nobody calls a direction by the name of a variable.
    type_ = sp.type_of(expr)
    words = called(spaced(label), sp.glossary.noun(type_))
    return f"that {words}" if type_.name in sp.glossary.symbols.enums else ""


def is_left_at_that(sp: Speaker, amount: Expr, rest: str) -> bool:
    """Is an amount a number behind whose things nothing more is said of them?"""
    number = not sp.values and sp.type_of(amount).present == INT
    return number and re.match(r"$|[.,;:)]| on the next", rest) is not None


def filled(
    sp: Speaker, text: str, args: Mapping[str, Expr], unsaid: Collection[str] = ()
) -> Template:
    """A template of the vocabulary with its holes filled; `unsaid` are left to their defaults."""
    phrase: Template = ()
    end = 0
    text = of_you(sp, text, args)
    for part in optional_parts(text):
        before, end = text[end : part.start], part.end
        value = args.get(part.name, ("value", None))
        unheard = not part.otherwise and is_any_option(sp, value)
        given = False if unheard else is_given(sp, value, part.name in unsaid)
        chosen: str = part.given if given else part.otherwise
        later: Template = ()
        if given is None:
            chosen, later = "", _decided(sp, part, value, args, gap=before.endswith(" "))
        if (sp.values and later) or not (chosen or later or text[end : end + 1].isalnum()):
            before = before.removesuffix(" ")  # a part that is left out leaves no gap
        phrase = joined(phrase, _with_holes(sp, before + chosen, args), later)
    return joined(phrase, _with_holes(sp, text[end:].rstrip(), args))


def _decided(
    sp: Speaker, part: OptionalPart, value: Expr, args: Mapping[str, Expr], gap: bool
) -> Template:
    """A part on which a value decides while people play, or that is told both ways."""
    if sp.values:
        return (decided_later(part, value, str(sp.type_of(value)), gap),)
    return _either(sp, part, value, args)


def _either(sp: Speaker, part: OptionalPart, value: Expr, args: Mapping[str, Expr]) -> Template:
    """A part on which an answer decides that nobody knows yet."""
    given, otherwise = (_with_holes(sp, one, args) for one in (part.given, part.otherwise))
    if value[-1] is Unsaid.EITHER:
        return joined(given, " or ", otherwise) if given and otherwise else ()
    if otherwise:
        return joined(_only_if(sp, given, value), ", otherwise ", otherwise)
    itself = sp.clause(value) == (opening(given).strip(" ,;"),)
    return joined(given, " or not") if itself else _only_if(sp, given, value)


def _only_if(sp: Speaker, given: Template, value: Expr) -> Template:
    """A part that is read if an answer is yes; the condition goes into a bracket at its end."""
    inside = given and isinstance(given[-1], str) and given[-1].endswith(")")
    head = joined(given[:-1], given[-1][:-1]) if inside else given
    return joined(head, " if ", sp.clause(value), ")" if inside else "")


def _with_holes(sp: Speaker, text: str, args: Mapping[str, Expr]) -> Template:
    done: Template = ()
    rest = with_dice(text, args, sp.fresh)
    while (hole := HOLE.search(rest)) is not None:
        head, tail = rest[: hole.start()], rest[hole.end() :]
        words, rest = _counting(sp, hole[1], head, tail, args)
        head = head if sp.values else unrepeated(head, words)
        if words == ("you",) and head == " of " and not _is_fresh(sp, done[-1:]):
            done, rest = joined(done[:-1], "your ", done[-1:]), tail
            continue
        done, rest = put_behind(joined(done, head), words, rest, sp.glossary.singular_of)
    return joined(done, rest)


def _is_fresh(sp: Speaker, last: Template) -> bool:
    """Does a phrase end with text, or with a thing that goes by an article of its own?"""
    fresh = {(slot,) for slot in sp.fresh | sp.bound | sp.named}
    return any(isinstance(one, str) or one[0][1:] in fresh for one in last)


def _counting(
    sp: Speaker, name: str, head: str, tail: str, args: Mapping[str, Expr]
) -> tuple[Template, str]:
    """The words of a hole, and the text behind it: `{n} cards` counts, `{n}-pip piece` measures."""
    words, amount = _hole(sp, name, args), args.get(name, ("value", ""))
    if not sp.values:
        words = keyed(sp, name, amount, words, tail)
        tail = word.once(opening(words), tail)
    if not tail and head.endswith(": ") and name in args:
        words = fill(sp, amount)  # nothing follows that brackets would keep apart
    measured = re.match(r"-(\w+) (\w+)", tail)
    if measured and not _hyphenates(sp, words):
        size = sized(sp, name, measured[1], amount)
        return joined(f"{measured[2]} ", size), tail[measured.end() :]
    new = not_yet_known(sp, amount, tail)
    if new is not None:
        return (new,), tail
    told = with_option(sp, amount, words, tail) or of_that_sort(words, head, tail)
    if told is not None:
        return told
    things = word.THINGS.match(tail)
    if things is None:
        return so_much(sp, words, amount, head, tail)
    return _of_things(sp, words, amount, head, things, args)


def _of_things(
    sp: Speaker,
    words: Template,
    amount: Expr,
    head: str,
    things: re.Match[str],
    args: Mapping[str, Expr],
) -> tuple[Template, str]:
    """How many of some things: `1 lamp`, `that many lamps in red`."""
    tail, rest = things.string, things.string[things.end() :]
    option, several = things["option"], things["things"]
    if amount == ("value", 1) and not head.endswith("than "):
        return words, _of_one(option, several, rest)
    called = _with_holes(sp, f"{{{option}}} {several}", args) if option else (several,)
    counted = () if sp.values else so_long(sp, amount, several) or so_many(sp, amount, called)
    if not counted and is_left_at_that(sp, amount, rest):
        counted = as_many(words, called)
    if counted:
        return counted, rest
    listed = opening(words).startswith(_LISTS)
    return (joined("(", words, ")") if listed else words), tail


def _of_one(option: str | None, several: str, rest: str) -> str:
    """What stands behind a 1: ` lamp`, and what one of them does."""
    rest = _SEVERAL_DO.sub(lambda verb: f" {word.third_person(verb[1])}", rest, count=1)
    return f" {f'{{{option}}} ' if option else ''}{word.singular(several)}{rest}"


# What several things do, behind their number.
_SEVERAL_DO = re.compile(r"^ (come|go|leave|pass)\b")


def _hole(sp: Speaker, name: str, args: Mapping[str, Expr]) -> Template:
    if name in args:
        return fill(sp, args[name], name)
    if name in sp.glossary.symbols.settings:
        return sp.noun(("setting", name))
    if name in sp.glossary.symbols.scope:
        return sp.noun(("scope", name))
    return (f"the {word.spaced(name)}",)


def _hyphenates(sp: Speaker, words: Template) -> bool:
    """Can `-pip` follow? A number can, and so can a hole that will be a number."""
    only = words[0] if len(words) == 1 else ""
    return only.isdigit() if isinstance(only, str) else sp.values


def fill(sp: Speaker, expr: Expr, label: str = "") -> Template:
    """An argument: its value, where that will be known; else its words."""
    if sp.values and is_worked_out(sp, expr):
        return ((expr, str(sp.type_of(expr))),)
    words = "" if sp.values else stand_in(sp, expr, label)
    if words:
        return (words,)
    said = sp.noun(expr)
    long = form_of(expr) in ("+", "-", "*", "if", "div", "mod") or is_kept_to(expr)
    return joined("(", said, ")") if long and label else said
