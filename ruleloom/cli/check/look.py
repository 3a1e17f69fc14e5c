"""The findings of a check, about packs and the cases beside them.

Files of cases in no pack, alone or in a folder that also holds packs, are held against the game of the
packs beside them, or the one that the names of their cases and clauses begin with: `ruleloom test` plays
them with that game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ruleloom.api.ready import ready, ready_cases
from ruleloom.compiler.build import uses_of
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.flow.flow import Costs
from ruleloom.compiler.lower.budget import MEASURES, CostChain, Excess, Measure, Uses, excesses
from ruleloom.compiler.packs.locate import BUILTIN, PackFolder, find_packs, shipped_packs
from ruleloom.compiler.packs.walk import ENDINGS, walk
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.source.file import SourceError
from ruleloom.output.terminal import progress
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.store.findings import FINDINGS, Findings

# Other files in a folder of packs may be YAML for another program.
CASES = re.compile(r"^(?:kind: *scenarios|cases:)", re.MULTILINE)
GAME = re.compile(r"^game: *([\w-]+)", re.MULTILINE)
NAMED = re.compile(r"\b(?:id|clauses): *\[? *([a-z][\w-]*)\.")


class LooseCases(NamedTuple):
    """Files of cases and the packs of the game that they are for."""

    packs: tuple[str | Path, ...]
    files: tuple[Path, ...]


def parted(paths: Sequence[str]) -> tuple[tuple[str, ...], list[LooseCases]]:
    """The paths that mean packs, and the cases that lie in none.

    A path whose cases name no game is left among the packs, where it is complained about.
    """
    packs: list[str] = []
    loose: list[LooseCases] = []
    for path in paths:
        folders = find_packs(path, BUILTIN, Report())
        files = _files_in(Path(path), folders)
        game = _game_of(files, folders) if files else ()
        if game:
            loose.append(LooseCases(game, tuple(files)))
        if folders or not game:
            packs.append(path)
    return tuple(packs), loose


def _outside(path: Path, folders: Sequence[Path]) -> list[Path]:
    """The files in a folder that are in none of these."""
    walked = (Path(one.path) for one in walk(path, str(path), Report())[0])
    return [one for one in walked if not any(map(one.resolve().is_relative_to, folders))]


def _files_in(path: Path, folders: Sequence[PackFolder]) -> list[Path]:
    here = path.resolve()
    inside = [folder.path.resolve() for folder in folders]
    if path.is_file() and path.name.endswith(ENDINGS) and not folders:
        found = [path]
    elif path.is_dir() and all(here in folder.parents for folder in inside):
        found = _outside(path, inside)
    else:
        found = []
    return [one for one in found if CASES.search(_text(one))]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _game_of(files: Sequence[Path], folders: Sequence[PackFolder]) -> tuple[str | Path, ...]:
    """The packs of the game of these cases, for the compiler; empty if the game is not clear."""
    shipped = set(shipped_packs(BUILTIN))
    games = {game: folder.path for folder in folders if (game := _game_in(folder))}
    named = {*games} or {name for one in files for name in NAMED.findall(_text(one))} & shipped
    if len(named) != 1:
        return ()
    game = named.pop()
    return (game,) if game in shipped else tuple(folder.path for folder in folders)


def _game_in(folder: PackFolder) -> str:
    try:
        found = GAME.search(folder.manifest().text)
    except SourceError:
        return ""
    return found[1] if found else ""


def look(paths: Sequence[str], cache: bool = True) -> Findings:
    """The findings about packs and the cases beside them, with progress shown.

    Without `cache` none are read or kept; those about cases in no pack never are.
    """
    progress(f"checking {', '.join(map(safe_text, paths))}")
    try:
        packs, loose = parted(paths)
        found = [ready(FINDINGS, packs, cache)] if packs else []
        found += [ready_cases(one.packs, one.files) for one in loose]
        return found[0] if len(found) == 1 else _together(found)
    finally:
        progress("")


def _together(found: Sequence[Findings]) -> Findings:
    """Several findings as one; what is said of a game twice counts once."""
    diagnostics = {one: None for some in found for one in some.diagnostics}
    sources = {path: text for some in found for path, text in some.sources.items()}
    return Findings(
        tuple(sorted(diagnostics, key=Diagnostic.order)),
        sources,
        all(one.sound for one in found),
        found[0].packs,
        found[0].items,
    )


# What takes less than a thousandth of its budget is not listed.
MOST_LISTED, LEAST_SHARE = 3, 1_000


def print_work(packs: Sequence[str]) -> None:
    """Print what the uses of these packs may take: those of the base game, and those of homebrew."""
    content = load(packs, Report())
    if content is None or not content.by_kind("vocabulary"):
        return
    uses = uses_of(content)
    over = {(one.use, one.measure.name): one for one in excesses(uses)}
    for heading, is_base in (("base game", True), ("homebrew", False)):
        ids = [id for id in uses.checked if (uses.items[id].pack == content.game) == is_base]
        lines = [line for one in MEASURES for line in _costliest(uses, one, ids, over)]
        if lines:
            print(f"\nthe costliest uses of the {heading}")
            print("\n".join(map(safe_text, lines)))


def _costliest(
    uses: Uses, measure: Measure, ids: Sequence[str], over: Mapping[tuple[str, str], Excess]
) -> Iterator[str]:
    """The costliest uses by one measure; those that come by the same chain are told once.

    All those stand first that `over-budget` tells of, in its words.
    """
    told: set[str] = set()
    excess = {id: over[id, measure.name] for id in ids if (id, measure.name) in over}
    for id in sorted(ids, key=lambda one: (one not in excess, -uses.amount(one, measure), one)):
        amount = uses.amount(id, measure)
        if id in excess:
            chain = excess[id].chain.said(measure)
        elif len(told) < MOST_LISTED and LEAST_SHARE * amount >= measure.budget:
            chain = uses.chain(id, measure).said(measure)
        else:
            return
        room = uses.room(id, measure)
        # What is over its budget by another use that is told of is the same cause.
        if chain in told or (id not in excess and amount > room):
            continue
        told.add(chain)
        yield f"{_share(amount, room)}  {id} may take {measure.said(amount)}"
        yield f"         most of it: {chain}"
        yield from _bringing(uses, id, measure, excess.get(id))


def _bringing(uses: Uses, id: str, measure: Measure, excess: Excess | None) -> Iterator[str]:
    """Who brings most of it, where that is not the use's own pack."""
    brought = uses.brought_by(id, measure) if excess is None else _told(uses, excess)
    if brought is not None:
        pack, costs = brought
        added = uses.amount(id, measure) - measure.amount(costs.total(id))
        by = _by(uses, pack, uses.chain(id, measure, brought))
        yield f"         {by} brings {measure.said(added)} of that"


def _by(uses: Uses, pack: str, chain: CostChain) -> str:
    item = uses.content.item_at(chain.at) if chain.at is not None else None
    return item.id if item is not None else pack


def _told(uses: Uses, excess: Excess) -> tuple[str, Costs] | None:
    """The pack that is told of an excess, and the costs without it; None where it is the use's own."""
    if excess.pack == uses.items[excess.use].pack:
        return None
    return excess.pack, uses.without(frozenset([excess.pack]))


def _share(amount: int, room: int) -> str:
    """The share of its budget that a use takes, beside the share that the game takes."""
    return f"{100 * amount / room:5.1f} %"
