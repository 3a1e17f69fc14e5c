"""What `check` says of a case and what becomes of it when it is run agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest, write

CASES = "kind: scenarios\ncases:\n  - id: a\n"
THINGS = """\
    given:
      things:
        ann: {{kind: character}}
        lore: {{kind: advantage, rating: I, scaled: true, text: "-"}}
        fizz: {{kind: spell, of: lore, cost: 1, text: "-", effect: {}}}
      state: {{ann: {{here: yes, pi: 100}}}}
    when: [{{do: {}}}]
    then: {{numbers: {{ann: {{pi: 97}}}}}}
"""
HIT = '"use suffer(ann, sharp, 3)"'
NAMED = """\
    given:
      things: {{{0}: {{kind: character}}}}
      state: {{{0}: {{here: yes, pi: 100}}}}
    when: [{{do: "use suffer({1}, sharp, 3)"}}]
    then: {{numbers: {{{0}: {{pi: 97}}}}}}
"""


def said(folder: Path, game: str, text: str, more: str = "") -> tuple[bool, bool, str]:
    """Whether `check` finds nothing wrong, whether the case passes, and what both print."""
    write(folder, {"own/pack.yaml": manifest("own", game=game), "own/cases.yaml": CASES + text})
    if more:
        write(folder, {"own/more.yaml": more})
    checked, tested = (call(verb, str(folder / "own")) for verb in ("check", "test"))
    return checked.code == 0, tested.code == 0, checked.out + tested.out


@pytest.mark.parametrize(
    ("text", "right", "says"),
    [
        (THINGS.format('"stop"', HIT), True, ""),
        (THINGS.format('"use suffer(ann, sharp, 3)"', HIT), True, ""),
        # The effect of a thing: an unknown power, an unknown name, another type, an escaped quote.
        (THINGS.format('"use sufer(ann, sharp, 3)"', HIT), False, "there is no power `sufer`"),
        (THINGS.format('"use suffer(amn, sharp, 3)"', HIT), False, "`amn`"),
        (THINGS.format('"use suffer(ann, sharp, ann)"', HIT), False, "ann"),
        (THINGS.format(r'"say \"ouch\""', HIT), False, "escapes"),
        (THINGS.format("'say \"ouch\"'", HIT), True, ""),
        # The text of a step may be written in any way, and means the same.
        (THINGS.format('"stop"', r'"say \"ouch\"\nuse suffer(ann, sharp, 3)"'), True, ""),
        (THINGS.format('"stop"', r'"say \"ouch\"\nuse suffer(ann, sharp, lore)"'), False, "lore"),
        (THINGS.format('"stop"', '"use suffer(ann, sharp, 3, 4, 5, 6, 7, 8, 9, 10)"'), False, "takes"),
        (THINGS.format('"stop"', '"use suffer(sharp, ann, 3)"'), False, "sharp"),
        (THINGS.format('"stop"', r'"choose ann from Character\n  use suffer(ann, sharp, 3)"'), False, ""),
        (THINGS.format('"stop"', r'"let ann = 3\nuse suffer(ann, sharp, 3)"'), False, "`ann`"),
        # What things may be called.
        (NAMED.format("anna", "anna"), True, ""),
        (NAMED.format("anna-lee", "anna_lee"), True, ""),
        (NAMED.format("spent", "spent"), False, "`spent` already means something"),
        (NAMED.format("sharp", "sharp"), False, "`sharp`"),
        (NAMED.format("pi", "pi"), False, "`pi` already means something"),
    ],
)  # fmt: skip
def test_of_things_and_texts(tmp_path: Path, text: str, right: bool, says: str):
    checked, tested, printed = said(tmp_path, "moonstone", text)
    assert (checked, tested) == (right, right), printed
    assert says in printed


GIFTED = """\
    given:
      things:
        ann: {{kind: character, gifts: [{{advantage: lore, points: 1}}]}}
        lore:
          kind: advantage
          rating: I
          scaled: true
          text: "-"
          abilities: {}
      state: {{ann: {{here: yes, pi: 100}}}}
    when: [{{do: "use suffer(ann, sharp, 3)"}}]
    then: {{log: [ann loses]}}
"""
HEARD = "when harm_comes(self, kind, much) where much > 2: "


@pytest.mark.parametrize(
    ("abilities", "right"),
    [
        (HEARD + "set much = much - 1", True),
        (HEARD + "set much = mush - 1", False),
        (HEARD + 'say "ouch"', True),
        (HEARD.replace("harm_comes", "harm_cmes") + 'say "ouch"', False),
        (HEARD.replace("much > 2", "mush > 2") + 'say "ouch"', False),
        ("modify max_PI(self) by 2", True),
        ("modify max_PJ(self) by 2", False),
        ("modify max_PI(self) by to", False),
        ("modify max_PI(self) by yes", False),
        ("modify max_PI(self) by PI(lore)", False),
        ("modify max_PI(self) by 1 where here(ann)", True),  # another thing of the case
        ("modify fine(self) by 1", False),  # a measure
        ('bonus(max_PI, 2, "lore")', True),
        ('bonnus(max_PI, 2, "lore")', False),
    ],
)
def test_of_abilities(tmp_path: Path, abilities: str, right: bool):
    written = f"'{abilities}'"
    checked, tested, printed = said(tmp_path, "moonstone", GIFTED.format(written))
    assert (checked, tested) == (right, right), printed


WORN = """\
    given:
      things:
        ann: {{kind: character, gear: {}}}
        vest: {{kind: armour, text: "-", abilities: 'protects_from([blunt], 10, "vest")'}}
        cap: {{kind: armour, text: "-", abilities: 'protects_from([sharp], 10, "cap")'}}
    then: {{numbers: {{ann: {{PR: 0}}}}}}
"""


@pytest.mark.parametrize(
    ("gear", "right"),
    [("[]", True), ("[vest]", True), ("[vest, cap]", True), ("[vest, cap, vest]", False)],
)
def test_of_a_list_in_a_thing(tmp_path: Path, gear: str, right: bool):
    checked, tested, printed = said(tmp_path, "moonstone", WORN.format(gear))
    assert (checked, tested) == (right, right), printed


KEPT = """\
    given: {{players: [A, B], made: {{Follower: {{Ur: {{keeper: {}}}}}}}}}
    when: [{{do: stop}}]
    then: {{there: {{Follower: [Ur]}}}}
"""


@pytest.mark.parametrize(("keeper", "right"), [("A", True), ("null", False), ("none", False)])
def test_of_who_has_what_play_has_made(tmp_path: Path, keeper: str, right: bool):
    checked, tested, printed = said(tmp_path, "monotheism", KEPT.format(keeper))
    assert (checked, tested) == (right, right), printed


ASKING = """\
    given:
      things:
        ann: {{kind: character, gifts: [{{advantage: lore, points: 1}}]}}
        lore:
          kind: advantage
          rating: I
          scaled: true
          text: "-"
          abilities: |
            when harm_comes(self, kind, much):
                choose less from [1, 2] "How much less?"
                set much = much - less
      state: {{ann: {{here: yes, pi: 100}}}}
    when: [{{do: "use suffer(ann, sharp, 3)", answers: {{{}}}}}]
    then: {{numbers: {{ann: {{pi: {}}}}}}}
"""


@pytest.mark.parametrize(
    ("answers", "left", "right"),
    [
        ("less: 1", 98, True),
        ("less: 2", 99, True),
        ("lass: 1", 98, False),
        ("less: few", 98, False),
    ],
)
def test_of_what_the_texts_of_a_thing_ask(tmp_path, answers, left, right):
    case = ASKING.format(answers, left)
    checked, tested, printed = said(tmp_path, "moonstone", case)
    assert (checked, tested) == (right, right), printed


FRESH = """\
    given: {{fresh: true, switches: {{first_player: by_agreement}}, {}}}
    when: [{{pick: first, player: B}}]
    then: {{asked: B, sizes: {{board: 9}}}}
"""


@pytest.mark.parametrize(
    ("given", "right", "says"),
    [
        ("draw: [fool, sun]", True, ""),
        ("draw: []", True, ""),
        ("discard: null", True, ""),
        ("pieces: [A1N@0/0]", False, "a fresh game takes no `pieces`"),
        ("hands: {A: [create5]}", False, "a fresh game takes no `hands`"),
        ("turn: B", False, "a fresh game takes no `turn`"),
    ],
)
def test_of_what_is_given_to_a_new_game(tmp_path, given, right, says):
    checked, tested, printed = said(tmp_path, "gnostica", FRESH.format(given))
    assert (checked, tested) == (right, right), printed
    assert says in printed


def test_a_card_is_stacked_once(tmp_path: Path):
    checked, _, printed = said(tmp_path, "gnostica", FRESH.format("draw: [fool, sun, fool]"))
    assert not checked
    assert "`fool` lies in two places" in printed


RECOVER = """\
    given: {{pieces: [A1E@0/1], hands: {{A: [judgement]}}, discard: [attack2]}}
    when:
      - {{option: play, card: judgement}}
      - {{power: recover, minion: A1E@0/1, cards: {}}}
    then: {{hands: {{A: {}}}}}
"""


@pytest.mark.parametrize(
    ("cards", "hand", "right"),
    [("[attack2]", "[attack2]", True), ("[]", "[]", True), ("attack2", "[attack2]", False)],
)
def test_of_a_choice_of_several(tmp_path: Path, cards: str, hand: str, right: bool):
    checked, tested, printed = said(tmp_path, "gnostica", RECOVER.format(cards, hand))
    assert (checked, tested) == (right, right), printed


BOARD = """\
    given: {{board: {}, pieces: [A1N@0/0]}}
    when: [{{option: orient, piece: A1N@0/0, to: E}}]
    then: {{board: {{2/0: none}}, pieces: [A1E@0/0]}}
"""


@pytest.mark.parametrize(
    ("board", "right", "says"),
    [
        ("{del: [2/0]}", True, ""),
        ("{0/0: sun}", True, ""),
        ("{set: {2/0: null}}", False, "nothing can be put on 2/0"),
        ("{set: {2/0: none}}", False, "nothing can be put on 2/0"),
        ("{0/0: sun, 2/0: null}", False, "nothing can be put on 2/0"),
    ],
)
def test_of_boards(tmp_path: Path, board: str, right: bool, says: str):
    checked, tested, printed = said(tmp_path, "gnostica", BOARD.format(board))
    assert (checked, tested) == (right, right), printed
    assert says in printed


TWINS = """\
- kind: major
  id: owlet
  title: Owlet
  number: 81
  effect: |
    choose seen from minions
    resize(seen, 2)
    say "hoot"
- kind: standing
  id: owlet
  for: Player
  abilities: |
    when resize(piece, size) where owner(piece) = self:
        choose other from pieces_of(self) where other != piece by self or none "Which other one?"
        if other is not none: face(other, S)
"""
TWIN_CASE = """\
    given: {{pieces: [A1N@0/0, A2N@1/1], hands: {{A: [owlet]}}}}
    when:
      - {{option: play, card: owlet}}
      - {{power: owlet, seen: A1N@0/0, {}: A2N@1/1}}
    then: {{pieces: [A2N@0/0, A2S@1/1]}}
"""


@pytest.mark.parametrize(("name", "right"), [("other", True), ("others", False)])
def test_of_a_card_and_an_ability_of_one_name(tmp_path: Path, name: str, right: bool):
    checked, tested, printed = said(tmp_path, "gnostica", TWIN_CASE.format(name), TWINS)
    assert (checked, tested) == (right, right), printed


DRILL = """\
- kind: major
  id: drillmaster
  title: Drillmaster
  number: 82
  effect: |
    choose up to 3 turned from pieces_of(me) "Which of your pieces turn?"
    for each piece in turned:
        choose look from Facing where look != facing(piece) "Which way does {piece} turn?"
        face(piece, look)
"""
DRILL_CASE = """\
    given: {{pieces: [A1N@0/0, A2E@1/1, A1up@2/2], hands: {{A: [drillmaster]}}}}
    when: [{{option: play, card: drillmaster}}, {{power: drillmaster, turned: {}, look: {}}}]
    then: {{pieces: [{}, A1up@2/2]}}
"""


@pytest.mark.parametrize(
    ("turned", "look", "left", "right"),
    [
        ("[A1N@0/0]", "E", "A1E@0/0, A2E@1/1", True),
        ("[A1N@0/0]", "[E]", "A1E@0/0, A2E@1/1", True),
        ("[A1N@0/0, A2E@1/1]", "[E, up]", "A1E@0/0, A2up@1/1", True),
        ("[[A1N@0/0, A2E@1/1]]", "[E, up]", "A1E@0/0, A2up@1/1", True),
        # The answers come in the order in which they are asked for; there are no more, and no fewer.
        ("[A1N@0/0, A2E@1/1]", "[up, E]", "A1up@0/0, A2E@1/1", False),
        ("[A1N@0/0]", "[E, up]", "A1E@0/0, A2E@1/1", False),
        ("[A1N@0/0, A2E@1/1]", "[E]", "A1E@0/0, A2up@1/1", False),
    ],
)
def test_of_a_prompt_that_comes_again(tmp_path, turned, look, left, right):
    case = DRILL_CASE.format(turned, look, left)
    checked, tested, printed = said(tmp_path, "gnostica", case, DRILL)
    assert (checked, tested) == (True, right), printed


ROLL = """\
- kind: major
  id: gambler
  title: Gambler
  number: 83
  effect: |
    roll luck = 2 d 4 by me
    say "{luck} of luck"
"""
ROLL_CASE = """\
    given: {{pieces: [A1N@0/0], hands: {{A: [gambler]}}, dice: [{}]}}
    when: [{{option: play, card: gambler}}, {{end: turn}}]
    then: {{log: [of luck]}}
"""


@pytest.mark.parametrize("fixed", [2, 8])
def test_what_dice_can_show_is_shown(tmp_path: Path, fixed: int):
    assert said(tmp_path, "gnostica", ROLL_CASE.format(fixed), ROLL)[:2] == (True, True)


@pytest.mark.parametrize("fixed", [1, 9])
def test_what_dice_cannot_show_is_told_with_what_they_can(tmp_path: Path, fixed: int):
    _, tested, printed = said(tmp_path, "gnostica", ROLL_CASE.format(fixed), ROLL)
    assert not tested
    assert f"the roll of 2d4 for `luck` shows 2 to 8, and not {fixed}" in printed
