"""Names in manifests and citations: unknown clauses, and chapters with unknown or duplicate names.

A ledger is all items of the kind `clause`. It is optional: an id is only unknown if its book, the word
before its first dot, is in a ledger, or if it resembles a clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from ruleloom.compiler.diagnostics.report import Diagnostic, Note, Report
from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.packs.content import Content, Item, slug_of
from ruleloom.compiler.packs.settings import notice
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.yaml.node import YamlNode, entries_of, fields_of, items_of
from ruleloom.runtime.dataclass import dataclass

CLAUSE = "clause"
NARRATIVE = "narrative"
# Kinds with clauses at deeper levels, too.
VOCABULARIES = ("vocabulary", "extension")
TOLD = ("flow", "power", "fusion")
Named = Iterator[tuple[str, Place]]


def cited_clauses(build: Build) -> None:
    """Report each cited clause that no ledger has."""
    content = build.content
    ledger, below = Ledger(content), content.built_upon
    changed = {id for id, _ in content.history}
    clauses = {item.id for item in ledger.clauses.values()}
    if content.disabled or content.renamed or clauses & changed or not ledger.kept_by <= below:
        below = set()  # their citations may be invalid now
    for item in content.items:
        for node in cited_by(item) if item.pack not in below or item.id in changed else ():
            pack, _ = content.files[node.place.path]
            ledger.check(node, pack, build.report)


def cited_by(item: Item) -> Iterator[YamlNode]:
    """Yield the nodes of the clauses that an item cites."""
    one = item.fields.get(CLAUSE)
    if one is not None and one.kind == "text":
        yield one
    yield from items_of(item.fields.get("clauses"))
    if item.kind in VOCABULARIES:
        for node in items_of(item.fields.get("always")):
            yield from items_of(node.get("clauses"))


@dataclass(frozen=True, eq=False)
class Ledger:
    """The clauses of the packs of a game."""

    content: Content

    @cached_property
    def clauses(self) -> Mapping[str, Item]:
        """All clauses by their ids."""
        return {item.name: item for item in self.content.by_kind(CLAUSE)}

    @cached_property
    def books(self) -> frozenset[str]:
        """The books of the clauses."""
        return frozenset(map(book_of, self.clauses))

    @cached_property
    def kept_by(self) -> frozenset[str]:
        """The ids of the packs with clauses."""
        return frozenset(item.pack for item in self.clauses.values())

    def faults(self, cited: YamlNode | None, pack: str) -> Iterator[Diagnostic]:
        """Yield the errors of clauses cited in a pack: missing, or renamed."""
        report = Report()
        for node in items_of(cited):
            self.check(node, pack, report)
        yield from report.found

    def check(self, node: YamlNode, pack: str, report: Report) -> None:
        """Report a clause, cited in a pack, that is unknown or renamed."""
        cited = node.text or node.raw
        if cited in self.clauses or not self.clauses or self._may_be_there:
            return
        old = self.content.renamed.get((CLAUSE, cited))
        if old is not None:
            notice(report, node.place, cited, old, old.name)
            return
        close = did_you_mean(cited, self.clauses)
        if close or book_of(cited) in self.books or pack in self.kept_by:
            help = (
                close or "an item of `kind: clause` writes it down: its `id`, `place` and `words`"
            )
            report.error("unknown-clause", node.place, f"there is no clause `{cited}`", help)

    @cached_property
    def _may_be_there(self) -> bool:
        """Whether a broken part may declare any clause."""
        return not self.content.complete or self.content.poisoned.may_hold(CLAUSE)

    def needs_none(self, id: str) -> bool:
        """Whether a clause is narrative, which no case has to prove."""
        item = self.clauses.get(id)
        return item is not None and item.data("sort") == NARRATIVE

    def note(self, id: str) -> Note | None:
        """A note with the place and words of a clause; None if no ledger has it."""
        item = self.clauses.get(id)
        return None if item is None else Note(item.place, f"`{id}`: {told(item)}")


def book_of(id: str) -> str:
    """The first word of a clause id, common to one ledger."""
    return id.partition(".")[0]


def told(item: Item) -> str:
    """The words of a clause, with place and page."""
    page = item.data("page")
    found = [str(item.data("place") or ""), f"page {page}" if page else ""]
    where = ", ".join(filter(None, found))
    return f"{item.data('words')} ({where})" if where else str(item.data("words"))


def rulebook_names(build: Build) -> None:
    """Report unknown names in the chapters of a pack, and names in two chapters."""
    known = {item.slug for item in build.content.items if item.kind in TOLD}
    for pack in build.content.packs:
        seen: set[str] = set()
        for name, place in _told(pack.manifest):
            if name in seen:
                message = f"`{name}` is in another chapter already"
                build.report.error("told-twice", place, message, "name it in one of them")
            seen.add(name)
        headings = entries_of(pack.manifest.fields.get("rulebook")).get("headings")
        headed = ((name, place) for name, _, place in fields_of(headings))
        for name, place in (*_told(pack.manifest), *headed):
            if slug_of(name) not in known and not build.content.poisoned.may_declare(name):
                message = f"there is no power or flow `{name}`"
                build.report.error("unknown-power", place, message, did_you_mean(name, known))


def _told(manifest: Item) -> Named:
    """The names in all chapters."""
    for chapter in items_of(entries_of(manifest.fields.get("rulebook")).get("chapters")):
        begins = chapter.get("begins")
        for node in (*([begins] if begins is not None else ()), *items_of(chapter.get("tells"))):
            yield node.text or "", node.place
