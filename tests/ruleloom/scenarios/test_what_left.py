"""What responses read of things that leave: who answers, whose they were, where, and their names."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import call
from tests.support.pack_examples import write

MANIFEST = "{kind: pack, id: tides, version: 1.0.0, game: gnostica, edition: 1}\n"
TIDE = """\
- kind: major
  id: ebb
  title: Ebb
  number: 70
  effect: |
    for each piece in those(p: pieces_on_board where pips(p) = 1):
        return_to_stash(piece)
- kind: standing
  id: mourner
  for: Piece
  among: pieces_on_board
  abilities: |
    when return_to_stash(piece) where piece != self: say "{self} mourns {piece}"
- kind: standing
  id: bereft
  for: Player
  abilities: |
    when return_to_stash(piece) where owner(piece) = self and space(piece) in territories:
        say "{self} lost {piece}"
"""
CASES = """\
kind: scenarios
cases:
  - id: two-leave-and-one-stays
    given: {pieces: [A2E@0/1, B1W@1/1, B1E@0/0], hands: {A: [ebb]}}
    when: [{option: play, card: ebb}]
    then:
      log:
        - "A's medium piece, facing east, mourns B's small piece, facing west"
        - "B's small piece, facing east, mourns B's small piece, facing west"
        - "B lost B's small piece, facing west"
        - "A's medium piece, facing east, mourns B's small piece, facing east"
        - "B's small piece, facing west, mourns B's small piece, facing east"
        - "B lost B's small piece, facing east"
"""


def test_what_has_left_answers_and_is_read_as_it_was(tmp_path: Path):
    write(tmp_path, {"pack.yaml": MANIFEST, "tide.yaml": TIDE, "cases.yaml": CASES})
    found = call("test", str(tmp_path))
    assert "1 passed, 0 failed" in str(found), found


def test_by_whom_a_thing_was_kept_is_read_when_it_is_gone(tmp_path: Path):
    manifest = MANIFEST.replace("gnostica", "monotheism")
    house = """\
- kind: standing
  id: bereaved
  for: Player
  abilities: |
    when destroy(card) where keeper(card) = self: say "{self} misses {card}"
"""
    cases = """\
kind: scenarios
cases:
  - id: one-alone
    given: {players: [A, B], made: {Follower: {Enki: {keeper: B, traits_of: {black: 1}}}}}
    when: [{do: "choose c from followers\\ndestroy(c)", answers: {c: Enki}}]
    then: {log: [B misses Enki]}
"""
    write(tmp_path, {"pack.yaml": manifest, "house.yaml": house, "cases.yaml": cases})
    found = call("test", str(tmp_path))
    assert "1 passed, 0 failed" in str(found), found
