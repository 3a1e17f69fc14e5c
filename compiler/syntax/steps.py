"""The steps of a text: the names that `step pay:` gives to lines, by which patches find them.

In go the tokens of a text that parses; out come its steps, each with the lines it is made of. A
syntax tree knows nothing of steps: the lines stand in it as if nobody had named them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from ruleloom.compiler.syntax.ast import Span
from ruleloom.compiler.syntax.tokens import EffectSyntaxError, Tok
from ruleloom.runtime.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NamedStep:
    """A name for some lines: where it stands, and its lines from the one it stands on (from 0)."""

    name: str
    span: Span
    column: int
    first: int
    last: int
    inline: bool
    """Its one statement stands on the line of the name."""


def steps_in(text: str, tokens: Sequence[Tok]) -> tuple[NamedStep, ...]:
    """Return the steps of a text in the order of their names. A name that stands twice is refused."""
    found: dict[str, NamedStep] = {}
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=0))
    # Where the word is a name, the parser has made it one.
    for at in (index for index, token in enumerate(tokens) if token.type == "STEP"):
        head, name = tokens[at], tokens[at + 1]
        if name.value in found:
            message = f"a second step `{name.value}`"
            raise EffectSyntaxError(
                name.span, message, "a text has one step of a name", "name-clash"
            )
        inline = tokens[at + 3].type != "NEWLINE"
        first = bisect_right(starts, head.span[0]) - 1
        end = tokens[_last_word(tokens, at, inline)].span[1] - 1
        last, column = bisect_right(starts, end) - 1, head.span[0] - starts[first]
        found[name.value] = NamedStep(name.value, name.span, column, first, last, inline)
    return tuple(found.values())


def _last_word(tokens: Sequence[Tok], at: int, inline: bool) -> int:
    """The token of the last word that belongs to the step whose name begins at this token."""
    depth = 0
    words = at
    for index in range(at, len(tokens)):
        kind = tokens[index].type
        depth += (kind == "INDENT") - (kind == "DEDENT")
        if (kind == "NEWLINE" and inline) or (kind == "DEDENT" and not depth):
            break
        if kind not in ("NEWLINE", "INDENT", "DEDENT"):
            words = index
    return words
