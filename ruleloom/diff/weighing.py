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
        if before != after:
            yield from _of_field(field, before, after)


def _of_field(field: str, before: Any, after: Any) -> Iterator[Weighed]:
    """The changes of one field of a promise."""
    base = field.partition(".")[0]
    if base in PARAMETERS:
        changes = _of_parameters(before or [], after or [])
        yield from (one._replace(field=field) for one in changes)
    elif list in (type(before), type(after)):
        yield from _of_names(field, before or [], after or [])
    elif base in BOUNDS:
        yield _of_bound(field, before, after)
    elif base != DEPRECATED:
        yield Weighed("minor" if base in STARTS else "major", _changed(field, before, after), field)
    elif before is None:
        yield Weighed("minor", f"it is deprecated: {after}", field)


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
        is_lower = BOUNDS[field.partition(".")[0]] == "lower"
        stricter = before is None or (after is not None and _rose(before, after) == is_lower)
    except ValueError:  # the name of a setting
        return Weighed("major", words, field)
    return Weighed("major" if stricter else "minor", words + ": stricter" * stricter, field)


def _rose(before: Any, after: Any) -> bool:
    return exact(str(after)) > exact(str(before))


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
    gone, kept = [one for one in old if one not in new], [one for one in new if one in old]
    for one in gone:
        yield Weighed("major", f"its parameter `{one}` is gone", part=f"parameter/{one}")
    if sorted(kept, key=[*old].index) != kept:
        yield Weighed("major", f"its parameters come in another order: {', '.join(new)}")
    last = [*new] if gone else [*new][len(kept) :]
    for one, parameter in new.items():
        if one in old:
            yield from _of_parameter(one, old[one], parameter)
        else:
            yield _of_new_parameter(one, parameter, one in last)


def _of_new_parameter(name: str, new: _Parameter, is_last: bool) -> Weighed:
    if not new.default:
        return Weighed("major", f"its parameter `{name}: {new.type}` is new, and required")
    if is_last:
        return Weighed("minor", f"its parameter `{name}` is new, and may be left out")
    return Weighed("major", f"its parameter `{name}` is new, and stands before others")


def _of_parameter(name: str, old: _Parameter, new: _Parameter) -> Iterator[Weighed]:
    if old.type != new.type:
        level = "minor" if new.type == f"{old.type}?" else "major"
        yield Weighed(level, f"its parameter `{name}` was {old.type}, and is {new.type}")
    if old.default and not new.default:
        yield Weighed("major", f"its parameter `{name}` may not be left out any more")
    elif old.default != new.default:
        said = f"was {old.default}, and is {new.default}" if old.default else f"is {new.default}"
        yield Weighed("minor", f"its parameter `{name}` has another default: it {said}")
