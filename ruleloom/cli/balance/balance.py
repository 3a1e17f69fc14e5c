"""`ruleloom balance`: the effect of items, switches and numbers on wins."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

import click

from ruleloom.api.linking import driver_of
from ruleloom.api.making import sound
from ruleloom.bots.lookahead import judge_of
from ruleloom.cli.balance.balance_options import (
    exact_data,
    exact_figures,
    refuse_contradictions,
    refuse_unfit,
)
from ruleloom.cli.faults import CLEAN, WrongUse, refusals_told
from ruleloom.cli.options import (
    Wanted,
    format_option,
    option,
    pack_option,
    read_switches,
    run_seed_option,
    scene_option,
    switch_option,
)
from ruleloom.cli.play.scene_files import scene_in_file
from ruleloom.cli.play.start import bots_of, parse_scene, seats_of
from ruleloom.cli.simulate import simulate
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import count_of
from ruleloom.reports.page import text_of
from ruleloom.reports.run_reports import BalanceFindings, ExactFigure, ItemComparison, balance_page
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link_game import link_game
from ruleloom.simulate.balance import item_trials
from ruleloom.simulate.balance.dominance import dominances, has_text
from ruleloom.simulate.balance.verdicts import (
    ItemVerdict,
    PairVerdict,
    beaten_in_play,
    out_of_line,
    pair_verdict,
    pairs_together,
    screened,
    together,
    verdict,
)
from ruleloom.simulate.intervals import (
    contrasts,
    data_of,
    games_for_difference,
    sure_together,
)
from ruleloom.simulate.run_plan import TURN_LIMIT, GameRecord, RunPlan, SentProgram, plan_key
from ruleloom.simulate.simulation import WorkPlace

GAMES, MOST_GAMES = 400, 1_000_000
HAND_ROUNDS = 4
"""An item held at the start shows its effect while in play: see decision 0083."""
MOST_PAIRS = 3
LEAST_PAIRS = 2
"""Fewer pairs yield no interval and are not reported."""


@click.command("balance")
@click.argument("game", metavar="GAME")
@click.argument("items", nargs=-1, metavar="ITEM...")
@option("--kind KIND", "All items of a kind, besides those that are named.")
@pack_option
@option(
    "--to ITEM.FIELD",
    "Whose list the items are bought for, as in anna.gifts; the wins are those of seat one.",
    name="buyer",
)
@option(
    "--change PACK",
    "Try what this pack on top makes of the items, which somebody has in both games.",
)
@option("--price FIELD", "The field, or the measure, that says what it costs.")
@option(
    "--players LIST",
    "The bots, seat by seat; by default two that are greedy, or search if nothing judges.",
)
@option(
    "--games N",
    f"The number of pairs of games for each item; by default {GAMES}.",
    type=click.IntRange(2, 1_000_000),
)
@option(
    "--seconds S",
    "Play as many pairs for each item as take each process so much processor time.",
    type=click.FloatRange(1, 1_000_000),
)
@run_seed_option
@switch_option
@scene_option
@option(
    "--turn-limit N",
    "Judge how everybody stands after N turns; by default after four rounds for what somebody "
    f"holds, else after {TURN_LIMIT} turns.",
    type=click.IntRange(min=1),
)
@option("--pairs", "Look for two items that make more together than apart.")
@option("--texts", "Only compare the texts of the items; nothing is played.")
@option(
    "--exact TEXT",
    "Work out the odds of this effect text with and without the item, before any play.",
)
@option("--of EXPR", "With --exact: what to tabulate.", name="of", multiple=True)
@option("--given FILE", "With --exact: what is given, as in `ruleloom odds`.")
@option(
    "--policy NAME=ANSWER",
    "With --exact: how people answer, as in `ruleloom odds`.",
    name="policies",
    multiple=True,
)
@simulate.work_options
@format_option("text", "json", help="The format of the findings.")
@simulate.report_options
def command(**asked: object) -> int:
    """Say what an item makes in play, and how sure that is.

    GAME is the name of a shipped game or the folder of a pack. An ITEM is the name of an item, or
    NAME=VALUE for a switch or a number. Two games are played that differ in it alone, with the same
    seed; many such pairs make the difference.

    \b
      ruleloom balance gnostica world fool --games 1000
      ruleloom balance gnostica hand_limit=5
      ruleloom balance moonstone keen-nose --pack my-campaign --to anna.gifts --price rating
    """
    return _balance(Wanted(**asked))


def _balance(wanted: Wanted) -> int:
    refuse_contradictions(wanted)
    compiled = compile_paths([wanted.game, *wanted.packs], texts=True)
    sound(compiled)
    ground = _ground(wanted, compiled)
    with refusals_told():
        names = _names(wanted, ground)
        if wanted.texts:
            texts = _texts(wanted, ground, names)
            found = BalanceFindings((), (), dominances=texts, texts=len(names))
            _tell(wanted, ground, found)
            return CLEAN
        changed = None
        if wanted.change is not None:
            changed = compile_paths([*ground.packs, wanted.change], texts=True)
            if changed.program is None:
                told = f"the game cannot be played with {wanted.change}: {item_trials.first_mistake(changed)}"
                raise item_trials.NoTrial(told)
        asked = (wanted.buyer, wanted.price)
        trials = [
            item_trials.trial_of(ground, name, *asked)
            if changed is None
            else item_trials.changed_trial(ground, name, changed, *asked)
            for name in names
        ]
        refuse_unfit(wanted, trials)
        odds = trials if wanted.exact is not None else ()
        exact = [one for trial in odds for one in exact_figures(wanted, trial)]
        needs = games_for_difference(0.05)
        many = MOST_GAMES if wanted.seconds is not None else wanted.games or GAMES
        length = f"{wanted.seconds:g} s" if wanted.seconds is not None else count_of(many, "pair")
        said = f"{length} of games for each of {count_of(len(trials), 'item')}"
        print(
            f"{said}; to find 5 points in four of five cases takes up to {needs:,}", file=sys.stderr
        )
        each = None if wanted.seconds is None else wanted.seconds / 2
        wishes = simulate.RunWishes(many, lambda _: False, wanted.store, wanted.resume, each)
        with simulate.work_place(wanted.workers, wanted.dask) as place:
            return _play(wanted, ground, trials, exact, ItemRuns(wanted.game, wishes, place))


@refusals_told()
def _ground(wanted: Wanted, compiled: Any) -> item_trials.TrialGround:
    program = compiled.program
    switches = read_switches(wanted.switches)
    in_file = partial(scene_in_file, compiled.content)
    given = parse_scene(wanted.scene, program, in_file) if wanted.scene else None
    seats = seats_of(wanted.players or "random,random")
    names = tuple(seat.name for seat in seats)
    linked = link_game(program, driver_of(program), names, switches)
    is_judged = judge_of(linked) is not None
    if wanted.players is None:
        usual = "greedy" if is_judged else "searching:30"
        seats = seats_of(f"{usual},{usual}")
    kinds = tuple(seat.kind for seat in seats)
    if any(seat.is_human for seat in seats):
        raise WrongUse("items are tried between bots", "--players greedy,greedy")
    bots_of(seats, linked, 0)  # refuses a bot that cannot play the game
    plan = RunPlan(
        players=names,
        bots=kinds,
        seed=wanted.seed,
        settings=tuple(sorted(switches.items())),
        given=given,
        turn_limit=wanted.turn_limit or TURN_LIMIT,
        in_step=True,
        judges=True,
    )
    rounds = HAND_ROUNDS * len(names) if is_judged and wanted.turn_limit is None else None
    return item_trials.TrialGround((wanted.game, *wanted.packs), compiled, plan, rounds)


def _names(wanted: Wanted, ground: item_trials.TrialGround) -> list[str]:
    names = list(wanted.items)
    if wanted.kind is not None:
        of_kind = [one.id for one in ground.content.by_kind(wanted.kind)]
        if not of_kind:
            raise item_trials.NoTrial(f"there is no item of the kind `{wanted.kind}`")
        names += of_kind
    if not names:
        raise WrongUse("say which item is meant", f"ruleloom balance {wanted.game} ITEM")
    # An item may be both named and of the kind; the id removes the duplicate.
    found = {
        name if "=" in name else item_trials.find_item(ground.content, name).id: name
        for name in reversed(names)
    }
    return list(reversed(found.values()))


def _texts(wanted: Wanted, ground: item_trials.TrialGround, names: Sequence[str]) -> Any:
    items = [item_trials.find_item(ground.content, name) for name in names if "=" not in name]
    if wanted.texts:
        silent = ", ".join(one.name for one in items if not has_text(one))
        if silent:
            print(f"without an effect text to compare: {silent}", file=sys.stderr)
    return dominances(items, wanted.price)


# ---------------------------------------------------------------------------------- play


def _comparison(
    trial: item_trials.ItemTrial,
    without: Sequence[GameRecord],
    with_it: Sequence[GameRecord],
    players: tuple[str, ...],
) -> ItemComparison:
    labels = ("without", "with") if trial.how == item_trials.IN_GAME else ("as it is", trial.name)
    figures = contrasts(without, with_it, players)
    return ItemComparison(trial.name, trial.how, labels, len(with_it), figures)


def _play(
    wanted: Wanted,
    ground: item_trials.TrialGround,
    trials: Sequence[item_trials.ItemTrial],
    exact: Sequence[ExactFigure],
    runs: ItemRuns,
) -> int:
    verdicts: list[ItemVerdict] = []
    compared: list[ItemComparison] = []
    for trial in trials:
        without, with_it = runs.both(trial)
        if len(with_it) < LEAST_PAIRS:
            break
        if trial.is_about_one:
            rotates = trial.with_it[1].rotates
            verdicts.append(verdict(trial.name, trial.how, trial.price, without, with_it, rotates))
        else:
            compared.append(_comparison(trial, without, with_it, ground.plan.players))
    names = [one.name for one in verdicts]
    marked = sure_together([one.figures for one in compared])
    findings = BalanceFindings(
        ground.plan.bots,
        together(verdicts),
        out_of_line(verdicts),
        beaten_in_play(verdicts),
        _pairs(ground, names, runs) if wanted.pairs and not runs.stopped else [],
        _texts(wanted, ground, names),
        exact,
        [replace(one, figures=sure) for one, sure in zip(compared, marked, strict=True)],
    )
    _tell(wanted, ground, findings)
    if runs.stopped:
        done = f"at {len(names) + len(compared):,} of {count_of(len(trials), 'item')}"
        return simulate.stopped_after(done, wanted.store)
    return CLEAN


def _pairs(
    ground: item_trials.TrialGround, names: Sequence[str], runs: ItemRuns
) -> list[PairVerdict]:
    """The most striking pairs from ordinary games, each tested in games of its own."""
    sent = SentProgram.of(ground.program)
    are_many = len(names) * (len(names) - 1) // 2 > MOST_PAIRS
    as_they_fall = runs.of((sent, ground.plan)) if are_many else []
    found: list[PairVerdict] = []
    for one, other in screened(as_they_fall, names, MOST_PAIRS):
        played = [runs.of((sent, plan)) for plan in item_trials.pair_plans(ground, one, other)]
        if min(map(len, played)) < LEAST_PAIRS:
            break
        found.append(pair_verdict((one, other), played))
    return pairs_together(found)


# ---------------------------------------------------------------------------------- the findings


def _tell(wanted: Wanted, ground: item_trials.TrialGround, found: BalanceFindings) -> None:
    title = f"{ground.program.title}: balance"
    page = balance_page(title, simulate.typed_command(), found)
    simulate.write_reports(page, wanted.html, wanted.markdown)
    if wanted.form == "json":
        print(json.dumps(findings_data(found), indent=2, ensure_ascii=False))
    else:
        print(text_of(page), end="")


ITEM = (
    "item=name how without with=with_it difference price met=use.met used=use.used read=use.read "
    "never=use.never pairs_that_differ=differ judged chance says"
)


def findings_data(found: BalanceFindings) -> dict[str, Any]:
    """The findings of a run as one document."""
    compared = "item=name how games=pairs figures"
    return {
        "bots": list(found.bots),
        "exact": [exact_data(one) for one in found.exact],
        "items": [{**data_of(one, ITEM), "price": one.price} for one in found.verdicts],
        "comparisons": [data_of(one, compared) for one in found.comparisons],
        "out_of_line": [data_of(one, "item=name difference sure") for one in found.prices],
        "beaten_in_play": [
            data_of(one, "item=worse by=better difference=gap") for one in found.beaten
        ],
        "pairs": [
            {"items": [one.one, one.other], **data_of(one, "extra sure")} for one in found.pairs
        ],
        "texts": [data_of(one, "item=worse and=better why numbers") for one in found.dominances],
    }


@dataclass(slots=True, eq=False)
class ItemRuns:
    """Plays and caches the runs of a command: one that two items share, such as the unchanged game, is played
    once. After Ctrl-C `stopped` is true and no more are played."""

    title: str
    wishes: simulate.RunWishes
    place: WorkPlace
    stopped: bool = False
    _played: dict[str, list[GameRecord]] = field(default_factory=dict)

    def both(self, trial: item_trials.ItemTrial) -> tuple[list[GameRecord], list[GameRecord]]:
        """The games without and with an item, in equal number; after Ctrl-C only the finished ones."""
        without = self.of(trial.without)
        with_it = self.of(trial.with_it, len(without))
        pairs = min(len(without), len(with_it))
        return without[:pairs], with_it[:pairs]

    def of(self, side: item_trials.Sent, most: int | None = None) -> list[GameRecord]:
        """The games of one run, at most `most`. Raises WrongUse if the rules failed during play."""
        key = plan_key(*side)
        if self.stopped or key in self._played:
            return self._played.setdefault(key, [])
        wishes = self.wishes if most is None else replace(self.wishes, games=most)
        result = simulate.run_plan(*side, self.title, self.place, wishes)
        self.stopped = result.stopped
        faults = [one.fault for one in result.records if one.fault]
        if faults:
            raise WrongUse(f"the rules could not be played on: {faults[0]}")
        self._played[key] = result.records
        return result.records
