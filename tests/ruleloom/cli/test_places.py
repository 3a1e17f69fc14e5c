"""`ruleloom places`: where packs can hook in, as the pages in docs/games show it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.command import call

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
PACK = "{kind: pack, id: tide, version: 1.0.0, game: gnostica, edition: 1}\n"
TIDE = """\
- kind: extension
  id: tides
  moments:
    tide_comes: {params: {who: Player, height: Int}, open: height, english: "the tide comes for {who}", decided_by: who}
- kind: power
  id: bathe
  gives: "depth: Int"
  gloss: bathe
  effect: |
    step swell: roll wave = 1d6
    choose one named beach(wave):
        "stay":
            set depth = wave
        "go":
            set depth = 0
    tide_comes(me, depth) giving depth
- {kind: major, id: sea, title: Sea, number: 93, effect: use bathe}
"""


@pytest.mark.parametrize("game", GAMES)
def test_the_page_of_a_game_is_what_the_command_prints(game: str):
    page = (ROOT / "docs" / "games" / f"{game}-places.md").read_text(encoding="utf-8")
    assert call("places", game).out == page, f"ruleloom places {game} > docs/games/{game}-places.md"


def test_what_a_pack_brings_is_listed_with_the_game(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text(PACK, encoding="utf-8")
    (tmp_path / "tide.yaml").write_text(TIDE, encoding="utf-8")
    done = call("places", tmp_path)
    assert done.code == 0
    for line in (
        "| `tide_comes(who: Player, height: Int)` | `height` | the tide comes for \\{who\\} | `who` |",
        "| `fall(piece: Piece)` | keeps a rule | \\{piece\\} falls into the void |",
        "| `return_to_stash(piece: Piece)` |  | return \\{piece\\} to its owner's stash |",
        "| `wave` | a number |",
        '| `beach(wave)` | "stay", "go" |',
        "| `bathe()` | `depth: Int` | bathe |",
        "| `tide:power/bathe` | `swell` |",
        "| `major` | `Card` | `exists(spot: territories where board(spot) = this)` |",
    ):
        assert line in done.out.splitlines()


def test_mistakes_are_told_instead(tmp_path: Path):
    (tmp_path / "pack.yaml").write_text(PACK, encoding="utf-8")
    (tmp_path / "tide.yaml").write_text(TIDE.replace("gives:", "gifs:"), encoding="utf-8")
    done = call("places", tmp_path)
    assert done.code == 1
    assert "`gifs` is not a field" in done.out + done.err
