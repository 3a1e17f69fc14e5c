"""`python -m tests.slow [--only fights]`: runs all that is too slow for every day, one after another.

Each run prints its own figures; the last lines say how long each took, and which failed.
docs/slow-runs.md holds the last figures.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time

TOOLS = {
    "games": "tests.laws.soak --games 10000 --saves 1000 --workers 2",
    "fights": "tests.laws.fights --games 5000 --saves 500 --workers 2",
    "evenings": "tests.laws.evenings --games 2000 --saves 200 --workers 2 --first 1",
    "sessions": "tests.laws.sessions --games 2000 --saves 200 --workers 2 --first 1",
    "seats": "tests.laws.seats --games 2000 --workers 2 --first 1",
    "builds": "tests.laws.builds --builds 5000",
    "rows": "tests.laws.single_rows --programs 100000 --games 500",
    "upgrades": "tests.laws.upgrades --games 500 --versions 25",
    "edits": "tests.laws.edits --edits 2000 --seed 1",
    "writing": "tests.laws.writing --edits 10000 --seed 21",
    "faults": "benchmarks.faults --all --seed 1 --each 40",
    "mutants-gnostica": "benchmarks.mutants --game gnostica --all --workers 2",
    "mutants-monotheism": "benchmarks.mutants --game monotheism --all --workers 2",
    "mutants-moonstone": "benchmarks.mutants --game moonstone --all --workers 2",
    "mutants-witchgates": "benchmarks.mutants --game witchgates --all --workers 2",
    "fuzz": "tests.attacks.fuzz --seconds 600 --seed 1",
    "speed": "benchmarks",
    "keystrokes": "benchmarks.keystrokes",
    "load": "benchmarks.web.table_load --tables 200 --seats 3 --idle 1000 --seconds 600",
}
DONE_BY_TOOLS = (
    "test_ten_thousand_games",
    "test_the_laws_hold_in_many_fights",
    "test_nine_in_ten_of_many_evenings_come_to_an_end",
    "test_the_laws_hold_in_many_sessions",
    "test_a_spy_does_nothing_and_learns_nothing_in_many_games",
    "test_many_games_play_alike_in_single_rows",
    "test_thousands_of_random_records_are_what_check_and_why_say",
    "test_ten_thousand_edits_break_nothing",
    "test_many_games_taken_to_changed_versions",
    "test_many_faults_of_each_kind_are_told_exactly_and_once",
    "test_all_mutants_are_noticed",
)
"""Slow tests that hold a tool's own run to its targets: the tool does the same and prints figures."""
RUNS = {
    "tests": f"pytest -m slow -k 'not ({' or '.join(DONE_BY_TOOLS)})'",
    "properties": "pytest -m hypothesis --hypothesis-profile=search",
    **TOOLS,
}


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.slow", description=__doc__)
    parser.add_argument(
        "--only", action="append", default=[], choices=list(RUNS), help="only this run"
    )
    parser.add_argument("--list", action="store_true", help="print the commands instead")
    options = parser.parse_args()
    told = []
    for name in options.only or RUNS:
        print(f"== {name}: python -m {RUNS[name]}", flush=True)
        if not options.list:
            start = time.perf_counter()
            code = subprocess.run([sys.executable, "-m", *shlex.split(RUNS[name])]).returncode
            told.append((name, time.perf_counter() - start, code))
    for name, seconds, code in told:
        print(f"{name:20} {seconds:8,.0f} s  {'passed' if code == 0 else f'FAILED ({code})'}")
    return int(any(code for _, _, code in told))


if __name__ == "__main__":
    sys.exit(main())
