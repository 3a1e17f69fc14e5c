"""What a word of a vocabulary is: an operation, a query, an event, a sort of thing, a field, a value.

In goes a compiled game and a word; out come its pages as plain lines, none for a word that is
nobody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from ruleloom.compiler.analysis.words import slug_of
from ruleloom.compiler.packs.content import Content
from ruleloom.reference.gathered import Gathered, Mention
from ruleloom.reference.kind_fields import KindEntry, kinds_of
from ruleloom.reference.names import Piece
from ruleloom.reference.word_rows import (
    EventRow,
    ThingRow,
    ValueRow,
    events_of,
    menus_of,
    other_events,
    queries_of,
    rolls_of,
    things_of,
    variables_of,
    zones_of,
)
from ruleloom.runtime.program.program import Program

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

    def _users(self, word: str) -> Sequence[Mention]:
        return self._made.users.get(word, ())


def _page(head: str, what: str = "", mentions: Iterable[Mention] = ()) -> list[str]:
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


def _named(what: str, mentions: Iterable[Mention]) -> list[str]:
    names = list(dict.fromkeys(one.text for one in mentions))
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return [f"  {what} {', '.join(names[:MOST_NAMED])}{more}"] if names else []
