"""Questions to players: options, the player asked, dead ends, and free texts.

A question suspends the run; None means that no question was needed. A use that cannot be carried out
fizzles: it has no effect, nor has any caller that waits for its result.

A text that would affect a screen, or deceive its reader, is refused. Rules can only compare texts: any
two new ones lead to the same result, so look-ahead tries one for all of them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache

from ruleloom.runtime.link.link import Copies, Linked
from ruleloom.runtime.machine.registers import (
    ASK,
    DEAD,
    Run,
    Suspension,
    player_asked,
    readers,
    stopped,
)
from ruleloom.runtime.program.expr import OfPart, constants_of
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.program import (
    Ask,
    Choose,
    Condition,
    Expr,
    Modal,
    Row,
    Secret,
    SecretForSome,
)
from ruleloom.runtime.program.safe_text import MARKS, MARKS_IN_A_ROW, is_hidden, spelled
from ruleloom.runtime.program.state import Frame, State, frames
from ruleloom.runtime.program.values import (
    Column,
    Dynamic,
    FrozenMap,
    Rules,
    Scope,
    Slots,
    Type,
    Value,
    World,
)

LONGEST_TEXT = 2_000
SOME_TEXT = "..."
"""The stand-in for any new text."""


def own_words(typed: object) -> str:
    """A typed text as the game stores it; Refused, with the reason, if it is not allowed."""
    if type(typed) is not str:
        raise Refused("this takes a text")
    text = typed.strip()
    if not text:
        raise Refused("this takes a text, and nothing was written")
    if len(text) > LONGEST_TEXT:
        size = f"this one has {len(text):,}"
        raise Refused(f"a text has 1 to {LONGEST_TEXT:,} characters, and {size}")
    marks = 0
    for place, char in enumerate(text, 1):
        marks = marks + 1 if unicodedata.category(char) in MARKS else 0
        if is_hidden(char):
            hidden = f"the character {spelled(char)} at place {place} cannot be seen"
            raise Refused(f"{hidden}, and no text may hold it")
        if marks > MARKS_IN_A_ROW:
            many = f"there are more than {MARKS_IN_A_ROW} marks on one letter"
            raise Refused(f"{many} at place {place}")
    return text


def may_write(text: object) -> bool:
    """Is this a text as the game stores it?"""
    try:
        return bool(own_words(text) == text)
    except Refused:
        return False


def some_text(linked: Linked, state: State) -> str:
    """A text found neither in the rules nor in this state: `...`, or with more dots."""
    known, text = _known(linked, state), SOME_TEXT
    while text in known:
        text += "."
    return text


def is_new(linked: Linked, state: State, text: str) -> bool:
    """Is this text found neither in the rules nor in this state? All such texts are equivalent."""
    return text not in _known(linked, state)


def known_texts(linked: Linked, state: State) -> Iterator[str]:
    """The allowed texts of the rules and of this state, in a fixed order."""
    yield from sorted(filter(may_write, _known(linked, state)))


def _known(linked: Linked, state: State) -> Set[str]:
    """The texts of the rules and of this state."""
    columns = (state.world[number] for number in _text_columns(linked))
    slots = (frame.slots for frame in frames(state.frame))
    return {*_in_rules(linked), *_texts((*columns, state.scope, *slots))}


@lru_cache(maxsize=8)
def _text_columns(linked: Linked) -> tuple[int, ...]:
    columns = enumerate(linked.layout.columns)
    return tuple(number for number, column in columns if column.type.name == "Text")


@OfPart
def _in_part(part: object) -> frozenset[str]:
    """The constant texts of a part of a program."""
    return frozenset([text for value in constants_of(part) for text in _texts(value)])


@lru_cache(maxsize=8)
def _in_rules(linked: Linked) -> frozenset[str]:
    """Every constant text of the program, except the values of enums."""
    program = linked.program
    options = {value for _, values in program.enums for value in values}
    parts = (*program.routines, *program.functions, *program.stats)
    found = set[str]().union(*map(_in_part, parts))
    for entity in program.entities:
        types = {field.name: Type.parse(field.type).name for field in entity.fields}
        for name, values in entity.static:
            found |= set(_texts(values)) if types[name] == "Text" else set()
    found |= set(_texts(tuple(linked.settings.values())))
    return frozenset(found - options)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(tuple(value.values()))
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _texts(one)


def response_of(linked: Linked, frame: Frame | None) -> Frame | None:
    """The innermost running response to an event, or None."""
    responses = linked.response_routines
    return next((one for one in frames(frame) if one.routine in responses), None)


def waits_calmly(linked: Linked, frame: Frame | None) -> bool:
    """Are all callers of a frame at safe points, up to a certain roll?"""
    while frame is not None:
        routine, pc = linked.routines[frame.routine], frame.pc
        if not routine.calm[pc]:
            return False
        if routine.barred[pc]:
            return True
        frame = frame.parent
    return True


def stands_apart(linked: Linked, frame: Frame | None, asked: Frame | None, replied: bool) -> bool:
    """Does something run here that the answer to a question did not choose?

    This holds for a response that was not running yet when the question was asked. If another player
    than the acting one has `replied` in a response, it holds for all after that.
    """
    here, there = response_of(linked, frame), response_of(linked, asked)
    if here is None:
        return replied and there is not None
    if there is None:
        return True
    return here.routine != there.routine or here.parent is not there.parent


def foresees(r: Run, ensured: bool = False) -> bool:
    """Does this run look ahead for dead ends that the answer must not lead to?

    A failed `ensured` text does not concern a player who has replied in another text that it uses.
    """
    if r.live or (ensured and _is_past_reply(r)):
        return False
    return not stands_apart(r.linked, r.frame, r.asked, r.reply is not None)


def _is_past_reply(r: Run) -> bool:
    reply = r.reply
    if reply is None:
        return False
    return all(
        one.parent is not reply.parent or one.routine != reply.routine for one in frames(r.frame)
    )


def fizzle(r: Run, reason: str) -> None:
    """End the running use, and every caller that waits for its result, undoing their effects.

    A flow is not a use. Anything before a roll, a draw or another player's answer stands.
    """
    name, depth = r.routine.id, _outermost_ended(r)
    if depth is not None:
        r.restore(depth)
    r.tell("fizzled", name, (reason,), r.world)
    while r.frame is not None:
        waiting = r.frame.slot >= 0
        r.leave(None)
        if not waiting:
            return


def _outermost_ended(r: Run) -> int | None:
    """The depth of the outermost use that ends with the running one; None if none does."""
    ended = None
    for frame in frames(r.frame):
        if frame.parent is None and frame.routine in (r.linked.turn, r.linked.set_up):
            return ended
        ended = frame.depth
        if frame.slot < 0:
            return ended
    return ended


def dead_end(r: Run, reason: str, ensured: bool = False) -> Suspension | None:
    """Handle an impossible requirement: a dead end in look-ahead, else the running use fizzles.

    A response is nobody's choice: it fizzles alone, and its cause can still be done.
    """
    if foresees(r, ensured):
        return stopped(r, DEAD, reason=reason)
    fizzle(r, reason)
    return None


def reply(r: Run, by: Expr | None) -> None:
    """Note that a player other than the acting one has answered.

    Effects of that answer stand, even if the text responded to, or one that uses this, fails.
    """
    if by is not None and player_asked(r, by)[0] != r.me:
        r.reply = response_of(r.linked, r.frame) or r.frame


def choose(r: Run, row: Choose) -> Suspension | None:
    """A choice of one thing or of several."""
    found = r.options(row)
    if row.count != "one":
        return _choose_set(r, row, found)
    if found:
        several = without_likes(r.linked, r.world, row.type, found)
        return stopped(r, ASK, several, player_asked(r, row.by))
    if _asks_regardless(r):
        return stopped(r, ASK, (), player_asked(r, row.by))
    return r.take(row.slot, None) if row.or_none else dead_end(r, "")


def _asks_regardless(r: Run) -> bool:
    assert r.frame is not None
    return r.linked.asks_regardless(r.frame.routine, r.pc)


def _choose_set(r: Run, row: Choose, found: list[Value]) -> Suspension | None:
    """A choice of several things, or of an order of all; no question for the order of one."""
    several = tuple(dict.fromkeys(found))
    if row.count == "order":
        if len(several) > 1:
            return stopped(r, ASK, several, player_asked(r, row.by))
        return r.take(row.slot, several)
    if found or row.count == "exactly":
        least, most = set_limits(r.linked, row, len(found), *r.reading)
        if len(found) < least and not _asks_regardless(r):
            return dead_end(r, "there are too few to choose from")
        several = several if most and len(found) >= least else ()
    if several or _asks_regardless(r):
        return stopped(r, ASK, several, player_asked(r, row.by))
    return r.take(row.slot, ())


def _seen_of(
    copies: Copies, world: World, things: Sequence[int], items: Sequence[str]
) -> Iterator[tuple[Value, ...]]:
    """The item, places and fields of each copy."""
    where = [map(_places(kind, world[column]).get, things) for column, kind in copies.zones]
    fields = [map(world[column].__getitem__, things) for column in copies.fields]
    return zip(items, *where, *fields, strict=True)


def without_likes(
    linked: Linked, world: World, type_name: str, found: Iterable[Value]
) -> tuple[Value, ...]:
    """The candidates without duplicates, and of identical copies the first.

    Copies differ in their visible state: their item, their fields, and where they lie.
    """
    several = tuple(dict.fromkeys(found))
    copies = linked.copies.get(type_name) if len(several) > 1 else None
    if copies is None:
        return several
    things = [thing for thing in several if isinstance(thing, int)]
    items = [copies.items[thing] for thing in things]
    if len(set(items)) == len(items):
        return several  # all items differ, so no two are alike
    first: dict[tuple[Value, ...], int] = {}
    for seen, thing in zip(_seen_of(copies, world, things, items), things, strict=True):
        first.setdefault(seen, thing)
    kept = {*first.values(), None}
    return tuple([one for one in several if one in kept])


def _places(kind: str, column: Column) -> dict[int, Value]:
    """The place of each thing in a zone: its holder, its point, or just True."""
    if kind == "each":
        return {thing: player for player, held in enumerate(column) for thing in held}
    if kind == "under":
        return {thing: place for place, held in column.items() for thing in held}
    if kind == "map":
        return {held: point for point, held in column.items()}
    return dict.fromkeys(column, True)


def set_limits(
    linked: Linked, row: Choose, size: int, w: World, e: Slots, s: Scope, g: Rules
) -> tuple[int, int]:
    """The least and the most options in a set choice from `size`."""
    if row.limit is None:
        return (size, size) if row.count == "order" else (0, size)
    limit = max(0, linked.compiled(row.limit)(w, e, s, g))
    return (limit, limit) if row.count == "exactly" else (0, min(limit, size))


def chosen(r: Run, row: Choose, value: Value) -> Suspension | None:
    """Take the chosen value, or the answer that nothing fits."""
    reply(r, row.by)
    if value in (None, ()) and is_compulsory(r.linked, row, *r.reading):
        return dead_end(r, "")
    return r.take(row.slot, value)


def is_compulsory(linked: Linked, row: Choose, w: World, e: Slots, s: Scope, g: Rules) -> bool:
    """Must something be chosen?"""
    if row.or_none or row.count == "one":
        return not row.or_none
    return set_limits(linked, row, 0, w, e, s, g)[0] > 0


def modal(r: Run, row: Modal) -> Suspension | None:
    """A choice of modes."""
    tests = enumerate(r.linked.opens(row))
    found = tuple([at for at, test in tests if test is None or test(*r.reading)])
    return stopped(r, ASK, found, player_asked(r, row.by)) if found else dead_end(r, "")


def ask(r: Run, row: Ask) -> Suspension | None:
    """A prompt for a text; one new text represents all of them."""
    return stopped(r, ASK, (some_text(r.linked, r.state()),), player_asked(r, row.by))


def heard(r: Run, row: Ask, text: Value) -> None:
    """Take a written text, which everybody reads."""
    reply(r, row.by)
    if text is not None:
        r.tell("written", row.name, (text, player_asked(r, row.by)[0]), r.world)
    r.take(row.slot, text)
    r.seal()


NOT_EVERYBODY = "not everybody has something to choose"


def secret(r: Run, row: Secret) -> Suspension | None:
    """A choice that several players make at the same time, each without seeing the others'."""
    r.slots[row.slot] = FrozenMap()
    players = () if _asks_regardless(r) else r.value(row.players)
    if not all(secret_options(r.linked, row, player, *r.reading) for player in players):
        return dead_end(r, NOT_EVERYBODY)
    return still_secret(r, row)


def secret_options(
    linked: Linked, row: Secret, player: int, w: World, e: Slots, s: Scope, g: Rules
) -> tuple[Value, ...]:
    """The options of one player in a simultaneous secret choice."""
    own = list(e)
    own[row.player_slot] = player
    found = tuple(linked.options(row)(w, own, s, g))
    return (*found, None) if row.or_none else found


def still_secret(r: Run, row: Secret) -> Suspension | None:
    """Wait for the missing answers; once all are in, reveal them, if everybody had one to give."""
    table: FrozenMap = r.slots[row.slot]
    waiting = tuple(player for player in r.value(row.players) if player not in table)
    if waiting:
        return stopped(r, ASK, (), waiting)
    if not row.or_none and None in table.values():
        r.seal()
        return dead_end(r, NOT_EVERYBODY)
    seen_by = readers(r, row.seen_by if isinstance(row, SecretForSome) else None)
    r.tell("revealed", row.name, (table, row.type), r.world, seen_by)
    r.pc += 1
    r.seal()
    return None


def conditions_of(row: Row, value: Dynamic) -> tuple[tuple[Condition, ...], int, Dynamic]:
    """The conditions of a candidate of a choice, with its slot and its value there."""
    if isinstance(row, Modal):
        return row.modes[value].conditions, -1, None
    return (row.conditions, row.slot, value) if isinstance(row, Choose) else ((), -1, None)
