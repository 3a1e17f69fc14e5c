"""Cards of one's own for Gnostica, that no translator has seen, and a translation of their own words."""

from __future__ import annotations

from pathlib import Path

PACK = """\
kind: pack
id: brew
title: Brew
version: 0.1.0
game: gnostica
edition: 1
requires: {gnostica: "^1.0"}
"""
CARDS = """\
- kind: major
  id: gardener
  title: Gardener
  number: 37
  effect: |
    optional "grow" usual:
        use grow
    repeat 2 times:
        optional "orient a minion":
            use orient_minion
- kind: major
  id: thief
  title: Thief
  number: 38
  effect: |
    choose minion from minions "Which minion steals?"
    if count(pieces(at: target_space(minion))) > 1:
        choose piece from pieces(at: target_space(minion)) where owner(piece) != me "Which piece turns?"
        face(piece, facing(minion))
    else:
        draw drawn from draw_pile to hand(me)
- kind: major
  id: bridge
  title: Bridge
  number: 39
  effect: |
    choose card from hand "Which card do you give up?"
    discard(card)
    for each piece in pieces_of(me):
        face(piece, up)
    choose one "What does it do?":
        "move":
            use move
        "turn one of your pieces":
            use turn_own
"""
MORE_CARDS = """\
- kind: major
  id: council
  title: Council
  number: 40
  effect: |
    each player in players secretly choose bid from hand(player) "Which card do you show?"
    for each player in players:
        discard(bid(player))
- kind: major
  id: beggar
  title: Beggar
  number: 41
  effect: |
    choose player from players where player != me "Who gives?"
    choose up to 2 cards from hand(player) by player "What do you give?"
    for each card in cards:
        take_up(card, me)
- kind: major
  id: judge
  title: Judge
  number: 42
  effect: |
    choose player from players "Whose pieces are counted?"
    if sum(pips(piece) for piece: pieces_of(player)) > 5:
        use grow
- kind: trigger
  id: given
  event: "take_up(card, player)"
  where: "player = me"
  timing: immediately
  effect: |
    draw drawn from draw_pile to hand(me)
"""
"""What others choose, and in secret; a sum; what happens by itself."""
GERMAN_PACK = """\
kind: pack
id: brew-de
title: Gebräu
version: 0.1.0
game: gnostica
edition: 1
language: de
translates: brew
requires: {brew: "^0.1", gnostica: "^1.0"}
"""
GERMAN = """\
- kind: translation
  id: cards
  of: brew
  texts:
    Gardener: der Gärtner
    Thief: der Dieb
    Bridge: die Brücke
    "Which minion steals?": "Welcher Diener stiehlt?"
    "Which piece turns?": "Welcher Stein dreht sich?"
    "Which card do you give up?": "Welche Karte gibst du her?"
    "What does it do?": "Was tut sie?"
"""


def brewed(folder: Path, cards: str = CARDS) -> Path:
    """A pack of cards of one's own."""
    return _written(folder, PACK, cards)


def brewed_in_german(folder: Path) -> Path:
    """The translation of the words that only these cards have."""
    return _written(folder, GERMAN_PACK, GERMAN)


def _written(folder: Path, manifest: str, items: str) -> Path:
    folder.mkdir()
    (folder / "pack.yaml").write_text(manifest, encoding="utf-8")
    (folder / "cards.yaml").write_text(items, encoding="utf-8")
    return folder
