"""`ruleloom docs` writes the reference of a game as a site of static pages, or as a rulebook; `ruleloom
places` lists the hooks for packs, as a Markdown page."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from ruleloom.api.making import sound
from ruleloom.cli.documents import paper_option, refuse_paper, write_pages
from ruleloom.cli.faults import CLEAN
from ruleloom.cli.folders import refuse_foreign, write_folder
from ruleloom.cli.options import audience_option, option, pack_paths, paths_argument
from ruleloom.compiler.analysis.yaml_cursor import nodes_of
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths, names_of
from ruleloom.compiler.resolve.symbols import Signature
from ruleloom.output.terminal import count_of
from ruleloom.reference.audience import for_players, texts_for_players
from ruleloom.reference.gathered import limits, menus, rolls, steps
from ruleloom.reference.reference_pages import plain_text, site_of
from ruleloom.reference.rulebook.rulebook import rulebook
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.safe_text import safe_text

# The list of files of the site; a folder without it belongs to somebody else.
LIST, DOCS = ".ruleloom-docs", "ruleloom docs"


@click.command("docs")
@paths_argument
@option("-o, --output DIR|FILE", "The folder to write.", required=True)
@option(
    "--rulebook",
    "Write one document for those who play, to the file named by -o.",
    name="as_rulebook",
)
@paper_option
@audience_option
def command(
    paths: tuple[str, ...], output: str, as_rulebook: bool, paper: str | None, audience: str
) -> int:
    """Write the reference of a game, with the packs on top of it, as a site of static pages.

    A PATH is a pack's folder or the name of a shipped game; the default is the pack that contains
    the current folder. The pages need neither a server nor a network: open DIR/index.html. Pages of
    an earlier run that are no longer part of the site are removed.

    With --rulebook, it is one document in the order in which the game is learnt, to be read or
    printed by people who only want to play; a PDF if the name of the file ends in .pdf. With
    `--for players`, either leaves out what packs mark for the GM.
    """
    refuse_paper(output if as_rulebook else "", paper)
    if not as_rulebook and Path(output).is_dir():
        refuse_foreign(Path(output), LIST, DOCS)  # before compilation
    result = compile_paths(pack_paths(paths), texts=True, reasons=False, scenarios=False)
    program, content = sound(result)
    if audience == "players":
        program, content = texts_for_players(content, program), for_players(content)
    if as_rulebook:
        write_pages(output, rulebook(content, program), paper)
        print(f"wrote {safe_text(output)}")
        return CLEAN
    files = reference_files(content, program)
    write_folder(Path(output), files, LIST, DOCS)
    start = Path(output) / "index.html"
    print(f"wrote {count_of(len(files), 'file')}: open {safe_text(str(start))}")
    return CLEAN


def reference_files(content: Content, program: Program) -> dict[str, bytes]:
    """The pages of the reference, by file name."""
    pages = site_of(content, program)
    return {name: text.encode(errors="backslashreplace") for name, text in pages.items()}


@click.command("places")
@paths_argument
def places(paths: tuple[str, ...]) -> int:
    """List where packs can hook in: limits, rules, moments, rolls, steps, bearers, powers and the like.

    A PATH is a pack's folder or the name of a shipped game; the default is the pack that contains
    the current folder. The list is Markdown; docs/language.md says how to respond.
    """
    program, content = sound(compile_paths(pack_paths(paths), scenarios=False))
    print(page_of(content, program), end="")
    return CLEAN


def page_of(content: Content, program: Program) -> str:
    """A game's hook page."""
    symbols, nodes = names_of(content), list(nodes_of(content))
    (vocabulary,) = content.by_kind("vocabulary")
    operations, found = symbols.operations.values(), {one.name: one.dice for one in rolls(nodes)}
    bearers = sorted((of, one) for of, one in symbols.bearers.items() if of in symbols.kinds)
    return plain_text(
        "places.md",
        title=program.title,
        game=content.game,
        limits=limits(content, program),
        rules=limits(content, program, "rule"),
        asked=_of(symbols.callables, "query", "measure", "table"),
        signatures={one.id: one for one in symbols.callables.values()},
        moments=_of(symbols.operations, "moment"),
        operations=[one for one in operations if one.kind != "moment"],
        powers=[*symbols.powers.values()],
        flows=[one.slug for one in content.by_kind("flow")],
        person="".join(f", {one}" for one in symbols.rolls_for),
        rolls=found and {"any": False, "each": True} | found,
        menus=menus(nodes),
        steps=[*steps(content)],
        bearers=bearers,
        actions=vocabulary.data("actions"),
        costs=vocabulary.data("costs"),
        kept={one.operation for one in program.always},
        deciders=symbols.deciders,
    )


def _of(signatures: Mapping[str, Signature], *kinds: str) -> list[Signature]:
    return [one for one in signatures.values() if one.kind in kinds]
