"""Replaced texts that are changes of steps: the same program is made of both."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import call

MANIFEST = "kind: pack\nid: again\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"
WHOLE = """\
# Ours.
- kind: patch
  id: more-to-say
  target: gnostica:flow/turn
  set:
    effect: |
      if count(pieces_of(me)) > 0:
          use take_option giving again
          if again: use take_option(no)
          say "well"
          use offer_announcement
      elif exists(spot: open_spaces where free_for_placement(spot)):
          use take_placement
          set asks_for_last_turn = yes
          use offer_announcement
      else:
          say "there is nowhere to place a piece, so this turn is skipped"
          use keep_announcement
      say "so"  # and on
      use pass_on
- {kind: power, id: unrelated, gloss: nothing, effect: stop}
- kind: patch
  id: hasty
  every: major
  where: id = temperance
  set:
    effect: |
      optional "create": use create
    title: Haste
- kind: patch
  id: devil
  target: gnostica:major/devil
  replace-effect: |
    stop
"""
STEPS = """\
# Ours.
- kind: patch
  id: more-to-say
  target: gnostica:flow/turn
  after-step:
    act: |
      say "well"
  before-step:
    pass_on: |
      say "so"  # and on
- {kind: power, id: unrelated, gloss: nothing, effect: stop}
- kind: patch
  id: hasty
  every: major
  where: id = temperance
  replace-step:
    works: |
      optional "create": use create
  set:
    title: Haste
"""


def test_what_is_the_same_program_is_written_as_steps(tmp_path: Path):
    items = tmp_path / "items.yaml"
    (tmp_path / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    items.write_text(WHOLE, encoding="utf-8")
    told = call("migrate", tmp_path).out
    assert (
        items.read_text(encoding="utf-8")
        == STEPS + WHOLE[WHOLE.index("- kind: patch\n  id: devil") :]
    )
    assert "`devil` replaces a whole text" in told
    assert "| stop" in told
    assert "use turn_target" in told
