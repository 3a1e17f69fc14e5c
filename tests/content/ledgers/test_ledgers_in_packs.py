"""The ledgers of the four games: the clauses of the rule ledgers beside the checkout, in words of
our own, each proved by a scenario."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT
from tests.content.clause_pages import citations, items_of

LEDGERS = ROOT.parent / "shared" / "rules"
RULESETS = ROOT / "rulesets"
GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
LONGEST_ECHO = 6  # words in a row that a clause may share with the ledger it comes from

# What nobody has to try: what a player jots down, what people agree upon, sheets of paper.
UNPROVED = {
    "witchgates.justify.xp-may-move",
    "witchgates.justify.personal-goals",
    "witchgates.setup.printed-sheets",
}

needs_ledger = pytest.mark.skipif(
    not LEDGERS.is_dir(), reason="the rule ledgers do not lie beside the checkout"
)


@cache
def clauses_of(game: str) -> tuple[Any, ...]:
    return tuple(items_of(RULESETS / game / "ledger.yaml"))


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_says_something_of_its_own(game: str):
    words = [one["words"] for one in clauses_of(game)]
    assert all(one["kind"] == "clause" and one["place"] and one["sort"] for one in clauses_of(game))
    assert len(words) == len(set(words))


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_is_proved_by_a_scenario(game: str):
    cited = citations(sorted((RULESETS / game / "scenarios").glob("*.yaml")))
    wanted = {one["id"] for one in clauses_of(game) if one["sort"] != "narrative"}
    assert wanted - set(cited) == {one for one in UNPROVED if one.startswith(f"{game}.")}


@needs_ledger
@pytest.mark.parametrize("game", GAMES)
def test_a_ledger_has_the_clauses_of_the_rules(game: str):
    wanted = {one["id"]: (one["section"], one["kind"]) for one in rules_of(game)}
    assert {one["id"]: (one["place"], one["sort"]) for one in clauses_of(game)} == wanted


@needs_ledger
@pytest.mark.parametrize("game", GAMES)
def test_the_words_are_our_own(game: str):
    theirs = {
        echo
        for one in rules_of(game)
        for text in (one["rule"], one.get("reading", ""))
        for echo in runs_of(str(text))
    }
    assert [one["id"] for one in clauses_of(game) if runs_of(one["words"]) & theirs] == []


@cache
def rules_of(game: str) -> tuple[Any, ...]:
    text = (LEDGERS / f"{game}.yaml").read_text(encoding="utf-8")
    return tuple(yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def runs_of(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {tuple(words[at : at + LONGEST_ECHO]) for at in range(len(words) - LONGEST_ECHO + 1)}
