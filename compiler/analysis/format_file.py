"""Effect text of a file in canonical form, everything around it untouched.

A text that does not parse is reported and left as it is. The edited file is read again, and its data
compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent

from ruleloom.compiler.analysis.texts import FileEdit, edited, items_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import effect_nodes, kind_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax.formatter import format_text
from ruleloom.compiler.syntax.lexer import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import effect_text

BLOCKS = ("block", "abilities")
# A case may name one of these in place of an effect text.
FLOWS = ("set_up", "turn")
# Signs that a text on one line cannot contain without new quotes or escapes, by its style.
UNFIT = {"'": ("\n", "'"), '"': ("\n", '"', "\\"), None: ("\n", ": ", " #")}


def formatted(source: Source, store: SchemaStore, report: Report) -> str:
    """The text of a file with its effect text in canonical form."""
    root = compose(source, report)
    if root is None:
        return source.text
    edits = [
        edit_of(source, block, form, report)
        for node in items_of(root)
        for block, form in blocks_of(node, store)
    ]
    text = edited(source.text, filter(None, edits))
    if text != source.text:
        again = compose(Source(source.path, text), Report())
        same = again is not None and _without_effects(again, store) == _without_effects(root, store)
        assert same, f"formatting would change the data of {source.path}"
    return text


def blocks_of(item: YamlNode, store: SchemaStore) -> list[tuple[YamlNode, str]]:
    """The blocks of effect text in an item, or in the changes of a patch, each with its form."""
    kind = kind_of(item, store, Report())  # `check` says what is wrong with a kind
    flows = FLOWS if kind == "scenarios" else ()
    return [
        (node, form)
        for node, form in _effect_nodes(item, kind, store)
        if node is not None and form in BLOCKS and node.text and node.text not in flows
    ]


def _effect_nodes(
    item: YamlNode, kind: str | None, store: SchemaStore
) -> Iterator[tuple[YamlNode | None, str]]:
    if kind is not None:
        yield from ((node, form) for _, node, form in effect_nodes(item, kind, store))
    # A kind that is not known here may come from an extension, perhaps of another pack: such kinds
    # have these fields, and so have the items that a patch changes.
    fields = item if kind is None else None
    if kind == "patch":
        fields = item.get("set")
        yield item.get("replace-effect"), "block"
    if fields is not None:
        yield from ((fields.get("effect"), "block"), (fields.get("abilities"), "abilities"))


def edit_of(source: Source, node: YamlNode, form: str, report: Report) -> FileEdit | None:
    """The edit of one text; None if it is canonical already, or does not parse."""
    written = effect_text(source, node, report)
    if written is None:
        return None
    try:
        tidy = format_text(written.text, start=form).rstrip("\n")
    except EffectSyntaxError as error:
        report.error(error.code, written.place_of(error.span), error.message, error.help)
        return None
    if tidy == written.text.rstrip("\n"):
        return None
    end = written.offset_of(len(written.text))
    starts = written.source_starts
    if node.style != "|":
        needs_quoting = any(sign in tidy for sign in UNFIT.get(node.style, ("\n",)))
        return None if needs_quoting else FileEdit(starts[0], end, tidy)
    first = next(n for n, line in enumerate(written.text.split("\n")) if line.strip())
    line_start = source.text.rfind("\n", 0, starts[first]) + 1
    margin = " " * (starts[first] - line_start)
    start = source.text.rfind("\n", 0, starts[0]) + 1
    return FileEdit(start, end, indent(tidy, margin))


def _without_effects(root: YamlNode, store: SchemaStore) -> object:
    """The data of a file with its blocks of effect text left out."""
    blocks = {id(block) for item in items_of(root) for block, _ in blocks_of(item, store)}

    def data(node: YamlNode) -> object:
        if id(node) in blocks:
            return None
        if node.kind == "map":
            return {key: data(child) for key, child in node.entries.items()}
        return [data(child) for child in node.items] if node.kind == "list" else to_data(node)

    return data(root)
