"""A game goes on under another version of its rules: its state is carried by names, and nothing is lost."""

from __future__ import annotations

import json
from functools import cache

import jsonschema
import pytest

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.carry import Waits, carry
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import Game, beginning, go_back, new_game, parts
from ruleloom.runtime.play.journal import loaded, saved_lines, seam_data
from ruleloom.runtime.play.parting import parting
from ruleloom.runtime.play.scan import scan, sealed, unsealed
from ruleloom.runtime.play.seam import NoWord, join, upgraded
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.state import state_hash
from tests.conftest import ROOT
from tests.support.check_layer import compile_files, game_files
from tests.support.on_quarrel import lives, program_of_duel, started
from tests.support.quarrel_table import QUARREL

FIRST = ("the-bridge", "ann-the-bold", "bo", "2", "with-fire")
BOUNDS = "breath: {type: Int, initial: 20, min: 0, max: 40}"


@cache
def quarrel(*changes: tuple[str, str]) -> Program:
    """The quarrel of three heroes, with each of these texts of its files replaced by another."""
    files = dict(game_files(QUARREL))
    for old, new in (("heroes: [ann, bo]", "heroes: [ann, bo, cy]"), *changes):
        (name,) = [name for name, text in files.items() if old in text]
        files[name] = files[name].replace(old, new)
    result = compile_files(files, QUARREL, texts=True)
    assert result.program is not None, [one.message for one in result.diagnostics]
    return result.program


def linked(*changes: tuple[str, str], players=("A", "B"), settings=None):
    """The quarrel for two, changed so."""
    return link_game(quarrel(*changes), driver_of("quarrel"), players, settings)


def answered(game: Game, *words: str) -> Game:
    """The game after the options whose keys are these, or that are called so."""
    for word in words:
        prompt = game.prompt
        keys = {one.key: one.key for one in prompt.options}
        keys |= {one.label.lower().replace(" ", "-"): one.key for one in prompt.options}
        game = game.answer(prompt.id, keys[word])
    return game


def text_of(game: Game) -> str:
    return "\n".join(saved_lines(game, "tests")) + "\n"


def begun(*words: str, seed: int | None = 4) -> Game:
    """A game of the quarrel after these answers, as a save gives it back."""
    game = answered(new_game(linked(), seed), *(words or FIRST))
    return loaded(text_of(game), driver_of).game


def taken(game: Game, *changes: tuple[str, str], renames=(), agreed="we agreed") -> Game:
    """The game after a seam, saved and loaded again."""
    rules = linked(*changes)
    after = upgraded(join(game, text_of(game), rules, renames, agreed), rules)
    again = loaded(text_of(after), driver_of).game
    assert state_hash(again.state) == state_hash(after.state)
    assert text_of(again) == text_of(after)
    return after


def value(game: Game, field: str, who: str):
    """The field of somebody."""
    entity = field.partition(".")[0]
    column = game.state.world[game.linked.layout.index[field]]
    return column[game.linked.layout.names_of(entity).index(who)]


def aside(game: Game) -> list[str]:
    assert game.seam is not None
    return [one.words for one in game.seam.aside]


# ---------------------------------------------------------------------------------- identity


def test_the_same_version_is_the_same_game():
    for many in range(len(FIRST) + 1):
        game = (
            begun(*FIRST[:many]) if many else loaded(text_of(new_game(linked(), 4)), driver_of).game
        )
        found = carry(game.linked, game.state, linked(), {})
        assert found.aside == ()
        assert found.state == game.state
        assert state_hash(taken(game, agreed="").state) == state_hash(game.state)


def test_it_goes_on_from_the_open_question_with_its_dice_and_its_numbers_begin_anew():
    game = begun("the-bridge", "ann-the-bold")
    after = taken(game, agreed="")
    assert after.prompt.text == game.prompt.text == "Whom?"
    assert (after.serial, after.random, after.seed) == (0, game.random, game.seed)
    same = answered(game, "bo", "2"), answered(after, "bo", "2")
    assert value(same[0], "Hero.breath", "bo") == value(same[1], "Hero.breath", "bo")


# ---------------------------------------------------------------------------------- what is carried


def test_a_number_of_the_rules_counts_from_the_seam_on_and_the_past_stays():
    game = begun()
    after = taken(
        game,
        (
            'id: force, takes: "who: Hero", is: "skill(who)"',
            'id: force, takes: "who: Hero", is: "skill(who) + 5"',
        ),
    )
    assert value(after, "Hero.breath", "bo") == value(game, "Hero.breath", "bo")
    hit, was = (answered(one, "ann-the-bold", "bo", "1") for one in (after, game))
    assert value(hit, "Hero.breath", "bo") == max(0, value(was, "Hero.breath", "bo") - 5)


def test_a_renamed_thing_is_the_same_thing():
    game = begun()
    changes = ("id: bo,", "id: bodo, renamed_from: bo,"), ("[ann, bo, cy]", "[ann, bodo, cy]")
    after = taken(game, *changes, renames=(("hero/bo", "hero/bodo"),), agreed="")
    assert value(after, "Hero.breath", "bodo") == value(game, "Hero.breath", "bo") < 20
    assert aside(after) == []


def test_a_thing_that_moves_in_the_list_keeps_what_it_has():
    game = begun()
    moved = "- {kind: hero, id: aaron, title: Aaron}\n- {kind: hero, id: ann,"
    after = taken(game, ("- {kind: hero, id: ann,", moved), agreed="")
    assert value(after, "Hero.breath", "bo") == value(game, "Hero.breath", "bo")
    assert value(after, "Hero.breath", "aaron") == 20
    assert after.linked.layout.names_of("Hero")[value(after, "Hero.foe", "bo")] == "ann"


def test_a_thing_that_is_gone_is_set_aside_with_all_it_had():
    game = begun()
    gone = (
        ("- {kind: hero, id: ann, title: Ann the Bold, skill: 3}\n", ""),
        ("[ann, bo, cy]", "[bo, cy]"),
    )
    rules = linked(*gone)
    with pytest.raises(NoWord) as refused:
        join(game, text_of(game), rules, (), "")
    told = [one.words for one in refused.value.aside]
    assert "foe of Bo, Ann the Bold: it refers to what is gone" in told
    after = taken(game, *gone)
    assert aside(after) == told
    assert value(after, "Hero.foe", "bo") is None
    assert "there, Ann the Bold, Bo, Cy: it refers to what is gone" in told


def test_a_field_that_is_gone_is_set_aside_and_a_new_one_begins():
    game = begun()
    field = "foe: {type: Hero?}", "courage: {type: Int, initial: 7}"
    after = taken(game, field, (", foe(whom): who", ""))
    assert value(after, "Hero.courage", "bo") == 7
    assert aside(after) == ["foe of Bo, Ann the Bold: it is gone in the new version"]


def test_a_value_of_another_type_is_set_aside():
    after = taken(begun(), ("foe: {type: Hero?}", "foe: {type: Int}"), (", foe(whom): who", ""))
    assert aside(after) == ["foe of Bo, Ann the Bold: it holds something else in the new version"]
    assert value(after, "Hero.foe", "bo") == 0


def test_a_number_out_of_its_bounds_is_set_to_the_nearest_and_told():
    after = taken(begun(), (BOUNDS, "breath: {type: Int, initial: 3, min: 0, max: 5}"))
    assert value(after, "Hero.breath", "ann") == 5
    assert "breath of Ann the Bold, 20: the most is 5 in the new version" in aside(after)


def test_a_value_of_an_enum_that_is_gone_leaves_the_table_of_whoever_has_it():
    changes = (
        ("Wound: [bleeding, burning]", "Wound: [bleeding]"),
        (
            'wounds(whom, burning)": "wounds(whom, burning) + 1',
            'wounds(whom, bleeding)": "wounds(whom, bleeding) + 1',
        ),
    )
    assert quarrel(*changes)
    after = taken(begun(), *changes)
    assert aside(after) == ["wounds burning of Bo, 1: it is gone in the new version"]


def test_a_value_of_an_enum_with_another_name_is_carried():
    changes = (
        ("Wound: [bleeding, burning]", "Wound: [bleeding, scorched]"),
        (
            'wounds(whom, burning)": "wounds(whom, burning) + 1',
            'wounds(whom, scorched)": "wounds(whom, scorched) + 1',
        ),
    )
    after = taken(
        begun(), *changes, renames=(("value/Wound.burning", "value/Wound.scorched"),), agreed=""
    )
    assert dict(value(after, "Hero.wounds", "bo")) == {"scorched": 1}


def test_a_table_keeps_its_entries_where_the_initial_value_is_another_one():
    game = begun()
    after = taken(
        game,
        (
            "wounds: {type: Int, by: Wound, min: 0, max: 9}",
            "wounds: {type: Int, by: Wound, min: 0, max: 9, initial: 1}",
        ),
        agreed="",
    )
    assert dict(value(after, "Hero.wounds", "bo")) == {
        "bleeding": 0
    }  # and burning is 1, as usual now
    assert dict(value(after, "Hero.wounds", "ann")) == {"bleeding": 0, "burning": 0}


def test_a_variable_that_is_gone_or_has_another_name():
    game = begun()
    gone = (
        ('  round: {type: Int, life: game, initial: "0", english: the round}\n', ""),
        ("    set round = round + 1\n", ""),
    )
    after = taken(game, *gone)
    assert aside(after) == ["round, 1: it is gone in the new version"]
    renamed = (
        ("round: {type: Int", "beat: {type: Int"),
        ("set round = round + 1", "set beat = beat + 1"),
    )
    after = taken(game, *renamed, renames=(("variable/round", "variable/beat"),), agreed="")
    assert after.state.scope[after.linked.scope_index["beat"]] == 2


# ---------------------------------------------------------------------------------- where it can be done


LONGER = ("    roll luck = 1d6\n", "    roll luck = 1d8\n")


def test_within_a_routine_that_is_another_program_it_waits():
    game = begun("the-bridge", "ann-the-bold", "bo")
    with pytest.raises(Waits, match="`quarrel:flow/turn` is under way"):
        join(game, text_of(game), linked(LONGER), (), "")


def test_at_the_first_question_of_a_turn_the_turn_begins_anew_and_happens_once():
    game = begun()
    assert game.prompt.text == "Who strikes?"
    after = taken(game, LONGER, agreed="")
    assert after.prompt.text == "Who strikes?"
    rounds = [one.state.scope[one.linked.scope_index["round"]] for one in (game, after)]
    assert rounds == [2, 2]


def test_other_words_of_a_question_do_not_make_it_wait():
    after = taken(begun("the-bridge", "ann-the-bold"), ('"Whom?"', '"At whom?"'), agreed="")
    assert after.prompt.text == "At whom?"


def test_a_game_that_is_over_goes_on_under_no_rules():
    game = begun("the-bridge")
    while not game.over:
        game = game.answer(game.prompt.id, game.prompt.options[0].key)
    with pytest.raises(Refused, match="the game is over"):
        join(game, text_of(game), linked(), (), "")


def test_rules_by_which_nobody_could_play_on_are_refused():
    gone = "- {kind: hero, id: ann, title: Ann the Bold, skill: 3}\n", ""
    rules = linked(gone, ("[ann, bo, cy]", "[cy]"), ("- {kind: hero, id: bo, title: Bo}\n", ""))
    game = begun()
    with pytest.raises(Refused, match="nobody could play on from there: 1,000 effects"):
        upgraded(join(game, text_of(game), rules, (), "yes"), rules)


# ---------------------------------------------------------------------------------- what waits


WAIT = """
optional "wait":
    next time heal(who, _) where who = me:
        hurt(me, {much})
choose one:
    "go":
        say "gone"
    "help":
        heal(me, 1)
"""
EARLIER = (
    'optional "foresee":\n    next time hurt(who, _) where who = me:\n        say "so it came"\n'
)


def waiting(much: int, earlier: str = "") -> Program:
    """A duel in whose turns somebody may wait; `earlier` stands before that."""
    return program_of_duel(f"{earlier}{WAIT.format(much=much)}")


def kinds(program: Program) -> list[str]:
    return [one.name for one in program.entities if one.name.startswith("Later")]


@pytest.mark.parametrize(("much", "earlier"), [(7, ""), (7, EARLIER), (9, ""), (9, EARLIER)])
def test_what_waits_for_its_next_time_goes_on_by_what_it_does_now(much, earlier):
    game = started(waiting(7), seed=1)
    game = answered(game, "wait", "go")
    game = loaded(text_of(game), driver_of).game
    program = waiting(much, earlier)
    assert kinds(program) == (["Later1", "Later2"] if earlier else ["Later1"])
    rules = link_game(program, driver_of("quarrel"), game.players)
    after = upgraded(join(game, text_of(game), rules, (), ""), rules)
    after = answered(after, *(["skip"] if earlier else []), "skip", "help")
    assert lives(after)[0] == 20 + 1 - much


def test_what_waits_and_is_no_more_in_the_rules_is_set_aside():
    game = loaded(text_of(answered(started(waiting(7), seed=1), "wait", "go")), driver_of).game
    rules = link_game(
        program_of_duel(WAIT.format(much=7).partition("choose")[1] + WAIT.partition("choose")[2]),
        driver_of("quarrel"),
        game.players,
    )
    with pytest.raises(NoWord) as refused:
        join(game, text_of(game), rules, (), "")
    assert any("wait" in one.words for one in refused.value.aside)


# ---------------------------------------------------------------------------------- save, log, back


def test_back_is_the_bytes_of_before():
    game = begun()
    after = answered(taken(game, ("skill: 3", "skill: 4")), "ann-the-bold", "bo")
    text = text_of(after)
    assert scan(text).text == text_of(game)
    assert text.startswith(text_of(game))
    assert [len(one.entries) for one in parts(loaded(text, driver_of).game)] == [
        len(game.entries),
        2,
    ]


def test_every_line_of_a_save_with_a_seam_fits_the_schema():
    schema = json.loads((ROOT / "schemas/save.schema.json").read_text(encoding="utf-8"))
    schema["oneOf"][0]["properties"]["program"] = {}
    validator = jsonschema.Draft202012Validator(schema)
    changes = (BOUNDS, "breath: {type: Int, initial: 3, min: 0, max: 5}")
    lines = saved_lines(taken(begun(), changes))
    for one in lines:
        validator.validate(json.loads(one))
    assert sum('"seam":' in one for one in lines) == 1


def test_the_log_says_that_the_rules_are_other_ones_and_not_what_was_set_aside():
    after = taken(
        begun(),
        ("skill: 3", "skill: 4"),
        (BOUNDS, "breath: {type: Int, initial: 3, min: 0, max: 5}"),
    )
    (line, *_) = log(after.linked, beginning(after).events, 0)
    assert line.startswith("from here on the rules are other ones: quarrel")
    assert line.endswith("; 3 things are set aside")


def test_nobody_goes_back_over_a_seam_but_within_its_part():
    after = answered(taken(begun(), ("skill: 3", "skill: 4")), "ann-the-bold", "bo")
    with pytest.raises(Refused, match="nothing to take back"):
        taken(begun(), ("skill: 3", "skill: 4")).undo()
    assert state_hash(go_back(after, 0, after.players).state) == state_hash(beginning(after).state)


def test_a_game_can_go_on_over_several_seams():
    game = taken(begun(), ("skill: 3", "skill: 4"))
    game = answered(game, "ann-the-bold", "bo")
    text = text_of(game)
    rules = linked(("skill: 3", "skill: 5"))
    last = upgraded(join(loaded(text, driver_of).game, text, rules, (), ""), rules)
    again = loaded(text_of(last), driver_of).game
    assert state_hash(again.state) == state_hash(last.state)
    assert len(parts(again)) == 3


def test_a_save_with_a_seam_is_held_against_other_rules_from_its_seam_on():
    game = answered(taken(begun(), ("skill: 3", "skill: 4")), "ann-the-bold", "bo", "1")
    assert parting(game, linked(("skill: 3", "skill: 4"))) is None
    found = parting(game, linked(("skill: 3", "skill: 5")))
    assert found is not None


# ---------------------------------------------------------------------------------- hostile seams


def changed(text: str, **parts) -> str:
    """A save of two parts, the seam of its second changed so, with its checksums made good."""
    lines = text.rstrip("\n").split("\n")
    at = next(n for n, line in enumerate(lines) if '"seam":' in line)
    header = unsealed(lines[at])
    header["seam"] = {**header["seam"], **parts}
    return "\n".join([*lines[:at], sealed(header), *lines[at + 1 :]]) + "\n"


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        ({"save": "0" * 64}, "the part before this seam is not the one it was made after"),
        ({"state": "0" * 64}, "does not lead to the position after it"),
        ({"renames": [["hero/bo", "hero/ann"]]}, None),
        ({"renames": [["hero/bo"]]}, "`renames` of a seam is a list of lists of 2 texts"),
        ({"renames": {"hero/bo": "x"}}, "`renames` of a seam is a list of lists of 2 texts"),
        ({"renames": [["variable/round", "variable/(("]]}, None),
        ({"aside": [["", "gold", "9", "lost"]]}, "does not lead to the position after it"),
        ({"agreed": "x" * 501}, "`agreed` of a seam has at most 500 characters"),
        ({"agreed": 1}, "`save`, `state` and `agreed` of a seam are texts"),
        ({"more": 1}, "`seam` has `agreed`, `aside`, `renames`, `save`, `state`"),
    ],
)
def test_a_hostile_seam_is_refused(parts, told):
    text = text_of(taken(begun(), ("skill: 3", "skill: 4")))
    if told is None:  # it changes nothing, as these names are there
        seam = loaded(changed(text, **parts), driver_of).game.seam
        assert seam is not None
        assert seam_data(seam)["renames"] == parts["renames"]
        return
    with pytest.raises(SaveError) as refused:
        loaded(changed(text, **parts), driver_of)
    assert told in refused.value.message
    assert refused.value.line == len(text_of(begun()).split("\n"))


def test_a_part_without_its_seam_or_before_it_is_refused():
    game = begun()
    first, second = (
        text_of(game),
        text_of(taken(game, ("skill: 3", "skill: 4")))[len(text_of(game)) :],
    )
    with pytest.raises(SaveError, match="a seam has a part before it"):
        loaded(second, driver_of)
    with pytest.raises(SaveError, match="a seam has a part before it, and a first part has none"):
        loaded(first + first, driver_of)
    other = text_of(new_game(linked(), 5))
    with pytest.raises(SaveError, match="is not the one it was made after"):
        loaded(other + second, driver_of)


def test_damage_after_a_seam_leaves_what_is_before_it():
    after = answered(taken(begun(), ("skill: 3", "skill: 4")), "ann-the-bold", "bo")
    torn = text_of(after)[:-5]
    with pytest.raises(SaveError, match="2 answers before it are intact"):
        loaded(torn, driver_of)
    kept = loaded(torn, driver_of, recover=True)
    assert kept.game.seam is not None
    assert state_hash(kept.game.state) == state_hash(after.state)


def test_damage_before_a_seam_leaves_the_game_up_to_it():
    game = begun()
    lines = text_of(taken(game, ("skill: 3", "skill: 4"))).split("\n")
    lines[2] = lines[2].replace("n", "m")
    kept = loaded("\n".join(lines), driver_of, recover=True)
    assert kept.lost is not None
    assert (kept.game.seam, len(kept.game.entries)) == (None, 1)
