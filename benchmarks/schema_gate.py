"""Our schema gate beside fastjsonschema and jsonschema-rs, on the same items.

`python -m benchmarks.schema_gate` prints, for a small pack, for Moonstone and for a pack of 1,000
items, how long each takes to import, to build its validators and to pass all items, and how much of a
whole cold `ruleloom check` that is. docs/decisions/0008 cites its figures.

fastjsonschema knows drafts 4 to 7 only, so its schemas are translated to draft 7 first; it also takes
`1` for `true`, which no shipped schema trips over. jsonschema-rs reads 2020-12 as it stands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib.metadata import files, version
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import fastjsonschema
import jsonschema_rs

from benchmarks.harness import processor_time, seconds, timed
from benchmarks.many_items import COMMON, SCHEMAS, TOP, write_items
from benchmarks.speed.startup import TOY
from ruleloom.compiler.diagnostics.report import Report
from ruleloom.compiler.schema.registry import SchemaStore, schemas_of
from ruleloom.compiler.schema.validate import item_nodes
from ruleloom.compiler.source.file import Source
from ruleloom.compiler.yaml.node import Plain, to_data
from ruleloom.compiler.yaml.reader import compose

ROUNDS = 5

Item = tuple[str, Plain]
Check = Callable[[Plain], bool]


def ours(store: SchemaStore, kinds: Iterable[str]) -> dict[str, Check]:
    """Return our gates, none of them compiled before."""
    fresh = SchemaStore(store.files, store.kinds)
    for kind in kinds:
        fresh.passes(kind, {})  # compiles it
    return {kind: partial(fresh.passes, kind) for kind in kinds}


def fast(store: SchemaStore, kinds: Iterable[str]) -> dict[str, Check]:
    """Return the validators of fastjsonschema."""
    found: dict[str, Check] = {}
    for kind in kinds:
        validate = fastjsonschema.compile(draft_7(whole(store, kind)), use_formats=False)
        found[kind] = partial(_is_valid, validate)
    return found


def _is_valid(validate: Callable[[Plain], object], data: Plain) -> bool:
    try:
        validate(data)
    except fastjsonschema.JsonSchemaValueException:
        return False
    return True


def rust(store: SchemaStore, kinds: Iterable[str]) -> dict[str, Check]:
    """Return the validators of jsonschema-rs."""
    # Our store writes the very end of a text as Python's `\Z`, which Rust writes as `\z`.
    schemas = {kind: with_rust_ends(whole(store, kind)) for kind in kinds}
    return {kind: jsonschema_rs.Draft202012Validator(one).is_valid for kind, one in schemas.items()}


def whole(store: SchemaStore, kind: str) -> dict[str, Any]:
    """Return the schema of a kind with all that it refers to inside."""
    shared = store.files[COMMON]["$defs"]
    own = store.schema(kind)
    flat = {**own, "$defs": {**shared, **own.get("$defs", {})}}
    return {**_inward(flat), "$schema": "https://json-schema.org/draft/2020-12/schema"}


def _inward(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_inward(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: one.removeprefix(COMMON) if key == "$ref" else _inward(one)
        for key, one in schema.items()
    }


def with_rust_ends(schema: Any) -> Any:
    r"""Return a schema whose patterns end in `\z`, as Rust writes the very end."""
    if isinstance(schema, list):
        return [with_rust_ends(one) for one in schema]
    if isinstance(schema, str):
        return schema.replace("\\Z", "\\z")
    if not isinstance(schema, dict):
        return schema
    return {key.replace("\\Z", "\\z"): with_rust_ends(one) for key, one in schema.items()}


def draft_7(schema: Any) -> Any:
    """Return a schema of 2020-12 in the keywords of draft 7."""
    if isinstance(schema, list):
        return [draft_7(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: draft_7(one) for key, one in schema.items() if key != "$schema"}
    if isinstance(found.get("prefixItems"), list):
        rest = found.pop("items", True)
        found |= {"items": found.pop("prefixItems"), "additionalItems": rest}
    if "dependentRequired" in found:
        found["dependencies"] = found.pop("dependentRequired")
    return found


def items_in(folder: Path, store: SchemaStore) -> list[Item]:
    """Return all items of a pack as plain data, each with its kind."""
    found: list[Item] = []
    for path in sorted(folder.rglob("*.yaml")):
        if "scenarios" in path.parts:
            continue
        report = Report()
        root = compose(Source.read(path, path.name), report)
        assert root is not None
        for node in item_nodes(root, report):
            kind = node.get("kind")
            assert kind is not None
            if kind.text in store.kinds:
                found.append((kind.text, to_data(node)))
    return found


def installed_size(library: str) -> int:
    """Return the bytes that a library takes on disk, bytecode left out."""
    found = files(library) or ()
    return sum(
        Path(file.locate()).stat().st_size for file in found if not str(file).endswith(".pyc")
    )


def passes_all(gates: Mapping[str, Check], items: Iterable[Item]) -> bool:
    """Tell whether the gates pass every item; all are looked at."""
    return min([gates[kind](data) for kind, data in items])


def measure(name: str, game: str, pack: Path, imports: Mapping[str, float]) -> None:
    """Print the figures for one pack."""
    store = schemas_of(SCHEMAS, game)
    items = items_in(pack, store)
    kinds = sorted({kind for kind, _ in items})
    command = [sys.executable, "-m", "ruleloom", "check", "--no-cache", str(pack)]
    processor_time(command)  # leaves bytecode
    check = median(processor_time(command) for _ in range(ROUNDS))
    print(f"\n{name}: {len(items):,} items of {len(kinds)} kinds, `check` {seconds(check)}\n")
    print("| gate | import | build | pass all | in all, of `check` |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for title, build in GATES.items():
        gates = build(store, kinds)
        assert passes_all(gates, items), f"{title} refuses a sound item"
        taken = [
            imports.get(title, 0),
            median(timed(partial(build, store, kinds), 1) for _ in range(ROUNDS)),
            median(timed(partial(passes_all, gates, items), 1) for _ in range(ROUNDS)),
        ]
        print(f"| {title} | {' | '.join(map(seconds, taken))} | {sum(taken) / check:.1%} |")


def import_time(library: str, bare: float) -> float:
    """Return the seconds of processor time that importing a library takes beside bare Python."""
    words = [sys.executable, "-c", f"import {library.replace('-', '_')}"]
    processor_time(words)  # leaves bytecode
    return max(median(processor_time(words) for _ in range(ROUNDS)) - bare, 0)


def main() -> None:
    """Print the size of each library on disk, and a table a pack."""
    libraries = [name for name in GATES if name != OURS]
    bare = median(processor_time([sys.executable, "-c", "pass"]) for _ in range(ROUNDS))
    imports = {library: import_time(library, bare) for library in libraries}
    for library in libraries:
        print(f"{library} {version(library)}: {installed_size(library) / 1e6:.1f} MB installed")
    measure("A small pack", "toy", TOY, imports)
    measure("Moonstone", "moonstone", TOP / "rulesets" / "moonstone", imports)
    with TemporaryDirectory() as name:
        pack = Path(name) / "pack"
        write_items(pack, 1_000)
        measure("A pack of 1,000 items", "gnostica", pack, imports)


OURS = "ours"
GATES: Mapping[str, Callable[[SchemaStore, Iterable[str]], dict[str, Check]]] = {
    OURS: ours,
    "fastjsonschema": fast,
    "jsonschema-rs": rust,
}


if __name__ == "__main__":
    main()
