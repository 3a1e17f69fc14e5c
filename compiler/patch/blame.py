"""Placement of findings: a mistake is reported in the pack that causes it, wherever it shows.

A pack can break a text of another one: it patches the item, disables what the text uses, or takes a
name. The findings and the content go in, with the findings of fewer packs or items to compare; the
findings come out. One caused by another pack is placed at that pack's change, with a note where it
shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field, replace

from packaging.version import Version

from ruleloom.compiler.diagnostics.report import Diagnostic, Note
from ruleloom.compiler.diagnostics.suggest import Suggestion
from ruleloom.compiler.packs.content import Change, Content, Item, Pack, slug_of
from ruleloom.compiler.packs.manifest import read_range
from ruleloom.compiler.packs.ownership import Belonging
from ruleloom.compiler.source.file import Place
from ruleloom.runtime.dataclass import dataclass

MOST_TRIED = 24
"""After this many compilations the likeliest cause of a finding is taken."""
WORD = re.compile(r"[A-Za-z_][\w-]*")

Spot = tuple[str, int, int, str, str]
Alone = Callable[[frozenset[str], Sequence[Item]], Collection[Spot]]
"""The spots of the findings of some packs, without some items."""


def spot_of(found: Diagnostic) -> Spot:
    """The place, code and first name of a finding, as two may have one place."""
    name = WORD.match(found.message.partition("`")[2])
    about = name[0] if name is not None else ""
    return found.place.path, found.place.line, found.place.column, found.code, about


def without(items: Iterable[Item]) -> dict[str, str]:
    """The texts of files with some items blanked out."""
    texts: dict[str, str] = {}
    for item in items:
        source, start, end = item.source.written(item.node.start, item.node.end)
        text = texts.get(source.path, source.text)
        blank = re.sub(r"[^\n]", " ", text[start:end])
        texts[source.path] = f"{text[:start]}{blank}{text[end:]}"
    return texts


def with_blame(
    found: Sequence[Diagnostic], content: Content, alone: Alone
) -> tuple[Diagnostic, ...]:
    """The findings, each placed in the pack that causes it."""
    variants = [item for item in content.items if item.node.key_sources]
    blame = _Blame(content, Belonging.of(content), alone, variants)
    claims = {one: blame.claim(one) for one in found}
    placed: dict[object, Diagnostic] = {}
    for one, claim in claims.items():
        moved = one if claim is None else blame.moved(claim)
        key = (moved.place, moved.code, moved.help) if moved is not one else len(placed)
        first = placed.setdefault(key, moved)
        if first is not moved:
            says = "here, too" if moved.message == first.message else moved.message
            placed[key] = replace(first, notes=(*first.notes, Note(one.place, says)))
    return tuple(placed.values())


@dataclass(frozen=True, slots=True, eq=False)
class _Cause:
    """The likely cause of a finding, and the help for a fix there."""

    place: Place
    help: str | None = None
    is_sure: bool = False


@dataclass(slots=True, eq=False)
class _Claim:
    """A finding that some packs cause in another one, and its likely causes, the likeliest first, by the
    item to leave out; None for a sure cause."""

    found: Diagnostic
    home: str
    packs: tuple[str, ...]
    likely: dict[Item | None, _Cause]


@dataclass(slots=True, eq=False)
class _Blame:
    content: Content
    belonging: Belonging
    alone: Alone
    variants: Sequence[Item]
    known: dict[tuple[str, ...], Collection[Spot]] = field(default_factory=dict)
    named: dict[tuple[str, ...], dict[Item | None, _Cause]] = field(default_factory=dict)
    """The likely causes of all findings, by the packs that cause them."""

    def claim(self, found: Diagnostic) -> _Claim | None:
        """The claim that a finding is caused by a pack above that of its place; None if it is not."""
        home = self.belonging.pack(found.place)
        above = [one for one, below in self.belonging.below.items() if home in below - {one}]
        takers = [one for one, _ in self._takers(found.place) if one.pack == home]
        if not (above or takers) or self._is_in([home], found, takers) or self._is_met(found, home):
            return None
        packs = [one for one in (home, *above) if self._is_in([one], found)][:1] or above
        likely: dict[Item | None, _Cause] = {}
        for cause in self._causes(found, packs):
            item = None if cause.is_sure else self.content.item_at(cause.place)
            likely.setdefault(item, cause)
        claim = _Claim(found, home, tuple(packs), likely)
        self.named.setdefault(claim.packs, {}).update(likely)
        return claim

    def _is_met(self, found: Diagnostic, home: str) -> bool:
        """Is it between a pack and strangers at the places of its notes, whoever else requires them?"""
        met = [o.place for o in found.notes if self.belonging.are_strangers(o.place, found.place)]
        packs = {home, *map(self.belonging.pack, met)}
        return bool(met) and self._is_in(sorted(packs), found)

    def moved(self, claim: _Claim) -> Diagnostic:
        """A finding placed at its cause, with a note where it shows."""
        found, home, cause = claim.found, claim.home, self._cause(claim)
        notes = [one for one in found.notes if one.place != cause.place]
        by = self.belonging.pack(cause.place)
        shown = Note(found.place, self._since(home, by) if by != home else "it shows here")
        return replace(found, place=cause.place, help=cause.help, notes=(shown, *notes))

    def _is_in(self, packs: Sequence[str], found: Diagnostic, less: Sequence[Item] = ()) -> bool:
        """Is the finding there with only these packs and those they build on, without the items of `less`?"""
        below = frozenset[str]().union(*(self.belonging.below[pack] for pack in packs))
        if below >= self.belonging.below.keys() and not less:
            return True
        key = (*packs, *(one.id for one in less))
        if key not in self.known:
            self.known[key] = self.alone(below, less)
        return spot_of(found) in self.known[key]

    # ------------------------------------------------------------------ what brings it

    def _cause(self, claim: _Claim) -> _Cause:
        """The cause whose removal removes a finding."""
        found, packs, likely = claim.found, claim.packs, claim.likely
        if None in [*likely][:1]:
            return likely[None]
        every = [item for item in self.content.items if item.pack in packs]
        for items in ([*filter(None, self.named[packs])], every):
            item = self._numbered(found, packs, items)
            if item in likely:
                return likely[item]
            if item is not None and not self._is_in(packs, found, [item]):  # not among the likely
                speaks_of_it = not self._words(found).isdisjoint(_names_in(item.node.raw))
                return _Cause(item.place, _kept_help(found) if speaks_of_it else None)
        for item, cause in likely.items():
            if (
                item is None
                or len(self.known) > MOST_TRIED
                or not self._is_in(packs, found, [item])
            ):
                return cause
        return _Cause(self.content.pack(packs[0]).manifest.fields["game"].place)

    def _numbered(
        self, found: Diagnostic, packs: Sequence[str], items: Sequence[Item]
    ) -> Item | None:
        """The item without which a finding is gone: items are numbered, and for each binary digit those with
        that digit set are left out, so that a few compilations serve all findings."""
        number = sum(
            1 << digit
            for digit in range(len(items).bit_length())
            if not self._is_in(packs, found, [o for n, o in enumerate(items, 1) if n >> digit & 1])
        )
        return items[number - 1] if 0 < number <= len(items) else None

    def _causes(self, found: Diagnostic, packs: Collection[str]) -> Iterator[_Cause]:
        """The possible causes of a finding in these packs, the likeliest first."""
        words = self._words(found)
        for variant, name in self._takers(found.place):
            if variant.pack in packs:
                yield _Cause(variant.place, f"give `{variant.name}` its own `{name}:`")
        yield from self._disabling(found, words, packs)
        for note in found.notes:
            if self.belonging.pack(note.place) in packs:
                yield _Cause(note.place, _kept_help(found))
        item = self.content.item_at(found.place)
        if item is not None:
            yield from self._changing(item, words, packs)
        yield from self._named(words, packs)

    def _words(self, found: Diagnostic) -> frozenset[str]:
        """The slugs in the text at the place of a finding."""
        source = self.content.sources.get(found.place.path)
        text = source.text_at(found.place) if source is not None else ""
        return frozenset(map(slug_of, WORD.findall(text)))

    def _takers(self, place: Place) -> Iterator[tuple[Item, str]]:
        """The items with a field inherited from this place, each with the name of the field."""
        for item in self.variants:
            for name, node in item.fields.items():
                if place.begins_within(node.place) and not item.wrote(node):
                    yield item, name

    def _disabling(
        self, found: Diagnostic, words: Collection[str], packs: Collection[str]
    ) -> Iterator[_Cause]:
        gone = (item for item in self.content.disabled if item.slug in words)
        for item, _, change in self._changed(gone, packs):
            help = f"patch what uses `{item.id}`, too"
            yield _Cause(self._place(change), help, found.code.startswith("unknown-"))

    def _changing(
        self, item: Item, words: Collection[str], packs: Collection[str]
    ) -> Iterator[_Cause]:
        """The changes of an item: first those that remove a name, then each field's last change first."""
        found = [*self._changed([item], packs)]
        for _, _, change in found:
            lost = _names_in(change.old) - _names_in(change.new)
            for word in sorted(lost & set(words)):
                help = f"keep `{word}` in the new text, as what it replaces has it"
                yield _Cause(self._place(change), help)
        for _, name, change in reversed(found):
            help = f"make the new `{name}` fit the rest of `{item.id}`"
            yield _Cause(self._place(change), help)

    def _named(self, words: Collection[str], packs: Collection[str]) -> Iterator[_Cause]:
        """The named items: patched ones, and those of these packs."""
        for item in self.content.items:
            if item.slug in words:
                help = f"patch what uses `{item.id}`, too"
                for _, _, change in self._changed([item], packs):
                    yield _Cause(self._place(change), help)
                if item.pack in packs:
                    yield _Cause(item.place, help)

    def _changed(
        self, items: Iterable[Item], packs: Collection[str]
    ) -> Iterator[tuple[Item, str, Change]]:
        """The changes of items by these packs, each with the name of its field."""
        for item in items:
            for (id, name), changes in self.content.history.items():
                if id == item.id:
                    yield from ((item, name, one) for one in changes if one.pack in packs)

    def _place(self, change: Change) -> Place:
        """The line of a change."""
        line = self.content.sources[change.path].line_text(change.line)
        start, end = len(line) - len(line.lstrip(" -")), len(line)
        return Place(change.path, change.line, start + 1, change.line, end + 1)

    # ------------------------------------------------------------------ where it shows

    def _since(self, home: str, by: str) -> str:
        """The note on the versions in which a finding shows."""
        game = self.content.pack(home)
        older = _oldest(self.content.pack(by), home)
        if older is None:
            return f"here, in `{home}` {game.version}; since which version is not known"
        if older >= Version(game.version):
            return f"here, in `{home}` {game.version}"
        return f"here, in `{home}` {game.version}; `{by}` also accepts {older}, which may differ"


def _kept_help(found: Diagnostic) -> str | None:
    """The help of a finding, unless it corrects the word at its place."""
    return None if isinstance(found.help, Suggestion) else found.help


def _names_in(text: object) -> set[str]:
    return set(map(slug_of, WORD.findall(text))) if isinstance(text, str) else set()


def _oldest(pack: Pack, needed: str) -> Version | None:
    """The oldest version of another pack that a manifest allows, or None."""
    requires = pack.manifest.fields.get("requires")
    written = requires.get(needed) if requires is not None else None
    if written is None:
        return None
    lows = (
        one for one in read_range(str(written.value)) if one.operator in (">=", "==", "~=", ">")
    )
    return max((Version(one.version.removesuffix(".*")) for one in lows), default=None)
