"""The order of ways that a judge cannot tell apart: the usual one first, then as unlike as can be."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from ruleloom.bots.lookahead import PlannedAnswers

Keyed = tuple[tuple[Any, ...], PlannedAnswers]
_NONE = object()


def varied(ways: Sequence[PlannedAnswers]) -> list[PlannedAnswers]:
    """The ways so that any first few of them differ as early as they can.

    A use that asks ten questions may have hundreds of ways and another answer to the first question
    only one; taken as they were found, the hundreds would leave no room for that one.
    """
    return [way for _, way in _varied([(answers_of(way), way) for way in ways], 0)]


def usual_first(
    ways: Sequence[PlannedAnswers], usual: PlannedAnswers | None
) -> list[PlannedAnswers]:
    """The ways, those that win at once before the usual one, and those that lose at once last."""
    found = [] if usual is None else [usual]
    plan = None if usual is None else answers_of(usual)
    found += [way for way in varied(ways) if answers_of(way) != plan]
    return sorted(found, key=lambda way: -way.worth)


def are_tied(ways: Sequence[PlannedAnswers]) -> bool:
    """Are most of the ways worth as much as the best, so that a judge has not told them apart?"""
    return len(ways) > 1 and ways[len(ways) // 2].worth == ways[0].worth


def answers_of(way: PlannedAnswers) -> tuple[Any, ...]:
    """The answers of a way, question by question."""
    return tuple(value for _, value in way.steps)


def _varied(ways: Sequence[Keyed], depth: int) -> list[Keyed]:
    if len(ways) < 2:
        return list(ways)
    groups: dict[Any, list[Keyed]] = {}
    for one in ways:
        answers = one[0]
        groups.setdefault(answers[depth] if depth < len(answers) else _NONE, []).append(one)
    if len(groups) == 1 and _NONE in groups:
        return list(ways)
    ordered = [_varied(group, depth + 1) for group in groups.values()]
    return [one for row in zip_longest(*ordered) for one in row if one is not None]
