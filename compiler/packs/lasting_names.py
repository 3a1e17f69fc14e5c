"""The names declared by an item of the kind `lasting`, the same for all stages.

The things that keep its effects have fields that no pack needs to declare: `lies_on`, `begun_by`,
`time_left`, and one for each value it takes.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress

from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.syntax.parser import parse_occurrence
from ruleloom.compiler.syntax.tree import conjuncts
from ruleloom.runtime.dataclass import Frozen

KIND = "lasting"
BEARER, OWNER, TIME, THIS, SELF = "lies_on", "begun_by", "time_left", "this", "self"
"""The fields of every lasting effect, and the names for it and for its bearer in its texts."""
OWNER_NAME, TIME_NAME = "owner", "time"
EACH, LONGEST, ONCE = "each", "longest", "once"
MOST_EACH, MOST, LONGEST_TIME = 20, 100, 1_000_000
"""Default limits: effects at once, if each counts and otherwise, and the longest time."""
NEVER = "never"
# Names that a value of an effect cannot have, as every effect uses them.
TAKEN_NAMES = (SELF, THIS, OWNER_NAME, TIME_NAME, BEARER, OWNER, TIME, "by", "result")

HOLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class _Operation:
    """The name of an operation on the effects of an item."""

    def __init__(self, does: str) -> None:
        self.does = does

    def __get__(self, names: Names, _: type) -> str:
        return f"{self.does} {names.item.slug}"


class Names(Frozen):
    """The names that one item declares; those with a space cannot clash with an author's."""

    item: Item
    begin = _Operation("begin")
    """The operation that begins an effect."""
    renew = _Operation("renew")
    """The operation that replaces a shorter effect by a longer one."""
    end = _Operation("end")
    """The operation that ends an effect."""
    lose = _Operation("lose")
    """The operation that ends an effect whose bearer is gone."""
    prolong = _Operation("prolong")
    """The operation that changes an effect's time."""
    count = _Operation("count")
    """The operation that counts time down."""

    @property
    def entity(self) -> str:
        """The type of the effects: `HolyFire` of `holy-fire`."""
        return "".join(part[:1].upper() + part[1:] for part in self.item.slug.split("_"))

    @property
    def on(self) -> str:
        """The type of the bearer; empty for an effect on the table."""
        return str(self.item.data("on") or "")

    @property
    def query(self) -> str:
        """The list of the effects on one bearer, or of all effects on the table."""
        return self.item.slug

    @property
    def all(self) -> str:
        """The list of all effects."""
        return f"all {self.item.slug}" if self.on else self.query

    @property
    def fade(self) -> str:
        """The operation that ends an effect early and reports its values, for `ended` and `while`; else
        empty."""
        fades = {"while", "ended"} <= self.item.fields.keys()
        return f"fade {self.item.slug}" if fades else ""

    @property
    def stacks(self) -> str:
        """How a second effect on the same bearer stacks."""
        return str(self.item.data("stacks") or (LONGEST if self.counts else ONCE))

    @property
    def counts(self) -> bool:
        """Is its time counted down?"""
        return "counts" in self.item.fields or self.is_later

    @property
    def is_later(self) -> bool:
        """Was the item generated for a `next time` or `in 3 times`? Then it has no id."""
        return "id" not in self.item.fields

    @property
    def noun(self) -> str:
        """The noun for one effect in a sentence."""
        return str(self.item.data("title") or self.item.name.replace("-", " ")).lower()

    @property
    def whole(self) -> str:
        """One effect with its bearer, as a phrase for a log line."""
        return f"the {self.noun} on {{{SELF}}}" if self.on else f"the {self.noun}"

    def begins(self, known: Collection[str], unit: str) -> str:
        """The log line of a beginning effect, with placeholders that are `known`, and `unit` after its number
        of times."""
        said = str(self.item.data("english") or "")
        if not said or not set(HOLE.findall(said)).issubset(known):
            said = f"{self.whole} begins"
        is_timed = self.counts and not self.is_later and f"{{{TIME_NAME}}}" not in said
        return f"{said}, for {{{TIME_NAME}}}{unit}" if is_timed else said

    @property
    def unit(self) -> str:
        """The words after its number of times, if those are turns of its bearer; else empty."""
        where = self.counted.where if self.counted is not None else None
        for test in conjuncts(where) if where is not None else []:
            match test:
                case ast.Binary(op="=", left=ast.Name(id=one), right=ast.Name(id=other)):
                    if {one, other} == {"me", SELF}:  # its bearer acts
                        return f" of {{{SELF}}}'s turns"
        return ""

    @property
    def counted(self) -> ast.When | None:
        """What its time is counted by; None if that is nothing, or does not parse."""
        with suppress(EffectSyntaxError):
            return parse_occurrence(str(self.item.data("counts") or ""))
        return None


COUNTED = re.compile(r"(?:begin|end) (?:a|the) ([a-z]+)")


def unit_of(event: str, english: str) -> str:
    """What the times of an event are called, by its name and its English: `rounds` of `end the round`."""
    if event.rpartition(" ")[2] == "turn":
        return "turns"
    found = COUNTED.fullmatch(english)
    return f"{found[1]}s" if found is not None else "times"


def told_id(ended: str) -> str:
    """The id of an effect's `ended` text when it responds to the end of the effect."""
    return f"{ended} told"
