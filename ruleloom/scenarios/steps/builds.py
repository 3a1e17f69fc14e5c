"""Runs cases about things, without play: their numbers, and the requirements that they meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
from ruleloom.scenarios.cases import Case, chosen_in
from ruleloom.scenarios.claims.numbers import CANNOT, CaseNames, ClaimedNumbers, claim_text
from ruleloom.scenarios.notation import StepNotUnderstood, as_list
from ruleloom.scenarios.results import (
    FAILED,
    PASSED,
    Result,
    guarded_result,
    refusal_result,
    refused_as_claimed,
)
from ruleloom.scenarios.setup.things import Made, key, make_things, names_of, unmarked

THEN = ("numbers", "legal", "unmet", "reason", "refused")


class Builds:
    """The cases about things of one run; `made` holds what each makes, by the place of the case."""

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
        return guarded_result(case, lambda: self._run(case, reviewed))

    def _run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        for said, known, where in (
            (case.given, GIVEN_TO_BUILD, "given"),
            (case.then, (*THEN, *REMARKS), "then"),
        ):
            for one in said:
                if one not in known:
                    listed = ", ".join(known)
                    raise StepNotUnderstood(f"`{where}` has no `{one}`; known are {listed}")
        made, wanted = self.made[key(case)], case.then.get("refused")
        if made.program is None:
            return _not_made(case, made.complaints, wanted)
        if wanted is not None:
            return Result(case, FAILED, "this can be made, but should be refused")
        return _BuildCheck(self, case, made, *self._at_rest(case, made)).result(reviewed)

    def _at_rest(self, case: Case, made: Made) -> tuple[Linked, World]:
        assert made.program is not None
        chosen = chosen_in(case.given)
        known = id(made.program), repr(chosen)
        if known not in self._linked:
            self._linked[known] = at_rest(made.program, chosen)
        return self._linked[known]


def _not_made(case: Case, complaints: Sequence[str], wanted: Any) -> Result:
    """What comes of a case whose things cannot be made; `wanted` is what the complaints should say."""
    told = "; ".join(complaints)
    if wanted is None:
        return Result(case, FAILED, f"this cannot be made: {told}")
    for part in as_list(wanted):
        if not any(part in one for one in complaints):
            return Result(case, FAILED, f"refused for another reason than `{part}`: {told}")
    return refused_as_claimed(case, told)


@dataclass(frozen=True, slots=True)
class _BuildCheck:
    """One case, with the world in which its things are."""

    builds: Builds
    case: Case
    made: Made
    linked: Linked
    world: World

    def result(self, reviewed: Mapping[str, str]) -> Result:
        """What comes of the case."""
        then = self.case.then
        words = CaseNames(self.made, self.linked)
        numbers = ClaimedNumbers(self.builds.symbols, words, self.world, self.linked.initial_scope)
        wrong = list(numbers.wrong(then.get("numbers") or {}))
        unmet = list(self._unmet()) if {"legal", "unmet", "reason"} & then.keys() else []
        told = "; ".join(text for _, text in unmet)
        wrong += _wrong_requirements(then, [one for one, _ in unmet], told)
        if wrong:
            return Result(self.case, FAILED, "; ".join(wrong))
        if then.get("legal") is False:
            return refusal_result(self.case, told, reviewed)
        wanted = then.get("reason", "")
        if wanted not in told:
            other = f"complained of for another reason than `{wanted}`: {told}"
            return Result(self.case, FAILED, other)
        return Result(self.case, PASSED, "")

    def _unmet(self) -> Iterator[tuple[Requirement, str]]:
        """The requirements that the things of this case do not meet, each with its message."""
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
                named = f"the requirement `{slug_of(requirement.id)}`"
                raise StepNotUnderstood(f"{named}: {CANNOT}") from error


def _wrong_requirements(
    then: Mapping[str, Any], unmet: Sequence[Requirement], told: str
) -> Iterator[str]:
    """Claims about requirements that do not hold."""
    legal = not any(one.level == "error" for one in unmet)
    if then.get("legal", legal) != legal:
        because = told and f": {told}"
        yield f"legal: wanted {claim_text(then['legal'])}, found {claim_text(legal)}{because}"
    found = sorted({slug_of(one.id) for one in unmet})
    wanted = sorted({slug_of(str(one)) for one in then.get("unmet", found)})
    if found != wanted:
        yield f"unmet: wanted {claim_text(wanted)}, found {claim_text(found)}"
