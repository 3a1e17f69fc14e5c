"""The generated texts of the packs of a sheet, and what their authors have printed on the items."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from benchmarks.english.judging import Texts
from ruleloom.compiler.pipeline import compile_paths

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "rulesets" / "examples"
HOMEBREW = ROOT / "tests" / "content" / "homebrew" / "packs"


def paths_of(packs: tuple[str, ...]) -> list[str]:
    """A game by its id, `examples/PACK` that is shipped; `homebrew/GAME` is all there is for one."""
    found = list[str]()
    for pack in packs:
        kind, _, name = pack.partition("/")
        if kind == "homebrew":
            found += sorted(str(one) for one in (HOMEBREW / name).iterdir())
        else:
            found.append(str(EXAMPLES / name) if kind == "examples" else pack)
    return found


@cache
def texts_of(packs: tuple[str, ...]) -> dict[str, Texts]:
    """The card and the full text of every item, by id. RuntimeError if the packs have mistakes."""
    result = compile_paths(paths_of(packs), texts=True, reasons=False, scenarios=False)
    if result.program is None or result.content is None:
        raise RuntimeError(f"{', '.join(packs)}: {result.diagnostics[:1]}")
    cards, full = result.program.card_texts(), dict(result.program.texts)
    return {
        item.id: Texts(cards.get(item.id, ""), full.get(item.id, ""), _printed(item.data("text")))
        for item in result.content.items
    }


def _printed(text: object) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""
