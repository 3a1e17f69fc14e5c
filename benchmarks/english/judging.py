"""Judges the English of one item: in go its card and its full text and what the sheet says of it.

Complete: every fact stands on the card. Right: nothing that the sheet forbids, and no slip of grammar,
in either text. Short: at most so many words. What the author has printed on an item is nobody else's
English: it neither tells a fact, nor is it counted or blamed; but it has to be on the card.
"""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.english.sheet_of_facts import Entry
from benchmarks.english.slips_of_grammar import slips
from benchmarks.english.wording import found_in, is_worded

MOST_WORDS = 60


@dataclass(frozen=True, slots=True)
class Texts:
    """What is generated for an item, and what its author has printed on it."""

    card: str
    full: str
    printed: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is missing, wrong and too long in the English of one item."""

    item: str
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    words: int

    @property
    def complete(self) -> bool:
        """Does the card tell every fact?"""
        return not self.missing

    @property
    def right(self) -> bool:
        """Is nothing wrong, neither on the card nor in the full text?"""
        return not self.wrong

    @property
    def short(self) -> bool:
        """Would a card carry it?"""
        return 0 < self.words <= MOST_WORDS


def judge(entry: Entry, texts: Texts) -> Judgement:
    """Hold the texts of an item against what the sheet says of it."""
    card, full = (_without(texts.printed, text) for text in (texts.card, texts.full))
    missing = [
        f"{fact.kind}: {fact.wordings[0]}"
        for fact in entry.says
        if not any(is_worded(one, card) for one in fact.wordings)
    ]
    if texts.printed and _plain(texts.printed) not in _plain(texts.card):
        missing.append("printed: the author's own words")
    wrong = dict[str, None]()
    for place, text in (("card", card), ("full", full)):
        for wording in entry.never:
            sentence = found_in(wording, text)
            if sentence:
                wrong[f"{place}: never “{wording}”: {sentence}"] = None
        for slip in slips(text, entry.named):
            wrong[f"{place}: {slip}"] = None
    return Judgement(entry.item, tuple(missing), tuple(wrong), len(card.split()))


def _plain(text: str) -> str:
    return " ".join(text.replace("’", "'").split())


def _without(printed: str, text: str) -> str:
    """A text without the author's own words; lines stay lines."""
    lines = (_plain(line) for line in text.splitlines())
    own = _plain(printed)
    kept = "\n".join(line for line in lines if line)
    return kept.replace(own, "").strip() if own else kept
