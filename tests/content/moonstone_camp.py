"""Campaigns of Moonstone for tests: a pack of characters is written, compiled with the game, and
asked."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ruleloom.api.at_rest import at_rest
from ruleloom.api.requirements import with_requirements
from ruleloom.compiler.pipeline import CompileResult, compile_paths
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.program import Program
from ruleloom.runtime.program.values import World
from tests.support.pack_examples import manifest, write

ITEMS = "items.yaml"


@dataclass(frozen=True)
class Camp:
    """What came of compiling a campaign, with its numbers at hand."""

    compiled: CompileResult

    @cached_property
    def checked(self) -> CompileResult:
        """The same with what its requirements find."""
        return with_requirements(self.compiled)

    @property
    def program(self) -> Program:
        """The campaign and the game as one program, whether or not its characters are legal."""
        assert self.compiled.program is not None, [
            str(found) for found in self.compiled.diagnostics
        ]
        return self.compiled.program

    @property
    def refused(self) -> list[str]:
        """What the requirements refuse, in words."""
        return self._told("error")

    @property
    def noticed(self) -> list[str]:
        """What they remark on."""
        return self._told("warning")

    def refused_of(self, id: str) -> list[str]:
        """What they refuse of one character, by where it stands."""
        return self._told("error", id)

    def noticed_of(self, id: str) -> list[str]:
        """What they remark on in one character."""
        return self._told("warning", id)

    def _told(self, severity: str, of: str | None = None) -> list[str]:
        assert self.program  # what does not compile is refused nothing
        told = [
            one
            for one in self.checked.diagnostics
            if (one.code, one.severity) == ("requirement", severity)
        ]
        return [one.message for one in told if of is None or self._whose(one.place.line) == of]

    def _whose(self, line: int) -> str:
        """The character whose item holds this line of `items.yaml`."""
        people = self.program.entity("Character")
        begun = [
            (made.line, id)
            for made, id in zip(people.places, people.names, strict=True)
            if made.path == ITEMS
        ]
        return max(found for found in begun if found[0] <= line)[1]

    def number(self, name: str, *things: int | str) -> Any:
        """A stat, measure or table (`stat/PR`, `measure/CV`) of these things and values."""
        function = ("function", f"moonstone:{name}", *(("value", thing) for thing in things))
        machine, world = self.at_rest
        return machine.codegen.value(function)(world, (), machine.initial_scope, frozenset())

    @cached_property
    def at_rest(self) -> tuple[Linked, World]:
        """The program without play, and its world."""
        return at_rest(self.program)

    def thing(self, entity: str, id: str) -> int:
        """The number that the machine knows a thing by."""
        return self.program.entity(entity).names.index(id)

    def of(self, name: str, id: str, *more: int | str) -> Any:
        """A stat or measure of one character."""
        return self.number(name, self.thing("Character", id), *more)


@cache
def camp(items: str, *settings: str) -> Camp:
    """The campaign of these items and `name: value` settings."""
    patches = "".join(
        f"- {{kind: patch, id: set{n}, target: 'moonstone:setting/{name}', set: {{value: {value}}}}}\n"
        for n, (name, value) in enumerate(one.split(": ") for one in settings)
    )
    head = manifest("camp", 'requires: {moonstone: ">=0.1"}', game="moonstone", version="0.1.0")
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), {"pack.yaml": head, ITEMS: items + patches})
        return Camp(compile_paths([folder]))


def hero(id: str, *lines: str) -> str:
    """The item of a character with these lines."""
    return f"- kind: character\n  id: {id}\n  title: {id.title()}\n" + "".join(
        f"  {line}\n" for line in lines
    )


def several(cases: Iterable[Iterable[str]]) -> str:
    """The items of a character for each case, `c0`, `c1` and so on: one campaign for all is sooner
    compiled."""
    return "".join(hero(f"c{number}", *lines) for number, lines in enumerate(cases))
