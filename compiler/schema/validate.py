"""Checks each item of a file against the schema of its kind.

The schemas are JSON Schema 2020-12, one file per kind, in a closed registry: nothing is ever fetched.
A compiled gate passes valid items; only for others does `schema.wording` produce the messages.

`schema.wording` is imported where an item fails, not above: it costs 65 ms (jsonschema), most runs
find no mistakes, and the whole check of a small pack takes less.
"""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.diagnostics.suggest import (
    Suggestion,
    nearest,
    offer,
)
from ruleloom.compiler.schema import expected_values as hints
from ruleloom.compiler.schema.registry import EffectPath, SchemaStore
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.runtime.system import DEVICE_NAMES

# Faults that the composer reports and reads on from, with unintended values.
MISREADINGS = frozenset(
    {"bad-indentation", "missing-space", "odd-space", "smart-quote", "unopened-quote"}
)


def is_misread(node: YamlNode, report: Report) -> bool:
    """Say whether YAML misread an item, which is then not checked further."""
    if not report.has_errors_in(node.source.path):
        return False
    # Where a field of the item itself is repeated, another item may have been meant to begin;
    # within a vocabulary another declaration, whose name is unknown.
    column, kind = node.place.column, node.get("kind")
    declares = kind is not None and kind.text in ("vocabulary", "extension")
    return any(
        error.code in MISREADINGS
        or (error.code == "duplicate-key" and (declares or error.place.column == column))
        for error in report.errors_within(node.place)
    )


def item_nodes(root: YamlNode, report: Report) -> Iterator[YamlNode]:
    """Find the items of a file, which is one item or a list of them."""
    for node in root.items if root.kind == "list" else [root]:
        if node.kind == "map":
            yield node
        else:
            message = "this is not an item: an item is fields, each a name, a colon and a value"
            report.error("not-an-item", node.place, message, "begin with `kind:` and `id:`")
    if root.kind == "list" and not root.items:
        message = "this file holds nothing"
        report.warning("empty-file", root.place, message, "add an item, or delete the file")


def kind_of(node: YamlNode, store: SchemaStore, report: Report) -> str | None:
    """Return the kind of an item, or None after reporting that it is missing or unknown."""
    found = node.get("kind")
    if (found is None or found.text not in store.kinds) and is_misread(node, report):
        return None
    if found is None:
        _missing_kind(node, report)
        return None
    kind = found.text
    if kind is None:
        message = f"`kind` must be a word, but {hints.value_phrase(found)}"
        help = hints.how_to_write(found, ("string",))
        report.error("wrong-type", hints.place_of_value(found), message, help)
        return None
    if kind not in store.kinds:
        help = offer(kind, store.kinds)
        report.error("unknown-kind", found.place, f"there is no kind `{kind}`", help)
        return None
    return kind


def _missing_kind(node: YamlNode, report: Report) -> None:
    key = next((key for key in node.entries if nearest(key, ["kind"])), None)
    if key is not None:
        message = f"there is no field `{key}`"
        report.error("unknown-field", node.key_place(key), message, Suggestion(key, "kind"))
        return
    place = (node.get("id") or node).place
    message = "this item does not say what kind it is"
    report.error("missing-kind", place, message, "add `kind:`, as in `kind: power`")


def check_item(node: YamlNode, kind: str, store: SchemaStore, report: Report) -> bool:
    """Say whether an item is valid by the schema of its kind; mistakes go to *report*."""
    if is_misread(node, report):
        return False
    data = to_data(node)
    if not store.passes(kind, data):
        from ruleloom.compiler.schema.wording import explain  # see the module docstring

        explain(node, data, kind, store, report)
        return False
    found = node.get("id")
    if found is not None and found.value in DEVICE_NAMES:
        message = f"`{found.value}` cannot be an id, as Windows allows no file of that name"
        report.error("bad-id", found.place, message)
        return False
    return True


def effect_nodes(
    node: YamlNode, kind: str, store: SchemaStore
) -> Iterator[tuple[EffectPath, YamlNode, str]]:
    """Find the effect texts in an item: the path, node and form of each."""
    for path, form in store.effect_fields(kind).items():
        yield from ((found, child, form) for found, child in _along(node, path, ()))


def _along(
    node: YamlNode, path: EffectPath, walked: EffectPath
) -> Iterator[tuple[EffectPath, YamlNode]]:
    if not path:
        if node.kind not in ("null", "map", "list"):
            yield walked, node
        return
    numbered = ((str(index), child) for index, child in enumerate(node.items))
    for key, child in (*numbered, *node.entries.items()):
        if path[0] in ("*", key):
            yield from _along(child, path[1:], (*walked, key))
