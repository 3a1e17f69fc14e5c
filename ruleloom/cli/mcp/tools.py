"""The tools of an assistant. Each runs the command of its name; `search` looks through the reference."""

from __future__ import annotations

from collections.abc import Sequence

import click
from mcp.server import MCPServer
from mcp.types import ToolAnnotations

from ruleloom.api.content_error import ContentError
from ruleloom.api.making import sound
from ruleloom.cli.faults import CLEAN, WrongUse
from ruleloom.cli.mcp.commands import Answer, broken, refused, run, run_for_data
from ruleloom.cli.mcp.roots import Folders
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.reference.reference_pages import search

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class Tools:
    """The tools, for packs in these folders. They are coroutines that never wait: a command runs in the
    main thread, and alone, for it writes to the process's standard output."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def add_to(self, server: MCPServer[None]) -> None:
        """Offer all tools; only `new` writes files."""
        for tool in (self.check, self.explain, self.places, self.odds, self.test, self.derive):
            server.add_tool(tool, annotations=READS)
        server.add_tool(self.search, annotations=READS)
        server.add_tool(self.diff, annotations=READS)
        server.add_tool(self.new, annotations=WRITES)

    async def check(self, packs: list[str]) -> Answer:
        """Find mistakes in packs: folders, files in them, or names of shipped games. Each finding has its
        place, what is wrong, what would be right, and the fix that replaces the words at its place."""
        return run_for_data("findings", "check", "--format=json", "--", *self._inside(packs))

    async def explain(
        self, word: str, packs: list[str] | None = None, card: bool = False
    ) -> Answer:
        """Explain a diagnostic code (`unknown-name`), an item (`gnostica:major/sun`), a word of effect text,
        or all that a pack adds and changes (its folder). `packs` are those to look in, by default the shipped
        games. With `card`, an item's text is what its card would say."""
        given = [f"--pack={one}" for one in self._inside(packs or self._pack_here())]
        (named,) = self._inside([word])
        return run("explain", "--color=never", *given, *(["--card"] if card else []), "--", named)

    async def places(self, packs: list[str]) -> Answer:
        """List where a pack can hook in: moments, rolls, menus, powers and operations of a game."""
        return run("places", "--", *self._inside(packs))

    async def odds(
        self,
        packs: list[str],
        text: str,
        of: list[str] | None = None,
        given: str | None = None,
        policies: list[str] | None = None,
    ) -> Answer:
        """Compute the exact odds of an effect text, such as `roll luck = 2d6`, in a game or pack. `of` are
        expressions to tabulate, by default the names that the text sets. `given` is a file with the
        `given:` of a case. A policy says how a prompt is answered: `NAME=ANSWER`,
        `NAME=best:EXPR` or `best:EXPR`."""
        if text == "-":
            raise refused(WrongUse("`-` is no effect text"))
        options = [*[f"--of={one}" for one in of or ()], *[f"--policy={p}" for p in policies or ()]]
        options += [f"--given={one}" for one in self._inside([given] if given else [])]
        return run_for_data("odds", "odds", "--json", *options, "--", *self._inside(packs), text)

    async def test(self, packs: list[str], coverage: bool = False) -> Answer:
        """Run the scenarios of packs on the real machine. With `coverage`, tell what no passing case comes
        past."""
        options = ["--coverage"] if coverage else []
        paths = self._inside(packs)
        return run_for_data("report", "test", "--format=json", *options, "--", *paths)

    async def derive(self, item: str, packs: list[str]) -> Answer:
        """Derive scenarios from the conditions of an item of a pack, and tell what they prove. They are
        printed, not written."""
        return run("test", f"--derive={item}", "--", *self._inside(packs))

    async def search(self, words: str, packs: list[str]) -> Answer:
        """Search the reference of a game, with packs on top of it: items, operations, kinds, fields, prompts.
        `link` is a page and an anchor of the reference; `explain` tells all of an item."""
        try:
            paths = self._inside(packs)
            result = compile_paths(paths, texts=True, reasons=False, scenarios=False)
            program, content = sound(result)
        except ContentError as error:
            return broken(error)
        found = search(content, program, words)
        named = ("name", "sort", "link", "text")
        return {"exit": CLEAN, "found": [dict(zip(named, one, strict=True)) for one in found]}

    async def diff(self, old: str, new: str, packs: list[str] | None = None) -> Answer:
        """Compare two packs, or two versions of one, in terms of the rules, and recommend a version number.
        `packs` are others to load with both."""
        given = [f"--pack={one}" for one in self._inside(packs or [])]
        sides = self._inside([old, new])
        return run_for_data("diff", "diff", "--format=json", *given, "--", *sides)

    async def new(self, kind: str, name: str, folder: str = ".", game: str | None = None) -> Answer:
        """WRITES FILES: creates a pack (`kind` is `pack`, with `game`) in a folder, or an item of a kind in a
        folder of a pack, from a worked example with scenarios. Existing files are never overwritten."""
        (place,) = self._inside([folder])
        options = [f"--in={place}", *([f"--game={game}"] if game else [])]
        return run("new", *options, "--", kind, name)

    def _inside(self, paths: Sequence[str]) -> list[str]:
        try:
            return [self._folders.inside(path) for path in paths]
        except click.ClickException as mistake:
            raise refused(mistake) from None

    def _pack_here(self) -> list[str]:
        return ["."] if self._folders.has_pack_here else []
