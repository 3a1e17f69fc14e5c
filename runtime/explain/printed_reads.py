"""The printed fields that a number reads, found by evaluating it anew."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ruleloom.runtime.explain.expr_words import ExprWords
from ruleloom.runtime.link.codegen import Codegen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Expr
from ruleloom.runtime.program.values import Dynamic, World

Read = tuple[str, int]
"""A printed field (`Card.number`), and the number of the thing that it was read of."""


def printed_reads(linked: Linked, world: World, id: str, args: tuple[Dynamic, ...]) -> set[Read]:
    """The printed fields that a function reads, itself or through its callees."""
    reads: set[Read] = set()
    codegen = partial(_NotingCodegen, reads)
    noting = Linked(linked.program, linked.layout, linked.driver, linked.settings, codegen)
    words = ExprWords(noting, world, noting.initial_scope, frozenset())
    words.value(words.functions[id].body)(args)
    return reads


class _NotingCodegen(Codegen):
    """Expressions that note each printed field that they read."""

    def __init__(self, reads: set[Read], *made_of: Any) -> None:
        self._reads = reads
        super().__init__(*made_of)

    def _static(self, names: Mapping[int, str], name: str, of: Expr) -> str:
        table = self._names["static", name]
        noted = f"{table}_noted"
        if noted not in self._space:
            self._space[noted] = partial(self._read, name, self._space[table])
        return f"{noted}({self._source(of, names)})"

    def _read(self, field: str, values: Any, thing: int) -> Any:
        self._reads.add((field, thing))
        return values[thing]
