"""`ruleloom balance`: the difference that items, switches and numbers make in play."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any

import click

from ruleloom.api.linking import driver_of
from ruleloom.balance.dominance import dominances
from ruleloom.balance.item_trials import (
    ItemTrial,
    NoTrial,
    TrialGround,
    find_item,
    pair_plans,
    trial_of,
)
from ruleloom.balance.verdicts import (
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
from ruleloom.bots.arena import judge_of
from ruleloom.cli.balance.exact_odds import exact_data, exact_figures
from ruleloom.cli.check.compile_check import report_mistakes
from ruleloom.cli.faults import CLEAN, INTERRUPTED, WrongUse
from ruleloom.cli.options import (
    format_option,
    pack_option,
    read_switches,
    run_seed_option,
    scene_option,
    switch_option,
    write_output,
)
from ruleloom.cli.play.compile_game import scene_in_file
from ruleloom.cli.play.start import parse_scene, seats_of
from ruleloom.cli.simulate.running import RunWishes, run_plan, work_place
from ruleloom.cli.simulate.simulate import check_bots
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.output.terminal import count_of
from ruleloom.reports.balance_page import (
    BalanceFindings,
    ExactFigure,
    balance_page,
    exact_sections,
)
from ruleloom.reports.forms import html_of, markdown_of, text_of
from ruleloom.reports.page import ReportPage
from ruleloom.reports.simulation_page import contrast_page
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.play.game import link_game
from ruleloom.runtime.program.faults import Refused
from ruleloom.simulate.contrast import contrast_data, contrasts
from ruleloom.simulate.executors import WorkPlace
from ruleloom.simulate.game_record import GameRecord
from ruleloom.simulate.intervals import games_for_difference
from ruleloom.simulate.run_plan import TURN_LIMIT, GivenAnswer, RunPlan, SentProgram
from ruleloom.simulate.tally import estimate_data

GAMES = 400
MOST_PAIRS = 3


@dataclass(frozen=True, slots=True)
class BalanceOptions:
    """The options of the command."""

    game: str
    items: tuple[str, ...]
    kind: str | None
    packs: tuple[str, ...]
    buyer: str | None
    price: str | None
    players: str | None
    games: int
    seed: int
    switches: tuple[str, ...]
    scene: str | None
    turn_limit: int
    pairs: bool
    texts: bool
    exact: str | None
    of: tuple[str, ...]
    given: str | None
    policies: tuple[str, ...]
    workers: int | None
    dask: str | None
    form: str
    html: str | None
    markdown: str | None


@click.command("balance")
@click.argument("game", metavar="GAME")
@click.argument("items", nargs=-1, metavar="ITEM...")
@click.option("--kind", metavar="KIND", help="All items of a kind, besides those that are named.")
@pack_option
@click.option(
    "--to",
    "buyer",
    metavar="ITEM.FIELD",
    help="Whose list the items are bought for, as in anna.gifts; the wins are those of seat one.",
)
@click.option(
    "--price", metavar="FIELD", help="The field, or the measure, that says what it costs."
)
@click.option(
    "--players",
    metavar="LIST",
    help="The bots, seat by seat; by default two that are greedy, or search if nothing judges.",
)
@click.option(
    "--games",
    type=click.IntRange(2, 1_000_000),
    default=GAMES,
    show_default=True,
    metavar="N",
    help="The number of pairs of games for each item.",
)
@run_seed_option
@switch_option
@scene_option
@click.option(
    "--turn-limit",
    type=click.IntRange(min=1),
    default=TURN_LIMIT,
    show_default=True,
    metavar="N",
    help="Leave a game unfinished after N turns.",
)
@click.option(
    "--pairs", is_flag=True, help="Look for two items that make more together than apart."
)
@click.option(
    "--texts", is_flag=True, help="Only compare the texts of the items; nothing is played."
)
@click.option(
    "--exact",
    metavar="TEXT",
    help="Work out the odds of this effect text with and without the item, before any play.",
)
@click.option("--of", "of", multiple=True, metavar="EXPR", help="With --exact: what to tabulate.")
@click.option("--given", metavar="FILE", help="With --exact: what is given, as in `ruleloom odds`.")
@click.option(
    "--policy",
    "policies",
    multiple=True,
    metavar="NAME=ANSWER",
    help="With --exact: how people answer, as in `ruleloom odds`.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    metavar="N",
    help="The number of processes; by default one for each processor.",
)
@click.option(
    "--dask",
    metavar="ADDRESS|local",
    help="Play on a cluster of Dask, or on one that is started here; needs ruleloom[dask].",
)
@format_option("text", "json", help="The format of the findings.")
@click.option("--html", metavar="FILE", help="Write the report as one HTML file.")
@click.option("--markdown", metavar="FILE", help="Write the report as Markdown.")
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
    return _balance(BalanceOptions(**asked))  # type: ignore[arg-type]


def _balance(wanted: BalanceOptions) -> int:
    compiled = compile_paths([wanted.game, *wanted.packs], texts=True)
    if compiled.program is None or compiled.content is None:
        return report_mistakes(compiled)
    ground = _ground(wanted, compiled)
    with _refusals_told():
        names = _names(wanted, ground)
        if wanted.texts:
            return _tell(
                wanted, ground, BalanceFindings((), (), dominances=_texts(wanted, ground, names))
            )
        trials = [trial_of(ground, name, wanted.buyer, wanted.price) for name in names]
        exact = [one for trial in trials for one in _exact(wanted, trial)]
        needs = games_for_difference(0.05)
        said = (
            f"{count_of(wanted.games, 'pair')} of games for each of {count_of(len(trials), 'item')}"
        )
        print(
            f"{said}; to find 5 points in four of five cases takes up to {needs:,}", file=sys.stderr
        )
        with work_place(wanted.workers, wanted.dask) as place:
            return _play(wanted, ground, trials, exact, place)


@contextmanager
def _refusals_told() -> Iterator[None]:
    try:
        yield
    except NoTrial as refused:
        raise WrongUse(refused.reason, refused.help) from None
    except Refused as refused:
        raise WrongUse(refused.reason) from None


def _ground(wanted: BalanceOptions, compiled: Any) -> TrialGround:
    program = compiled.program
    switches = read_switches(wanted.switches)
    in_file = partial(scene_in_file, compiled.content)
    given = parse_scene(wanted.scene, program, in_file) if wanted.scene else None
    with _refusals_told():
        seats = seats_of(wanted.players or "random,random")
        names = tuple(seat.name for seat in seats)
        linked = link_game(program, driver_of(program), names, switches)
        if wanted.players is None:
            usual = "greedy" if judge_of(linked)[0] is not None else "searching:30"
            seats = seats_of(f"{usual},{usual}")
    kinds = tuple(seat.kind for seat in seats)
    if any(seat.is_human for seat in seats):
        raise WrongUse("items are tried between bots", "--players greedy,greedy")
    check_bots(linked, kinds)
    plan = RunPlan(
        players=names,
        bots=kinds,
        seed=wanted.seed,
        settings=tuple(sorted(switches.items())),
        given=None if given is None else GivenAnswer(given.variable, given.value, given.called),
        turn_limit=wanted.turn_limit,
    )
    return TrialGround((wanted.game, *wanted.packs), compiled, plan)


def _names(wanted: BalanceOptions, ground: TrialGround) -> list[str]:
    names = list(wanted.items)
    if wanted.kind is not None:
        of_kind = [one.name for one in ground.content.by_kind(wanted.kind)]
        if not of_kind:
            raise NoTrial(f"there is no item of the kind `{wanted.kind}`")
        names += of_kind
    if not names:
        raise WrongUse("say which item is meant", f"ruleloom balance {wanted.game} ITEM")
    return list(dict.fromkeys(names))


def _texts(wanted: BalanceOptions, ground: TrialGround, names: Sequence[str]) -> Any:
    items = [find_item(ground.content, name) for name in names if "=" not in name]
    return dominances(items, wanted.price)


def _exact(wanted: BalanceOptions, trial: ItemTrial) -> Sequence[ExactFigure]:
    if wanted.exact is None:
        return ()
    if trial.contents is None:
        help = "name who buys it, with --to ITEM.FIELD"
        raise WrongUse(f"the odds are the same with and without {trial.name} as it is tried", help)
    return exact_figures(
        trial.name, trial.contents, wanted.exact, wanted.of, wanted.given, wanted.policies
    )


# ---------------------------------------------------------------------------------- play


def _play(
    wanted: BalanceOptions,
    ground: TrialGround,
    trials: Sequence[ItemTrial],
    exact: Sequence[ExactFigure],
    place: WorkPlace,
) -> int:
    verdicts: list[ItemVerdict] = []
    for trial in trials:
        runs = _both(wanted, trial, place)
        if runs is None:
            return INTERRUPTED
        without, with_it = runs
        if not trial.is_about_one:
            of_this = [one for one in exact if one.item == trial.name]
            _tell_contrast(wanted, ground, trial, of_this, without, with_it)
            continue
        rotates = trial.with_it[1].rotates
        verdicts.append(verdict(trial.name, trial.how, trial.price, without, with_it, rotates))
    if not verdicts:
        return CLEAN
    names = [one.name for one in verdicts]
    pairs = _pairs(wanted, ground, names, place) if wanted.pairs else []
    found = BalanceFindings(
        ground.plan.bots,
        together(verdicts),
        out_of_line(verdicts),
        beaten_in_play(verdicts),
        pairs,
        _texts(wanted, ground, names),
        exact,
    )
    return _tell(wanted, ground, found)


def _both(
    wanted: BalanceOptions, trial: ItemTrial, place: WorkPlace
) -> tuple[list[GameRecord], list[GameRecord]] | None:
    """The games without an item and with it; None if somebody broke off."""
    found = []
    for sent, plan in (trial.without, trial.with_it):
        records = _records(wanted, sent, plan, place)
        if records is None:
            return None
        found.append(records)
    return found[0], found[1]


def _records(
    wanted: BalanceOptions, sent: SentProgram, plan: RunPlan, place: WorkPlace
) -> list[GameRecord] | None:
    wishes = RunWishes(wanted.games, lambda _: False, None, False)
    result = run_plan(sent, plan, wanted.game, place, wishes)
    faults = [one.fault for one in result.records if one.fault]
    if faults:
        raise WrongUse(f"the rules could not be played on: {faults[0]}")
    return None if result.stopped else result.records


def _pairs(
    wanted: BalanceOptions, ground: TrialGround, names: Sequence[str], place: WorkPlace
) -> list[PairVerdict]:
    """The pairs that look remarkable in games as they fall, each tried in games of its own."""
    sent = SentProgram.of(ground.program)
    as_they_fall = _records(wanted, sent, ground.plan, place)
    found: list[PairVerdict] = []
    for one, other in screened(as_they_fall or (), names, MOST_PAIRS):
        runs = []
        for plan in pair_plans(ground, one, other):
            records = _records(wanted, sent, plan, place)
            if records is None:
                return pairs_together(found)
            runs.append(records)
        found.append(pair_verdict((one, other), runs))
    return pairs_together(found)


# ---------------------------------------------------------------------------------- the findings


def _tell(wanted: BalanceOptions, ground: TrialGround, found: BalanceFindings) -> int:
    title = f"{ground.program.title}: balance"
    page = balance_page(title, f"ruleloom {shlex.join(sys.argv[1:])}", found)
    _write(wanted, page)
    if wanted.form == "json":
        print(json.dumps(_data(found), indent=2, ensure_ascii=False))
    else:
        print(text_of(page), end="")
    return CLEAN


def _write(wanted: BalanceOptions, page: ReportPage) -> None:
    if wanted.html:
        write_output(wanted.html, html_of(page))
    if wanted.markdown:
        write_output(wanted.markdown, markdown_of(page))


def _data(found: BalanceFindings) -> dict[str, Any]:
    """The findings as plain data for JSON."""
    return {
        "bots": list(found.bots),
        "exact": [exact_data(one) for one in found.exact],
        "items": [
            {
                "item": one.name,
                "how": one.how,
                "without": estimate_data(one.without),
                "with": estimate_data(one.with_it),
                "difference": estimate_data(one.difference),
                "price": one.price,
                "used": round(one.used, 6),
                "says": one.says,
            }
            for one in found.verdicts
        ],
        "out_of_line": [
            {"item": one.name, "difference": estimate_data(one.difference), "sure": one.sure}
            for one in found.prices
        ],
        "beaten_in_play": [
            {"item": one.worse, "by": one.better, "difference": estimate_data(one.gap)}
            for one in found.beaten
        ],
        "pairs": [
            {"items": [one.one, one.other], "extra": estimate_data(one.extra), "sure": one.sure}
            for one in found.pairs
        ],
        "texts": [
            {"item": one.worse, "and": one.better, "why": one.why, "numbers": list(one.numbers)}
            for one in found.dominances
        ],
    }


def _tell_contrast(
    wanted: BalanceOptions,
    ground: TrialGround,
    trial: ItemTrial,
    exact: Sequence[ExactFigure],
    without: Sequence[GameRecord],
    with_it: Sequence[GameRecord],
) -> None:
    """What changes for everybody: for an item that is in the game or not, a switch, a number."""
    found = contrasts(without, with_it, ground.plan.players)
    labels = ("without", "with") if trial.how == "in the game" else ("as it is", trial.name)
    title = f"{ground.program.title}: {trial.name}"
    page = contrast_page(title, f"ruleloom {shlex.join(sys.argv[1:])}", labels, len(without), found)
    page.sections[:0] = exact_sections(exact)
    _write(wanted, page)
    if wanted.form == "json":
        data = {"item": trial.name, "how": trial.how, "exact": [exact_data(one) for one in exact]}
        data["figures"] = [contrast_data(one) for one in found]
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        print(text_of(page), end="")
