"""Faults in cases: one slip at each depth of a file of scenarios.

A key misspelt, a name misspelt, a value of another type, a list for one value, a field
that is missing. What people write for readers, and what is free (ids,
remarks, reasons), is left out. Where the mistake is: the key or value; of what
is missing, the id of the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from random import Random

from benchmarks.edits.shipped import File, Shipped
from benchmarks.edits.sites import Edit, Kind, Site, as_slip, misspelt, of_node, replaced
from ruleloom.compiler.yaml.node import YamlNode

FREE = frozenset({"id", "note", "why", "section", "kind", "rule", "reading", "reason", "clauses"})
FREE |= {"refused", "story", "text", "title"}
TOLD = ("log", "unlogged")
WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]{3,}")


@dataclass(frozen=True, slots=True)
class Place:
    """A value within a case, with the keys and positions that lead to it."""

    file: File
    case: YamlNode
    path: tuple[str | int, ...]
    node: YamlNode

    @property
    def depth(self) -> int:
        """How many keys lead to it."""
        return sum(isinstance(step, str) for step in self.path)

    @property
    def group(self) -> str:
        """The keys above, for spreading faults over them."""
        words = [step for step in self.path if isinstance(step, str)]
        return f"{self.depth} {'.'.join(words[:2])}"


DEPTHS = (0, 1, 2, 3, 4, 5)
"""How many keys lead to what is wrong; the last stands for all that is deeper."""


def at_depth(depth: int) -> Kind:
    """The kind of faults that puts one slip at a depth of a case."""
    return partial(_slips, depth)


def _slips(depth: int, pack: Shipped, rng: Random) -> Iterator[Site]:
    for place in _places(pack):
        if min(place.depth, DEPTHS[-1]) != depth:
            continue
        makers = (_misspelt_key, _misspelt_name, _misspelt_line, _another_type, _listed, _missing)
        for make in makers:
            site = make(place, pack, rng)
            if site is not None:
                yield site


def _places(pack: Shipped) -> Iterator[Place]:
    for file in pack.files:
        cases = file.root.get("cases")
        kind = file.root.get("kind")
        if cases is None or kind is None or kind.text != "scenarios":
            continue
        for case in cases.items:
            then = case.get("then")
            if then is not None and "refused" not in then.entries and case.get("when") is not None:
                yield from _within(file, case, (), case)


def _within(
    file: File, case: YamlNode, path: tuple[str | int, ...], node: YamlNode
) -> Iterator[Place]:
    yield Place(file, case, path, node)
    for key, child in node.entries.items():
        if key not in FREE:
            yield from _within(file, case, (*path, key), child)
    for number, child in enumerate(node.items):
        yield from _within(file, case, (*path, number), child)


def _misspelt_key(place: Place, pack: Shipped, rng: Random) -> Site | None:
    """A key with a letter wrong; the names that a case gives its own things are left alone."""
    keys = [key for key in place.node.entries if key not in FREE and WORD.fullmatch(key)]
    if not keys or _names_things(place):
        return None
    key = rng.choice(keys)
    wrong = misspelt(key, pack.words, rng)
    if wrong is None or place.node.key_spans is None:
        return None
    start, end = place.node.key_spans[key]
    return as_slip(replaced(place.file, f"key {place.group}", start, end, wrong))


def _names_things(place: Place) -> bool:
    """Do the keys here name what only this case knows, and uses perhaps nowhere else?"""
    path = place.path
    return (
        path[-1:] in (("things",), ("made",))
        or path[-2:-1] == ("made",)
        or path == ("given", "made")
    )


def _misspelt_name(place: Place, pack: Shipped, rng: Random) -> Site | None:
    """A name of the game or the case with a letter wrong, where a name stands."""
    text = place.node.text
    if text is None or place.node.style is not None or not WORD.fullmatch(text):
        return None
    if not _is_name(place, pack):
        return None
    wrong = misspelt(text, pack.words, rng)
    if wrong is None:
        return None
    return as_slip(of_node(place.file, f"name {place.group}", place.node, wrong))


def _misspelt_line(place: Place, pack: Shipped, rng: Random) -> Site | None:
    """A line of the log with a letter wrong in a word that the game says."""
    text, words = place.node.text, _said(pack)
    if text is None or len(place.path) < 2 or place.path[-2] not in TOLD:
        return None
    # At its ends a part of a line may stop in the middle of a word.
    inner = [one for one in WORD.findall(text.partition(" ")[2].rpartition(" ")[0]) if one in words]
    if not inner or text != place.node.raw.strip("\"'"):
        return None
    word = rng.choice(inner)
    wrong = misspelt(word, words, rng)
    if wrong is None:
        return None
    start = place.node.start + place.node.raw.index(word)
    line = replaced(place.file, f"line {place.group}", start, start + len(word), wrong)
    return as_slip(line)


@cache
def _said(pack: Shipped) -> frozenset[str]:
    """All words that stand in the files of a pack."""
    return frozenset(word for file in pack.files for word in WORD.findall(file.text))


def _is_name(place: Place, pack: Shipped) -> bool:
    """Does a known name stand here, and no text in people's own words?"""
    text = place.node.text or ""
    last = next((step for step in reversed(place.path) if isinstance(step, str)), "")
    if "do" in place.path or last in FREE or last in TOLD or "there" in place.path:
        return False
    if place.path[0] == "given" and place.path[1:2] in (("players",), ("made",)):
        return False
    return text in _known(pack) or text in _own(place.case)


@cache
def _known(pack: Shipped) -> frozenset[str]:
    """What the items and the vocabulary of a game give a name."""
    enums = pack.declared("enums").values()
    values = {one.text or "" for enum in enums for one in enum.items}
    return frozenset(values | {item.name for _, item in pack.items()})


def _own(case: YamlNode) -> set[str]:
    """The names of a case's own things and players."""
    given = case.get("given")
    named = {} if given is None else given.entries
    things = named["things"].entries if "things" in named else {}
    players = named["players"].items if "players" in named else []
    return {*things, *(one.text or "" for one in players)}


def _another_type(place: Place, pack: Shipped, rng: Random) -> Site | None:
    """A word where a number or a truth stands."""
    if place.node.kind not in ("int", "bool") or place.depth < 2:
        return None
    if "answers" in place.path or "dice" in place.path or "offers" in place.path:
        return None
    return of_node(place.file, f"type {place.group}", place.node, rng.choice(["lots", "several"]))


def _listed(place: Place, pack: Shipped, rng: Random) -> Site | None:
    """One value in a list where a single one is wanted; the answers of a step may be listed."""
    free = {"answers", "offers", "whom", "do"} & {one for one in place.path if isinstance(one, str)}
    if free or place.depth < 2 or (place.path[0] == "when" and place.depth == 2):
        return None
    if place.node.kind == "int" and isinstance(place.path[-1], str):
        return of_node(place.file, f"list {place.group}", place.node, f"[{place.node.raw}]")
    return None


def _missing(place: Place, pack: Shipped, rng: Random) -> Site | None:
    """A case without `then`."""
    if place.path or place.node.key_spans is None:
        return None
    file, case, key = place.file, place.node, "then"
    head = place.node.key_spans[key][0]
    start = file.text.rfind("\n", 0, head) + 1
    end = file.text.find("\n", case.entries[key].end - 1) + 1
    if file.text[start:head].strip() or end <= 0:
        return None
    id = case.entries["id"]
    return Site(file, f"missing {key}", (Edit(start, end, ""),), id.start, f"without `{key}`")
