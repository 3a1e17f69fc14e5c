"""Lookup of the rules text of a thing: as its card would print it, or in full."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, takewhile

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.program import Jump, Modal, Use
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.runtime.program.values import parse_point
from ruleloom.table.asking_rule import said_in_general
from ruleloom.table.canvas import Look, wrapped
from ruleloom.table.prompt_text import Choice

MOST_FOUND = 3
NOTHING = "nothing is written about it"
NO_MORE = "nothing more follows from it"


def read_up(
    game: Game, word: str, choices: Sequence[Choice], in_full: bool, look: Look
) -> list[str]:
    """The rules text of a thing by name, by its space, or by the number of an option; else of a
    rule by its name."""
    linked = game.linked
    texts = dict(linked.program.texts)
    cards = texts if in_full else {**texts, **dict(linked.program.cards)}
    choice = _numbered(word, choices)
    if choice is not None:
        if isinstance(game.node.row, Modal):
            return _way_told(game, choice, texts, in_full, look)
        if not find_things(linked, game, choice.keys[0]):
            return wrapped(f"{safe_text(choice.text)}: {NO_MORE}", look.width, "      ", "  ")
        word = choice.keys[0].partition("#")[0]
    found = dict.fromkeys(
        (linked.layout.titles[kind][number], _id_of(linked, kind, number, texts))
        for kind, number in find_things(linked, game, word)
    ) or {(id.partition(":")[2], id): None for id in _ids_called(word, texts)}
    if not found:
        return [f"  there is no card `{word}`, and none on a space of that name"]
    return _told(list(found)[:MOST_FOUND], cards, look)


def _numbered(word: str, choices: Sequence[Choice]) -> Choice | None:
    """The option with this number."""
    is_number = word.isascii() and word.isdecimal() and 1 <= int(word[:6]) <= len(choices)
    return choices[int(word) - 1] if is_number else None


def _told(found: Iterable[tuple[str, str]], cards: Mapping[str, str], look: Look) -> list[str]:
    """The text of each of these, by its id, below its title."""
    lines = []
    for title, group in groupby(found, lambda one: one[0]):
        lines.append(f"  {safe_text(title)}")
        for row in "\n".join(cards.get(id, "") for _, id in group).splitlines() or [NOTHING]:
            lines += _lines(row, look)
    return lines


def _way_told(
    game: Game, choice: Choice, texts: Mapping[str, str], in_full: bool, look: Look
) -> list[str]:
    """The steps behind a way to go on; in full, with those of the powers that it uses."""
    used = _used_in(game, choice.keys[0])
    steps = way_in(texts.get(game.node.routine.id, ""), choice.text)
    if steps is None:
        steps = " ".join(filter(None, (said_in_general(game.linked, id) for id in used)))
    lines = [f"  {safe_text(choice.text)}", *_lines(steps or NO_MORE, look)]
    for id in used if in_full else ():
        lines += [line for row in texts.get(id, "").splitlines() for line in _lines(row, look)]
    return lines


def way_in(text: str, label: str) -> str | None:
    """The text behind a way in a menu; empty if there is none, None if the menu does not list the way."""
    rows = text.splitlines()
    way = re.compile(rf"( +)[a-z]+\. {re.escape(label)}(?:, (?:if|as long) .*?)?([:.])", re.I)
    for number, row in enumerate(rows):
        if found := way.match(row):
            own = row[found.end() :].strip() if found[2] == ":" else ""
            told = " ".join([own, *_plainly(_deeper(rows[number + 1 :], found[1]))]).strip()
            return f"{told[:1].upper()}{told[1:]}"
    return None


def _deeper(rows: Sequence[str], margin: str) -> list[str]:
    """The first rows, as far as they stand further in."""
    return list(takewhile(lambda row: row.startswith(f"{margin} "), rows))


def _plainly(rows: Sequence[str]) -> list[str]:
    """Steps one after the other. Of steps within them the marks are kept, or nobody could tell where
    a list ends."""
    if not rows:
        return []
    margin = rows[0][: -len(rows[0].lstrip())]
    return [re.sub(rf"^{margin}[a-z]+\. ", "", row).strip() for row in rows]


def _used_in(game: Game, key: str) -> list[str]:
    """The powers that a way to go on uses, by their ids."""
    node, row = game.node, game.node.row
    assert isinstance(row, Modal)
    taken = next(option.value for option in game.prompt.options if option.key == key)
    modes = [row.modes[taken].to] if isinstance(taken, int) else []
    used = []
    for first in modes:
        way = takewhile(lambda one: not isinstance(one, Jump), node.routine.rows[first:])
        used += [one.routine for one in way if isinstance(one, Use)]
    return used


def _lines(row: str, look: Look) -> list[str]:
    """A row of a text with its indent, in lines that fit."""
    text = safe_text(row.lstrip())
    margin = " " * (4 + len(row) - len(row.lstrip()))
    further = "   " if re.match(r"[0-9a-z]+\. |- ", text) else ""
    return wrapped(text, look.width, margin + further, margin)


def _id_of(linked: Linked, kind: str, number: int, texts: dict[str, str]) -> str:
    """The id of the item that speaks of a thing: that of its power, or of its own name."""
    entity = linked.entities[kind]
    if entity.powers and entity.powers[number]:
        return entity.powers[number]
    for id in _ids_called(entity.names[number], texts):
        if id.partition(":")[2].partition("/")[0].replace("-", "") == kind.lower():
            return id
    return ""


def _ids_called(word: str, texts: dict[str, str]) -> list[str]:
    """The ids of items of this name; one of several alike has a number behind its name."""
    asked = word.lower().replace(" ", "-").replace("_", "-").partition("#")[0]
    names = (asked, re.sub(r"-?[0-9]+$", "", asked))
    for name in names:
        found = [id for id in texts if id.rpartition("/")[2].replace("_", "-").lower() == name]
        if found:
            return sorted(found)
    return []


def find_things(linked: Linked, game: Game, word: str) -> list[tuple[str, int]]:
    """The things that a word means, as (kind, number): by name or title, else by their space."""
    wanted = word.lower().replace(" ", "-")
    named = [
        (kind, number)
        for kind, names in linked.layout.names.items()
        for number, (name, title) in enumerate(zip(names, linked.layout.titles[kind], strict=True))
        if wanted in (name.lower(), title.lower().replace(" ", "-"))
    ]
    return named or _things_on(linked, game, word.partition("@")[2] or word)


def _things_on(linked: Linked, game: Game, space: str) -> list[tuple[str, int]]:
    """The things that lie on a space."""
    try:
        spot = parse_point(space)
    except ValueError:
        return []
    # Only zones that everybody sees, or a place would give away what is on it.
    zones = [zone for zone in linked.program.zones if zone.at and zone.seen_by == "all"]
    columns = [(zone.of, game.state.world[linked.layout.index[zone.name]]) for zone in zones]
    return [(kind, column[spot]) for kind, column in columns if spot in column]
