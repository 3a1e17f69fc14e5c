"""Words by which two packs that do not know each other mean two sorts of things: each means its own, in
its texts and its cases, and a third pack names each."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from ruleloom.compiler.packs.settings import WORDS
from tests.support.command import call
from tests.support.market import GAME, PACK
from tests.support.pack_examples import manifest, write

# What a pack declares, an effect that uses it, and what a case says; `§` is the id of the pack.
SORTS: dict[str, tuple[str, str, str]] = {
    "scope": (
        'scope: {heat: {type: Int, life: game, initial: "1", english: "the heat of §"}}\n'
        'operations: {cool_§: {params: {who: Player}, sets: {debt(who): heat}, english: "cool {who} by {heat}", log: "{who} cools"}}',
        'set heat = heat + 2\nsay "{heat} of §"\ncool_§(me)',
        "given: {state: {heat: 3}}, then: {numbers: {heat: 5, A: {debt: 5}}, log: [5 of §, A cools]}",
    ),
    "value": (
        "extends: {Ware: [heat], Player: {fields: {has_§: {type: Int, by: Ware, min: 0, max: 9, initial: 0}}}}\n"
        'operations: {take_§: {params: {who: Player, ware: Ware}, sets: {"has_§(who, ware)": "has_§(who, ware) + 4"}, english: "{who} takes {ware}", log: "{who} takes {ware}"}}',
        "take_§(me, heat)",
        "given: {state: {A: {has_§(heat): 2}}}, then: {numbers: {A: {has_§(heat): 6}}, log: [A takes heat]}",
    ),
    "zones": (
        "zones: {heat: {of: Player, seen_by: all, english: the heat}}\n"
        'operations: {enter_§: {params: {who: Player}, sets: {debt(who): \'1\'}, moves: {who: heat}, english: "{who} goes in", log: "{who} goes in"}}',
        "enter_§(me)\nlet much = count(heat)\nsay \"{much} in §\"",
        "then: {log: [A goes in, 1 in §]}",
    ),
    "queries": (
        "extends: {Player: {fields: {friend_§: {type: Player?}}}}\n"
        "queries: {heat: {params: {who: Player}, result: List of Player, max: 4, of: Player.friend_§, english: who likes §}}",
        "let much = count(heat(me))\nsay \"{much} for §\"",
        "given: {state: {A: {friend_§: A}}}, then: {log: [1 for §]}",
    ),
    "queries of nothing": (
        "extends: {Player: {fields: {glad_§: {type: Player?}}}}\n"
        "queries: {heat: {params: {}, result: List of Player, max: 4, of: Player.glad_§, english: who likes §}}",
        "let much = count(heat)\nsay \"{much} like §\"",
        "given: {state: {A: {glad_§: B}}}, then: {log: [1 like §]}",
    ),
    "field": (
        "extends: {Player: {fields: {heat: {type: Int, min: 0, max: 9, initial: 0, english: '{it} is hot'}}}}\n"
        'operations: {cool_§: {params: {who: Player}, sets: {heat(who): heat(who) - 1}, english: "cool {who}", log: "{who} is cool"}}',
        "cool_§(me)",
        "given: {state: {A: {heat: 3}}}, then: {numbers: {A: {heat: 2}}}",
    ),
    "operations": (
        'operations: {heat: {params: {who: Player}, sets: {debt(who): debt(who) + 1}, english: "heat {who}", log: "{who} is hot"}}\n'
        "deciders: {heat: who}",
        "heat(me)",
        "then: {numbers: {A: {debt: 1}}, log: [A is hot, felt by §]}",
    ),
    "moments": (
        'moments: {heat: {params: {who: Player}, english: "{who} is hot"}}',
        "heat(me)",
        "then: {log: [felt by §]}",
    ),
}  # fmt: skip
SPACES = (
    ("scope", "value", "zones", "queries of nothing"),
    ("zones", "queries", "field"),
    ("queries of nothing", "field"),
    ("operations", "moments"),
)
PAIRS = sorted({pair for space in SPACES for pair in combinations(space, 2)})


def items(sort: str, id: str) -> str:
    declared, effect, _ = (text.replace("§", id) for text in SORTS[sort])
    lines = [
        f"- kind: extension\n  id: {id}-words",
        *(f"  {line}" for line in declared.splitlines()),
        f"- kind: power\n  id: warm_{id}\n  gloss: warm\n  effect: |",
        *(f"    {line}" for line in effect.splitlines()),
    ]
    if sort in ("operations", "moments"):
        lines += [
            f"- kind: trigger\n  id: felt_{id}\n  event: heat(who)\n  timing: immediately",
            f'  effect: say "felt by {id}"',
        ]
    return "\n".join(lines) + "\n"


def cases(sort: str, id: str) -> str:
    told = SORTS[sort][2].replace("§", id)
    told = told if "given" in told else f"given: {{}}, {told}"
    told = told.replace("given: {", "given: {me: A, ").replace(", }", "}")
    return f"kind: scenarios\ncases:\n- {{id: of-{id}, when: [{{do: use warm_{id}}}], {told}}}\n"


def put(folder: Path, **sorts: str) -> None:
    files = {"market/pack.yaml": PACK % "1.0.0", "market/game.yaml": GAME}
    for id, sort in sorts.items():
        files[f"{id}/pack.yaml"] = manifest(id, game="market")
        files[f"{id}/items.yaml"] = items(sort, id)
        files[f"{id}/cases.yaml"] = cases(sort, id)
    write(folder, files)


def test_every_word_that_stands_in_texts_alone_is_tried():
    assert {*WORDS} == {*SORTS} - {"value", "field", "queries of nothing"}


@pytest.mark.parametrize("sort", SORTS)
def test_alone_each_has_its_word(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sort: str):
    monkeypatch.chdir(tmp_path)
    put(tmp_path, a=sort)
    done = call("test", "market", "a", together=True)
    assert "1 passed, 0 failed, 0 not executable" in done.out, done.out


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_strangers_mean_two_sorts_of_things(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: str, other: str
):
    monkeypatch.chdir(tmp_path)
    put(tmp_path, a=one, b=other)
    for packs in ("ab", "ba"):
        done = call("test", "market", *packs, together=True)
        assert "2 passed, 0 failed" in done.out, done.out
    assert call("check", "market", "a", "b").code == 0
