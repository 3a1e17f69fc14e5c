"""Arguments as they are written: by the label of a parameter, or by their place among all."""

from __future__ import annotations

import pytest

from ruleloom.compiler.bounds.intervals import written_arguments
from ruleloom.compiler.resolve.symbols import ParamSymbol, Signature
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_expr
from ruleloom.runtime.program.values import INT


@pytest.mark.parametrize(
    ("call", "written"),
    [
        ("bees()", {}),
        ("bees(1, 2)", {"many": 1, "hives": 2}),
        ("bees(1, hives: 2)", {"many": 1, "hives": 2}),
        ("bees(hives: 2)", {"hives": 2}),
        # The second argument is that of the second parameter, as the checker reads it.
        ("bees(many: 1, 2)", {"many": 1, "hives": 2}),
        ("bees(1, 2, 3)", {"many": 1, "hives": 2}),
    ],
)
def test_arguments_by_label_and_by_place(call: str, written: dict[str, int]) -> None:
    params = tuple(ParamSymbol(name, INT) for name in ("many", "hives"))
    bees = Signature("keyword", "bees", "orchard:keyword/bees", params, None, Place("", 1, 1, 1, 1))
    parsed = parse_expr(call)
    assert isinstance(parsed, ast.CallExpr)
    found = written_arguments(bees, parsed.args)
    assert {name: getattr(one, "value", None) for name, one in found.items()} == written
