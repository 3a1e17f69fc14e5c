"""Where nothing can go wrong: the rows from which a routine can be left whatever the board looks like.

A row is *calm* if nothing compulsory that could turn out impossible lies between it and the end of its
routine. Look-ahead stops at calm places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from runtime import program as p
from runtime.program import Expr, Program

Functions = Mapping[str, p.Function]


def calm_rows(program: Program) -> list[tuple[bool, ...]]:
    """For each row of each routine, and for its end: can the routine be left from here?

    A dynamic use is calm if every power begins calmly even where no dynamic use is: one such use then ends
    well as long as there is fuel for it, which look-ahead asks for.
    """
    careful = _flags(program, False)
    index = {r.id: i for i, r in enumerate(program.routines)}
    powers = [name for entity in program.entities for name in entity.powers]
    if all(name in index and careful[index[name]][0] for name in powers):
        return _flags(program, True)
    return careful


def _flags(program: Program, dynamic: bool) -> list[tuple[bool, ...]]:
    functions = {f.id: f for f in program.functions}
    index = {r.id: i for i, r in enumerate(program.routines)}
    calm = [[True] * (len(r.rows) + 1) for r in program.routines]
    for number in _callees_first(program, index):
        _settle_flags(program.routines[number], calm[number], calm, index, dynamic, functions)
    return [tuple(flags) for flags in calm]


def _settle_flags(
    routine: p.Routine,
    flags: list[bool],
    calm: list[list[bool]],
    index: Mapping[str, int],
    dynamic: bool,
    functions: Functions,
) -> None:
    """Start from calm everywhere and take away what is not, until nothing changes."""
    changed = True
    while changed:
        changed = False
        for pc in range(len(routine.rows) - 1, -1, -1):
            if flags[pc] and not _is_calm(routine.rows[pc], pc, flags, calm, index, dynamic, functions):
                flags[pc] = False
                changed = True


def _callees_first(program: Program, index: Mapping[str, int]) -> list[int]:
    """The routines, each after those it uses (none uses itself)."""
    order: list[int] = []
    seen: set[int] = set()
    for start in range(len(program.routines)):
        waiting = [(start, False)]
        while waiting:
            number, done = waiting.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                waiting.append((number, True))
                rows = program.routines[number].rows
                waiting.extend((index[row.routine], False) for row in rows if isinstance(row, p.Use))
    return order


def _is_calm(
    row: p.Row,
    pc: int,
    flags: list[bool],
    calm: list[list[bool]],
    index: Mapping[str, int],
    dynamic: bool,
    functions: Functions,
) -> bool:
    match row:
        case p.Jump():
            return flags[row.to]
        case p.JumpUnless():
            return flags[pc + 1] and flags[row.to]
        case p.Choose():
            return _always_has_options(row, functions) and flags[pc + 1]
        case p.Modal():
            return any(not mode.conditions and flags[mode.to] for mode in row.modes)
        case p.Secret() | p.Roll() | p.Return() | p.Finish():
            return True
        case p.Use():
            return calm[index[row.routine]][0] and flags[pc + 1]
        case p.UsePower():
            return dynamic and flags[pc + 1]
        case p.Ensure():
            return False
        case _:
            return flags[pc + 1]


def _always_has_options(row: p.Choose, functions: Functions) -> bool:
    """Will the choice find something, or do without? Yes if a constant option passes every condition."""
    if row.count in ("any", "up_to") or row.or_none:
        return True
    values = _known(row.domain, {}, functions)
    return (
        row.count == "one"
        and isinstance(values, list | tuple)
        and any(all(_known(c.test, {row.slot: v}, functions) is True for c in row.conditions) for v in values)
    )


def _known(expr: Expr, slots: Mapping[int, Any], functions: Functions) -> Any:
    """What an expression comes to if only these `slots` are known; None where that depends on more."""
    form = expr[0]
    if form == "value":
        return expr[1]
    if form == "slot":
        return slots.get(expr[1])
    if form == "function":
        args = {i: _known(arg, slots, functions) for i, arg in enumerate(expr[2:])}
        return _known(functions[expr[1]].body, args, functions)
    if form == "not":
        inner = _known(expr[1], slots, functions)
        return None if inner is None else not inner
    if form in ("and", "or"):
        sides = [_known(side, slots, functions) for side in expr[1:]]
        deciding = form == "or"
        return deciding if deciding in sides else None if None in sides else not deciding
    return None
