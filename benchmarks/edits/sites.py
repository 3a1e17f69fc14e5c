"""What a seeded fault is: one change of one file, and the exact place a careful reader would point
at."""

from __future__ import annotations

import keyword
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from benchmarks.edits.shipped import File, Shipped, Text
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.syntax.lexer import RESERVED
from ruleloom.compiler.yaml.node import YamlNode

# Words that are no name of anything in the pack, as somebody would think of who remembers another
# game.
INVENTED = (
    "summon",
    "teleport",
    "mana",
    "shield",
    "upkeep",
    "graveyard",
    "turret",
    "scout",
    "barracks",
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `new` in the place of a stretch of a file."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Site:
    """One fault: a change of one file, and the offset of the mistake in the text as it is
    afterwards.

    `group` says what sort of place it is (kind of item and field): faults are spread over groups.
    """

    file: File
    group: str
    edits: tuple[Edit, ...]
    at: int
    says: str
    seen_in: File | None = None
    """The file in which the mistake shows, where that is not the changed one."""
    slip: bool = False
    """Is it one slip of the pen in a word that exists, so that the word can be guessed?"""
    lines: tuple[tuple[str, int], ...] = ()
    """Files and lines that are as good a place: what lies around the mistake, and its cause. Where
    there are any, no column is asked for."""

    @property
    def text(self) -> str:
        """The changed file as it is afterwards."""
        text = self.file.text
        for edit in sorted(self.edits, key=lambda one: one.start, reverse=True):
            text = text[: edit.start] + edit.new + text[edit.end :]
        return text

    @property
    def line_col(self) -> tuple[int, int]:
        """Where the mistake stands, counted from 1."""
        text = self.text if self.seen_in is None else self.seen_in.text
        return Source(self.file.name, text).line_col(self.at)


Kind = Callable[[Shipped, Random], Iterator[Site]]


def replaced(
    file: File, group: str, start: int, end: int, new: str, says: str = "", at: int = 0
) -> Site:
    """A fault that puts `new` in one place; the mistake is `at` characters into it."""
    old = file.text[start:end]
    words = says or f"`{shown(old)}` became `{shown(new)}`"
    return Site(file, group, (Edit(start, end, new),), start + at, words)


def of_node(file: File, group: str, node: YamlNode, new: str) -> Site:
    """A fault that puts `new` in the place of a YAML value."""
    return replaced(file, group, node.start, node.end, new)


def in_text(text: Text, span: tuple[int, int], new: str, at: int = 0, says: str = "") -> Site:
    """A fault within one line of an effect text."""
    start = text.at(span[0])
    end = text.at(span[1] - 1) + 1 if span[1] > span[0] else start
    return replaced(text.file, text.group, start, end, new, says, at)


def shown(text: str) -> str:
    """A text on one line, for the list of faults."""
    line = " ".join(text.split())
    return line if len(line) <= 50 else f"{line[:47]}..."


def as_slip(site: Site) -> Site:
    """The same site, as one slip of the pen."""
    return replace(site, slip=True)


def misspelt(word: str, known: Iterable[str], rng: Random) -> str | None:
    """The word with one slip of the pen that makes it no known word; None if no slip does."""
    names = set(known)
    for _ in range(20):
        wrong = _slip(word, rng)
        good = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", wrong) and not keyword.iskeyword(wrong)
        if good and wrong not in names and wrong not in RESERVED and wrong != word:
            return wrong
    return None


def _slip(word: str, rng: Random) -> str:
    at = rng.randrange(len(word))
    match rng.choice(["swap", "drop", "double", "other"]):
        case "swap" if at + 1 < len(word):
            return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        case "drop" if len(word) > 2:
            return word[:at] + word[at + 1 :]
        case "double":
            return word[:at] + word[at] + word[at:]
        case _:
            return word[:at] + rng.choice("aeiourstlnm") + word[at + 1 :]


def spread(sites: Iterable[Site], count: int, rng: Random) -> list[Site]:
    """Pick `count` sites so that every file and every sort of place gets its turn."""
    groups: dict[tuple[str, str], list[Site]] = defaultdict(list)
    for site in sites:
        groups[site.file.name, site.group].append(site)
    queues = list(groups.values())
    for queue in queues:
        rng.shuffle(queue)
    picked: list[Site] = []
    while queues and len(picked) < count:
        rng.shuffle(queues)
        picked += [queue.pop() for queue in queues]
        queues = [queue for queue in queues if queue]
    return picked[:count]
