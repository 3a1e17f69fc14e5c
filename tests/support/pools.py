"""A game of pools: dice that are looked at one by one, raised and kept. `begun` starts it with a
text of one's own."""

from __future__ import annotations

from ruleloom.runtime.games import driver_of
from ruleloom.runtime.play.game import Game, link_game, new_game
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import Bind
from tests.support.check_layer import compile_files

PACK = """kind: pack
id: pools
version: 1.0.0
game: pools
edition: 1
"""

GAME = """- kind: vocabulary
  game: pools
  entities:
    Player: {noun: [player, players], max: 3, fields: {spent: {type: Int, initial: 0, at_table: true}}}
  scope:
    me: {type: Player, life: game, english: you}
    shown: {type: Dice, life: game, english: the dice}
    last: {type: Dice, life: game, english: what was kept}
  operations:
    pay:
      params: {who: Player, much: Int}
      sets: {spent(who): spent(who) + much}
      english: "{who} pays {much}"
      log: "{who} pays {much}"
- {kind: setting, id: least_players, value: 1, min: 1, max: 3, english: the fewest players}
- {kind: measure, id: sixes, takes: "of: Dice", gives: Int, is: "count(d: of where d = 6)", english: "sixes in {of}"}
- {kind: measure, id: good, takes: "of: Dice", gives: Dice, is: "those(d: of where d >= 4)", english: "what is good"}
- kind: power
  id: throw
  takes: "many: Int"
  gives: "found: Dice"
  gloss: "throw {many} dice"
  effect: |
    roll each found = many d 6
    if exists(face: 1 .. 5 where face in found):
        optional "raise a die":
            choose face from 1 .. 5 where face in found "Which?"
            remove face from found
            add face + 1 to found
            pay(me, 1)
    set shown = found
    set last = shown - [6] + good([1, 6, 6])
- {kind: flow, id: set_up, effect: "pay(me, 0)"}
- kind: flow
  id: turn
  effect: |
    use throw(3) giving found
    if sixes(found) > 1: finish won by me "two sixes: {found}"
    if highest(shown) - lowest(last) + sum(found) > 90: say "much"
"""


def game_of(effect: str) -> tuple[Program, Bind]:
    """The game, whose set-up is this effect."""
    lines = "".join(f"    {line}\n" for line in effect.strip().split("\n"))
    text = GAME.replace(
        '- {kind: flow, id: set_up, effect: "pay(me, 0)"}\n',
        f"- kind: flow\n  id: set_up\n  effect: |\n{lines}",
    )
    result = compile_files({"pack.yaml": PACK, "game.yaml": text})
    assert result.program is not None, [one.message for one in result.diagnostics]
    return result.program, driver_of(result.program.game)


def begun(effect: str, seed: int | None = None) -> Game:
    """The game of one player, at the first question of a set-up that is this effect."""
    program, bind = game_of(effect)
    return new_game(link_game(program, bind, ("ann",)), seed)
