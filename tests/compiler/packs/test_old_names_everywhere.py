"""Old names stand wherever the language takes a name, and mean what the new ones do.

The positions are those of the syntax classes: a form that takes a name and is missing here is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields

import pytest

from ruleloom.compiler.packs.settings import KINDS
from ruleloom.compiler.pipeline import CompileResult
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax import tree as roles
from ruleloom.compiler.syntax.parser import PARSERS
from ruleloom.compiler.syntax.tree import walk
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.program_json import program_text
from tests.support.check_layer import compile_case

# `§name` is the name of an item where it is declared; all other places use the name alone.
TEXT = """
- {kind: tag, id: §soft, english: soft}
- {kind: tag, id: mushy, parent: soft, english: mushy}
- {kind: bonus, id: §snug, keep: all, english: snugness}
- {kind: setting, id: §ceiling, value: 3, min: 1, max: 9, english: the ceiling}
- kind: switch
  id: §mood
  options: {glad: all are glad, sad: all are sad}
  default: glad
  english: the mood
- {kind: measure, id: §twofold, takes: "n: Int", gives: Int, is: "n + n", english: "twice {n}, at most {ceiling}"}
- {kind: table, id: §prices, by: Fruit, gives: Int, rows: {quince: 3}, otherwise: 1, english: "a price"}
- {kind: measure, id: quince_price, gives: Int, is: prices(quince), english: "what a quince costs"}
- {kind: rule, id: §calm, takes: "who: Player", holds: "score(who) < ceiling", english: "{who} is calm"}
- {kind: stat, id: §brawn, takes: "who: Player", is: "1", least: "0", english: "the brawn of {who}"}
- {kind: requirement, id: cheap, of: "fruit: Fruit", holds: "weight(fruit) < 9", english: "{fruit} weighs less than {ceiling}"}
- {kind: keyword, id: §stout, takes: "much: Int = 1", gloss: "{much} stouter", abilities: "modify brawn(self) by much type snug"}
- {kind: fruit, id: §quince, title: Quince, weight: 3, tint: red, tags: [soft], abilities: "stout(2)"}
- {kind: picker, id: ann, yield: {quince: 2, plum: 1, pear: 1, "pear#2": 1, pebble: 1}, bane: {red: quince}}
- kind: power
  id: §chime
  takes: "who: Player, how: Int = twofold(2)"
  gives: "many: Int"
  gloss: ring
  effect: |
    set many = 1
- kind: power
  id: hum
  gloss: "hum, at most {ceiling} times"
  effect: |
    use chime(me)
- {kind: power, id: §drum, gloss: drum, effect: stop}
- {kind: fusion, id: both, parts: [drum, hum], gloss: drum and hum, effect: use hum}
- kind: lasting
  id: §sleepy
  on: Player
  takes: "how: Int"
  counts: "after chime(who, how_so, many) where who = self"
  english: "{self} is sleepy, {how} of {ceiling}"
- kind: patch
  id: riper
  target: fruit/quince
  add: {weight: 1}
- {kind: patch, id: §sooner, target: setting/ceiling, add: {value: 1}}
- {kind: patch, id: later, target: setting/ceiling, add: {value: 1}, after: ["orchard:patch/sooner"]}
- kind: standing
  id: customs
  for: Player
  abilities: |
    modify brawn(self) by twofold(1) type snug where calm(self)
    restrict calm(self) where ceiling > 8
    stout()
    when before chime(who, how) where who = self: say "{self} listens {ceiling} times"
    when after chime(who, how_so, many): say "{self} listened"
    when begin sleepy(who, sleep): say "{self} yawns"
    instead of drum() where mood = sad: say "{self} weeps"
- kind: trigger
  id: echoes
  event: "after chime(who, how, many)"
  timing: afterwards
  effect: |
    say "it echoes"
- kind: power
  id: everything
  gloss: do all of it
  effect: |
    use chime(me, how: 2) giving many
    combinable:
        use drum
        use hum
    if brawn(me) > part_of(brawn(me), snug) and allowed calm(me) and mood = glad:
        say "as many as {ceiling}, {many} and {ceiling}"
    ignoring calm:
        choose what from hand where what = quince and soft in tags(what)
    begin sleepy(prices(quince)) on me for 2
    prolong sleepy on me by 1
    if exists(sleepy(me)):
        end sleepy on me
    next time after chime(who, how_so, some) where who = me:
        say "{who} heard it"
    in 2 times before chime(who):
        say "{who} hears it again"
- {kind: fruit, id: pebble, title: Pebble, weight: 1, tint: red, abilities: "stout()"}
"""
NAMES = re.findall(r"§(\w+)", TEXT)


def declared(renamed: bool) -> str:
    """The text with its items called by the names that stand in it, or renamed from these."""
    new = r"new_\1, renamed_from: \1"
    text = re.sub(r"§(\w+)(?=,)", new if renamed else r"\1", TEXT)
    block = r"new_\1\n  renamed_from: \1" if renamed else r"\1"
    text = re.sub(r"§(\w+)", block, text)
    for name in ("soft", "snug", "quince", "sooner") if renamed else ():  # these take a dash
        text = text.replace(f"id: new_{name}", f"id: new-{name}")
    return text


def compiled(text: str) -> CompileResult:
    result = compile_case(text)
    wrong = [one for one in result.diagnostics if one.severity == "error"]
    assert not wrong, wrong
    return result


def said(program: Program | None) -> str:
    """What a program says, but for the lines in which it stands and what stands in its files."""
    assert program is not None
    return re.sub(r',\d+,\d+\]|"hash":"\w+"', "", program_text(program)).lower()


def test_old_names_mean_what_the_new_ones_do():
    """The program is the same but for the names of what was renamed, and each use is told."""
    plain, renamed = (compiled(declared(one)) for one in (False, True))
    before, now = (said(one.program) for one in (plain, renamed))
    assert re.sub(r"\bnew[ _-]?(?=[a-z])", "", now) == before
    told = {re.findall("`(.*?)`", one.message)[0].rpartition("/")[2] for one in renamed.diagnostics
            if one.code == "renamed"}  # fmt: skip
    assert told == set(NAMES)


def named_at(node: ast.SyntaxNode, field: str) -> Iterator[str]:
    """The names that stand in a field of a node, without `before` and its like."""
    part = getattr(node, field)
    for one in part if isinstance(part, tuple) else (part,):
        name = one.name if isinstance(one, ast.CallExpr) else one
        word = name.id if isinstance(name, ast.Name) else name if isinstance(name, str) else ""
        yield word.rpartition(" ")[2]


def positions() -> dict[tuple[str, str], set[str]]:
    """The names that stand in each field of each class of the text's syntax trees."""
    result = compiled(declared(True))
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    assert result.content is not None
    schemas = result.content.schemas
    for item in result.content.items:
        for (field, *deeper), form in schemas.effect_fields(item.kind).items():
            node = item.fields.get(field)
            if node is None or deeper or node.text is None or item.source.path[-7:] != "se.yaml":
                continue
            for one in walk(PARSERS[form](node.text)):
                for part in roles.roles_of(type(one)):
                    found[type(one).__name__, part].update(named_at(one, part))
    return found


NAMING_ITEMS = {*KINDS, roles.EVENT}
POSITIONS = [
    (kind.__name__, field)
    for kind, parts in roles.ROLES.items()
    for field, role in parts.items()
    if role in NAMING_ITEMS and kind is not ast.IdleMoment
    and (kind, field) != (ast.MenuName, "told")  # these are variables of the text
]  # fmt: skip


def test_an_old_name_stands_in_every_position():
    found = positions()
    assert not [one for one in POSITIONS if not found[one] & set(NAMES)]


@pytest.mark.parametrize("kind", [one for one in vars(ast).values() if isinstance(one, type)])
def test_every_class_says_what_its_names_stand_for(kind: type):
    if not issubclass(kind, ast.SyntaxNode):
        return
    named = {
        one.name
        for one in fields(kind)
        if one.type in ("Name", "Name | None", "tuple[Name, ...]", "CallExpr")
    }
    assert named <= set(roles.roles_of(kind))
