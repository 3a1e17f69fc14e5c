"""Questions about odds that are kept compiled: who asks again, perhaps with other policies, waits for no
compiler, and nobody can tell by what is said."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from ruleloom.cache import compiled as kept_programs
from ruleloom.cache import store
from ruleloom.cli.faults import FINDINGS
from ruleloom.cli.odds import compile_question
from ruleloom.compiler.pipeline import load
from ruleloom.odds import kept_question, question
from ruleloom.runtime.program.canonical_json import SaveError
from ruleloom.scenarios.setup.things import make_things
from tests.support.command import call
from tests.support.empty_cache import empty_cache, kept_answers
from tests.support.pack_examples import manifest

GIVEN = """\
given:
  things:
    ann: {kind: character, weapons: [long_sword]}
    bert: {kind: character}
  state:
    ann: {here: yes, side: 1, pi: 100, mi: 100, ei: 20}
    bert: {here: yes, side: 2, pi: 100, mi: 100, ei: 20}
"""
BLOW = "use strike(ann, bert, long_sword)"
OF_THINGS = ("moonstone", BLOW, "--given", "given.yaml", "--of", "success")
TOSS = "roll luck = 2d6\nchoose more from [0, 1]\nlet total = luck + more"
QUESTIONS: list[tuple[str, ...]] = [
    ("gnostica", "roll luck = 2d6"),
    ("gnostica", TOSS, "--of", "total", "--of", "luck > 7", "--policy", "more=1"),
    ("gnostica", TOSS, "--of", "total", "--policy", "best:luck - more"),
    ("gnostica", TOSS, "--json", "--budget", "3", "--seed", "5"),
    OF_THINGS,
]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a cache, and nothing in it yet."""
    monkeypatch.chdir(tmp_path)
    Path("given.yaml").write_text(GIVEN, encoding="utf-8")
    return empty_cache(tmp_path, monkeypatch)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Everything that the compiler was asked for."""
    asked: list[object] = []

    def count(packs: Any, *words: Any, **options: Any) -> Any:
        asked.append(packs)
        return load(packs, *words, **options)

    monkeypatch.setattr(compile_question, "load", count)
    return asked


@pytest.mark.parametrize("words", QUESTIONS, ids=" ".join)
def test_the_second_time_says_the_same_without_the_compiler(
    words: tuple[str, ...], compiled: list[object], monkeypatch: pytest.MonkeyPatch
):
    first = call("odds", *words)
    assert first.code == 0, first.err
    assert call("odds", *words) == first
    assert len(compiled) == 1
    monkeypatch.setenv(store.FOLDER, store.OFF)
    assert call("odds", *words) == first
    assert len(compiled) == 2


def test_other_policies_ask_the_same_question(compiled: list[object]):
    answers = [
        call("odds", "gnostica", TOSS, "--of", "total", "--policy", f"more={more}")
        for more in (0, 1)
    ]
    assert "12  1/36" in answers[0].out
    assert "13  1/36" in answers[1].out
    assert len(compiled) == 1
    wrong = call("odds", "gnostica", TOSS, "--of", "total", "--policy", "less=1")
    assert "no prompt `less` comes up" in wrong.err
    assert len(compiled) == 1


@pytest.mark.parametrize(
    "other",
    [
        ("gnostica", "roll luck = 2d8"),
        ("gnostica", "roll luck = 2d6", "--of", "luck"),
        ("gnostica", "roll luck = 2d6", "--policy", "best:1"),
        ("gnostica", "roll luck = 2d6", "--given", "empty.yaml"),
    ],
    ids=" ".join,
)
def test_anything_else_is_another_question(other: tuple[str, ...], compiled: list[object]):
    Path("empty.yaml").write_text("given: {}\n", encoding="utf-8")
    call("odds", "gnostica", "roll luck = 2d6")
    call("odds", *other)
    assert len(compiled) == 2


def test_what_is_given_may_change(compiled: list[object]):
    first = call("odds", *OF_THINGS)
    Path("given.yaml").write_text(GIVEN.replace("ei: 20", "ei: 0"), encoding="utf-8")
    assert call("odds", *OF_THINGS).out != first.out
    Path("given.yaml").write_text(GIVEN, encoding="utf-8")
    assert call("odds", *OF_THINGS) == first
    assert len(compiled) == 2


def test_what_is_given_has_to_be_an_ordinary_file():
    """A pipe would be waited for, and some files have no end."""
    os.mkfifo("pipe.yaml")
    done = call("odds", "gnostica", "roll luck = 2d6", "--given", "pipe.yaml")
    assert done.code == FINDINGS
    assert "pipe.yaml:1:1: error[unreadable-file]: this is not an ordinary file" in done.out


def test_a_change_of_a_pack_is_seen(write_files: Any):
    pack = {"house/pack.yaml": manifest("house", 'requires: {gnostica: "*"}', game="gnostica")}
    limit = "kind: patch\nid: four\ntarget: setting/space_limit\nset: {value: 4}\n"
    words = ("odds", "house", "roll luck = 1d2", "--of", "space_limit")
    for value in (4, 5):
        write_files(pack | {"house/limit.yaml": limit.replace("value: 4", f"value: {value}")})
        for _ in range(2):
            assert f"  {value}  1  100.00%" in call(*words).out


def test_a_file_that_is_saved_meanwhile_is_not_taken_for_what_was_asked(
    compiled: list[object], monkeypatch: pytest.MonkeyPatch
):
    """The file is read once to look for the question, and again to compile it."""
    read = compile_question.read_given

    def changed_meanwhile(path: str) -> Any:
        Path(path).write_text(GIVEN.replace("ei: 20", "ei: 0"), encoding="utf-8")
        return read(path)

    with monkeypatch.context() as patch:
        patch.setattr(compile_question, "read_given", changed_meanwhile)
        late = call("odds", *OF_THINGS)
    Path("given.yaml").write_text(GIVEN, encoding="utf-8")
    assert call("odds", *OF_THINGS).out != late.out
    assert len(compiled) == 2


def test_what_is_kept_can_be_damaged(cache: Path, compiled: list[object]):
    first = call("odds", *QUESTIONS[0])
    for kept in kept_answers(cache):
        kept.write_bytes(kept.read_bytes()[:-20])
    assert call("odds", *QUESTIONS[0]) == first
    assert len(compiled) == 2


def test_a_question_that_cannot_be_read_is_compiled_anew(
    monkeypatch: pytest.MonkeyPatch, compiled: list[object]
):
    first = call("odds", *QUESTIONS[0])

    def refuse(_: object) -> None:
        raise SaveError("the program is of another format")

    monkeypatch.setattr(kept_question, "program_of", refuse)
    assert call("odds", *QUESTIONS[0]) == first
    assert len(compiled) == 2


def test_questions_without_a_meaning_are_not_kept(cache: Path):
    for _ in range(2):
        assert call("odds", "gnostica", "roll luck = 2d").code == 2
        assert call("odds", "gnostica", "roll luck = 1d6", "--of", "lucky").code == 2
    assert not kept_answers(cache)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The questions for which a whole game was built."""
    monkeypatch.setattr(kept_programs, "_READ", {})
    cases: list[object] = []

    def count(*of: Any, **options: Any) -> Any:
        cases.append(of)
        return make_things(*of, **options)

    monkeypatch.setattr(question, "make_things", count)
    return cases


def test_another_text_is_compiled_upon_the_game_that_the_first_has_left(built: list[object]):
    assert call("odds", "gnostica", TOSS, "--of", "total").code == 0
    again = call("odds", "gnostica", "roll luck = 3d6", "--of", "luck = 3")
    assert "1/216" in again.out
    assert len(built) == 1
    assert call(
        "odds", "gnostica", "use create"
    ).err  # whatever that is, only a whole build can tell
    assert len(built) == 2


def test_a_game_with_things_of_a_question_is_not_kept(built: list[object]):
    assert call("odds", *OF_THINGS).code == 0
    assert call("odds", "moonstone", "roll luck = 1d20").code == 0
    assert len(built) == 2


def test_another_game_is_not_the_one_that_was_kept(built: list[object], tmp_path: Path):
    inn = tmp_path / "inn"
    inn.mkdir()
    (inn / "pack.yaml").write_text(manifest("inn", "requires: {moonstone: '*'}", game="moonstone"))
    guests = "{kind: setting, id: guests, value: %d, english: how many guests there are}\n"
    for number in (4, 5):
        (inn / "settings.yaml").write_text(guests % number)
        told = call("odds", "inn", f"roll luck = 1d{number}", "--of", "luck + guests")
        assert f"{number + number}  1/{number}" in told.out, told.err
    assert len(built) == 2
