"""Compiles the shipped games of the Ruleloom in a folder, and leaves them there as artifacts.

Runs in a process of its own, with that Ruleloom to be imported.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from ruleloom.api.content_error import ContentError
from ruleloom.api.languages import made_languages, made_sentences
from ruleloom.api.making import made_program, made_texts
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.store import store
from ruleloom.store.item_texts import TEXTS
from ruleloom.store.language_tables import LANGUAGE_TABLES, RULES_SENTENCES
from ruleloom.store.programs import GAME
from ruleloom.store.store import PackStore, pack_store_in


def main(place: str) -> int:
    """Compile all games of the Ruleloom that lies in a folder; 1 if one cannot be."""
    if not store.ARTIFACTS.is_relative_to(place):
        print(f"the Ruleloom that is imported does not lie in {place}", file=sys.stderr)
        return 1
    return compile_all(BUILTIN)


def compile_all(games: Path) -> int:
    """Compile the games that lie in a folder; 1 if one cannot be."""
    shutil.rmtree(store.ARTIFACTS, ignore_errors=True)  # of an earlier build
    try:
        for id in shipped_packs(games):
            compile_game(games / id)
        for manifest in sorted(games.glob(f"translations/*/{MANIFEST}")):
            compile_translation(manifest.parent)
    except (ContentError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def compile_game(folder: Path) -> None:
    """Write the program and texts of a game. Raises ContentError, OSError or ValueError."""
    packs, shelf = [str(folder)], _shelf(folder)
    shelf.ship(GAME, made_program(packs, texts=True))
    shelf.ship(TEXTS, made_texts(packs))


def compile_translation(folder: Path) -> None:
    """Write what a translation says. Raises ContentError, OSError or ValueError."""
    packs, shelf = [str(folder)], _shelf(folder)
    shelf.ship(LANGUAGE_TABLES, made_languages(packs))
    shelf.ship(RULES_SENTENCES, made_sentences(packs))


def _shelf(folder: Path) -> PackStore:
    shelf = pack_store_in(None, [str(folder)])
    if shelf is None:
        raise ValueError(f"{folder}: its files cannot be read")
    return shelf


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
