"""What building says is what `check` and `why` say: random records, offers taken, and refused ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.building.answer_lines import RecordChange
from ruleloom.building.bench import LEAST_ROOM
from ruleloom.building.building import Building, build
from ruleloom.building.choices import NUMBER, TABLE, all_choices
from ruleloom.building.offers import offers
from ruleloom.building.random_build import random_steps
from tests.laws.builds import (
    GAMES,
    Told,
    hold,
    prices_of,
    told_of,
    written,
    wrong_by_check,
    wrong_by_why,
)


@pytest.mark.parametrize(
    ("game", "seeds"), [("moonstone", range(10)), ("witchgates", range(20, 30))]
)
def test_what_building_says_of_random_records_is_what_check_and_why_say(
    tmp_path: Path, game: str, seeds: range
):
    seen = hold(tmp_path, game, seeds)
    assert not seen.wrong
    assert seen.counts["taken"]
    assert seen.counts["refused"]


def test_a_wrong_price_and_a_wrong_reason_are_noticed(tmp_path: Path):
    start = build("moonstone")
    told = [one for seed in range(3) for one in told_of(start, seed)[0]]
    pack = written(tmp_path / "people", "moonstone", [one.text for one in told])
    dearer = [one._replace(prices={"CV": one.prices["CV"] + 1}) for one in told]
    refused = [one._replace(reasons=frozenset(["too strange"])) for one in told]
    kind = start.bench.rows.entity.name
    assert not wrong_by_why(pack, kind, told)
    assert not wrong_by_check(pack, told)
    assert len(wrong_by_why(pack, kind, dearer)) == len(wrong_by_check(pack, refused)) == len(told)


def test_a_record_with_more_parts_than_there_was_room_for_is_priced_like_any_other(tmp_path: Path):
    start = build("moonstone")
    gifts = [*start.bench.items["Advantage"]]
    many = [start, *(start.say(f"gifts + {one}") for one in gifts[:2])]
    with_all = Building(start.bench, f"{start.text}gifts: [{', '.join(gifts)}]\n")
    assert len(gifts) > LEAST_ROOM
    told = [Told(x.text, prices_of(x), frozenset()) for x in (*many, with_all, start)]
    pack = written(tmp_path / "people", "moonstone", [one.text for one in told])
    assert not wrong_by_why(pack, start.bench.rows.entity.name, told)
    for one, there in ((with_all, len(gifts)), (many[1], 1), (start, 0)):
        frame = one.standing
        assert frame is not None
        assert len(frame.value(("records", "Gift"))) == there


def is_on_offer(building: Building, step: RecordChange) -> bool:
    """Is a change of a random record on offer: a number, or a thing for a list or a table?"""
    path, value = step.path, step.value
    while isinstance(value, dict | list) and len(value) == 1:  # the first of what is written
        [(key, value)] = value.items() if isinstance(value, dict) else enumerate(value)
        path = (*path, key)
    tops = [one for one in building.outer_choices if one.path == path[:1]]
    every = {one.path: one for one in all_choices(tops)}
    number = every.get(path)
    at, wanted = tops[0].at, str(path[-1] if tops[0].sort == TABLE else value)
    if number is not None and number.sort == NUMBER:
        at, wanted = number.at, str(value)
    return wanted in [one.value for one in offers(building, at).offers if one.legal]


@pytest.mark.parametrize(
    ("game", "seeds"), [("moonstone", range(4)), ("witchgates", range(4)), ("monotheism", range(2))]
)
def test_each_step_of_a_random_record_was_on_offer_in_its_turn(game: str, seeds: range):
    start = build(game)
    for seed in seeds:
        made, steps = random_steps(start, seed)
        now = start
        for step in steps:
            assert is_on_offer(now, step), (seed, step, now.text)
            now = now.take(step)
            assert now.legal, (seed, step, now.text)
        assert now.data == made.data


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", range(50))
def test_thousands_of_random_records_are_what_check_and_why_say(
    tmp_path: Path, game: str, part: int
):
    assert not hold(tmp_path, game, range(100 * part, 100 * part + 100)).wrong
