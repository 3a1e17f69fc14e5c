"""Claims about the prompts of a step: whom they ask, what they offer, and which never come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.cases.case_words import folded, word
from ruleloom.runtime.dataclass import dataclass
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.information import secrecy_of
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.state import Event
from ruleloom.runtime.program.values import Type, World
from ruleloom.scenarios.claims.numbers import claim_text
from ruleloom.scenarios.notation import CaseData, StepNotUnderstood
from ruleloom.scenarios.steps.answers import (
    asked_of,
    offered,
    prompt_names,
    prompts_in,
    written_out,
)

MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Askings:
    """The moments at which a step asked something, the one at which it stopped among them."""

    linked: Linked
    way: Sequence[Game]

    def by_name(self) -> dict[str, list[Game]]:
        """The moments by the folded names of the prompt."""
        found: dict[str, list[Game]] = {}
        for game in self.way:
            for name in prompt_names(game.node):
                found.setdefault(name, []).append(game)
        return found

    def wrong_whom(self, whom: CaseData) -> Iterator[str]:
        """Prompts on the way that asked somebody else than is claimed, each time they came up."""
        self._refuse_unknown("whom", whom)
        asked_of_step = self.by_name()
        for name, player in whom.items():
            found = [asked_of(one) for one in asked_of_step.get(folded(name), ())] or ["nobody"]
            each = player if isinstance(player, list) else [player] * len(found)
            wanted = list(map(word, each)) or ["nobody"]
            if found != wanted:
                yield f"whom: {word(name)}: wanted {claim_text(wanted)}, found {claim_text(found)}"

    def wrong_offers(self, offers: CaseData) -> Iterator[str]:
        """Prompts on the way that offered something else than is claimed, each time they came up."""
        asked_of_step = self.by_name()
        for name, options in offers.items():
            asked = asked_of_step.get(folded(name), ())
            apart = bool(options) and all(isinstance(one, list) for one in options)
            each = options if apart else [options] * len(asked)
            if not asked:
                yield f"offers: {word(name)}: this is not asked"
            elif len(each) != len(asked):
                often = f"wanted {len(each)}, found {len(asked)}"
                yield f"offers: {word(name)}: how often it is asked: {often}"
            else:
                for wanted, game in zip(each, asked, strict=True):
                    yield from wrong_offer(f"offers: {word(name)}", wanted, game)

    def wrongly_asked(self, unasked: Sequence[Any]) -> Iterator[str]:
        """Prompts that came up though they should not."""
        self._refuse_unknown("unasked", unasked)
        asked = self.by_name()
        yield from (f"unasked: `{word(one)}` is asked" for one in unasked if folded(one) in asked)

    def _refuse_unknown(self, claim: str, names: Iterable[Any]) -> None:
        """Complain about names that nothing can ever be asked by: they would claim nothing."""
        known = prompts_in(self.linked)
        for name in names:
            if not known.of(folded(name)):
                said = f"`{claim}`: no choice and no roll is called `{word(name)}`"
                raise StepNotUnderstood.of_name(said, folded(name), known.by_name)


OF_ANY = ("unasked", "whom", "offers", "unseen", "log", "unlogged", "done")
Check = Callable[[Any], Iterator[str]]


def claims_of_any(
    askings: Askings,
    world: World,
    events: Sequence[Event],
    number: Callable[[str, str], int | None],
    lines: Callable[[], Sequence[str]],
) -> Mapping[str, Check]:
    """The claims that every case can make, each with what of it is not so; `number` finds a thing by
    its name, and `lines` are those of the log."""
    linked = askings.linked
    return {
        "unasked": askings.wrongly_asked,
        "whom": askings.wrong_whom,
        "offers": askings.wrong_offers,
        "unseen": lambda claimed: wrongly_seen(linked, world, claimed, number),
        "log": lambda claimed: wrong_log(lines(), claimed),
        "unlogged": lambda claimed: wrongly_logged(lines(), claimed),
        "done": lambda claimed: wrong_counts(linked, events, claimed),
    }


def wrong_offer(where: str, wanted: Sequence[Any], game: Game) -> Iterator[str]:
    """The options of a prompt, if they are others than claimed."""
    found = offered(game)
    if sorted(map(folded, written_out(wanted))) != sorted(map(folded, found)):
        shown = found if len(found) <= MOST_SHOWN else [*found[:3], "...", found[-1]]
        yield f"{where}: wanted {claim_text(list(map(word, wanted)))}, found {claim_text(shown)}"


def wrong_counts(linked: Linked, events: Sequence[Event], said: Mapping[str, int]) -> Iterator[str]:
    """Operations done more or less often than claimed; StepNotUnderstood for an unknown one."""
    done = Counter(event.name for event in events if event.kind == "operation")
    for name, times in said.items():
        if name not in linked.operations:
            none = f"`done`: there is no operation `{name}`"
            raise StepNotUnderstood.of_name(none, name, linked.operations)
        if done[name] != times:
            yield f"done: {name}: wanted {times}, found {done[name]}"


MOST_LINES = 20


def wrong_log(found: Sequence[str], wanted: Sequence[str]) -> Iterator[str]:
    """The first part that no line has after those before it."""
    lines = iter(found)
    for part in wanted:
        if not any(part in line for line in lines):
            after = " at its place" if any(part in line for line in found) else ""
            shown = found if len(found) <= MOST_LINES else ["...", *found[-MOST_LINES:]]
            yield f"log: no line has `{part}`{after}: {claim_text(list(shown))}"
            return


def wrongly_logged(found: Sequence[str], unwanted: Sequence[str]) -> Iterator[str]:
    """Each part that a line has, though none should."""
    for part in unwanted:
        line = next((one for one in found if part in one), None)
        if line is not None:
            yield f"unlogged: `{part}` stands in the log: `{line}`"


def wrongly_seen(
    linked: Linked,
    world: World,
    said: Mapping[str, Sequence[Any]],
    number: Callable[[str, str], int | None],
) -> Iterator[str]:
    """Each thing that a player may see, though they should not; `number` finds a thing by name."""
    secrecy = secrecy_of(linked)
    for viewer, names in said.items():
        if viewer not in linked.layout.players:
            known = linked.layout.players
            raise StepNotUnderstood.of_name(
                f"`unseen`: there is no player `{viewer}`", viewer, known
            )
        eyes = linked.layout.players.index(viewer)
        for name in map(str, names):
            things = ((kind, number(kind, name)) for kind in sorted(secrecy.kinds))
            found = next(((kind, thing) for kind, thing in things if thing is not None), None)
            if found is None:
                raise StepNotUnderstood(f"`unseen`: nothing called `{name}` can be hidden")
            if not secrecy.hides(eyes, Type(found[0]), found[1], (world,)):
                yield f"unseen: {viewer} may see `{name}`"
