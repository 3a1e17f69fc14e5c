"""Warns about `ignoring` around rows that never ask for the rule, not even indirectly."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.lower.summaries import outline
from ruleloom.runtime.program.expr import calls, expressions_of
from ruleloom.runtime.program.program import Expr, Replacement, Row, Trigger


def check(build: Build) -> None:
    """Warn about each rule that is ignored where nothing asks for it."""
    asking = _Asking(build)
    for checked in build.checked.values():
        for one in checked.lifted:
            if not asking.asks(one.rule, checked.routine.rows[one.first : one.last]):
                message = (
                    f"nothing in here asks for `{one.name}`, so ignoring it makes no difference"
                )
                build.report.warning("nothing-ignored", one.place, message)


class _Asking:
    """Which rules are asked for, and by what."""

    def __init__(self, build: Build) -> None:
        self.symbols, self.build = build.symbols, build
        self.bodies = {one.id: one.body for one in build.functions}
        self.known: dict[str, frozenset[str]] = {}

    def asks(self, rule: str, rows: Sequence[Row]) -> bool:
        """Does a stretch of rows ask for the rule, itself or by what it uses and sets off?"""
        kept = rule in self.symbols.always
        ready: list[Sequence[object]] = [rows]
        seen: set[str] = set()
        while ready:
            parts = ready.pop()
            if not kept and rule in self._rules_in(chain(*map(expressions_of, parts))):
                return True
            made = outline(parts)
            if made.dynamic or (kept and (made.operations or made.draws)):
                return True
            for name in (made.uses | self._events(made.operations, made.draws)) - seen:
                seen.add(name)
                ready += self._behind(name)
        return False

    def _events(self, operations: Collection[str], draws: bool) -> set[str]:
        raised = filter(None, map(self.symbols.operations.get, operations))
        touches = any(one.touches for one in raised)
        return {*operations, *(["touched"] if touches else []), *(["drawn"] if draws else [])}

    def _behind(self, name: str) -> Iterator[Sequence[object]]:
        """What is done by a routine, or on account of an event."""
        if name in self.build.checked:
            yield self.build.checked[name].routine.rows
        yield self.build.assignments.get(name, ())
        yield self.build.moves.get(name, ())
        answers: list[tuple[str, Trigger | Replacement]] = [
            (one.event, one) for one in self.build.triggers
        ]
        answers += [(one.operation, one) for one in self.build.replacements]
        for event, answer in answers:
            if event == name:
                yield (answer,)
                yield self.build.checked[answer.routine].routine.rows

    def _rules_in(self, exprs: Iterable[Expr]) -> frozenset[str]:
        """The rules and measures that stand in expressions, and all that those ask for."""
        called = {id for expr in exprs for id in calls(expr)}
        return frozenset().union(*(self._rules_of(id) for id in called & self.bodies.keys()))

    def _rules_of(self, id: str) -> frozenset[str]:
        if id not in self.known:
            self.known[id] = frozenset({id})
            self.known[id] |= self._rules_in([self.bodies[id]])
        return self.known[id]
