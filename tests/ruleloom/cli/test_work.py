"""`ruleloom check --work`: the costliest uses, and who brings them."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import call
from tests.support.pack_examples import manifest, write

THUNDER = """\
- kind: trigger
  id: thunder
  event: "discard(card)"
  timing: afterwards
  gloss: "thunder rolls"
  effect: |
    repeat {} times: say "it rolls"
"""


def checked(folder: Path, times: int, *more: str) -> tuple[int, str, str]:
    """What `check --work` says of a pack that does something so often whenever a card is discarded."""
    head = manifest("storm", 'requires: {gnostica: ">=1.0,<2"}', game="gnostica")
    write(folder, {"pack.yaml": head, "storm.yaml": THUNDER.format(times)})
    done = call("check", folder, "--work", *more)
    return done.code, done.out, done.err


def test_base_game_and_homebrew_stand_apart(tmp_path: Path):
    code, out, _ = checked(tmp_path, 500)
    base, homebrew = out.split("the costliest uses of the ")[1:]
    assert code == 0
    assert base.startswith("base game\n")
    assert "gnostica:flow/turn may take" in base
    assert "78 cards x 500 rounds x 1 operation = 39,000 operations" in base
    assert "storm:trigger/thunder brings 78,000 operations of that" in base
    assert homebrew.startswith("homebrew\n  0.5 %  storm:trigger/thunder may take 500 operations")


def test_what_takes_hardly_anything_is_left_out(tmp_path: Path):
    _, out, _ = checked(tmp_path, 5)
    assert "homebrew" not in out


def test_it_is_a_list_for_people(tmp_path: Path):
    code, out, err = checked(tmp_path, 5, "--format", "json")
    assert (code, out) == (2, "")
    assert "`--work` cannot be shown as json" in err
