"""Completion at each sort of place at which a name may stand, through the protocol, for each game.

The `|` is the cursor; the name after it is offered there, among the first ones.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import NamedTuple

import pytest
from lsprotocol import types as lsp

from tests.support.lsp_client import LspEditor, lsp_editor

FIRST = 25


class Place(NamedTuple):
    """A text with the cursor in it, and what is offered there."""

    text: str
    wanted: str
    first: int = FIRST


def effect(*lines: str, takes: str = "") -> str:
    """The text of a power."""
    given = f'  takes: "{takes}"\n' if takes else ""
    head = f'- kind: power\n  id: trial\n{given}  gloss: "a trial"\n  effect: |\n'
    return head + "\n".join(f"    {line}" for line in lines)


def case(given: str, when: str, then: str = "") -> str:
    """The text of a case."""
    end = f"    then: {then}\n" if then else ""
    return f"kind: scenarios\ncases:\n  - id: x\n    given: {given}\n    when: {when}\n{end}"


ROLLED = "- kind: random-table\n  id: omens\n  rows: [a, b]\n"
TAG = '- {kind: tag, id: glassy, english: "made of glass"}\n'
OTHER = '- {kind: tag, id: other, english: "of another sort"}\n'
GAMES = {
    "gnostica": {
        "kind": Place("- kind: ma|", "major", 2),
        "field": Place("- kind: major\n  id: x\n  ti|", "title", 1),
        "field of a patch": Place(
            "- kind: patch\n  id: x\n  target: gnostica:major/sun\n  set: {num|", "number", 1
        ),
        "field of a patch, by lines": Place(
            "- kind: patch\n  id: x\n  every: major\n  set:\n    |", "title"
        ),
        "target of a patch": Place("- kind: patch\n  id: x\n  target: gnostica:major/su|",
                                   "gnostica:major/sun", 5),
        "target without its pack": Place("- kind: patch\n  id: x\n  target: major/su|",
                                         "major/sun", 5),
        "class of a patch": Place("- kind: patch\n  id: x\n  every: |", "major"),
        "what an item is like": Place("- kind: major\n  id: x\n  like: su|", "sun", 1),
        "field that says so": Place("- kind: major\n  id: x\n  li|", "like", 2),
        "how it differs": Place("- kind: major\n  id: x\n  like: sun\n  but: {bef|", "before-step", 2),
        "field that differs": Place(
            "- kind: major\n  id: x\n  like: sun\n  but: {add: {num|", "number", 1
        ),
        "text that differs": Place(
            "- kind: major\n  id: x\n  like: sun\n  but:\n    append:\n      effect: |\n        use act|",
            "activate",
            3,
        ),
        "condition of a patch": Place(
            '- kind: patch\n  id: x\n  every: major\n  where: "num|', "number", 5
        ),
        "tag": Place(f"{TAG}- kind: major\n  id: x\n  tags: [|", "glassy", 3),
        "parent of a tag": Place(f"{TAG}- kind: tag\n  id: x\n  parent: gl|", "glassy", 3),
        "table of a row": Place(
            "- kind: random-table\n  id: x\n  dice: 1d4\n  rows:\n    1-2: {table: om|", "omens", 3
        ),
        "table of a row with a weight": Place(
            "- kind: random-table\n  id: x\n  rows:\n    - {table: om|", "omens", 3
        ),
        "table that a text rolls on": Place(effect("use om|"), "omens", 3),
        "effect of a row": Place(
            "- kind: random-table\n  id: x\n  rows:\n    - a\n    - effect: |\n        use act|",
            "activate",
            3,
        ),
        "tag in effect text": Place(effect("choose c from hand where gl|"), "glassy", 5),
        "enum value": Place(effect("face(m, |", takes="m: Piece"), "N", 12),
        "operation": Place(effect("fa|"), "face", 2),
        "query": Place(effect("let x = pieces_o|"), "pieces_of", 3),
        "measure": Place(effect("if on_b|"), "on_board", 2),
        "power": Place(effect("use act|"), "activate", 3),
        "rule": Place(effect("ignoring |"), "crowding"),
        "moment": Place("- kind: trigger\n  id: x\n  event: fa|", "face", 3),
        "setting": Place(effect("if score(me) >= target|"), "target_score", 3),
        "setting of a case": Place(case("{settings: {ta|", ""), "target_score", 3),
        "power of a step": Place(case("{}", "[{power: act|"), "activate", 3),
        "prompt": Place(case("{}", "[{power: activate, terr|"), "territory", 3),
        "expected prompt": Place(
            case("{}", "[{do: use activate}]", "{asked: {name: terr|"), "territory", 5
        ),
        "reason": Place(case("{}", "[]", "{legal: false, because: cro|"), "crowding", 3),
        "one of the reasons": Place(
            case("{}", "[]", "{legal: false, because: [offer, cro|"), "crowding", 3
        ),
        "operation in the log": Place(case("{}", "[]", "{log: [{dis|"), "discard", 3),
        "fact of an operation": Place(case("{}", "[]", "{log: [{discard: {ca|"), "card", 3),
        "step": Place("kind: scenarios\ncases:\n  - id: x\n    when: [{an|", "answers", 2),
        "type": Place('- kind: power\n  id: x\n  takes: "m: Pie|', "Piece", 2),
        "card": Place(effect("ensure used_card = |"), "sun", 100),
    },
    "moonstone": {
        "kind": Place("- kind: wea|", "weapon", 2),
        "field": Place("- kind: weapon\n  id: x\n  di|", "dice", 2),
        "id of an item, the first of its sort": Place(
            "- kind: character\n  id: x\n  gifts: [su|", "sure-foot", 3
        ),
        "field of a patch": Place(
            "- kind: patch\n  id: x\n  target: moonstone:weapon/dagger\n  add: {di|", "dice", 2
        ),
        "target of a patch": Place("- kind: patch\n  id: x\n  target: weapon/da|",
                                   "weapon/dagger", 3),
        "enum value": Place("- kind: advantage\n  id: x\n  rating: |", "II", 8),
        "operation": Place(effect("hurt_|"), "hurt_body", 2),
        "query": Place(effect("let who = se|"), "seat", 2),
        "stat": Place(
            "- kind: advantage\n  id: x\n  abilities: |\n    modify attack_|", "attack_bonus", 2
        ),
        "keyword": Place("- kind: advantage\n  id: x\n  abilities: |\n    res|", "resists", 2),
        "power": Place(effect("use gain_|"), "gain_level", 2),
        "rule": Place(effect("ignoring may_|"), "may_act", 5),
        "moment": Place("- kind: trigger\n  id: x\n  event: hurt|", "hurt_body", 3),
        "setting": Place(effect("let x = cv_a|"), "cv_allowance", 2),
        "setting of a manifest": Place("kind: pack\nid: x\ngame: moonstone\nsettings: {cv_|",
                                       "cv_allowance", 2),
        "prompt": Place(case("{}", "[{do: use contest, answers: {att|"), "attack", 3),
        "kind of a thing": Place(case("{things: {x: {kind: cha|", ""), "character", 2),
        "tag": Place(f"{TAG}- kind: weapon\n  id: x\n  tags: [|", "glassy", 3),
    },
    "monotheism": {
        "kind": Place("- kind: mir|", "miracle", 2),
        "field": Place("- kind: miracle\n  id: x\n  ti|", "title", 2),
        "field of a patch": Place(
            "- kind: patch\n  id: x\n  target: monotheism:setting/lent_traits\n  set: {val|",
            "value", 1,
        ),
        "target of a patch": Place("- kind: patch\n  id: x\n  target: setting/lent|",
                                   "setting/lent_traits", 3),
        "enum value": Place(effect("let n = count_of(|"), "blue", 8),
        "operation": Place(effect("take_|"), "take_die", 2),
        "query": Place(effect("for each f in follow|"), "followers", 3),
        "power": Place(effect("use dra|"), "draft", 2),
        "rule": Place(effect("ignoring |"), "may_perform"),
        "moment": Place("- kind: trigger\n  id: x\n  event: take|", "take_die", 3),
        "setting": Place(effect("let x = lent|"), "lent_traits", 2),
        "setting of a case": Place(case("{settings: {le|", ""), "lent_traits", 3),
        "prompt": Place(case("{}", "[{do: use draft, answers: {di|"), "die", 3),
        "expected prompt": Place(case("{}", "[{do: use chance(seat(2))}]", "{asked: {name: re|"),
                                 "reply", 3),
        "tag": Place(f"{TAG}- kind: miracle\n  id: x\n  tags: [|", "glassy", 3),
    },
    "witchgates": {
        "kind": Place("- kind: ge|", "gear", 2),
        "field": Place("- kind: gear\n  id: x\n  pri|", "price", 2),
        "field of a patch": Place(
            "- kind: patch\n  id: x\n  target: witchgates:gear/rope\n  add: {|", "price"
        ),
        "target of a patch": Place("- kind: patch\n  id: x\n  target: witchgates:gear/ro|",
                                   "witchgates:gear/rope", 3),
        "enum value": Place(effect("let x = amount_for(|"), "hit", 8),
        "operation": Place(effect("make_|"), "make_aspect", 2),
        "query": Place(effect("for each a in aspects|"), "aspects_here", 2),
        "stat": Place(effect("let n = skill_|", takes="who: Character"), "skill_level", 3),
        "power": Place(effect("use create_|"), "create_aspect", 3),
        "rule": Place(effect("ignoring may_a|"), "may_act", 5),
        "moment": Place("- kind: trigger\n  id: x\n  event: make|", "make_aspect", 3),
        "setting": Place(effect("let x = most_dice|"), "most_dice_of_an_aspect", 2),
        "setting of a case": Place(case("{settings: {most|", ""), "most_dice_of_an_aspect", 25),
        "prompt": Place(case("{}", "[{do: use lend, answers: {for|"), "for_it", 3),
        "tag": Place(f"{TAG}- kind: gear\n  id: x\n  tags: [|", "glassy", 3),
    },
}  # fmt: skip
MENUS = {
    "gnostica": (case("{}", "[]", "{asked: {offered: [activate a t|"), "activate a territory"),
    "moonstone": (case("{}", "[]", "{asked: {offered: [max M|"), "max MI"),
    "monotheism": (case("{}", "[]", '{asked: {offered: [nobody, "the l|'), "the last deity"),
    "witchgates": (case("{}", "[]", "{asked: {offered: [an as|"), "an aspect"),
}


def homebrew(folder: Path, game: str) -> Path:
    """A pack with a tag and a random table."""
    pack = folder / "homebrew"
    pack.mkdir()
    head = f"kind: pack\nid: homebrew\nversion: 1.0.0\ngame: {game}\nedition: 1\n"
    (pack / "pack.yaml").write_text(head)
    (pack / "tags.yaml").write_text(TAG)
    (pack / "tables.yaml").write_text(ROLLED)
    return pack


async def offered(editor: LspEditor, uri: str, written: str) -> list[lsp.CompletionItem]:
    """What is offered at the `|` of a text."""
    before, _, behind = written.rpartition("|")
    editor.write(uri, before + behind)
    line = lsp.Position(before.count("\n"), len(before.rpartition("\n")[2]))
    params = lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), line)
    found = await editor.client.text_document_completion_async(params)
    assert isinstance(found, lsp.CompletionList)
    return list(found.items)


@pytest.mark.parametrize("game", GAMES)
def test_a_name_is_offered_wherever_one_may_stand(tmp_path, game):
    pack = homebrew(tmp_path, game)

    async def run() -> dict[str, tuple[int, list[str]]]:
        missed: dict[str, tuple[int, list[str]]] = {}
        async with lsp_editor(tmp_path) as editor:
            uri = await editor.open(pack / "items.yaml", OTHER)
            places = {**GAMES[game], "label": Place(*MENUS[game])}
            for sort, place in places.items():
                labels = [one.label for one in await offered(editor, uri, place.text)]
                rank = labels.index(place.wanted) if place.wanted in labels else -1
                print(f"{game}, {sort}: {place.wanted} is number {rank + 1} of {len(labels)}")
                if not 0 <= rank < place.first:
                    missed[sort] = (rank, labels[:12])
        return missed

    assert asyncio.run(run()) == {}
