"""What is never met: out of reach by the program itself, or only never seen."""

from __future__ import annotations

from ruleloom.simulate.tally import tally, unreached
from tests.support.command import call
from tests.support.known_games import FOLDER, linked, played

DEAD = """\
- kind: power
  id: lost
  gloss: "nothing leads here"
  effect: |
    say "nobody gets here"
- kind: power
  id: jackpot
  gloss: "behind a throw that hardly ever falls"
  effect: |
    say "it has fallen"
- kind: power
  id: other_reading
  gloss: "how it is with another number"
  effect: |
    say "there are no heads"
"""


def test_what_nothing_leads_to_is_out_of_reach_and_what_never_fell_is_not(tmp_path):
    game = tmp_path / "coin"
    game.mkdir()
    for path in (FOLDER / "coin").iterdir():
        text = path.read_text()
        text = text.replace(
            "    call(me, guess)\n",
            "    call(me, guess)\n    if heads = 0: use other_reading\n"
            "    roll far = 6d10\n    if far = 60: use jackpot\n",
        )
        (game / path.name).write_text(text)
    (game / "dead.yaml").write_text(DEAD)
    done = call("simulate", game, "--games", "20", "--workers", "1")
    rows = [line.split() for line in done.out.splitlines() if line.startswith("  coin:power")]
    said = {row[0].partition("/")[2]: (" ".join(row[1:-1]), row[-1]) for row in rows}
    assert said["lost"][0] == "out of reach"
    assert said["other_reading"][0] == "out of reach"
    assert said["jackpot"] == ("never seen", "dead.yaml:10")
    assert "in the 20 games that were watched comes up in fewer than 14% of" in done.out


def test_where_everything_ran_nothing_is_missed():
    assert unreached(linked("coin"), tally(played("coin", 30), ("A", "B"))) == []
