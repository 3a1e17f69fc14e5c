"""`python -m benchmarks.completion`: how often completion offers the name that stands at a place.

Places are taken at random, by a seed, from the shipped packs: names in effect texts, the names of
fields, and names as values. At each, the text is cut off in front of the name, or after its first
letters, and completion is asked there. What is usual is counted without the place itself.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from ruleloom.compiler.analysis.analysis import SourceFile
from ruleloom.compiler.analysis.effect_cursor import TextReading, effect_cursor
from ruleloom.compiler.analysis.yaml_cursor import yaml_cursor
from ruleloom.compiler.packs.locate import BUILTIN
from ruleloom.editor.completion import Completer
from ruleloom.editor.project import PackGroup, Project, Workspace
from ruleloom.editor.usage import (
    key_around,
    outcomes,
    value_around,
)

PACKS = (
    *("gnostica", "moonstone", "monotheism", "witchgates", "examples/river-folk"),
    *("examples/salt-and-lanterns", "examples/first-light", "examples/quiet-house"),
    *("examples/tide-and-ember", "examples/wet-ink"),
)
FIRST = 5


@dataclass(frozen=True, slots=True)
class NamePlace:
    """A place of a file at which a name stands."""

    pack: str
    path: str
    start: int
    end: int
    sort: str


@dataclass
class Tally:
    """What came of some places."""

    places: int = 0
    offered: int = 0
    among_first: int = 0
    seconds: list[float] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def note(self, labels: Sequence[str], name: str, seconds: float, where: str) -> None:
        """Note what was offered at one place."""
        self.places += 1
        self.seconds.append(seconds)
        rank = labels.index(name) if name in labels else -1
        self.offered += rank >= 0
        self.among_first += 0 <= rank < FIRST
        if not 0 <= rank < FIRST:
            first = ", ".join(labels[:FIRST])
            self.missed.append(f"{where}: number {rank + 1} after {first}" if rank >= 0 else where)


def places_of(project: Project, pack: str, folder: str) -> Iterator[NamePlace]:
    """Every place in the files of a pack at which a name stands that is declared elsewhere."""
    for path in project.paths:
        if not path.startswith(f"{folder}{os.sep}"):
            continue
        names = project.names(path)
        texts = {
            (one.written.source_starts[0], one.written.offset_of(one.written.end))
            for one in names.texts
            if one.written.source_starts
        }
        for one in names.occurrences:
            inside = any(start <= one.start < end for start, end in texts)
            if not one.declares:
                sort = "name in effect text" if inside else "name in a field"
                yield NamePlace(pack, path, one.start, one.end, sort)
        yield from _fields(names, pack, path)


def _fields(names: SourceFile, pack: str, path: str) -> Iterator[NamePlace]:
    """The names of fields, as the schema of their kind has them."""
    for item in names.items:
        known = names.sound.schemas.fields(names.kind_of(item)) if names.kind_of(item) else ()
        for key, (start, end) in (item.key_spans or {}).items():
            if key in known and key != "kind":
                yield NamePlace(pack, path, start, end, "name of a field")
        kind = item.get("kind")
        if kind is not None and kind.text:
            yield NamePlace(pack, path, kind.start, kind.end, "kind")


def places_in(projects: Mapping[str, Project], seed: int, count: int) -> list[NamePlace]:
    """So many places, picked at random."""
    places = [
        place
        for pack, project in projects.items()
        for place in places_of(project, pack, os.path.realpath(BUILTIN / pack))
    ]
    return Random(seed).sample(places, min(count, len(places)))


def measure(
    projects: Mapping[str, Project], places: Sequence[NamePlace], typed: int, at_end: bool = False
) -> dict[str, Tally]:
    """The tally for each sort of place, and for all of them; `at_end` as if the file ended there."""
    tallies: dict[str, Tally] = defaultdict(Tally)
    for place in places:
        project = projects[place.pack]
        text = project.text(place.path)
        name = text[place.start : place.end]
        behind = place.start + min(typed, len(name))
        cut = text[:behind] if at_end else text[:behind] + text[place.end :]
        completer = completer_of(project)
        _count(completer, text, place, name, -1)
        begin = time.process_time()
        offer = completer.complete(cut, behind)
        took = time.process_time() - begin
        _count(completer, text, place, name, 1)
        labels = [one.label for one in offer.candidates]
        line = text.count("\n", 0, place.start) + 1
        where = f"{os.path.relpath(place.path, BUILTIN)}:{line}: {name} ({place.sort})"
        for sort in (place.sort, "all"):
            tallies[sort].note(labels, name, took, where)
    return tallies


def project_of(pack: str) -> Project:
    """The project of a shipped pack, without anything open."""
    folder = os.path.realpath(BUILTIN / pack)
    workspace, group = Workspace(), PackGroup((folder,))
    snapshot = workspace.check(group)
    assert snapshot is not None, f"{pack} cannot be read"
    project = Project(snapshot, group, workspace.texts)
    completer_of(project).prepare()
    return project


@cache
def completer_of(project: Project) -> Completer:
    """What completes in a project."""
    return Completer(project.snapshot)


def _count(completer: Completer, text: str, place: NamePlace, name: str, count: int) -> None:
    """Take a place out of what is usual, or put it back."""
    cursor = yaml_cursor(text, place.start)
    store, kind, fields = completer.snapshot.kept.schemas, cursor.item.kind, cursor.fields
    effect = effect_cursor(completer.snapshot.kept.bodies, cursor)
    usage = completer.usage
    if effect is not None:
        reading = TextReading()
        for token in effect.tokens:
            reading.take(token)
        usage.effects.add(reading.around(), outcomes(name, usage.globals), count)
    elif place.sort == "name of a field" or cursor.role == "key":
        usage.keys.add(key_around(store, kind, fields, cursor.keys), [name], count)
    else:
        usage.values.add(value_around(store, kind, fields), [name], count)


def table(tallies: dict[str, Tally]) -> str:
    """The figures, a line for each sort of place."""
    lines = [f"{'':24}{'places':>8}{'offered':>10}{f'first {FIRST}':>10}{'p50 ms':>8}{'p95 ms':>8}"]
    for sort, one in sorted(tallies.items(), key=lambda pair: (pair[0] == "all", pair[0])):
        seconds = sorted(one.seconds)
        middle, most = seconds[len(seconds) // 2], seconds[int(len(seconds) * 0.95)]
        lines.append(
            f"{sort:24}{one.places:8}{one.offered / one.places:10.1%}"
            f"{one.among_first / one.places:10.1%}{middle * 1000:8.1f}{most * 1000:8.1f}"
        )
    return "\n".join(lines)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.completion", description=__doc__)
    parser.add_argument("--places", type=int, default=500, help="how many places")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--typed", type=int, default=None, help="how many letters stand there")
    parser.add_argument("--pack", action="append", choices=PACKS, help="only of these packs")
    parser.add_argument(
        "--at-end", action="store_true", help="as if the file ended at the place, as a new one does"
    )
    parser.add_argument("--missed", action="store_true", help="list what was not among the first")
    options = parser.parse_args()
    projects = {pack: project_of(pack) for pack in options.pack or PACKS}
    places = places_in(projects, options.seed, options.places)
    for typed in (0, 1, 2) if options.typed is None else (options.typed,):
        tallies = measure(projects, places, typed, options.at_end)
        print(f"\n{typed} letters typed\n{table(tallies)}", flush=True)
        if options.missed:
            print("\n".join(tallies["all"].missed))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
