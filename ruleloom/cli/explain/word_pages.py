"""The page of a pack: the items that it adds, changes and removes; and the pages of a vocabulary word: an
operation, query, event, entity, field or value. Both need the compiler."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from ruleloom.api.making import texts_of
from ruleloom.compiler.analysis.words import slug_of
from ruleloom.compiler.packs.content import BETWEEN, Content
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.terminal import paint, safe_lines
from ruleloom.reference import word_rows
from ruleloom.reference.gathered import Gathered, WordRow
from ruleloom.reference.reference_pages import plain_text

# Kinds of items whose texts are not for people.
MOST_NAMED = 12
_UNTOLD = ("pack", "scenarios", "patch", "extension", "vocabulary", "clause")


def pack_page(word: str, folders: Sequence[str], card: bool, colour: bool) -> str:
    """The page of the pack with this id or folder; empty if it is not among `folders`."""
    result = compiled(folders)
    content = result.content
    if content is None or result.program is None:
        return ""
    here = Path(word).resolve()
    named = (one.id for one in content.packs if word == one.id or one.folder.resolve() == here)
    pack = next(named, "")
    if not pack:
        return ""
    texts = texts_of(content, result.program)
    told = texts.cards if card else texts.full
    own = (one for one in content.items if one.pack == pack and one.kind not in _UNTOLD)
    parts = {"adds": {one.id: told[one.id] for one in own}}
    parts |= _compared(pack, content, texts.cards)
    styled = partial(paint, on=colour)
    return plain_text("pack.txt", pack=pack, parts=parts, paint=styled).rstrip("\n")


def _compared(pack: str, content: Content, now: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """The items that a pack changes, before and after, and those that it removes."""
    changed: dict[str, list[str]] = {}
    for (id, name), changes in content.history.items():
        if any(one.pack == pack for one in changes):
            changed.setdefault(id, []).append(name)
    before: Mapping[str, str] = {}
    if changed or content.disabled:
        # The cards of the game without the pack and its dependents.
        below = compiled(
            [str(one.folder) for one in content.packs if pack not in (one.id, *one.needs)]
        )
        if below.content is not None and below.program is not None:
            before = texts_of(below.content, below.program).cards
    told = {
        f"{id} ({', '.join(filter(None, names))})": _both(before.get(id, ""), now[id])
        for id, names in changed.items()
        if id in now
    }
    gone = {item.id: before.get(item.id, "") for item in content.disabled}
    return {"changes": told, "takes out": gone}


def _both(before: str, now: str) -> str:
    """The lines that differ in an item before and after a change."""
    old, new = before.splitlines(), now.splitlines()[:-1]  # the last names the pack
    gone = [f"before: {line}" for line in old if line not in new]
    return "\n".join([*gone, *(f"now: {line}" for line in new if line not in old)])


def broken_pack(packs: Sequence[str]) -> str:
    """The pack with the first mistake, or the first of `packs` if the mistake is in none; empty without
    mistakes."""
    result = compiled(packs)
    errors = [one.place.path for one in result.diagnostics if one.severity == "error"]
    files = result.content.files if result.content is not None else {}
    found = (files[path][0] for path in errors if path in files)
    return next(found, packs[0]) if errors else ""


def compiled(packs: Sequence[str]) -> CompileResult:
    """The result of compiling packs, with item texts."""
    return compile_paths(packs, texts=True, reasons=False, scenarios=False)


def pages_of(word: str, groups: Sequence[Sequence[str]]) -> tuple[list[tuple[str, str]], list[str]]:
    """The pages of a word in the vocabularies of games, as (game, page), and all words that have pages."""
    found: list[tuple[str, str]] = []
    words: set[str] = set()
    for result in map(compiled, groups):
        if result.program is not None and result.content is not None:
            made = Gathered(result.content, result.program)
            rows = [*_rows(made)]
            asked, names = slug_of(word), {slug_of(row.name) for _, row in rows}
            alone = asked if asked in names else asked.rpartition(BETWEEN)[2]
            for sort, row in rows:
                words.add(row.name)
                if (name := slug_of(row.name)) == alone or name.endswith(f"{BETWEEN}{asked}"):
                    about = {"sort": sort, "row": row, "users": made.users.get(row.name, ())}
                    page = plain_text("word.txt", made=made, most=MOST_NAMED, **about)
                    found.append((result.content.game, safe_lines(page)))
    return found, sorted(words)


def _rows(made: Gathered) -> Iterator[tuple[str, Any]]:
    """The rows of all words of one game, each with its sort."""
    symbols, enums = made.symbols, made.symbols.enums.items()
    owned = (owners.values() for owners in symbols.fields.values())
    rows: Mapping[str, Iterable[Any]] = {
        "operation": word_rows.events_of(made, moments=False),
        "moment": word_rows.events_of(made, moments=True),
        "query": word_rows.queries_of(made),
        "event": word_rows.other_events(made),
        "roll": word_rows.rolls_of(made),
        "menu": (
            WordRow(name=menu.name, called=menu.called, item=item)
            for menu, item in word_rows.menus_of(made)
        ),
        "entity": symbols.entities.values(),
        "field": chain.from_iterable(owned),
        "zone": symbols.zones.values(),
        "variable": made.program.scope,
        "enum": (WordRow(name=enum, values=values) for enum, values in enums),
        "value": (WordRow(name=one, enum=enum) for enum, values in enums for one in values),
        "kind": word_rows.kinds_of(made),
    }
    return ((sort, row) for sort, many in rows.items() for row in many)
