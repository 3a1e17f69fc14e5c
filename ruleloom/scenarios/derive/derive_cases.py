"""Derivation of an item's cases: variants of known tables are run, and kept for the mutants they kill.

Every case has been checked and run unmodified, and fails under each change that it is said to prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, compress, product, zip_longest
from typing import Any

from ruleloom.compiler.cases.case_file import DO, with_findings
from ruleloom.compiler.cases.check_cases import CaseChecks
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import case_checks, names_of, program_of
from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.texts import slug
from ruleloom.scenarios.derive.derived_tables import (
    AS_IT_IS,
    COPIES,
    READ_IT,
    Draft,
    TrialTable,
    tables_of,
    variants_of,
)
from ruleloom.scenarios.derive.mutate import Mutant, exchanged, mutants_of
from ruleloom.scenarios.derive.trials import (
    NAME,
    SENSELESS,
    Trials,
    cases_of,
    numbers_of,
    stats_of,
)
from ruleloom.scenarios.results import PASSED
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.position import PositionSetup

MOST_CASES = 56  # tried against each change
MOST_COPIES, MOST_BORDERS, MOST_NUMBERED = 3, 6, 12
LONGEST, SHOWN = 60, 3
COUNTS = ("no", "one", "two or more")


class DerivedCases(Frozen):
    """Cases as plain data, and the mutants that they kill or miss; `why` there are no cases."""

    cases: tuple[Mapping[str, Any], ...] = ()
    proved: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    why: str = ""


def derive(item: Item, program: Program, content: Content) -> DerivedCases:
    """The derived cases of an item."""
    symbols = names_of(content)
    mutants = []
    for mutant in mutants_of(item, content, symbols):
        changed = exchanged(content, mutant)
        built = program_of(changed, Report())
        mutants += [(mutant, changed, built)] if built is not None else []
    if not mutants:
        return DerivedCases(why=f"`{item.name}` has no condition, number or printed word to change")
    known = tables_of(item, content, symbols)
    if not known:
        help = "write one case that uses it; those near it are derived"
        return DerivedCases(why=f"no known table brings `{item.name}` into play: {help}")
    trials = Trials(item, program, content, symbols)
    tables = [near for one in known for near in _near(one, trials)]
    if "abilities" in item.fields:
        trials.changing = _changing(trials, tables)
    trials.run(tables)
    borders = list(_borders(trials, tables))
    trials.run(borders)
    few = _few(chain.from_iterable(one.drafts or () for one in (*tables, *borders)))
    tried = list(compress(few, _passing(few, program, content, case_checks(content, NAME))))
    for mutant, changed, built in mutants:
        for draft, passed in zip(tried, _passing(tried, built, changed), strict=True):
            draft.kills += [] if passed else [mutant]
    return _chosen(tried, [mutant for mutant, _, _ in mutants], trials)


def _near(table: TrialTable, trials: Trials) -> list[TrialTable]:
    linked = None
    if not table.does:
        with suppress(*SENSELESS):
            linked = PositionSetup(trials.links, trials.notation, table.given).linked
    return variants_of(table, trials.item, trials.symbols, trials.notation, linked)


def _borders(trials: Trials, tables: Sequence[TrialTable]) -> Iterator[TrialTable]:
    """Tables on both sides of each boundary between two outcomes.

    A boundary may lie at any computed value (a quarter of a maximum), so it is searched for, not read.
    """
    done: set[tuple[TrialTable, tuple[str, str]]] = set()
    for table in tables:
        base, number = table.base, table.number
        if base is None or number is None or base.drafts is None or table.drafts is None:
            continue
        is_new = (base, number) not in done and len(done) < MOST_BORDERS
        if is_new and _outcome(base, number) != _outcome(table, number):
            done.add((base, number))
            yield from _searched(trials, base, table, number)


def _searched(
    trials: Trials, base: TrialTable, table: TrialTable, number: tuple[str, str]
) -> tuple[TrialTable, TrialTable]:
    """The two tables with adjacent values between which the outcome changes."""
    name, field = number
    state, here = table.given["state"], _outcome(base, number)

    def with_value(value: int) -> TrialTable:
        changed = {**state, name: {**state[name], field: value}}
        return table.varied(f"{name} with {field} {value}", {"state": changed}, number)

    near, far = (int(one.given["state"][name][field]) for one in (base, table))
    while abs(near - far) > 1:
        middle = (near + far) // 2
        tried = with_value(middle)
        trials.run([tried])
        if tried.drafts is not None and _outcome(tried, number) == here:
            near = middle
        else:
            far = middle
    return with_value(near), with_value(far)


def _outcome(table: TrialTable, number: tuple[str, str]) -> list[Any]:
    """The claims of each draft, without the number itself."""
    found: list[Any] = []
    for then in (draft.then for draft in table.drafts or ()):
        numbers = {thing: dict(values) for thing, values in then.get("numbers", {}).items()}
        numbers.get(number[0], {}).pop(number[1], None)
        found.append(numbers if "numbers" in then else then)
    return found


def _changing(trials: Trials, tables: Sequence[TrialTable]) -> tuple[str, ...]:
    """The stats that the item's abilities change on some of the tables."""
    item, content = trials.item, trials.content
    fields = {name: node for name, node in item.fields.items() if name != "abilities"}
    bare = replace(item, fields=fields)
    without = exchanged(content, Mutant("without abilities", item, bare, False))
    program = program_of(without, Report())
    some = [table for table in tables if table.does][:MOST_NUMBERED]
    if program is None:
        return ()
    other = Trials(bare, program, without, trials.symbols)
    trials.make_ready(some)
    other.make_ready(some)
    found: dict[str, None] = {}
    for table in some:
        stats, bare_stats = _stats(trials, table), _stats(other, table)
        found |= {key[1]: None for key, value in stats.items() if bare_stats.get(key) != value}
    return tuple(found)


def _stats(trials: Trials, table: TrialTable) -> Mapping[tuple[str, str], Any]:
    with suppress(*SENSELESS):
        attempt = trials.attempt(table)
        asked = product(attempt.made.things, stats_of(attempt))
        return numbers_of(attempt, attempt.last_step()[0], asked)
    return {}


def _few(drafts: Iterable[Draft]) -> list[Draft]:
    """The smallest draft for each set of claims, mixed by prompt and count."""
    best: dict[str, Draft] = {}
    for draft in drafts:
        shows = repr((draft.about, draft.then, draft.says, draft.when[-1].get(DO)))
        best[shows] = min(best.get(shows, draft), draft, key=lambda one: one.size)
    found = sorted(best.values(), key=lambda one: one.size)
    by_kind: dict[tuple[str, int], list[Draft]] = {}
    for draft in found:
        by_kind.setdefault((draft.about, min(draft.offered, 2)), []).append(draft)
    few = [draft for draft in found if draft.says == COPIES][:MOST_COPIES]
    for ring in zip_longest(*by_kind.values()):
        few += [one for one in ring if one is not None and one not in few]
        if len(few) >= MOST_CASES:
            break
    return few[:MOST_CASES]


def _passing(
    drafts: Sequence[Draft], program: Program, content: Content, checks: CaseChecks | None = None
) -> list[bool]:
    """Whether each draft passes as a case of a program, and without findings in these checks."""
    data = [one.written(f"t{number}") for number, one in enumerate(drafts)]
    cases = cases_of(data) if data else ()
    if checks is not None:
        sound = (case for case in cases if not case.fault)
        cases = with_findings(cases, [one for case in sound for one in checks.faults(case)])
    runner = Runner(program, cases, content=content)
    return [runner.run(case).status == PASSED for case in cases]


def _chosen(tried: Sequence[Draft], mutants: Sequence[Mutant], trials: Trials) -> DerivedCases:
    """The fewest cases that kill all killable mutants and cover each count of each filtered choice."""
    item = trials.item
    if not tried:
        return DerivedCases(why=f"no table was found that brings up `{item.name}`")
    smallest = sorted(tried, key=lambda one: one.size)
    wanted = _killing(smallest, mutants)
    wanted += _of_each_count(smallest, trials.names)
    if not wanted:
        none = f"no table that was tried offers a choice of `{item.name}` or shows a difference"
        return DerivedCases(why=none)
    chosen = [one for one in tried if one in wanted]
    cases = tuple(_described(one, number, item) for number, one in enumerate(chosen, 1))
    killed = [mutant for one in chosen for mutant in one.kills]
    proved = tuple(mutant.says for mutant in mutants if mutant in killed)
    missed = tuple(one.says for one in mutants if one.says not in proved and not one.printed)
    return DerivedCases(cases, proved, missed)


def _killing(smallest: Sequence[Draft], mutants: Sequence[Mutant]) -> list[Draft]:
    """For each mutant not killed so far, the smallest case that kills it."""
    chosen: list[Draft] = []
    for mutant in mutants:
        killing = [one for one in smallest if mutant in one.kills]
        if not any(one in chosen for one in killing):
            chosen += killing[:1]
    return chosen


def _described(draft: Draft, number: int, item: Item) -> dict[str, Any]:
    """The case with its name and a note of the mutants that it kills."""
    says = "" if draft.says == AS_IT_IS else draft.says
    count = COUNTS[min(draft.offered, 2)] if draft.about and draft.offered >= 0 else ""
    words = slug(f"{draft.about} {count} {says}".strip())[:LONGEST].strip("-")
    proves = sorted((mutant.says for mutant in draft.kills), key=len)
    more = f" and {len(proves) - SHOWN} more" if len(proves) > SHOWN else ""
    told = f"; it fails {', '.join(proves[:SHOWN])}{more}" if proves else ""
    name = "-".join(filter(None, (item.name.replace("_", "-"), str(number), words)))
    return draft.written(name, f"{READ_IT}{told}")


def _of_each_count(smallest: Sequence[Draft], asks: frozenset[str]) -> Iterator[Draft]:
    """The smallest case of each count, for each choice and each prompt with a killed filter."""
    filtered = {one.about for one in smallest if any(m.filter for m in one.kills)}
    by_count: dict[tuple[str, int], Draft] = {}
    for one in smallest:
        by_count.setdefault((one.about, min(one.offered, 2)), one)
    for name in sorted(asks | filtered):
        for count in range(len(COUNTS)):
            if (name, count) in by_count:
                yield by_count[name, count]
    yield from [one for one in smallest if one.says == COPIES][:1]
