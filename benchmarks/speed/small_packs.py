"""`ruleloom check` of a small homebrew pack of each shipped game, after one edit of it.

The pack is as it was last time but for one number in a rule, another one in each round; the game below
has not changed. With the cache, the command may use whatever it has kept of earlier runs.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import BARE, TOOL, processor_time, with_cache
from ruleloom.runtime.dataclass import dataclass

PACKS = Path(__file__).parents[2] / "tests" / "content" / "homebrew" / "packs"
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class SmallPack:
    """A pack of homebrew, and a text in one of its files where a number is changed."""

    game: str
    name: str
    file: str
    text: str
    number: int
    """The least that is put there."""

    @property
    def source(self) -> Path:
        """The pack as it lies in the checkout."""
        return PACKS / self.game / self.name

    def copied(self, folder: Path) -> Path:
        """Copy the pack into a folder."""
        return shutil.copytree(self.source, folder / self.name)

    def edit(self, pack: Path, number: int) -> None:
        """Change the number, in a copy that is unchanged otherwise. ValueError if it is not there."""
        path = pack / self.file
        before, found, after = (
            (self.source / self.file).read_text(encoding="utf-8").partition(self.text)
        )
        if not found or not after[:1].isdigit():
            raise ValueError(f"{path.name} has no number behind `{self.text}`")
        after = after.lstrip("0123456789")
        path.write_text(f"{before}{found}{self.number + number}{after}", encoding="utf-8")


SMALL_PACKS = (
    SmallPack("gnostica", "hard-growth", "growth.yaml", "count(hand(self)) > ", 1),
    SmallPack("monotheism", "burnt-offerings", "offerings.yaml", "  value: ", 3),
    SmallPack("moonstone", "battered-mail", "rules.yaml", "  value: ", 11),
    SmallPack("witchgates", "backfire", "backfire.yaml", "suffer_strain(by_whom, ", 3),
)


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """Each pack with the cache and without, beside bare Python."""
    with TemporaryDirectory() as name:
        for small in SMALL_PACKS:
            if any(small.game in key for key in keys):
                yield from _checked(small, Path(name))


def _checked(small: SmallPack, folder: Path) -> Iterator[Figure]:
    pack, kept = small.copied(folder), with_cache(folder / "cache")
    check = [TOOL, "check", str(pack)]
    processor_time(check, **kept)  # not counted: it leaves bytecode, and what the cache keeps
    times = []
    for number in range(ROUNDS):
        small.edit(pack, number)
        cached = processor_time(check, **kept)
        times.append((cached, processor_time([*check, "--no-cache"]), processor_time(BARE)))
    cached, anew, bare = (median(column) for column in zip(*times, strict=True))
    yield Figure(f"edit-{small.game}", cached, bare, ROUNDS)
    yield Figure(f"edit-{small.game}-no-cache", anew, bare, ROUNDS)
