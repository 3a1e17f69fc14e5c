"""The texts of rows with their holes filled, for certain readers.

What a reader may not know is only `a card` or `something hidden`; what is gone has no name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.machine.labels import fill, joined, title_text
from ruleloom.runtime.program.program import Condition, Expr, Words
from ruleloom.runtime.program.state import State, TemplateScope
from ruleloom.runtime.program.texts import with_holes
from ruleloom.runtime.program.values import Dynamic, Slots, Type, Value

Readers = tuple[int, ...]
Hides = Callable[[Type, Value], bool]
Name = Callable[[Type, Value], str]

SECRET = "something hidden"
# A list in a hole can be as long as a deck; nobody reads more than this.
LONGEST = 2_000


def moment_of(linked: Linked, state: State) -> TemplateScope:
    """The scope of the running routine in this state."""
    assert state.frame is not None
    frame = state.frame
    routine = linked.routines[frame.routine].id
    return TemplateScope(routine, state.world, frame.slots, state.scope, frame.ignored, frame.pc)


def worded(linked: Linked, words: Words, moment: TemplateScope, readers: Readers) -> str:
    """A text as all of `readers` may read it; without readers as the host may."""
    if isinstance(words, str):
        return words
    filled = partial(_filled, linked, moment, readers)
    text = joined(
        linked,
        (
            (one, False) if isinstance(one, str) else (filled(*one), one[1] == "Int")
            for one in words
        ),
    )
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def _filled(linked: Linked, moment: TemplateScope, readers: Readers, expr: Expr, type_: str) -> str:
    def hides(of: Type, thing: Value) -> bool:
        return any(secrecy.hides(one, of, thing, (moment.world,), derived) for one in strangers)

    def name(of: Type, thing: Value) -> str:
        past = moment.scope[linked.together] if linked.together is not None else None
        for world in (moment.world, *([past[1]] if past else ())):
            if not linked.is_gone(of, thing, world):
                return title_text(linked, world, of, thing)
        return f"{unnamed(linked, of.name, 1)} that is gone"

    try:
        secrecy = secrecy_of(linked)
        value = linked.test(-1, expr)(moment.world, moment.slots, moment.scope, moment.rules)
        derived = secrecy.derived.of(moment.routine, expr, moment.pc)
        about = (moment.routine, expr, moment.slots)
        strangers = [one for one in readers if not secrecy.was_told(one, *about)]
        return listed(linked, Type.parse(type_), value, hides, name)
    except Exception:
        # A text cannot stop a game: what cannot be worked out is of something that is gone.
        return "something that is gone"


def listed(linked: Linked, type_: Type, value: Dynamic, hides: Hides, name: Name) -> str:
    """A value as `name` words it; hidden things are only counted, anything else hidden is secret."""
    item = type_.item if type_.many else type_
    things = value if type_.many and value is not None else (value,)
    if not things:
        return SECRET if hides(type_, value) else "none"
    hidden = [thing for thing in things if hides(item, thing)]
    if hidden and item.name not in linked.entities:
        return SECRET
    texts = [name(item, thing) for thing in things if thing not in hidden]
    if hidden:
        texts.append(SECRET if hidden == [None] else unnamed(linked, item.name, len(hidden)))
    return ", ".join(texts)


def as_written(linked: Linked, words: Words, routine: str) -> str:
    """The text as its author wrote it, with its holes."""
    if isinstance(words, str):
        return words
    return with_holes(words, linked.routines[linked.routine_index[routine]].names)


def unnamed(linked: Linked, kind: str, count: int) -> str:
    """`a card`, `3 cards`."""
    entity = linked.entities[kind]
    if count != 1:
        return f"{count} {entity.plural}"
    return f"{'an' if entity.singular[:1].lower() in 'aeiou' else 'a'} {entity.singular}"


def needs(linked: Linked, condition: Condition, slot: int, value: Value, *reading: Dynamic) -> str:
    """The need of a condition that fails for `value` in `slot` (-1: of none), in words."""
    said = f"needs: {fill(linked, condition.english, reading, slot, value)}"
    if not linked.restricted:
        return said
    world, slots, scope, rules = reading
    own = list(slots)
    if slot >= 0:
        own[slot] = value

    def value_of(expr: Expr, slots: Slots) -> Dynamic:
        return linked.test(-1, expr)(world, slots, scope, rules)

    reason = _reason(linked, condition.test, own, value_of)
    return f"{said} ({reason})" if reason else said


def _reason(
    linked: Linked, expr: Expr, slots: Slots, value_of: Callable[[Expr, Slots], Dynamic]
) -> str:
    """Why a condition that does not hold is restricted; empty if it fails for anything else.

    The machine runs a restricted rule as one expression; `Program.stats` has its parts.
    """
    form = expr[0]
    if form in ("and", "or"):
        failing = [part for part in expr[1:2] if not value_of(part, slots)]
        if form == "or" or not failing:
            # What stands behind a part that fails may have no value: it was never asked.
            failing += expr[2:]
        return next(filter(None, (_reason(linked, one, slots, value_of) for one in failing)), "")
    if form not in ("function", "allowed"):
        return ""
    args = tuple(value_of(arg, slots) for arg in expr[2:])
    base, restrictions = linked.restricted.get(expr[1], (linked.bodies[expr[1]], ()))
    if not restrictions or not value_of(base, args):
        return _reason(linked, base, args, value_of)
    tests = ((one.label, one.test) for one in restrictions)
    return next((label for label, test in tests if test is None or value_of(test, args)), "")
