"""Objects as plain data: they come back as they were, one by one."""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

from ruleloom.compiler.packs.content import Change
from ruleloom.compiler.query import lazy_objects
from ruleloom.compiler.query.lazy_objects import read, written
from ruleloom.compiler.query.lookups import WHOLE, Lookups, Table
from ruleloom.compiler.source.file import Place, Source
from ruleloom.compiler.yaml.node import YamlNode
from ruleloom.runtime.program.values import FrozenMap


def nothing(_: object) -> None:
    """Leave nothing outside."""


def again(root: Any) -> Any:
    """What a process reads that another has written."""
    return read(written(root, nothing), nothing)


@pytest.mark.parametrize(
    "value",
    [
        None,
        (1, True, "a", b"b", None, ((2,), frozenset({3}))),
        [1, [2, ()], {}],
        {"a": [Fraction(1, 3)], ("b", 1): {2, 3}},
        FrozenMap({"a": (1, 2)}),
        Path("a/b"),
        Place("a.yaml", 1, 2, 3, 4),
        Change("pack", "a.yaml", 1, "set", [1], {"a": Place("a", 1, 1, 1, 1)}),
        (WHOLE, len([1])),
    ],
)
def test_a_value_comes_back(value: Any):
    found = again(value)
    assert found == value
    assert type(found) is type(value)


def test_an_object_in_two_places_is_one_again():
    place = Place("a.yaml", 1, 2, 3, 4)
    one, other = again([[place], (place, [])])
    assert one[0] is other[0]


def test_a_circle_comes_back():
    table = Table[str, Any]()
    table["itself"] = [table.lookups, {"table": table.lookups}]
    found = again(table)["itself"]
    assert isinstance(found[0], Lookups)
    assert found[0] is found[1]["table"]


def test_what_nobody_looks_at_is_not_made():
    places = [Place(f"{number}.yaml", 1, 1, 1, 1) for number in range(100)]
    found = again(places)
    asleep = [one for one in found if id(one) in lazy_objects._GHOSTS]
    assert len(asleep) == 100
    assert found[7].path == "7.yaml"
    assert id(found[7]) not in lazy_objects._GHOSTS
    assert found[8] == places[8]
    with pytest.raises(AttributeError):
        found[7].nowhere()


def test_what_a_class_works_out_later_begins_empty():
    source = Source("a.yaml", "a: b")
    node = YamlNode(source, "text", "b", 3, 4)
    assert node.place == Place("a.yaml", 1, 4, 1, 5)
    found = again(node)
    assert found.source._places == {}
    assert found.place == node.place


def test_what_is_outside_is_only_named():
    source = Source("a.yaml", "a: b")
    data = written([source], lambda one: one.path if isinstance(one, Source) else None)
    assert b"a: b" not in data
    assert read(data, {"a.yaml": source}.get)[0] is source


@pytest.mark.parametrize("value", [Lock(), nothing, field(), {1: Lock()}])
def test_what_is_not_ours_cannot_be_written(value: object):
    with pytest.raises(TypeError):
        written(value, nothing)


def test_no_other_code_is_named():
    with pytest.raises(ValueError, match=r"os\.system is none of ours"):
        lazy_objects._named("os", "system")
