"""German noun phrases of expressions: things, places, numbers and lists.

What authors call things in English is looked up among the words of a translation; whatever has none there
raises `Unspoken`, so that no phrase is half in one language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause import NUMBER_OF
from ruleloom.compiler.english.clause_tree import Unspoken
from ruleloom.compiler.english.filling import is_given
from ruleloom.compiler.english.glossary import Unsaid, Variable
from ruleloom.compiler.english.mark import MARK
from ruleloom.compiler.english.phrase import Letter, wording
from ruleloom.compiler.english.template import Speaker, is_me
from ruleloom.compiler.german.noun import (
    CASES,
    EVERY,
    MASCULINE,
    NEUTER,
    PLURAL,
    THE,
    YOUR,
    A,
    Determiner,
    WrittenNoun,
    undeclined,
)
from ruleloom.compiler.german.verb import MANY, SECOND, THIRD
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.expr import conjuncts, form_of
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.texts import OptionalPart, settled
from ruleloom.runtime.program.values import BOOL, PLAYER, Type

HOLE = re.compile(r"\{(\w+)(?::(\w+))?\}")
_RELATIVE = {
    MASCULINE: ("der", "den", "dem", "dessen"),
    "f": ("die", "die", "der", "deren"),
    NEUTER: ("das", "das", "dem", "dessen"),
    PLURAL: ("die", "die", "denen", "deren"),
}
_ME = {"nom": "du", "akk": "dich", "dat": "dir", "von": "von dir", "zu": "zu dir"}
_OWNED = re.compile(r"\b(die|den|das|dem|ein|eine|einen|einem) ((?:[a-zäöüß]+ )*[A-ZÄÖÜ][\w-]*) $")
_YOURS = {"die": "deine", "den": "deinen", "das": "dein", "dem": "deinem"}
# The case of what is added to a phrase in one of these.
_BESIDE = {"gen": "dat", "von": "dat", "zu": "dat"}
_IN = {"dem": "im", "das": "ins"}


class GermanWords:
    """The German words of a game, by the English of its authors; those that were looked for and lack."""

    def __init__(self, says: Mapping[str, str]) -> None:
        self.says = says
        self.lacking: dict[str, None] = {}
        self.subject: Expr | None = None
        """What the clause before is about: a clause about the same says `er`."""

    def of(self, english: str) -> str:
        """The words for an English text, without its marks. Raises Unspoken."""
        plain = MARK.sub("", english)
        found = self.says.get(plain)
        if found is None:
            self.lacking[plain] = None
            raise Unspoken(plain)
        return found


def mark_of(english: str) -> str:
    """The marks of an English text."""
    return "".join(MARK.findall(english))


class Np(Frozen):
    """A noun phrase in all cases; `tail` is a clause behind it; how a verb and a pronoun agree with it."""

    forms: Mapping[str, str]
    gender: str = NEUTER
    person: str = THIRD
    tail: str = ""
    mark: str = ""
    among: str = ""
    """The gender or number of what it is one of: a clause behind it is about all of these."""
    is_own: bool = False
    """Whether the clause behind it is about itself, so that another can be joined to it."""

    def within(self, form: str, rest: str) -> str:
        """The phrase in a case, before the rest of a sentence. Raises Unspoken for a case that it lacks."""
        if form not in self.forms:
            raise Unspoken(f"{next(iter(self.forms.values()))} ({form})")
        closed = "," if self.tail and re.match(r" ?[\w{]", rest) else ""
        return f"{self.forms[form]}{self.tail}{self.mark}{closed}"


def plain(text: str, person: str = THIRD) -> Np:
    """Words that are the same in all cases."""
    return Np(undeclined(text).forms, person=person)


def made(phrase: WrittenNoun, determiner: Determiner, mark: str = "") -> Np:
    """A noun with its article; a clause within it is its tail."""
    inner, comma, clause = phrase.rest.partition(", ")
    forms = replace(phrase, rest=inner).forms(determiner)
    person = MANY if phrase.gender == PLURAL else THIRD
    tail, is_own = _related(comma + clause, phrase.gender), "{der:" in clause
    return Np(forms, phrase.gender, person, tail, mark, is_own=is_own)


def _of_yours(text: str) -> str:
    """A text up to a noun that is the reader's: `deinen Stein` for `den Stein`, `ein Stein von dir`."""
    found = _OWNED.search(text)
    if found is None:
        raise Unspoken(f"{text.strip()} (du)")
    if found[1].startswith("ein"):
        return f"{text}von dir"
    return f"{text[: found.start()]}{_YOURS[found[1]]} {found[2]}"


def _related(clause: str, gender: str) -> str:
    """A clause behind a noun, its relative pronoun in agreement: `, auf {der:akk} ...`."""
    return re.sub(r"\{der:(\w+)\}", lambda hole: relative(gender, hole[1]), clause)


def relative(gender: str, case: str) -> str:
    """The relative pronoun of a noun, also with its preposition: `von dem`."""
    if case in ("von", "zu"):
        return f"{case} {_RELATIVE[gender][2]}"
    return _RELATIVE[gender][CASES.index(case)]


class Phrases:
    """The noun phrases of one text: `itself` stands in for a thing that a relative clause is about."""

    def __init__(
        self, speaker: Speaker, words: GermanWords, itself: Mapping[int, Np] | None = None
    ) -> None:
        self.sp, self.words, self.itself = speaker, words, itself or {}
        self.introduced: set[int] = set()
        """The arguments of an event or a rule that have been mentioned."""
        self.behind: Callable[[Np, Sequence[Expr], int], str] | None = None
        """Conditions as clauses behind a noun."""

    # ------------------------------------------------------------------ holes

    def filled(
        self, english: str, values: Mapping[str, Expr], unsaid: frozenset[str] = frozenset()
    ) -> str:
        """The German of an author's text with its holes filled."""
        return self.with_holes(self.words.of(english), values, unsaid)

    def with_holes(
        self, text: str, values: Mapping[str, Expr], unsaid: frozenset[str] = frozenset()
    ) -> str:
        """A German text with its holes filled."""
        text = settled(text, lambda part: self._part(part, values, unsaid))
        done, end = "", 0
        for hole in HOLE.finditer(text):
            rest = text[hole.end() :]
            done += text[end : hole.start()]
            end = hole.end()
            if hole[2] == "zahl":
                done += self._digits(hole[1], values)
                continue
            noun = self.hole(hole[1], values)
            if hole[2] == "gen" and noun.person == SECOND:
                done = _of_yours(done)
            else:
                done += noun.within(hole[2] or "nom", rest)
        return done + text[end:]

    def _digits(self, name: str, values: Mapping[str, Expr]) -> str:
        """A number that is known, or the letter in its place."""
        number = self.noun(values.get(name, ("value", None))).forms["nom"]
        if not (number.isdigit() or len(number) == 1):
            raise Unspoken(name)
        return number

    def _part(self, part: OptionalPart, values: Mapping[str, Expr], unsaid: frozenset[str]) -> str:
        value = values.get(part.name, ("value", None))
        given = is_given(self.sp, part, value, part.name in unsaid)
        if given is None and value[-1] is Unsaid.EITHER and not (part.given and part.otherwise):
            return ""
        if given is None:
            raise Unspoken(part.name)
        return part.given if given else part.otherwise

    def hole(self, name: str, values: Mapping[str, Expr]) -> Np:
        """The phrase of a hole."""
        symbols = self.sp.glossary.symbols
        if name in values:
            return self._argument(name, values[name])
        for form, table in (("setting", symbols.settings), ("scope", symbols.scope)):
            if name in table:
                return self.noun((form, name))
        stat = symbols.callables.get(name)
        if stat is None or not all(one.name in values for one in stat.params):
            raise Unspoken(name)
        args = [values[one.name] for one in stat.params]
        start = self.sp.glossary.start(stat, args, self.sp.settings)
        return self.noun(start or ("function", stat.id, *args))

    def _argument(self, name: str, value: Expr) -> Np:
        """An argument: an option chosen before is `that way`."""
        if name.startswith("_"):
            return self.noun(value)  # a hole of ours, which names nothing
        label = word.spaced(name)
        if value[-1] is Unsaid.CHOICE:
            return self.named(f"{word.with_article(label)} of your choice")
        if isinstance(value[-1], Unsaid):
            raise Unspoken(str(value[-1]))
        is_option = self.sp.type_of(value).name in self.sp.glossary.symbols.enums
        if value[0] == "slot" and is_option and value[1] not in self.itself:
            return self.named(f"that {label}")
        return self.noun(value)

    def named(self, english: str, determiner: Determiner = THE) -> Np:
        """What an author calls something, without holes."""
        said = self.words.of(english)
        phrase = WrittenNoun.read(said)
        return plain(said) if phrase is None else made(phrase, determiner, mark_of(english))

    # ------------------------------------------------------------------ expressions

    def noun(self, expr: Expr, determiner: Determiner = THE) -> Np:
        """An expression as a noun phrase. Raises Unspoken."""
        if is_me(expr) and self.sp.you:
            return Np(_ME, person=SECOND)
        match expr:
            case ("value", value):
                return self._constant(value)
            case ("slot", slot):
                return self._slot(slot, determiner)
            case ("setting", name) if name in self.sp.settings:
                return plain(word.constant(self.sp.settings[name]))
            case (("+" | "-") as op, left, right):
                return self._sum("plus" if op == "+" else "minus", left, right)
            case ("join", left, right):
                return self._both(left, right)
            case ("without", left, right):
                return self._without(left, right)
        written = self.written(expr)
        return made(written[0], self._owned(written, determiner), written[2])

    def _owned(self, written: tuple[WrittenNoun, bool, str], determiner: Determiner) -> Determiner:
        return YOUR if written[1] and determiner == THE else determiner

    def _constant(self, value: object) -> Np:
        if isinstance(value, Letter):
            return plain(value)
        if isinstance(value, str) and value in self.sp.glossary.symbols.values:
            return self.named(self.sp.glossary.value(value))
        if isinstance(value, str):
            return self._any_of(value)
        if type(value) is not int:
            raise Unspoken(str(value))
        return plain(str(value))

    def _any_of(self, english: str) -> Np:
        """What stands for an argument that is not known: `a space`, `some cards`."""
        article, _, noun = english.partition(" ")
        if article == "some":
            return made(WrittenNoun(PLURAL, ("bestimmt",), self.words.of(noun), "Pl.", ""), A)
        if article not in ("a", "an"):
            raise Unspoken(english)
        return made(self.known(noun, noun), A)

    def _slot(self, slot: int, determiner: Determiner) -> Np:
        if slot in self.itself:
            return self.itself[slot]
        variable = self.sp.variable(slot)
        if slot in self.sp.fresh:
            if variable.type.many:
                raise Unspoken(variable.name)
            new = slot not in self.introduced
            self.introduced.add(slot)
            return made(self._variable(variable), A if new else THE)
        if slot in self.sp.bound:
            raise Unspoken(variable.name)
        if len(variable.said) == 1:
            return plain(variable.said)  # a letter in place of a number
        return made(self._variable(variable), determiner)

    def _variable(self, variable: Variable) -> WrittenNoun:
        """A variable by its name and the noun of its type, `goal (space)`, or by that noun alone."""
        return self.known(*self.name_of(variable))

    def name_of(self, variable: Variable) -> tuple[str, str]:
        """What English calls a variable, without its article, and the noun of its type."""
        name, kind = self.sp.glossary.name_of(variable)
        said = variable.said.removeprefix("the ") if variable.type != BOOL else ""
        return said or name, kind

    def known(self, name: str, kind: str) -> WrittenNoun:
        """What is called by a name, as `goal`, and is a `space`."""
        nouns = self.sp.glossary.symbols.nouns
        if name != kind:
            return self._read(self.words.of(f"{name} ({kind})"))
        one = next((one for one, several in nouns.values() if several == name), "")
        if one and one != name:
            return WrittenNoun(PLURAL, (), self.words.of(name), "Pl.", "")
        return self._read(self.words.of(name))

    def _sum(self, op: str, left: Expr, right: Expr) -> Np:
        if form_of(right) in ("+", "-", "if"):
            raise Unspoken(op)
        one, other = self.noun(left), self.noun(right)
        if one.tail or other.tail:
            raise Unspoken(op)
        forms = {
            case: f"{text}{one.mark} {op} {other.forms[_BESIDE.get(case, case)]}{other.mark}"
            for case, text in one.forms.items()
        }
        return Np(forms, one.gender, one.person)

    def _both(self, left: Expr, right: Expr) -> Np:
        one, other = self.noun(left), self.noun(right)
        if one.tail:
            raise Unspoken("join")
        forms = {case: f"{one.forms[case]}{one.mark} und {other.forms[case]}" for case in CASES}
        return Np(forms, PLURAL, MANY, other.tail, other.mark)

    def _without(self, left: Expr, right: Expr) -> Np:
        one, other = self.noun(left), self.noun(right)
        if one.tail:
            raise Unspoken("without")
        but = f"{one.mark} außer {other.forms['dat']}"
        forms = {case: f"{text}{but}" for case, text in one.forms.items()}
        return Np(forms, one.gender, one.person, other.tail, other.mark)

    def written(self, expr: Expr) -> tuple[WrittenNoun, bool, str]:
        """An expression as its authors' phrase, whether it is the reader's own, and its mark."""
        sp = self.sp
        match expr:
            case ("scope", name):
                return self.phrase(sp.glossary.named("scope", name), {})
            case ("zone", name, owner):
                return self.phrase(sp.glossary.named("zones", name), {}, owner)
            case (("query" | "function" | "allowed"), *_):
                return self._found(expr)
            case (("field" | "static"), name, of):
                english, values = wording(sp, expr)
                if english:
                    return self.phrase(english, values)
                return self.phrase(sp.glossary.field(name.partition(".")[2]), {}, of)
            case ("at", _, where):
                one = sp.glossary.noun(sp.type_of(expr))
                return self.phrase(f"the {one} at {{spot}}", {"spot": where})
            case ("players",):
                several = sp.glossary.noun(PLAYER, True)
                return self.known(several, several), False, ""
            case ("slot", slot) if slot not in sp.bound and slot not in sp.fresh:
                return self._variable(sp.variable(slot)), False, ""
            case ("lookup", ("slot", slot), key):
                of = self.noun(key)
                phrase = self._variable(sp.variable(slot))
                return replace(phrase, rest=f" {of.within('gen', '')}{phrase.rest}"), False, ""
            case ("each", "those", None, slot, of, condition):
                return self._those(slot, of, condition)
            case ("count", of):
                return self._count(of)
            case ("each", ("highest" | "lowest") as kind, None, _, ("list", one, other), None):
                return self._farthest(kind, one, other)
            case ("each", "sum", value, slot, of, where) if value is not None:
                return self._total(value, slot, of, where)
        raise Unspoken(str(expr[0]))

    def _farthest(self, kind: str, one: Expr, other: Expr) -> tuple[WrittenNoun, bool, str]:
        """The larger of two numbers, or the smaller."""
        how = "größer" if kind == "highest" else "kleiner"
        both = [self.noun(number) for number in (one, other)]
        if any(number.tail or number.mark for number in both):
            raise Unspoken(kind)
        rest = " und ".join(number.forms["dat"] for number in both)
        return WrittenNoun("f", (how,), "Zahl", "", f" von {rest}"), False, ""

    def _total(
        self, value: Expr, slot: int, of: Expr, where: Expr | None
    ) -> tuple[WrittenNoun, bool, str]:
        """The sum of a number of each of a list."""
        each = self.each(of, EVERY)
        if where is not None:
            if self.behind is None or each.tail:
                raise Unspoken("sum")
            each = replace(each, tail=self.behind(each, conjuncts(where), slot), is_own=True)
        inside = Phrases(self.sp, self.words, {**self.itself, slot: each})
        inside.behind = self.behind
        number = inside.noun(value)
        rest = f" aus {number.forms['dat']}{number.tail}"
        return WrittenNoun("f", (), "Summe", "", rest), False, number.mark

    def _found(self, expr: Expr) -> tuple[WrittenNoun, bool, str]:
        """What a query or measure gives."""
        english, values = wording(self.sp, expr)
        if not english:
            raise Unspoken(str(expr[1]))
        things = english.removeprefix(NUMBER_OF)
        if things == english:
            return self.phrase(english, values)
        many = made(self.phrase(things, values)[0], THE)
        number = WrittenNoun("f", (), "Zahl", "", f" {many.forms['gen']}{many.tail}")
        return number, False, mark_of(things)

    def _those(self, slot: int, of: Expr, condition: Expr) -> tuple[WrittenNoun, bool, str]:
        """Those of a list that fit a condition."""
        phrase, mine, mark = self.written(of)
        if self.behind is None or mark:
            raise Unspoken("those")
        behind = self.behind(made(phrase, YOUR if mine else THE), conjuncts(condition), slot)
        return replace(phrase, rest=phrase.rest + behind), mine, ""

    def _count(self, of: Expr) -> tuple[WrittenNoun, bool, str]:
        things = self.many(of, THE) if of[0] == "zone" else self.noun(of)
        said = f"die Zahl {things.forms['gen']}{things.tail}"
        return self._read(said), False, ""

    def _read(self, text: str) -> WrittenNoun:
        phrase = WrittenNoun.read(text)
        if phrase is None:
            raise Unspoken(text)
        return phrase

    def phrase(
        self, english: str, values: Mapping[str, Expr], owner: Expr | None = None
    ) -> tuple[WrittenNoun, bool, str]:
        """A phrase of the words with its holes filled; what belongs to the reader loses its genitive."""
        phrase = self._read(self.words.of(english))
        rest, mine = phrase.rest, False
        if owner is not None and is_me(owner) and self.sp.you:
            mine = True
        elif owner is not None:
            of = self.noun(owner)
            if of.tail:
                raise Unspoken(english)
            rest = f" {of.within('gen', '')}{rest}"
        hole = re.match(r" \{(\w+):gen\}", rest)
        if hole is not None and is_me(values.get(hole[1], ("scope", hole[1]))) and self.sp.you:
            rest, mine = rest[hole.end() :], True
        rest = re.sub(r"\{der:(\w+)\}", r"<\1>", rest)
        filled = re.sub(r"<(\w+)>", r"{der:\1}", self.with_holes(rest, values))
        if "⟦" in filled and not re.fullmatch(" ⟦(?:gen|von)⟧", filled):
            raise Unspoken(english)  # what a clause is about stands too deep in it
        return replace(phrase, rest=filled), mine, mark_of(english)

    # ------------------------------------------------------------------ lists

    def single(self, domain: Expr) -> tuple[WrittenNoun, bool] | None:
        """One of a list, and whether it is one of the reader's; None for a list without a singular."""
        sp, item = self.sp, self.sp.type_of(domain).item
        one = self._noun_of(item)
        if domain[0] == "zone" and self._things_of(domain) is None:
            held = self.noun(domain)
            return replace(one, rest=f" aus {held.forms['dat']}{held.tail}"), False
        if domain[0] == "join" and domain[1][0] == domain[2][0] == "zone":
            first, other = self.noun(domain[1]), self.noun(domain[2])
            if first.tail or other.tail:
                raise Unspoken("join")
            return replace(one, rest=f" aus {first.forms['dat']} oder {other.forms['dat']}"), False
        if domain[0] == "value":
            return one, False
        if domain[0] == "players":
            return one, False
        phrase, mine, _ = self.written(domain)
        several = self.words.of(sp.glossary.noun(item, True))
        if phrase.noun != several:
            return None
        return replace(one, adjectives=phrase.adjectives, rest=phrase.rest), mine

    def one_of(self, domain: Expr) -> Np:
        """`einen Stein auf dem Feld`, `einen deiner Diener`."""
        single = self.single(domain)
        if single is not None and not single[1]:
            return made(single[0], A, mark_of_list(self, domain))
        several = self.noun(domain)
        gender = self._noun_of(self.sp.type_of(domain).item).gender
        forms = {}
        for case, article in zip(CASES, _ONE[gender], strict=True):
            forms[case] = f"{article} {several.forms['gen']}"
        return Np(forms, gender, THIRD, several.tail, several.mark, several.gender, several.is_own)

    def one_among(self, domain: Expr) -> tuple[str, Np]:
        """`unter den Steinen auf dem Feld, auf das der Diener zielt,` and `einen`."""
        several = self.noun(domain)
        noun = self._noun_of(self.sp.type_of(domain).item)
        forms = dict(zip(CASES, _ONE[noun.gender], strict=True))
        return f"unter {several.forms['dat']}{several.tail}{several.mark}, ", Np(forms, noun.gender)

    def each(self, domain: Expr, determiner: Determiner) -> Np:
        """`jeden Stein auf dem Feld`, `jeden deiner Diener`."""
        single = None if domain[0] == "slot" else self.single(domain)
        if single is not None and not single[1]:
            return made(single[0], determiner, mark_of_list(self, domain))
        several = self.noun(domain)
        gender = self._noun_of(self.sp.type_of(domain).item).gender
        articles = determiner.articles[gender]
        forms = {
            case: f"{article} {several.forms['gen']}"
            for case, article in zip(CASES, articles, strict=True)
        }
        return Np(forms, gender, THIRD, several.tail, several.mark, several.gender, several.is_own)

    def many(self, domain: Expr, determiner: Determiner) -> Np:
        """`Steine auf dem Feld`, `keine Karten im Nachziehstapel`."""
        if domain[0] == "zone" and self._things_of(domain) is None:
            item = self.sp.type_of(domain).item
            held = self.noun(domain)
            where = f"in {held.forms['dat']}{held.tail}"
            for article, merged in _IN.items():
                where = re.sub(rf"^in {article} ", f"{merged} ", where)
            noun = self.words.of(self.sp.glossary.noun(item, True))
            return made(WrittenNoun(PLURAL, (), noun, "Pl.", f" {where}"), determiner)
        phrase, mine, mark = self.written(domain)
        if mine or phrase.gender != PLURAL:
            raise Unspoken("many of yours")
        return made(phrase, determiner, mark)

    def _things_of(self, zone: Expr) -> WrittenNoun | None:
        """The phrase of a zone that is called by its things: `die beiseitegelegten Karten`."""
        phrase = self._read(self.words.of(self.sp.glossary.named("zones", zone[1])))
        things = self.words.of(self.sp.glossary.noun(self.sp.type_of(zone).item, True))
        return phrase if phrase.noun == things else None

    def _noun_of(self, type_: Type) -> WrittenNoun:
        """The noun of a type, in the singular."""
        return self._read(self.words.of(self.sp.glossary.noun(type_)))


def mark_of_list(phrases: Phrases, domain: Expr) -> str:
    """The mark of a list, if it has one."""
    named = domain[0] in ("zone", "join", "value", "players")
    return "" if named else phrases.written(domain)[2]


def pronoun(noun: Np) -> Np:
    """What stands for a noun that has just been named."""
    return Np(dict(zip(CASES, _PRONOUNS[noun.gender], strict=False)), noun.gender, noun.person)


_PRONOUNS = {
    MASCULINE: ("er", "ihn", "ihm"),
    "f": ("sie", "sie", "ihr"),
    NEUTER: ("es", "es", "ihm"),
    PLURAL: ("sie", "sie", "ihnen"),
}
_ONE = {
    MASCULINE: ("einer", "einen", "einem", "eines"),
    "f": ("eine", "eine", "einer", "einer"),
    NEUTER: ("eins", "eins", "einem", "eines"),
}
