"""`ruleloom check` of 1,000 and 10,000 item files, cold and warm, against check-jsonschema on the
same files.

Cold compiles everything; warm finds what the cache kept of the run before. Both make all passes, in
the sense that they tell what all passes find; the other tool looks at the schema only. What is
measured is processor time, of one process each: it is the same on a machine that is busy with other
things.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.harness import Row, processor_time, time_row
from benchmarks.many_items import flat_schema, write_items

COUNTS = {1_000: 3, 10_000: 1}
"""How many items, and in how many rounds they are checked."""
COLD, WARM = 1, 0.2


def rows() -> list[Row]:
    """Whole checks, all passes, each as one process."""
    return [row for count, rounds in COUNTS.items() for row in _rows_of(count, rounds)]


def _rows_of(count: int, rounds: int) -> list[Row]:
    bin_folder = Path(sys.executable).parent
    with TemporaryDirectory() as name:
        pack, schema, cache = (Path(name) / part for part in ("pack", "schema.json", "cache"))
        write_items(pack, count)
        schema.write_text(json.dumps(flat_schema()), encoding="utf-8")
        files = map(str, sorted((pack / "items").iterdir()))
        theirs = [str(bin_folder / "check-jsonschema"), "--schemafile", str(schema), *files]
        ours = [sys.executable, "-m", "ruleloom", "check", str(pack)]
        kept = {"RULELOOM_CACHE": str(cache), "XDG_STATE_HOME": name}
        processor_time(ours, **kept)  # not counted: it leaves bytecode and an entry in the cache
        assert len(list(cache.iterdir())) == 1
        times = [
            (
                processor_time([*ours, "--no-cache"]),
                processor_time(ours, **kept),
                processor_time(theirs),
            )
            for _ in range(rounds)
        ]
    cold, warm, reference = (median(column) for column in zip(*times, strict=True))
    what = f"`check` of {count:,} item files, {{}} (reference: schema only)"
    return [
        time_row(what.format("cold"), cold, reference, COLD),
        time_row(what.format("warm"), warm, reference, WARM),
    ]
