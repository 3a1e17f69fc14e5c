"""The diagnostic codes, read from the pages of this folder: what each means, with an example.

On a page a code is a heading, its layer and title, why it is a mistake, and the files of an example,
in addition to those of a `Game:` of the page. A slip in an example and its fix are written as
`«dya¦day»`, an invisible character by its number, as `⟨00a0⟩`; an example that slips cannot fix is
followed by its `Mended:` files. The layer is the part of the compiler that finds the mistake, and so a
key of `LAYERS` in tests/support/expect.py, by which the tests run both examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from ruleloom.runtime.dataclass import Frozen

Example = str | bytes | Mapping[str, str]

PAGES = Path(__file__).parent
HEAD = re.compile(r"\s*\*([\w-]+)\*: (.+)\n\n((?:.+\n)+)")
GAME = re.compile(r"^Game: (\S+)$", re.MULTILINE)
FILE = re.compile(r"^```\w+(?: (\S+))?\n(.*?\n)```\n", re.MULTILINE | re.DOTALL)
SPELLED = re.compile("⟨([0-9a-f]+)⟩")
SLIP = re.compile("«([^¦»]*)¦([^»]*)»")


class Code(Frozen):
    """One kind of mistake: its layer, its title, its explanation, and an example with and without it.

    An example is one file's text, or a small pack as {file name: text}.
    """

    layer: str
    title: str
    why: str
    bad: Example
    good: Example


@cache
def codes() -> Mapping[str, Code]:
    """All diagnostic codes, by name."""
    texts = [page.read_text(encoding="utf-8") for page in sorted(PAGES.glob("*.md"))]
    return {name: code for text in texts for name, code in codes_on(text)}


def codes_on(page: str) -> Iterator[tuple[str, Code]]:
    """The codes of one page, in order."""
    games: dict[str, dict[str, str]] = {}
    for section in page.split("\n## ")[1:]:
        name, _, text = f"{section}\n".partition("\n")
        if name.startswith("game "):
            games[name.removeprefix("game ")] = _files(text, games)
            continue
        head = HEAD.match(text)
        assert head is not None, f"the page says no layer and title of {name}"
        wrong, _, mended = text.partition("\nMended:\n")
        bad = _example(_files(wrong, games), r"\1")
        good = _example(_files(mended or wrong, games), r"\2")
        yield name, Code(head[1], head[2], " ".join(head[3].split()), bad, good)


def _files(text: str, games: Mapping[str, dict[str, str]]) -> dict[str, str]:
    """The files of an example; a single one has an empty name."""
    game = GAME.search(text)
    return {**(games[game[1]] if game is not None else {}), **dict(FILE.findall(text))}


def _example(files: Mapping[str, str], side: str) -> Example:
    slipped = ((name, SLIP.sub(side, text)) for name, text in files.items())
    found = {name: SPELLED.sub(lambda one: chr(int(one[1], 16)), text) for name, text in slipped}
    if "" not in found:
        return found
    text = found[""]
    raw = text.encode("utf-8", "surrogateescape")  # a lone surrogate is an escaped byte
    return raw if raw != text.encode("utf-8", "replace") else text
