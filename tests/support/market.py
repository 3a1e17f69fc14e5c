"""The market: a game of few lines without a driver, and changes of it that others notice."""

from __future__ import annotations

from pathlib import Path

PACK = "{kind: pack, id: market, version: %s, game: market, edition: 1}\n"
GAME = """\
- kind: vocabulary
  game: market
  enums: {Ware: [apples, cloth, salt]}
  entities:
    Player:
      noun: [player, players]
      max: 4
      fields:
        purse: {type: Int, min: 0, max: 99, initial: 10}
        debt: {type: Int, min: 0, max: 99}
  scope: {me: {type: Player, life: game, english: you}}
  operations:
    buy:
      params: {who: Player, ware: Ware, much: Int}
      sets: {purse(who): purse(who) - much, debt(who): debt(who) + 1}
      english: "{who} buys {much} {ware}"
      log: "{who} buys {much} {ware}"
- {kind: setting, id: least_players, value: 2, min: 2, max: 4, english: the fewest players}
- {kind: setting, id: rent, value: 3, min: 1, max: 9, english: the rent}
- {kind: tag, id: dear, english: dear}
- {kind: measure, id: wealth, takes: "who: Player", gives: Int, is: purse(who) + rent - debt(who), english: "the wealth of {who}"}
- kind: power
  id: haggle
  takes: "ware: Ware, most: Int = 5"
  gloss: "haggle for a ware"
  effect: |
    choose much from 1 .. most "How much?"
    step pay: buy(me, ware, much)
- {kind: flow, id: set_up, effect: stop}
- kind: flow
  id: turn
  effect: |
    choose one named stalls "Where to?":
        "apples":
            use haggle(apples)
        "cloth":
            use haggle(cloth, 3)
    if wealth(me) < 5: finish drawn "the market closes"
"""
# The change, its level, what `diff` and `api` say of it, and the line.
PLANTED = {
    "rename": (
        [("id: haggle\n", "id: bargain\n"), ("use haggle", "use bargain")],
        "major",
        "power/haggle: is gone",
        0,
    ),
    "split": (
        [("id: wealth, ", "id: coins, "), ("if wealth", "if coins"), ("- debt(who), e", ", e"),
         ("- kind: power\n", '- {kind: measure, id: owed, takes: "who: Player", gives: Int, is: debt(who), english: owed}\n- kind: power\n')],
        "major",
        "measure/wealth: is gone",
        0,
    ),
    "moved": (
        [("{kind: setting, id: rent, value: 3, min: 1, max: 9,", '{kind: measure, id: rent, gives: Int, is: "3",')],
        "major",
        "setting/rent: is gone",
        0,
    ),
    "stricter": (
        [("value: 3, min: 1, max: 9", "value: 3, min: 1, max: 6")],
        "major",
        "setting/rent: `max` was 9, and is 6: stricter",
        19,
    ),
    "another default": (
        [("most: Int = 5", "most: Int = 4")],
        "minor",
        "power/haggle: its parameter `most` has another default: it was 5, and is 4",
        24,
    ),
    "another order": (
        [("who: Player, ware: Ware, much: Int", "who: Player, much: Int, ware: Ware"),
         ("buy(me, ware, much)", "buy(me, much, ware)")],
        "major",
        "operation/buy: its parameters come in another order: who, much, ware",
        14,
    ),
    "removed way": (
        [('        "cloth":\n            use haggle(cloth, 3)\n', "")],
        "major",
        "menu/stalls: its way `cloth` is gone",
        33,
    ),
    "new required parameter": (
        [('takes: "ware: Ware, most: Int = 5"', 'takes: "ware: Ware, least: Int, most: Int = 5"'),
         ("from 1 ..", "from least .."), ("haggle(apples)", "haggle(apples, 1)"), ("cloth, 3", "cloth, 1, 3")],
        "major",
        "power/haggle: its parameter `least: Int` is new, and required",
        24,
    ),
    "changed type": (
        [("gives: Int, is: purse(who) + rent - debt(who)", "gives: Bool, is: purse(who) > debt(who) + rent"),
         ("if wealth(me) < 5", "if wealth(me)")],
        "major",
        "measure/wealth: `gives` was Int, and is Bool",
        21,
    ),
    "tag gone": ([("- {kind: tag, id: dear, english: dear}\n", "")], "major", "tag/dear: is gone", 0),
    "value gone": ([(", salt]", "]")], "major", "type/Ware: its value `salt` is gone", 3),
    "prompt renamed": (
        [("choose much", "choose pounds"), ("ware, much)\n-", "ware, pounds)\n-")],
        "major",
        "power/haggle: its prompt `much` is gone",
        23,
    ),
    "step renamed": ([("step pay:", "step settle:")], "major", "power/haggle: its step `pay` is gone", 23),
}  # fmt: skip


def put(folder: Path, text: str, version: str = "1.0.0") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "pack.yaml").write_text(PACK % version, encoding="utf-8")
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return folder


def edited(changes: list[tuple[str, str]]) -> str:
    text = GAME
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text
