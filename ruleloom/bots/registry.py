"""Makes the bot of a seat by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ruleloom.bots.bot import Bot
from ruleloom.bots.gnostica_judge import GnosticaJudge
from ruleloom.bots.greedy import GreedyBot
from ruleloom.bots.lookahead import Judge
from ruleloom.bots.measured_judge import measured_judge
from ruleloom.bots.random import RandomBot
from ruleloom.bots.steady import SteadyBot
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import Refused

KINDS = ("greedy", "random", "steady")
JUDGES: Mapping[str, Callable[[Linked], Judge]] = {"gnostica": GnosticaJudge}
# A measure is asked at every position: fewer of them, or a turn takes too long.
MEASURED_BUDGET = 60


def make_bot(kind: str, linked: Linked, seed: int, seat: int) -> Bot:
    """A bot for one seat of one game; its chance follows from the seed and the seat."""
    if kind == "random":
        return RandomBot(seed, seat)
    if kind == "steady":
        return SteadyBot()
    own = JUDGES.get(linked.program.game)
    if own is not None:
        return GreedyBot(own(linked), seed, seat)
    judge = measured_judge(linked)
    if judge is None:
        raise Refused(
            f"nobody has told the greedy bot what is good in {linked.program.title}; `random` and `steady` play it"
        )
    return GreedyBot(judge, seed, seat, MEASURED_BUDGET)
