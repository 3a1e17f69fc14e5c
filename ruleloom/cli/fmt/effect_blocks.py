"""Formats the effect text of one YAML file, and changes nothing else.

Comments, quotes, order, line ends and byte order mark stay. A text that does not parse is reported
and left alone. The edited file is read again and compared before it is given back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.schema.validate import effect_nodes, item_nodes, kind_of
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax.formatter import format_text
from ruleloom.compiler.syntax.tokens import EffectSyntaxError
from ruleloom.compiler.yaml.node import YamlNode, to_data
from ruleloom.compiler.yaml.reader import compose
from ruleloom.compiler.yaml.source_map import effect_text

BLOCKS = ("block", "abilities")
# A case may run one of these by its name, where other cases have an effect text.
FLOWS = ("set_up", "turn")


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A stretch of the file and what stands there instead."""

    start: int
    end: int
    text: str


def formatted(source: Source, store: SchemaStore, report: Report) -> str:
    """The text of a file with its effect text in canonical form."""
    root = compose(source, report)
    if root is None:
        return source.text
    edits = [
        edit
        for node in item_nodes(root, Report())
        for block, form in blocks_of(node, store)
        if (edit := edit_of(source, block, form, report)) is not None
    ]
    text = source.text
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    assert _says_the_same(root, Source(source.path, text), store), (
        f"formatting would change what {source.path} says"
    )
    return text


def blocks_of(item: YamlNode, store: SchemaStore) -> list[tuple[YamlNode, str]]:
    """The blocks of effect text in an item, each with its form; in a patch, those it brings."""
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
    sets = item.get("set") if kind == "patch" else None
    # An extension may have brought a kind, perhaps that of another pack; such kinds have these
    # fields, and so have the items that a patch changes.
    fields = item if kind is None else sets
    if kind == "patch":
        yield item.get("replace-effect"), "block"
    if fields is not None:
        yield from ((fields.get("effect"), "block"), (fields.get("abilities"), "abilities"))


def edit_of(source: Source, node: YamlNode, form: str, report: Report) -> TextEdit | None:
    """What to write in place of one text; None if it is in order, or cannot be understood."""
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
    if node.style != "|":
        return (
            TextEdit(written.source_starts[0], end, tidy)
            if _fits_on_line(tidy, node.style)
            else None
        )
    first = next(n for n, line in enumerate(written.text.split("\n")) if line.strip())
    line_start = source.text.rfind("\n", 0, written.source_starts[first]) + 1
    margin = " " * (written.source_starts[first] - line_start)
    start = source.text.rfind("\n", 0, written.source_starts[0]) + 1
    return TextEdit(
        start, end, "\n".join(margin + line if line else "" for line in tidy.split("\n"))
    )


def _fits_on_line(text: str, style: str | None) -> bool:
    """May this text replace a text of that style without quoting anything anew?"""
    if "\n" in text:
        return False
    awkward = {"'": "'", '"': '"\\'}.get(style or "", "")
    return not any(sign in text for sign in awkward) and (
        style is not None or (": " not in text and " #" not in text)
    )


def _says_the_same(before: YamlNode, after: Source, store: SchemaStore) -> bool:
    root = compose(after, Report())
    return root is not None and _without_effects(before, store) == _without_effects(root, store)


def _without_effects(root: YamlNode, store: SchemaStore) -> object:
    """The data of a file with its blocks of effect text left out."""
    blocks = {
        id(block) for item in item_nodes(root, Report()) for block, _ in blocks_of(item, store)
    }

    def data(node: YamlNode) -> object:
        if id(node) in blocks:
            return None
        if node.kind == "map":
            return {key: data(child) for key, child in node.entries.items()}
        return [data(child) for child in node.items] if node.kind == "list" else to_data(node)

    return data(root)
