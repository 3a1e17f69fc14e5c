"""The syntax tree of effect text: one frozen class a form, each with its span.

A span is a pair of character offsets into the effect text itself; `compiler.source.Scalar` maps
offsets to lines and columns of the YAML file. Spans do not take part in equality, so two texts that
differ only in layout have equal trees.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from compiler.forms import Form, form

Span = tuple[int, int]


@form
class Node(Form):
    span: Span = field(compare=False, repr=False)


# ---------------------------------------------------------------------------------- types


@form
class TypeName(Node):
    """`Int`, `Piece`, `List of T` (many), `T?` (optional), `T by Player` (by_player)."""

    name: str
    many: bool = False
    optional: bool = False
    by_player: bool = False


@form
class Param(Node):
    """`step: Int = 1` in a `takes:` field."""

    name: str
    type: TypeName
    default: Expr | None


# ---------------------------------------------------------------------------------- expressions


@form
class Name(Node):
    id: str


@form
class Number(Node):
    value: int | Fraction


@form
class Text(Node):
    value: str


@form
class Truth(Node):
    value: bool


@form
class Nothing(Node):
    """`none`."""


@form
class Dice(Node):
    """`3d6`, which only `roll` takes; there it may be `E d E`, with an expression for each number."""

    count: int | Expr
    sides: int | Expr


@form
class Arg(Node):
    label: str | None
    value: Expr


@form
class Call(Node):
    name: Name
    args: tuple[Arg, ...]


@form
class ListOf(Node):
    items: tuple[Expr, ...]


@form
class Unary(Node):
    """`op` is `not` or `-`."""

    op: str
    value: Expr


@form
class Binary(Node):
    """`op` is one of: or and = != < <= > >= in `not in` + - * div mod `..`."""

    op: str
    left: Expr
    right: Expr


@form
class IsNone(Node):
    """`x is none`, or with `negated`, `x is not none`."""

    value: Expr
    negated: bool


@form
class IfElse(Node):
    """`then if condition else otherwise`."""

    then: Expr
    condition: Expr
    otherwise: Expr


@form
class Aggregate(Node):
    """`count(S)`, `count(x: S where c)`, `sum(e for x: S where c)`, `highest([1, 2])`.

    `kind` is one of count, exists, every, those, sum, highest, lowest. `value` is the expression
    before `for`; `binder` the candidate's name; both are None in the short form `kind(S)`.
    """

    kind: str
    value: Expr | None
    binder: Name | None
    domain: Expr
    where: Expr | None


@form
class Allowed(Node):
    """`allowed crowding(space)`: the soft rule holds, or is being ignored."""

    rule: Name
    args: tuple[Arg, ...]


Expr = (
    Name
    | Number
    | Text
    | Truth
    | Nothing
    | Dice
    | Call
    | ListOf
    | Unary
    | Binary
    | IsNone
    | IfElse
    | Aggregate
    | Allowed
)


# ---------------------------------------------------------------------------------- statements


@form
class Choose(Node):
    """`choose [up to E | exactly E | any number of] NAME from E [where E] [by E] [or none]
    [default E] [STRING]`.

    `count` is one of one, up_to, exactly, any; `limit` is its E. `or_none` only with count one.
    """

    count: str
    limit: Expr | None
    name: Name
    domain: Expr
    where: Expr | None
    by: Expr | None
    or_none: bool
    default: Expr | None
    prompt: Text | None


@form
class Mode(Node):
    label: Text
    when: Expr | None
    body: tuple[Stmt, ...]


@form
class ChooseOne(Node):
    """`choose one [by E] [STRING]:` and an indented list of `STRING [when E]: block`."""

    by: Expr | None
    prompt: Text | None
    modes: tuple[Mode, ...]


@form
class Optional(Node):
    """`optional [STRING] [by E]: block`."""

    label: Text | None
    by: Expr | None
    body: tuple[Stmt, ...]


@form
class Secretly(Node):
    """`each NAME in E secretly choose NAME from E [where E] [STRING]`: one joint prompt; the
    chosen name is then a table by player, read as `bid(p)`."""

    player: Name
    players: Expr
    name: Name
    domain: Expr
    where: Expr | None
    prompt: Text | None


@form
class Ask(Node):
    """`ask E for text NAME [or none] [default E] [STRING]`: a text in a person's own words."""

    who: Expr
    name: Name
    or_none: bool
    default: Expr | None
    prompt: Text | None


@form
class Roll(Node):
    """`roll NAME = 3d6 [by E]`, `roll NAME = E d E [by E]`: the sum of the dice; `roll each NAME`: each face."""

    name: Name
    dice: Dice
    by: Expr | None
    each: bool


@form
class Draw(Node):
    """`draw NAME from PILE to ZONE`: chance takes a card of a lazy pile (or none when empty). Without `to`
    it takes one of any list, and nothing moves."""

    name: Name
    pile: Expr
    to: Expr | None


@form
class Let(Node):
    name: Name
    value: Expr


@form
class Assign(Node):
    """`set NAME = E`: a local or a scope variable."""

    name: Name
    value: Expr


@form
class Add(Node):
    """`add E to NAME` (once) or, with `removing`, `remove E from NAME`."""

    value: Expr
    name: Name
    removing: bool


@form
class Operate(Node):
    """`shift(piece, to: space) [giving NAME]`: an operation of the vocabulary."""

    call: Call
    giving: Name | None


@form
class Use(Node):
    """`use move_piece(of: piece) [giving NAME]`: a power of the ruleset, known at compile time."""

    power: Name
    args: tuple[Arg, ...]
    giving: Name | None


@form
class UsePower(Node):
    """`use power of E [with NAME: E, ...]`: the power of a record, known only when it runs."""

    of: Expr
    scope: tuple[Arg, ...]


@form
class Branch(Node):
    """`if E: block`, and each `elif`; the `else` block is `otherwise`."""

    arms: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...]


@form
class ForEach(Node):
    """`for each NAME in E [ordered by E]: block`."""

    name: Name
    domain: Expr
    order: Expr | None
    body: tuple[Stmt, ...]


@form
class Repeat(Node):
    """`repeat E times [as NAME]: block`."""

    times: Expr
    name: Name | None
    body: tuple[Stmt, ...]


@form
class RepeatUntil(Node):
    """`repeat until E at most INT times: block`; the condition is tested before each round."""

    until: Expr
    most: Expr
    body: tuple[Stmt, ...]


@form
class Stop(Node):
    """`stop`: the power ends here."""


@form
class Ensure(Node):
    """`ensure E STRING`: a way of play that does not satisfy it is never offered."""

    condition: Expr
    reason: Text


@form
class Ignoring(Node):
    """`ignoring crowding, void: block`."""

    rules: tuple[Name, ...]
    body: tuple[Stmt, ...]


@form
class Combinable(Node):
    """`combinable:` and two `use`: one after the other, or their declared fusion."""

    uses: tuple[Use, ...]


@form
class Say(Node):
    text: Text


@form
class Finish(Node):
    """`finish won by E STRING` or, without winner, `finish drawn STRING`."""

    winner: Expr | None
    reason: Text


Stmt = (
    Choose | ChooseOne | Optional | Secretly | Ask | Roll | Draw | Let | Assign | Add | Operate
    | Use | UsePower | Branch | ForEach | Repeat | RepeatUntil | Stop | Ensure | Ignoring
    | Combinable | Say | Finish
)  # fmt: skip
