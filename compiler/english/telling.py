"""What statements become before they are set on a page: steps, some with parts.

A `Step` is one thing to do, without capital and full stop; its parts are what it leads to, each with a label
where there is a choice. The pages of `compiler.english.pages` set the same steps as a paragraph or as a list.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from compiler.effect import tree
from compiler.effect.holes import holes, parts
from compiler.english.clauses import clause
from compiler.english.folding import NO, YES
from compiler.english.groups import conjuncts
from compiler.english.phrases import noun
from compiler.english.reading import Scene
from compiler.english.reference import realised
from compiler.english.speaker import Speaker
from runtime.program import Expr, Template


@dataclass(frozen=True, slots=True)
class Part:
    """What one answer leads to. Without a label it simply follows."""

    label: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. `may`: it can be left out; `who` does it, if not the player who acts."""

    text: str
    parts: tuple[Part, ...] = ()
    may: bool = False
    who: str = ""

    @property
    def chooses(self) -> bool:
        """Do its parts stand beside each other, so that one is taken?"""
        return any(part.label for part in self.parts)


@dataclass(slots=True)
class Teller:
    """Tells one effect text. `thing` is what the item makes (`card`), empty for an item that makes none.

    `used` collects the names of the powers it speaks of; `full` tells more.
    """

    scene: Scene
    thing: str = ""
    full: bool = False
    used: list[str] = field(default_factory=list)

    @property
    def speaker(self) -> Speaker:
        """Who puts its expressions into words."""
        scene = self.scene
        return Speaker(scene.glossary, scene.variables, scene.settings, False, noun, clause)

    def say(self, template: Template) -> str:
        """A phrase as text."""
        return realised(template, self.scene.variables, self.scene.glossary)

    def noun(self, expr: Expr) -> str:
        """An expression as text."""
        return self.say(noun(self.speaker, expr))

    def condition(self, node: tree.Expr) -> str:
        """A condition as text: `yes` and `no` where it is decided already."""
        return self.stated(self.scene.read(node))

    def stated(self, expr: Expr) -> str:
        """A lowered condition as text."""
        return self.say(clause(self.speaker, expr, False))

    def written(self, text: tree.Text | None) -> str:
        """A text of the author's, in which each hole is what it names."""
        found = parts(text) if text is not None else ()
        return "".join(part if isinstance(part, str) else self.noun(self.scene.read(part)) for part in found)

    def tests(self, node: tree.Expr | None) -> list[Expr]:
        """The parts of a condition that the settings leave open. One that never holds stays."""
        if node is None:
            return []
        return [test for test in conjuncts(self.scene.read(node)) if test != YES]


def is_never(tests: list[Expr]) -> bool:
    """Can this not happen under the settings in force?"""
    return NO in tests


def _inside(node: object) -> list[object]:
    """The parts of a statement or expression."""
    if not isinstance(node, tree.Node):
        return []
    return [getattr(node, name) for name in node.__match_args__ if name != "span"]


def counted(node: object, name: str) -> int:
    """How often a stretch of effect text speaks of a name."""
    if isinstance(node, tree.Name):
        return int(node.id == name)
    if isinstance(node, tree.Text):
        return sum(hole.id == name for hole in holes(node))
    if isinstance(node, tuple):
        return sum(counted(one, name) for one in node)
    return sum(counted(one, name) for one in _inside(node))


def is_set(node: object, name: str) -> bool:
    """Does a stretch of effect text give a variable another value?"""
    if isinstance(node, tree.Assign | tree.Add) and node.name.id == name:
        return True
    if isinstance(node, tree.Use | tree.Operate) and node.giving is not None and node.giving.id == name:
        return True
    if isinstance(node, tuple):
        return any(is_set(one, name) for one in node)
    return any(is_set(one, name) for one in _inside(node))


_CHANGES = (tree.Operate, tree.Use, tree.UsePower, tree.Draw, tree.Combinable, tree.Assign, tree.Add)


def stays(name: str, following: tuple[tree.Stmt, ...]) -> bool:
    """Is a name spoken of only before anything changes, so that its value can be said in its place?"""
    for stmt in following:
        if counted(stmt, name):
            rest = following[following.index(stmt) + 1 :]
            rounds = isinstance(stmt, tree.ForEach | tree.Repeat | tree.RepeatUntil)
            return not rounds and not counted(rest, name)
        if isinstance(stmt, _CHANGES):
            return False
    return True


_ASKS = (
    tree.Choose,
    tree.ChooseOne,
    tree.Optional,
    tree.Secretly,
    tree.Ask,
    tree.Roll,
    tree.Draw,
    tree.Combinable,
)


def asks(node: object) -> bool:
    """Is somebody asked, or chance, within this stretch of effect text?"""
    if isinstance(node, _ASKS):
        return True
    if isinstance(node, tuple | list):
        return any(asks(one) for one in node)
    return any(asks(one) for one in _inside(node))
