"""The syntax tree of effect text and of abilities: a frozen class per form, each with its span.

A span is a pair of character offsets into the effect text itself; `ruleloom.compiler.yaml.source_map`
maps offsets to lines and columns of the YAML file. Spans do not take part in equality, so two texts
that differ only in layout have equal trees.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction

from ruleloom.runtime.dataclass import Frozen

Span = tuple[int, int]
ROUNDINGS = ("rounded down", "rounded up", "rounded nearest")


class SyntaxNode(Frozen):
    """A node with its place in the text."""

    span: Span = field(compare=False, repr=False)


class TypeName(SyntaxNode):
    """`Int`, `Piece`, `List of T` (many), `T?` (optional), `T by Player` (by_player)."""

    name: str
    many: bool = False
    optional: bool = False
    by_player: bool = False


class Param(SyntaxNode):
    """`step: Int = 1` in a `takes:` field."""

    name: str
    type: TypeName
    default: Expr | None


class Name(SyntaxNode):
    id: str


class NumberLiteral(SyntaxNode):
    value: int | Fraction


class TextLiteral(SyntaxNode):
    """A text; `written` is its source, if the names in its holes are old ones."""

    value: str
    written: str | None = field(default=None, compare=False, repr=False)


class BoolLiteral(SyntaxNode):
    value: bool


class NoneLiteral(SyntaxNode):
    """`none`."""


class DiceLiteral(SyntaxNode):
    """`3d6`, or, in `roll` only, `E d E` with an expression for each number."""

    count: int | Expr
    sides: int | Expr


class Arg(SyntaxNode):
    label: str | None
    value: Expr


class CallExpr(SyntaxNode):
    name: Name
    args: tuple[Arg, ...]


class ListExpr(SyntaxNode):
    items: tuple[Expr, ...]


class Unary(SyntaxNode):
    """`op` is `not`, `-`, or the suffix `rounded down`, `rounded up` or `rounded nearest`."""

    op: str
    value: Expr


class Binary(SyntaxNode):
    """`op` is one of: or and = != < <= > >= in `not in` + - * div mod `..`."""

    op: str
    left: Expr
    right: Expr


class IsNone(SyntaxNode):
    """`x is none`, or with `negated`, `x is not none`."""

    value: Expr
    negated: bool


class IfElse(SyntaxNode):
    """`then if condition else otherwise`."""

    then: Expr
    condition: Expr
    otherwise: Expr


class Aggregate(SyntaxNode):
    """`count(S)`, `count(x: S where c)`, `sum(e for x: S where c)`, `highest([1, 2])`.

    `kind` is one of count, exists, every, those, sum, highest, lowest. `value` is the expression
    before `for`; `binder` the candidate's name; both are None in the short form `kind(S)`.
    """

    kind: str
    value: Expr | None
    binder: Name | None
    domain: Expr
    where: Expr | None


class Allowed(SyntaxNode):
    """`allowed crowding(space)`: the soft rule holds, or is being ignored."""

    rule: Name
    args: tuple[Arg, ...]


Expr = (
    Name | NumberLiteral | TextLiteral | BoolLiteral | NoneLiteral | DiceLiteral
    | CallExpr | ListExpr | Unary | Binary | IsNone | IfElse | Aggregate | Allowed
)  # fmt: skip


class ChooseStmt(SyntaxNode):
    """`choose [COUNT] NAME from E [where E] [by E] [or none] [default E] [usual E]
    [showing E, ...] [STRING]`.

    COUNT is `up to E`, `exactly E` or `any number of`; `count` is one of one, up_to, exactly, any,
    and `limit` its E. `or_none` only goes with count one.
    """

    count: str
    limit: Expr | None
    name: Name
    domain: Expr
    where: Expr | None
    by: Expr | None
    or_none: bool
    default: Expr | None
    usual: Expr | None
    showing: tuple[Expr, ...]
    prompt: TextLiteral | None


class ModeClause(SyntaxNode):
    label: TextLiteral
    when: Expr | None
    usual: bool
    body: tuple[Stmt, ...]


class MenuName(SyntaxNode):
    """`gm_menu` or `gm_menu(who, what)`: a menu that packs can add ways to, and the locals it passes."""

    name: Name
    told: tuple[Name, ...]


class ChooseOneStmt(SyntaxNode):
    """`choose one [named MENU] [by E] [showing E, ...] [STRING]:` and an indented list of `STRING [when E]
    [usual]: block`."""

    menu: MenuName | None
    by: Expr | None
    showing: tuple[Expr, ...]
    prompt: TextLiteral | None
    modes: tuple[ModeClause, ...]


class OptionalStmt(SyntaxNode):
    """`optional [STRING] [by E] [usual]: block`."""

    label: TextLiteral | None
    by: Expr | None
    usual: bool
    body: tuple[Stmt, ...]


class SecretlyStmt(SyntaxNode):
    """`each NAME in E secretly choose NAME from E [where E] [or none] [STRING] [seen by E]`.

    One joint prompt; the chosen name is then a table by player, read as `bid(p)`.
    """

    player: Name
    players: Expr
    name: Name
    domain: Expr
    where: Expr | None
    or_none: bool
    prompt: TextLiteral | None
    seen_by: Expr | None


class AskStmt(SyntaxNode):
    """`ask E for text NAME [with E] [or none] [default E] [usual E] [STRING]`: a text in the player's own
    words, which may name tags."""

    who: Expr
    name: Name
    or_none: bool
    default: Expr | None
    usual: Expr | None
    prompt: TextLiteral | None
    naming: Expr | None


class RollStmt(SyntaxNode):
    """`roll NAME = DICE [by E] [for E] [seen by E]`: the sum; `roll each NAME`: the faces of the dice."""

    name: Name
    dice: DiceLiteral
    by: Expr | None
    whom: Expr | None
    seen_by: Expr | None
    each: bool


class DrawStmt(SyntaxNode):
    """`draw NAME from PILE [to ZONE]`: a random card of a pile, or member of a list."""

    name: Name
    pile: Expr
    to: Expr | None


class LookStmt(SyntaxNode):
    """`look at E of PILE [by E] as NAME`: one player sees the top of a lazy pile."""

    number: Expr
    pile: Expr
    by: Expr | None
    name: Name


class PutStmt(SyntaxNode):
    """`put E on top of PILE`, or `on bottom of`: things in the order of later draws."""

    things: Expr
    end: str
    pile: Expr


class ShowStmt(SyntaxNode):
    """`show E to E`: the thing is revealed to some players; the showing is public."""

    things: Expr
    to: Expr


class LetStmt(SyntaxNode):
    name: Name
    value: Expr


class AssignStmt(SyntaxNode):
    """`set NAME = E`: a local or a scope variable."""

    name: Name
    value: Expr


class AddStmt(SyntaxNode):
    """`add E to NAME` (once) or, with `removing`, `remove E from NAME`."""

    value: Expr
    name: Name
    removing: bool


class OperateStmt(SyntaxNode):
    """`shift(piece, to: space) [giving NAME]`: an operation of the vocabulary."""

    call: CallExpr
    giving: Name | None


class IdleMoment(SyntaxNode):
    """A moment without answers, not made by any parser. The variable `told` keeps its value."""

    call: CallExpr
    told: Name | None


class UseStmt(SyntaxNode):
    """`use move_piece(of: piece) [giving NAME]`: a power of the ruleset, known at compile time."""

    power: Name
    args: tuple[Arg, ...]
    giving: Name | None


class UsePowerStmt(SyntaxNode):
    """`use power of E [with NAME: E, ...]`: the power of a record, known only when it runs."""

    of: Expr
    scope: tuple[Arg, ...]


class IfStmt(SyntaxNode):
    """`if E: block`, and each `elif`; the `else` block is `otherwise`."""

    arms: tuple[tuple[Expr, tuple[Stmt, ...]], ...]
    otherwise: tuple[Stmt, ...]


class ForEachStmt(SyntaxNode):
    """`for each NAME in E [ordered by E | one by one]: block`."""

    name: Name
    domain: Expr
    order: Expr | None
    body: tuple[Stmt, ...]
    one_by_one: bool = False


class RepeatStmt(SyntaxNode):
    """`repeat E times [as NAME]: block`."""

    times: Expr
    name: Name | None
    body: tuple[Stmt, ...]


class RepeatUntilStmt(SyntaxNode):
    """`repeat until E at most INT times: block`; the condition is tested before each round."""

    until: Expr
    most: Expr
    body: tuple[Stmt, ...]


class StopStmt(SyntaxNode):
    """`stop`: the power ends here."""


class EnsureStmt(SyntaxNode):
    """`ensure E STRING`: an option that breaks it is never offered."""

    condition: Expr
    reason: TextLiteral


class IgnoringStmt(SyntaxNode):
    """`ignoring crowding, void: block`."""

    rules: tuple[Name, ...]
    body: tuple[Stmt, ...]


class KeepingStmt(SyntaxNode):
    """`keeping a, b: block`: after the block these variables of the game are restored."""

    names: tuple[Name, ...]
    body: tuple[Stmt, ...]


class CombinableStmt(SyntaxNode):
    """`combinable:` and two `use`: one after the other, or their declared fusion."""

    uses: tuple[UseStmt, ...]


class SayStmt(SyntaxNode):
    text: TextLiteral


class TellStmt(SyntaxNode):
    """`say to E STRING`: a text for one player, or each of several, alone."""

    to: Expr
    text: TextLiteral


class BeginStmt(SyntaxNode):
    """`begin NAME(values) [on E] [for E] [by E] [giving NAME]`: an effect that lasts."""

    name: Name
    args: tuple[Arg, ...]
    on: Expr | None
    time: Expr | None
    by: Expr | None
    giving: Name | None


class EndStmt(SyntaxNode):
    """`end NAME [on E]`: effects of this name, or the one in this variable."""

    name: Name
    on: Expr | None


class ProlongStmt(SyntaxNode):
    """`prolong NAME [on E] by E`: the same effects, with their time changed."""

    name: Name
    on: Expr | None
    by: Expr


class LaterStmt(SyntaxNode):
    """`next time EVENT [where E] [STRING]: block`; with `times`, `in E times EVENT ...: block`."""

    times: Expr | None
    event: CallExpr
    where: Expr | None
    label: TextLiteral | None
    body: tuple[Stmt, ...]


class RunOut(SyntaxNode):
    """The time-out of the effect `this`; no parser makes one."""

    name: Name


class FinishStmt(SyntaxNode):
    """`finish won by E STRING` or, without winner, `finish drawn STRING`."""

    winner: Expr | None
    reason: TextLiteral


class RankStmt(SyntaxNode):
    """`finish ranked NAME in E by E STRING`: the highest number has won."""

    name: Name
    domain: Expr
    number: Expr
    reason: TextLiteral


Stmt = (
    ChooseStmt | ChooseOneStmt | OptionalStmt | SecretlyStmt | AskStmt | RollStmt | DrawStmt
    | LookStmt | PutStmt | ShowStmt | LetStmt | AssignStmt | AddStmt
    | OperateStmt | IdleMoment | UseStmt | UsePowerStmt
    | IfStmt | ForEachStmt | RepeatStmt | RepeatUntilStmt | StopStmt | EnsureStmt | IgnoringStmt
    | KeepingStmt | CombinableStmt | SayStmt | TellStmt | BeginStmt | EndStmt | ProlongStmt
    | LaterStmt | RunOut | FinishStmt | RankStmt
)  # fmt: skip


class StatArg(SyntaxNode):
    """One argument of a modified stat: a value, or `each NAME` for any value."""

    value: Expr | None
    each: Name | None


class Modify(SyntaxNode):
    """`modify STAT(places) by|to|times|at least|at most E [first] [type NAME] [where E] [as E]`.

    `change` is one of by, to, times, least, most; with `first`, the base is changed.
    """

    stat: Name
    places: tuple[StatArg, ...]
    change: str
    value: Expr
    bonus: Name | None
    where: Expr | None
    label: Expr | None
    first: bool = False

    @property
    def number(self) -> tuple[Expr, str]:
        """The number, and the rounding of the product, such as `up`; empty without one."""
        value = self.value
        if self.change == "times" and isinstance(value, Unary) and value.op in ROUNDINGS:
            return value.value, value.op.removeprefix("rounded ")
        return value, ""


class Keyword(SyntaxNode):
    """`immune(heat)`: a named ability of the ruleset."""

    name: Name
    args: tuple[Arg, ...]


class Passive(SyntaxNode):
    """`passive where E:` and an indented list of abilities that hold while E does."""

    where: Expr
    body: tuple[Ability, ...]


class When(SyntaxNode):
    """`when EVENT [where E] [afterwards] [once per turn]: block`; EVENT binds plain names."""

    event: CallExpr
    where: Expr | None
    afterwards: bool
    once: bool
    body: tuple[Stmt, ...]


class Instead(SyntaxNode):
    """`instead of EVENT [where E]: block`: a replacement of an operation."""

    event: CallExpr
    where: Expr | None
    body: tuple[Stmt, ...]


class Restrict(SyntaxNode):
    """`restrict RULE(places) [where E] [as E]`: an extra condition of a rule."""

    rule: Name
    places: tuple[StatArg, ...]
    where: Expr | None
    label: Expr | None


Reaction = When | Instead
Ability = Modify | Keyword | Passive | When | Instead | Restrict
