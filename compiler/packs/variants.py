"""Variants: items that are `like` another one of their kind, but for the fields that they give.

In go items as they stand in files; out come whole ones, before their schemas judge them. A variant is
like what is written there, whatever patches make of it. Its name is its own: `id`, `title` and old
names are not taken over. A map that both give has the keys of both; a field given as `null` is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

from ruleloom.compiler.diagnostics.report import Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean
from ruleloom.compiler.graph import path_text
from ruleloom.compiler.packs.poison import Poison
from ruleloom.compiler.schema.registry import LIKE
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.dataclass import dataclass

OWN = ("kind", "id", "title", "renamed_from", LIKE)
MOST_ALIKE = 16
NAME = re.compile(r"(?:(?:([\w-]+):)?([\w-]+)/)?([\w-]+)")


@dataclass(slots=True, eq=False)
class Originals:
    """The items that others may be like, by kind and name, each with its pack."""

    known: dict[tuple[str, str], tuple[str, YamlNode]] = field(default_factory=dict)
    renamed: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Iterable[tuple[str, YamlNode]]) -> Originals:
        """Read the names of items as they are written; of two of one name the first counts."""
        found = cls()
        for pack, node in nodes:
            kind, name = _text(node, "kind"), _text(node, "id")
            found.known.setdefault((kind, name), (pack, node))
            old = node.get("renamed_from")
            for one in () if old is None else old.items or [old]:
                found.renamed[kind, str(one.value)] = name
        return found

    def chain(self, node: YamlNode, poisoned: Poison, report: Report) -> list[YamlNode] | None:
        """A variant, what it is like, and so on; None after a complaint."""
        chain = [node]
        while (like := chain[-1].get(LIKE)) is not None:
            other = self._named(_text(node, "kind"), like, poisoned, report)
            if other is None:
                return None
            if other in chain:
                _refuse_circle(chain[chain.index(other) :], report)
                return None
            chain.append(other)
            if len(chain) > MOST_ALIKE:
                message = f"this is like others through more than {MOST_ALIKE} items"
                report.error("too-deep", like.place, message, "be like one further on")
                return None
        return chain

    def _named(
        self, kind: str, like: YamlNode, poisoned: Poison, report: Report
    ) -> YamlNode | None:
        """The item that a variant is like; None after a complaint."""
        written = like.text or like.raw
        match = NAME.fullmatch(written)
        pack, of_kind, name = match.groups() if match is not None else (None, None, written)
        new = self.renamed.get((kind, name), name) if (kind, name) not in self.known else name
        found = self.known.get((kind, new))
        if found is not None and of_kind in (None, kind) and pack in (None, found[0]):
            if new != name:
                message = f"`{written}` is now called `{new}`, and is taken as that"
                report.warning("renamed", like.place, message, Suggestion(written, new))
            return found[1]
        if not poisoned.may_declare(name):
            names = [one for of, one in self.known if of == kind]
            message = f"there is no {kind} `{written}` to be like"
            help = did_you_mean(written, names) or f"the id of another {kind}"
            report.error("unknown-name", like.place, message, help)
        return None


def whole(chain: Sequence[YamlNode]) -> YamlNode:
    """A variant with all that it has from those it is like."""
    *variants, found = chain
    for one in reversed(variants):
        found = _joined(one, found, OWN)
    return found


def _text(node: YamlNode, key: str) -> str:
    found = node.get(key)
    return "" if found is None else str(found.value)


def _refuse_circle(circle: Sequence[YamlNode], report: Report) -> None:
    """Complain of items that are like one another, once for all of them."""
    places = [one.entries[LIKE].place for one in circle]
    first = places.index(min(places))
    names = [_text(one, "id") for one in (*circle[first:], *circle[:first])]
    message = f"this is like itself: {path_text([*names, names[0]])}"
    notes = [Note(place, "and so on here") for place in (*places[first + 1 :], *places[:first])]
    report.error("like-circle", places[first], message, "one of them says everything itself", notes)


def _joined(own: YamlNode, base: YamlNode, apart: Sequence[str] = ()) -> YamlNode:
    """A map with the entries of both, but for the keys kept `apart`; the own ones come first."""
    entries: dict[str, YamlNode] = {}
    spans: dict[str, tuple[int, int]] = {}
    sources = {}
    for one, keys in ((base, base.entries.keys() - {*apart}), (own, own.entries.keys() - {LIKE})):
        for key in (key for key in one.entries if key in keys):
            before, node = entries.get(key), one.entries[key]
            both = before is not None and (before.kind, node.kind) == ("map", "map")
            entries[key] = _joined(node, before) if both and before is not None else node
            spans[key] = (one.key_spans or {})[key]
            sources[key] = (one.key_sources or {}).get(key, one.source)
    left_out = [key for key, node in entries.items() if apart and node.kind == "null"]
    for key in left_out:
        del entries[key], spans[key], sources[key]
    return YamlNode(own.source, "map", entries, own.start, own.end, own.style, spans, sources)
