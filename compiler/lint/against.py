"""Patches that say against which text they were written: whether it is still that text."""

from __future__ import annotations

from hashlib import sha256

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item
from ruleloom.compiler.yaml.node import text_of
from ruleloom.compiler.yaml.node import written as plain_text

AGAINST = "against"
LENGTH = 8


def moved_on(build: Build) -> None:
    """Warn about each patch whose target says something else than what it was written against."""
    for patch in build.content.by_kind("patch"):
        written = patch.fields.get(AGAINST)
        found = patched_text(build.content, patch) if written is not None else None
        if written is None or found is None or short_hash(found[1]) == text_of(written):
            continue
        target, _ = found
        message = f"`{target.id}` has changed since `{patch.name}` was written against it"
        help = "`ruleloom migrate` shows both texts, `ruleloom fmt --against` takes the new one"
        notes = [Note(target.place, f"`{target.id}` stands here")]
        build.report.warning("moved-on", written.place, message, help, notes)


def patched_text(content: Content, patch: Item) -> tuple[Item, str] | None:
    """The one item that a patch changes, and what it says there before any patch; None for several."""
    found = {
        key: changes[0].old
        for key, changes in content.history.items()
        if any(one.by == patch.id for one in changes)
    }
    ids = {id for id, _ in found}
    target = content.by_id.get(min(ids)) if len(ids) == 1 else None
    if target is None:
        return None
    if len(found) == 1:
        return target, _said(*found.values())
    return target, "\n".join(f"{name}: {_said(old)}" for (_, name), old in sorted(found.items()))


def short_hash(text: str) -> str:
    """The hash of a text, without the ends of its lines."""
    lines = (line.rstrip() for line in text.strip().split("\n"))
    return sha256("\n".join(lines).encode("utf-8")).hexdigest()[:LENGTH]


def _said(old: object) -> str:
    return old if isinstance(old, str) else plain_text(old)
