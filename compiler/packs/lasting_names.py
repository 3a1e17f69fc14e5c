"""The declarations of an item of the kind `lasting`: one reading of it, for all stages that ask.

In go the fields of the item, as they stand; out come its names. The things that keep its effects have
fields that no pack need declare: `lies_on`, `begun_by`, `time_left`, and one for each value it takes.
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
"""The fields of every effect that lasts, and the names for it and for its bearer in its texts."""
OWNER_NAME, TIME_NAME = "owner", "time"
EACH, LONGEST, ONCE = "each", "longest", "once"
MOST_EACH, MOST, LONGEST_TIME = 20, 100, 1_000_000
"""How many there are at most at once, where each counts and where nothing else says so."""
NEVER = "never"
# What a value that an effect takes cannot be called, as every effect has that already.
TAKEN_NAMES = (SELF, THIS, OWNER_NAME, TIME_NAME, BEARER, OWNER, TIME, "by", "result")

HOLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class _Operation:
    """The name of an operation upon the effects of an item."""

    def __init__(self, does: str) -> None:
        self.does = does

    def __get__(self, names: Names, _: type) -> str:
        return f"{self.does} {names.item.slug}"


class Names(Frozen):
    """The names that one item brings. No author can write those with a space."""

    item: Item
    begin = _Operation("begin")
    """The operation that begins one."""
    renew = _Operation("renew")
    """The operation that puts a longer one in the place of one that is there."""
    end = _Operation("end")
    """The operation that ends one."""
    lose = _Operation("lose")
    """The operation that ends one whose bearer is gone."""
    prolong = _Operation("prolong")
    """The operation that gives one more time, or less."""
    count = _Operation("count")
    """The operation that counts one down."""

    @property
    def entity(self) -> str:
        """The type of the effects themselves: `HolyFire` of `holy-fire`."""
        return "".join(part[:1].upper() + part[1:] for part in self.item.slug.split("_"))

    @property
    def on(self) -> str:
        """The type of what it lies on; empty for one that lies on the table."""
        return str(self.item.data("on") or "")

    @property
    def query(self) -> str:
        """The list of those on one bearer, or of all that lie on the table."""
        return self.item.slug

    @property
    def all(self) -> str:
        """The list of all of them."""
        return f"all {self.item.slug}" if self.on else self.query

    @property
    def fade(self) -> str:
        """The operation that ends one early and tells what it kept, where a text runs then and a
        condition may end it; else empty."""
        fades = {"while", "ended"} <= self.item.fields.keys()
        return f"fade {self.item.slug}" if fades else ""

    @property
    def stacks(self) -> str:
        """The effect of a second one on the same bearer."""
        return str(self.item.data("stacks") or (LONGEST if self.counts else ONCE))

    @property
    def counts(self) -> bool:
        """Is its time counted down?"""
        return "counts" in self.item.fields or self.is_later

    @property
    def is_later(self) -> bool:
        """Was this made of a `next time` or `in 3 times`, which has no id?"""
        return "id" not in self.item.fields

    @property
    def noun(self) -> str:
        """The noun for one of them in a sentence."""
        return str(self.item.data("title") or self.item.name.replace("-", " ")).lower()

    @property
    def whole(self) -> str:
        """One of them with its bearer, in the words of a log line."""
        return f"the {self.noun} on {{{SELF}}}" if self.on else f"the {self.noun}"

    def begins(self, known: Collection[str]) -> str:
        """The line of the log when one begins; `known` are the names that it may fill in."""
        said = str(self.item.data("english") or "")
        if not said or not set(HOLE.findall(said)).issubset(known):
            said = f"{self.whole} begins"
        is_timed = self.counts and not self.is_later and f"{{{TIME_NAME}}}" not in said
        return f"{said}, for {{{TIME_NAME}}}{self.unit}" if is_timed else said

    @property
    def unit(self) -> str:
        """The words behind the number of times that it counts, if those are turns of its bearer."""
        with suppress(EffectSyntaxError):
            where = parse_occurrence(str(self.item.data("counts") or "")).where
            tests = conjuncts(where) if where is not None else []
            for test in tests:
                match test:
                    case ast.Binary(op="=", left=ast.Name(id=one), right=ast.Name(id=other)):
                        if {one, other} == {"me", SELF}:  # its bearer acts
                            return f" of {{{SELF}}}'s turns"
        return ""


def told_id(ended: str) -> str:
    """The id of the text `ended` of an effect where it answers what ended the effect."""
    return f"{ended} told"
