"""Lists as groups of things: `pieces on 0/1`, one of them, each of them, none of them.

What an author wrote for a list, "the pieces on {at}", begins with `the` and the noun in the plural; from that
come the singular ("a piece on 0/1") and the rest. Lists worded another way are spoken of as `one of ...`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from compiler.english.speaker import IT, Speaker, is_hole, is_me, joined, opening, without_opening
from compiler.english.words import called, polished, spaced, with_article
from runtime.program import Expr, Template

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
    """A list in words. `plural` has no article; `singular` is empty where the wording gives none."""

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
        return joined("every ", self.singular, self.tail) if self.singular else joined("each of ", self.whole)

    @property
    def none(self) -> Template:
        """Not one of it."""
        return joined("no ", self.singular, self.tail) if self.singular else joined("none of ", self.whole)


def _with_article(phrase: Template) -> Template:
    head = opening(phrase)
    return joined(with_article(head), phrase[1:]) if head else joined("a ", phrase)


def group_of(sp: Speaker, domain: Expr, slot: int = -1, where: Expr | None = None, out: str = "in") -> Group:
    """A list in words, of those that meet a condition. `out` is `from` where something is taken of it."""
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
                joined(several, both, " and ", sp.noun(right)), joined(one, both, " or ", sp.noun(right))
            )
        case ("without", left, right):
            base = _base(sp, left, out)
            rest = joined(" other than ", sp.noun(right))
            return Group(joined(base.plural, rest), joined(base.singular, rest) if base.singular else ())
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


# ---------------------------------------------------------------------------------- relative clauses


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


def conjuncts(expr: Expr) -> list[Expr]:
    """The parts of a lowered condition that all have to hold."""
    return [*conjuncts(expr[1]), *conjuncts(expr[2])] if expr[0] == "and" else [expr]


def _attached(sp: Speaker, clause: Template, slot: int) -> Template | None:
    """The clause as a relative one, if it begins or ends with the thing and does not mention it again."""
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


def in_other_words(clause: Template, slot: int, words: str) -> Template:
    """A clause with other words for one thing."""
    return joined(*(words if is_hole(part, slot) else (part,) for part in clause))
