"""`ruleloom api`: what a game promises, and planted changes of it, each weighed and refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleloom.diff.api_file import FILE
from ruleloom.diff.compare import compare, load_side
from ruleloom.diff.report import advice
from tests.conftest import ROOT
from tests.support.command import Done, call
from tests.support.market import GAME, PLANTED, edited, put

GAMES = ("gnostica", "monotheism", "moonstone", "witchgates")
LEFT = "`renamed_from:` at its new name, `deprecated:` a version earlier, or a rule of migration, "


def promised(tmp_path: Path, text: str = GAME) -> Path:
    """The game with its promises written down."""
    game = put(tmp_path / "market", text)
    assert call("api", game, "--write").code == 0
    return game


def checked(game: Path, text: str, version: str) -> Done:
    return call("api", put(game, text, version), "--check")


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_change_is_weighed_and_refused_at_its_place(name: str, tmp_path: Path):
    changes, level, said, line = PLANTED[name]
    old, game = put(tmp_path / "old", GAME), promised(tmp_path)
    done = checked(game, edited(changes), "1.0.0")
    assert done.code == 1
    sides = load_side(old, "old"), load_side(game, "new")
    advised = advice(compare(*sides), "1.0.0", "1.0.0")
    assert advised.level == level
    # An item that is gone is told as such by `diff`.
    of, _, what = said.partition(": is gone")
    told = [one.words for one in advised.reasons]
    assert any(one.startswith((said, of)) if what == "" else one == said for one in told)
    if level == "minor":
        assert "is not what" in done.out or "not what is promised now" in done.out
        return
    found = [row for row in done.out.splitlines() if said in row]
    (row,) = found
    place = f"game.yaml:{line}:" if line else "api.json:"
    assert place in row
    assert LEFT in done.out


@pytest.mark.parametrize(
    ("before", "changes", "version"),
    [
        ([], [("id: haggle\n", "id: bargain\n  renamed_from: haggle\n"), ("use haggle", "use bargain")], "2.0.0"),
        (
            [("{kind: tag, id: dear,", "{kind: tag, id: dear, deprecated: say nothing,")],
            [("- {kind: tag, id: dear, english: dear}\n", "")],
            "2.0.0",
        ),
        (
            [('"ware: Ware, most: Int = 5"\n', '"ware: Ware, most: Int = 5"\n  deprecated: {most: it is always 5}\n')],
            [(", most: Int = 5", ""), ("1 .. most", "1 .. 5"), ("cloth, 3", "cloth")],
            "2.0.0",
        ),
    ],
    ids=["a new name", "deprecated", "a deprecated parameter"],
)  # fmt: skip
def test_a_promise_may_be_broken_by_a_higher_version_that_leads_on(
    before: list[tuple[str, str]], changes: list[tuple[str, str]], version: str, tmp_path: Path
):
    game = promised(tmp_path, edited(before))
    low = checked(game, edited(changes), "1.9.0")
    assert low.code == 1
    assert "the version has to be 2.0.0 for that" in low.out
    done = checked(game, edited(changes), version)
    assert LEFT not in done.out
    assert call("api", game, "--write").code == 0
    assert call("api", game, "--check").code == 0


RULES = {
    "stricter": "old: setting/rent, person: say a lower rent",
    "another order": 'old: operation/buy, takes: "who, ware, much", becomes: "buy(who, much, ware)"',
    "removed way": "old: way/stalls.cloth, person: nobody sells cloth",
    "value gone": "old: value/Ware.salt, person: there is no salt",
    "prompt renamed": "old: prompt/much, new: prompt/pounds",
    "step renamed": "old: step/power/haggle.pay, new: settle",
}


@pytest.mark.skipif(
    not (ROOT / "schemas/migration.schema.json").exists(), reason="there are no rules of migration"
)
@pytest.mark.parametrize("name", RULES)
def test_a_rule_of_migration_leads_on(name: str, tmp_path: Path):
    game = promised(tmp_path)
    rule = f"- {{kind: migration, id: rule, since: 2.0.0, why: it is so, {RULES[name]}}}\n"
    done = checked(game, edited(PLANTED[name][0]) + rule, "2.0.0")
    assert "not what is promised now" in done.out
    assert call("api", game, "--write").code == 0


def test_a_new_name_says_since_when(tmp_path: Path):
    game = promised(tmp_path)
    new = GAME.replace(
        "{kind: tag, id: dear,", "{kind: tag, id: cheap, english: cheap}\n- {kind: tag, id: dear,"
    )
    assert checked(game, new, "1.1.0").code == 1
    assert call("api", game, "--write").code == 0
    lines = (game / "api.json").read_text(encoding="utf-8").splitlines()
    assert '  "tag/cheap": {"since": "1.1.0"},' in lines
    assert '  "tag/dear": {"since": "1.0.0"},' in lines
    assert "tag/cheap; since 1.1.0" in call("api", game).out.splitlines()


def test_a_broken_file_is_told(tmp_path: Path):
    game = promised(tmp_path)
    (game / "api.json").write_text("[]", encoding="utf-8")
    done = call("api", game, "--check")
    assert done.code == 2
    assert "no list of promises" in done.err


@pytest.mark.parametrize("game", GAMES)
def test_a_shipped_game_promises_what_it_has(game: str):
    done = call("api", game, "--check")
    assert done.code == 0, f"ruleloom api {game} --write\n{done.out}"
    text = (ROOT / "rulesets" / game / FILE).read_text(encoding="utf-8")
    assert text.count('"since"') > 400


STRANGER = """\
- kind: power
  id: spend
  gloss: "spend"
  effect: |
    use haggle(«apples», «4»)
    «buy»(me, apples, «much»: «debt»(me) + «rent»)
- {kind: trigger, id: fair, timing: immediately, event: "«buy»(who, ware, much)", effect: stop}
- {kind: patch, id: poor, target: market:setting/«rent», set: {value: 2}}
- {kind: table, id: price, by: Ware, gives: Int, rows: {«apples»: 1}, otherwise: 2, english: a price}
- {kind: setting, id: sold, type: Ware, value: «apples», english: what is sold}
"""
CASES = """kind: scenarios
cases:
  - id: whoever-spends-owes
    given: {players: [A, B], settings: {«rent»: 2}, state: {A: {«debt»: 1}}}
    when:
      - do: "«buy»(me, apples, 1)"
    then: {done: {«buy»: 1}}
"""
OLD = [
    ('"ware: Ware, most: Int = 5"\n', '"ware: Ware, most: Int = 5"\n  deprecated: {most: it is always 5}\n'),
    ("max: 9, english", "max: 9, deprecated: rent is no more, english"),
    ("debt: {type: Int, ", "debt: {deprecated: nobody owes, type: Int, "),
    ("    buy:\n", "    buy:\n      deprecated: use `haggle`\n"),
    ("  enums: {", "  deprecated: {apples: buy cloth}\n  enums: {"),
]  # fmt: skip


def test_whoever_uses_what_is_deprecated_is_told_at_the_place(tmp_path: Path):
    game = put(tmp_path / "market", edited(OLD))
    assert "deprecated" not in call("check", game).out
    stranger = tmp_path / "stranger"
    stranger.mkdir()
    manifest = "{kind: pack, id: stranger, version: 1.0.0, game: market, edition: 1}\n"
    (stranger / "pack.yaml").write_text(manifest, encoding="utf-8")
    text = STRANGER.replace("«", "").replace("»", "")
    (stranger / "items.yaml").write_text(text, encoding="utf-8")
    cases = CASES.replace("«", "").replace("»", "")
    (stranger / "cases.yaml").write_text(cases, encoding="utf-8")
    done = call("check", stranger, game, "--format", "concise")
    lines = [row for row in done.out.splitlines() if "[deprecated]" in row]
    rows = [row.partition("stranger/")[2].removeprefix("items.yaml:") for row in lines]
    for row, said in (
        ("5:24", "`most` of `haggle` is deprecated: it is always 5"),
        ("5:16", "`apples` is deprecated: buy cloth"),
        ("6:5", "`buy` is deprecated: use `haggle`"),
        ("6:27", "`debt` is deprecated: nobody owes"),
        ("6:38", "`rent` is deprecated: rent is no more"),
        ("7:58", "`buy` is deprecated: use `haggle`"),
        ("8:35", "`rent` is deprecated: rent is no more"),
        ("9:57", "`apples` is deprecated: buy cloth"),
        ("10:48", "`apples` is deprecated: buy cloth"),
        ("cases.yaml:4", "`rent` is deprecated: rent is no more"),
        ("cases.yaml:4", "`debt` is deprecated: nobody owes"),
        ("cases.yaml:6", "`buy` is deprecated: use `haggle`"),
        ("cases.yaml:6", "`apples` is deprecated: buy cloth"),
        ("cases.yaml:7", "`buy` is deprecated: use `haggle`"),
    ):
        assert any(one.startswith(f"{row}:") and said in one for one in rows), (row, done.out)
