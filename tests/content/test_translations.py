"""The shipped translations: complete, and read beside the English of the same game."""

from __future__ import annotations

import re
from html import unescape

import pytest

from ruleloom.api.languages import language_for
from ruleloom.api.linking import driver_of
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.compiler.translation.rules_sentences import on_cards
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.link.link_game import link_game
from ruleloom.runtime.play.event_log import log
from ruleloom.runtime.play.game import new_game, read_in
from ruleloom.runtime.play.journal import saved_lines
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.language import Language
from ruleloom.runtime.program.program import Program
from tests.conftest import ROOT
from tests.support.command import call

GERMAN = ROOT / "rulesets" / "translations" / "gnostica-de"
FIVE = ("fool", "hermit", "sun", "hanged-man", "moon")


@pytest.fixture(scope="module")
def program() -> Program:
    """Gnostica with its texts."""
    program = compile_paths("gnostica", texts=True, scenarios=False).program
    assert program is not None
    return program


@pytest.fixture(scope="module")
def german(program: Program) -> Language:
    return language_for(program, "de")


@pytest.fixture(scope="module")
def linked(program: Program) -> Linked:
    return link_game(program, driver_of(program), ("Anna", "Bruno"))


def test_the_german_gnostica_is_complete():
    found = call("translation", "gnostica", "--language", "de")
    assert (found.code, found.out.split(":")[0]) == (0, "complete")


def test_its_holes_and_numbers_are_those_of_the_original():
    assert call("check", GERMAN).out.endswith("no problems\n")


def test_a_game_in_german(golden, linked: Linked, german: Language):
    """The log of a short game, as everybody may read it."""
    game = read_in(new_game(linked, seed=3), german)
    lines = log(game.linked, game.events)
    for step in range(24):
        if game.over:
            break
        prompt = game.prompts[0]
        lines.append(f"? {prompt.text} ({', '.join(one.label for one in prompt.options[:3])})")
        keys = prompt.usual or tuple(one.key for one in prompt.options[: max(1, prompt.least)])
        if prompt.kind == "mode":
            keys = (prompt.options[step % len(prompt.options)].key,)
        game = game.answer(prompt.id, keys)
        lines += log(game.linked, game.events)
    golden("german/game.txt", "\n".join(lines) + "\n")


def test_five_cards_in_german(golden, program: Program, german: Language):
    cards = german.with_rules(program).card_texts()
    told = [f"{german.titles[_title(name)]}\n{cards[f'gnostica:major/{name}']}" for name in FIVE]
    golden("german/cards.txt", "\n\n".join(told) + "\n")


def _title(name: str) -> str:
    return name.replace("-", " ").title()


def test_two_readers_at_one_table(linked: Linked, german: Language):
    """One game: what one reads in English the other reads in German, and answers by the same keys."""
    game = new_game(linked, seed=5)
    other = read_in(game, german)
    mine, theirs = game.prompts[0], other.prompts[0]
    assert mine.text == "Which card do you bid for the first turn?"
    assert theirs.text == "Welche Karte bietest du für den ersten Zug?"
    assert [one.key for one in mine.options] == [one.key for one in theirs.options]
    after, beside = (
        one.answer(one.prompts[0].id, (theirs.options[0].key,)) for one in (game, other)
    )
    assert after.state == beside.state
    assert list(saved_lines(after)) == list(saved_lines(beside))


ENGLISH = (
    *("the", "of", "you", "your", "with", "and", "is", "are", "to", "from", "on", "by", "that"),
    *("this", "when", "each", "which", "may", "not", "at", "or", "be", "it", "its", "as", "than"),
    *("then", "other", "piece", "card", "choose", "if", "no", "there", "one", "for", "under"),
)
"""English words that are not German."""


def english_in(text: str) -> list[str]:
    """The English words of a text."""
    return re.findall(rf"\b(?:{'|'.join(ENGLISH)})\b", text, re.IGNORECASE)


def test_every_card_is_read_step_by_step_in_german(program: Program, german: Language):
    cards, full = on_cards(program), dict(german.with_rules(program).texts)
    assert len(cards) == 26
    for id in cards:
        assert not full[id].startswith("[en]"), id
        assert not english_in(full[id]), id


def test_what_is_refused_is_refused_in_german(german: Language):
    limits = {"least": "1", "most": "3"}
    refused = Refused("that takes between {least} and {most} different options", **limits)
    assert str(refused) == "that takes between 1 and 3 different options"
    assert german.refusal(refused) == ("verlangt sind zwischen 1 und 3 verschiedene Möglichkeiten")
    assert german.refusal(Refused("the limit of {x}")) == "the limit of {x}"


def test_a_rulebook_is_german_to_the_last_word(tmp_path):
    book = tmp_path / "regeln.html"
    assert call("docs", "gnostica", "--rulebook", "--language", "de", "-o", book).code == 0
    page = book.read_text(encoding="utf-8")
    words = unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL))
    assert "[en]" not in words
    assert not english_in(words)


def test_a_pack_on_top_stays_english_where_nobody_has_translated_it(program: Program):
    """No sentence is half in one language: what lacks is English as a whole."""
    language = language_for(program, "de")
    assert dict(language.with_rules(program).texts)["gnostica:measure/prospects"].startswith(
        "[en] "
    )


def test_a_language_without_tables_is_refused(program: Program):
    with pytest.raises(Refused, match="there is no language `fr`; there are en, de"):
        language_for(program, "fr")
