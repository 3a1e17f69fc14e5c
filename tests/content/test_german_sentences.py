"""German sentences that nobody has translated: the compiler makes them of the words of the translation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
import yaml

from ruleloom.api import languages
from ruleloom.api.languages import (
    NO_SENTENCES,
    TRANSLATIONS,
    language_for,
    sentences_in,
    translated_in,
)
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.translation.realised import Realised
from tests.support.command import call
from tests.support.german_cards import CARDS, MORE_CARDS, brewed

GERMAN = TRANSLATIONS / "gnostica-de"
READ = {
    "gardener": (
        "Zahl: 37.\n"
        "Du darfst diese Karte zum Wachsenlassen nutzen. Bis zu zweimal: Drehe einen Diener."
    ),
    "thief": (
        "Zahl: 38.\n"
        "Wähle einen deiner Diener. Gibt es mindestens 2 Steine auf dem Feld, auf das der Diener zielt: "
        "Wähle unter den Steinen auf dem Feld, auf das der Diener zielt, einen, dessen Besitzer du nicht bist; "
        "drehe den Stein in die Blickrichtung des Dieners. Andernfalls nimm die nächste Karte des "
        "Nachziehstapels und gib sie auf deine Hand."
    ),
    "bridge": (
        "Zahl: 39.\n"
        "Wähle eine Karte aus deiner Hand. Lege die Karte auf den Ablagestapel. Drehe jeden deiner Steine auf "
        "dem Tisch in die Senkrechte. Wähle eins: (a) bewegen: nutze diese Karte zum Bewegen; "
        "(b) einen deiner Steine drehen: drehe einen deiner Steine anders."
    ),
}
"""Cards that no translator has seen."""
READ_MORE = {
    "council": (
        "Jeder Spieler wählt verdeckt eine Karte aus seiner Hand; dann zeigen alle, was sie gewählt haben. "
        "Lege das Gebot jedes Spielers auf den Ablagestapel."
    ),
    "beggar": (
        "Wähle einen Spieler, der du nicht bist. Der Spieler wählt bis zu 2 Karten aus der Hand des Spielers. "
        "Gib jede der Karten auf deine Hand."
    ),
    "judge": (
        "Wähle einen Spieler. Ist die Summe aus der Augenzahl jedes Steins des Spielers auf dem Tisch größer "
        "als 5, nutze diese Karte zum Wachsenlassen."
    ),
    "given": (
        "Wenn jemand eine Karte auf die Hand eines Spielers gibt und du der Spieler bist, nimm die nächste "
        "Karte des Nachziehstapels und gib sie auf deine Hand."
    ),
}


def cards_of(pack: Path) -> dict[str, str]:
    """The texts of the cards of a pack, in German."""
    program = compile_paths([str(pack)], texts=True, scenarios=False).program
    assert program is not None
    texts = language_for(program, "de", (str(pack),)).with_rules(program).card_texts()
    return {id.rpartition("/")[2]: text for id, text in texts.items() if id.startswith("brew:")}


@pytest.fixture(scope="module")
def made() -> Mapping[str, str]:
    return sentences_in((str(GERMAN),), "de").sentences


def test_cards_of_one_s_own_are_read_in_german(tmp_path):
    assert cards_of(brewed(tmp_path / "brew")) == READ


def test_what_others_choose_and_what_happens_is_read_in_german(tmp_path):
    texts = cards_of(brewed(tmp_path / "brew", MORE_CARDS))
    assert {id: text.partition("\n")[2] or text for id, text in texts.items()} == READ_MORE


def test_a_sentence_with_a_word_that_lacks_is_english_as_a_whole_and_the_word_is_told(tmp_path):
    pack = brewed(
        tmp_path / "brew",
        CARDS.replace("choose card from", "choose spare from").replace("(card)", "(spare)"),
    )
    text = cards_of(pack)["bridge"]
    assert text.splitlines()[1].startswith("[en] Choose a card from your hand (the spare).")
    found = call("translation", pack, "--language", "de")
    assert found.code == 1
    lacking = next(yaml.safe_load_all(re.sub(r"(?m)^#.*$", "", found.out)))[0]
    assert lacking["words"] == {"spare (card)": ""}


def test_the_pack_keeps_no_sentence_that_comes_out_the_same(made: Mapping[str, str]):
    written = translated_in((str(GERMAN),), "de").sentences
    assert not [one for one, says in written.items() if made.get(one) == says]


def test_made_sentences_are_german_to_the_last_word(made: Mapping[str, str]):
    assert len(made) > 430
    english = r"\b(the|you|your|piece|card|with|choose|which|of|and|if|is)\b"
    assert not [said for said in made.values() if re.search(english, said) or "⟦" in said]
    assert not [said for said in made.values() if re.search(r"  |[*!]|\{[a-z]| ,| \.", said)]


def test_references_of_a_made_sentence_are_those_of_the_english(made: Mapping[str, str]):
    for english, said in made.items():
        assert sorted(re.findall(r"\{\d+\}", english)) == sorted(re.findall(r"\{\d+\}", said)), said


def test_what_the_clause_before_is_about_is_said_by_a_pronoun(made: Mapping[str, str]):
    english = "If the piece is on the board, the piece is now one of your minions."
    assert made[english] == "Ist der Stein auf dem Tisch, gehört er jetzt zu deinen Dienern."


def test_the_verb_comes_first_behind_dann(made: Mapping[str, str]):
    assert any(", dann bekommst du " in one for one in made.values())
    assert not [one for one in made.values() if re.search(r"\bdann (du|der|die|das) ", one)]


def test_a_text_stands_as_a_heading_and_as_a_sentence_but_a_question_gets_no_full_stop(
    made: Mapping[str, str],
):
    assert made["The pips of the largest piece"] == "Die Augen des größten Steins"
    assert not [one for one in made if one.endswith("?.") or re.search(r"\{[a-z]", one)]


def test_sentences_are_not_made_before_one_is_read(monkeypatch):
    program = compile_paths("gnostica", scenarios=False).program
    assert program is not None
    asked = list[str]()

    def made_now(packs: Sequence[str], code: str) -> Realised:
        asked.append(code)
        return NO_SENTENCES

    monkeypatch.setattr(languages, "sentences_in", made_now)
    german = language_for(program, "de")
    assert (german.said("nobody"), asked) == ("niemand", [])
    german.with_rules(program)
    german.sentences_said()
    assert asked == ["de"]
