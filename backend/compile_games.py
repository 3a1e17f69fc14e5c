"""Compiles the shipped games of the Ruleloom in a folder, and leaves them there as artifacts.

Runs in a process of its own, with that Ruleloom to be imported.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from ruleloom.api.compiling import ContentError
from ruleloom.cache import artifact
from ruleloom.cache.compiled import PLAYED
from ruleloom.cache.item_texts import TEXTS, texts_data
from ruleloom.cache.lookup import query_of
from ruleloom.cli.explain.compiled_words import texts_of
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.program_json import program_data


def main(place: str) -> int:
    """Compile all games of the Ruleloom that lies in a folder; 1 if one cannot be."""
    if not artifact.ARTIFACTS.is_relative_to(place):
        print(f"the Ruleloom that is imported does not lie in {place}", file=sys.stderr)
        return 1
    return compile_all(BUILTIN)


def compile_all(games: Path) -> int:
    """Compile the games that lie in a folder; 1 if one cannot be."""
    shutil.rmtree(artifact.ARTIFACTS, ignore_errors=True)  # of an earlier build
    try:
        for id in shipped_packs(games):
            compile_game(games / id)
    except (ContentError, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def compile_game(folder: Path) -> None:
    """Write the program and texts of a game. Raises ContentError, OSError or ValueError."""
    packs = [str(folder)]
    query = query_of(packs, PLAYED, None)
    result = compile_paths(packs, texts=True, scenarios=False)
    if result.program is None or result.content is None:
        raise ContentError(result)
    if query is None:
        raise ValueError(f"{folder}: its files cannot be read")
    made = {
        PLAYED: program_data(result.program),
        TEXTS: texts_data(texts_of(result.content, result.program)),
    }
    for sort, data in made.items():
        query.of_sort(sort).write_artifact(data, result.sources, result.content.folders)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
