"""Odds of effect texts against what is worked out by hand, policies, and what is told of runs at
random."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ruleloom.reference.dice import exact_percent
from tests.support.command import call

GAME = """\
- kind: vocabulary
  game: duel
  enums: {Stance: [high, low]}
  entities:
    Player:
      noun: [player, players]
      max: 4
      fields: {hits: {type: Int, min: -99, max: 99, initial: 20}, tough: {type: Int, by: Stance, max: 9, initial: 1}}
  scope:
    me: {type: Player, life: game, english: you}
    stance: {type: Stance, life: game, initial: high, english: the stance}
  queries: {seat_after: {params: {player: Player}, result: Player, reads: [], english: "who sits after {player}"}}
  operations:
    hurt:
      params: {who: Player, much: Int}
      sets: {hits(who): hits(who) - much}
      english: "hurt {who}"
      log: "{who} loses {much}"
- {kind: setting, id: least_players, value: 2, min: 2, max: 4, english: the fewest players}
- kind: power
  id: blow
  takes: "who: Player"
  gloss: strike
  effect: |
    roll harm = 3d20
    if harm > tough(who, stance): hurt(who, harm - tough(who, stance))
- {kind: flow, id: set_up, effect: set stance = high}
- {kind: flow, id: turn, effect: use blow(me)}
"""


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("duel")
    manifest = "kind: pack\nid: duel\nversion: 1.0.0\ngame: duel\nedition: 1\n"
    (folder / "pack.yaml").write_text(manifest, encoding="utf-8")
    (folder / "duel.yaml").write_text(GAME, encoding="utf-8")
    return folder


def tables(duel: Path, text: str, *words: str | Path) -> dict[str, dict[str, Fraction]]:
    """The chance of each value of each expression."""
    return {one["of"]: _chances(one) for one in data(duel, text, *words)["tables"]}


def _chances(table: dict[str, Any]) -> dict[str, Fraction]:
    return {line["value"]: Fraction(line["chance"]) for line in table["values"]}


def data(duel: Path, text: str, *words: str | Path) -> dict[str, Any]:
    done = call("odds", duel, text, "--json", *words)
    assert done.code == 0, done.out + done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def shares(values: Counter[str]) -> dict[str, Fraction]:
    total = sum(values.values())
    return {value: Fraction(count, total) for value, count in values.items()}


# ----------------------------------------------------------------------------- against closed forms

TRIPLES = list(product(range(1, 21), repeat=3))


def test_three_dice_less_a_resistance(duel: Path, tmp_path: Path):
    given = tmp_path / "given.yaml"
    given.write_text(
        "given:\n  me: B\n  state: {stance: low, B: {hits: 30, tough(low): 9}}\n", encoding="utf-8"
    )
    wanted = shares(Counter(str(30 - max(0, sum(dice) - 9)) for dice in TRIPLES))
    assert tables(duel, "use blow(me)", "--given", given, "--of", "hits(me)") == {
        "hits(me)": wanted
    }


def test_an_opposed_roll_whose_ties_are_the_defenders(duel: Path):
    text = "roll blow_die = 1d20\nroll guard = 1d20\nlet hit = blow_die + 5 > guard + 3"
    won = sum(1 for a, b in product(range(1, 21), repeat=2) if a + 5 > b + 3)
    found = tables(duel, text)
    assert found["hit"] == {"yes": Fraction(won, 400), "no": Fraction(400 - won, 400)}
    assert found["guard"] == {str(face): Fraction(1, 20) for face in range(1, 21)}


def test_the_sum_of_four_dice_with_mean_and_at_least(duel: Path):
    [table] = data(duel, "roll luck = 4d6")["tables"]
    wanted = shares(Counter(str(sum(dice)) for dice in product(range(1, 7), repeat=4)))
    assert _chances(table) == wanted
    assert table["mean"] == "14"
    for line in table["values"]:
        least = sum(
            (chance for value, chance in wanted.items() if int(value) >= int(line["value"])),
            Fraction(0),
        )
        assert Fraction(line["at_least"]) == least


def test_one_roll_after_another_is_not_taken_apart(duel: Path):
    """Twenty dice have more ways to fall than there is time: only sums are kept of them."""
    text = "let total = 0\nrepeat 20 times:\n    roll die = 1d6\n    set total = total + die"
    [table] = data(duel, text, "--of", "total")["tables"]
    assert table["mean"] == "70"
    assert _chances(table)["20"] == Fraction(1, 6**20)


# ---------------------------------------------------------------------------------- policies

CHOICE = """\
roll first = 1d6
choose again from [no, yes] "Once more?"
roll second = 1d6
let score = second if again else first
"""


def test_the_best_answer_is_the_best(duel: Path):
    """Whoever may throw once more does so with 3 or less: 1/2 of 3 1/2 and 1/2 of 5."""
    [table] = data(duel, CHOICE, "--policy", "again=best:score", "--of", "score")["tables"]
    assert Fraction(table["mean"]) == Fraction(7, 2) / 2 + Fraction(5) / 2
    assert _chances(table) == {
        str(n): Fraction(1, 12) + (Fraction(1, 6) if n > 3 else 0) for n in range(1, 7)
    }


def test_the_worst_answer_is_the_best_of_the_other_sign(duel: Path):
    [table] = data(duel, CHOICE, "--policy", "best:0 - score", "--of", "score")["tables"]
    assert Fraction(table["mean"]) == Fraction(7, 2) / 2 + Fraction(2) / 2


def test_a_chance_can_be_what_is_best(duel: Path):
    found = tables(duel, CHOICE, "--policy", "best:1 if score = 6 else 0", "--of", "score = 6")
    assert found["score = 6"]["yes"] == Fraction(1, 6) + Fraction(5, 6) * Fraction(1, 6)


def test_two_players_each_have_their_best(duel: Path):
    """The one who is asked last takes what is worst for the other, who knows it."""
    text = """\
choose mine from [1, 2, 3]
choose other from [1, 2, 3] by seat_after(me)
let gain = mine * 2 - (4 if other = mine else 0)
"""
    words = ("--policy", "mine=best:gain", "--policy", "other=best:0 - gain")
    assert tables(duel, text, *words, "--of", "gain", "--of", "other") == {
        "gain": {"2": Fraction(1)},
        "other": {"3": Fraction(1)},
    }


def test_without_a_policy_every_answer_counts_alike(duel: Path):
    assert tables(duel, CHOICE, "--of", "again")["again"] == {
        "no": Fraction(1, 2),
        "yes": Fraction(1, 2),
    }


def test_a_fixed_answer_holds_for_choices_and_dice(duel: Path):
    found = tables(
        duel,
        CHOICE,
        "--policy",
        "again=yes",
        "--policy",
        "second=4",
        "--of",
        "score",
        "--of",
        "first",
    )
    assert found["score"] == {"4": Fraction(1)}
    assert found["first"] == {str(face): Fraction(1, 6) for face in range(1, 7)}


def test_of_several_answers_the_first_that_is_on_offer_is_taken(duel: Path):
    text = "roll first = 1d6\nchoose it from 1 .. 3 where it <= first"
    found = tables(duel, text, "--policy", "it=3|2|1", "--of", "it")
    assert found["it"] == {"1": Fraction(1, 6), "2": Fraction(1, 6), "3": Fraction(2, 3)}


def test_a_text_of_several_lines_comes_from_the_input(duel: Path):
    done = call("odds", duel, "-", "--of", "a + b", typed="roll a = 1d1\nroll b = 1d1\n")
    assert done.out.splitlines()[0] == "a + b: 2 on average"


def test_optional_things_have_policies_by_their_label(duel: Path):
    text = 'let x = 1\noptional "dare it":\n    set x = 2'
    assert tables(duel, text)["x"] == {"1": Fraction(1, 2), "2": Fraction(1, 2)}
    assert tables(duel, text, "--policy", "dare it=no")["x"] == {"1": Fraction(1)}


# ---------------------------------------------------------------------------------- what is told


def test_things_words_and_nothing_are_told_by_name(duel: Path):
    text = "choose who from players\nchoose way from Stance\nchoose none_or from players or none"
    found = tables(duel, text)
    assert found["who"] == {"A": Fraction(1, 2), "B": Fraction(1, 2)}
    assert found["way"] == {"high": Fraction(1, 2), "low": Fraction(1, 2)}
    assert found["none_or"] == {"A": Fraction(1, 3), "B": Fraction(1, 3), "none": Fraction(1, 3)}


def test_a_text_that_comes_to_nothing_says_so(duel: Path):
    text = "roll die = 1d4\nchoose one_of from [1, 2] where die > 3"
    found = tables(duel, text, "--of", "one_of * 10")["one_of * 10"]
    assert found == {
        "10": Fraction(1, 8),
        "20": Fraction(1, 8),
        "(it comes to nothing)": Fraction(3, 4),
    }


def test_past_its_budget_it_tries_and_says_so(duel: Path):
    text = "repeat 4 times:\n    roll die = 1d20\n    hurt(me, die)"
    exact = data(duel, text, "--of", "hits(me) > -20")
    tried = data(duel, text, "--of", "hits(me) > -20", "--budget", "50", "--seed", "3")
    assert exact["exact"]
    assert not tried["exact"]
    assert tried["runs"] >= 1000
    assert tried["seed"] == 3
    real = _chances(exact["tables"][0])
    for line in tried["tables"][0]["values"]:
        low, high = line["between"]
        assert low < float(Fraction(line["chance"])) < high
        assert low < real[line["value"]] < high
        assert high - low < 0.07
    assert data(duel, text, "--of", "hits(me) > -20", "--budget", "50", "--seed", "3") == tried
    assert data(duel, text, "--of", "hits(me) > -20", "--budget", "50", "--seed", "4") != tried


def test_a_page_of_it(duel: Path):
    done = call("odds", duel, "roll luck = 2d2", "--of", "luck", "--of", "luck = 3")
    assert done.out.splitlines() == [
        "luck: 3 on average",
        "  2  1/4  25.00%  ###############                 100.00% or more",
        "  3  1/2  50.00%  ##############################   75.00% or more",
        "  4  1/4  25.00%  ###############                  25.00% or more",
        "",
        "luck = 3",
        "   no  1/2  50.00%  ##############################",
        "  yes  1/2  50.00%  ##############################",
    ]


@pytest.mark.parametrize(
    ("chance", "shown"),
    [
        (Fraction(1, 3), "33.33%"),
        (Fraction(2, 3), "66.67%"),
        (Fraction(1), "100.00%"),
        (Fraction(1, 10**9), "0.00%"),
    ],
)
def test_hundredths(chance: Fraction, shown: str):
    assert exact_percent(chance) == shown


@pytest.mark.parametrize(
    ("text", "asked", "spent"),
    [
        ("roll each p = 30 d 8", "p", "more than 900 states"),
        ("roll luck = 700 d 9000", "luck > 3000000", "a roll of 700 dice has 6,299,301 sums"),
    ],
)
def test_what_is_too_much_is_estimated_and_says_what_was_spent(
    duel: Path, text: str, asked: str, spent: str
):
    """Nobody has asked for a best answer, so dice are thrown."""
    done = call("odds", duel, text, "--of", asked, "--budget", "900")
    assert done.code == 0
    first, second, *_ = done.out.splitlines()
    assert first == f"{spent}: estimated from 1,000 random runs, seed 1"
    assert "95% confidence" in second


@pytest.mark.parametrize(
    ("asked", "holds"),
    [
        ("sum(first(3, p)) > 20", lambda f: sum(f[:3]) > 20),
        ("highest(p) = 10 and not (1 in p)", lambda f: f[0] == 10 and f[-1] > 1),
    ],
)
def test_what_is_kept_of_a_pool_is_exact(duel: Path, asked: str, holds: Callable[[Any], bool]):
    """A condition is told as yes and no, as if each fall had been looked at."""
    found = data(duel, "roll each p = 5 d 10", "--of", asked)
    falls = [sorted(f, reverse=True) for f in product(range(1, 11), repeat=5)]
    chance = Fraction(sum(map(holds, falls)), len(falls))
    rows = {row["value"]: Fraction(row["chance"]) for row in found["tables"][0]["values"]}
    assert found["exact"] is True
    assert rows == {"yes": chance, "no": 1 - chance}


# ---------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("text", "words", "told"),
    [
        ("roll luck = 2d6", ["--of", "lack"], "`lack`: there is no `lack` here"),
        ("roll luck = 2d6\nset lack = 3", [], "line 2: there is no `lack`"),
        ("set lack = 3", ["--of", "1"], "there is no `lack`"),
        ("hurt(me, 3)", [], "the text sets no name to tabulate"),
        ("roll luck = 1d", [], "a name cannot begin with a digit"),
        ("use nothing_there", [], "there is no power `nothing_there`"),
        ("roll luck = 2d6", ["--policy", "lack=3"], "no prompt `lack` comes up"),
        ("roll luck = 2d6", ["--policy", "luck"], "`--policy luck` says nothing"),
        (
            "roll luck = 2d6",
            ["--policy", "luck=3", "--policy", "luck=4"],
            "`luck` has two policies",
        ),
        (
            "roll luck = 2d6",
            ["--policy", "uniform", "--policy", "best:luck"],
            "two policies for all other",
        ),
        ("roll luck = 2d6", ["--policy", "luck=13"], "cannot come to `13`"),
        ("roll luck = 2d6", ["--policy", "luck=best:luck"], "chance decides `luck`"),
        (
            "choose it from [1, 2]",
            ["--policy", "it=3"],
            "a policy cannot be kept: `3` is not one of the options",
        ),
        ("choose it from [1, 2]", ["--policy", "it=3|2"], "`3` is never on offer at `it`"),
        ("choose it from [1, 2]", ["--policy", "it=3|4"], "none of `3|4` is on offer at `it`"),
        ("choose it from [1, 2]", ["--policy", "it=high"], "`high` is no answer to `it`: 1, 2"),
        ("choose it from [1, 2]", ["--policy", "best:stance"], "`stance` is not always a number"),
        (
            "choose it from [1, 2]\nroll a = 1d6",
            ["--policy", "best:a", "--budget", "1"],
            "random runs cannot find the best answer",
        ),
        (
            "each who in players secretly choose bid from [1, 2]",
            ["--of", "bid(me)", "--policy", "bid=1"],
            "answered in secret",
        ),
        ("roll luck = 2d6", ["--given", "nowhere.yaml"], "nowhere.yaml"),
    ],
)
def test_what_is_not_to_be_understood(duel: Path, text: str, words: list[str], told: str):
    done = call("odds", duel, text, *words)
    assert done.code in (1, 2)
    assert told in done.out + done.err


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("given: {stat: {}}", "`stat` is not a field of `given`"),
        ("state: {}", "given"),
        ("- 1", "this file has no `given:`"),
        ("given: {state: {A: {hats: 3}}}", "`A` has no field `hats`"),
        ("given: {state: {A: {hits: 100}}}", "lies between -99 and 99"),
        ("given: {players: [A]}", "for 2 to 4 players"),
        ("given: {me: C}", "there is no player `C` here"),
    ],
)
def test_what_cannot_be_given(duel: Path, tmp_path: Path, given: str, told: str):
    (tmp_path / "given.yaml").write_text(given, encoding="utf-8")
    done = call("odds", duel, "roll luck = 2d6", "--given", tmp_path / "given.yaml")
    assert done.code in (1, 2)
    assert told in done.out + done.err


def test_a_fault_of_the_rules_is_told(duel: Path):
    done = call("odds", duel, "hurt(me, 300)", "--of", "hits(me)")
    assert done.code == 1
    assert "-280" in done.err


def test_what_is_given_has_to_be_an_ordinary_file(tmp_path: Path):
    """A pipe would be waited for, and some files have no end."""
    os.mkfifo(tmp_path / "pipe.yaml")
    done = call("odds", "gnostica", "roll luck = 2d6", "--given", tmp_path / "pipe.yaml")
    assert done.code == 1
    assert "pipe.yaml:1:1: error[unreadable-file]: this is not an ordinary file" in done.out


def test_what_is_chosen_in_secret_is_tabulated_by_player(duel: Path):
    done = call("odds", duel, "each who in players secretly choose bid from [1, 2]")
    assert done.code == 0
    assert "A: 1, B: 2  1/4" in done.out
    assert "who" not in done.out.split()


# ------------------------------------------------------------------ tables of odds, by `odds:` of a power

TABLED = """\
- kind: power
  id: swing
  gives: "harm: Int"
  gloss: swing
  words: {many: blows, sides: size}
  odds: {by: [many, sides], answers: {luck: 1}}
  effect: |
    choose many from [1, 2] "How many?"
    choose sides from [4, 6] "Of what size?"
    choose luck from [0, 1] "Luck?"
    roll dice_thrown = many d sides
    let harm = dice_thrown + luck
- kind: power
  id: late
  gives: "so: Bool"
  gloss: wait
  odds: {by: [many]}
  effect: |
    roll first_die = 1 d 6
    choose many from [1, 2] "How many?"
    let so = first_die > many
"""


def test_a_table_of_odds_has_a_line_for_each_answer(duel: Path, tmp_path: Path):
    extra = tmp_path / "swing"
    extra.mkdir()
    manifest = (
        "kind: pack\nid: swing\nversion: 1.0.0\ngame: duel\nedition: 1\nrequires: {duel: '*'}\n"
    )
    (extra / "pack.yaml").write_text(manifest, encoding="utf-8")
    (extra / "swing.yaml").write_text(TABLED, encoding="utf-8")
    told = call("odds", duel, extra, "swing").out.splitlines()
    assert told == [
        "swing: harm",
        "         size",
        "  blows                4                6",
        "      1  3.50 on average  4.50 on average",
        "      2  6.00 on average  8.00 on average",
    ]
    # Its own answer gives way to a policy, and so does a choice of `by`.
    done = call("odds", duel, extra, "swing", "--json", "--policy", "luck=0", "--policy", "many=1")
    (table,) = json.loads(done.out)
    values = [(one["answers"], one["value"]) for one in table["lines"]]
    assert values == [(["1", "4"], "5/2"), (["1", "6"], "7/2")]
    late = call("odds", duel, extra, "late")
    assert (late.code, late.out) == (2, "")
    assert "`many` comes after `first_die`" in late.err
    unmet = call("odds", duel, extra, "swing", "--policy", "lukc=0")
    assert "no prompt `lukc` comes up" in unmet.err
