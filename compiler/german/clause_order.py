"""German clauses of conditions, by themselves, as a condition before another clause, and behind a noun."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.english.clause import NUMBER_OF
from ruleloom.compiler.english.clause_tree import TestTree, Unspoken
from ruleloom.compiler.english.phrase import wording
from ruleloom.compiler.english.template import Speaker, is_me
from ruleloom.compiler.english.word import denied as denied_words
from ruleloom.compiler.english.word import singular
from ruleloom.compiler.german.noun import CASES, EVERY, NO, PLURAL, A
from ruleloom.compiler.german.noun_phrases import (
    HOLE,
    GermanWords,
    Np,
    Phrases,
    made,
    mark_of,
    pronoun,
    relative,
)
from ruleloom.compiler.german.verb import MANY, SECOND, THIRD, Clause, finite
from ruleloom.runtime.program.expr import conjuncts, operands
from ruleloom.runtime.program.interval import NEGATED
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import BOOL, PLAYER

_COUNTED = {"<": "weniger als", ">": "mehr als", "<=": "höchstens", ">=": "mindestens"}
_MEASURED = {**_COUNTED, "<": "kleiner als", ">": "größer als"}
_NOUN_BEFORE = re.compile(
    r"^(?:der|die|das) ((?:[a-zäöüß]+en? )*[A-ZÄÖÜ][\w-]*) ⟦(?:von|gen)⟧([\U000F0000-\U000FFFFD]*)"
)
_NOUN_WITHIN = re.compile(r"^(nicht )?(?:der|die|das) ([A-ZÄÖÜ][\w-]*) ⟦(?:von|gen)⟧")
_PLACE = re.compile(r"(?:\b(auf|aus|durch|für|mit|in|neben|bei|an) )?⟦(\w+)⟧ ?")
_ITSELF = Np({one: f"⟦{one}⟧" for one in (*CASES, "von", "zu")})

Form = Callable[[Clause], str]


def main(clause: Clause) -> str:
    """The form of a clause by itself."""
    return clause.main


def inverted(clause: Clause) -> str:
    """The form of a clause with its verb first."""
    return clause.inverted


def last(clause: Clause) -> str:
    """The form of a clause with its verb last."""
    return clause.last


class Clauses:
    """The clauses of one text."""

    def __init__(
        self, speaker: Speaker, words: GermanWords, itself: Mapping[int, Np] | None = None
    ) -> None:
        self.sp, self.words = speaker, words
        self.phrases = Phrases(speaker, words, itself)
        self.phrases.behind = self.behind

    def said(self, test: TestTree, form: Form) -> str:
        """A condition in a form."""
        return self.told(test.expr, test.denied, form)

    def told(self, expr: Expr, denied: bool, form: Form) -> str:
        """A condition or its negation in a form; parts that are joined are all in that form."""
        if expr[0] == "not":
            return self.told(expr[1], not denied, form)
        if expr[0] in ("and", "or"):
            op = {"and": "or", "or": "and"}[expr[0]] if denied else expr[0]
            parts = operands(expr[0], expr)
            nested = any(one[0] in ("and", "or") for one in parts)
            if nested and form is not last:
                raise Unspoken("nested conditions")
            link = {"and": "und", "or": ", oder" if form is inverted else "oder"}[op]
            said = [self.told(one, denied, form) for one in parts]
            return listed(
                [self._either(*one, op, denied) for one in zip(said, parts, strict=True)], link
            )
        return form(self.clause(expr, denied))

    def _either(self, said: str, part: Expr, op: str, denied: bool) -> str:
        """A part of a condition: `entweder a oder b` within others of which all have to hold."""
        if part[0] not in ("and", "or"):
            return said
        inner = {"and": "or", "or": "and"}[part[0]] if denied else part[0]
        if op == inner or op == "or":
            raise Unspoken("nested conditions")
        return f"entweder {said}"

    def clause(self, expr: Expr, denied: bool) -> Clause:
        """A condition without `and` and `or`, as a clause."""
        match expr:
            case (("query" | "function" | "allowed"), name, *_):
                english, values = wording(self.sp, expr)
                if not english:
                    raise Unspoken(name)
                return self.stated(english, values, denied)
            case ("slot", slot):
                variable = self.sp.variable(slot)
                if not variable.said:
                    raise Unspoken(variable.name)
                return self.stated(variable.said, {}, denied)
            case ("scope", name):
                return self.stated(self.sp.glossary.named("scope", name), {}, denied)
            case (("=" | "!=" | "<" | "<=" | ">" | ">=") as op, left, right):
                return self._compared(NEGATED[op] if denied else op, left, right)
            case ("in", value, of):
                return self._belongs(value, of, denied)
            case ("is_none", value):
                return self._there_is(self._existing(value, denied))
            case ("each", "exists", _, slot, domain, where):
                return self._exists(slot, domain, where, denied)
            case ("each", "every", _, slot, domain, where) if where is not None and not denied:
                thing = self.phrases.each(domain, EVERY)
                inside = Clauses(self.sp, self.words, {**self.phrases.itself, slot: thing})
                return inside.clause(where, False)
        raise Unspoken(str(expr[0]))

    def stated(self, english: str, values: Mapping[str, Expr], denied: bool) -> Clause:
        """A clause in its author's words; a negation has words of its own."""
        wanted = english
        if denied:
            things = {*self.sp.glossary.symbols.entities, PLAYER.name}
            doers = [name for name, one in values.items() if self.sp.type_of(one).name in things]
            wanted = denied_words(english, doers) or f"it is not true that {english}"
        read = Clause.read(self.words.of(wanted))
        return self.filled(replace(read, mark=mark_of(english)), values)

    def filled(
        self, clause: Clause, values: Mapping[str, Expr], unsaid: frozenset[str] = frozenset()
    ) -> Clause:
        """A clause with its holes filled, its verb in agreement with its subject."""
        # Phrases are asked without being filled in: a first mention is none yet.
        before, person, opens = set(self.phrases.introduced), THIRD, clause.front
        for hole in HOLE.finditer(f"{clause.front} {clause.middle}"):
            if hole[2] == "nom":
                subject = self.phrases.hole(hole[1], values)
                person = subject.person
                if not hole.start() and self._again(values.get(hole[1]), subject):
                    opens = pronoun(subject).forms["nom"] + clause.front[hole.end() :]
                else:
                    self.phrases.introduced = before
                break
        else:
            self.words.subject = None
        parts = (opens, clause.middle, clause.close, clause.behind)
        said = (self.phrases.with_holes(one, values, unsaid) for one in parts)
        front, middle, close, behind = (one.replace("  ", " ") for one in said)
        front, middle, close, behind = front.strip(), middle.strip(), close.strip(), behind.rstrip()
        front = f"{front}," if re.search(r", [^,]*$", front) and not front.endswith(",") else front
        return replace(
            clause,
            front=front,
            middle=middle,
            close=close,
            behind=behind,
            verb=finite(clause.verb, person),
        )

    def _again(self, subject: Expr | None, said: Np) -> bool:
        """Is a clause about the same thing as the one before, so that a pronoun says it?"""
        before, self.words.subject = self.words.subject, subject
        if subject is None or subject[0] != "slot" or subject[1] in self.phrases.itself:
            return False
        return subject == before and said.person != SECOND

    # ------------------------------------------------------------------ comparisons

    def _compared(self, op: str, left: Expr, right: Expr) -> Clause:
        if left[0] == "count":
            return self._counted(op, left[1], right)
        if left[0] == "function" and (one := self._there_are(op, left, right)) is not None:
            return one
        is_number = left[:2] == ("each", "sum")
        if (left[0] == "each" and not is_number) or self.sp.type_of(left) == BOOL:
            raise Unspoken(op)
        if is_me(right) and self.sp.you and op in ("=", "!="):
            left, right = right, left
        first = self.phrases.noun(left)
        first = pronoun(first) if self._again(left, first) else first
        other = self.phrases.noun(right)
        words = _COUNTED if first.person == MANY else _MEASURED
        how = {"=": "", "!=": "nicht "}.get(op, f"{words.get(op, '')} ")
        verb, middle = finite("ist", first.person), f"{how}{other.forms['nom']}"
        return Clause(first.within("nom", " ist"), verb, middle, "", other.tail, other.mark)

    def _counted(self, op: str, domain: Expr, number: Expr) -> Clause:
        some = (op, number) in ((">", ("value", 0)), (">=", ("value", 1)), ("!=", ("value", 0)))
        none = (op, number) in (("=", ("value", 0)), ("<", ("value", 1)), ("<=", ("value", 0)))
        if some or none:
            if domain[0] in ("query", "function", "scope") and self.phrases.written(domain)[1]:
                mine = made(self.phrases.written(domain)[0], NO if none else A)
                return Clause("du", "hast", mine.forms["akk"], "", mine.tail)
            return self._there_is(self.phrases.many(domain, NO if none else A))
        if (op, number) == ("=", ("value", 1)):
            return self._there_is(self._only_one(domain), "genau ")
        if (op, number) == (">", ("value", 1)):
            op, number = ">=", ("value", 2)
        if number == ("value", 1):
            raise Unspoken("one of several")
        much = {"=": "genau", **_COUNTED}.get(op)
        if much is None:
            raise Unspoken(op)
        return self._there_is(
            self.phrases.many(domain, A), f"{much} {self.phrases.noun(number).forms['akk']} "
        )

    def _only_one(self, domain: Expr) -> Np:
        if domain[0] == "slot":
            name = self.phrases.name_of(self.sp.variable(domain[1]))[0]
            kind = self.sp.glossary.noun(self.sp.type_of(domain).item)
            return made(self.phrases.known(singular(name), kind), A)
        single = self.phrases.single(domain)
        if single is None or single[1]:
            raise Unspoken("exactly one of these")
        return self.phrases.one_of(domain)

    def _there_are(self, op: str, number: Expr, right: Expr) -> Clause | None:
        """A number of things compared with none: `es gibt Karten`; else None."""
        english, values = wording(self.sp, number)
        things = english.removeprefix(NUMBER_OF)
        if things == english or right != ("value", 0) or op not in (">", "="):
            return None
        phrase, _, mark = self.phrases.phrase(things, values)
        return self._there_is(made(phrase, A if op == ">" else NO, mark))

    def _there_is(self, things: Np, how: str = "") -> Clause:
        self.words.subject = None
        return Clause("es", "gibt", f"{how}{things.forms['akk']}", "", things.tail, things.mark)

    def _existing(self, value: Expr, missing: bool) -> Np:
        """What there is, or what there is none of."""
        determiner = A if missing else NO
        if value[0] == "slot":
            return self.phrases.noun(value, determiner)
        phrase, mine, mark = self.phrases.written(value)
        if mine:
            raise Unspoken("yours")
        return made(phrase, determiner, mark)

    def _exists(self, slot: int, domain: Expr, where: Expr | None, denied: bool) -> Clause:
        things = self.phrases.many(domain, NO if denied else A)
        if where is not None:
            behind = self.behind(things, [*conjuncts(where)], slot)
            things = replace(things, tail=f"{things.tail}{behind}")
        return self._there_is(things)

    def _belongs(self, value: Expr, of: Expr, denied: bool) -> Clause:
        to = self.phrases.noun(of)
        middle = f"{'nicht ' * denied}{to.forms['zu']}"
        clause = Clause("{_value:nom}", "gehört", middle, "", to.tail, to.mark)
        return self.filled(clause, {"_value": value})

    # ------------------------------------------------------------------ behind a noun

    def behind(self, noun: Np, tests: Sequence[Expr], slot: int) -> str:
        """Conditions as relative clauses behind a noun: `, deren Wert 2 ist`."""
        if noun.tail and not noun.is_own:
            raise Unspoken("a clause behind one about something else")
        inside = Clauses(self.sp, self.words, {slot: _ITSELF})
        parts, plain = list[str](), list[str]()
        for one in tests:
            try:
                parts.append(_relative(self._inside(inside, one), noun))
            except Unspoken:
                plain.append(self._such_that(one, noun, slot))
        self.words.subject = None  # the thing itself
        said = listed(parts, "und")
        joined = f" und {said}" if noun.tail and len(parts) == 1 else f", {said}"
        such = f", sodass {listed(plain, 'und')}" if plain else ""
        return (joined if parts else "") + such

    def _such_that(self, test: Expr, noun: Np, slot: int) -> str:
        """A condition that does not fit behind its noun, about `it`."""
        if noun.person != THIRD or noun.gender == PLURAL:
            raise Unspoken("a condition of several")
        return Clauses(self.sp, self.words, {slot: pronoun(noun)}).told(test, False, last)

    def _inside(self, inside: Clauses, test: Expr) -> Clause:
        if test[0] == "not":
            return inside.clause(test[1], True)
        return inside.clause(test, False)


def _relative(clause: Clause, noun: Np) -> str:
    """A clause about a noun, behind it."""
    gender, whole = noun.among or noun.gender, f"{clause.front}|{clause.middle}"
    if clause.behind.count("⟦") or whole.count("⟦") != 1:
        raise Unspoken("a clause that names its noun more than once")
    number = MANY if PLURAL in (noun.person, gender) or noun.person == MANY else THIRD
    if clause.front == "⟦nom⟧":
        clause = replace(clause, front="", verb=finite(clause.verb, number))
        return f"{relative(gender, 'nom')} {clause.last}"
    owner = relative(gender, "gen")
    if owned := _NOUN_BEFORE.match(clause.front):
        rest = replace(clause, front=clause.front[owned.end() :].strip())
        return f"{owner} {owned[1]}{owned[2]} {rest.last}"
    if owned := _NOUN_WITHIN.match(clause.middle):
        rest = replace(clause, middle=f"{owned[1] or ''}{clause.middle[owned.end() :]}".strip())
        return f"{owner} {owned[2]} {rest.last}"
    place = _PLACE.search(clause.front) or _PLACE.search(clause.middle)
    if place is None or place[2] == "gen":
        raise Unspoken("a clause that cannot stand behind its noun")
    head = f"{place[1] or ''} {relative(gender, place[2])}".strip()
    front, middle = (_PLACE.sub("", one, count=1).strip() for one in (clause.front, clause.middle))
    return f"{head} {replace(clause, front=front, middle=middle).last}"


def listed(parts: Sequence[str], link: str) -> str:
    """`a, b und c`."""
    if len(parts) < 2:
        return "".join(parts)
    # A clause within the part before closes with a comma.
    gap = "" if link.startswith(",") else ", " if "," in parts[-2] else " "
    return f"{', '.join(parts[:-1])}{gap}{link} {parts[-1]}"
