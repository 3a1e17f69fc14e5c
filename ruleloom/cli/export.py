"""`ruleloom export`: a game's items, tables and odds for other programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import click

from ruleloom.api.making import sound
from ruleloom.cli.cards import cards_of, pdf_writer
from ruleloom.cli.faults import CLEAN
from ruleloom.cli.folders import refuse_foreign, write_folder
from ruleloom.cli.options import audience_option, option, pack_paths, paths_argument
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.export.chat import to_chat
from ruleloom.export.foundry import to_foundry
from ruleloom.export.game_data import Exported, GameData, game_data
from ruleloom.export.plain_files import to_csv, to_json, to_markdown
from ruleloom.export.roll20 import to_roll20
from ruleloom.export.tabletop import to_tabletop
from ruleloom.output.terminal import count_of
from ruleloom.reference.audience import for_players, texts_for_players
from ruleloom.runtime.program.safe_text import safe_text

LIST, EXPORT, LEFT_OUT = ".ruleloom-export", "ruleloom export", "LEFT-OUT.txt"

TARGETS: Mapping[str, Callable[[GameData], Exported]] = {
    "csv": to_csv,
    "json": to_json,
    "markdown": to_markdown,
    "foundry": to_foundry,
    "roll20": to_roll20,
    "chat": to_chat,
}
TABLETOP = "tts"


@click.command("export")
@paths_argument
@click.option(
    "--to",
    "target",
    type=click.Choice([*TARGETS, TABLETOP]),
    required=True,
    help="The program or form.",
)
@option("-o, --output DIR", "The folder to write.", required=True)
@option("--odds", "With the exact odds of rolls whose dice are known.")
@audience_option
@option(
    "--at URL",
    "For tts: where the folder will lie for all who play, instead of on this machine.",
)
def command(
    paths: tuple[str, ...], target: str, output: str, odds: bool, audience: str, at: str | None
) -> int:
    """Write every item, table and printed text of a game, with packs on top, for another program.

    A PATH is a pack's folder or the name of a shipped game. Ids are made from ours and stay the
    same. What the target cannot carry is printed, and stands in LEFT-OUT.txt in the folder.

    \b
      ruleloom export gnostica river-folk --to foundry -o river-folk-foundry
    """
    if Path(output).is_dir():
        refuse_foreign(Path(output), LIST, EXPORT)  # before compilation
    result = compile_paths(pack_paths(paths), texts=True, reasons=False, scenarios=False)
    program, content = sound(result)
    hidden: frozenset[str] = content.for_gm if audience == "players" else frozenset()
    if hidden:
        program, content = texts_for_players(content, program), for_players(content)
    if target == TABLETOP:
        cards = [one for one in cards_of(result) if one.item.id not in hidden]
        place = at or Path(output).resolve().as_uri()
        with pdf_writer("a deck") as writer:
            words = program.card_texts()
            made = to_tabletop(content.packs[-1].id, cards, words, place, writer.png)
    else:
        made = TARGETS[target](game_data(content, program, odds))
    files = export_files(made)
    write_folder(Path(output), files, LIST, EXPORT)
    print(f"wrote {safe_text(output)}: {count_of(len(files), 'file')}")
    print("not carried over:")
    for line in made.left_out:
        print(f"  {safe_text(line)}")
    return CLEAN


def export_files(made: Exported) -> dict[str, bytes]:
    """The files of an export, with the list of what it does not hold."""
    left = "".join(f"{line}\n" for line in made.left_out)
    return {
        name: text if isinstance(text, bytes) else text.encode(errors="backslashreplace")
        for name, text in {**made.files, LEFT_OUT: left}.items()
    }
