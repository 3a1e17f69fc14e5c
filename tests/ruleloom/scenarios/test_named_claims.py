"""Cases claim what refuses, and what is told, by names: these stay where the words change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.inn import CASES, INN
from tests.support.pack_examples import write

RULES = """\
- kind: rule
  id: hungry
  takes: "who: Player, what: Meal"
  holds: "ate(who, what) < 2"
  english: "{who} is hungry for {what}"
- kind: measure
  id: change
  takes: "who: Player"
  gives: Int
  is: "purse(who) - 2"
  english: "the change of {who}"
- kind: power
  id: order
  gloss: order
  effect: |
    choose one named orders "What now?":
        "dine" when change(me) > 3:
            choose meal from Meal where allowed hungry(me, meal) "What?"
            choose guest from players where purse(guest) > 1 and guest != me "With whom?"
            pay(guest, 2)
            say "{meal} is brought"
        "leave":
            ensure purse(me) > 0 "nobody leaves without a coin"
        "wait":
            say "nothing happens"
"""
CASE = """\
  - id: {id}
    given: {{players: [Ann, Bob, Cem], state: {{Ann: {{purse: {purse}, ate(pie): 2}}, Bob: {{purse: 1}}, Cem: {{purse: 5}}}}}}
    when: [{{do: use order, answers: {{{answers}}}}}]
    then: {then}
"""
SETTINGS = ("least_players", "limit")
LIMIT = "- {kind: setting, id: limit, value: 3, min: 1, max: 5, english: the limit}\n"


def run_case(folder: Path, answers: str, then: str, purse: int = 9) -> tuple[int, str]:
    case = CASE.format(id="own", answers=answers, then=then, purse=purse)
    write(folder, INN | {"inn/rules.yaml": RULES, "inn/cases.yaml": CASES + case})
    done = call("test", folder / "inn")
    return done.code, done.out


@pytest.mark.parametrize(
    ("answers", "purse", "names"),
    [
        ("orders: dine, meal: pie", 9, ["hungry", "[meal, hungry]", "[order, hungry]"]),
        ("orders: dine, meal: soup, guest: Bob", 9, ["purse", "[guest, purse]"]),
        ("orders: dine, meal: soup, guest: Ann", 9, ["guest", "[guest, order]"]),
        ("orders: dine", 5, ["change", "[orders, change]"]),
        ("orders: leave", 0, ["purse", "[orders, purse]"]),
    ],
)
def test_a_refusal_goes_by_the_names_of_its_question_and_its_condition(
    tmp_path: Path, answers: str, purse: int, names: list[str]
):
    for name in names:
        code, out = run_case(tmp_path, answers, f"{{legal: false, because: {name}}}", purse)
        assert (code, "1 passed" in out) == (0, True), out


@pytest.mark.parametrize(
    ("answers", "because", "told"),
    [
        # Of a failed condition one name at least is given.
        ("orders: dine, meal: pie", "meal", "refused for `meal`, `order` and `hungry`"),
        ("orders: dine, meal: pie", "[meal, purse]", "not refused for `meal` and `purse`"),
        ("orders: dine, meal: soup, guest: Bob", "hungry", "not refused for `hungry`"),
        ("orders: dine, meal: soup, guest: Ann", "purse", "not refused for `purse`"),
    ],
)
def test_another_name_fails_and_the_message_has_the_names(
    tmp_path: Path, answers: str, because: str, told: str
):
    code, out = run_case(tmp_path, answers, f"{{legal: false, because: {because}}}")
    assert (code, told in out) == (1, True), out


def test_a_setting_goes_by_its_name(tmp_path: Path):
    high = "given: {settings: {least_players: 9}}, when: []"
    cases = [
        f"  - {{id: {name}, {high}, then: {{legal: false, because: {name}}}}}\n"
        for name in SETTINGS
    ]
    write(tmp_path, INN | {"inn/cases.yaml": CASES + "".join(cases), "inn/limit.yaml": LIMIT})
    out = call("test", tmp_path / "inn").out
    assert "1 passed, 1 failed" in out
    assert "not refused for `limit`: it is refused for `least_players`" in out


def test_a_requirement_goes_by_its_name(tmp_path: Path):
    head = "{kind: pack, id: camp, version: 1.0.0, game: moonstone, edition: 1}\n"
    given = (
        "given: {settings: {cv_allowance: 30}, things: {ann: {kind: character, start: {Str: 23}}}}"
    )
    names = ("within_allowance", "under_a_broader_one")
    cases = [
        f"  - {{id: {one}, {given}, then: {{legal: false, because: {one}}}}}\n" for one in names
    ]
    write(tmp_path, {"camp/pack.yaml": head, "camp/cases.yaml": CASES + "".join(cases)})
    out = call("test", tmp_path / "camp").out
    assert "1 passed, 1 failed" in out
    assert "not refused for `under_a_broader_one`: it is refused for `within_allowance`" in out


@pytest.mark.parametrize(
    ("then", "passes"),
    [
        ("{log: [{pay: {who: Cem, much: 2}}]}", True),
        ("{log: [{pay: {me: Ann}}]}", True),
        ("{log: [{pay: {much: 3}}]}", False),
        ("{log: [{pay: {who: Cem}}, {pay: {who: Cem}}]}", False),  # once only
        ("{unlogged: [{pay: {who: Bob}}]}", True),
        ("{unlogged: [{pay: {who: Cem}}]}", False),
    ],
)
def test_a_line_is_claimed_by_its_operation_and_its_facts(tmp_path: Path, then: str, passes: bool):
    code, out = run_case(tmp_path, "orders: dine, meal: soup, guest: Cem", then)
    assert (code == 0) == passes, out


@pytest.mark.parametrize(
    ("then", "message"),
    [
        ("{legal: false, because: hungyr}", "nothing is refused for `hungyr`"),
        ("{legal: false, because: luck}", "nothing is refused for `luck`"),
        ("{because: hungry}", "needs a field `legal`"),
        ("{log: [{pya: {who: Cem}}]}", "there is no operation `pya`"),
        ("{log: [{pay: {whom: Cem}}]}", "`pay` has no `whom`"),
        ("{log: [{pay: {who: Dan}}]}", "there is no player `Dan` here"),
        ("{log: [{pay: 2}]}", "a mapping of what is claimed of it is wanted here"),
        ("{sees: {Bob: {log: [{pay: {who: Cem}}]}}}", "a part of a line as it is read"),
    ],
)
def test_check_knows_the_names(tmp_path: Path, then: str, message: str):
    case = CASE.format(id="own", answers="orders: leave", then=then, purse=9)
    write(tmp_path, INN | {"inn/rules.yaml": RULES, "inn/cases.yaml": CASES + case})
    out = call("check", tmp_path / "inn").out
    assert message in out
    assert "1 error" in out
