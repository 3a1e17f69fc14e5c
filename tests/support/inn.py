"""The inn: a game without a driver, in which people dine, for cases and what is said of them."""

from __future__ import annotations

from tests.support.pack_examples import manifest

CASES = "kind: scenarios\ncases:\n"
INN = {
    "inn/pack.yaml": manifest("inn"),
    "inn/game.yaml": """\
- kind: vocabulary
  game: inn
  enums: {Meal: [soup, pie]}
  scope: {me: {type: Player, life: game, english: you}}
  entities:
    Player:
      noun: [player, players]
      max: 4
      fields: {purse: {type: Int, min: 0, max: 99}, ate: {type: Int, by: Meal, min: 0, max: 9}}
  operations:
    pay:
      params: {who: Player, much: Int}
      sets: {purse(who): purse(who) - much}
      english: "{who} pays {much}"
      log: "{who} pays {much}"
- {kind: setting, id: least_players, value: 2, min: 2, max: 4, english: the fewest players}
- kind: power
  id: dine
  takes: "what: Meal"
  gloss: dine
  effect: |
    choose much from 1 .. 5 where much < purse(me) "How much?"
    roll luck = 1d6
    optional "pay for {what}": pay(me, much + luck)
    optional "pay twice": pay(me, much * 2)
    optional "sing": say "a song"
- {kind: flow, id: set_up, effect: stop}
- kind: flow
  id: turn
  effect: |
    use dine(soup)
    use dine(pie)
    finish drawn "night"
""",
}
