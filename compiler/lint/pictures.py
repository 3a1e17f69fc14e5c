"""Pictures: each is of one item that is there."""

from __future__ import annotations

from ruleloom.compiler.diagnostics.report import Note
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.yaml.node import text_of


def pictures(build: Build) -> None:
    """Report pictures of nothing, and of what may be several items."""
    for picture in build.content.by_kind("picture"):
        node = picture.fields["of"]
        found = build.content.items_called(text_of(node))
        if not found:
            message = f"there is no item `{text_of(node)}` for this picture"
            help = did_you_mean(text_of(node), sorted({one.name for one in build.content.items}))
            build.report.error("unknown-name", node.place, message, help)
        elif len(found) > 1:
            notes = [Note(one.place, f"this is {one.id}") for one in found[:3]]
            message = f"`{text_of(node)}` may be several items"
            build.report.error("unknown-name", node.place, message, f"`{found[0].id}`", notes)
