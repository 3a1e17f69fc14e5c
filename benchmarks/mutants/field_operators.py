"""Mutants of what is no effect text: rows of tables, settings, what is printed on things, what a
field may be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from benchmarks.edits.rewrite import without_field
from benchmarks.edits.shipped import File, Item, Shipped
from benchmarks.edits.sites import Site, of_node
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.values import exact


def said(site: Site, says: str) -> Site:
    """The same site under a name that does not change with what stands around it."""
    return Site(site.file, site.group, site.edits, site.at, says)


def _put(file: File, item: Item, key: str, node: YamlNode, new: str) -> tuple[Item, Site]:
    return item, said(of_node(file, item.kind, node, new), f"{key}: {new}")


def change_table(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A setting, a limit of a setting, a row of a table, the number of a card, the range of a
    suit."""
    for file, item in pack.items():
        fields = item.node.entries
        named: list[tuple[str, YamlNode]] = []
        if item.kind == "setting":
            named = [(key, fields[key]) for key in ("value", "min", "max") if key in fields]
        elif item.kind == "major":
            named = [("number", fields["number"])]
        elif item.kind == "suit":
            named = list(fields["numbers"].entries.items())
        elif item.kind == "table":
            named = list(fields["rows"].entries.items())
            named += [("otherwise", fields["otherwise"])] if "otherwise" in fields else []
        for key, node in named:
            for new in _others(node):
                yield _put(file, item, key, node, new)


def _others(node: YamlNode) -> Iterator[str]:
    """Values beside a number; the other truth; another word."""
    if isinstance(node.value, bool):
        yield "false" if node.value else "true"
        return
    value = _number(node)
    if value is not None:
        yield from (str(one) for one in (value - 1, value + 1) if one >= 0)
    elif node.text is not None:
        yield "another"


def _number(node: YamlNode) -> int | Fraction | None:
    if isinstance(node.value, int):
        return node.value
    try:
        return exact(node.text or "")
    except ValueError:
        return None


def drop_row(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A row of a table less."""
    for file, item in pack.items("table"):
        rows = item.node.entries["rows"]
        if rows.style == "{" and len(rows.entries) > 1:
            for key in rows.entries:
                yield item, without_field(file, rows, key, "table.rows", f"without the row {key}")


def change_default(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """Another default of a switch."""
    for file, item in pack.items("switch"):
        node = item.node.entries["default"]
        for option in item.node.entries["options"].entries:
            if option != node.value:
                yield _put(file, item, "default", node, option)


# ------------------------------------------------------------------------ what is printed on things


def _statics(pack: Shipped, kind: str) -> dict[str, YamlNode]:
    """What is printed on the things of a kind of content, with its type."""
    made = pack.declared("kinds").get(kind)
    entity = (
        pack.declared("entities")[str(made.entries["makes"].value)] if made is not None else None
    )
    static = entity.get("static") if entity is not None else None
    return static.entries if static is not None else {}


def _type_of(declared: YamlNode) -> str:
    inner = declared.get("type")
    return str((inner if inner is not None else declared).value)


def change_printed(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """What is printed on a thing: a number beside, the next of a few words, another thing of the
    same sort."""
    for file, item in pack.items():
        for key, declared in _statics(pack, item.kind).items():
            node = item.node.get(key)
            if node is None or item.kind in ("major", "suit"):
                continue
            for new in _others_of(pack, _type_of(declared).rstrip("?"), node):
                yield _put(file, item, key, node, new)


def _others_of(pack: Shipped, type_: str, node: YamlNode) -> Iterator[str]:
    if type_ in ("Int", "Bool"):
        yield from _others(node)
        return
    enum = pack.declared("enums").get(type_)
    words = [one.text or one.raw for one in enum.items] if enum is not None else _names(pack, type_)
    word = node.text if node.text is not None else node.raw
    if word in words:
        new = words[(words.index(word) + 1) % len(words)]
        yield f'"{new}"' if new.isdigit() and node.style == '"' else new


def _names(pack: Shipped, entity: str) -> list[str]:
    """The ids of the items that make things of an entity."""
    kinds = [
        kind
        for kind, one in pack.declared("kinds").items()
        if str(one.entries["makes"].value) == entity
    ]
    return [item.name for kind in kinds for _, item in pack.items(kind)]


def drop_field(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """A field that may be missing: what is printed on a thing, a bound of a stat, the level of a
    requirement, how a sort of bonus adds up; an entry of a printed list less."""
    for file, item in pack.items():
        statics = {} if item.kind in ("major", "suit") else _statics(pack, item.kind)
        required = pack.store.schema(item.kind).get("required", ())
        may_go = {"stat": ("least", "most"), "requirement": ("level",)}.get(
            item.kind, tuple(statics)
        )
        for key in may_go:
            node = item.node.get(key)
            if node is None:
                continue
            if not node.items and key not in required:
                yield item, without_field(file, item.node, key, item.kind, f"without {key}")
            for gone in node.items:
                left = ", ".join(one.raw for one in node.items if one is not gone)
                site = of_node(file, item.kind, node, f"[{left}]")
                yield item, said(site, f"without {gone.raw} in {key}")
        if item.kind == "bonus":
            node = item.node.entries["keep"]
            yield _put(file, item, "keep", node, "all" if node.value == "best" else "best")


def change_printed_default(pack: Shipped) -> Iterator[tuple[Item, Site]]:
    """What holds where an item says nothing, and how large or small a printed number may be."""
    file, item = pack.vocabulary_item
    for entity, one in pack.declared("entities").items():
        static = one.get("static")
        for name, declared in static.entries.items() if static is not None else ():
            for key in ("default", "min", "max"):
                node = declared.get(key)
                if node is None:
                    continue
                for new in _others_of(pack, _type_of(declared), node):
                    yield (
                        item,
                        said(of_node(file, "static", node, new), f"{entity}.{name}.{key}: {new}"),
                    )
