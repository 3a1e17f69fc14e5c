"""The page of a pack: all that it adds, changes and takes out, item by item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ruleloom.api.making import texts_of
from ruleloom.compiler.analysis.words import slug_of
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.output.terminal import paint, safe_lines
from ruleloom.reference.gathered import Gathered
from ruleloom.reference.names import Piece
from ruleloom.reference.word_rows import (
    EventRow,
    KindEntry,
    ThingRow,
    ValueRow,
    events_of,
    kinds_of,
    menus_of,
    other_events,
    queries_of,
    rolls_of,
    things_of,
    variables_of,
    zones_of,
)
from ruleloom.runtime.program.program import Program

# Kinds of items whose texts only the machine reads.
_UNTOLD = ("pack", "scenarios", "patch", "extension", "vocabulary", "clause")


def pack_page(word: str, folders: Sequence[str], card: bool, colour: bool) -> str:
    """The page of the pack that a word names, by its id or folder; empty if it names none of them."""
    result = compiled(folders)
    content = result.content
    if content is None or result.program is None:
        return ""
    here = Path(word).resolve()
    named = (one.id for one in content.packs if word == one.id or one.folder.resolve() == here)
    pack = next(named, "")
    if not pack:
        return ""
    texts = texts_of(content, result.program)
    parts = {
        "adds": dict(_added(pack, content, texts.cards if card else texts.full)),
        **_compared(pack, content, texts.cards),
    }
    return "\n\n".join(
        f"{paint(f'{pack} {head}', 'bold', on=colour)}:\n\n{_listed(some, colour)}"
        for head, some in parts.items()
        if some
    )


def _added(pack: str, content: Content, texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for item in content.items:
        if item.pack == pack and item.kind not in _UNTOLD:
            yield item.id, texts[item.id]


def _compared(
    pack: str, content: Content, now: Mapping[str, str]
) -> Mapping[str, Mapping[str, str]]:
    """The items that a pack changes, before and after, and those that it takes out."""
    changed = _changed(content, pack)
    before = _texts_without(pack, content) if changed or content.disabled else {}
    told = {
        f"{id} ({', '.join(filter(None, names))})": _both(id, before, now)
        for id, names in changed.items()
        if id in now
    }
    gone = {item.id: before.get(item.id, "") for item in content.disabled}
    return {"changes": told, "takes out": gone}


def _listed(texts: Mapping[str, str], colour: bool) -> str:
    """Items, each below its id."""
    return "\n\n".join(
        f"{paint(id, 'bold', on=colour)}\n{safe_lines(text)}".rstrip() for id, text in texts.items()
    )


def _texts_without(pack: str, content: Content) -> Mapping[str, str]:
    """The cards of a game without a pack, and without those that build on it."""
    folders = [str(one.folder) for one in content.packs if pack not in (one.id, *one.needs)]
    below = compiled(folders)
    if below.content is None or below.program is None:
        return {}
    return texts_of(below.content, below.program).cards


def _changed(content: Content, pack: str) -> dict[str, list[str]]:
    """The items of other packs that a pack changes, each with the fields that it changes."""
    found: dict[str, list[str]] = {}
    for (id, name), changes in content.history.items():
        if any(one.pack == pack for one in changes):
            found.setdefault(id, []).append(name)
    return found


def _both(id: str, before: Mapping[str, str], now: Mapping[str, str]) -> str:
    """The lines of an item before a change and after it, without those that are the same in both."""
    old, new = (
        before.get(id, "").splitlines(),
        now[id].splitlines()[:-1],
    )  # the last says who did it
    return "\n".join((*_differing("before", old, new), *_differing("now", new, old)))


def _differing(when: str, lines: Sequence[str], others: Sequence[str]) -> Iterator[str]:
    yield from (f"{when}: {line}" for line in lines if line not in others)


class FoundPages(NamedTuple):
    """The pages of a word, each with its game, and all words that have some."""

    found: tuple[tuple[str, str], ...]
    words: tuple[str, ...]


def broken_pack(packs: Sequence[str]) -> str:
    """The pack in which the first mistake stands, or, if that is in none, the first of these; empty
    without mistakes."""
    result = compiled(packs)
    errors = [one.place.path for one in result.diagnostics if one.severity == "error"]
    files = result.content.files if result.content is not None else {}
    found = (files[path][0] for path in errors if path in files)
    return next(found, packs[0]) if errors else ""


def compiled(packs: Sequence[str]) -> CompileResult:
    """The program of packs with the texts of their items."""
    return compile_paths(packs, texts=True, reasons=False, scenarios=False)


def pages_of(word: str, groups: Sequence[Sequence[str]]) -> FoundPages:
    """The pages of a word in the vocabularies of games."""
    games: list[tuple[Content, Program]] = []
    for result in map(compiled, groups):
        if result.program is not None and result.content is not None:
            games.append((result.content, result.program))
    known = [(content.game, WordPages(content, program)) for content, program in games]
    found = tuple((game, safe_lines(page)) for game, pages in known for page in pages.of(word))
    return FoundPages(found, tuple(sorted({one for _, pages in known for one in pages.words})))


MOST_NAMED = 12
# A word, and the function that writes its page: few pages are wanted.
WordPage = tuple[str, Callable[[], list[str]]]


class WordPages:
    """The words of one game with their pages."""

    def __init__(self, content: Content, program: Program) -> None:
        self._made = Gathered(content, program)

    @property
    def words(self) -> frozenset[str]:
        """Every word that has a page."""
        return frozenset(word for word, _ in self._all())

    def of(self, word: str) -> list[str]:
        """The pages of a word, each as a text."""
        wanted = slug_of(word)
        return ["\n".join(lines()) for name, lines in self._all() if slug_of(name) == wanted]

    def _all(self) -> Iterator[WordPage]:
        yield from self._called()
        yield from self._things()
        yield from self._values()
        for kind in kinds_of(self._made):
            yield kind.name, partial(_kind, kind)

    def _called(self) -> Iterator[WordPage]:
        """Operations, moments, queries, events, rolls and menus."""
        made = self._made
        for sort, rows in (
            ("operation", events_of(made, moments=False)),
            ("moment", events_of(made, moments=True)),
            ("query", queries_of(made)),
        ):
            yield from ((row.name, partial(self._event, sort, row)) for row in rows)
        for event in other_events(made):
            yield event.name, partial(_page, f"event {event.name}", "answered by", event.items)
        for roll in rolls_of(made):
            head = f"roll {roll.name}: {roll.about}"
            yield roll.name, partial(_page, head, "rolled by", roll.items)
        for menu, item in menus_of(made):
            yield menu.name, partial(_page, f"menu {menu.called}", "stands in", [item])

    def _things(self) -> Iterator[WordPage]:
        """The things of a game with their fields, and where they lie; the variables."""
        made = self._made
        for thing in things_of(made):
            yield thing.name, partial(self._thing, thing)
            head = f"{thing.name}."
            yield from ((row.name, partial(self._value, head, row)) for row in thing.fields)
        for sort, values in (("zone", zones_of(made)), ("variable", variables_of(made))):
            yield from ((row.name, partial(self._value, f"{sort} ", row)) for row in values)

    def _event(self, sort: str, row: EventRow) -> list[str]:
        lines = [f"{sort} {_text(row.called)}", *([f"  {row.english}"] if row.english else [])]
        lines += [f"  {note}" for note in row.notes]
        done = row.done_by or self._users(row.name)
        return [*lines, *_named("used by", done), *_named("answered by", row.answered_by)]

    def _thing(self, row: ThingRow) -> list[str]:
        lines = [f"entity {row.name}: {row.noun}"]
        lines += [f"  made by items of the kind {' and '.join(row.kinds)}"] if row.kinds else []
        return [*lines, *(f"  {_declared(one)}" for one in row.fields)]

    def _value(self, before: str, row: ValueRow) -> list[str]:
        lines = [f"{before}{_declared(row)}", *([f"  {row.english}"] if row.english else [])]
        return [*lines, *_named("used by", self._users(row.name))]

    def _values(self) -> Iterator[WordPage]:
        for enum, values in self._made.symbols.enums.items():
            yield enum, partial(_page, f"enum {enum}: {', '.join(values)}")
            for value in values:
                users = self._users(value)
                yield value, partial(_page, f"value {value} of {enum}", "used by", users)

    def _users(self, word: str) -> Sequence[Piece]:
        return self._made.users.get(word, ())


def _page(head: str, what: str = "", mentions: Iterable[Piece] = ()) -> list[str]:
    return [head, *_named(what, mentions)]


def _kind(kind: KindEntry) -> list[str]:
    lines = [f"kind {kind.name}{f', which makes a {kind.makes}' if kind.makes else ''}"]
    lines += [f"  {kind.about}"] if kind.about else []
    rows = (row for row in kind.fields if row.depth == 0)
    return [*lines, *(f"  {row.name}: {row.help or row.title}".rstrip(": ") for row in rows)]


def _declared(row: ValueRow) -> str:
    return f"{row.name}: {_text(row.type)} ({', '.join(row.notes)})"


def _text(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def _named(what: str, mentions: Iterable[Piece]) -> list[str]:
    names = list(dict.fromkeys(one.text for one in mentions))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return [f"  {what} {', '.join(names[:MOST_NAMED])}{more}"] if names else []
