"""Validation of the options of `ruleloom balance`: conflicting options are refused, not silently ignored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.odds.odds import BUDGET, odds_question, read_given, read_policies, worked_out
from ruleloom.cli.options import Wanted
from ruleloom.cli.simulate.simulate import refuse_resume_without_store
from ruleloom.compiler.analysis.yaml_cursor import names_bound
from ruleloom.compiler.packs.content import Content
from ruleloom.odds.question import Policies, expressions_of
from ruleloom.odds.tables import Odds
from ruleloom.reports.run_reports import ExactFigure
from ruleloom.simulate.balance.item_trials import HELD, IN_GAME, ItemTrial
from ruleloom.simulate.intervals import data_of


def refuse_contradictions(wanted: Wanted) -> None:
    """Raise WrongUse for conflicting options, before anything is compiled."""
    refuse_resume_without_store(wanted.resume, wanted.store)
    for option in _given(wanted, ("of", "given", "policies") if wanted.exact is None else ()):
        raise WrongUse(f"{option} is for odds", "name an effect text: --exact TEXT")
    if wanted.change is not None and wanted.pairs:
        raise WrongUse("--pairs is for items, and --change for one text", "leave out one")
    if wanted.seconds is not None and wanted.games is not None:
        raise WrongUse("--games and --seconds both say how long to play", "leave out one")
    if wanted.texts:
        played = ("pairs", "exact", "buyer", "change", "players", "scene", "store", "dask")
        for option in _given(wanted, played):
            told = f"--texts plays nothing, and has no use for {option}"
            raise WrongUse(told, "leave out one")
        if len(wanted.items) < 2 and wanted.kind is None:
            raise WrongUse("--texts compares items", "name two or more, or a --kind")
    # A switch or a number has no text, no price and no buyer.
    for item in (one for one in wanted.items if "=" in one):
        for option in _given(wanted, ("texts", "price", "buyer", "change")):
            raise WrongUse(f"{option} is for items, and `{item}` is none", f"leave out {item}")


def _given(wanted: Wanted, names: Sequence[str]) -> Iterator[str]:
    """The given options among `names`, as typed."""
    typed = {"buyer": "to", "policies": "policy"}
    return (f"--{typed.get(name, name)}" for name in names if getattr(wanted, name))


def refuse_unfit(wanted: Wanted, trials: Sequence[ItemTrial]) -> None:
    """Raise WrongUse for an option that does not apply to the trial of an item."""
    for one in trials:
        if wanted.price is not None and one.how == IN_GAME:
            help = "name who buys it, with --to ITEM.FIELD, or leave out --price"
            raise WrongUse(
                f"nobody holds or buys {one.name}, so that there is nothing to hold its price to",
                help,
            )
        if wanted.pairs and one.how != HELD:
            raise WrongUse(
                f"--pairs is for what players hold, and {one.name} is {one.how}",
                "leave out --pairs",
            )
    if wanted.pairs and len(trials) < 2:
        raise WrongUse("--pairs takes two items or more", "name another one")


SEED = 1


def exact_figures(wanted: Wanted, trial: ItemTrial) -> list[ExactFigure]:
    """The distributions of a text without and with an item. Raises WrongUse if they are not exact."""
    if trial.contents is None:
        help = "name who buys it, with --to ITEM.FIELD"
        raise WrongUse(f"the odds are the same with and without {trial.name} as it is tried", help)
    without, with_it = (_odds(one, wanted) for one in trial.contents)
    pairs = zip(without.tables, with_it.tables, strict=True)
    return [ExactFigure(trial.name, before, after) for before, after in pairs]


def _odds(content: Content, wanted: Wanted) -> Odds:
    given = wanted.given and read_given(wanted.given)
    if wanted.given is not None and given is None:
        raise WrongUse(f"{wanted.given} cannot be used as it is")
    rules, otherwise = read_policies(wanted.policies)
    told = tuple(dict.fromkeys(wanted.of or names_bound(wanted.exact)))
    best = expressions_of(rules, otherwise)
    question = odds_question(content, wanted.exact, told, given, best)
    found = worked_out(question, Policies(question, rules, otherwise, BUDGET), SEED)
    if found.runs:
        raise WrongUse("there is too much to be worked out exactly", "ask for less: --of EXPR")
    return found


def exact_data(figure: ExactFigure) -> dict[str, Any]:
    """An exact figure as plain data, its fractions as strings."""
    without, with_it = (
        {**data_of(table, "mean"), "chances": {row.value: str(row.chance) for row in table.lines}}
        for table in (figure.without, figure.with_it)
    )
    head = data_of(figure, "item of=without.of")
    return {**head, "without": without, "with": with_it, **data_of(figure, "gain")}
