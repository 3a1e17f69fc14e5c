"""Diagnostics for an item that its schema rejects.

There is one for each mistake: at the key of an unknown field, at an invalid value, at the item's id
for a missing field. A consequence of another mistake (a misspelt field is also a missing one, a
misindented line is missing from its map) is not reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean, nearest, quoted_list
from ruleloom.compiler.schema.misplaced import misplaced
from ruleloom.compiler.schema.registry import BUT, FOR, LIKE, SchemaStore, may_be_variant
from ruleloom.compiler.schema.violations import (
    Path,
    Violation,
    bad_id,
    error,
    explain_value,
    too_long,
    violations,
)
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import Plain, YamlNode, node_at

ByPath = Mapping[Path, list[Violation]]
MOST_OFFSETS = 12

# Of several keywords that one value violates, the first of these is reported.
SPEAKING = ("enum", "const", "type", "anyOf", "oneOf", "maxLength", "minLength", "pattern")
RANKS = {keyword: rank for rank, keyword in enumerate(SPEAKING)}
OF_FIELDS = frozenset({"additionalProperties", "required", "dependentRequired"})
# Fields with text for people, some of which each kind has.
FOR_PEOPLE = ("english", "gloss", "label", "text", "title")
FALLEN = ("missing-field", "empty-text")
FIELDS_OF_ALL = {
    BUT: f"`{LIKE}:` names the item that this one differs from",
    FOR: "`for: [fire, cold]` makes an item of each",
}
"""What fields are good for that an item of any kind may have, and not by itself."""
# A map with thousands of unknown fields is not a map with thousands of slips.
MOST_FIELDS = 100


def _offsets(item: YamlNode, by_path: ByPath) -> Iterator[tuple[int, bool]]:
    """The offsets of the keys and values of an item that its schema refuses, and whether a field is
    unknown."""
    for path, here in by_path.items():
        node = node_at(item, path)
        spans, fields = node.key_spans or {}, {*node.entries}
        for one in here:
            if one.keyword == "additionalProperties":
                fields &= {*one.schema.get("properties", {})}
                yield from ((spans[key][0], True) for key in spans if key not in fields)
            elif one.of_a_key:
                yield spans[str(one.instance)][0], False
        owner = node_at(item, path[:-1]).key_spans if path else None
        yield (owner[str(path[-1])][0] if owner else node.start if path else node.end), False


def explain(node: YamlNode, data: Plain, kind: str, store: SchemaStore, report: Report) -> None:
    """Report each mistake in an item that did not pass."""
    by_path: dict[Path, list[Violation]] = defaultdict(list)
    explained: set[Path] = set()
    for finding in violations(data, kind, store):
        by_path[finding.path].append(finding)
        explained.update(_beyond(finding))
    assert by_path, f"the gate refused a {kind} that its schema allows"
    words = _Words(node, kind, store)
    if node.key_sources is None:
        slip = misplaced(node, kind, store, dict(islice(_offsets(node, by_path), MOST_OFFSETS)))
        if slip is not None:
            report.add(slip)
            return
    said = [
        one
        for path, here in by_path.items()
        if not any(path[: len(one)] == one for one in explained)
        for one in words.at(path, here, explained)
    ]
    # A text above may have swallowed the fields that seem to be missing.
    swallows = any(one.code == "bad-indentation" for one in said)
    report.take(one for one in said if not swallows or one.code not in FALLEN)


def _beyond(one: Violation) -> Iterator[Path]:
    """Yield the paths below which violations do not matter: list entries beyond `maxItems`, and values of
    invalid keys."""
    if one.of_a_key:
        yield (*one.path, str(one.instance))
    if one.keyword == "maxItems" and isinstance(one.instance, list):
        yield from ((*one.path, number) for number in range(one.value, len(one.instance)))


def _meant(unknown: Iterable[str], missing: Iterable[str]) -> dict[str, str]:
    """Return the missing field that each unknown one was meant to be: the nearest, else the next.

    An `is:` in place of `holds:` is one mistake, not two.
    """
    left = list(missing)
    meant = {}
    for key in unknown:
        for name in nearest(key, left, 1):
            left.remove(name)
            meant[key] = name
    for key in unknown:
        if key not in meant and left:
            meant[key] = left.pop(0)
    return meant


class _Words:
    def __init__(self, item: YamlNode, kind: str, store: SchemaStore) -> None:
        self.item = item
        self.kind = kind
        self.store = store

    def at(
        self, path: Path, here: list[Violation], explained: Collection[Path]
    ) -> Iterator[Diagnostic]:
        """Yield the diagnostics at *path*, without those that are *explained* already."""
        node = node_at(self.item, path)
        reported = {str(one[-1]) for one in explained if one[:-1] == path}
        yield from self.fields(node, here, path, reported)
        yield from (self.key_name(node, finding) for finding in here if finding.of_a_key)
        rest = [one for one in here if one.keyword not in OF_FIELDS and not one.of_a_key]
        if rest:
            first = min(rest, key=lambda one: RANKS.get(one.keyword, len(RANKS)))
            yield explain_value(node, self.identity(node), self.called(path), first)

    def owner(self, path: Path) -> str:
        """Return the field that contains the value at *path*, or the kind."""
        return next((step for step in reversed(path) if isinstance(step, str)), self.kind)

    def called(self, path: Path) -> str:
        """Return the phrase for the value at *path*."""
        in_list = bool(path) and isinstance(path[-1], int)
        return f"an entry of `{self.owner(path)}`" if in_list else f"`{self.owner(path)}`"

    def fields(
        self, node: YamlNode, here: list[Violation], path: Path, reported: Collection[str]
    ) -> Iterator[Diagnostic]:
        """Yield the unknown and the missing fields of a map, except those *reported* already."""
        owner, place = self.owner(path), self.whole_place(node, path)
        unknown, missing = self.unknown_keys(node, here), self.missing_fields(node, here)
        for name in reported:
            unknown.pop(name, None)
            missing.pop(name, None)
        meant = _meant(unknown, missing)
        for key, allowed in unknown.items():
            yield self.unknown_field(node, key, owner, allowed, meant.get(key))
        # An author who wrote a field of another name has not forgotten further ones: those come
        # next.
        guessed = any(key not in nearest(name, [key]) for key, name in meant.items())
        left = {name: reason for name, reason in missing.items() if name not in meant.values()}
        left = {} if guessed else left
        for reason in dict.fromkeys(left.values()):
            names = [name for name, why in left.items() if why == reason]
            yield self.lacking(place, names, owner, reason)

    def lacking(
        self, place: Place, names: Sequence[str], owner: str, reason: str | None
    ) -> Diagnostic:
        """Return the diagnostic for missing fields, and the field that requires them."""
        because = f", as it has `{reason}`" if reason else ""
        what = "a field" if len(names) == 1 else "the fields"
        message = f"`{owner}` needs {what} {quoted_list(names)}{because}"
        help = f"add {quoted_list([f'{name}:' for name in names])}"
        return error("missing-field", place, message, help)

    def unknown_keys(self, node: YamlNode, here: Iterable[Violation]) -> dict[str, list[str]]:
        """Return the unknown keys of a map, each with the keys allowed there."""
        unknown: dict[str, list[str]] = {}
        for finding in here:
            if finding.keyword == "additionalProperties":
                known = finding.schema.get("properties", {})
                allowed = [name for name in known if name not in node.entries]
                for key in node.entries:
                    if key not in known:
                        unknown.setdefault(key, allowed)
                    if len(unknown) == MOST_FIELDS:
                        return unknown
        return unknown

    def unknown_field(
        self, node: YamlNode, key: str, owner: str, allowed: list[str], missing: str | None
    ) -> Diagnostic:
        """Return the diagnostic for an unknown field, with the one probably meant."""
        message = f"`{key}` is not a field of `{owner}`"
        is_open = node is self.item and may_be_variant(self.kind, self.store)
        help = did_you_mean(key, [missing] if missing else [])
        if is_open and key in FIELDS_OF_ALL:
            help = FIELDS_OF_ALL[key]
        help = help or did_you_mean(key, [*allowed, LIKE, *FIELDS_OF_ALL] if is_open else allowed)
        if help is None and missing:
            message += f", which needs a field `{missing}`{self.elsewhere(node, key)}"
            help = f"write `{missing}:`"
        elif help is None:
            help = self.for_people(node, key)
            if help is None:
                known = f"; {choices_text(key, allowed)}" if allowed else ""
                message += self.elsewhere(node, key) or known
        return error("unknown-field", node.key_place(key), message, help, subject=key)

    def for_people(self, node: YamlNode, key: str) -> str | None:
        """Return the help for a field with text for people, if the kind has others of that sort."""
        known = self.store.fields_at(self.kind, ())
        worded = [f"`{one}:`" for one in FOR_PEOPLE if one in known]
        if node is not self.item or key not in FOR_PEOPLE or not worded:
            return None
        return f"what people read of it is {' or '.join(worded)}"

    def elsewhere(self, node: YamlNode, key: str) -> str:
        """Return the end of a message: the other kinds that have this field."""
        if node is not self.item:
            return ""
        kinds = [kind for kind in self.store.kinds_with(key) if kind != self.kind]
        have = "has" if len(kinds) == 1 else "have"
        return f"; {quoted_list(kinds[:3])} {have} such a field" if kinds else ""

    def missing_fields(self, node: YamlNode, here: Iterable[Violation]) -> dict[str, str | None]:
        """Return the missing fields, each with the field that requires it, if any."""
        missing: dict[str, str | None] = {}
        for finding in here:
            if finding.keyword == "required":
                missing |= {name: None for name in finding.value if name not in node.entries}
            elif finding.keyword == "dependentRequired":
                for cause in finding.value.keys() & node.entries.keys():
                    needed = finding.value[cause]
                    missing |= {name: cause for name in needed if name not in node.entries}
        return missing

    def whole_place(self, node: YamlNode, path: Path) -> Place:
        """Return the place for the map at *path*: that of its id, or else of its key."""
        if node.get("id") is None and path and isinstance(path[-1], str):
            return node_at(self.item, path[:-1]).key_place(path[-1])
        return self.identity(node)

    def identity(self, node: YamlNode) -> Place:
        """Return the place for a map: the value of its id, or else its start."""
        named = node.get("id")
        if named is not None:
            return named.place
        return node.source.place(node.start, min(node.start + 1, node.end))

    def key_name(self, node: YamlNode, finding: Violation) -> Diagnostic:
        key = str(finding.instance)
        place = node.key_place(key)
        if finding.keyword == "maxLength":
            return error("too-long", place, too_long(f"`{key[:60]}`", key, finding.value))
        if finding.keyword == "enum":
            choices = [str(choice) for choice in finding.value]
            message = f"`{key}` cannot stand here; {choices_text(key, choices)}"
            free = [choice for choice in choices if choice not in node.entries]
            help = did_you_mean(key, free) or did_you_mean(key, choices)
            return error("not-a-choice", place, message, help, subject=key)
        return bad_id(place, key)
