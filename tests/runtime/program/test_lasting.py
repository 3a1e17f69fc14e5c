"""Effects that last in play: begun, counted down, prolonged, ended early, and asked for."""

from __future__ import annotations

import pytest

from ruleloom.runtime.explain.sheet_pages import page_of
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.play.view import view
from tests.support.on_quarrel import charm, lives, program_of_duel, resumed, started, variable

MIGHT = """\
- kind: stat
  id: might
  takes: "who: Player"
  is: "1"
  english: "the might of {who}"
"""
BLESSING = f"""\
{MIGHT}
- kind: lasting
  id: blessing
  title: Blessing
  on: Player
  takes: "much: Int"
  counts: "after turn() where me = self"
  until: "hurt(self, lost) where lost > 5"
  most: 5
  STACKS
  abilities: |
    modify might(self) by much as "blessed"
    when heal(self, gained): hurt(self, much)
  effect: |
    heal(self, 10 * much)
  ended: |
    set tally = much
  english: "{{self}} is blessed by {{owner}}"
"""
TURN = """\
choose one:
    "bless": begin blessing(2) on me for 2
    "more": begin blessing(3) on me for 3
    "less": begin blessing(4) on me for 1
    "other": begin blessing(2) on seat_after(me) for 2
    "look": set tally = might(me)
    "heal": heal(me, 1)
    "hurt": hurt(me, 7)
    "scratch": hurt(me, 1)
    "end": end blessing on me
    "longer": prolong blessing on me by 2
    "shorter": prolong blessing on me by -9
    "count": set tally = count(blessing(me))
    "left": set tally = highest(time_left(one) for one: blessing(me))
    "pass": stop
"""


def blessed(*ways: str, stacks: str = "each") -> Game:
    """The duel after these turns of one player, who always acts."""
    text = BLESSING.replace("STACKS", f"stacks: {stacks}")
    return taken(started(program_of_duel(TURN, text)), *ways)


def taken(game: Game, *ways: str) -> Game:
    """The game after these answers."""
    for way in ways:
        game = game.answer(game.prompt.id, way)
    return game


def tally(*ways: str, stacks: str = "each") -> int:
    """The tally after these turns."""
    found: int = variable(blessed(*ways, stacks=stacks), "tally")
    return found


@pytest.mark.parametrize(
    ("ways", "might"),
    [
        ((), 1),
        (("bless",), 3),
        (("more", "more"), 7),
        (("other",), 1),
        (("bless", "pass"), 1),
        (("bless", "more", "pass"), 4),
    ],
)
def test_it_modifies_a_number_for_each_that_lies_there(ways: tuple[str, ...], might: int):
    assert tally(*ways, "look") == might


def test_it_counts_its_time_and_then_does_what_it_is_for():
    assert lives(blessed("bless")) == [20, 20]
    # It is over by then, so that its own abilities answer no more.
    assert lives(blessed("bless", "pass")) == [40, 20]
    assert lives(blessed("other", "pass", "pass")) == [20, 20]


def test_its_abilities_answer_once_for_each_with_what_it_took():
    assert lives(blessed("heal")) == [21, 20]
    assert lives(blessed("more", "heal")) == [18, 20]
    # The first is over after that turn, and the other one answers what it does.
    assert lives(blessed("more", "more", "heal")) == [20 + 1 - 6 + 30 - 3, 20]


def test_an_event_ends_it_early_and_then_its_time_never_comes():
    game = blessed("bless", "hurt")
    assert (lives(game), variable(game, "tally")) == ([13, 20], 2)
    assert lives(taken(game, "pass", "pass")) == [13, 20]
    assert tally("more", "scratch", "count") == 1
    assert tally("hurt") == 0


def test_a_text_ends_it_and_nothing_happens_where_there_is_none():
    assert tally("bless", "end") == 2
    assert tally("end") == 0
    assert tally("more", "more", "end", "count") == 0


def test_it_is_prolonged_and_shortened_but_never_over_by_that_alone():
    assert tally("bless", "longer", "left") == 2
    assert tally("more", "shorter") == 0
    assert lives(blessed("more", "shorter")) == [50, 20]
    assert tally("longer", "left") == 0


@pytest.mark.parametrize(
    ("stacks", "ways", "might", "count"),
    [
        ("each", ("more", "less"), 4, 1),
        ("each", ("more", "more"), 7, 2),
        ("longest", ("bless", "more"), 4, 1),
        ("longest", ("more", "less"), 4, 1),
        ("once", ("more", "bless"), 4, 1),
    ],
)
def test_what_a_second_one_does(stacks: str, ways: tuple[str, ...], might: int, count: int):
    assert tally(*ways, "look", stacks=stacks) == might
    assert tally(*ways, "count", stacks=stacks) == count


def test_the_longer_of_two_stays_whichever_came_first():
    assert tally("bless", "more", "look", stacks="longest") == 4
    assert tally("more", "less", "look", stacks="longest") == 4
    assert tally("bless", "more", "left", stacks="longest") == 2


def test_the_log_says_when_it_begins_and_ends_and_nothing_of_the_counting():
    game = blessed("bless")
    assert log(game.linked, game.events) == ["A is blessed by A, for 2 of A's turns"]
    game = taken(game, "pass")
    assert log(game.linked, game.events) == ["the blessing on A is over", "A gains 20"]
    game = blessed("more", "longer")
    assert log(game.linked, game.events) == ["the blessing on A lasts longer by 2 of A's turns"]


def test_everybody_sees_it_on_the_table():
    [seen] = view(blessed("more"), 1)["things"]["Blessing"]
    assert seen == {
        "name": "blessing 0",
        "begun_by": "A",
        "lies_on": "A",
        "time_left": 2,
        "much": 3,
    }
    assert view(blessed("bless", "pass"), 1)["things"]["Blessing"] == []


def test_it_is_in_saves_and_can_be_taken_back():
    game = blessed("more")
    assert lives(taken(resumed(game), "pass", "pass")) == [50, 20]
    after = taken(game, "end")
    assert variable(after, "tally") == 3
    assert lives(taken(after.undo(), "pass", "pass")) == [50, 20]


def test_two_that_are_over_leave_the_same_table():
    assert blessed("more", "end").state.world == blessed("bless", "end").state.world


# ------------------------------------------------------------------------- who has it, and who is asked

FIND = """\
- kind: extension
  id: losing
  operations:
    lose: {params: {what: Find}, sets: {finder(what): none}, english: "lose {what}", log: "{what} is lost"}
- kind: lasting
  id: shine
  on: Find
  takes: "by_whom: Player"
  while: "life(by_whom) > 10"
  ended: |
    say "the shine goes"
    set tally = tally + 1
- kind: lasting
  id: debt
  takes: "much: Int, whose: Find?"
  counts: "heal(who, gained)"
  stacks: each
  most: 2
  effect: |
    choose hit from players "Who pays?"
    choose one "How?":
        "heavy" when hit != me: hurt(hit, 10 * much)
        "light": hurt(hit, much + 4)
"""
FINDING = """\
choose one:
    "find":
        find(me) giving what
        begin shine(me) on what
        begin debt(1, what) for 1 by seat_after(me)
    "lose":
        for each what in those(f: all_finds): lose(what)
    "hurt": hurt(me, 12)
    "rest": heal(me, 1)
    "owe":
        begin debt(2, none) for 2
        say "owed"
    "count": set tally = count(debt)
"""
FINDS = """\
- kind: extension
  id: finds
  queries: {all_finds: {result: List of Find, max: 40, of: Find.finder, english: "all finds"}}
"""


def found(*ways: str) -> Game:
    """A duel of finds, after these answers."""
    return taken(started(program_of_duel(FINDING, FIND, FINDS)), *ways)


def lines(game: Game) -> list[str]:
    """What the log says since the last answer."""
    return log(game.linked, game.events)


def test_one_whose_bearer_is_gone_is_over_without_a_word_of_its_own():
    game = found("find", "lose")
    assert (lines(game), variable(game, "tally")) == (["find 0 is lost", "a shine is over"], 0)
    assert view(game, 0)["things"]["Shine"] == []


def test_one_whose_condition_fails_is_over_and_says_so():
    game = found("find", "hurt")
    over = ["A loses 12", "the shine on find 0 is over", "the shine goes"]
    assert (lines(game), variable(game, "tally")) == (over, 1)
    assert view(found("find", "rest"), 0)["things"]["Shine"] != []


TRUCE = """\
- kind: lasting
  id: truce
  on: Player
  takes: "much: Int"
  while: "tally < most_told(much) and self not in seen"
  english: "{self} keeps a truce"
  ended: |
    heal(self, much)
- {kind: measure, id: most_told, takes: "much: Int", gives: Int, is: "much", english: "{much}"}
- kind: standing
  id: listening
  for: Player
  abilities: |
    when end truce(self): say "{self} hears it"
- kind: power
  id: count_for
  takes: "many: Int"
  gloss: "the tally goes up by {many}"
  effect: |
    set tally = tally + many
"""
TRUCES = """\
choose one:
    "begin": begin truce(3) on me
    "count": set tally = tally + 2
    "use": use count_for(2)
    "seen": add seat_after(me) to seen
    "see": add me to seen
    "pass": stop
"""
KEPT, OVER = ["A keeps a truce"], ["the truce on A is over", "A hears it", "A gains 3"]


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        (("begin",), KEPT),
        (("begin", "count"), []),
        (("begin", "count", "count"), OVER),
        (("begin", "use", "use"), OVER),
        (("begin", "seen"), []),
        (("begin", "see"), OVER),
        (("begin", "see", "pass"), []),
    ],
)
def test_a_condition_on_a_variable_is_looked_at_when_that_is_set(
    ways: tuple[str, ...], said: list[str]
):
    game = taken(started(program_of_duel(TRUCES, TRUCE)), *ways)
    assert lines(game) == said
    assert resumed(game).state == game.state


def test_its_owner_is_asked_unless_the_text_says_otherwise():
    game = found("find", "rest")
    assert (game.prompt.player, game.prompt.name) == (1, "hit")
    game = game.answer(game.prompt.id, "A")
    assert (game.prompt.player, [one.key for one in game.prompt.options]) == (1, ["light"])
    assert lives(game.answer(game.prompt.id, "light")) == [20 + 1 - 5, 20]


def test_one_more_than_there_can_be_comes_to_nothing():
    game = found("owe", "owe", "owe")
    assert lines(game) == ["turn comes to nothing: there are no more debts"]


# ------------------------------------------------------------------------- on the sheet of its bearer

RUST = """\
- kind: lasting
  id: rust
  title: Rust
  on: Charm
  takes: "deep: Int"
  counts: "after turn()"
  english: "{self} rusts, {deep} deep"
- kind: sheet
  id: charm-sheet
  of: "charm: Charm"
  title: "{charm}"
  sections: [{title: Power, rows: [{label: power, value: "power(charm)"}]}]
"""
RUSTING = 'choose one:\n    "rust":\n        for each one in Charm: begin rust(2) on one for 3\n'


def test_the_sheet_of_its_bearer_has_a_section_while_it_lasts():
    game = started(
        program_of_duel(RUSTING, RUST, charm("ring", "when heal(self, much): hurt(self, 1)"))
    )
    [sheet] = game.linked.program.sheets
    pages = [
        page_of(one.linked, one.state.world, sheet, 0, lambda kind, number: "")
        for one in (game, taken(game, "rust"))
    ]
    assert [block.title for block in pages[0].blocks] == ["Power"]
    [line] = pages[1].blocks[1].lines
    assert (line.label, line.value, line.note) == ("ring rusts, 2 deep", "2", "begun by A")
