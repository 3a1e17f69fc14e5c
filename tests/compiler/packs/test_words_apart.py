"""Words by which two packs that do not know each other mean two sorts of things: each means its own, in
its texts and its cases, and a third pack names each."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

from ruleloom.api.making import sound
from ruleloom.compiler.packs.settings import WORDS
from ruleloom.compiler.pipeline import compile_paths
from ruleloom.runtime.program.program_json import program_text
from tests.support.command import call
from tests.support.market import GAME, PACK
from tests.support.pack_examples import manifest, write

# What a pack declares, an effect that uses it, and what a case says; `§` is the id of the pack.
SORTS: dict[str, tuple[str, str, str]] = {
    "scope": (
        'scope: {heat: {type: Int, life: game, initial: "1", english: "the glow of §"}}\n'
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
        "zones: {heat: {of: Player, seen_by: all, english: the glow}}\n"
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
        'operations: {heat: {params: {who: Player}, sets: {debt(who): debt(who) + 1}, english: "warm {who}", log: "{who} is hot"}}\n'
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


def put(folder: Path, third: str = "", **sorts: str) -> None:
    """The market, a pack for each sort, called by the word without `_`, and one that requires all."""
    files = {"market/pack.yaml": PACK % "1.0.0", "market/game.yaml": GAME}
    for word, sort in sorts.items():
        id = word.replace("_", "-")
        files[f"{id}/pack.yaml"] = manifest(id, game="market")
        files[f"{id}/items.yaml"] = items(sort, word)
        files[f"{id}/cases.yaml"] = cases(sort, word)
    needs = ", ".join(f'{one.replace("_", "-")}: "*"' for one in sorts)
    files["third/pack.yaml"] = manifest("third", f"requires: {{{needs}}}", game="market")
    files["third/items.yaml"] = third
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
    put(tmp_path, hot_coals=one, b=other)
    for packs in (("hot-coals", "b"), ("b", "hot-coals")):
        done = call("test", "market", *packs, together=True)
        assert "2 passed, 0 failed" in done.out, done.out
        assert call("check", "market", *packs).code == 0


# How a third pack uses what each sort declares, by the name in place of `§`.
USES = {
    "scope": "- {kind: measure, id: use_~, gives: Int, is: §, english: much}\n",
    "value": "- {kind: power, id: use_~, gloss: take, effect: 'take_~(me, §)'}\n",
    "zones": "- {kind: measure, id: use_~, gives: Int, is: count(§), english: much}\n",
    "queries": "- {kind: measure, id: use_~, takes: 'who: Player', gives: Int, is: count(§(who)), english: much}\n",
    "queries of nothing": "- {kind: measure, id: use_~, gives: Int, is: count(§), english: much}\n",
    "field": "- {kind: measure, id: use_~, takes: 'who: Player', gives: Int, is: §(who), english: much}\n",
    "operations": "- {kind: power, id: use_~, gloss: go, effect: §(me)}\n",
    "moments": "- {kind: trigger, id: use_~, event: §(who), timing: afterwards, effect: say 'third'}\n".replace("'", '"'),
}  # fmt: skip


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_third_pack_names_each_and_is_told_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one: str, other: str
):
    monkeypatch.chdir(tmp_path)
    packs, sorts = ("market", "third", "hot-coals", "b"), {"hot_coals": one, "b": other}
    names = ("hot_coals__heat", "b__heat")
    uses = [USES[sort].replace("~", id) for id, sort in sorts.items()]
    put(
        tmp_path,
        "".join(use.replace("§", name) for use, name in zip(uses, names, strict=True)),
        **sorts,
    )
    assert call("check", *packs).code == 0, call("check", *packs).out
    for use in uses:
        put(tmp_path, use.replace("§", "heat"), **sorts)
        done = call("check", *packs)
        assert done.out.count("error[") == 1
        assert "error[unclear-name]: `heat` may be that of `b` or `hot-coals`" in done.out
        assert "help: write `b__heat` or `hot_coals__heat`" in done.out


def test_a_value_is_plain_where_only_values_stand(tmp_path, monkeypatch):
    """In a field or a row nothing else can be meant."""
    monkeypatch.chdir(tmp_path)
    row = "- {kind: table, id: prices, by: Ware, gives: Int, rows: {heat: 2}, otherwise: 1, english: a price}\n"
    put(tmp_path, row, a="scope", b="value")
    assert call("check", "market", "third", "a", "b").code == 0


def test_words_of_one_sort_stay_together(tmp_path, monkeypatch):
    """Only what means two sorts of things is told apart."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, a="queries", b="scope")
    done = call("explain", "heat", "--pack", "market", "--pack", "a", "--pack", "b")
    assert "query heat(" in done.out
    assert "variable heat: Int" in done.out


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("heat", ("variable a__heat: Int", "value heat of Ware")),
        ("a__heat", ("variable a__heat: Int",)),
        ("b__heat", ("value heat of Ware",)),
    ],
)
def test_explain_knows_each(tmp_path, monkeypatch, word: str, told: tuple[str, ...]):
    monkeypatch.chdir(tmp_path)
    put(tmp_path, a="scope", b="value")
    done = call("explain", word, "--pack", "market", "--pack", "a", "--pack", "b")
    assert done.code == 0
    assert [
        line.partition(": ")[2].partition(" (")[0]
        for line in done.out.splitlines()
        if line.startswith("market: ")
    ] == [*told]


def test_api_and_fmt_leave_each_pack_its_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put(
        tmp_path,
        "- {kind: measure, id: m, gives: Int, is: a__heat + 1, english: much}\n",
        a="scope",
        b="value",
    )
    assert "variable/heat; type: Int" in call("api", "market", "a").out
    assert "values: apples, cloth, salt, heat" in call("api", "market", "b").out
    done = call("fmt", "a", "b", "third", "--check")
    assert done.out.endswith(": 0 files would change\n")


def test_the_other_order_and_the_words_in_english(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put(tmp_path, a="scope", b="value")
    one, other = (
        program_text(sound(compile_paths(order, texts=False))[0])
        for order in (("market", "a", "b"), ("b", "market", "a"))
    )
    assert one == other
    done = call("explain", "a:power/warm_a", "--pack", "market", "--pack", "a", "--pack", "b")
    assert "__" not in done.out
