"""Cases derived for an item: tables near known ones, run, and kept for the mutants they kill.

Every case has been checked and run as it stands, and fails under each change that it is said to prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import compress, zip_longest
from typing import Any

from ruleloom.compiler.build import build_program
from ruleloom.compiler.cases.case_file import DO, cases_in, file_of_cases, with_findings
from ruleloom.compiler.cases.check_cases import CaseChecks
from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.pipeline import SHARED, case_checks
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.texts import slug
from ruleloom.scenarios.derive.derived_tables import (
    AS_IT_IS,
    COPIES,
    Seed,
    Variant,
    seeds_of,
    variants_of,
)
from ruleloom.scenarios.derive.mutate import Mutant, exchanged, mutants_of
from ruleloom.scenarios.derive.trials import (
    NAME,
    SENSELESS,
    Draft,
    Trials,
    asked_for,
    stats_of,
    tree_of_cases,
)
from ruleloom.scenarios.results import PASSED
from ruleloom.scenarios.runner import Runner
from ruleloom.scenarios.setup.position import PositionSetup
from ruleloom.scenarios.setup.things import names_of

MOST_CASES = 56  # tried against each change
MOST_COPIES, MOST_BORDERS, MOST_NUMBERED = 3, 6, 12
LONGEST, SHOWN = 60, 3
COUNTS = ("no", "one", "two or more")
READ_IT = "derived from what the machine does now: read it, then keep it"

Pair = tuple[Seed, Variant]
Number = tuple[str, str]  # a thing and its field


@dataclass(frozen=True, slots=True)
class DerivedCases:
    """Cases as plain data, the mutants that they kill or miss; without cases, `why`."""

    cases: tuple[Mapping[str, Any], ...] = ()
    proved: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    why: str = ""


def derive(item: Item, program: Program, content: Content) -> DerivedCases:
    """The cases for an item."""
    symbols = names_of(content)
    mutants = list(_built(mutants_of(item, content, symbols), content))
    if not mutants:
        why = f"`{item.name}` has no condition, number or printed word to change"
        return DerivedCases(why=why)
    seeds = seeds_of(item, content, symbols)
    if not seeds:
        help = "write one case that uses it; those near it are derived"
        return DerivedCases(why=f"no known table brings `{item.name}` into play: {help}")
    trials = Trials(item, program, content, symbols)
    pairs = list(_pairs(seeds, trials))
    if "abilities" in item.fields:
        trials.changing = _changing(trials, pairs)
    seen = trials.drafts(pairs)
    seen += trials.drafts(_boundaries(trials, pairs, seen))
    few = _few(draft for _, drafts in seen for draft in drafts)
    checks = case_checks(content, NAME)
    tried = list(compress(few, _passing(few, program, content, checks)))
    for mutant, changed, built in mutants:
        for draft, passed in zip(tried, _passing(tried, built, changed), strict=True):
            draft.kills += [] if passed else [mutant]
    return _chosen(tried, [mutant for mutant, _, _ in mutants], trials)


def _built(
    mutants: Iterable[Mutant], content: Content
) -> Iterator[tuple[Mutant, Content, Program]]:
    """The mutants that still compile, with the content that each is part of."""
    for mutant in mutants:
        changed = exchanged(content, mutant)
        program = build_program(changed, Report(), builds=SHARED.builds)
        if program is not None:
            yield mutant, changed, program


def _pairs(seeds: Sequence[Seed], trials: Trials) -> Iterator[Pair]:
    for seed in seeds:
        linked = None
        if not seed.does:
            with suppress(*SENSELESS):
                linked = PositionSetup(trials.links, trials.notation, seed.given).linked
        for one in variants_of(seed.given, trials.item, trials.symbols, trials.notation, linked):
            yield seed, one


def _boundaries(
    trials: Trials, pairs: Sequence[Pair], seen: Sequence[tuple[Variant, list[Draft]]]
) -> list[Pair]:
    """Tables on both sides of each border between two outcomes.

    A border may lie at any computed value (a quarter of a maximum), so it is searched for, not read.
    """
    shown = {id(variant): drafts for variant, drafts in seen}
    found: list[Pair] = []
    done: set[tuple[int, Number]] = set()
    for seed, variant in pairs:
        base = next(other for one, other in pairs if one is seed)
        if variant.number is None or not {id(variant), id(base)} <= shown.keys():
            continue
        if (id(seed), variant.number) in done or len(found) >= 2 * MOST_BORDERS:
            continue
        here = _sign(shown[id(base)], variant.number)
        if here != _sign(shown[id(variant)], variant.number):
            done.add((id(seed), variant.number))
            found += _searched(trials, seed, base, variant, variant.number, here)
    return found


def _searched(
    trials: Trials, seed: Seed, base: Variant, variant: Variant, number: Number, here: Any
) -> list[Pair]:
    """The two neighbouring values between which the outcome changes."""
    name, field = number
    state = variant.given["state"]

    def with_value(value: int) -> Variant:
        given = {**variant.given, "state": {**state, name: {**state[name], field: value}}}
        return Variant(given, f"{name} with {field} {value}", number)

    near, far = (int(one.given["state"][name][field]) for one in (base, variant))
    while abs(near - far) > 1:
        middle = (near + far) // 2
        drafts = trials.drafts([(seed, with_value(middle))])
        if drafts and _sign(drafts[0][1], number) == here:
            near = middle
        else:
            far = middle
    return [(seed, with_value(near)), (seed, with_value(far))]


def _sign(drafts: Sequence[Draft], number: Number) -> list[Any]:
    """What each draft claims, but for the number itself."""
    name, field = number
    found: list[Any] = []
    for then in (draft.then for draft in drafts):
        numbers = {thing: dict(values) for thing, values in then.get("numbers", {}).items()}
        numbers.get(name, {}).pop(field, None)
        found.append(numbers if "numbers" in then else then)
    return found


def _changing(trials: Trials, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """The stats that are different without the item's abilities, on some of the tables."""
    bare, without = _without_abilities(trials.item, trials.content)
    program = build_program(without, Report(), builds=SHARED.builds)
    some = [pair for pair in pairs if pair[0].does][:MOST_NUMBERED]
    if program is None or not some:
        return ()
    other = Trials(bare, program, without, trials.symbols)
    other.make_ready(some)
    trials.make_ready(some)
    found: dict[str, None] = {}
    for pair in some:
        stats, bare_stats = _stats(trials, pair), _stats(other, pair)
        changed = (key for key, value in stats.items() if bare_stats.get(key) != value)
        found |= dict.fromkeys(name for _, name in changed)
    return tuple(found)


def _without_abilities(item: Item, content: Content) -> tuple[Item, Content]:
    fields = {name: node for name, node in item.fields.items() if name != "abilities"}
    bare = replace(item, fields=fields)
    items = tuple(bare if one is item else one for one in content.items)
    return bare, replace(content, items=items)


def _stats(trials: Trials, pair: Pair) -> dict[tuple[str, str], Any]:
    with suppress(*SENSELESS):
        attempt = trials.attempt(*pair)
        state, _ = attempt.last_step()
        found = asked_for(attempt, state, stats_of(attempt))
        return {(thing, name): value for thing, name, value in found}
    return {}


def _few(drafts: Iterator[Draft]) -> list[Draft]:
    """The smallest of the drafts that show the same, at most as many as are worth running."""
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
    """Which of the drafts pass as cases of a program, and find nothing wrong in these checks."""
    if not drafts:
        return []
    tree = tree_of_cases([_written(one, f"t{number}") for number, one in enumerate(drafts)])
    found: list[Diagnostic] = []
    if checks is not None:
        found = [one for case in file_of_cases(tree).sound for one in checks.faults(case)]
    cases = with_findings(cases_in(tree) or (), found)
    runner = Runner(program, cases, content=content)
    return [runner.run(case).status == PASSED for case in cases]


def _written(draft: Draft, id: str, note: str = READ_IT) -> dict[str, Any]:
    """A draft as a case."""
    body = {"given": draft.given, "when": draft.when, "then": draft.then}
    return {"id": id, "note": note, **body}


def _chosen(tried: Sequence[Draft], mutants: Sequence[Mutant], trials: Trials) -> DerivedCases:
    """The fewest cases that kill all killable mutants, and each count of each filtered choice."""
    item = trials.item
    if not tried:
        return DerivedCases(why=f"no table was found that brings up `{item.name}`")
    smallest = sorted(tried, key=lambda one: one.size)
    chosen = _killing(smallest, mutants)
    chosen += [one for one in _of_each_count(smallest, trials.names) if one not in chosen]
    if not chosen:
        none = f"no table that was tried offers a choice of `{item.name}` or shows a difference"
        return DerivedCases(why=none)
    return _proof([one for one in tried if one in chosen], mutants, item)


def _proof(chosen: Sequence[Draft], mutants: Sequence[Mutant], item: Item) -> DerivedCases:
    cases = tuple(_described(one, number, item) for number, one in enumerate(chosen, 1))
    killed = [mutant for one in chosen for mutant in one.kills]
    proved = tuple(mutant.says for mutant in mutants if mutant in killed)
    missed = tuple(one.says for one in mutants if one.says not in proved and not one.printed)
    return DerivedCases(cases, proved, missed)


def _killing(smallest: Sequence[Draft], mutants: Sequence[Mutant]) -> list[Draft]:
    """For each mutant that no case before it kills, the smallest that does."""
    chosen: list[Draft] = []
    for mutant in mutants:
        killing = [one for one in smallest if mutant in one.kills]
        if not any(one in chosen for one in killing):
            chosen += killing[:1]
    return chosen


def _described(draft: Draft, number: int, item: Item) -> dict[str, Any]:
    """A case with its name, and a note that says what it proves."""
    says = "" if draft.says == AS_IT_IS else draft.says
    count = COUNTS[min(draft.offered, 2)] if draft.about and draft.offered >= 0 else ""
    words = slug(f"{draft.about} {count} {says}".strip())[:LONGEST].strip("-")
    proves = sorted((mutant.says for mutant in draft.kills), key=len)
    more = f" and {len(proves) - SHOWN} more" if len(proves) > SHOWN else ""
    told = f"; it fails {', '.join(proves[:SHOWN])}{more}" if proves else ""
    name = "-".join(filter(None, (item.name.replace("_", "-"), str(number), words)))
    return _written(draft, name, f"{READ_IT}{told}")


def _of_each_count(smallest: Sequence[Draft], asks: frozenset[str]) -> Iterator[Draft]:
    """For each choice, and each question with a killed filter, the smallest case of each count."""
    filtered = {one.about for one in smallest if any(m.filter for m in one.kills)}
    by_count: dict[tuple[str, int], Draft] = {}
    for one in smallest:
        by_count.setdefault((one.about, min(one.offered, 2)), one)
    for name in sorted(asks | filtered):
        for count in range(len(COUNTS)):
            if (name, count) in by_count:
                yield by_count[name, count]
    yield from [one for one in smallest if one.says == COPIES][:1]
