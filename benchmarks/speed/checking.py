"""`ruleloom check` of 1,000 and 10,000 item files, cold, warm and with one file changed, against
check-jsonschema on the same files.

Cold compiles everything; warm finds what the run before has left in the store; and with one file changed,
the store holds what was kept before that. All tell what all passes find; the other tool looks at the
schema only. What is measured is processor time, of one process each: it is the same on a machine that is
busy with other things.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.figures import Figure
from benchmarks.harness import CHECK_JSONSCHEMA, TOOL, ProcessCost, process_cost, with_cache
from benchmarks.many_items import flat_schema, write_items

COUNTS = {1_000: 3, 10_000: 1}
"""How many items, and in how many rounds they are checked."""
EFFECT = "\neffect: |\n"


def figures(keys: Collection[str]) -> Iterator[Figure]:
    """Whole checks, all passes, each as one process."""
    for count, rounds in COUNTS.items():
        if any(key.startswith(f"files-{count}-") for key in keys):
            yield from _figures_of(count, rounds, f"files-{count}-changed" in keys)


def _figures_of(count: int, rounds: int, change: bool) -> Iterator[Figure]:
    with TemporaryDirectory() as name:
        pack, schema = (Path(name) / part for part in ("pack", "schema.json"))
        write_items(pack, count)
        schema.write_text(json.dumps(flat_schema()), encoding="utf-8")
        files = sorted((pack / "items").iterdir())
        edited = with_effect(files)
        text = edited.read_text(encoding="utf-8")
        theirs = [CHECK_JSONSCHEMA, "--schemafile", str(schema), *map(str, files)]
        ours, kept = [TOOL, "check", str(pack)], with_cache(Path(name) / "cache")
        process_cost(ours, **kept)  # not counted: it leaves bytecode and an entry in the cache
        costs = {"cold": list[ProcessCost](), "warm": [], "changed": [], "theirs": []}
        for number in range(rounds):
            costs["cold"].append(process_cost([*ours, "--no-cache"]))
            costs["theirs"].append(process_cost(theirs))
            costs["warm"].append(process_cost(ours, **kept))
            if change:
                edited.write_text(changed(text, number), encoding="utf-8")
                costs["changed"].append(process_cost(ours, **kept))
    for what in ("cold", "warm", *(["changed"] if change else [])):
        yield _figure(f"files-{count}-{what}", costs[what], costs["theirs"])


def with_effect(files: Sequence[Path]) -> Path:
    """The first file in which an effect text is to be found."""
    return next(path for path in files if EFFECT in path.read_text(encoding="utf-8"))


def changed(text: str, number: int) -> str:
    """The text of a file with one statement more, another one for each number."""
    return text.replace(EFFECT, f'{EFFECT}  say "changed {number}"\n', 1)


def _figure(key: str, ours: Sequence[ProcessCost], theirs: Sequence[ProcessCost]) -> Figure:
    return Figure(
        key,
        median(one.processor for one in ours),
        median(one.processor for one in theirs),
        len(ours),
        max(one.memory for one in ours),
        max(one.memory for one in theirs),
    )
