"""The schemas of a game and its vocabulary give printed numbers the same bounds, or the checker
says so."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.schema_bounds import check_bounds
from ruleloom.compiler.pipeline import load
from ruleloom.compiler.yaml.node import YamlNode

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
LEAST_RANKS = [
    ("entities", "Character", "static", name, "min")
    for name in ("old_splices", "lowered", "not_taken")
]


@cache
def content(game: str) -> Content:
    found = load([game], Report())
    assert found is not None
    return found


def vocabulary(game: str) -> YamlNode:
    return next(item.node for item in content(game).items if item.kind == "vocabulary")


def told(game: str, node: YamlNode) -> list[str]:
    """What is said of a vocabulary."""
    report = Report()
    check_bounds(game, node.entries, content(game).schemas, report)
    return [f"{one.message} at line {one.place.line}" for one in report.diagnostics()]


def changed(node: YamlNode, path: tuple[str, ...]) -> YamlNode:
    """The same with the number at `path` one higher."""
    if not path:
        assert isinstance(node.value, int)
        return replace(node, value=node.value + 1)
    return replace(node, value={**node.entries, path[0]: changed(node.entries[path[0]], path[1:])})


def bounds(game: str) -> list[tuple[str, ...]]:
    """Where the bounds of all printed fields stand."""
    entities = vocabulary(game).entries["entities"].entries
    return [
        ("entities", entity, "static", name, bound)
        for entity, said in entities.items()
        for name, field in (
            said.entries["static"].entries if "static" in said.entries else {}
        ).items()
        for bound in ("min", "max")
        if bound in field.entries
    ]


@pytest.mark.parametrize("game", GAMES)
def test_what_is_shipped_agrees(game: str):
    assert told(game, vocabulary(game)) == []


@pytest.mark.parametrize(
    ("game", "least", "agreeing"), [("moonstone", 46, []), ("witchgates", 100, LEAST_RANKS)]
)
def test_a_bound_that_is_changed_alone_is_told(
    game: str, least: int, agreeing: list[tuple[str, ...]]
):
    """Fields of items, of entries, of entries that are a number alone, of tables. Of what a
    table of ranks prints, there is 1 at least, and the field is 0 where none is printed."""
    unseen = [path for path in bounds(game) if not told(game, changed(vocabulary(game), path))]
    assert len(bounds(game)) >= least
    assert unseen == agreeing


def test_it_is_told_where_it_stands_with_what_to_write():
    path = ("entities", "Formula", "static", "parts", "max")
    node = vocabulary("witchgates")
    for step in path[:-1]:
        node = node.entries[step]
    report = Report()
    vocab = changed(vocabulary("witchgates"), path)
    check_bounds("witchgates", vocab.entries, content("witchgates").schemas, report)
    [found] = report.diagnostics()
    assert found.place == node.entries["max"].place
    assert found.message == "the schema of `formula` says 20 here, of `parts`"
    assert found.help == "write 20, or change `witchgates/formula.schema.json` in the schemas, too"
