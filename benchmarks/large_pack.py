"""A pack of any number of sound items on top of Moonstone: copies of its own, each with a text of its
own.

The copies have other names and say the same things, so that they are as long and as various as those
of a real pack. Of each kind there are as many as the game has room for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ruleloom.compiler.packs.locate import BUILTIN

GAME = BUILTIN / "moonstone"
SHARES = {
    "advantage": 930,
    "bane": 960,
    "spell": 960,
    "weapon": 470,
    "armour": 470,
    "hazard": 480,
    "condition": 180,
    "pairing": 180,
    "damage-type": 180,
    "power": 190,
}
"""How many items of each kind there are in 5,000."""
TO_A_FILE = 25
MANIFEST = """\
kind: pack
id: bazaar
title: Bazaar
version: 0.1.0
edition: 1
game: moonstone
requires: {moonstone: ">=0.1"}
"""
COMMENT = re.compile(r"(?m)^#.*\n")
NAME = re.compile(r"(?m)^(  id: .*)$")
TITLE = re.compile(r"(?m)^  title: (\"?)(.*?)\1$")
TEXT = re.compile(r"(?m)^  (effect|abilities): \|\n")
MENU = re.compile(r"(?<=choose one) named \w+(\([\w, ]*\))?")  # no two menus may have one name


def write_large_pack(folder: Path, count: int = 5_000) -> None:
    """Write the pack, 25 items a file."""
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    whole = sum(SHARES.values())
    for kind, share in SHARES.items():
        items = list(_copies(kind, round(share * count / whole)))
        for first in range(0, len(items), TO_A_FILE):
            path = folder / f"{kind}-{first // TO_A_FILE}.yaml"
            path.write_text("".join(items[first : first + TO_A_FILE]), encoding="utf-8")


def _copies(kind: str, count: int) -> Iterator[str]:
    """So many items of a kind, those of the game over and over."""
    known = list(_shipped(kind))
    for number in range(count):
        item, again = known[number % len(known)], number // len(known) + 2
        item = NAME.sub(rf"\1-{again}", COMMENT.sub("", item).rstrip() + "\n", count=1)
        item = TITLE.sub(rf"  title: \1\2 {again}\1", item, count=1)
        item = TEXT.sub(rf"\g<0>    # copy {again}\n", item)
        yield MENU.sub("", item)


def _shipped(kind: str) -> Iterator[str]:
    for path in sorted(GAME.glob("*.yaml")):
        for part in re.split(r"(?m)^(?=- )", path.read_text(encoding="utf-8"))[1:]:
            if part.startswith(f"- kind: {kind}\n  id: "):
                yield part
