"""Rulings about everybody, and abilities that a card itself bears, as people read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest

CARDS = """\
- kind: lasting
  id: truce
  on: Player
  takes: "friend: Player"
  counts: "before turn() where me = self"
  english: "{self} and {friend} are at peace"
  abilities: |
    restrict may_target(each minion, each piece, each how) where owner(minion) = self and owner(piece) = friend as "there is a truce"
- kind: major
  id: treaty
  title: Treaty
  number: 91
  effect: |
    choose friend from players where friend != me "With whom?"
    begin truce(friend) on me for 1
- kind: major
  id: sanctum
  title: The Sanctum
  number: 92
  effect: use move
  abilities: |
    restrict may_target(each minion, each piece, to_attack) where board(space(piece)) = self and owner(minion) != owner(piece) as "it is in the sanctum"
    restrict may_target(each minion, each piece, each how) where pips(minion) = 1 and pips(piece) = 3 as "too small"
    when shift(piece, to) where board(to) = self: say "welcome"
"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("truces")
    (folder / "pack.yaml").write_text(manifest("truces", game="gnostica"), encoding="utf-8")
    (folder / "cards.yaml").write_text(CARDS, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (
            "truce",
            "No minion of which you are the owner may target any piece whose owner is the friend (there is a truce).",
        ),
        (
            "sanctum",
            "No minion may target any piece such that the card at its space is The Sanctum to attack it while the "
            "owner of the minion is not the owner of the piece (it is in the sanctum).",
        ),
        (
            "sanctum",
            "No minion whose pips are 1 may target any piece whose pips are 3 (too small).",
        ),
        (
            "sanctum",
            "Whenever a piece is moved to a space, if the card at the space is The Sanctum",
        ),
    ],
)
def test_a_ruling(pack: Path, item: str, said: str) -> None:
    told = call("explain", item, "--pack", pack)
    assert said in told.out, told.out + told.err


def test_for_whom_dice_are_thrown(tmp_path: Path) -> None:
    (tmp_path / "pack.yaml").write_text(manifest("unlucky", game="moonstone"), encoding="utf-8")
    bane = (
        "kind: bane\nid: unlucky\ntitle: Unlucky\nrating: ii\ntext: Unlucky.\nabilities: |\n"
        "  when thrown any(who, dice, sides, self) where 1 in dice: hurt_body(self, 1)\n"
    )
    (tmp_path / "bane.yaml").write_text(bane, encoding="utf-8")
    told = call("explain", "unlucky", "--pack", tmp_path).out
    assert "Whenever a player throws dice for you, if 1 is one of the dice" in told
