"""How effect text is written: each statement in its form, with the shortest line of the game's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ruleloom.compiler.analysis.alone import USUAL
from ruleloom.compiler.packs.content import Item
from ruleloom.compiler.syntax.errors import ABILITIES, CHOOSE_ONE, FORMS
from ruleloom.reference.gathered import Gathered, Mention
from ruleloom.reference.names import Piece
from ruleloom.runtime.dataclass import dataclass

# A line that is much shorter shows nothing; brackets that are left open go on in the next.
LEAST_SIGNS = 12
# The forms are the help of a message.
WRITE, CHOICE = "write ", "a choice is written "
BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))


@dataclass(frozen=True, slots=True)
class StatementRow:
    """A statement by its first word: how it is written, and a line that does so."""

    word: str
    form: str
    line: tuple[Piece, ...]
    of: Mention | None


@dataclass(frozen=True, slots=True)
class Statements:
    """Statements of effects, and those of abilities."""

    effects: tuple[StatementRow, ...]
    abilities: tuple[StatementRow, ...]


def statements_of(made: Gathered) -> Statements:
    """Every statement; a game need not use it."""
    shortest = _shortest(made.items.values())
    forms = {
        **FORMS,
        "choose": f"{FORMS['choose'].removeprefix(CHOICE)}, or {CHOOSE_ONE.removeprefix(WRITE)}",
    }
    rows = [
        _row(made, word, form.removeprefix(WRITE), shortest.get(word))
        for word, form in forms.items()
    ]
    return Statements(
        tuple(row for row in rows if row.word not in ABILITIES),
        tuple(row for row in rows if row.word in ABILITIES),
    )


def _row(made: Gathered, word: str, form: str, found: tuple[str, Item] | None) -> StatementRow:
    if found is None:
        return StatementRow(word, form, (), None)
    line, item = found
    return StatementRow(word, form, tuple(made.names.pieces(line)), made.mention(item.id))


def _shortest(items: Iterable[Item]) -> dict[str, tuple[str, Item]]:
    """By its first word, the shortest line of effect text that stands for itself."""
    found: dict[str, tuple[str, Item]] = {}
    for item in items:
        for line in _lines(item):
            word = line.split(" ")[0].rstrip(":")
            if word not in found or len(line) < len(found[word][0]):
                found[word] = line, item
    return found


def _lines(item: Item) -> Iterator[str]:
    for field in USUAL:
        for line in str(item.data(field) or "").splitlines():
            said = line.strip()
            whole = all(said.count(open) == said.count(shut) for open, shut in BRACKETS)
            if whole and (len(said) >= LEAST_SIGNS or said in ("stop", "else:")):
                yield said
