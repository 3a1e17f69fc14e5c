"""Two majors of Gnostica have two numbers: by these bids are won."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest, write

CARD = "{{kind: major, id: {0}, title: {0}, number: {1}, effect: use create}}\n"


@pytest.mark.parametrize(
    ("numbers", "severity"),
    [((71, 72), ""), ((71, 71), "warning"), ((20, 71), "warning")],
    ids=["two numbers", "of two packs", "of the game"],
)
def test_a_number_that_is_taken_is_told_at_the_later_one(
    numbers: tuple[int, int], severity: str, tmp_path: Path
):
    for id, number in zip(("ash", "beech"), numbers, strict=True):
        text = {"pack.yaml": manifest(id, game="gnostica"), "x.yaml": CARD.format(id, number)}
        write(tmp_path / id, text)
    out = call("check", tmp_path / "ash", tmp_path / "beech").out
    assert out.count("[printed-twice]") == (severity != "")
    if severity:
        late = "ash" if numbers[0] == 20 else "beech"
        assert f"{late}/x.yaml:1:" in out
        assert f": {severity}[printed-twice]: `number` is `{numbers[0]}` here and of `" in out
        assert "note: the first" in out


def test_in_one_pack_it_is_an_error(tmp_path: Path):
    cards = "".join(f"- {CARD.format(id, 71)}" for id in ("ash", "beech"))
    write(tmp_path, {"pack.yaml": manifest("wood", game="gnostica"), "x.yaml": cards})
    assert "x.yaml:2:50: error[printed-twice]" in call("check", tmp_path).out
