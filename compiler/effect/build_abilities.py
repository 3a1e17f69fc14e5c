"""Builds abilities: one method for each named form of their part of grammar.lark."""

from __future__ import annotations

from compiler.effect.ability_tree import Ability, Instead, Keyword, Modify, Passive, Place, Restrict, When
from compiler.effect.build_values import Parts, reach
from compiler.effect.tree import Arg, Call, Name
from compiler.effect.words import EffectSyntaxError


class Abilities:
    """Modifiers, keywords, and the conditions they hold under."""

    def next_ability(self, s: Parts) -> list[Ability]:
        s[0].append(s[1])
        return s[0]  # type: ignore[no-any-return]

    def abilities(self, s: Parts) -> Parts:
        return s

    def keyword(self, s: Parts) -> Keyword:
        call: Call = s[0]
        return Keyword(call.span, call.name, call.args)

    def passive(self, s: Parts) -> Passive:
        body = tuple(s[6])
        return Passive((s[0].span[0], body[-1].span[1]), s[2], body)

    def modify(self, s: Parts) -> Modify:
        change, value = s[5]
        marks = dict(s[6])
        end = s[6][-1][1].span[1] if s[6] else value.span[1]
        stat = Name(s[1].span, s[1].value)
        span = (s[0].span[0], end)
        bonus, where, label = (marks.get(word) for word in ("type", "where", "as"))
        return Modify(span, stat, tuple(s[3]), change, value, bonus, where, label)

    def when(self, s: Parts) -> When:
        marks, body = dict(s[2]), tuple(s[3])
        span = (s[0].span[0], body[-1].span[1])
        return When(span, s[1], marks.get("where"), "afterwards" in marks, "once" in marks, body)

    def instead(self, s: Parts) -> Instead:
        body = tuple(s[-1])
        return Instead((s[0].span[0], body[-1].span[1]), s[2], s[4] if len(s) == 6 else None, body)

    def happening(self, s: Parts) -> Call:
        args = tuple(Arg(name.span, None, name) for name in s[2]) if len(s) == 4 else ()
        return Call(reach(s), s[0], args)

    def restrict(self, s: Parts) -> Restrict:
        marks = dict(s[5])
        end = s[5][-1][1].span[1] if s[5] else s[4].span[1]
        rule = Name(s[1].span, s[1].value)
        return Restrict((s[0].span[0], end), rule, tuple(s[3]), marks.get("where"), marks.get("as"))

    def place_of(self, s: Parts) -> Place:
        return Place(s[0].span, s[0], None)

    def place_each(self, s: Parts) -> Place:
        return Place(reach(s), None, s[1])

    def change(self, s: Parts) -> Parts:
        return [s[0].value, s[1]]

    def change_limit(self, s: Parts) -> Parts:
        return [s[1].value, s[2]]

    def next_mark(self, s: Parts) -> Parts:
        """Collect pairs of a word and what belongs to it, or the word once more; each word stands once."""
        if any(word == s[1].value for word, _ in s[0]):
            raise EffectSyntaxError(s[1].span, f"a second `{s[1].value}`", "take one out")
        s[0].append((s[1].value, s[-1]))
        return s[0]  # type: ignore[no-any-return]
