"""`ruleloom simulate`: statistics of whole games by bots; and the comparison of two versions."""

from __future__ import annotations

import importlib
import json
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import click

from ruleloom.cli.faults import CLEAN, FINDINGS, INTERRUPTED, WrongUse, extra_needed, refusals_told
from ruleloom.cli.options import (
    Wanted,
    format_option,
    game_argument,
    grouped,
    option,
    read_switches,
    run_seed_option,
    scene_option,
    switch_option,
    write_output,
)
from ruleloom.cli.play.start import bots_of, ready_game, seats_of
from ruleloom.output.terminal import count_of, progress_bar
from ruleloom.reports.page import ReportPage, html_of, markdown_of, text_of
from ruleloom.reports.run_reports import contrast_page, csv_text, lines_text, simulation_page
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.safe_text import safe_text
from ruleloom.simulate.intervals import (
    contrasts,
    games_for_difference,
    games_for_width,
    plain_data,
)
from ruleloom.simulate.run_plan import (
    ANSWER_LIMIT,
    TURN_LIMIT,
    GameRecord,
    RunPlan,
    SentProgram,
    results_hash,
)
from ruleloom.simulate.simulation import (
    Enough,
    Simulation,
    WorkPlace,
    processes,
    results_file,
)
from ruleloom.simulate.tally import tally, tally_data, unreached, widest

work_options = grouped(
    option(
        "--workers N",
        "The number of processes; by default one for each processor.",
        type=click.IntRange(1, 1024),
    ),
    option(
        "--dask ADDRESS|local",
        "Play on a cluster of Dask, or on one that is started here; needs the extra `dask`.",
    ),
    option("--store FILE", "Keep each game in FILE (SQLite)."),
    option("--resume", "Go on with what --store holds of this run, instead of anew."),
)
report_options = grouped(
    option("--html FILE", "Write the report as one HTML file."),
    option("--markdown FILE", "Write the report as Markdown."),
)


def typed_command() -> str:
    """The command as typed, for the heading of a report."""
    return f"ruleloom {shlex.join(sys.argv[1:])}"


def write_reports(page: ReportPage, html: str | None, markdown: str | None) -> None:
    """Write the files of a report. Raises WrongUse."""
    if html:
        write_output(html, html_of(page))
    if markdown:
        write_output(markdown, markdown_of(page))


def stopped_after(done: str, store: str | None) -> int:
    """Print how far a run got by Ctrl-C; return the exit code."""
    kept = f"; --resume --store {store} goes on" if store else ""
    print(f"stopped {done}{kept}", file=sys.stderr)
    return INTERRUPTED


class RunWishes(Frozen):
    """The number of games wanted, and their store."""

    games: int
    enough: Enough
    store: str | None
    resume: bool
    seconds: float | None = None
    """The processor time of each worker for games."""


class RunResult(Frozen):
    """The games of a run, in order and without a gap; `stopped` after Ctrl-C."""

    records: list[GameRecord]
    stopped: bool
    lost: int


@contextmanager
def work_place(workers: int | None, dask: str | None) -> Iterator[WorkPlace]:
    """The executor of games: processes, or a Dask cluster. Raises WrongUse."""
    if dask is None:
        yield processes(workers)
        return
    with extra_needed("--dask", "dask"):
        module = importlib.import_module("ruleloom.simulate.dask_cluster")
    with refusals_told(), module.cluster(dask, workers) as place:
        yield place


def refuse_resume_without_store(resume: bool, store: str | None) -> None:
    """Raise WrongUse if a run is to be resumed without a store."""
    if resume and store is None:
        raise WrongUse("--resume goes on with what is stored", "name the file: --store FILE")


@refusals_told()
def run_plan(
    sent: SentProgram, plan: RunPlan, title: str, place: WorkPlace, wishes: RunWishes
) -> RunResult:
    """Run a plan, reusing the games in the store. Ctrl-C keeps the finished games."""
    with ExitStack() as stack:
        kept, keep = dict[int, GameRecord](), None
        if wishes.store is not None:
            opened = results_file(Path(wishes.store), sent, plan, title)
            results = stack.enter_context(opened)
            if not wishes.resume:
                results.forget()
            kept, keep = results.games(), results.add
        simulation = Simulation(sent, plan, place, kept=kept, seconds=wishes.seconds)
        timed = wishes.seconds is not None  # nobody knows how many games that will be
        bar = progress_bar("games", 0 if timed else max(0, wishes.games - len(kept)))
        step = stack.enter_context(bar)

        def done(record: GameRecord) -> None:
            if keep is not None:
                keep(record)
            step(int(timed))

        simulation.done = done
        stopped = False
        try:
            simulation.run(wishes.games, wishes.enough)
        except KeyboardInterrupt:
            stopped = True
        return RunResult(simulation.from_first(), stopped, simulation.lost)


GAMES, MOST_GAMES = 200, 10_000_000
SMALL_DIFFERENCES = (0.1, 0.05, 0.02)


def percent(text: str) -> float:
    """A share written as `1%` or `0.01`."""
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 < share < 1:
        raise click.BadParameter(f"`{text}` is no share; write it as 1% or 0.01")
    return share


@click.command("simulate")
@game_argument()
@option(
    "--players LIST",
    "The bots, seat by seat, as in `ruleloom play`; by default two at random, or as many as the "
    "game needs.",
)
@option(
    "--games N",
    f"The number of games; by default {GAMES}, or with --until as many as that needs.",
    type=click.IntRange(1, MOST_GAMES),
)
@option(
    "--until SHARE",
    "Stop when all shares of wins are known to this much on each side, as in --until 1%.",
    type=percent,
)
@run_seed_option
@switch_option
@scene_option
@option(
    "--turn-limit N",
    "Leave a game unfinished after N turns.",
    type=click.IntRange(min=1),
    default=TURN_LIMIT,
    show_default=True,
)
@option(
    "--answer-limit N",
    "Leave a game unfinished after N answers.",
    type=click.IntRange(min=1),
    default=ANSWER_LIMIT,
    show_default=True,
)
@option("--fixed-seats", "Leave each bot in its seat, instead of moving them round.")
@work_options
@option("--compare", "Compare two versions of one game: GAME is the old one, PACK the new one.")
@option(
    "--against NAME=VALUE",
    "Compare the game with itself under another switch or number.",
    multiple=True,
)
@option(
    "--threshold SHARE",
    "Exit with 1 if a share surely differs by more than this between the two.",
    type=percent,
)
@format_option("text", "json", help="The format of the summary.")
@option("--lines FILE", "Write each game as a line of JSON; `-` prints them.")
@option("--csv FILE", "Write a row for each game as CSV.")
@report_options
def command(**asked: object) -> int:
    """Play whole games between bots, and count.

    GAME is the name of a shipped game or the folder of a pack, PACK what comes on top of it. Each
    game has a seed that follows from --seed and its number, so that the figures are the same with
    any number of workers.

    \b
      ruleloom simulate gnostica --players greedy,random --games 100
      ruleloom simulate gnostica --against adjacency=corners_count
      ruleloom simulate --compare old-pack new-pack --threshold 5%
    """
    return _simulate(Wanted(**asked))


class SimulatedGame(Frozen):
    """A game ready for simulation: linked, serialised for workers, and with its plan."""

    label: str
    linked: Linked
    sent: SentProgram
    plan: RunPlan


def _simulate(wanted: Wanted) -> int:
    _refuse_contradictions(wanted)
    games = _games_ready(wanted)
    until, players = wanted.until, games[0].plan.players
    wishes = RunWishes(
        wanted.games or (GAMES if until is None else games_for_width(until) + 1),
        lambda records: until is not None and widest(records, players) <= until,
        wanted.store,
        wanted.resume,
    )
    needs = ", ".join(
        f"{100 * one:.0f} points {games_for_difference(one):,}" for one in SMALL_DIFFERENCES
    )
    at_most = "at most " if until is not None else ""
    said = f"{at_most}{count_of(wishes.games, 'game')}; to find a difference between two sides in"
    print(f"{said} four of five cases takes, for {needs} games each", file=sys.stderr)
    with work_place(wanted.workers, wanted.dask) as place:
        results = []
        for one in games:
            results.append(run_plan(one.sent, one.plan, one.label, place, wishes))
            if results[-1].stopped:
                break
    if len(games) == 2 and len(results) == 2:
        return _tell_contrast(wanted, games, results)
    return _tell_run(wanted, games[0], results[0])


def _refuse_contradictions(wanted: Wanted) -> None:
    refuse_resume_without_store(wanted.resume, wanted.store)
    if wanted.compare and len(wanted.game) != 2:
        help = "ruleloom simulate --compare OLD NEW"
        raise WrongUse("--compare takes two versions of a game", help)
    if wanted.compare and wanted.against:
        raise WrongUse("--compare and --against both name the other side", "leave out one")
    if wanted.compare or wanted.against:
        _refuse_of_one_run(wanted)
    elif wanted.threshold is not None:
        help = "name a second side with --compare or --against"
        raise WrongUse("--threshold is for differences between two sides", help)


def _refuse_of_one_run(wanted: Wanted) -> None:
    if wanted.until is not None:
        raise WrongUse("--until is for one run", "say how many games to compare: --games N")
    if wanted.csv or wanted.lines:
        help = "simulate each side by itself for its table"
        raise WrongUse("tables of games are for one run, not for two", help)


def _games_ready(wanted: Wanted) -> list[SimulatedGame]:
    """The game, and the other side if compared. Raises WrongUse."""
    switches = read_switches(wanted.switches)
    if wanted.compare:
        old, new = (_ready(wanted, (one,), switches, one) for one in wanted.game)
        games = old.linked.program.game, new.linked.program.game
        if games[0] != games[1]:  # their wins cannot be compared
            told = f"{old.label} is {games[0]}, and {new.label} is {games[1]}"
            raise WrongUse(f"{told}: two games cannot be compared", "name two versions of one game")
        return [old, new]
    if wanted.against:
        other = {**switches, **read_switches(wanted.against)}
        sides = ((switches, "as it is"), (other, ", ".join(wanted.against)))
        return [_ready(wanted, wanted.game, chosen, label) for chosen, label in sides]
    return [_ready(wanted, wanted.game, switches, " ".join(wanted.game))]


def _ready(
    wanted: Wanted, packs: Sequence[str], switches: dict[str, object], label: str
) -> SimulatedGame:
    seats = seats_of(wanted.players or "random,random")
    if any(seat.is_human for seat in seats):
        raise WrongUse("games are simulated between bots", "--players greedy,random")
    linked, given = ready_game(packs[0], packs[1:], switches, seats, wanted.scene)
    kinds = tuple(seat.kind for seat in seats)
    plan = RunPlan(
        players=tuple(seat.name for seat in seats),
        bots=kinds,
        seed=wanted.seed,
        settings=tuple(sorted(switches.items())),
        given=given,
        turn_limit=wanted.turn_limit,
        answer_limit=wanted.answer_limit,
        rotates=not wanted.fixed_seats and len(set(kinds)) > 1,
    )
    bots_of(seats, linked, 0)  # refuses a bot that cannot play the game
    return SimulatedGame(label, linked, SentProgram.of(linked.program), plan)


# ---------------------------------------------------------------------------------- the results


def _tell_run(wanted: Wanted, game: SimulatedGame, result: RunResult) -> int:
    players, records = game.plan.players, result.records
    found = tally(records, players)
    missed = unreached(game.linked, found)
    title = f"{game.linked.program.title}: {count_of(found.games, 'game')}"
    if wanted.lines == "-":
        print(lines_text(records), end="")
    elif wanted.lines:
        write_output(wanted.lines, lines_text(records))
    if wanted.csv:
        write_output(wanted.csv, csv_text(records, players))
    about = (title, typed_command(), game.plan, records, found, missed)
    write_reports(simulation_page(*about), wanted.html, wanted.markdown)
    if wanted.form == "json":
        never = [{"name": one.name, "place": one.place, "proven": one.proven} for one in missed]
        last = {"never_met": never, "seed": wanted.seed, "hash": results_hash(records)}
        print(json.dumps({**tally_data(found), **last}, indent=2, ensure_ascii=False))
    elif wanted.lines != "-":
        print(text_of(simulation_page(*about, short=True)), end="")
        print(f"\nresults {results_hash(records)}")
    if result.lost:
        died = f"{count_of(result.lost, 'time')} a worker died; its games were played again"
        print(died, file=sys.stderr)
    return _code(wanted, result, bool(found.faults))


def _code(wanted: Wanted, result: RunResult, faults: bool) -> int:
    if result.stopped:
        return stopped_after(f"after {count_of(len(result.records), 'game')}", wanted.store)
    return FINDINGS if faults else CLEAN


def _tell_contrast(
    wanted: Wanted, games: Sequence[SimulatedGame], results: Sequence[RunResult]
) -> int:
    old, new = games
    pairs = min(len(one.records) for one in results)
    found = contrasts(results[0].records[:pairs], results[1].records[:pairs], old.plan.players)
    title = f"{old.linked.program.title}: {old.label} and {new.label}"
    page = contrast_page(title, typed_command(), (old.label, new.label), pairs, found)
    write_reports(page, wanted.html, wanted.markdown)
    over = [one for one in found if wanted.threshold and one.exceeds(wanted.threshold)]
    if wanted.form == "json":
        data = {"old": old.label, "new": new.label, "games": pairs, "figures": plain_data(found)}
        print(json.dumps({**data, "over": [one.name for one in over]}, indent=2))
    else:
        print(text_of(page), end="")
        for one in over:
            share = f"{100 * abs(one.difference.value):.1f} points"
            print(safe_text(f"over the threshold: {one.name}, by {share}"))
    faults = any(record.fault for one in results for record in one.records)
    broken = next((one for one in results if one.stopped), results[0])
    return _code(wanted, broken, faults or bool(over))
