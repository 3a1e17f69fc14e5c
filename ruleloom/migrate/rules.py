"""Rules of migration, as data in the packs that others build on."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from ruleloom.compiler.analysis.normal_form import ends_before, narrows
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.yaml.node import text_of
from ruleloom.runtime.dataclass import Frozen

PARAMETER = re.compile(r"\s*(\w+)\s*(?:=\s*(.*\S))?\s*")


class Rule(Frozen):
    """A rule of migration: `old` is a name of the sort, as packs have written it."""

    item: Item
    sort: str
    old: str

    @classmethod
    def of(cls, item: Item) -> Rule:
        """The rule that an item says."""
        sort, _, old = text_of(item.fields["old"]).partition("/")
        return cls(item, sort, old)

    def says(self, name: str) -> str:
        """A field of the rule that is a text; empty if missing."""
        return text_of(self.item.fields.get(name))

    @property
    def word(self) -> str:
        """The old name as it stands in a file: the last part of one within another."""
        return self.old.rpartition(".")[2]

    def is_named(self, written: str) -> bool:
        """Is this the old name, in a text or as an id, perhaps with its pack?"""
        if "/" in written and self.sort != "way":
            return written.rpartition(":")[2] == f"{self.sort}/{self.old}"
        return written in (self.word, slug_of(self.word))

    @property
    def new_word(self) -> str:
        """The new name, without sort and owner."""
        return re.split(r"[/.]", self.says("new"))[-1]

    @property
    def parameters(self) -> Mapping[str, str]:
        """The parameters of the old call, with their usual values; empty for none."""
        found = map(PARAMETER.fullmatch, self.says("takes").split(","))
        return {one[1]: one[2] or "" for one in found if one is not None}

    @property
    def task(self) -> str:
        """What somebody must do where this rule changes nothing itself."""
        now = self.says("person") or f"write `{self.says('becomes') or self.says('new')}`"
        return f"`{self.word}`: {now} ({self.says('why')})"

    @property
    def unsure(self) -> str:
        """What somebody must do where a call may be of before this rule or of after it."""
        since, pack = self.says("since"), self.item.pack
        now = f"write `{self.says('becomes').strip()}` if this is of before {since} ({self.says('why')})"
        return f'`{self.word}`: {now}; if it is not, require `{pack}: ">={since}"`'


def rules_of(content: Content, below: Collection[str]) -> list[Rule]:
    """The rules of the packs `below`."""
    return [Rule.of(item) for item in content.by_kind("migration") if item.pack in below]


def is_later(rule: Rule, ranges: Mapping[str, str]) -> bool:
    """Was a pack that requires these `ranges` written for versions before the rule?"""
    return ends_before(ranges.get(rule.item.pack, "*"), rule.says("since"))


def may_be_later(rule: Rule, ranges: Mapping[str, str]) -> bool:
    """May a pack that requires these `ranges` be written for versions before the rule, or for later ones?"""
    wanted, since = ranges.get(rule.item.pack, "*"), rule.says("since")
    return not ends_before(wanted, since) and narrows(wanted, f"{wanted},>={since}")


def rule_for(rules: Sequence[Rule], written: str) -> Rule | None:
    """The rule about a name that something is wrong with; those that change it come first."""
    found = [one for one in rules if one.is_named(written)]
    return min(found, key=lambda one: bool(one.says("person")), default=None)
