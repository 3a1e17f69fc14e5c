"""Rules texts in another language, a sentence at a time: of cards, and of a rule step by step.

A text of which a sentence lacks stays English as a whole, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ruleloom.runtime.program.program import CardText, Program

UNTRANSLATED = "[en] "
NUMBERED = re.compile(r"\{(\d+)\}")
_STEP = re.compile(r"\s*(?:(?:\d+|[a-z]+)\. |- )?")
END = re.compile(r"(?<=[.?!]) (?=[A-Z])")


def unmarked(sentences: Mapping[str, str]) -> dict[str, str]:
    """Sentences and their translations without marks of cross-references."""
    return {NUMBERED.sub("", one): NUMBERED.sub("", says) for one, says in sentences.items()}


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each of its lines without the number of its step."""
    lines = (_STEP.sub("", line, count=1) for line in text.splitlines())
    return [one for line in lines if line for one in END.split(line)]


def in_sentences(text: str, says: Mapping[str, str]) -> str:
    """A rules text in a language; in English, and marked, if one of its sentences lacks."""
    if not all(one in says for one in sentences_of(text)):
        return f"{UNTRANSLATED}{text}"
    lines = []
    for line in text.splitlines():
        step = _STEP.match(line)
        head = step[0] if step is not None else ""
        rest = line[len(head) :]
        lines.append(head + " ".join(says[one] for one in END.split(rest)) if rest else line)
    return "\n".join(lines)


def on_cards(program: Program) -> dict[str, CardText]:
    """The texts of the cards that things of the game have, by the item."""
    powers = {power for one in program.entities for power in one.powers}
    return {id: text for id, text in program.cards if id in powers}
