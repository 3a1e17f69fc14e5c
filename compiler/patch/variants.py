"""Variants: items that are like another one, but (docs/packs.md).

A variant has every field of its base that it does not give itself, then the changes under `but:`, which
are those of a patch for this one item. It is completed when files are read, before schemas and patches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace

from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.diagnostics.suggest import Suggestion, did_you_mean
from ruleloom.compiler.graph import path_text
from ruleloom.compiler.packs.apart import Below
from ruleloom.compiler.packs.content import BETWEEN, Change, Derived, Item, Poison
from ruleloom.compiler.packs.settings import refuse_unclear
from ruleloom.compiler.patch.apply import apply_patches
from ruleloom.compiler.schema.registry import BUT, CHANGES, LIKE, SchemaStore
from ruleloom.compiler.schema.validate import check_item
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import YamlNode, text_of, with_entries
from ruleloom.runtime.dataclass import Frozen, dataclass

OWN = ("kind", "id", "title", "renamed_from", "deprecated", LIKE, BUT)
MOST_ALIKE = 16
NAME = re.compile(r"(?:(?:([\w-]+):)?([\w-]+)/)?([\w-]+)")
Link = tuple[str, YamlNode]
"""An item of a chain of variants, with its pack."""


@dataclass(slots=True, eq=False)
class Originals:
    """The possible bases of variants, by kind and name, each with its pack."""

    below: Below
    known: dict[tuple[str, str], list[Link]] = field(default_factory=dict)
    renamed: dict[tuple[str, str], str] = field(default_factory=dict)

    @classmethod
    def of(cls, nodes: Iterable[Link], below: Below) -> Originals:
        """Index items by their written names."""
        found = cls(below)
        for pack, node in nodes:
            kind, name = text_of(node.get("kind")), text_of(node.get("id"))
            found.known.setdefault((kind, name), []).append((pack, node))
            old = node.get("renamed_from")
            for one in () if old is None else old.items or [old]:
                found.renamed[kind, str(one.value)] = name
        return found

    def chain(self, link: Link, poisoned: Poison, report: Report) -> list[Link] | None:
        """A variant and its bases; None after reporting an error."""
        chain, kind = [link], text_of(link[1].get("kind"))
        while (like := chain[-1][1].get(LIKE)) is not None:
            other = self._named(kind, like, chain[-1][0], poisoned, report)
            if other is None:
                return None
            if other in chain:
                _refuse_circle([one for _, one in chain[chain.index(other) :]], report)
                return None
            chain.append(other)
            if len(chain) > MOST_ALIKE:
                message = f"this is like others through more than {MOST_ALIKE} items"
                report.error("too-deep", like.place, message, "be like one further on")
                return None
        return chain

    def _named(
        self, kind: str, like: YamlNode, near: str, poisoned: Poison, report: Report
    ) -> Link | None:
        """The base of a variant of the pack `near`; None after reporting an error."""
        written = like.text or like.raw
        pack, of_kind, name = self._parts(kind, written)
        new = self.renamed.get((kind, name), name) if (kind, name) not in self.known else name
        found = self._near((kind, new), pack, near)
        if len(owners := {pack: node.place for pack, node in found}) > 1:
            refuse_unclear(report, like.place, f"{kind}/{new}", owners)
            return None
        if found and of_kind in (None, kind):
            if new != name:
                message = f"`{written}` is now called `{new}`, and is taken as that"
                report.warning("renamed", like.place, message, Suggestion(written, new))
            return found[0]
        if not poisoned.may_declare(name):
            self._refuse_unknown(kind, written, like.place, report)
        return None

    def _parts(self, kind: str, written: str) -> tuple[str | None, str | None, str]:
        """The pack, the kind and the name in what is written."""
        match = NAME.fullmatch(written)
        pack, of_kind, name = match.groups() if match is not None else (None, None, written)
        if pack is None and BETWEEN in name and (kind, name) not in self.known:
            pack, _, name = name.partition(BETWEEN)
        return pack, of_kind, name

    def _near(self, name: tuple[str, str], pack: str | None, near: str) -> list[Link]:
        """The items of a kind and name, of a pack if one is named, that the pack `near` may mean."""
        named = [one for one in self.known.get(name, ()) if pack in (None, one[0])]
        reach = {near, *self.below[near]}
        return [one for one in named if one[0] in reach] or named

    def _refuse_unknown(self, kind: str, written: str, place: Place, report: Report) -> None:
        message = f"there is no {kind} `{written}` to be like"
        names = [one for of, one in self.known if of == kind]
        help = did_you_mean(written, names) or f"the id of another {kind}"
        report.error("unknown-name", place, message, help)


class Completed(Frozen):
    """A variant with all inherited fields, how it differs from its base, and the findings about that."""

    node: YamlNode
    derived: Derived
    findings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Completion:
    """The completion of variants by the schemas and the vocabulary of a game."""

    store: SchemaStore
    vocabulary: tuple[Item, ...]

    def of(self, chain: Sequence[Link]) -> Completed:
        """The variant at the head of a chain, completed."""
        *variants, (_, found) = chain
        report, changes = Report(), dict[str, tuple[Change, ...]]()
        for pack, own in reversed(variants):
            found = _with_base(own, found)
            # What a variant gives itself has no history but its own.
            changes = {name: many for name, many in changes.items() if name not in own.entries}
            if BUT in own.entries:
                found, more = self._changed(found, own, pack, report)
                changes |= {name: (*changes.get(name, ()), *many) for name, many in more.items()}
        pack, base = chain[1]
        id = f"{pack}:{text_of(base.get('kind'))}/{text_of(base.get('id'))}"
        return Completed(found, Derived(id, changes), report.found)

    def _changed(
        self, node: YamlNode, own: YamlNode, pack: str, report: Report
    ) -> tuple[YamlNode, Mapping[str, tuple[Change, ...]]]:
        """A variant after the changes under its own `but:`, and these by field."""
        kind, name, but = text_of(node.get("kind")), text_of(node.get("id")), own.entries[BUT]
        place = own.key_place(BUT)
        # An item that is unsound without them is reported when all items are checked.
        if not name or not check_item(node, kind, self.store, Report()):
            return node, {}
        if not self._is_sound(but, place, report):
            return node, {}
        item = Item(kind, name, pack, node.entries, place, node, node.source)
        patch = Item(
            "patch", name, pack, _as_patch(but, f"{kind}/{name}").entries, place, but, but.source
        )
        patched = apply_patches((*self.vocabulary, item, patch), Poison(), self.store, report)
        new = next(one for one in patched.items if one.id == item.id)
        history = {
            field: tuple(replace(one, by=item.id) for one in many)
            for (_, field), many in patched.history.items()
        }
        return new.node, history

    def _is_sound(self, but: YamlNode, place: Place, report: Report) -> bool:
        """Whether the changes have the form of a patch's; mistakes go to the report."""
        if but.kind != "map" or not but.entries:
            message = f"`{BUT}:` is a map of changes, such as `{BUT}: {{add: {{price: 2}}}}`"
            report.error("wrong-type", place, message, "write the changes, or take it out")
            return False
        for key in but.entries.keys() - {*CHANGES}:
            message = f"`{key}` is no change that a variant makes to its base"
            help = did_you_mean(key, CHANGES) or "write a new value as a field of the item itself"
            report.error("unknown-field", but.key_place(key), message, help)
        return but.entries.keys() <= {*CHANGES} and check_item(
            _as_patch(but, "x/x"), "patch", self.store, report
        )


def _as_patch(but: YamlNode, target: str) -> YamlNode:
    """The changes of a variant as a patch of it."""
    words = {"kind": "patch", "id": BUT, "target": target}
    return with_entries(
        but,
        {
            key: YamlNode(but.source, "text", said, but.start, but.end)
            for key, said in words.items()
        },
    )


def _refuse_circle(circle: Sequence[YamlNode], report: Report) -> None:
    """Report items that inherit from each other in a cycle, once for all of them."""
    places = [one.entries[LIKE].place for one in circle]
    first = places.index(min(places))
    names = [text_of(one.get("id")) for one in (*circle[first:], *circle[:first])]
    message = f"this is like itself: {path_text([*names, names[0]])}"
    notes = [Note(place, "and so on here") for place in (*places[first + 1 :], *places[:first])]
    report.error("like-circle", places[first], message, "one of them says everything itself", notes)


class _Entry(Frozen):
    """An entry of a map, and where its key stands."""

    node: YamlNode
    span: tuple[int, int]
    source: Source


def _with_base(own: YamlNode, base: YamlNode) -> YamlNode:
    """A variant with the fields of its base that it does not give itself; none where it says `null`."""
    inherited = {key: one for key, one in _entries(base).items() if key not in OWN}
    given = {key: one for key, one in _entries(own).items() if key not in (LIKE, BUT)}
    both = _joined(given, inherited)
    return _map_of(own, {key: one for key, one in both.items() if one.node.kind != "null"})


def _joined(own: Mapping[str, _Entry], base: Mapping[str, _Entry]) -> dict[str, _Entry]:
    """The entries of both, maps joined; own values win."""
    found = dict(base)
    for key, one in own.items():
        before = base.get(key)
        if before is not None and (before.node.kind, one.node.kind) == ("map", "map"):
            inner = _joined(_entries(one.node), _entries(before.node))
            one = replace(one, node=_map_of(one.node, inner))
        found[key] = one
    return found


def _entries(node: YamlNode) -> dict[str, _Entry]:
    spans, sources = node.key_spans or {}, node.key_sources or {}
    return {
        key: _Entry(one, spans[key], sources.get(key, node.source))
        for key, one in node.entries.items()
    }


def _map_of(node: YamlNode, entries: Mapping[str, _Entry]) -> YamlNode:
    """A map with other entries."""
    return YamlNode(
        *(node.source, "map", {key: one.node for key, one in entries.items()}),
        *(node.start, node.end, node.style),
        {key: one.span for key, one in entries.items()},
        {key: one.source for key, one in entries.items()},
    )
