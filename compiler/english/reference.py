"""Which words a variable gets: `the piece` when it is first spoken of in a sentence, then `it`."""

from __future__ import annotations

from compiler.english.glossary import Glossary
from compiler.english.speaker import IT, Variable
from compiler.english.words import called, polished
from runtime.program import Template
from runtime.values import PLAYER, Type

_PLAIN = ("Int", "Bool", "Text", "?")


def realised(template: Template, variables: dict[int, Variable], words: Glossary) -> str:
    """A phrase of a rules text as text."""
    said: int | None = None
    pronouns = not any(isinstance(part, str) and IT in part for part in template)
    pieces: list[str] = []
    for part in template:
        if isinstance(part, str):
            pieces.append(part)
            continue
        expr = part[0]
        if expr[0] != "slot":
            pieces.append(str(expr[-1]))
            continue
        slot = expr[1]
        variable = variables.get(slot) or Variable("it", Type("Text"))
        pieces.append(_words(variable, words, again=pronouns and said == slot))
        if variable.type.name not in _PLAIN:
            said = slot
    return polished("".join(pieces).replace(IT, "it"), words.symbols.nouns)


def _words(variable: Variable, words: Glossary, again: bool) -> str:
    type_ = variable.type
    if again and not type_.many and type_ != PLAYER and type_.name not in words.symbols.enums:
        return "it"
    noun = "" if type_.name in _PLAIN else words.noun(type_, type_.many)
    return f"the {called(variable.name, noun)}"
