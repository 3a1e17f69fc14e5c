"""Weighs changes of promises: major is what may break a text that was written for the promise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ruleloom.runtime.program.values import exact

DEPRECATED = "deprecated"
PARAMETERS = ("takes", "params")
BOUNDS = {"min": "lower", "max": "higher", "least": "lower", "most": "higher"}
"""For each bound, which new value lets more pass."""
STARTS = ("value", "default", "initial")
# The noun for an entry of each list, and the sort by which a rule of migration names it.
LISTS = {
    "values": ("value", "value"),
    "options": ("option", "option"),
    "ways": ("way", "way"),
    "steps": ("step", "step"),
    "asks": ("prompt", "prompt"),
    "told": ("value", "parameter"),
}


class Weighed(NamedTuple):
    """A change of a promise: its level, what happened, and the field and the part in which it did."""

    level: str
    words: str
    field: str = ""
    part: str = ""


def weighed(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Weighed]:
    """What changed between two promises of one name, weighed."""
    for field in {**old, **new}:
        before, after = old.get(field), new.get(field)
        base = field.partition(".")[0]
        if before == after or base == DEPRECATED:
            if before is None and after is not None:
                yield Weighed("minor", f"it is deprecated: {after}", field)
        elif base in PARAMETERS:
            yield from (
                one._replace(field=field) for one in _of_parameters(before or [], after or [])
            )
        elif isinstance(before, list) or isinstance(after, list):
            yield from _of_names(field, before or [], after or [])
        elif base in BOUNDS:
            yield _of_bound(field, before, after)
        else:
            level = "minor" if base in STARTS else "major"
            yield Weighed(level, _changed(field, before, after), field)


def _changed(field: str, before: Any, after: Any) -> str:
    if before is None:
        return f"`{field}` is new: {after}"
    return f"`{field}` is gone" if after is None else f"`{field}` was {before}, and is {after}"


def _of_names(field: str, old: Sequence[str], new: Sequence[str]) -> Iterator[Weighed]:
    """Changes of a list of names, such as the ways of a menu."""
    noun, sort = LISTS.get(field, ("key", "key"))
    gone, came = [one for one in old if one not in new], [one for one in new if one not in old]
    for one in gone:
        yield Weighed("major", f"its {noun} `{one}` is gone", field, f"{sort}/{one}")
    yield from (Weighed("minor", f"its {noun} `{one}` is new", field) for one in came)
    if not (gone or came) and list(old) != list(new):
        yield Weighed("minor", f"its {noun}s come in another order", field)


def _of_bound(field: str, before: Any, after: Any) -> Weighed:
    """The change of a bound: major if less passes than before."""
    words = _changed(field, before, after)
    try:
        way = BOUNDS[field.partition(".")[0]] == "lower"
        stricter = after is not None and (
            before is None or (exact(str(after)) > exact(str(before))) == way
        )
    except ValueError:  # the name of a setting
        return Weighed("major", words, field)
    return (
        Weighed("major", f"{words}: stricter", field)
        if stricter
        else Weighed("minor", words, field)
    )


class _Parameter(NamedTuple):
    """A parameter as promised: its type, and its default if it has one."""

    type: str
    default: str


def _parameters_of(said: Sequence[str]) -> dict[str, _Parameter]:
    found = {}
    for one in said:
        name, _, rest = one.partition(":")
        type_, _, default = rest.partition("=")
        found[name.strip()] = _Parameter(type_.strip(), default.strip())
    return found


def _of_parameters(said: Sequence[str], now: Sequence[str]) -> Iterator[Weighed]:
    """Changes of parameters: minor if whoever hands over what was promised is still understood."""
    old, new = _parameters_of(said), _parameters_of(now)
    gone, came = [one for one in old if one not in new], [one for one in new if one not in old]
    yield from (
        Weighed("major", f"its parameter `{one}` is gone", part=f"parameter/{one}") for one in gone
    )
    kept = [one for one in new if one in old]
    if kept != [one for one in old if one in new]:
        yield Weighed("major", f"its parameters come in another order: {', '.join(new)}")
    for one in came:
        last = list(new).index(one) >= len(kept)
        if not new[one].default:
            yield Weighed("major", f"its parameter `{one}: {new[one].type}` is new, and required")
        elif last or gone:
            yield Weighed("minor", f"its parameter `{one}` is new, and may be left out")
        else:
            yield Weighed("major", f"its parameter `{one}` is new, and stands before others")
    for one in kept:
        yield from _of_parameter(one, old[one], new[one])


def _of_parameter(name: str, old: _Parameter, new: _Parameter) -> Iterator[Weighed]:
    if old.type != new.type:
        level = "minor" if new.type == f"{old.type}?" else "major"
        yield Weighed(level, f"its parameter `{name}` was {old.type}, and is {new.type}")
    if old.default and not new.default:
        yield Weighed("major", f"its parameter `{name}` may not be left out any more")
    elif old.default != new.default:
        said = f"was {old.default}, and is {new.default}" if old.default else f"is {new.default}"
        yield Weighed("minor", f"its parameter `{name}` has another default: it {said}")
