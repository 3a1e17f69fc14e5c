"""`ruleloom check --work`: the costliest uses, and who brings them."""

from __future__ import annotations

import re
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


def test_it_lists_what_the_check_warns_of_by_the_same_figures(tmp_path: Path):
    """Each use over its budget stands in the list, with what the warning says of it."""
    code, out, _ = checked(tmp_path, 90_000)
    warned = re.findall(r"`([\w:/-]+)` may take ([\d,]+ operations), over its budget", out)
    listed = re.findall(r"(\d+)\.\d %  ([\w:/-]+) may take ([\d,]+ operations)\n", out)
    assert code == 0
    assert warned
    assert [(use, amount) for share, use, amount in listed if int(share) >= 100] == warned


def test_what_is_refused_stands_in_the_list(tmp_path: Path):
    head = manifest("storm", 'requires: {gnostica: ">=1.0,<2"}', game="gnostica")
    long = "choose n from 1 .. 10000 where count(x: 1 .. 10000 where exists(y: 1 .. 10000 where y = x)) = n"
    power = f"- {{kind: power, id: storm, gloss: storm, effect: '{long}'}}\n"
    write(tmp_path, {"pack.yaml": head, "storm.yaml": power})
    out = call("check", tmp_path, "--work").out
    assert out.count("may take ") > 1
    told = re.findall(r"error\[too-much-work\]: this may take ([\d,]+) evaluations", out)
    listed = re.findall(r"storm:power/storm may take ([\d,]+) evaluations", out)
    assert told
    assert listed == told
    assert "over-budget" not in out
