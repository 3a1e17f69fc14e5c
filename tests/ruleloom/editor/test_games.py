"""Every feature over the four games and a homebrew pack, through the protocol.

Places are taken at random, by a seed, among the names that stand in the files. `pytest -s` shows what
was asked and answered.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ruleloom.compiler.analysis.analysis import Occurrence
from ruleloom.editor.project import PackGroup, Project, Workspace
from tests.conftest import ROOT
from tests.support.lsp_client import LspEditor, lsp_editor, utf16, with_edits

RULESETS = ROOT / "rulesets"
PACKS = ("gnostica", "moonstone", "monotheism", "witchgates", "examples/salt-and-lanterns")
PLACES = 12

pytestmark = pytest.mark.slow


def place_of(text: str, offset: int) -> lsp.Position:
    start = text.rfind("\n", 0, offset) + 1
    return lsp.Position(text.count("\n", 0, offset), utf16(text[start:offset]))


def names_to_try(pack: Path, seed: int) -> list[tuple[str, Occurrence]]:
    """Some names that stand in effect texts and fields of a pack, each with its file."""
    workspace, group = Workspace(), PackGroup((os.path.realpath(pack),))
    snapshot = workspace.check(group)
    assert snapshot is not None
    assert snapshot.kept.program is not None
    project = Project(snapshot, group, workspace.texts)
    files = [path for path in project.paths if path.startswith(os.path.realpath(pack))]
    found = [(path, one) for path in files for one in project.names(path).occurrences]
    known = [pair for pair in found if pair[1].meaning.table in ("item", "local", "operation")]
    return Random(seed).sample(known, PLACES)


@pytest.mark.parametrize("name", PACKS)
def test_every_feature_over_a_pack(tmp_path, name):
    pack = tmp_path / Path(name).name
    shutil.copytree(RULESETS / name, pack)
    tried = names_to_try(pack, seed=3)

    async def run() -> None:
        async with lsp_editor(tmp_path) as editor:
            for path, one in tried:
                uri = Path(path).as_uri()
                if uri not in editor.texts:
                    await editor.open(Path(path))
                assert mistakes(editor.client.diagnostics[uri]) == [], path
                await ask_about(editor, uri, one)
            uri = Path(tried[0][0]).as_uri()
            await look_at_file(editor, uri)
            await break_and_mend(editor, uri)

    asyncio.run(run())


async def ask_about(editor: LspEditor, uri: str, one: Occurrence) -> None:
    """Ask what a name means, where it stands, and what else could stand there."""
    text, client = editor.texts[uri], editor.client
    word = text[one.start : one.end]
    where = place_of(text, (one.start + one.end) // 2)
    at: dict[str, Any] = {"text_document": lsp.TextDocumentIdentifier(uri), "position": where}
    told = await client.text_document_hover_async(lsp.HoverParams(**at))
    assert told is not None, word
    found = await client.text_document_definition_async(lsp.DefinitionParams(**at))
    assert isinstance(found, list | tuple), word
    context = lsp.ReferenceContext(include_declaration=True)
    uses = await client.text_document_references_async(lsp.ReferenceParams(context, **at))
    assert uses is not None
    assert any(use.uri == uri and use.range.start == place_of(text, one.start) for use in uses), (
        word
    )
    params = lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), place_of(text, one.start))
    offered = await client.text_document_completion_async(params)
    assert isinstance(offered, lsp.CompletionList)
    labels = [item.label for item in offered.items]
    assert one.declares or word in labels, word
    signature = await client.text_document_signature_help_async(lsp.SignatureHelpParams(**at))
    renamed = await rename(editor, one, at)
    print(
        f"{word}: {len(found)} definitions, {len(uses)} uses, {labels[:3]}; "
        f"{signature.signatures[0].label if signature else '-'}; {renamed}"
    )


async def rename(editor: LspEditor, one: Occurrence, at: dict[str, Any]) -> str:
    """Rename something, and say in how many files; or why it is refused: a clause has another form of
    name, a variable may be a prompt that cases answer, a step may be called after two powers."""
    params = lsp.RenameParams(new_name="another_name", **at)
    try:
        edit = await editor.client.text_document_rename_async(params)
    except JsonRpcException as refused:
        reason = str(refused)
    else:
        assert edit is not None
        return f"renamed in {len(edit.document_changes or ())} files"
    return f"not renamed: {reason}"


async def look_at_file(editor: LspEditor, uri: str) -> None:
    """Ask what is asked of whole files."""
    client, document = editor.client, lsp.TextDocumentIdentifier(uri)
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert symbols
    tokens = await client.text_document_semantic_tokens_full_async(
        lsp.SemanticTokensParams(document)
    )
    assert tokens is not None
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document))
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    assert folds
    end = place_of(editor.texts[uri], len(editor.texts[uri]))
    whole = lsp.Range(lsp.Position(0, 0), end)
    hints = await client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole))
    ranges = await client.text_document_selection_range_async(
        lsp.SelectionRangeParams(document, [lsp.Position(end.line // 2, 4)])
    )
    assert ranges
    options = lsp.FormattingOptions(4, True)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, options)
    )
    assert with_edits(editor.texts[uri], edits or []) == editor.texts[uri]
    print(
        f"{len(symbols)} symbols, {len(tokens.data) // 5} tokens, {len(lenses or ())} lenses, "
        f"{len(folds)} folds, {len(hints or ())} hints"
    )


def mistakes(found: Sequence[lsp.Diagnostic]) -> list[lsp.Diagnostic]:
    """The diagnostics without infos: cases of a game claim the words of its reasons, with numbers."""
    return [one for one in found if one.severity != lsp.DiagnosticSeverity.Information]


async def break_and_mend(editor: LspEditor, uri: str) -> None:
    """Misspell the kind of an item, and take the fix."""
    right = editor.texts[uri]
    at = right.index("kind: ") + len("kind: ")
    wrong = f"{right[: at + 1]}q{right[at + 1 :]}"
    found = await editor.change(uri, wrong)
    assert "unknown-kind" in [one.code for one in found]
    actions = await editor.actions(uri, f"kind: |{wrong[at : at + 4]}")
    (mend,) = [one for one in actions if one.title.startswith("write `")]
    assert editor.edited(mend.edit) == {uri: right}
    assert mistakes(await editor.change(uri, right)) == []
