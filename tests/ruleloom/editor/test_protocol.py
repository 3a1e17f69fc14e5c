"""What an editor asks besides names, through the protocol, over homebrew packs for the four games."""

from __future__ import annotations

import asyncio
import socket
import zipfile
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from tests.conftest import ROOT
from tests.support.lsp_client import LspEditor, lsp_editor, with_edits

RIVER = ROOT / "rulesets" / "examples" / "river-folk"
OPTIONS = lsp.FormattingOptions(4, True)


def pack_of(folder: Path, name: str, game: str, requires: str = "", **files: str) -> Path:
    """A pack with some files."""
    pack = folder / name
    pack.mkdir()
    needed = f'requires: {{{requires}: ">=0.1"}}\n' if requires else ""
    head = f"kind: pack\nid: {name}\nversion: 1.0.0\ngame: {game}\nedition: 1\n{needed}"
    (pack / "pack.yaml").write_text(head)
    for stem, text in files.items():
        (pack / f"{stem}.yaml").write_text(text)
    return pack


def session(
    folder: Path,
    steps: Callable[[LspEditor], Awaitable[None]],
    *roots: Path,
    resolves: bool = False,
    apart: bool = False,
) -> None:
    """Run some steps in an editor; the server changes nothing on disk."""
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    async def run() -> None:
        async with lsp_editor(folder, *roots, resolves=resolves, apart=apart) as editor:
            await steps(editor)

    asyncio.run(run())
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert after == before


# ------------------------------------------------------------------ what is missing is made

HALF = {
    "gnostica": (
        "- kind: major\n  id: gale\n  title: Gale\n  effect: |\n    use blow(3)\n",
        "number",
    ),
    "moonstone": ("- kind: weapon\n  id: harpoon\n  dice: 2\n  harm: cut\n", "title"),
    "monotheism": ("- kind: measure\n  id: calm\n  english: how calm it is\n  is: 3\n", "gives"),
    "witchgates": ("- kind: gear\n  id: harpoon\n  price: 12\n", "title"),
}


@pytest.mark.parametrize("game", HALF)
def test_a_missing_field_is_added(tmp_path, game):
    text, missing = HALF[game]
    pack = pack_of(tmp_path, "homebrew", game)

    async def steps(editor: LspEditor) -> None:
        uri = await editor.open(pack / "items.yaml", text)
        assert any(f"`{missing}`" in one.message for one in editor.client.diagnostics[uri])
        actions = {one.title: one for one in await editor.actions(uri, "kind|: ")}
        edit = actions[f"add the missing field `{missing}`"].edit
        added = editor.edited(edit)[uri]
        assert f"\n  {missing}: " in added
        left = await editor.change(uri, added)
        assert not [one for one in left if f"has no `{missing}`" in one.message]

    session(tmp_path, steps)


def test_a_power_is_made_with_what_it_is_given(tmp_path):
    text = (
        '- kind: power\n  id: storm\n  takes: "m: Piece"\n  gloss: a storm\n  effect: |\n'
        "    choose p from players\n    use blow(m, p, 3)\n"
    )
    pack = pack_of(tmp_path, "homebrew", "gnostica")

    async def steps(editor: LspEditor) -> None:
        uri = await editor.open(pack / "items.yaml", text)
        actions = {one.title: one for one in await editor.actions(uri, "use bl|ow")}
        made = editor.edited(actions["make the power `blow`"].edit)[uri]
        assert made == (
            f'{text}\n- kind: power\n  id: blow\n  takes: "m: Piece, p: Player, value_3: Int"\n'
            '  gloss: "blow"\n  effect: |\n    stop\n'
        )
        found = await editor.change(uri, made)
        assert lsp.DiagnosticSeverity.Error not in [one.severity for one in found]

    session(tmp_path, steps)


# ------------------------------------------------------------------ on typing

NEW_LINES = [
    ("  effect: |\n|", 4),
    ("  effect: |\n    if count(hand) > 1:\n|", 8),
    ("  effect: |\n    if count(hand) > 1:\n        stop\n|", 8),
    ("  effect: |\n    stop\n  |", 4),
    ("  effect: |\n    for each p in players:\n        choose c from hand:\n|", 12),
    ("  gloss: x\n|", None),
]


def test_a_new_line_of_effect_text_is_indented(tmp_path):
    pack = pack_of(tmp_path, "homebrew", "gnostica")

    async def steps(editor: LspEditor) -> None:
        uri = await editor.open(pack / "items.yaml", '- {kind: tag, id: a, english: "b"}\n')
        for written, wanted in NEW_LINES:
            text = f"- kind: power\n  id: x\n{written.replace('|' + chr(10), chr(0))}"
            text, _, _ = text.rpartition("|")
            text = text.replace(chr(0), "|\n")
            editor.write(uri, text)
            at = lsp.Position(text.count("\n"), len(text.rpartition("\n")[2]))
            params = lsp.DocumentOnTypeFormattingParams(
                lsp.TextDocumentIdentifier(uri), at, "\n", OPTIONS
            )
            edits = await editor.client.text_document_on_type_formatting_async(params)
            after = with_edits(text, edits or [])
            found = len(after.rpartition("\n")[2]) if edits else None
            assert found == wanted, written

    session(tmp_path, steps)


# ------------------------------------------------------------------ the shape of a file

GAMES = ("gnostica", "moonstone", "monotheism", "witchgates")
GUST = """\
- kind: power
  id: gust
  gloss: a gust
  effect: |
    for each p in players:
        say "hush"
    stop
"""
PATCH = (
    "kind: patch\nid: gusty-{name}\ntarget: homebrew:setting/force\n"
    'set: {change}\nenglish: "gusts are {name}"\n'
)
CHANGES = {"strong": "{value: 2}", "worded": '{english: "how hard it blows"}'}
USED = (
    '- {kind: setting, id: force, value: 1, english: "how strong a gust is"}\n'
    '- kind: power\n  id: blow\n  gloss: blow\n  effect: |\n    use gust\n    say "{force}"\n'
    "- kind: power\n  id: blow_twice\n  gloss: blow\n  effect: |\n    use gust\n    use gust\n"
)
CASES = (
    'kind: scenarios\ncases:\n  - id: hush\n    when: [{do: "use gust"}]\n    then: {log: [hush]}\n'
)


@pytest.mark.parametrize("game", GAMES)
def test_the_shape_of_a_file_and_the_lines_above_items(tmp_path, game):
    pack = pack_of(tmp_path, "homebrew", game, items=GUST, more=USED, cases=CASES)
    for name, change in CHANGES.items():
        patch = PATCH.format(name=name, change=change)
        pack_of(tmp_path, name, game, requires="homebrew", patch=patch)
    (tmp_path / "ruleloom.toml").write_text(
        '[[together]]\npacks = ["homebrew", "strong", "worded"]\n'
    )

    async def steps(editor: LspEditor) -> None:
        items = await editor.open(pack / "items.yaml")
        client, document = editor.client, lsp.TextDocumentIdentifier(items)
        found = await client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
        (symbol,) = found or ()
        assert isinstance(symbol, lsp.DocumentSymbol)
        assert (symbol.name, symbol.detail) == ("gust", "power")
        assert symbol.selection_range.start == editor.position(items, "id: |gust")
        assert symbol.range.start == editor.position(items, "|kind: power")
        folds = await client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
        assert {(one.start_line, one.end_line) for one in folds or ()} >= {(0, 6), (4, 5)}
        assert await selected(editor, items, 'say "hu|sh"') == [
            '"hush"', 'say "hush"', 'for each p in players:\n        say "hush"',
        ]  # fmt: skip
        assert await lenses(editor, items) == {"explain": "gust", "4 uses": "gust"}
        more = await editor.open(pack / "more.yaml")
        shown = await lenses(editor, more)
        assert shown["patched by 2 packs"] == "force"
        assert shown["3 uses"] == "force"
        assert shown["no uses"] == "blow_twice"
        cases = await editor.open(pack / "cases.yaml")
        assert await lenses(editor, cases) == {
            "run all scenarios": "kind", "run": "hush", "step by step": "hush",
        }  # fmt: skip
        ran = await editor.command("ruleloom.run", str((pack / "cases.yaml").resolve()), "hush")
        assert ran == "1 passed, 0 failed"

    session(tmp_path, steps)


async def selected(editor: LspEditor, uri: str, words: str) -> list[str]:
    """What is selected step by step around a place, the three smallest."""
    params = lsp.SelectionRangeParams(
        lsp.TextDocumentIdentifier(uri), [editor.position(uri, words)]
    )
    (found,) = await editor.client.text_document_selection_range_async(params) or ()
    texts: list[str] = []
    around: lsp.SelectionRange | None = found
    while around is not None and len(texts) < 3:
        texts.append(text_in(editor, uri, around.range).rstrip())
        around = around.parent
    return texts


def text_in(editor: LspEditor, uri: str, where: lsp.Range) -> str:
    """The text of a range; these texts have no wide characters."""
    starts = [0]
    for line in editor.texts[uri].split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    start, end = (starts[one.line] + one.character for one in (where.start, where.end))
    return editor.texts[uri][start:end]


async def lenses(editor: LspEditor, uri: str) -> dict[str, str]:
    """The lines above the items of a file, and the first word under each; the last of each title."""
    params = lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    found = await editor.client.text_document_code_lens_async(params)
    return {
        one.command.title: text_in(editor, uri, one.range)
        or editor.texts[uri].split("\n")[one.range.start.line].partition(":")[0]
        for one in found or ()
        if one.command is not None
    }


# ------------------------------------------------------------------ zips, several roots, no trust


def test_a_pack_in_a_zip_is_shown_and_never_changed(tmp_path):
    with zipfile.ZipFile(tmp_path / "river-folk.zip", "w") as file:
        for path in sorted(RIVER.rglob("*.yaml")):
            file.write(path, path.relative_to(RIVER).as_posix())
    text = "- kind: power\n  id: trial\n  gloss: a trial\n  effect: |\n    use cross\n"
    pack = pack_of(tmp_path, "homebrew", "gnostica", "river-folk", items=text)
    (tmp_path / "ruleloom.toml").write_text(
        '[[together]]\npacks = ["homebrew", "river-folk.zip"]\n'
    )

    async def steps(editor: LspEditor) -> None:
        uri = await editor.open(pack / "items.yaml")
        assert [one.code for one in editor.client.diagnostics[uri]] == ["unused-item"]
        params = lsp.DefinitionParams(**editor.at(uri, "use cr|oss"))
        found = await editor.client.text_document_definition_async(params)
        assert isinstance(found, list | tuple)
        (place,) = found
        assert isinstance(place, lsp.Location)
        assert place.uri.startswith("ruleloom-zip:")
        assert place.uri.endswith("river-folk.zip!/cards.yaml".replace("!", "%21"))
        content = await editor.client.protocol.send_request_async(
            "workspace/textDocumentContent", lsp.TextDocumentContentParams(place.uri)
        )
        assert content.text == (RIVER / "cards.yaml").read_text(encoding="utf-8")
        rename = lsp.RenameParams(new_name="ford", **editor.at(uri, "use cr|oss"))
        with pytest.raises(Exception, match="not changed from here"):
            await editor.client.text_document_rename_async(rename)

    session(tmp_path, steps)


def test_several_folders_are_open_at_once(tmp_path):
    for name in ("left", "right"):
        (tmp_path / name).mkdir()
    power = "- kind: power\n  id: {id}\n  gloss: x\n  effect: |\n    use {used}\n"
    left = pack_of(tmp_path / "left", "one", "gnostica", items=power.format(id="nap", used="mov"))
    right = pack_of(
        tmp_path / "right", "two", "monotheism", items=power.format(id="doze", used="draf")
    )

    async def steps(editor: LspEditor) -> None:
        for pack, misspelt, right_name in ((left, "mov", "move"), (right, "draf", "draft")):
            uri = await editor.open(pack / "items.yaml")
            (found,) = editor.client.diagnostics[uri]
            assert f"there is no power `{misspelt}`" in found.message
            assert f"did you mean `{right_name}`?" in found.message
            assert (await editor.labels(uri, f"use {misspelt}|"))[0] == right_name
        known = await editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(""))
        assert {"nap", "doze"} <= {one.name for one in known or ()}

    session(tmp_path, steps, tmp_path / "left", tmp_path / "right")


TRAP = "import pathlib, sys\npathlib.Path({mark!r}).write_text('ran')\n"


def test_nothing_of_a_folder_is_run(tmp_path):
    """Python files, an environment and a table with an address lie in the folder: nothing of them is
    run, nothing is written there, and nobody calls at the address."""
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/reference"
    folder, mark = tmp_path / "folder", tmp_path / "ran.txt"
    folder.mkdir()
    pack = pack_of(folder, "homebrew", "gnostica", items=GUST, cases=CASES)
    trap = TRAP.format(mark=str(mark))
    for name in ("sitecustomize", "conftest", "gnostica", "pack", "yaml", "setup"):
        (pack / f"{name}.py").write_text(trap)
        (folder / f"{name}.py").write_text(trap)
    for name in ("ruleloom", "python", "python3"):
        program = folder / ".venv" / "bin" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text(f"#!/bin/sh\necho ran > {mark}\n")
        program.chmod(0o755)
    (folder / "ruleloom.toml").write_text(f'reference = "{address}"\n')

    async def steps(editor: LspEditor) -> None:
        uri = await editor.open(pack / "items.yaml")
        assert [one.code for one in editor.client.diagnostics[uri]] == ["unused-item"]
        assert await editor.labels(uri, 'say| "hush"')
        assert address in await editor.hover(uri, "id: gu|st")
        path = str((pack / "items.yaml").resolve())
        assert "hush" in await editor.command("ruleloom.explain", path, "homebrew:power/gust")
        cases = str((pack / "cases.yaml").resolve())
        assert "passed" in await editor.command("ruleloom.run", cases, None)

    session(folder, steps, apart=True)
    assert not mark.exists()
    with listener, pytest.raises(BlockingIOError):
        listener.accept()


# ------------------------------------------------------------------ what a name means, later


def test_a_client_that_asks_later_is_told_what_a_name_means_then(tmp_path):
    pack = pack_of(tmp_path, "homebrew", "gnostica", items=GUST)

    async def steps(editor: LspEditor) -> None:
        uri = await editor.open(pack / "items.yaml")
        editor.write(uri, editor.texts[uri].replace("    stop\n", "    fac\n"))
        params = lsp.CompletionParams(**editor.at(uri, "    fac|"))
        found = await editor.client.text_document_completion_async(params)
        assert isinstance(found, lsp.CompletionList)
        assert found.item_defaults is not None
        word = editor.position(uri, "    |fac")
        assert found.item_defaults.edit_range == lsp.Range(word, params.position)
        face = next(one for one in found.items if one.label == "face")
        assert (face.documentation, face.text_edit) == (None, None)
        assert face.text_edit_text == "face(${1:piece}, ${2:way})"
        told = await editor.client.completion_item_resolve_async(face)
        assert told.documentation == "turn piece to face way"
        assert told.label == "face"

    session(tmp_path, steps, resolves=True)
