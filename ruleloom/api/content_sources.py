"""The sources of rules, from the content of packs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.walk import MANIFEST
from ruleloom.runtime.program.faults import Origin
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.texts import with_settings
from ruleloom.store.rule_sources import NumberItem, PackSource, PatchBehind, RuleSources, root_of

KINDS = ("stat", "measure", "rule", "table")
# Fields that no number depends on.
PROSE = frozenset({"title", "text", "english", "gloss", "help", "clauses"})


def sources_of(content: Content) -> RuleSources:
    """The places of the rules of this content, and the changes of patches."""
    numbers = [item for item in content.items if item.kind in KINDS]
    places = content.rule_places()
    return RuleSources(
        packs=tuple(_packs(content)),
        numbers={
            item.slug: NumberItem(item.id, item.place.path, item.place.line) for item in numbers
        },
        places=places,
        fields=content.patched_fields(),
        rows=content.patched_rows(),
        row_fields=content.patched_row_places(),
        changed=dict(_changed(content, places)),
        patches=tuple(_patches(content)),
        folders=content.folders,
    )


def _packs(content: Content) -> Iterator[PackSource]:
    """The packs with all their files."""
    files: dict[str, list[str]] = {pack.id: [] for pack in content.packs}
    manifests = {}
    for shown, (pack, file) in content.files.items():
        files[pack].append(file)
        if file == MANIFEST:
            manifests[pack] = shown
    for pack, names in files.items():
        yield PackSource(pack, manifests[pack], tuple(names))


def _changed(content: Content, places: dict[str, Origin]) -> Iterator[tuple[Origin, str]]:
    """The changed items, by the origins of the items and their rules."""
    changed = {id for id, field in content.history if root_of(field) not in PROSE}
    items = [item for item in content.items if item.id in changed]
    yield from ((places[item.id], item.id) for item in items)
    yield from ((content.origin(item.place), item.id) for item in items)


def _patches(content: Content) -> Iterator[PatchBehind]:
    """The patches of fields that affect numbers."""
    versions = {pack.id: pack.version for pack in content.packs}
    for (item, field), changes in content.history.items():
        if root_of(field) not in PROSE:
            for one in changes:
                yield PatchBehind(
                    *(item, field, one.by, one.pack, versions[one.pack]),
                    *(content.files[one.path][1], one.line, one.old, one.new),
                )


def printed_text_at(content: Content, program: Program) -> Callable[[str, int], str]:
    """The printed text of the item behind a thing, by entity and number."""
    settings = {one.name: one.value for one in program.settings}
    texts = {
        content.origin(item.place): with_settings(text.strip(), settings)
        for item in content.items
        if isinstance(text := item.data("text"), str)
    }

    def text_of(entity: str, number: int) -> str:
        places = program.entity(entity).places
        return texts.get(places[number], "") if number < len(places) else ""

    return text_of
