"""Games that are kept compiled: who plays or asks a second time waits for no compiler, and nobody can
tell by what is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ruleloom.api import making
from ruleloom.api.ready import ready
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.store import programs, store
from ruleloom.store.programs import GAME
from tests.conftest import ROOT
from tests.support.command import call
from tests.support.empty_cache import empty_cache, kept_answers
from tests.support.pack_examples import manifest

HOUSE = {
    "house/pack.yaml": manifest("house", 'requires: {gnostica: "*"}', game="gnostica"),
    "house/limit.yaml": "kind: patch\nid: four\ntarget: setting/space_limit\nset: {value: 4}\n",
}
COMMANDS = (
    ("play", "gnostica", "--players", "random,random", "--seed", "7", "--turn-limit", "2"),
    ("explain", "gnostica:major/tower"),
    ("explain", "gnostica:major/tower", "--card"),
    ("sheet", f"{ROOT}/rulesets/examples/first-light", "--of", "isk"),
    ("why", f"{ROOT}/rulesets/examples/first-light", "PR", "--of", "isk"),
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache, and nothing in it yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(store, "_HELD", {})
    return empty_cache(tmp_path, monkeypatch)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Everything that the compiler was asked for."""
    asked: list[object] = []

    def count(packs: object, **options: Any) -> CompileResult:
        asked.append(packs)
        return compile_paths(packs, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(making, "compile_paths", count)
    return asked


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_the_second_time_says_the_same_without_the_compiler(words, compiled):
    first = call(*words)
    assert first.code == 0, first.err
    asked = len(compiled)
    assert asked > 0
    assert call(*words) == first
    assert len(compiled) == asked


def test_the_program_that_is_played_computes_numbers_as_well(compiled):
    *_, sheet, why = COMMANDS
    ready(GAME, [sheet[1]])
    assert len(compiled) == 1
    by_played = [call(*words) for words in (sheet, why)]
    assert len(compiled) == 1
    store._HELD.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(store.FOLDER, store.OFF)
        assert [call(*words) for words in (sheet, why)] == by_played
    assert len(compiled) == 3


def test_a_check_on_top_of_a_kept_pack_is_made_once(compiled, write_files):
    write_files(
        {
            **HOUSE,
            "mine/pack.yaml": manifest("mine", 'requires: {house: "^1.0"}', game="gnostica"),
            "mine/limit.yaml": "kind: patch\nid: moon\ntarget: setting/target_score\nset: {value: 10}\n",
        }
    )
    assert call("add", "house", "--yes").code == 0
    first = call("check", "mine")
    assert "checked 3 packs" in first.out
    assert len(compiled) == 1
    assert call("check", "mine") == first
    assert len(compiled) == 1
    write_files({"house/pack.yaml": HOUSE["house/pack.yaml"].replace("1.0.0", "1.1.0")})
    assert call("add", "house", "--yes").code == 0
    call("check", "mine")
    assert len(compiled) == 2
    (Path("packs") / "house-1.1.0.zip").unlink()
    assert "house" in call("check", "mine").out
    assert call("check", "mine").code == 1


def test_a_change_of_a_pack_is_seen(write_files):
    write_files(HOUSE)
    asked = ("explain", "setting/space-limit", "--pack", "house")
    assert ": 4." in call(*asked).out
    assert ": 4." in call(*asked).out
    write_files({"house/limit.yaml": HOUSE["house/limit.yaml"].replace("value: 4", "value: 5")})
    assert ": 5." in call(*asked).out


def test_a_game_with_a_pack_is_kept_apart_from_the_game(write_files):
    write_files(HOUSE)
    asked = ("explain", "setting/space-limit")
    alone = call(*asked, "--pack", "gnostica").out
    assert ": 4." in call(*asked, "--pack", "house").out
    assert call(*asked, "--pack", "gnostica").out == alone
    assert ": 4." not in alone


def test_what_is_kept_can_be_damaged(cache):
    words = COMMANDS[0]
    first = call(*words)
    store._HELD.clear()  # else what this process has read before would answer
    (kept,) = kept_answers(cache)
    kept.write_bytes(kept.read_bytes()[:-20])
    assert call(*words) == first


def test_a_program_that_cannot_be_read_is_compiled_anew(monkeypatch):
    words = COMMANDS[0]
    first = call(*words)

    def refuse(_: object) -> None:
        raise SaveError("the program is of another format")

    monkeypatch.setattr(programs, "program_of", refuse)
    assert call(*words) == first


def test_packs_with_mistakes_are_not_kept(write_files, cache):
    write_files(HOUSE | {"house/limit.yaml": "kind: patch\nid: four\ntarget: setting/none\n"})
    for _ in range(2):
        done = call("play", "house", "--players", "random,random")
        assert done.code == 2
        assert "this patch changes nothing" in done.err
    assert not list(cache.glob("*"))
