"""Faults in what is printed on things: references, numbers out of range, words of another table,
missing fields.

What may stand in a field is read off the game's vocabulary. Where a mistake is: a value at its
first character; a key of a mapping at its first character; a missing field at the id of the item,
as there is no better place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from benchmarks.edits.rewrite import without_field
from benchmarks.edits.shipped import File, Item, Shipped
from benchmarks.edits.sites import INVENTED, Edit, Site, misspelt, of_node, replaced
from ruleloom.compiler.yaml.node import YamlNode


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A value printed on a thing, or on a part of one, with what the vocabulary declares of its
    field."""

    file: File
    item: Item
    key: str
    node: YamlNode
    type: str
    declared: YamlNode
    owner: YamlNode

    @property
    def group(self) -> str:
        """Kind of item and name of the field."""
        return f"{self.item.kind}.{self.key}"


def type_of(declared: YamlNode) -> str:
    """The type that a field of `static` is declared with, without `?` and `List of`."""
    inner = declared.get("type")
    return (
        str((inner if inner is not None else declared).value).removeprefix("List of ").rstrip("?")
    )


def printed(pack: Shipped) -> Iterator[Value]:
    """Every value that is printed on things; entries of lists one by one."""
    for file, item in pack.items():
        made = pack.declared("kinds").get(item.kind)
        if made is not None:
            yield from _of(pack, file, item, item.node, str(made.entries["makes"].value))


def _of(pack: Shipped, file: File, item: Item, node: YamlNode, entity: str) -> Iterator[Value]:
    static = pack.declared("entities")[entity].get("static")
    for key, declared in static.entries.items() if static is not None else ():
        value = node.get(key)
        if value is not None and declared.get("by") is None:
            for one in value.items if value.kind == "list" else (value,):
                yield Value(file, item, key, one, type_of(declared), declared, node)
    for name, part in pack.declared("entities").items():
        under = part.get("under")
        if under is None or str(part.entries["part_of"].value) != entity:
            continue
        held = node.get(str(under.value))
        short, statics = part.get("short"), part.entries["static"].entries
        for one in held.items if held is not None else ():
            if one.kind == "map":
                yield from _of(pack, file, item, one, name)
            elif short is not None:
                declared = statics[str(short.value)]
                yield Value(file, item, str(under.value), one, type_of(declared), declared, node)


def _names(pack: Shipped) -> dict[str, list[str]]:
    """The ids of all things, by entity."""
    found: dict[str, list[str]] = {}
    for kind, one in pack.declared("kinds").items():
        found.setdefault(str(one.entries["makes"].value), []).extend(
            item.name for item in pack.named(kind).values()
        )
    return found


def dangling_things(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A thing that does not exist, or that is of another sort. The mistake: its name."""
    names = _names(pack)
    known = {*pack.words, *(name for some in names.values() for name in some)}
    for one in printed(pack):
        if one.type in names and one.node.text is not None:
            others = [name for entity in names if entity != one.type for name in names[entity]]
            others = [name for name in others if name not in names[one.type]]
            slip = misspelt(one.node.text, known, rng)
            wrong = rng.choice([slip, slip, rng.choice(INVENTED), rng.choice(others)])
            if wrong is not None:
                yield replace(of_node(one.file, one.group, one.node, wrong), slip=wrong == slip)


def words_of_another_table(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A value of another enum, or the right word in capitals or small letters. The mistake: that
    word."""
    enums = {
        name: [one.text or one.raw for one in node.items]
        for name, node in pack.declared("enums").items()
    }
    for one in printed(pack):
        if one.type not in enums or one.node.text is None:
            continue
        others = [word for name in enums if name != one.type for word in enums[name]]
        word = one.node.text
        others += [word.swapcase(), f"{word}{word[-1]}", *INVENTED[:2]]
        others = [other for other in others if other not in enums[one.type] and not other.isdigit()]
        yield of_node(one.file, one.group, one.node, rng.choice(others))


def out_of_range(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A number below what is allowed, or above it. The mistake: the number."""
    for one in printed(pack):
        if not isinstance(one.node.value, int) or isinstance(one.node.value, bool):
            continue
        limits = [(key, one.declared.get(key)) for key in ("min", "max")]
        far = [
            int(str(node.value)) + (1 if key == "max" else -1) * rng.choice([1, 1, 10])
            for key, node in limits
            if node is not None
        ]
        if far:
            yield of_node(one.file, one.group, one.node, str(rng.choice(far)))


def missing_fields(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A field that its kind needs is left out. The mistake: the id of the item."""
    for file, item in pack.items():
        named = item.node.get("id")
        if named is None:
            continue
        for key in pack.store.schema(item.kind).get("required", ()):
            if key not in ("kind", "id") and key in item.node.entries:
                site = without_field(file, item.node, key, f"{item.kind}.{key}", f"without `{key}`")
                gone = sum(edit.end - edit.start for edit in site.edits if edit.start < named.start)
                yield replace(site, at=named.start - gone)


def twice_in_a_list(pack: Shipped, rng: Random) -> Iterator[Site]:
    """A thing that a list names twice. The mistake: the second of the two."""
    names = _names(pack)
    for one in printed(pack):
        home = one.owner.get(one.key)
        if (
            one.type in names
            and home is not None
            and home.style == "["
            and not _is_part(pack, one.key)
        ):
            end = home.items[-1].end
            says = f"`{one.node.raw}` twice"
            yield Site(one.file, one.group, (Edit(end, end, f", {one.node.raw}"),), end + 2, says)


def _is_part(pack: Shipped, key: str) -> bool:
    """May the entries of this list be equal, as each makes a part of its own?"""
    return any(
        str(one.entries["under"].value) == key
        for one in pack.declared("entities").values()
        if "under" in one.entries
    )


def misspelt_rows(pack: Shipped, rng: Random) -> Iterator[Site]:
    """The key of a printed mapping, or of a row of a table, with one letter wrong. The mistake:
    that key."""
    enums = pack.declared("enums")
    for file, item in pack.items():
        made = pack.declared("kinds").get(item.kind)
        held = [item.node.entries[key] for key in _mappings(pack, made) if key in item.node.entries]
        if item.kind == "table" and str(item.node.entries["by"].value) in enums:
            held.append(item.node.entries["rows"])
        for node in held:
            for key, (start, end) in (node.key_spans or {}).items():
                wrong = misspelt(key, pack.words, rng)
                if wrong is not None:
                    site = replaced(file, f"{item.kind}.key", start, end, wrong)
                    yield replace(site, slip=True)


def _mappings(pack: Shipped, made: YamlNode | None) -> Iterator[str]:
    """The fields of a kind of content whose keys are names: printed `by` something, or the parts
    with a `key`."""
    if made is None:
        return
    entity = str(made.entries["makes"].value)
    static = pack.declared("entities")[entity].get("static")
    for key, declared in static.entries.items() if static is not None else ():
        if declared.get("by") is not None:
            yield key
    for part in pack.declared("entities").values():
        under, key_of = part.get("under"), part.get("key")
        if (
            under is not None
            and key_of is not None
            and str(part.entries["part_of"].value) == entity
        ):
            yield str(under.value)
