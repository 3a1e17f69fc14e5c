"""Names that broken items and files may have declared, so that their uses are not reported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import field

from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass

WRITTEN_ID = re.compile(
    r"(?:^[ \t-]*|[{,][ \t]*)id:[ \t]*[\"'“]?([A-Za-z][\w-]{0,63})", re.MULTILINE
)
WRITTEN_KIND = re.compile(r"(?:^[ \t-]*|[{,][ \t]*)kind:[ \t]*[\"'“]?([a-z]+)", re.MULTILINE)
WORD = re.compile(r"[A-Za-z_]\w{0,63}")


@dataclass(slots=True, eq=False)
class Poison:
    """The names that may have been declared, and the kinds of which there may be more items.

    With `anything`, a broken item may have any name and be of any kind.
    """

    names: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    anything: bool = False

    def __bool__(self) -> bool:
        return self.anything or bool(self.names) or bool(self.kinds)

    def mentions(self, name: str) -> bool:
        """Does something broken speak of just this name?"""
        return slug_of(name) in self.names

    def may_declare(self, name: str) -> bool:
        """May something broken have declared this name?"""
        return self.anything or self.mentions(name)

    def may_hold(self, kind: str) -> bool:
        """May there be more items of this kind than were found?"""
        return self.anything or kind in self.kinds

    def add(self, *names: str) -> None:
        """Poison these names."""
        self.names.update(map(slug_of, names))

    def add_all(self, other: Poison) -> None:
        """Poison what another has."""
        self.names |= other.names
        self.kinds |= other.kinds
        self.anything |= other.anything

    def add_file(self, text: str) -> None:
        """Poison every word of a file that cannot be read: each may be the name of something."""
        self.add(*WORD.findall(text), *WRITTEN_ID.findall(text))
        self.kinds.update(WRITTEN_KIND.findall(text))

    def add_item(self, node: YamlNode, kinds: Iterable[str], has_no_id: bool = False) -> None:
        """Poison what a broken item of one of these kinds may have declared, itself included."""
        named, kinds = node.get("id"), frozenset(kinds)
        # Of an extension any line may be lost, and with it the name that it declares.
        self.anything |= kinds == {"extension"}
        if named is not None and named.text is not None:
            self.add(re.sub(r"\W", "_", named.text))
        elif not has_no_id:
            self.anything = True
        self.add(*node.entries, *_names_within(node))
        self.kinds.update(kinds)


def slug_of(name: str) -> str:
    """A name as effect texts write it."""
    return name.replace("-", "_")


def _names_within(node: YamlNode) -> Iterator[str]:
    for child in (*node.entries.values(), *node.items):
        yield from child.entries
        if child.text is not None and WORD.fullmatch(child.text):
            yield child.text
        if child.entries or child.items:
            yield from _names_within(child)
