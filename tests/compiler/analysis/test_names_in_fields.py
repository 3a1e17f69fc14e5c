"""What names in fields mean: what their reader noted, what the field is called after, or the word."""

from __future__ import annotations

import pytest

from ruleloom.compiler.analysis.analysis import GameAnalysis, SourceFile
from ruleloom.compiler.pipeline import Compiler

CASES = """\
kind: scenarios
cases:
  - id: x
    given: {things: {own: {kind: suit}}}
    when: [{power: create}]
"""
SUIT = "- {kind: suit, id: waves, title: Waves, tags: [wet, own]}\n"


def analysis_of(pack: str) -> GameAnalysis:
    result = Compiler(most_results=0, uses=True).compile(pack, scenarios=False)
    assert result.content is not None
    return GameAnalysis(result.content, result.program, result.uses)


@pytest.fixture(scope="module")
def gnostica() -> GameAnalysis:
    return analysis_of("gnostica")


def meant(analysis: GameAnalysis, text: str, word: str) -> str:
    """What a word of a new file means; empty for nothing."""
    found = SourceFile([analysis], "new.yaml", text).at(text.index(word))
    return f"{found.meaning.table} {found.meaning.name}" if found is not None else ""


def test_a_field_called_after_a_kind_names_an_item_of_that_kind(gnostica):
    assert ("suit", "create") in gnostica.ids, "else nothing could be mistaken"
    assert meant(gnostica, CASES, "create}") == "item gnostica:power/create"


def test_a_word_means_what_it_means_in_the_game(gnostica):
    assert meant(gnostica, CASES, "suit}") == "kind suit"
    assert meant(gnostica, "- {kind: patch, id: x, target: power/move}\n", "power/move") == (
        "item gnostica:power/move"
    )


def test_a_name_that_nothing_has_means_nothing(gnostica):
    assert meant(gnostica, SUIT, "wet") == ""


def test_records_note_the_items_that_their_fields_name():
    moonstone = analysis_of("moonstone")
    noted = [one for many in moonstone.uses.values() for one in many if not one.is_slug]
    assert {one.meaning.table for one in noted} == {"item", "value"}
    items = {one.meaning.name for one in noted if one.meaning.table == "item"}
    assert items <= moonstone.items.keys()


def test_words_are_declared_where_the_vocabulary_says_so(gnostica):
    places = {f"{one.table} {one.name}": place for one, place in gnostica.declared.items()}
    for word in ("operation place", "enum Facing", "value Facing.N", "kind suit"):
        assert places[word].path.endswith("vocabulary.yaml"), word
