"""Builds syntax trees: `Builder` has a method or an attribute for each named form of grammar.lark.

Each takes the parts of its form as a list: tokens as in the text, and nodes built before. Lists in the
grammar become Python lists, frozen by the node that owns them. A span reaches from the first word of a
statement to the end of its last line. A chain of operands and operators, such as [a, +, b, *, c], is
sorted by precedence once it is complete; it has `not` before its operand, `is none` and `rounded up`
after it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import ROUNDINGS, Binary, Expr, IsNone, Unary
from ruleloom.compiler.syntax.lexer import (
    COMPARISON,
    LEVELS,
    NOT,
    OR,
    RESERVED,
    ROLL_FORM,
    SPAN,
    EffectSyntaxError,
    Tok,
)
from ruleloom.runtime.program.values import exact

_ALONE = frozenset([COMPARISON, SPAN])  # two of them are never adjacent
Parts = list[Any]
# The clauses of `choose`, in order.
_CLAUSES = ("where", "by", "or none", "default", "usual", "showing", "prompt")
# The clauses that `ask` lacks, and what to write instead.
_NOT_ASKED = {
    "where": "write `ensure` on the next line",
    "by": "who is asked stands behind `ask`",
    "showing": "put the numbers into the question: `{name}`",
}


def sort_chain(chain: list[Any]) -> Expr:
    """Return the tree of a chain."""
    if len(chain) == 3 and type(chain[0]) is not Tok and type(chain[2]) is not Tok:
        left, operator, right = chain
        return Binary((left.span[0], right.span[1]), operator.value, left, right)
    tree: Expr = _climb(chain, 0, OR)[0]
    return tree


def _climb(chain: list[Any], at: int, floor: int) -> tuple[Any, int]:
    """Read one operand and all operators that bind at least as tightly as `floor`."""
    left = chain[at]
    at += 1
    if type(left) is Tok:
        if floor > NOT:
            message = "`not` cannot follow another operator"
            raise EffectSyntaxError(left.span, message, "put `not ...` in parentheses")
        value, at = _climb(chain, at, NOT)
        left = Unary((left.span[0], value.span[1]), "not", value)
    before = 0
    while at < len(chain):
        operator: Tok = chain[at]
        level = LEVELS[operator.value]
        if level < floor:
            break
        if level == before and level in _ALONE:
            raise _doubled(operator, level)
        before = level
        at += 1
        if operator.value in ("is none", "is not none"):
            left = IsNone((left.span[0], operator.span[1]), left, operator.value == "is not none")
        elif operator.value in ROUNDINGS:
            last = chain[at - 2]
            if type(last) is Tok and last.value in ROUNDINGS:
                message = f"`{operator.value}` follows another rounding"
                raise EffectSyntaxError(operator.span, message, "take one out")
            left = Unary((left.span[0], operator.span[1]), operator.value, left)
        else:
            right, at = _climb(chain, at, level + 1)
            left = Binary((left.span[0], right.span[1]), operator.value, left, right)
    return left, at


def _doubled(operator: Tok, level: int) -> EffectSyntaxError:
    if level == SPAN:
        return EffectSyntaxError(operator.span, "a span has two ends only", "write `1 .. 3`")
    help = "join two comparisons with `and`, as in `1 < x and x < 3`"
    return EffectSyntaxError(operator.span, f"`{operator.value}` follows another comparison", help)


def reach(parts: Parts) -> ast.Span:
    """Return the span from the first part to the end of the last one that is not empty."""
    last = next(part for part in reversed(parts) if part)
    while type(last) in (list, tuple):
        last = last[-1]
    return (parts[0].span[0], last.span[1])


def node(
    form: type[ast.SyntaxNode], *places: int | tuple[int] | None, **said: bool
) -> Callable[[Any, Parts], Any]:
    """Return the builder of a form from the parts at these indexes; a missing one is None, a missing
    list `()`.
    """

    def build(_: Any, s: Parts) -> ast.SyntaxNode:
        return form(reach(s), *[_field(s, place) for place in places], **said)

    return build


def _field(s: Parts, place: int | tuple[int] | None) -> Any:
    if isinstance(place, tuple):
        part = s[place[0]] if place[0] < len(s) else None
        return tuple(part) if type(part) is list else ()
    if place is None or place >= len(s):
        return None
    part = s[place]
    if type(part) is Tok:  # a quoted text: no other token is a field
        return ast.TextLiteral(part.span, part.value[1:-1])
    return tuple(part) if type(part) is list else part


class ExpressionBuilder:
    """The builder of lists, expressions, names, and the forms besides effects."""

    def first(self, s: Parts) -> Parts:
        return [s[0]]

    def next(self, s: Parts) -> Any:
        s[0].append(s[-1])
        return s[0]

    def next_line(self, s: Parts) -> Any:
        s[0].append(s[1])
        return s[0]

    def all_lines(self, s: Parts) -> Any:
        return s[0] + s[1]

    def last(self, s: Parts) -> Any:
        return s[-1]

    def alone(self, s: Parts) -> Any:
        return s[0]

    operator = rounding = gathering = alone

    def name(self, s: Parts) -> ast.Name:
        return ast.Name(s[0].span, s[0].value)

    def soft(self, s: Parts) -> Tok:
        # The formatter reads the tokens after the parser, so this word is now a name.
        s[0].type = "NAME"
        return s[0]  # type: ignore[no-any-return]

    handled = soft

    def number(self, s: Parts) -> ast.NumberLiteral:
        return ast.NumberLiteral(s[0].span, exact(s[0].value))

    def text(self, s: Parts) -> ast.TextLiteral:
        return ast.TextLiteral(s[0].span, s[0].value[1:-1])

    def dice(self, s: Parts) -> ast.DiceLiteral:
        count, sides = s[0].value.split("d")
        return ast.DiceLiteral(s[0].span, int(count), int(sides))

    def truth(self, s: Parts) -> ast.BoolLiteral:
        return ast.BoolLiteral(s[0].span, s[0].value == "yes")

    nothing = node(ast.NoneLiteral)
    list_of = node(ast.ListExpr, (1,))
    allowed = node(ast.Allowed, 1, (3,))

    def minus(self, s: Parts) -> ast.Unary:
        if type(s[1]) is list:
            message = "`not` cannot follow another operator"
            raise EffectSyntaxError(s[1][0].span, message, "put `not ...` in parentheses")
        s[0].type = "NEGATIVE"
        return ast.Unary(reach(s), "-", s[1])

    def negation(self, s: Parts) -> Parts:
        return [s[0], *s[1]] if type(s[1]) is list else s

    def link(self, s: Parts) -> Parts:
        # An operand with `not` before it is a chain of its own.
        chain: Parts = s[0] if type(s[0]) is list else [s[0]]
        for part in s[1:]:
            if type(part) is list:
                chain += part
            else:
                chain.append(part)
        return chain

    def whole(self, s: Parts) -> ast.Expr:
        return sort_chain(s[0]) if type(s[0]) is list else s[0]

    def if_else(self, s: Parts) -> ast.IfElse:
        then = self.whole(s)
        return ast.IfElse((then.span[0], s[4].span[1]), then, s[2], s[4])

    def group(self, s: Parts) -> ast.Expr:
        # The parentheses belong to the inner node: the span of any outer node starts with them.
        inner: ast.Expr = s[1]
        return replace(inner, span=reach(s))

    def call(self, s: Parts) -> ast.CallExpr:
        name = ast.Name(s[0].span, s[0].value) if type(s[0]) is Tok else s[0]
        return ast.CallExpr(reach(s), name, tuple(s[2]) if len(s) == 4 else ())

    def gather(self, s: Parts) -> ast.Aggregate:
        return ast.Aggregate(reach(s), s[0].value, None, None, s[2], None)

    def gather_where(self, s: Parts) -> ast.Aggregate:
        where = s[6] if len(s) == 8 else None
        return ast.Aggregate(reach(s), s[0].value, None, _binder(s[2]), s[4], where)

    def gather_for(self, s: Parts) -> ast.Aggregate:
        where = s[8] if len(s) == 10 else None
        return ast.Aggregate(reach(s), s[0].value, s[2], _binder(s[4]), s[6], where)

    def arg(self, s: Parts) -> ast.Arg:
        if len(s) == 1:
            return ast.Arg(s[0].span, None, s[0])
        return ast.Arg(reach(s), s[0].value, s[2])

    def shape(self, s: Parts) -> ast.TypeName:
        if len(s) == 1:
            return ast.TypeName(s[0].span, s[0].id)
        if s[0].id != "List":
            message = f"`{s[0].id} of` is no type"
            raise EffectSyntaxError(s[0].span, message, f"write `List of {s[2].id}`")
        return ast.TypeName(reach(s), s[2].id, many=True)

    def type_name(self, s: Parts) -> ast.TypeName:
        shape: ast.TypeName = s[0]
        if len(s) == 1:
            return shape
        by_player = len(s) >= 3
        if by_player and s[-1].id != "Player":
            raise EffectSyntaxError(s[-1].span, f"`by {s[-1].id}` is no type", "write `by Player`")
        optional = type(s[1]) is Tok and s[1].value == "?"
        return replace(shape, span=reach(s), optional=optional, by_player=by_player)

    def param(self, s: Parts) -> ast.Param:
        if type(s[-1]) is Tok:  # the end of the line, in `gives`
            s = s[:-1]
        default = s[4] if len(s) == 5 else None
        return ast.Param(reach(s), s[0].id, s[2], default)


def _binder(token: Tok) -> ast.Name:
    """Return the name before a colon; the lexer allows any word there, for labels."""
    if token.value in RESERVED:
        message = f"`{token.value}` is a word of the language"
        raise EffectSyntaxError(token.span, message, "choose another name")
    return ast.Name(token.span, token.value)


def _clause(token: Tok) -> str:
    return "prompt" if token.type == "STRING" else token.value


def _by_clause(clauses: Parts) -> dict[str, Any]:
    return {_clause(token): value for token, value in clauses}


def _check_order(before: Tok, token: Tok) -> None:
    """Refuse a clause that is repeated or out of order."""
    last, this = _clause(before), _clause(token)
    if last == this:
        help = "join two conditions with `and`" if this == "where" else "take one out"
        raise EffectSyntaxError(token.span, f"a second `{this}`", help)
    if _CLAUSES.index(last) > _CLAUSES.index(this):
        message = f"`{this}` comes before {'the prompt' if last == 'prompt' else f'`{last}`'}"
        order = ", ".join(f"`{one}`" for one in _CLAUSES[:-1])
        help = f"the order is {order}, and the prompt"
        raise EffectSyntaxError(token.span, message, help)


def _choose(count: str, limit: int | None, at: int) -> Callable[[Any, Parts], ast.ChooseStmt]:
    """Return the builder of a `choose` with its name at index `at` and the rest after it."""

    def build(_: Any, s: Parts) -> ast.ChooseStmt:
        name, domain, clauses = s[at], s[at + 2], s[at + 3]
        found = _by_clause(clauses)
        or_none = "or none" in found
        if or_none and count != "one":
            token = next(token for token, _ in clauses if token.type == "OR_NONE")
            message = "`or none` goes with a choice of one"
            help = "use `choose up to`, which may take nothing"
            if count == "order":
                help = "leave it out: an order of nothing is nothing"
            raise EffectSyntaxError(token.span, message, help)
        most = None if limit is None else s[limit]
        where, by, default, usual = map(found.get, ("where", "by", "default", "usual"))
        answers = default, usual, tuple(found.get("showing", ())), found.get("prompt")
        return ast.ChooseStmt(reach(s), count, most, name, domain, where, by, or_none, *answers)

    return build


class Builder(ExpressionBuilder):
    """The builder that the parser calls: a method or an attribute for every form."""

    choose = _choose("one", None, 1)
    choose_up_to = _choose("up_to", 3, 4)
    choose_exactly = _choose("exactly", 2, 3)
    choose_any = _choose("any", None, 4)
    choose_order = _choose("order", None, 2)
    dice_of = node(ast.DiceLiteral, 0, 2)
    draw = node(ast.DrawStmt, 1, 3, 5)
    look = node(ast.LookStmt, 2, 4, 5, 7)
    show = node(ast.ShowStmt, 1, 3)
    let = node(ast.LetStmt, 1, 3)
    assign = node(ast.AssignStmt, 1, 3)
    operate = node(ast.OperateStmt, 0, 2)
    stop = node(ast.StopStmt)
    ensure = node(ast.EnsureStmt, 1, 2)
    say = node(ast.SayStmt, 1)
    use_power = node(ast.UsePowerStmt, 3, (5,))
    tell = node(ast.TellStmt, 2, 3)
    end = node(ast.EndStmt, 1, 3)
    prolong = node(ast.ProlongStmt, 1, 2, 4)
    finish_won = node(ast.FinishStmt, 3, 4)
    finish_drawn = node(ast.FinishStmt, None, 2)
    finish_ranked = node(ast.RankStmt, 2, 4, 6, 7)

    def begin(self, s: Parts) -> ast.BeginStmt:
        """Build a `begin`; its terms may be in any order."""
        on, time, by, giving = map(dict(s[2]).get, ("on", "for", "by", "giving"))
        last = s[2][-1][1] if s[2] else s[1]
        span = s[0].span[0], last.span[1]
        return ast.BeginStmt(span, s[1].name, s[1].args, on, time, by, giving)

    def no_clause(self, s: Parts) -> Parts:
        return []

    def absent(self, s: Parts) -> None:
        return None

    def marked(self, s: Parts) -> bool:
        return True

    def unmarked(self, s: Parts) -> bool:
        return False

    def next_clause(self, s: Parts) -> Parts:
        """Collect (token, value) pairs, and check the order of clauses."""
        clauses: Parts = s[0]
        token: Tok = s[1]
        value = token if len(s) == 2 else s[2]
        if token.type == "STRING":
            value = ast.TextLiteral(token.span, token.value[1:-1])
        if clauses:
            _check_order(clauses[-1][0], token)
        clauses.append((token, value))
        return clauses

    def secretly(self, s: Parts) -> ast.SecretlyStmt:
        for token, _ in s[9]:
            if _clause(token) not in ("where", "or none", "prompt"):
                message = f"a secret choice has no `{_clause(token)}`"
                raise EffectSyntaxError(token.span, message, "take it out: all choose at once")
        found = _by_clause(s[9])
        where, or_none, prompt = found.get("where"), "or none" in found, found.get("prompt")
        return ast.SecretlyStmt(reach(s), s[1], s[3], s[6], s[8], where, or_none, prompt, s[10])

    def ask(self, s: Parts) -> ast.AskStmt:
        for token, _ in s[5]:
            clause = _clause(token)
            if clause in _NOT_ASKED:
                message = f"a text that is asked for has no `{clause}`"
                raise EffectSyntaxError(token.span, message, _NOT_ASKED[clause])
        found = _by_clause(s[5])
        default, usual, prompt = map(found.get, ("default", "usual", "prompt"))
        or_none = "or none" in found
        return ast.AskStmt(reach(s), s[1], s[4], or_none, default, usual, prompt, None)

    def ask_with(self, s: Parts) -> ast.AskStmt:
        return replace(self.ask([*s[:5], s[7]]), span=reach(s), naming=s[6])

    def roll(self, s: Parts) -> ast.RollStmt:
        dice = s[3]
        if type(dice) is not ast.DiceLiteral:
            raise EffectSyntaxError(dice.span, "these are not dice", ROLL_FORM)
        by, whom, seen_by = map(dict(s[4]).get, ("by", "for", "seen"))
        return ast.RollStmt(reach(s), s[1], dice, by, whom, seen_by, False)

    def roll_each(self, s: Parts) -> ast.RollStmt:
        return replace(self.roll([s[0], *s[2:]]), each=True)

    def put_on_top(self, s: Parts) -> ast.PutStmt:
        return ast.PutStmt(reach(s), s[1], s[3].value, s[5])

    put_on_bottom = put_on_top

    def add(self, s: Parts) -> ast.AddStmt:
        return ast.AddStmt(reach(s), s[1], s[3], removing=s[0].value == "remove")

    def use_of(self, s: Parts) -> ast.UseStmt:
        args = tuple(s[3]) if len(s) > 3 and type(s[3]) is list else ()
        giving = s[-1] if len(s) > 2 and type(s[-1]) is ast.Name else None
        return ast.UseStmt(reach(s), s[1], args, giving)

    def block(self, s: Parts) -> tuple[ast.Stmt, ...]:
        return tuple(s[0])

    def body_on_line(self, s: Parts) -> Parts:
        return [s[1]]

    def body_indented(self, s: Parts) -> Parts:
        return s[3]  # type: ignore[no-any-return]

    def menu(self, s: Parts) -> ast.ChooseOneStmt:
        """Build the head of a `choose one`: its name, without player and question."""
        told = tuple(s[5]) if len(s) > 4 else ()
        name = ast.MenuName(reach(s[3:]), s[3], told) if len(s) > 2 else None
        return ast.ChooseOneStmt(reach(s), name, None, (), None, ())

    def choose_one(self, s: Parts) -> ast.ChooseOneStmt:
        return ast.ChooseOneStmt(reach(s), s[0].menu, s[1], tuple(s[2]), s[3], tuple(s[4]))

    mode = node(ast.ModeClause, 0, 1, 2, -1)
    optional = node(ast.OptionalStmt, 1, 2, 3, 4)
    for_each = node(ast.ForEachStmt, 2, 4, 7, -1)
    for_each_one_by_one = node(ast.ForEachStmt, 2, 4, None, -1, one_by_one=True)
    repeat = node(ast.RepeatStmt, 1, 4, -1)
    repeat_until = node(ast.RepeatUntilStmt, 2, 5, -1)
    ignoring = node(ast.IgnoringStmt, 1, -1)
    keeping = node(ast.KeepingStmt, 1, -1)

    next_time = node(ast.LaterStmt, None, 2, 3, 4, 5)
    in_times = node(ast.LaterStmt, 1, 3, 4, 5, 6)

    def first_arm(self, s: Parts) -> Parts:
        return [s[0], (s[1], tuple(s[2]))]

    def next_arm(self, s: Parts) -> Parts:
        s[0].append((s[2], tuple(s[3])))
        return s[0]  # type: ignore[no-any-return]

    def branch(self, s: Parts) -> ast.IfStmt:
        start, *arms = s[0]
        otherwise = tuple(s[2]) if len(s) == 3 else ()
        last = otherwise or arms[-1][1]
        return ast.IfStmt((start.span[0], last[-1].span[1]), tuple(arms), otherwise)

    def combinable(self, s: Parts) -> ast.CombinableStmt:
        uses = s[-2]
        if len(uses) < 2:
            message = "`combinable` needs two powers"
            raise EffectSyntaxError(s[0].span, message, "write two lines of `use`")
        return ast.CombinableStmt((s[0].span[0], uses[-1].span[1]), tuple(uses))

    def keyword(self, s: Parts) -> ast.Keyword:
        call: ast.CallExpr = s[0]
        return ast.Keyword(call.span, call.name, call.args)

    passive = node(ast.Passive, 2, 3)
    instead = node(ast.Instead, 2, 3, -1)
    place_of = node(ast.StatArg, 0, None)
    place_each = node(ast.StatArg, None, 1)

    def modify(self, s: Parts) -> ast.Modify:
        stat, places, (change, value) = ast.Name(s[1].span, s[1].value), tuple(s[3]), s[5]
        marks = dict(s[6])
        bonus, where, label = map(marks.get, ("type", "where", "as"))
        if "first" in marks and change != "times":
            message = "only what multiplies (`times`) can come first"
            raise EffectSyntaxError(marks["first"].span, message, "take `first` out")
        return ast.Modify(
            reach(s), stat, places, change, value, bonus, where, label, "first" in marks
        )

    def when(self, s: Parts) -> ast.When:
        marks, body = dict(s[2]), tuple(s[3])
        where, afterwards, once = marks.get("where"), "afterwards" in marks, "once" in marks
        return ast.When(reach(s), s[1], where, afterwards, once, body)

    def occurrence(self, s: Parts) -> ast.When:
        """Build an occurrence: a `when` without a block."""
        return replace(self.when([s[0], s[0], s[1], ()]), span=s[0].span)

    def happening(self, s: Parts) -> ast.CallExpr:
        args = tuple(ast.Arg(name.span, None, name) for name in s[2]) if len(s) == 4 else ()
        return ast.CallExpr(reach(s), s[0], args)

    def phase(self, s: Parts) -> ast.Name:
        """The event before or after a power or flow, with a name of two words."""
        return ast.Name(reach(s), f"{s[0].value} {s[1].id}")

    def restrict(self, s: Parts) -> ast.Restrict:
        where, label = map(dict(s[5]).get, ("where", "as"))
        return ast.Restrict(reach(s), ast.Name(s[1].span, s[1].value), tuple(s[3]), where, label)

    def change(self, s: Parts) -> Parts:
        return [s[-2].value, s[-1]]

    def next_mark(self, s: Parts) -> Parts:
        """Collect pairs of a word and its value (by default the word); refuse a repeated word."""
        if any(word == s[1].value for word, _ in s[0]):
            raise EffectSyntaxError(s[1].span, f"a second `{s[1].value}`", "take one out")
        s[0].append((s[1].value, s[-1]))
        return s[0]  # type: ignore[no-any-return]
