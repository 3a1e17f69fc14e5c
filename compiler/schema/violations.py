"""The violations of a schema that jsonschema finds in an item, without mere consequences of others.

Each is a keyword that a value violates. Where a value may match one of several schemas, the
violations are those of the intended one, if that is clear.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.diagnostics.suggest import Suggestion, choices_text, did_you_mean, nearest
from ruleloom.compiler.schema import expected_values as hints
from ruleloom.compiler.schema.registry import Schema, SchemaStore
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import Plain, YamlNode
from ruleloom.runtime.dataclass import Frozen

# A hostile item could have a hundred thousand mistakes; a few are enough.
MOST_ERRORS = 500
CHOICES = ("anyOf", "oneOf")
TOP_KEYWORDS = ("type", "enum", "const")

Path = tuple[str | int, ...]


class Violation(Frozen):
    """A keyword of a schema, and the value that violates it."""

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
        """Say whether the value is of another sort than the schema describes."""
        if self.depth == 0 and self.keyword in (*TOP_KEYWORDS, *CHOICES):
            return True
        # A const one level down distinguishes sorts of maps, as in `shape: line`.
        return self.keyword == "const" and self.depth == 1

    def leaves(self) -> Iterator[Violation]:
        """Yield the violations of the intended branch, if that is clear."""
        meant = [inner for inner in self.branches if not any(one.is_other_sort for one in inner)]
        if meant:
            yield from min(meant, key=len)
        else:
            yield self.of_sort() or self

    def of_sort(self) -> Violation | None:
        """Return the violation of the one field that distinguishes all branches, or None."""
        flat = (one for inner in self.branches for one in inner)
        consts = [one for one in flat if one.keyword == "const" and one.depth == 1]
        if len(consts) != len(self.branches) or len({one.path for one in consts}) != 1:
            return None
        return replace(consts[0], keyword="enum", value=[one.value for one in consts])

    def alternatives(self) -> Iterator[Violation]:
        """Yield the violations of the value itself, over all branches."""
        for inner in self.branches:
            for finding in inner:
                if finding.keyword in CHOICES and finding.branches:
                    yield from finding.alternatives()
                elif finding.path == self.path:
                    yield finding


def violations(data: Plain, kind: str, store: SchemaStore) -> list[Violation]:
    """Return the violations of an item; none for a valid one."""
    errors = islice(_validator(store, kind).iter_errors(data), MOST_ERRORS)
    return [leaf for error in errors for leaf in _violation(error).leaves()]


def first_repeat(entries: Sequence[object]) -> tuple[int, int] | None:
    """Return the indices of the first two equal entries, or None."""
    seen: dict[str, int] = {}
    for index, entry in enumerate(entries):
        first = seen.setdefault(json.dumps(entry, sort_keys=True), index)
        if first != index:
            return first, index
    return None


def _unique_items(
    validator: Any, wanted: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    """Find repeats in linear time; the library compares all pairs."""
    if wanted and isinstance(instance, list) and first_repeat(instance) is not None:
        yield ValidationError("an entry stands twice")


# The stubs leave `extend` without types.
ItemValidator: Any = extend(Draft202012Validator, {"uniqueItems": _unique_items})  # type: ignore[no-untyped-call]


@lru_cache(maxsize=64)
def _validator(store: SchemaStore, kind: str) -> Any:
    # The registry cannot retrieve: a reference outside it is an error, not a request.
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


# As normalized by the store: `$` becomes the end of the text.
ID_PATTERN = r"^[a-z][a-z0-9_-]{0,63}\Z"
LONGEST_ID = 64
SHOWN = 60
WORD = re.compile(r"[A-Za-z][\w-]*")
LAST_WORD = re.compile(r"[A-Za-z][\w-]*(?=\W*\Z)")

Speaker = Callable[[YamlNode, str, Violation], Diagnostic]


def explain_value(node: YamlNode, place: Place, name: str, finding: Violation) -> Diagnostic:
    """Return the diagnostic for the value *node* of the field *name*; *place* replaces that of a map."""
    is_plain = node.style is None and node.kind == "text"
    below = node.raw.partition("\n")[2] if is_plain else ""
    if below and finding.keyword in ("enum", "const", "pattern", "maxLength"):
        place = node.source.place(node.end - len(below.lstrip()), node.end)
        message = "this line counts as more of the text above it"
        return error("bad-indentation", place, message, "begin it with a dash or a field")
    found = SPEAKERS.get(finding.keyword, _misfit)(node, name, finding)
    if node.kind != "map" or found.code in ("wrong-type", "not-a-choice"):
        return found
    return replace(found, place=place)


def error(
    code: str,
    place: Place,
    message: str,
    help: str | None = None,
    *notes: Note,
    subject: str | None = None,
) -> Diagnostic:
    """Return an error."""
    return Diagnostic(place, "error", code, message, help, notes, subject)


def bad_id(place: Place, word: str) -> Diagnostic:
    """Return the diagnostic for an invalid id."""
    form = "a small letter, then small letters, digits, `-` or `_`"
    message = f"`{word[:SHOWN]}` cannot be an id: {form}"
    if len(word) > LONGEST_ID:
        message = f"this id has {len(word):,} characters, and {LONGEST_ID} is the most"
    mended = re.sub(r"[^a-z0-9_-]+", "_", word.lower()).strip("_-")[:LONGEST_ID]
    fits = re.search(ID_PATTERN, mended) is not None
    return error("bad-id", place, message, f"write `{mended}`" if fits else None)


def too_long(name: str, text: str, limit: int) -> str:
    """Return the message for a text or name over its limit."""
    return f"{name} has {len(text):,} characters, and {limit:,} is the most"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _of_types(node: YamlNode, name: str, types: Sequence[str]) -> Diagnostic:
    message = f"{name} must be {hints.types_phrase(types)}, but {hints.value_phrase(node)}"
    return error("wrong-type", hints.place_of_value(node), message, hints.how_to_write(node, types))


def _not_a_choice(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    return _of_choices(node, name, finding.value if finding.keyword == "enum" else [finding.value])


def _of_choices(node: YamlNode, name: str, choices: Sequence[object]) -> Diagnostic:
    words = [choice if isinstance(choice, str) else json.dumps(choice) for choice in choices]
    if node.kind in ("map", "list", "null"):
        message = (
            f"{name} must be a word, but {hints.value_phrase(node)}; {choices_text('', words)}"
        )
        return error("wrong-type", node.place, message)
    word = str(node.value) if node.kind == "text" else node.raw
    message = f"`{word[:SHOWN]}` cannot stand in {name}; {choices_text(word, words)}"
    return error("not-a-choice", node.place, message, did_you_mean(word, words), subject=word)


def _no_branch(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    """Return the diagnostic for a value that matches no branch."""
    types: list[str] = []
    choices: list[object] = []
    for inner in finding.alternatives():
        if inner.keyword == "type":
            types += _listed(inner.value)
        elif inner.keyword in ("enum", "const"):
            choices += _listed(inner.value)
    if choices and not (types and node.kind in ("map", "list", "null")):
        return _of_choices(node, name, choices)
    return _of_types(node, name, types) if types else _misfit(node, name, finding)


def _out_of_range(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    schema = finding.schema
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        bounds = f"from {low:,} to {high:,}"
    else:
        bounds = f"at least {low:,}" if low is not None else f"at most {high:,}"
    return error("out-of-range", node.place, f"{name} must be {bounds}, but is {node.raw}")


def _wrong_count(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    limit, count = finding.value, len(node.items) + len(node.entries)
    if finding.keyword == "items":
        # `items: false` after `prefixItems`: at most as many entries as those.
        limit = len(finding.schema.get("prefixItems", ()))
    too_few = finding.keyword.startswith("min")
    bound = "at least" if too_few else "at most"
    entries = "entry" if limit == 1 else "entries"
    place = node.items[limit].place if not too_few and limit < len(node.items) else node.place
    message = f"{name} must have {bound} {limit:,} {entries}, but has {count:,}"
    return error("wrong-count", place, message)


def _too_long(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    message = too_long(name, str(node.value), finding.value)
    return error("too-long", node.place, message, "shorten it")


def _too_short(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    least = f"have at least {finding.value:,} characters"
    must = "not be empty" if finding.value == 1 else least
    return error("empty-text", node.place, f"{name} must {must}")


def _wrong_form(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    form = finding.schema.get("x-form")
    if form is None and (name == "`id`" or finding.value == ID_PATTERN):
        return bad_id(node.place, str(node.value))
    message = f"`{str(node.value)[:SHOWN]}` does not have the form that {name} needs"
    message = f"{message}: {form}" if form else message
    return error("wrong-form", node.place, message, _near_form(node, finding.value))


def _near_form(node: YamlNode, pattern: str) -> str | None:
    """Return the help for a wrong form: the last word in its spelling elsewhere in the file."""
    text = str(node.value)
    last = LAST_WORD.search(text)
    if last is None or len(text) > SHOWN:
        return None
    if "/" in pattern and WORD.fullmatch(text):
        return f"write its kind, too: `kind/{text}`, as in `power/{text}`"
    known = set(WORD.findall(node.source.text)) - {last[0]}
    fixed = (text[: last.start()] + near + text[last.end() :] for near in nearest(last[0], known))
    return next((Suggestion(text, one) for one in fixed if re.search(pattern, one)), None)


def _repeated(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    twice = first_repeat(finding.instance)
    assert twice is not None, "the validator found a repeat"
    first, second = (node.items[index] for index in twice)
    note = Note(first.place, "the first one is here")
    message = f"`{hints.excerpt(second)}` stands in {name} twice"
    return error("repeated-entry", second.place, message, "delete one", note)


def _misfit(node: YamlNode, name: str, finding: Violation) -> Diagnostic:
    form = finding.schema.get("x-form")
    if node.kind == "map":
        message = f"in {name}, {form or 'these fields do not go together'}"
        return error("wrong-fields", node.place, message)
    message = f"this cannot stand in {name}"
    return error("wrong-form", node.place, f"{message}: {form}" if form else message)


LIMITS = ("minimum", "maximum")
COUNTS = ("minItems", "maxItems", "minProperties", "maxProperties", "items")
SPEAKERS: dict[str, Speaker] = {
    "type": lambda node, name, finding: _of_types(node, name, _listed(finding.value)),
    "enum": _not_a_choice,
    "const": _not_a_choice,
    "anyOf": _no_branch,
    "oneOf": _no_branch,
    **dict.fromkeys(LIMITS, _out_of_range),
    **dict.fromkeys(COUNTS, _wrong_count),
    "maxLength": _too_long,
    "minLength": _too_short,
    "pattern": _wrong_form,
    "uniqueItems": _repeated,
}
