"""Families: one item under `for:` makes an item of each member, with `<each>` and other holes filled.

The text of the item is copied for each member, its holes are filled, and the copy is read as if it stood
there. Its places are those of the template, with the name of the member.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean, offer
from ruleloom.compiler.schema.registry import FOR
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, text_of
from ruleloom.compiler.yaml.reader import compose
from ruleloom.runtime.dataclass import Frozen, dataclass

EACH = "each"
ALONE = ("pack", "vocabulary", "notation", "scenarios")
"""The kinds that have one item."""
MOST_MEMBERS = 100
HOLE = re.compile(r"<([A-Za-z_]\w*)>")
MEMBER = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,31}|[0-9]{1,9}")
# What would end a value early: YAML begins a comment there, or another line.
CUT_OFF = re.compile(r"\n|(^| )#")
BAD = "bad-family"


class Stretch(Frozen):
    """A stretch of a member's text: its start there, the stretch of the template, and whether it is what
    fills a hole."""

    at: int
    start: int
    end: int
    is_filled: bool


@dataclass(frozen=True, slots=True, eq=False)
class MemberSource(Source):
    """The text of one member of a family, with the places of its template."""

    template: Source
    member: str
    pieces: Sequence[Stretch]

    def place(self, start: int, end: int) -> Place:
        """Return the place of a span in the template; that of a filled hole is the hole."""
        source, begin, stop = self.written(start, end)
        return replace(source.place(begin, stop), member=self.member)

    def beginning(self, offset: int) -> tuple[str, int, int]:
        """Return the path, line and column of a character."""
        place = self.place(offset, offset)
        return place.path, place.line, place.column

    def written(self, start: int, end: int) -> tuple[Source, int, int]:
        """Return the source of the template and the span in it."""
        first, last = self._piece(start), self._piece(max(start, end - 1))
        begin = first.start if first.is_filled else first.start + start - first.at
        stop = last.end if last.is_filled else last.start + end - last.at
        return self.template, begin, max(begin, stop)

    def _piece(self, offset: int) -> Stretch:
        return self.pieces[bisect_right(self.pieces, offset, key=lambda one: one.at) - 1]


class FamilyMember(Frozen):
    """A member of a family: its name, the place of that, what fills the holes, and the places of the
    names of its own values."""

    name: str
    node: YamlNode
    holes: Mapping[str, str]
    places: Mapping[str, Place]


def with_families(root: YamlNode, report: Report) -> YamlNode | None:
    """The items of a file, with each family replaced by its members; None if none is left."""
    nodes = root.items if root.kind == "list" else [root]
    if not any(_members_of(node) for node in nodes):
        return root
    found = list[YamlNode]()
    for node in nodes:
        found += _expanded(node, report) if _members_of(node) else [node]
    return YamlNode(root.source, "list", found, root.start, root.end, root.style) if found else None


def is_template(node: YamlNode, text: YamlNode) -> bool:
    """Whether a text of an item has holes of a family."""
    return _members_of(node) is not None and HOLE.search(text.text or "") is not None


def _members_of(node: YamlNode) -> YamlNode | None:
    """What stands under `for:`, if it names members and not, as in some kinds, a type."""
    held = node.get(FOR)
    is_list = held is not None and held.kind in ("list", "map")
    return held if is_list and text_of(node.get("kind")) not in ALONE else None


def _expanded(node: YamlNode, report: Report) -> list[YamlNode]:
    before = report.count
    members = list(_members(node.entries[FOR], report))
    holes = _holes(node)
    _check_holes(node, members, holes, report)
    if report.count > before:
        return []
    return [one for one in (_filled(node, member, holes, report) for member in members) if one]


def _members(held: YamlNode, report: Report) -> Iterator[FamilyMember]:
    """The members under `for:`: a list of names, or names with values."""
    pairs: list[tuple[YamlNode, YamlNode | None]] = [(one, None) for one in held.items]
    for key, value in held.entries.items():
        start, end = (held.key_spans or {})[key]
        pairs.append((YamlNode(held.source, "text", key, start, end), value))
    if not 0 < len(pairs) <= MOST_MEMBERS:
        message = f"a family has 1 to {MOST_MEMBERS} members, and this one has {len(pairs)}"
        report.error(BAD, held.place, message, "`for: [fire, cold]` makes an item of each")
    seen = set[str]()
    for node, values in pairs[:MOST_MEMBERS]:
        name = str(node.value)
        if not MEMBER.fullmatch(name) or name in seen:
            message = f"`{name}` is {'twice' if name in seen else 'no name'} in this family"
            report.error(BAD, node.place, message, "a member is a word of letters, digits and `_`")
        seen.add(name)
        places = {key: place for key, _, place in fields_of(values)}
        yield FamilyMember(name, node, dict(_values(name, values, report)), places)


def _values(name: str, held: YamlNode | None, report: Report) -> Iterator[tuple[str, str]]:
    """What fills the holes for one member."""
    yield EACH, name
    yield EACH.capitalize(), name.replace("_", " ").capitalize()
    for key, node in entries_of(held).items():
        said = str(node.value) if node.kind in ("text", "int") else node.raw
        is_plain = node.kind not in ("list", "map", "null") and not CUT_OFF.search(said)
        if not is_plain or key in (EACH, EACH.capitalize()):
            message = f"`{key}` cannot fill a hole"
            help = (
                "a word, a number or a text on one line can, without ` #`, which begins a comment"
            )
            report.error(BAD, node.place, message, help)
        yield key, said
    if held is not None and held.kind != "map":
        message = "a member has a map of values"
        report.error(BAD, held.place, message, f"`{name}: {{word: burning}}` fills `<word>`")


def _holes(node: YamlNode) -> list[re.Match[str]]:
    """The holes in the text of an item, but for what stands under `for:`."""
    held, text = node.entries[FOR], node.source.text
    return [
        one
        for one in HOLE.finditer(text, node.start, node.end)
        if not held.start <= one.start() < held.end
    ]


def _check_holes(
    node: YamlNode, members: Sequence[FamilyMember], holes: Sequence[re.Match[str]], report: Report
) -> None:
    """Report values without a hole, else holes that nothing fills."""
    before = report.count
    _check_values(members, {one[1] for one in holes}, report)
    if not holes:
        message = "all members of this family are alike"
        report.error(BAD, node.key_place(FOR), message, f"`<{EACH}>` stands for the member")
    if report.count > before:
        return
    for member, hole in product(members, holes):
        if hole[1] not in member.holes:
            message = f"nothing fills `{hole[0]}` for `{member.name}`"
            is_known = any(hole[1] in one.holes for one in members)
            say = f"say `{hole[1]}:` for `{member.name}`"
            other = offer(hole[1], [*member.holes])
            place = node.source.place(*hole.span())
            report.error(BAD, place, message, say if is_known else other)


def _check_values(members: Sequence[FamilyMember], named: set[str], report: Report) -> None:
    """Report values without a hole."""
    for member in members:
        for key in member.places.keys() - named:
            message = (
                f"`{member.name}` has a `{key}`, and no `<{key}>` in this item is filled with it"
            )
            help = did_you_mean(key, named) or f"write `<{key}>` where it belongs"
            report.error(BAD, member.places[key], message, help)


Fill = tuple[int, int, str]
"""What fills a hole, and its span."""


def _with_id(fills: list[Fill], named: YamlNode | None, member: str) -> list[Fill]:
    """What fills the holes, and the member's name behind an id that has none."""
    if named is None or any(named.start <= start < named.end for start, _, _ in fills):
        return fills
    end = named.end - (named.style is not None)
    return sorted([*fills, (end, end, f"-{member}")])


def _filled(
    node: YamlNode, member: FamilyMember, holes: Sequence[re.Match[str]], report: Report
) -> YamlNode | None:
    """The item of one member."""
    source = node.source
    fills = [(*one.span(), member.holes[one[1]]) for one in holes]
    fills = _with_id(fills, node.get("id"), member.name)
    _, column = source.line_col(node.start)
    pieces, parts, at, done = [], [" " * (column - 1)], column - 1, node.start
    pieces.append(Stretch(0, node.start, node.start, True))
    for start, end, said in (*fills, (node.end, node.end, "")):
        pieces.append(Stretch(at, done, start, False))
        at += start - done
        pieces.append(Stretch(at, start, end, True))
        parts += source.text[done:start], said
        at, done = at + len(said), end
    made = compose(MemberSource(source.path, "".join(parts), source, member.name, pieces), report)
    if made is None or made.kind != "map" or FOR not in made.entries:
        return None
    entries = {key: one for key, one in made.entries.items() if key != FOR}
    if "id" in entries:  # an item stands where its member is named
        one = member.node
        entries["id"] = YamlNode(one.source, "text", entries["id"].value, one.start, one.end)
    return replace(made, value=entries)
