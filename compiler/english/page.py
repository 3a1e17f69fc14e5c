"""Steps in words, without capital and full stop, set as one paragraph or as a numbered list."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase

from ruleloom.compiler.english import word
from ruleloom.compiler.english.clause import clause
from ruleloom.compiler.english.glossary import Glossary
from ruleloom.compiler.english.phrase import filled, noun
from ruleloom.compiler.english.relower import YES, Scene
from ruleloom.compiler.english.speaker import (
    IT,
    POSSESSIVE,
    Speaker,
    Variable,
    is_me,
    with_option,
)
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parts import holes, parts
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.compiler.types import is_number
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.expr import conjuncts
from ruleloom.runtime.program.program import Expr, Template
from ruleloom.runtime.program.texts import of_one
from ruleloom.runtime.program.values import BOOL, PLAYER, Type


@dataclass(frozen=True, slots=True)
class StepPart:
    """What one answer leads to. Without a label it simply follows."""

    label: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. `may`: it can be left out; `who` does it, if not the player who acts."""

    text: str
    parts: tuple[StepPart, ...] = ()
    may: bool = False
    who: str = ""

    @property
    def chooses(self) -> bool:
        """Do its parts stand beside each other, so that one is taken?"""
        return any(part.label for part in self.parts)


FARTHEST = 12
"""Nobody counts as far as that at a table."""
Constants = Mapping[str, Expr]
"""What parameters of a power are given, where that is written in the text itself."""


def _is_constant(value: Expr) -> bool:
    """Does it mean the same in the text of any power: a value, or a place such as `your hand`?"""
    match value:
        case ("zone", _, owner):
            return owner is None or is_me(owner)
        case ("join", left, right):
            return _is_constant(left) and _is_constant(right)
    return value[0] in ("value", "record")


def common(one: Constants | None, other: Constants) -> Constants:
    """The values that are the same in both."""
    if one is None:
        return other
    return {name: value for name, value in one.items() if other.get(name) == value}


@dataclass(slots=True)
class Teller:
    """Renders one effect text.

    `thing` is what the item makes (`card`), if anything. `used` collects the powers mentioned, each with
    the values that every use of it gives.
    """

    scene: Scene
    thing: str = ""
    full: bool = False
    used: dict[str, Constants] = field(default_factory=dict)
    fresh: frozenset[int] = frozenset()
    """The slots of what the event that is being told brings with it."""
    offered: str = ""
    """What somebody could just now choose or leave."""
    repeated: bool = False
    """Is what is being told carried out more than once?"""
    derived: list[Expr] = field(default_factory=list)
    """What a text has worked out for itself, so that a card takes for granted that it is there."""
    exits: set[str] = field(default_factory=set)
    """The flags that do nothing but end what is repeated."""

    def mention(self, power: str, values: Mapping[str, Expr]) -> None:
        """Note the use of a power; of what it is given, what is the same in each use counts."""
        constants = {name: value for name, value in values.items() if _is_constant(value)}
        self.used[power] = common(self.used.get(power), constants)

    @property
    def speaker(self) -> Speaker:
        """Who puts its expressions into words."""
        scene = self.scene
        made = Speaker(scene.glossary, scene.variables, scene.settings, False, noun, clause)
        return replace(made, fresh=self.fresh, brief=not self.full)

    def say(self, template: Template) -> str:
        """A phrase as text."""
        return realised(template, self.scene.variables, self.scene.glossary, self.fresh)

    def noun(self, expr: Expr) -> str:
        """An expression as text."""
        return self.say(noun(self.speaker, expr))

    def filled(self, text: str, values: Mapping[str, Expr]) -> str:
        """A template of the vocabulary as text, with its holes filled."""
        return self.say(filled(self.speaker, text, values))

    def other_player(self, node: ast.Expr | None) -> str:
        """Who decides instead of the player who acts; empty if that is the acting player."""
        who = self.scene.read(node) if node is not None else ("scope", "me")
        return "" if is_me(who) else self.noun(who)

    def stated(self, expr: Expr) -> str:
        """A lowered condition as text."""
        return self.say(clause(self.speaker, expr, False))

    def quoted(self, text: ast.TextLiteral | None) -> str:
        """A text as it is said aloud: a number that is worked out stands in square brackets."""
        return self.written(text, "[{}]")

    def written(self, text: ast.TextLiteral | None, number: str = "{}") -> str:
        """A text of the author's, in which each hole is what it names."""
        said, rest, hole = "", list(parts(text) if text is not None else ()), False
        while rest:
            part = rest.pop(0)
            if isinstance(part, str):
                said, hole = said + part, False
                continue
            said, hole = f"{said} and " if hole else said, True
            value = self.scene.read(part)
            words, tail = noun(self.speaker, value), rest[0] if rest else ""
            option = (
                with_option(self.speaker, value, words, tail) if isinstance(tail, str) else None
            )
            if option is not None:
                words, rest[0] = option
            told = self.say(words)
            if option is None and rest and isinstance(tail, str):
                rest[0] = word.once(told, tail)
            rest[:1] = self._behind(told, rest[:1])
            counts = is_number(self.scene.type_of(value)) and not told[:1].isdigit()
            said += number.format(told) if counts else told
        return word.polished(said, self.scene.glossary.symbols.nouns)

    def _behind(self, told: str, rest: list[str | ast.Name]) -> list[str | ast.Name]:
        """What stands behind a hole, in the singular behind a 1."""
        own = self.scene.glossary.counted() if told == "1" else ()
        return [of_one(one, (), own) if own and isinstance(one, str) else one for one in rest]

    def tests(self, node: ast.Expr | None) -> list[Expr]:
        """The parts of a condition that the settings leave open. One that never holds stays."""
        if node is None:
            return []
        return [test for test in conjuncts(self.scene.read(node)) if test != YES]


def verb_of(who: str, verb: str) -> str:
    """A verb as it agrees with `who`, or with `you`, which may be left out."""
    return word.third_person(verb) if who not in ("", "you") else verb


# Types whose values go by the name of the variable alone.
_NAMELESS = ("Int", "Bool", "Text", "?")


def realised(
    template: Template,
    variables: dict[int, Variable],
    words: Glossary,
    fresh: frozenset[int] = frozenset(),
) -> str:
    """A phrase of a rules text as text: a variable said twice in a row is `it`.

    What is `fresh` is `a piece` where it comes first, and `the piece` from then on.
    """
    said: int | None = None
    pronouns = IT not in template
    text = ""
    for part in template:
        if isinstance(part, str):
            text += part
        elif part == POSSESSIVE:
            text = word.possessive(text)
        elif (expr := part[0])[0] == "slot":
            variable = variables.get(expr[1]) or Variable("it", Type("Text"))
            if expr[1] in fresh:
                fresh -= {expr[1]}
                name = _introduced(variable, words)
                text += re.sub("^an? ", "", name) if text.endswith("some ") else name
            else:
                text += _variable_words(variable, words, again=pronouns and said == expr[1])
            if variable.type.name not in _NAMELESS:
                said = expr[1]
        else:
            text += str(expr[-1])
    return word.polished(_said_once(text), words.symbols.nouns)


@lru_cache(maxsize=10_000)  # a text and the card of the same item say three in four of them again
def _said_once(text: str) -> str:
    return _SAID_TWICE.sub(r"\1", text)


# What a hole says and the text behind it says again: `its MI MI`, `the rank|the rank`.
_SAID_TWICE = re.compile(
    r"\b(?!(?:that|had|is|it|you) )([\w' ]{1,80})(?:(?<=\w\w\w) |(?<=[A-Z]{2}) |\|)\1\b"
)


def _variable_words(variable: Variable, words: Glossary, again: bool) -> str:
    type_ = variable.type
    if again and not type_.many and type_ != PLAYER and type_.name not in words.symbols.enums:
        return "it"
    if variable.said and type_ != BOOL:
        return variable.said
    plain = type_.name in _NAMELESS and type_.name not in ("Int", "Text")
    noun = "" if plain else word.NUMBER if is_number(type_) else words.noun(type_, type_.many)
    return f"the {word.called(variable.name, noun)}"


def _introduced(variable: Variable, words: Glossary) -> str:
    type_ = variable.type
    if type_.name in _NAMELESS:
        several = word.is_several(variable.name.partition("_")[0])
        nameless = several or word.says_nothing(variable.name, of_thing=False)
        if type_.name == "Text" and not nameless:
            return word.with_article(word.spaced(variable.name))
        return "some amount" if type_.name == "Int" else "something"
    name = word.called(variable.name, words.noun(type_, type_.many))
    return name if type_.many else word.with_article(name)


def counted(node: object, name: str) -> int:
    """How often a stretch of effect text speaks of a name."""
    names = (
        part
        for one in walk(node)
        for part in (holes(one) if isinstance(one, ast.TextLiteral) else (one,))
    )
    return sum(isinstance(one, ast.Name) and one.id == name for one in names)


def told_of(block: tuple[ast.Stmt, ...], name: str) -> bool:
    """Does a text speak of a name, and not only the words of a choice, which are for the table?"""
    asked = [one for one in walk(block) if isinstance(one, ast.ChooseStmt) and one.prompt]
    prompts = sum(counted(one.prompt, name) for one in asked if not is_question(one))
    return counted(block, name) > prompts


def is_question(node: ast.ChooseStmt) -> bool:
    """Is a choice one between yes and no?"""
    match node.domain:
        case ast.ListExpr(items=items):
            return all(isinstance(one, ast.BoolLiteral) for one in items)
    return False


def is_set(node: object, name: str) -> bool:
    """Does a stretch of effect text give a variable another value?"""
    targets = (
        one.name if isinstance(one, ast.AssignStmt | ast.AddStmt) else getattr(one, "giving", None)
        for one in walk(node)
    )
    return any(target is not None and target.id == name for target in targets)


_ACTS = (
    ast.OperateStmt,
    ast.UseStmt,
    ast.UsePowerStmt,
    ast.DrawStmt,
    ast.PutStmt,
    ast.CombinableStmt,
)
_CHANGES = (*_ACTS, ast.AssignStmt, ast.AddStmt)


def stays(name: str, following: tuple[ast.Stmt, ...]) -> bool:
    """Is a name used only before anything changes, so that its value can stand in its place?"""
    for stmt in following:
        if counted(stmt, name):
            rest = following[following.index(stmt) + 1 :]
            rounds = isinstance(stmt, ast.ForEachStmt | ast.RepeatStmt | ast.RepeatUntilStmt)
            return not rounds and not counted(rest, name) and _stays_within(name, stmt)
        if any(isinstance(one, _CHANGES) for one in walk(stmt)):
            return False
    return True


def _stays_within(name: str, stmt: ast.Stmt) -> bool:
    """Does nothing change in a statement before it speaks of a name?"""
    match stmt:
        case ast.IfStmt(arms=arms, otherwise=otherwise):
            bodies = [*(body for _, body in arms), otherwise]
        case _:
            bodies = [getattr(stmt, "body", ())]
    return all(stays(name, body) for body in bodies if counted(body, name))


_CHOICES = (ast.ChooseStmt, ast.ChooseOneStmt, ast.OptionalStmt, ast.SecretlyStmt, ast.AskStmt)
_ASKS = (*_CHOICES, ast.RollStmt, ast.DrawStmt, ast.LookStmt, ast.CombinableStmt)


def asks(node: object) -> bool:
    """Is somebody asked, or chance, within this stretch of effect text?"""
    return any(isinstance(one, _ASKS) for one in walk(node))


_TENS, _ONES = ("", "x", "xx", "xxx"), ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = tuple(ten + one for ten in _TENS for one in _ONES)[1:]


# Stands before the first step, where the one before makes a difference.
_START = Step("")


def paragraph(steps: Sequence[Step]) -> str:
    """The steps as sentences, one after the other."""
    return " ".join(word.sentence(text) for text in _texts(steps))


def _texts(steps: Sequence[Step], inside: bool = False) -> list[str]:
    """The steps, each with what is in it; `inside` of another they stand in one sentence."""
    return [
        _inline(step, before.may, after, inside and after != _START)
        for before, step, after in zip((_START, *steps), steps, (*steps[1:], _START), strict=False)
    ]


def _inline(step: Step, after_may: bool, after: Step, goes_on: bool) -> str:
    """One step with what is in it, in brackets where nobody could hear how far that reaches."""
    head = heading(step, after_may)
    if not step.parts:
        return head
    if step.chooses:
        said = [f"({ascii_lowercase[at % 26]}) {_mode(part)}" for at, part in enumerate(step.parts)]
        return f"{head}: {_bracketed('; '.join(said), goes_on)}"
    inner = step.parts[0].steps
    texts = _texts(inner, True)
    head = _unless_told_by(texts, head)
    if len(texts) == 1 and texts[0].startswith("if ") and ", if " in head and "; " not in texts[0]:
        return f"{head} and {texts[0].removeprefix('if ')}"
    said_as_one = "; ".join(texts)
    bracketed = (goes_on and "; " in said_as_one) or (_is_other_way(after) and _decides(inner))
    colon = len(texts) > 1 or bracketed or _wants_colon(head, step)
    return f"{head}{': ' if colon else ', '}{_bracketed(said_as_one, bracketed)}"


_THERE_IS = re.compile(r", if there is an? ([^,;]+)$")


def _unless_told_by(texts: Sequence[str], head: str) -> str:
    """A head without asking whether there is one of those for every one of which all is done."""
    there = _THERE_IS.search(head)
    if there is None or len(texts) != 1 or not texts[0].startswith(f"for every {there[1]}"):
        return head
    return head[: there.start()]


def _bracketed(text: str, needed: bool) -> str:
    return f"[{text}]" if needed else text


def _is_other_way(step: Step) -> bool:
    """Does a step say what is done if the condition before it fails?"""
    return step.text == "if not" or step.text.startswith("otherwise")


def _decides(steps: Sequence[Step]) -> bool:
    """Is there a condition among the steps to which an `otherwise` behind them could belong?"""
    return any(
        step.may
        or step.text.startswith(("if ", "unless ", "otherwise"))
        or (not step.chooses and any(_decides(part.steps) for part in step.parts))
        for step in steps
    )


def _wants_colon(head: str, step: Step) -> bool:
    """Does a step say all that its parts do, so that these stand behind it to explain it?"""
    labelled = step.may and not step.text.startswith(("for ", "if "))
    return labelled or head.lower().startswith(("repeat", "up to", "take this")) or ": " in head


def _mode(part: StepPart) -> str:
    texts = _texts(part.steps, True)
    return f"{part.label}: {', then '.join(texts)}" if texts else part.label


def heading(step: Step, after_may: bool = False) -> str:
    """A step without its parts: who does it or may do it."""
    if step.may:
        return f"{step.who or 'you'} may {'then ' if after_may else ''}{step.text}"
    if step.text.startswith("may ") and not step.who:
        return f"you {step.text}"
    return f"{step.who} {step.text}" if step.who else step.text


def numbered(steps: Sequence[Step], level: int = 0) -> list[str]:
    """The steps as the lines of a list, with lists inside."""
    lines: list[str] = []
    for at, (before, step) in enumerate(pairwise((_START, *steps))):
        mark, head = _mark(level, at), word.capital(heading(step, before.may))
        inner = step.parts[0].steps if step.parts else ()
        if not step.parts:
            lines.append(mark + word.sentence(head))
        elif step.chooses:
            lines += [f"{mark}{head}:", *_mode_entries(step.parts, level + 1)]
        elif len(inner) == 1 and not inner[0].parts:
            link = ": " if _wants_colon(head, step) else ", "
            lines.append(mark + word.sentence(f"{head}{link}{heading(inner[0])}"))
        else:
            lines += [f"{mark}{head}:", *numbered(inner, level + 1)]
    return lines


def _mode_entries(modes: Sequence[StepPart], level: int) -> list[str]:
    lines: list[str] = []
    for at, part in enumerate(modes):
        mark = _mark(level, at)
        if len(part.steps) == 1 and not part.steps[0].parts:
            lines.append(mark + word.sentence(f"{part.label}: {heading(part.steps[0])}"))
            continue
        lines.append(f"{mark}{word.capital(part.label)}{':' if part.steps else '.'}")
        lines += numbered(part.steps, level + 1)
    return lines


def _mark(level: int, at: int) -> str:
    marks = (str(at + 1), ascii_lowercase[at % 26], _ROMAN[at % len(_ROMAN)])
    return f"{'   ' * level}{marks[level % 3]}. "
