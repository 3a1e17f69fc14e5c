"""Works out a question about odds: the policies that it is asked with, and what can be wrong on the
way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ruleloom.cli.faults import FaultInRules, WrongUse
from ruleloom.compiler.cases.case_words import folded
from ruleloom.odds.policies import Policies, Rule, Uniform, read_rule
from ruleloom.odds.question import OddsQuestion
from ruleloom.odds.tables import Odds, odds
from ruleloom.runtime.program.faults import OverBudget, Refused, RuntimeFault
from ruleloom.scenarios.notation import StepNotUnderstood
from ruleloom.scenarios.setup.things import unmarked

BUDGET = 200_000


def read_policies(policies: Sequence[str]) -> tuple[dict[str, Rule], Rule]:
    """The policy of each prompt that is named, and that of all others."""
    rules: dict[str, Rule] = {}
    otherwise: list[Rule] = []
    for word in policies:
        name, sign, text = word.partition("=")
        if word == "uniform" or word.startswith("best:"):
            otherwise.append(read_rule(word))
        elif not sign or not name or not text:
            help = "write NAME=ANSWER, NAME=best:EXPR or best:EXPR"
            raise WrongUse(f"`--policy {word}` says nothing", help)
        elif folded(name) in rules:
            raise WrongUse(f"`{name}` has two policies", "give it one")
        else:
            rules[folded(name)] = read_rule(text)
    if len(otherwise) > 1:
        message = "there are two policies for all other prompts"
        raise WrongUse(message, "name a prompt: NAME=best:EXPR")
    return rules, otherwise[0] if otherwise else Uniform()


def worked_out(question: OddsQuestion, plan: Policies, seed: int) -> Odds:
    with refusals_in_words("a policy cannot be kept: "):
        try:
            return odds(question, plan, seed)
        except OverBudget as fault:
            message = f"{fault.message}, and random runs cannot find the best answer"
            raise WrongUse(message, "give a larger --budget") from None
        except RecursionError:
            message = "the text asks too often for the best answers to be found"
            raise WrongUse(message, "give fixed answers") from None


@contextmanager
def refusals_in_words(refused: str = "") -> Iterator[None]:
    """Turn what a case raises into a message; `refused` precedes what the game refuses."""
    try:
        yield
    except StepNotUnderstood as error:
        raise WrongUse(unmarked(str(error))) from None
    except Refused as error:
        raise WrongUse(f"{refused}{unmarked(error.reason)}") from None
    except RuntimeFault as fault:
        place = unmarked(fault.place) or "the text asks for it"
        if fault.origin is not None and not fault.origin.path:
            place = f"line {fault.origin.line - 1} of the text"  # the first is that of its field
        raise FaultInRules(unmarked(fault.message), place) from None


def refuse_unmet(plan: Policies) -> None:
    """Refuse policies for prompts that never came up, and answers that were never on offer."""
    for name in sorted(set(plan.rules) - plan.met):
        met = ", ".join(f"`{one}`" for one in sorted(plan.met)) or "none at all"
        raise WrongUse(f"no prompt `{name}` comes up", f"the prompts that do: {met}")
    for name, answer in plan.never_on_offer():
        help = "give an answer that is on offer, as it is written there"
        raise WrongUse(f"`{answer}` is never on offer at `{name}`", help)
