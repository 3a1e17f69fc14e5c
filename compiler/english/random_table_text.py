"""Puts a random table into words: what is rolled, then each row with the results that lead to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ruleloom.compiler.english import word
from ruleloom.compiler.english.page import Step, Teller
from ruleloom.compiler.english.statement_text import render_steps
from ruleloom.compiler.packs.random_tables import (
    EFFECT,
    HOLE,
    RandomRow,
    RandomTable,
    filled,
)
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.parser import parse_block, parse_expr


def table_steps(
    teller: Teller, table: RandomTable, tables: Mapping[str, RandomTable]
) -> tuple[Step, ...]:
    """What is rolled or drawn, and a step for each row."""
    head = f"roll {table.dice}"
    if table.is_deck:
        out = "a row that was drawn stays out until it is put back, as all are when none is left"
        head = f"draw a number from 1 to {table.sides}; {out}"
    rows = ((row, tuple(_row_steps(teller, table, row, tables))) for row in table.rows)
    return (Step(head), *(Step(f"on {row.results}", inner) for row, inner in rows))


def _row_steps(
    teller: Teller, table: RandomTable, row: RandomRow, tables: Mapping[str, RandomTable]
) -> Iterator[Step]:
    """What is told, what is given, what is rolled instead, and what is done."""
    nested = {name: tables[name] for name in HOLE.findall(row.text + row.value) if name in tables}
    teller.used |= {name: {} for name in nested if name not in teller.used}
    shown = {name: f"[{one.title}]" for name, one in nested.items()}
    for said in parse_block(f'say "{filled(row.text, shown)}"') if row.text else ():
        assert isinstance(said, ast.SayStmt)
        words = word.capital(teller.quoted(said.text))
        yield Step(f"“{words.removesuffix('.')}”")
    if row.value:
        given = filled(row.value, shown)
        is_text = table.gives == "Text"
        yield Step(given if is_text else teller.noun(teller.read(parse_expr(row.spelled))))
    if row.goes_on:
        yield from render_steps(teller, parse_block(f"use {row.goes_on}"))
    if EFFECT in row.parts:
        yield from render_steps(teller, parse_block(str(row.parts[EFFECT].text)))
