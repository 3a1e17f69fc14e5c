"""What each diagnostic code means, one table a part of the compiler;
`ruleloom.compiler.diagnostics.codes.table` merges them.

A table module imports `Code` from here and holds one `TABLE: dict[str, Code]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Example = str | bytes | Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of mistake: its title, why it is one, a file that makes it and the same file mended.

    An example is one file's text, or a small pack as {file name: text}. *layer* says which part of
    the compiler finds the mistake, and so how the tests run the examples: a key of `LAYERS` in
    `tests/support/expect.py`, or `described` where no example can be printed (a huge file, a link):
    both are then sentences.
    """

    title: str
    why: str
    bad: Example
    good: Example
    layer: str
