"""Builds statements and blocks, and joins all methods in the one builder that the parser calls.

A span reaches from the first word of a statement to the end of its last line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from compiler.effect import tree
from compiler.effect.build_abilities import Abilities
from compiler.effect.build_values import Expressions, Headers, Parts, append, first, reach
from compiler.effect.words import EffectSyntaxError, Tok

ROLLED = "write `roll x = 3d6`, or `roll x = number d sides`"

# The clauses of `choose` in the order they are written in.
_CLAUSES = ("where", "by", "or none", "default", "prompt")


def _around(parts: Parts) -> tree.Span:
    """Return the span of a statement whose last part is a list of what stands below it."""
    return (parts[0].span[0], parts[-1][-1].span[1])


def _text(token: Tok) -> tree.Text:
    return tree.Text(token.span, token.value[1:-1])


class Statements:
    """Statements of one line."""

    def choose(self, s: Parts) -> tree.Choose:
        return _choose("one", None, s, 1)

    def choose_up_to(self, s: Parts) -> tree.Choose:
        return _choose("up_to", s[3], s, 4)

    def choose_exactly(self, s: Parts) -> tree.Choose:
        return _choose("exactly", s[2], s, 3)

    def choose_any(self, s: Parts) -> tree.Choose:
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

    def secretly(self, s: Parts) -> tree.Secretly:
        clauses = {_clause(token): (token, value) for token, value in s[9]}
        for token, _ in s[9]:
            if _clause(token) not in ("where", "prompt"):
                raise EffectSyntaxError(
                    token.span,
                    f"a secret choice has no `{_clause(token)}`",
                    "take it out: all choose at once",
                )
        where = clauses["where"][1] if "where" in clauses else None
        prompt = clauses["prompt"][1] if "prompt" in clauses else None
        end = s[9][-1][1].span[1] if s[9] else s[8].span[1]
        return tree.Secretly((s[0].span[0], end), s[1], s[3], s[6], s[8], where, prompt)

    def ask(self, s: Parts) -> tree.Ask:
        for token, _ in s[5]:
            if (clause := _clause(token)) in ("where", "by"):
                help = (
                    "who is asked stands behind `ask`"
                    if clause == "by"
                    else "write `ensure` on the next line"
                )
                raise EffectSyntaxError(token.span, f"a text that is asked for has no `{clause}`", help)
        found = {_clause(token): value for token, value in s[5]}
        end = s[5][-1][1].span[1] if s[5] else s[4].span[1]
        span = (s[0].span[0], end)
        return tree.Ask(span, s[1], s[4], "or none" in found, found.get("default"), found.get("prompt"))

    def roll(self, s: Parts) -> tree.Roll:
        dice = s[3]
        if type(dice) is not tree.Dice:
            raise EffectSyntaxError(dice.span, "these are no dice", ROLLED)
        return tree.Roll(reach(s), s[1], dice, s[5] if len(s) == 6 else None, False)

    def roll_of(self, s: Parts) -> tree.Roll:
        dice = tree.Dice((s[3].span[0], s[5].span[1]), s[3], s[5])
        return tree.Roll(reach(s), s[1], dice, s[7] if len(s) == 8 else None, False)

    def roll_each(self, s: Parts) -> tree.Roll:
        return replace(self.roll([s[0], *s[2:]]), each=True)

    def roll_each_of(self, s: Parts) -> tree.Roll:
        return replace(self.roll_of([s[0], *s[2:]]), each=True)

    def draw(self, s: Parts) -> tree.Draw:
        return tree.Draw(reach(s), s[1], s[3], s[5] if len(s) == 6 else None)

    def let(self, s: Parts) -> tree.Let:
        return tree.Let(reach(s), s[1], s[3])

    def assign(self, s: Parts) -> tree.Assign:
        return tree.Assign(reach(s), s[1], s[3])

    def add(self, s: Parts) -> tree.Add:
        return tree.Add(reach(s), s[1], s[3], removing=s[0].value == "remove")

    def operate(self, s: Parts) -> tree.Operate:
        return tree.Operate(reach(s), s[0], s[2] if len(s) == 3 else None)

    def use_bare(self, s: Parts) -> tree.Use:
        return tree.Use(reach(s), s[1], (), s[3] if len(s) == 4 else None)

    def use_called(self, s: Parts) -> tree.Use:
        args = tuple(s[3]) if type(s[3]) is list else ()
        giving = s[-1] if type(s[-1]) is tree.Name else None
        return tree.Use(reach(s), s[1], args, giving)

    def simple(self, s: Parts) -> Any:
        return s[0]

    def use_power(self, s: Parts) -> tree.UsePower:
        scope = tuple(s[5]) if len(s) == 6 else ()
        end = scope[-1].span[1] if scope else s[3].span[1]
        return tree.UsePower((s[0].span[0], end), s[3], scope)

    def first_scope(self, s: Parts) -> list[tree.Arg]:
        return [tree.Arg(reach(s), s[0].id, s[2])]

    def next_scope(self, s: Parts) -> list[tree.Arg]:
        s[0].append(tree.Arg((s[2].span[0], s[4].span[1]), s[2].id, s[4]))
        return s[0]  # type: ignore[no-any-return]

    def stop(self, s: Parts) -> tree.Stop:
        return tree.Stop(s[0].span)

    def ensure(self, s: Parts) -> tree.Ensure:
        return tree.Ensure(reach(s), s[1], _text(s[2]))

    def say(self, s: Parts) -> tree.Say:
        return tree.Say(reach(s), _text(s[1]))

    def finish_won(self, s: Parts) -> tree.Finish:
        return tree.Finish(reach(s), s[3], _text(s[4]))

    def finish_drawn(self, s: Parts) -> tree.Finish:
        return tree.Finish(reach(s), None, _text(s[2]))


def _clause(token: Tok) -> str:
    return "prompt" if token.type == "STRING" else token.value


def _check_order(before: Tok, token: Tok) -> None:
    """Refuse a clause that stands twice or too late."""
    last, this = _clause(before), _clause(token)
    if last == this:
        help = "join two conditions with `and`" if this == "where" else "take one out"
        raise EffectSyntaxError(token.span, f"a second `{this}`", help)
    if _CLAUSES.index(last) > _CLAUSES.index(this):
        raise EffectSyntaxError(
            token.span,
            f"`{this}` comes before the prompt" if last == "prompt" else f"`{this}` comes before `{last}`",
            "the order is `where`, `by`, `or none`, `default`, and the prompt",
        )


def _choose(count: str, limit: tree.Expr | None, s: Parts, at: int) -> tree.Choose:
    """Build a `choose` whose name stands at *at*; `from`, the domain and the clauses follow."""
    name, domain, clauses = s[at], s[at + 2], s[at + 3]
    found = {_clause(token): value for token, value in clauses}
    if "or none" in found and count != "one":
        token = next(token for token, _ in clauses if token.type == "OR_NONE")
        raise EffectSyntaxError(
            token.span, "`or none` goes with a choice of one", "use `choose up to`, which may take nothing"
        )
    end = clauses[-1][1].span[1] if clauses else domain.span[1]
    return tree.Choose(
        (s[0].span[0], end),
        count,
        limit,
        name,
        domain,
        found.get("where"),
        found.get("by"),
        "or none" in found,
        found.get("default"),
        found.get("prompt"),
    )


class Blocks:
    """Lists of statements, and the statements that hold them."""

    first_statement = staticmethod(first)
    first_use = staticmethod(first)
    first_name = staticmethod(first)
    next_name = staticmethod(append)

    def block(self, s: Parts) -> tuple[tree.Stmt, ...]:
        return tuple(s[0])

    def next_statement(self, s: Parts) -> Parts:
        s[0].append(s[1])
        return s[0]  # type: ignore[no-any-return]

    next_use = next_statement

    def body_on_line(self, s: Parts) -> Parts:
        return [s[1]]

    def body_indented(self, s: Parts) -> Parts:
        return s[3]  # type: ignore[no-any-return]

    def choose_one(self, s: Parts) -> tree.ChooseOne:
        by = s[3] if s[2].value == "by" else None
        prompt = next((_text(part) for part in s if type(part) is Tok and part.type == "STRING"), None)
        modes = s[-2]
        return tree.ChooseOne((s[0].span[0], modes[-1].span[1]), by, prompt, tuple(modes))

    def first_mode(self, s: Parts) -> list[tree.Mode]:
        return [_mode(s)]

    def next_mode(self, s: Parts) -> list[tree.Mode]:
        s[0].append(_mode(s[1:]))
        return s[0]  # type: ignore[no-any-return]

    def optional(self, s: Parts) -> tree.Optional:
        labelled = type(s[1]) is Tok and s[1].type == "STRING"
        by = s[-2] if len(s) >= 4 else None
        return tree.Optional(_around(s), _text(s[1]) if labelled else None, by, tuple(s[-1]))

    def first_arm(self, s: Parts) -> Parts:
        return [s[0], (s[1], tuple(s[2]))]

    def next_arm(self, s: Parts) -> Parts:
        s[0].append((s[2], tuple(s[3])))
        return s[0]  # type: ignore[no-any-return]

    def branch(self, s: Parts) -> tree.Branch:
        start, *arms = s[0]
        otherwise = tuple(s[2]) if len(s) == 3 else ()
        last = otherwise or arms[-1][1]
        return tree.Branch((start.span[0], last[-1].span[1]), tuple(arms), otherwise)

    def for_each(self, s: Parts) -> tree.ForEach:
        return tree.ForEach(_around(s), s[2], s[4], s[7] if len(s) == 9 else None, tuple(s[-1]))

    def repeat(self, s: Parts) -> tree.Repeat:
        return tree.Repeat(_around(s), s[1], s[4] if len(s) == 6 else None, tuple(s[-1]))

    def repeat_until(self, s: Parts) -> tree.RepeatUntil:
        return tree.RepeatUntil(_around(s), s[2], s[5], tuple(s[-1]))

    def ignoring(self, s: Parts) -> tree.Ignoring:
        return tree.Ignoring(_around(s), tuple(s[1]), tuple(s[-1]))

    def combinable(self, s: Parts) -> tree.Combinable:
        uses = s[-2]
        if len(uses) < 2:
            raise EffectSyntaxError(s[0].span, "`combinable` needs two powers", "write two lines of `use`")
        return tree.Combinable((s[0].span[0], uses[-1].span[1]), tuple(uses))


def _mode(s: Parts) -> tree.Mode:
    return tree.Mode(_around(s), _text(s[0]), s[2] if len(s) == 4 else None, tuple(s[-1]))


class Builder(Expressions, Headers, Statements, Blocks, Abilities):
    """What the parser calls: a method for every form."""
