"""Slips at midnight: two arguments that change places, and what is declared and then forgotten.

Where a mistake is: the first of the two arguments; the name of what nothing uses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

from benchmarks.edits.shipped import File, Item, Shipped, spots
from benchmarks.edits.sites import INVENTED, Edit, Site, in_text
from benchmarks.edits.text_names import Callee, Names
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.ast import Keyword
from ruleloom.compiler.yaml.node import YamlNode

NUMBERS = ("Int", "Number", "Fraction")
# What does nothing unless some text speaks of it.
FORGETTABLE = ("bonus", "keyword", "measure", "power", "rule", "setting", "switch", "table")


def turned_round(pack: Shipped, rng: Random) -> Iterator[Site]:
    """Two arguments change places whose types have nothing to do with one another. The mistake: the
    first of them."""
    names = Names.of(pack)
    for text in pack.texts:
        for spot in spots(text.tree) if text.form != "event" else ():
            args, callee = _handed(spot.node, names)
            if callee is None or any(arg.label is not None for arg in args):
                continue
            if spot.field == "event":
                continue  # new names may stand in any order
            for first, second in combinations(range(min(len(args), len(callee.params))), 2):
                one, other = args[first], args[second]
                words = text.text[one.span[0] : other.span[1]]
                if "\n" in words or not _differ(
                    callee.params[first], callee.params[second], one, other
                ):
                    continue
                between = text.text[one.span[1] : other.span[0]]
                new = f"{text.words(other)}{between}{text.words(one)}"
                yield in_text(text, (one.span[0], other.span[1]), new)


def _handed(node: object, names: Names) -> tuple[tuple[ast.Arg, ...], Callee | None]:
    match node:
        case ast.CallExpr():
            return node.args, names.callees.get(node.name.id)
        case ast.UseStmt():
            return node.args, names.powers.get(node.power.id)
        case ast.Allowed():
            return node.args, names.callees.get(node.rule.id)
        case Keyword():
            return node.args, names.keywords.get(node.name.id)
    return (), None


def _differ(first: str, second: str, one: ast.Arg, other: ast.Arg) -> bool:
    """Can neither stand where the other does? What is `none` may stand for any sort of thing."""
    types = {type_.rstrip("?") for type_ in (first, second)}
    if len(types) < 2 or "" in types or types <= set(NUMBERS):
        return False
    return not any(isinstance(arg.value, ast.NoneLiteral) for arg in (one, other))


# ---------------------------------------------------------------------------------- forgotten


def forgotten(pack: Shipped, rng: Random) -> Iterator[Site]:
    """Something more of its kind is declared, which then no text speaks of. The mistake: its name.

    Of fields it is one only where the game has no driver: a driver may look at all of them.
    """
    free = [name for name in INVENTED if name not in pack.words]
    for file, item in pack.items():
        if item.kind in FORGETTABLE and file.root.kind == "list" and "id" in item.node.entries:
            yield _item(file, item, rng.choice(free))
    if pack.base is not None:
        return
    file, vocabulary = pack.vocabulary_item
    maps = [vocabulary.node.get(part) for part in ("operations", "scope")]
    if all("sets" in one.entries for one in pack.declared("operations").values()):
        for entity in pack.declared("entities").values():
            maps += [entity.get(part) for part in ("fields", "static")]
    for node in maps:
        for key, declared in node.entries.items() if node is not None else ():
            if node is not None and key != "me" and _may_be_left_out(node, declared, vocabulary):
                yield _declared(file, node, key, rng.choice(free))


def _item(file: File, item: Item, name: str) -> Site:
    start, named = item.node.start, item.node.entries["id"]
    body = f"{file.text[start : named.start]}{name}{file.text[named.end : item.node.end]}".rstrip()
    # The pack's files write every item as an entry of a list, its dash two columns before its
    # fields.
    edit = Edit(start - 2, start - 2, f"- {body}\n")
    return Site(
        file, f"{item.kind}.id", (edit,), named.start, f"{item.kind} `{name}` that nothing uses"
    )


def _declared(file: File, node: YamlNode, key: str, name: str) -> Site:
    start, end = (node.key_spans or {})[key]
    value = file.text[end : node.entries[key].end].rstrip()
    column = file.source.line_col(start)[1] - 1
    behind = ", " if node.style == "{" else f"\n{' ' * column}"
    edit = Edit(start, start, f"{name}{value}{behind}")
    return Site(file, "vocabulary", (edit,), start, f"`{name}`, like `{key}`, that nothing uses")


def _may_be_left_out(node: YamlNode, declared: YamlNode, vocabulary: Item) -> bool:
    """Is one more of it no fault of another sort: a field without which no item could be written,
    or what people at the table use?"""
    at_table = declared.get("at_table")
    if at_table is not None and at_table.value is True:
        return False
    entities = vocabulary.node.entries["entities"].entries.values()
    if not any(one.get("static") is node for one in entities):
        return True
    type_ = declared if declared.kind == "text" else declared.entries["type"]
    is_list = str(type_.value).startswith("List of ")
    return (
        "default" in declared.entries
        or str(type_.value).endswith("?")
        or is_list
        or "by" in declared.entries
    )
