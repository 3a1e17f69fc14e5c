"""What an assistant can read: pages of the documentation, the reference of each game, schemas."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.server.mcpserver.resources import FunctionResource

from ruleloom.api.making import sound
from ruleloom.compiler.packs.locate import BUILTIN, HOME, SCHEMAS, shipped_packs
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.reference.reference_pages import site_of
from ruleloom.scaffold.starters import editor_schema, games

DOCS = HOME / "docs"
SCHEME, SCHEMA, HTML = "ruleloom://", "application/schema+json", "text/html"
PAGES = {
    "llm": "All that is needed to write a pack, on one page",
    "language": "The effect language, with every form",
}


def add_pages(server: MCPServer[None]) -> None:
    """Offer all pages as resources; those of each kind and each page of a reference by templates."""
    for name, title in PAGES.items():
        _add(server, f"docs/{name}", title, "text/markdown", partial(_document, name))
    for game in games():
        title = f"The JSON Schema of all files of packs for {game}"
        _add(server, f"schema/{game}", title, SCHEMA, partial(editor_schema, game))
        title = f"The reference of {game}: its pages, by their links"
        _add(server, f"reference/{game}", title, HTML, partial(_site_page, game, "index.html"))
    server.resource(f"{SCHEME}schema/{{game}}/{{kind}}", mime_type=SCHEMA)(schema_page)
    server.resource(f"{SCHEME}reference/{{game}}/{{page}}", mime_type=HTML)(reference_page)


def _add(
    server: MCPServer[None], path: str, title: str, mime_type: str, read: Callable[[], str]
) -> None:
    async def text() -> str:  # in the main thread, as all tools
        return read()

    uri = f"{SCHEME}{path}"
    page = FunctionResource(uri=uri, name=path, title=title, mime_type=mime_type, fn=text)
    server.add_resource(page)


def _document(name: str) -> str:
    return (DOCS / f"{name}.md").read_text(encoding="utf-8")


async def schema_page(game: str, kind: str) -> str:
    """The JSON Schema of a kind: of a game's own, or of one that all games have."""
    found = (folder / f"{kind}.schema.json" for folder in (SCHEMAS / game, SCHEMAS))
    path = next((one for one in found if game in games() and one.is_file()), None)
    if path is None:
        raise ResourceNotFoundError(f"there is no schema of {kind} for {game}")
    return path.read_text(encoding="utf-8")


async def reference_page(game: str, page: str) -> str:
    """A page of the reference of a shipped game, as `ruleloom docs` writes it."""
    return _site_page(game, page)


def _site_page(game: str, page: str) -> str:
    found = reference(game).get(page) if game in shipped_packs(BUILTIN) else None
    if found is None:
        raise ResourceNotFoundError(f"there is no page {page} in the reference of {game}")
    return found


@cache  # what ships does not change
def reference(game: str) -> Mapping[str, str]:
    """The pages of the reference of a shipped game, by file name."""
    program, content = sound(compile_paths([game], texts=True, reasons=False, scenarios=False))
    return site_of(content, program)
