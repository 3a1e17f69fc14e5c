"""What building says is what `check` says: random records, each offer taken, each refused one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from ruleloom.api.making import made_findings
from ruleloom.building.bench import FIELDS
from ruleloom.building.building import Building, build
from ruleloom.building.offers import PricedOffer, offers
from ruleloom.building.random_build import random_record
from tests.support.command import call

GAMES = ("moonstone", "witchgates", "monotheism")
MANIFEST = (
    "kind: pack\nid: people\nversion: 1.0.0\ngame: {game}\nedition: 1\nrequires: {{{game}: '*'}}\n"
)


def some_offers(building: Building, dice: Random) -> list[PricedOffer]:
    """A few offers at a random choice."""
    every = [one for heading in building.choices for one in heading.choices]
    inner = [each for one in every for each in (one, *one.choices)]
    found = offers(building, dice.choice(inner).at).offers
    return dice.sample(found, min(3, len(found)))


def finished(building: Building, offer: PricedOffer) -> Building:
    """A building with an offer taken, and what the offer leaves to say said."""
    after = building.say(offer.say)
    for name in offer.open:
        entries = after.data[offer.at]
        assert isinstance(entries, list)
        after = after.say(f"{offer.at}.{len(entries)}.{name} = ?")
    return after


def written(folder: Path, game: str, texts: list[str]) -> str:
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


def hold_law(folder: Path, game: str, seeds: range) -> None:
    """Random records and offers taken are legal; each refused offer is refused by `check` in its words."""
    start, legal, refused = build(game), list[Building](), list[tuple[str, set[str]]]()
    for seed in seeds:
        made = random_record(start, seed)
        legal.append(made)
        for offer in some_offers(made, Random(seed)):
            after = finished(made, offer)
            if offer.legal:
                legal.append(after)
            elif all(one.requirement != FIELDS for one in offer.reasons):
                # Nothing is asked of a record whose fields cannot be read.
                refused.append((after.text, {one.text for one in offer.reasons}))
    texts = [*(one.text for one in legal), *(text for text, _ in refused)]
    pack = written(folder / "people", game, texts)
    told = errors_in(pack)
    assert told.keys() <= {f"somebody-{number}" for number in range(len(legal), len(texts))}
    for number, (text, reasons) in enumerate(refused, len(legal)):
        assert reasons <= told.get(f"somebody-{number}", set()), text
    if game == "moonstone":
        assert refused
        for number, one in enumerate(legal[:3]):
            found = call("why", f"{pack}/somebody-{number}.yaml", "CV", "--format", "json")
            [budget] = one.budgets
            assert json.loads(found.out)[0]["value"] in (budget.spent, str(budget.spent))


@pytest.mark.parametrize("game", GAMES)
def test_random_records_pass_check_and_refusals_are_those_of_check(tmp_path: Path, game: str):
    hold_law(tmp_path, game, range(10))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", range(50))
def test_thousands_of_random_records_pass_check(tmp_path: Path, game: str, part: int):
    hold_law(tmp_path, game, range(100 * part, 100 * part + 100))
