"""Templates of phrases: texts and holes, joined and realised as words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from ruleloom.compiler.english.glossary import Glossary, Variable, type_among
from ruleloom.compiler.english.word import (
    PRONOUNS,
    SingularOf,
    fitted,
    led,
    nothing_counted,
    third_person,
    unrepeated,
    with_article,
)
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import TEXT, Type

Hole = tuple[Expr, str]
Part = str | Hole

# `it` for the bound thing; nothing else may then be called `it`. Like the next one, it is a hole that
# is filled when the phrase is finished.
IT: Hole = (("it",), "")
# The hole between an owner and its possession, until the owner is known to be `the piece` or `it`.
POSSESSIVE: Hole = (("possessive",), "")


def joined(*pieces: str | Template) -> Template:
    """Texts and templates as one template, with adjacent texts merged."""
    parts: list[Part] = []
    for piece in pieces:
        for part in (piece,) if isinstance(piece, str) else piece:
            if isinstance(part, str) and parts and isinstance(parts[-1], str):
                parts[-1] += part
            elif part != "":
                parts.append(part)
    return tuple(parts)


def enumerated(phrases: Sequence[Template], word: str) -> Template:
    """Several phrases as `a, b and c`."""
    return linked(phrases, ", ", f" {word} ")


def linked(phrases: Sequence[Template], link: str, last: str) -> Template:
    """Several phrases joined by `link`, with `last` before the last one."""
    pieces: list[str | Template] = []
    for number, phrase in enumerate(phrases):
        if number:
            pieces.append(last if number == len(phrases) - 1 else link)
        pieces.append(phrase)
    return joined(*pieces)


def opening(phrase: Template) -> str:
    """The text at the start of a phrase; empty if it begins with a hole."""
    return phrase[0] if phrase and isinstance(phrase[0], str) else ""


def says(phrase: Template, words: str) -> bool:
    """Do these words stand in the texts of a phrase?"""
    return any(isinstance(part, str) and words in part for part in phrase)


def without_opening(phrase: Template, head: str) -> Template:
    """A phrase without its opening `head`."""
    return joined(opening(phrase).removeprefix(head), phrase[1:]) if opening(phrase) else phrase


def in_other_words(clause: Template, slot: int, words: str | Template) -> Template:
    """A clause with a variable replaced."""
    words = (words,) if isinstance(words, str) else words
    said: Template = ()
    rest = list(clause)
    for at, part in enumerate(clause):
        if isinstance(part, str) or part[0] != ("slot", slot):
            said = joined(said, (rest[at],))
            continue
        tail = rest[at + 1] if at + 1 < len(rest) else ""
        if isinstance(tail, str):
            said, left = put_behind(said, words, tail)
            rest[at + 1 : at + 2] = [left]
        else:
            said = joined(said, words)
    return said


def places_of(phrase: Template, slot: int) -> list[int]:
    """The indices of a variable in a phrase."""
    hole = ("slot", slot)
    return [at for at, part in enumerate(phrase) if not isinstance(part, str) and part[0] == hole]


def fit(
    head: str, words: Template, tail: str, singular_of: SingularOf
) -> tuple[str, Template, str]:
    """The text before a hole, its words, and the text after it, adapted to each other."""
    if not "".join(map(str, words)) and head.endswith(" "):
        return head, (), tail.removeprefix(" ")
    if len(words) == 1 and isinstance(words[0], str):
        head, said, tail = fitted(head, words[0], tail, singular_of)
        return head, (said,), tail
    if opening(words):
        head, first = led(head, opening(words))
        words = joined(first, words[1:])
    if words and isinstance(words[-1], str):
        tail = unrepeated(words[-1], tail)
    return head, words, tail


def put_behind(
    phrase: Template, words: Template, tail: str, singular_of: SingularOf = nothing_counted
) -> tuple[Template, str]:
    """A phrase continued by the words of a hole, and the text after them, adapted to each other."""
    last = phrase[-1] if phrase and isinstance(phrase[-1], str) else ""
    before, words, tail = fit(last, words, tail, singular_of)
    return joined(phrase[:-1] if last else phrase, before, words), tail


def realise(
    phrase: Template,
    spoken: Callable[[Hole], str | None],
    singular_of: SingularOf = nothing_counted,
) -> Template:
    """A phrase with its holes filled in order; a hole for which `spoken` returns None stays."""
    done: list[Part] = []
    rest = list(phrase)
    for at, part in enumerate(rest):
        if isinstance(part, str):
            done.append(part)
        elif part == POSSESSIVE:
            owner = done.pop()
            done += [_possessive(owner)] if isinstance(owner, str) else [owner, "'s"]
        elif (words := spoken(part)) is None:
            done.append(part)
        else:
            before = done.pop() if at and isinstance(phrase[at - 1], str) else ""
            behind = rest[at + 1] if at + 1 < len(rest) else ""
            if behind == POSSESSIVE:
                done += led(str(before), words)
                continue
            tail = behind if isinstance(behind, str) else ""
            *found, tail = fitted(str(before), words, tail, singular_of)
            done += found
            if isinstance(behind, str) and behind:
                rest[at + 1] = tail
    return joined(*((part,) for part in done))


def _possessive(owner: str) -> str:
    return PRONOUNS.get(owner) or (f"{owner}'" if owner.endswith("s") else f"{owner}'s")


class Speaker(Frozen):
    """Renders expressions as words.

    `variables` are the locals by slot, `settings` the current values (empty: they are holes); with
    `values`, holes are filled in play. `you`: whether `me` is addressed. `bound` are the slots of
    bound variables.
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
    """Whether the clause will follow a noun, as `whose owner is not you`."""
    named: frozenset[int] = frozenset()
    """The slots of things that are always called by their own name."""
    fresh: frozenset[int] = frozenset()
    """The slots of an event's arguments not mentioned yet: `a piece`, `some points`."""
    brief: bool = False
    """Whether the text is for a card, without technical limits."""

    def noun(self, expr: Expr) -> Template:
        """An expression as a noun phrase."""
        return self.nouns(self, expr)

    def clause(self, expr: Expr, denied: bool = False) -> Template:
        """A condition as a clause, or its negation."""
        return self.clauses(self, expr, denied)

    def binding(self, slot: int) -> Speaker:
        """The speaker with one more bound variable."""
        return replace(self, bound=self.bound | {slot})

    def variable(self, slot: int) -> Variable:
        """The variable of a slot."""
        return self.variables.get(slot) or Variable("it", TEXT)

    def type_of(self, expr: Expr) -> Type:
        """The type of a lowered expression."""
        return type_among(self.variables, expr, self.glossary)


def is_me(expr: Expr) -> bool:
    """Whether an expression is `you`: the acting player, or the bearer of an ability."""
    return expr == ("scope", "me") or expr[0] == "bearer"


# The openings of lists that take no article.
_WITHOUT_ARTICLE = re.compile("(?:your|its|their|those|others(?! who| that)|everybody|who|what) ")


class Group(Frozen):
    """A list in words; `plural` has no article, `singular` is empty if there is none."""

    plural: Template
    singular: Template
    tail: Template = ()
    only: bool = False
    """Whether it is a single thing: `the first of the pieces`."""

    def described(self, how: str) -> Group:
        """The list with an adjective before its noun."""
        plural, singular = (joined(f"{how} ", one) for one in (self.plural, self.singular))
        return replace(self, plural=plural, singular=singular)

    @property
    def owned(self) -> bool:
        """Whether it takes no article, as with `your` or `everybody`."""
        return bool(_WITHOUT_ARTICLE.match(opening(self.plural)))

    @property
    def whole(self) -> Template:
        """The list itself: `the pieces on 0/1`."""
        return joined("" if self.owned else "the ", self.plural)

    @property
    def one(self) -> Template:
        """Any one element: `a piece on 0/1`, `one of your pieces`."""
        head = opening(self.singular)
        if head:
            return joined(with_article(head), self.singular[1:], self.tail)
        return self.determined("a ", "one of ")

    @property
    def every(self) -> Template:
        """Each element: `every piece`."""
        return self.determined("every ", "each of ")

    def determined(self, determiner: str, before_list: str) -> Template:
        """The singular after `no ` or the like, or the whole after `none of `."""
        if self.singular:
            return joined(determiner, self.singular, self.tail)
        return self.whole if self.only else joined(before_list, self.whole)


_MANY = {"is one of": "are among", "is": "are", "has": "have", "does": "do", "stands": "stand"}
_TAIL = re.compile(rf"( that| who) ({'|'.join(_MANY)}) ")


def plural_tail(tail: Template) -> Template:
    """A relative clause after a plural: `that is empty` as `that are empty`."""
    head = _TAIL.sub(lambda found: f"{found[1]} {_MANY[found[2]]} ", opening(tail), count=1)
    if not _TAIL.match(opening(tail)):
        head = opening(tail).replace("such that it ", "such that each ")
    if head.endswith("such that ") and tail[1:2] == (IT,):
        return joined(head, "each", tail[2:])
    return joined(head, tail[1:]) if head else tail


# The verb of a clause after a plural.
_OF_ONE = {"are": "is", "have": "has", "do": "does"}
_PLURAL_VERB = re.compile(
    r"\b(that|who|which) (are|have|do|act|belong|bring|carry|come|count|face|fit|help|hold|know|"
    r"last|lie|match|need|own|run|stand|suit|take|use|wait|want|wear)\b"
)


def group_worded(phrase: Template, one: str, several: str) -> Group:
    """The group for a phrase of the author's, `the pieces on {at}`."""
    if not opening(phrase):
        return Group(phrase, ())
    head = opening(phrase)
    # `all pieces` is normalized to `the pieces`.
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


# A final verb, whose object is the thing: `can target`, `alone occupies`.
_VERB = re.compile(
    r"(?!.*\b(?:is|are|not|than|most|least|that|plus|minus)\b).*\b(?:(?:can|may|must|you) \w+|\w*[a-z]s) "
)
# A possession of the thing: `the owner of `, `reach of `; not `a few of `.
_OWN = re.compile(
    r"(?:the (?=[\w ]+ of )"
    r"|(?!(?:an?|one|no|none|all|any|each|every|some|most|part|what|how) )(?=\w+( \w+)? of $))"
    r"([\w ]+) of "
)
_THERE = r"there (?:is|are) "
_PREPOSITION = r" (on|in|at|of|for|to|from|under|beside|with|by)$"


def behind(forms: Sequence[Template]) -> Template:
    """Relative clauses after a noun: ` that is here and is not asleep`."""
    found = list(forms[:1])
    for before, form in pairwise(forms):
        same = opening(form).startswith(" that is ") and opening(before).startswith(" that is ")
        found.append(without_opening(form, " that") if same else form)
    return linked(found, ",", " and")


def attached(sp: Speaker, clause: Template, slot: int) -> Template | None:
    """The relative form of a clause that begins or ends with its only mention; else None."""
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
    """The relative form of a clause that begins with the thing: ` that is red`, ` of the hero that is 0`;
    None if its subject is the thing and another one."""
    if opening(rest).startswith(" and "):
        return None
    verb = rest[2] if len(rest) > 2 and rest[0] == " of " else ""
    if isinstance(verb, str) and re.match(r" (?:is|was|has) ", verb):
        return joined(" of ", rest[1:2], pronoun, rest[2:])
    return joined(pronoun, rest)


def _fronted(head: Template, last: str, person: bool) -> Template | None:
    """The relative clause with its object in front: ` on which a piece stands`; else None."""
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


def stands_before_noun(sp: Speaker, phrase: Template, slot: int) -> bool:
    """Whether an option comes only before its noun, as in `red dice`."""
    type_ = sp.type_of(("slot", slot))
    behind = [phrase[at + 1 : at + 2] for at in places_of(phrase, slot)]
    noun = f" {sp.glossary.noun(type_)}"
    is_option = type_.name in sp.glossary.symbols.enums
    return is_option and all(opening(one).startswith(noun) for one in behind)
