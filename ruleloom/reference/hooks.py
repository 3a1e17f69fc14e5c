"""The hooks for packs: the rolls, menus, moments, powers and operations of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ruleloom.compiler.analysis.texts import Node
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.compiler.syntax import ast
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class MenuHook:
    """A menu that ways can join: what it tells of, and the ways that it has."""

    item: Item
    name: str
    told: str
    ways: tuple[str, ...]

    @property
    def called(self) -> str:
        """How the head of the menu reads."""
        return f"{self.name}({self.told})" if self.told else self.name


@dataclass(frozen=True, slots=True)
class RollHook:
    """A roll that others can answer: a number, or dice by themselves."""

    item: Item
    name: str
    dice: bool
    text: str


def rolls(nodes: Iterable[Node], settings: Mapping[str, object] | None = None) -> list[RollHook]:
    """The rolls of all texts, with their dice as far as these settings tell."""
    found = []
    for one in nodes:
        if isinstance(one.part, ast.RollStmt):
            dice = _dice_text(one.part.dice, settings or {})
            found.append(RollHook(one.item, one.part.name.id, one.part.each, dice))
    return sorted(found, key=lambda roll: (roll.name, roll.item.id))


def _dice_text(dice: ast.DiceLiteral, settings: Mapping[str, object]) -> str:
    """The dice where they are the same in every play; without a number where only that differs."""
    count, sides = _number(dice.count, settings), _number(dice.sides, settings)
    return "" if sides is None else f"{'' if count is None else count}d{sides}"


def _number(said: int | ast.Expr, settings: Mapping[str, object]) -> int | None:
    """A number that is written, or set; None if play tells."""
    value: object = said
    if isinstance(said, ast.NumberLiteral):
        value = said.value
    elif isinstance(said, ast.Name):
        value = settings.get(said.id)
    return value if isinstance(value, int) else None


def menus(nodes: Iterable[Node]) -> list[MenuHook]:
    """The menus of all texts, by how they read."""
    found = []
    for one in nodes:
        if isinstance(one.part, ast.ChooseOneStmt) and one.part.menu is not None:
            told = ", ".join(name.id for name in one.part.menu.told)
            ways = tuple(mode.label.value for mode in one.part.modes)
            found.append(MenuHook(one.item, one.part.menu.name.id, told, ways))
    return sorted(found, key=lambda menu: menu.called)


def open_bounds(moment: Signature) -> list[str]:
    """Within what the open value of a moment is kept."""
    bounds = (("at least", moment.open_least), ("at most", moment.open_most))
    return [f"{word} {bound[1]}" for word, bound in bounds if bound is not None]
