"""Texts that go around a moment: they do what it stands for without raising it.

A power or moment `stands_for` operations and powers. A text that does one of these is that power, raises
that moment, answers either of them or what it does, or is a power that only such texts use. An operation
that changes the same in the same way as one stood for counts as that one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from itertools import chain

from ruleloom.compiler.diagnostics.suggest import did_you_mean
from ruleloom.compiler.lower.program import Build
from ruleloom.compiler.resolve.embedded import Passage
from ruleloom.compiler.resolve.vocabulary import sections
from ruleloom.compiler.source.file import Place
from ruleloom.compiler.syntax import ast
from ruleloom.compiler.syntax.tree import nodes_of
from ruleloom.compiler.yaml.node import YamlNode, items_of
from ruleloom.runtime.dataclass import dataclass

STANDS_FOR = "stands_for"


def bypassed_moments(build: Build) -> None:
    """Warn about each text that does what a moment stands for without raising it."""
    moments = _Moments(build)
    for wrong, node in moments.declared:
        if wrong not in moments.known and not build.symbols.poisoned.may_declare(wrong):
            message = f"there is no operation or power `{wrong}`"
            help = did_you_mean(wrong, moments.known)
            build.report.error("unknown-name", node.place, message, help)
    if not moments.stand_for:
        return
    for id, passage, block in moments.texts():
        for name in _done(block):
            if not moments.is_raised(id, name.id):
                _report(build, passage.place(name.span), name.id, moments.stand_for[name.id])
    for operation, place in _always(build):
        if operation in moments.stand_for:
            _report(build, place, operation, moments.stand_for[operation])


def _report(build: Build, place: Place, done: str, moments: dict[str, str]) -> None:
    """Warn about what is done without the first of its moments."""
    moment, meant = next(iter(moments.items()))
    like = "" if meant == done else f", as `{meant}` does"
    message = f"`{done}` goes around `{moment}`{like}: whoever answers `{moment}` is passed over"
    is_power = moment in build.symbols.powers
    help = f"`use {moment}(...)` in its place" if is_power else f"`{moment}(...)` before it"
    build.report.warning("bypassed-moment", place, message, help)


def _always(build: Build) -> Iterator[tuple[str, Place]]:
    """The operations of the rules that always hold in packs that no other builds on."""
    for item in build.content.by_kind("vocabulary"):
        for rule in items_of(item.fields.get("always")):
            node = rule.get("do")
            own = node is not None and build.content.files[node.place.path][0]
            if node is not None and own not in build.content.built_upon:
                yield (node.text or "").partition("(")[0].strip(), node.place


def _done(block: tuple[ast.Stmt, ...]) -> Iterator[ast.Name]:
    """The operations, moments and powers of a text."""
    yield from (one.call.name for one in nodes_of(block, ast.OperateStmt))
    yield from (one.call.name for one in nodes_of(block, ast.IdleMoment))
    yield from (one.power for one in nodes_of(block, ast.UseStmt))


@dataclass(frozen=True, eq=False)
class _Moments:
    """The powers and moments of a game that stand for something."""

    build: Build

    @cached_property
    def known(self) -> set[str]:
        """All that a moment may stand for."""
        return {*self.build.symbols.operations, *self.build.symbols.powers}

    @cached_property
    def _declaring(self) -> list[tuple[str, YamlNode]]:
        items = self.build.content.by_kind("power")
        powers = ((item.slug, item.fields.get(STANDS_FOR)) for item in items)
        moments = sections(self.build.content, "moments")
        both = chain(powers, ((name, node.get(STANDS_FOR)) for name, node, _ in moments))
        return [(name, node) for name, node in both if node is not None]

    @property
    def declared(self) -> Iterator[tuple[str, YamlNode]]:
        """What moments stand for, each with its place."""
        for _, node in self._declaring:
            yield from ((one.text or "", one) for one in items_of(node))

    @cached_property
    def stand_for(self) -> Mapping[str, dict[str, str]]:
        """The moments of each operation and power, each with the name that it declares."""
        found: dict[str, dict[str, str]] = {}
        for moment, node in self._declaring:
            for one in items_of(node):
                for name in self._like(one.text or ""):
                    found.setdefault(name, {}).setdefault(moment, one.text or "")
        return found

    def _like(self, name: str) -> list[str]:
        """An operation or power, and the operations that change the same."""
        own = next(self._changes(name), None)
        others = (one for one in self.build.symbols.operations if own in self._changes(one))
        return [name, *(others if own is not None else ())]

    def _changes(self, operation: str) -> Iterator[Hashable]:
        """What an operation makes, moves and sets, comparable with others."""
        symbols, build = self.build.symbols, self.build
        if operation in symbols.operations and symbols.operations[operation].makes:
            yield symbols.operations[operation].makes
        for move in build.moves.get(operation, ()):
            yield move.zone
        for one in build.assignments.get(operation, ()):
            entity, _, field = one.field.partition(".")
            optional = symbols.fields[field][entity].type.optional
            yield one.field, one.value == ("value", None) if optional else one.value

    def texts(self) -> Iterator[tuple[str, Passage, tuple[ast.Stmt, ...]]]:
        """The texts of packs that no other builds on, and the patched ones."""
        for id, found in self.build.bodies.blocks.items():
            if found is not None and id in self._own:
                yield id, *found
        for one in self.build.bodies.stats.abilities.reactions:
            if one.id in self._own:
                yield one.id, one.texts[-1].passage, one.node.body

    @cached_property
    def _own(self) -> set[str]:
        below = self.build.content.built_upon
        patched = {id for id, _ in self.build.content.history}
        items = self.build.items_by_routine().items()
        return {id for id, one in items if one.pack not in below or one.id in patched}

    @cached_property
    def _answered(self) -> Mapping[str, str]:
        """The name in the event of each response."""
        events = ((one.id, one.event.name.id) for one in self.build.responses())
        return {id: event.rpartition(" ")[2] for id, event in events}

    @cached_property
    def _raised(self) -> Mapping[str, set[str]]:
        """The names of what each text does and uses."""
        return {id: {one.id for one in _done(block)} for id, _, block in self.texts()}

    @cached_property
    def _users(self) -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {}
        for id, used in self.build.summaries.uses.items():
            for one in used:
                found.setdefault(one, set()).add(id)
        return found

    def is_raised(self, id: str, name: str) -> bool:
        """Whether a moment of this name is raised wherever a text runs."""
        moments = self.stand_for.get(name)
        return moments is None or self._raises(id, name, {*moments}, frozenset())

    def _raises(self, id: str, name: str, moments: set[str], below: frozenset[str]) -> bool:
        if id not in self._raised:
            return True  # a pack built upon has been checked by itself
        if self._answered.get(id) in (name, *moments):
            return True
        if not moments.isdisjoint(self._raised[id] - self.build.symbols.powers.keys()):
            return True
        item = self.build.content.by_id.get(id)
        if item is None or item.kind != "power":
            return False
        if not moments.isdisjoint((item.slug, *self.stand_for.get(item.slug, ()))):
            return True  # whoever uses it is told
        below = below | {id}
        users = self._users.get(id, set()) - below
        return bool(users) and all(self._raises(user, name, moments, below) for user in users)
