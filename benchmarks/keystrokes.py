"""`python -m benchmarks.keystrokes`: how long an editor waits for the language server, over a pack of
5,000 items on top of Moonstone.

The server is the real one, in a process of its own. Somebody writes lines of effect text, a key every
120 ms, now and then with a pause in which the whole pack is checked. After every key an editor asks
for completion, and for hover. What is measured is the time until the answers come, and until findings
do after the last key: by the clock, and in processor time of the server's thread that answers, which
a busy machine leaves alone.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from benchmarks.large_pack import write_large_pack
from ruleloom.api.version import version_text

KEY = 0.12
LINES = {
    "advantage": ('bonus(Init, 1, "never off guard")', "resists(horror, 3/4)"),
    "bane": ('penalty(Init, 1, "slow to start")', 'bonus(max_PI, 2, "thick skin")'),
}
WANTED = {"completion": 0.05, "hover": 0.1}
PATIENCE = 300
# What the usual editors say of themselves, as far as the server goes by it.
AS_VS_CODE = lsp.ClientCapabilities(
    text_document=lsp.TextDocumentClientCapabilities(
        completion=lsp.CompletionClientCapabilities(
            completion_item=lsp.ClientCompletionItemOptions(
                snippet_support=True,
                resolve_support=lsp.ClientCompletionItemResolveOptions(["documentation"]),
            ),
            completion_list=lsp.CompletionListCapabilities(item_defaults=["editRange"]),
        )
    )
)


@dataclass
class Typist:
    """An editor with one open file, and the seconds that it waited."""

    client: LanguageClient
    path: Path
    text: str = ""
    version: int = 0
    waited: dict[str, list[float]] = field(default_factory=dict)
    used: dict[str, list[float]] = field(default_factory=dict)
    whole: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def uri(self) -> str:
        """The file."""
        return self.path.as_uri()

    def hear(self, params: lsp.PublishDiagnosticsParams) -> None:
        """Take in findings about the text as it is."""
        if params.uri == self.uri and params.version == self.version:
            self.whole.set()

    async def open(self) -> float:
        """Open the file; return the seconds until there are findings."""
        self.text = self.path.read_text(encoding="utf-8")
        begun = time.perf_counter()
        item = lsp.TextDocumentItem(self.uri, "yaml", self.version, self.text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await self.rest()
        return time.perf_counter() - begun

    async def rest(self) -> None:
        """Wait for the whole check."""
        async with asyncio.timeout(PATIENCE):
            await self.whole.wait()

    async def key(self, at: int, sign: str) -> None:
        """Press a key, and ask for everything."""
        line = self.text.count("\n", 0, at)
        place = lsp.Position(line, at - self.text.rfind("\n", 0, at) - 1)
        behind = lsp.Position(place.line, place.character + 1)
        self.text = self.text[:at] + sign + self.text[at:]
        self.version += 1
        self.whole.clear()
        change = lsp.TextDocumentContentChangePartial(range=lsp.Range(place, place), text=sign)
        named = lsp.VersionedTextDocumentIdentifier(version=self.version, uri=self.uri)
        begun = time.perf_counter()
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [change]))
        document = lsp.TextDocumentIdentifier(self.uri)
        params = lsp.CompletionParams(document, behind)
        completion = self.client.text_document_completion_async(params)
        await self._wait("completion", begun, completion)
        asked = time.perf_counter()
        hover = lsp.HoverParams(document, place)
        await self._wait("hover", asked, self.client.text_document_hover_async(hover))
        await asyncio.sleep(max(0.0, begun + KEY - time.perf_counter()))

    async def _wait(self, what: str, begun: float, answer: Awaitable[object]) -> None:
        used = self.processor_time()
        async with asyncio.timeout(PATIENCE):
            await answer
        self.waited.setdefault(what, []).append(time.perf_counter() - begun)
        self.used.setdefault(what, []).append(self.processor_time() - used)

    def processor_time(self) -> float:
        """The seconds that the thread of the server that answers has used."""
        pid = server_of(self.client)
        told = Path(f"/proc/{pid}/task/{pid}/schedstat").read_text(encoding="utf-8")
        return int(told.split()[0]) / 1e9


async def type_lines(typist: Typist, lines: Sequence[str], random: Random) -> None:
    """Write lines into the first effect text of the file, with pauses."""
    mark = "  abilities: |\n"
    for line in lines:
        at = typist.text.index(mark) + len(mark)
        for sign in f"    {line}\n":
            await typist.key(at, sign)
            at += 1
            if random.random() < 0.05:
                await asyncio.sleep(random.uniform(0.2, 2.5))  # in the midst of a whole check


def share_of_core() -> float:
    """How much of a processor this machine gives to one process just now."""
    begun, used = time.perf_counter(), time.process_time()
    while time.process_time() < used + 0.5:
        pass
    return 0.5 / (time.perf_counter() - begun)


def server_of(client: LanguageClient) -> int:
    """The process of the server."""
    process = client._server
    assert process is not None, "it has been started"
    return process.pid


def memory(pid: int) -> float:
    """The most memory that a process has had, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


async def measure(pack: Path, kind: str, seed: int) -> None:
    """Start a server, write into a file of the pack, and print the figures."""
    client = LanguageClient("benchmarks.keystrokes", version_text())
    begun = time.perf_counter()
    await client.start_io(sys.executable, "-m", "ruleloom", "lsp", env=dict(os.environ))
    typist = Typist(client, pack / f"{kind}-3.yaml")

    @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def published(params: lsp.PublishDiagnosticsParams) -> None:
        typist.hear(params)

    root = lsp.WorkspaceFolder(pack.as_uri(), pack.name)
    await client.initialize_async(
        lsp.InitializeParams(capabilities=AS_VS_CODE, root_uri=root.uri, workspace_folders=[root])
    )
    client.initialized(lsp.InitializedParams())
    opened = await typist.open()
    print(
        f"first findings: {time.perf_counter() - begun:.1f} s after the start, "
        f"{opened:.1f} s after the file was opened"
    )
    document = lsp.TextDocumentIdentifier(typist.uri)
    asked = time.perf_counter()
    await client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(2, 4)))
    print(f"first hover: {time.perf_counter() - asked:.1f} s later")
    await type_lines(typist, LINES[kind], Random(seed))
    asked = time.perf_counter()
    await typist.rest()
    print(f"the whole pack, after the last key: {time.perf_counter() - asked:.1f} s")
    for what, wanted in WANTED.items():
        for how, seconds in (("by the clock", typist.waited), ("processor", typist.used)):
            ranked = sorted(seconds[what])
            middle, most = ranked[len(ranked) // 2], ranked[int(len(ranked) * 0.95)]
            print(
                f"{what:12}{how:14}{len(ranked):5} times, median {middle * 1000:6.1f} ms, p95 "
                f"{most * 1000:6.1f} ms, most {ranked[-1] * 1000:6.1f} ms (wanted: "
                f"{wanted * 1000:.0f} ms at p95)"
            )
    print(f"memory: {memory(server_of(client)):.0f} MB at most")
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.keystrokes", description=__doc__)
    parser.add_argument("--items", type=int, default=5_000)
    parser.add_argument("--kind", choices=list(LINES), default="advantage", help="what is written")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"a process gets {share_of_core():.0%} of a processor before")
    with TemporaryDirectory() as name:
        pack = Path(name).resolve() / "bazaar"
        write_large_pack(pack, options.items)
        asyncio.run(measure(pack, options.kind, options.seed))
    print(f"a process gets {share_of_core():.0%} of a processor after")
    return 0


if __name__ == "__main__":
    sys.exit(main())
