"""Cases about things, run without play: their numbers, and the requirements that they meet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleloom.api.at_rest import at_rest
from ruleloom.api.requirements import unmet_by, why_not
from ruleloom.compiler.cases.case_model import Case, chosen_in
from ruleloom.compiler.cases.case_words import slug_of
from ruleloom.compiler.packs.content import Content
from ruleloom.compiler.resolve.symbols import Symbols
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.program.faults import RuntimeFault
from ruleloom.runtime.program.program import Requirement
from ruleloom.runtime.program.values import World
from ruleloom.scenarios.claims.case_names import CaseNames
from ruleloom.scenarios.claims.numbers import ClaimedNumbers, claim_text
from ruleloom.scenarios.coverage.watch import NOBODY, Listener
from ruleloom.scenarios.notation import CaseData, StepNotUnderstood
from ruleloom.scenarios.results import FAILED, NOT_MADE, Result, guarded_result
from ruleloom.scenarios.setup.made import Made, unmarked
from ruleloom.scenarios.setup.own_lists import apart, own_scope
from ruleloom.scenarios.setup.things import key, make_things, names_of


class Builds:
    """The cases about things of one run; `made` holds what each makes, by the place of the case."""

    def __init__(
        self, symbols: Symbols, made: Mapping[str, Made], watch: Listener = NOBODY
    ) -> None:
        self.symbols = symbols
        self.made = made
        self.watch = watch
        self._linked: dict[Any, tuple[Linked, World]] = {}

    @classmethod
    def of(cls, content: Content, cases: Sequence[Case], watch: Listener = NOBODY) -> Builds:
        """The things and texts of these cases, all compiled together."""
        symbols = names_of(content)
        making = (case for case in cases if case.things is not None or case.texts)
        sound = [case for case in making if not case.fault]
        return cls(symbols, apart(make_things(content, symbols, sound)), watch)

    def run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        """Run one case; nothing that it says can raise."""
        return guarded_result(case, lambda: self._run(case, reviewed))

    def _run(self, case: Case, reviewed: Mapping[str, str]) -> Result:
        made, wanted = self.made[key(case)], case.then.get("refused")
        if made.program is None:
            return Result.of_complaints(case, made.complaints, wanted, NOT_MADE)
        if wanted is not None:
            return Result(case, FAILED, "this can be made, but should be refused")
        chosen = chosen_in(case.given)
        group = id(made.program), repr(chosen)
        if group not in self._linked:
            linked, world = at_rest(made.program, chosen)
            self._linked[group] = self.watch.relink(linked), world
        return self._checked(case, made, *self._linked[group], reviewed)

    def _checked(
        self, case: Case, made: Made, linked: Linked, world: World, reviewed: Mapping[str, str]
    ) -> Result:
        then, words = case.then, CaseNames(made, linked)
        numbers = ClaimedNumbers(self.symbols, words, world, own_scope(linked, made))
        wrong = list(numbers.wrong(then.get("numbers") or {}))
        claimed = {"legal", "unmet", "reason"} & then.keys()
        unmet = list(_unmet(made, linked, world)) if claimed else []
        told = "; ".join(text for _, text in unmet)
        wrong += _wrong_requirements(then, [one for one, _ in unmet], told)
        if not wrong and then.get("legal") is False:
            return Result.of_refusal(case, told, reviewed)
        wanted = then.get("reason", "")
        if not wrong and wanted not in told:
            wrong = [f"complained of for another reason than `{wanted}`: {told}"]
        return Result.of_claims(case, wrong)


def _unmet(made: Made, linked: Linked, world: World) -> Iterator[tuple[Requirement, str]]:
    """The requirements that the things of a case do not meet, each with its message."""
    scope = own_scope(linked, made)
    own: dict[str, list[int]] = {}  # many requirements are about the same few entities
    for requirement in linked.program.requirements:
        entity = requirement.entity
        if entity not in own:
            names = linked.entities[entity].names
            own[entity] = [number for number, name in enumerate(names) if made.owns(name)]
        try:
            for one, _, text in unmet_by(requirement, linked, world, own[entity], scope):
                yield one, unmarked(text)
        except (TypeError, RuntimeFault) as error:
            named = f"the requirement `{slug_of(requirement.id)}`"
            raise StepNotUnderstood(f"{named}: {why_not(error)}") from error


def _wrong_requirements(then: CaseData, unmet: Sequence[Requirement], told: str) -> Iterator[str]:
    legal = not any(one.level == "error" for one in unmet)
    if then.get("legal", legal) != legal:
        because = told and f": {told}"
        yield f"legal: wanted {claim_text(then['legal'])}, found {claim_text(legal)}{because}"
    found = sorted({slug_of(one.id) for one in unmet})
    wanted = sorted({slug_of(str(one)) for one in then.get("unmet", found)})
    if found != wanted:
        yield f"unmet: wanted {claim_text(wanted)}, found {claim_text(found)}"
