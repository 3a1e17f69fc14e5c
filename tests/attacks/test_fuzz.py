"""The front end under fuzzing: what was found before, a short run of each part, and a fuzzer that
finds and is steady.

`python -m tests.attacks.fuzz` looks for more; CONTRIBUTING.md says how.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.fuzz.__main__ import FOUND
from tests.attacks.fuzz.loop import Finding, Fuzzer, read, smaller, tried, write
from tests.attacks.fuzz.oracle import Broken
from tests.attacks.fuzz.targets import TARGETS, Target

INPUTS = {
    "yaml": 100,
    "effect": 30,
    "schema": 15,
    "packs": 12,
    "zip": 30,
    "save": 20,
    "program": 30,
    "attempts": 12,
    "patch": 4,
    "check": 6,
    "scenarios": 12,
}
"""How many inputs of each part the ordinary run tries: a few seconds for all of them together."""


def fuzz(name: str, inputs: int, seed: int) -> list[Finding]:
    return list(Fuzzer(TARGETS[name], seed).run(lambda tried: tried < inputs))


def told(findings: list[Finding]) -> str:
    return "\n".join(f"{one.words} at {one.where}: {one.text!a}" for one in findings)


def test_every_part_is_fuzzed():
    assert set(INPUTS) == set(TARGETS)


@pytest.mark.parametrize("name", INPUTS)
def test_a_short_run_finds_nothing(name: str):
    findings = fuzz(name, INPUTS[name], seed=1)
    assert not findings, told(findings)


@pytest.mark.slow
@pytest.mark.parametrize("name", INPUTS)
def test_a_long_run_finds_nothing(name: str):
    findings = fuzz(name, INPUTS[name] * 120, seed=2)
    assert not findings, told(findings)


@pytest.mark.parametrize(
    ("target", "name"),
    [(target, path.name) for target in TARGETS for path in sorted((FOUND / target).glob("*"))],
)
def test_what_was_found_stays_mended(target: str, name: str):
    text = dict(read(TARGETS[target], FOUND))[name]
    finding = tried(TARGETS[target], text)
    assert finding is None, finding.words if finding else ""


def test_the_fuzzer_finds_makes_smaller_and_keeps(tmp_path: Path):
    """A part that breaks on two words near each other, of which the seed has one."""

    def fragile(text: str) -> None:
        if "kind" in text and text.count("effect") > 1:
            raise Broken("two effects")

    target = Target("fragile", lambda: ("kind: x\neffect: y\n", "effect: z\n"), fragile)
    [finding] = Fuzzer(target, 1).run(lambda tried: tried < 300)
    least = smaller(finding, target)
    assert sorted(least.text) == sorted("kindeffecteffect")
    path = write(least, target, tmp_path)
    assert read(target, tmp_path) == [(path.name, least.text)]


def test_a_crash_is_a_finding_and_a_hang_is_one():
    def crash(_text: str) -> None:
        raise ZeroDivisionError("by nothing")

    finding = tried(Target("crash", tuple, crash), "x")
    assert finding is not None
    assert finding.words == "ZeroDivisionError: by nothing"


def test_the_same_seed_tries_the_same_inputs():
    runs = []
    for _ in range(2):
        fuzzer = Fuzzer(TARGETS["zip"], 5)
        assert list(fuzzer.run(lambda tried: tried < 40)) == []
        runs.append((fuzzer.kept, len(fuzzer.trace.known) > 100))
    assert runs[0] == runs[1]
