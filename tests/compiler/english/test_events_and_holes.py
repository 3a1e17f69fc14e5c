"""What the words of an event do not say of it is said beside them; holes are filled with words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.pack_examples import manifest, write


def told(folder: Path, game: str, items: str, item: str) -> str:
    """The rules text of an item of a pack."""
    write(folder, {"pack.yaml": manifest("own", game=game), "items.yaml": items})
    done = call("explain", item, "--pack", folder)
    assert done.code == 0, done.err
    return " ".join(done.out.split())


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ("before pass_on() where me = self", "before the turn passes to the left, if it is your turn"),
        ("before pass_on() where self = me", "before the turn passes to the left, if it is your turn"),
        ("before pass_on()", "before the turn passes to the left, say"),
        ("before create() where me = self", "before you use a Create"),
    ],
)  # fmt: skip
def test_whose_turn_it_is_stands_in_the_text(event: str, said: str, tmp_path: Path):
    """Where the words name who acts, these say so; else the condition is told."""
    item = "{kind: standing, id: nap, for: Player, abilities: 'when EVENT: say \"yawn\"'}\n"
    text = told(tmp_path, "gnostica", item.replace("EVENT", event), "nap")
    assert said in text
    assert ("if it is your turn" in text) == ("if it is your turn" in said)


LASTING = """\
- {kind: lasting, id: rested, on: Player, counts: "before pass_on() COUNTED", english: "{self} rests"}
- {kind: major, id: nap, title: Nap, number: 95, effect: begin rested on me for 2}
"""


@pytest.mark.parametrize(
    ("counted", "time", "said"),
    [
        ("where me = self", "for 2 of your turns", "passes to the left, if it is your turn."),
        ("", "for 2 times.", "passes to the left."),
    ],
)
def test_what_counts_turns_of_ones_own_says_so(counted: str, time: str, said: str, tmp_path: Path):
    items = LASTING.replace("COUNTED", counted)
    assert said in told(tmp_path, "gnostica", items, "lasting/rested")
    assert f"From here on, you rest, {time}" in told(tmp_path, "gnostica", items, "nap")
    case = "kind: scenarios\ncases:\n- id: a\n  given: {pieces: [A1N@0/0], hands: {A: [nap]}}\n" \
        "  when: [{option: play, card: nap}]\n  then: {log: [LINE]}\n"  # fmt: skip
    line = "for 2 of A's turns" if counted else "for 2 times"
    write(tmp_path, {"cases.yaml": case.replace("LINE", line)})
    assert "1 passed" in call("test", tmp_path).out


NAPS = """
- {kind: lasting, id: rested, on: Player, counts: "before pass_on()", english: "{self} rests"}
- kind: major
  id: nap
  title: Nap
  number: 95
  effect: |
    choose n from 1 .. 3 "How many?"
    begin rested on me for n
    prolong rested on me by 1
    prolong rested on me by n
    in n times after turn() "the nap": say "done"
"""


def test_amounts_of_time_have_their_units(tmp_path: Path):
    text = told(tmp_path, "gnostica", NAPS, "nap")
    for said in (
        "you rest, for as many times as the n.",
        "The rested on you lasts longer by 1 time.",
        "The rested on you lasts longer by as many times as the n.",
        "The last of the n times from now after the turn, say: “done”.",
    ):
        assert said in text


def test_two_things_of_a_kind_are_not_both_it(tmp_path: Path):
    items = """\
- {kind: measure, id: alike, takes: "one: Card, two: Card", gives: Bool, is: "one != two and number(one) = number(two)", english: "{one} and {two} are alike"}
- {kind: major, id: twins, title: Twins, number: 95, effect: 'ensure exists(a: hand where exists(b: hand where alike(a, b))) "no twins"'}
"""
    text = told(tmp_path, "gnostica", items, "twins")
    assert "it and it" not in text
    assert "a card in your hand such that there is another card in your hand such that it and the other one are alike" in text  # fmt: skip


def test_a_tag_that_a_measure_is_given_has_words(tmp_path: Path):
    items = """\
- {kind: tag, id: star-iron, english: of star iron}
- {kind: measure, id: made_so, takes: "who: Npc, what: Tag", gives: Bool, is: what in tags(who), english: "{who} is {what}"}
- kind: gear
  id: token
  title: Token
  abilities: "when harm_comes(self, sort, much, by) where by is not none and made_so(by, star_iron): set much = 0"
"""
    text = told(tmp_path, "witchgates", items, "token")
    assert "is of star iron" in text
    assert "star_iron" not in text


def test_a_gloss_that_begins_with_whom_it_is_about_is_a_clause(tmp_path: Path):
    items = """\
- kind: standing
  id: wake
  for: Player
  abilities: |
    when before leave_play(card): say "{card} is mourned"
    instead of chance(who) where who = self: say "never mind"
"""
    text = told(tmp_path, "monotheism", items, "wake")
    assert "Before a follower leaves play, say" in text
    assert "you would be allowed to place a smaller die" in text


@pytest.mark.parametrize("word", ["bodyguard", "the bodyguard"])
def test_a_label_is_told_whatever_its_person_is_called(word: str, tmp_path: Path):
    items = f"""\
- kind: power
  id: shield
  gloss: shield
  words: {{guard: {word}}}
  effect: |
    for each guard in everybody:
        optional "step in with {{guard}}" by speaker(guard):
            use heal(guard, 3)
"""
    text = told(tmp_path, "moonstone", items, "shield")
    assert "the bodyguard may step in: the bodyguard is healed" in text


def test_options_and_dice_that_an_event_brings_have_words(tmp_path: Path):
    items = """\
- kind: standing
  id: reader
  for: Character
  abilities: |
    when before oppose(self, which, with, other, other_which, other_with): say "x"
    when before bolt(which, with, many, faces, kind): say "y"
"""
    text = told(tmp_path, "moonstone", items, "reader")
    assert "you pit any raw score and an ability against any raw score" in text
    assert "for some dice of" in text
    assert "some damage type" not in text


def test_who_acts_next_time_is_not_the_one_spoken_to(tmp_path: Path):
    effect = [
        'choose piece from pieces_of(me) "Which?"',
        'next time after turn() where me != owner(piece) "{piece} waits":',
        '    choose other from pieces_of(me) "Which then?"',
        "    face(other, facing(piece))",
    ]
    lines = "".join(f"    {line}\n" for line in effect)
    item = f"- kind: major\n  id: wait\n  title: Wait\n  number: 95\n  effect: |\n{lines}"
    text = told(tmp_path, "gnostica", item, "wait")
    assert "Choose one of your pieces" in text
    assert (
        "if the acting player is not the piece's owner: choose a piece of the acting player" in text
    )


def test_a_choice_in_the_ending_of_an_effect_that_lasts_is_told(tmp_path: Path):
    items = """\
- kind: lasting
  id: dozing
  on: Player
  counts: before pass_on()
  english: "{self} dozes"
  effect: |
      choose one:
          "sing": say "la"
          "wait": say "hush"
- {kind: major, id: nap, title: Nap, number: 95, effect: begin dozing on me for 2}
"""
    text = told(tmp_path, "gnostica", items, "lasting/dozing")
    assert "When its time is up:" in text
    assert "Sing: say: “la”." in text
