"""The English of conditions: why an option is refused.

`condition_template` takes a condition as the checker has just lowered it and gives a template of the program;
its holes are filled with the values of the moment when somebody asks why not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compiler.context import Context
from compiler.english.clauses import clause
from compiler.english.glossary import Glossary, glossary
from compiler.english.phrases import noun
from compiler.english.speaker import IT, Speaker, Variable, joined
from compiler.english.words import polished
from runtime.program import Expr, Template
from runtime.values import TEXT


def condition_template(ctx: Context, expr: Expr, chooser: Expr | None = None) -> Template:
    """The English of one condition, for the player who is asked (`chooser`; None: the one who acts)."""
    names = glossary(ctx.passage.content, ctx.symbols)
    return condition(names, expr, _variables(ctx), you=chooser is None)


def condition(words: Glossary, expr: Expr, variables: Mapping[int, Variable], you: bool = True) -> Template:
    """The English of a lowered condition over some variables."""
    speaker = Speaker(words, variables, {}, True, noun, clause, you)
    template = clause(speaker, expr, False)
    return agreeing(template, words)


def agreeing(template: Template, words: Glossary) -> Template:
    """A template whose texts have been read over once more."""
    nouns = words.symbols.nouns
    return joined(
        *(polished(part.replace(IT, "it"), nouns) if isinstance(part, str) else (part,) for part in template)
    )


def _variables(ctx: Context) -> dict[int, Variable]:
    found: dict[int, Variable] = {
        slot: Variable(name.lstrip("$"), TEXT) for slot, name in enumerate(ctx.slots)
    }
    for local in (*ctx.locals, *ctx.flow.visible.values()):
        found[local.slot] = Variable(local.name, local.type)
    return found


def written_out(template: Template, values: Sequence[str]) -> str:
    """A template with words in its holes, in order: for tests and for people who read programs."""
    left = iter(values)
    return "".join(part if isinstance(part, str) else next(left, "...") for part in template)
