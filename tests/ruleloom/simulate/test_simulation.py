"""Runs: the same games whoever plays them, wherever and in any order; stopped, resumed, and with workers
that die."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace

import pytest

from ruleloom.simulate import one_game
from ruleloom.simulate.one_game import GameBatch, play_batch
from ruleloom.simulate.run_plan import GameRecord, SentProgram, record_of, results_hash
from ruleloom.simulate.simulation import (
    ResultsUnusable,
    Simulation,
    WorkersDied,
    WorkPlace,
    opened,
    processes,
    results_file,
)
from ruleloom.simulate.tally import widest
from tests.support.known_games import HERE, plan_for, played, program_of

SENT = SentProgram.of(program_of("coin"))


def test_a_record_is_read_again_as_it_was_written():
    (record,) = played("noughts", 1)
    assert record_of(record.line()) == record


def test_two_processes_play_the_same_games_as_one():
    alone, shared = played("noughts", 30), played("noughts", 30, place=processes(2))
    assert results_hash(alone) == results_hash(shared)


def test_a_game_that_is_watched_is_the_same_game(monkeypatch):
    told = played("noughts", 4)
    monkeypatch.setattr(one_game, "is_watched", lambda _: False)
    silent = played("noughts", 4)
    assert all(record.reached for record in told)
    assert silent == [replace(record, reached=(), read=()) for record in told]


def test_another_seed_gives_other_games():
    assert results_hash(played("coin", 20)) != results_hash(played("coin", 20, plan_for(seed=2)))


class Closing(ThreadPoolExecutor):
    """Threads that note whether they were waited for."""

    waited: bool | None = None

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.waited = wait
        super().shutdown(wait, cancel_futures=cancel_futures)


def test_workers_are_done_before_the_run_is_and_nobody_waits_for_them_after_ctrl_c():
    done, interrupted = Closing(1), Closing(1)
    with opened(WorkPlace(lambda: done, 1)):
        pass
    assert done.waited is True
    with (
        pytest.raises(KeyboardInterrupt),
        opened(WorkPlace(lambda: interrupted, 1)),
    ):
        raise KeyboardInterrupt
    assert interrupted.waited is False


class Dawdling(ThreadPoolExecutor):
    """Threads that are done in another order than the work was handed out."""

    def submit(self, fn, /, *args, **kwargs):
        waits = (0.02, 0.0, 0.01)[args[0].numbers[0] % 3]

        def work():
            time.sleep(waits)
            return fn(*args, **kwargs)

        return super().submit(work)


def test_the_order_in_which_games_are_done_makes_no_difference():
    place = WorkPlace(lambda: Dawdling(4), 4)
    turned = Simulation(SENT, plan_for(), place).run(40)
    assert results_hash(turned) == results_hash(played("coin", 40))


def test_a_process_that_does_not_know_the_program_asks_for_it():
    batch = GameBatch((0,), plan_for(), "no such program")
    assert play_batch(batch) is None


def test_a_run_stops_as_soon_as_enough_is_known():
    def enough(records):
        return widest(records, ("A", "B")) <= 0.08

    records = Simulation(SENT, plan_for(), HERE).run(2_000, enough)
    assert len(records) == 150  # the first look, every 50 games, at which it is so narrow
    assert len(Simulation(SENT, plan_for(), processes(2)).run(2_000, enough)) == 150


def test_a_run_goes_on_with_what_is_stored(tmp_path):
    path = tmp_path / "results.sqlite"
    told: list[GameRecord] = []
    with results_file(path, SENT, plan_for(), "coin") as results:
        Simulation(SENT, plan_for(), HERE, results.add).run(20)
    with results_file(path, SENT, plan_for(), "coin") as results:
        kept = results.games()
        again = Simulation(SENT, plan_for(), HERE, told.append, kept).run(30)
    assert sorted(kept) == list(range(20))
    assert sorted(one.number for one in told) == list(range(20, 30))
    assert results_hash(again) == results_hash(played("coin", 30))


def test_another_plan_has_results_of_its_own(tmp_path):
    path = tmp_path / "results.sqlite"
    with results_file(path, SENT, plan_for(), "coin") as results:
        Simulation(SENT, plan_for(), HERE, results.add).run(3)
    with results_file(path, SENT, plan_for(seed=2), "coin") as results:
        assert results.games() == {}


def test_a_file_that_is_no_database_is_refused(tmp_path):
    path = tmp_path / "results.sqlite"
    path.write_text("these are no results" * 100)
    with (
        pytest.raises(ResultsUnusable, match="cannot be used"),
        results_file(path, SENT, plan_for(), "coin"),
    ):
        pass


class Killing(ProcessPoolExecutor):
    """A pool of two processes, one of which is killed as soon as it has work."""

    made = 0

    def submit(self, fn, /, *args, **kwargs):
        future = super().submit(fn, *args, **kwargs)
        if Killing.made == 1:
            Killing.made += 1
            os.kill(next(iter(self._processes)), signal.SIGKILL)
        return future


def test_a_worker_that_dies_loses_its_batch_and_not_the_run():
    def make():
        Killing.made += 1
        return Killing(2)

    Killing.made = 0
    simulation = Simulation(SENT, plan_for(), WorkPlace(make, 2))
    records = simulation.run(40)
    assert simulation.lost <= 1  # none if the other worker is done before the death is seen
    assert results_hash(records) == results_hash(played("coin", 40))


class Forgetting(ThreadPoolExecutor):
    """A pool that breaks as it is handed its first work, of which it never tells: CPython's can do so."""

    handed: Future[object] | None = None

    def submit(self, fn, /, *args, **kwargs):
        if self.handed is None:
            self.handed = Future()
            return self.handed
        raise BrokenExecutor("broken")


def test_a_batch_of_which_a_broken_pool_never_tells_is_played_again(monkeypatch):
    monkeypatch.setattr("ruleloom.simulate.simulation.QUIET_SECONDS", 0.01)
    monkeypatch.setattr("ruleloom.simulate.simulation.AHEAD", 1)
    pools = iter((Forgetting(1), ThreadPoolExecutor(1)))
    simulation = Simulation(SENT, plan_for(), WorkPlace(lambda: next(pools), 1))
    assert results_hash(simulation.run(20)) == results_hash(played("coin", 20))
    assert simulation.lost == 1


class BreakingBetween(ThreadPoolExecutor):
    """A pool that breaks after its first work was handed to it, before the next is."""

    busy = False

    def submit(self, fn, /, *args, **kwargs):
        if self.busy:
            raise BrokenExecutor("broken")
        self.busy = True
        return super().submit(fn, *args, **kwargs)


def test_a_batch_that_a_broken_pool_refuses_is_played_by_the_next():
    pools = iter((BreakingBetween(1), ThreadPoolExecutor(1)))
    simulation = Simulation(SENT, plan_for(), WorkPlace(lambda: next(pools), 1))
    assert results_hash(simulation.run(20)) == results_hash(played("coin", 20))


def dies(*_):
    os.kill(os.getpid(), signal.SIGKILL)


class Deadly(ProcessPoolExecutor):
    """A pool in which all work ends the process that does it."""

    def submit(self, fn, /, *args, **kwargs):
        return super().submit(dies)


def test_work_that_kills_every_worker_is_given_up():
    place = WorkPlace(lambda: Deadly(1), 1)
    with pytest.raises(WorkersDied, match=r"4 workers have died"):
        Simulation(SENT, plan_for(), place).run(5)


@pytest.mark.slow
def test_a_cluster_of_dask_plays_the_same_games():
    cluster = pytest.importorskip("ruleloom.simulate.dask_cluster").cluster
    with cluster("local", 2) as place:
        shared = played("noughts", 30, place=place)
    assert results_hash(shared) == results_hash(played("noughts", 30))
