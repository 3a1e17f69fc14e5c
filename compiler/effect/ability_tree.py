"""The syntax tree of abilities: what an item does to numbers for as long as somebody bears it."""

from __future__ import annotations

from compiler.effect.tree import Arg, Expr, Name, Node
from compiler.forms import form


@form
class Place(Node):
    """One argument of a stat that is modified: a value, or `each NAME`, any value at all."""

    value: Expr | None
    each: Name | None


@form
class Modify(Node):
    """`modify STAT(places) by|to|times|at least|at most E [type NAME] [where E] [as E]`.

    `change` is one of by, to, times, least, most.
    """

    stat: Name
    places: tuple[Place, ...]
    change: str
    value: Expr
    bonus: Name | None
    where: Expr | None
    label: Expr | None


@form
class Keyword(Node):
    """`immune(heat)`: an ability that the ruleset has a name for."""

    name: Name
    args: tuple[Arg, ...]


@form
class Passive(Node):
    """`passive where E:` and an indented list of abilities, which hold while E does."""

    where: Expr
    body: tuple[Ability, ...]


Ability = Modify | Keyword | Passive
