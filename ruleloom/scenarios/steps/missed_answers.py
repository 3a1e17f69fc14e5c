"""Complaints about answers that do not fit: the prompts that came instead, and their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ruleloom.compiler.cases.case_words import word
from ruleloom.compiler.cases.notation_words import as_list
from ruleloom.compiler.diagnostics.suggest import did_you_mean, quoted_list
from ruleloom.runtime.link.link import Linked
from ruleloom.runtime.machine.labels import title_text
from ruleloom.runtime.play.game import Game
from ruleloom.runtime.program.values import Type, World
from ruleloom.scenarios.claims.case_names import CaseNames
from ruleloom.scenarios.setup.made import unmarked
from ruleloom.scenarios.steps.answers import name_of, offered

MOST_NAMED, MOST_OFFERED = 8, 12

# Things that play would have made, by the names that a case gives them.
Named = Mapping[str, tuple[str, int]]


def asked_instead(way: Sequence[Game], name: str) -> str:
    """What a step asks, for somebody who has answered something else by this name."""
    asked = list(dict.fromkeys(name_of(game.node) for game in way))
    if not asked:
        return "; the step asks nothing"
    more = f" and {len(asked) - MOST_NAMED} more" if len(asked) > MOST_NAMED else ""
    help = did_you_mean(name, asked)
    return f"; asked: {quoted_list(asked[:MOST_NAMED])}{more}" + (f"; {help}" if help else "")


def on_offer(game: Game) -> str:
    """The options of the open prompt, if they are few."""
    options = offered(game)
    return f"; on offer: {', '.join(options)}" if len(options) <= MOST_OFFERED else ""


def things_given(names: CaseNames, made: Mapping[str, Mapping[str, Any]]) -> Named:
    """The things that play would have made, before the first step."""
    pairs = ((kind, str(name)) for kind, named in made.items() for name in named)
    found = ((kind, name, names.number(kind, name)) for kind, name in pairs)
    return {name: (kind, number) for kind, name, number in found if number is not None}


def changed_since(game: Game, said: Any, given: Named) -> str:
    """The fate of a thing that an answer names: it is gone, or has another name by now."""
    names = map(word, as_list(said) if not isinstance(said, Mapping) else ())
    found = (what_became(game.linked, game.state.world, name, given) for name in names)
    told = next(filter(None, found), "")
    return f"; {told}" if told else ""


def what_became(linked: Linked, world: World, name: str, given: Named) -> str:
    """The fate of a thing that was there at first; empty if it is unchanged, or never was there."""
    kind, number = given.get(name, ("", 0))
    if not kind:
        return ""
    if linked.is_gone(Type(kind), number, world):
        return f"`{name}` is not there any more"
    now = unmarked(title_text(linked, world, Type(kind), number))
    return f"`{name}` is called `{now}` by now" if now != name else ""


def lost_things(
    names: CaseNames, world: World, claimed: Mapping[str, Any], given: Named
) -> Iterator[str]:
    """The fate of each thing of which numbers are claimed, where nothing has its name now."""
    for name, said in claimed.items():
        kind, _ = given.get(str(name), ("", 0))
        if kind and isinstance(said, Mapping) and names.number(kind, str(name)) is None:
            yield f"{name}: {what_became(names.linked, world, str(name), given)}"


def not_refused(fizzled: Sequence[str]) -> str:
    """The complaint where nothing was refused; a fizzled effect is another claim."""
    taken = "the last answer was taken, but should be refused"
    if not fizzled:
        return taken
    return f"{taken}: {fizzled[-1]}, which `log: [comes to nothing]` claims, and no `legal: false`"
