"""The language server, as an editor speaks to it: one session over a homebrew pack."""

from __future__ import annotations

import asyncio
import shutil
import socket
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ruleloom.editor.editor_session import EditorSession
from tests.conftest import ROOT
from tests.support.command import call, spawn
from tests.support.lsp_client import LspEditor, lsp_editor

RIVER = ROOT / "rulesets" / "examples" / "river-folk"
MOVES = '        optional "push or move":\n            use move\n'
WIDE = (
    '- kind: power\n  id: sing\n  gloss: "𝄞 sing"\n  effect: |\n    say "𝄞𝄞"  # 𝄞\n    use atack\n'
)


def session(folder: Path, steps: Callable[[LspEditor, Path], Awaitable[None]]) -> None:
    """Run some steps in an editor, on a copy of the example pack."""
    pack = folder / "river-folk"
    shutil.copytree(RIVER, pack)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    async def run() -> None:
        async with lsp_editor(folder, apart=True) as editor:
            await steps(editor, pack)

    asyncio.run(run())
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == before, "the server writes nothing"


def test_one_session_with_everything(tmp_path, capsys):
    async def steps(editor: LspEditor, pack: Path) -> None:
        cards = await editor.open(pack / "cards.yaml")
        assert editor.client.diagnostics[cards] == ()
        await writes_a_mistake_and_mends_it(editor, cards)
        await asks_about_names(editor, cards)
        await renames(editor, cards)
        await looks_around(editor, cards)
        await runs_scenarios(editor, pack)
        await counts_columns_in_utf16(editor, pack)

    session(tmp_path, steps)
    assert "Traceback" not in capsys.readouterr().err, "a refusal is no fault"


async def writes_a_mistake_and_mends_it(editor: LspEditor, cards: str) -> None:
    right = editor.texts[cards]
    (found,) = await editor.change(cards, right.replace(MOVES, f"{MOVES[:-2]}\n"))
    assert found.message == "there is no power `mov`\nhelp: did you mean `move`?"
    assert (found.code, found.source) == ("unknown-power", "ruleloom")
    assert found.range.start == editor.position(cards, "use |mov\n")
    assert found.range.end == editor.position(cards, "use mov|\n")
    assert (await editor.labels(cards, "use mov|\n"))[0] == "move"
    actions = await editor.actions(cards, "use mo|v\n")
    titles = [one.title for one in actions]
    assert titles[:2] == ["write `move`", "make the power `mov`"]
    assert editor.edited(actions[0].edit) == {cards: right}
    made = editor.edited(actions[1].edit)[cards]
    assert "kind: power\n  id: mov\n" in made
    assert [one.severity for one in await editor.change(cards, made)] == []
    assert await editor.change(cards, right) == ()


async def asks_about_names(editor: LspEditor, cards: str) -> None:
    told = await editor.hover(cards, "let fortune = af|oot(me)")
    assert "measure afoot(player: Player): Int" in told
    assert "`river-folk:measure/afoot`" in told
    params = lsp.DefinitionParams(**editor.at(cards, "use at|tack"))
    found = await editor.client.text_document_definition_async(params)
    assert isinstance(found, list | tuple)
    assert [Path(one.uri).name for one in found] == ["powers.yaml"]
    context = lsp.ReferenceContext(include_declaration=True)
    asked = lsp.ReferenceParams(context=context, **editor.at(cards, "id: af|oot"))
    uses = await editor.client.text_document_references_async(asked)
    assert uses is not None
    assert len(uses) == 3  # where it is declared, and twice in the fusion
    help = await editor.client.text_document_signature_help_async(
        lsp.SignatureHelpParams(**editor.at(cards, "let fortune = afoot(|me)"))
    )
    assert help is not None
    assert help.signatures[0].label == "afoot(player: Player): Int"


async def renames(editor: LspEditor, cards: str) -> None:
    params = lsp.RenameParams(new_name="walking-fee", **editor.at(cards, "id: af|oot"))
    edit = await editor.client.text_document_rename_async(params)
    renamed = editor.edited(edit)[cards]
    assert "id: walking-fee\n  renamed_from: afoot\n" in renamed
    assert "let fortune = walking_fee(me)" in renamed
    params = lsp.RenameParams(new_name="Walking Fee", **editor.at(cards, "id: af|oot"))
    with pytest.raises(JsonRpcException, match="`Walking Fee` cannot be an id of kind"):
        await editor.client.text_document_rename_async(params)
    before = editor.texts[cards]
    assert await editor.change(cards, renamed) == ()
    assert await editor.change(cards, before) == ()


async def looks_around(editor: LspEditor, cards: str) -> None:
    document = lsp.TextDocumentIdentifier(cards)
    client = editor.client
    symbols = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert symbols is not None
    assert [one.name for one in symbols][:3] == ["ferryman", "cross", "fare"]
    everywhere = await client.workspace_symbol_async(lsp.WorkspaceSymbolParams("ferry"))
    assert "ferryman" in [one.name for one in everywhere or ()]
    lenses = await client.text_document_code_lens_async(lsp.CodeLensParams(document))
    titles = [one.command.title for one in lenses or () if one.command is not None]
    assert "explain" in titles
    assert any(title.endswith("uses") for title in titles)
    tokens = await client.text_document_semantic_tokens_full_async(
        lsp.SemanticTokensParams(document)
    )
    assert tokens is not None
    assert len(tokens.data) % 5 == 0
    assert len(tokens.data) > 100
    folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    assert len(folds or ()) > 5
    text = editor.texts[cards]
    untidy = text.replace("let fortune = afoot(me)", "let fortune=afoot( me )")
    await editor.change(cards, untidy)
    options = lsp.FormattingOptions(tab_size=4, insert_spaces=True)
    edits = await client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, options)
    )
    whole = [lsp.TextDocumentEdit(lsp.OptionalVersionedTextDocumentIdentifier(cards), edits or [])]
    assert editor.edited(lsp.WorkspaceEdit(document_changes=whole)) == {cards: text}
    await editor.change(cards, text)


async def runs_scenarios(editor: LspEditor, pack: Path) -> None:
    cases = await editor.open(pack / "scenarios.yaml")
    path = str(pack / "scenarios.yaml")
    assert await editor.command("ruleloom.run", path, None) == "18 passed, 0 failed"
    wrong = editor.texts[cases].replace("pieces: [A2E@0/1", "pieces: [A2W@0/1", 1)
    assert wrong != editor.texts[cases]
    case = wrong[: wrong.index("A2W@0/1")].rpartition("- id: ")[2].partition("\n")[0]
    steps = await editor.command("ruleloom.step", path, case)
    assert steps.startswith("== before\n")
    assert "== after step 1" in steps


async def counts_columns_in_utf16(editor: LspEditor, pack: Path) -> None:
    uri = await editor.open(pack / "song.yaml", WIDE)
    (found,) = editor.client.diagnostics[uri]
    assert found.range.start == lsp.Position(5, 8)
    assert await editor.labels(uri, "use at|ack")
    text = WIDE.replace('say "𝄞𝄞"', 'say "𝄞𝄞 {nobody}"').replace("use atack", "stop")
    (found,) = await editor.change(uri, text)
    assert found.range.start == editor.position(uri, "{|nobody}")
    assert found.range.start == lsp.Position(4, 15)  # each clef takes two units


def test_a_session_that_has_been_stopped_shows_nothing_more(tmp_path):
    """The client may be gone: what is written to it then is a fault, told to nobody."""
    shutil.copytree(RIVER, tmp_path / "river-folk")
    cards = tmp_path / "river-folk" / "cards.yaml"
    shown: list[object] = []
    faults: list[BaseException] = []

    async def run() -> None:
        session = EditorSession(lambda *told: shown.append(told), faults.append)
        item = lsp.TextDocumentItem(cards.as_uri(), "yaml", 1, cards.read_text())
        path = session.documents.open(item)
        session.changed(path, 0)
        assert await session.project(path, settled=True) is not None
        session.changed(path)
        session.stop(waits=True)
        before = len(shown)
        await asyncio.sleep(0.2)
        assert len(shown) == before > 0
        assert faults == []

    asyncio.run(run())


def test_a_missing_library_is_told_with_how_to_install_it(monkeypatch):
    def missing(_name: str) -> None:
        raise ModuleNotFoundError("No module named 'pygls'", name="pygls")

    monkeypatch.setattr("ruleloom.cli.verbs.import_module", missing)
    done = call("lsp")
    assert done.code == 2
    assert "`ruleloom lsp` needs a library that is not installed: pygls" in done.err
    assert "pip install './ruleloom-0.1.0-py3-none-any.whl[lsp]'" in done.err


def test_a_port_and_standard_input_exclude_each_other():
    done = call("lsp", "--stdio", "--port", "4389")
    assert done.code == 2
    assert "`--stdio` and `--port` exclude each other" in done.err


def test_a_port_is_served_on_the_loopback_address_alone():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with spawn("lsp", "--port", str(port)) as server:
        try:
            told = initialized(port)
        finally:
            server.kill()
    assert '"ruleloom"' in told


def initialized(port: int) -> str:
    """What a server on a port answers when it is greeted."""
    body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}'
    for _ in range(600):
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        except OSError:
            time.sleep(0.1)
            continue
        with connection:
            connection.sendall(f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
            told = b""
            while b'"ruleloom"' not in told:
                more = connection.recv(65_536)
                if not more:
                    break
                told += more
            return told.decode()
    return ""
