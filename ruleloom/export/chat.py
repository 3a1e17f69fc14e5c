"""A game as messages for chats that show Markdown, each within what a chat takes, and rolls as `/roll`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ruleloom.export.game_data import EVERYWHERE, Exported, GameData, ItemData, Rollable
from ruleloom.output.printed import plain

LONGEST = 2000  # characters of a message
BETWEEN = "\n\n---\n\n"
MORE = "..."


def to_chat(game: GameData) -> Exported:
    """A file of messages for each kind, one for tables to roll on, and the dice as `/roll`."""
    cut: list[str] = []
    files = {
        f"{kind}.md": BETWEEN.join(_message(one, cut) for one in items) + "\n"
        for kind, items in game.kinds().items()
    }
    if game.rollable:
        tables = (_cut(_rows(one), one.id, cut) for one in game.rollable)
        files["random-tables.md"] = BETWEEN.join(tables) + "\n"
    rolls = [*_rolls(game)]
    if rolls:
        files["rolls.txt"] = "\n".join(rolls) + "\n"
    left = (
        [f"{len(cut)} texts longer than {LONGEST} characters, cut: {', '.join(cut)}"] if cut else []
    )
    left.append("Tables of the rules: most chats show none.")
    return Exported(files, (*EVERYWHERE, *left))


def _message(item: ItemData, cut: list[str]) -> str:
    lines = filter(None, (item.card or item.rules).splitlines())
    head = f"**{plain(item.title)}** ({plain(item.kind)})"
    return _cut([head, *(f"> {plain(line)}" for line in lines)], item.id, cut)


def _rows(table: Rollable) -> list[str]:
    head = f"**{plain(table.title)}** (`/roll {table.dice}`)"
    return [head, *(f"> {row.results}: {plain(row.text)}" for row in table.rows)]


def _cut(lines: Sequence[str], id: str, cut: list[str]) -> str:
    """The lines as one message; one that is too long ends sooner, and its id is noted."""
    text = "\n".join(lines)
    if len(text) <= LONGEST:
        return text
    cut.append(id)
    kept = text[: LONGEST - len(MORE)].rpartition(" ")[0].rstrip("\\")
    return kept + MORE


def _rolls(game: GameData) -> Iterator[str]:
    """Each roll with known dice, and each table, as a line to type."""
    for one in game.rollable:
        if not one.deck:
            yield f"/roll {one.dice}  {one.title}"
    for odds in game.odds:
        yield f"/roll {odds.dice.removeprefix('highest of ')}  {odds.roll} of {odds.item}"
