"""How much work a use may come to: what is counted once, what few are asked, and where it is too
much.

A round of 1,000 goes through a list of thousands each time: what the compiler counts decides
whether that is refused.
"""

from __future__ import annotations

import pytest

from ruleloom.compiler.flow.cost import USE_WORK_LIMIT, WORK_LIMIT
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.runtime.program.verify import check_program
from tests.content.moonstone_camp import camp, hero
from tests.support.check_layer import compile_case
from tests.support.on_quarrel import charm, result_of

LONG = "count(x: 1 .. 5000 where x mod 7 = day)"
ROUND = "repeat {} times: set day = {} mod 10\n"


def measure(id: str, takes: str, is_: str) -> str:
    """A measure that gives a number."""
    takes = f'  takes: "{takes}"\n' if takes else ""
    return f'- kind: measure\n  id: {id}\n{takes}  gives: Int\n  is: "{is_}"\n  english: "{id}"\n'


def power(*lines: str) -> str:
    """A power with these lines."""
    body = "".join(f"    {line}\n" for text in lines for line in text.splitlines())
    return f"- kind: power\n  id: tried\n  gloss: x\n  effect: |\n{body}"


def refused(result: CompileResult) -> list[str]:
    """What is too much, as it is told. Nothing else is wrong, and what is finite can be played."""
    found = [one for one in result.diagnostics if one.severity == "error"]
    assert {one.code for one in found} <= {"too-much-work"}
    if not found:
        assert result.program is not None
        check_program(result.program)
    over = [one for one in result.diagnostics if one.code == "over-budget"]
    return [one.message for one in (*found, *over)]


# ---------------------------------------------------------------------------------- the limits


def test_a_use_may_come_to_five_times_one_expression():
    assert WORK_LIMIT == 20_000_000
    assert USE_WORK_LIMIT == 100_000_000


@pytest.mark.parametrize(("times", "too_much"), [(2_000, False), (5_000, True)])
def test_a_round_is_over_budget_from_a_hundred_million_on(times: int, too_much: bool):
    text = measure("long_for", "n: Int", f"n + {LONG}") + power(ROUND.format(times, "long_for(1)"))
    assert bool(refused(compile_case(text))) == too_much


def test_it_is_told_how_much_it_would_be():
    # Each number is looked at, and with it the five parts of the condition.
    text = power(ROUND.format(5_000, LONG))
    assert refused(compile_case(text)) == [
        "`tried` may take 150,020,000 evaluations of long expressions, over its budget of 100,000,000: "
        "5,000 rounds x 30,004 evaluations of long expressions = 150,020,000 evaluations of long "
        "expressions"
    ]


# ----------------------------------------------------------------------------- what is counted once

CANDIDATES = "choose k from 1 .. 1000 where k mod 3 < {} or k > {}"


def test_a_measure_without_parameters_is_worked_out_once_for_all_candidates():
    text = measure("long", "", LONG) + power(CANDIDATES.format("long", "long"), "set day = k")
    assert refused(compile_case(text)) == []


def test_so_it_is_through_another_measure():
    between = measure("between", "n: Int", "n + long")
    use = power(CANDIDATES.format("between(k)", "between(1)"), "set day = k")
    assert refused(compile_case(measure("long", "", LONG) + between + use)) == []


def test_one_with_parameters_counts_for_each_candidate():
    text = measure("long_for", "n: Int", f"n + {LONG}")
    text += power(CANDIDATES.format("long_for(k)", "long_for(1)"), "set day = k")
    (found,) = refused(compile_case(text))
    assert found.startswith("this may take ")


def test_what_asks_a_query_is_not_remembered_and_counts_each_time():
    text = measure("long", "", f"{LONG} + score(me)")
    text += power(CANDIDATES.format("long", "long"), "set day = k")
    (found,) = refused(compile_case(text))
    assert found.startswith("this may take ")


def test_a_round_of_statements_counts_it_each_time():
    text = measure("long", "", LONG) + power(ROUND.format(5_000, "long"))
    assert len(refused(compile_case(text))) == 1


# ------------------------------------------------------------------------------- what few are asked

FRUITS = "".join(
    f"- {{kind: fruit, id: f{n}, title: F, weight: 1, tint: red}}\n" for n in range(30)
)
HEAVY = measure("bulk", "f: Fruit", "count(x: 1 .. 5000 where x mod 7 = weight(f))")


@pytest.mark.parametrize(
    ("where", "too_much"),
    [
        ("f in first(2, meadow) and bulk(f) > 1", False),
        ("weight(f) > 0 and f in first(2, meadow) and bulk(f) > 1", False),
        # Asked the other way round, each of them is weighed first.
        ("bulk(f) > 1 and f in first(2, meadow)", True),
        ("(f in first(2, meadow) or weight(f) > 3) and bulk(f) > 1", True),
        # Each of them may be in a list of its own.
        ("f in [f] and bulk(f) > 1", True),
    ],
)
def test_what_stands_behind_a_condition_for_few_is_asked_of_few(where: str, too_much: bool):
    text = FRUITS + HEAVY + power(ROUND.format(500, f"count(f: Fruit where {where})"))
    assert bool(refused(compile_case(text))) == too_much


def test_a_list_of_few_is_short():
    few = power(
        "for each f in those(c: Fruit where c in first(2, meadow)):",
        "    repeat 500 times: set day = bulk(f) mod 10",
    )
    assert refused(compile_case(FRUITS + HEAVY + few)) == []
    many = few.replace("where c in first(2, meadow)", "where weight(c) > 0")
    assert len(refused(compile_case(FRUITS + HEAVY + many))) == 1


# ---------------------------------------------------------------------------------- what answers


@pytest.mark.parametrize(("span", "too_much"), [(2_000, False), (5_000, True)])
def test_whether_anybody_answers_is_asked_twice_and_not_once_for_each(span: int, too_much: bool):
    """Once whether there are bearers at all, and once who they are: 8 times 2,000 numbers, and not
    16 times."""
    eyes = charm(
        "eyes",
        f"when hurt(who, much) where exists(x: 1 .. {span} where x * x = life(self)):\n    set tally "
        "= tally + 1",
    )
    assert bool(refused(result_of("hurt(me, 1)\n" * 500, eyes))) == too_much


# ---------------------------------------------------------------------------------- Moonstone


def test_a_campaign_of_a_thousand_keeps_the_bound():
    """So many may stand in its files; in a scene are 40 of them at most."""
    gifts = "gifts: [second-wind, regeneration, undying, extra-action, fear-gaze]"
    people = "".join(hero(f"c{n}", gifts, "weapons: [long-sword]") for n in range(1_000))
    assert refused(camp(people, "cv_allowance: 1000").compiled) == []
