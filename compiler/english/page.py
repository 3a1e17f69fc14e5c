"""Steps of a rules text, without capital and full stop, as a paragraph or a numbered list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from itertools import cycle, pairwise
from string import ascii_lowercase

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause import clause
from ruleloom.compiler.english.clause_tree import ActTree, LineTree, NounTree, TestTree, Told
from ruleloom.compiler.english.filling import filled
from ruleloom.compiler.english.glossary import YES, Glossary, Scene, Unsaid, Variable
from ruleloom.compiler.english.phrase import Letter, noun
from ruleloom.compiler.english.template import (
    IT,
    Hole,
    Speaker,
    enumerated,
    is_me,
    realise,
)
from ruleloom.compiler.resolve.declare import HOLE, names_in
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import parts
from ruleloom.compiler.types import is_number
from ruleloom.runtime.dataclass import Frozen, dataclass
from ruleloom.runtime.program.expr import conjuncts
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.values import BOOL, INT, PLAYER, TEXT, Type


class StepMode(Frozen):
    """One answer and its steps."""

    label: str
    steps: tuple[Step, ...]


class Sort(StrEnum):
    """The sort of a step's head, which decides how its inner and following steps are joined to it."""

    ACT = "something to do"
    IF = "a condition"
    OTHERWISE = "the other way"
    EACH = "once for each"
    OFTEN = "so often, or this in particular"
    EVENT = "something that happens"


class Step(Frozen):
    """One step. `may`: it is optional; `who` does it, if not the acting player."""

    text: str
    inner: tuple[Step, ...] = ()
    may: bool = False
    who: str = ""
    sort: Sort = Sort.ACT
    lead: str = ""
    """The word before a condition or an event: `if `, `whenever `."""
    tests: tuple[str, ...] = ()
    """The conditions of an event."""
    about: str = ""
    """The noun of the thing that an event requires, or that a loop is carried out for."""

    note: str = ""
    """What is added to an event and its conditions."""
    never: bool = False
    """Whether the conditions of an event cannot hold under the present settings."""
    modes: tuple[StepMode, ...] = ()
    """The answers to choose from."""

    @property
    def head(self) -> str:
        """The event or action without its conditions."""
        return f"{self.lead}{self.text}"

    @property
    def rest(self) -> str:
        """The conditions and the note."""
        return (f", if {' and '.join(self.tests)}" if self.tests else "") + self.note

    @property
    def is_bare(self) -> bool:
        """Whether it has no inner steps."""
        return not (self.inner or self.modes)


def done_by(who: str, verb: str, rest: str) -> Step:
    """A step of the acting player, or of `who`: the verb agrees."""
    return Step(f"{verb_of(who, verb)} {rest}", who=who)


def verb_of(who: str, verb: str) -> str:
    """A verb in agreement with `who`; empty means `you`."""
    return word.third_person(verb) if who not in ("", "you") else verb


FARTHEST = 12
"""A count that no table reaches."""
Constants = Mapping[str, Expr]
"""The constant arguments of a power, by parameter."""
NOTHING_GIVEN: Constants = {}


def _is_constant(value: Expr) -> bool:
    """Whether an expression means the same in any text: a value, or a place such as `your hand`."""
    match value:
        case ("zone", _, owner):
            return owner is None or is_me(owner)
        case ("join", left, right):
            return _is_constant(left) and _is_constant(right)
    return value[0] in ("value", "record")


def common(one: Constants | None, other: Constants) -> Constants:
    """The entries that both share."""
    if one is None:
        return other
    return {name: value for name, value in one.items() if other.get(name) == value}


# Types whose values are called by the variable's name alone.
_NAMELESS = ("Int", "Bool", "Text", "?")


@dataclass(slots=True)
class Teller(Scene):
    """A scene that renders its text.

    `thing` is the noun of the item (`card`), if any. `used` collects the powers mentioned, each with the
    arguments common to all its uses.
    """

    thing: str = ""
    full: bool = False
    used: dict[str, Constants] = field(default_factory=dict)
    fresh: frozenset[int] = frozenset()
    """The slots of the arguments of the event being rendered."""
    offered: str = ""
    """The variable of the optional choice just before."""
    repeated: bool = False
    """Whether the steps being rendered are in a loop."""
    derived: list[Expr] = field(default_factory=list)
    """The values that the text has computed itself: a card takes for granted that they exist."""
    exits: set[str] = field(default_factory=set)
    """The flags that only end a loop."""

    def mention(self, power: str, values: Mapping[str, Expr]) -> None:
        """Record the use of a power, with the constant arguments common to all its uses."""
        constants = {name: value for name, value in values.items() if _is_constant(value)}
        self.used[power] = common(self.used.get(power), constants)

    @property
    def speaker(self) -> Speaker:
        """The speaker for its expressions."""
        return Speaker(
            *(self.glossary, self.variables, self.settings, False, noun, clause),
            fresh=self.fresh,
            brief=not self.full,
        )

    def let_another_act(self) -> None:
        """From here on, treat the acting player as another person than `you`."""
        if "me" in self.symbols.scope:
            slot = self.declare("me", PLAYER)
            acting = f"acting {self.glossary.noun(PLAYER)}"
            self.variables[slot] = Variable(acting, PLAYER)

    def say(self, template: Template) -> str:
        """A phrase as text: a variable mentioned twice in a row is `it`.

        A `fresh` variable is `a piece` at its first mention, then `the piece`.
        """
        said: object = None
        pronouns, fresh = IT not in template, self.fresh

        def spoken(part: Hole) -> str:
            nonlocal said, fresh
            if part == IT:
                return "it"
            expr: Expr = part[0]
            if expr[0] != "slot":
                return str(expr[-1])
            variable = self.variables.get(expr[1]) or Variable("it", TEXT)
            name = self._named(variable, expr[1] in fresh, pronouns and said == expr[1])
            fresh -= {expr[1]}
            if variable.type.name not in _NAMELESS:
                said = expr[1]
            return name

        return "".join(map(str, realise(template, spoken, self.glossary.singular_of)))

    def _can_be_it(self, type_: Type) -> bool:
        """Is it one thing, and neither a player nor an option?"""
        return not (type_.many or type_ == PLAYER or type_.name in self.symbols.enums)

    def _named(self, variable: Variable, new: bool, again: bool) -> str:
        """The words for a variable: `a piece` if new, `it` if mentioned again, otherwise `the piece`."""
        type_, glossary = variable.type, self.glossary
        noun = glossary.noun(type_, type_.many)
        if new:
            return _introduced(variable, noun)
        if again and self._can_be_it(type_):
            return "it"
        if variable.said and type_ != BOOL:
            return variable.said
        name, _ = glossary.name_of(variable)
        owned = name.removesuffix(" of it")
        return f"the {name}" if owned == name else f"its {owned}"

    def noun(self, expr: Expr) -> str:
        """A lowered expression as text."""
        return Told.of(self.say(noun(self.speaker, expr)), NounTree(self.speaker, expr))

    def told(self, node: ast.Expr, wanted: Type | None = None) -> str:
        """An expression of the tree as text."""
        return self.noun(self.read(node, wanted))

    def filled(self, text: str, values: Mapping[str, Expr]) -> str:
        """A template of the vocabulary as text, with its holes filled."""
        return self.say(filled(self.speaker, text, values))

    def introduced(
        self, callee: Signature, english: str, known: Mapping[str, Expr] = NOTHING_GIVEN
    ) -> str:
        """The English of a callee; parameters that are not `known` are new: `a piece`, then `the piece`."""
        names, letters, said = dict(self.names), lettered(callee), set[str]()
        order = [*HOLE.findall(english), *(one.name for one in callee.params)]
        values: dict[str, Expr] = {}
        for param in sorted(callee.params, key=lambda one: order.index(one.name)):
            noun = self.glossary.noun(param.type, param.type.many)
            number = letters.get(param.name, Unsaid.GIVEN)
            unsaid = {INT: number, BOOL: Unsaid.EITHER, TEXT: f"({word.spaced(param.name)})"}
            if param.type in unsaid:
                values[param.name] = ("value", unsaid[param.type])
            else:
                values[param.name] = self._new(param, english, noun, noun in said)
            said.add(noun)
        self.fresh = frozenset(one[1] for one in values.values() if one[0] == "slot")
        values |= known
        text = Told.of(self.filled(english, values), ActTree(self.speaker, english, values))
        self.fresh, self.names = frozenset(), names
        return text

    def _new(self, param: ParamSymbol, english: str, noun: str, again: bool) -> Expr:
        """A parameter not mentioned before: a thing, or words for an option or several things."""
        hole, type_ = f"{{{param.name}}}", param.type
        plain = type_.many or type_.repeats or type_.name in (*_NAMELESS, *self.symbols.enums)
        if plain or f"}} {hole}" in english:
            return ("value", _standing_for(hole, english, type_, noun, again))
        named = _is_one_of_a_list(param, self.glossary)
        return ("slot", self.declare(param.name if named else "other" if again else noun, type_))

    def other_player(self, node: ast.Expr | None) -> str:
        """The player who decides, as text; empty for the acting player."""
        who = self.read(node) if node is not None else ("scope", "me")
        return "" if is_me(who) else self.noun(who)

    def stated(self, expr: Expr, denied: bool = False) -> str:
        """A lowered condition as text; its negation if it is `denied`."""
        test = TestTree(self.speaker, expr, denied)
        return Told.of(self.say(clause(test.speaker, expr, denied)), test)

    def all_stated(self, tests: Sequence[Expr]) -> Template:
        """Several conditions, joined into one."""
        parts = [part for test in tests for part in conjuncts(test)]
        return enumerated([self.speaker.clause(part) for part in parts], "and")

    def quoted(self, text: ast.TextLiteral | None) -> str:
        """An author's text for reading aloud: computed numbers are in square brackets."""
        return self.written(text, "[{}]")

    def written(self, text: ast.TextLiteral | None, number: str = "{}") -> str:
        """An author's text, filled; `number` formats computed ones."""
        said = ""
        values: dict[str, Expr] = {}
        for part in parts(text) if text is not None else ():
            if isinstance(part, str):
                said += part
                continue
            name, value = f"_{len(values)}", self.read(part)
            values[name] = value
            counts = is_number(self.type_of(value)) and value[0] not in ("value", "setting")
            said += " and " * said.endswith(("}", "}]"))
            said += number.format(f"{{{name}}}") if counts else f"{{{name}}}"
        return self.filled(said, values)

    def tests(self, node: ast.Expr | None) -> list[Expr]:
        """The conjuncts of a condition that are not always true."""
        if node is None:
            return []
        return [test for test in conjuncts(self.read(node)) if test != YES]


def _introduced(variable: Variable, noun: str) -> str:
    type_ = variable.type
    if type_.name in _NAMELESS:
        several = word.is_several(variable.name.partition("_")[0])
        nameless = several or word.says_nothing(variable.name, of_thing=False)
        if type_.name == "Text" and not nameless:
            return word.with_article(word.spaced(variable.name))
        return "some amount" if type_.name == "Int" else "something"
    name = word.called(variable.name, noun)
    return name if type_.many else word.with_article(name)


# ------------------------------------------------------------------------------- a page of steps

_TENS, _ONES = ("", "x", "xx", "xxx"), ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = tuple(ten + one for ten in _TENS for one in _ONES)[1:]
_INDENT = "   "
# A sentinel before the first step and after the last one.
_START = Step("")


def paragraph(steps: Sequence[Step]) -> str:
    """The steps as sentences in one paragraph."""
    return " ".join(paragraph_sentences(steps))


def paragraph_sentences(steps: Sequence[Step]) -> list[str]:
    """The sentences of a paragraph, one for each step."""
    return [
        Told.of(word.sentence(text), LineTree(step, step.inner, before.may, "", True, True))
        for text, before, step in zip(_texts(steps), (_START, *steps), steps, strict=False)
    ]


def as_sentence(words: str) -> str:
    """Words as a sentence of their own."""
    step = Step(words)
    return Told.of(word.sentence(words), LineTree(step, (), False, "", True))


def as_heading(words: str) -> str:
    """Words as the heading of a list."""
    return Told.of(f"{word.capital(words)}:", LineTree(Step(words), (), False, ":", False))


def _texts(steps: Sequence[Step], inside: bool = False) -> list[str]:
    """The steps with their inner steps; `inside` another step they share its sentence."""
    return [
        _inline(step, before.may, after, inside and after != _START)
        for before, step, after in zip((_START, *steps), steps, (*steps[1:], _START), strict=False)
    ]


def _inline(step: Step, after_may: bool, after: Step, goes_on: bool) -> str:
    """One step with its inner steps, in brackets if their extent would be unclear."""
    head, inner = heading(step, after_may), step.inner
    if step.is_bare:
        return head
    if step.modes:
        return f"{head}: {_lettered_modes(step.modes, goes_on)}"
    if step.tests and len(inner) == 1 and not step.note:
        only = inner[0]
        if only.sort == Sort.EACH and step.about == only.about != "":
            # The loop over these things makes the test that one exists redundant.
            return _inline(replace(step, tests=step.tests[:-1]), after_may, after, goes_on)
        if only.sort == Sort.IF and only.lead and _is_simple(only):
            return f"{head} and {_inline(replace(only, lead=''), False, _START, False)}"
    return head + _explained(step, head, after, goes_on)


def _explained(step: Step, head: str, after: Step, goes_on: bool) -> str:
    """The inner steps, after their link."""
    texts = _texts(step.inner, True)
    said = "; ".join(texts)
    # An inner condition must not capture the `otherwise` of this one.
    caught = after.sort == Sort.OTHERWISE and _decides(step.inner)
    bracketed = caught or (goes_on and "; " in said)
    link = ": " if len(texts) > 1 or bracketed else _link(head, step)
    return f"{link}[{said}]" if bracketed else f"{link}{said}"


def _is_simple(step: Step) -> bool:
    """Whether a step is a single action."""
    return step.is_bare or (len(step.inner) == 1 and _is_simple(step.inner[0]))


def _decides(steps: Sequence[Step]) -> bool:
    """Whether a following `otherwise` could belong to a condition among the steps."""
    return any(
        step.may or step.sort in (Sort.IF, Sort.OTHERWISE) or _decides(step.inner) for step in steps
    )


def _link(head: str, step: Step) -> str:
    """The link after a head: a colon if the inner steps explain it, otherwise a comma."""
    labelled = step.may and step.sort not in (Sort.EACH, Sort.IF)
    return ": " if labelled or step.sort == Sort.OFTEN or ": " in head else ", "


def _lettered_modes(modes: Sequence[StepMode], goes_on: bool) -> str:
    parts = zip(cycle(ascii_lowercase), map(_mode, modes), strict=False)
    said = "; ".join(f"({letter}) {mode}" for letter, mode in parts)
    return f"[{said}]" if goes_on else said


def _mode(mode: StepMode) -> str:
    texts = _texts(mode.steps, True)
    return f"{mode.label}: {', then '.join(texts)}" if texts else mode.label


def heading(step: Step, after_may: bool = False) -> str:
    """The head of a step, with its actor and `may`."""
    text = step.head + step.rest
    if step.may:
        return f"{step.who or 'you'} may {'then ' if after_may else ''}{text}"
    return f"{step.who} {text}" if step.who else text


class StepLine(Frozen):
    """A line of a list, with those below."""

    text: str
    inner: tuple[StepLine, ...] = ()

    def all(self) -> Iterator[str]:
        """Its text and those below it."""
        yield self.text
        for line in self.inner:
            yield from line.all()


def outline(steps: Sequence[Step], link: str = "") -> tuple[StepLine, ...]:
    """The steps as nested lines; `link` separates a head from a single step on the same line."""
    lines = []
    for before, step in pairwise((_START, *steps)):
        head = heading(step, before.may)
        if step.modes:
            parts = (
                _line(mode.label, LineTree(mode, mode.steps, False, ": ", True), link)
                for mode in step.modes
            )
            text = Told.of(f"{word.capital(head)}:", LineTree(step, (), before.may, ":", False))
            lines.append(StepLine(text, tuple(parts)))
        else:
            behind = link or _link(head, step)
            lines.append(_line(head, LineTree(step, step.inner, before.may, behind, True), link))
    return tuple(lines)


def _line(head: str, line: LineTree, link: str) -> StepLine:
    steps = line.steps
    if not steps:
        return StepLine(Told.of(word.sentence(head), line))
    if len(steps) == 1 and steps[0].is_bare:
        return StepLine(Told.of(word.sentence(f"{head}{line.link}{heading(steps[0])}"), line))
    text = Told.of(f"{word.capital(head)}:", replace(line, link=":", whole=False))
    return StepLine(text, outline(steps, link))


def numbered(lines: Sequence[StepLine]) -> list[str]:
    """The lines of a numbered, nested list."""
    return [*_printed(lines, _mark)]


def lines(steps: Sequence[Step]) -> list[str]:
    """The steps, one sentence per line; those of a condition are indented."""
    return [*_printed(outline(steps, ": "), lambda level, _: _INDENT * level)]


def _printed(
    lines: Sequence[StepLine], mark: Callable[[int, int], str], level: int = 0
) -> Iterator[str]:
    for at, line in enumerate(lines):
        yield mark(level, at) + line.text
        yield from _printed(line.inner, mark, level + 1)


def _mark(level: int, at: int) -> str:
    marks = (str(at + 1), ascii_lowercase[at % 26], _ROMAN[at % len(_ROMAN)])
    return f"{_INDENT * level}{marks[level % 3]}. "


# ------------------------------------------------------------------- parameters that can be anything

LETTERS = tuple(map(Letter, "NMKLPQRSTUV"))


def lettered(callee: Signature) -> dict[str, str]:
    """A letter for each Int parameter in the English, in order of mention."""
    told = names_in(callee.english)
    numbers = [one.name for one in callee.params if one.type == INT and one.name in told]
    return dict(
        zip(
            sorted(numbers, key=lambda name: callee.english.index(f"{{{name}")),
            LETTERS,
            strict=False,
        )
    )


def _standing_for(hole: str, english: str, type_: Type, noun: str, again: bool) -> str:
    """The placeholder of an option or of several things: `a colour`, `another colour`, `some dice`."""
    if type_.many or type_.repeats:
        return f"some {noun}"
    if again:
        return f"another {noun}"
    if f"{hole} {noun}" in english:
        return "given" if english.partition(f"{hole} ")[0].endswith(("a ", "the ")) else "a given"
    return noun if f"the {hole}" in english or f"}} {hole}" in english else word.with_article(noun)


def _is_one_of_a_list(param: ParamSymbol, words: Glossary) -> bool:
    """Whether a parameter is named after a list of the game, as a guest after `your guests`."""
    its_list = words.symbols.scope.get(word.plural(param.name))
    return its_list is not None and its_list.type == replace(param.type, many=True)


def rename(callee: Signature, scene: Scene) -> None:
    """Rename each parameter to its noun if it is the only one of its type: `the space`."""
    types = [param.type.present for param in callee.params]
    for param in callee.params:
        known = scene.names.get(param.name, ("value",))
        alone = types.count(param.type.present) == 1 and param.type not in (INT, BOOL)
        if known[0] == "slot" and alone and not _is_one_of_a_list(param, scene.glossary):
            noun = scene.glossary.noun(param.type, param.type.many)
            scene.variables[known[1]] = Variable(noun, param.type)
