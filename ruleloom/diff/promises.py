"""The promises of a pack: the names that others hold on to, and what of each must stay.

They are read from what its items and its part of the vocabulary declare. Wording is not promised: labels,
questions, lines of the log and rules texts may change with any version.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ruleloom.compiler.analysis.yaml_cursor import effect_tree, nodes_of, step_names
from ruleloom.compiler.packs.content import COMMON_KINDS, Content, Item
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, text_of, to_data
from ruleloom.diff.weighing import BOUNDS, DEPRECATED, PARAMETERS, STARTS
from ruleloom.runtime.program.values import exact

NO_NAMES = ("pack", "vocabulary", "extension", "notation", "patch", "scenarios", "migration")
"""The kinds of items whose ids nobody refers to, or that declare other names."""
# The sections of a vocabulary, and the sort of name that each declares.
SECTIONS = {
    "enums": "type",
    "values": "type",
    "entities": "type",
    "kinds": "kind",
    "zones": "zone",
    "scope": "variable",
    "queries": "query",
    "operations": "operation",
    "moments": "moment",
    "actions": "actions",
    "costs": "cost",
}
COLUMNS = ("static", "fields")
STEPS, MENU, FIELD = "steps", "menu", "field"
# What is promised of a name besides the name itself.
SIGNATURE = (
    *("takes", "params", "gives", "result", "open", "event"),
    *("of", "by", "on", "to", "type", "parts"),
)
ITEMS = (*SIGNATURE, "min", "max", *STARTS, "options", DEPRECATED)
"""What is promised of an item of a kind that every game has; of any other, its name alone."""
WORDS = (*SIGNATURE, *BOUNDS, *STARTS, "makes", "menu", "per", DEPRECATED)
"""What is promised of a word of a vocabulary."""
NOTED = ("given", "then", "tokens", "counts")
ASKING = (ast.ChooseStmt, ast.SecretlyStmt, ast.AskStmt, ast.RollStmt, ast.DrawStmt, ast.LookStmt)


class Promise(NamedTuple):
    """A promised name: its declaration, what is promised of it, and the places of that."""

    place: Place
    says: Mapping[str, Any]
    places: Mapping[str, Place] = {}


Promises = dict[str, Promise]
"""Promises by sort and name: `setting/hand_size`, `field/Piece.pips`, `menu/turn_menu`."""


def promises_of(content: Content, pack: str) -> Promises:
    """The promises of one pack, by name."""
    own = {path for path, (of, _) in content.files.items() if of == pack}
    found = dict(_of_items(content, own))
    for item in (*content.by_kind("vocabulary"), *content.by_kind("notation")):
        for key, promise in _declared(item):
            if promise.place.path in own:
                found[key] = promise
            elif (added := _values_added(promise, own)) is not None:
                found[key] = added
    return dict(sorted(found.items()))


def _values_added(promise: Promise, own: Container[str]) -> Promise | None:
    """The values that a pack adds to an enum of another; None if there are none."""
    values = promise.places
    added = [one for one in promise.says.get("values", ()) if values[one].path in own]
    if not added:
        return None
    told = {
        name: text
        for name, text in promise.says.items()
        if name.removeprefix(f"{DEPRECATED}.") in added
    }
    return Promise(values[added[0]], {"values": added, **told}, values)


def _of_items(content: Content, own: set[str]) -> Iterator[tuple[str, Promise]]:
    asks: dict[str, dict[str, None]] = defaultdict(dict)
    for item, part, text in nodes_of(content):
        if item.source.path not in own:
            continue
        if isinstance(part, ASKING):
            asks[item.id][part.name.id] = None
        elif isinstance(part, ast.ChooseOneStmt) and part.menu is not None:
            yield f"{MENU}/{part.menu.name.id}", _of_menu(part, part.menu, text)
    for item in content.items:
        if item.place.path in own and item.kind not in NO_NAMES:
            yield f"{item.kind}/{item.short}", _of_item(item, [*asks[item.id]])


def _of_menu(node: ast.ChooseOneStmt, menu: ast.MenuName, text: Passage) -> Promise:
    ways = {mode.label.value: text.place(mode.label.span) for mode in node.modes}
    says = {"told": [one.id for one in menu.told], "ways": [*ways]}
    return Promise(text.place(menu.name.span), says, ways)


def _of_item(item: Item, asks: Sequence[str]) -> Promise:
    named = (DEPRECATED,) if item.kind not in COMMON_KINDS else ITEMS
    promise = _promise(item.place, item.fields, named)
    effect = text_of(item.fields.get("effect"))
    lists = {STEPS: [*step_names(effect)] if "step " in effect else [], "asks": [*asks]}
    return promise._replace(
        says={**promise.says, **{key: one for key, one in lists.items() if one}}
    )


def _promise(place: Place, fields: Mapping[str, YamlNode], named: Sequence[str]) -> Promise:
    """A promise with these of its fields; the values of a map are one each."""
    says: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for name, node in ((name, fields[name]) for name in named if name in fields):
        places[name] = node.place
        if name in PARAMETERS:
            says[name] = _parameters(node)
        elif name == "options":
            says[name] = [*node.entries] or [text_of(one) for one in node.items]
        elif node.kind == "map":
            says |= {f"{name}.{key}": to_data(one) for key, one in node.entries.items()}
        else:
            says[name] = _plain(to_data(node))
    return Promise(place, says, places)


def _plain(data: Any) -> Any:
    """A value as promised: a text on one line, a number in one form."""
    text = " ".join(str(data).split())
    with suppress(ValueError):
        number = exact(text)
        return number if isinstance(number, int) else str(number)
    return text if isinstance(data, str) else data


def _parameters(node: YamlNode) -> list[str]:
    """The parameters of a map or a text: `step: Int = 1` each."""
    if node.kind == "map":
        return [f"{name}: {text_of(one)}" for name, one in node.entries.items()]
    text = node.text or ""
    params = effect_tree(text, "params") or ()
    return [" ".join(text[slice(*one.span)].split()) for one in params]


def _declared(item: Item) -> Iterator[tuple[str, Promise]]:
    """The names that a vocabulary or a notation declares."""
    for section, sort in SECTIONS.items():
        for name, node, place in fields_of(item.fields.get(section)):
            promise = _promise(place, node.entries, WORDS)
            if section == "enums":
                places = {text_of(one): one.place for one in node.items}
                gone = entries_of(item.fields.get(DEPRECATED))
                told = {f"{DEPRECATED}.{one}": text_of(gone[one]) for one in places if one in gone}
                promise = Promise(place, {"values": [*places], **told}, places)
            yield f"{sort}/{name}", promise
    for name, node, _ in fields_of(item.fields.get("entities")):
        for column in COLUMNS:
            for field, said, at in fields_of(node.get(column)):
                written = said.entries if said.kind == "map" else {"type": said}
                yield f"{FIELD}/{name}.{field}", _promise(at, written, WORDS)
    if item.kind == "notation":
        yield from _noted(item)


def _noted(notation: Item) -> Iterator[tuple[str, Promise]]:
    """The words of a notation."""
    for key, words, _ in fields_of(notation.fields.get(STEPS)):
        for word, node, place in fields_of(words):
            keys = [*entries_of(node.get("keys")), *entries_of(node.get("claims"))]
            yield f"notation/{key}: {word}", Promise(place, {"keys": keys})
    for section in NOTED:
        for name, _, place in fields_of(notation.fields.get(section)):
            yield f"notation/{section}.{name}", Promise(place, {})
