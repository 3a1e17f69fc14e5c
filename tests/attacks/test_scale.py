"""Large and tangled packs: circles, long chains, deep expressions, a thousand of anything.

Every check here ends within seconds, in a diagnostic or a program, and never in an exception of
Python's own; a program that comes out is one that a save gives back.
"""

from __future__ import annotations

from collections import Counter

import pytest

from ruleloom.compiler.check.asking import MOST_WAYS
from ruleloom.compiler.diagnostics.render import render
from ruleloom.compiler.diagnostics.suggest import nearest
from ruleloom.compiler.flow import context
from ruleloom.compiler.graph import components, find_circle, is_circle, shortest_circle
from ruleloom.compiler.lower import budget, stats
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.runtime.machine import registers
from ruleloom.runtime.program import verify as checks
from ruleloom.runtime.program import verify_expr
from ruleloom.runtime.program.verify import check_program
from tests.support.check_layer import compile_case
from tests.support.orchard_items import abilities, listed
from tests.support.stopwatch import within

SECONDS = 20.0


@pytest.fixture(autouse=True)
def _in_good_time():
    with within(SECONDS):
        yield


def power(number: int, *lines: str) -> str:
    """A power called p0, p1, ... with these lines."""
    body = "".join(f"    {line}\n" for line in lines)
    return f"- kind: power\n  id: p{number}\n  gloss: x\n  effect: |\n{body}"


def trigger(number: int, event: str, line: str, more: str = "") -> str:
    """A trigger called t0, t1, ... that does one thing."""
    return (
        f"- kind: trigger\n  id: t{number}\n  event: {event}\n  timing: afterwards\n{more}"
        f"  effect: |\n    {line}\n"
    )


def errors(result: CompileResult) -> Counter[str]:
    """How often each error was found."""
    return Counter(one.code for one in result.diagnostics if one.severity == "error")


def plays(text: str) -> CompileResult:
    """Compile what has no errors; a save could give it back."""
    result = compile_case(text)
    assert not errors(result)
    assert result.program is not None
    check_program(result.program)
    return result


# ------------------------------------------------------------------------------- circles and chains


CARRY = "carry(basket, to: home(me))"


def test_a_thousand_triggers_that_set_one_another_off_are_one_mistake():
    result = compile_case("".join(trigger(n, "touched(basket)", CARRY) for n in range(1_000)))
    assert errors(result) == {"endless-trigger": 1}


def test_a_thousand_triggers_once_a_turn_may_set_one_another_off():
    once = "  once_per: turn\n"
    plays("".join(trigger(n, "touched(basket)", CARRY, once) for n in range(1_000)))


def test_a_circle_of_triggers_is_told_with_its_path():
    text = (
        trigger(0, "carry(basket, to)", "use p0")
        + power(0, "choose fruit from hand", "eat(fruit)")
        + trigger(1, "eat(fruit)", "use p1")
        + power(1, "choose basket from mine", CARRY)
    )
    (found,) = [one for one in compile_case(text).diagnostics if one.severity == "error"]
    assert found.message == "these trigger each other without end: `t0` -> `t1` -> `t0`"


def test_two_circles_are_two_mistakes():
    uses = {0: 1, 1: 0, 2: 3, 3: 4, 4: 2, 5: 0}
    result = compile_case("".join(power(n, f"use p{other}") for n, other in uses.items()))
    found = [one.message for one in result.diagnostics if one.code == "recursive-power"]
    assert found == [
        "`p0` uses itself: `p0` -> `p1` -> `p0`",
        "`p2` uses itself: `p2` -> `p3` -> `p4` -> `p2`",
    ]


@pytest.mark.parametrize("step", [1, -1])
def test_a_chain_of_powers_has_an_end(step: int):
    chain = range(2_000)
    text = "".join(power(n, f"use p{n + step}" if n + step in chain else "stop") for n in chain)
    assert errors(compile_case(text)) == {"too-much-work": 1}


def test_a_ring_of_two_thousand_powers_is_told_in_short():
    text = "".join(power(n, f"use p{(n + 1) % 2_000}") for n in range(2_000))
    (found,) = [one for one in compile_case(text).diagnostics if one.severity == "error"]
    assert found.code == "recursive-power"
    assert found.message == "`p0` uses itself: `p0` -> `p1` -> `p2` -> ... -> `p1999` -> `p0`"


def test_powers_that_use_two_others_each_are_no_more_work_than_their_number():
    plays(
        "".join(power(n, f"use p{n + 1}", f"use p{n + 1}") for n in range(12)) + power(12, "stop")
    )
    deep = "".join(power(n, f"use p{n + 1}", f"use p{n + 1}") for n in range(40)) + power(
        40, "stop"
    )
    plays(deep)


# --------------------------------------------------------------------------- what a save gives back


def test_what_compiles_is_within_the_limits_of_the_machine():
    assert context.MOST_NESTED < verify_expr.MOST_NESTING
    assert budget.MOST_DEPTH < registers.MOST_DEPTH
    assert budget.MOST_DEPTH < checks.MOST_CALL_DEPTH
    assert budget.MOST_ITEMS <= checks.MOST_DEFINITIONS
    assert MOST_WAYS <= checks.MOST_PARTS
    assert stats.MOST_PARTS < verify_expr.MOST_NODES


@pytest.mark.parametrize("operator", ["+", "-", "*"])
def test_a_chain_of_operators_compiles_or_is_too_deep(operator: str):
    lengths = range(40, 75, 5)
    told = {}
    for length in lengths:
        text = power(0, f"set day = {f' {operator} '.join(['day'] * length)}")
        result = compile_case(text)
        told[length] = errors(result)
        if result.program is not None:
            check_program(result.program)
    assert told[40] == {}
    assert told[70] == {"too-deep": 1}


@pytest.mark.parametrize(
    "written",
    [
        "-" * 90 + "day",
        "(" * 62 + "day" + " + 1)" * 62,
        "highest([" * 30 + "day" + "])" * 30,
        "".join(f"count(a{n}: 1 .. " for n in range(10)) + "2" + ")" * 10,
        "".join(f"{n} if day = {n} else " for n in range(33)) + "1",
        "1 if " + "not (" * 62 + "day = 1" + ")" * 62 + " else 2",
    ],
)
def test_a_deep_expression_compiles_or_is_refused(written: str):
    result = compile_case(power(0, f"set day = {written}"))
    assert errors(result) in ({}, {"too-deep": 1}, {"too-much-work": 1})
    if result.program is not None:
        check_program(result.program)


def test_a_deep_default_is_refused():
    default = " + ".join(["1"] * 40)
    text = f'- kind: power\n  id: p0\n  gloss: x\n  takes: "n: Int = {default}"\n  effect: |\n    set day = n\n'
    assert errors(compile_case(text)) == {"too-deep": 1}


def test_two_hundred_ways_are_enough():
    def ways(count: int) -> str:
        modes = [f'    "way {n}": set day = {n}' for n in range(count)]
        return power(0, "choose one:", *modes)

    plays(ways(MOST_WAYS))
    assert errors(compile_case(ways(MOST_WAYS + 1))) == {"too-much-work": 1}


def test_more_items_than_a_game_holds():
    text = "".join(power(n, "stop") for n in range(budget.MOST_ITEMS + 1))
    assert errors(compile_case(text)) == {"too-much-work": 1}


def test_keywords_within_keywords_do_not_explode():
    def keyword(number: int, line: str, times: int) -> str:
        body = f"    {line}\n" * times
        return f"- kind: keyword\n  id: k{number}\n  gloss: x\n  abilities: |\n{body}"

    chain = "".join(keyword(n, f"k{n + 1}()", 30) for n in range(6))
    text = chain + keyword(6, "modify vigour(self) by 1", 30) + listed(abilities("k0()"))
    assert errors(compile_case(text)) == {"too-much-work": 1}
    plays(keyword(0, "modify vigour(self) by 1", 30) + listed(abilities("k0()", "k0()")))


def test_keywords_are_used_eight_deep_at_most():
    def chain(length: int) -> str:
        last = "modify vigour(self) by 1"
        lines = [f"k{n + 1}()" for n in range(length - 1)] + [last]
        return "".join(
            f"- kind: keyword\n  id: k{n}\n  gloss: x\n  abilities: |\n    {line}\n"
            for n, line in enumerate(lines)
        ) + listed(abilities("k0()"))

    plays(chain(8))
    assert errors(compile_case(chain(9))) == {"recursive-keyword": 1}


def test_what_modifies_a_stat_fits_into_a_save():
    def apples(count: int) -> str:
        lines = ["modify vigour(self) by weight(this) where day > 1"] * 100
        text = abilities(*lines)
        return "".join(listed(text.replace("id: apple", f"id: apple-{n}")) for n in range(count))

    plays(apples(5))
    assert errors(compile_case(apples(12))) == {"too-much-work": 1}


@pytest.mark.parametrize("change", ["times", "to", "at least", "at most"])
def test_hundreds_that_modify_a_stat_are_not_nested_deep(change: str):
    text = abilities(*[f"modify vigour(self) {change} 1"] * 100)
    plays("".join(listed(text.replace("id: apple", f"id: apple-{n}")) for n in range(6)))


# --------------------------------------------------------------------------- a thousand of anything


MANY = {
    "items": "".join(power(n, "set day = day + 1") for n in range(2_000)),
    "settings": "".join(
        f'- kind: setting\n  id: s{n}\n  value: {n}\n  english: "s {n}"\n' for n in range(1_000)
    ),
    "powers": "".join(
        power(n, "choose basket from mine where size(basket) > 1", CARRY) for n in range(1_000)
    ),
    "lines": power(0, *(["set day = day + 1"] * 1_400)),
    "choices": power(0, *(f"choose b{n} from mine where size(b{n}) > 1" for n in range(300))),
}


@pytest.mark.parametrize("name", MANY)
def test_many_of_a_thing_compile(name: str):
    plays(MANY[name])


MISTAKES = {
    "unknown-name": "".join(power(n, f"set dya{n}x = 1") for n in range(1_000)),
    "unknown-power": "".join(power(n, f"use q{n}") for n in range(1_000)),
    "unknown-field": "".join(power(n, "stop").replace("effect", "efect") for n in range(1_000)),
    "duplicate-id": "".join(power(0, "stop") for _ in range(1_001)),
    "duplicate-key": "".join(f"{power(n, 'stop')}  gloss: x\n" for n in range(1_000)),
}


@pytest.mark.parametrize("code", MISTAKES)
def test_of_a_thousand_mistakes_five_hundred_are_looked_for_and_the_first_are_shown(code: str):
    result = compile_case(MISTAKES[code])
    assert errors(result) == {code: 500, "too-many-mistakes": 1}
    assert len(render(result.diagnostics, result.sources, "text")) < 20_000


# ---------------------------------------------------------------------------------- the means


def test_parts_of_a_graph_come_after_what_they_need():
    graph = {"a": {"b", "x"}, "b": {"c"}, "c": {"b", "d"}, "d": set(), "e": {"e"}, "f": {"a", "e"}}
    parts = components(graph)
    assert sorted(sorted(part) for part in parts) == [["a"], ["b", "c"], ["d"], ["e"], ["f"]]
    seen: set[str] = set()
    for part in parts:
        seen.update(part)
        assert all(other in seen for key in part for other in graph[key] if other in graph)
        assert is_circle(part, graph) == (sorted(part) in (["b", "c"], ["e"]))


def test_a_long_chain_of_needs_is_no_recursion():
    graph = {str(n): {str(n + 1)} for n in range(50_000)}
    assert len(components({**graph, "50000": set()})) == 50_001
    (ring,) = components({**graph, "50000": {"0"}})
    assert len(ring) == 50_001
    assert len(find_circle({**graph, "50000": {"0"}})) == 50_002


def test_the_shortest_circle_through_a_thing():
    graph = {"a": {"b", "c"}, "b": {"d"}, "d": {"a"}, "c": {"a"}}
    assert shortest_circle("a", list(graph), graph) == ["a", "c", "a"]
    assert shortest_circle("b", list(graph), graph) == ["b", "d", "a", "b"]


def test_the_nearest_words_come_in_order():
    assert nearest("lenght", ["depth", "length", "lengthy", "light"]) == [
        "length",
        "lengthy",
        "light",
    ]
    assert nearest("abc", ["abd", "abx", "abe", "bac"], 2) == ["abd", "abe"]
    assert nearest("p1", ["p2", "p3", "p1x"], 1) == ["p1x"]
