"""The settings and switches of one game: the program's own values, and those chosen instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from ruleloom.runtime.program.faults import OutOfRange, Refused
from ruleloom.runtime.program.program import Program, Setting
from ruleloom.runtime.program.values import LARGEST, Dynamic, Value, exact, plain_number

SORTS: Mapping[str, tuple[tuple[type, ...], str]] = {
    "Int": ((int,), "a whole number"),
    "Fraction": ((int, Fraction), "a number such as 3 or 1/2"),
    "Bool": ((bool,), "yes or no"),
}


def settings_of(program: Program, chosen: Mapping[str, Dynamic]) -> dict[str, Dynamic]:
    """The settings and switches of a game, with `chosen` over the program's own values.

    Raises Refused for an unknown name or a value that does not fit, OutOfRange with all numbers
    that do not lie within their limits.
    """
    known = {s.name: s for s in program.settings}
    found = {name: s.value for name, s in known.items()}
    beyond: list[str] = []
    for name, value in chosen.items():
        setting = known.get(name)
        if setting is None:
            raise Refused(f"there is no switch or setting `{name}`")
        found[name] = _meant(setting.type, value)
        try:
            _check_setting(program, setting, found[name])
        except OutOfRange as error:
            beyond.append(error.reason)
    if beyond:
        raise OutOfRange("; ".join(beyond))
    return found


def as_seen(program: Program, chosen: Mapping[str, Dynamic]) -> Program:
    """The program of a game with these settings: what a switch opens is seen by all."""
    opened = [z for z in program.zones if z.open_if and chosen[z.open_if[0]] == z.open_if[1]]
    zones = tuple(replace(z, seen_by="all") if z in opened else z for z in program.zones)
    return replace(program, zones=zones) if opened else program


def _check_setting(program: Program, setting: Setting, value: Dynamic) -> None:
    """Refuse a value outside of what the rules were checked for."""
    options = setting.options or dict(program.enums).get(setting.type, ())
    if options:
        if value not in options:
            raise Refused(f"`{setting.name}` is one of {', '.join(options)}, not `{value}`")
        return
    wanted, said = SORTS.get(setting.type, ((str,), "a text"))
    if type(value) not in wanted:
        raise Refused(f"`{setting.name}` is {said}, and `{value}` is none")
    if int in wanted:
        low = -LARGEST if setting.low is None else setting.low
        high = LARGEST if setting.high is None else setting.high
        if low == high != value:
            why = "its pack gives it no `min` and `max` to change it within"
            raise Refused(f"`{setting.name}` is {low}: {why}")
        if not low <= value <= high:
            raise OutOfRange(f"`{setting.name}` is a number from {low} to {high}, not {value}")


def _meant(type_: str, value: Value) -> Value:
    """`yes` and `no`, `1/4` and `0.25` as they are typed; anything else as it came."""
    if type_ == "Bool":
        return value == "yes" if value in ("yes", "no") else value
    if type_ == "Fraction" and isinstance(value, str | Fraction):
        try:
            return exact(value) if isinstance(value, str) else plain_number(value)
        except ValueError:
            return value
    return value
