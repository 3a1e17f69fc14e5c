"""The codes of effect text: syntax and layout.

`tab`, `smart-quote` and `too-long` are reported in effect text too; they stand in the table of
YAML.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.codes import Code, syntax


def _power(*lines: str) -> str:
    return "kind: power\nid: score\neffect: |\n" + "".join(f"  {line}\n" for line in lines)


TABLE: dict[str, Code] = {
    "syntax": syntax(
        "the effect text is not written as the language has it",
        "An effect is a list of statements, one a line, and each form has fixed words in a fixed "
        "order. The message names what was found and what would fit there; only the first mistake of "
        "an effect is reported, since what follows it may be misread.",
        _power("let score = 3", "set score «¦= »4", "stop"),
    ),
    "mixed-indentation": syntax(
        "a line is indented like no line above it",
        "The lines of a block begin in the same column, and a line that ends a block begins in the column "
        "of a block around it. Anything else could belong to either.",
        _power("if 1 < 2:", "    let score = 3", "  «¦  »stop"),
    ),
    "too-deep": syntax(
        "blocks, brackets or operators are nested too deep",
        "Up to 64 blocks and brackets may stand around one place, and an expression may be nested 60 "
        "deep, more than any reader could follow; a chain such as `a + b + c` counts as it is long. "
        "The cap keeps a file from a stranger from exhausting the compiler, or the machine that reads "
        "a save.",
        _power(f"let score = {'(' * 70}1{')' * 70}", "stop"),
        _power("let score = (1)", "stop"),
    ),
}
