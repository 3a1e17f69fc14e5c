"""Templates of phrases: texts and holes, joined and realised as words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

from ruleloom.compiler.english.glossary import Glossary, Variable, type_among
from ruleloom.compiler.english.word import (
    LINKS,
    capital,
    plain_verb,
    singular,
    third_person,
    with_article,
)
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import SINGULAR
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
    return realise(clause, lambda part: words if part[0] == ("slot", slot) else None)


def places_of(phrase: Template, slot: int) -> list[int]:
    """The indices of a variable in a phrase."""
    hole = ("slot", slot)
    return [at for at, part in enumerate(phrase) if not isinstance(part, str) and part[0] == hole]


SingularOf = Callable[[str], str]
"""Returns the singular of a plural noun of the game; empty for any other word."""
PRONOUNS = {"it": "its", "you": "your"}
# The determiners that exclude another article before them.
_DETERMINERS = ("the", "your", "its", "that", "a", "an", "every")
_LEADING = r"(?:the|of|to|from|on|in|by|with|that|and|a|an|plus|minus|times) "
# Before a hole: an article for its words, a possession of it, and a verb of which it is the subject.
_ARTICLE = re.compile(r"(?<![\w'’-])(the|an?|some|your|its) $", re.IGNORECASE)
_OWNED = re.compile(rf"\bthe ((?:(?!{_LEADING})[\w-]+ ){{0,2}}[\w-]+) of $", re.IGNORECASE)
_OF = re.compile(r"(?<! front)(?<! ahead)(?<! instead)(?<! because)(?<! out)(?<! top) of $")
_ASKED = re.compile(r"\b(has|does|is) $", re.IGNORECASE)
# After a hole: a verb that agrees with it, and the noun that it counts.
_AGREEING = re.compile(
    r" (?:(?:alone|also|only|never|always|then|still|no longer) )?"
    r"(?!(?:as|this|its|us|plus|minus|less|times)\b)([a-z]+s(?: (?:and|or) (?!its\b)[a-z]+s)?)\b"
)
# Before a hole that is no subject: the verb behind it is another's.
_AFTER = re.compile(r"\b(?:on|by|to|at|with|from|in|for|about|beside|under) $")
_COUNTED = re.compile(r" (?:(more|fewer|next|other|waiting|remaining) )?((?:[a-z]+ )*[a-z]+)\b")
_TIMES = re.compile(r" times(?= (?:\(|as |the |its |your |their |[A-Z]))")
_SAID_AGAIN = ("that", "had", "is", "it", "you")


def nothing_counted(_: str) -> str:
    """No singular for any word."""
    return ""


def leading_words(phrase: Template) -> tuple[str, ...]:
    """The words up to the head of a noun phrase: `full rating` of `the full rating of it`."""
    said = opening(phrase) or opening(phrase[2:])  # or of a possession
    for opens in ("the ", "its ", "your ", "number of ", "sort of "):
        said = said.removeprefix(opens)
    found: list[str] = []
    for one in filter(None, said.split(" ")):
        letters = first_letters(one)
        if letters in ("", *LINKS) or one[len(letters) :].startswith(("'", "’", "-")):
            break
        found.append(letters)
        if letters != one:
            break  # a comma, or a mark, ends the phrase
    return tuple(found)


def first_letters(text: str) -> str:
    """The letters at the start of a text."""
    return "".join(takewhile(str.isalpha, text))


def fit(
    head: str, words: Template, tail: str, singular_of: SingularOf = nothing_counted
) -> tuple[str, Template, str]:
    """The text before a hole, its words, and the text after it, adapted to each other; `singular_of`
    distinguishes nouns from verbs."""
    said = opening(words)
    if not words or words == ("",):
        return head, (), tail.removeprefix(" ") if head.endswith(" ") else tail
    if words[1:] == () and said in PRONOUNS:
        head, said, tail = _of_pronoun(head, said, tail, singular_of)
        return head, (said,), tail
    if said:
        head, said = led(without_echo(head, words), said)
        words = joined(said, words[1:])
    if words == ("1",):
        tail = _of_one(head, tail, singular_of)
    elif words == ("2",) and not head.endswith("most ") and (found := _TIMES.match(tail)):
        words, tail = ("twice",), tail[found.end() :]
    if isinstance(words[-1], str):
        tail = _unrepeated(words[-1], tail)
    return head, words, tail


def realise(
    phrase: Template,
    spoken: Callable[[Hole], str | Template | None],
    singular_of: SingularOf = nothing_counted,
) -> Template:
    """A phrase with its holes filled in order; a hole for which `spoken` returns None stays."""
    done: list[str | Template] = []
    head, rest = "", list(phrase)
    while rest:
        part = rest.pop(0)
        words = None if isinstance(part, str) else spoken(part)
        if words is None:
            done.append(head)
            head = part if isinstance(part, str) else ""
            done += [] if isinstance(part, str) else [(part,)]
            continue
        words = (words,) if isinstance(words, str) else words
        if rest[:1] == [POSSESSIVE] and words and isinstance(words[-1], str):
            rest.pop(0)
            words = (*words[:-1], _possessive(words[-1]))
        tail = rest.pop(0) if rest and isinstance(rest[0], str) else ""
        head, words, tail = fit(head, words, str(tail), singular_of)
        done += [head, words]
        head, rest = "", [tail, *rest] if tail else rest
    return joined(*done, head)


def _possessive(owner: str) -> str:
    return PRONOUNS.get(owner) or f"{owner}'{'' if owner.endswith('s') else 's'}"


def _of_pronoun(
    before: str, words: str, behind: str, singular_of: SingularOf
) -> tuple[str, str, str]:
    """`your hand` for the hand of `you`, `its owner` for the owner of `it`, and `you have`."""
    before = _ARTICLE.sub("", before)
    if not behind.startswith(" and "):
        if owned := _OWNED.search(before):
            return (before[: owned.start()], f"{PRONOUNS[words]} {owned[1]}", behind)
        if words == "you" and _OF.search(before):
            return (before, "yours", behind)
    if words == "you":
        if asked := _ASKED.search(before):
            plain = plain_verb(asked[1].lower())
            before = f"{before[: asked.start()]}{plain if asked[1].islower() else capital(plain)} "
        verb = _AGREEING.match(behind)
        if verb is not None and not singular_of(verb[1]) and not _AFTER.search(before):
            behind = behind[: verb.start(1)] + _plain(verb[1]) + behind[verb.end() :]
    return (before, words, behind)


def _plain(verbs: str) -> str:
    """One verb, or two of one subject, after `you`: `moves or pushes` as `move or push`."""
    return " ".join(one if one in ("and", "or") else plain_verb(one) for one in verbs.split(" "))


def led(before: str, words: str) -> tuple[str, str]:
    """The text before a phrase, and the phrase, with one article between them."""
    article = _ARTICLE.search(before)
    if article is None:
        return before, words
    first, _, rest = words.partition(" ")
    own = article[1].lower()
    if own in ("some", "your", "its"):
        stays = own == "some" and first == "the"
        return before, rest if first in ("a", "an", "the") and not stays else words
    if first in _DETERMINERS:
        return before[: article.start()], words
    if own == "a" and words[0].islower():
        return before[: article.start(1)], with_article(words)
    return before, words


def _of_one(before: str, behind: str, singular_of: SingularOf) -> str:
    """The text after a 1, with the counted noun in the singular: ` cards` as ` card`."""
    things = _COUNTED.match(behind)
    if things is None or before.endswith(("than ", "plus ", "minus ")):
        return behind
    how, words = things[1], things[2]
    if several := known_plural(words, singular_of):
        return behind.replace(several, singular_of(several) or SINGULAR[several], 1)
    again = words.partition(" ")[0] if how in ("more", "fewer") else ""
    return behind.replace(again, singular(again), 1)


def known_plural(text: str, singular_of: SingularOf) -> str:
    """The longest plural at the start of a text that the game or English counts; empty if none."""
    words = text.split(" ")
    heads = (" ".join(words[:end]) for end in range(len(words), 0, -1))
    return next((one for one in heads if singular_of(one) or one in SINGULAR), "")


def without_echo(head: str, words: Template) -> str:
    """The text before a phrase, without a noun of this: `under the name the name of the guest`."""
    noun = head.rstrip(" ").rpartition(" ")[2]
    if not (head.endswith(" ") and noun.islower()) or noun not in leading_words(words):
        return head
    rest = head.removesuffix(f"{noun} ")
    return f"{rest}with " if rest.endswith(", ") else rest  # `..., facing {way}`


def once(words: Template, tail: str) -> str:
    """The text after a phrase, without a noun of this: `the mark of the die mark`."""
    noun = first_letters(tail[1:])
    head = leading_words(words)[-1:] if len(words) > 1 or " " in opening(words) else ()
    return tail[len(noun) + 1 :] if tail.startswith(" ") and (noun,) == head else tail


def _unrepeated(words: str, behind: str) -> str:
    """The text after a phrase, without words that repeat its end: `the rain rain`."""
    if not behind.startswith(" "):
        return behind
    said, tail = words.split(" "), behind[1:].split(" ")
    for many in range(min(len(said), len(tail)), 0, -1):
        again = " ".join(said[-many:])
        rest = behind[1 + len(again) :]
        plain = said[-many] not in _SAID_AGAIN and (len(said[-1]) > 2 or again.isupper())
        if plain and behind[1:].startswith(again) and not rest[:1].isalnum():
            return rest
    return behind


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
_WITHOUT_ARTICLE = (
    "you and ",
    "your ",
    "its ",
    "their ",
    "those ",
    "others ",
    "everybody ",
    "who ",
    "what ",
)


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
        head = opening(self.plural)
        return head.startswith(_WITHOUT_ARTICLE) and not head.startswith(
            ("others who", "others that")
        )

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
    r"(?:the (?![\w ]+ (?:at|on|in|under|beside) the )(?=[\w ]+ of )"
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
