"""Makes thousands of random records and holds what building says of them against `check` and `why`.

    python -m tests.laws.builds --builds 5000

Record number n of a game is made from seed `--first` + n alone, and then some offers at one of its choices
are taken. Records and legal offers pass `check`; what is refused fails it with every reason told; each
price, and each price with an offer added, is the one that `why` works out. Prints what was seen; ends with 1
if a law was broken.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from ruleloom.api.at_rest import at_rest
from ruleloom.api.making import made_findings
from ruleloom.building.appraisal import FIELDS, Number
from ruleloom.building.building import Building, build
from ruleloom.building.offers import PricedOffer, offers
from ruleloom.building.random_build import random_record
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.explain.derivation import Reckoning

GAMES = ("moonstone", "witchgates", "monotheism")
MOST_OFFERS, CHUNK = 3, 100
MANIFEST = (
    "kind: pack\nid: people\nversion: 1.0.0\ngame: {game}\nedition: 1\nrequires: {{{game}: '*'}}\n"
)


class Told(NamedTuple):
    """A record, and what building says of it: its price by budget, and the reasons against it; none if it is
    legal."""

    text: str
    prices: dict[str, Number]
    reasons: frozenset[str]


class Seen(NamedTuple):
    """What was counted, and what is wrong."""

    counts: Counter[str]
    wrong: list[str]


def some_offers(building: Building, dice: Random) -> list[PricedOffer]:
    """A few offers at a random choice."""
    inner = [each for one in building.outer_choices for each in (one, *one.choices)]
    found = offers(building, dice.choice(inner).at).offers
    return dice.sample(found, min(MOST_OFFERS, len(found)))


def finished(building: Building, offer: PricedOffer) -> Building:
    """A building with an offer taken, and what the offer leaves to say said."""
    after = building.say(offer.say)
    for name in offer.open:
        entries = after.data[offer.at]
        assert isinstance(entries, list)
        after = after.say(f"{offer.at}.{len(entries)}.{name} = ?")
    return after


def prices_of(building: Building, offer: PricedOffer | None = None) -> dict[str, Number]:
    """The price in each budget, with an offer added."""
    found = {one.name: one.spent for one in building.budgets}
    for budget, more in offer.cost if offer is not None else ():
        found[budget.name] = found.get(budget.name, 0) + more
    return found


def told_of(start: Building, seed: int) -> tuple[list[Told], list[Told]]:
    """A random record and some with offers taken; those apart that cannot be read."""
    made = random_record(start, seed)
    found, unread = [Told(made.text, prices_of(made), frozenset())], list[Told]()
    for offer in some_offers(made, Random(seed)):
        reasons = frozenset(one.text for one in offer.reasons)
        told = Told(finished(made, offer).text, prices_of(made, offer), reasons)
        is_read = all(one.requirement != FIELDS for one in offer.reasons)
        (found if is_read else unread).append(told)
    return found, unread


def written(folder: Path, game: str, texts: Sequence[str]) -> str:
    """A pack with these records, each in a file of its own and under an id of its own."""
    folder.mkdir()
    (folder / "pack.yaml").write_text(MANIFEST.format(game=game), encoding="utf-8")
    for number, text in enumerate(texts):
        named = re.sub(r"^id: .*", f"id: somebody-{number}", text, count=1, flags=re.M)
        (folder / f"somebody-{number}.yaml").write_text(named, encoding="utf-8")
    return str(folder)


def errors_in(pack: str) -> dict[str, set[str]]:
    """What `check` finds wrong in each file."""
    told: dict[str, set[str]] = {}
    for one in made_findings([pack], kept=False).value.diagnostics:
        if one.severity == "error":
            told.setdefault(Path(one.place.path).stem, set()).add(one.message)
    return told


def wrong_by_check(pack: str, told: Sequence[Told]) -> list[str]:
    """What building and `check` say differently."""
    errors, wrong = errors_in(pack), []
    for number, one in enumerate(told):
        found = errors.get(f"somebody-{number}", set())
        if bool(one.reasons) != bool(found) or not one.reasons <= found:
            wrong.append(f"building: {sorted(one.reasons)}, check: {sorted(found)}\n{one.text}")
    return wrong


def wrong_by_why(pack: str, kind: str, told: Sequence[Told]) -> list[str]:
    """The prices that `why` works out differently."""
    program = compile_paths([pack], reasons=False, scenarios=False).program
    assert program is not None, "only requirements are not met"
    linked, world = at_rest(program)
    entity = program.entity(kind)
    printed = dict(entity.static)
    ids = {one.id.rpartition("/")[2].replace("-", "_"): one.id for one in program.functions}
    wrong: list[str] = []

    def value_of(id: str, who: int) -> Number:
        value = Reckoning(linked, world).function(id, (who,), 0).value
        assert isinstance(value, Number)
        return value

    for number, one in enumerate(told):
        who = entity.names.index(f"somebody-{number}")
        for name, price in one.prices.items():
            is_printed = name in printed
            found = printed[name][who] if is_printed else value_of(ids[name], who)
            if found != price:
                wrong.append(f"{name} is {price} by building, {found} by why\n{one.text}")
    return wrong


def hold(folder: Path, game: str, seeds: range) -> Seen:
    """Hold the laws for the random records of some seeds."""
    start, found, unread = build(game), list[Told](), list[Told]()
    for seed in seeds:
        more, apart = told_of(start, seed)
        found += more
        unread += apart
    pack = written(folder / "people", game, [one.text for one in found])
    wrong = wrong_by_check(pack, found)
    wrong += wrong_by_why(pack, start.bench.rows.entity.name, found)
    if unread:
        wrong += wrong_by_check(
            written(folder / "unread", game, [one.text for one in unread]), unread
        )
    refused = sum(bool(one.reasons) for one in (*found, *unread))
    counts = Counter(
        records=len(seeds),
        taken=len(found) + len(unread) - len(seeds) - refused,
        refused=refused,
        prices=sum(len(one.prices) for one in found),
    )
    return Seen(counts, wrong)


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws.builds", description=__doc__)
    parser.add_argument("--builds", type=int, default=200, help="so many of each game")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first")
    parser.add_argument("--game", action="append", choices=GAMES, help="only this game")
    said = parser.parse_args()
    every: list[str] = []
    for game in said.game or GAMES:
        counts, begun = Counter[str](), time.process_time()
        for first in range(said.first, said.first + said.builds, CHUNK):
            seeds = range(first, min(first + CHUNK, said.first + said.builds))
            with tempfile.TemporaryDirectory() as folder:
                seen = hold(Path(folder), game, seeds)
            counts.update(seen.counts)
            every += [f"{game}, seeds {seeds.start} to {seeds.stop - 1}: {x}" for x in seen.wrong]
            print(f"{game}: {counts['records']:,} done", file=sys.stderr, flush=True)
        seconds = time.process_time() - begun
        print(
            f"{game}: {counts['records']:,} records, {counts['taken']:,} offers taken, "
            f"{counts['refused']:,} refused, {counts['prices']:,} prices; "
            f"{seconds:,.0f} s of processor time",
            flush=True,
        )
    print("\n".join([*every[:20], f"{len(every):,} faults"]))
    return int(bool(every))


if __name__ == "__main__":
    sys.exit(main())
