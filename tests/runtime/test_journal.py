"""Saves: made between any two answers, and played on exactly as if nothing had happened."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import jsonschema
import pytest

from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.files import read_text
from ruleloom.runtime.play.game import moments, new_game
from ruleloom.runtime.play.journal import differences, load, loaded, save, saved_lines
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import Lock, Say
from ruleloom.runtime.program.state import state_data, state_hash, state_text
from ruleloom.runtime.program.values import Bind, FrozenMap
from tests.conftest import ROOT
from tests.support.evening import PROGRAM, bind, bind_for_game, play, start, step

# Every day a few games; `-m slow` plays more, and tests/laws does so with random small programs.
SEEDS = [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 8))]
MORE = [(seed, dice) for seed in range(4) for dice in (True, False)]


def text_of(game):
    return "\n".join(saved_lines(game, "0.1.0")) + "\n"


def again(moment, **options):
    return loaded(text_of(moment), bind_for_game, **options)


@pytest.mark.parametrize("seed", SEEDS)
def test_saved_between_any_two_answers(seed):
    """At each moment, also in mid-effect and between two secret answers, a save is the same
    game."""
    source = random.Random(seed)
    game = start(seed, ("A", "B", "C")[: 2 + seed % 2])
    kinds = set()
    while not game.over:
        kinds |= {prompt.kind for prompt in game.prompts}
        found = again(game).game
        assert found.state == game.state
        assert state_hash(found.state) == state_hash(game.state)
        assert found.prompts == game.prompts
        assert found.entries == game.entries
        assert (found.random, found.seed) == (game.random, game.seed)
        game = step(game, source)
    assert again(game).game.over
    assert kinds >= {"secret", "mode", "choose"}


@pytest.mark.parametrize("seed", SEEDS)
def test_plays_on_as_if_never_saved(seed):
    game = play(start(seed), random.Random(seed), 15)
    found = again(game).game
    one, other = (play(g, random.Random(99), 300) for g in (game, found))
    assert one.over
    assert text_of(one) == text_of(other)


@pytest.mark.parametrize("seed", SEEDS)
def test_undo_goes_as_far_back_as_before(seed):
    game = play(start(seed), random.Random(seed), 25)
    found = again(game).game
    while game.past:
        game, found = game.undo(), found.undo()
        assert text_of(game) == text_of(found)
        assert play(game, random.Random(1), 9).state == play(found, random.Random(1), 9).state
    with pytest.raises(Refused):
        found.undo()


def test_dice_that_people_throw():
    """Without a seed every roll and draw is a prompt; a save may stand at one."""
    source = random.Random(3)
    game = start(None)
    for _ in range(40):
        assert again(game).game.state == game.state
        game = step(game, source)
    assert again(game).game.random is None


def test_all_events_come_back():
    source = random.Random(5)
    game = start(5)
    events = list(game.events)
    for _ in range(30):
        game = step(game, source)
        events += game.events
    assert list(again(game).events) == events


def test_moments_lead_to_the_game():
    game = play(start(7), random.Random(7), 30)
    found = list(moments(game))
    assert [moment.entry for moment in found] == game.entries
    assert found[-1].after.state == game.state


def test_save_and_load_a_file(tmp_path):
    game = play(start(2, most=3, weather="rainy"), random.Random(2), 20)
    path = tmp_path / "game.save"
    save(game, path, "0.1.0")
    found = load(path, bind_for_game, game="orchard")
    assert found.game.state == game.state
    assert found.game.linked.settings == game.linked.settings
    assert found.lost is None
    save(play(game, random.Random(4), 3), path)
    assert len(load(path, bind_for_game).game.entries) > len(game.entries)


def test_every_line_fits_the_schema(tmp_path):
    schema = json.loads((ROOT / "schemas/save.schema.json").read_text(encoding="utf-8"))
    program = json.loads((ROOT / "schemas/program.schema.json").read_text(encoding="utf-8"))
    schema["oneOf"][0]["properties"]["program"] = {}
    lines = [json.loads(line) for line in saved_lines(play(start(2), random.Random(2), 20))]
    validator = jsonschema.Draft202012Validator(schema)
    for line in lines:
        validator.validate(line)
    jsonschema.Draft202012Validator(program).validate(lines[0]["program"])


def test_a_name_may_be_anything():
    names = ('"; é', "\u202e\u2028x", "\ud800", "#\x1b[0m")
    game = play(start(1, names), random.Random(1), 20)
    found = again(game).game
    assert found.players == names
    assert found.state == game.state


# ---------------------------------------------------------------------------------- packs since


def test_the_program_in_the_save_is_what_plays():
    """The packs may have changed or gone: the save keeps its own rules."""
    rows = tuple(
        replace(r, text="Hear!") if isinstance(r, Say) else r for r in PROGRAM.routines[0].rows
    )
    old = replace(
        PROGRAM, routines=(replace(PROGRAM.routines[0], rows=rows), *PROGRAM.routines[1:])
    )
    game = play(new_game(link_game(old, bind, ("A", "B")), 1), random.Random(1), 9)
    found = again(game)
    assert found.game.linked.program == old != PROGRAM
    assert "Hear!" in [event.name for event in found.events]


def test_differences_in_words():
    old = {
        "orchard": ("1.0.0", "a"),
        "more": ("2.1.0", "b"),
        "gone": ("0.3.0", "c"),
        "same": ("1.0.0", "d"),
    }
    locks = tuple(Lock(pack, version, hash_) for pack, (version, hash_) in old.items())
    installed = {
        "orchard": ("1.0.0", "x"),
        "more": ("2.2.0", "b"),
        "same": ("1.0.0", "d"),
        "new": ("1.0.0", "e"),
    }
    assert differences(locks, installed) == (
        "pack orchard 1.0.0 was edited since",
        "pack more was 2.1.0 and is 2.2.0 now",
        "pack gone 0.3.0 is no longer there",
    )
    assert differences(locks, None) == ()


def test_differences_reach_the_loader():
    game = play(start(1), random.Random(1), 9)
    assert again(game, installed={}).differences == ("pack orchard 1.0.0 is no longer there",)
    assert again(game, installed={"orchard": ("1.0.0", PROGRAM.lock[0].hash)}).differences == ()


def test_a_game_that_started_from_a_given_world():
    """A puzzle or scenario starts elsewhere; the save knows where."""
    linked = link_game(PROGRAM, bind, ("A", "B"))
    world = list(new_game(linked, 1).state.world)
    world[linked.layout.index["tree"]] = FrozenMap({(2, -1): 11, (0, 0): 10})
    game = play(new_game(linked, 4, tuple(world)), random.Random(4), 12)
    found = again(game).game
    assert found.state == game.state
    assert text_of(found) == text_of(game)
    assert [moment.entry for moment in moments(game)] == game.entries


def test_another_game_is_refused():
    with pytest.raises(SaveError, match="1: this is a save of `orchard`, not of `chess`"):
        again(start(1), game="chess")


def test_a_game_this_version_does_not_know():
    with pytest.raises(SaveError, match="this version of Ruleloom cannot play `orchard`"):
        loaded(text_of(start(1)), dict[str, Bind]().__getitem__)


def test_other_python_leads_elsewhere():
    """The driver is not in the save. If it has changed, that is said and not played over."""

    def other(layout):
        driver = bind(layout)
        put = driver.operations["put"]

        def beside(world, player, size, to):
            return put(world, player, size, (to[0] + 1, to[1]))

        return replace(driver, operations={**driver.operations, "put": beside})

    with pytest.raises(SaveError, match="do not lead to the position that was saved"):
        loaded(text_of(start(1)), lambda name: other)


# ---------------------------------------------------------------------------------- recovery


@pytest.mark.parametrize(
    ("seed", "dice"),
    [(0, True), (1, False), *(pytest.param(s, d, marks=pytest.mark.slow) for s, d in MORE)],
)
def test_recovery_gives_the_game_up_to_the_damage(seed, dice):
    game = play(start(seed if dice else None), random.Random(seed), 30)
    lines = saved_lines(game)
    for cut in range(1, len(lines)):
        torn = "\n".join([*lines[:cut], lines[cut][: len(lines[cut]) // 2]])
        with pytest.raises(SaveError) as caught:
            loaded(torn, bind_for_game)
        assert caught.value.intact == cut - 1
        assert caught.value.line == cut + 1
        assert "intact and can be recovered" in str(caught.value)
        found = loaded(torn, bind_for_game, recover=True)
        assert found.lost == caught.value.message
        entries = found.game.entries
        assert entries[: cut - 1] == game.entries[: cut - 1]
        assert all(entry.player is None for entry in entries[cut - 1 :])


def test_a_recovered_game_has_the_same_dice_to_come():
    game = play(start(8), random.Random(8), 30)
    found = loaded("\n".join(saved_lines(game)[:-1]), bind_for_game, recover=True)
    assert found.game.random == game.random
    assert text_of(found.game) == text_of(game)


def test_a_save_without_its_end_says_so():
    lines = saved_lines(play(start(8), random.Random(8), 5))
    with pytest.raises(
        SaveError, match=r"the end of the save is missing; the [0-9]+ answers before it are"
    ):
        loaded("\n".join(lines[:-1]) + "\n", bind_for_game)
    assert loaded("\n".join(lines), bind_for_game).lost is None
    assert loaded("\r\n".join(lines) + "\r\n", bind_for_game).lost is None


# ---------------------------------------------------------------------------------- states


def test_state_text_is_plain_and_on_one_line():
    game = play(start(1), random.Random(1), 12)
    text = state_text(game.state)
    assert "\n" not in text
    assert set(json.loads(text)) == {
        "begun",
        "frames",
        "outcome",
        "queue",
        "scope",
        "world",
    }
    assert re.fullmatch("[0-9a-f]{64}", state_hash(game.state))
    assert state_data(game.state)["begun"] is True


def test_states_are_told_apart():
    state = start(1).state
    kinds = [
        (1, 2),
        FrozenMap({1: 2}),
        frozenset({1, 2}),
        ((1, 2),),
        FrozenMap({(1, 2): 1}),
        None,
        "1",
        True,
    ]
    hashes = {state_hash(state._replace(scope=(kind,))) for kind in kinds}
    assert len(hashes) == len(kinds)


def test_equal_states_have_equal_hashes():
    one = FrozenMap({(1, 2): 3, (0, 0): 1, (-1, 5): 2})
    two = FrozenMap({(-1, 5): 2, (1, 2): 3, (0, 0): 1})
    state = start(1).state
    first = state._replace(scope=(one, frozenset("abc")))
    second = state._replace(scope=(two, frozenset("cba")))
    assert first == second
    assert state_hash(first) == state_hash(second)


def test_a_save_is_text_for_people(tmp_path):
    path = tmp_path / "x.save"
    save(play(start(1, ("Zoë", "B")), random.Random(1), 20), path)
    text = read_text(path)
    assert '"by":"Zoë"' in text
    assert len(text.splitlines()) == text.count("\n")


def test_of_several_saves_of_one_game_the_rules_are_read_once():
    game = start(2)
    later = play(game, random.Random(2), 5)
    one, two = again(game).game, again(later).game
    assert one.linked is two.linked
    assert (one.state, two.state) == (game.state, later.state)
    other = again(start(3)).game
    assert (other.linked is one.linked, other.seed) == (False, 3)
