"""Corrections by hand: a changeable field of a thing, or a variable of the game.

Names and values come as typed or from a save; `Refused` says what would be right. Only `put` changes
anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, NoReturn

from ruleloom.runtime.dataclass import Frozen
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import title_text, unique_keys, value_text, value_texts
from ruleloom.runtime.program import values as v
from ruleloom.runtime.program.faults import Refused
from ruleloom.runtime.program.interval import lies_within
from ruleloom.runtime.program.program import Entity
from ruleloom.runtime.program.state import State
from ruleloom.runtime.program.values import Dynamic, Scope, Type, Value, World

LONGEST_REASON = 500
LONGEST_TEXT = 500
MOST_NAMED = 8
PLAIN: Mapping[str, tuple[tuple[type, ...], str]] = {
    "Int": ((int,), "a whole number"),
    "Fraction": ((int, Fraction), "a number"),
    "Bool": ((bool,), "yes or no"),
    "Text": ((str,), "a text"),
}
_POINT = re.compile(r"-?[0-9]{1,15}/-?[0-9]{1,15}")


class Correction(NamedTuple):
    """A value set by hand, in stable names.

    `field` is a column (`Piece.pips`) of `thing`, or a variable of the game if `thing` is None; `key` is
    the entry of a table. `value` is a number, yes or no, none, the name of anything else, or a tuple of
    those.
    """

    field: str
    thing: str | None
    key: str | None
    value: Value
    reason: str


class CorrectionTarget(Frozen):
    """The place of a changeable value: column `index` at `thing`, or a scope variable.

    With `by`, an enum or a kind of things, it is the entry `key` of a table, which omits `unset` values.
    """

    name: str
    index: int
    thing: int | None
    by: str
    key: Value
    type: Type
    low: int | None = None
    high: int | None = None
    unset: Value = None

    def value(self, state: State) -> Dynamic:
        """The value in a state."""
        return self.held(state.world, state.scope)

    def held(self, world: World, scope: Scope) -> Dynamic:
        """The value in a world and scope."""
        whole = scope[self.index] if self.thing is None else world[self.index][self.thing]
        return whole.get(self.key, self.unset) if self.by and whole is not None else whole


def place_of(
    linked: Linked, state: State, field: str, thing: str | None, key: str | None = None
) -> CorrectionTarget:
    """The place of `field` of `thing` (a name or title; None for a variable of the game).

    Raises Refused for unknown names, printed values, and an extra or missing key.
    """
    if thing is None:
        return _variable(linked, state, field, key)
    entity, name, number = _owner(linked, state, field, thing)
    column = f"{entity.name}.{name}"
    index = linked.layout.index[column]
    info = next(one for one in entity.fields if one.name == name)
    if info.by and not isinstance(state.world[index][number], v.FrozenMap):
        raise Refused(f"`{name}` is kept as no table here, so no entry of it can be set right")
    found_key, type_ = _key(linked, state.world, name, info.by, key), Type.parse(info.type)
    limits = (info.low, info.high, info.initial)
    return CorrectionTarget(column, index, number, info.by, found_key, type_, *limits)


def _owner(linked: Linked, state: State, field: str, thing: str) -> tuple[Entity, str, int]:
    """The thing of this name, with its kind and the name of the field."""
    owners = _owners(linked, field)
    if not owners:
        _refuse_field(linked, field)
    found = ((*owner, thing_of(linked, state.world, owner[0], thing)) for owner in owners)
    meant = [(one, name, number) for one, name, number in found if number is not None]
    if len(meant) == 1:
        return meant[0]
    if meant:
        fields = " or ".join(f"`{one.name}.{field}`" for one, _, _ in meant)
        raise Refused(f"`{thing}` may be several things: write {fields}")
    raise _nobody(linked, state, thing, [one for one, _ in owners])


def _nobody(linked: Linked, state: State, thing: str, kinds: Sequence[Entity]) -> Refused:
    """The refusal of a name that no thing of these kinds has."""
    nouns = " or ".join(one.singular for one in kinds)
    names = [name for one in kinds for name in things_there(linked, state.world, one)]
    return Refused(f"no {nouns} `{thing}` is there{_among(names)}")


def _variable(linked: Linked, state: State, name: str, key: str | None) -> CorrectionTarget:
    known = {one.name: one for one in linked.program.scope}
    meant = same_name(name, known)
    if meant is None:
        if _owners(linked, name):
            raise Refused(f"`{name}` is a field: say of which thing, as in `{name}(NAME)`")
        if _printed(linked, name):
            raise Refused(f"`{name}` is printed and never changes")
        raise Refused(f"there is no field or variable `{name}`{_among(known)}")
    index = linked.scope_index[meant]
    type_ = Type.parse(known[meant].type)
    by = v.PLAYER.name if type_.by_player else ""
    found_key = _key(linked, state.world, meant, by, key)
    entry = Type(type_.name, type_.many, type_.optional)
    limits = known[meant].low, known[meant].high
    return CorrectionTarget(meant, index, None, by, found_key, entry, *limits)


def _owners(linked: Linked, field: str) -> list[tuple[Entity, str]]:
    """The kinds of things with this changeable field, and its exact name in each."""
    kind, dot, name = field.rpartition(".")
    kinds = [one for one in linked.program.entities if not dot or one.name == kind]
    found = ((one, same_name(name, _changing(one))) for one in kinds)
    return [(one, meant) for one, meant in found if meant is not None]


def _refuse_field(linked: Linked, field: str) -> NoReturn:
    kind, dot, name = field.rpartition(".")
    if _printed(linked, name):
        raise Refused(f"`{name}` is printed and never changes")
    entities = [one for one in linked.program.entities if not dot or one.name == kind]
    known = sorted({one for entity in entities for one in _changing(entity)})
    raise Refused(f"there is no changeable field `{field}`{_among(known)}")


def _changing(entity: Entity) -> list[str]:
    return [field.name for field in entity.changing]


def _printed(linked: Linked, name: str) -> bool:
    return any(same_name(name, dict(one.static)) for one in linked.program.entities)


def same_name(name: str, known: Iterable[str]) -> str | None:
    """The known name for a typed one: itself, or the only one that differs in case alone."""
    names = list(known)
    if name in names:
        return name
    close = [one for one in names if _folded(one) == _folded(name)]
    return close[0] if len(close) == 1 else None


def _folded(name: str) -> str:
    return re.sub(r"[-_ ]+", "-", name.strip()).lower()


def _among(known: Iterable[str]) -> str:
    names = list(known)
    if not names:
        return ""
    more = ", ..." if len(names) > MOST_NAMED else ""
    return f"; there is {', '.join(f'`{one}`' for one in names[:MOST_NAMED])}{more}"


def things_there(linked: Linked, world: World, entity: Entity) -> dict[str, int]:
    """The present things of one kind, by their unique names."""
    every, column = range(linked.layout.number_there(entity.name)), linked.column_of(entity.name)
    there = [i for i in every if column is None or world[column][i] is not None]
    texts = value_texts(linked, world, Type(entity.name), there)
    return dict(zip(unique_keys(texts), there, strict=True))


def thing_of(linked: Linked, world: World, entity: Entity, text: str) -> int | None:
    """The present thing with this name or title; None unless exactly one matches."""
    there = things_there(linked, world, entity)
    name = same_name(text, there)
    if name is not None:
        return there[name]
    titles = ((i, title_text(linked, world, Type(entity.name), i)) for i in there.values())
    titled = [i for i, title in titles if _folded(title) == _folded(text)]
    return titled[0] if len(titled) == 1 else None


def _key(linked: Linked, world: World, name: str, by: str, key: str | None) -> Value:
    """The table key; None for a plain value."""
    if not by:
        if key is not None:
            raise Refused(f"`{name}` is one value, without entries such as `{key}`")
        return None
    options = linked.layout.enums.get(by)
    keys = things_there(linked, world, linked.entities[by]) if options is None else options
    if key is None:
        raise Refused(f"`{name}` has several entries: say which{_among(keys)}")
    found: Value = same_name(key, keys)
    if options is None:
        found = thing_of(linked, world, linked.entities[by], key)
    if found is None:
        raise Refused(f"`{name}` has no entry `{key}`{_among(keys)}")
    return found


def value_meant(linked: Linked, world: World, place: CorrectionTarget, value: Dynamic) -> Dynamic:
    """A value converted to a place's type; Refused if it does not fit."""
    found = value_as(linked, world, place.type, value)
    low, high = place.low, place.high
    if not isinstance(found, int | Fraction) or place.type.name not in ("Int", "Fraction"):
        return found
    if lies_within(found, low, high):
        return found
    wanted = f"a number from {low} to {high}"
    if low is None or high is None:
        wanted = f"at least {low}" if high is None else f"at most {high}"
    raise Refused(f"`{place.name.rpartition('.')[2]}` is {wanted}, not {found}")


def value_as(linked: Linked, world: World, type_: Type, value: Dynamic) -> Dynamic:
    """Plain data converted to a type; Refused if it does not fit."""
    if type_.many:
        if not isinstance(value, list | tuple):
            raise Refused(f"a list is wanted here ({type_})")
        items = tuple(value_as(linked, world, type_.item, one) for one in value)
        if type_.repeats:
            return tuple(sorted(items, reverse=True))
        if len(set(items)) != len(items):
            raise Refused("a list names nothing twice")
        return items
    if value is None:
        if not type_.optional:
            raise Refused(f"there has to be a value here, {_takes(linked, type_)}")
        return None
    found = _single(linked, world, type_, value)
    if found is None:
        text = str(value)
        shown = text if len(text) <= 60 else text[:57] + "..."
        raise Refused(f"`{shown}` is not {_takes(linked, type_)}")
    return found


def _single(linked: Linked, world: World, type_: Type, value: Dynamic) -> Value:
    """One value of a type, or None."""
    name, layout = type_.name, linked.layout
    if name in PLAIN:
        kinds, _ = PLAIN[name]
        return value if type(value) in kinds and _is_kept(value) else None
    if type(value) is not str:
        return None
    if name in layout.points:
        return v.parse_point(value) if _POINT.fullmatch(value) else None
    if name in layout.enums:
        return same_name(value, layout.enums[name])
    kind = linked.entities.get(name)
    return thing_of(linked, world, kind, value) if kind is not None else None


def _is_kept(value: Value) -> bool:
    """Is a value within the limits of a save?"""
    if isinstance(value, int | Fraction):
        return max(abs(value.numerator), value.denominator) <= v.LARGEST
    return not isinstance(value, str) or len(value) <= LONGEST_TEXT


def _takes(linked: Linked, type_: Type) -> str:
    options = linked.layout.enums.get(type_.name)
    if options:
        return f"one of {', '.join(options)}"
    entity = linked.entities.get(type_.name)
    if entity is not None:
        return f"the name of a {entity.singular} that is there"
    return PLAIN[type_.name][1] if type_.name in PLAIN else "a place, such as 2/1"


def spoken(type_: Type, text: str) -> Dynamic:
    """A typed text as a value of this type: a number, yes or no, none, or a list."""
    text = text.strip()
    if type_.many:
        parts = [] if text in ("none", "") else text.split(",")
        return tuple(spoken(type_.item, part) for part in parts)
    if text == "none" and type_.optional:
        return None
    if type_.name == "Bool":
        return {"yes": True, "no": False}.get(text, text)
    if type_.name in ("Int", "Fraction"):
        try:
            return v.exact(text.removeprefix("+"))
        except ValueError:
            return text
    return text


def plain_value(linked: Linked, world: World, type_: Type, value: Dynamic) -> Dynamic:
    """A value in names, which `value_meant` reads back."""
    if type_.many:
        return tuple(plain_value(linked, world, type_.item, one) for one in value)
    entity = linked.entities.get(type_.name)
    if value is not None and entity is not None:
        there = things_there(linked, world, entity).items()
        return next(name for name, number in there if number == value)
    if value is None or isinstance(value, int | Fraction):
        return value
    return value_text(linked, world, type_, value)


def written(
    linked: Linked, state: State, place: CorrectionTarget, value: Dynamic, reason: str
) -> Correction:
    """The correction as a journal stores it."""
    world = state.world
    kind = Type(place.name.partition(".")[0])
    thing = None if place.thing is None else plain_value(linked, world, kind, place.thing)
    key = plain_value(linked, world, Type(place.by), place.key) if place.by else None
    return Correction(place.name, thing, key, plain_value(linked, world, place.type, value), reason)


def put(state: State, place: CorrectionTarget, value: Dynamic) -> State:
    """The state with this value set."""
    if place.thing is None:
        value = _entered(place, state.scope[place.index], value)
        return state._replace(scope=v.with_entry(state.scope, place.index, value))
    column = state.world[place.index]
    column = v.with_entry(column, place.thing, _entered(place, column[place.thing], value))
    return state._replace(world=v.with_entry(state.world, place.index, column))


def _entered(place: CorrectionTarget, whole: Dynamic, value: Dynamic) -> Dynamic:
    if not place.by:
        return value
    table: v.FrozenMap = whole if whole is not None else v.FrozenMap()
    unset = place.thing is not None and value == place.unset
    return table.without(place.key) if unset else table.with_item(place.key, value)


def checked_reason(reason: object) -> None:
    """Refuse a reason other than a text of 1 to 500 characters."""
    if type(reason) is not str or not reason.strip() or len(reason) > LONGEST_REASON:
        raise Refused(f"a correction needs a reason, a text of 1 to {LONGEST_REASON} characters")
