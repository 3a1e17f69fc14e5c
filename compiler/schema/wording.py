"""Diagnostics for an item that its schema rejects.

There is one for each mistake: at the key of an unknown field, at an invalid value, at the item's id
for a missing field. A consequence of another mistake (a misspelt field is also a missing one, a
misindented line is missing from its map) is not reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, pairwise

from ruleloom.compiler.diagnostics.report import Diagnostic, Report
from ruleloom.compiler.diagnostics.suggest import choices_text, did_you_mean, nearest, quoted_list
from ruleloom.compiler.schema.registry import LIKE, SchemaStore, may_be_variant
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
from ruleloom.compiler.yaml.node import NEXT_ITEM, Plain, YamlNode, node_at, to_data

ByPath = Mapping[Path, list[Violation]]
Slips = Iterator[tuple[Diagnostic, tuple[Path, ...]]]
"""Slips in the layout, each with the paths of the violations that follow from it."""

# Of several keywords that one value violates, the first of these is reported.
SPEAKING = ("enum", "const", "type", "anyOf", "oneOf", "maxLength", "minLength", "pattern")
RANKS = {keyword: rank for rank, keyword in enumerate(SPEAKING)}
OF_FIELDS = frozenset({"additionalProperties", "required", "dependentRequired"})
# Fields with text for people, some of which each kind has.
FOR_PEOPLE = ("english", "gloss", "label", "text", "title")
FALLEN = ("missing-field", "empty-text")
# A map with thousands of unknown fields is not a map with thousands of slips.
MOST_FIELDS = 100


def _fallen(held: Plain, section: str, by_path: ByPath) -> dict[str, Plain]:
    """The entries of a section from the first one that its schema refuses; empty if none is."""
    if not isinstance(held, dict):
        return {}
    wrong = {
        path[1]
        for path, here in by_path.items()
        if len(path) > 1 and path[0] == section
        if any(one.keyword in OF_FIELDS for one in here)
    } | {str(one.instance) for one in by_path.get((section,), ()) if one.of_a_key}
    return dict(dropwhile(lambda entry: entry[0] not in wrong, held.items()))


def _take_out(by_path: ByPath, paths: Iterable[Path]) -> None:
    """Remove the violations of the keys at these paths."""
    for path in paths:
        here = by_path.get(path[:-1], [])
        here[:] = [one for one in here if not (one.of_a_key and one.instance == path[-1])]


def explain(node: YamlNode, data: Plain, kind: str, store: SchemaStore, report: Report) -> None:
    """Report each mistake in an item that did not pass."""
    by_path: dict[Path, list[Violation]] = defaultdict(list)
    explained: set[Path] = set()
    for finding in violations(data, kind, store):
        by_path[finding.path].append(finding)
        explained.update(_beyond(finding))
    assert by_path, f"the gate refused a {kind} that its schema allows"
    words = _Words(node, kind, store)
    for diagnostic, paths in (
        *words.lost_heads(data, by_path),
        *words.lost_names(by_path),
        *words.exchanged_heads(by_path),
        *words.misplaced_lines(by_path),
        *words.split_text(by_path),
        *words.below_the_next_dash(by_path),
    ):
        if diagnostic.place not in {one.place for one in report.errors_within(diagnostic.place)}:
            report.add(diagnostic)
        explained.update(paths)
        _take_out(by_path, paths)
    said = [
        one
        for path, here in by_path.items()
        if not any(path[: len(one)] == one for one in explained)
        for one in words.at(path, here, explained)
    ]
    # A text above may have swallowed the fields that seem to be missing.
    swallows = any(one.code == "bad-indentation" for one in said)
    report.take(one for one in said if not swallows or one.code not in FALLEN)


def _is_empty(node: YamlNode) -> bool:
    """Is there no value after the colon or below it?"""
    return node.kind == "null" and not node.raw


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


def _unknown_below(node: YamlNode, unknown: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each unknown key with the field before it, if that ends on the line above."""
    above_each = {key: above for above, key in pairwise(node.entries)} if unknown else {}
    for key, above in ((key, above_each[key]) for key in unknown if key in above_each):
        value = node.entries[above]
        last = node.key_place(above).line if value.kind == "null" else value.place.end_line
        if last == node.key_place(key).line - 1:
            yield key, above


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

    def lost_heads(self, data: Plain, by_path: ByPath) -> Slips:
        """Yield the first entry of each section whose heading line, `scope:`, is missing above it."""
        if not isinstance(data, dict):
            return
        sections = (path[0] for path in by_path if path and path[0] in self.item.entries)
        for section in dict.fromkeys(map(str, sections)):
            if self.item.entries[section].style is not None:
                continue  # a section on one line has lost no line
            fallen = _fallen(data.get(section), section, by_path)
            if not fallen:
                continue
            lacking = (name for name in self.store.fields(self.kind) if name not in data)
            head = next((one for one in lacking if self.takes((one,), fallen)), "")
            if head:
                node, first = self.item.entries[section], next(iter(fallen))
                message = (
                    f"`{first}` and what follows would be entries of `{head}`, not of `{section}`"
                )
                help = f"is the line `{head}:` missing above?"
                found = error("bad-indentation", node.key_place(first), message, help)
                yield found, ((head,), *((section, key) for key in fallen))

    def lost_names(self, by_path: ByPath) -> Slips:
        """Yield the first field of each entry whose heading line, `first:`, is missing above it."""
        wrong = dict.fromkeys(one[:end] for one in by_path for end in range(1, len(one) + 1))
        for path in wrong:
            node = node_at(self.item, path)
            keys = tuple(node.entries)
            first = keys[0] if keys else ""
            if node.style is not None or (*path, first) not in wrong:
                continue
            known = self.store.fields_at(self.kind, (*path, first))
            if set(keys) <= {*known} and first not in self.store.fields_at(self.kind, path):
                message = f"`{first}` would be the name of an entry of `{path[-1]}`, not its field"
                help = f"is the line with the name missing above `{first}:`?"
                found = error("bad-indentation", node.key_place(first), message, help)
                yield found, tuple((*path, key) for key in keys)

    def exchanged_heads(self, by_path: ByPath) -> Slips:
        """Yield each line that is swapped with the heading line of its section, or of the next one."""
        maps = dict.fromkeys(path[:end] for path in by_path for end in range(len(path)))
        for outer in maps:
            node = node_at(self.item, outer)
            for section, head in pairwise(node.entries):
                found = self.exchanged(node, outer, section, head)
                wrong = {path[: len(one)] for path in by_path for one in (found or ("", ()))[1]}
                if found is not None and {*found[1]} <= wrong:
                    key, paths = found
                    message = f"`{key[-1]}` and the line beside it stand in each other's place"
                    place = node_at(self.item, key[:-1]).key_place(str(key[-1]))
                    yield error("bad-indentation", place, message, "exchange the two lines"), paths

    def exchanged(
        self, node: YamlNode, outer: Path, section: str, head: str
    ) -> tuple[Path, tuple[Path, ...]] | None:
        """The line swapped with an adjacent one, of two sections, and the paths it explains; or None."""
        upper, lower = node.entries[section], node.entries[head]
        first, last = next(iter(lower.entries), ""), next(reversed(upper.entries), "")
        if upper.style is not None or lower.style is not None:
            return None
        above, below = (*outer, section), (*outer, head)
        if last and _is_empty(lower) and self.fits(below, {last: upper.entries[last]}):
            return (*above, last), (below, (*above, last))
        if first and _is_empty(upper) and self.fits(above, {first: lower.entries[first]}):
            return (*below, first), (above, (*below, first))
        is_open = last and _is_empty(upper.entries[last]) and lower.entries
        if is_open and self.fits(below, {last: lower}):
            return (*above, last), ((*above, last), below)
        return None

    def fits(self, path: Path, fallen: Mapping[str, YamlNode]) -> bool:
        """Like `takes`, of nodes; sections within list entries never match."""
        entries = {key: to_data(one) for key, one in fallen.items()}
        return all(isinstance(step, str) for step in path) and self.takes(path, entries)

    def takes(self, path: Path, entries: Plain) -> bool:
        """Are these valid entries of the section at a path?"""
        # A section refuses a value that is no map; a remark allows anything.
        return self.may_hold(path, entries) and not self.may_hold(path, 0)

    def may_hold(self, path: Path, value: Plain) -> bool:
        """Is this value valid at this path in an item of this kind?"""
        whole = value
        for step in reversed(path):
            whole = {str(step): whole}
        assert isinstance(whole, dict)
        said = violations({"kind": self.kind, **whole}, self.kind, self.store)
        return not any(
            one.path[: len(path)] == path or one.keyword == "additionalProperties" for one in said
        )

    def misplaced_lines(self, by_path: ByPath) -> Slips:
        """Yield each misindented line that is still valid YAML, with the paths it explains."""
        for path, here in by_path.items():
            node = node_at(self.item, path)
            if node.kind == "map" and node.style is None:
                for key, above in _unknown_below(node, self.unknown_keys(node, here)):
                    if any(one.wants_more for one in by_path.get((*path, above), ())):
                        has = "nothing" if node.entries[above].kind == "null" else "too little"
                        message = f"`{key}` stands beside `{above}`, which has {has} below it"
                        help = "indent it by two spaces more"
                        found = error("bad-indentation", node.key_place(key), message, help)
                        yield found, ((*path, above), (*path, key))
            elif len(path) > 1 and isinstance(path[-1], str) and self._is_misplaced(path, here):
                yield from self.fields_further_left(path[:-1], path[-1])

    def _is_misplaced(self, path: Path, here: Iterable[Violation]) -> bool:
        """May the field at *path* belong further left, as it has no value, or one of another type than its
        neighbours, whose names are free?"""
        if node_at(self.item, path).kind == "null":
            return True
        is_free = path[-1] not in self.store.fields_at(self.kind, path[:-1])
        return is_free and any(one.keyword == "type" for one in here)

    def split_text(self, by_path: ByPath) -> Slips:
        """Yield each field between `text: >` and its text, which has become the field's own."""
        for above, key in pairwise(self.item.entries):
            empty, split = self.item.entries[above], self.item.entries[key]
            is_split = "\n" in split.raw and split.style is None and split.text is not None
            is_empty = empty.text == "" and empty.style in ("|", ">")
            if is_empty and is_split and {(above,), (key,)} & set(by_path):
                message = f"`{key}` stands between `{above}` and its text"
                help = f"move it above `{above}:`, or below the text"
                found = error("bad-indentation", self.item.key_place(key), message, help)
                yield found, ((above,), (key,))

    def below_the_next_dash(self, by_path: ByPath) -> Slips:
        """Yield the field that is missing here and comes first in the next item, which cannot have it."""
        source, start = self.item.source, self.item.end
        found = NEXT_ITEM.match(source.text, start)
        if found is None or found["key"] not in self.missing_fields(self.item, by_path.get((), [])):
            return
        key, place = found["key"], source.place(*found.span("key"))
        kind = found["kind"]
        if kind in self.store.kinds and key not in self.store.fields_at(kind, ()):
            message = f"`{key}` stands below the dash of the next item"
            help = "put it above that dash"
            yield error("bad-indentation", place, message, help), ((key,),)

    def fields_further_left(self, path: Path, key: str) -> Slips:
        """Find an empty field of the map at *path* that belongs to an outer map."""
        owner = node_at(self.item, path)
        is_empty = owner.entries[key].kind == "null"
        reason = "has nothing below it" if is_empty else f"does not fit below `{path[-1]}`"
        message = f"`{key}` {reason}, and is a field of what stands further left"
        for outer in (path[:end] for end in range(len(path))) if owner.style is None else ():
            known = self.store.fields_at(self.kind, outer)
            if key in known and key not in node_at(self.item, outer).entries:
                place = owner.key_place(key)
                found = error("bad-indentation", place, message, "indent it less")
                yield found, (path, (*outer, key))

    def unknown_field(
        self, node: YamlNode, key: str, owner: str, allowed: list[str], missing: str | None
    ) -> Diagnostic:
        """Return the diagnostic for an unknown field, with the one probably meant."""
        message = f"`{key}` is not a field of `{owner}`"
        is_open = node is self.item and may_be_variant(self.kind, self.store)
        help = did_you_mean(key, [missing] if missing else [])
        help = help or did_you_mean(key, [*allowed, LIKE] if is_open else allowed)
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
