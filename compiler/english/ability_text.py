"""Abilities in words, addressed to the bearer as `you`: `adds 5 to your reach`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

from ruleloom.compiler.english.clause import clause
from ruleloom.compiler.english.event_text import occasion, once_a_turn
from ruleloom.compiler.english.filling import filled
from ruleloom.compiler.english.page import Step, StepPart, Teller, heading, paragraph
from ruleloom.compiler.english.phrase import noun, relative
from ruleloom.compiler.english.phrase_parts import enumerated, joined
from ruleloom.compiler.english.relower import NO, YES
from ruleloom.compiler.english.speaker import Speaker, Variable
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.english.word import ROUNDED, capital, listed, sentence, spaced
from ruleloom.compiler.packs.lasting_names import SELF
from ruleloom.compiler.resolve.declare import HOLE
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr import conjunction, slots_read
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import TEXT

_WHOLE = {2: "doubles", 3: "triples", Fraction(1, 2): "halves"}
_MULTIPLE = {2: "double", 3: "triple"}
_PAIRS = (
    *(("higher", "lower"), ("better", "worse"), ("stronger", "weaker"), ("faster", "slower")),
    *(("larger", "smaller"), ("longer", "shorter"), ("later", "earlier"), ("easier", "harder")),
    ("more", "fewer"),
)
_OPPOSITES = {**dict(_PAIRS), **{other: one for one, other in _PAIRS}}
# How the English of a stat begins that is no name: `what others lose when they attack {who}`.
_QUESTION = r"(?:what|how (?:many|much)|the number of) "
# A number by its name, of which it can be said that it is higher: `your reach`.
_ONE_NUMBER = re.compile(
    r"(?!(?:your|the) (?:[a-z]+ )?(?:dice|[a-z]+[^su\W]s)\b)"
    r"(?:your|every|the) (?:(?!(?:that|when|which|who) )[\w-]+ ){0,3}[\w-]*(?:[^s\W]|us|ss)(?: of yours)?"
)
_INDENT = "   "


class Ruling(NamedTuple):
    """What an ability says: what it changes or waits for, and on what condition or with what end."""

    head: str
    tail: str = ""
    lead: str = ""


@dataclass(slots=True)
class Bearing:
    """Renders the abilities of one item.

    `bonuses` has the English of each type; `reason` is the default one, which is not repeated.
    """

    teller: Teller
    bonuses: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""
    asker: str = "me"
    """Who is asked where a text names nobody."""
    is_borne: bool = True
    """Has it a bearer? An effect that lies on the table has none."""
    known: frozenset[int] = frozenset()
    """The slots of `each` thing, and of what a keyword is told: they go by what they are."""
    each: frozenset[int] = frozenset()
    """The slots of `each` thing alone."""

    @property
    def speaker(self) -> Speaker:
        """Who puts its expressions into words."""
        return replace(self.teller.speaker, named=self.known, bound=self.each)

    def steps(self, abilities: Sequence[ast.Ability]) -> tuple[Step, ...]:
        """The abilities as steps, without those that the settings in force switch off."""
        return merged([step for one in abilities for step in self._ability(one)])

    def _ability(self, node: ast.Ability) -> Iterator[Step | Ruling]:
        match node:
            case ast.Passive():
                yield from self._passive(node)
            case ast.Keyword():
                yield Ruling(self._keyword(node))
            case ast.Modify():
                yield from self._modify(node)
            case ast.Restrict():
                yield from self._restrict(node)
            case ast.When() | ast.Instead():
                yield from self._reaction(node)

    def _reaction(self, node: ast.Reaction) -> Iterator[Ruling]:
        """What answers an event, as one paragraph: `whenever somebody hurts you: heal you by 1`."""
        scene = self.teller.scene
        before = dict(scene.names)
        known = {SELF: scene.names[SELF]} if SELF in scene.names else {}
        replaces = isinstance(node, ast.Instead)
        would = "would" if replaces else ""
        when = occasion(self.teller, "whenever", node.event, node.where, known, would)
        if isinstance(node, ast.When):
            once = once_a_turn(self.teller, known.get(SELF) if self.is_borne else None)
            when = when._replace(note=once * node.once + ", afterwards" * node.afterwards)
        if not when.never and replaces and all(isinstance(one, ast.StopStmt) for one in node.body):
            yield Ruling(when.said, f"{when.rest}, nothing comes of it", when.lead)
        elif not when.never:
            steps = render_steps(self.teller, asked(node.body, self.asker))
            told = when._replace(note=when.note + ", instead" * replaces).step(steps)
            tail = paragraph((told,))[len(when.head) :]
            bare = not (when.rest or replaces)
            yield Ruling(when.said + tail * bare, "" if bare else tail, when.lead)
        scene.names = before

    def _passive(self, node: ast.Passive) -> Iterator[Step]:
        test, steps = self.teller.scene.read(node.where), self.steps(node.body)
        if test == YES:
            yield from steps
        elif test != NO and steps:
            yield Step(f"while {self.teller.stated(test)}", (StepPart("", steps),))

    def _keyword(self, node: ast.Keyword) -> str:
        callee = self.teller.scene.glossary.symbols.keywords.get(node.name.id)
        if callee is None:
            return spaced(node.name.id)
        values = self._arguments(callee, node.args)
        reasons = self._unspoken(callee, values)
        english = callee.english or spaced(callee.name)
        for name, value in values.items():
            english, values[name] = self._fitting(english, name, value)
        text = self.teller.say(filled(self.speaker, english, values))
        return text + self._noted([one for one in reasons if self._is_new(one)])

    def _fitting(self, english: str, name: str, value: Expr) -> tuple[str, Expr]:
        """The words of a keyword, and a value, as they fit each other."""
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
        """The phrase of a stat of the bearer whose English is more than a name; else nothing."""
        symbols = self.teller.scene.glossary.symbols
        stat = symbols.callables.get(str(value[1]).replace(" ", "_")) if _is_text(value) else None
        if stat is None or stat.kind != "stat" or not re.match(_QUESTION, stat.english):
            return ""
        return self.teller.say(
            noun(self.speaker, ("function", stat.id, self.teller.scene.names[SELF]))
        )

    def _arguments(self, callee: Signature, args: Sequence[ast.Arg]) -> dict[str, Expr]:
        """The arguments of a keyword, by parameter; those that it does not know are left out."""
        labels = {param.name for param in callee.params}
        known = [arg for arg in args if arg.label is None or arg.label in labels]
        given = self.teller.scene.arguments(callee, known[: len(callee.params)])
        values: dict[str, Expr] = {}
        for param, expr in zip(callee.params, map(constant_of, given), strict=True):
            is_name = param.type.name in self.teller.scene.glossary.symbols.enums
            words = ("value", expr[1].replace("_", " ")) if is_name and _is_text(expr) else expr
            values[param.name] = words
        return values

    def _unspoken(self, callee: Signature, values: Mapping[str, Expr]) -> list[str]:
        """The texts that a keyword is given and that its English does not mention."""
        spoken = set(HOLE.findall(callee.english))
        texts = [one.name for one in callee.params if one.type == TEXT and one.name not in spoken]
        return [str(values[name][1]) for name in texts if _is_text(values[name])]

    def _modify(self, node: ast.Modify) -> Iterator[Ruling]:
        """One modifier; none if the settings in force switch it off."""
        scene = self.teller.scene
        before = dict(scene.names)
        callee = scene.glossary.symbols.callables.get(node.stat.id)
        params = callee.params if callee is not None and callee.kind == "stat" else ()
        args, about = self._places(node.places, params)
        tests = self.teller.tests(node.where)
        number, how = node.number
        value = constant_of(scene.read(number, callee.result if callee is not None else None))
        # Where the change itself depends on the thing looked at, the thing is named beforehand.
        ahead = not about.isdisjoint(slots_read(value))
        groups = {slot: self._every(slot, tests) for slot in sorted(about)}
        stat = self._stat(node.stat, callee if params else None, args)
        changed = self._changed(node.change, _put(stat, {} if ahead else groups), value)
        changed = joined(changed, ROUNDED.get(how, ""), ", before anything is added" * node.first)
        rest = [test for test in tests if about.isdisjoint(slots_read(test))]
        scene.names = before
        if NO in rest:
            return
        text, meanwhile = self.teller.say(changed), self._while(rest)
        # A reason that is told as the condition need not be told twice.
        notes = [one for one in self._notes(node) if one.casefold() not in meanwhile.casefold()]
        if ahead:
            text = f"for {self.teller.say(enumerated(list(groups.values()), 'and'))}, {text}"
        yield Ruling(text, self._noted(notes) + meanwhile)

    def _restrict(self, node: ast.Restrict) -> Iterator[Ruling]:
        """A restriction of a rule; none if the settings in force switch it off."""
        scene = self.teller.scene
        before = dict(scene.names)
        callee = scene.glossary.symbols.callables.get(node.rule.id)
        args, about = self._places(node.places, callee.params if callee is not None else ())
        tests = self.teller.tests(node.where)
        if callee is not None and len(args) == len(callee.params) and NO not in tests:
            groups = {slot: self._every(slot, tests, "any") for slot in sorted(about)}
            denied = clause(self.speaker, ("function", callee.id, *args), True)
            meanwhile = self._while([one for one in tests if about.isdisjoint(slots_read(one))])
            notes = self._noted(self._reasons(node.label))
            yield Ruling(self.teller.say(_put(denied, groups)), meanwhile + notes)
        scene.names = before

    def _while(self, tests: Sequence[Expr]) -> str:
        clauses = [self.speaker.clause(test) for test in tests]
        return f" while {self.teller.say(enumerated(clauses, 'and'))}" if clauses else ""

    def _places(
        self, places: Sequence[ast.StatArg], params: Sequence[ParamSymbol]
    ) -> tuple[tuple[Expr, ...], frozenset[int]]:
        """The arguments of a stat or rule, and the slots of those that stand for any thing."""
        args = tuple(self._place(one, params[at : at + 1]) for at, one in enumerate(places))
        each = [arg[1] for arg, one in zip(args, places, strict=True) if one.each is not None]
        return args, frozenset(each)

    def _place(self, place: ast.StatArg, param: Sequence[ParamSymbol]) -> Expr:
        if place.each is not None:
            scene = self.teller.scene
            type_ = param[0].type if param else TEXT
            slot = scene.declare(place.each.id, type_)
            if param:
                scene.variables[slot] = Variable(scene.glossary.noun(type_), type_)
            self.known, self.each = self.known | {slot}, self.each | {slot}
            return ("slot", slot)
        if place.value is None:
            return ("value", None)
        return self.teller.scene.read(place.value, param[0].type if param else None)

    def _every(self, slot: int, tests: Sequence[Expr], word: str = "every") -> Template:
        speaker = self.speaker
        about = [test for test in tests if slot in slots_read(test)]
        match about:
            case [("=", ("slot", only), ("record", *_) as thing)] if only == slot:
                return noun(speaker, thing)  # of any one that is this one, it is spoken by name
        where = conjunction(about)
        behind = relative(speaker.binding(slot), where, slot) if where is not None else ()
        return joined(f"{word} {speaker.variable(slot).name}", behind)

    def _stat(self, name: ast.Name, callee: Signature | None, args: tuple[Expr, ...]) -> Template:
        if callee is not None and len(args) == len(callee.params):
            return noun(self.speaker, ("function", callee.id, *args))
        told = self.teller.scene.names.get(name.id)
        return noun(self.speaker, told) if told is not None else (f"your {spaced(name.id)}",)

    def _changed(self, change: str, stat: Template, value: Expr) -> Template:
        words = noun(replace(self.speaker, bound=frozenset()), value)
        if value[0] == "if":
            words = joined("(", words, ")")
        match change:
            case "by":
                return self._added(stat, value, words)
            case "to":
                return joined("sets ", stat, " to ", words)
            case "least":
                return joined("keeps ", stat, " from falling below ", words)
            case "most":
                return joined("keeps ", stat, " from rising above ", words)
        if value == ("value", 0):
            return joined("reduces ", stat, " to 0")
        if value[0] == "value" and value[1] in _WHOLE and value[1] is not True:
            return joined(f"{_WHOLE[value[1]]} ", stat)
        return joined("multiplies ", stat, " by ", words)

    def _added(self, stat: Template, value: Expr, words: Template) -> Template:
        if value[0] == "value" and _ONE_NUMBER.fullmatch(self.teller.say(stat)):
            much, more = str(value[1]).removeprefix("-"), "lower" if _is_below(value) else "higher"
            return joined(stat, f" is {much} {more}")
        if value[0] == "negative":
            return joined("takes ", noun(self.speaker, value[1]), " from ", stat)
        if _is_number(value) and value[1] < 0:
            return joined(f"takes {-value[1]} from ", stat)
        return joined("adds ", words, " to ", stat)

    def _notes(self, node: ast.Modify) -> list[str]:
        notes = self._reasons(node.label)
        if node.bonus is not None:
            notes.append(f"counts as {self.bonuses.get(node.bonus.id) or spaced(node.bonus.id)}")
        return notes

    def _reasons(self, node: ast.Expr | None) -> list[str]:
        label = self.teller.scene.read(node) if node is not None else ("value", None)
        return [str(label[1])] if _is_text(label) and self._is_new(label[1]) else []

    def _is_new(self, reason: str) -> bool:
        """Does a reason say more than the item is called anyway?"""
        return reason.casefold() not in ("", self.reason.casefold())

    def _noted(self, notes: Sequence[str]) -> str:
        return f" ({'; '.join(notes)})" if notes else ""


def merged(rulings: Sequence[Step | Ruling]) -> tuple[Step, ...]:
    """The abilities as steps, neighbours that end alike as one: `whenever A or B, you are free`."""
    found: list[Step] = []
    for alike, some in groupby(rulings, _ending):
        told = list(some)
        if alike is None:
            found += [
                Step(f"{one.lead}{one.head}{one.tail}") if isinstance(one, Ruling) else one
                for one in told
            ]
            continue
        lead, tail = alike
        heads = dict.fromkeys(one.head for one in told if isinstance(one, Ruling))
        found.append(Step(f"{lead}{listed(list(heads), 'or' if lead else 'and')}{tail}"))
    return tuple(found)


def _ending(one: Step | Ruling) -> tuple[str, str] | None:
    """How a ruling begins and ends, where that may be the same of its neighbour."""
    return (one.lead, one.tail) if isinstance(one, Ruling) and one.tail else None


def asked(node: Any, by: str) -> Any:
    """The same with `by me` on its questions: in abilities, the acting player is not `you`."""
    if isinstance(node, tuple):
        return tuple(asked(one, by) for one in node)
    if not isinstance(node, ast.Stmt | ast.ModeClause):
        return node
    parts = {one.name: asked(getattr(node, one.name), by) for one in fields(node)}
    if "by" in parts and parts["by"] is None:
        parts["by"] = ast.Name(node.span, by)
    return type(node)(**parts)


def constant_of(expr: Expr) -> Expr:
    """A number below zero as one value."""
    if expr[0] == "negative" and _is_number(expr[1]):
        return ("value", -expr[1][1])
    return expr


def _is_number(expr: Expr) -> bool:
    return expr[0] == "value" and type(expr[1]) in (int, Fraction)


def _is_below(expr: Expr) -> bool:
    """A number below zero, in digits or as a letter that stands for one."""
    return str(expr[1]).startswith("-")


def _is_text(expr: Expr) -> bool:
    return expr[0] == "value" and isinstance(expr[1], str)


def _put(phrase: Template, words: Mapping[int, Template]) -> Template:
    return joined(
        *(
            words[part[0][1]] if not isinstance(part, str) and part[0][1] in words else (part,)
            for part in phrase
        )
    )


def lines(steps: Sequence[Step], level: int = 0) -> list[str]:
    """The steps, one sentence a line; what a condition covers stands below it."""
    found: list[str] = []
    for step in steps:
        inner = step.parts[0].steps if step.parts else ()
        if not inner:
            found.append(_INDENT * level + sentence(heading(step)))
        elif len(inner) == 1 and not inner[0].parts:
            found.append(_INDENT * level + sentence(f"{heading(step)}: {heading(inner[0])}"))
        else:
            found += [f"{_INDENT * level}{capital(heading(step))}:", *lines(inner, level + 1)]
    return found
