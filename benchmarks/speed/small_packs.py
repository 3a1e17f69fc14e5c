"""`ruleloom check` of a small homebrew pack of each shipped game in a new process, after one edit of it,
against check-jsonschema on the same files.

The pack is as it was last time but for one number in a rule, another one in each round; the game below
has not changed. The command may use whatever it has kept of earlier runs.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import CHECK_JSONSCHEMA, TOOL, processor_time, with_cache
from benchmarks.many_items import flat_schema, kinds_in
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
    """Each pack beside check-jsonschema on the same files."""
    with TemporaryDirectory() as name:
        for small in SMALL_PACKS:
            if f"edit-{small.game}" in keys:
                yield _checked(small, Path(name))


def _checked(small: SmallPack, folder: Path) -> Figure:
    pack, schema = small.copied(folder), folder / "schema.json"
    files = sorted(pack.glob("**/*.yaml"))
    said = json.dumps(flat_schema(kinds_in(files), small.game))
    schema.write_text(said, encoding="utf-8")
    theirs = [CHECK_JSONSCHEMA, "--schemafile", str(schema), *map(str, files)]
    ours, kept = [TOOL, "check", str(pack)], with_cache(folder / "cache")
    processor_time(ours, **kept)  # not counted: it leaves bytecode, and what is kept
    times = []
    for number in range(ROUNDS):
        small.edit(pack, number)
        times.append((processor_time(ours, **kept), processor_time(theirs)))
    checked, reference = (median(column) for column in zip(*times, strict=True))
    return Figure(f"edit-{small.game}", checked, reference, ROUNDS)
