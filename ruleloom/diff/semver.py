"""The weight of changes, as semantic versions count it; docs/diff.md has the table of levels.

A saved game holds its own program and goes on, but its answers name ids, and so do packs that build
on this one: so a name that is gone is a major change.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from packaging.specifiers import SpecifierSet
from packaging.version import Version

from ruleloom.compiler.analysis.texts import effect_tree
from ruleloom.compiler.packs.manifest import RangeError, allows, read_range, read_version
from ruleloom.diff.compare import Changes, FieldChange, ItemChange, Where, value_text

LEVELS = ("none", "patch", "minor", "major")
# What became of a field, in words.
DONE = {
    "added": "is new",
    "removed": "is gone",
    "changed": "changed",
    "order": "is in another order",
}
# Fields that only people read, wherever they stand in an item.
WORDS = frozenset(
    {
        *("title", "about", "authors", "licence", "text", "english", "gloss", "clauses", "clause"),
        *("help", "log", "noun", "nouns", "singular", "plural", "label", "examples"),
        "renamed_from",
    }
)
# Kinds in which every name is one that other items use.
NAMING_KINDS = ("vocabulary", "notation", "extension")
SIGNATURES = ("gives", "by", "of", "event", "parts")


class Reason(NamedTuple):
    """Why a change weighs what it does."""

    level: str
    words: str
    at: Where | None


class Advice(NamedTuple):
    """The version number that the changes ask for; `enough` says whether it was raised so far."""

    level: str
    asked: str
    enough: bool
    reasons: tuple[Reason, ...]


def advice(changes: Changes, old: str, new: str) -> Advice:
    """The least number of the new version."""
    reasons = tuple(_reasons(changes))
    level = max((one.level for one in reasons), key=LEVELS.index, default="none")
    before, after = read_version(old) or Version("0"), read_version(new) or Version("0")
    asked = raised(before, level)
    weightiest = tuple(one for one in reasons if one.level == level)
    return Advice(level, asked, after >= Version(asked), weightiest)


def raised(version: Version, level: str) -> str:
    """The lowest version for such a change; below 1.0.0 the first number not 0 is the major one."""
    major, minor, micro = (*version.release, 0, 0, 0)[:3]
    if level == "none":
        return str(version)
    if level == "major":
        numbers = (major + 1, 0, 0) if major else (0, minor + 1, 0) if minor else (0, 0, micro + 1)
    elif level == "minor" and major:
        numbers = (major, minor + 1, 0)
    else:
        numbers = (major, minor, micro + 1)
    return ".".join(map(str, numbers))


def _reasons(changes: Changes) -> Iterator[Reason]:
    for one in changes.manifest:
        words = f"{one.name} of the pack {DONE[one.does]}"
        yield Reason(_of_manifest(one), words, _where(one))
    for item in changes.items:
        yield from _of_item(item)
    for number in () if changes.manifest or changes.items else changes.numbers:
        # Nobody touched it, so the pack that this one builds on is another one.
        words = f"{number.label}: {value_text(number.old)} -> {value_text(number.new)}"
        yield Reason("minor", words, None)
    for id, _, _ in changes.texts:
        yield Reason("patch", f"the rules text of {id} changed", None)


def _where(one: ItemChange | FieldChange) -> Where | None:
    """The place of something, or its old place once it is removed."""
    return one.new_at or one.old_at


def _of_manifest(one: FieldChange) -> str:
    match one.path[0]:
        case "game" | "edition":
            return "major"
        case "requires":
            return _of_range(one)
        case field:
            return "patch" if field in WORDS else "minor"


def _of_range(one: FieldChange) -> str:
    """Major if the pack requires another one now, or excludes a version that it allowed."""
    if one.does != "changed":
        return "major" if one.does == "added" else "minor"
    try:
        old, new = read_range(str(one.old)), read_range(str(one.new))
    except RangeError:
        return "major"
    lost = (allows(old, version) and not allows(new, version) for version in _around(old, new))
    return "major" if any(lost) else "minor"


def _around(*ranges: SpecifierSet) -> Iterator[Version]:
    """Versions at, just above and just below every bound of the ranges: only there they differ."""
    yield Version("0")
    for bound in (one for specifiers in ranges for one in specifiers):
        version = read_version(bound.version.removesuffix(".*")) or Version("0")
        release = [*version.release, 0, 0, 0][:3]
        for place in range(3):
            for step in (-1, 0, 1):
                number = release[place] + step
                for rest in (release[place + 1 :], [0] * (2 - place)):
                    if number >= 0:
                        yield Version(".".join(map(str, [*release[:place], number, *rest])))


def _of_item(item: ItemChange) -> Iterator[Reason]:
    at = _where(item)
    match item.does:
        case "removed":
            yield Reason("major", f"{item.id} is gone", item.old_at)
        case "renamed":
            yield Reason("major", f"{item.was} is now called {item.id}", at)
        case "kind":
            yield Reason("major", f"{item.was} is now {item.id}", at)
        case "added" if item.kind == "requirement":
            yield Reason("major", f"{item.id} is new: what was allowed may be so no longer", at)
        case "added":
            yield Reason("minor", f"{item.id} is new", at)
    for one in item.fields:
        words = f"{one.name} of {item.id} {DONE[one.does]}"
        yield Reason(_of_field(item, one), words, _where(one))
    if item.text is not None and item.does == "changed":
        yield Reason("patch", f"the rules text of {item.id} changed", at)


def _of_field(item: ItemChange, one: FieldChange) -> str:
    """The level of a changed field, by the first rule that knows it."""
    match item.kind, one.path[0]:
        case _, field if WORDS & {field, one.path[-1]}:
            return "patch"
        case kind, _ if kind in NAMING_KINDS:
            return "minor" if one.does == "added" else "major"
        case "setting", "min" | "max" | "type" as field:
            return _of_bound(one, field)
        case "switch", "options" if one.does == "removed":
            return "major"
        case "requirement", "level":
            return "minor" if one.old in (None, "error") else "major"
        case _, "takes" if len(one.path) == 1:
            return _of_parameters(one)
        case kind, field:
            return "major" if field in SIGNATURES and kind != "patch" else "minor"


def _of_bound(one: FieldChange, field: str) -> str:
    """Major for a bound that lets less through than before, and for another type."""
    if field == "type" or one.does == "added":
        return "major"
    if one.does == "removed":
        return "minor"
    old, new = Fraction(str(one.old)), Fraction(str(one.new))
    return "major" if (new > old) == (field == "min") else "minor"


def _of_parameters(one: FieldChange) -> str:
    """New parameters at the end that may be left out break no call; anything else may."""
    old, new = (effect_tree(str(said or ""), "params") for said in (one.old, one.new))
    if old is None or new is None:
        return "major"
    optional = all(more.default is not None for more in new[len(old) :])
    return "minor" if optional and new[: len(old)] == old else "major"
