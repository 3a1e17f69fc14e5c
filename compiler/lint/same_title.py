"""Content items of one kind with the same title, which nobody at the table can tell apart.

Most often one was copied and only its `id` changed. Of an item in a pack that another pack builds on
nothing is said: that is for its own authors.
"""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.lint.unused import built_upon
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Item


def check(build: Build) -> None:
    """Warn about each item that has the title of an earlier one of its kind."""
    below = built_upon(build.content)
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
