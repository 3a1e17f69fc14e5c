"""The planted changes of the market, each with its rule of migration, from end to end: a pack of before is
rewritten and then sound, or a person is told at the place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.packs.locate import find_packs
from ruleloom.migrate.course import Course
from ruleloom.migrate.migration import Migrated, migrate
from tests.support.market import PLANTED, edited, put

MANIFEST = (
    'kind: pack\nid: stall\nversion: 1.0.0\ngame: market\nedition: 1\nrequires: {market: "%s"}\n'
)


class Migration(NamedTuple):
    """The rule of a planted change, the items of a pack before and after, and what a person is told of which
    line."""

    rule: str
    before: str
    after: str = ""
    told: str = ""
    line: int = 0


def way(line: str) -> str:
    return f"kind: way\nid: shop\nto: stalls\nlabel: shop\neffect: |\n  {line}  # as ever\n"


def patch(target: str, *lines: str) -> str:
    return "\n".join(("kind: patch", "id: ours", f"target: market:{target}", *lines, ""))


MIGRATIONS = {
    "rename": Migration(
        "old: power/haggle, new: bargain", way("use haggle(salt)"), way("use bargain(salt)")
    ),
    "split": Migration(
        'old: measure/wealth, person: "say `coins` or `owed`"',
        way("if wealth(me) > 3: stop"),
        told="`wealth`: say `coins` or `owed` (so it is)",
        line=6,
    ),
    "moved": Migration(
        'old: setting/rent, person: "patch what the measure `rent` is"',
        patch("setting/rent", "set: {value: 5}"),
        told="`rent`: patch what the measure `rent` is (so it is)",
        line=3,
    ),
    "stricter": Migration(
        'old: setting/rent, person: "say a rent of up to 6"',
        patch("setting/rent", "set: {value: 8}"),
        told="`rent`: say a rent of up to 6 (so it is)",
        line=4,
    ),
    "another default": Migration(
        'old: power/haggle, takes: "ware, most = 5", becomes: "use haggle(ware, most)"',
        way("use haggle(salt)"),
        way("use haggle(salt, 5)"),
    ),
    "another order": Migration(
        'old: operation/buy, takes: "who, ware, much", becomes: "buy(who, much, ware)"',
        way("buy(me, salt, 2)"),
        way("buy(me, 2, salt)"),
    ),
    "removed way": Migration(
        'old: way/cloth, person: "nobody sells cloth"',
        'kind: way\nid: silk\nto: stalls\ninstead_of: cloth\nlabel: silk\neffect: "use haggle(cloth)"\n',
        told="`cloth`: nobody sells cloth (so it is)",
        line=4,
    ),
    "new required parameter": Migration(
        'old: power/haggle, takes: "ware, most = 5", becomes: "use haggle(ware, 1, most)"',
        way("use haggle(salt)"),
        way("use haggle(salt, 1, 5)"),
    ),
    "changed type": Migration(
        'old: measure/wealth, person: "it says whether somebody is rich"',
        way("if wealth(me) > 3: stop"),
        told="`wealth`: it says whether somebody is rich (so it is)",
        line=6,
    ),
    "tag gone": Migration(
        'old: tag/dear, person: "no ware is dear"',
        way("use haggle(salt)") + "tags: [dear]\n",
        told="`dear`: no ware is dear (so it is)",
        line=7,
    ),
    "value gone": Migration(
        'old: value/Ware.salt, person: "there is no salt"',
        way("use haggle(salt)"),
        told="`salt`: there is no salt (so it is)",
        line=6,
    ),
    "prompt renamed": Migration(
        "old: prompt/much, new: pounds",
        "kind: scenarios\ncases:\n  - id: bought\n    given: {players: [A, B]}\n"
        "    when: [{do: use haggle(salt), answers: {much: 2}}]\n    then: {log: [buys 2]}\n",
        "kind: scenarios\ncases:\n  - id: bought\n    given: {players: [A, B]}\n"
        "    when: [{do: use haggle(salt), answers: {pounds: 2}}]\n    then: {log: [{buy: {much: 2}}]}\n",
    ),
    "step renamed": Migration(
        "old: step/power/haggle.pay, new: settle",
        patch("power/haggle", "after-step:", '  pay: say "paid"'),
        patch("power/haggle", "after-step:", '  settle: say "paid"'),
    ),
}


def migrated(name: str, tmp_path: Path, wanted: str = "^1.0") -> Migrated:
    """The stall, of version 1 of the market, under version 2."""
    one, (changes, *_) = MIGRATIONS[name], PLANTED[name]
    rule = f"- {{kind: migration, id: one, since: 2.0.0, {one.rule}, why: so it is}}\n"
    game, pack = put(tmp_path / "market", edited(changes) + rule, "2.0.0"), tmp_path / "stall"
    pack.mkdir()
    (pack / "pack.yaml").write_text(MANIFEST % wanted, encoding="utf-8")
    (pack / "items.yaml").write_text(one.before, encoding="utf-8")
    (folder,) = find_packs(str(pack), tmp_path, Report())
    return migrate(Course(folder, [str(game)]))


def test_each_planted_change_has_a_rule():
    assert MIGRATIONS.keys() == PLANTED.keys()


@pytest.mark.parametrize("name", MIGRATIONS)
def test_a_planted_change_is_migrated_or_a_person_is_told(name: str, tmp_path: Path):
    one, done = MIGRATIONS[name], migrated(name, tmp_path)
    texts = {Path(file).name: new for file, (_, new) in done.files.items()}
    assert texts.pop("pack.yaml") == MANIFEST % "^2.0.0"
    assert texts.get("items.yaml", "") == one.after
    told = [(task.words, task.place.line) for task in done.tasks]
    assert told == ([(one.told, one.line)] if one.told else [])


RANGES = {"*": True, ">=1.0": True, "^1.0": False, "^2.0": False, ">=2.0": False, "^3.0": False}
"""Whether a pack that requires these versions may be of before the change or of after it."""


@pytest.mark.parametrize("wanted", RANGES)
def test_a_call_that_may_be_of_before_or_after_is_for_a_person(wanted: str, tmp_path: Path):
    done = migrated("another default", tmp_path, wanted)
    texts = {Path(file).name: new for file, (_, new) in done.files.items()}
    assert ("items.yaml" in texts) == (wanted == "^1.0")
    told = (
        "`haggle`: write `use haggle(ware, most)` if this is of before 2.0.0 (so it is); "
        'if it is not, require `market: ">=2.0.0"`'
    )
    # A market of version 2 does for no pack that wants 3.
    expected = [told] if RANGES[wanted] else []
    assert [one.words for one in done.tasks] == expected
