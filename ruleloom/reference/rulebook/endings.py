"""How a game ends: each way to win or to end without a winner, with where it comes about."""

from __future__ import annotations

from collections.abc import Iterator

from ruleloom.compiler.english.word import sentence
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parts import parts
from ruleloom.compiler.syntax.tree_walk import walk
from ruleloom.reference.rulebook.document import Block, Prose, Steps
from ruleloom.reference.rulebook.marks import unmarked
from ruleloom.reference.rulebook.telling import Telling, ToldLine


def endings(telling: Telling) -> Iterator[Block]:
    """A list of all endings; nothing where no text of a flow or power ends the game."""
    # What several texts say is told once, with the place of the last one.
    found = {unmarked(said): said for said in _endings(telling)}.values()
    if found:
        yield Prose("The game ends in one of these ways:")
        yield Steps(tuple(ToldLine(said) for said in found), numbered=False)


def _endings(telling: Telling) -> Iterator[str]:
    for item in telling.content.items:
        mark = telling.marks.of(telling.teller_of(item.id))
        told = telling.told(item).steps
        for node in walk(tuple(telling.effect(item))) if told else ():
            match node:
                case ast.FinishStmt(winner=winner, reason=reason):
                    said = _reason(reason)
                    who = "Somebody wins" if winner is not None else "Nobody wins"
                case ast.RankStmt(reason=reason):
                    said, who = _reason(reason), "Whoever is ahead wins"
                case _:
                    continue
            yield sentence(f"{who}{f': {said}' if said else ''}{mark}")


def _reason(text: ast.TextLiteral) -> str:
    """What the table is told, unless that depends on who plays."""
    found = [part for part in parts(text) if isinstance(part, str)]
    return "".join(found) if len(found) == len([*parts(text)]) else ""
