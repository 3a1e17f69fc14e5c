"""Packs that add to the quarrel, an invented game without Python: compiled, or at the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ruleloom.compiler.pipeline import Compiler, CompileResult
from tests.support.check_layer import NOTHING, schemas
from tests.support.pack_examples import manifest, write
from tests.support.quarrel_table import QUARREL

NERVE = """\
- kind: extension
  id: nerve
  extends:
    Wound: [shaken]
    Hero:
      fields: {nerve: {type: Int, initial: 10, min: 0, max: 20}}
      static: {calm: {type: Int, default: 2, min: 0}}
  enums: {Mood: [steady, wild]}
  scope:
    mood: {type: Mood, life: game, initial: steady, english: the mood}
  operations:
    frighten:
      params: {who: Hero, much: Int}
      sets: {nerve(who): "highest([nerve(who) - much, 0])", "wounds(who, shaken)": "wounds(who, shaken) + 1"}
      english: "frighten {who} by {much}"
      log: "{who} loses {much} nerve"
  always:
    - name: out_of_nerve
      for: hero
      in: "those(h: there where not out(h))"
      when: "nerve(hero) = 0"
      do: "fall(hero)"
      english: "who has no nerve falls"
- {kind: stat, id: dread, takes: "who: Hero", is: "10 - calm(who)", least: "0", english: "what frightens {who}"}
- kind: trigger
  id: struck
  event: "strike(one, other, much)"
  timing: immediately
  effect: |
    if mood = steady:
        frighten(other, dread(other))
    set mood = wild
- {kind: hero, id: eve, title: Eve, calm: 9}
- {kind: scene, id: fen, title: The Fen, heroes: [ann, eve]}
"""
LUCK = """\
- kind: extension
  id: luck
  extends:
    Wound: [jinxed]
    Hero:
      fields: {luck: {type: Int, initial: 3, min: 0, max: 3}}
  operations:
    use_luck:
      params: {who: Hero}
      sets: {luck(who): luck(who) - 1, "wounds(who, jinxed)": "1"}
      english: "{who} is lucky"
      log: "{who} is lucky"
- {kind: power, id: dodge, takes: "who: Hero", gloss: dodge, effect: "if luck(who) > 0: use_luck(who)"}
- kind: trigger
  id: fallen
  event: "fall(one)"
  timing: afterwards
  effect: use dodge(one)
"""
OMENS = """\
- kind: extension
  id: omens
  enums: {Sky: [day, night]}
  entities:
    Omen:
      noun: [omen, omens]
      max: 20
      records: [omen]
      static:
        seen: {type: Sky, default: night}
        worth: {type: Int, min: 1, max: 9}
        needs: "Hero?"
        against: {type: Int, by: Wound, default: 0}
        half: {type: Fraction, default: 1/2}
        sure: {type: Bool, default: false}
        said: "Text?"
    Sign:
      noun: [sign, signs]
      max: 50
      part_of: Omen
      under: signs
      owner: omen
      short: word
      static: {omen: Omen, word: Text, loud: {type: Bool, default: false}}
  kinds: {omen: {makes: Omen}}
- kind: omen
  id: crow
  title: A crow
  worth: 2
  needs: ann
  against: {burning: 3}
  signs: [caw, {word: flap, loud: true}]
- {kind: omen, id: comet, title: A comet, worth: 9, seen: day, half: 3/4, sure: true, said: "it burns"}
- kind: measure
  id: foretold
  takes: "sky: Sky, wound: Wound"
  gives: Fraction
  is: "sum(worth(o) + against(o, wound) + half(o) + count(signs(o)) for o: Omen where seen(o) = sky)"
  english: "what is foretold"
- kind: trigger
  id: watched
  event: "burn(one)"
  timing: immediately
  effect: |
    for each omen in those(o: Omen where not sure(o) and (needs(o) = one or said(o) is none)):
        for each sign in signs(omen):
            if not loud(sign) and word(sign) = "caw" and foretold(night, burning) > 5:
                say "there it is"
"""
PACKS = {"nerve": NERVE, "luck": LUCK, "omens": OMENS}


def put(
    folder: Path, packs: Mapping[str, str], requires: Mapping[str, str] | None = None
) -> list[Path]:
    """Write packs, each the text of one file beside its manifest; `requires` says what one
    needs."""
    files = {}
    for id, text in packs.items():
        needs = (requires or {}).get(id)
        files[f"{id}/pack.yaml"] = manifest(
            id, *([f"requires: {needs}"] if needs else []), game="quarrel"
        )
        files[f"{id}/items.yaml"] = text
    write(folder, files)
    return [folder / id for id in packs]


def compiled(packs: Sequence[Path]) -> CompileResult:
    """Compile the quarrel with these packs, named in this order; afresh, as orders are compared."""
    return Compiler().compile([*packs, QUARREL / "game"], builtin=NOTHING, schemas=schemas(QUARREL))


def tried(
    folder: Path, packs: Mapping[str, str], requires: Mapping[str, str] | None = None
) -> CompileResult:
    """Write packs and compile them."""
    return compiled(put(folder, packs, requires))


def extension(id: str, text: str) -> str:
    """Return an extension of this id, as the one item of a file."""
    return f"kind: extension\nid: {id}\n{text}\n"
