"""The violations of a schema that jsonschema finds in an item, less those that follow from others.

In goes an item's data and its kind; out come findings: which keyword complains of which value.
Where a value may follow one of several schemas, the findings are those of the one that was meant,
if that is clear.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from ruleloom.compiler.schema.compiled import Schema
from ruleloom.compiler.schema.registry import SchemaStore
from ruleloom.compiler.yaml.node import Plain
from ruleloom.runtime.dataclass import dataclass

# A hostile item could hold a hundred thousand mistakes; nobody reads more than a few.
MOST_ERRORS = 500
CHOICES = ("anyOf", "oneOf")
TOP_KEYWORDS = ("type", "enum", "const")

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """One keyword of a schema that one value does not follow."""

    keyword: str
    value: Any
    path: Path
    depth: int
    schema: Schema
    instance: Any
    of_a_key: bool
    branches: tuple[tuple[Violation, ...], ...] = ()

    @property
    def is_other_sort(self) -> bool:
        """Say whether the value is of another sort than the schema is about."""
        if self.depth == 0 and self.keyword in (*TOP_KEYWORDS, *CHOICES):
            return True
        # A const one level down tells sorts of maps apart, as in `shape: line`.
        return self.keyword == "const" and self.depth == 1

    def leaves(self) -> Iterator[Violation]:
        """Yield the violations of the one branch that was meant, if that is clear."""
        meant = [inner for inner in self.branches if not any(one.is_other_sort for one in inner)]
        if meant:
            yield from min(meant, key=len)
        else:
            yield self.of_sort() or self

    def of_sort(self) -> Violation | None:
        """Return the violation of the one field that tells all branches apart, if there is one."""
        flat = (one for inner in self.branches for one in inner)
        consts = [one for one in flat if one.keyword == "const" and one.depth == 1]
        if len(consts) != len(self.branches) or len({one.path for one in consts}) != 1:
            return None
        return replace(consts[0], keyword="enum", value=[one.value for one in consts])

    def alternatives(self) -> Iterator[Violation]:
        """Return what each of several schemas wanted of the value itself."""
        for inner in self.branches:
            for finding in inner:
                if finding.keyword in CHOICES and finding.branches:
                    yield from finding.alternatives()
                elif finding.path == self.path:
                    yield finding


def violations(data: Plain, kind: str, store: SchemaStore) -> list[Violation]:
    """Return the violations of an item; none for a sound one."""
    errors = islice(_validator(store, kind).iter_errors(data), MOST_ERRORS)
    return [leaf for error in errors for leaf in _violation(error).leaves()]


def first_repeat(entries: Sequence[object]) -> tuple[int, int] | None:
    """Return the positions of the first entry that stands in a list twice."""
    seen: dict[str, int] = {}
    for index, entry in enumerate(entries):
        first = seen.setdefault(json.dumps(entry, sort_keys=True), index)
        if first != index:
            return first, index
    return None


def _unique_items(
    validator: Any, wanted: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """Find repeats in linear time; the library compares each entry with each."""
    if wanted and isinstance(instance, list) and first_repeat(instance) is not None:
        yield ValidationError("an entry stands twice")


# The stubs leave `extend` without types.
ItemValidator: Any = extend(Draft202012Validator, {"uniqueItems": _unique_items})  # type: ignore[no-untyped-call]


@lru_cache(maxsize=64)
def _validator(store: SchemaStore, kind: str) -> Any:
    # The registry cannot retrieve: a reference to anything outside it is an error, not a request.
    resources = [(name, DRAFT202012.create_resource(file)) for name, file in store.files.items()]
    registry: Registry[Any] = Registry().with_resources(resources)
    return ItemValidator(store.schema(kind), registry=registry)


def _violation(error: ValidationError) -> Violation:
    found: dict[Any, list[Violation]] = defaultdict(list)
    for inner in (error.context or ()) if error.validator in CHOICES else ():
        found[inner.relative_schema_path[0]].extend(_violation(inner).leaves())
    return Violation(
        keyword=str(error.validator),
        value=error.validator_value,
        path=tuple(error.absolute_path),
        depth=len(error.relative_path),
        schema=error.schema if isinstance(error.schema, dict) else {},
        instance=error.instance,
        of_a_key="propertyNames" in error.absolute_schema_path and isinstance(error.instance, str),
        branches=tuple(map(tuple, found.values())),
    )
