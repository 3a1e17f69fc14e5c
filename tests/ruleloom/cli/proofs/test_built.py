"""What is built is played: the file of `ruleloom compile` plays as the packs do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call

SERIES = ("--players", "random,random", "--seed", "3")


def test_a_built_game_plays_as_its_pack(tmp_path: Path):
    file = tmp_path / "game.json"
    assert call("compile", "gnostica", "-o", file).code == 0
    built, pack = (call("play", game, *SERIES) for game in (file, "gnostica"))
    assert built.code == 0
    assert "The game is over after 3 turns" in built.out
    assert built.out == pack.out


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--pack", "rulesets/examples/river-folk"), "takes no further packs"),
        (("--scene", "some/file.yaml"), "takes no scene from a file"),
    ],
)
def test_nothing_is_added_to_a_built_game(tmp_path: Path, more: tuple[str, ...], says: str):
    file = tmp_path / "game.json"
    file.write_text("{}", encoding="utf-8")
    done = call("play", file, *SERIES, *more)
    assert (done.code, says in done.err) == (2, True)


@pytest.mark.parametrize("text", ["{}", "[", '{"format": 99}'])
def test_another_file_is_refused(tmp_path: Path, text: str):
    file = tmp_path / "game.json"
    file.write_text(text, encoding="utf-8")
    done = call("play", file, *SERIES)
    assert (done.code, "is no program that can be played" in done.err) == (2, True)
