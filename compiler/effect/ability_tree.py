"""The syntax tree of abilities: what an item does for as long as somebody bears it, to numbers, rules and events."""

from __future__ import annotations

from compiler.effect.tree import Arg, Call, Expr, Name, Node, Stmt
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


@form
class When(Node):
    """`when EVENT [where E] [afterwards] [once per turn]: block`. `event` has plain names as arguments."""

    event: Call
    where: Expr | None
    afterwards: bool
    once: bool
    body: tuple[Stmt, ...]


@form
class Instead(Node):
    """`instead of EVENT [where E]: block`: what happens in place of an operation."""

    event: Call
    where: Expr | None
    body: tuple[Stmt, ...]


@form
class Restrict(Node):
    """`restrict RULE(places) [where E] [as E]`: one more thing that a rule asks for."""

    rule: Name
    places: tuple[Place, ...]
    where: Expr | None
    label: Expr | None


Reaction = When | Instead
Ability = Modify | Keyword | Passive | When | Instead | Restrict
