"""Recorded games: played by the rules of today, they part where the rules have become others."""

from __future__ import annotations

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from tests.support.command import call

PACK = "kind: pack\nid: house\nversion: 1.0.0\ngame: gnostica\nedition: 1\n"


@cache
def recording() -> Path:
    """A game that two bots have played to its end."""
    file = Path(mkdtemp()) / "evening.game"
    done = call("play", "gnostica", "--players", "random,random", "--seed", "3", "--save", file)
    assert done.code == 0, done.err
    return file


@pytest.fixture
def house(tmp_path: Path) -> Path:
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK, encoding="utf-8")
    shutil.copy(recording(), folder / "evening.game")
    return folder


def patched(house: Path, setting: str, value: int) -> None:
    text = f"kind: patch\nid: other\ntarget: gnostica:setting/{setting}\nset: {{value: {value}}}\n"
    (house / "patch.yaml").write_text(text, encoding="utf-8")


def test_by_the_same_rules_it_is_the_same_game(house: Path):
    done = call("replay", house / "evening.game", "--against", house)
    assert (done.code, done.out) == (0, "plays as it was recorded: 34 answers\n")


def test_it_is_told_where_and_why_it_parts(house: Path):
    """Cards go to another player as soon as fewer are dealt; the end of a game is another."""
    patched(house, "starting_hand", 5)
    done = call("replay", house / "evening.game", "--against", house)
    said = "(chance: grow4): `A draws Grow 4` was told, and now `B draws Grow 4`"
    assert (done.code, done.out) == (1, f"it parts at answer 6 of 34 {said}\n")
    patched(house, "target_score", 1)
    told = json.loads(
        call("replay", house / "evening.game", "--against", house, "--format", "json").out
    )
    assert (told["answers"], told["parted"]["number"]) == (34, 34)


def test_an_answer_that_is_not_on_offer_gives_its_reason(house: Path):
    """B was placed on a territory, and now that takes wasteland."""
    patch = (
        "kind: patch\nid: never\ntarget: gnostica:measure/free_for_placement\n"
        "set: {is: 'vacant(spot) and wasteland(spot)'}\n"
    )
    (house / "patch.yaml").write_text(patch, encoding="utf-8")
    done = call("replay", house / "evening.game", "--against", house)
    assert (done.code, done.out) == (
        1,
        "it parts at answer 26 of 34 (B: 2/2): this cannot be answered any more: "
        "needs: no piece stands on Hanged Man\n",
    )


def test_recorded_games_in_a_pack_are_tests(house: Path):
    """One that parts fails, as does one that cannot be read; a pack needs no other cases."""
    done = call("test", house)
    assert (done.code, done.out.splitlines()[-1]) == (0, "1 passed, 0 failed, 0 not executable")
    patched(house, "starting_hand", 5)
    (house / "torn.game").write_text("{", encoding="utf-8")
    done = call("test", house)
    assert done.code == 1
    assert "evening.game:1: FAILED evening: it parts at answer 6 of 34" in done.out
    assert "torn.game:1: FAILED torn: " in done.out


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (
            ("--against", "moonstone"),
            "this is a game of gnostica, and these are rules of moonstone",
        ),
        (("--against", "gnostica", "--verify"), "--against only compares"),
        (("--format", "json"), "add --against PACK"),
    ],
)
def test_what_cannot_be_compared_is_refused(house: Path, more: tuple[str, ...], says: str):
    done = call("replay", house / "evening.game", *more)
    assert done.code == 2
    assert says in done.err
