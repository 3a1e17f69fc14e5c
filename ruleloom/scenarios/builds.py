"""Runs cases about things: what a thing's numbers come to, and whether it is as the game requires.

Nothing is played. In go the cases of a run and the content they are about; out comes a result for each. Things are
made by `ruleloom.scenarios.things`, and linked once for each choice of settings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from compiler.content import Content
from compiler.packs import SCHEMAS
from compiler.symbols import Signature
from ruleloom.requirements import at_rest
from ruleloom.scenarios.cases import REMARKS, Case
from ruleloom.scenarios.notation import NotUnderstood
from ruleloom.scenarios.results import FAILED, PASSED, Result, refused
from ruleloom.scenarios.running import slug_of
from ruleloom.scenarios.things import Made, key, make_things, names_of, unmarked
from runtime.faults import Refused, RuntimeFault
from runtime.link import Linked
from runtime.naming import constant, value_text
from runtime.program import Requirement
from runtime.requirements import unmet_by
from runtime.state import NO_RULES
from runtime.values import Type, World, exact

GIVEN = ("things", "settings", "switches")
THEN = ("numbers", "legal", "unmet", "reason", "refused")
ASKED = re.compile(r"([A-Za-z_][\w-]*)\s*(?:\((.*)\))?")
WHOLE_AND_PART = re.compile(r"(-?)(\d{1,15}) (\d{1,15}/[1-9]\d{0,14})")
CANNOT = "this cannot be worked out before the game begins"


class Builds:
    """The cases about things of one run."""

    def __init__(self, content: Content, cases: Sequence[Case], schemas: Path = SCHEMAS) -> None:
        self.symbols = names_of(content)
        sound = [case for case in cases if case.things is not None and not case.fault]
        self.made = make_things(content, self.symbols, sound, schemas)
        self._linked: dict[Any, tuple[Linked, World]] = {}

    def run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        """Run one case; nothing that it says can raise."""
        if case.fault:
            return Result(case, FAILED, case.fault)
        try:
            return self._run(case, reviewed)
        except NotUnderstood as error:
            return Result(case, FAILED, f"not understood: {error}")
        except Refused as error:
            return Result(case, FAILED, f"not understood: {error.reason}")
        except RuntimeFault as error:
            return Result(case, FAILED, f"a fault in the rules: {error.told}")
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            return Result(case, FAILED, f"not understood: {type(error).__name__}: {error}")

    def _run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        for said, known, where in ((case.given, GIVEN, "given"), (case.then, (*THEN, *REMARKS), "then")):
            unknown = next((one for one in said if one not in known), None)
            if unknown is not None:
                raise NotUnderstood(f"`{where}` has no `{unknown}`; known are {', '.join(known)}")
        made, wanted = self.made[key(case)], case.then.get("refused")
        if made.program is None:
            told = "; ".join(made.complaints)
            if wanted is None:
                return Result(case, FAILED, f"this cannot be made: {told}")
            fits = any(wanted in one for one in made.complaints)
            if fits:
                return Result(case, PASSED, f"refused: {told}")
            return Result(case, FAILED, f"refused for another reason than `{wanted}`: {told}")
        if wanted is not None:
            return Result(case, FAILED, "this can be made, but should be refused")
        return _Asking(self, case, made, *self._at_rest(case, made)).result(reviewed)

    def _at_rest(self, case: Case, made: Made) -> tuple[Linked, World]:
        assert made.program is not None
        chosen = {
            str(name).replace("-", "_"): value
            for field in ("switches", "settings")
            for name, value in (case.given.get(field) or {}).items()
        }
        known = (id(made.program), tuple(sorted((name, repr(value)) for name, value in chosen.items())))
        if known not in self._linked:
            self._linked[known] = at_rest(made.program, chosen)
        return self._linked[known]


class _Asking:
    """One case, with the world in which its things are."""

    def __init__(self, builds: Builds, case: Case, made: Made, linked: Linked, world: World) -> None:
        self.callables = builds.symbols.callables
        self.case = case
        self.made = made
        self.linked = linked
        self.world = world

    def result(self, reviewed: Mapping[str, str]) -> Result:
        """What comes of the case."""
        then = self.case.then
        wrong = list(self._wrong_numbers(then.get("numbers") or {}))
        claimed = [word for word in ("legal", "unmet", "reason") if word in then]
        unmet = list(self._unmet()) if claimed else []
        told = "; ".join(text for _, text in unmet)
        legal = not any(one.level == "error" for one, _ in unmet)
        if "legal" in then and then["legal"] != legal:
            wrong.append(
                f"legal: wanted {_said(then['legal'])}, found {_said(legal)}" + (told and f": {told}")
            )
        if "unmet" in then:
            found = sorted({slug_of(one.id) for one, _ in unmet})
            wanted = sorted({slug_of(str(one)) for one in then["unmet"]})
            if found != wanted:
                wrong.append(f"unmet: wanted {_said(wanted)}, found {_said(found)}")
        if wrong:
            return Result(self.case, FAILED, "; ".join(wrong))
        if then.get("legal") is False:
            return refused(self.case, told, reviewed)
        wanted = then.get("reason", "")
        other = "" if wanted in told else f"complained of for another reason than `{wanted}`: {told}"
        return Result(self.case, FAILED if other else PASSED, other)

    # ------------------------------------------------------------------ requirements

    def _unmet(self) -> Iterator[tuple[Requirement, str]]:
        """What the game requires of the things of this case and does not find, with what it says of it."""
        for requirement in self.linked.program.requirements:
            names = self.linked.entities[requirement.entity].names
            mine = [number for number, name in enumerate(names) if self.made.owns(name)]
            try:
                for one, _, text in unmet_by(requirement, self.linked, self.world, mine):
                    yield one, unmarked(text)
            except (TypeError, RuntimeFault) as error:
                raise NotUnderstood(f"the requirement `{slug_of(requirement.id)}`: {CANNOT}") from error

    # ------------------------------------------------------------------ numbers

    def _wrong_numbers(self, numbers: Mapping[str, Any]) -> Iterator[str]:
        """Each claim about a number that does not hold."""
        for name, said in numbers.items():
            of_one = said.items() if isinstance(said, Mapping) else [(name, said)]
            thing = name if isinstance(said, Mapping) else ""
            for asked, wanted in of_one:
                found = self._found(str(asked), thing)
                if _plain(wanted, found) != found:
                    label = f"{thing}: {asked}" if thing else asked
                    yield f"{label}: wanted {_said(wanted)}, found {_said(found)}"

    def _found(self, asked: str, thing: str) -> Any:
        """The value of a stat or measure of a thing."""
        written = ASKED.fullmatch(asked.strip())
        callee = self.callables.get(written[1].replace("-", "_")) if written is not None else None
        if written is None or callee is None or callee.result is None:
            raise NotUnderstood(f"there is no stat or measure `{asked.partition('(')[0]}`")
        words = [one.strip() for one in written[2].split(",")] if written[2] else []
        if not callee.params or len(words) != len(callee.params) - 1:
            takes = ", ".join(f"{one.name}: {one.type}" for one in callee.params[1:])
            raise NotUnderstood(f"`{callee.name}` of a thing takes ({takes}), not `{asked}`")
        subject = self._subject(callee, thing)
        others = [self._value(one.type, word) for one, word in zip(callee.params[1:], words, strict=True)]
        expr = ("function", callee.id, *(("slot", number) for number in range(len(callee.params))))
        try:
            value = self.linked.codegen.value(expr)(
                self.world, (subject, *others), self.linked.initial_scope, NO_RULES
            )
        except (TypeError, RuntimeFault) as error:
            raise NotUnderstood(f"`{asked}`: {CANNOT}") from error
        return self._shown(callee.result, value)

    def _subject(self, callee: Signature, thing: str) -> int:
        """Whose number is asked for: the thing named, else the only one that has such a number."""
        type_ = callee.params[0].type
        if thing:
            number = self._number(type_.name, thing)
            if number is None:
                raise NotUnderstood(f"`{thing}` is nothing of this case that has a `{callee.name}`")
            return number
        fitting = [name for name, entity in self.made.things.items() if entity == type_.name]
        number = self._number(type_.name, fitting[0]) if len(fitting) == 1 else None
        if number is None:
            help = (
                f"say of which: `{fitting[0]}: {{{callee.name}: ...}}`"
                if fitting
                else "none of the things has one"
            )
            raise NotUnderstood(f"whose `{callee.name}`? {help}")
        return number

    def _number(self, entity: str, name: str) -> int | None:
        """The thing of this case of that name, `hero`, or a part of one, `hero.lore`; else one of the game."""
        things = {one.replace("-", "_") for one in self.made.things}
        marked = ".".join(
            part + self.made.mark if part.replace("-", "_") in things else part for part in name.split(".")
        )
        names = [one.replace("-", "_") for one in self.linked.layout.names.get(entity, ())]
        marked = marked.replace("-", "_")
        return names.index(marked) if marked in names else None

    def _value(self, type_: Type, word: str) -> Any:
        number = self._number(type_.name, word)
        if number is not None:
            return number
        try:
            return constant(self.linked, type_, word)
        except (ValueError, KeyError) as error:
            raise NotUnderstood(f"`{word}` is no {type_.name}") from error

    def _shown(self, type_: Type, value: Any) -> Any:
        """A value as a case writes it."""
        if type_.many:
            return sorted(unmarked(value_text(self.linked, self.world, type_.item, one)) for one in value)
        if type_.name in ("Int", "Fraction", "Bool") and value is not None:
            return value
        return unmarked(value_text(self.linked, self.world, type_, value))


def _plain(wanted: Any, found: Any) -> Any:
    """What a case claims, as such a value: numbers exactly, also `1/2` and `40 9/10`."""
    if isinstance(found, bool) or isinstance(wanted, bool):
        return wanted if isinstance(wanted, bool) and isinstance(found, bool) else None
    if isinstance(found, int | Fraction):
        return _number_in(str(wanted))
    return sorted(map(str, wanted)) if isinstance(wanted, list) else str(wanted)


def _number_in(text: str) -> int | Fraction:
    mixed = WHOLE_AND_PART.fullmatch(text)
    try:
        if mixed is None:
            return exact(text)
        size = int(mixed[2]) + Fraction(mixed[3])
    except ValueError as error:
        raise NotUnderstood(f"`{text}` is no number") from error
    return -size if mixed[1] else size


def _said(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "nothing"
    return _mixed(value) if isinstance(value, Fraction) else str(value)


def _mixed(value: Fraction) -> str:
    """A fraction as people write it: `40 9/10`."""
    whole, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    return sign + (f"{whole} {rest}" if whole and rest else str(abs(value)))
