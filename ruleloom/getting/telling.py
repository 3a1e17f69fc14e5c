"""What a pack is, wants, sets and changes, in words, for whoever is to say whether it is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from ruleloom.compiler.packs.content import Change
from ruleloom.compiler.packs.kept import KEPT, KeptPack
from ruleloom.compiler.packs.locate import BUILTIN, shipped_packs
from ruleloom.getting.adding import NewPack
from ruleloom.output.terminal import count_of
from ruleloom.runtime.program.safe_text import safe_text

WIDTH, LONGEST = 96, 60
QUIET = ("scenarios", "patch", "extension", "clause")
"""Kinds that are not counted among what a pack adds: patches are listed one by one."""


def told(one: NewPack, before: KeptPack | None, coming: Sequence[str]) -> str:
    """All that is said of a pack before it is kept; packs in `coming` are to be kept with it."""
    title, game = one.manifest.item.data("title"), one.manifest.game
    lines = [f"{one.kept.id} {one.kept.version}{f': {title}' if title else ''} (for {game})"]
    last = ""
    for head, text in _rows(one, before, coming):
        for line in wrap(safe_text(text), WIDTH):
            lines.append(f"  {head if head != last else '':<11}{line}")
            last = head
    if one.content.history:
        see = f"`ruleloom diff {game} {KEPT}/{one.kept.file}`"
        lines.append(f"  {see} says what that means in play, once it is kept")
    return "\n".join(map(safe_text, lines))


def _rows(
    one: NewPack, before: KeptPack | None, coming: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """What is said, each under a head; of what is not there the text is empty."""
    data, commit = one.manifest.item.data, one.kept.commit[:12]
    yield "about", str(data("about") or "")
    yield "by", ", ".join(map(str, data("authors") or ()))
    yield "licence", str(data("licence") or "none: nobody who gets it may share it")
    yield "from", one.arrived.shown + (f", commit {commit}" if commit else "")
    yield "sha256", one.kept.sha256
    yield "instead of", f"{before.version}, which is kept" if before is not None else ""
    yield "wants", _wants(one, coming)
    yield "switches", _values(data("switches"))
    yield "settings", _values(data("settings"))
    yield "adds", _adds(one)
    yield from (("changes", change) for change in _changes(one))


def _wants(one: NewPack, coming: Sequence[str]) -> str:
    shipped = {*shipped_packs(BUILTIN)}
    written = {id: str(wanted.value) for id, wanted in one.manifest.requires.items()}
    found = {id: written.get(id, "") for id in one.manifest.needs()}
    where = {
        id: "comes with Ruleloom" if id in shipped else "comes along" for id in (*shipped, *coming)
    }
    return "; ".join(
        f"{id}{f' {wanted}' if wanted else ''} ({where.get(id, 'is kept')})"
        for id, wanted in found.items()
    )


def _values(found: Mapping[str, Any] | None) -> str:
    return ", ".join(f"{name} = {value}" for name, value in (found or {}).items())


def _adds(one: NewPack) -> str:
    own = (item.kind for item in one.content.items if item.pack == one.kept.id)
    counts = Counter(kind for kind in own if kind not in QUIET)
    return ", ".join(count_of(number, kind) for kind, number in counts.items())


def _changes(one: NewPack) -> Iterator[str]:
    """The items of other packs that it changes, each with the fields."""
    items, found = one.content.by_id, dict[str, list[str]]()
    for (id, field), changes in one.content.history.items():
        own = [change for change in changes if change.pack == one.kept.id]
        item = items.get(id)
        if own and (item is None or item.pack != one.kept.id):
            found.setdefault(id, []).append(_change(field, own))
    yield from (f"{id} ({', '.join(fields)})" for id, fields in sorted(found.items()))


def _change(field: str, changes: Sequence[Change]) -> str:
    """One field, with short values."""
    last = changes[-1]
    values = [str(one) for one in (changes[0].old, last.new)]
    if not field:
        return last.op
    if any(len(one) > LONGEST or "\n" in one for one in values) or last.old is None:
        return f"{field}: {last.op}"
    return f"{field} {' -> '.join(values)}"
