"""What a player may see, and that a player who spies on everything given to them learns nothing
more."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from typing import cast

import pytest

from ruleloom.runtime.analysis.derived_variables import DerivedVariables
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.step import run
from ruleloom.runtime.play.event_log import log, tell
from ruleloom.runtime.play.game import Game, moments, new_game
from ruleloom.runtime.play.view import is_public, view
from ruleloom.runtime.program.canonical_json import Json, canonical
from ruleloom.runtime.program.program import Choose
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import Type
from ruleloom.runtime.search.node import PlayNode
from tests.support.evening import PROGRAM, bind, play, start, step
from tests.support.rows import const

A, B, C = 0, 1, 2
SPY = B


def zone(game: Game, name: str):
    return game.state.world[game.linked.layout.index[name]]


def seen_by_spy(game: Game) -> str:
    """Everything that the spy is ever given at one moment, as one text."""
    prompts = [prompt for prompt in game.prompts if prompt.player == SPY]
    refused = [(r.key, r.label, r.reason) for r in game.refusals] if prompts else []
    options = [[(o.key, o.label) for o in prompt.options] for prompt in prompts]
    return canonical(
        [cast(Json, view(game, SPY)), refused, options, log(game.linked, game.events, SPY)]
    )


def swapped(game: Game, source: random.Random) -> Game | None:
    """The same moment with other cards where the spy cannot look: the others' hands, the heap and
    the crate.

    Cards that a running effect of another player already holds stay where they are.
    """
    index = game.linked.layout.index
    hand, heap, crate = (list(zone(game, name)) for name in ("hand", "heap", "crate"))
    others = [player for player in range(len(hand)) if player != SPY]
    unseen = [*heap, *crate, *(card for player in others for card in hand[player])]
    shuffled = source.sample(unseen, len(unseen))
    if shuffled == unseen:
        return None
    sizes = [len(heap), len(crate), *(len(hand[player]) for player in others)]
    parts = []
    for size in sizes:
        parts.append(tuple(sorted(shuffled[:size])))
        shuffled = shuffled[size:]
    for player, held in zip(others, parts[2:], strict=True):
        hand[player] = held
    world = list(game.state.world)
    world[index["heap"]], world[index["crate"]], world[index["hand"]] = (
        parts[0],
        parts[1],
        tuple(hand),
    )
    state = game.state._replace(world=tuple(world))
    asked = game.node.stop._replace(
        state=state
    )  # run anew, a secret choice would ask everybody again
    stop = asked if game.node.secret else run(game.linked, state, live=True)
    node = PlayNode(game.linked, stop._replace(events=()))
    return replace(game, node=node, random=None, seed=99)


@pytest.mark.parametrize("seed", range(40))
def test_a_spy_learns_nothing_from_the_position(seed):
    """The unseen cards may be any: views, prompts, refusals and log of the spy are the same
    bytes."""
    source = random.Random(seed)
    game = start(seed)
    compared = 0
    while not game.over:
        whose = {prompt.player for prompt in game.prompts}
        if game.state.frame is not None and (
            SPY in whose or game.node.row is game.linked.routines[1].rows[1]
        ):
            other = swapped(game, source)
            if other is not None:
                compared += 1
                assert seen_by_spy(game) == seen_by_spy(other)
        game = step(game, source)
    assert compared > 3


# ---------------------------------------------------------------------------------- two whole games


def twin(hands, bids) -> Game:
    """A game with the given cards dealt (as people deal), open answers that are the same in every
    twin."""
    game = new_game(link_game(PROGRAM, bind, ("A", "B", "C"), {"days": 7}))
    cards = {player: list(held) for player, held in enumerate(hands)}
    dealt = 0
    answers = {"mode": "pass", "optional": "skip"}
    while not game.over:
        prompt = game.prompts[0]
        if prompt.kind == "draw":
            owner = dealt // 3
            game = game.answer(prompt.id, cards[owner][dealt % 3])
            dealt += 1
        elif prompt.kind == "secret":
            game = game.answer(prompt.id, bids[prompt.player])
        elif prompt.name in ("held", "first_one"):
            game = hide(game)
        elif (
            prompt.kind == "mode"
            and prompt.player != SPY
            and "hide-fruits" in [o.key for o in prompt.options]
        ):
            game = game.answer(prompt.id, "hide-fruits")
        else:
            game = game.answer(
                prompt.id,
                answers.get(prompt.kind)
                or (prompt.default and prompt.default[0])
                or prompt.options[0].key,
            )
    return game


def hide(game: Game) -> Game:
    """Hide the cards that were not bid."""
    prompt = game.prompts[0]
    unbid = [o.key for o in prompt.options if o.key not in ("plain1", "plain2", "plain3")][:2]
    return game.answer(prompt.id, unbid if prompt.kind == "subset" else unbid[0])


BIDS = {A: "plain1", B: "plain3", C: "plain2"}
OWN = ("plain3", "leap1", "leap2")


def test_a_spy_learns_nothing_from_a_whole_game():
    """Two whole games that differ in what the others hold and hide look the same to the spy."""
    one = twin([("plain1", "spy1", "spy2"), OWN, ("plain2", "leap3", "leap4")], BIDS)
    two = twin([("plain1", "leap4", "plain4"), OWN, ("plain2", "spy3", "spy1")], BIDS)
    assert [e.keys for e in one.entries] != [e.keys for e in two.entries]
    assert "hide-fruits" in {key for entry in one.entries for key in entry.keys}
    assert seen_by_spy(one) == seen_by_spy(two)


def test_bids_are_hidden_until_all_are_made():
    game = start(4)
    while not game.node.secret:
        game = step(game, random.Random(1))
    first = next(prompt for prompt in game.prompts if prompt.player == A)
    game = game.answer(first.id, first.options[0].key)
    assert view(game, B)["asked"] == ["C"]
    assert [prompt["kind"] for prompt in view(game, B)["prompts"]] == ["secret"]


# ---------------------------------------------------------------------------------- views


def test_a_view_is_plain_data():
    game = play(start(3), random.Random(3), 20)
    for player in (A, B, C):
        text = canonical(cast(Json, view(game, player)))
        assert json.loads(text) == view(game, player)


def test_zones_as_each_player_sees_them():
    game = play(start(3), random.Random(3), 25)
    for player, name in enumerate(game.players):
        zones = view(game, player)["zones"]
        for other, held in zip(game.players, zone(game, "hand"), strict=True):
            assert zones["hand"][other] == (
                len(held)
                if other != name
                else [game.linked.layout.names["Fruit"][card] for card in held]
            )
        assert zones["heap"] == len(zone(game, "heap"))
        assert zones["crate"] == len(zone(game, "crate"))
        assert zones["meadow"] == [
            game.linked.layout.names["Fruit"][card] for card in zone(game, "meadow")
        ]


def test_only_own_prompts_are_shown():
    game = play(start(3), random.Random(3), 12)
    whose = game.prompt.player
    assert whose is not None
    for player in (A, B, C):
        seen = view(game, player)
        assert bool(seen["prompts"]) == (player == whose)
        assert seen["asked"] == ([] if player == whose else [game.players[whose]])


def test_scope_variables_and_things():
    game = play(start(3), random.Random(3), 12)
    seen = view(game, A)
    assert seen["scope"]["me"] in game.players
    assert seen["scope"]["day"] == game.state.scope[game.linked.scope_index["day"]]
    assert all(
        set(basket) == {"name", "owner", "size", "colour", "spot", "label"}
        for basket in seen["things"]["Basket"]
    )
    assert len(seen["things"]["Basket"]) <= 3


def test_a_finished_game_says_who_won():
    game = play(start(3, days=2), random.Random(3), 60)
    assert game.outcome is not None
    assert game.outcome.winner is not None
    assert view(game, A)["over"] == {
        "winner": game.players[game.outcome.winner],
        "reason": "the last day is over",
    }
    assert view(game, A)["prompts"] == []


# ---------------------------------------------------------------------------------- telling


@cache
def events_of(seed: int, answers: int = 60):
    source = random.Random(seed)
    game = start(seed)
    events = list(game.events)
    for _ in range(answers):
        if game.over:
            break
        game = step(game, source)
        events += game.events
    return game.linked, tuple(events)


def test_draws_as_each_reads_them():
    linked, events = events_of(1)
    drawn = next(event for event in events if event.kind == "drawn" and event.args[1] == A)
    title = linked.layout.titles["Fruit"][drawn.args[0]]
    assert tell(linked, drawn, A) == f"A draws {title}"
    assert tell(linked, drawn, B) == "A draws a fruit"
    assert tell(linked, drawn) == f"A draws {title}"


@pytest.mark.parametrize("seed", range(10))
def test_every_kind_of_event_has_words(seed):
    linked, events = events_of(seed)
    for event in events:
        for viewer in (None, A, B, C):
            line = tell(linked, event, viewer)
            assert (line is None) == (event.kind == "turn")
            assert line is None or ("{" not in line and line)


def lines_about(kind: str, name: str, viewer=None, seeds=range(30)) -> set[str]:
    found = set()
    for seed in seeds:
        linked, events = events_of(seed)
        found |= {tell(linked, e, viewer) or "" for e in events if (e.kind, e.name) == (kind, name)}
    return found


def test_words_for_operations():
    assert "A puts A's basket 1 on 0/0 on 0/0" in lines_about("operation", "put", seeds=[1])
    assert any(
        line.startswith("B carries B's basket") for line in lines_about("operation", "carry")
    )
    taken = lines_about("operation", "drop")
    assert "A's basket 2 on 0/0 is dropped" in taken
    assert "A: fill A's basket 1 on 0/0" in lines_about("operation", "fill", seeds=[1])


def test_what_is_hidden_is_only_counted():
    hidden = lines_about("operation", "hide", viewer=B)
    assert hidden >= {"A hides a fruit", "C hides a fruit"}
    assert any(line.startswith("B hides ") and "a fruit" not in line for line in hidden)
    shown = lines_about("operation", "show", viewer=A)
    assert shown
    assert not any("a fruit" in line for line in shown)


def test_words_for_the_rest():
    assert "The baskets are out." in lines_about("said", "The baskets are out.")
    assert any(line.startswith("bid: A ") for line in lines_about("revealed", "bid", viewer=C))
    assert any(
        " rolls " in line and line.endswith(" for luck") for line in lines_about("rolled", "luck")
    )
    assert any(" wins: the last day" in x for x in lines_about("finished", "the last day is over"))


def test_reasons_of_others_stay_with_them():
    linked, events = events_of(1)
    world = events[0].before
    secret = Event(
        "fizzled",
        "orchard:power/leap",
        ("no card fits: needs: Spy 3 is red",),
        world,
        world,
        A,
        None,
    )
    public = secret._replace(args=("it must fit",))
    assert tell(linked, secret, A) == "leap comes to nothing: no card fits: needs: Spy 3 is red"
    assert tell(linked, secret, B) == "leap comes to nothing"
    assert tell(linked, public, B) == "leap comes to nothing: it must fit"


def test_braces_in_names_are_not_filled_in():
    game = start(1, ("{to}", "{me}", "C"))
    lines = log(game.linked, game.events)
    assert lines[0].startswith("{to} draws ")
    assert any("{to} puts {to}'s basket" in line for line in lines)


# ---------------------------------------------------------------------------------- what is derived


def test_variables_that_hold_secrets_are_known():
    derived = DerivedVariables(PROGRAM)
    turn = PROGRAM.routines[1]
    marked = {turn.slots[slot] for id_, slot in derived.slots if id_ == turn.id}
    assert marked >= {"card", "held", "rest", "first_one", "won"}
    assert not marked & {"luck", "walked", "level"}
    assert derived.scope == {"used"}


def test_numbers_from_a_hidden_zone_are_hidden():
    """`choose level from the worth of my cards` tells what cards they are."""
    turn = PROGRAM.routines[1]
    hand = ("zone", "hand", ("scope", "me"))
    worth = ("each", "those", ("function", "orchard:measure/worth", ("slot", 0)), 0, hand, None)
    rows = tuple(
        replace(r, domain=worth) if isinstance(r, Choose) and r.name == "level" else r
        for r in turn.rows
    )
    changed = replace(
        PROGRAM, routines=(PROGRAM.routines[0], replace(turn, rows=rows), *PROGRAM.routines[2:])
    )
    assert (turn.id, turn.slots.index("level")) in DerivedVariables(changed).slots
    game = play(
        new_game(link_game(changed, bind, ("A", "B"), {"hand_size": 6}), 1), random.Random(2), 60
    )
    found = [
        is_public(secrecy_of(game.linked), one, B)
        for one in moments(game)
        if one.entry.player == A and one.entry.keys and one.entry.keys[0].isdecimal()
    ]
    assert found
    assert not any(found)


def test_the_length_of_a_zone_is_no_secret():
    derived = DerivedVariables(PROGRAM)
    count = ("count", ("zone", "hand", ("scope", "me")))
    assert not derived.of("orchard:flow/turn", count)
    assert derived.of("orchard:flow/turn", ("first", count, ("zone", "hand", ("scope", "me"))))
    assert not derived.of("orchard:flow/turn", ("zone", "meadow", None))
    assert derived.of("orchard:flow/turn", ("+", const(1), ("scope", "used")))


def test_hides_is_the_only_judge():
    game = play(start(3), random.Random(3), 12)
    secrecy = secrecy_of(game.linked)
    mine = zone(game, "hand")[A]
    world = (game.state.world,)
    assert mine
    assert not secrecy.hides(A, Type("Fruit"), mine[0], world)
    assert secrecy.hides(B, Type("Fruit"), mine[0], world)
    assert secrecy.hides(-1, Type("Fruit"), mine, world)
    assert not secrecy.hides(None, Type("Fruit"), mine[0], world)
    assert not secrecy.hides(B, Type("Player"), 1, world, derived=True)
    assert secrecy.hides(B, Type("Int"), 1, world, derived=True)
    assert not secrecy.hides(B, Type("Int"), 1, world)
    assert not secrecy.hides(B, Type("Fruit"), None, world)
    assert secrecy.hides(B, Type("Fruit"), None, world, derived=True)
