"""A small pack of each game answers one of its moments and something around one of its powers, and
what it is held to does not hold without it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.scenarios.cases import read_cases
from ruleloom.scenarios.results import FAILED, PASSED
from tests.support.pack_examples import manifest, write
from tests.support.scenario_runs import run_cases
from tests.support.scratch import scratch

RULES = {
    "gnostica": """\
- kind: trigger
  id: sharp_points
  event: "attack_falls(piece, damage)"
  timing: immediately
  gloss: attacks hurt more
  effect: set damage = damage + 1
- kind: trigger
  id: a_card_first
  event: "before play()"
  timing: immediately
  gloss: whoever plays a card draws one first
  effect: |
    draw found from draw_pile to hand(me)
- kind: trigger
  id: homesick
  event: "shift(piece, goal)"
  where: "pips(piece) = 1"
  timing: immediately
  gloss: a small piece that moves goes home
  effect: return_to_stash(piece)
""",
    "monotheism": """\
- kind: standing
  id: bells
  for: Player
  abilities: |
    when number_is_named(self, number): set number = number + 2
    when before set_out(what) where self = me: say "bells ring"
""",
    "moonstone": """\
- kind: standing
  id: thin_skins
  for: Character
  abilities: |
    when harm_comes(self, kind, much) where kind = shock: set much = much * 2
    when after suffer(self, kind, much): refresh(self, 1)
    instead of drain(self, much) where much > 5: use drain(self, 5)
""",
    "witchgates": """\
- kind: standing
  id: charmed_lives
  for: Character
  abilities: |
    when dice_fall(self, sort, dice_shown): add 6 to dice_shown
    when harm_comes(self, sort, much): set much = much - 1
    instead of suffer_strain(self, much): say "{self} smiles"
""",
}
CASES = {
    "gnostica": """\
  - id: a-card-comes-first
    given: {pieces: [A2E@0/1, B3N@1/1], hands: {A: [attack2]}, draw: [move9]}
    when: [{option: play, card: attack2}, {power: attack, minion: A2E@0/1, piece: B3N@1/1, by: 1}]
    then: {pieces: [A2E@0/1, B1N@1/1], hands: {A: [move9]}}
  - id: more-than-there-is
    given: {pieces: [A2E@0/1, B2N@1/1], hands: {A: [attack2]}, draw: [move9]}
    when: [{option: play, card: attack2}, {power: attack, minion: A2E@0/1, piece: B2N@1/1, by: 2}]
    then: {pieces: [A2E@0/1], hands: {A: [move9]}}
  - id: who-is-home-faces-nowhere
    given: {pieces: [A1N@1/1, A1N@0/0, B2E@0/1], hands: {A: [move2]}, draw: [move9]}
    when: [{option: play, card: move2}, {power: move, minion: A1N@0/0, piece: self, by: 1}, {end: turn}]
    then: {pieces: [A1N@1/1, B2E@0/1], asked: B}
  - id: nothing-to-take-its-place
    given: {pieces: [A1E@0/1, B3N@1/1, B1N@0/0, B1N@0/0, B1N@0/2, B1N@0/2, B1N@2/2], hands: {A: [attack2]}, draw: [move9]}
    when: [{option: play, card: attack2}, {power: attack, minion: A1E@0/1, piece: B3N@1/1, by: 1}]
    then: {pieces: [A1E@0/1, B3N@1/1, B1N@0/0, B1N@0/0, B1N@0/2, B1N@0/2, B1N@2/2]}
""",
    "monotheism": """\
  - id: bells-help
    given:
      players: [A, B, C, D]
      made: {Follower: {Ur: {keeper: A, traits_of: {black: [eloquent], blue: 5}}, Ash: {keeper: B, traits_of: {black: 4, blue: 1}}}}
      zones: {pool: {A: [blue-d6]}}
    when:
      - do: use mission_step
        answers: {what: faith, whom: Ash, face: 1}
    then:
      log: [bells ring, the target number is 7]
      numbers: {margin: 6}
""",
    "moonstone": """\
  - id: shock-is-doubled
    given:
      things: {anna: {kind: character}}
      state: {anna: {here: yes, pi: 100, mi: 100, ei: 100}}
    when: [{do: "use suffer(anna, shock, 10)"}]
    then: {numbers: {anna: {pi: 80, ei: 81}}}
  - id: nobody-loses-more-than-five
    given:
      things: {anna: {kind: character}}
      state: {anna: {here: yes, pi: 100, mi: 100, ei: 100}}
    when: [{do: "use drain(anna, 10)"}]
    then: {numbers: {anna: {ei: 95}}}
""",
    "witchgates": """\
  - id: a-six-more
    given:
      players: [Gus, Tea]
      things: {tom: {kind: character, vocation: chess}}
      state: {base_dice: 2, roller: tom, tom: {here: yes, player: Tea}}
    when: [{do: use throw_pool(seat(2)), answers: {thrown: [1, 1]}}]
    then: {numbers: {band: hit}}
  - id: a-scratch-less
    given:
      players: [Gus, Tea]
      things: {tom: {kind: character, vocation: chess}}
      state: {tom: {here: yes, player: Tea}}
    when: [{do: "use suffer_damage(tom, bashing, 1, 1, high_result)"}]
    then: {numbers: {tom: {marked_boxes: 0}}}
  - id: a-smile
    given:
      players: [Gus, Tea]
      things: {tom: {kind: character, vocation: chess}}
      state: {tom: {here: yes, player: Tea}}
    when: [{do: "use suffer_strain(tom, 2)"}]
    then: {log: [tom smiles], numbers: {tom: {stress: 0}}}
""",
}


@cache
def folder(game: str, with_rules: bool) -> Path:
    made = scratch(f"moments-{game}-")
    files = {
        "pack.yaml": manifest("hooks", game=game),
        "scenarios.yaml": f"kind: scenarios\ncases:\n{CASES[game]}",
    }
    write(made, files | ({"rules.yaml": RULES[game]} if with_rules else {}))
    return made


def outcomes(game: str, with_rules: bool) -> list[str]:
    pack = folder(game, with_rules)
    result, report = compile_paths([pack]), Report()
    assert [str(found) for found in result.diagnostics] == []
    assert result.program is not None
    content = result.content
    assert content is not None
    (own,) = (name for name in content.scenarios if content.files[name][0] == "hooks")
    cases = read_cases(content.sources[own], report) or ()
    assert report.diagnostics() == []
    done = run_cases(result.program, cases, content=content)
    return [f"{one.case.id}: {one.status}: {one.message}" for one in done.results]


@pytest.mark.parametrize("game", sorted(RULES))
def test_a_pack_hooks_in(game: str):
    found = outcomes(game, with_rules=True)
    assert [one for one in found if not one.endswith(f": {PASSED}: ")] == []


@pytest.mark.parametrize("game", sorted(RULES))
def test_without_it_the_game_is_another(game: str):
    found = outcomes(game, with_rules=False)
    assert [one for one in found if f": {FAILED}: " not in one] == []


def test_who_asks_somebody_else_is_told_what_can_no_longer_be_foreseen(tmp_path: Path):
    """Gnostica looks ahead through attacks to what must hold after them."""
    resisting = """\
- kind: standing
  id: stands
  for: Player
  abilities: |
    instead of resize(piece, size) where owner(piece) = self:
        optional "resist" by self: stop
        resize(piece, size)
"""
    write(
        tmp_path, {"hooks/pack.yaml": manifest("hooks", game="gnostica"), "hooks/x.yaml": resisting}
    )
    result = compile_paths([tmp_path / "hooks"])
    assert result.program is not None
    assert {(one.code, one.severity) for one in result.diagnostics} == {
        ("ensure-after-barrier", "warning")
    }
    assert all(one.place.path.endswith("x.yaml") for one in result.diagnostics)
