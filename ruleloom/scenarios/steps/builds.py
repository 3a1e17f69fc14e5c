"""Runs cases about things: what a thing's numbers come to, and whether it is as the game requires.

Nothing is played. In go the cases of a run and the content they are about; out comes a result for
each. Things are made by `ruleloom.scenarios.setup.things`, and linked once for each choice of
settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleloom.api.requirements import at_rest
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.packs.scenario_files import GIVEN_TO_BUILD, REMARKS
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.explain.requirements import unmet_by
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Requirement
from ruleloom.runtime.program.values import World
from ruleloom.scenarios.call_stack import slug_of
from ruleloom.scenarios.cases import Case
from ruleloom.scenarios.claims.numbers import CANNOT, CaseNames, ClaimedNumbers, said_text
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.outcome import told
from ruleloom.scenarios.results import FAILED, PASSED, Result, refused, refused_as_claimed
from ruleloom.scenarios.setup.things import Made, key, make_things, names_of, unmarked

THEN = ("numbers", "legal", "unmet", "reason", "refused")


class Builds:
    """The cases about things of one run: `made` is what each of them makes, by the place of the
    case."""

    def __init__(self, symbols: Symbols, made: Mapping[str, Made]) -> None:
        self.symbols = symbols
        self.made = made
        self._linked: dict[Any, tuple[Linked, World]] = {}

    @classmethod
    def of(cls, content: Content, cases: Sequence[Case]) -> Builds:
        """What these cases make, all compiled in one go."""
        symbols = names_of(content)
        sound = [
            case for case in cases if (case.things is not None or case.texts) and not case.fault
        ]
        return cls(symbols, make_things(content, symbols, sound))

    def run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        """Run one case; nothing that it says can raise."""
        return told(case, lambda: self._run(case, reviewed))

    def _run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        for said, known, where in (
            (case.given, GIVEN_TO_BUILD, "given"),
            (case.then, (*THEN, *REMARKS), "then"),
        ):
            unknown = next((one for one in said if one not in known), None)
            if unknown is not None:
                raise StepNotUnderstood(
                    f"`{where}` has no `{unknown}`; known are {', '.join(known)}"
                )
        made, wanted = self.made[key(case)], case.then.get("refused")
        if made.program is None:
            told = "; ".join(made.complaints)
            if wanted is None:
                return Result(case, FAILED, f"this cannot be made: {told}")
            parts = wanted if isinstance(wanted, list) else [wanted]
            unsaid = next(
                (part for part in parts if not any(part in one for one in made.complaints)), None
            )
            if unsaid is None:
                return refused_as_claimed(case, told)
            return Result(case, FAILED, f"refused for another reason than `{unsaid}`: {told}")
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
        known = (
            id(made.program),
            tuple(sorted((name, repr(value)) for name, value in chosen.items())),
        )
        if known not in self._linked:
            self._linked[known] = at_rest(made.program, chosen)
        return self._linked[known]


class _Asking:
    """One case, with the world in which its things are."""

    def __init__(
        self, builds: Builds, case: Case, made: Made, linked: Linked, world: World
    ) -> None:
        self.builds = builds
        self.case = case
        self.made = made
        self.linked = linked
        self.world = world

    def result(self, reviewed: Mapping[str, str]) -> Result:
        """What comes of the case."""
        then = self.case.then
        words = CaseNames(self.made, self.linked)
        numbers = ClaimedNumbers(self.builds.symbols, words, self.world, self.linked.initial_scope)
        wrong = list(numbers.wrong(then.get("numbers") or {}))
        claimed = [word for word in ("legal", "unmet", "reason") if word in then]
        unmet = list(self._unmet()) if claimed else []
        told = "; ".join(text for _, text in unmet)
        legal = not any(one.level == "error" for one, _ in unmet)
        if "legal" in then and then["legal"] != legal:
            wrong.append(
                f"legal: wanted {said_text(then['legal'])}, found {said_text(legal)}"
                + (told and f": {told}")
            )
        if "unmet" in then:
            found = sorted({slug_of(one.id) for one, _ in unmet})
            wanted = sorted({slug_of(str(one)) for one in then["unmet"]})
            if found != wanted:
                wrong.append(f"unmet: wanted {said_text(wanted)}, found {said_text(found)}")
        if wrong:
            return Result(self.case, FAILED, "; ".join(wrong))
        if then.get("legal") is False:
            return refused(self.case, told, reviewed)
        wanted = then.get("reason", "")
        other = (
            "" if wanted in told else f"complained of for another reason than `{wanted}`: {told}"
        )
        return Result(self.case, FAILED if other else PASSED, other)

    # ------------------------------------------------------------------ requirements

    def _unmet(self) -> Iterator[tuple[Requirement, str]]:
        """What the game requires of the things of this case and does not find, with what it says of
        it."""
        own: dict[str, list[int]] = {}
        for requirement in self.linked.program.requirements:
            entity = requirement.entity
            if entity not in own:
                names = self.linked.entities[entity].names
                own[entity] = [number for number, name in enumerate(names) if self.made.owns(name)]
            try:
                for one, _, text in unmet_by(requirement, self.linked, self.world, own[entity]):
                    yield one, unmarked(text)
            except (TypeError, RuntimeFault) as error:
                raise StepNotUnderstood(
                    f"the requirement `{slug_of(requirement.id)}`: {CANNOT}"
                ) from error
