"""A ladder of bots: all kinds against each other, as many at a table as the game is played by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.simulate.running import RunWishes, run_plan
from ruleloom.output.terminal import count_of
from ruleloom.reports.page import ReportPage
from ruleloom.reports.simulation_page import ladder_page
from ruleloom.simulate.executors import WorkPlace
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.ladder import ladder, wins_of
from ruleloom.simulate.run_plan import RunPlan, SentProgram, derived_seed


def ladder_report(
    title: str,
    command: str,
    sent: SentProgram,
    plan: RunPlan,
    kinds: Sequence[str],
    place: WorkPlace,
    wishes: RunWishes,
) -> tuple[ReportPage, bool]:
    """The ladder of these kinds of bots, and whether somebody broke it off."""
    seats = len(plan.players)
    if len(set(kinds)) != len(kinds) or len(kinds) < seats:
        help = (
            f"name each once, and {count_of(seats, 'kind')} or more: --ladder greedy,random,steady"
        )
        raise WrongUse("a ladder is of bots of different kinds", help)
    records: list[GameRecord] = []
    stopped = False
    for number, table in enumerate(combinations(kinds, seats)):
        seed = derived_seed(plan.seed, "ladder", number)
        at_table = replace(plan, bots=table, seed=seed, rotates=True)
        result = run_plan(sent, at_table, title, place, wishes)
        records += result.records
        if result.stopped:
            stopped = True
            break
    won = wins_of(records)
    return ladder_page(title, command, ladder(won), won), stopped
