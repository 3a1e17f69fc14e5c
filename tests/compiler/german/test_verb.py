"""German verbs: commands, and clauses by themselves, before another clause and behind a conjunction."""

from __future__ import annotations

import pytest

from ruleloom.compiler.english.clause_tree import Unspoken
from ruleloom.compiler.german.verb import (
    MANY,
    SECOND,
    THIRD,
    Clause,
    commanded,
    done_by,
    finite,
    imperative,
    third,
    to_do,
)


@pytest.mark.parametrize(
    ("infinitive", "told"),
    [
        ("legen", "lege"),
        ("nehmen", "nimm"),
        ("übernehmen", "übernimm"),
        ("geben", "gib"),
        ("tun", "tu"),
        ("würfeln", "würfle"),
        ("verkleinern", "verkleinere"),
    ],
)
def test_a_command(infinitive: str, told: str):
    assert imperative(infinitive) == told


@pytest.mark.parametrize(
    ("written", "command", "infinitive"),
    [
        (
            "eine Handkarte ab-legen! und ihre Kraft nutzen!",
            "lege eine Handkarte ab und nutze ihre Kraft",
            "eine Handkarte ablegen und ihre Kraft nutzen",
        ),
        (
            "Karten ab-legen!, dann nach-ziehen!, bis die Hand voll ist",
            "lege Karten ab, dann ziehe nach, bis die Hand voll ist",
            "Karten ablegen, dann nachziehen, bis die Hand voll ist",
        ),
    ],
)
def test_a_verb_phrase(written: str, command: str, infinitive: str):
    assert (commanded(written), to_do(written)) == (command, infinitive)


@pytest.mark.parametrize(
    ("infinitive", "told"),
    [
        ("legen", "legt"),
        ("geben", "gibt"),
        ("übernehmen", "übernimmt"),
        ("verlassen", "verlässt"),
        ("überlassen", "überlässt"),
        ("richten", "richtet"),
        ("verkleinern", "verkleinert"),
        ("würfeln", "würfelt"),
        ("lesen", "liest"),
        ("tun", "tut"),
    ],
)
def test_what_somebody_does(infinitive: str, told: str):
    assert third(infinitive) == told


def test_a_verb_phrase_with_its_subject_has_its_verbs_last():
    written = "eine Handkarte ab-legen! und ihre Kraft nutzen!"
    assert done_by(written, "jemand", THIRD) == "jemand eine Handkarte ablegt und ihre Kraft nutzt"
    assert done_by(written, "du", SECOND) == "du eine Handkarte ablegst und ihre Kraft nutzt"


def test_what_stands_behind_a_verb_is_not_put_before_the_next():
    with pytest.raises(Unspoken):
        commanded("einen Stein verkleinern!, wie der Diener sagt, oder zerstören!")


@pytest.mark.parametrize(
    ("written", "main", "inverted", "last"),
    [
        (
            "{spot:nom} *ist* ein Gebiet",
            "{spot:nom} ist ein Gebiet",
            "ist {spot:nom} ein Gebiet",
            "{spot:nom} ein Gebiet ist",
        ),
        (
            "{player:nom} *scheidet* heute *aus-*: Alle gehen",
            "{player:nom} scheidet heute aus: Alle gehen",
            "scheidet {player:nom} heute aus: Alle gehen",
            "{player:nom} heute ausscheidet: Alle gehen",
        ),
        (
            "{minion:nom} *darf* auf {piece:akk} *zielen*, um ihn zu drehen",
            "{minion:nom} darf auf {piece:akk} zielen, um ihn zu drehen",
            "darf {minion:nom} auf {piece:akk} zielen, um ihn zu drehen",
            "{minion:nom} auf {piece:akk} zielen darf, um ihn zu drehen",
        ),
    ],
)
def test_a_clause(written: str, main: str, inverted: str, last: str):
    clause = Clause.read(written)
    assert (clause.main, clause.inverted, clause.last) == (main, inverted, last)


@pytest.mark.parametrize(
    ("third", "second", "many"),
    [
        ("ist", "bist", "sind"),
        ("scheidet", "scheidest", "scheiden"),
        ("steht", "stehst", "stehen"),
        ("besitzt", "besitzt", "besitzen"),
        ("darf", "darfst", "dürfen"),
    ],
)
def test_a_verb_agrees(third: str, second: str, many: str):
    assert (finite(third, SECOND), finite(third, MANY)) == (second, many)
