"""Diagnostic codes: what each means, one table a part of the compiler; `codes.table` merges them.

A table module imports from here the functions named for the part of the compiler that finds a
mistake, and so for how the tests run its examples: the keys of `LAYERS` in tests/support/expect.py.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from ruleloom.runtime.dataclass import dataclass

Example = str | bytes | Mapping[str, str]

# A slip in an example, with what mends it behind the bar: `«dya¦day»`.
SLIP = re.compile("«([^¦»]*)¦([^»]*)»")


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of mistake: its layer, its title, why it is one, and an example.

    The example is one file's text, or a small pack as {file name: text}. Where it is not mended by
    the slips it marks, `mended` is the same example without the mistake.
    """

    layer: str
    title: str
    why: str
    example: Example
    mended: Example | None = None

    @property
    def bad(self) -> Example:
        """The example with the mistake."""
        return _with_slips(self.example, r"\1")

    @property
    def good(self) -> Example:
        """The example without the mistake."""
        return _with_slips(self.example, r"\2") if self.mended is None else self.mended


def _with_slips(example: Example, side: str) -> Example:
    if isinstance(example, bytes):
        return example
    if isinstance(example, str):
        return SLIP.sub(side, example)
    return {name: SLIP.sub(side, text) for name, text in example.items()}


allowed = partial(Code, "allowed")
baseline = partial(Code, "baseline")
check = partial(Code, "check")
driver = partial(Code, "driver")
effect_text = partial(Code, "effect-text")
game = partial(Code, "game")
lint = partial(Code, "lint")
pack = partial(Code, "pack")
requirement = partial(Code, "requirement")
schema = partial(Code, "schema")
syntax = partial(Code, "syntax")
whole_packs = partial(Code, "whole-packs")
yaml = partial(Code, "yaml")
# No example can be printed (a huge file, a link): both are sentences.
described = partial(Code, "described")
