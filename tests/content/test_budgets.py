"""The budget of a use in the shipped games: what they take themselves, and what they leave to homebrew."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from ruleloom.compiler.build import uses_of
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.lower.budget import MEASURES
from ruleloom.compiler.pipeline import compile_paths, load
from tests.conftest import ROOT
from tests.content.moonstone_campaign import CAMPAIGN, everybody
from tests.support.pack_examples import manifest, write

EXAMPLES = ROOT / "rulesets" / "examples"


@pytest.mark.parametrize("game", ["gnostica", "moonstone", "monotheism", "witchgates"])
def test_a_game_by_itself_takes_less_than_half_of_a_budget(game: str):
    content = load([game], Report())
    assert content is not None
    uses = uses_of(content)
    for measure in MEASURES:
        over = [id for id in uses.checked if 2 * uses.amount(id, measure) > measure.budget]
        assert not over, f"{measure.name}: {over}"


TOIL = """\
- kind: trigger
  id: {id}
  event: "before turn()"
  timing: immediately
  gloss: "toil"
  effect: |
    repeat 300 times:
        repeat 200 times:
            say "toil"
"""


def test_what_the_game_takes_is_no_charge_of_a_pack(tmp_path: Path):
    """A turn of Monotheism takes 42,556 operations; packs may bring it 100,000 more."""
    requires = 'requires: {monotheism: ">=0.1"}'
    one = {
        "pack.yaml": manifest("toil", requires, game="monotheism"),
        "a.yaml": TOIL.format(id="a"),
    }
    write(tmp_path / "one", one)
    write(tmp_path / "two", one | {"b.yaml": TOIL.format(id="b")})
    assert not compile_paths([tmp_path / "one"], texts=False).diagnostics
    (told,) = compile_paths([tmp_path / "two"], texts=False).diagnostics
    words = "162,556 operations, over its budget of 100,000 beside 42,556 of the game:"
    assert words in f"{told.code}: {told.message}"


class Blocks(yaml.SafeDumper):
    """Writes texts of several lines as blocks, as effect texts have to be."""


def _text(dumper: Blocks, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


Blocks.add_representer(str, _text)


def gear() -> list[dict[str, object]]:
    """Three hundred items: weapons and armour, each with its abilities."""
    path = ROOT / "rulesets" / "moonstone" / "gear.yaml"
    found = yaml.safe_load(path.read_text("utf-8"))
    swords = [one for one in found if one["kind"] == "weapon"]
    coats = [one for one in found if one["kind"] == "armour"]
    made = [(swords[n % len(swords)], f"blade-{n}", f"Blade {n}") for n in range(200)]
    made += [(coats[n % len(coats)], f"coat-{n}", f"Coat {n}") for n in range(100)]
    texts = ("abilities", "text")
    return [
        {
            key: str(value).strip() if key in texts else value
            for key, value in one.items()
            if key != "clauses"
        }
        | {"id": id, "title": title}
        for one, id, title in made
    ]


def test_a_campaign_of_forty_with_all_gear_and_examples_is_within_budget(tmp_path: Path):
    known = list(everybody().values())
    people = [
        {"kind": "character", "id": f"p{n}", "title": f"P{n}"}
        | {"weapons": [f"blade-{n}"], "gear": [f"coat-{n}"], **known[n % len(known)]}
        for n in range(40)
    ]
    things = gear()
    assert (len(people), len(things)) == (40, 300)
    files = {
        "pack.yaml": manifest(
            "campaign",
            'requires: {moonstone: ">=0.1", first-light: "*", quiet-house: "*", salt-and-lanterns: "*"}',
            "settings: {cv_allowance: 900}",
            game="moonstone",
        ),
        "content.yaml": CAMPAIGN,
        "people.yaml": yaml.safe_dump(people),
        "gear.yaml": yaml.dump(things, Dumper=Blocks),
    }
    write(tmp_path, files)
    packs = [EXAMPLES / one for one in ("first-light", "quiet-house", "salt-and-lanterns")]
    result = compile_paths([tmp_path, *packs], texts=False)
    told = [
        one for one in result.diagnostics if one.severity == "error" or one.code == "over-budget"
    ]
    assert told == []
    assert result.program is not None
