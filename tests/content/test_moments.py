"""A small pack of each game answers one of its moments and something around one of its powers, and
what it is held to does not hold without it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from ruleloom.compiler.cases.case_file import read_cases
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.ir import Announce
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
- kind: standing
  id: brave_friends
  for: Player
  abilities: |
    when aims_at(minion, piece) where owner(piece) = self and owner(minion) != self:
        for each brave in pieces(at: space(piece)):
            if owner(brave) = self and pips(brave) > pips(piece): set piece = brave
    when changes_sides(old, new) where owner(old) = self: face(new, up)
- kind: trigger
  id: a_last_card
  event: "last_turn_is_announced(player)"
  timing: immediately
  gloss: whoever announces the last turn draws a card
  effect: |
    draw found from draw_pile to hand(player)
- kind: trigger
  id: homesick
  event: "shift(piece, goal)"
  where: "pips(piece) = 1"
  timing: immediately
  gloss: a small piece that moves goes home
  effect: use leave_play(piece, destroyed)
""",
    "monotheism": """\
- kind: standing
  id: bells
  for: Player
  abilities: |
    when number_is_named(self, number): set number = number + 2
    when before set_out(what) where self = me: say "bells ring"
    when mission_is_aimed(who, what, doer, whom) where keeper(whom) = self and reality(whom) = 1:
        for each other in first(1, those(f: followers_of(self) where reality(f) > 1)): set whom = other
    when miracle_is_aimed(self, what, aimed):
        add those(f: followers_of(self) where not busy(f) and f not in aimed) to aimed
""",
    "moonstone": """\
- kind: standing
  id: thin_skins
  for: Character
  abilities: |
    when harm_comes(self, kind, much) where kind = shock: set much = much * 2
    when after suffer(self, kind, much): refresh(self, 1)
    instead of drain(self, much) where much > 5: use drain(self, 5)
    when is_aimed_at(who, what, whom) where whom = self and what = striking:
        for each friend in first(1, friends(self)): set whom = friend
    when is_aimed_at(who, what, whom) where whom = self and what = giving_aid: set whom = none
    when harm_comes(self, kind, much, by) where by is not none: set much = much + 100
- kind: standing
  id: heralds
  for: Player
  abilities: |
    when before begin_conflict() where self = gm: say "horns"
    instead of end_scene(winner, because) where self = gm and winner is not none: say "one more act"
""",
    "witchgates": """\
- kind: standing
  id: charmed_lives
  for: Character
  abilities: |
    when dice_fall(self, sort, dice_shown): add 6 to dice_shown
    when harm_comes(self, sort, much): set much = much - 1
    instead of suffer_strain(self, much, by) where by is none: say "{self} smiles"
    when strain_comes(self, much, by) where by is not none: set much = 0
    when harm_comes(self, sort, much, by) where by is not none: set much = much + 3
    instead of aim_at_character(what, whom) where whom = self:
        for each other in first(1, everybody - [self, caster(what)]): aim_at_character(what, other)
- kind: trigger
  id: curtain
  event: scene_begins()
  timing: immediately
  gloss: the curtain rises
  effect: say "the curtain rises"
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
  - id: a-friend-steps-before-a-small-one
    given: {pieces: [A2E@0/1, B1N@1/1, B3S@1/1], hands: {A: [move2]}}
    when: [{option: play, card: move2}, {power: move, minion: A2E@0/1, piece: B1N@1/1, by: 1}]
    then: {pieces: [A2E@0/1, B1N@1/1, B3S@2/1]}
  - id: whoever-changes-sides-looks-up
    given: {pieces: [A1E@0/1, B3N@1/1], hands: {A: [hierophant]}}
    when: [{option: play, card: hierophant}, {power: replace, minion: A1E@0/1, piece: B3N@1/1}]
    then: {pieces: [A1E@0/1, A3up@1/1]}
  - id: a-card-for-the-last-turn
    given: {pieces: [A1E@0/1], draw: [move9]}
    when: [{option: draw, take: 0}, {end: turn, announce: true}]
    then: {hands: {A: [move9]}}
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
  - id: somebody-greater-stands-in
    given:
      players: [A, B, C, D]
      made: {Follower: {Ur: {keeper: A, traits_of: {blue: 3}}, Ash: {keeper: B, traits_of: {black: 1}}, Elm: {keeper: B, traits_of: {black: 2, red: 1}}}}
      zones: {pool: {A: [blue-d6]}}
    when: [{do: use mission_step, answers: {what: faith, whom: Ash, face: 1}}]
    then: {log: [the target number is 4]}
  - id: all-who-are-ready-are-punished
    given:
      players: [A, B]
      made: {Follower: {Ur: {keeper: A, traits_of: {black: 3}}, Nin: {keeper: A, traits_of: {black: 1}}}}
      zones: {pool: {A: [black-d6]}}
    when: [{do: use miracle_step, answers: {what: punishment, first_card: Ur, face: 6, verdict: content}}]
    then: {there: {Follower: []}}
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
  - id: a-friend-is-struck-instead-and-hard
    given:
      things: {anna: {kind: character}, bert: {kind: character}, dora: {kind: character}}
      state:
        anna: {here: yes, side: 1, pi: 200, mi: 200, ei: 200, deed: striking, aimed_at: bert, tool: fist, actions_left: 1}
        bert: {here: yes, side: 2, pi: 200, mi: 200, ei: 200}
        dora: {here: yes, side: 2, pi: 200, mi: 200, ei: 200}
    when: [{do: "use carry_out(anna)", answers: {attack: 20, defence: 1, effort: 0, blow: 5}}]
    then: {numbers: {bert: {pi: 200}, dora: {pi: 95}}, log: [what anna does is for dora now]}
  - id: nobody-is-helped
    given:
      things: {anna: {kind: character}, bert: {kind: character}}
      state:
        anna: {here: yes, side: 1, pi: 200, mi: 200, ei: 200, deed: giving_aid, aimed_at: bert, actions_left: 1}
        bert: {here: yes, side: 1, pi: -1, mi: 200, ei: 200}
    when: [{do: "use carry_out(anna)"}]
    then: {unasked: [dice_thrown], numbers: {anna: {ei: 200}}}
  - id: horns-and-one-more-act
    given: {things: {anna: {kind: character}}, state: {anna: {here: yes, side: 1, pi: 100, mi: 100, ei: 100}}}
    when:
      - do: |
          use begin_conflict
          use end_scene(gm, "that is all")
    then: {log: [horns, one more act], numbers: {fighting: true}}
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
  - id: whoever-is-struck-is-struck-hard
    given:
      players: [Gus, Tea]
      things: {tom: {kind: character, vocation: chess}, thug: {kind: npc, tier: 1}}
      state: {tom: {here: yes, player: Tea}}
    when: [{do: "use npc_hurts(tom, thug, high_result)"}]
    then: {numbers: {tom: {marked_boxes: 4}}}
  - id: what-somebody-does-to-the-mind-is-laughed-at
    given:
      players: [Gus, Tea]
      things: {tom: {kind: character, vocation: chess}, wraith: {kind: npc, low: 1, high: 2, mental: true}}
      state: {tom: {here: yes, player: Tea}}
    when: [{do: "use npc_hurts(tom, wraith, high_result)"}]
    then: {numbers: {tom: {stress: 0}}}
  - id: somebody-else-is-in-the-way
    given:
      players: [Gus, Tea]
      things: {mia: {kind: character, vocation: chess}, tom: {kind: character, vocation: chess}, una: {kind: character, vocation: chess}}
      state: {mia: {here: yes, player: Tea}, tom: {here: yes, player: Tea}, una: {here: yes, player: Tea}}
      made: {Working: {it: {caster: mia}}}
    when:
      - do: |
          choose w from spells_here
          use say_what_for(mia, w)
        answers: {"What is the spell used on?": somebody, whom: tom}
    then: {numbers: {it: {aimed: [una]}}}
  - id: the-curtain-rises-again
    given: {players: [Gus, Tea]}
    when: [{do: use what_happens, answers: {"What happens now?": the scene ends}}]
    then: {log: [the scene ends, the curtain rises]}
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
    # Without its rules, some of what a pack's cases claim can never be said.
    expected = set() if with_rules else {"idle-claim"}
    assert [found for found in result.diagnostics if found.code not in expected] == []
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


@pytest.mark.parametrize("game", sorted(RULES))
def test_what_nobody_answers_leaves_nothing_in_the_game(game: str):
    result = compile_paths([game])
    assert result.program is not None
    rows = [row for routine in result.program.routines for row in routine.rows]
    events = {row.event for row in rows if isinstance(row, Announce)}
    answered = {trigger.event for trigger in result.program.triggers}
    assert events <= answered
    hidden = [one.name for one in result.program.scope if " " in one.name]
    assert [one for one in hidden if not one.endswith(" is spent")] == []


PAGES = {one: f"{one}-readings" if one == "gnostica" else one for one in RULES}


@pytest.mark.parametrize("game", sorted(RULES))
def test_the_places_that_its_page_names_can_be_answered(game: str, tmp_path: Path):
    page = Path(f"docs/games/{PAGES[game]}.md").read_text(encoding="utf-8")
    rows = page.partition("| at the table |")[2].partition("\n\n")[0]
    events = re.findall(r"`((?:before |after )?\w+\([^)]*\))`", rows)
    assert len(events) > 10
    answers = "".join(
        f'- {{kind: trigger, id: at_{number}, event: "{event}", timing: immediately, '
        f'gloss: "so", effect: say "so"}}\n'
        for number, event in enumerate(dict.fromkeys(events))
    )
    write(tmp_path, {"hooks/pack.yaml": manifest("hooks", game=game), "hooks/x.yaml": answers})
    result = compile_paths([tmp_path / "hooks"])
    assert [str(found) for found in result.diagnostics] == []


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
