"""The budget of a use: what is counted, what is told of it, and at whose item."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.compiler.diagnostics.report import Diagnostic
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.program.program import Bounds
from tests.support.check_layer import compile_case
from tests.support.on_quarrel import block, charm, result_of
from tests.support.pack_examples import manifest, write
from tests.support.patch_packs import compiled, put


def power(id: str, effect: str) -> str:
    return f"- kind: power\n  id: {id}\n  gloss: x\n  effect: |\n{block(effect)}"


def trigger(id: str, event: str, effect: str, more: str = "") -> str:
    head = f"- kind: trigger\n  id: {id}\n  event: {event}\n  timing: afterwards\n{more}"
    return f"{head}  effect: |\n{block(effect)}"


def over(result: CompileResult) -> list[Diagnostic]:
    """What is over budget. Nothing is wrong besides, so that there is a program."""
    assert result.program is not None, [one.message for one in result.diagnostics]
    return [one for one in result.diagnostics if one.code == "over-budget"]


def bounds(result: CompileResult, id: str) -> Bounds:
    assert result.program is not None, [one.message for one in result.diagnostics]
    return next(one.bounds for one in result.program.routines if one.id == id)


# A power that its author wrote well within the budget, and what others bring to it.
BLAZE = power("blaze", "for each h in there:\n    repeat 50 times: burn(h)")
SPARKS = trigger(
    "sparks", "burn(whom)", "repeat 30 times:\n    repeat 30 times: strike(whom, whom, 0)"
)


# ---------------------------------------------------------------------------------- whose it is


def test_what_an_answer_brings_is_told_at_the_answer(tmp_path: Path):
    result = compiled(*put(tmp_path, {"feast": BLAZE, "sparks": SPARKS}))
    (found,) = over(result)
    assert (Path(found.place.path).parent.name, found.place.line) == ("sparks", 2)
    assert found.severity == "warning"
    assert "with this, `feast:power/blaze` may take" in found.message
    assert "x 50 rounds x 30 rounds x 30 rounds x 1 operation = " in found.message
    assert found.help == "`once_per: turn`"
    assert {Path(note.place.path).parent.name for note in found.notes} == {"feast", "sparks"}


def test_what_replaces_a_power_counts_at_its_users():
    hurting = power("pay_up", "hurt(me, 1)")
    instead = charm("cheap", "instead of pay_up():\n    repeat 7 times: hurt(self, 1)")
    found = [
        bounds(result_of("use pay_up\n", hurting, more), "quarrel:flow/turn").operations
        for more in ("", instead)
    ]
    assert found == [1, 8]


def test_without_the_answer_nothing_is_told(tmp_path: Path):
    assert over(compiled(*put(tmp_path, {"feast": BLAZE}))) == []


def test_the_greater_of_two_shares_is_told(tmp_path: Path):
    small = trigger("embers", "burn(whom)", "repeat 600 times: strike(whom, whom, 0)")
    (found,) = over(compiled(*put(tmp_path, {"a": small, "feast": BLAZE, "z": SPARKS})))
    assert Path(found.place.path).parent.name == "z"


def test_more_things_are_the_share_of_whoever_brings_them(tmp_path: Path):
    round_ = power("round_up", "for each h in Hero:\n    repeat 2000 times: burn(h)")
    people = "".join(f"- {{kind: hero, id: h{n}, title: H{n}, skill: 1}}\n" for n in range(60))
    result = compiled(*put(tmp_path, {"feast": round_, "crowd": people}))
    (found,) = over(result)
    assert Path(found.place.path).parent.name == "crowd"
    assert "heroes x 2,000 rounds x 1 operation" in found.message


def test_a_text_that_is_too_much_alone_is_told_at_its_own_item(tmp_path: Path):
    alone = power(
        "alone", "repeat 400 times:\n    repeat 400 times:\n        for each h in Hero: burn(h)"
    )
    told = over(compiled(*put(tmp_path, {"feast": alone, "sparks": SPARKS})))
    assert [Path(one.place.path).parent.name for one in told] == ["feast"]
    assert told[0].message.startswith("`alone` may take ")


# ---------------------------------------------------------------------------------- what is counted


def test_what_is_said_counts():
    text = power("tried", 'choose k from 1 .. 3\nrepeat 7 times: say "{k}"')
    assert bounds(compile_case(text), "orchard:power/tried").operations == 7


def test_what_acts_once_a_turn_counts_once_a_use_for_each_bearer():
    def operations(once: str) -> int:
        eyes = charm("eyes", f"when hurt(self, much){once}:\n    heal(self, 1)\n    heal(self, 1)")
        return bounds(
            result_of("repeat 10 times: hurt(me, 1)\n", eyes), "quarrel:flow/turn"
        ).operations

    # For each of four players.
    assert (operations(""), operations(" once per turn")) == (30, 10 + 4 * 2)


@pytest.mark.parametrize(
    ("where", "bearers"), [("", 4), (" where me = self", 1), (" where self = who", 1)]
)
def test_a_condition_that_says_who_the_bearer_is_leaves_one(where: str, bearers: int):
    eyes = charm("eyes", f"when hurt(who, much){where}: heal(self, 1)")
    turn = result_of("repeat 10 times: hurt(me, 1)\n", eyes)
    assert bounds(turn, "quarrel:flow/turn").operations == 10 + 10 * bearers


@pytest.mark.parametrize(
    ("rounds", "bearer", "offered"),
    [(900, "where me = self", True), (90_000, "where me = self", True), (90_000, "", False)],
)
def test_once_per_turn_is_offered_where_it_is_enough(
    tmp_path: Path, rounds: int, bearer: str, offered: bool
):
    """Each of the players has it once: where one alone is within the budget, two are not."""
    head = "- kind: standing\n  id: sparks\n  for: Player\n  abilities: |\n"

    def told(once: str) -> list[Diagnostic]:
        line = f"when burn(whom) {bearer}{once}:\n    repeat {rounds} times: strike(whom, whom, 0)"
        return over(compiled(*put(tmp_path, {"feast": BLAZE, "sparks": head + block(line)})))

    (found,) = told("")
    assert (found.help == "`once per turn`") == offered
    assert (told(" once per turn") == []) == offered


MONOTHEISM = "monotheism:power/resolve"


def table(folder: Path, more: str, items: str = "[]") -> CompileResult:
    """Monotheism with a pack that has this in its manifest."""
    head = manifest("table", 'requires: {monotheism: ">=0.1"}', more, game="monotheism")
    write(folder, {"pack.yaml": head, "items.yaml": items})
    return compile_paths([folder], texts=False)


@pytest.mark.parametrize(
    ("more", "items"),
    [
        ("settings: {most_placed: 4}", "[]"),
        ("", "- {kind: patch, id: few, target: monotheism:setting/most_placed, set: {value: 4}}\n"),
        (
            "",
            "- {kind: patch, id: few, target: monotheism:setting/most_placed, set: {value: 4, max: 4}}\n",
        ),
    ],
)
def test_a_lower_setting_lowers_the_count(tmp_path: Path, more: str, items: str):
    usual = bounds(compile_paths(["monotheism"], texts=False, scenarios=False), MONOTHEISM)
    lower = bounds(table(tmp_path, more, items), MONOTHEISM)
    assert (usual.dice, lower.dice) == (12, 4)
    assert lower.prompts < usual.prompts / 2


def test_a_raised_setting_is_the_share_of_the_pack_that_raises_it(tmp_path: Path):
    courses = "- {kind: setting, id: courses, value: 5, min: 1, max: 900, english: courses}\n"
    dine = courses + power("dine", 'repeat courses times:\n    repeat 500 times: say "soup"')
    more = "- {kind: patch, id: many, target: feast:setting/courses, set: {value: 600}}\n"
    hungry = "- {kind: patch, id: many, target: feast:setting/courses, set: {value: 400}}\n"
    (found,) = over(compiled(*put(tmp_path, {"feast": dine, "hungry": more})))
    assert (Path(found.place.path).parent.name, found.place.line) == ("hungry", 1)
    assert "600 rounds x 500 rounds x 1 operation = 300,000 operations" in found.message
    assert found.help is not None
    assert found.help.startswith("at most 200 rounds instead of 600")
    (found,) = over(compiled(*put(tmp_path, {"feast": dine, "hungry": hungry})))
    assert "400 rounds" in found.message
