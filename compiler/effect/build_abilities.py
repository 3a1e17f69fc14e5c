"""Builds abilities: one method for each named form of their part of grammar.lark."""

from __future__ import annotations

from compiler.effect.ability_tree import Ability, Keyword, Modify, Passive, Place
from compiler.effect.build_values import Parts, reach
from compiler.effect.tree import Call, Name
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

    def place_of(self, s: Parts) -> Place:
        return Place(s[0].span, s[0], None)

    def place_each(self, s: Parts) -> Place:
        return Place(reach(s), None, s[1])

    def change(self, s: Parts) -> Parts:
        return [s[0].value, s[1]]

    def change_limit(self, s: Parts) -> Parts:
        return [s[1].value, s[2]]

    def next_mark(self, s: Parts) -> Parts:
        """Collect (word, value) pairs; each word stands once."""
        if any(word == s[1].value for word, _ in s[0]):
            raise EffectSyntaxError(s[1].span, f"a second `{s[1].value}`", "take one out")
        s[0].append((s[1].value, s[2]))
        return s[0]  # type: ignore[no-any-return]
