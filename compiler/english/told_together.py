"""Assignments told once for all of them: those of one value, and those that put back what was kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from ruleloom.compiler.english.page import Step, Teller, counted
from ruleloom.compiler.english.word import listed
from ruleloom.compiler.syntax import ast


def kept_names(teller: Teller, stmts: tuple[ast.Stmt, ...]) -> Mapping[str, str]:
    """The variables of the game that a text keeps under another name, to put them back later."""
    scope = teller.scene.glossary.symbols.scope
    kept: dict[str, str] = {}
    for at, stmt in enumerate(stmts):
        match stmt:
            case ast.LetStmt(name=name, value=ast.Name(id=own)) if own in scope:
                later = [one for one in stmts[at + 1 :] if _puts_back(one, name.id, own)]
                if later and counted(stmts[at + 1 :], name.id) == 1:
                    kept[name.id] = own
    return kept if len(kept) > 2 else {}


def _puts_back(stmt: ast.Stmt, name: str, own: str) -> bool:
    match stmt:
        case ast.AssignStmt(name=target, value=ast.Name(id=value)):
            return (target.id, value) == (own, name)
    return False


def told_together(
    teller: Teller, stmts: tuple[ast.Stmt, ...], at: int, kept: Mapping[str, str]
) -> list[Step] | None:
    """What is kept and put back, and what is set to one value, told once for all of it."""
    stmt, before = stmts[at], stmts[at - 1] if at else None
    if isinstance(stmt, ast.LetStmt) and stmt.name.id in kept:
        return []
    if _is_put_back(stmt, kept):
        first = before is None or not _is_put_back(before, kept)
        return _told_put_back(teller, stmts, at, kept) if first else []
    if before is not None and len(_alike(teller, stmts, at - 1)) > 1:
        return []
    run = _alike(teller, stmts, at)
    if run and before is not None and len(_alike(teller, stmts, at - 1)) > 1:
        return []  # it has been told with the one before
    if len(run) < 2:
        return None
    names = [teller.scene.glossary.scope(one.name.id) for one in run]
    none = run[0].value.value if isinstance(run[0].value, ast.NumberLiteral) else "none"
    return [Step(f"{listed(names)} are now {none}")]


def _told_put_back(
    teller: Teller, stmts: tuple[ast.Stmt, ...], at: int, kept: Mapping[str, str]
) -> list[Step]:
    back = [kept[one] for one in _put_back_from(stmts, at, kept)]
    said = listed([teller.scene.glossary.scope(own) for own in back])
    if back[1:]:
        return [Step(f"these are again as they were before: {said}")]
    return [Step(f"{said} is again as it was before")]


def _is_put_back(stmt: ast.Stmt, kept: Mapping[str, str]) -> bool:
    return any(_puts_back(stmt, name, own) for name, own in kept.items())


def _put_back_from(stmts: tuple[ast.Stmt, ...], at: int, kept: Mapping[str, str]) -> Iterator[str]:
    """The names that are put back one after the other from here on."""
    for stmt in takewhile(lambda one: _is_put_back(one, kept), stmts[at:]):
        yield from (name for name, own in kept.items() if _puts_back(stmt, name, own))


def _alike(teller: Teller, stmts: tuple[ast.Stmt, ...], at: int) -> list[ast.AssignStmt]:
    """The assignments from here on that give variables of the game the same number, or none."""
    run: list[ast.AssignStmt] = []
    for stmt in stmts[at:]:
        match stmt:
            case ast.AssignStmt(name=name, value=ast.NumberLiteral() | ast.NoneLiteral() as value):
                same = not run or _number(run[0].value) == _number(value)
                if name.id in teller.scene.glossary.symbols.scope and same:
                    run.append(stmt)
                    continue
        break
    return run


def _number(value: ast.Expr) -> object:
    return value.value if isinstance(value, ast.NumberLiteral) else None
