"""Content items of one kind with the same title: most often one was copied from the other."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item


def check(build: Build) -> None:
    """Warn about each item that has the title of an earlier one of its kind."""
    below = build.content.built_upon
    first: dict[tuple[str, str], Item] = {}
    for item in build.content.items:
        title = item.fields.get("title")
        if item.kind not in build.symbols.kinds or title is None or not title.text:
            continue
        other = first.setdefault((item.kind, " ".join(title.text.casefold().split())), item)
        if other is not item and item.pack not in below:
            message = f"`{other.name}` has the title `{title.text}`, too"
            notes = [Note(other.fields["title"].place, "the first one")]
            build.report.warning("same-title", title.place, message, "another title", notes)
