"""German noun phrases in their cases."""

from __future__ import annotations

import pytest

from ruleloom.compiler.german.noun import declined, numbers_in
from ruleloom.runtime.program.language import in_form


@pytest.mark.parametrize(
    ("written", "forms"),
    [
        ("der Turm", "der Turm, den Turm, dem Turm, des Turms, vom Turm, zum Turm"),
        ("der Narr (-en)", "der Narr, den Narren, dem Narren, des Narren, vom Narren, zum Narren"),
        (
            "der Gehängte",
            "der Gehängte, den Gehängten, dem Gehängten, des Gehängten, vom Gehängten, zum Gehängten",
        ),
        ("die Sonne", "die Sonne, die Sonne, der Sonne, der Sonne, von der Sonne, zur Sonne"),
        (
            "das leere Feld am Rand",
            "das leere Feld am Rand, das leere Feld am Rand, dem leeren Feld am Rand, "
            "des leeren Felds am Rand, vom leeren Feld am Rand, zum leeren Feld am Rand",
        ),
        (
            "die Liebenden (Pl.)",
            "die Liebenden, die Liebenden, den Liebenden, der Liebenden, von den Liebenden, "
            "zu den Liebenden",
        ),
        ("Kelche 4", "Kelche 4, Kelche 4, Kelche 4, Kelche 4, von Kelche 4, zu Kelche 4"),
    ],
)
def test_a_phrase_has_all_its_cases(written: str, forms: str):
    cases = ("nom", "akk", "dat", "gen", "von", "zu")
    assert ", ".join(in_form(declined(written), case) for case in cases) == forms


def test_an_indefinite_phrase_has_other_endings():
    cases = ("nom", "akk", "dat", "gen")
    stone = declined("der {pips}e Stein", indefinite=True)
    assert [in_form(stone, case) for case in cases] == [
        "ein {pips}er Stein",
        "einen {pips}en Stein",
        "einem {pips}en Stein",
        "eines {pips}en Steins",
    ]


def test_articles_are_no_numbers():
    assert numbers_in("nimm eine von drei Karten zweimal, dann 4") == {3, 2, 4}


def test_a_hostile_phrase_takes_no_longer_than_its_length():
    """Forty adjectives that might end at every letter: no text of a pack may hold up a check."""
    text = "der " + "ee{" * 40 + "1"
    assert declined(text) == text
