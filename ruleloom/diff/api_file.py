"""`api.json`, the file of a pack with what it promises, and the version in which each promise came.

A promise may be broken in a version that is high enough, if packs that hold on to it are led on: by
`renamed_from`, by `deprecated` in the version before, or by a rule of migration.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from packaging.version import InvalidVersion, Version

from ruleloom.compiler.packs.content import Content, Pack
from ruleloom.diff.compare import former_names
from ruleloom.diff.promises import Promise, Promises, promises_of
from ruleloom.diff.report import raised
from ruleloom.diff.weighing import DEPRECATED, Weighed, weighed

FILE, FORMAT, SINCE = "api.json", 1, "since"
MIGRATION, LED_ON = "migration", "new name"
LEFT = "`renamed_from:` at its new name, `deprecated:` a version earlier, or a rule of migration"


class Unreadable(Exception):
    """An `api.json` that is none."""


class Recorded(NamedTuple):
    """What a version of a pack promised, by name, with the version that it came in and its line."""

    version: str = ""
    says: Mapping[str, Mapping[str, Any]] = {}
    since: Mapping[str, str] = {}
    lines: Mapping[str, int] = {}


def recorded(file: Path) -> Recorded:
    """The promises in a file, with no version if there is no file. Raises Unreadable."""
    try:
        text = file.read_text(encoding="utf-8")
        data = json.loads(text)
        version, says = str(Version(data["version"])), dict(data["promises"])
        since = {name: str(one.pop(SINCE)) for name, one in says.items()}
        lines = {
            line.split('"')[1]: at for at, line in enumerate(text.splitlines(), 1) if '": {' in line
        }
        if data["format"] != FORMAT:
            raise Unreadable(str(file))
    except FileNotFoundError:
        return Recorded()
    except (OSError, ValueError, KeyError, TypeError, AttributeError, InvalidVersion):
        raise Unreadable(str(file)) from None
    return Recorded(version, says, since, lines)


def api_text(pack: Pack, promises: Promises, before: Recorded) -> str:
    """The file of a pack, with a line for each name, in order."""
    rows = []
    for name, promise in promises.items():
        since = before.since.get(name, pack.version)
        rows.append(f"  {json.dumps(name)}: {json.dumps({SINCE: since, **promise.says})}")
    head = f'{{"format": {FORMAT}, "pack": {json.dumps(pack.id)}, "version": {json.dumps(pack.version)},'
    return "\n".join([head, '"promises": {', ",\n".join(rows), "}}", ""])


class BrokenPromise(NamedTuple):
    """A promise that holds no more: its place, what happened to it, and what would settle it.

    Without a `file`, the place is the line of `api.json`.
    """

    file: str
    line: int
    words: str
    help: str


def broken_promises(content: Content, pack: Pack, before: Recorded) -> Iterator[BrokenPromise]:
    """The promises of a pack that it breaks without a higher version, or without leading on whoever holds
    on to them."""
    promises, new_names = promises_of(content, pack.id), _new_names(content, pack)
    wanted = raised(Version(before.version), "major")
    is_raised = Version(pack.version) >= Version(wanted)
    rules = _rules(content, pack, Version(before.version))
    for name, said in before.says.items():
        now = promises.get(name) or promises.get(new_names.get(name, ""))
        for one in _breaks(said, now, "" if name in promises else new_names.get(name, "")):
            covering = _covering(name, one)
            is_led_on = one.part == LED_ON or not rules.isdisjoint(covering)
            if not (is_led_on or _was_deprecated(said, one)):
                help = f"{LEFT}, `old: {next(iter(covering))}`, would keep it"
            elif not is_raised:
                help = f"the version has to be {wanted} for that"
            else:
                continue
            file, line = _place(now, one) or ("", before.lines[name])
            yield BrokenPromise(file, line, f"{name}: {one.words}", help)


def _breaks(said: Mapping[str, Any], now: Promise | None, new_name: str) -> Iterator[Weighed]:
    """What of a promise holds no more, if it is now this one, perhaps under a new name."""
    if now is None:
        yield Weighed("major", "is gone")
        return
    yield from (one for one in weighed(said, now.says) if one.level == "major")
    if new_name:
        yield Weighed("major", f"is now called {new_name}", part=LED_ON)


def _place(now: Promise | None, one: Weighed) -> tuple[str, int] | None:
    """The file and line of a change; None for a name that is gone."""
    place = None if now is None else now.places.get(one.field, now.place)
    return None if place is None else (place.path, place.line)


def _new_names(content: Content, pack: Pack) -> dict[str, str]:
    """The new name of each item of a pack that has one."""
    items = (item for item in content.items if item.pack == pack.id)
    names = ((item, old) for item in items for old in former_names(item))
    return {f"{item.kind}/{old}": f"{item.kind}/{item.name}" for item, old in names}


def _rules(content: Content, pack: Pack, before: Version) -> set[str]:
    """The names that the rules of migration of a pack lead on from the version before."""
    own = (item for item in content.by_kind(MIGRATION) if item.pack == pack.id)
    new = (one for one in own if before < Version(str(one.data(SINCE))) <= Version(pack.version))
    return {str(one.data("old")) for one in new}


def _covering(name: str, one: Weighed) -> dict[str, None]:
    """The names by which a rule of migration may be about a change of a promise."""
    sort, _, part = one.part.partition("/")
    of = name.rpartition("/")[2] if sort in ("value", "way") else name
    named = f"{sort}/{part}" if sort == "prompt" else f"{sort}/{of}.{part}"
    return dict.fromkeys((named, name) if part else (name,))


def _was_deprecated(said: Mapping[str, Any], one: Weighed) -> bool:
    """Was what is broken deprecated in the version that promised it?"""
    return DEPRECATED in said or f"{DEPRECATED}.{one.part.partition('/')[2]}" in said
