"""The order of answers to one event: `after:` of their items, else the order of packs and files.

Where answers of packs that do not know each other do not commute, whoever decides for the event is
asked in play. Where nobody does, it is an error if both change the open value of a moment, and else
a warning; both show both outcomes.
"""

from __future__ import annotations

from ruleloom.compiler.graph import in_order
from ruleloom.compiler.lower.answers.contests import Contests
from ruleloom.compiler.lower.answers.deciders import read_deciders
from ruleloom.compiler.lower.answers.said_order import SaidOrder, earlier_items
from ruleloom.compiler.lower.program import Build


def order_answers(build: Build) -> None:
    """Put triggers and replacements in the order that `after:` says, and deal with what has none: ask
    whoever decides for the event, else tell both outcomes."""
    sound = build.is_sound
    earlier, items = earlier_items(build.content, build.report), build.items_by_routine()
    if any(earlier.values()):
        ranks = {id: rank for rank, id in enumerate(in_order(earlier))}
        last = len(ranks)
        build.triggers.sort(key=lambda one: ranks.get(items[one.routine].id, last))
        build.replacements.sort(key=lambda one: ranks.get(items[one.routine].id, last))
    deciders = read_deciders(build)
    order = SaidOrder(build, earlier)
    if sound:
        contests = Contests(build, order, deciders)
        contests.of_triggers()
        contests.of_replacements()
        contests.of_overlaps()
        contests.ask()
