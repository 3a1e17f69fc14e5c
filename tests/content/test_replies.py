"""What people answer in others' turns: asked whatever they hold, told under their names, never taken
away; and what a condition of a pack refuses, with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.pipeline import compile_paths
from tests.support.command import call
from tests.support.pack_examples import manifest, write

REPLIES = Path(__file__).resolve().parent / "replies"


@pytest.mark.parametrize("pack", ["dues", "gnostica", "monotheism", "offerings", "witchgates"])
def test_the_cases_of_the_packs(pack: str):
    done = call("test", str(REPLIES / pack))
    assert (done.code, done.out.strip().splitlines()[-1].split(",")[1]) == (0, " 0 failed")


LATE = """\
- kind: patch
  id: late
  target: monotheism:power/perform
  before-step:
    pay: |
      if what = temptation: ensure count(pool(me)) > 1 "a die must be left"
"""


def test_whoever_puts_a_condition_behind_a_barrier_of_the_game_is_told_at_it(tmp_path: Path):
    """In the text of the game somebody is asked before the step; its items are not to blame."""
    write(tmp_path, {"late/pack.yaml": manifest("late", game="monotheism"), "late/x.yaml": LATE})
    [found] = compile_paths([tmp_path / "late"]).diagnostics
    assert (found.code, found.severity) == ("ensure-after-barrier", "warning")
    assert (found.place.path.rpartition("/")[2], found.place.line) == ("x.yaml", 6)
    assert "`bring_forth` may come before this" in found.message


RESPONDING = """\
- kind: power
  id: card_of
  takes: "who: Player"
  gives: "paid: Card?"
  gloss: "{{who}} may pay a card"
  effect: choose paid from hand(who) by who or none "Which card do you pay?"
- kind: standing
  id: ransom
  for: Player
  abilities: |
    {event} where owner(piece) = self and self != me{when}:
      use card_of(self) giving paid
      if paid is not none: discard(paid)
"""
AFTERWARDS = "`afterwards` before the `:` responds when that text is done"


@pytest.mark.parametrize(
    ("event", "when", "helps"),
    [
        ("when return_to_stash(piece)", "", [AFTERWARDS]),
        ("when return_to_stash(piece)", " afterwards", []),
        ("when attack_falls(piece, damage)", "", [None]),
        ("instead of return_to_stash(piece)", "", [None]),
    ],
)
def test_who_asks_another_is_offered_only_what_can_be_done(
    tmp_path: Path, event: str, when: str, helps: list[str | None]
):
    """The warning stands at what responds, not at the power that it uses."""
    text = RESPONDING.format(event=event, when=when)
    write(tmp_path, {"late/pack.yaml": manifest("late", game="gnostica"), "late/x.yaml": text})
    found = compile_paths([tmp_path / "late"]).diagnostics
    barriers = [one for one in found if one.code == "ensure-after-barrier"]
    assert {one.place.line for one in barriers} <= {8}
    assert [*dict.fromkeys(one.help for one in barriers)] == helps
