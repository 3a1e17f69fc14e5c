"""Names that broken things may have declared: whoever uses one of them hears no second complaint.

In goes an item or a file that was refused; out come words. A word with a `$` in front is a kind: of
that kind there may be more items than were found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ruleloom.compiler.packs.content import COMMON_KINDS
from ruleloom.compiler.yaml.node import YamlNode

WRITTEN_ID = re.compile(
    r"(?:^[ \t-]*|[{,][ \t]*)id:[ \t]*[\"'“]?([A-Za-z][\w-]{0,63})", re.MULTILINE
)
WRITTEN_KIND = re.compile(r"(?:^[ \t-]*|[{,][ \t]*)kind:[ \t]*[\"'“]?([a-z]+)", re.MULTILINE)
# Stands for every name: what is broken may be called anything.
ANY = "*"
WORD = re.compile(r"[A-Za-z_]\w{0,63}")


def names_in_file(text: str) -> Iterator[str]:
    """Every word of a file that cannot be read: each may be the name of something."""
    yield from WORD.findall(text)
    yield from (name.replace("-", "_") for name in WRITTEN_ID.findall(text))
    yield from (f"${kind}" for kind in WRITTEN_KIND.findall(text))


def names_in_item(node: YamlNode, kind: str | None) -> Iterator[str]:
    """The names a broken item may have declared: its own, options, enum values, queries."""
    named = node.get("id")
    if named is not None:
        yield re.sub(r"\W", "_", named.text) if named.text is not None else ANY
    yield from (name.replace("-", "_") for name in node.entries)
    yield from _parts_of(node)
    yield from (f"${one}" for one in ([kind] if kind is not None else COMMON_KINDS))


def _parts_of(node: YamlNode) -> Iterator[str]:
    for child in (*node.entries.values(), *node.items):
        yield from (name.replace("-", "_") for name in child.entries)
        if child.text is not None and WORD.fullmatch(child.text):
            yield child.text
        if child.entries or child.items:
            yield from _parts_of(child)
