"""A pack of any number of valid items, each in a file of its own: Gnostica, over and over beside
itself.

Each round writes the majors, the fusions and all that these use (powers, rules, measures, settings,
switches) once more, under names with the number of the round; what is left over is filled with
majors of one text. So the texts are as long and as various as those of a real game, and no two are
the same. The other tool gets one schema for all kinds.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOP = Path(__file__).parent.parent
GAME = TOP / "rulesets" / "gnostica"
SCHEMAS = TOP / "schemas"
OF_ANOTHER_FILE = re.compile(r'"([\w-]+)\.schema\.json#/(\$defs/)?')
KIND = re.compile(r"^(?:- )?(?: *|\{)kind: *([a-z-]+)", re.MULTILINE)
COMMON = "common.schema.json"
KINDS = ("power", "measure", "stat", "major", "switch", "setting", "fusion", "rule")
TO_BEGIN_WITH = ("major", "fusion")
HEAD = re.compile(r"kind: ([a-z]+)\nid: ([a-z0-9_-]+)\n")
# Prose, in which the name of a thing is a word like any other.
PROSE = re.compile(
    r"(?m)^(?:clauses?|english|gloss|title|options|default):.*(?:\n .*)*|#.*|\"[^\"\n]*\?\""
)
MENU = re.compile(r"(?<=choose one) named \w+(\([\w, ]*\))?")  # a name that no two menus may have
TITLE = re.compile(r"(?m)^(title: .*)$")
OLD_NAME = re.compile(r"(?m)^renamed_from: .*\n")  # an old name is claimed by one item only
WORD = re.compile(r"[a-z][a-z0-9_-]*")
FILLING = """kind: major
id: card-{n}
title: Card {n}
number: {number}
effect: |
  optional "turn a piece for card {n}":
      choose minion from minions where pips(minion) >= {pips}
      choose piece from targets(minion) where owner(piece) != me
      choose orient from Facing where orient != facing(piece)
      face(piece, orient)
  optional "create":
      use create
"""


@dataclass(frozen=True, slots=True)
class Item:
    """An item of the game: its kind, its id, and what follows these two."""

    kind: str
    id: str
    rest: str


def write_items(folder: Path, count: int) -> None:
    """The shipped pack with room for so many items more, and these, a file each.

    Its scenarios stay behind: they are no items, and the other tool does not get them either.
    """
    shutil.copytree(GAME, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("scenarios"))
    vocabulary = folder / "vocabulary.yaml"
    text = vocabulary.read_text(encoding="utf-8")
    text = text.replace("max: 200\n    static", "max: 10000\n    static")
    # Copies of a card have its number, too: there are not as many numbers as copies.
    vocabulary.write_text(text.replace("unique: [number], ", ""), encoding="utf-8")
    (folder / "items").mkdir()
    for name, text in items(count):
        (folder / "items" / f"{name}.yaml").write_text(text, encoding="utf-8")


def items(count: int) -> Iterator[tuple[str, str]]:
    """So many items: name and text."""
    used = _with_all_they_use({item.id: item for item in _shipped()})
    names = "|".join(sorted(used, key=len, reverse=True))
    known = re.compile(rf'(?<![\w.-])({names})(?![\w.:-]|":)')
    ignored = re.compile(rf"(?m)(ignoring [^:\n]*?)({names}):$")
    rounds, left = divmod(count, len(used))
    for number in range(rounds):
        for item in used.values():
            rules, clauses, cited = item.rest.partition("\nclause")
            renamed = ignored.sub(rf"\1\2_{number}:", known.sub(rf"\1_{number}", rules))
            renamed = MENU.sub("", TITLE.sub(rf"\1 {number}", renamed))
            name = f"{item.id}-{number}"
            yield name, f"kind: {item.kind}\nid: {name}\n{renamed}{clauses}{cited}"
    for n in range(left):
        yield f"card-{n}", FILLING.format(n=n, number=40 + n % 60, pips=n % 2 + 2)


def _shipped() -> Iterator[Item]:
    for path in sorted(GAME.glob("*.yaml")):
        for part in re.split(r"(?m)^(?=- )", path.read_text(encoding="utf-8"))[1:]:
            text = re.sub(r"(?m)^(?:  |- |#.*)", "", part).rstrip() + "\n"
            head = HEAD.match(text)
            if head is not None and head[1] in KINDS:
                yield Item(head[1], head[2], OLD_NAME.sub("", text[head.end() :]))


def _with_all_they_use(known: Mapping[str, Item]) -> dict[str, Item]:
    """The majors and fusions, and all that they speak of, in the order of the game."""
    waiting = [item for item in known.values() if item.kind in TO_BEGIN_WITH]
    found = {item.id for item in waiting}
    while waiting:
        for word in WORD.findall(PROSE.sub("", waiting.pop().rest)):
            if word in known and word not in found and known[word].kind not in TO_BEGIN_WITH:
                found.add(word)
                waiting.append(known[word])
    return {id: item for id, item in known.items() if id in found}


def flat_schema(kinds: Sequence[str] = KINDS, game: str = "gnostica") -> dict[str, Any]:
    """One schema of all these kinds with what they share inside, as check-jsonschema wants it, for files
    with one item or a list of them."""
    shared = _read(SCHEMAS / COMMON)["$defs"]
    own: dict[str, Any] = {}
    for kind in kinds:
        name = f"{kind}.schema.json"
        schema = _read(
            next(path for path in (SCHEMAS / game / name, SCHEMAS / name) if path.exists())
        )
        shared |= schema.pop("$defs", {})
        own[f"kind-{kind}"] = {
            key: said for key, said in schema.items() if key not in ("$id", "$schema")
        }
    one = {"type": "object", "required": ["kind"], **_one_of(kinds)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$defs": {**shared, **own},
        "if": {"type": "array"},
        "then": {"items": one},
        "else": one,
    }


def kinds_in(files: Iterable[Path]) -> list[str]:
    """The kinds of the items in some files, and those that their schemas refer to."""
    kinds = {one for path in files for one in KIND.findall(path.read_text(encoding="utf-8"))}
    return sorted(kinds | ({"vocabulary"} if "extension" in kinds else set()))


def _one_of(kinds: Iterable[str]) -> dict[str, Any]:
    """A choice by `kind`, in which no schema is tried that is not the right one."""
    choice: Any = False
    for kind in reversed(list(kinds)):
        test = {"properties": {"kind": {"const": kind}}}
        choice = {"if": test, "then": {"$ref": f"#/$defs/kind-{kind}"}, "else": choice}
    return dict(choice)


def _read(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8")
    return dict(json.loads(OF_ANOTHER_FILE.sub(_inside, text)))


def _inside(found: re.Match[str]) -> str:
    """Where a part of another file stands in the one schema."""
    return '"#/$defs/' if found[2] else f'"#/$defs/kind-{found[1]}/'
