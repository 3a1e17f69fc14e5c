"""Packs that survive each other: whichever are there, and in whatever order, one program or one
conflict.

Pack A sets five fields of the carbine, B makes every gun but the cannon dearer, C repeats A, and D
adds a musket, which is a gun. A and B do not fit together, and a fifth pack, of the group at the
table, settles it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.render import render
from tests.support.patch_packs import SHIPPED, compiled, errors, program_hash, values

A, B, C, D = "a-guns", "b-dearer", "c-guns-too", "d-new-gun"
HOUSE = "house"
SUBSETS = [those for many in range(1, 5) for those in combinations((A, B, C, D), many)]


def folders(packs: Sequence[str]) -> list[Path]:
    return [SHIPPED / pack for pack in packs]


@pytest.mark.parametrize("packs", SUBSETS, ids=" ".join)
def test_every_order_gives_one_program_or_one_conflict(packs: tuple[str, ...]):
    results = [compiled(*folders(order)) for order in permutations(packs)]
    assert len({(program_hash(result), result.diagnostics) for result in results}) == 1
    wrong = errors(results[0].diagnostics)
    if B in packs and (A in packs or C in packs):
        assert wrong == ["patch-conflict"], "one mistake, one message"
        assert results[0].program is None
    else:
        assert wrong == []
        assert results[0].program is not None


def test_the_conflict_shows_both_outcomes_and_both_lines():
    result = compiled(*folders([D, C, B, A]))
    text = render(result.diagnostics, result.sources, "text")
    [found] = [one for one in result.diagnostics if one.severity == "error"]
    assert found.message == (
        "two patches of `price` in `quarrel:weapon/carbine` do not fit together: "
        "`a-guns:patch/better-carbine` and then `b-dearer:patch/dearer-guns` gives `17`, "
        "the other way round gives `14`"
    )
    assert (Path(found.place.path).parts[-2:], found.place.line) == (("b-dearer", "prices.yaml"), 7)
    assert (Path(found.notes[0].place.path).parts[-2:], found.notes[0].place.line) == (
        ("a-guns", "guns.yaml"),
        5,
    )
    assert "add: {price: 3}" in text
    assert "set: {title: Cavalry carbine, price: 14" in text
    assert "write `after: [a-guns:patch/better-carbine]` in `dearer-guns`" in text


def test_what_the_packs_make_of_the_guns():
    assert values(compiled(*folders([A, C])).content, "price")["carbine"] == 14
    prices = values(compiled(*folders([D, B])).content, "price")
    assert prices == {
        **{"dagger": 2, "sword": 9, "long-bow": 7, "cannon": 90},
        **{"carbine": 13, "pistol": 9, "musket": 11},
    }


@pytest.mark.parametrize("packs", SUBSETS, ids=" ".join)
def test_the_group_settles_it(packs: tuple[str, ...]):
    named = (*packs, HOUSE)
    results = [compiled(*folders(order)) for order in (named, named[::-1], sorted(named))]
    assert len({program_hash(result) for result in results} - {None}) == 1
    assert errors(results[0].diagnostics) == []
    assert values(results[0].content, "price")["carbine"] == 15
