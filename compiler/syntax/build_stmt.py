"""Builds statements, blocks and abilities; `Builder` joins all methods that the parser calls.

There is one method for each named form of grammar.lark. A span reaches from the first word of a
statement to the end of its last line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import (
    Arg,
    CallExpr,
    Instead,
    Keyword,
    Modify,
    Name,
    Passive,
    Restrict,
    StatArg,
    When,
)
from ruleloom.compiler.syntax.build_expr import Expressions, Headers, Lists, Parts, reach
from ruleloom.compiler.syntax.errors import FORMS
from ruleloom.compiler.syntax.tokens import EffectSyntaxError, Tok


class AbilityForms:
    """Modifiers, keywords, and the conditions they hold under."""

    def keyword(self, s: Parts) -> Keyword:
        call: CallExpr = s[0]
        return Keyword(call.span, call.name, call.args)

    def passive(self, s: Parts) -> Passive:
        return Passive((s[0].span[0], s[6][-1].span[1]), s[2], tuple(s[6]))

    def modify(self, s: Parts) -> Modify:
        change, value = s[5]
        marks, end = dict(s[6]), (s[6][-1][1] if s[6] else value)
        stat, span = Name(s[1].span, s[1].value), (s[0].span[0], end.span[1])
        bonus, where, label = (marks.get(word) for word in ("type", "where", "as"))
        return Modify(span, stat, tuple(s[3]), change, value, bonus, where, label)

    def when(self, s: Parts) -> When:
        marks, body = dict(s[2]), tuple(s[3])
        where, afterwards, once = marks.get("where"), "afterwards" in marks, "once" in marks
        return When(_around(s), s[1], where, afterwards, once, body)

    def instead(self, s: Parts) -> Instead:
        return Instead(_around(s), s[2], s[4] if len(s) == 6 else None, tuple(s[-1]))

    def happening(self, s: Parts) -> CallExpr:
        args = tuple(Arg(name.span, None, name) for name in s[2]) if len(s) == 4 else ()
        return CallExpr(reach(s), s[0], args)

    def restrict(self, s: Parts) -> Restrict:
        marks = dict(s[5])
        end = s[5][-1][1].span[1] if s[5] else s[4].span[1]
        rule = Name(s[1].span, s[1].value)
        return Restrict((s[0].span[0], end), rule, tuple(s[3]), marks.get("where"), marks.get("as"))

    def place_of(self, s: Parts) -> StatArg:
        return StatArg(s[0].span, s[0], None)

    def place_each(self, s: Parts) -> StatArg:
        return StatArg(reach(s), None, s[1])

    def change(self, s: Parts) -> Parts:
        return [s[0].value, s[1]]

    def change_limit(self, s: Parts) -> Parts:
        return [s[1].value, s[2]]

    def next_mark(self, s: Parts) -> Parts:
        """Collect pairs of a word and its value, or the word once more; each word stands once."""
        if any(word == s[1].value for word, _ in s[0]):
            raise EffectSyntaxError(s[1].span, f"a second `{s[1].value}`", "take one out")
        s[0].append((s[1].value, s[-1]))
        return s[0]  # type: ignore[no-any-return]


# The clauses of `choose` in the order they are written in.
_CLAUSES = ("where", "by", "or none", "default", "prompt")
# Those that `ask` has not, and what to write instead.
_NOT_ASKED = {
    "where": "write `ensure` on the next line",
    "by": "who is asked stands behind `ask`",
}


def _around(parts: Parts) -> ast.Span:
    """Return the span of a statement whose last part is a list of what stands below it."""
    return (parts[0].span[0], parts[-1][-1].span[1])


def _text(token: Tok) -> ast.TextLiteral:
    return ast.TextLiteral(token.span, token.value[1:-1])


class Statements:
    """Statements of one line."""

    def choose(self, s: Parts) -> ast.ChooseStmt:
        return _choose("one", None, s, 1)

    def choose_up_to(self, s: Parts) -> ast.ChooseStmt:
        return _choose("up_to", s[3], s, 4)

    def choose_exactly(self, s: Parts) -> ast.ChooseStmt:
        return _choose("exactly", s[2], s, 3)

    def choose_any(self, s: Parts) -> ast.ChooseStmt:
        return _choose("any", None, s, 4)

    def no_clause(self, s: Parts) -> Parts:
        return []

    def next_clause(self, s: Parts) -> Parts:
        """Collect (token, value) pairs and hold them against the order of clauses."""
        clauses: Parts = s[0]
        token: Tok = s[1]
        value = s[2] if len(s) == 3 else (_text(token) if token.type == "STRING" else token)
        if clauses:
            _check_order(clauses[-1][0], token)
        clauses.append((token, value))
        return clauses

    def secretly(self, s: Parts) -> ast.SecretlyStmt:
        for token, _ in s[9]:
            if _clause(token) not in ("where", "prompt"):
                message = f"a secret choice has no `{_clause(token)}`"
                raise EffectSyntaxError(token.span, message, "take it out: all choose at once")
        found = _by_clause(s[9])
        where, prompt = found.get("where"), found.get("prompt")
        end = s[9][-1][1].span[1] if s[9] else s[8].span[1]
        return ast.SecretlyStmt((s[0].span[0], end), s[1], s[3], s[6], s[8], where, prompt)

    def ask(self, s: Parts) -> ast.AskStmt:
        for token, _ in s[5]:
            clause = _clause(token)
            if clause in _NOT_ASKED:
                message = f"a text that is asked for has no `{clause}`"
                raise EffectSyntaxError(token.span, message, _NOT_ASKED[clause])
        found = _by_clause(s[5])
        default, prompt = found.get("default"), found.get("prompt")
        end = s[5][-1][1].span[1] if s[5] else s[4].span[1]
        return ast.AskStmt((s[0].span[0], end), s[1], s[4], "or none" in found, default, prompt)

    def roll(self, s: Parts) -> ast.RollStmt:
        dice = s[3]
        if type(dice) is not ast.DiceLiteral:
            raise EffectSyntaxError(dice.span, "these are no dice", FORMS["roll"])
        return ast.RollStmt(reach(s), s[1], dice, s[5] if len(s) == 6 else None, False)

    def roll_of(self, s: Parts) -> ast.RollStmt:
        dice = ast.DiceLiteral((s[3].span[0], s[5].span[1]), s[3], s[5])
        return ast.RollStmt(reach(s), s[1], dice, s[7] if len(s) == 8 else None, False)

    def roll_each(self, s: Parts) -> ast.RollStmt:
        return replace(self.roll([s[0], *s[2:]]), each=True)

    def roll_each_of(self, s: Parts) -> ast.RollStmt:
        return replace(self.roll_of([s[0], *s[2:]]), each=True)

    def draw(self, s: Parts) -> ast.DrawStmt:
        return ast.DrawStmt(reach(s), s[1], s[3], s[5] if len(s) == 6 else None)

    def let(self, s: Parts) -> ast.LetStmt:
        return ast.LetStmt(reach(s), s[1], s[3])

    def assign(self, s: Parts) -> ast.AssignStmt:
        return ast.AssignStmt(reach(s), s[1], s[3])

    def add(self, s: Parts) -> ast.AddStmt:
        return ast.AddStmt(reach(s), s[1], s[3], removing=s[0].value == "remove")

    def operate(self, s: Parts) -> ast.OperateStmt:
        return ast.OperateStmt(reach(s), s[0], s[2] if len(s) == 3 else None)

    def use_bare(self, s: Parts) -> ast.UseStmt:
        return ast.UseStmt(reach(s), s[1], (), s[3] if len(s) == 4 else None)

    def use_called(self, s: Parts) -> ast.UseStmt:
        args = tuple(s[3]) if type(s[3]) is list else ()
        giving = s[-1] if type(s[-1]) is ast.Name else None
        return ast.UseStmt(reach(s), s[1], args, giving)

    def use_power(self, s: Parts) -> ast.UsePowerStmt:
        scope = tuple(s[5]) if len(s) == 6 else ()
        end = scope[-1].span[1] if scope else s[3].span[1]
        return ast.UsePowerStmt((s[0].span[0], end), s[3], scope)

    def scoped(self, s: Parts) -> ast.Arg:
        return ast.Arg(reach(s), s[0].id, s[2])

    def stop(self, s: Parts) -> ast.StopStmt:
        return ast.StopStmt(s[0].span)

    def ensure(self, s: Parts) -> ast.EnsureStmt:
        return ast.EnsureStmt(reach(s), s[1], _text(s[2]))

    def say(self, s: Parts) -> ast.SayStmt:
        return ast.SayStmt(reach(s), _text(s[1]))

    def tell(self, s: Parts) -> ast.TellStmt:
        return ast.TellStmt(reach(s), s[2], _text(s[3]))

    def finish_won(self, s: Parts) -> ast.FinishStmt:
        return ast.FinishStmt(reach(s), s[3], _text(s[4]))

    def finish_drawn(self, s: Parts) -> ast.FinishStmt:
        return ast.FinishStmt(reach(s), None, _text(s[2]))


def _clause(token: Tok) -> str:
    return "prompt" if token.type == "STRING" else token.value


def _by_clause(clauses: Parts) -> dict[str, Any]:
    return {_clause(token): value for token, value in clauses}


def _check_order(before: Tok, token: Tok) -> None:
    """Refuse a clause that stands twice or too late."""
    last, this = _clause(before), _clause(token)
    if last == this:
        help = "join two conditions with `and`" if this == "where" else "take one out"
        raise EffectSyntaxError(token.span, f"a second `{this}`", help)
    if _CLAUSES.index(last) > _CLAUSES.index(this):
        message = f"`{this}` comes before {'the prompt' if last == 'prompt' else f'`{last}`'}"
        help = "the order is `where`, `by`, `or none`, `default`, and the prompt"
        raise EffectSyntaxError(token.span, message, help)


def _choose(count: str, limit: ast.Expr | None, s: Parts, at: int) -> ast.ChooseStmt:
    """Build a `choose` whose name stands at *at*; `from`, the domain and the clauses follow."""
    name, domain, clauses = s[at], s[at + 2], s[at + 3]
    found = _by_clause(clauses)
    if "or none" in found and count != "one":
        token = next(token for token, _ in clauses if token.type == "OR_NONE")
        message = "`or none` goes with a choice of one"
        raise EffectSyntaxError(token.span, message, "use `choose up to`, which may take nothing")
    end = clauses[-1][1].span[1] if clauses else domain.span[1]
    span, or_none = (s[0].span[0], end), "or none" in found
    where, by, default, prompt = map(found.get, ("where", "by", "default", "prompt"))
    return ast.ChooseStmt(span, count, limit, name, domain, where, by, or_none, default, prompt)


class Blocks:
    """Lists of statements, and the statements that hold them."""

    def block(self, s: Parts) -> tuple[ast.Stmt, ...]:
        return tuple(s[0])

    def body_on_line(self, s: Parts) -> Parts:
        return [s[1]]

    def body_indented(self, s: Parts) -> Parts:
        return s[3]  # type: ignore[no-any-return]

    def choose_one(self, s: Parts) -> ast.ChooseOneStmt:
        by = s[3] if s[2].value == "by" else None
        texts = [_text(part) for part in s if type(part) is Tok and part.type == "STRING"]
        prompt, modes = (texts[0] if texts else None), s[-2]
        return ast.ChooseOneStmt((s[0].span[0], modes[-1].span[1]), by, prompt, tuple(modes))

    def mode(self, s: Parts) -> ast.ModeClause:
        when = s[2] if len(s) == 4 else None
        return ast.ModeClause(_around(s), _text(s[0]), when, tuple(s[-1]))

    def optional(self, s: Parts) -> ast.OptionalStmt:
        labelled = type(s[1]) is Tok and s[1].type == "STRING"
        by = s[-2] if len(s) >= 4 else None
        return ast.OptionalStmt(_around(s), _text(s[1]) if labelled else None, by, tuple(s[-1]))

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

    def for_each(self, s: Parts) -> ast.ForEachStmt:
        return ast.ForEachStmt(_around(s), s[2], s[4], s[7] if len(s) == 9 else None, tuple(s[-1]))

    def repeat(self, s: Parts) -> ast.RepeatStmt:
        return ast.RepeatStmt(_around(s), s[1], s[4] if len(s) == 6 else None, tuple(s[-1]))

    def repeat_until(self, s: Parts) -> ast.RepeatUntilStmt:
        return ast.RepeatUntilStmt(_around(s), s[2], s[5], tuple(s[-1]))

    def ignoring(self, s: Parts) -> ast.IgnoringStmt:
        return ast.IgnoringStmt(_around(s), tuple(s[1]), tuple(s[-1]))

    def combinable(self, s: Parts) -> ast.CombinableStmt:
        uses = s[-2]
        if len(uses) < 2:
            message = "`combinable` needs two powers"
            raise EffectSyntaxError(s[0].span, message, "write two lines of `use`")
        return ast.CombinableStmt((s[0].span[0], uses[-1].span[1]), tuple(uses))


class Builder(Lists, Expressions, Headers, Statements, Blocks, AbilityForms):
    """What the parser calls: a method for every form."""
