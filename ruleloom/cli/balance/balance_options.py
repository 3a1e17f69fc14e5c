"""The options of `ruleloom balance`, and those that do not go together: refused, not left out in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.odds.odds import BUDGET, odds_question, read_given, read_policies, worked_out
from ruleloom.cli.simulate.simulate import refuse_resume_without_store
from ruleloom.compiler.analysis.yaml_cursor import names_bound
from ruleloom.compiler.packs.content import Content
from ruleloom.odds.question import Policies, expressions_of
from ruleloom.odds.tables import Odds, OddsTable
from ruleloom.reports.run_reports import ExactFigure
from ruleloom.runtime.dataclass import Frozen
from ruleloom.simulate.balance.item_trials import HELD, IN_GAME, ItemTrial


class BalanceOptions(Frozen):
    """The options of the command."""

    game: str
    items: tuple[str, ...]
    kind: str | None
    packs: tuple[str, ...]
    buyer: str | None
    change: str | None
    price: str | None
    players: str | None
    games: int | None
    seconds: float | None
    seed: int
    switches: tuple[str, ...]
    scene: str | None
    turn_limit: int | None
    pairs: bool
    texts: bool
    exact: str | None
    of: tuple[str, ...]
    given: str | None
    policies: tuple[str, ...]
    workers: int | None
    dask: str | None
    store: str | None
    resume: bool
    form: str
    html: str | None
    markdown: str | None


def refuse_contradictions(wanted: BalanceOptions) -> None:
    """Raise WrongUse for options that contradict others, before anything is compiled."""
    refuse_resume_without_store(wanted.resume, wanted.store)
    _refuse_without_exact(wanted)
    if wanted.change is not None and wanted.pairs:
        raise WrongUse("--pairs is for items, and --change for one text", "leave out one")
    if wanted.seconds is not None and wanted.games is not None:
        raise WrongUse("--games and --seconds both say how long to play", "leave out one")
    if wanted.texts:
        _refuse_with_texts(wanted)
    for name in wanted.items:
        if "=" in name:
            _refuse_for_setting(wanted, name)


def _refuse_without_exact(wanted: BalanceOptions) -> None:
    """Refuse options for odds without --exact."""
    asked = (("--of", wanted.of), ("--given", wanted.given), ("--policy", wanted.policies))
    for name, value in asked if wanted.exact is None else ():
        if value:
            raise WrongUse(f"{name} is for odds", "name an effect text: --exact TEXT")


def _refuse_with_texts(wanted: BalanceOptions) -> None:
    for option, value in (
        ("--pairs", wanted.pairs),
        ("--exact", wanted.exact),
        ("--to", wanted.buyer),
        ("--change", wanted.change),
        ("--players", wanted.players),
        ("--scene", wanted.scene),
        ("--store", wanted.store),
        ("--dask", wanted.dask),
    ):
        if value:
            raise WrongUse(f"--texts plays nothing, and has no use for {option}", "leave out one")
    if len(wanted.items) < 2 and wanted.kind is None:
        raise WrongUse("--texts compares items", "name two or more, or a --kind")


def _refuse_for_setting(wanted: BalanceOptions, name: str) -> None:
    """A switch or a number has no text, no price and no buyer."""
    for option, value in (
        ("--texts", wanted.texts),
        ("--price", wanted.price),
        ("--to", wanted.buyer),
        ("--change", wanted.change),
    ):
        if value:
            raise WrongUse(f"{option} is for items, and `{name}` is none", f"leave out {name}")


def refuse_unfit(wanted: BalanceOptions, trials: Sequence[ItemTrial]) -> None:
    """Raise WrongUse for an option that has no meaning in the trial of an item."""
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


def exact_figures(
    name: str,
    contents: tuple[Content, Content],
    text: str,
    of: Sequence[str],
    given: str | None,
    policies: Sequence[str],
) -> list[ExactFigure]:
    """The distributions of a text without an item and with it. Raises WrongUse where they are not exact."""
    without, with_it = (_odds(one, text, of, given, policies) for one in contents)
    pairs = zip(without.tables, with_it.tables, strict=True)
    return [ExactFigure(name, before, after) for before, after in pairs]


def exact_data(figure: ExactFigure) -> dict[str, Any]:
    """An exact figure as plain data, its fractions as strings."""
    return {
        "item": figure.item,
        "of": figure.without.of,
        "without": _table_data(figure.without),
        "with": _table_data(figure.with_it),
        "gain": None if figure.gain is None else str(figure.gain),
    }


def _table_data(table: OddsTable) -> dict[str, Any]:
    chances = {row.value: str(row.chance) for row in table.lines}
    return {"mean": None if table.mean is None else str(table.mean), "chances": chances}


def _odds(
    content: Content, text: str, of: Sequence[str], given: str | None, policies: Sequence[str]
) -> Odds:
    node = read_given(given) if given is not None else None
    if given is not None and node is None:
        raise WrongUse(f"{given} cannot be used as it is")
    rules, otherwise = read_policies(policies)
    wanted = tuple(dict.fromkeys(of or names_bound(text)))
    best = expressions_of(rules, otherwise)
    question = odds_question(content, text, wanted, node, best)
    found = worked_out(question, Policies(question, rules, otherwise, BUDGET), SEED)
    if found.runs:
        raise WrongUse("there is too much to be worked out exactly", "ask for less: --of EXPR")
    return found
