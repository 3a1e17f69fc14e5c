"""Phrases in the making, and the context in which they are worded.

A phrase is a template of the program: texts, and holes for values. In the reason of a refusal
everything that can be evaluated is a hole; in rules texts only variables are, until `realised`
decides between `the piece` and `it`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

from ruleloom.compiler.english.glossary import Glossary
from ruleloom.compiler.english.parts import (
    IT,
    joined,
    linked,
    opening,
    places_of,
    without_opening,
)
from ruleloom.compiler.english.word import (
    begins_with_noun,
    called,
    is_amount,
    lasting,
    plural,
    spaced,
    third_person,
    with_article,
)
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr import form_of, slots_read
from ruleloom.runtime.program.expr_types import type_of
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import BOOL, EMPTY, INT, TEXT, UNKNOWN, Type


class Unsaid(StrEnum):
    """What stands in an expression for a value of which nothing more can be said."""

    CHOICE = "your choice"
    """An answer that is told in the place where it is used: `a way of your choice`."""
    GIVEN = "a given number"
    """A number that is handed in: `a given size`."""
    EITHER = "yes or no"
    """An answer that is handed in: what depends on it is told both ways."""


ANSWER = "answer"
"""What somebody has answered to a question of yes or no."""


@dataclass(frozen=True, slots=True)
class Variable:
    """A local variable: its name, the type of what it holds, and what it says when it is yes,
    or is called if it is no answer."""

    name: str
    type: Type
    said: str = ""
    least: int = 0
    """The least that it can be, where it is a number that an event brings."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Puts expressions into words.

    `variables` are the locals by slot, `settings` the values in force (empty: they are holes);
    with `values`, holes are filled in play. `you`: is `me` addressed? `bound` are the slots of
    things looked at one by one.
    """

    glossary: Glossary
    variables: Mapping[int, Variable]
    settings: Mapping[str, object]
    values: bool
    nouns: Callable[[Speaker, Expr], Template]
    clauses: Callable[[Speaker, Expr, bool], Template]
    you: bool = True
    bound: frozenset[int] = frozenset()
    attaching: bool = False
    """Is what is said to stand behind a noun, as `whose owner is not you`?"""
    named: frozenset[int] = frozenset()
    """The slots of things that go by their own name wherever they stand."""
    fresh: frozenset[int] = frozenset()
    """The slots of what an event brings and nothing has been said of: `a piece`, `some points`."""
    brief: bool = False
    """Is it told on a card, without what only the machine has to know?"""

    def noun(self, expr: Expr) -> Template:
        """An expression as a noun phrase."""
        return self.nouns(self, expr)

    def clause(self, expr: Expr, denied: bool = False) -> Template:
        """A condition as a statement, or as its opposite."""
        return self.clauses(self, expr, denied)

    def binding(self, slot: int) -> Speaker:
        """The same speaker, while it looks at things one by one."""
        return replace(self, bound=self.bound | {slot})

    def variable(self, slot: int) -> Variable:
        """A local variable."""
        return self.variables.get(slot) or Variable("it", TEXT)

    def type_of(self, expr: Expr) -> Type:
        """What kind of value a lowered expression has."""
        return type_among(self.variables, expr, self.glossary)


def type_among(variables: Mapping[int, Variable], expr: Expr, words: Glossary) -> Type:
    """The type of a lowered expression over these variables; that of an empty list is unknown."""
    slots = {slot: one.type for slot, one in variables.items()}
    found = type_of(expr, slots, words.declared)
    return UNKNOWN if found == EMPTY else found


def is_me(expr: Expr) -> bool:
    """Is this the player who acts, or whoever bears an ability: the one who is spoken to?"""
    return expr == ("scope", "me") or expr[0] == "bearer"


# How a list begins before which no article can stand.
_WITHOUT_ARTICLE = re.compile("(?:your|its|their|those|others(?! who| that)|everybody|who|what) ")


@dataclass(frozen=True, slots=True)
class Group:
    """A list in words; `plural` has no article, `singular` is empty where the wording has none."""

    plural: Template
    singular: Template
    tail: Template = ()
    only: bool = False
    """Is it one thing at most, `the first of the pieces`?"""

    def described(self, how: str) -> Group:
        """The list with an adjective before its noun."""
        plural, singular = (joined(f"{how} ", one) for one in (self.plural, self.singular))
        return replace(self, plural=plural, singular=singular)

    @property
    def owned(self) -> bool:
        """Does it begin with `your` or `everybody`, so that it takes no article?"""
        return bool(_WITHOUT_ARTICLE.match(opening(self.plural)))

    @property
    def whole(self) -> Template:
        """The list itself: `the pieces on 0/1`."""
        return joined("" if self.owned else "the ", self.plural)

    @property
    def one(self) -> Template:
        """Any one of it: `a piece on 0/1`, `one of your pieces`."""
        head = opening(self.singular)
        if head:
            return joined(with_article(head), self.singular[1:], self.tail)
        return self._with("a ", "one of ")

    @property
    def every(self) -> Template:
        """Each of it."""
        return self._with("every ", "each of ")

    @property
    def any(self) -> Template:
        """Whichever of it."""
        return self._with("any ", "any of ")

    @property
    def none(self) -> Template:
        """Not one of it."""
        return self._with("no ", "none of ")

    def _with(self, determiner: str, before_list: str) -> Template:
        if self.singular:
            return joined(determiner, self.singular, self.tail)
        return self.whole if self.only else joined(before_list, self.whole)


_MANY = {"is one of": "are among", "is": "are", "has": "have", "does": "do", "stands": "stand"}
_TAIL = re.compile(rf"( that| who) ({'|'.join(_MANY)}) ")


def plural_tail(tail: Template) -> Template:
    """A relative clause behind a plural: `that is empty` as `that are empty`."""
    head = _TAIL.sub(lambda found: f"{found[1]} {_MANY[found[2]]} ", opening(tail), count=1)
    if not _TAIL.match(opening(tail)):
        head = opening(tail).replace("such that it ", "such that each ")
    if head.endswith("such that ") and tail[1:2] == (IT,):
        return joined(head, "each", tail[2:])
    return joined(head, tail[1:]) if head else tail


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


def not_yet_known(sp: Speaker, amount: Expr, tail: str) -> str | None:
    """`some` for a number that an event brings, `any colour` for an option; None for the rest."""
    if amount[0] != "slot" or amount[1] not in sp.fresh:
        return None
    type_ = sp.type_of(amount)
    if type_ == INT and re.match(r" (?!is |are |was |has |comes )[\w{]", tail):
        least = sp.variable(amount[1]).least
        return f"{least} or more" if least else "some"
    if type_.name in sp.glossary.symbols.enums:
        return "" if begins_with_noun(tail) else f"any {sp.glossary.noun(type_)}"
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
    counted = re.escape(opening(things))
    if (
        counted
        and said
        and re.match(rf"(?:the |your |its )?(?:\w+ )?(?:of )?{counted}\b", opening(said))
    ):
        return said  # `the rounds of a day` need not be told to be rounds
    ends = counted and said and isinstance(said[-1], str) and amount[0] in ("field", "static")
    return said if ends and re.search(rf" {counted}$", str(said[-1])) else ()


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


# The verb of a clause behind a plural.
_OF_ONE = {"are": "is", "have": "has", "do": "does"}
_PLURAL_VERB = re.compile(
    r"\b(that|who|which) (are|have|do|act|belong|bring|carry|come|count|face|fit|help|hold|know|"
    r"last|lie|match|need|own|run|stand|suit|take|use|wait|want|wear)\b"
)


def group_worded(phrase: Template, one: str, several: str) -> Group:
    """The group behind a phrase of the author's, `the pieces on {at}`."""
    if not opening(phrase):
        return Group(phrase, ())
    head = opening(phrase)
    # Of `all pieces`, those that can be taken one by one are simply `the pieces`.
    head = re.sub(rf"^(?:the )?all (?:the )?(?={re.escape(several)}\b)", "the ", head)
    phrase = joined(head, phrase[1:])
    if not head.startswith("the "):
        return Group(phrase, ())
    things = without_opening(phrase, "the ")
    found = re.match(rf"((?:[\w-]+ ){{0,2}}?)({re.escape(several)})\b(?! and )", opening(things))
    if found is None or " and " in found[1]:
        return Group(things, ())
    rest = _PLURAL_VERB.sub(
        lambda verb: f"{verb[1]} {_OF_ONE.get(verb[2]) or third_person(verb[2])}",
        opening(things)[found.end() :],
        count=1,
    )
    return Group(things, joined(found[1], one, rest, things[1:]))


# A verb at the end, whose object the thing is: `can target`, `alone occupies`.
_VERB = re.compile(
    r"(?!.*\b(?:is|are|not|than|most|least|that|plus|minus)\b).*\b(?:(?:can|may|must|you) \w+|\w*[a-z]s) "
)
# What the thing has: `the owner of `, `reach of `; not `a few of `.
_OWN = re.compile(
    r"(?:the (?=[\w ]+ of )"
    r"|(?!(?:an?|one|no|none|all|any|each|every|some|most|part|what|how) )(?=\w+( \w+)? of $))"
    r"([\w ]+) of "
)
_THERE = r"there (?:is|are) "
_PREPOSITION = r" (on|in|at|of|for|to|from|under|beside|with|by)$"


def behind(forms: Sequence[Template]) -> Template:
    """Several conditions behind a noun: ` that is here and is not asleep`."""
    found = list(forms[:1])
    for before, form in pairwise(forms):
        same = opening(form).startswith(" that is ") and opening(before).startswith(" that is ")
        found.append(without_opening(form, " that") if same else form)
    return linked(found, ",", " and")


def attached(sp: Speaker, clause: Template, slot: int) -> Template | None:
    """The clause as a relative one, if it begins or ends with its only mention of the thing."""
    holes = places_of(clause, slot)
    person = sp.variable(slot).type.name == "Player"
    if len(holes) != 1 or re.search(", (or|and) ", opening(clause[1:])):
        return None
    at = holes[0]
    if at == 0:
        return _headed_by_it(clause[1:], " who" if person else " that")
    before = clause[at - 1]
    if not isinstance(before, str):
        return None
    if at == 1 and (own := _OWN.fullmatch(before)):
        owned = "'s ".join(reversed(own[2].split(" of the ")))
        return joined(f" whose {owned}", clause[2:])
    return _fronted(clause[:-2], before, person) if at == len(clause) - 1 else None


def _headed_by_it(rest: Template, pronoun: str) -> Template | None:
    """The relative clause of what begins with the thing: ` that is red`, ` of the hero that is 0`;
    none of what only speaks of it and of something else."""
    if opening(rest).startswith(" and "):
        return None
    verb = rest[2] if len(rest) > 2 and rest[0] == " of " else ""
    if isinstance(verb, str) and re.match(r" (?:is|was|has) ", verb):
        return joined(" of ", rest[1:2], pronoun, rest[2:])
    return joined(pronoun, rest)


def _fronted(head: Template, last: str, person: bool) -> Template | None:
    """The relative clause made by moving the object in front: ` on which a piece stands`."""
    words = last.rstrip()
    there = re.match(_THERE, opening(head)) or re.match(_THERE, last)
    if there and words.endswith(" of"):  # `with no cards in the hand`
        whole = joined(head, words.removesuffix(" of"))
        return joined(" with ", without_opening(whole, there[0]))
    if found := re.search(_PREPOSITION, words):
        pronoun = "whom" if person else "which"
        return joined(f" {found[1]} {pronoun} ", head, words[: found.start()])
    if _VERB.fullmatch(last):
        return joined(" whom " if person else " that ", head, words)
    return None


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


def stands_before_noun(sp: Speaker, phrase: Template, slot: int) -> bool:
    """Is an option named only before its own noun, as in `red dice`?"""
    type_ = sp.type_of(("slot", slot))
    if type_.name not in sp.glossary.symbols.enums:
        return False
    noun = f" {sp.glossary.noun(type_)}"
    behind = [phrase[at + 1 : at + 2] for at in places_of(phrase, slot)]
    return all(opening(one).startswith(noun) for one in behind)


def is_left_at_that(sp: Speaker, amount: Expr, rest: str) -> bool:
    """Is an amount a number behind whose things nothing more is said of them?"""
    number = not sp.values and sp.type_of(amount).present == INT
    return number and re.match(r"$|[.,;:)]| on the next", rest) is not None
