"""Places to hook in: before, after and instead of a power or flow, and moments with an open value."""

from __future__ import annotations

import pytest

from ruleloom.runtime.play.game import Game
from tests.support.on_quarrel import (
    ASK,
    block,
    charm,
    codes,
    lives,
    played,
    program_of_duel,
    resumed,
    started,
    told,
    variable,
)


def power(head: str, effect: str) -> str:
    return f"- kind: power\n{block(head, 2)}  effect: |\n{block(effect)}"


STRIKE = power(
    'id: smite\ntakes: "whom: Player, much: Int"\ngloss: smite {whom}', "hurt(whom, much)"
)
FIND = power(
    'id: look\ngives: "found: Int"\ngloss: look',
    "set found = 2\nif life(me) > 19: stop\nset found = 1",
)
BLOW = """- kind: extension
  id: blows
  moments:
    blow_falls: {params: {whom: Player, much: Int}, open: much, english: "a blow falls on {whom}"}
    dusk: {params: {}, english: night falls}
- kind: power
  id: blow
  takes: "whom: Player, much: Int"
  gloss: deal a blow
  effect: |
    let hard = much
    blow_falls(whom, hard) giving hard
    hurt(whom, hard)
    dusk()
"""


def said(game: Game) -> list[str]:
    """The lines said since the game began."""
    return [one.name for one in game.events if one.kind == "said"]


# ------------------------------------------------------------------- before and after


def test_before_and_after_a_power_see_what_it_takes():
    eyes = charm(
        "eyes",
        "when before smite(self, much): set tally = life(self) + much\n"
        "when after smite(self, much): heal(self, 1)",
    )
    game = played("use smite(me, 3)", STRIKE, eyes, held=(("eyes",),))
    assert (variable(game, "tally"), lives(game)) == (23, [18, 20])


def test_nobody_else_is_asked():
    eyes = charm("eyes", "when before smite(self, much): heal(self, 1)")
    assert lives(played("use smite(me, 3)", STRIKE, eyes, held=((), ("eyes",)))) == [17, 20]


@pytest.mark.parametrize(("first", "found"), [("heal(me, 1)", 2), ("hurt(me, 1)", 1)])
def test_after_a_power_sees_what_it_gave_wherever_it_ended(first: str, found: int):
    eyes = charm("eyes", "when after look(found): set tally = tally + found")
    game = played(f"{first}\nuse look giving seen_so_far", FIND, eyes, held=(("eyes",),))
    assert variable(game, "tally") == found


def test_a_flow_is_a_place_too():
    eyes = charm(
        "eyes", 'when before turn(): say "dawn"\nwhen after turn() where self = me: say "dusk"'
    )
    game = started(program_of_duel(f'say "day"\n{ASK}', eyes), ("eyes",))
    assert said(game) == ["dawn", "day"]
    assert said(game.answer(game.prompt.id, "go"))[:2] == ["gone", "dusk"]


def test_a_trigger_answers_before_and_after_with_a_limit():
    once = power("id: pair\ngloss: smite twice", "use smite(me, 1)\nuse smite(me, 1)")
    trigger = """- kind: trigger
  id: balm
  event: "after smite(whom, much)"
  timing: immediately
  once_per: turn
  gloss: balm
  effect: heal(whom, 5)
"""
    assert lives(played("use pair", STRIKE, once, trigger)) == [23, 20]


def test_a_dead_end_in_an_answer_does_not_undo_what_it_answers():
    stuck = charm(
        "stuck", "when before smite(self, n):\n    choose one from seen\n    heal(one, 9)"
    )
    assert lives(played("use smite(me, 3)", STRIKE, stuck, held=(("stuck",),))) == [17, 20]


def test_a_program_without_answers_has_no_trace_of_the_place():
    plain = program_of_duel(f"use smite(me, 3)\n{ASK}", STRIKE)
    rows = [type(row).__name__ for one in plain.routines for row in one.rows]
    assert not {"Announce", "Replaceable"}.intersection(rows)


# ------------------------------------------------------------------- in place of a power


def test_a_power_is_replaced_and_used_all_the_same():
    half = charm("half", "instead of smite(self, much) where much > 1: use smite(self, much div 2)")
    assert lives(played("use smite(me, 6)", STRIKE, half, held=(("half",),))) == [17, 20]
    assert lives(played("use smite(me, 6)", STRIKE, half, held=((), ("half",)))) == [14, 20]


def test_what_is_replaced_is_not_over():
    eyes = charm("eyes", "when after smite(self, n): set tally = tally + 1")
    never = charm("never", "instead of smite(self, n): stop")
    game = played("use smite(me, 6)", STRIKE, eyes, never, held=(("eyes", "never"),))
    assert (variable(game, "tally"), lives(game)) == (0, [20, 20])


def test_two_replacements_run_within_one_another():
    half = charm("half", "instead of smite(self, n) where n > 1: use smite(self, n div 2)")
    less = charm("less", "instead of smite(self, n): use smite(self, n - 1)")
    game = played("use smite(me, 9)", STRIKE, half, less, held=(("half", "less"),))
    assert lives(game) == [17, 20]  # half of nine, and one less


def test_a_question_in_place_of_a_power_is_saved():
    asks = charm(
        "asks", "instead of smite(self, n):\n    optional by self:\n        use smite(self, n)"
    )
    game = started(program_of_duel(f"use smite(me, 5)\n{ASK}", STRIKE, asks), ("asks",))
    for key, left in (("do", [15, 20]), ("skip", [20, 20])):
        again = resumed(game)
        again = again.answer(again.prompt.id, key)
        assert lives(again) == left
        assert resumed(again).state == again.state


SEEK = power(
    'id: seek\ntakes: "who: Player"\ngives: "found: Player"\ngloss: seek', "set found = who"
)
SCAN = power('id: scan\ngives: "found: List of Player"\ngloss: scan', "set found = [me]")


@pytest.mark.parametrize(
    ("line", "tally"),
    [
        ("instead of look(n) where me = self: set n = 7", 7),
        ("instead of look(n) where me != self: set n = 7", 2),
        ("instead of look(n) where me = self:\n    use look giving n\n    set n = n + 5", 7),
        (
            "instead of look(n):\n    if life(self) > 3:\n        set n = 8\n        stop\n    set n = 9",
            8,
        ),
    ],
)
def test_what_replaces_a_power_gives_what_that_gives(line: str, tally: int):
    game = played(
        "use look giving seen_so_far\nset tally = seen_so_far",
        FIND,
        charm("p", line),
        held=(("p",),),
    )
    assert variable(game, "tally") == tally


def test_two_that_replace_what_gives_something_run_within_one_another():
    more = charm("more", "instead of look(n):\n    use look giving n\n    set n = n + 5")
    thrice = charm("thrice", "instead of look(n):\n    use look giving n\n    set n = n * 3")
    text = "use look giving seen_so_far\nset tally = seen_so_far"
    game = played(text, FIND, more, thrice, held=(("more", "thrice"),))
    assert variable(game, "tally") == 2 * 3 + 5


def test_a_thing_and_a_list_are_given_in_place_of_others():
    neighbour = charm("neighbour", "instead of seek(self, whom): set whom = seat_after(self)")
    all_of_them = charm("both", "instead of scan(them): set them = players")
    text = (
        "use seek(me) giving one\nhurt(one, 3)\nuse scan giving few\nfor each p in few: hurt(p, 1)"
    )
    game = played(text, SEEK, SCAN, neighbour, all_of_them, held=(("neighbour", "both"),))
    assert lives(game) == [19, 16]
    assert lives(played(text, SEEK, SCAN, neighbour, all_of_them)) == [16, 20]


def test_a_way_on_which_a_replacement_comes_to_nothing_is_not_offered():
    stuck = charm("stuck", "instead of seek(self, whom):\n    choose x from seen\n    set whom = x")
    go = power("id: go\ngloss: go", "use seek(me) giving one\nhurt(one, 3)")
    program = program_of_duel(f'{ASK}    "seek":\n        use go\n', SEEK, go, stuck)
    for held, ways in (((), ["go", "seek"]), (("stuck",), ["go"])):
        assert [one.key for one in started(program, held).prompt.options] == ways


def test_a_question_in_place_of_what_gives_something_is_saved():
    asks = charm(
        "asks", "instead of seek(self, whom):\n    choose x from players by self\n    set whom = x"
    )
    text = f"use seek(me) giving one\nhurt(one, 3)\n{ASK}"
    game = started(program_of_duel(text, SEEK, asks), ("asks",))
    again = resumed(game)
    assert lives(again.answer(again.prompt.id, "B")) == [20, 17]


# ------------------------------------------------------------------- moments


HARDER = charm("harder", "when blow_falls(self, much): set much = much + 3")
DOUBLE = charm("double", "when blow_falls(whom, much) where whom != self:\n    set much = much * 2")


@pytest.mark.parametrize(
    ("held", "life"),
    [
        ((), 18),
        ((("harder",),), 15),
        (((), ("harder",)), 18),
        (((), ("double",)), 16),
        # In the order of the items: twice two, and three more.
        ((("harder",), ("double",)), 13),
    ],
)
def test_answers_change_the_open_value_one_after_the_other(
    held: tuple[tuple[str, ...], ...], life: int
):
    game = played("use blow(me, 2)", BLOW, DOUBLE, HARDER, held=held)
    assert lives(game)[0] == life


def test_what_is_said_within_an_answer_shows_the_value_of_then():
    loud = charm("loud", 'when blow_falls(self, n):\n    set n = n + 1\n    say "it is {n}"')
    game = played("use blow(me, 2)", BLOW, loud, held=(("loud",),))
    assert [line for one in game.linked.program.routines for line in one.slots if line == "n"]
    assert lives(game) == [17, 20]


def test_an_answer_that_ends_early_has_changed_what_it_has_changed():
    early = charm(
        "early",
        "when blow_falls(self, n):\n    set n = n + 1\n    if n > 2: stop\n    set n = 9",
    )
    assert lives(played("use blow(me, 2)", BLOW, early, held=(("early",),))) == [17, 20]


def test_a_moment_within_an_answer_leaves_the_outer_value_alone():
    echo = charm(
        "echo",
        "when blow_falls(whom, n) where n > 3 once per turn:\n"
        "    use blow(whom, 1)\n    set n = n + 1",
    )
    game = played("use blow(me, 4)", BLOW, echo, held=(("echo",),))
    assert lives(game) == [14, 20]  # one for the echo, and five


def test_a_moment_without_an_open_value_only_comes():
    night = charm("night", "when dusk(): set tally = tally + 1")
    game = played("use blow(me, 2)", BLOW, night, held=(("night",), ("night",)))
    assert variable(game, "tally") == 2


def test_a_moment_in_mid_answer_is_saved():
    asks = charm(
        "asks",
        "when blow_falls(self, n):\n    set n = n + 1\n    optional by self:\n        set n = n + 10",
    )
    game = started(program_of_duel(f"use blow(me, 1)\n{ASK}", BLOW, asks), ("asks",))
    for key, left in (("do", [8, 20]), ("skip", [18, 20])):
        again = resumed(game)
        again = again.answer(again.prompt.id, key)
        assert lives(again) == left


def test_a_moment_writes_no_line_in_the_log():
    game = played("use blow(me, 2)", BLOW, HARDER, held=(("harder",),))
    assert not [line for line in told(game) if "blow" in line]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("when before smte(self, n): heal(self, 1)", "unknown-event"),
        ("when smite(self, n): heal(self, 1)", "unknown-event"),
        ("when before smite(self, n, more): heal(self, 1)", "too-many-arguments"),
        ("when before smite(n, self): heal(self, 1)", "type-mismatch"),
        ("when before smite(self, n): use smite(self, n)", "endless-trigger"),
        ("when before smite(self, n) once per turn: use smite(self, n)", ""),
        ("instead of smite(self, n): use smite(self, n)", ""),
        ("instead of look(): stop", "result-not-set"),
        ("instead of look(n): stop", "result-not-set"),
        ("instead of look(n):\n    if life(self) > 3: set n = 7", "result-not-set"),
        ("instead of look(n) where n > 3: set n = 7", "unknown-name"),
        ("instead of look(n): set n = n + 1", "unknown-name"),
        ("instead of look(n): set n = 7", ""),
        ("instead of blow_falls(self, n): stop", "fixed-operation"),
        ("when blow_falls(self, n) afterwards: set n = 1", "not-a-variable"),
        ("when blow_falls(self, n): set n = none", "type-mismatch"),
    ],
)
def test_mistakes_are_told(line: str, code: str):
    assert codes(charm("plum", line), STRIKE, FIND, BLOW) == [code] * bool(code)


@pytest.mark.parametrize(
    ("moment", "use", "code"),
    [
        ('{params: {n: Int}, open: m, english: "it is {n}"}', "tide(1)", "unknown-name"),
        ('{params: {n: Int}, open: n, english: "it is {n}"}', "tide(1)", "result-not-set"),
        ('{params: {n: Int}, open: n, english: "it is {n}"}', "tide(1) giving m", ""),
        ('{params: {n: Int}, english: "it is {n}"}', "tide(1) giving m", "gives-nothing"),
        ('{params: {n: Int}, english: "it is {n}"}', "tide(yes)", "type-mismatch"),
        ('{params: {n: Int}, english: "it is {n}"}', "tide(1)", ""),
    ],
)
def test_mistakes_in_moments_are_told(moment: str, use: str, code: str):
    tide = f"- {{kind: extension, id: tides, moments: {{tide: {moment}}}}}\n"
    high = charm("high", "when tide(n): heal(self, 1)")
    assert codes(tide, high, power("id: bathe\ngloss: bathe", use)) == [code] * bool(code)


# ------------------------------------------------------------------- dice

LUCKY = charm("lucky", "when rolled luck(who, n) where who = self: set n = 6")


def test_a_roll_is_changed_by_whoever_has_an_answer_to_it():
    turn = "roll luck = 1d6\nhurt(me, luck)"
    game = started(program_of_duel(turn + f"\n{ASK}", LUCKY), ("lucky",), seed=3)
    assert lives(game) == [14, 20]
    other = started(program_of_duel(turn + f"\n{ASK}", LUCKY), (), ("lucky",), seed=3)
    assert lives(other)[0] > 14


def test_any_roll_is_thrown_again_once_a_turn():
    again = charm(
        "again",
        "when rolled any(self, n) where n < 4 once per turn:\n"
        "    roll anew = 1d6 by self\n    set n = anew",
    )
    turn = "roll luck = 1d6\nset tally = luck\nroll more = 1d6\nset tally = tally + more"
    program = program_of_duel(f"{turn}\n{ASK}", again)
    game = started(program, ("again",))
    for face in (2, 5, 1):  # thrown: two, again five, and a one that stays
        game = game.answer(game.prompt.id, str(face))
    assert variable(game, "tally") == 6


def test_nothing_comes_after_a_roll_of_no_dice():
    more = charm("more", "when rolled any(self, n): set n = n + 3")
    turn = "set tally = 0\nroll luck = (tally * 2) d 6\nset tally = luck + 10"
    assert variable(started(program_of_duel(f"{turn}\n{ASK}", more), ("more",)), "tally") == 10


def test_dice_one_by_one_are_changed_too():
    up = charm("up", "when rolled each(self, dice):\n    remove 1 from dice\n    add 6 to dice")
    turn = "roll each pool = 2d6\nset tally = highest(pool)"
    game = started(program_of_duel(f"{turn}\n{ASK}", up), ("up",))
    assert variable(game.answer(game.prompt.id, "1 2"), "tally") == 6


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("when rolled lcuk(self, n): set n = 1", "unknown-event"),
        ("when rolled any(self, n): roll more = 1d6\n", "endless-trigger"),
        ("when rolled luck(self, n): set n = yes", "type-mismatch"),
        ("when rolled luck(self, n): set n = 1", ""),
    ],
)
def test_mistakes_about_rolls_are_told(line: str, code: str):
    luck = power("id: chance_it\ngloss: chance it", "roll luck = 1d6\nhurt(me, luck)")
    assert codes(charm("plum", line), luck) == [code] * bool(code)


@pytest.mark.parametrize(
    ("event", "does"),
    [("before smite(self, n)", "use smite(me, 1)"), ("rolled any(self, n)", "roll luck = 1d6")],
)
def test_what_an_answer_may_change_is_no_longer_known(event: str, does: str):
    extra = "- {kind: extension, id: aims, scope: {aim: {type: Player?, life: game, english: the aim}}}\n"
    text = f"set aim = me\n{does}\nhurt(aim, 1)"
    items = (extra, STRIKE, power("id: go\ngloss: go", text))
    assert codes(*items) == []
    assert codes(*items, charm("plum", f"when {event}: set aim = none")) == ["may-be-none"]


def for_all(name: str, line: str, more: str = "") -> str:
    return f"- kind: standing\n  id: {name}\n  for: Player\n{more}  abilities: |\n{block(line)}"


@pytest.mark.parametrize(
    ("more", "life"),
    [("", 20 - 2 * 2 - 3), ("  after: [standing/more]\n", 20 - (2 + 3) * 2)],
)
def test_after_says_which_answer_comes_first(more: str, life: int):
    twice = for_all("double", "when blow_falls(self, n): set n = n * 2", more)
    plus = for_all("more", "when blow_falls(self, n): set n = n + 3")
    assert lives(played("use blow(me, 2)", BLOW, twice, plus))[0] == life


@pytest.mark.parametrize(
    ("after", "found"),
    [
        ("standing/double", ["answer-order"]),
        ("standing/mroe", ["answer-order"]),
        ("quarrel:standing/mroe", ["answer-order"]),
        ("standing/more", ["answer-order"]),  # which comes after this one
        ("another:standing/mroe", []),  # of a pack that is not played with
    ],
)
def test_mistakes_in_the_order_are_told(after: str, found: list[str]):
    twice = for_all("double", "when blow_falls(self, n): heal(self, n)", f"  after: [{after}]\n")
    plus = for_all(
        "more", "when blow_falls(self, n): set n = n + 3", "  after: [quarrel:standing/double]\n"
    )
    assert codes(BLOW, twice, plus) == found


def test_a_moment_that_nothing_answers_leaves_a_variable_as_it_was():
    """It keeps its bounds, so that a loop over it stays as light as without the moment."""
    text = "let hard = 2\nblow_falls(me, hard) giving hard\nrepeat hard times: hurt(me, 1)"
    go = power("id: go\ngloss: go", text)
    assert codes(BLOW, go) == []
    answered = charm("plum", "when blow_falls(self, n): set n = n + 1")
    assert codes(BLOW, go, answered) == ["unbounded"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("blow_falls(me, hard) giving hard", ""),
        ("blow_falls(me, yes) giving hard", "type-mismatch"),
    ],
)
def test_a_moment_that_nothing_answers_is_checked(line: str, code: str):
    go = power("id: go\ngloss: go", f"let hard = 2\n{line}\nhurt(me, hard)")
    assert codes(BLOW, go) == [code] * bool(code)


def test_a_roll_that_is_called_any_changes_nothing_for_others():
    luck = power("id: chance_it\ngloss: chance it", "roll each any = 2d6\nhurt(me, count(any))")
    assert codes(charm("plum", "when rolled any(self, n): set n = 6"), luck) == []


# ------------------------------------------------------------------- what is never none

NAMED = """- kind: extension
  id: names
  moments: {sort_is_named: {params: {what: Sort}, open: what, english: "it is {what}"}}
"""
NAME = "let what = blade\nsort_is_named(what) giving what\nif what = gun: heal(me, 1)"


@pytest.mark.parametrize(("held", "life"), [(("eyes",), 21), ((), 20)])
def test_what_is_never_none_may_be_open(held: tuple[str, ...], life: int):
    eyes = charm("eyes", "when sort_is_named(what) where what = blade: set what = gun")
    assert lives(played(NAME, NAMED, eyes, held=(held,))) == [life, 20]


def test_and_cannot_be_made_none():
    eyes = charm("eyes", "when sort_is_named(what): set what = none")
    assert codes(eyes, NAMED) == ["type-mismatch"]
