"""Packs that know nothing of one another raise one limit together, and a refusal tells what it comes to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.homebrew.test_homebrew import HOMEBREW, compiled, failed
from tests.support.pack_examples import manifest, write

TOGETHER = {
    "gnostica": (
        ("east-wind", "signal-fires", "squalls"),
        """\
kind: scenarios
cases:
  - id: the-wind-and-the-fire
    given: {board: {base: std, set: {0/2: signal-fire}}, pieces: [A1E@0/1], hands: {A: [move2]}}
    when: [{option: play, card: move2}, {power: move, minion: A1E@0/1, piece: self, by: 3}]
    then: {pieces: [A1E@3/1]}
  - id: and-no-farther
    given: {board: {base: std, set: {0/2: signal-fire}}, pieces: [A1E@0/1], hands: {A: [move2]}}
    when: [{option: play, card: move2}, {power: move, minion: A1E@0/1, piece: self, by: 4}]
    then: {legal: false, reason: "distance 4 is not on offer; the choice is from 1, 2, 3"}
  - id: with-a-gale-the-board-ends-first
    given: {settings: {gale: 1}, board: {base: std, set: {0/2: signal-fire}}, pieces: [A1E@0/1], hands: {A: [move2]}}
    when: [{option: play, card: move2}, {power: move, minion: A1E@0/1, piece: self, by: 4}]
    then: {legal: false, reason: "4/1 is not in the void"}
""",
    ),
    "monotheism": (
        ("high-holidays", "loud-choirs", "second-golden-age"),
        """\
kind: scenarios
cases:
  - id: a-choir-on-a-holiday
    given:
      players: [A, B]
      made: {Follower: {Ivo: {keeper: A}, Ur: {keeper: A}, Nin: {keeper: A}, Ash: {keeper: A, traits_of: {blue: 1}}}}
    when: [{do: begin holiday on me for 1}]
    then: {numbers: {A: {modifier: 3, miracles_of: 2}, Ur: {traits_lent: 3}}}
  - id: in-a-golden-age
    given:
      players: [A, B]
      settings: {golden_age: 2}
      made: {Follower: {Ivo: {keeper: A}, Ur: {keeper: A}, Nin: {keeper: A}, Ash: {keeper: A, traits_of: {blue: 1}}}}
    when: [{do: begin holiday on me for 1}]
    then: {numbers: {A: {modifier: 5}, B: {modifier: 2}}}
""",
    ),
    "moonstone": (
        ("long-lives", "stubborn-hearts"),
        """\
kind: scenarios
cases:
  - id: dead-at-forty
    given:
      things: {anna: {kind: character, gifts: [stubborn-heart, saints-blood, well-rested, blood-gift]}}
      state: {anna: {here: yes, pi: 5, mi: 100, ei: 100}}
    when: [{do: "use suffer(anna, sharp, 44)"}]
    then: {numbers: {anna: {pi: -39, dead: false, dies_at: -40, uses_left(blood-gift): 4}}}
  - id: and-not-later
    given:
      things: {anna: {kind: character, gifts: [stubborn-heart, saints-blood]}}
      state: {anna: {here: yes, pi: 5, mi: 100, ei: 100}}
    when: [{do: "use suffer(anna, sharp, 45)"}]
    then: {numbers: {anna: {pi: -40, dead: true}}}
""",
    ),
    "witchgates": (
        ("mules", "wide-circles"),
        """\
kind: scenarios
cases:
  - id: back-and-mule-together
    given:
      players: [Gus, Tea]
      things: {mia: {kind: character, vocation: chess, merits: {strong-back: 1}}}
      state: {gm: Gus, mia: {here: yes, player: Tea, load: light}}
    when: [{do: turn, answers: {"What happens now?": a mule comes along, led_by: mia}}]
    then: {numbers: {mia: {boxes_there: 9}}}
  - id: the-mule-goes-with-the-scene
    given:
      players: [Gus, Tea]
      things: {mia: {kind: character, vocation: chess, merits: {strong-back: 1}}}
      state: {gm: Gus, mia: {here: yes, player: Tea, load: light}}
    when:
      - {do: turn, answers: {"What happens now?": a mule comes along, led_by: mia}}
      - {do: "scene_ends()"}
    then: {numbers: {mia: {boxes_there: 5}}}
""",
    ),
}


@pytest.mark.parametrize("game", sorted(TOGETHER))
def test_packs_raise_one_limit_together(game: str, tmp_path: Path):
    names, cases = TOGETHER[game]
    own = tmp_path / "together"
    write(own, {"pack.yaml": manifest("together", game=game), "cases.yaml": cases})
    packs = *(HOMEBREW / game / name for name in names), own
    assert [*failed(compiled(*packs), packs)] == []
