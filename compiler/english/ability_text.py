"""Renders abilities, with the bearer as `you`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from ruleloom.compiler.english.clause import clause
from ruleloom.compiler.english.event_text import occasion
from ruleloom.compiler.english.filling import filled
from ruleloom.compiler.english.glossary import NO, YES, Variable
from ruleloom.compiler.english.page import Step, Teller, paragraph
from ruleloom.compiler.english.phrase import noun, relative
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.stretch import asked
from ruleloom.compiler.english.template import Speaker, enumerated, joined, realise
from ruleloom.compiler.english.word import (
    OWNED_BY,
    ROUNDED,
    is_several,
    listed,
    spaced,
)
from ruleloom.compiler.packs.lasting_names import SELF
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr import conjunction, slots_read
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import TEXT, Type

_WHOLE = {2: "doubles", 3: "triples", Fraction(1, 2): "halves"}
_MULTIPLE = {2: "double", 3: "triple"}
_PAIRS = (
    *(("higher", "lower"), ("better", "worse"), ("stronger", "weaker"), ("faster", "slower")),
    *(("larger", "smaller"), ("longer", "shorter"), ("later", "earlier"), ("easier", "harder")),
    ("more", "fewer"),
)
_OPPOSITES = {**dict(_PAIRS), **{other: one for one, other in _PAIRS}}
# The beginning of a stat's English that is no name: `what others lose when they attack {who}`.
# Names of quantified things that are no nouns.
_PRONOUNS = ("who", "whom", "what", "one", "other", "another")
_QUESTION = r"(?:what|how (?:many|much)|the number of) "


class Ruling(NamedTuple):
    """The text of one ability: its change or event, and its condition or consequence."""

    head: str
    tail: str = ""
    lead: str = ""


@dataclass(slots=True)
class Bearing:
    """Renders the abilities of one item.

    `bonuses` has the English of each bonus type; `reason` is the default one, which is not repeated.
    """

    teller: Teller
    bonuses: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    asker: str = "me"
    """The player asked if a prompt names none."""
    is_borne: bool = True
    """Whether it has a bearer; an effect on the table has none."""
    known: frozenset[int] = frozenset()
    """The slots of `each` thing and of keyword parameters: they are called by their nouns."""
    each: frozenset[int] = frozenset()
    """The slots of `each` thing alone."""

    @property
    def speaker(self) -> Speaker:
        """The speaker for its expressions."""
        return replace(self.teller.speaker, named=self.known, bound=self.each)

    def steps(self, abilities: Sequence[ast.Ability]) -> tuple[Step, ...]:
        """The abilities as steps, without those that the current settings switch off."""
        return _merged([step for one in abilities for step in self._ability(one)])

    def _ability(self, node: ast.Ability) -> Iterator[Step | Ruling]:
        teller = self.teller
        before = dict(teller.names)
        match node:
            case ast.Passive():
                test, steps = teller.read(node.where), self.steps(node.body)
                if test == YES:
                    yield from steps
                elif test != NO and steps:
                    yield Step(f"while {self.teller.stated(test)}", steps)
            case ast.Keyword():
                yield Ruling(self._keyword(node))
            case ast.Modify():
                yield from self._modify(node)
            case ast.Restrict():
                yield from self._restrict(node)
            case ast.When() | ast.Instead():
                yield from self._reaction(node)
        teller.names = before

    def _reaction(self, node: ast.Reaction) -> Iterator[Ruling]:
        """A reaction as one paragraph: `whenever somebody hurts you: heal you by 1`."""
        replaces = isinstance(node, ast.Instead)
        when = heard(self.teller, node, self.is_borne)
        if when.never:
            return
        if replaces and all(isinstance(one, ast.StopStmt) for one in node.body):
            yield Ruling(when.text, f"{when.rest}, nothing comes of it", when.lead)
        else:
            steps = render_steps(self.teller, asked(node.body, self.asker))
            told = replace(when, inner=steps, note=when.note + ", instead" * replaces)
            tail = paragraph((told,))[len(when.head) :]
            bare = not (when.rest or replaces)
            yield Ruling(when.text + tail * bare, "" if bare else tail, when.lead)

    def _keyword(self, node: ast.Keyword) -> str:
        callee = self.teller.symbols.keywords.get(node.name.id)
        if callee is None:
            return spaced(node.name.id)
        values = self._arguments(callee, node.args)
        reasons = _unmentioned(callee, values)
        english = callee.english or spaced(callee.name)
        for name, value in values.items():
            english, values[name] = self._fitting(english, name, value)
        text = self.teller.say(filled(self.speaker, english, values))
        return text + _noted([one for one in reasons if self._is_new(one)])

    def _fitting(self, english: str, name: str, value: Expr) -> tuple[str, Expr]:
        """The English of a keyword and an argument, made to fit."""
        hole = f"{{{name}}}"
        stat = self._long_named(value) if english.startswith(f"{hole} ") else ""
        if stat:
            # `what others lose when they attack you: 6 higher`
            return f"{stat}:{english.removeprefix(hole)}", value
        if value[0] == "value" and value[1] in _MULTIPLE:
            # `takes double Heat`, not `takes 2 of Heat`
            return english.replace(f"{hole} of ", f"{_MULTIPLE[value[1]]} "), value
        if _is_number(value) and value[1] < 0:
            # `{much} higher` is `{much} lower` for a negative amount.
            pattern = rf"(?<=\{{{name}\}} )({'|'.join(_OPPOSITES)})\b"
            turned = re.sub(pattern, lambda found: _OPPOSITES[found[1]], english, count=1)
            return turned, value if turned == english else ("value", -value[1])
        return english, value

    def _long_named(self, value: Expr) -> str:
        """The phrase of the bearer's stat `value`, if its English is no mere name; else empty."""
        callables, names = self.teller.symbols.callables, self.teller.names
        stat = callables.get(str(value[1]).replace(" ", "_")) if _is_text(value) else None
        if stat is None or stat.kind != "stat" or not re.match(_QUESTION, stat.english):
            return ""
        return self.teller.say(noun(self.speaker, ("function", stat.id, names[SELF])))

    def _arguments(self, callee: Signature, args: Sequence[ast.Arg]) -> dict[str, Expr]:
        """The arguments of a keyword, by parameter; those without a parameter are left out."""
        labels = {param.name for param in callee.params}
        known = [arg for arg in args if arg.label is None or arg.label in labels]
        given = self.teller.arguments(callee, known[: len(callee.params)])
        values: dict[str, Expr] = {}
        for param, expr in zip(callee.params, map(constant_of, given), strict=True):
            is_name = param.type.name in self.teller.symbols.enums
            words = ("value", expr[1].replace("_", " ")) if is_name and _is_text(expr) else expr
            values[param.name] = words
        return values

    def _modify(self, node: ast.Modify) -> Iterator[Ruling]:
        """One modifier; nothing if the current settings switch it off."""
        teller = self.teller
        callee = self.teller.symbols.callables.get(node.stat.id)
        params = callee.params if callee is not None and callee.kind == "stat" else ()
        args, about = self._places(node.places, params)
        tests = self.teller.tests(node.where)
        number, how = node.number
        value = constant_of(teller.read(number, callee.result if callee is not None else None))
        # If the change itself depends on a quantified thing, that thing is named first.
        ahead = not about.isdisjoint(slots_read(value))
        groups = {slot: self._every(slot, tests) for slot in sorted(about)}
        stat = self._stat(node.stat, callee if params else None, args)
        stat = _put(stat, {} if ahead else groups)
        changed = self._changed(node.change, stat, value, _is_one_number(callee, params))
        changed = joined(changed, ROUNDED.get(how, ""), ", before anything is added" * node.first)
        rest = [test for test in tests if about.isdisjoint(slots_read(test))]
        if NO in rest:
            return
        text, meanwhile = self.teller.say(changed), self._while(rest)
        notes = self._reasons(node.label)
        if node.bonus is not None:
            notes.append(f"counts as {self.bonuses.get(node.bonus.id) or spaced(node.bonus.id)}")
        # A reason that the condition already states is not repeated.
        notes = [one for one in notes if one.casefold() not in meanwhile.casefold()]
        if ahead:
            text = f"for {self.teller.say(enumerated(list(groups.values()), 'and'))}, {text}"
        yield Ruling(text, _noted(notes) + meanwhile)

    def _restrict(self, node: ast.Restrict) -> Iterator[Ruling]:
        """A restriction of a rule; nothing if the current settings switch it off."""
        callee = self.teller.symbols.callables.get(node.rule.id)
        args, about = self._places(node.places, callee.params if callee is not None else ())
        tests = self.teller.tests(node.where)
        if callee is not None and len(args) == len(callee.params) and NO not in tests:
            alone = [one for one in tests if len(about.intersection(slots_read(one))) == 1]
            said = self._denied(("function", callee.id, *args), about, alone)
            meanwhile = self._while([one for one in tests if one not in alone])
            yield Ruling(self.teller.say(said), meanwhile + _noted(self._reasons(node.label)))

    def _denied(self, rule: Expr, about: frozenset[int], tests: Sequence[Expr]) -> Template:
        """A rule that does not hold for the things that it is `about`, with what is tested of each:
        `no piece that is small may move`."""
        stated = clause(self.speaker, rule, False)
        first = stated[0][0] if not isinstance(stated[0], str) else ()
        subject = next((slot for slot in about if first == ("slot", slot)), None)
        said = stated if subject is not None else clause(self.speaker, rule, True)
        for slot in about.difference(*map(slots_read, tests)):
            said = _without(said, slot) if self._is_adverb(slot) else said
        groups = {
            slot: self._every(slot, tests, "no" if slot == subject else "any")
            for slot in sorted(about)
        }
        return _put(said, groups)

    def _is_adverb(self, slot: int) -> bool:
        """Whether the values of a slot are what something is done for: `to attack it`."""
        glossary = self.teller.glossary
        values = glossary.symbols.enums.get(self.speaker.variable(slot).type.name, ())
        return bool(values) and all(glossary.value(one).startswith("to ") for one in values)

    def _while(self, tests: Sequence[Expr]) -> str:
        clauses = [self.speaker.clause(test) for test in tests]
        return f" while {self.teller.say(enumerated(clauses, 'and'))}" if clauses else ""

    def _places(
        self, places: Sequence[ast.StatArg], params: Sequence[ParamSymbol]
    ) -> tuple[tuple[Expr, ...], frozenset[int]]:
        """The arguments of a stat or rule, and the slots of the quantified ones (`each`)."""
        teller, args, each = self.teller, [], []
        types = [one.type for one in params[: len(places)]]
        of_each = Counter(type_ for type_, one in zip(types, places, strict=False) if one.each)
        for at, place in enumerate(places):
            type_ = types[at] if at < len(types) else None
            if place.each is not None:
                slot = teller.declare(place.each.id, type_ or TEXT)
                if type_ is not None:
                    called = self._called(place.each.id, type_, of_each[type_] == 1)
                    teller.variables[slot] = Variable(called, type_)
                each.append(slot)
                self.known, self.each = self.known | {slot}, self.each | {slot}
                args.append(("slot", slot))
            else:
                args.append(teller.read(place.value, type_) if place.value else ("value", None))
        return tuple(args), frozenset(each)

    def _called(self, name: str, type_: Type, alone: bool) -> str:
        """What a quantified thing is called: by its noun, or by its name beside others of its type."""
        is_named = not alone and name not in _PRONOUNS
        return spaced(name) if is_named else self.teller.glossary.noun(type_)

    def _every(self, slot: int, tests: Sequence[Expr], word: str = "every") -> Template:
        speaker = self.speaker
        about = [test for test in tests if slot in slots_read(test)]
        match about:
            case [("=", ("slot", only), ("record", *_) as thing)] if only == slot:
                return noun(speaker, thing)  # restricted to one thing: named directly
        where = conjunction(about)
        behind = relative(speaker.binding(slot), where, slot) if where is not None else ()
        return joined(f"{word} {speaker.variable(slot).name}", behind)

    def _stat(self, name: ast.Name, callee: Signature | None, args: tuple[Expr, ...]) -> Template:
        if callee is not None and len(args) == len(callee.params):
            return noun(self.speaker, ("function", callee.id, *args))
        told = self.teller.names.get(name.id)
        return noun(self.speaker, told) if told is not None else (f"your {spaced(name.id)}",)

    def _changed(self, change: str, stat: Template, value: Expr, is_one: bool) -> Template:
        """A changed stat; `is_one`: it is the name of a number, which can be called higher."""
        words = noun(replace(self.speaker, bound=frozenset()), value)
        if value[0] == "if":
            words = joined("(", words, ")")
        match change:
            case "by":
                return self._added(stat, value, words, is_one)
            case "to":
                return joined("sets ", stat, " to ", words)
            case "least" | "most":
                how = "falling below " if change == "least" else "rising above "
                return joined("keeps ", stat, f" from {how}", words)
        if value == ("value", 0):
            return joined("reduces ", stat, " to 0")
        if value[0] == "value" and value[1] in _WHOLE and value[1] is not True:
            return joined(f"{_WHOLE[value[1]]} ", stat)
        return joined("multiplies ", stat, " by ", words)

    def _added(self, stat: Template, value: Expr, words: Template, is_one: bool) -> Template:
        if value[0] == "value" and is_one:
            # In digits, or a letter for a number.
            much = str(value[1]).removeprefix("-")
            more = "lower" if str(value[1]).startswith("-") else "higher"
            return joined(stat, f" is {much} {more}")
        if value[0] == "negative":
            return joined("takes ", noun(self.speaker, value[1]), " from ", stat)
        if _is_number(value) and value[1] < 0:
            return joined(f"takes {-value[1]} from ", stat)
        return joined("adds ", words, " to ", stat)

    def _reasons(self, node: ast.Expr | None) -> list[str]:
        label = self.teller.read(node) if node is not None else ("value", None)
        return [str(label[1])] if _is_text(label) and self._is_new(label[1]) else []

    def _is_new(self, reason: str) -> bool:
        """Whether a reason differs from the item's own title."""
        return reason.casefold() not in ("", self.reason.casefold())


def _is_one_number(stat: Signature | None, params: Sequence[ParamSymbol]) -> bool:
    """Whether the English of a stat is the name of one number, which can be called higher."""
    if stat is None or not params:
        return True
    owned = OWNED_BY.fullmatch(stat.english.removeprefix("the "))
    return owned is not None and not is_several(owned[1])


def _unmentioned(callee: Signature, values: Mapping[str, Expr]) -> list[str]:
    """The texts that a keyword is given and that its English does not mention."""
    spoken = HOLE.findall(callee.english)
    texts = (one.name for one in callee.params if one.type == TEXT and one.name not in spoken)
    return [str(values[name][1]) for name in texts if _is_text(values[name])]


def _noted(notes: Sequence[str]) -> str:
    return f" ({'; '.join(notes)})" if notes else ""


def _merged(rulings: Sequence[Step | Ruling]) -> tuple[Step, ...]:
    """The abilities as steps; those with the same end are merged: `whenever A or B, you are free`."""
    found: list[Step] = []
    for alike, some in groupby(rulings, lambda one: isinstance(one, Ruling) and one[1:]):
        each = list(some)
        heads = list(dict.fromkeys(one.head for one in each if isinstance(one, Ruling)))
        if alike and alike[0]:
            tail, lead = alike
            found.append(Step(f"{lead}{listed(heads, 'or' if lead else 'and')}{tail}"))
            continue
        found += [Step(one.lead + one.head) if isinstance(one, Ruling) else one for one in each]
    return tuple(found)


def constant_of(expr: Expr) -> Expr:
    """Fold a negated number into a value."""
    if expr[0] == "negative" and _is_number(expr[1]):
        return ("value", -expr[1][1])
    return expr


def _is_number(expr: Expr) -> bool:
    return expr[0] == "value" and type(expr[1]) in (int, Fraction)


def _is_text(expr: Expr) -> bool:
    return expr[0] == "value" and isinstance(expr[1], str)


def _without(phrase: Template, slot: int) -> Template:
    """A phrase without what stands in the hole of a slot, and the space before it."""
    kept = [part for part in phrase if isinstance(part, str) or part[0] != ("slot", slot)]
    ends = [one.rstrip() if isinstance(one, str) else one for one in kept[-1:]]
    return (*kept[:-1], *ends)


def _put(phrase: Template, words: Mapping[int, Template]) -> Template:
    return realise(phrase, lambda part: words.get(part[0][-1]))


def heard(teller: Teller, node: ast.Reaction, is_borne: bool) -> Step:
    """The event that triggers an ability or effect."""
    known = {SELF: teller.names[SELF]} if SELF in teller.names else {}
    would = "would" * isinstance(node, ast.Instead)
    when = occasion(teller, "whenever", node.event, node.where, known, would)
    if not isinstance(node, ast.When):
        return when
    # `once` means once a turn for each bearer, if there is one.
    bearer = known.get(SELF) if is_borne else None
    whose = f" for {teller.noun(bearer)}" if bearer is not None else ""
    once = f" (once a turn{whose})" * node.once
    return replace(when, note=once + ", afterwards" * node.afterwards)
