"""The options of `ruleloom balance`, and those that do not go together: refused, not left out in silence."""

from __future__ import annotations

from collections.abc import Sequence

from ruleloom.cli.faults import WrongUse
from ruleloom.cli.simulate.running import refuse_resume_without_store
from ruleloom.runtime.dataclass import dataclass
from ruleloom.simulate.balance.item_trials import HELD, IN_GAME, ItemTrial


@dataclass(frozen=True, slots=True)
class BalanceOptions:
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
