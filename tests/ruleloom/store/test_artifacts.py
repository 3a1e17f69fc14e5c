"""Artifacts: games that come compiled are used for the very files they were made of, and trusted no more
than a save that a stranger sends.

The game is Nim; its artifacts are made once, and each test has a copy to spoil.
"""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from setuptools.errors import ExecError

from backend import compile_games, wheel_backend
from ruleloom.api import languages, making
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.program import Program
from ruleloom.store import store
from ruleloom.store.findings import FINDINGS
from ruleloom.store.inputs import packs_below
from ruleloom.store.item_texts import TEXTS
from ruleloom.store.language_tables import LANGUAGE_TABLES, RULES_SENTENCES
from ruleloom.store.programs import GAME, RULES
from ruleloom.store.store import (
    ARTIFACT,
    SEAL,
    PackStore,
    StoreEntry,
    StoreKind,
    pack_store_in,
    read_artifact,
    write_artifact,
)
from tests.support.command import call
from tests.support.empty_cache import kept_answers
from tests.support.known_games import FOLDER
from tests.support.pack_examples import manifest

KINDS: tuple[StoreKind[Any], ...] = (GAME, TEXTS)
NIM = FOLDER / "nim"
GERMAN = languages.TRANSLATIONS / "gnostica-de"
PLAY = ("play", NIM, "--players", "random,random", "--seed", "7")
EXPLAIN = ("explain", "nim:flow/turn", "--pack", NIM)
DEEP = "[" * 100_000


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The artifacts of Nim."""
    folder = tmp_path_factory.mktemp("made") / "compiled"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "ARTIFACTS", folder)
        compile_games.compile_game(NIM)
    return folder


@pytest.fixture(autouse=True)
def brought(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of artifacts of an installation whose user has no cache."""
    folder = tmp_path / "compiled"
    shutil.copytree(made, folder)
    monkeypatch.setattr(store, "ARTIFACTS", folder)
    monkeypatch.setattr(store, "ARTIFACTS", folder)
    monkeypatch.setattr(store, "_HELD", {})
    monkeypatch.setenv(store.FOLDER, store.OFF)
    monkeypatch.chdir(tmp_path)
    return folder


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may compile."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the compiler was asked")

    monkeypatch.setattr(making, "compile_paths", refuse)


def shelf(*packs: str, kept: store.Store | None = None) -> PackStore:
    found = pack_store_in(kept, packs or [str(NIM)])
    assert found is not None
    return found


def came(kind: StoreKind[Any], *packs: str) -> StoreEntry | None:
    """What came of a kind for packs, before it is checked."""
    there = shelf(*packs)
    body = read_artifact(there._artifact_name(kind))
    return there._entry(body, False) if body is not None else None


def name_of(kind: StoreKind[Any]) -> str:
    return shelf()._artifact_name(kind)


def body_of(folder: Path, kind: StoreKind[Any]) -> bytes:
    return (folder / (name_of(kind) + ARTIFACT)).read_bytes()[SEAL:]


def rewrite(folder: Path, kind: StoreKind[Any], change: Callable[[Any], object]) -> None:
    """Change what an artifact says, by somebody who knows about its seal."""
    head, _, says = body_of(folder, kind).partition(b"\n")
    data = json.loads(says)
    changed = change(data)
    text = json.dumps(data if changed is None else changed)
    write_artifact(name_of(kind), head + b"\n" + text.encode())


def no_answer() -> bool:
    """Whether neither programs nor texts come of the artifacts."""
    return all(shelf().find(kind) is None for kind in KINDS)


# ----------------------------------------------------------------------------------- what they are for


def test_a_game_that_came_compiled_is_played_without_the_compiler(
    brought, monkeypatch, no_compiler
):
    with_artifacts = [call(*words) for words in (PLAY, EXPLAIN, (*EXPLAIN, "--card"))]
    assert [done.code for done in with_artifacts] == [0, 0, 0]
    monkeypatch.undo()
    shutil.rmtree(brought)
    assert [call(*words) for words in (PLAY, EXPLAIN, (*EXPLAIN, "--card"))] == with_artifacts


def test_a_language_that_came_compiled_is_read_without_the_compiler(monkeypatch):
    compile_games.compile_translation(GERMAN)
    written = languages.made_languages([str(GERMAN)]).value
    made = languages.made_sentences([str(GERMAN)]).value

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the compiler was asked")

    monkeypatch.setattr(languages, "compile_paths", refuse)
    monkeypatch.setattr(languages, "read_content", refuse)
    assert languages.translated_in([str(GERMAN)], "de") == written["de"]
    assert languages.sentences_in([str(GERMAN)], "de") == made["de"]


def test_the_program_is_the_one_that_a_compilation_gives():
    result = compile_paths([NIM], texts=True, scenarios=False)
    assert shelf().find(GAME) == result.program
    assert shelf().find(RULES) == result.program, "numbers are computed by it, too"


def test_it_is_the_same_wherever_the_game_lies(tmp_path):
    shutil.copytree(NIM, tmp_path / "copy")
    assert shelf("copy").find(GAME) == shelf().find(GAME)


def test_what_was_checked_is_kept_and_sealed(tmp_path, brought):
    kept = store.Store(tmp_path / "cache", tmp_path / "key")
    program = shelf(kept=kept).find(GAME)
    shutil.rmtree(brought)
    store._HELD.clear()
    assert shelf(kept=kept).find(GAME) == program
    assert isinstance(program, Program)


def test_a_cache_that_cannot_be_written_is_no_hindrance(tmp_path):
    (tmp_path / "file").touch()
    nowhere = store.Store(tmp_path / "file" / "cache", tmp_path / "file" / "key")
    assert shelf(kept=nowhere).find(GAME) is not None


# ------------------------------------------------------------------------------------- other files


def test_an_edited_game_is_compiled_anew(tmp_path):
    shutil.copytree(NIM, tmp_path / "copy")
    with (tmp_path / "copy" / "pack.yaml").open("a", encoding="utf-8") as file:
        file.write("# mine\n")
    for kind in KINDS:
        assert came(kind, "copy") is None


def test_another_version_of_the_tool_has_none(monkeypatch):
    monkeypatch.setattr(store, "own_digest", lambda: "another")
    assert no_answer()


def test_a_pack_on_top_is_another_game(write_files):
    write_files(
        {"house/pack.yaml": manifest("house", 'requires: {gnostica: "*"}', game="gnostica")}
    )
    for kind in KINDS:
        assert came(kind, "house") is None
        assert came(kind, "gnostica", "house") is None


def test_a_changed_pack_below_is_seen(write_files, monkeypatch):
    write_files(
        {"house/pack.yaml": manifest("house", 'requires: {gnostica: "*"}', game="gnostica")}
    )
    house = Path("house")
    compile_games.compile_game(house)
    assert came(GAME, "house") is not None
    # The shipped game is another one now.
    monkeypatch.setattr(store, "packs_below", lambda ids, above: shelf("house").inputs)
    assert came(GAME, "house") is None


# ---------------------------------------------------------------------------------------- attacks


def test_every_changed_byte_is_noticed(brought):
    source = random.Random(3)
    for kind in KINDS:
        path = brought / (name_of(kind) + ARTIFACT)
        whole = path.read_bytes()
        for place in [0, SEAL - 1, SEAL, len(whole) - 1, *source.choices(range(len(whole)), k=10)]:
            changed = bytearray(whole)
            changed[place] ^= 1 << source.randrange(8)
            path.write_bytes(changed)
            assert came(kind) is None
        path.write_bytes(whole)
        assert came(kind) is not None


@pytest.mark.parametrize("left", [0, 1, SEAL - 1, SEAL, SEAL + 20, -1])
def test_every_cut_is_noticed(left: int, brought):
    for path in brought.iterdir():
        path.write_bytes(path.read_bytes()[:left])
    assert no_answer()
    assert call(*PLAY).code == 0


def test_one_with_the_name_of_another_is_noticed(brought):
    played, texts = (brought / (name_of(kind) + ARTIFACT) for kind in KINDS)
    texts.write_bytes(played.read_bytes())
    assert came(TEXTS) is None
    assert came(GAME) is not None


def test_what_is_no_file_is_none(brought):
    for path in list(brought.iterdir()):
        path.unlink()
        path.mkdir()
    assert no_answer()


def test_a_huge_one_is_not_read(brought, monkeypatch):
    monkeypatch.setattr(store, "LARGEST", 1000)
    assert no_answer()
    with pytest.raises(ValueError, match="more than an artifact may have"):
        write_artifact(name_of(GAME), b"x" * 1000)


HOSTILE = {
    "nothing": b"",
    "no data": b'{"below": [], "digest": "@"}',
    "no JSON": b'{"below": [], "digest": "@"}\n{',
    "no text": b'{"below": [], "digest": "@"}\n"\xff"',
    "deep": b'{"below": [], "digest": "@"}\n' + DEEP.encode(),
    "deep head": DEEP.encode() + b"\n{}",
    "a number of many digits": b'{"below": [], "digest": "@"}\n' + b"9" * 10_000,
    "a key twice": b'{"below": [], "digest": "@"}\n{"format": 2, "format": 2}',
    "a fraction": b'{"below": [], "digest": "@"}\n1e9999',
    "a list": b'{"below": [], "digest": "@"}\n[1, 2]',
    "a table": b'{"below": [], "digest": "@"}\n{"full": {"a": 1}, "cards": {}}',
    "pairs": b'{"below": [], "digest": "@"}\n{"full": [[["a"], "b"]], "cards": []}',
    "another digest": b'{"below": [], "digest": "0"}\n{"full": {}, "cards": {}}',
    "a pack below that is none": b'{"below": ["../.."], "digest": "@"}\n{"full": {}, "cards": {}}',
    "packs below that are numbers": b'{"below": [1], "digest": "@"}\n{"full": {}, "cards": {}}',
    "head of another shape": b'[]\n{"full": {}, "cards": {}}',
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE)
def test_a_right_hash_makes_nothing_sound(body: bytes):
    nothing = packs_below([], [])
    assert nothing is not None
    for kind in (*KINDS, LANGUAGE_TABLES, RULES_SENTENCES):
        write_artifact(name_of(kind), body.replace(b"@", nothing.content.encode()))
    assert no_answer()
    assert shelf().find(LANGUAGE_TABLES) is None
    assert shelf().find(RULES_SENTENCES) is None
    assert call(*PLAY).code == 0
    assert "Choose the amount taken" in call(*EXPLAIN).out


def first_routine(data: Any) -> Any:
    return data["routines"][0]["rows"][0]


PROGRAMS: dict[str, Callable[[Any], object]] = {
    "a future format": lambda data: data.update(format=99),
    "a part less": lambda data: data.pop("routines") and None,
    "a part more": lambda data: data.update(code="import os"),
    "a number for a text": lambda data: data.update(title=3),
    "a row of no kind": lambda data: first_routine(data).update(row="Program"),
    "a row that leads nowhere": lambda data: data["routines"][0]["rows"].append(
        {**first_routine(data), "row": "Jump", "to": 10**6}
    ),
    "a routine that is not there": lambda data: (
        data["endings"].append(10**6)
        if isinstance(data.get("endings"), list)
        else data.update(setup=10**6)
    ),
    "something else": lambda data: [data],
}


@pytest.mark.parametrize("change", PROGRAMS.values(), ids=PROGRAMS)
def test_a_program_is_checked_as_that_of_a_save(change: Callable[[Any], object], brought):
    rewrite(brought, GAME, change)
    assert came(GAME) is not None, "the hash is right"
    assert shelf().find(GAME) is None
    assert call(*PLAY).code == 0


def test_a_program_that_is_not_sound_is_not_sealed(brought, tmp_path):
    kept = store.Store(tmp_path / "cache", tmp_path / "key")
    rewrite(brought, GAME, PROGRAMS["a row of no kind"])
    assert shelf(kept=kept).find(GAME) is None
    assert not kept_answers(tmp_path / "cache")


def test_texts_cannot_steer_a_terminal(brought):
    rewrite(brought, TEXTS, lambda data: data["full"].update({"nim:flow/turn": "\x1b[2Jgone"}))
    out = call(*EXPLAIN).out
    assert "gone" in out
    assert "\x1b" not in out


def test_findings_are_never_taken_from_one(brought):
    """That a pack is free of mistakes is believed of sealed entries only."""
    clean = {"sound": True, "packs": 1, "items": 1, "found": []}
    nothing = packs_below([], [])
    assert nothing is not None
    head = json.dumps({"below": [], "digest": nothing.content})
    write_artifact(name_of(FINDINGS), f"{head}\n{json.dumps(clean)}".encode())
    assert came(FINDINGS) is not None
    assert shelf().find(FINDINGS) is None


# ------------------------------------------------------------------------------------------ building


def test_a_game_with_mistakes_ends_the_build(write_files, tmp_path, capsys):
    write_files({"games/slip/pack.yaml": manifest("slip") + "tilte: Slip\n"})
    assert compile_games.compile_all(tmp_path / "games") == 1
    assert "games/slip/pack.yaml:" in capsys.readouterr().err


def test_artifacts_of_an_earlier_build_are_gone(tmp_path, brought):
    assert list(brought.iterdir())
    assert compile_games.compile_all(tmp_path / "no games") == 0
    assert not brought.exists()


def test_nothing_is_written_to_another_ruleloom(tmp_path, capsys, brought):
    assert compile_games.main(str(tmp_path / "elsewhere")) == 1
    assert "does not lie in" in capsys.readouterr().err
    assert len(list(brought.iterdir())) == len(KINDS)


def test_a_build_fails_where_games_cannot_be_compiled(tmp_path, capfd):
    package = tmp_path / "ruleloom"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemExit('broken')\n", encoding="utf-8")
    with pytest.raises(ExecError, match="cannot be compiled"):
        wheel_backend.compile_games(tmp_path)
    assert "broken" in capfd.readouterr().err


def test_only_a_wheel_needs_the_libraries_of_the_compiler():
    assert any(one.startswith("lark") for one in wheel_backend.get_requires_for_build_wheel())
    for requires in (
        wheel_backend.get_requires_for_build_editable,
        wheel_backend.get_requires_for_build_sdist,
    ):
        assert not any(one.startswith("lark") for one in requires())
