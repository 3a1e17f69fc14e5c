"""The figures of the measure: how many items are complete, right and short, by game and in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.english.generated import texts_of
from benchmarks.english.judging import Judgement, Texts, judge
from benchmarks.english.sheet_of_facts import Entry

COMPLETE_AIM, RIGHT_AIM = 0.98, 0.99


@dataclass(frozen=True, slots=True)
class Figures:
    """Of so many items, how many are complete, right and short."""

    items: int
    complete: int
    right: int
    short: int

    @property
    def kept(self) -> bool:
        """Are the aims reached?"""
        return self.complete >= COMPLETE_AIM * self.items and self.right >= RIGHT_AIM * self.items


def judge_all(entries: Sequence[Entry]) -> list[tuple[Entry, Texts, Judgement]]:
    """Each item of a sheet with its texts and what is to be said of them."""
    found = []
    for entry in entries:
        texts = texts_of(entry.packs).get(entry.item)
        if texts is None:
            raise ValueError(f"{entry.item}: there is no such item in {', '.join(entry.packs)}")
        found.append((entry, texts, judge(entry, texts)))
    return found


def figures(judged: Sequence[Judgement]) -> Figures:
    """Count what has been judged."""
    return Figures(
        len(judged),
        sum(one.complete for one in judged),
        sum(one.right for one in judged),
        sum(one.short for one in judged),
    )


def table(rows: Sequence[tuple[str, Figures]]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| game | items | complete | right | at most 60 words |",
        "| --- | --: | --: | --: | --: |",
    ]
    for name, one in rows:
        shares = " | ".join(
            _share(part, one.items) for part in (one.complete, one.right, one.short)
        )
        lines.append(f"| {name} | {one.items} | {shares} |")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / max(1, whole):.0f} %)"
