"""Completions as the client takes them.

Hundreds of names are sent on a keystroke, so that each says as little as it may: what is the same for
all of them is said once, and what a name means when the client comes to show it, where it can do so.
"""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types as lsp

from ruleloom.editor.completion.candidates import Candidate, Completions
from ruleloom.editor.lsp.positions import TextLines
from ruleloom.runtime.dataclass import dataclass

KINDS: Mapping[str, lsp.CompletionItemKind] = {
    "operation": lsp.CompletionItemKind.Function,
    "moment": lsp.CompletionItemKind.Event,
    "event": lsp.CompletionItemKind.Event,
    "power": lsp.CompletionItemKind.Method,
    "query": lsp.CompletionItemKind.Function,
    "measure": lsp.CompletionItemKind.Function,
    "rule": lsp.CompletionItemKind.Function,
    "stat": lsp.CompletionItemKind.Property,
    "local variable": lsp.CompletionItemKind.Variable,
    "variable": lsp.CompletionItemKind.Variable,
    "setting": lsp.CompletionItemKind.Constant,
    "zone": lsp.CompletionItemKind.Folder,
    "field": lsp.CompletionItemKind.Field,
    "word": lsp.CompletionItemKind.Keyword,
    "type": lsp.CompletionItemKind.Class,
    "entity": lsp.CompletionItemKind.Class,
    "enum": lsp.CompletionItemKind.Enum,
    "kind": lsp.CompletionItemKind.Class,
    "value": lsp.CompletionItemKind.EnumMember,
    "argument": lsp.CompletionItemKind.Property,
    "keyword": lsp.CompletionItemKind.Interface,
}


@dataclass(frozen=True, slots=True)
class TakenByClient:
    """What a client can do with completions: insert snippets, read the range to replace once for all
    of them, and ask for what a name means when it shows it."""

    snippets: bool = False
    common_range: bool = False
    resolves: bool = False

    @classmethod
    def of(cls, said: lsp.ClientCapabilities) -> TakenByClient:
        """The abilities that a client declares."""
        about = said.text_document.completion if said.text_document else None
        item = about.completion_item if about else None
        common = about.completion_list.item_defaults if about and about.completion_list else None
        later = item.resolve_support.properties if item and item.resolve_support else ()
        return cls(
            bool(item and item.snippet_support),
            "editRange" in (common or ()),
            "documentation" in later,
        )


def completion(offer: Completions, lines: TextLines, client: TakenByClient) -> lsp.CompletionList:
    """The completions, in their order."""
    where = lines.range(offer.start, offer.end)
    items = [_item(one, client) for one in offer.candidates]
    for number, item in enumerate(items):
        item.sort_text = f"{number:04}"
        if not client.common_range:
            item.text_edit = lsp.TextEdit(where, item.text_edit_text or item.label)
            item.text_edit_text = None
    return lsp.CompletionList(
        is_incomplete=not offer.is_complete,
        items=items,
        item_defaults=lsp.CompletionItemDefaults(edit_range=where) if client.common_range else None,
    )


def _item(one: Candidate, client: TakenByClient) -> lsp.CompletionItem:
    is_snippet = one.is_snippet and client.snippets
    text = one.text if is_snippet or not one.is_snippet else one.label
    sort = one.sort.partition(" of ")[0]
    return lsp.CompletionItem(
        label=one.label,
        kind=KINDS.get(one.sort) or KINDS.get(sort) or lsp.CompletionItemKind.Reference,
        detail=one.detail or one.sort,
        documentation=None if client.resolves else one.english or None,
        insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else None,
        insert_text_mode=lsp.InsertTextMode.AdjustIndentation if "\n" in text else None,
        text_edit_text=text if text != one.label else None,
    )


def resolved(item: lsp.CompletionItem, last: Completions | None) -> lsp.CompletionItem:
    """A name with its meaning, if it was among those offered last; else unchanged."""
    for one in last.candidates if last is not None else ():
        if one.label == item.label:
            item.documentation = one.english or None
    return item
