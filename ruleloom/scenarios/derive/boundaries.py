"""Boundary search: neighbouring values of a number between which the outcome changes.

A boundary may be any computed value (a quarter of a maximum), so it is searched for, not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruleloom.scenarios.derive.perturb import Variant
from ruleloom.scenarios.derive.seeds import Seed
from ruleloom.scenarios.derive.trials import Draft, Trials

MOST = 6
Pair = tuple[Seed, Variant]
Number = tuple[str, str]  # a thing and its field


def boundaries(
    trials: Trials, pairs: Sequence[Pair], seen: Sequence[tuple[Variant, list[Draft]]]
) -> list[Pair]:
    """Tables on both sides of each border."""
    shown = {id(variant): drafts for variant, drafts in seen}
    found: list[Pair] = []
    done: set[tuple[int, Number]] = set()
    for seed, variant in pairs:
        base = next(other for one, other in pairs if one is seed)
        if variant.number is None or not {id(variant), id(base)} <= shown.keys():
            continue
        if (id(seed), variant.number) in done or len(found) >= 2 * MOST:
            continue
        here, there = (_sign(shown[id(one)], variant.number) for one in (base, variant))
        if here != there:
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
