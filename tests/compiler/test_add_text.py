"""A text more for a game that is compiled: the program is the one that a whole build makes, or the whole
build is left to say what follows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import pytest

from ruleloom.compiler import add_text
from ruleloom.compiler.analysis.texts import names_bound
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import compile_paths, load
from ruleloom.odds import question
from ruleloom.odds.question import NotAsked, ask
from ruleloom.runtime.program.program import Program

ALONE = (
    "roll luck = 1d20",
    "roll thrown = 7 d 6",
    "roll each thrown = 3 d 6\nlet best = highest(thrown)",
    "roll a = 1d6\nif a > 3:\n    roll b = 2d6\nelse:\n    let b = a",
    "let total = 0\nrepeat 3 times:\n    roll one = 1d6\n    set total = total + one",
    "roll a = 1d6\nroll b = 1d6\nlet least = lowest([a, b])",
    "choose who from players\nlet number = 1",
    "let many = count(one: players where one != me)",
)
OTHERS = {
    "moonstone": ("use shock(ann)", 'say "hello"', "roll a = 1d20\nset round = a"),
    "gnostica": (
        "use create",
        'choose one:\n    "a": let a = 1\n    "b": let a = 2',
        "draw card to me",
    ),
    "witchgates": ('say "again"',),
    "monotheism": ("ensure count(one in players) > 1\nlet a = 1",),
}
GAMES = tuple(OTHERS)


class Game(NamedTuple):
    """A shipped game: its content, and its program with reasons and rules texts."""

    content: Content
    program: Program


@cache
def game(name: str) -> Game:
    """A shipped game, compiled once."""
    content = load([name], Report(), scenarios=False)
    program = compile_paths([name], texts=True, scenarios=False).program
    assert content is not None
    assert program is not None
    return Game(content, program)


def asked(name: str, text: str, compiled: Program | None) -> Program:
    """The program of a question."""
    told = tuple(names_bound(text)) or ("1",)
    made = ask(game(name).content, text, told, compiled=compiled).words.made
    assert made.program is not None
    return made.program


@pytest.fixture
def no_build(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody may build a whole game."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a whole game was built")

    monkeypatch.setattr(question, "make_things", refuse)


@pytest.mark.parametrize("text", ALONE)
@pytest.mark.parametrize("name", GAMES)
def test_the_program_is_that_of_a_whole_build(name: str, text: str):
    assert asked(name, text, game(name).program) == asked(name, text, None)


@pytest.mark.usefixtures("no_build")
@pytest.mark.parametrize("text", ALONE)
@pytest.mark.parametrize("name", GAMES)
def test_what_only_rolls_asks_and_computes_needs_no_whole_build(name: str, text: str):
    asked(name, text, game(name).program)


@pytest.mark.usefixtures("no_build")
@pytest.mark.parametrize(
    ("name", "text"), [(name, text) for name, texts in OTHERS.items() for text in texts]
)
def test_whatever_else_a_text_does_is_left_to_a_whole_build(name: str, text: str):
    with pytest.raises(AssertionError, match="a whole game was built"):
        asked(name, text, game(name).program)


@pytest.mark.parametrize(
    "text",
    ["roll luck = 1d", "roll luck = 1d20\nlet a = luk", "let a = 1\nlet a = 2", "use nothing"],
)
def test_a_mistake_is_told_as_ever(text: str):
    told = []
    for compiled in (game("gnostica").program, None):
        with pytest.raises(NotAsked) as found:
            asked("gnostica", text, compiled)
        told.append(found.value.reasons)
    assert told[0] == told[1]
    assert told[0]


def test_a_program_of_other_packs_is_not_added_to(monkeypatch: pytest.MonkeyPatch):
    content, program = game("gnostica")
    other = replace(program, lock=tuple(replace(one, hash="0" * 64) for one in program.lock))
    seen = []
    made = add_text.with_text
    monkeypatch.setattr(
        "ruleloom.scenarios.setup.things.with_text", lambda *of: seen.append(made(*of))
    )
    ask(content, "roll luck = 1d20", ("luck",), compiled=other)
    assert seen == [None]
